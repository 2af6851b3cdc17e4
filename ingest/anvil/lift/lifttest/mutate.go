package lifttest

import (
	"reflect"
	"strconv"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Mutation is one way to change a member.
type Mutation struct {
	Name string
	// Apply changes member i of parent, or says that it does not apply.
	Apply func(parent *jsondoc.Node, i int) bool
}

// Mutations are renaming, dropping, retyping and rescaling a member.
var Mutations = []Mutation{
	{"rename", func(p *jsondoc.Node, i int) bool {
		if p.Kind != jsondoc.Object {
			return false
		}
		p.Names[i] += "_x"
		return true
	}},
	{"drop", func(p *jsondoc.Node, i int) bool {
		if p.Kind != jsondoc.Object {
			return false
		}
		p.Names = append(p.Names[:i:i], p.Names[i+1:]...)
		p.Children = append(p.Children[:i:i], p.Children[i+1:]...)
		return true
	}},
	{"retype", func(p *jsondoc.Node, i int) bool {
		c := *p.Children[i]
		switch c.Kind {
		case jsondoc.Number:
			c.Kind = jsondoc.String
		case jsondoc.String, jsondoc.Bool:
			c.Kind, c.Text = jsondoc.Number, "12"
		case jsondoc.Object, jsondoc.Array:
			c.Kind, c.Text, c.Names, c.Children = jsondoc.String, "gone", nil, nil
		default:
			return false
		}
		p.Children[i] = &c
		return true
	}},
	{"times-1000", scale(1000, 1)},
	{"by-1000", scale(1, 1000)},
}

func scale(num, den int64) func(*jsondoc.Node, int) bool {
	return func(p *jsondoc.Node, i int) bool {
		c := *p.Children[i]
		f, err := evidence.ScaleDecimal(c.Text, num, den)
		if c.Kind != jsondoc.Number || err != nil || f == 0 {
			return false
		}
		c.Text = strconv.FormatFloat(f, 'f', -1, 64)
		p.Children[i] = &c
		return true
	}
}

// Mutate changes every member of the fixtures in every way and fails when a change goes
// by without a new finding or another fact. exempt says which changes may.
func Mutate(t *testing.T, r Reader, exempt func(m string, p evidence.Pointer, v *jsondoc.Node) bool) {
	for name, v := range Fixtures(t) {
		t.Run(name, func(t *testing.T) {
			before := summarise(r, v)
			each(v, "", func(p evidence.Pointer, path []int) {
				if v.At(p).Kind == jsondoc.Null {
					return
				}
				for _, m := range Mutations {
					changed := clone(v)
					parent := changed
					for _, i := range path[:len(path)-1] {
						parent = parent.Children[i]
					}
					if !m.Apply(parent, path[len(path)-1]) || exempt != nil && exempt(m.Name, p, v.At(p)) {
						continue
					}
					if reflect.DeepEqual(before, summarise(r, changed)) {
						t.Errorf("%s of %s goes by unseen", m.Name, p)
					}
				}
			})
		})
	}
}

// summary is what a change must show in: findings and facts. Values of measurements and
// samples do not count, for a wrong value is not by itself a seen change.
type summary struct {
	Matched  bool
	Shape    string
	Findings map[string]int
	Facts    []string
	Figures  []string
}

func summarise(r Reader, v *jsondoc.Node) summary {
	shape, ok := r.Match(Label(v), v)
	if !ok {
		return summary{}
	}
	d := r.Read(v, "", shape)
	s := summary{Matched: true, Shape: shape, Findings: map[string]int{}}
	for _, f := range d.Findings {
		s.Findings[f.Code+" "+string(f.Pointer)]++
	}
	add := func(scope string, fs []evidence.Fact) {
		for _, f := range fs {
			s.Facts = append(s.Facts, scope+string(f.Key)+"="+f.Value+" "+string(f.State))
		}
	}
	add("", d.Facts)
	for _, g := range d.Gates {
		s.Facts = append(s.Facts, "gate "+g.Name+"="+string(g.Status)+" "+g.Detail+" "+g.Evidence)
	}
	for _, n := range d.Notes {
		s.Facts = append(s.Facts, "note "+n.Key+"="+n.Text)
	}
	for _, n := range d.Decisions {
		s.Facts = append(s.Facts, "decision "+n.Key+"="+n.Value)
	}
	for _, n := range d.References {
		s.Facts = append(s.Facts, "reference "+n.Name)
	}
	for i := range d.Arms {
		add("arm ", d.Arms[i].Facts)
		for j := range d.Arms[i].Runs {
			run := &d.Arms[i].Runs[j]
			add("run ", run.Facts)
			for _, m := range run.Measurements {
				s.Figures = append(s.Figures, string(m.Metric)+" "+string(m.Stat)+" "+string(m.State)+" "+string(m.Place.Pointer))
			}
			for _, x := range run.Samples {
				s.Figures = append(s.Figures, "sample "+strconv.FormatInt(x.Index, 10)+" "+strconv.FormatBool(x.OK)+" "+x.Failure)
			}
		}
	}
	return s
}

func each(v *jsondoc.Node, p evidence.Pointer, visit func(evidence.Pointer, []int)) {
	var walk func(v *jsondoc.Node, p evidence.Pointer, path []int)
	walk = func(v *jsondoc.Node, p evidence.Pointer, path []int) {
		for i, c := range v.Children {
			q, way := p.Index(i), append(path[:len(path):len(path)], i)
			if v.Kind == jsondoc.Object {
				q = p.Key(v.Names[i])
			}
			visit(q, way)
			walk(c, q, way)
		}
	}
	walk(v, p, nil)
}

func clone(v *jsondoc.Node) *jsondoc.Node {
	c := *v
	c.Names = append([]string(nil), v.Names...)
	c.Children = make([]*jsondoc.Node, len(v.Children))
	for i, x := range v.Children {
		c.Children[i] = clone(x)
	}
	return &c
}
