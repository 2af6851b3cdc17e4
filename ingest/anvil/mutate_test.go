package anvil

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func clone(n *jsondoc.Node) *jsondoc.Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Names = append([]string(nil), n.Names...)
	c.Children = nil
	for _, x := range n.Children {
		c.Children = append(c.Children, clone(x))
	}
	return &c
}

// places lists every value of a tree with its parent.
type spot struct {
	p      evidence.Pointer
	parent evidence.Pointer
	index  int
}

func spots(n *jsondoc.Node, p evidence.Pointer) []spot {
	var out []spot
	for i, c := range n.Children {
		q := p.Index(i)
		if n.Kind == jsondoc.Object {
			q = p.Key(n.Names[i])
		}
		out = append(out, spot{q, p, i})
		out = append(out, spots(c, q)...)
	}
	return out
}

// mutations change one value; each returns false where it does not apply.
var mutations = map[string]func(parent *jsondoc.Node, i int) bool{
	"rename": func(parent *jsondoc.Node, i int) bool {
		if parent.Kind != jsondoc.Object {
			return false
		}
		parent.Names[i] += "x"
		return true
	},
	"drop": func(parent *jsondoc.Node, i int) bool {
		parent.Children = append(parent.Children[:i], parent.Children[i+1:]...)
		if parent.Kind == jsondoc.Object {
			parent.Names = append(parent.Names[:i], parent.Names[i+1:]...)
		}
		return true
	},
	"rescale": func(parent *jsondoc.Node, i int) bool {
		n := parent.Children[i]
		if n.Kind != jsondoc.Number {
			return false
		}
		n.Text += "e3"
		return true
	},
	"retype-text": func(parent *jsondoc.Node, i int) bool {
		if parent.Children[i].Kind == jsondoc.Object || parent.Children[i].Kind == jsondoc.Array {
			return false
		}
		n := *parent.Children[i]
		n.Kind, n.Text = jsondoc.String, "n/a 17"
		parent.Children[i] = &n
		return true
	},
	"retype-number": func(parent *jsondoc.Node, i int) bool {
		if parent.Children[i].Kind == jsondoc.Number {
			return false
		}
		parent.Children[i] = &jsondoc.Node{Kind: jsondoc.Number, Text: "4711"}
		return true
	},
	"retype-object": func(parent *jsondoc.Node, i int) bool {
		parent.Children[i] = &jsondoc.Node{Kind: jsondoc.Object, Names: []string{"inside"},
			Children: []*jsondoc.Node{{Kind: jsondoc.Number, Text: "4711"}}}
		return true
	},
	"null": func(parent *jsondoc.Node, i int) bool {
		if parent.Children[i].Kind == jsondoc.Null {
			return false
		}
		parent.Children[i] = &jsondoc.Node{Kind: jsondoc.Null}
		return true
	},
	"nan": func(parent *jsondoc.Node, i int) bool {
		parent.Children[i] = &jsondoc.Node{Kind: jsondoc.NotFinite, Text: "NaN"}
		return true
	},
}

// unseen are members whose loss changes nothing: a list of words that nothing is read
// from.
func unseen(p evidence.Pointer) bool {
	s := string(p)
	return strings.HasPrefix(s, "/measurement/statistics/") || strings.HasPrefix(s, "/measurement/metrics") || s == "/measurement/statistics"
}

// TestMutations changes every value of every fixture in every way. No change goes
// unseen, no number is lost, nothing panics.
func TestMutations(t *testing.T) {
	for _, name := range fixtures {
		origin := parse(t, fixture(t, name))
		base, _ := read(t, origin, "")
		baseText := dump(base)
		for _, s := range spots(origin, "") {
			for kind, mutate := range mutations {
				n := clone(origin)
				if !mutate(n.At(s.parent), s.index) {
					continue
				}
				where := fmt.Sprintf("%s %s %s", name, kind, s.p)
				label := n.Get("schema").Str()
				d, ok := read(t, n, "")
				if !ok {
					if label == origin.Get("schema").Str() && reasonOfRefusal(label, n) == "" {
						t.Errorf("%s: refused without a reason", where)
					}
					continue
				}
				for _, p := range Unaccounted(d, n) {
					t.Errorf("%s: nothing carries the number at %v", where, p)
				}
				checkInvariants(t, d, n)
				if dump(d) == baseText && !unseen(s.p) {
					t.Errorf("%s: changes nothing", where)
				}
			}
		}
	}
}

func reasonOfRefusal(label string, n *jsondoc.Node) string {
	for _, r := range Readers() {
		if why := r.Reason(label, n); why != "" {
			return why
		}
	}
	return ""
}

// TestUnreadMembers adds numbers with names that nobody knows everywhere: each is
// listed as unread, with a finding.
func TestUnreadMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	documents := map[string][]byte{}
	for _, name := range fixtures {
		documents[name] = fixture(t, name)
	}
	for name, data := range documentsOfCorpus(t) {
		documents[name] = data
	}
	for name, data := range documents {
		origin := parse(t, data)
		all := append([]spot{{p: ""}}, spots(origin, "")...)
		for _, s := range all {
			n := clone(origin)
			at := n.At(s.p)
			number := &jsondoc.Node{Kind: jsondoc.Number, Text: fmt.Sprintf("%d.%d", rng.IntN(90000), rng.IntN(1000))}
			var p evidence.Pointer
			switch at.Kind {
			case jsondoc.Object:
				i, added := rng.IntN(len(at.Names)+1), fmt.Sprintf("zq%d", rng.IntN(1000))
				at.Names = append(at.Names[:i], append([]string{added}, at.Names[i:]...)...)
				at.Children = append(at.Children[:i], append([]*jsondoc.Node{number}, at.Children[i:]...)...)
				p = s.p.Key(added)
			case jsondoc.Array:
				at.Children = append(at.Children, number)
				p = s.p.Index(len(at.Children) - 1)
			default:
				continue
			}
			d, ok := read(t, n, "")
			if !ok {
				t.Errorf("%s %s: not read any more", name, p)
				continue
			}
			unread, found := false, false
			for _, x := range d.NotLifted {
				unread = unread || x.Place == evidence.At(p) && x.Reason == evidence.ReasonUnread && x.Text == number.Text
			}
			for _, f := range d.Findings {
				found = found || f.Pointer == p
			}
			if !unread || !found {
				t.Errorf("%s %s: listed as unread %v, finding %v", name, p, unread, found)
			}
			if missing := Unaccounted(d, n); len(missing) > 0 {
				t.Errorf("%s %s: nothing carries %v", name, p, missing)
			}
		}
	}
}

// TestManyNumbers floods documents: the list stays bounded and complete.
func TestManyNumbers(t *testing.T) {
	flat := &jsondoc.Node{Kind: jsondoc.Array}
	deep := &jsondoc.Node{Kind: jsondoc.Array}
	for range 60_000 {
		flat.Children = append(flat.Children, &jsondoc.Node{Kind: jsondoc.Number, Text: "1.5"})
		deep.Children = append(deep.Children, &jsondoc.Node{Kind: jsondoc.Object, Names: []string{"v"}, Children: []*jsondoc.Node{{Kind: jsondoc.Number, Text: "2.5"}}})
	}
	long := &jsondoc.Node{Kind: jsondoc.Object, Names: []string{strings.Repeat("k", 10_000)}, Children: []*jsondoc.Node{{Kind: jsondoc.Number, Text: "3.5"}}}
	for name, extra := range map[string]*jsondoc.Node{"flat": flat, "deep": deep, "long name": long} {
		n := clone(parse(t, fixture(t, "matrix")))
		n.Names, n.Children = append(n.Names, "extra"), append(n.Children, extra)
		d, _ := read(t, n, "")
		if missing := Unaccounted(d, n); len(missing) > 0 {
			t.Errorf("%s: nothing carries %d numbers, the first at %v", name, len(missing), missing[0])
		}
		if len(d.NotLifted) > maxListed+100 || len(d.Findings) > maxFindings+10 {
			t.Errorf("%s: %d entries, %d findings", name, len(d.NotLifted), len(d.Findings))
		}
	}
}
