package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/store/evidence"
)

// pair is a base and a subject that a claim may be about.
type pair struct {
	base, subject figure
	shape         []evidence.FactKey // shape facts in which the runs differ
	rest          []evidence.FactKey // identity facts in which they differ
	odd           int                // identity facts that one side alone has
}

// maxTried bounds the pairs of one search, maxShown those that are listed.
const (
	maxTried = 4000
	maxShown = 5
)

// pairsOf sets a run's own figure against the same figure of every other run of the
// document and workload class; where the run has none, every two runs.
func (s *sheet) pairsOf(r *evidence.RunRow, q asked) []pair {
	if subject, ok := s.ownAny(r, q); ok {
		return s.pairsWith(subject)
	}
	var out []pair
	for _, f := range s.primary {
		if f.m.Metric == q.metric && (q.stat == "" || f.m.Stat == q.stat) && f.run.Class == r.Class && len(out) < maxTried {
			out = append(out, s.pairsWith(f)...)
		}
	}
	return out
}

func (s *sheet) ownAny(r *evidence.RunRow, q asked) (figure, bool) {
	if q.stat != "" {
		return s.own(r, q.metric, q.stat)
	}
	for _, f := range s.primary {
		if f.run == r && f.m.Metric == q.metric {
			return f, true
		}
	}
	return figure{}, false
}

// pairsOfRun are the pairs of every figure of a run, for a claim that does not say of
// which figure it is.
func (s *sheet) pairsOfRun(r *evidence.RunRow) []pair {
	var out []pair
	for _, f := range s.primary {
		if f.run == r && len(out) < maxTried {
			out = append(out, s.pairsWith(f)...)
		}
	}
	return out
}

func (s *sheet) pairsWith(subject figure) []pair {
	var out []pair
	for _, f := range s.primary {
		if f.run != subject.run && f.m.Metric == subject.m.Metric && f.m.Stat == subject.m.Stat && f.run.Class == subject.run.Class &&
			f.m.Unit == subject.m.Unit && f.value != 0 && len(out) < maxTried {
			out = append(out, pairOf(f, subject))
		}
	}
	return out
}

// pairOf notes how the runs of two figures differ.
func pairOf(base, subject figure) pair {
	p := pair{base: base, subject: subject}
	for i := range base.run.Facts {
		f := &base.run.Facts[i]
		class := evidence.LookupKey(f.Key).Class
		if class != evidence.Shape && class != evidence.Identity && class != evidence.Hardware {
			continue
		}
		g, ok := subject.run.Fact(f.Key)
		switch {
		case !ok && class != evidence.Shape:
			p.odd++
		case !ok || g.Means() == f.Means():
		case class == evidence.Shape:
			p.shape = append(p.shape, f.Key)
		default:
			p.rest = append(p.rest, f.Key)
		}
	}
	for i := range subject.run.Facts {
		f := &subject.run.Facts[i]
		if class := evidence.LookupKey(f.Key).Class; class == evidence.Identity || class == evidence.Hardware {
			if _, ok := base.run.Fact(f.Key); !ok {
				p.odd++
			}
		}
	}
	return p
}

// apart orders pairs: equal shapes first, then the arms that differ least.
func (p pair) apart(o pair) int {
	return cmp.Or(cmp.Compare(len(p.shape), len(o.shape)), cmp.Compare(len(p.rest)+p.odd, len(o.rest)+o.odd),
		cmp.Compare(p.odd, o.odd))
}

func (p pair) candidate(q asked) Candidate {
	got := q.of([]float64{p.base.value, p.subject.value})
	return Candidate{Base: p.base.as("base"), Subject: p.subject.as("subject"), Recomputed: got, Reproduces: q.pub.takes(got), Differs: p.differs()}
}

// differs says in words how the arms of a pair differ.
func (p pair) differs() string {
	var words []string
	for _, k := range slices.Concat(p.shape, p.rest) {
		a, _ := p.base.run.Fact(k)
		b, _ := p.subject.run.Fact(k)
		words = append(words, fmt.Sprintf("%s %s, not %s", evidence.LookupKey(k).Title, clip(b.Means()), clip(a.Means())))
	}
	for i := range p.subject.run.Facts {
		f := &p.subject.run.Facts[i]
		if _, ok := p.base.run.Fact(f.Key); !ok && evidence.LookupKey(f.Key).Class == evidence.Identity {
			words = append(words, fmt.Sprintf("%s %s", evidence.LookupKey(f.Key).Title, clip(f.Means())))
		}
	}
	return strings.Join(words, "; ")
}

func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// search answers a claim whose base the document does not name.
func (s *sheet) search(c *Claim, q asked, m *evidence.MeasurementRow, pairs []pair) {
	c.Verdict = NoBase
	if !m.Value.OK || len(pairs) == 0 {
		c.Note = "the document does not name the base, and no cell of it fits"
		return
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return a.apart(b) })
	var hits []pair
	for _, p := range pairs {
		if q.pub.takes(q.of([]float64{p.base.value, p.subject.value})) && len(p.shape) == 0 {
			hits = append(hits, p)
		}
	}
	if len(hits) == 0 || len(hits) > 1 && q.metric == "" && hits[0].subject.m.Metric != hits[1].subject.m.Metric {
		s.nearest(c, q, pairs)
		return
	}
	best := hits[0]
	s.against(c, q, m, best.base, best.subject)
	c.Note = join("the document does not name the base; of its cells this one gives the published figure", c.Note)
	if len(hits) > 1 && best.apart(hits[1]) == 0 {
		c.Note = join(c.Note, fmt.Sprintf("so do %d others", len(hits)-1))
	}
	s.others(c, q, pairs, best)
}

// others lists what other bases would give.
func (s *sheet) others(c *Claim, q asked, pairs []pair, best pair) {
	for _, p := range pairs {
		if p.base.m != best.base.m && p.subject.m == best.subject.m && len(c.Candidates) < maxShown {
			c.Candidates = append(c.Candidates, p.candidate(q))
		}
	}
}

// nearest lists the candidates that come closest to the published figure.
func (s *sheet) nearest(c *Claim, q asked, pairs []pair) {
	far := func(p pair) float64 { return math.Abs(q.of([]float64{p.base.value, p.subject.value}) - q.pub.value) }
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool { return !finite(far(p)) })
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(far(a), far(b)) })
	for _, p := range pairs[:min(len(pairs), maxShown)] {
		c.Candidates = append(c.Candidates, p.candidate(q))
	}
	c.Note = "the document does not name the base; the nearest candidates are listed"
}
