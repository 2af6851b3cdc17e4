package jsondoc

import (
	"strconv"

	"assay/store/evidence"
)

// Kind of a JSON value.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	NotFinite // bare NaN, Infinity or -Infinity: not JSON, but found in real files
	String
	Object
	Array
)

// Node is a JSON value with its place in the artifact.
type Node struct {
	Kind Kind
	// Text is the number as it stands, the decoded string, "true" or "false", or the
	// not-finite word. Empty for null and containers.
	Text string
	// Offset and End are the byte range of the value in the artifact.
	Offset, End int64
	// Names are the member names of an object, in order, parallel to Children. Objects
	// with the same names share the list.
	Names []string
	// Children are the members of an object or the items of an array.
	Children []*Node
}

// Get finds an object member; nil when n is not an object or has no such member.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i, s := range n.Names {
		if s == name {
			return n.Children[i]
		}
	}
	return nil
}

// Item finds an array item; nil when there is none.
func (n *Node) Item(i int) *Node {
	if n == nil || n.Kind != Array || i < 0 || i >= len(n.Children) {
		return nil
	}
	return n.Children[i]
}

// At follows a pointer from n; nil when it leads nowhere.
func (n *Node) At(p evidence.Pointer) *Node {
	for _, tok := range p.Tokens() {
		switch {
		case n == nil:
			return nil
		case n.Kind == Array:
			i, err := strconv.Atoi(tok)
			if err != nil || tok != strconv.Itoa(i) {
				return nil
			}
			n = n.Item(i)
		default:
			n = n.Get(tok)
		}
	}
	return n
}

// Str is the decoded string of a string node, "" for anything else.
func (n *Node) Str() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// Is reports whether n is there and of kind k.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Walk visits n and everything under it in document order; visit returns false to
// skip what is under a container.
func (n *Node) Walk(p evidence.Pointer, visit func(evidence.Pointer, *Node) bool) {
	if n == nil || !visit(p, n) {
		return
	}
	for i, c := range n.Children {
		q := p.Index(i)
		if n.Kind == Object {
			q = p.Key(n.Names[i])
		}
		c.Walk(q, visit)
	}
}
