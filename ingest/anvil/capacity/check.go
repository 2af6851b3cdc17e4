package capacity

import (
	"math"
	"time"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// check holds the file against itself.
func (c *capacity) check() {
	if v := c.Top.Get("wall_clock_ms"); v.OK() {
		if f, ok := c.Number(v, "ms"); ok && f.V > 0 {
			c.wall = evidence.Some(f.V)
			c.Put(&c.run.Facts, evidence.Fact{Key: evidence.KeyDuration, Value: evidence.FormatDecimal(f.V), State: evidence.Recorded,
				Place: evidence.At(v.P), SourceText: f.Text})
		} else if ok {
			c.Find(evidence.Warning, lift.CodeImpossible, v, "a run takes time")
		}
	}
	c.samples()
	c.stamped()
	if len(c.rows) == 0 {
		if !c.none() {
			c.Find(evidence.Info, lift.CodeSummaryOnly, c.Top, "summary only: there are no request rows to recompute it from")
		}
		c.plausible()
		return
	}
	c.indices()
	c.recompute()
	c.recount()
	c.clock()
}

// samples holds the numbers of observations against the completed requests.
func (c *capacity) samples() {
	for _, name := range []string{"ttft_samples", "prompt_token_samples"} {
		v := c.metrics.Get(name)
		if n, ok := c.PeekInt(v); ok && c.completed.OK {
			c.AgreeCount(v, n, c.completed.V, "completed", c.Top.Get("completed").P)
		}
	}
	out, ok := c.PeekInt(c.metrics.Get("output_tokens"))
	if !ok || !c.completed.OK || c.none() {
		return
	}
	at := c.metrics.Get("output_tokens")
	if c.cap.OK && c.completed.V > 0 && out/c.completed.V > c.cap.V {
		c.Find(evidence.Warning, lift.CodeCount, at, "%d output tokens of %d requests exceed the cap of %d each", out, c.completed.V, c.cap.V)
	}
	if out < c.completed.V {
		c.Find(evidence.Warning, lift.CodeCount, at, "%d output tokens for %d completed requests: less than one each", out, c.completed.V)
	}
}

// stamped holds the stamps of the run against its id and its wall time.
func (c *capacity) stamped() {
	id, started := c.Top.Get("run_id"), c.Top.Get("started_at")
	if at, _, _ := lift.Stamp(id.Str()); len(id.Str()) < 200 && started.Str() != "" && at != started.Str() {
		c.Find(evidence.Warning, lift.CodeDiffers, id, "the run id names the time %q, started_at %q", at, cutText(started.Str()))
	}
	start, end, ok := c.stamps()
	if !ok && started.OK() {
		c.Find(evidence.Warning, lift.CodeNotText, started, "started_at and finished_at are no two times")
	}
	if !ok || !c.wall.OK {
		return
	}
	if d := end.Sub(start); math.Abs(d.Seconds()-c.wall.V) > (1010 * time.Millisecond).Seconds() {
		c.Find(evidence.Warning, lift.CodeDiffers, c.Top.Get("wall_clock_ms"), "a wall time of %s s between stamps that are %s apart",
			evidence.FormatDecimal(c.wall.V), d)
	}
}

// indices are a permutation over the requests; planned contexts of the rows are part of
// the distribution.
func (c *capacity) indices() {
	seen := make(map[int64]bool, len(c.run.Samples))
	for i := range c.run.Samples {
		s := &c.run.Samples[i]
		at := lift.Val{P: s.Place.Pointer}
		if seen[s.Index] {
			c.Find(evidence.Warning, lift.CodeCount, at, "request %d occurs twice", s.Index)
		}
		seen[s.Index] = true
		if c.requests.OK && s.Index >= c.requests.V {
			c.Find(evidence.Warning, lift.CodeCount, at, "request %d of %d", s.Index, c.requests.V)
		}
	}
	if c.completed.OK {
		c.AgreeCount(c.Top.Get("completed"), c.completed.V, int64(len(c.rows)), "the number of rows", c.Top.Get("request_timings").P)
	}
	planned := c.Top.Get("context_distribution")
	if !planned.Is(jsondoc.Object) {
		return
	}
	left := make(map[string]int64, planned.Len())
	for name, n := range planned.Members() {
		left[name], _ = c.PeekInt(n)
	}
	for i := range c.rows {
		p := c.rows[i].planned
		if !p.OK {
			continue
		}
		name := evidence.FormatDecimal(float64(p.V))
		if left[name]--; left[name] < 0 {
			c.Find(evidence.Warning, lift.CodeCount, c.rows[i].Get("planned_context_tokens"), "%s tokens are not in the planned distribution", name)
		}
	}
}

// recompute takes every stored percentile again from the rows.
func (c *capacity) recompute() {
	from := c.Top.Get("request_timings").P
	for _, f := range figures {
		var values []float64
		for i := range c.rows {
			if v := f.value(&c.rows[i]); v.OK {
				values = append(values, v.V)
			}
		}
		sorted := lift.Sorted(values)
		for _, s := range []struct {
			stat evidence.Stat
			q    int
		}{{evidence.P50, 50}, {evidence.P95, 95}} {
			m := c.stored(c.metrics.Get(f.name(s.stat)).P)
			how := string(s.stat) + " by " + string(c.method())
			c.Agree(m, lift.Percentile(sorted, s.q, c.method()), how, 1e-9, 0, from)
		}
	}
}

// stored is the measurement that was read from a place.
func (c *capacity) stored(p evidence.Pointer) *evidence.Measurement {
	for i := range c.run.Measurements {
		if m := &c.run.Measurements[i]; m.Place.Pointer == p {
			return m
		}
	}
	return nil
}

// recount adds the rows up.
func (c *capacity) recount() {
	from := c.Top.Get("request_timings").P
	var out, prompt, content, reasoning int64
	usage := true
	for i := range c.rows {
		r := &c.rows[i]
		out, prompt = out+r.sample.OutputTokens.V, prompt+r.sample.PromptTokens.V
		content, reasoning = content+r.contentChunks.V, reasoning+r.reasonings.V
		usage = usage && r.usage
	}
	if usage != (c.counting == "usage") {
		c.Find(evidence.Warning, lift.CodeCount, c.metrics.Get("output_token_sources"), "the rows count output otherwise than the summary says")
	}
	c.Agree(c.stored(c.metrics.Get("prompt_tokens").P), float64(prompt), "sum", 0, 0, from)
	c.Agree(c.stored(c.metrics.Get("output_tokens").P), float64(out), "sum", 0, 0, from)
	if c.wall.OK {
		c.Agree(c.stored(c.metrics.Get("throughput_tok_s").P), float64(out)/c.wall.V, "output tokens by wall time", 1e-6, 0, from)
	}
	for _, x := range []struct {
		name string
		sum  int64
		has  bool
	}{{"content_chunks", content, c.rows[0].contentChunks.OK}, {"reasoning_chunks", reasoning, c.rows[0].reasonings.OK}} {
		v := c.metrics.Get(x.name)
		if n, ok := c.PeekInt(v); ok && x.has {
			c.AgreeCount(v, n, x.sum, "the sum of the rows", from)
		}
	}
	if n, ok := c.PeekInt(c.metrics.Get("reasoning_chunks")); ok && c.shape == ShapeV4 && n == 0 {
		c.Find(evidence.Warning, lift.CodeLabelShape, c.Top.Get("measurement_protocol"), "labelled as a reasoning run without one reasoning chunk")
	}
}

// clock holds the rows against the wall time.
func (c *capacity) clock() {
	if !c.wall.OK {
		return
	}
	var sum float64
	for i := range c.rows {
		e := c.rows[i].sample.E2E
		sum += e.V
		if e.OK && e.V > c.wall.V*(1+1e-9) {
			c.Find(evidence.Warning, lift.CodeRow, c.rows[i].Get("e2e_ms"), "a request of %s s in a run of %s s",
				evidence.FormatDecimal(e.V), evidence.FormatDecimal(c.wall.V))
		}
	}
	if c.concurrency.OK && sum > c.wall.V*float64(c.concurrency.V)*(1+1e-9) {
		c.Find(evidence.Warning, lift.CodeImplausible, c.Top.Get("concurrency"), "requests of %s s in all do not fit a run of %s s at concurrency %d",
			evidence.FormatDecimal(sum), evidence.FormatDecimal(c.wall.V), c.concurrency.V)
	}
}

// plausible holds a rate without rows against the latencies beside it: the wall time
// that it implies is no shorter than the slowest request, and no ten times longer than
// what the requests can fill.
func (c *capacity) plausible() {
	ttft, e2e := c.percentile(evidence.TTFT), c.percentile(evidence.E2E)
	if ttft != nil && e2e != nil && ttft.Value.V > e2e.Value.V {
		c.Find(evidence.Warning, lift.CodeImplausible, lift.Val{P: ttft.Place.Pointer}, "a TTFT above the E2E time")
	}
	for _, m := range []evidence.MetricID{evidence.TTFT, evidence.E2E} {
		p50, p95 := c.run.Primary(m, evidence.P50), c.run.Primary(m, evidence.P95)
		if p50 != nil && p95 != nil && p50.Value.OK && p95.Value.OK && p50.Value.V*100 < p95.Value.V {
			c.Find(evidence.Info, lift.CodeImplausible, lift.Val{P: p50.Place.Pointer}, "a p50 of %s beside a p95 a hundred times as long", m)
		}
	}
	rate := c.stored(c.metrics.Get("throughput_tok_s").P)
	out, ok := c.PeekInt(c.metrics.Get("output_tokens"))
	if rate == nil || !rate.Value.OK || !ok || e2e == nil || !c.completed.OK || !c.concurrency.OK || c.concurrency.V == 0 {
		return
	}
	n, load := float64(c.completed.V), float64(c.concurrency.V)
	wall := float64(out) / rate.Value.V
	least := e2e.Value.V
	if p50 := c.run.Primary(evidence.E2E, evidence.P50); p50 != nil && p50.Value.OK {
		least = math.Max(least, n*p50.Value.V/2/load)
	}
	most := 10 * math.Max(n/load, 1) * e2e.Value.V
	if incomplete := c.requests.OK && c.requests.V > c.completed.V; wall < least*0.98 || wall > most && !incomplete {
		c.Find(evidence.Warning, lift.CodeImplausible, c.metrics.Get("throughput_tok_s"),
			"%d tokens at this rate take %s s, the latencies allow %s to %s s", out, evidence.FormatDecimal(wall),
			evidence.FormatDecimal(least), evidence.FormatDecimal(most))
		rate.State = evidence.Conflict
	}
}

// percentile is the highest point figure of a metric.
func (c *capacity) percentile(m evidence.MetricID) *evidence.Measurement {
	for _, s := range []evidence.Stat{evidence.P95, evidence.P50, evidence.Single} {
		if x := c.run.Primary(m, s); x != nil && x.Value.OK {
			return x
		}
	}
	return nil
}
