package view

import (
	"assay/store/evidence"
	"assay/store/export"
	"assay/store/signoff"
)

// MarkLine is what a person said of an artifact as a whole.
type MarkLine struct {
	ID, Anchor  string
	Badge       Badge
	Artifact    DigestChip
	By          *DigestChip
	Who, When   string
	Reason      string
	Withdrawn   string
	MayWithdraw bool
	Record      string
}

// Standings is the page of superseded and invalidated artifacts.
type Standings struct {
	Kind    string
	Tabs    []Tab
	Count   string
	Rows    []MarkLine
	Exports Exports
	Said    string
	May     bool
	list    []signoff.Mark
}

// BuildStandings is the page of what people said of artifacts as a whole.
func BuildStandings(kind signoff.MarkKind, list []signoff.Mark, may bool) Standings {
	v := Standings{Kind: string(kind), Count: Plural(int64(len(list)), "word", "words") + " on artifacts", May: may, list: list,
		Exports: PageExports("/standing", Query("/standing", "kind", string(kind)), "kind", string(kind))}
	for _, k := range []struct {
		kind  signoff.MarkKind
		label string
	}{{"", "All"}, {signoff.Superseded, "Superseded"}, {signoff.Invalidated, "Invalidated"}} {
		v.Tabs = append(v.Tabs, Tab{Label: k.label, Href: Query("/standing", "kind", string(k.kind)), Current: k.kind == kind})
	}
	for i := range list {
		v.Rows = append(v.Rows, markLine(&list[i], may))
	}
	return v
}

func markBadge(m *signoff.Mark) Badge {
	switch {
	case !m.Holds():
		return Badge{Kind: "plain", Glyph: "absent", Word: "taken back"}
	case m.Kind == signoff.Superseded:
		return Badge{Kind: "caveat", Glyph: "caveat", Word: "superseded"}
	}
	return Badge{Kind: "blocked", Glyph: "blocked", Word: "invalidated"}
}

func markLine(m *signoff.Mark, may bool) MarkLine {
	l := MarkLine{ID: Int(m.ID), Anchor: "m" + decimal(m.ID), Badge: markBadge(m), Artifact: Chip(m.Artifact), Who: plain(m.Author, maxName), When: Moment(m.AtUS),
		Reason: plain(m.Reason, maxValue), MayWithdraw: may && m.Holds(), Record: RecordURL(m.LogIndex)}
	if m.By.OK {
		c := Chip(m.By.V)
		l.By = &c
	}
	if !m.Holds() {
		l.Withdrawn = "Taken back by " + plain(m.WithdrawnBy, maxName) + " on " + Moment(m.WithdrawnUS) + ": " + plain(m.WithdrawnReason, maxValue)
	}
	return l
}

// Table is the list as a file.
func (v *Standings) Table() export.Table {
	t := export.Table{Title: "Standing of artifacts", Columns: []export.Column{
		{Name: "mark", Form: export.Figure, Help: "its number"},
		{Name: "kind", Form: export.Code, Help: "superseded or invalidated"},
		{Name: "artifact", Form: export.Code, Help: "SHA-256"},
		{Name: "by", Form: export.Code, Help: "SHA-256 of what took its place"},
		{Name: "holds", Form: export.Code, Help: "no when it was taken back"},
		{Name: "author", Form: export.Code, Help: "who said so"},
		{Name: "reason", Form: export.Prose, Help: "why"},
		{Name: "at", Form: export.Code, Help: "when, UTC"},
		{Name: "record", Form: export.Figure, Help: "place in the log"},
		{Name: "withdrawn_reason", Form: export.Prose, Help: "why it was taken back"},
	}}
	for i := range v.list {
		m := &v.list[i]
		by, holds := "", "no"
		if m.By.OK {
			by = m.By.V.String()
		}
		if m.Holds() {
			holds = "yes"
		}
		t.Rows = append(t.Rows, []export.Cell{export.Integer(m.ID), export.Text(string(m.Kind)), export.Text(m.Artifact.String()), export.Optional(by), export.Text(holds),
			export.Text(m.Author), export.Text(m.Reason), export.Text(Moment(m.AtUS)), export.Integer(m.LogIndex), export.Optional(m.WithdrawnReason)})
	}
	return t
}

// ArtifactStanding is what people said of an artifact, and the forms to say more.
type ArtifactStanding struct {
	Digest, Short string
	Rows          []MarkLine
	Signed        []SignedLine // sign-offs that name it
	May           bool
	Fault         string
	Typed         map[string]string
}

// BuildArtifactStanding is the panel of an artifact's page.
func BuildArtifactStanding(d evidence.Digest, marks []signoff.Mark, signed []SignedLine, may bool) ArtifactStanding {
	v := ArtifactStanding{Digest: d.String(), Short: d.Short(), Signed: signed, May: may}
	for i := range marks {
		v.Rows = append(v.Rows, markLine(&marks[i], may))
	}
	return v
}
