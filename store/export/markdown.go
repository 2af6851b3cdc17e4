package export

import (
	"strings"
	"unicode/utf8"
)

// mdEncoder writes a GitHub-flavoured Markdown table.
type mdEncoder struct{ cols []Column }

func (e *mdEncoder) begin(dst []byte, title string, cols []Column) []byte {
	e.cols = cols
	if title != "" {
		dst = append(dst, "## "...)
		dst = appendProse(dst, title)
		dst = append(dst, '\n', '\n')
	}
	dst = append(dst, '|')
	for _, c := range cols {
		dst = append(dst, ' ')
		dst = appendProse(dst, c.Name)
		dst = append(dst, " |"...)
	}
	dst = append(dst, '\n', '|')
	for _, c := range cols {
		if c.Form == Figure {
			dst = append(dst, " ---: |"...)
			continue
		}
		dst = append(dst, " --- |"...)
	}
	return append(dst, '\n')
}

func (e *mdEncoder) row(dst []byte, row []Cell) []byte {
	dst = append(dst, '|')
	for i := range row {
		dst = append(dst, ' ')
		switch c := &row[i]; {
		case c.kind == absent:
		case c.numeric():
			dst = append(dst, c.String()...)
		case e.cols[i].Form == Code && codeSafe(c.String()):
			dst = append(dst, '`')
			dst = append(dst, c.String()...)
			dst = append(dst, '`')
		default:
			dst = appendProse(dst, c.String())
		}
		dst = append(dst, " |"...)
	}
	return append(dst, '\n')
}

func (*mdEncoder) end(dst []byte) []byte { return dst }

// codeSafe reports whether s can stand between two backticks as it is: the ordinary
// case for digests, pointers and identifiers.
func codeSafe(s string) bool {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' || s[len(s)-1] == '\\' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '`' || c == '|' {
			return false
		}
	}
	return true
}

// entities are written as character references: no parser takes them for the end of a
// cell, for HTML or for a bare link, whatever stands around them.
var entities = map[rune]string{
	'|': "&#124;", '<': "&lt;", '>': "&gt;", '&': "&amp;", '`': "&#96;", '@': "&#64;",
}

// appendProse writes text in which nothing is markup, HTML, a link or a line break.
func appendProse(dst []byte, s string) []byte {
	for i, r := range s {
		switch r {
		case '|', '<', '>', '&', '`', '@':
			dst = append(dst, entities[r]...)
		case '\\', '*', '_', '[', ']', '~', '$', '#', '!':
			dst = append(dst, '\\', byte(r))
		case '\n':
			if i == 0 || s[i-1] != '\r' {
				dst = append(dst, "↵ "...)
			}
		case '\r':
			dst = append(dst, "↵ "...)
		case '\t':
			dst = append(dst, ' ')
		case ':': // no bare link, no emoji name
			dst = appendColon(dst, s[i+1:])
		case '.':
			dst = appendDot(dst, s[:i])
		default:
			dst = appendVisible(dst, r)
		}
	}
	return dst
}

func appendColon(dst []byte, rest string) []byte {
	if rest == "" || rest[0] == ' ' {
		return append(dst, ':')
	}
	return append(dst, "&#58;"...)
}

// appendDot breaks "www." so that it does not become a link.
func appendDot(dst []byte, before string) []byte {
	if n := len(before); n >= 3 && strings.EqualFold(before[n-3:], "www") {
		return append(dst, "&#46;"...)
	}
	return append(dst, '.')
}

// appendVisible writes r, or what stands for it when it would not show.
func appendVisible(dst []byte, r rune) []byte {
	switch {
	case picture(r) != 0:
		return utf8.AppendRune(dst, picture(r))
	case hidden(r):
		dst = append(dst, '\\', '\\', 'u', '{')
		for shift := 20; shift >= 0; shift -= 4 {
			if shift < 16 || r>>shift != 0 {
				dst = append(dst, hexDigits[r>>shift&15])
			}
		}
		return append(dst, '}')
	}
	return utf8.AppendRune(dst, r)
}
