package lift

import (
	"slices"
	"strconv"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Obj is a value with its pointer. The zero node stands for a member that is missing;
// every method takes it.
type Obj struct {
	b    *Builder
	Node *jsondoc.Node
	P    evidence.Pointer
}

// Top is the value that the document is read from.
func (b *Builder) Top() Obj { return Obj{b, b.top, b.root} }

// Place is where the value stands.
func (o Obj) Place() evidence.Place {
	return o.b.at(o.P, o.Node)
}

// wide is the number of members from which an object is searched by an index.
const wide = 48

// Get is a member, missing when there is none.
func (o Obj) Get(name string) Obj {
	if !o.IsObject() || len(o.Node.Names) < wide {
		return Obj{o.b, o.Node.Get(name), o.P.Key(name)}
	}
	return Obj{o.b, o.b.indexOf(o.Node)[name], o.P.Key(name)}
}

// indexOf finds the members of a wide object, the first of each name.
func (b *Builder) indexOf(n *jsondoc.Node) map[string]*jsondoc.Node {
	index := b.index[n]
	if index == nil {
		index = make(map[string]*jsondoc.Node, len(n.Names))
		for i, name := range n.Names {
			if index[name] == nil {
				index[name] = n.Children[i]
			}
		}
		b.index[n] = index
	}
	return index
}

// first reports whether member i is the first of its name: a pointer leads to that one.
func (o Obj) first(i int) bool {
	name := o.Node.Names[i]
	if len(o.Node.Names) >= wide {
		return o.b.indexOf(o.Node)[name] == o.Node.Children[i]
	}
	return slices.Index(o.Node.Names, name) == i
}

// Path follows members.
func (o Obj) Path(names ...string) Obj {
	for _, n := range names {
		o = o.Get(n)
	}
	return o
}

// Item is an item of an array.
func (o Obj) Item(i int) Obj { return Obj{o.b, o.Node.Item(i), o.P.Index(i)} }

// First is the first of the named members that is there and not null.
func (o Obj) First(names ...string) Obj {
	for _, n := range names {
		if m := o.Get(n); m.There() {
			return m
		}
	}
	return Obj{o.b, nil, o.P.Key(names[0])}
}

// There reports whether a value stands here and is not null.
func (o Obj) There() bool { return o.Node != nil && o.Node.Kind != jsondoc.Null }

// IsObject and IsArray ask for containers.
func (o Obj) IsObject() bool { return o.Node.Is(jsondoc.Object) }

// IsArray reports whether the value is a list.
func (o Obj) IsArray() bool { return o.Node.Is(jsondoc.Array) }

// Str is the text of a string, "" for anything else.
func (o Obj) Str() string { return o.Node.Str() }

// True reports whether the value is the flag true.
func (o Obj) True() bool { return o.Node.Is(jsondoc.Bool) && o.Node.Text == "true" }

// Float is a finite number.
func (o Obj) Float() (float64, bool) {
	if !o.Node.Is(jsondoc.Number) {
		return 0, false
	}
	f, err := evidence.ParseDecimal(o.Node.Text)
	return f, err == nil
}

// Number is Float as an optional value.
func (o Obj) Number() evidence.Opt[float64] {
	f, ok := o.Float()
	return evidence.Opt[float64]{V: f, OK: ok}
}

// Count is a whole number that is not negative.
func (o Obj) Count() evidence.Opt[int64] {
	f, ok := o.Float()
	if !ok || f < 0 || f > 1<<53 || f != float64(int64(f)) {
		return evidence.None[int64]()
	}
	return evidence.Some(int64(f))
}

// Members calls visit for every member of an object in order, once for each name.
func (o Obj) Members(visit func(name string, m Obj)) {
	if !o.IsObject() {
		return
	}
	for i, name := range o.Node.Names {
		if o.first(i) {
			visit(name, Obj{o.b, o.Node.Children[i], o.P.Key(name)})
		}
	}
}

// every calls visit for every member, those that repeat a name too.
func (o Obj) every(visit func(m Obj)) {
	for i, name := range o.Node.Names {
		visit(Obj{o.b, o.Node.Children[i], o.P.Key(name)})
	}
}

// Items calls visit for every item of an array in order.
func (o Obj) Items(visit func(i int, m Obj)) {
	if !o.IsArray() {
		return
	}
	for i, c := range o.Node.Children {
		visit(i, Obj{o.b, c, o.P.Index(i)})
	}
}

// Len is the number of items or members.
func (o Obj) Len() int {
	if o.Node == nil {
		return 0
	}
	return len(o.Node.Children)
}

// Show is the value for a message.
func (o Obj) Show() string {
	switch {
	case o.Node == nil:
		return "nothing"
	case o.Node.Kind == jsondoc.Null:
		return "null"
	case o.Node.Kind == jsondoc.String:
		return strconv.Quote(Clip(o.Node.Text))
	case o.Node.Kind == jsondoc.Object:
		return "an object"
	case o.Node.Kind == jsondoc.Array:
		return "a list"
	}
	return Clip(o.Node.Text)
}

// Has reports whether v is an object with every one of the members.
func Has(v *jsondoc.Node, names ...string) bool {
	for _, n := range names {
		if v.Get(n) == nil {
			return false
		}
	}
	return v.Is(jsondoc.Object)
}

// HasNone reports whether v has none of the members.
func HasNone(v *jsondoc.Node, names ...string) bool {
	for _, n := range names {
		if v.Get(n) != nil {
			return false
		}
	}
	return true
}

// Numeric reports whether a member is a number, or a word such as NaN where one should be.
func Numeric(n *jsondoc.Node) bool { return n.Is(jsondoc.Number) || n.Is(jsondoc.NotFinite) }
