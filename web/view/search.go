package view

import (
	"strings"

	"assay/store/evidence"
)

// Search is the page of found places.
type Search struct {
	Query string
	Asked Text  // the query as a page shows it
	Exact []Hit // what the words name as a whole: a digest, a campaign, a run

	Within Narrow
	Chips  []FilterChip
	All    string // the address without any filter
	More   bool   // something narrows the places

	Hits  []Hit
	Total int
	Pager Pager
}

// Hit is one found place.
type Hit struct {
	Kind     string
	Title    Text
	Href     string // the page that shows it
	Snippet  Text
	Place    *Linked // where it stands in an artifact
	Campaign *Linked
}

// HitsPerPage is how many hits one page shows.
const HitsPerPage = 30

var kindWords = map[string]string{
	"campaign": "campaign", "arm": "arm", "gate": "gate", "note": "sentence", "decision": "decision", "fact": "fact", "artifact": "artifact",
}

// SearchParams are what search is narrowed by.
var SearchParams = []string{"model", "engine", "gpu", "protocol", "campaign", "family", "from", "to"}

// BuildSearch is one page of hits.
func BuildSearch(q string, within Narrow, exact []Hit, hits []evidence.SearchHit, total, page int) Search {
	f := within
	f.Words = q
	v := Search{
		Query: q, Asked: Words("“"+q+"”.", maxName, ""), Exact: exact, Total: total,
		Within: within, More: within.Narrowed(), All: Query("/search", "q", q),
		Pager: BuildPager(page, HitsPerPage, total, func(p string) string { return f.URL("/search", "page", p) }),
	}
	for _, c := range f.chips("/search") {
		if c.Label != "Words" { // they stand in their own field
			v.Chips = append(v.Chips, c)
		}
	}
	for i := range hits {
		v.Hits = append(v.Hits, buildHit(&hits[i]))
	}
	return v
}

func buildHit(h *evidence.SearchHit) Hit {
	v := Hit{Title: Words(orWord(h.Title, "no title"), maxName, ""), Snippet: snippet(h.Snippet)}
	if h.Title != "" && v.Snippet.String() == v.Title.String() {
		// The words were found in the title: it is marked there and not said twice.
		v.Title, v.Snippet = v.Snippet, Text{}
	}
	v.Kind = kindWords[h.Kind]
	if v.Kind == "" {
		v.Kind = plain(h.Kind, maxName)
	}
	known := h.Artifact != evidence.Digest{}
	switch {
	case h.Kind == "campaign":
		v.Href = CampaignURL(h.Campaign)
		if known {
			v.Href = CampaignURL(h.Campaign, h.Artifact)
		}
	case h.RunID != "":
		v.Href = RunURL(h.RunID)
	case known:
		v.Href = PlaceURL(h.Artifact, evidence.At(h.Pointer))
	default:
		v.Href = CampaignURL(h.Campaign)
	}
	if known {
		p := placeLink(h.Artifact, evidence.At(h.Pointer))
		v.Place = &p
	}
	if h.Campaign != "" && h.Kind != "campaign" {
		v.Campaign = &Linked{Text: Words(h.Campaign, maxTitle, ""), Href: CampaignURL(h.Campaign)}
		if known {
			v.Campaign.Href = CampaignURL(h.Campaign, h.Artifact)
		}
	}
	return v
}

// Marks around found words in a snippet.
const (
	foundStart = "\x02"
	foundEnd   = "\x03"
)

// snippet turns the marks of the archive into parts.
func snippet(s string) Text {
	s, rest := cutRunes(s, maxValue)
	var t Text
	for s != "" {
		before, after, ok := strings.Cut(s, foundStart)
		t.Parts = visible(t.Parts, strings.ReplaceAll(before, foundEnd, ""), Part{})
		if !ok {
			break
		}
		found, next, _ := strings.Cut(after, foundEnd)
		t.Parts = visible(t.Parts, found, Part{Mark: true})
		s = next
	}
	if rest > 0 {
		t.Rest = moreCharacters(rest)
	}
	return t
}

// ArtifactHit is an artifact that the query names by its digest.
func ArtifactHit(a *evidence.ArtifactRow) Hit {
	f := buildFile(a)
	return Hit{Kind: "artifact", Title: Words("sha256:"+a.Digest.String(), maxName, ""), Href: ArtifactURL(a.Digest),
		Snippet: Words(f.Name.String()+", "+f.State.Word+", "+Size(a.Size), maxValue, "")}
}

// CampaignHit is a campaign that the query names.
func CampaignHit(id string) Hit {
	return Hit{Kind: "campaign", Title: Words(id, maxName, ""), Href: CampaignURL(id)}
}

// RunHit is a run that the query names.
func RunHit(r *evidence.RunRow) Hit {
	p := placeLink(r.Artifact, r.Place)
	return Hit{Kind: "run", Title: Words(r.ID, maxName, ""), Href: RunURL(r.ID), Place: &p,
		Snippet: Words(r.Arm+", "+classTitle(r.Class), maxValue, "")}
}
