package jsondoc

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// token is the current string, number or word, and what is wrong with it.
type token struct {
	tok      []byte // decoded text; points into the window or into dec
	from, to int64  // its bytes in the artifact
	dec      []byte // decoded text of strings that do not stand verbatim

	// Places of the first defects of a string, -1 without.
	badUTF8, control, surrogate, long int64
}

// shown is the next bytes as a message quotes them.
func (s *scanner) shown() string {
	s.need(utf8.UTFMax)
	r, n := utf8.DecodeRune(s.buf[s.pos:])
	if r == utf8.RuneError && n <= 1 {
		return fmt.Sprintf("byte %#02x", s.buf[s.pos])
	}
	return strconv.QuoteRune(r)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the bytes of x that end a run of plain string content: quotes,
// backslashes and control characters. The lowest mark is exact.
func special(x uint64) uint64 {
	quote, slash := x^('"'*ones), x^('\\'*ones)
	return ((x-' '*ones)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
}

// plainRun returns the index of the first special byte of b from i on, or len(b), and
// whether every byte before it is ASCII. With highs as stop, a byte that is not ASCII
// ends the run too.
func plainRun(b []byte, i int, stop uint64) (end int, ascii bool) {
	var high uint64
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		if m := special(x) | x&stop; m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			return i + n/8, (high|x&(1<<n-1))&highs == 0
		}
		high |= x
	}
	for ; i < len(b); i++ {
		c := b[i]
		if c < ' ' || c == '"' || c == '\\' || c&byte(stop) != 0 {
			break
		}
		high |= uint64(c)
	}
	return i, high&highs == 0
}

// str scans the string whose opening quote is the next byte. Defects of a value's
// string are reported here, those of a name when the path has it.
func (s *scanner) str(report bool) bool {
	s.from = s.here()
	s.badUTF8, s.control, s.surrogate, s.long = -1, -1, -1, -1
	s.mark = s.pos
	ok := s.verbatim()
	if !ok {
		s.pos, s.mark = s.mark+1, -1
		ok = s.decoded()
	}
	s.mark = -1
	if !ok {
		return false
	}
	s.to = s.here()
	if report {
		s.defects()
	}
	return true
}

// verbatim takes a string whose bytes are its text. It returns false, at the mark,
// when the string needs decoding or is longer than the window likes.
func (s *scanner) verbatim() bool {
	ascii := true
	for i := s.pos + 1; ; i = s.pos {
		end, plain := plainRun(s.buf, i, 0)
		ascii = ascii && plain
		if end-s.mark > s.lim.String {
			return false
		}
		if end == len(s.buf) {
			if s.pos = end; !s.fill() {
				return false
			}
			continue
		}
		text := s.buf[s.mark+1 : end]
		if s.buf[end] != '"' || !ascii && !utf8.Valid(text) {
			return false
		}
		s.tok, s.pos = text, end+1
		return true
	}
}
