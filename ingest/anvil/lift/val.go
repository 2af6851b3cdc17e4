package lift

import (
	"iter"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// maxName is the longest member name that is descended into: every pointer below
// repeats it.
const maxName = 256

// Val is a value with its pointer. The zero Val is a member that is not there.
type Val struct {
	P evidence.Pointer
	N *jsondoc.Node
}

// Get finds an object member.
func (v Val) Get(name string) Val {
	n := v.N.Get(name)
	if n == nil {
		return Val{P: v.P}
	}
	return Val{P: v.P.Key(name), N: n}
}

// Path descends through several members.
func (v Val) Path(names ...string) Val {
	for _, s := range names {
		v = v.Get(s)
	}
	return v
}

// OK reports whether the value is there.
func (v Val) OK() bool { return v.N != nil }

// Is reports whether the value is there and of kind k.
func (v Val) Is(k jsondoc.Kind) bool { return v.N.Is(k) }

// Str is the decoded string, "" for anything else.
func (v Val) Str() string { return v.N.Str() }

// True reports whether the value is the flag true; known is false for anything but a flag.
func (v Val) True() (value, known bool) {
	if !v.Is(jsondoc.Bool) {
		return false, false
	}
	return v.N.Text == "true", true
}

// Items are the items of an array.
func (v Val) Items() iter.Seq2[int, Val] {
	return func(yield func(int, Val) bool) {
		if !v.Is(jsondoc.Array) {
			return
		}
		for i, c := range v.N.Children {
			if !yield(i, Val{P: v.P.Index(i), N: c}) {
				return
			}
		}
	}
}

// Members are the members of an object, those with a name of reasonable length.
func (v Val) Members() iter.Seq2[string, Val] {
	return func(yield func(string, Val) bool) {
		if !v.Is(jsondoc.Object) {
			return
		}
		for i, c := range v.N.Children {
			if name := v.N.Names[i]; len(name) <= maxName && !yield(name, Val{P: v.P.Key(name), N: c}) {
				return
			}
		}
	}
}

// Len is the number of members or items.
func (v Val) Len() int {
	if v.N == nil {
		return 0
	}
	return len(v.N.Children)
}

func (v Val) place() evidence.Place { return evidence.At(v.P) }

func (v Val) offset() int64 {
	if v.N == nil {
		return -1
	}
	return v.N.Offset
}

// kindName is the kind of a value for messages.
func kindName(v Val) string {
	switch {
	case v.N == nil:
		return "nothing"
	case v.N.Kind == jsondoc.Null:
		return "null"
	case v.N.Kind == jsondoc.Bool:
		return "a flag"
	case v.N.Kind == jsondoc.Number:
		return "the number " + clip(v.N.Text)
	case v.N.Kind == jsondoc.NotFinite:
		return v.N.Text
	case v.N.Kind == jsondoc.String:
		return "the text \"" + clip(v.N.Text) + "\""
	case v.N.Kind == jsondoc.Object:
		return "an object"
	}
	return "a list"
}
