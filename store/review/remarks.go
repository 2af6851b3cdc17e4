package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/store/compare/claims"
	"assay/store/evidence"
	"assay/store/signoff"
)

// remarks are the sentences of the sources, verbatim: what limits the evidence, what
// failed, and what the sources themselves decide.
func (s *survey) remarks(context.Context) error {
	for i := range s.docs {
		d := &s.docs[i]
		for j := range d.Notes {
			n := &d.Notes[j]
			r := signoff.Remark{Text: n.Text, Source: signoff.Source{Artifact: n.Artifact, Pointer: n.Place.Pointer}}
			switch n.Kind {
			case evidence.Limitation, evidence.Caveat:
				s.ground.Limitations = appendOnce(s.ground.Limitations, r)
			case evidence.Failure:
				s.ground.Failures = appendOnce(s.ground.Failures, r)
			default:
				continue
			}
			s.use(n.Artifact, "limitations")
		}
		for j := range d.Decisions {
			x := &d.Decisions[j]
			s.ground.SourceSays = append(s.ground.SourceSays, signoff.Remark{Text: decisionText(&x.Decision), Source: signoff.Source{Artifact: x.Artifact, Pointer: x.Place.Pointer, Text: x.Value}})
			s.use(x.Artifact, "limitations")
		}
		for j := range d.Gates {
			s.use(d.Gates[j].Artifact, "gates")
		}
	}
	if r := s.candidate.rejected(); r != nil {
		s.ground.Failures = appendOnce(s.ground.Failures, signoff.Remark{Text: r.Rejected, Source: signoff.Source{Artifact: r.Artifact, Pointer: r.RejectedPlace.Pointer}})
	}
	for _, r := range s.candidate.runs {
		if r.Status == evidence.RunFailed {
			text := fmt.Sprintf("A run of the candidate failed: %s.", strings.TrimSpace(r.ID+" "+r.Name))
			s.ground.Failures = appendOnce(s.ground.Failures, signoff.Remark{Text: text, Source: signoff.Source{Artifact: r.Artifact, Pointer: r.Place.Pointer}})
		}
	}
	return nil
}

// appendOnce leaves out a sentence that several documents repeat word for word.
func appendOnce(to []signoff.Remark, r signoff.Remark) []signoff.Remark {
	if slices.ContainsFunc(to, func(x signoff.Remark) bool { return x.Text == r.Text }) {
		return to
	}
	return append(to, r)
}

// decisionText is a line of what a source decides, with the word for it.
func decisionText(d *evidence.Decision) string {
	key := d.Key
	switch d.Kind {
	case evidence.PromotionFlag:
		key = "promotion_authorized"
	case evidence.DecisionLabel, evidence.EvidenceLabel:
		key = d.Kind
	}
	if key == "" {
		key = d.Kind
	}
	return key + ": " + d.Value
}

// mostBad bounds the wrong claims that are quoted; all of them are counted.
const mostBad = 50

// claims recomputes what the campaign's documents publish about their own figures.
func (s *survey) claims(context.Context) error {
	c := &s.ground.Claims
	for i := range s.docs {
		for _, x := range claims.Check(&s.docs[i]) {
			switch x.Verdict {
			case claims.Holds:
				c.Holds++
			case claims.HoldsUnrounded:
				c.Unrounded++
			case claims.NoBase:
				c.NoBase++
			case claims.Fails:
				c.Wrong++
				if len(c.Bad) < mostBad {
					c.Bad = append(c.Bad, signoff.Remark{Text: badClaim(&x), Source: signoff.Source{Artifact: x.Artifact, Pointer: x.Place.Pointer, Text: x.Text}})
				}
			}
		}
	}
	return nil
}

func badClaim(x *claims.Claim) string {
	text := fmt.Sprintf("%s: published as %s", x.What, x.Text)
	if v := x.Recomputed.Point; v.OK {
		text += fmt.Sprintf(", recomputed %s %s", decimal(v.V), x.Unit)
	}
	return strings.TrimSpace(text)
}

// repairs are what people declared and the ground rests on: facts of its runs, meanings
// of their values, and moves of its artifacts.
func (s *survey) repairs(ctx context.Context) error {
	list, _, err := s.d.Archive.Repairs(ctx, evidence.RepairFilter{Holds: true})
	if err != nil || len(list) == 0 {
		return err
	}
	used := map[int64]bool{}
	type spelling struct {
		key   evidence.FactKey
		value string
	}
	spelled := map[spelling]bool{}
	note := func(runs []*evidence.RunRow) {
		for _, r := range runs {
			for i := range r.Facts {
				f := &r.Facts[i]
				used[f.Repair] = true
				if f.Meaning != "" {
					spelled[spelling{f.Key, f.Value}] = true
				}
				for _, o := range f.Others {
					used[o.Repair] = true
				}
			}
		}
	}
	note(s.candidate.runs)
	if s.control != nil {
		note(s.control.runs)
	}
	if s.back != nil {
		note(s.back.runs)
	}
	for i := range list {
		r := &list[i]
		rests := false
		switch r.Kind {
		case evidence.RepairFact:
			rests = used[r.ID]
		case evidence.RepairAlias:
			rests = spelled[spelling{r.Key, r.Target}]
		case evidence.RepairMove:
			d, err := evidence.ParseDigest(strings.ToLower(r.Target))
			rests = err == nil && len(s.uses[d]) > 0
		}
		if rests {
			s.ground.Repairs = append(s.ground.Repairs, signoff.RepairUse{ID: r.ID, Text: repairText(r), Author: r.Author})
		}
	}
	return nil
}

func repairText(r *evidence.Repair) string {
	switch r.Kind {
	case evidence.RepairAlias:
		return fmt.Sprintf("%s: %q means %q", r.Key, r.Target, r.Value)
	case evidence.RepairMove:
		return fmt.Sprintf("artifact %s belongs to campaign %s", r.Target, r.Value)
	}
	return fmt.Sprintf("%s is %s, declared for %s", r.Key, r.Value, r.Target)
}

// waivers are the exploratory views that people opened on pairs of the comparison.
func (s *survey) waivers(ctx context.Context) error {
	if !s.has {
		return nil
	}
	ids := append(runIDs(s.pair.control), runIDs(s.pair.arm)...)
	list, _, err := s.d.Archive.Waivers(ctx, evidence.WaiverFilter{Runs: ids, Holds: true})
	for i := range list {
		s.ground.Waivers = append(s.ground.Waivers, list[i].ID)
	}
	return err
}
