package view

import (
	"cmp"
	"slices"

	"assay/store/evidence"
)

// Campaign is the page of a campaign: what its sources decide, what was measured,
// what stops it, and what it rests on.
type Campaign struct {
	Head    CampaignHead
	Docs    []Doc // documents that decide, gate or limit something
	DocsOf  int   // how many there are; Docs is one page of them
	Pager   Pager
	Silent  bool // no document says anything beyond its figures
	Plain   int  // documents that hold figures and facts only
	Results []Results
	RunsOf  int // runs of the campaign
	RunsIn  int // runs that the tables show at most
	Claims  []ClaimRow
	Facts   []FactGroup
	Exports Exports
	Signing bool // decisions can be signed here
	Signed  []SignedLine
}

// CampaignHead is the head and the tabs that the pages of a campaign share.
type CampaignHead struct {
	ID        string
	Title     string
	TitleLink *Linked // the id as it stands in the source
	Named     Text    // the id, or where it is from, when no source gives it
	Observed  string
	Artifacts []DigestChip
	MoreArts  int
	Base      string // address of the campaign
	Arms      string // address of the page of all runs
	Whole     string // its id, for asking the archive
	Tabs      []Tab
}

// Tab is one page of a campaign.
type Tab struct {
	Label, Count, Href string
	Current            bool
}

// Tabs of a campaign.
const (
	TabDecision = "decision"
	TabArms     = "arms"
	TabMatrix   = "matrix"
	TabEvidence = "evidence"
	TabSignOff  = "sign-off"
)

const (
	mostChips = 3
	// DocsPerPage is how many documents with decisions a campaign page shows in full.
	DocsPerPage = 10
	// RunsOnCampaign is how many runs a campaign page shows at most.
	RunsOnCampaign = 256
	// RowsBrief is how many runs one table of the campaign page shows.
	RowsBrief = 20
)

// BuildCampaignHead is the head of a campaign's pages. matrix says whether its runs
// vary in a way that a matrix can lay out.
func BuildCampaignHead(c *evidence.CampaignDetail, current string, matrix bool) CampaignHead {
	h := CampaignHead{ID: plain(c.ID, maxName), Title: plain(cmp.Or(c.Title, c.ID), maxName), Observed: observed(c.Observed)}
	h.TitleLink, h.Named = namedIn(c, h.ID == h.Title), Words(c.ID, maxName, "")
	if h.ID == h.Title {
		h.Named = Words("named at intake", maxName, "")
	}
	for i, d := range c.Artifacts {
		if i == mostChips {
			h.MoreArts = len(c.Artifacts) - mostChips
			break
		}
		h.Artifacts = append(h.Artifacts, Chip(d))
	}
	base := CampaignURL(c.ID, c.Artifacts...)
	h.Base, h.Arms, h.Whole = base, base+"/arms", c.ID
	tabs := []struct{ id, label, count, href string }{
		{TabDecision, "Decision", "", base},
		{TabMatrix, "Matrix", "", base + "/matrix"},
		{TabArms, "Arms", Int(int64(c.Arms)), base + "/arms"},
		{TabEvidence, "Evidence", Int(int64(c.Retained)) + " of " + Int(int64(c.References)) + " kept", base + "/evidence"},
	}
	for _, t := range tabs {
		if t.id == TabMatrix && !matrix {
			continue
		}
		if t.id == TabEvidence && c.References == 0 {
			t.count = ""
		}
		h.Tabs = append(h.Tabs, Tab{Label: t.label, Count: t.count, Href: t.href, Current: t.id == current})
	}
	return h
}

// namedIn is the place where a source gives the campaign its id, nil when intake or a
// person named it.
func namedIn(c *evidence.CampaignDetail, shown bool) *Linked {
	for i := range c.Docs {
		for _, f := range c.Docs[i].Facts {
			if f.Key != evidence.KeyCampaign || f.Value != c.ID {
				continue
			}
			q := Quote(c.ID, maxName, f.Artifact, f.Place)
			if shown {
				q.Text = Words("named so in the source", maxName, "")
			}
			return &q
		}
	}
	return nil
}

// BuildCampaign is the campaign page from its documents and its first runs. page
// counts the documents with decisions from 1; matrix says whether there is a matrix.
func BuildCampaign(c *evidence.CampaignDetail, runs []evidence.RunRow, page int, matrix bool) Campaign {
	v := Campaign{Head: BuildCampaignHead(c, TabDecision, matrix), RunsOf: c.Runs, RunsIn: len(runs)}
	base := CampaignURL(c.ID, c.Artifacts...)
	var facts []evidence.FactRow
	for i := range c.Docs {
		facts = append(facts, c.Docs[i].Facts...)
	}
	marks := BuildMarks(runs, facts)
	var deciding []*evidence.DocumentRow
	for i := range c.Docs {
		if d := &c.Docs[i]; speaks(d) {
			deciding = append(deciding, d)
		} else {
			v.Plain++
		}
	}
	v.DocsOf, v.Silent = len(deciding), len(deciding) == 0
	v.Pager = BuildPager(page, DocsPerPage, len(deciding), func(p string) string { return Query(base, "page", p) })
	for _, d := range pageOf(deciding, page, DocsPerPage) {
		v.Docs = append(v.Docs, buildDoc(d, marks, len(v.Docs)+1, base))
	}
	v.Results = BuildResults(runs, ResultOptions{Rows: RowsBrief, Brief: true, More: base + "/arms", Page: base, Only: ofCampaign(c.ID, c.Artifacts)})
	v.Claims = buildClaims(runs, runs)
	v.Facts = groupFacts(append(facts, commonFacts(runs, facts)...), func(evidence.Class) bool { return true })
	v.Exports = ListExports("measurements", base, ofCampaign(c.ID, c.Artifacts))
	return v
}

// speaks reports whether a document says anything beyond figures and facts.
func speaks(d *evidence.DocumentRow) bool {
	return len(d.Decisions)+len(d.Gates)+len(d.Notes) > 0
}

// commonFacts are facts of the runs that hold for all of them and stand nowhere in
// the documents' own.
func commonFacts(runs []evidence.RunRow, own []evidence.FactRow) []evidence.FactRow {
	if len(runs) < 2 {
		return nil
	}
	known := make(map[evidence.FactKey]bool, len(own))
	for i := range own {
		known[own[i].Key] = true
	}
	return slices.DeleteFunc(sharedFacts(runs), func(f evidence.FactRow) bool {
		return known[f.Key] || f.State == evidence.Absent
	})
}

// pageOf is one page of a slice, pages counted from 1.
func pageOf[T any](all []T, page, size int) []T {
	lo := min(max(page-1, 0)*size, len(all))
	return all[lo:min(lo+size, len(all))]
}
