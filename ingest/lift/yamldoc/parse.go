package yamldoc

import (
	"bytes"
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

const maxDepth = 100

// maxValues bounds the tree: a value takes many times its text in memory.
const maxValues = 500_000

// Error is a line that the reader refuses.
type Error struct {
	Line   int // from 0
	Reason string
	Unread bool // it may be sound YAML, of a kind that is not read
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line+1, e.Reason) }

type line struct {
	number, indent int
	text           string // without indentation, comment and trailing blanks
	at             int    // offset of text
	raw            string // text with what looks like a comment
}

type parser struct {
	lines []line
	all   []line // blank and comment lines too, for literal texts
	i     int
}

// Parse reads one document.
func Parse(data []byte) (*jsondoc.Node, error) {
	if most := atMost(data); most > maxValues {
		return nil, &Error{Reason: fmt.Sprintf("up to %d values stand here, and %d are read", most, maxValues)}
	}
	p := &parser{}
	if err := p.split(data); err != nil {
		return nil, err
	}
	if len(p.lines) == 0 {
		return &jsondoc.Node{Kind: jsondoc.Null}, nil
	}
	n, err := p.block(p.lines[0].indent, 0)
	if err == nil && p.i < len(p.lines) {
		err = p.fault("the indentation fits no container above")
	}
	return n, err
}

// atMost is how many values a text can have: each begins a line, or follows what
// separates it from the one before.
func atMost(data []byte) int {
	n := 1
	for i, c := range data {
		switch {
		case c == '\n', c == ',', c == '[', c == '{', c == '-' && i+1 < len(data) && data[i+1] == ' ':
			n++
		}
	}
	return n
}

func (p *parser) fault(format string, args ...any) error {
	number := 0
	if p.i < len(p.lines) {
		number = p.lines[p.i].number
	} else if len(p.lines) > 0 {
		number = p.lines[len(p.lines)-1].number
	}
	return &Error{Line: number, Reason: fmt.Sprintf(format, args...)}
}

// unread refuses what may be sound.
func (p *parser) unread(reason string) error {
	err := p.fault("%s", reason).(*Error)
	err.Unread = true
	return err
}

// split cuts the text into lines and drops comments.
func (p *parser) split(data []byte) error {
	at, number := 0, 0
	for raw := range bytes.Lines(data) {
		s := strings.TrimRight(string(raw), "\r\n")
		if number == 0 {
			trimmed := strings.TrimPrefix(s, "\ufeff")
			at += len(s) - len(trimmed)
			s = trimmed
			raw = raw[len(raw)-len(bytes.TrimPrefix(raw, []byte("\ufeff"))):]
		}
		body := strings.TrimLeft(s, " ")
		l := line{number: number, indent: len(s) - len(body), at: at + len(s) - len(body), raw: body}
		l.text = strings.TrimRight(body[:comment(body)], " \t")
		p.all = append(p.all, l)
		switch {
		case strings.HasPrefix(body, "\t") && strings.TrimSpace(body) != "":
			return &Error{Line: number, Reason: "a tab as indentation"}
		case l.text == "---" && l.indent == 0 && len(p.lines) == 0, l.text == "":
		case l.text == "---" && l.indent == 0, strings.HasPrefix(l.text, "%"):
			return &Error{Line: number, Reason: "several documents or directives in one file", Unread: true}
		case l.text == "..." && l.indent == 0:
			return nil
		default:
			p.lines = append(p.lines, l)
		}
		at += len(raw)
		number++
	}
	return nil
}

// comment finds where a comment starts; quotes protect.
func comment(s string) int {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote == '\'' && c == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if i == 0 || strings.IndexByte(" [{,:-", s[i-1]) >= 0 {
				quote = c
			}
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return i
		}
	}
	return len(s)
}

// block reads the mapping, sequence or scalar whose lines stand at an indentation.
func (p *parser) block(indent, depth int) (*jsondoc.Node, error) {
	if depth > maxDepth {
		return nil, p.fault("more than %d containers are open", maxDepth)
	}
	l := p.lines[p.i]
	if strings.HasPrefix(l.text, "- ") || l.text == "-" {
		return p.sequence(indent, depth)
	}
	if key, _ := cutKey(l.text); key >= 0 {
		return p.mapping(indent, depth)
	}
	p.i++
	return p.scalar(l.text, l.at, indent-1)
}

func (p *parser) sequence(indent, depth int) (*jsondoc.Node, error) {
	n := &jsondoc.Node{Kind: jsondoc.Array, Offset: int64(p.lines[p.i].at)}
	for p.i < len(p.lines) {
		l := p.lines[p.i]
		if l.indent != indent || !strings.HasPrefix(l.text, "- ") && l.text != "-" {
			break
		}
		var item *jsondoc.Node
		var err error
		rest := strings.TrimLeft(l.text[1:], " ")
		switch {
		case rest == "":
			item, err = p.under(indent, depth, l)
		default: // the item goes on as if it stood on a line of its own
			shift := len(l.text) - len(rest)
			p.lines[p.i] = line{number: l.number, indent: l.indent + shift, text: rest, at: l.at + shift, raw: rest}
			item, err = p.block(l.indent+shift, depth+1)
		}
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, item)
		n.End = item.End
	}
	return n, nil
}

func (p *parser) mapping(indent, depth int) (*jsondoc.Node, error) {
	n := &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(p.lines[p.i].at)}
	seen := map[string]bool{}
	for p.i < len(p.lines) {
		l := p.lines[p.i]
		if l.indent != indent || strings.HasPrefix(l.text, "- ") {
			break
		}
		end, value := cutKey(l.text)
		if end < 0 {
			return nil, p.fault("a member \"name: value\" was expected")
		}
		key, err := p.key(l.text[:end])
		if err != nil {
			return nil, err
		}
		if seen[key] {
			return nil, p.fault("the member %.60q stands twice", key)
		}
		seen[key] = true
		child, err := p.value(l, value, indent, depth)
		if err != nil {
			return nil, err
		}
		n.Names, n.Children = append(n.Names, key), append(n.Children, child)
		n.End = child.End
	}
	return n, nil
}

func (p *parser) key(s string) (string, error) {
	if strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "'") {
		text, _, err := unquote(s)
		if err != nil {
			return "", p.fault("%v", err)
		}
		return text, nil
	}
	if strings.HasPrefix(s, "&") || strings.HasPrefix(s, "*") || strings.HasPrefix(s, "!") || strings.HasPrefix(s, "?") || s == "<<" {
		return "", p.unread("anchors, aliases, tags and complex names are not read")
	}
	return s, nil
}

// value reads what follows "name:".
func (p *parser) value(l line, start, indent, depth int) (*jsondoc.Node, error) {
	rest := strings.TrimLeft(l.text[start:], " \t")
	at := l.at + len(l.text) - len(rest)
	switch {
	case rest == "":
		return p.under(indent, depth, l)
	case rest[0] == '|' || rest[0] == '>':
		return p.literal(l, indent, rest[0] == '>')
	}
	p.i++
	return p.scalar(rest, at, indent)
}

// under reads the container of the lines below; null when there is none. A sequence may
// stand at the indentation of its name.
func (p *parser) under(indent, depth int, l line) (*jsondoc.Node, error) {
	p.i++
	if p.i < len(p.lines) {
		next := p.lines[p.i]
		sequence := strings.HasPrefix(next.text, "- ") || next.text == "-"
		parentIsItem := strings.HasPrefix(l.text, "-") && l.text != "-"
		if next.indent > indent || next.indent == indent && sequence && !parentIsItem && l.text != "-" {
			return p.block(next.indent, depth+1)
		}
	}
	return &jsondoc.Node{Kind: jsondoc.Null, Offset: int64(l.at + len(l.text)), End: int64(l.at + len(l.text))}, nil
}

// literal takes the more indented lines below as one text.
func (p *parser) literal(l line, indent int, folded bool) (*jsondoc.Node, error) {
	var parts []string
	end := l.at + len(l.text)
	k := l.number + 1
	for ; k < len(p.all); k++ {
		if x := p.all[k]; x.raw != "" && x.indent <= indent {
			break
		} else if x.raw != "" {
			end = x.at + len(x.raw)
			parts = append(parts, x.raw)
		} else {
			parts = append(parts, "")
		}
	}
	for p.i < len(p.lines) && p.lines[p.i].number < k {
		p.i++
	}
	glue := "\n"
	if folded {
		glue = " "
	}
	return &jsondoc.Node{Kind: jsondoc.String, Text: strings.Join(parts, glue), Offset: int64(l.at), End: int64(end)}, nil
}

// scalar reads a value that starts on this line; a plain text may go on below.
func (p *parser) scalar(s string, at, indent int) (*jsondoc.Node, error) {
	switch s[0] {
	case '[', '{':
		f := flow{text: s, at: at}
		n, err := f.value(0)
		if err == nil && strings.TrimSpace(f.text[f.i:]) != "" {
			err = fmt.Errorf("something follows the flow collection")
		}
		if err != nil {
			p.i--
			return nil, p.flowFault(err)
		}
		return n, nil
	case '"', '\'':
		return p.quoted(s, at)
	case '&', '*', '!', '%', '@', '`':
		p.i--
		return nil, p.unread("anchors, aliases and tags are not read")
	}
	n := plain(s, at)
	for p.i < len(p.lines) && p.lines[p.i].indent > indent && n.Kind == jsondoc.String {
		if end, _ := cutKey(p.lines[p.i].text); end >= 0 {
			break
		}
		n.Text += " " + p.lines[p.i].text
		n.End = int64(p.lines[p.i].at + len(p.lines[p.i].text))
		p.i++
	}
	return n, nil
}

// plain decides what an unquoted text is.
func plain(s string, at int) *jsondoc.Node {
	n := &jsondoc.Node{Kind: jsondoc.String, Text: s, Offset: int64(at), End: int64(at + len(s))}
	switch s {
	case "null", "~", "Null", "NULL":
		n.Kind, n.Text = jsondoc.Null, ""
		return n
	case "true", "True", "TRUE", "false", "False", "FALSE":
		n.Kind, n.Text = jsondoc.Bool, strings.ToLower(s)
		return n
	case ".inf", ".Inf", "+.inf", "-.inf", ".nan", ".NaN":
		n.Kind = jsondoc.NotFinite
		return n
	}
	if c := s[0]; c == '-' || c == '+' || c >= '0' && c <= '9' {
		if _, err := evidence.ParseDecimal(s); err == nil && !strings.Contains(s, ",") {
			n.Kind = jsondoc.Number
		}
	}
	return n
}

// cutKey finds the end of a name and the start of its value; -1 when the line has none.
func cutKey(s string) (end, value int) {
	i := 0
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		_, n, err := unquote(s)
		if err != nil {
			return -1, 0
		}
		i = n
		if i < len(s) && s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') {
			return i, i + 1
		}
		return -1, 0
	}
	if s != "" && (s[0] == '{' || s[0] == '[') {
		return -1, 0
	}
	for ; i < len(s); i++ {
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\t') {
			return i, i + 1
		}
	}
	return -1, 0
}
