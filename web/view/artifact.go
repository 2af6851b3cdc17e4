package view

import (
	"strconv"

	"assay/store/evidence"
	"assay/web/view/artifacttext"
)

// ArtifactQuery is what an artifact page was asked for.
type ArtifactQuery struct {
	Pointer    evidence.Pointer
	Place      bool // a pointer was given, "" is the whole document
	Start, End int  // part of the string there; both 0 for the whole value
	Offset     int64
	AtOffset   bool
	Page       int // from 1; 0 is the page that has the place
}

// Check says whether the bytes were hashed again and agree with their name.
type Check uint8

const (
	Unchecked Check = iota
	CheckedNow
	CheckedOnce // when this server opened the artifact first
	Mismatch
)

// ArtifactInput is all that an artifact page is built from.
type ArtifactInput struct {
	Detail evidence.ArtifactDetail
	Text   *artifacttext.Text
	Index  *artifacttext.Index
	Query  ArtifactQuery
	Check  Check
}

// Artifact is an artifact page.
type Artifact struct {
	Standing  *ArtifactStanding // nil where nothing can be said of artifacts
	Chip      DigestChip
	Summary   string // "10,034 bytes as they came in, 136 lines"
	Campaign  *NamedLink
	State     Badge
	Check     Badge
	CheckNote string
	Mismatch  bool
	Raw       string // address of the bytes
	Permalink string
	Exports   []NamedLink
	LayoutSay string // how lines come about, where it is not obvious

	Base  string // address of this artifact's page
	Path  []PathStep
	Lines []artifacttext.Line
	Label string // what the list of lines says it is
	Hex   []artifacttext.HexRow
	Pager Pager

	Place    *ArtifactPlace
	Missing  *MissingPlace
	Findings []ArtifactFinding
	Facts    []Labelled // digest panel: schema, reader, ...
	Names    []ArtifactName
	MoreName string
	Values   []NamedLink // top-level values, where there are several
	Docs     []ArtifactDocument
	Skipped  []SkippedFigure
	MoreSkip *NamedLink
	Holds    string // what was read from it
}

// NamedLink is words that lead somewhere.
type NamedLink struct{ Text, Href string }

// PathStep is one token of the pointer; without Href it leads nowhere.
type PathStep struct {
	Label, Href string
	Of          string // "of 5"
	Current     bool
}

// Bounds on the lists of the side column.
const (
	maxArtifactNames   = 12
	maxArtifactSkipped = 40
	maxArtifactDocs    = 20
)

// BuildArtifact makes the page. It reads the text only where the page shows it.
func BuildArtifact(in ArtifactInput) (Artifact, error) {
	d := &in.Detail
	a := Artifact{
		Chip: Chip(d.Digest), State: endBadge(d.State), Base: ArtifactURL(d.Digest), Raw: ArtifactURL(d.Digest) + "/raw",
		Summary: artifactSummary(in), LayoutSay: layoutNote(in), Holds: artifactHolds(d),
	}
	a.Check, a.CheckNote = checkBadge(in.Check)
	a.Mismatch = in.Check == Mismatch
	if d.Campaign != "" {
		a.Campaign = &NamedLink{Text: plain(d.Campaign, maxName), Href: CampaignURL(d.Campaign, d.Digest)}
	}
	a.Exports = artifactExports(d)
	a.describe(d)
	a.Values = valueLinks(d.Digest, in.Index.Values, in.Query.Pointer)
	return a, a.showText(in)
}

// artifactSummary is the line under the heading.
func artifactSummary(in ArtifactInput) string {
	s := Plural(in.Detail.Size, "byte", "bytes") + " as they came in"
	switch {
	case in.Index.Layout == artifacttext.Hex:
		return s + ", not text"
	case in.Index.Layout == artifacttext.Plain && in.Detail.Values == 0 && in.Detail.State != evidence.Quarantined:
		s += ", text that is not JSON"
	case in.Index.Several():
		s += ", " + Int(int64(in.Index.Values)) + " JSON values"
	}
	return s + ", " + Plural(in.Index.Lines, "line", "lines")
}

// layoutNote says how the lines come about, where they are not simply the file's.
func layoutNote(in ArtifactInput) string {
	x := in.Index
	s := ""
	switch x.Encoding {
	case artifacttext.UTF16LE, artifacttext.UTF16BE:
		s = "The bytes are UTF-16 and are shown decoded. "
	}
	switch {
	case x.Layout == artifacttext.Indented:
		s += "A line of this file is too long to read, so it is shown one value a line. Digits and strings stand as they stand in the file; the line numbers are of this view."
	case x.Layout == artifacttext.Hex:
		s += "These bytes are no text. The first of them are shown in hexadecimal."
	case x.Layout == artifacttext.Plain && x.Fault != nil && (x.Values > 0 || in.Detail.State == evidence.Quarantined):
		s += "The text stops being JSON at byte " + Int(x.Fault.Offset) + ", so it is shown as plain lines."
	}
	return s
}

// artifactHolds says what was read from the artifact.
func artifactHolds(d *evidence.ArtifactDetail) string {
	if len(d.Documents) == 0 {
		return "Nothing comparable was read from it. The bytes are kept, shown and searched."
	}
	s := Plural(int64(len(d.Documents)), "document", "documents") + ", " + Plural(int64(d.Runs), "run", "runs") + ", " +
		Plural(int64(len(d.Measurements)), "measurement", "measurements") + ", " + Plural(int64(len(d.Facts)), "fact", "facts")
	if n := len(d.NotLifted); n > 0 {
		s += "; " + Plural(int64(n), "figure", "figures") + " not lifted"
	}
	return s + "."
}

func checkBadge(c Check) (Badge, string) {
	switch c {
	case CheckedNow:
		return Badge{Kind: "ok", Glyph: "ok", Word: "bytes match"}, "hashed again for this view"
	case CheckedOnce:
		return Badge{Kind: "ok", Glyph: "ok", Word: "bytes match"}, "hashed when this server opened it first"
	case Mismatch:
		return Badge{Kind: "blocked", Glyph: "blocked", Word: "bytes do not match"}, "the bytes kept do not hash to this digest"
	}
	return Badge{Kind: "unknown", Glyph: "unknown", Word: "not hashed"}, "too large to hash for a view; verify does"
}

func artifactExports(d *evidence.ArtifactDetail) []NamedLink {
	out := []NamedLink{{"Bytes", ArtifactURL(d.Digest) + "/raw"}}
	if holdsSecret(d) {
		out[0].Text = "Bytes, which hold a credential"
	}
	f := evidence.Filter{Artifact: d.Digest.String()}
	if len(d.Facts) > 0 {
		out = append(out, NamedLink{"Facts CSV", ListExports("facts", "", f).CSV})
	}
	if len(d.Measurements) > 0 {
		out = append(out, NamedLink{"Measurements CSV", ListExports("measurements", "", f).CSV})
	}
	return out
}

// showText finds the place and reads the page of lines around it.
func (a *Artifact) showText(in ArtifactInput) error {
	if in.Index.Layout == artifacttext.Hex {
		var err error
		a.Hex, err = in.Text.HexHead()
		return err
	}
	v := artifacttext.View{Tint: -1, Lifted: liftedPlaces(&in.Detail)}
	line, page, err := a.locate(in, &v)
	if err != nil {
		return err
	}
	if in.Query.Page > 0 {
		page = min(in.Query.Page, max(in.Index.Pages(), 1)) - 1
	}
	v.First, v.Last = in.Index.Window(page, line)
	if a.Lines, err = in.Index.Show(in.Text, v); err != nil {
		return err
	}
	coverLines(a.Lines, holdsSecret(&in.Detail))
	a.Label = "Text of the artifact"
	if a.Place != nil && line > 0 {
		a.Place.Line = strconv.FormatInt(line, 10)
		a.Label += ", the marked place is on line " + a.Place.Line
	}
	a.Pager = a.linePager(in, page, v.First, v.Last)
	return nil
}

// locate sets the marks of the view and says on which line and page the place is.
func (a *Artifact) locate(in ArtifactInput, v *artifacttext.View) (line int64, page int, err error) {
	q := in.Query
	at := int64(-1)
	switch {
	case q.AtOffset:
		at = in.Text.Decoded(q.Offset)
		v.Marks = []artifacttext.Range{{Start: at, End: at + 1, Main: true}}
	case q.Place:
		if at, err = a.mark(in, v); err != nil {
			return 0, 0, err
		}
	}
	if in.Index.Layout == artifacttext.Plain {
		for _, f := range in.Detail.Findings {
			if f.Offset >= 0 && len(v.Marks) < maxArtifactSkipped {
				off := in.Text.Decoded(f.Offset)
				v.Marks = append(v.Marks, artifacttext.Range{Start: off, End: off + 1})
			}
		}
	}
	if at < 0 {
		return 0, 0, nil
	}
	return in.Index.LineOf(in.Text, at)
}

// linePager leads through the pages of lines.
func (a *Artifact) linePager(in ArtifactInput, page int, first, last int64) Pager {
	p := Pager{Words: "Lines " + Int(first) + " to " + Int(last) + " of " + Int(in.Index.Lines)}
	at := func(n int) string { return a.address(in.Query, n) }
	if page > 0 {
		p.Prev = at(page)
	}
	if page+1 < in.Index.Pages() {
		p.Next = at(page + 2)
	}
	return p
}

// address is this page with the same place and another page of lines.
func (a *Artifact) address(q ArtifactQuery, page int) string {
	pairs := []string{}
	if q.Place {
		pairs = append(pairs, "p", string(q.Pointer))
	}
	if q.Place && q.End > q.Start {
		pairs = append(pairs, "s", strconv.Itoa(q.Start), "e", strconv.Itoa(q.End))
	}
	if q.AtOffset {
		pairs = append(pairs, "o", strconv.FormatInt(q.Offset, 10))
	}
	return Query(a.Base, append(pairs, "page", strconv.Itoa(page))...)
}
