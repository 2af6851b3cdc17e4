package view

import (
	"cmp"
	"slices"
	"strings"

	"assay/store/evidence"
)

// column is one metric and statistic of a table.
type column struct {
	metric evidence.Metric
	stat   evidence.Stat
	scale  Scale
	n      evidence.Opt[int64] // of every figure, when they agree
	agree  bool
	first  bool
	label  string
}

// unit is the unit of the column's head, "" where the title says it.
func (c *column) unit() string {
	if strings.Contains(strings.ToLower(c.metric.Title), c.scale.Unit) {
		return ""
	}
	return c.scale.Unit
}

// leading metrics stand first: what a table of runs is read for.
var leading = []evidence.MetricID{
	evidence.OutputThroughput, evidence.OutputChunkThroughput, evidence.TotalThroughput, evidence.RequestThroughput, evidence.Goodput,
	evidence.PassRate, evidence.WER, evidence.CER, evidence.RTF, evidence.Latency,
}

// metricRank orders metrics for reading; unknown ones last.
func metricRank(id evidence.MetricID) int {
	if i := slices.Index(leading, id); i >= 0 {
		return i
	}
	for i := range evidence.Metrics {
		if evidence.Metrics[i].ID == id {
			return len(leading) + i
		}
	}
	return len(leading) + len(evidence.Metrics)
}

// briefStats are the statistics of a brief table, by what a run has.
func briefStats(have map[evidence.Stat]bool) []evidence.Stat {
	var stats []evidence.Stat
	for _, s := range []evidence.Stat{evidence.Total, evidence.P50, evidence.P95, evidence.Single} {
		if have[s] {
			stats = append(stats, s)
		}
	}
	if len(stats) > 0 {
		return stats
	}
	for _, s := range evidence.Stats {
		if have[s] {
			return []evidence.Stat{s}
		}
	}
	for s := range have {
		stats = append(stats, s)
	}
	slices.Sort(stats)
	return stats
}

// mostBrief is how many columns of figures a brief table has at most.
const mostBrief = 10

// chooseColumns lists a table's columns and names what it leaves to the runs' pages.
func chooseColumns(runs []evidence.RunRow, brief bool) ([]column, string) {
	have := make(map[evidence.MetricID]map[evidence.Stat]bool)
	rows := make(map[evidence.MetricID]int)
	for i := range runs {
		seen := make(map[evidence.MetricID]bool)
		for j := range runs[i].Measurements {
			m := &runs[i].Measurements[j]
			if m.Role != evidence.Primary {
				continue
			}
			if have[m.Metric] == nil {
				have[m.Metric] = make(map[evidence.Stat]bool)
			}
			have[m.Metric][m.Stat] = true
			if !seen[m.Metric] {
				seen[m.Metric] = true
				rows[m.Metric]++
			}
		}
	}
	ids := make([]evidence.MetricID, 0, len(have))
	for id := range have {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b evidence.MetricID) int {
		return cmp.Or(metricRank(a)-metricRank(b), strings.Compare(string(a), string(b)))
	})
	var cols []column
	var left []string
	for _, id := range ids {
		metric, ok := evidence.LookupMetric(id)
		if !ok {
			metric = evidence.Metric{ID: id, Title: plain(string(id), maxName), Better: evidence.Neither}
		}
		stats := allStats(have[id])
		if brief {
			if saidTwice(id, have, runs) {
				left = leftStats(left, metric.Title, stats, nil)
				continue
			}
			if 2*rows[id] < len(runs) {
				left = append(left, metric.Title+" ("+Int(int64(rows[id]))+" of "+Int(int64(len(runs)))+" runs)")
				continue
			}
			some := briefStats(have[id])
			if len(cols)+len(some) > mostBrief {
				left = leftStats(left, metric.Title, stats, nil)
				continue
			}
			left = leftStats(left, metric.Title, stats, some)
			stats = some
		}
		for i, s := range stats {
			cols = append(cols, column{metric: metric, stat: s, first: i == 0})
		}
	}
	measure(cols, runs)
	return cols, strings.Join(left, "; ")
}

// saidTwice reports whether a brief table says a metric another way already: the time
// per token by the decode rate, the pass rate of a load by its outcome.
func saidTwice(id evidence.MetricID, have map[evidence.MetricID]map[evidence.Stat]bool, runs []evidence.RunRow) bool {
	switch id {
	case evidence.TPOT:
		return have[evidence.DecodeRate] != nil
	case evidence.PassRate:
		return len(have) > 1 && outcome(&runs[0]) != nil
	}
	return false
}

func allStats(have map[evidence.Stat]bool) []evidence.Stat {
	var stats, other []evidence.Stat
	for _, s := range evidence.Stats {
		if have[s] {
			stats = append(stats, s)
		}
	}
	for s := range have {
		if !slices.Contains(evidence.Stats, s) {
			other = append(other, s)
		}
	}
	slices.Sort(other)
	return append(stats, other...)
}

func leftStats(left []string, title string, all, some []evidence.Stat) []string {
	var names []string
	for _, s := range all {
		if !slices.Contains(some, s) {
			names = append(names, statWord(s))
		}
	}
	if len(names) == 0 {
		return left
	}
	return append(left, title+" "+strings.Join(names, ", "))
}

// measure gives every column its scale: the unit from all statistics of the metric,
// the decimals from the column.
func measure(cols []column, runs []evidence.RunRow) {
	units := make(map[evidence.MetricID]Scale)
	values := make([][]float64, len(cols))
	byMetric := make(map[evidence.MetricID][]float64)
	unitOf := make(map[evidence.MetricID]evidence.Unit)
	for i := range cols {
		c := &cols[i]
		c.agree = true
		for j := range runs {
			m, ok := runs[j].Primary(c.metric.ID, c.stat)
			if !ok {
				continue
			}
			unitOf[c.metric.ID] = m.Unit
			if len(values[i]) == 0 {
				c.n = m.N
			} else if c.n != m.N {
				c.agree = false
			}
			values[i] = append(values[i], valuesOf(&m.Measurement)...)
		}
		byMetric[c.metric.ID] = append(byMetric[c.metric.ID], values[i]...)
	}
	for id, all := range byMetric {
		units[id] = ScaleFor(unitOf[id], all...)
	}
	for i := range cols {
		s := units[cols[i].metric.ID]
		s.decimals = s.decimalsFor(values[i])
		cols[i].scale = s
		cols[i].label = columnLabel(cols[i])
	}
}

func valuesOf(m *evidence.Measurement) []float64 {
	var v []float64
	for _, o := range []evidence.Opt[float64]{m.Value, m.Lower, m.Upper} {
		if o.OK {
			v = append(v, o.V)
		}
	}
	return v
}

func columnLabel(c column) string {
	label := c.metric.Title
	if u := c.unit(); u != "" {
		label += ", " + u
	}
	return label + " " + statWord(c.stat)
}

// statWords say what a statistic is; one observation is no median.
var statWords = map[evidence.Stat]string{
	evidence.Single: "one observation", evidence.Total: "total", evidence.Max: "largest", evidence.Min: "smallest",
	evidence.Std: "standard deviation",
}

func statWord(s evidence.Stat) string {
	if w, ok := statWords[s]; ok {
		return w
	}
	return plain(string(s), maxName)
}

var betterWords = map[evidence.Direction]string{evidence.Higher: "higher is better", evidence.Lower: "lower is better"}

func heads(cols []column) []HeadGroup {
	var groups []HeadGroup
	for i := range cols {
		c := &cols[i]
		if c.first {
			groups = append(groups, HeadGroup{Title: c.metric.Title, Unit: c.unit(), Better: betterWords[c.metric.Better]})
		}
		g := &groups[len(groups)-1]
		g.Stats = append(g.Stats, HeadStat{Name: statWord(c.stat), Note: columnNote(c)})
	}
	return groups
}

// columnNote says how many observations stand behind a column, when all its figures
// agree; otherwise each cell says it.
func columnNote(c *column) string {
	switch {
	case c.stat == evidence.Single || c.stat == evidence.Total || !c.agree:
		return ""
	case !c.n.OK:
		return "n not recorded"
	}
	return "n " + Int(c.n.V)
}
