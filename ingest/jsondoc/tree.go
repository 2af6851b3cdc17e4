package jsondoc

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// Value is one value of an artifact as a tree.
type Value struct {
	Index int
	// Pointer is where the value stands: "" when the artifact has no other.
	Pointer evidence.Pointer
	// Root is nil when the value broke off or has more nodes or text than the limits
	// allow for a tree.
	Root *Node
	// Sketch stands in for the tree of a whole value that is too large for one: the
	// first children of every container, some thousand nodes in all.
	Sketch *Node
	Nodes  int // how many the value has
	Text   int // bytes of its strings and numbers, counted up to the limit
	Whole  bool
	Offset int64
	End    int64
}

// Builder makes a tree of each value and hands it over as soon as its pointer is
// known: the first value when the second begins or the artifact ends.
type Builder struct {
	lim   Limits
	each  func(Value)
	ready *Value // the first value while it may be the only one

	open  []container
	nodes []*Node  // finished children of all open containers
	keys  []string // names of members of all open objects
	root  *Node
	value Value
	count int // nodes of the current tree
	size  int // bytes of text in it
	alloc arena
	sketch
	shapes map[shape][]string
}

// shape finds the names of an object that another may have too: rows of a table share
// theirs.
type shape struct {
	first string
	n     int
}

// container is an open container of the tree under construction.
type container struct {
	node  *Node
	nodes int // where its children start in Builder.nodes
	keys  int // where its names start in Builder.keys
}

// NewBuilder calls each for every value, in order.
func NewBuilder(lim Limits, each func(Value)) *Builder {
	return &Builder{lim: lim.orDefaults(), each: each}
}

// Handle takes an event of a scan.
func (b *Builder) Handle(e *Event) {
	switch e.Op {
	case Begin:
		b.begin(e)
	case End, Broken:
		b.end(e)
	default:
		if b.sketch.on {
			b.draw(e)
		} else if b.grow(e); b.full() {
			b.thin()
		}
	}
}

// Finish hands over the value that is still held back. Call it when the scan is over.
func (b *Builder) Finish(sum Summary) {
	if v := b.ready; v != nil {
		b.ready = nil
		if sum.Several() {
			v.Pointer = "/0"
		}
		b.each(*v)
	}
}

func (b *Builder) begin(e *Event) {
	if e.Index > 0 {
		b.Finish(Summary{Values: 2})
	}
	b.open, b.nodes, b.keys = b.open[:0], b.nodes[:0], b.keys[:0]
	b.root, b.count, b.size = nil, 0, 0
	b.alloc = arena{interned: b.alloc.interned}
	b.sketch = sketch{}
	b.value = Value{Index: e.Index, Offset: e.Offset}
}

func (b *Builder) end(e *Event) {
	v := b.value
	v.End, v.Whole, v.Nodes, v.Text = e.End, e.Op == End, b.count, b.size
	switch {
	case v.Whole && b.sketch.on:
		v.Sketch = b.root
	case v.Whole:
		v.Root = b.root
	}
	b.root = nil
	if v.Index == 0 {
		b.ready = &v
		return
	}
	v.Pointer = evidence.Pointer("/" + strconv.Itoa(v.Index))
	b.each(v)
}

func (b *Builder) full() bool { return b.count > b.lim.Nodes || b.size > b.lim.Text }

func (b *Builder) grow(e *Event) {
	switch e.Op {
	case Name:
		b.size += len(e.Text)
		b.keys = append(b.keys, b.alloc.name(e.Text))
	case Open:
		b.enter(e)
		b.count++
	case Leaf:
		n := b.alloc.node()
		*n = Node{Kind: e.Kind, Text: b.alloc.text(e.Text), Offset: e.Offset, End: e.End}
		b.size += len(e.Text)
		b.count++
		b.attach(n)
	case Close:
		b.shut(e)
	}
}

func (b *Builder) enter(e *Event) {
	n := b.alloc.node()
	n.Kind, n.Offset = e.Kind, e.Offset
	b.open = append(b.open, container{node: n, nodes: len(b.nodes), keys: len(b.keys)})
}

func (b *Builder) shut(e *Event) {
	c := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	c.node.End = e.End
	if len(b.nodes) > c.nodes {
		c.node.Children = append(make([]*Node, 0, len(b.nodes)-c.nodes), b.nodes[c.nodes:]...)
		b.nodes = b.nodes[:c.nodes]
	}
	if len(b.keys) > c.keys {
		c.node.Names = b.shared(b.keys[c.keys:])
		b.keys = b.keys[:c.keys]
	}
	b.attach(c.node)
}

// shared is a copy of names, or the one that an object before got.
func (b *Builder) shared(names []string) []string {
	k := shape{names[0], len(names)}
	if had := b.shapes[k]; slices.Equal(had, names) {
		return had
	}
	if b.shapes == nil || len(b.shapes) >= maxInterned {
		b.shapes = map[shape][]string{}
	}
	own := append(make([]string, 0, len(names)), names...)
	b.shapes[k] = own
	return own
}

func (b *Builder) attach(n *Node) {
	if len(b.open) == 0 {
		b.root = n
		return
	}
	b.nodes = append(b.nodes, n)
}

// arena allocates the nodes and texts of a tree in blocks: a tree lives and dies as
// one, and has many small parts.
type arena struct {
	nodes    []Node
	block    int
	texts    strings.Builder
	interned map[string]string
}

const (
	maxInterned = 4096 // distinct names and short texts that are shared
	textBlock   = 16 << 10
)

func (a *arena) node() *Node {
	if len(a.nodes) == 0 {
		a.block = min(max(16, 2*a.block), 1024)
		a.nodes = make([]Node, a.block)
	}
	n := &a.nodes[0]
	a.nodes = a.nodes[1:]
	return n
}

// name returns one string for equal names.
func (a *arena) name(b []byte) string {
	if s, ok := a.interned[string(b)]; ok {
		return s
	}
	if len(b) > 128 {
		return a.text(b)
	}
	if a.interned == nil || len(a.interned) >= maxInterned {
		a.interned = make(map[string]string)
	}
	s := string(b)
	a.interned[s] = s
	return s
}

// text copies b into the current block.
func (a *arena) text(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > textBlock/8 {
		return string(b)
	}
	if a.texts.Cap()-a.texts.Len() < len(b) {
		a.texts = strings.Builder{}
		a.texts.Grow(max(len(b), min(textBlock, 16*a.block)))
	}
	start := a.texts.Len()
	a.texts.Write(b)
	return a.texts.String()[start:]
}
