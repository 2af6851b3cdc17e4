package export

import (
	"unicode/utf8"
)

// jsonEncoder writes an array of objects, one object a line.
type jsonEncoder struct {
	keys [][]byte // `"name":` of each column
	rows int64
}

func (e *jsonEncoder) begin(dst []byte, _ string, cols []Column) []byte {
	for _, c := range cols {
		e.keys = append(e.keys, append(appendString(nil, c.Name), ':'))
	}
	return append(dst, '[')
}

func (e *jsonEncoder) row(dst []byte, row []Cell) []byte {
	if e.rows > 0 {
		dst = append(dst, ',')
	}
	e.rows++
	dst = append(dst, '\n', '{')
	for i := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e.keys[i]...)
		dst = appendValue(dst, &row[i])
	}
	return append(dst, '}')
}

func (e *jsonEncoder) end(dst []byte) []byte {
	if e.rows > 0 {
		dst = append(dst, '\n')
	}
	return append(dst, ']', '\n')
}

func appendValue(dst []byte, c *Cell) []byte {
	switch {
	case c.kind == absent:
		return append(dst, "null"...)
	case c.numeric():
		return append(dst, c.String()...)
	case c.kind == words:
		dst = append(dst, '[')
		for i, s := range c.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, s)
		}
		return append(dst, ']')
	}
	return appendString(dst, c.text)
}

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string. Beyond what JSON demands it escapes < > & and
// the invisible characters of hidden, so that the bytes are inert in HTML, scripts
// and terminals; the value is the same.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c == '\n':
				dst = append(dst, '\\', 'n')
			case c == '\r':
				dst = append(dst, '\\', 'r')
			case c == '\t':
				dst = append(dst, '\\', 't')
			case c < 0x20 || c == 0x7f || c == '<' || c == '>' || c == '&':
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			default:
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if hidden(r) && r <= 0xffff {
			dst = append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
			continue
		}
		dst = utf8.AppendRune(dst, r)
	}
	return append(dst, '"')
}

// hidden reports whether r shows nothing or changes how the text around it shows:
// C1 controls, direction and format controls, line and paragraph separators, tags.
func hidden(r rune) bool {
	return r >= 0x80 && r < 0xa0 || r == 0x00ad || r == 0x061c || r >= 0x200b && r <= 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r >= 0xfff9 && r <= 0xfffb ||
		r >= 0xe0000 && r <= 0xe007f
}
