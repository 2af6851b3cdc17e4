package artifacttext

import (
	"bufio"
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// PlainLine is the line, from 0, that a pointer "/lines/N" names in a text that is not
// JSON. What follows N names something on the line.
func (x *Index) PlainLine(p evidence.Pointer) (line int64, ok bool) {
	tokens := p.Tokens()
	if x.Layout != Plain || !p.Valid() || len(tokens) < 2 || tokens[0] != "lines" {
		return 0, false
	}
	n, err := strconv.ParseInt(tokens[1], 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != tokens[1] || n < 0 || n >= x.Lines {
		return 0, false
	}
	return n, true
}

// LineWords is what stands at a place of a line.
type LineWords struct {
	Marked string
	Part   bool // of the line
}

// PlainRange is the stretch of a line, or of the bytes [s, e) of the line where they
// lie in it, and what stands there.
func (x *Index) PlainRange(t *Text, line int64, s, e int) (LineWords, Range, error) {
	at := x.pages[x.PageOfLine(line+1)]
	r := bufio.NewReaderSize(t.section(at.off), bufSize)
	off := at.off
	for n := at.line; ; n++ {
		head, end, next, err := readLine(r, off)
		if err != nil {
			return LineWords{}, Range{}, err
		}
		if n < line && next > off {
			off = next
			continue
		}
		whole := Range{Start: off, End: end}
		if e > s && s >= 0 && off+int64(e) <= end && s < math.MaxInt32 {
			part := Range{Start: off + int64(s), End: off + int64(e)}
			raw, err := t.part(part.Start, min(part.End-part.Start, shownMax))
			return LineWords{strings.ToValidUTF8(string(raw), "\uFFFD"), true}, part, err
		}
		return LineWords{Marked: strings.ToValidUTF8(string(head), "\uFFFD")}, whole, nil
	}
}
