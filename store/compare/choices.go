package compare

import (
	"sort"

	"assay/store/evidence"
)

// Choice is a figure that a matrix can show.
type Choice struct {
	Class  string
	Metric evidence.MetricID
	Stat   evidence.Stat
	Runs   int
}

var classOrder = map[string]int{
	evidence.ClassShort: 0, evidence.ClassAggregate: 1, evidence.ClassLong: 2, evidence.ClassStartup: 3,
	evidence.ClassFunctional: 4, evidence.ClassQuality: 5,
	evidence.ClassGeneration: 6, evidence.ClassMedia: 7, evidence.ClassSpeech: 8,
}

// Choices lists the figures of the runs that have a place under the layout, classes
// in reading order, metrics in registry order.
func Choices(runs []evidence.RunRow, layout MatrixSpec) []Choice {
	type id struct {
		class  string
		metric evidence.MetricID
		stat   evidence.Stat
	}
	count := map[id]int{}
	for i := range runs {
		r := &runs[i]
		if _, missing := factors(r, layout); missing != "" {
			continue
		}
		for j := range r.Measurements {
			x := &r.Measurements[j]
			if m, ok := evidence.LookupMetric(x.Metric); ok && m.Comparable && x.Role == evidence.Primary {
				count[id{r.Class, x.Metric, x.Stat}]++
			}
		}
	}
	out := make([]Choice, 0, len(count))
	for k, n := range count {
		out = append(out, Choice{Class: k.class, Metric: k.metric, Stat: k.stat, Runs: n})
	}
	metricAt, statAt := map[evidence.MetricID]int{}, map[evidence.Stat]int{}
	for i, m := range evidence.Metrics {
		metricAt[m.ID] = i
	}
	for i, s := range evidence.Stats {
		statAt[s] = i
	}
	rank := func(c Choice) [3]int {
		o, ok := classOrder[c.Class]
		if !ok {
			o = len(classOrder)
		}
		return [3]int{o, metricAt[c.Metric], statAt[c.Stat]}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := rank(out[i]), rank(out[j])
		if a != b {
			for k := range a {
				if a[k] != b[k] {
					return a[k] < b[k]
				}
			}
		}
		return out[i].Class < out[j].Class
	})
	return out
}

// HasMatrix reports whether runs spread over a layout: at least two placed arms that
// differ in the group or the column.
func HasMatrix(runs []evidence.RunRow, layout MatrixSpec) bool {
	seen := map[[2]string]bool{}
	for i := range runs {
		if v, missing := factors(&runs[i], layout); missing == "" {
			seen[[2]string{v.group, v.col}] = true
		}
	}
	return len(seen) >= 2
}
