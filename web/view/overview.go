package view

import (
	"cmp"
	"strings"

	"assay/store/evidence"
	"assay/store/export"
)

// Overview is the first page: the campaigns, what waits for a person, what came in.
type Overview struct {
	Filter    CampaignFilter
	Campaigns []CampaignLine
	Total     int
	Pager     Pager
	Labels    []string // labels seen on this page, offered while typing
	Waits     []Wait
	WaitsMore []Wait // lines that lead to the rest of a list
	Counts    CountLine
	Arrivals  []Arrival
	Exports   Exports
	Empty     bool // nothing at all came in yet
	Chips     []FilterChip
	More      bool // something narrows the list that stands among the further filters
	Signing   bool // decisions can be signed here
	Signed    []SignedLine
}

// CampaignFilter is what the list of campaigns is narrowed to.
type CampaignFilter struct {
	Text, Label string
	Narrow
}

// CampaignParams are what the list is narrowed by beside text and label.
var CampaignParams = []string{"model", "engine", "gpu", "protocol", "family", "from", "to"}

// pairs are the parameters of the address, for the page and its downloads.
func (f CampaignFilter) pairs(more ...string) []string {
	return append([]string{"text", f.Text, "label", f.Label}, f.Narrow.pairs(more...)...)
}

// Narrowed reports whether anything narrows the list.
func (f CampaignFilter) Narrowed() bool { return f.Text != "" || f.Label != "" || f.Narrow.Narrowed() }

// CampaignLine is one campaign of the list.
type CampaignLine struct {
	Title    Text
	Href     string
	Sub      string
	Labels   []Text
	Gates    []GateMark
	Tally    string
	Kept     string
	HasFiles bool
	Evidence string // address of the campaign's evidence
	Chips    []DigestChip
	MoreArts int
	Promote  Badge
	Signed   []SignedLine

	row *evidence.CampaignRow
}

// GateMark is one square of a strip.
type GateMark struct {
	Badge Badge
	Label string
}

// Wait is something that a person has to look at.
type Wait struct {
	Badge      Badge
	Text, Href string
	After      string
}

// CountLine is how the inputs ended.
type CountLine struct{ Accepted, Archived, Quarantined, Pending int64 }

const (
	mostGateMarks = 40
	mostLabels    = 12
	maxTitle      = 80 // characters of a campaign's title in a list
	maxLabel      = 60 // characters of a decision label there
	// CampaignsPerPage is how many campaigns the overview lists.
	CampaignsPerPage = 50
	// WaitsShown is how many quarantined files the overview names.
	WaitsShown = 5
	// ArrivalsShown is how many arrivals the overview lists.
	ArrivalsShown = 8
)

// OverviewData is what the overview is built from.
type OverviewData struct {
	Filter      CampaignFilter
	Page        int
	Campaigns   []evidence.CampaignRow
	Total       int
	Quarantined []evidence.ArtifactRow
	QuarTotal   int
	Arrivals    []evidence.ArrivalRow
	Counts      evidence.Counts
}

// BuildOverview is the first page.
func BuildOverview(d *OverviewData) Overview {
	at := func(p string) string { return Query("/", d.Filter.pairs("page", p)...) }
	v := Overview{
		Filter: d.Filter, Total: d.Total, Campaigns: CampaignLines(d.Campaigns),
		Pager:   BuildPager(d.Page, CampaignsPerPage, d.Total, at),
		Counts:  CountLine{d.Counts.Accepted, d.Counts.Archived, d.Counts.Quarantined, d.Counts.Pending},
		Exports: PageExports("/campaigns", at(pageWord(d.Page)), d.Filter.pairs()...),
		Chips:   d.Filter.Narrow.chips("/", "text", d.Filter.Text, "label", d.Filter.Label), More: d.Filter.Narrow.Narrowed(),
		Empty: d.Counts.Artifacts == 0,
	}
	v.Labels = seenLabels(d.Campaigns)
	for i := range d.Arrivals {
		v.Arrivals = append(v.Arrivals, buildArrival(&d.Arrivals[i]))
	}
	v.waits(d)
	return v
}

// CampaignLines are the lines of the campaign list.
func CampaignLines(rows []evidence.CampaignRow) []CampaignLine {
	lines := make([]CampaignLine, 0, len(rows))
	for i := range rows {
		lines = append(lines, campaignLine(&rows[i]))
	}
	return lines
}

func campaignLine(c *evidence.CampaignRow) CampaignLine {
	l := CampaignLine{
		Title: Words(cmp.Or(c.Title, c.ID), maxTitle, ""), Href: CampaignURL(c.ID, c.Artifacts...),
		Tally: gateTally(c.Gates), Promote: promotionBadge(c.Promotion), row: c,
	}
	l.Sub = strings.Join([]string{
		cmp.Or(observed(c.Observed), "date not recorded"), Plural(int64(c.Documents), "document", "documents"),
		Plural(int64(c.Arms), "arm", "arms"), Plural(int64(c.Runs), "run", "runs"),
	}, ", ")
	for i, label := range c.Labels {
		if i == mostLabels {
			break
		}
		l.Labels = append(l.Labels, Words(label, maxLabel, ""))
	}
	for i := range c.Gates {
		if i == mostGateMarks {
			break
		}
		g := &c.Gates[i]
		b := gateBadge(g.Status)
		l.Gates = append(l.Gates, GateMark{Badge: b, Label: plain(g.Name, maxName) + ": " + b.Word})
	}
	l.Kept, l.HasFiles = Int(int64(c.Retained))+" of "+Plural(int64(c.References), "file", "files"), c.References > 0
	l.Evidence = l.Href + "/evidence"
	for i, d := range c.Artifacts {
		if i == 1 {
			l.MoreArts = len(c.Artifacts) - 1
			break
		}
		l.Chips = append(l.Chips, Chip(d))
	}
	return l
}

// promotionBadge is what the source says; nothing here promotes.
func promotionBadge(flag string) Badge {
	switch flag {
	case "":
		return Badge{Kind: "plain", Glyph: "absent", Word: "not spoken of"}
	case "false":
		return Badge{Kind: "plain", Glyph: "gate-missing", Word: "not authorised"}
	case "true":
		return Badge{Kind: "caveat", Glyph: "caveat", Word: "authorised in the source"}
	}
	return Badge{Kind: "gate-open", Glyph: "gate-unresolved", Word: "unresolved"}
}

func seenLabels(rows []evidence.CampaignRow) []string {
	seen := make(map[string]bool)
	var labels []string
	for i := range rows {
		for _, l := range rows[i].Labels {
			if len(l) <= maxName && !strings.ContainsFunc(l, hidden) && !seen[l] && len(labels) < mostGateMarks {
				seen[l] = true
				labels = append(labels, l)
			}
		}
	}
	return labels
}

// waits lists what a person has to look at: quarantined files, gates that no word of
// the source settles, inputs that were kept and not read.
func (v *Overview) waits(d *OverviewData) {
	for i := range d.Quarantined {
		a := &d.Quarantined[i]
		name := "sha256:" + a.Digest.Short()
		if len(a.Names) > 0 {
			base, _ := splitName(orWord(a.Names[0], "no name"))
			name = base.String()
		}
		v.Waits = append(v.Waits, Wait{
			Badge: endBadge(evidence.Quarantined), Text: name, Href: IntakeURL(a.Digest),
			After: Plural(int64(a.Findings), "finding", "findings"),
		})
	}
	if more := d.QuarTotal - len(d.Quarantined); more > 0 {
		v.WaitsMore = append(v.WaitsMore, Wait{Badge: endBadge(evidence.Quarantined),
			Text: Int(int64(more)) + " more", Href: Query("/intake", "state", string(evidence.Quarantined)), After: "in quarantine"})
	}
	if d.Counts.Pending > 0 {
		v.Waits = append(v.Waits, Wait{Badge: endBadge(evidence.Pending),
			Text: Plural(d.Counts.Pending, "file", "files"), Href: Query("/intake", "state", string(evidence.Pending)), After: "kept, read at the next intake"})
	}
	for i := range d.Campaigns {
		c := &d.Campaigns[i]
		open := 0
		for j := range c.Gates {
			if gateRank(c.Gates[j].Status) == gateRank(evidence.GateUnresolved) {
				open++
			}
		}
		if open > 0 {
			v.Waits = append(v.Waits, Wait{
				Badge: gateBadge(evidence.GateUnresolved), Text: plain(cmp.Or(c.Title, c.ID), maxTitle),
				Href: CampaignURL(c.ID, c.Artifacts...) + "#gates", After: Plural(int64(open), "gate", "gates") + " neither passed nor failed",
			})
		}
	}
}

// CampaignTable is the list of campaigns as a file.
func CampaignTable(lines []CampaignLine) export.Table {
	t := export.Table{Title: "Campaigns", Columns: []export.Column{
		{Name: "campaign", Form: export.Code, Help: "campaign id"},
		{Name: "title", Help: "for people"},
		{Name: "observed", Form: export.Code, Help: "date or time as it stands"},
		{Name: "documents", Form: export.Figure, Help: "documents read"},
		{Name: "arms", Form: export.Figure, Help: "configurations under test"},
		{Name: "runs", Form: export.Figure, Help: "runs"},
		{Name: "labels", Help: "decision labels in source order"},
		{Name: "gates", Form: export.Figure, Help: "gates the sources list"},
		{Name: "passed", Form: export.Figure, Help: "gates whose whole word is a pass"},
		{Name: "stopped", Form: export.Figure, Help: "gates failed or rejected"},
		{Name: "unresolved", Form: export.Figure, Help: "gates with a scoped or unknown word"},
		{Name: "missing", Form: export.Figure, Help: "gates missing or not run"},
		{Name: "references", Form: export.Figure, Help: "files the sources name"},
		{Name: "retained", Form: export.Figure, Help: "of these, files in the archive"},
		{Name: "promotion_authorized", Form: export.Code, Help: "the source's flag; absent when no source speaks of it"},
		{Name: "artifacts", Form: export.Code, Help: "SHA-256 of the artifacts"},
	}}
	for i := range lines {
		c := lines[i].row
		var n [5]int
		for j := range c.Gates {
			n[gateRank(c.Gates[j].Status)]++
		}
		digests := make([]string, len(c.Artifacts))
		for j, d := range c.Artifacts {
			digests[j] = d.String()
		}
		t.Rows = append(t.Rows, []export.Cell{
			export.Text(c.ID), export.Optional(c.Title), export.Optional(c.Observed), export.Integer(c.Documents), export.Integer(c.Arms),
			export.Integer(c.Runs), export.Words(c.Labels), export.Integer(len(c.Gates)), export.Integer(n[4]), export.Integer(n[0] + n[1]),
			export.Integer(n[2]), export.Integer(n[3]), export.Integer(c.References), export.Integer(c.Retained),
			export.Optional(c.Promotion), export.Words(digests),
		})
	}
	return t
}
