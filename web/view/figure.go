package view

import "assay/store/evidence"

// Figure is a number as a door: its text opens the place it comes from.
type Figure struct {
	Text  string
	Href  string
	Title string
	Calc  bool // computed here; opens the working
}

// Fig is a figure that stands at a place of an artifact.
func Fig(text string, d evidence.Digest, p evidence.Place) Figure {
	return Figure{Text: text, Href: PlaceURL(d, p), Title: PlaceTitle(d, p)}
}

// CountFig is a number that this archive counted; it opens the list that was counted.
func CountFig(n int64, href string) Figure { return Figure{Text: Int(n), Href: href, Calc: true} }

// Cell is one place of a table of figures.
type Cell struct {
	Column string // column head, repeated where tables turn into cards
	Edge   bool   // first column of a group
	Absent string // the word that stands where there is no figure: "not recorded"
	Value  Figure
	Upper  *Figure // the other bound of an interval
	Sub    string  // second line: "n 100", "bounds, no point value"
	One    bool    // one observation: a number, never a judgement
	Strong bool    // the column the table is about
}

// Badge is a state: glyph, then word; colour comes last.
type Badge struct {
	Kind  string // style class: "ok", "caveat", "unknown", "blocked", "plain", "gate-pass", ...
	Glyph string
	Word  string
	Href  string
}

// DigestChip names an artifact by the first digits of its digest.
type DigestChip struct{ Short, Full, Href string }

// Chip makes the chip of an artifact.
func Chip(d evidence.Digest) DigestChip {
	return DigestChip{Short: d.Short(), Full: d.String(), Href: ArtifactURL(d)}
}

// Linked is a source's own text that opens its place.
type Linked struct {
	Text  Text
	Href  string
	Title string
}

// Quote is a source's string as a link to the place it stands at.
func Quote(s string, limit int, d evidence.Digest, p evidence.Place) Linked {
	href := PlaceURL(d, p)
	t := Words(s, limit, href)
	if t.Empty() {
		t.Parts = []Part{blank}
	}
	return Linked{Text: t, Href: href, Title: PlaceTitle(d, p)}
}
