package view

import (
	"cmp"
	"slices"

	"assay/store/evidence"
)

// Run is the page of one run.
type Run struct {
	ID     string
	Arm    Text
	Name   string
	Class  string
	Status Badge
	Ended  *Badge // the same where it is not "measured"
	// Unfinished says that what the run printed is no result.
	Unfinished bool
	Campaign   Linked
	Family     string
	Reader     string
	Chip       DigestChip
	Place      Linked // the row, block or sentence the run was read from
	ArmPlace   Linked
	Rejected   *Linked
	Facts      []FactGroup
	Missing    []FactGap // facts that comparisons ask for and no source of the run says
	Figures    []MeasureRow
	Repeats    []MeasureRow // the same figures again, rounded, elsewhere
	Claims     []ClaimRow   // changes that the source publishes
	Samples    []SampleRow
	SamplesN   Pager
	Heads      []string // units of the samples' columns
	SamplesX   Exports
	Exports    Exports
	FactsOut   Exports
}

// MeasureRow is one figure with all that is known about it.
type MeasureRow struct {
	Metric     string
	MetricHref string
	Stat       string
	Method     string
	Cell       Cell
	Unit       string
	N          *Figure
	NWord      string
	State      Badge
	Digits     string // as they stand in the source, with the source's unit
	Place      Linked
	Rule       string
}

// SampleRow is one request.
type SampleRow struct {
	Index   Figure
	Cells   []Cell
	OK      Badge
	Failure Text
}

// SamplesPerPage is how many requests of a run one page shows.
const SamplesPerPage = 50

// SamplesPage is one page of a run's requests.
type SamplesPage struct {
	Page  int               // from 1
	Rows  []evidence.Sample // of this page
	First []evidence.Sample // those that are drawn
	Total int               // how many there are, at least
	Whole bool              // Total is exactly how many there are
}

// BuildRun is the page of a run with one page of its samples.
func BuildRun(r *evidence.RunRow, samples SamplesPage) Run {
	v := Run{
		ID: r.ID, Arm: Words(cmp.Or(r.Arm, r.Name, r.ID), maxName, ""), Class: classTitle(r.Class), Status: runBadge(r.Status),
		Campaign: Linked{Text: Words(r.Campaign, maxName, ""), Href: CampaignURL(r.Campaign, r.Artifact)},
		Family:   orWord(r.Family, "not known"), Reader: plain(r.Reader, maxName), Chip: Chip(r.Artifact),
		Place: placeLink(r.Artifact, r.Place), ArmPlace: placeLink(r.Artifact, r.ArmPlace),
		Facts:    groupFacts(r.Facts, func(evidence.Class) bool { return true }),
		Exports:  ListExports("measurements", RunURL(r.ID), evidence.Filter{Run: r.ID}),
		FactsOut: ListExports("facts", "", evidence.Filter{Run: r.ID}),
	}
	if r.Name != "" && r.Name != r.Arm {
		v.Name = plain(r.Name, maxName)
	}
	if r.Rejected != "" {
		q := Quote(r.Rejected, maxSentence, r.Artifact, r.RejectedPlace)
		v.Rejected = &q
	}
	requests, hasRequests := r.Fact(evidence.KeyRequests)
	for _, m := range sortedMeasurements(r.Measurements) {
		row := measureRow(m, requests, hasRequests)
		switch m.Role {
		case evidence.Claim: // listed as claims
		case evidence.Restated:
			v.Repeats = append(v.Repeats, row)
		default:
			v.Figures = append(v.Figures, row)
		}
	}
	v.Claims = buildClaims([]evidence.RunRow{*r}, []evidence.RunRow{*r})
	v.Ended, v.Unfinished = unmeasured(r.Status), unfinished(r)
	v.addSamples(r, samples)
	return v
}

// placeLink is a place under its own pointer.
func placeLink(d evidence.Digest, p evidence.Place) Linked {
	text := string(p.Pointer)
	if text == "" {
		text = "the whole document"
	}
	return Quote(text, maxName, d, p)
}

// sortedMeasurements orders by metric and statistic, then as the source has them.
func sortedMeasurements(rows []evidence.MeasurementRow) []*evidence.MeasurementRow {
	out := make([]*evidence.MeasurementRow, len(rows))
	for i := range rows {
		out[i] = &rows[i]
	}
	slices.SortStableFunc(out, func(a, b *evidence.MeasurementRow) int {
		return cmp.Or(metricRank(a.Metric)-metricRank(b.Metric), cmp.Compare(a.Metric, b.Metric), statRank(a.Stat)-statRank(b.Stat))
	})
	return out
}

func statRank(s evidence.Stat) int {
	if i := slices.Index(evidence.Stats, s); i >= 0 {
		return i
	}
	return len(evidence.Stats)
}

func measureRow(m *evidence.MeasurementRow, requests evidence.FactRow, hasRequests bool) MeasureRow {
	s := ScaleFor(m.Unit, valuesOf(&m.Measurement)...)
	row := MeasureRow{
		Metric: plain(string(m.Metric), maxName), MetricHref: "/metrics", Stat: statWord(m.Stat), Method: methodName(m.Method),
		Cell: figureCell(s, m), Unit: s.Unit, State: factBadge(m.State), Rule: plain(m.Rule, maxName),
		Place: placeLink(m.Artifact, m.Place), Digits: plain(m.SourceText, maxName),
	}
	if metric, ok := evidence.LookupMetric(m.Metric); ok {
		row.Metric, row.MetricHref = metric.Title, "/metrics#"+string(m.Metric)
	}
	if m.Method == "" {
		row.Method = "not recorded"
		if m.Stat != evidence.P50 && m.Stat != evidence.P95 && m.Stat != evidence.P99 {
			row.Method = "none needed"
		}
	}
	if m.SourceUnit != "" {
		row.Digits += " " + plain(m.SourceUnit, maxName)
	}
	switch {
	case !m.N.OK && m.Stat == evidence.Total:
		row.NWord = "one figure"
	case !m.N.OK:
		row.NWord = "not recorded"
	case hasRequests && requests.Value == evidence.FormatDecimal(float64(m.N.V)):
		f := Fig(Int(m.N.V), requests.Artifact, requests.Place)
		row.N = &f
	default:
		// How many were observed follows from the place and does not stand there.
		f := Fig(Int(m.N.V), m.Artifact, m.Place)
		f.Calc = true
		row.N = &f
	}
	row.Cell.One = false // the n column says it
	row.Cell.Column = "Value"
	return row
}
