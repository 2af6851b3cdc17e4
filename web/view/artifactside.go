package view

import (
	"strconv"

	"assay/store/evidence"
)

// ArtifactFinding is what intake or a reader had to say, at its place.
type ArtifactFinding struct {
	Severity      Badge
	Code, Message string
	Where         *NamedLink
}

// ArtifactName is one coming-in of the artifact.
type ArtifactName struct {
	Name, When, Origin string
	State              Badge
}

// ArtifactDocument is one document read from the artifact.
type ArtifactDocument struct {
	Title    string
	Campaign NamedLink
	Runs     *NamedLink
	Schema   string
	Reader   string
	Root     NamedLink
}

// SkippedFigure is a figure that was not lifted.
type SkippedFigure struct {
	Figure Figure
	Where  string
	Why    string
}

// describe fills the side column.
func (a *Artifact) describe(d *evidence.ArtifactDetail) {
	fact := func(label, value string) {
		if value != "" {
			a.Facts = append(a.Facts, Labelled{Label: label, Value: Linked{Text: Words(value, maxValue, "")}})
		}
	}
	schema := d.Schema
	if schema == "" {
		schema = "no label in the source"
	}
	fact("schema", schema)
	fact("family", d.Family)
	fact("read by", d.Reader)
	fact("encoding", d.Encoding)
	fact("kept since", Moment(d.StoredUS))
	a.references(d)
	for _, f := range d.Findings {
		a.Findings = append(a.Findings, artifactFinding(d.Digest, f))
	}
	for i, x := range d.Arrivals {
		if i == maxArtifactNames {
			a.MoreName = "and " + Int(int64(len(d.Arrivals)-i)) + " more"
			break
		}
		a.Names = append(a.Names, ArtifactName{Name: plain(x.Name, maxName), When: Moment(x.AtUS), Origin: plain(x.Origin, maxName), State: endBadge(x.State)})
	}
	for i := range d.Documents {
		if i == maxArtifactDocs {
			break
		}
		a.Docs = append(a.Docs, artifactDocument(&d.Documents[i], d))
	}
	for i, n := range d.NotLifted {
		if i == maxArtifactSkipped {
			a.MoreSkip = &NamedLink{Int(int64(len(d.NotLifted)-i)) + " more in the file", ListExports("not-lifted", "", evidence.Filter{Artifact: d.Digest.String()}).CSV}
			break
		}
		a.Skipped = append(a.Skipped, SkippedFigure{
			Figure: Fig(plain(n.Text, 60), d.Digest, n.Place), Where: plain(string(n.Place.Pointer), maxName), Why: skipReason(n.Reason),
		})
	}
}

// references says how many of the files that the artifact names are here.
func (a *Artifact) references(d *evidence.ArtifactDetail) {
	total, here := 0, 0
	for i := range d.Documents {
		for _, r := range d.Documents[i].References {
			total++
			if r.State.Here() {
				here++
			}
		}
	}
	if total == 0 {
		return
	}
	s := Plural(int64(total), "file", "files") + ", " + Int(int64(here)) + " retained"
	if here == 0 {
		s = Plural(int64(total), "file", "files") + ", none retained"
	}
	a.Facts = append(a.Facts, Labelled{Label: "names", Value: Linked{Text: Words(s, maxName, "")}})
}

func artifactFinding(d evidence.Digest, f evidence.Finding) ArtifactFinding {
	out := ArtifactFinding{Severity: severityBadge(f.Severity), Code: plain(f.Code, maxName), Message: plain(f.Message, maxValue)}
	switch {
	case f.Offset >= 0:
		off := strconv.FormatInt(f.Offset, 10)
		out.Where = &NamedLink{"byte " + Int(f.Offset), Query(ArtifactURL(d), "o", off) + "#place"}
	case f.Pointer != "":
		out.Where = &NamedLink{plain(string(f.Pointer), maxName), PlaceURL(d, evidence.At(f.Pointer))}
	}
	return out
}

func artifactDocument(d *evidence.DocumentRow, of *evidence.ArtifactDetail) ArtifactDocument {
	digest, id := of.Digest, d.Campaign.ID
	if id == "" {
		id = of.Campaign
	}
	title := d.Campaign.Title
	if title == "" {
		title = id
	}
	out := ArtifactDocument{
		Title: plain(title, maxName), Schema: plain(d.Schema, maxName), Reader: d.Reader + ", shape " + plain(d.ShapeID, maxName),
		Campaign: NamedLink{plain(id, maxName), CampaignURL(id, digest)},
		Root:     NamedLink{plain(string(d.Root), maxName), PlaceURL(digest, evidence.At(d.Root))},
	}
	if d.Runs > 0 {
		out.Runs = &NamedLink{Plural(int64(d.Runs), "run", "runs"), Query("/runs", "artifact", digest.String())}
	}
	return out
}

// shownValues is how many top-level values are linked one by one.
const shownValues = 24

// valueLinks leads to the values of an artifact that holds several: the first ones,
// the ones around the marked one, the last.
func valueLinks(d evidence.Digest, values int, p evidence.Pointer) []NamedLink {
	if values < 2 {
		return nil
	}
	at := -1
	if t := p.Tokens(); len(t) > 0 && isIndex(t[0]) {
		at, _ = strconv.Atoi(t[0])
	}
	var out []NamedLink
	last := -1
	for i := range values {
		if i >= shownValues && (i < at-2 || i > at+2) && i != values-1 {
			if i > at+2 && i < values-1 {
				break
			}
			continue
		}
		out, last = appendValue(out, d, last, i), i
	}
	if last < values-1 {
		out = appendValue(out, d, last, values-1)
	}
	return out
}

func appendValue(out []NamedLink, d evidence.Digest, last, i int) []NamedLink {
	if i > last+1 {
		out = append(out, NamedLink{Text: "…"})
	}
	p := evidence.Pointer("").Index(i)
	return append(out, NamedLink{string(p), PlaceURL(d, evidence.At(p))})
}
