package claims

import (
	"fmt"
	"math"
	"strings"

	"assay/store/evidence"
)

// changes answers the changes and ratios that readers lifted as claims.
func (s *sheet) changes() {
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		for j := range r.Measurements {
			if m := &r.Measurements[j]; m.Role == evidence.Claim {
				s.change(r, m)
			}
		}
	}
}

// asked is what a claim's rule says of it.
type asked struct {
	kind   Kind
	metric evidence.MetricID
	stat   evidence.Stat
	formula
	unit string
	pub  rounded
}

// relations are the words that rules begin with, before the parenthesis.
var relations = map[string]Kind{"change": Change, "delta": Change, "ratio": Ratio, "speedup": Ratio, "multiple": Ratio, "difference": Difference,
	"reduction": Change}

// ask reads a claim's rule: "change(ttft p50)", "prose/change(ttft p50)", "ratio(...)".
func ask(m *evidence.MeasurementRow) asked {
	a := asked{kind: Change, unit: m.SourceUnit}
	head, rest, _ := strings.Cut(m.Rule, "(")
	head = head[strings.LastIndexByte(head, '/')+1:]
	if k, ok := relations[head]; ok {
		a.kind = k
	}
	words := strings.Fields(strings.TrimSuffix(rest, ")"))
	if len(words) > 0 {
		a.metric = evidence.MetricID(words[0])
	}
	if len(words) > 1 {
		a.stat = evidence.Stat(words[1])
	}
	d := digits(m.SourceText)
	v, err := evidence.ParseDecimal(d)
	if err != nil {
		v, a.unit = m.Value.V*100, "percent"
	}
	a.pub = rounded{v, halfOf(d)}
	falls := head == "reduction" || m.Value.OK && m.Value.V < 0 && v > 0
	switch percent := a.unit == "percent"; {
	case a.kind == Ratio:
		a.formula = multiple
	case a.kind == Difference:
		a.formula = difference
	case falls && percent:
		a.formula = decrease
	case falls:
		a.formula = decrease1
	case percent:
		a.formula = increase
	default:
		a.formula = increase1
	}
	return a
}

// change answers one claim.
func (s *sheet) change(r *evidence.RunRow, m *evidence.MeasurementRow) {
	q := ask(m)
	c := s.claim(q.kind, r, m.Place)
	c.Metric, c.Stat, c.Text, c.Unit, c.Formula, c.Tolerance = q.metric, q.stat, m.SourceText, q.unit, q.text, q.pub.half
	c.What = strings.TrimSpace(fmt.Sprintf("%s of %s %s", q.kind, title(q.metric), q.stat))
	if c.Published = point(q.pub.value); !m.Value.OK {
		c.Published = Value{Lower: bound(m.Lower, q), Upper: bound(m.Upper, q)}
	}
	base, subject, named := s.inputsOf(m, q)
	switch {
	case named:
		s.against(&c, q, m, base, subject)
	case q.metric == "":
		s.search(&c, q, m, s.pairsOfRun(r))
	default:
		s.search(&c, q, m, s.pairsOf(r, q))
	}
	s.add(c)
}

// bound is an end of an interval in the unit of the claim.
func bound(v evidence.Opt[float64], q asked) evidence.Opt[float64] {
	if v.OK {
		v.V /= factor(q.unit)
	}
	return v
}

func title(m evidence.MetricID) string {
	if info, ok := evidence.LookupMetric(m); ok {
		return info.Title
	}
	if m == "" {
		return "a figure that the text does not name"
	}
	return string(m)
}

// inputsOf are the two figures that the reader says a claim was formed from.
func (s *sheet) inputsOf(m *evidence.MeasurementRow, q asked) (base, subject figure, ok bool) {
	if len(m.Also) != 2 {
		return base, subject, false
	}
	base, ok1 := s.standing(m.Also[0], q.metric, q.stat)
	subject, ok2 := s.standing(m.Also[1], q.metric, q.stat)
	return base, subject, ok1 && ok2 && base.m.Unit == subject.m.Unit
}

// against answers a claim whose base is named.
func (s *sheet) against(c *Claim, q asked, m *evidence.MeasurementRow, base, subject figure) {
	got := s.settle(c, q, m, base, subject)
	c.Recomputed = point(got)
	c.Inputs = []Figure{base.as("base"), subject.as("subject")}
	s.fromText(c, q, m, base, subject)
	if c.Verdict != Fails {
		return
	}
	for _, p := range s.pairsOf(subject.run, asked{metric: subject.m.Metric, stat: subject.m.Stat}) {
		if v, _ := verdict(q.pub, q.formula, p.base.rounded, p.subject.rounded); v == Holds && p.base.m.Place != base.m.Place {
			c.Candidates = append(c.Candidates, p.candidate(q))
		}
	}
	if len(c.Candidates) > 0 {
		c.Note = join(c.Note, "another cell of the document would give the published figure")
	}
}

// settle is the verdict on one pair of figures, with what the pair gives.
func (s *sheet) settle(c *Claim, q asked, m *evidence.MeasurementRow, base, subject figure) float64 {
	if m.Value.OK {
		v, got := verdict(q.pub, q.formula, base.rounded, subject.rounded)
		c.Verdict = v
		if v == HoldsUnrounded {
			lo, hi := span(q.of, base.rounded, subject.rounded)
			c.Note = join(c.Note, fmt.Sprintf("the cells have so few digits that they give anything from %s to %s", short(lo), short(hi)))
		}
		return got
	}
	got := q.of([]float64{base.value, subject.value})
	c.Verdict = Holds
	if low := c.Published.Lower; low.OK && got < low.V || c.Published.Upper.OK && got > c.Published.Upper.V {
		c.Verdict = Fails
	}
	return got
}

// fromText says what the rounded figures of the claim's own sentence would give: a claim
// that they miss and the cells reach was formed from unrounded figures.
func (s *sheet) fromText(c *Claim, q asked, m *evidence.MeasurementRow, base, subject figure) {
	a, ok1 := s.told(m.Place.Pointer, base)
	b, ok2 := s.told(m.Place.Pointer, subject)
	if !ok1 || !ok2 || !m.Value.OK || m.Place.Whole() {
		return
	}
	got := q.of([]float64{a.value, b.value})
	switch hit := q.pub.takes(got); {
	case c.Verdict == Holds && !hit:
		c.Verdict = HoldsUnrounded
		c.Note = join(c.Note, fmt.Sprintf("from the rounded figures of the text, %s and %s, it would be %s", a.m.SourceText, b.m.SourceText, short(got)))
	case c.Verdict != Holds && hit:
		c.Note = join(c.Note, fmt.Sprintf("the rounded figures of the text, %s and %s, would give it", a.m.SourceText, b.m.SourceText))
	}
}

// told is a figure as the sentence at a pointer repeats it.
func (s *sheet) told(p evidence.Pointer, f figure) (figure, bool) {
	for _, x := range s.under[p] {
		if x.run == f.run && x.m.Metric == f.m.Metric && x.m.Stat == f.m.Stat && x.m.Role == evidence.Restated {
			return x, true
		}
	}
	return figure{}, false
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// short writes a number for a sentence.
func short(v float64) string {
	if !finite(v) {
		return "no number"
	}
	return evidence.FormatDecimal(math.Round(v*1e4) / 1e4)
}
