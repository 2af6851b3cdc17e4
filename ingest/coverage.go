package ingest

import (
	"slices"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// mark is what a document has at one place: what carries a number there, or why none is
// lifted. It hangs in a tree of the pointers' tokens, so that counting builds no pointers.
type mark struct {
	next    map[string]*mark
	outcome evidence.Ending // "" where only something below has one
	sample  *evidence.Sample
}

func (m *mark) at(p evidence.Pointer) *mark {
	for rest := string(p); rest != ""; {
		rest = rest[1:]
		tok := rest
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			tok, rest = rest[:i], rest[i:]
		} else {
			rest = ""
		}
		if strings.Contains(tok, "~") {
			tok = evidence.Pointer("/" + tok).Tokens()[0]
		}
		if m.next == nil {
			m.next = map[string]*mark{}
		}
		if m.next[tok] == nil {
			m.next[tok] = &mark{}
		}
		m = m.next[tok]
	}
	return m
}

// marking lays the places of a document out.
type marking struct {
	root evidence.Pointer
	top  mark
}

func marksOf(d *evidence.Document) *marking {
	m := &marking{root: d.Root}
	m.facts(d.Facts)
	for i := range d.Arms {
		m.facts(d.Arms[i].Facts)
		for j := range d.Arms[i].Runs {
			m.run(&d.Arms[i].Runs[j])
		}
	}
	for i := range d.Gates {
		m.put(d.Gates[i].Place, evidence.AsGate)
	}
	for i := range d.Decisions {
		m.put(d.Decisions[i].Place, evidence.AsDecision)
	}
	for i := range d.Notes {
		m.put(d.Notes[i].Place, evidence.AsNote)
	}
	for i := range d.References {
		m.put(d.References[i].Place, evidence.AsReference)
	}
	m.put(d.Campaign.Place, evidence.AsFact)
	for i := range d.NotLifted {
		m.put(d.NotLifted[i].Place, evidence.Ending(d.NotLifted[i].Reason))
	}
	return m
}

// put marks a place unless something that ranks higher stands there already. The root
// holds everything and says nothing of any number.
func (m *marking) put(p evidence.Place, o evidence.Ending) {
	if p.Pointer == m.root || !p.Pointer.Under(m.root) {
		return
	}
	at := m.top.at(p.Pointer[len(m.root):])
	if at.outcome == "" {
		at.outcome = o
	}
}

func (m *marking) facts(fs []evidence.Fact) {
	for i := range fs {
		m.put(fs[i].Place, evidence.AsFact)
	}
}

func (m *marking) run(r *evidence.Run) {
	for i := range r.Measurements {
		x := &r.Measurements[i]
		for _, p := range append(x.Also[:len(x.Also):len(x.Also)], x.Place) {
			if p.Pointer.Under(m.root) && p.Pointer != m.root {
				m.top.at(p.Pointer[len(m.root):]).outcome = evidence.AsMeasurement
			}
		}
	}
	m.facts(r.Facts)
	for i := range r.Samples {
		if p := r.Samples[i].Place.Pointer; p.Under(m.root) {
			m.top.at(p[len(m.root):]).sample = &r.Samples[i]
		}
	}
}

// counting counts numbers by what became of them.
type counting map[evidence.Ending]int64

// within is what holds for everything below a place.
type within struct {
	outcome evidence.Ending
	sample  *evidence.Sample
}

// into is what holds below a mark.
func (w within) into(m *mark) within {
	switch {
	case m == nil:
	case m.sample != nil:
		w = within{evidence.AsSample, m.sample}
	case m.outcome != "":
		w.outcome = m.outcome
	}
	return w
}

func (c counting) count(v *jsondoc.Node, m *mark, above within) {
	switch v.Kind {
	case jsondoc.Number, jsondoc.NotFinite:
		c[ending(v, m, above)]++
		return
	case jsondoc.Object, jsondoc.Array:
	default:
		return
	}
	here := above.into(m)
	for i, child := range v.Children {
		var next *mark
		if m != nil && m.next != nil {
			if v.Kind == jsondoc.Object {
				next = m.next[v.Names[i]]
			} else {
				next = m.next[index(i)]
			}
		}
		c.count(child, next, here)
	}
}

// ending is what became of one number: what stands at its own place counts before the
// sample that holds it, and that before what was said of everything around it.
func ending(v *jsondoc.Node, m *mark, above within) evidence.Ending {
	switch {
	case m != nil && m.outcome != "":
		return m.outcome
	case above.sample != nil && above.outcome != evidence.AsSample && sampled(above.sample, v):
		return evidence.AsSample
	case above.outcome != "":
		return above.outcome
	}
	return evidence.Unaccounted
}

// sampled reports whether a sample carries a number, as it stands or as milliseconds.
func sampled(s *evidence.Sample, v *jsondoc.Node) bool {
	plain, err1 := evidence.ParseDecimal(v.Text)
	milli, err2 := evidence.ScaleDecimal(v.Text, 1, 1000)
	if err1 != nil || err2 != nil {
		return false
	}
	for _, t := range [...]evidence.Opt[float64]{s.Start, s.TTFT, s.TTFO, s.Generation, s.E2E} {
		if t.OK && (t.V == plain || t.V == milli) {
			return true
		}
	}
	for _, n := range [...]evidence.Opt[int64]{s.PromptTokens, s.OutputTokens, s.CachedTk} {
		if n.OK && float64(n.V) == plain {
			return true
		}
	}
	return float64(s.Index) == plain
}

// covered are the counts in the order of their names.
func (c counting) covered() []evidence.Covered {
	out := make([]evidence.Covered, 0, len(c))
	for o, n := range c {
		out = append(out, evidence.Covered{Ending: o, Numbers: n})
	}
	slices.SortFunc(out, func(a, b evidence.Covered) int { return strings.Compare(string(a.Ending), string(b.Ending)) })
	return out
}

// cover counts what became of the numbers of a value.
func cover(d *evidence.Document, v *jsondoc.Node) []evidence.Covered {
	c := counting{}
	m := marksOf(d)
	c.count(v, &m.top, within{})
	return c.covered()
}

// coverText counts the numbers of a text: those that rows carry, those that are listed,
// and the rest. Several rows at one place carry one number.
func coverText(d *evidence.Document, text []byte) []evidence.Covered {
	c := counting{evidence.InProse: 0}
	places := map[evidence.Place]evidence.Ending{}
	put := func(p evidence.Place, text string, o evidence.Ending) {
		if _, taken := places[p]; !taken && strings.ContainsAny(text, "0123456789") {
			places[p] = o
		}
	}
	facts := func(fs []evidence.Fact) {
		for i := range fs {
			put(fs[i].Place, fs[i].SourceText, evidence.AsFact)
		}
	}
	for i := range d.Arms {
		for j := range d.Arms[i].Runs {
			r := &d.Arms[i].Runs[j]
			for k := range r.Measurements {
				put(r.Measurements[k].Place, r.Measurements[k].SourceText, evidence.AsMeasurement)
			}
			facts(r.Facts)
			for k := range r.Samples {
				put(r.Samples[k].Place, "0", evidence.AsSample)
			}
		}
		facts(d.Arms[i].Facts)
	}
	facts(d.Facts)
	for i := range d.NotLifted {
		put(d.NotLifted[i].Place, d.NotLifted[i].Text, evidence.Ending(d.NotLifted[i].Reason))
	}
	for _, o := range places {
		c[o]++
	}
	c[evidence.InProse] = max(0, numerals(text)-int64(len(places)))
	return c.covered()
}

// numerals counts the numbers of a text: digits with what belongs to a number between
// them.
func numerals(text []byte) (n int64) {
	in := false
	for i, b := range text {
		switch {
		case b >= '0' && b <= '9':
			if !in {
				n++
			}
			in = true
		case in && (b == '.' || b == ',') && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
		default:
			in = false
		}
	}
	return n
}
