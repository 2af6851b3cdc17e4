package view

import (
	"assay/store/compare"
	"assay/store/evidence"
)

// DistributionView is the requests of several runs in one metric.
type DistributionView struct {
	ID    string
	Title string // "TTFT, ms"
	Rows  []DistributionRow
	Lines []DistributionLine
}

// DistributionRow is one run as the table says it.
type DistributionRow struct {
	Mark          string
	Name          Linked
	N             Figure
	Failed        string
	P50, P95, P99 DistributionValue
}

// DistributionValue is a percentile, or why there is none.
type DistributionValue struct{ Text, Why string }

// DistributionLine is one run's steps in the reading unit.
type DistributionLine struct {
	Mark   string
	Name   string
	Points [][2]float64
}

// DrawnRun is a run whose samples a comparison draws.
type DrawnRun struct {
	Run     *evidence.RunRow
	Samples []evidence.Sample
}

// distributionRuns bounds the runs of one drawing.
const distributionRuns = 12

// DistributionRuns are the heads of the control and of the arms that may be compared with
// it in a metric, and the metrics of the comparison that can be drawn that way.
func DistributionRuns(c *compare.Comparison) map[evidence.MetricID][]*evidence.RunRow {
	out := map[evidence.MetricID][]*evidence.RunRow{}
	for _, m := range compare.Distributed {
		var runs []*evidence.RunRow
		for i := range c.Arms {
			if len(runs) < distributionRuns && showsMetric(c, i, m) {
				runs = append(runs, c.Arms[i].Repeats.Head())
			}
		}
		if len(runs) > 0 {
			out[m] = append([]*evidence.RunRow{c.Control.Repeats.Head()}, runs...)
		}
	}
	return out
}

// showsMetric: every figure of the metric in the comparison may be shown for the arm, and
// there is one.
func showsMetric(c *compare.Comparison, arm int, m evidence.MetricID) bool {
	have := false
	for j := range c.Figures {
		if c.Figures[j].Metric != m {
			continue
		}
		if !c.Arms[arm].Cells[j].Verdict.Shows() {
			return false
		}
		have = true
	}
	return have
}

// BuildDistribution draws the requests of runs in one metric; nil unless two of them have
// enough.
func BuildDistribution(m evidence.MetricID, runs []DrawnRun) *DistributionView {
	info, _ := evidence.LookupMetric(m)
	var drawn []*evidence.RunRow
	var all []compare.Distribution
	var values []float64
	for _, r := range runs {
		d := compare.DistributionOf(r.Samples, m)
		if d.N < 2 {
			continue
		}
		drawn, all = append(drawn, r.Run), append(all, d)
		values = append(values, d.Steps[0].X, d.Steps[len(d.Steps)-1].X)
	}
	if len(drawn) < 2 {
		return nil
	}
	s := ScaleFor(info.Unit, values...)
	v := &DistributionView{ID: "dist-" + string(m), Title: titled(info.Title, s.Unit)}
	names := apartNames(drawn)
	for i := range all {
		d := &all[i]
		mark := letter(i)
		row := DistributionRow{Mark: mark, Name: Quote(names[i], maxName, drawn[i].Artifact, drawn[i].Place), N: CountFig(int64(d.N), RunURL(drawn[i].ID)+"#samples")}
		if d.Failed > 0 {
			row.Failed = Plural(int64(d.Failed), "failed request", "failed requests") + " left out"
		}
		row.P50, row.P95, row.P99 = percentileCell(s, d.P50), percentileCell(s, d.P95), percentileCell(s, d.P99)
		line := DistributionLine{Mark: mark, Name: names[i]}
		for _, p := range d.Steps {
			line.Points = append(line.Points, [2]float64{s.Value(p.X), p.Share * 100})
		}
		v.Rows, v.Lines = append(v.Rows, row), append(v.Lines, line)
	}
	return v
}

func percentileCell(s Scale, o evidence.Opt[float64]) DistributionValue {
	if !o.OK {
		return DistributionValue{Why: "too few requests"}
	}
	return DistributionValue{Text: s.Format(o.V)}
}
