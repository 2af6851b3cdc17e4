package capacity

import (
	"assay/ingest/anvil/lift"
	"assay/store/evidence"
)

// ruleRows names figures that no file stores and that its rows give.
const ruleRows = "request-rows"

// fromRows adds what the rows give and the summary has no slot for: the means, and the
// percentiles of output tokens. They are derived, and stand at the rows.
func (c *capacity) fromRows() {
	var done []*row
	for i := range c.rows {
		if c.rows[i].sample.OK {
			done = append(done, &c.rows[i])
		}
	}
	if len(done) < 2 || c.counting != "usage" {
		return // of one request there is no mean; chunks are no tokens
	}
	for _, f := range figures {
		if !f.ttft || !c.noVisible() {
			c.fromRow(done, f.metric, f.value, evidence.Mean)
		}
	}
	c.fromRow(done, evidence.OutputTokens, func(r *row) evidence.Opt[float64] { return asFloat(r.sample.OutputTokens) },
		evidence.Mean, evidence.P50, evidence.P95)
}

// fromRow adds statistics of one member, where every row has it.
func (c *capacity) fromRow(rows []*row, m evidence.MetricID, value func(*row) evidence.Opt[float64], stats ...evidence.Stat) {
	values := make([]float64, 0, len(rows))
	for _, r := range rows {
		v := value(r)
		if !v.OK {
			return
		}
		values = append(values, v.V)
	}
	sorted := lift.Sorted(values)
	info, _ := evidence.LookupMetric(m)
	for _, s := range stats {
		x := evidence.Measurement{Metric: m, Stat: s, Unit: info.Unit, N: evidence.Some(int64(len(values))), State: evidence.Derived,
			Role: evidence.Primary, Rule: ruleRows, Place: evidence.At(c.Top.Get("request_timings").P)}
		v := lift.Sum(sorted) / float64(len(sorted))
		if q, ok := map[evidence.Stat]int{evidence.P50: 50, evidence.P95: 95}[s]; ok {
			v, x.Method = lift.Percentile(sorted, q, c.method()), c.method()
		}
		x.Value, x.SourceText, x.SourceUnit = evidence.Some(v), evidence.FormatDecimal(v), string(info.Unit)
		c.run.Measurements = append(c.run.Measurements, x)
	}
}
