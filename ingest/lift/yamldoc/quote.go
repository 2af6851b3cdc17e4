package yamldoc

import (
	"fmt"
	"strconv"
	"strings"

	"assay/ingest/jsondoc"
)

// quoted reads a quoted text. One that is not closed on its line goes on below: line
// ends become a space, blank lines a line end, and a backslash at the end of a line
// joins the next one to it.
func (p *parser) quoted(s string, at int) (*jsondoc.Node, error) {
	quote := s[0]
	if end := closing(s[1:], quote); end >= 0 {
		if strings.TrimSpace(s[end+2:]) != "" {
			p.i--
			return nil, p.fault("something follows the quoted text")
		}
		return &jsondoc.Node{Kind: jsondoc.String, Text: unescape(s[1:end+1], quote), Offset: int64(at), End: int64(at + end + 2)}, nil
	}
	first := p.lines[p.i-1].number
	var b strings.Builder
	b.WriteString(s[1:])
	for k := first + 1; k < len(p.all); k++ {
		raw := strings.TrimRight(p.all[k].raw, " \t")
		end := closing(raw, quote)
		text := raw
		if end >= 0 {
			text = raw[:end]
		}
		fold(&b, text, quote)
		if end < 0 {
			continue
		}
		if rest := strings.TrimSpace(raw[end+1:]); rest != "" && rest[0] != '#' {
			break
		}
		for p.i < len(p.lines) && p.lines[p.i].number <= k {
			p.i++
		}
		return &jsondoc.Node{Kind: jsondoc.String, Text: unescape(b.String(), quote), Offset: int64(at), End: int64(p.all[k].at + end + 1)}, nil
	}
	p.i--
	return nil, p.fault("a quoted text that does not end")
}

// fold adds the next line of a quoted text.
func fold(b *strings.Builder, line string, quote byte) {
	text := b.String()
	switch {
	case quote == '"' && strings.HasSuffix(text, `\`) && (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1:
		b.Reset()
		b.WriteString(text[:len(text)-1])
	case line == "":
		b.WriteByte('\n')
		return
	case !strings.HasSuffix(text, "\n"):
		b.WriteByte(' ')
	}
	b.WriteString(line)
}

// closing finds the quote that ends a text, from inside it; -1 when there is none.
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case quote == '"' && s[i] == '\\':
			i++
		case s[i] != quote:
		case quote == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		default:
			return i
		}
	}
	return -1
}

// unquote reads a quoted text on one line and says where it ends.
func unquote(s string) (text string, end int, err error) {
	n := closing(s[1:], s[0])
	if n < 0 {
		return "", 0, fmt.Errorf("a quoted text that does not end on its line")
	}
	return unescape(s[1:n+1], s[0]), n + 2, nil
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '0': "\x00", '"': `"`, '\\': `\`, '/': "/", ' ': " ", '\t': "\t", '_': "\u00a0", 'e': "\x1b"}

var hexDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// unescape gives what a quoted text says. An escape that is none stays as it stands.
func unescape(s string, quote byte) string {
	if quote == '\'' {
		return strings.ReplaceAll(s, "''", "'")
	}
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if text, ok := escapes[s[i]]; ok {
			b.WriteString(text)
			continue
		}
		if n := hexDigits[s[i]]; n > 0 && i+n < len(s) {
			if r, err := strconv.ParseUint(s[i+1:i+1+n], 16, 32); err == nil && r <= 0x10ffff {
				b.WriteRune(rune(r))
				i += n
				continue
			}
		}
		b.WriteByte('\\')
		b.WriteByte(s[i])
	}
	return b.String()
}
