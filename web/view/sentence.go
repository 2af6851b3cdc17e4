package view

import (
	"slices"
	"strings"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// Marks knows which parts of which sentences were read as figures or facts, so that
// a sentence is shown with each of them as a door of its own.
type Marks map[markKey][]mark

type markKey struct {
	artifact evidence.Digest
	pointer  evidence.Pointer
}

type mark struct {
	start, end int
	title      string
}

// BuildMarks collects the places inside sentences of runs and facts.
func BuildMarks(runs []evidence.RunRow, facts []evidence.FactRow) Marks {
	m := make(Marks)
	for i := range runs {
		for j := range runs[i].Measurements {
			x := &runs[i].Measurements[j]
			title := plain(string(x.Metric), maxName)
			if metric, ok := evidence.LookupMetric(x.Metric); ok {
				title = metric.Title + ", " + statWord(x.Stat)
			}
			m.add(x.Artifact, x.Place, title)
			for _, p := range x.Also {
				m.add(x.Artifact, p, title)
			}
		}
		m.addFacts(runs[i].Facts)
	}
	m.addFacts(facts)
	for k, list := range m {
		m[k] = apart(list)
	}
	return m
}

func (m Marks) addFacts(facts []evidence.FactRow) {
	for i := range facts {
		m.add(facts[i].Artifact, facts[i].Place, plain(evidence.LookupKey(facts[i].Key).Title, maxName))
	}
}

func (m Marks) add(d evidence.Digest, p evidence.Place, title string) {
	if p.Whole() || p.End <= p.Start || p.Start < 0 {
		return
	}
	k := markKey{d, p.Pointer}
	m[k] = append(m[k], mark{p.Start, p.End, title})
}

// apart sorts marks and drops what overlaps an earlier, narrower one.
func apart(list []mark) []mark {
	slices.SortFunc(list, func(a, b mark) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	kept := list[:0]
	end := 0
	for _, x := range list {
		if x.start >= end {
			kept = append(kept, x)
			end = x.end
		}
	}
	return kept
}

// member is the place of an object's member when something was read from inside it,
// else the object: what the member is called in other shapes of a source is not known here.
func (m Marks) member(d evidence.Digest, p evidence.Place, name string) evidence.Place {
	if q := evidence.At(p.Pointer.Key(name)); p.Whole() && len(m[markKey{d, q.Pointer}]) > 0 {
		return q
	}
	return p
}

// Sentence is a verbatim sentence: the whole opens its place, every figure in it
// opens the part it was read from.
func (m Marks) Sentence(s string, d evidence.Digest, p evidence.Place) Text {
	whole := Part{Href: PlaceURL(d, p), Title: PlaceTitle(d, p)}
	marks := m[markKey{d, p.Pointer}]
	if covered := mask.Field(memberOf(p.Pointer), s); covered != s {
		s, marks = covered, nil // places in the sentence are not those of what is shown
	}
	cut, rest := cutRunes(s, maxSentence)
	var t Text
	at := 0
	for _, x := range marks {
		// A place inside a part of the sentence counts from the start of the string.
		from, to := x.start-p.Start, x.end-p.Start
		if from < at || to > len(cut) {
			continue
		}
		place := evidence.InText(p.Pointer, x.start, x.end)
		t.Parts = visible(t.Parts, cut[at:from], whole)
		t.Parts = visible(t.Parts, cut[from:to], Part{Mark: true, Href: PlaceURL(d, place), Title: x.title + ": " + PlaceTitle(d, place)})
		at = to
	}
	t.Parts = visible(t.Parts, cut[at:], whole)
	if strings.TrimSpace(cut) == "" {
		none := whole
		none.Text, none.Control = blank.Text, true
		t.Parts = []Part{none}
	}
	if rest > 0 {
		t.Rest, t.RestHref = moreCharacters(rest), whole.Href
	}
	return t
}
