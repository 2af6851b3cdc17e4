package view

import (
	"cmp"
	"slices"

	"assay/store/compare"
	"assay/store/evidence"
)

// BarChart is one figure of several arms, in the order of the source: drawn, never
// ranked.
type BarChart struct {
	Title string // "Output throughput", "Decode rate, p50"
	Unit  string // "tok/s, higher is better"
	Rows  []BarRow
	Left  []BarLeft
	// Table is the id of the table that has the same figures.
	Table string
}

// BarRow is one arm.
type BarRow struct {
	Label    string
	Text     string // the figure as the table writes it
	Sub      string
	Low      float64 // in the reading unit; 0 for a point value
	High     float64
	Interval bool
	One      bool
	Rejected bool
}

// BarLeft is an arm that is not drawn, and why.
type BarLeft struct {
	Label, Why string
	Badge      Badge
}

const (
	mostBars  = 16
	leastBars = 2
)

// drawnFirst are the metrics that a drawing is about, the most telling first.
var drawnFirst = []evidence.MetricID{
	evidence.OutputThroughput, evidence.OutputChunkThroughput, evidence.DecodeRate, evidence.DecodeChunkRate, evidence.E2E,
	evidence.TTFT, evidence.TTFO, evidence.TotalThroughput, evidence.RequestThroughput, evidence.Goodput, evidence.Latency,
}

// drawnElse are the metrics of quality. They are drawn only where no run has one of the
// others: a row of full bars under "pass rate" says nothing about a load.
var drawnElse = []evidence.MetricID{evidence.WER, evidence.CER, evidence.RTF, evidence.PassRate}

// drawnStats are the statistics that a drawing takes, the first one that the runs have.
var drawnStats = []evidence.Stat{evidence.Total, evidence.P50, evidence.Mean, evidence.Single}

// HeadlineBars picks the figure that a campaign's first table of several arms is about.
// An arm is drawn only if it may be compared with every arm drawn before it, and only
// if its run came to its end. It returns nil when there are not two such arms.
func HeadlineBars(runs []evidence.RunRow) *BarChart {
	metrics := drawnElse
	if slices.ContainsFunc(runs, performs) {
		metrics = drawnFirst
	}
	for _, id := range metrics {
		for _, stat := range drawnStats {
			q := compare.Question{Metric: id, Stat: stat}
			for _, group := range drawnTogether(runs, q) {
				if c := barsOf(group, q); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

// performs reports whether a run has a figure of performance.
func performs(r evidence.RunRow) bool {
	return slices.ContainsFunc(r.Measurements, func(m evidence.MeasurementRow) bool {
		return m.Role == evidence.Primary && slices.Contains(drawnFirst, m.Metric) && len(valuesOf(&m.Measurement)) > 0
	})
}

// drawnTogether are the runs that one part of a source lists together and that have
// the figure.
func drawnTogether(runs []evidence.RunRow, q compare.Question) [][]*evidence.RunRow {
	type key struct {
		artifact    evidence.Digest
		part, class string
	}
	var order []key
	by := map[key][]*evidence.RunRow{}
	for i := range runs {
		r := &runs[i]
		if m, ok := r.Primary(q.Metric, q.Stat); !ok || len(valuesOf(&m.Measurement)) == 0 {
			continue
		}
		k := key{r.Artifact, partOf(r.Place.Pointer), r.Class}
		if by[k] == nil {
			order = append(order, k)
		}
		by[k] = append(by[k], r)
	}
	out := make([][]*evidence.RunRow, len(order))
	for i, k := range order {
		out[i] = by[k]
	}
	return out
}

func barsOf(runs []*evidence.RunRow, q compare.Question) *BarChart {
	metric, ok := evidence.LookupMetric(q.Metric)
	if !ok || !metric.Comparable || len(runs) < leastBars || len(runs) > mostBars {
		return nil
	}
	names := apartNames(runs)
	c := &BarChart{Title: metric.Title}
	if q.Stat != evidence.Total {
		c.Title += ", " + statWord(q.Stat)
	}
	var drawn []*evidence.RunRow
	var labels []string
	var values []float64
	for i, r := range runs {
		if left := leftOut(drawn, r, q); left != nil {
			left.Label = names[i]
			c.Left = append(c.Left, *left)
			continue
		}
		m, _ := r.Primary(q.Metric, q.Stat)
		drawn, labels, values = append(drawn, r), append(labels, names[i]), append(values, valuesOf(&m.Measurement)...)
	}
	if len(drawn) < leastBars {
		return nil
	}
	scale := ScaleFor(metric.Unit, values...)
	c.Unit = unitWords(scale, metric)
	for i, r := range drawn {
		m, _ := r.Primary(q.Metric, q.Stat)
		row := barRow(&m, scale)
		row.Label = labels[i]
		if row.Rejected = r.Rejected != ""; row.Rejected {
			row.Sub = "rejected, cannot win"
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// leftOut says why a run is not drawn beside those drawn before it, nil when it is.
func leftOut(drawn []*evidence.RunRow, r *evidence.RunRow, q compare.Question) *BarLeft {
	if unfinished(r) {
		return &BarLeft{Why: "its run did not come to an end that counts, so what it printed is no result", Badge: runBadge(r.Status)}
	}
	if stop := stopping(drawn, r, q); stop != nil {
		return &BarLeft{Why: plain(stop.Reasons[0].Message, maxName), Badge: verdictBadge(stop.Verdict)}
	}
	return nil
}

// stopping is the first judgement that keeps r out of the drawing.
func stopping(drawn []*evidence.RunRow, r *evidence.RunRow, q compare.Question) *compare.Judgement {
	for _, d := range drawn {
		if j := compare.Judge(d, r, q); !j.Verdict.Shows() {
			return &j
		}
	}
	return nil
}

// barRow is a bar in the reading unit, as its text is.
func barRow(m *evidence.MeasurementRow, scale Scale) BarRow {
	cell := figureCell(scale, m)
	row := BarRow{Text: cell.Value.Text, Sub: cell.Sub, One: cell.One}
	switch {
	case m.Value.OK:
		row.High = scale.Value(m.Value.V)
	case m.Lower.OK && m.Upper.OK:
		row.Interval, row.Low, row.High = true, scale.Value(m.Lower.V), scale.Value(m.Upper.V)
		row.Text += " to " + cell.Upper.Text
	default: // one bound: from there to itself, the words say which
		v := scale.Value(valuesOf(&m.Measurement)[0])
		row.Interval, row.Low, row.High = true, v, v
		row.Text += ", " + cell.Sub
	}
	return row
}

// SamplePlot is one figure of every request of a run, in the order of the requests.
type SamplePlot struct {
	Title, Unit string
	Points      []SamplePoint
}

// SamplePoint is one request.
type SamplePoint struct {
	Index int64
	Value float64
	Text  string
	OK    bool
}

// SamplePlots are the distributions of a run's requests, one plot for each figure:
// two definitions never share an axis. A request without the figure has no point.
func SamplePlots(samples []evidence.Sample) []SamplePlot {
	figures := []struct {
		metric evidence.MetricID
		of     func(*evidence.Sample) evidence.Opt[float64]
	}{
		{evidence.TTFT, func(s *evidence.Sample) evidence.Opt[float64] { return s.TTFT }},
		{evidence.TTFO, func(s *evidence.Sample) evidence.Opt[float64] { return s.TTFO }},
		{evidence.Generation, func(s *evidence.Sample) evidence.Opt[float64] { return s.Generation }},
		{evidence.E2E, func(s *evidence.Sample) evidence.Opt[float64] { return s.E2E }},
	}
	var plots []SamplePlot
	for _, f := range figures {
		metric, _ := evidence.LookupMetric(f.metric)
		var values []float64
		for i := range samples {
			if v := f.of(&samples[i]); v.OK {
				values = append(values, v.V)
			}
		}
		if len(values) < leastBars {
			continue
		}
		scale := ScaleFor(metric.Unit, values...)
		p := SamplePlot{Title: metric.Title, Unit: unitWords(scale, metric)}
		for i := range samples {
			if v := f.of(&samples[i]); v.OK {
				p.Points = append(p.Points, SamplePoint{Index: samples[i].Index, Value: scale.Value(v.V), Text: scale.WithUnit(v.V), OK: samples[i].OK})
			}
		}
		slices.SortStableFunc(p.Points, func(a, b SamplePoint) int { return cmp.Compare(a.Index, b.Index) })
		plots = append(plots, p)
	}
	return plots
}
