package claims

import (
	"slices"
	"strings"

	"assay/store/evidence"
)

// Check answers every published derived figure of a document, in the order in which
// they stand, and states what else follows from its figures.
func Check(doc *evidence.DocumentDetail) []Claim {
	s := newSheet(doc)
	s.changes()
	s.repetitions()
	if s.summary() {
		s.rates()
		s.order()
		s.counts()
		s.fits()
		s.scaling()
		s.memory()
		s.named()
	}
	s.counterparts()
	s.additions()
	slices.SortStableFunc(s.claims, func(a, b Claim) int {
		if d := comparePointers(a.Place.Pointer, b.Place.Pointer); d != 0 {
			return d
		}
		return a.Place.Start - b.Place.Start
	})
	return s.settled()
}

// settled are the claims with legible numbers.
func (s *sheet) settled() []Claim {
	for i := range s.claims {
		c := &s.claims[i]
		c.Published, c.Recomputed = c.Published.legible(), c.Recomputed.legible()
		for j := range c.Candidates {
			c.Candidates[j].Recomputed = legible(c.Candidates[j].Recomputed)
		}
	}
	return s.claims
}

// results are the families of the evidence family that hold results themselves: intake
// holds their summaries against their rows.
var results = map[string]bool{"F1": true, "F2": true, "F3": true, "F6": true, "F7": true}

// summary says whether a document publishes figures that it formed from others. Results,
// of our family or another tool's, are held against themselves at intake, each by the
// definitions and the window of its writer.
func (s *sheet) summary() bool {
	f := s.doc.Family
	return !s.doc.Samples && (f == "" || strings.HasPrefix(f, "F") && !results[f])
}

// comparePointers orders pointers with list items by number.
func comparePointers(a, b evidence.Pointer) int {
	x, y := a.Tokens(), b.Tokens()
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			continue
		}
		if isIndex(x[i]) && isIndex(y[i]) && len(x[i]) != len(y[i]) {
			return len(x[i]) - len(y[i])
		}
		return strings.Compare(x[i], y[i])
	}
	return len(x) - len(y)
}

// isIndex says whether a token can be the place of a list item.
func isIndex(tok string) bool {
	if tok == "" || len(tok) > 1 && tok[0] == '0' {
		return false
	}
	for _, c := range tok {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
