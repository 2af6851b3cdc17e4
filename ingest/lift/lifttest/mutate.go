package lifttest

import (
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Mutate renames, drops, retypes and rescales every member that Read lifts, and asks
// that each change shows: another document with a finding or a changed fact, or a value
// that no longer matches. Rescaled measurements may only change their own value when
// nothing else in the file could contradict them; loose counts them.
func Mutate[R Reader](t *testing.T, reader R, v *jsondoc.Node) (rescaled, caught int) {
	t.Helper()
	shape, ok := reader.Match("", v)
	if !ok {
		t.Fatalf("%s does not match its fixture", reader.ID())
	}
	base := reader.Read(v, "", shape)
	before, said := Dump(base), findings(base)
	check := func(what string, p evidence.Pointer, apply func() func()) {
		undo := apply()
		defer undo()
		shape, ok := reader.Match("", v)
		if !ok {
			return
		}
		if Dump(reader.Read(v, "", shape)) == before {
			t.Errorf("%s %s: nothing shows", what, p)
		}
	}
	v.Walk("", func(p evidence.Pointer, n *jsondoc.Node) bool {
		for i := range n.Children {
			if n.Kind != jsondoc.Object {
				continue
			}
			c, q := n.Children[i], p.Key(n.Names[i])
			if c.Kind != jsondoc.Number || together(base, q) {
				continue
			}
			check("rename", q, func() func() {
				old := n.Names[i]
				n.Names[i] = old + "_x"
				return func() { n.Names[i] = old }
			})
			check("drop", q, func() func() { return without(n, i) })
			if !wordy(base, q) {
				check("retype", q, func() func() {
					c.Kind = jsondoc.String
					return func() { c.Kind = jsondoc.Number }
				})
			}
			check("rescale", q, func() func() { return rescale(c) })
			undo := rescale(c)
			if shape, ok := reader.Match("", v); ok && lifts(base, q) {
				rescaled++
				if findings(reader.Read(v, "", shape)) != said {
					caught++
				} else {
					t.Logf("rescaled %s: no finding", q)
				}
			}
			undo()
		}
		return n.Kind != jsondoc.Array || len(n.Children) < 50
	})
	return rescaled, caught
}

func without(n *jsondoc.Node, i int) func() {
	names, children := n.Names, n.Children
	n.Names = append(append([]string{}, names[:i]...), names[i+1:]...)
	n.Children = append(append([]*jsondoc.Node{}, children[:i]...), children[i+1:]...)
	return func() { n.Names, n.Children = names, children }
}

// rescale makes milliseconds of seconds.
func rescale(n *jsondoc.Node) func() {
	old := n.Text
	if f, err := evidence.ScaleDecimal(old, 1000, 1); err == nil {
		n.Text = evidence.FormatDecimal(f)
	}
	if n.Text == old { // zero stays zero
		n.Text = "17"
	}
	return func() { n.Text = old }
}

func findings(d evidence.Document) string {
	var codes []string
	for _, f := range d.Findings {
		if f.Severity != evidence.Info {
			codes = append(codes, f.Code+" "+string(f.Pointer)+" "+f.Message)
		}
	}
	return strings.Join(codes, "\n")
}

// together reports a number that is listed with many others in one line.
func together(d evidence.Document, p evidence.Pointer) bool {
	for _, n := range d.NotLifted {
		if n.Place.Pointer != p && p.Under(n.Place.Pointer) {
			return true
		}
	}
	return false
}

// wordy reports a fact that is the same as a number and as a text, a seed for example.
func wordy(d evidence.Document, p evidence.Pointer) bool {
	found := false
	eachFact(d, func(f evidence.Fact) {
		found = found || f.Place.Pointer == p && evidence.LookupKey(f.Key).Unit == ""
	})
	return found
}

func lifts(d evidence.Document, p evidence.Pointer) bool {
	found := false
	for _, a := range d.Arms {
		for _, r := range a.Runs {
			for _, m := range r.Measurements {
				found = found || m.Place.Pointer == p && m.State == evidence.Recorded
			}
		}
	}
	return found
}
