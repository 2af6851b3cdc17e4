package claims

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

// repetitions holds figures that a document gives again, in a sentence or with fewer
// digits, against the figure that they repeat.
func (s *sheet) repetitions() {
	seen := map[evidence.Place]int{}
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		for j := range r.Measurements {
			m := &r.Measurements[j]
			if m.Role != evidence.Restated {
				continue
			}
			base := original(r, m)
			if base == nil || m.Place.Whole() && base.SourceText == m.SourceText {
				continue
			}
			c := s.repetition(r, m, base)
			if n, ok := seen[m.Place]; ok {
				merge(&s.claims[n], c)
				continue
			}
			seen[m.Place] = len(s.claims)
			s.add(c)
		}
	}
}

// original is the primary figure that a restated one repeats.
func original(r *evidence.RunRow, m *evidence.MeasurementRow) *evidence.MeasurementRow {
	for i := range r.Measurements {
		o := &r.Measurements[i]
		if o.Role == evidence.Primary && o.Metric == m.Metric && o.Stat == m.Stat && o.State != evidence.Absent {
			return o
		}
	}
	return nil
}

func (s *sheet) repetition(r *evidence.RunRow, m, base *evidence.MeasurementRow) Claim {
	c := s.claim(Repetition, r, m.Place)
	c.Metric, c.Stat, c.Text, c.Unit = m.Metric, m.Stat, m.SourceText, m.SourceUnit
	c.What = strings.TrimSpace(fmt.Sprintf("%s %s, given again", title(m.Metric), m.Stat))
	c.Inputs = []Figure{{Role: "base", Run: r.ID, Arm: r.Arm, Metric: base.Metric, Stat: base.Stat, Place: base.Place,
		Text: base.SourceText, Unit: base.SourceUnit, Value: base.Value}}
	for _, p := range base.Also {
		c.Inputs = append(c.Inputs, Figure{Role: "base", Run: r.ID, Arm: r.Arm, Metric: base.Metric, Stat: base.Stat, Place: p})
	}
	by := factor(m.SourceUnit)
	ends := [...]struct {
		said, is  evidence.Opt[float64]
		pub, back *evidence.Opt[float64]
	}{
		{m.Value, base.Value, &c.Published.Point, &c.Recomputed.Point},
		{m.Lower, base.Lower, &c.Published.Lower, &c.Recomputed.Lower},
		{m.Upper, base.Upper, &c.Published.Upper, &c.Recomputed.Upper},
	}
	first, last, _ := strings.Cut(strings.Map(dash, strings.ReplaceAll(m.SourceText, " to ", "~")), "~")
	c.Verdict = Holds
	for i, e := range ends {
		if !e.said.OK {
			continue
		}
		text := first
		if i == 2 && last != "" {
			text = last
		}
		half := halfOf(digits(text))
		if strings.Contains(text, "/") {
			half = 0
		}
		c.Tolerance = max(c.Tolerance, half)
		*e.pub = evidence.Some(e.said.V / by)
		if !e.is.OK {
			c.Verdict = NoBase
			continue
		}
		*e.back = evidence.Some(e.is.V / by)
		if !(rounded{e.said.V / by, half}).takes(e.is.V / by) {
			c.Verdict = Fails
		}
	}
	c.Formula = roundingWords(first)
	return c
}

// dash turns the dashes of an interval into a mark that no number has.
func dash(r rune) rune {
	if r == '–' || r == '—' || r == '~' {
		return '~'
	}
	return r
}

func roundingWords(text string) string {
	d := digits(text)
	if strings.Contains(text, "/") {
		return "passed / attempted"
	}
	_, decimals, _ := strings.Cut(d, ".")
	switch len(decimals) {
	case 0:
		return "round to whole units"
	case 1:
		return "round to 1 decimal"
	}
	return fmt.Sprintf("round to %d decimals", len(decimals))
}

// merge joins a figure that one place gives for several runs: all must be rounded to it.
func merge(into *Claim, c Claim) {
	if len(into.Inputs) < 16 {
		into.Inputs = append(into.Inputs, c.Inputs...)
	}
	if c.Verdict == Fails {
		into.Verdict, into.Recomputed = c.Verdict, c.Recomputed
	}
	into.Run, into.Arm = "", ""
}
