package claims

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

// maxFigures bounds the documents whose figures are set against each other one by one.
const maxFigures = 2000

// counterparts states the changes that a document publishes for one state of two arms
// and not for another: a claim of the first runs makes the same change of the repeats a
// question that its readers will ask.
func (s *sheet) counterparts() {
	if len(s.primary) > maxFigures {
		return
	}
	type question struct {
		base, subject string // arms
		metric        evidence.MetricID
		stat          evidence.Stat
	}
	asked := map[question]bool{}
	answered := map[[2]*evidence.MeasurementRow]bool{}
	var order []question
	for i := range s.claims {
		c := &s.claims[i]
		if c.Kind != Change || len(c.Inputs) != 2 {
			continue
		}
		base, ok1 := s.standing(c.Inputs[0].Place, c.Metric, c.Stat)
		subject, ok2 := s.standing(c.Inputs[1].Place, c.Metric, c.Stat)
		if !ok1 || !ok2 {
			continue
		}
		answered[[2]*evidence.MeasurementRow{base.m, subject.m}] = true
		q := question{base.run.ArmID, subject.run.ArmID, c.Metric, c.Stat}
		if !asked[q] {
			asked[q], order = true, append(order, q)
		}
	}
	for _, q := range order {
		for _, subject := range s.primary {
			if subject.run.ArmID != q.subject || subject.m.Metric != q.metric || subject.m.Stat != q.stat {
				continue
			}
			for _, base := range s.primary {
				if base.run.ArmID != q.base || base.m.Metric != q.metric || base.m.Stat != q.stat || base.run.Name != subject.run.Name ||
					base.run.Class != subject.run.Class || base.value == 0 || answered[[2]*evidence.MeasurementRow{base.m, subject.m}] {
					continue
				}
				if p := pairOf(base, subject); len(p.shape) == 0 {
					s.unpublished(p, s.besides(base, subject))
				}
			}
		}
	}
}

// besides is where a sentence gives both figures of a pair beside each other; else where
// the subject's own stands.
func (s *sheet) besides(base, subject figure) evidence.Place {
	for j := range subject.run.Measurements {
		m := &subject.run.Measurements[j]
		if m.Role != evidence.Restated || m.Metric != subject.m.Metric || m.Stat != subject.m.Stat {
			continue
		}
		if b, ok := s.told(m.Place.Pointer, base); ok {
			return evidence.InText(m.Place.Pointer, min(b.m.Place.Start, m.Place.Start), max(b.m.Place.End, m.Place.End))
		}
	}
	return subject.m.Place
}

// unpublished states a change that nothing publishes.
func (s *sheet) unpublished(p pair, at evidence.Place) {
	by := increase
	if info, ok := evidence.LookupMetric(p.subject.m.Metric); ok && info.Better == evidence.Lower {
		by = decrease
	}
	got := by.of([]float64{p.base.value, p.subject.value})
	if !finite(got) {
		return
	}
	c := s.claim(Change, p.subject.run, at)
	c.Metric, c.Stat, c.Unit, c.Formula, c.Verdict = p.subject.m.Metric, p.subject.m.Stat, "percent", by.text, NotPublished
	c.Text = s.textAt(at)
	c.What = strings.TrimSpace(fmt.Sprintf("change of %s %s against %s", title(c.Metric), c.Stat, clip(p.base.run.Arm)))
	c.Recomputed, c.Inputs = point(got), []Figure{p.base.as("base"), p.subject.as("subject")}
	c.Note = "derived, nothing published"
	s.add(c)
}

// sentences are the texts of the document with their places.
func (s *sheet) sentences(each func(p evidence.Pointer, text string)) {
	for i := range s.doc.Notes {
		each(s.doc.Notes[i].Place.Pointer, s.doc.Notes[i].Text)
	}
	for i := range s.doc.Decisions {
		each(s.doc.Decisions[i].Place.Pointer, s.doc.Decisions[i].Value)
	}
	for i := range s.doc.Gates {
		each(s.doc.Gates[i].Place.Pointer.Key("detail"), s.doc.Gates[i].Detail)
	}
	seen := map[evidence.Place]bool{}
	for i := range s.doc.RunRows {
		for j := range s.doc.RunRows[i].Facts {
			f := &s.doc.RunRows[i].Facts[j]
			if f.Place.Whole() && len(f.Value) > 24 && !seen[f.Place] {
				seen[f.Place] = true
				each(f.Place.Pointer, f.Value)
			}
		}
	}
}

func (s *sheet) textAt(at evidence.Place) string {
	if at.Whole() {
		return ""
	}
	found := ""
	s.sentences(func(p evidence.Pointer, text string) {
		if p == at.Pointer && at.Start >= 0 && at.End <= len(text) && at.Start < at.End && found == "" {
			found = text[at.Start:at.End]
		}
	})
	return found
}

// additions states what one setting more does where the document speaks of it without a
// number: an arm that has every setting of another and exactly one besides, under the
// same shape, has that other one as its control.
func (s *sheet) additions() {
	if len(s.primary) > maxFigures {
		return
	}
	for _, subject := range s.primary {
		if s.published(subject) {
			continue
		}
		var found []pair
		for _, base := range s.primary {
			if base.run == subject.run || base.m.Metric != subject.m.Metric || base.m.Stat != subject.m.Stat ||
				base.run.Class != subject.run.Class || base.run.Name != subject.run.Name || base.value == 0 {
				continue
			}
			p := pairOf(base, subject)
			if len(p.shape) == 0 && len(p.rest) == 0 && p.odd == 1 && len(extra(base.run, subject.run)) == 1 && len(found) < 3 {
				found = append(found, p)
			}
		}
		if len(found) == 1 {
			if at, ok := s.speaksOf(subject, extra(found[0].base.run, subject.run)[0]); ok {
				s.unpublished(found[0], at)
			}
		}
	}
}

// published says whether a claim about a figure was answered.
func (s *sheet) published(f figure) bool {
	for i := range s.claims {
		c := &s.claims[i]
		if c.Kind != Change || c.Verdict == NotPublished {
			continue
		}
		for _, in := range c.Inputs {
			if in.Role == "subject" && in.Place == f.m.Place {
				return true
			}
		}
	}
	return false
}

// extra are the identity facts of b that a has not.
func extra(a, b *evidence.RunRow) []evidence.FactKey {
	var out []evidence.FactKey
	for i := range b.Facts {
		if k := b.Facts[i].Key; evidence.LookupKey(k).Class == evidence.Identity {
			if _, ok := a.Fact(k); !ok {
				out = append(out, k)
			}
		}
	}
	return out
}

// speaksOf is the one clause of the document that names a setting with its value.
func (s *sheet) speaksOf(f figure, k evidence.FactKey) (evidence.Place, bool) {
	set, _ := f.run.Fact(k)
	words := strings.Fields(strings.ToLower(evidence.LookupKey(k).Title))
	if len(words) == 0 {
		return evidence.Place{}, false
	}
	found := map[evidence.Place]bool{}
	var last evidence.Place
	s.sentences(func(p evidence.Pointer, text string) {
		start := 0
		for _, clause := range strings.SplitAfter(text, ";") {
			low := " " + strings.ToLower(clause) + " "
			if strings.Contains(low, " "+set.Value+" ") && strings.Contains(low, words[len(words)-1]) {
				lead := len(clause) - len(strings.TrimLeft(clause, " "))
				last = evidence.InText(p, start+lead, start+len(strings.TrimRight(clause, "; ")))
				found[last] = true
			}
			start += len(clause)
		}
	})
	return last, len(found) == 1
}
