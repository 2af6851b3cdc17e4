package jsondoc

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Encodings as readings name them.
const (
	UTF8       = "utf-8"
	UTF8BOM    = "utf-8-bom"
	UTF16LE    = "utf-16le"
	UTF16BE    = "utf-16be"
	UTF16LEBOM = "utf-16le-bom"
	UTF16BEBOM = "utf-16be-bom"
	EightBit   = "8bit"   // text in an encoding that names itself nowhere
	Binary     = "binary" // not text
)

// headSize is how many bytes decide about the encoding.
const headSize = 4 << 10

// detect finds the encoding by the first bytes, and the length of the mark there.
func detect(artifact []byte) (encoding string, mark int) {
	head := artifact[:min(len(artifact), headSize)]
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		return UTF8BOM, 3
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}), bytes.HasPrefix(head, []byte{0, 0, 0xFE, 0xFF}):
		return Binary, 0 // UTF-32: nobody writes it, so nobody reads it
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return UTF16LEBOM, 2
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		return UTF16BEBOM, 2
	case unmarkedUTF16(head, 0):
		return UTF16LE, 0
	case unmarkedUTF16(head, 1):
		return UTF16BE, 0
	case !looksText(head):
		return Binary, 0
	case !validHead(head):
		return EightBit, 0
	}
	return UTF8, 0
}

// validHead reports whether head is UTF-8, but for a character cut off where the head
// ends and the artifact does not.
func validHead(head []byte) bool {
	if len(head) < headSize {
		return utf8.Valid(head)
	}
	for cut := range utf8.UTFMax {
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return false
}

// unmarkedUTF16 reports whether head reads as UTF-16 with its low byte at index low
// of every pair: the first character is ASCII, and so are most of the others, and
// none is NUL.
func unmarkedUTF16(head []byte, low int) bool {
	pairs := min(len(head)/2, 512)
	if pairs == 0 || !printable(head[low]) || head[1-low] != 0 {
		return false
	}
	ascii := 0
	for i := range pairs {
		lo, hi := head[2*i+low], head[2*i+1-low]
		if lo == 0 && hi == 0 {
			return false
		}
		if hi == 0 && printable(lo) {
			ascii++
		}
	}
	return 2*ascii >= pairs
}

func printable(c byte) bool { return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c < 0x7F }

// looksText reports whether bytes without a mark can be text in an ASCII superset: no
// NUL and hardly a control character.
func looksText(head []byte) bool {
	odd := 0
	for _, c := range head {
		switch {
		case c == 0:
			return false
		case c < ' ' && !printable(c) && c != '\f' && c != '\b' && c != 0x1B:
			odd++
		}
	}
	return odd*20 <= len(head)
}

// wide decodes UTF-16 to the UTF-8 text that the scanner reads. What is ill-formed
// stays ill-formed, so that the scanner finds it at its place: an unpaired surrogate
// becomes its three-byte form, which UTF-8 forbids, and an odd last byte becomes FF.
type wide struct {
	big  bool
	rest []byte // raw bytes that are not decoded yet: an odd byte, half a pair
}

// decode appends the text of raw to dst. At the end of the artifact nothing is kept back.
func (d *wide) decode(dst, raw []byte, end bool) []byte {
	d.rest = append(d.rest, raw...)
	in := d.rest
	for len(in) >= 2 {
		u := d.unit(in)
		if !utf16.IsSurrogate(u) {
			dst, in = utf8.AppendRune(dst, u), in[2:]
			continue
		}
		if len(in) < 4 && !end && u < 0xDC00 {
			break
		}
		if len(in) >= 4 {
			if r := utf16.DecodeRune(u, d.unit(in[2:])); r != utf8.RuneError {
				dst, in = utf8.AppendRune(dst, r), in[4:]
				continue
			}
		}
		dst = append(dst, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
		in = in[2:]
	}
	if end && len(in) == 1 {
		dst, in = append(dst, 0xFF), in[1:]
	}
	d.rest = append(d.rest[:0], in...)
	return dst
}

func (d *wide) unit(b []byte) rune {
	if d.big {
		return rune(b[0])<<8 | rune(b[1])
	}
	return rune(b[1])<<8 | rune(b[0])
}

// wideLength is how many raw UTF-16 bytes stand behind a byte of decoded text: the
// lead byte of a sequence counts for all of it.
func wideLength(c byte) int64 {
	switch {
	case c < 0x80:
		return 2
	case c < 0xC0:
		return 0
	case c < 0xF0:
		return 2
	case c < 0xF8:
		return 4
	}
	return 1 // FF stands for an odd last byte
}

// illFormed is the length of the ill-formed sequence at the start of b: three for a
// surrogate in its three-byte form, else one.
func illFormed(b []byte) int {
	if len(b) >= 3 && b[0] == 0xED && b[1] >= 0xA0 && b[1] < 0xC0 && b[2] >= 0x80 && b[2] < 0xC0 {
		return 3
	}
	return 1
}

// Text decodes the start of an artifact for people and for search. It never fails:
// bytes that the encoding forbids are read as Latin-1 in 8-bit text, as U+FFFD
// elsewhere, and a binary has no text.
func Text(head []byte) string {
	encoding, mark := detect(head)
	rest := head[mark:]
	switch encoding {
	case Binary:
		return ""
	case UTF16LE, UTF16LEBOM, UTF16BE, UTF16BEBOM:
		d := wide{big: encoding == UTF16BE || encoding == UTF16BEBOM}
		return string(bytes.ToValidUTF8(d.decode(nil, rest, false), []byte("\uFFFD")))
	case EightBit:
		out := make([]rune, 0, len(rest))
		for len(rest) > 0 {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n == 1 {
				r = rune(rest[0])
			}
			out, rest = append(out, r), rest[n:]
		}
		return string(out)
	}
	return string(bytes.ToValidUTF8(rest, []byte("\uFFFD")))
}
