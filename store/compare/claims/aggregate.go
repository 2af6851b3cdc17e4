package claims

import (
	"fmt"
	"slices"

	"assay/store/evidence"
)

// aggregates answers means, medians and sums of values that the same object lists.
func (s *sheet) aggregates(cells []cell) {
	lists := listsOf(cells)
	for i := range cells {
		c := &cells[i]
		stat, rest, ok := aggregated(c)
		if !ok || s.claimed[evidence.At(c.at)] {
			continue
		}
		for _, l := range lists {
			if l.holder == c.at.Parent() && slices.Equal(l.words, rest) {
				s.aggregate(c, stat, l)
				break
			}
		}
	}
}

// aggregated says which statistic a name asks for, and of what.
func aggregated(c *cell) (stat evidence.Stat, rest []string, ok bool) {
	for i, w := range c.words {
		// Of several the first counts: "median_p95" is a median of percentiles.
		if st, is := statWords[w]; is && w != "p50" {
			rest = append(slices.Clone(c.words[:i]), c.words[i+1:]...)
			return st, without(rest, listWords), true
		}
	}
	return "", nil, false
}

// list are numbers that stand in a row: the items of a list, or one member of each.
type list struct {
	holder evidence.Pointer // the object that has the list
	words  []string
	cells  []*cell
}

func listsOf(cells []cell) []*list {
	byKey := map[string]*list{}
	var out []*list
	for i := range cells {
		c := &cells[i]
		for k := range c.tokens {
			if k == 0 || !isIndex(c.tokens[k]) {
				continue
			}
			key := masked(c.tokens, k, "\x00")
			l := byKey[key]
			if l == nil {
				name := c.tokens[k-1]
				if k+1 < len(c.tokens) {
					name = c.tokens[len(c.tokens)-1]
				}
				l = &list{holder: parentOf(c.at, len(c.tokens)-k+1), words: without(words(name), listWords)}
				byKey[key], out = l, append(out, l)
			}
			l.cells = append(l.cells, c)
		}
	}
	return slices.DeleteFunc(out, func(l *list) bool { return len(l.cells) < 2 })
}

func parentOf(p evidence.Pointer, up int) evidence.Pointer {
	for range up {
		p = p.Parent()
	}
	return p
}

// aggregate holds a number against the values that it was formed from. A sum that does
// not fit is none: "total" has many meanings.
func (s *sheet) aggregate(c *cell, stat evidence.Stat, l *list) {
	var values []rounded
	for _, x := range l.cells {
		values = append(values, x.rounded)
	}
	out := s.claim(Aggregate, nil, evidence.At(c.at))
	out.What = fmt.Sprintf("%s of %d listed values", stat, len(values))
	out.Text, out.Unit, out.Published, out.Tolerance = c.text, c.unit, point(c.value), c.half
	out.Verdict = Fails
	for _, way := range aggregations[stat] {
		got := way.of(exact(values))
		half := 0.0
		for _, v := range values {
			half = max(half, v.half)
		}
		if stat == evidence.Total {
			half *= float64(len(values))
		}
		if !out.Recomputed.Point.OK || c.takes(got) {
			out.Recomputed, out.Formula = point(got), way.text
		}
		switch {
		case c.takes(got):
			out.Verdict = Holds
		case out.Verdict == Fails && c.meets(got-half, got+half):
			out.Verdict, out.Recomputed, out.Formula = HoldsUnrounded, point(got), way.text
			out.Note = "the listed values have too few digits to give the published one"
		}
		if out.Verdict == Holds {
			break
		}
	}
	if out.Verdict == Fails && stat == evidence.Total {
		return
	}
	for _, x := range l.cells[:min(len(l.cells), 16)] {
		out.Inputs = append(out.Inputs, x.figure("input"))
	}
	s.add(out)
}

var aggregations = map[evidence.Stat][]formula{
	evidence.Mean:  {{"mean", func(v []float64) float64 { return sum(v) / float64(len(v)) }}},
	evidence.Total: {{"sum", sum}},
	evidence.Min:   {{"least", slices.Min[[]float64]}},
	evidence.Max:   {{"greatest", slices.Max[[]float64]}},
	evidence.P50: {
		{"median (middle, or mean of the two middle values)", func(v []float64) float64 {
			v = slices.Sorted(slices.Values(v))
			n := len(v)
			return (v[(n-1)/2] + v[n/2]) / 2
		}},
		{"median (nearest rank)", func(v []float64) float64 {
			v = slices.Sorted(slices.Values(v))
			return v[(len(v)-1)/2]
		}},
	},
}

func sum(v []float64) float64 {
	total := 0.0
	for _, x := range v {
		total += x
	}
	return total
}
