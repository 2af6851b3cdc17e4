package claims

import (
	"cmp"
	"math"
	"slices"

	"assay/store/evidence"
)

// named answers numbers whose member names say that they were formed from others: a
// delta, a speed-up, a mean of listed values. What readers lifted as claims is answered
// already.
func (s *sheet) named() {
	cells := s.cells()
	if len(cells) > maxCells {
		return
	}
	twins := twinsOf(cells)
	for i := range cells {
		c := &cells[i]
		if s.claimed[evidence.At(c.at)] {
			continue
		}
		if k, by, topic, ok := formed(c); ok {
			s.namedChange(c, k, by, topic, twins)
		}
	}
	s.aggregates(cells)
}

// formed reads from a name, or from the name of the object that holds it, how a number
// was formed and of what: "nvfp4_delta_percent/ttft" is a change per cent of ttft.
func formed(c *cell) (k Kind, by formula, topic []string, ok bool) {
	names := c.words
	if !anyIn(names, changeWords) && !anyIn(names, ratioWords) && len(c.tokens) > 1 {
		names = append(words(c.tokens[len(c.tokens)-2]), names...)
	}
	percent := slices.Contains(names, "percent") || slices.Contains(names, "pct")
	topic = without(names, changeWords, ratioWords, unitWords)
	switch {
	case anyIn(names, ruleWords):
		return "", by, nil, false
	case anyIn(names, ratioWords):
		return Ratio, multiple, topic, true
	case !anyIn(names, changeWords):
		return "", by, nil, false
	case percent && anyIn(names, fallWords):
		return Change, decrease, topic, true
	case percent:
		return Change, increase, topic, true
	case slices.Contains(names, "delta"):
		return Difference, difference, topic, true
	}
	return "", by, nil, false
}

// twin are two cells whose pointers differ in one token.
type twin struct {
	a, b *cell
	up   evidence.Pointer // what holds both
}

// maxTwins bounds the pairs of a document.
const maxTwins = 20000

// twinsOf pairs cells that are the same member of two sides: two items of a list, two
// members of an object, two names that differ in one word.
func twinsOf(cells []cell) []twin {
	sides := map[string][]*cell{}
	var order []string
	for i := range cells {
		c := &cells[i]
		if _, _, _, derived := formed(c); derived {
			continue
		}
		for k := range c.tokens {
			key := masked(c.tokens, k, "\x00")
			if sides[key] == nil {
				order = append(order, key)
			}
			sides[key] = append(sides[key], c)
		}
		last := len(c.tokens) - 1
		if last >= 0 && !isIndex(c.tokens[last]) && len(c.words) > 1 {
			for k := range c.words {
				key := masked(c.tokens[:last], -1, "") + "\x01" + masked(c.words, k, "\x00")
				if sides[key] == nil {
					order = append(order, key)
				}
				sides[key] = append(sides[key], c)
			}
		}
	}
	var out []twin
	for _, key := range order {
		list := sides[key]
		for i, a := range list {
			for _, b := range list[i+1:] {
				if len(out) < maxTwins && sameQuantity(a, b) {
					out = append(out, twin{a, b, common(a.at, b.at)})
				}
			}
		}
	}
	return out
}

// masked joins tokens with one of them hidden.
func masked(tokens []string, hide int, mark string) string {
	out := ""
	for i, t := range tokens {
		if i == hide {
			t = mark
		}
		out += "/" + t
	}
	return out
}

// sameQuantity keeps a time from being set against a rate: members of one object differ
// in their words, not in their units and statistics.
func sameQuantity(a, b *cell) bool {
	if a.unit != b.unit && a.unit != "" && b.unit != "" {
		return false
	}
	keep := func(c *cell) []string {
		return slices.DeleteFunc(slices.Clone(c.words), func(w string) bool {
			_, stat := statWords[w]
			return !stat && !unitWords[w] && w != "p95" && w != "p99"
		})
	}
	return slices.Equal(keep(a), keep(b))
}

// synonyms are words for the same quantity.
var synonyms = map[string][]string{
	"throughput": {"tok", "aggregate"}, "aggregate": {"throughput"}, "output": {"tok"}, "prefill": {"effective"}, "effective": {"prefill"},
	"memory": {"mib", "gib", "gb", "bytes"}, "decode": {"generation"}, "latency": {"e2e", "turn"},
}

// spoken counts the topic words that a cell's names have; all says whether none lacks.
func (c *cell) spoken(topic []string) (n int, all bool) {
	have := map[string]bool{}
	for _, t := range c.tokens {
		for _, w := range words(t) {
			have[w] = true
		}
	}
	all = true
	for _, w := range topic {
		hit := have[w] || slices.ContainsFunc(synonyms[w], func(o string) bool { return have[o] })
		if hit {
			n++
		}
		all = all && hit
	}
	return n, all
}

// tried is a twin as a claim's base, with how well it fits.
type tried struct {
	a, b   *cell
	common int // tokens that the subject and the claim share
	score  int // topic words that the subject's names have
	got    float64
	hit    bool
}

// namedChange looks for two cells that a named number was formed from.
func (s *sheet) namedChange(c *cell, k Kind, by formula, topic []string, twins []twin) {
	if by.text == increase.text && c.value < 0 {
		by = increase // a fall with its sign
	}
	list := tryTwins(c, by, topic, twins)
	if len(list) == 0 {
		return // the document has no cells of this quantity: nothing was tried
	}
	out := s.claim(k, nil, evidence.At(c.at))
	out.What, out.Text, out.Published, out.Tolerance, out.Formula = "number formed from others, by its name", c.text, point(c.value), c.half, by.text
	if out.Unit = "ratio"; k == Change {
		out.Unit = "percent"
	} else if k == Difference {
		out.Unit = ""
	}
	best := list[0]
	for _, t := range list[:min(len(list), maxShown+1)] {
		out.Candidates = append(out.Candidates, Candidate{Base: t.a.figure("base"), Subject: t.b.figure("subject"), Recomputed: t.got, Reproduces: t.hit})
	}
	switch {
	case best.hit:
		out.Verdict, out.Candidates = Holds, out.Candidates[1:]
	case c.meets(span(by.of, best.a.rounded, best.b.rounded)) && best.a.half > 0:
		out.Verdict, out.Candidates = HoldsUnrounded, out.Candidates[1:]
		out.Note = "the cells have too few digits to give the published one"
	case oneBase(list):
		out.Verdict, out.Candidates = Fails, nil
	default:
		out.Verdict, out.Note = NoBase, "the nearest candidates are listed"
		s.add(out)
		return
	}
	out.Recomputed = point(best.got)
	out.Inputs = []Figure{best.a.figure("base"), best.b.figure("subject")}
	s.add(out)
}

// oneBase says whether the names leave one pair of cells, in whichever direction.
func oneBase(list []tried) bool {
	best := list[0]
	for _, t := range list[1:] {
		if t.score == best.score && t.common == best.common && !(t.a == best.b && t.b == best.a) {
			return false
		}
	}
	return true
}

// tryTwins recomputes a number from all pairs that its name allows, the best first.
func tryTwins(c *cell, by formula, topic []string, twins []twin) []tried {
	var list []tried
	most := 0
	for _, w := range twins {
		for _, p := range [2][2]*cell{{w.a, w.b}, {w.b, w.a}} {
			n, _ := p[1].spoken(topic)
			m, _ := p[0].spoken(topic)
			if len(topic) > 0 && (n == 0 || m == 0 || p[0].value == 0) || !near(c.at, w.up, len(topic) > 0) {
				continue
			}
			got := by.of([]float64{p[0].value, p[1].value})
			if !finite(got) {
				continue
			}
			list = append(list, tried{a: p[0], b: p[1], common: shared(c.tokens, p[1].tokens), score: n + m, got: got, hit: c.takes(got)})
			most = max(most, n+m)
		}
	}
	list = slices.DeleteFunc(list, func(t tried) bool { return t.score < most-1 })
	slices.SortStableFunc(list, func(x, y tried) int {
		if x.hit != y.hit {
			return map[bool]int{true: -1, false: 1}[x.hit]
		}
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(y.common, x.common),
			cmp.Compare(math.Abs(x.got-c.value), math.Abs(y.got-c.value)))
	})
	return list
}

// near says whether a number lies with the pair: what holds the pair holds it too, or the
// object that it stands in holds the pair; of a number that names its quantity, what lies
// beside that object is near as well.
func near(c, up evidence.Pointer, named bool) bool {
	return c.Under(up) || up.Under(c.Parent()) || named && up.Under(c.Parent().Parent())
}

func shared(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
