package view

import (
	"slices"

	"assay/store/compare"
	"assay/store/evidence"
)

// ComparePick is the page on which a control and arms are chosen.
type ComparePick struct {
	Campaigns []NamedCount
	Campaign  NamedLink
	Groups    []PickGroup
	Kept      []Hidden // arms chosen elsewhere, carried along
	KeptWords string
	More      string
}

// NamedCount is a link with what it leads to.
type NamedCount struct {
	NamedLink
	Note string
}

// PickGroup is the runs of one class.
type PickGroup struct {
	Class string
	Rows  []PickRow
}

// PickRow is an arm, with its repeats.
type PickRow struct {
	Value   string // run ids joined by dots
	Name    string
	Sub     string
	Repeats string
	Status  *Badge
}

// BuildComparePick lists the runs of a campaign, repeats joined.
func BuildComparePick(campaign string, runs []evidence.RunRow, total int, q CompareQuery) ComparePick {
	p := ComparePick{Campaign: NamedLink{plain(campaign, maxName), CampaignURL(campaign)}}
	p.Kept, p.KeptWords = kept(q)
	at := map[string]int{}
	for _, r := range compare.GroupRepeats(pointers(runs)) {
		h := r.Head()
		i, ok := at[h.Class]
		if !ok {
			i = len(p.Groups)
			at[h.Class] = i
			p.Groups = append(p.Groups, PickGroup{Class: classTitle(h.Class)})
		}
		row := PickRow{Value: joinIDs(r), Name: armName(h), Sub: subOf(h), Status: unmeasured(h.Status)}
		if len(r) > 1 {
			row.Repeats = Plural(int64(len(r)), "repeat", "repeats")
		}
		p.Groups[i].Rows = append(p.Groups[i].Rows, row)
	}
	if total > len(runs) {
		p.More = "The first " + Int(int64(len(runs))) + " of " + Int(int64(total)) + " runs; the runs list can be filtered and leads to every run's page, which can be added here."
	}
	return p
}

// BuildCampaignPick lists campaigns to choose from.
func BuildCampaignPick(rows []evidence.CampaignRow, q CompareQuery) ComparePick {
	var p ComparePick
	p.Kept, p.KeptWords = kept(q)
	for i := range rows {
		if rows[i].Runs == 0 {
			continue
		}
		pairs := []string{"campaign", rows[i].ID}
		for _, h := range p.Kept {
			pairs = append(pairs, h.Name, h.Value)
		}
		p.Campaigns = append(p.Campaigns, NamedCount{
			NamedLink{plain(rows[i].ID, maxTitle), Query("/compare", pairs...)}, Plural(int64(rows[i].Runs), "run", "runs"),
		})
	}
	return p
}

// kept are sides that the address already has, when it is not yet a comparison.
func kept(q CompareQuery) ([]Hidden, string) {
	var out []Hidden
	words := ""
	if len(q.Spec.Control) > 0 {
		out = append(out, Hidden{"c", joinText(q.Spec.Control)})
		words = "The control is chosen: " + q.Spec.Control[0] + ". "
	}
	for _, a := range q.Spec.Arms {
		out = append(out, Hidden{"a", joinText(a)})
	}
	if n := len(q.Spec.Arms); n > 0 {
		words += Plural(int64(n), "arm is", "arms are") + " chosen already."
	}
	return out, words
}

// HasControl says whether a control came along.
func (p ComparePick) HasControl() bool {
	return slices.ContainsFunc(p.Kept, func(h Hidden) bool { return h.Name == "c" })
}

func pointers(runs []evidence.RunRow) []*evidence.RunRow {
	out := make([]*evidence.RunRow, len(runs))
	for i := range runs {
		out[i] = &runs[i]
	}
	return out
}

func joinIDs(r compare.Repeats) string { return joinText(runIDs(r)) }

func joinText(ids []string) string {
	s := ""
	for i, id := range ids {
		if i > 0 {
			s += "."
		}
		s += id
	}
	return s
}

// Regroup joins runs that are repeats of each other, wherever in the address they stood,
// and rewrites the query to match: repeats of the control are the control's, and an arm
// given twice is one arm. Runs that were joined in the address by hand stay joined.
func (q *CompareQuery) Regroup(control compare.Repeats, arms []compare.Repeats) (compare.Repeats, []compare.Repeats) {
	heads := []*evidence.RunRow{control.Head()}
	owner := map[string]int{control.Head().ID: -1}
	for i := range arms {
		heads = append(heads, arms[i].Head())
		if _, known := owner[arms[i].Head().ID]; !known {
			owner[arms[i].Head().ID] = i
		}
	}
	outControl, outArms := control, []compare.Repeats(nil)
	for g, group := range compare.GroupRepeats(heads) {
		var joined compare.Repeats
		for _, h := range group {
			if i := owner[h.ID]; i < 0 {
				joined = appendNew(joined, control)
			} else {
				joined = appendNew(joined, arms[i])
			}
		}
		if g == 0 {
			outControl = joined
		} else {
			outArms = append(outArms, joined)
		}
	}
	q.Spec.Control = runIDs(outControl)
	q.Spec.Arms = nil
	for _, a := range outArms {
		q.Spec.Arms = append(q.Spec.Arms, runIDs(a))
	}
	return outControl, outArms
}

func appendNew(to, from compare.Repeats) compare.Repeats {
	for _, r := range from {
		if !slices.ContainsFunc(to, func(x *evidence.RunRow) bool { return x.ID == r.ID }) {
			to = append(to, r)
		}
	}
	return to
}
