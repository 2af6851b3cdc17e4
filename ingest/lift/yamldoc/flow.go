package yamldoc

import (
	"errors"
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
)

// flow reads a collection that stands on one line: {a: 1, b: [x, "y"]}.
type flow struct {
	text string
	at   int
	i    int
}

var errUnread = errors.New("anchors, aliases and tags are not read")

// flowFault places what is wrong with a collection on its line.
func (p *parser) flowFault(err error) error {
	if errors.Is(err, errUnread) {
		return p.unread(err.Error())
	}
	return p.fault("%v", err)
}

func (f *flow) blank() {
	for f.i < len(f.text) && (f.text[f.i] == ' ' || f.text[f.i] == '\t') {
		f.i++
	}
}

func (f *flow) value(depth int) (*jsondoc.Node, error) {
	f.blank()
	if depth > maxDepth || f.i >= len(f.text) {
		return nil, fmt.Errorf("a flow collection that does not end on its line")
	}
	switch f.text[f.i] {
	case '{', '[':
		return f.collection(depth)
	case '"', '\'':
		text, n, err := unquote(f.text[f.i:])
		if err != nil {
			return nil, err
		}
		f.i += n
		return &jsondoc.Node{Kind: jsondoc.String, Text: text, Offset: int64(f.at + f.i - n), End: int64(f.at + f.i)}, nil
	case '&', '*', '!':
		return nil, errUnread
	}
	start := f.i
	for f.i < len(f.text) && !strings.ContainsRune(",]}", rune(f.text[f.i])) {
		if f.text[f.i] == ':' && (f.i+1 == len(f.text) || strings.ContainsRune(" ,]}", rune(f.text[f.i+1]))) {
			break
		}
		f.i++
	}
	s := strings.TrimRight(f.text[start:f.i], " \t")
	if s == "" {
		return &jsondoc.Node{Kind: jsondoc.Null, Offset: int64(f.at + start), End: int64(f.at + start)}, nil
	}
	return plain(s, f.at+start), nil
}

func (f *flow) collection(depth int) (*jsondoc.Node, error) {
	object := f.text[f.i] == '{'
	n := &jsondoc.Node{Kind: jsondoc.Array, Offset: int64(f.at + f.i)}
	closer := byte(']')
	if object {
		n.Kind, closer = jsondoc.Object, '}'
	}
	f.i++
	for {
		f.blank()
		switch {
		case f.i >= len(f.text):
			return nil, fmt.Errorf("a flow collection that does not end on its line")
		case f.text[f.i] == closer:
			f.i++
			n.End = int64(f.at + f.i)
			return n, nil
		case f.text[f.i] == ',':
			f.i++
			continue
		}
		before := f.i
		child, err := f.value(depth + 1)
		if err != nil {
			return nil, err
		}
		f.blank()
		if object {
			name := child.Text
			if f.i >= len(f.text) || f.text[f.i] != ':' || child.Kind == jsondoc.Object || child.Kind == jsondoc.Array {
				return nil, fmt.Errorf("a member \"name: value\" was expected")
			}
			f.i++
			if child, err = f.value(depth + 1); err != nil {
				return nil, err
			}
			n.Names = append(n.Names, name)
		}
		n.Children = append(n.Children, child)
		if f.blank(); f.i == before {
			return nil, fmt.Errorf("a value was expected")
		}
	}
}
