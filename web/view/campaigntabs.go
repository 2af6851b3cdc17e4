package view

import "assay/store/evidence"

// CampaignArms is every run of a campaign with every metric and statistic.
type CampaignArms struct {
	Head    CampaignHead
	Results []Results
	Pager   Pager
	Exports Exports
}

// RunsPerPage is how many runs a list shows.
const RunsPerPage = 50

// BuildCampaignArms is one page of a campaign's runs.
func BuildCampaignArms(c *evidence.CampaignDetail, runs []evidence.RunRow, page int, matrix bool) CampaignArms {
	base := CampaignURL(c.ID, c.Artifacts...) + "/arms"
	return CampaignArms{
		Head:    BuildCampaignHead(c, TabArms, matrix),
		Results: BuildResults(runs, ResultOptions{Page: Query(base, "page", pageWord(page)), Only: ofCampaign(c.ID, c.Artifacts)}),
		Pager:   BuildPager(page, RunsPerPage, c.Runs, func(p string) string { return Query(base, "page", p) }),
		Exports: ListExports("measurements", Query(base, "page", pageWord(page)), ofCampaign(c.ID, c.Artifacts)),
	}
}

// CampaignEvidence is what a campaign rests on: its artifacts, and the files they name.
type CampaignEvidence struct {
	Head       CampaignHead
	Documents  []EvidenceDoc
	Pager      Pager
	References []Reference
	Kept, Of   int
	Exports    Exports
	RefExports Exports
}

// EvidenceDoc is one document of a campaign.
type EvidenceDoc struct {
	Chip           DigestChip
	Schema, Family string
	Reader, Shape  string
	Root           Linked
	Arms, Runs     Figure
	Facts          Figure
	Move           string // the form that moves it, "" where none is offered

	digest evidence.Digest
}

// OfferMoves puts the form that moves a document beside each.
func (v *CampaignEvidence) OfferMoves() {
	for i := range v.Documents {
		v.Documents[i].Move = MoveURL(v.Documents[i].digest)
	}
}

// ReferencesShown bounds the list of named files on one page.
const ReferencesShown = 200

// BuildCampaignEvidence is one page of a campaign's documents.
func BuildCampaignEvidence(c *evidence.CampaignDetail, page int, matrix bool) CampaignEvidence {
	base := CampaignURL(c.ID, c.Artifacts...)
	v := CampaignEvidence{
		Head: BuildCampaignHead(c, TabEvidence, matrix), Kept: c.Retained, Of: c.References,
		Pager: BuildPager(page, RunsPerPage, len(c.Docs), func(p string) string { return Query(base+"/evidence", "page", p) }),
	}
	for _, d := range pageOf(c.Docs, page, RunsPerPage) {
		v.Documents = append(v.Documents, EvidenceDoc{
			Chip: Chip(d.Artifact), Schema: orWord(d.Schema, "no label"), Family: orWord(d.Family, "not known"),
			Reader: orWord(d.Reader, "no reader"), Shape: plain(d.ShapeID, maxName),
			Root: Quote(orWord(string(d.Root), "whole document"), maxName, d.Artifact, evidence.At(d.Root)),
			Arms: CountFig(int64(d.Arms), base+"/arms"), Runs: CountFig(int64(d.Runs), base+"/arms"),
			Facts: CountFig(int64(len(d.Facts)), ArtifactURL(d.Artifact)), digest: d.Artifact,
		})
	}
	var refs []evidence.ReferenceRow
	for i := range c.Docs {
		refs = append(refs, c.Docs[i].References...)
	}
	v.References = BuildReferences(refs[:min(len(refs), ReferencesShown)])
	f := ofCampaign(c.ID, c.Artifacts)
	v.Exports, v.RefExports = ListExports("artifacts", base+"/evidence", f), ListExports("references", "", f)
	return v
}

// orWord is s as page text, or the word for its absence.
func orWord(s, word string) string {
	if s == "" {
		return word
	}
	return plain(s, maxName)
}
