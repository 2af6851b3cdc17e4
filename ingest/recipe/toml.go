package recipe

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"assay/ingest/jsondoc"
)

// Bounds of a text that is parsed; real recipes have a few kilobytes.
const (
	maxText  = 4 << 20
	maxNodes = 50_000
	maxDepth = 32
)

var errBounds = errors.New("larger or deeper than a recipe is read")

// parse makes nodes of a TOML text. Tables are objects, arrays of tables are arrays.
func parse(data []byte) (*jsondoc.Node, error) {
	if len(data) > maxText {
		return nil, errBounds
	}
	if err := sound(data); err != nil {
		return nil, err
	}
	b := builder{top: &jsondoc.Node{Kind: jsondoc.Object, End: int64(len(data))}}
	b.table = b.top
	b.parser.Reset(data)
	for b.parser.NextExpression() {
		if err := b.expression(b.parser.Expression()); err != nil {
			return nil, err
		}
	}
	return b.top, b.parser.Error()
}

// sound lets the library judge the text as a whole: duplicate keys, redefined tables.
func sound(data []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the TOML cannot be read: %v", v)
		}
	}()
	var whole map[string]any
	return toml.Unmarshal(data, &whole)
}

// builder puts expressions where they belong.
type builder struct {
	parser     unstable.Parser
	top, table *jsondoc.Node
	nodes      int
}

func (b *builder) expression(e *unstable.Node) error {
	switch e.Kind {
	case unstable.Table, unstable.ArrayTable:
		parent, last, at, err := b.descend(b.top, e.Key())
		if err != nil {
			return err
		}
		b.table, err = b.open(parent, last, at, e.Kind == unstable.ArrayTable)
		return err
	case unstable.KeyValue:
		return b.keyValue(b.table, e, 0)
	}
	return nil
}

// descend walks a dotted key to the table that holds its last part.
func (b *builder) descend(from *jsondoc.Node, key unstable.Iterator) (parent *jsondoc.Node, last string, at int64, err error) {
	parent = from
	for depth := 0; key.Next(); depth++ {
		if depth >= maxDepth {
			return nil, "", 0, errBounds
		}
		k := key.Node()
		if depth > 0 {
			if parent, err = b.open(parent, last, at, false); err != nil {
				return nil, "", 0, err
			}
		}
		last, at = string(k.Data), int64(k.Raw.Offset)
	}
	return parent, last, at, nil
}

// open finds or makes the table of a name; of an array of tables it is the last one.
func (b *builder) open(parent *jsondoc.Node, name string, at int64, item bool) (*jsondoc.Node, error) {
	if parent.Kind != jsondoc.Object {
		return nil, fmt.Errorf("%q is no table", name)
	}
	have := parent.Get(name)
	if item {
		if have == nil {
			have = b.add(parent, name, &jsondoc.Node{Kind: jsondoc.Array, Offset: at, End: at})
		}
		if have == nil || have.Kind != jsondoc.Array {
			return nil, errBounds
		}
		t := &jsondoc.Node{Kind: jsondoc.Object, Offset: at, End: at}
		have.Children = append(have.Children, t)
		return t, b.count()
	}
	switch {
	case have == nil:
		have = b.add(parent, name, &jsondoc.Node{Kind: jsondoc.Object, Offset: at, End: at})
	case have.Kind == jsondoc.Array && len(have.Children) > 0:
		have = have.Children[len(have.Children)-1]
	}
	return have, b.count()
}

func (b *builder) add(parent *jsondoc.Node, name string, n *jsondoc.Node) *jsondoc.Node {
	parent.Names, parent.Children = append(parent.Names, name), append(parent.Children, n)
	return n
}

func (b *builder) count() error {
	if b.nodes++; b.nodes > maxNodes {
		return errBounds
	}
	return nil
}

func (b *builder) keyValue(table *jsondoc.Node, e *unstable.Node, depth int) error {
	parent, last, at, err := b.descend(table, e.Key())
	if err != nil {
		return err
	}
	if parent.Kind != jsondoc.Object {
		return fmt.Errorf("%q is no table", last)
	}
	v, err := b.value(e.Value(), at, depth)
	if err != nil {
		return err
	}
	b.add(parent, last, v)
	return nil
}

func (b *builder) value(v *unstable.Node, at int64, depth int) (*jsondoc.Node, error) {
	if depth > maxDepth {
		return nil, errBounds
	}
	if err := b.count(); err != nil {
		return nil, err
	}
	n := &jsondoc.Node{Offset: at, End: at}
	switch v.Kind {
	case unstable.Array, unstable.InlineTable:
		n.Kind = jsondoc.Array
		if v.Kind == unstable.InlineTable {
			n.Kind = jsondoc.Object
		}
		for c := v.Children(); c.Next(); {
			if c.Node().Kind == unstable.KeyValue {
				if err := b.keyValue(n, c.Node(), depth+1); err != nil {
					return nil, err
				}
				continue
			}
			item, err := b.value(c.Node(), at, depth+1)
			if err != nil {
				return nil, err
			}
			n.Children = append(n.Children, item)
		}
		return n, nil
	}
	b.scalar(n, v)
	return n, nil
}

// scalar takes a leaf. The range of a string is what stands between its quotes.
func (b *builder) scalar(n *jsondoc.Node, v *unstable.Node) {
	raw := b.parser.Raw(v.Raw)
	n.Text = string(v.Data)
	if len(raw) > 0 {
		n.Offset, n.End = int64(v.Raw.Offset), int64(v.Raw.Offset)+int64(len(raw))
	} else if at, ok := b.within(v.Data); ok { // the parser gives no range to bare values
		n.Offset, n.End, raw = at, at+int64(len(v.Data)), v.Data
	}
	switch v.Kind {
	case unstable.String:
		n.Kind = jsondoc.String
		for _, q := range []string{`"""`, `'''`, `"`, `'`} {
			if len(raw) >= 2*len(q) && bytes.HasPrefix(raw, []byte(q)) {
				n.Offset, n.End = n.Offset+int64(len(q)), n.End-int64(len(q))
				return
			}
		}
	case unstable.Bool:
		n.Kind = jsondoc.Bool
	case unstable.Integer:
		n.Kind = jsondoc.Number
		if i, err := strconv.ParseInt(n.Text, 0, 64); err == nil {
			n.Text = strconv.FormatInt(i, 10)
		}
	case unstable.Float:
		n.Kind = jsondoc.Number
		n.Text = strings.TrimPrefix(strings.ReplaceAll(n.Text, "_", ""), "+")
		if strings.Contains(n.Text, "inf") || strings.Contains(n.Text, "nan") {
			n.Kind = jsondoc.NotFinite
		}
	default:
		n.Kind = jsondoc.String // a date or time, in the source's words
	}
}

// within finds the offset of bytes that lie in the text.
func (b *builder) within(part []byte) (int64, bool) {
	data := b.parser.Data()
	if len(part) == 0 || cap(part) > cap(data) {
		return 0, false
	}
	at := cap(data) - cap(part)
	if at < 0 || at+len(part) > len(data) || !bytes.Equal(data[at:at+len(part)], part) || &data[at] != &part[0] {
		return 0, false
	}
	return int64(at), true
}
