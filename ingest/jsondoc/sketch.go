package jsondoc

// Bounds of a sketch.
const (
	sketchItems   = 32     // items that are kept of an array
	sketchMembers = 512    // members that are kept of an object
	sketchNodes   = 10_000 // nodes of a sketch, but for the members of the value itself
	sketchText    = 4 << 10
)

// sketch is what a Builder goes on with once a value has outgrown its tree: the first
// children of every container, so that a reader can still tell what the value is.
type sketch struct {
	on    bool
	nodes int
	skip  int // open containers that are left out
}

// thin replaces what is built of the current value by a sketch of it, and lets go of
// the tree.
func (b *Builder) thin() {
	b.sketch = sketch{on: true}
	b.alloc = arena{interned: b.alloc.interned}
	nodes, keys := b.nodes, b.keys
	b.nodes, b.keys, b.shapes = nil, nil, nil
	for i := range b.open {
		c := &b.open[i]
		endNodes, endKeys := len(nodes), len(keys)
		if i+1 < len(b.open) {
			endNodes, endKeys = b.open[i+1].nodes, b.open[i+1].keys
		}
		children, names := nodes[c.nodes:endNodes], keys[c.keys:endKeys]
		c.nodes, c.keys = len(b.nodes), len(b.keys)
		c.node = b.copied(&Node{Kind: c.node.Kind, Offset: c.node.Offset})
		named := len(names) > len(children) // its value is open, or comes next
		for j := 0; j < len(children) && b.room(c, i == 0); j++ {
			b.nodes = append(b.nodes, b.copied(children[j]))
			if c.node.Kind == Object {
				b.keys = append(b.keys, names[j])
			}
		}
		if named {
			b.keys = append(b.keys, names[len(names)-1])
		}
	}
	if b.root != nil {
		b.root = b.copied(b.root)
	}
}

// room reports whether a container of a sketch takes another child.
func (b *Builder) room(c *container, outermost bool) bool {
	most := sketchMembers
	if c.node.Kind == Array {
		most = sketchItems
	}
	return len(b.nodes)-c.nodes < most && (outermost || b.sketch.nodes < sketchNodes)
}

// copied is the start of a finished tree.
func (b *Builder) copied(n *Node) *Node {
	out := b.alloc.node()
	b.sketch.nodes++
	*out = Node{Kind: n.Kind, Offset: n.Offset, End: n.End, Text: b.alloc.text([]byte(n.Text[:min(len(n.Text), sketchText)]))}
	for i := 0; i < len(n.Children) && i < sketchItems && b.sketch.nodes < sketchNodes; i++ {
		out.Children = append(out.Children, b.copied(n.Children[i]))
		if n.Kind == Object {
			out.Names = append(out.Names, n.Names[i])
		}
	}
	return out
}

// draw takes an event into a sketch.
func (b *Builder) draw(e *Event) {
	s := &b.sketch
	switch e.Op {
	case Open, Leaf:
		b.count++
	}
	switch {
	case s.skip > 0 && e.Op == Open:
		s.skip++
	case s.skip > 0 && e.Op == Close:
		s.skip--
	case s.skip > 0:
	case e.Op == Close:
		b.shut(e)
	case e.Op == Name:
		if c := &b.open[len(b.open)-1]; b.room(c, len(b.open) == 1) {
			b.keys = append(b.keys, b.alloc.name(e.Text))
		}
	case !b.wanted() && e.Op == Open:
		s.skip = 1
	case !b.wanted():
	case e.Op == Open:
		b.enter(e)
		s.nodes++
	case e.Op == Leaf:
		b.attach(b.copied(&Node{Kind: e.Kind, Text: string(e.Text[:min(len(e.Text), sketchText)]), Offset: e.Offset, End: e.End}))
	}
}

// wanted reports whether the value that begins has a place in the sketch.
func (b *Builder) wanted() bool {
	if len(b.open) == 0 {
		return true
	}
	c := &b.open[len(b.open)-1]
	if c.node.Kind == Object {
		return len(b.keys)-c.keys > len(b.nodes)-c.nodes
	}
	return b.room(c, len(b.open) == 1)
}

// longArray is the length from which Sample leaves items out.
const longArray = 64

// Sample is n with every stride-th item of its long arrays, and how many nodes that
// is: enough to tell what a reader will make of n. It shares its nodes with n.
func (n *Node) Sample(stride int) (sample *Node, nodes int) {
	step := 1
	if n.Kind == Array && len(n.Children) > longArray {
		step = stride
	}
	var children []*Node
	changed := step > 1
	nodes = 1
	for i := 0; i < len(n.Children); i += step {
		c, under := n.Children[i].Sample(stride)
		nodes += under
		changed = changed || c != n.Children[i]
		children = append(children, c)
	}
	if !changed {
		return n, nodes
	}
	out := *n
	out.Children = children
	return &out, nodes
}
