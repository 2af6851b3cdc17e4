package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

// arm is one configuration of a campaign with all its runs. What documents of one
// campaign call by one name is one arm, unless their facts say otherwise.
type arm struct {
	ids  []string // evidence.ArmID, the first stands for it
	name string
	runs []*evidence.RunRow
}

func (a *arm) head() *evidence.RunRow { return a.runs[0] }

// rejected is the run that says that the source rejects the arm.
func (a *arm) rejected() *evidence.RunRow {
	for _, r := range a.runs {
		if r.Rejected != "" {
			return r
		}
	}
	return nil
}

// label is how the arm is called where it needs a name.
func (a *arm) label() string { return cmp.Or(a.name, a.head().Name, a.ids[0]) }

// armsOf groups runs in the order in which they stand.
func armsOf(runs []*evidence.RunRow) []*arm {
	var out []*arm
	byID := map[string]*arm{}
	byName := map[string][]*arm{}
	for _, r := range runs {
		a := byID[r.ArmID]
		if a == nil && r.Arm != "" {
			for _, x := range byName[r.Arm] {
				if !otherArm(x.head(), r) {
					a = x
					break
				}
			}
		}
		if a == nil {
			a = &arm{name: r.Arm}
			out = append(out, a)
			byName[r.Arm] = append(byName[r.Arm], a)
		}
		if byID[r.ArmID] == nil {
			byID[r.ArmID] = a
			a.ids = append(a.ids, r.ArmID)
		}
		a.runs = append(a.runs, r)
	}
	return out
}

// otherArm reports whether two runs whose arm has one name are of two arms: a fact that
// makes one differs. Spellings of an engine or a model make none; they differ between the
// tools that wrote the documents.
func otherArm(a, b *evidence.RunRow) bool {
	return slices.ContainsFunc(compare.Factors(a, b), func(k evidence.FactKey) bool { return slices.Contains(makesArm, k) })
}

var makesArm = []evidence.FactKey{
	evidence.KeyTP, evidence.KeyDP, evidence.KeyPP, evidence.KeyMTPDepth, evidence.KeyDraftDepth, evidence.KeySpecMethod, evidence.KeyQuantisation, evidence.KeyKVDtype,
	evidence.KeyCheckpoint, evidence.KeyModelRevision, evidence.KeyModelDigest, evidence.KeyImageDigest, evidence.KeyGPUCount,
}

// sameIdentity reports whether no identity fact is known to differ.
func sameIdentity(a, b *evidence.RunRow) bool { return len(compare.Factors(a, b)) == 0 }

// Choice is an arm that a decision could be on.
type Choice struct {
	Name, ArmID string
	Runs        int
	Rejected    string
}

// Arms lists the arms of a campaign in the order of their sources.
func (d *Desk) Arms(ctx context.Context, campaign string) (list []Choice, err error) {
	err = d.Archive.Snapshot(ctx, func(ctx context.Context) error {
		w, err := d.load(ctx, campaign)
		if err != nil {
			return err
		}
		for _, a := range w.arms {
			c := Choice{Name: a.label(), ArmID: a.ids[0], Runs: len(a.runs)}
			if r := a.rejected(); r != nil {
				c.Rejected = r.Rejected
			}
			list = append(list, c)
		}
		return nil
	})
	return list, err
}

// find is the arm that a person means by an id or a name.
func (w *world) find(what, ref string) (*arm, error) {
	for _, fits := range []func(*arm) bool{
		func(a *arm) bool { return slices.Contains(a.ids, ref) },
		func(a *arm) bool { return a.label() == ref },
		func(a *arm) bool { return strings.EqualFold(a.label(), ref) },
	} {
		var found []*arm
		for _, a := range w.arms {
			if fits(a) {
				found = append(found, a)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("%s %.80q: %w: arms %s have that name; give the id of one", what, ref, evidence.ErrAmbiguous, listed(found, func(a *arm) string { return a.ids[0] }))
		}
	}
	return nil, fmt.Errorf("%s %.80q: %w among the arms of %s: %s", what, ref, evidence.ErrNotFound, w.campaign.ID, listed(w.arms, (*arm).label))
}

// mostListed bounds what an error lists.
const mostListed = 12

func listed(arms []*arm, say func(*arm) string) string {
	var words []string
	for _, a := range arms[:min(len(arms), mostListed)] {
		words = append(words, fmt.Sprintf("%.80q", say(a)))
	}
	if n := len(arms) - mostListed; n > 0 {
		words = append(words, fmt.Sprintf("and %d more", n))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// candidate is the arm asked for; else the one that the source selects by its very name;
// else the first that it does not reject.
func (w *world) candidate(ref string) (*arm, error) {
	if ref != "" {
		return w.find("candidate", ref)
	}
	if len(w.arms) == 0 {
		return nil, fmt.Errorf("campaign %s has no arm that a decision could be on: %w", w.campaign.ID, evidence.ErrNotFound)
	}
	for i := range w.campaign.Docs {
		for j := range w.campaign.Docs[i].Decisions {
			x := &w.campaign.Docs[i].Decisions[j]
			if x.Kind != evidence.DecisionField {
				continue
			}
			if k := slices.IndexFunc(w.arms, func(a *arm) bool { return a.name != "" && a.name == x.Value }); k >= 0 {
				return w.arms[k], nil
			}
		}
	}
	for _, a := range w.arms {
		if a.rejected() == nil {
			return a, nil
		}
	}
	return w.arms[0], nil
}

// none stands for taking no control and nothing to go back to.
const none = "none"

// control is the arm asked for, or the one proposed: among those with a figure that may be
// shown beside the candidate's, the one that differs from it in the fewest factors.
func (w *world) control(candidate *arm, ref string) (*arm, error) {
	switch ref {
	case none:
		return nil, nil
	case "":
		return w.propose(candidate), nil
	}
	a, err := w.find("control", ref)
	if err == nil && a == candidate {
		return nil, fmt.Errorf("control %.80q: is the candidate itself", ref)
	}
	return a, err
}

func (w *world) propose(candidate *arm) *arm {
	var best *arm
	bestRank := [3]int{}
	for _, a := range w.arms {
		if a == candidate {
			continue
		}
		p, ok := choosePair(a, candidate, w.figures)
		if !ok {
			continue
		}
		factors := len(compare.Factors(p.control.Head(), p.arm.Head()))
		if factors == 0 {
			factors = 1 << 10 // nothing tells the two apart: a poor control, but better than none
		}
		blind := 1
		if p.shown > 0 {
			blind = 0
		}
		rank := [3]int{blind, factors, -p.shown}
		if best == nil || slices.Compare(rank[:], bestRank[:]) < 0 {
			best, bestRank = a, rank
		}
	}
	return best
}

var armID = func(s string) bool {
	at := strings.LastIndex(s, "-a")
	return at == 12 && strings.Trim(s[:at], "0123456789abcdef") == ""
}

// back is what is gone back to: an arm of the campaign, or by its id one of another.
func (w *world) back(ctx context.Context, ref string, control *arm) (*arm, string, error) {
	switch ref {
	case none:
		return nil, "None: the decision names nothing to go back to.", nil
	case "":
		return w.proposeBack(ctx, control)
	}
	a, err := w.find("rollback target", ref)
	if err == nil {
		return a, backNote(a, w.campaign.ID), nil
	}
	if !errors.Is(err, evidence.ErrNotFound) || !armID(ref) {
		return nil, "", err
	}
	found, ferr := w.armAnywhere(ctx, ref)
	if ferr != nil {
		return nil, "", ferr
	}
	if found == nil {
		return nil, "", err
	}
	return found, backNote(found, w.campaign.ID), nil
}

// armAnywhere finds an arm of any campaign by its id, nil without one.
func (w *world) armAnywhere(ctx context.Context, id string) (*arm, error) {
	runs, err := w.d.Archive.Runs(ctx, evidence.Filter{Artifact: id[:12], Limit: mostRuns})
	if err != nil {
		return nil, err
	}
	var mine []*evidence.RunRow
	for i := range runs {
		if runs[i].ArmID == id {
			mine = append(mine, &runs[i])
		}
	}
	if len(mine) == 0 {
		return nil, nil
	}
	return &arm{ids: []string{id}, name: mine[0].Arm, runs: mine}, nil
}

// proposeBack is what was signed last for the campaign as what serves or may be gone back
// to, and was not withdrawn; else the control, which the candidate would replace.
func (w *world) proposeBack(ctx context.Context, control *arm) (*arm, string, error) {
	for i := range w.past {
		s := &w.past[i]
		if s.Decision != signoff.Promote || s.Withdrawn.OK || s.Target == signoff.Challenger {
			continue
		}
		a, err := w.armAnywhere(ctx, s.ArmID)
		if err != nil {
			return nil, "", err
		}
		if a != nil {
			return a, fmt.Sprintf("Proposed: signed for %s as %s. %s", s.Target, s.Number, backNote(a, w.campaign.ID)), nil
		}
	}
	if control != nil && control.rejected() == nil {
		return control, "Proposed: the control, which the candidate would replace. " + backNote(control, w.campaign.ID), nil
	}
	return nil, "None is named, and none was signed for this campaign before.", nil
}

// backNote says what evidence there is of the arm that is gone back to.
func backNote(a *arm, campaign string) string {
	artifacts, measured := map[evidence.Digest]bool{}, 0
	for _, r := range a.runs {
		artifacts[r.Artifact] = true
		if r.Status == evidence.Measured {
			measured++
		}
	}
	note := fmt.Sprintf("%d runs, %d of them measured, from %d artifacts", len(a.runs), measured, len(artifacts))
	if c := a.head().Campaign; c != campaign {
		note += " of campaign " + c
	}
	return note + "."
}
