package claims

import (
	"fmt"

	"assay/store/evidence"
)

// ascending are the statistics that never fall, in order.
var ascending = []evidence.Stat{evidence.Min, evidence.P0p1, evidence.P1, evidence.P5, evidence.P10, evidence.P25, evidence.P50,
	evidence.P75, evidence.P90, evidence.P95, evidence.P99, evidence.P99p9, evidence.Max}

// order checks that the percentiles of every metric of every run do not fall, as one
// answer for the document.
func (s *sheet) order() {
	var at []evidence.Pointer
	var wrong []Figure
	checked := 0
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		byStat := map[evidence.MetricID]map[evidence.Stat]figure{}
		var metrics []evidence.MetricID
		for _, f := range s.of(r) {
			if byStat[f.m.Metric] == nil {
				byStat[f.m.Metric] = map[evidence.Stat]figure{}
				metrics = append(metrics, f.m.Metric)
			}
			byStat[f.m.Metric][f.m.Stat] = f
		}
		for _, m := range metrics {
			var last figure
			for _, stat := range ascending {
				f, ok := byStat[m][stat]
				if !ok {
					continue
				}
				if last.m != nil {
					checked++
					at = append(at, last.m.Place.Pointer, f.m.Place.Pointer)
					if f.value < last.value && len(wrong) < 2*maxShown {
						wrong = append(wrong, last.as("input"), f.as("input"))
					}
				}
				last = f
			}
		}
	}
	if checked == 0 {
		return
	}
	c := s.claim(Order, nil, evidence.At(common(at...)))
	c.What, c.Formula, c.Verdict, c.Inputs = "percentiles of every metric of every run in ascending order", "p50 <= p95 <= p99", Holds, wrong
	c.Note = fmt.Sprintf("%d neighbours compared", checked)
	if len(wrong) > 0 {
		c.Verdict, c.Note = Fails, c.Note+"; those that fall are listed"
	}
	s.add(c)
}

// of are the primary figures of a run.
func (s *sheet) of(r *evidence.RunRow) []figure {
	var out []figure
	for j := range r.Measurements {
		if m := &r.Measurements[j]; m.Role == evidence.Primary {
			if f, ok := figureOf(r, m); ok {
				out = append(out, f)
			}
		}
	}
	return out
}
