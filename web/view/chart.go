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
	Title string
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
	Low      float64 // 0 for a point value
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

// HeadlineBars picks the throughput that a campaign's first table of several arms is
// about. An arm is drawn only if it may be compared with every arm drawn before it.
// It returns nil when there are not two such arms.
func HeadlineBars(runs []evidence.RunRow) *BarChart {
	for _, id := range leading {
		for _, t := range throughputGroups(runs, id) {
			if c := barsOf(t, id); c != nil {
				return c
			}
		}
	}
	return nil
}

// throughputGroups are the runs that one part of a source lists together and that
// have the total of a metric.
func throughputGroups(runs []evidence.RunRow, id evidence.MetricID) [][]*evidence.RunRow {
	type key struct {
		artifact    evidence.Digest
		part, class string
	}
	var order []key
	by := map[key][]*evidence.RunRow{}
	for i := range runs {
		r := &runs[i]
		if m, ok := r.Primary(id, evidence.Total); !ok || len(valuesOf(&m.Measurement)) == 0 {
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

func barsOf(runs []*evidence.RunRow, id evidence.MetricID) *BarChart {
	metric, ok := evidence.LookupMetric(id)
	if !ok || !metric.Comparable || len(runs) < leastBars || len(runs) > mostBars {
		return nil
	}
	var values []float64
	for _, r := range runs {
		m, _ := r.Primary(id, evidence.Total)
		values = append(values, valuesOf(&m.Measurement)...)
	}
	scale := ScaleFor(metric.Unit, values...)
	c := &BarChart{Title: metric.Title, Unit: unitWords(scale, metric)}
	q := compare.Question{Metric: id, Stat: evidence.Total}
	var drawn []*evidence.RunRow
	for _, r := range runs {
		if stop := stopping(drawn, r, q); stop != nil {
			c.Left = append(c.Left, BarLeft{Label: armName(r), Why: plain(stop.Reasons[0].Message, maxName), Badge: verdictBadge(stop.Verdict)})
			continue
		}
		drawn = append(drawn, r)
		c.Rows = append(c.Rows, barRow(r, id, scale))
	}
	if len(c.Rows) < leastBars {
		return nil
	}
	return c
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

func barRow(r *evidence.RunRow, id evidence.MetricID, scale Scale) BarRow {
	m, _ := r.Primary(id, evidence.Total)
	cell := figureCell(scale, &m)
	row := BarRow{Label: armName(r), Text: cell.Value.Text, Sub: cell.Sub, High: m.Value.V, One: cell.One, Rejected: r.Rejected != ""}
	if !m.Value.OK {
		row.Interval, row.Low, row.High = true, m.Lower.V, m.Upper.V
		row.Text += " to " + cell.Upper.Text
	}
	if row.Rejected {
		row.Sub = "rejected, cannot win"
	}
	return row
}

// SamplePlot is one figure of every request of a run, in the order of the requests.
type SamplePlot struct {
	Title, Unit string
	Points      []SamplePoint
	Total       int // requests of the run; Points may be fewer
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
func SamplePlots(samples []evidence.Sample, total int) []SamplePlot {
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
		// The axis is in the base unit: a drawing scales nothing.
		p := SamplePlot{Title: metric.Title, Unit: unitWords(Scale{Unit: string(metric.Unit)}, metric), Total: max(total, len(samples))}
		for i := range samples {
			if v := f.of(&samples[i]); v.OK {
				p.Points = append(p.Points, SamplePoint{Index: samples[i].Index, Value: v.V, Text: scale.WithUnit(v.V), OK: samples[i].OK})
			}
		}
		slices.SortStableFunc(p.Points, func(a, b SamplePoint) int { return cmp.Compare(a.Index, b.Index) })
		plots = append(plots, p)
	}
	return plots
}
