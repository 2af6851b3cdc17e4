package export

import (
	"strings"
	"unicode/utf8"
)

// csvEncoder writes RFC 4180 with LF row endings.
type csvEncoder struct{}

func (*csvEncoder) begin(dst []byte, _ string, cols []Column) []byte {
	for i, c := range cols {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(dst, Guard(c.Name))
	}
	return append(dst, '\n')
}

func (*csvEncoder) row(dst []byte, row []Cell) []byte {
	for i := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch c := &row[i]; {
		case c.kind == absent:
		case c.numeric():
			dst = append(dst, c.String()...)
		default:
			dst = appendField(dst, Guard(c.String()))
		}
	}
	return append(dst, '\n')
}

func (*csvEncoder) end(dst []byte) []byte { return dst }

// appendField quotes where RFC 4180 asks for it, and around outer spaces, which some
// readers trim. What UTF-8 or CSV cannot hold is replaced.
func appendField(dst []byte, s string) []byte {
	quote := s != "" && (s[0] == ' ' || s[len(s)-1] == ' ') || strings.ContainsAny(s, "\",\r\n;\t")
	if quote {
		dst = append(dst, '"')
	}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			switch {
			case c == '"':
				dst = append(dst, '"', '"')
			case picture(rune(c)) != 0 && c != '\t' && c != '\n' && c != '\r':
				dst = utf8.AppendRune(dst, picture(rune(c)))
			default:
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	if quote {
		dst = append(dst, '"')
	}
	return dst
}

// picture is the visible stand-in of a control character, 0 for any other.
func picture(r rune) rune {
	switch {
	case r < 0x20:
		return 0x2400 + r
	case r == 0x7f:
		return 0x2421
	}
	return 0
}

// Guard puts an apostrophe before a text that a spreadsheet could take for a formula,
// or that starts with an apostrophe itself. A decimal number stays as it is.
func Guard(s string) string {
	if s == "" || plainNumber(s) || !dangerous(s) {
		return s
	}
	return "'" + s
}

// Unguard undoes Guard.
func Unguard(s string) string { return strings.TrimPrefix(s, "'") }

func dangerous(s string) bool {
	switch s[0] {
	case '\t', '\r', '\n', '\'':
		return true
	}
	for _, r := range s {
		switch r {
		case '=', '+', '-', '@', // what formulas start with
			'＝', '＋', '－', '＠', // the same, full width
			'﹢', '﹣', '﹦', '﹫': // small forms
			return true
		}
		if !skipped(r) {
			return false
		}
	}
	return false
}

// skipped reports whether importers may trim r, or show nothing for it, at the start
// of a cell.
func skipped(r rune) bool {
	return r <= ' ' || r == 0x7f || r == utf8.RuneError || r == 0x3000 || r == 0x00a0 || r == 0x00ad ||
		r >= 0x2000 && r <= 0x200f || r >= 0x2028 && r <= 0x202f || r >= 0x205f && r <= 0x206f || r == 0xfeff
}
