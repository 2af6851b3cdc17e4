package view

import (
	"assay/store/evidence"
	"assay/store/export"
)

// addSamples lists requests; every column has one unit and equal decimals.
func (v *Run) addSamples(r *evidence.RunRow, page SamplesPage) {
	if page.Total == 0 {
		return
	}
	samples, at := page.Rows, func(p string) string { return Query(RunURL(r.ID), "samples", p) }
	if page.Whole {
		v.SamplesN = BuildPager(page.Page, SamplesPerPage, page.Total, at)
	} else {
		v.SamplesN = OpenPager(page.Page, SamplesPerPage, len(samples), at)
	}
	v.SamplesX = PageExports(RunURL(r.ID)+"/samples", RunURL(r.ID)+"#samples")
	cols := sampleColumns(samples)
	for _, c := range cols {
		v.Heads = append(v.Heads, c.head)
	}
	for i := range samples {
		s := &samples[i]
		row := SampleRow{Index: Fig(Int(s.Index), r.Artifact, s.Place), OK: Badge{Kind: "plain", Glyph: "recorded", Word: "completed"}}
		if !s.OK {
			row.OK = Badge{Kind: "blocked", Glyph: "gate-failed", Word: "failed"}
		}
		row.Failure = Words(s.Failure, maxValue, PlaceURL(r.Artifact, s.Place))
		for _, c := range cols {
			if o := c.value(s); o.OK {
				row.Cells = append(row.Cells, Cell{Column: c.head, Value: Fig(c.scale.Format(o.V), r.Artifact, s.Place)})
			} else {
				row.Cells = append(row.Cells, Cell{Column: c.head, Absent: "not recorded"})
			}
		}
		v.Samples = append(v.Samples, row)
	}
}

type sampleColumn struct {
	head  string
	value func(*evidence.Sample) evidence.Opt[float64]
	scale Scale
}

func whole(o evidence.Opt[int64]) evidence.Opt[float64] {
	return evidence.Opt[float64]{V: float64(o.V), OK: o.OK}
}

// sampleColumns are the columns that at least one sample fills.
func sampleColumns(samples []evidence.Sample) []sampleColumn {
	all := []struct {
		title string
		unit  evidence.Unit
		value func(*evidence.Sample) evidence.Opt[float64]
	}{
		{"Start", evidence.Seconds, func(s *evidence.Sample) evidence.Opt[float64] { return s.Start }},
		{"TTFT", evidence.Seconds, func(s *evidence.Sample) evidence.Opt[float64] { return s.TTFT }},
		{"TTFO", evidence.Seconds, func(s *evidence.Sample) evidence.Opt[float64] { return s.TTFO }},
		{"Generation", evidence.Seconds, func(s *evidence.Sample) evidence.Opt[float64] { return s.Generation }},
		{"E2E", evidence.Seconds, func(s *evidence.Sample) evidence.Opt[float64] { return s.E2E }},
		{"Prompt", evidence.Tokens, func(s *evidence.Sample) evidence.Opt[float64] { return whole(s.PromptTokens) }},
		{"Output", evidence.Tokens, func(s *evidence.Sample) evidence.Opt[float64] { return whole(s.OutputTokens) }},
		{"Cached", evidence.Tokens, func(s *evidence.Sample) evidence.Opt[float64] { return whole(s.CachedTk) }},
	}
	var cols []sampleColumn
	for _, c := range all {
		var values []float64
		for i := range samples {
			if o := c.value(&samples[i]); o.OK {
				values = append(values, o.V)
			}
		}
		if len(values) == 0 {
			continue
		}
		scale := ScaleFor(c.unit, values...)
		cols = append(cols, sampleColumn{head: c.title + ", " + scale.Unit, value: c.value, scale: scale})
	}
	return cols
}

// SampleTable is the requests of a run as a file, in base units.
func SampleTable(r *evidence.RunRow, samples []evidence.Sample) export.Table {
	t := export.Table{Title: "Requests of " + plain(r.ID, maxName), Columns: []export.Column{
		{Name: "run", Form: export.Code, Help: "run id"},
		{Name: "request", Form: export.Figure, Help: "index of the request"},
		{Name: "start", Form: export.Figure, Help: "seconds from the run's start"},
		{Name: "ttft", Form: export.Figure, Help: "seconds"},
		{Name: "ttfo", Form: export.Figure, Help: "seconds"},
		{Name: "generation", Form: export.Figure, Help: "seconds"},
		{Name: "e2e", Form: export.Figure, Help: "seconds"},
		{Name: "prompt_tokens", Form: export.Figure, Help: "as the API reports them"},
		{Name: "output_tokens", Form: export.Figure, Help: "from server usage"},
		{Name: "cached_tokens", Form: export.Figure, Help: "of the prompt"},
		{Name: "ok", Form: export.Code, Help: "whether the request completed"},
		{Name: "failure", Help: "the source's word"},
		{Name: "artifact", Form: export.Code, Help: "SHA-256 of the artifact"},
		{Name: "pointer", Form: export.Code, Help: "JSON Pointer to the request"},
		{Name: "reader", Form: export.Code, Help: "reader and its version"},
	}}
	for i := range samples {
		s := &samples[i]
		t.Rows = append(t.Rows, []export.Cell{
			export.Text(r.ID), export.Integer(s.Index), export.Value(s.Start), export.Value(s.TTFT), export.Value(s.TTFO), export.Value(s.Generation),
			export.Value(s.E2E), export.Count(s.PromptTokens), export.Count(s.OutputTokens), export.Count(s.CachedTk), export.Flag(s.OK),
			export.Optional(s.Failure), export.Text(r.Artifact.String()), export.Text(s.Place.Pointer), export.Text(r.Reader),
		})
	}
	return t
}
