package artifacttext

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"
)

// Range is a stretch of the text, [Start, End).
type Range struct {
	Start, End int64
	Main       bool // it is the place that was asked for
}

// InString is the stretch of the text that holds the bytes [s, e) of the decoded
// string that f found. It is the whole string when f is not a string or s and e do
// not lie in it.
func InString(t *Text, f *Found, s, e int) (Range, error) {
	whole := Range{Start: f.Start, End: f.End}
	if f.Kind != "string" || s < 0 || e <= s {
		return whole, nil
	}
	// The opening quote is the first byte.
	r := bufio.NewReader(t.section(f.Start + 1))
	out := Range{Start: -1}
	off, decoded := f.Start+1, 0
	for off < f.End-1 {
		b, err := r.Peek(12)
		if err != nil && err != io.EOF {
			return whole, err
		}
		c, n := nextChar(b)
		if n == 0 {
			break
		}
		if decoded >= s && out.Start < 0 {
			out.Start = off
		}
		off += int64(n)
		decoded += utf8.RuneLen(c)
		if decoded >= e {
			out.End = off
			break
		}
		if _, err := r.Discard(n); err != nil {
			return whole, err
		}
	}
	if out.Start < 0 || out.End == 0 {
		return whole, nil
	}
	return out, nil
}

// StringText is the decoded string of f, at most limit bytes of it, and whether
// that is all of it.
func StringText(t *Text, f *Found, limit int64) (string, bool, error) {
	if f.Kind != "string" {
		return "", true, nil
	}
	raw, err := t.part(f.Start, min(f.End-f.Start, limit))
	return unquote(raw), f.End-f.Start <= limit, err
}

// LineOf is the number, from 1, of the line that holds the byte at off, and the page
// it is on.
func (x *Index) LineOf(t *Text, off int64) (line int64, pg int, err error) {
	if x.Layout == Hex || len(x.pages) == 0 {
		return 1, 0, nil
	}
	pg = within(len(x.pages), func(i int) int64 { return x.pages[i].off }, off)
	if x.Layout == Indented {
		line, err = x.indentedLine(t, off)
		return line, pg, err
	}
	line = x.pages[pg].line + 1
	r := io.LimitReader(t.section(x.pages[pg].off), off-x.pages[pg].off)
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		line += int64(bytes.Count(buf[:n], []byte{'\n'}))
		if err == io.EOF {
			return min(line, max(x.Lines, 1)), pg, nil
		}
		if err != nil {
			return 1, pg, err
		}
	}
}

func (x *Index) indentedLine(t *Text, off int64) (int64, error) {
	i := within(len(x.cps), func(i int) int64 { return x.cps[i].off }, off)
	w := newWalker(newScanner(t.section(x.cps[i].off), x.cps[i].off), x.cps[i].st)
	line := x.cps[i].pline
	for w.next() && w.tok.start <= off {
		if w.role != roleSpace && (w.breaks || line == 0) {
			line++
		}
	}
	return max(line, 1), w.sc.err
}

// context is how many lines of the neighbouring page are shown when a place lies
// that close to a page's edge.
const context = 30

// Window is the span of lines of a page, widened when line lies near its edge.
func (x *Index) Window(pg int, line int64) (first, last int64) {
	if len(x.pages) == 0 {
		return 1, x.Lines
	}
	pg = min(max(pg, 0), len(x.pages)-1)
	first, last = x.pages[pg].line+1, x.Lines
	if pg+1 < len(x.pages) {
		last = x.pages[pg+1].line
	}
	if line >= first && line <= last {
		if line-first < context {
			first = max(1, line-context)
		}
		if last-line < context {
			last = min(x.Lines, line+context)
		}
	}
	return first, last
}

// PageOfLine is the page that holds a line.
func (x *Index) PageOfLine(line int64) int {
	return within(len(x.pages), func(i int) int64 { return x.pages[i].line }, line-1)
}

// Decode is the decoded text of a part of a string, at most limit bytes of it.
func Decode(t *Text, r Range, limit int64) (string, error) {
	raw, err := t.part(r.Start, min(r.End-r.Start, limit))
	return unquote(append([]byte{'"'}, raw...)), err
}
