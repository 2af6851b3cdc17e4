package review

import (
	"context"
	"fmt"
	"math"
	"slices"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

const (
	// disagreement is how far two figures of one arm may lie apart where no interval says
	// how far they do of themselves.
	disagreement = 0.05
	// mostRivals bounds the runs of other campaigns that are looked at.
	mostRivals = 2000
	// mostContradictions bounds what is listed.
	mostContradictions = 50
)

// modelKeys name what was served, the most exact first.
var modelKeys = []evidence.FactKey{evidence.KeyCheckpoint, evidence.KeyModel, evidence.KeyServedModel}

// contradictions looks in other campaigns for runs of the same arm whose figures may be
// held against the candidate's and disagree.
func (s *survey) contradictions(ctx context.Context) error {
	model := ""
	for _, k := range modelKeys {
		if f, ok := s.candidate.head().Fact(k); ok && f.State != evidence.Conflict && f.State != evidence.Absent && f.Value != "" {
			model = f.Value
			break
		}
	}
	if model == "" {
		return nil
	}
	rivals, err := s.d.Archive.Runs(ctx, evidence.Filter{Model: model, Limit: mostRivals})
	if err != nil {
		return err
	}
	mine := s.pair.arm
	if !s.has {
		mine = s.candidate.runs[:1]
	}
	for _, c := range groupsElsewhere(rivals, s.campaign.ID, s.candidate) {
		for _, f := range offered(mine, c) {
			x, ok := disagree(mine, c, f)
			if !ok {
				continue
			}
			s.ground.Contradictions = append(s.ground.Contradictions, x)
			if len(s.ground.Contradictions) == mostContradictions {
				return nil
			}
		}
	}
	return nil
}

// groupsElsewhere are the repeats of the same arm in other campaigns.
func groupsElsewhere(rivals []evidence.RunRow, campaign string, a *arm) []compare.Repeats {
	var runs []*evidence.RunRow
	for i := range rivals {
		r := &rivals[i]
		if r.Campaign != campaign && r.Status == evidence.Measured && sameArm(a.head(), r) {
			runs = append(runs, r)
		}
	}
	return compare.GroupRepeats(runs)
}

// identityOfArm are facts that must be known and equal for two runs to be of one arm; of
// the rest of the identity nothing may be known to differ.
var identityOfArm = []evidence.FactKey{evidence.KeyEngine, evidence.KeyTP, evidence.KeyMTPDepth, evidence.KeyQuantisation, evidence.KeyEngineVersion}

func sameArm(a, b *evidence.RunRow) bool {
	if !sameIdentity(a, b) {
		return false
	}
	shared := 0
	for _, k := range append(slices.Clone(modelKeys), identityOfArm...) {
		x, okX := a.Fact(k)
		y, okY := b.Fact(k)
		if okX && okY && x.Means() != "" && x.Means() == y.Means() {
			shared++
		}
	}
	return shared >= 2 // the model, and at least one thing of how it is served
}

// disagree reports whether a figure of one arm differs between two campaigns by more than
// its own spread, where it has one, and else by more than a twentieth. Only pairs that may
// be compared are looked at: what differs in shape does not contradict.
func disagree(here, there compare.Repeats, f compare.Figure) (signoff.Contradiction, bool) {
	c := compare.Compare(compare.Spec{Control: runIDs(there), Arms: [][]string{runIDs(here)}, Figures: []compare.Figure{f}}, there, []compare.Repeats{here})
	cell, left := &c.Arms[0].Cells[0], &c.Control.Values[0]
	if !cell.Verdict.Shows() || !left.Recorded || !cell.Value.Recorded {
		return signoff.Contradiction{}, false
	}
	if !apart(left, &cell.Value) {
		return signoff.Contradiction{}, false
	}
	unit := c.Figures[0].Info.Unit
	a, b := valueText(&cell.Value, unit), valueText(left, unit)
	x := signoff.Contradiction{Campaign: there.Head().Campaign, Run: there.Head().ID, Figure: f.String(), Here: sourceOf(&cell.Value, a), There: sourceOf(left, b)}
	x.Says = fmt.Sprintf("%s (%s) of the same arm is %s here and %s in campaign %s, run %s", c.Figures[0].Info.Title, f.Stat, a, b, x.Campaign, x.Run)
	return x, true
}

// apart reports whether two values of one arm disagree.
func apart(a, b *compare.Value) bool {
	loA, hiA, okA := rangeOf(a)
	loB, hiB, okB := rangeOf(b)
	if !okA || !okB {
		return false
	}
	if hiA >= loB && hiB >= loA {
		return false // they overlap
	}
	if hiA > loA || hiB > loB { // a spread is known, and they do not overlap
		return true
	}
	return math.Abs(loA-loB) > disagreement*math.Max(math.Abs(loA), math.Abs(loB))
}

// rangeOf is where a value lies: the interval of its median where there are enough
// repeats, the source's bounds, the spread of a few repeats, or the point alone.
func rangeOf(v *compare.Value) (lo, hi float64, ok bool) {
	switch {
	case v.Summary != nil && v.Summary.Range.OK:
		return v.Summary.Lo, v.Summary.Hi, true
	case v.Summary != nil && v.Repeats > 1:
		return v.Summary.Min, v.Summary.Max, true
	case v.Lower.OK && v.Upper.OK:
		return v.Lower.V, v.Upper.V, true
	case v.Point.OK:
		return v.Point.V, v.Point.V, true
	}
	return 0, 0, false
}
