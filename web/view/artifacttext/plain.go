package artifacttext

import (
	"bufio"
	"io"
)

// plain reads lines as they stand, without grammar.
func (b *builder) plain(at page) ([]Line, error) {
	r := bufio.NewReaderSize(b.t.section(at.off), bufSize)
	line, off := at.line+1, at.off
	for line <= b.view.Last && b.err == nil {
		head, end, next, err := readLine(r, off)
		if err != nil {
			return nil, err
		}
		if next == off {
			break
		}
		b.begin(line, nil)
		b.span(Punct, off, end, head, nil)
		b.endMark(end, next)
		line, off = line+1, next
	}
	return b.finish(), b.err
}

// readLine reads the line that begins at off: its head, where it ends without its
// line feed, and where the next line begins.
func readLine(r *bufio.Reader, off int64) (head []byte, end, next int64, err error) {
	var last, before byte
	next = off
	for {
		part, err := r.ReadSlice('\n')
		if head == nil {
			head = append([]byte{}, part[:min(len(part), keepMax)]...)
		}
		if n := len(part); n > 0 {
			if n > 1 {
				before = part[n-2]
			} else {
				before = last
			}
			last = part[n-1]
		}
		next += int64(len(part))
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return nil, off, off, err
		}
		break
	}
	end = next
	if last == '\n' {
		end--
		if before == '\r' && end > off {
			end--
		}
	}
	return head[:min(int64(len(head)), end-off)], end, next, nil
}

// endMark shows a mark that stands on the line's end, where there is nothing to see.
func (b *builder) endMark(end, next int64) {
	for i := range b.view.Marks {
		m := &b.view.Marks[i]
		switch {
		case m.Start >= b.t.end && next >= b.t.end:
			b.add(Piece{Class: Cut, Text: "end of text"}, m)
			return
		case m.Start >= end && m.Start < next:
			b.add(Piece{Class: Cut, Text: "end of line"}, m)
			return
		}
	}
}
