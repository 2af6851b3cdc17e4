package capacity

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// figure is one pair of percentiles as the writer names it.
type figure struct {
	before, after string // member name around p50 or p95
	metric        evidence.MetricID
	unit          string
	decode        bool // counted from output tokens
	ttft          bool
	value         func(*row) evidence.Opt[float64]
}

func (f figure) name(stat evidence.Stat) string { return f.before + string(stat) + f.after }

// figures of every generation, in the order they are listed.
var figures = []figure{
	{before: "ttft_", after: "_ms", metric: evidence.TTFT, unit: "ms", ttft: true, value: func(r *row) evidence.Opt[float64] { return r.sample.TTFT }},
	{before: "time_to_first_output_", after: "_ms", metric: evidence.TTFO, unit: "ms", value: func(r *row) evidence.Opt[float64] { return r.sample.TTFO }},
	{before: "e2e_", after: "_ms", metric: evidence.E2E, unit: "ms", value: func(r *row) evidence.Opt[float64] { return r.sample.E2E }},
	{before: "generation_", after: "_ms", metric: evidence.Generation, unit: "ms", value: func(r *row) evidence.Opt[float64] { return r.sample.Generation }},
	{before: "effective_prefill_tok_s_", metric: evidence.EffectivePrefillRate, unit: "tok/s", value: func(r *row) evidence.Opt[float64] { return r.prefill }},
	{before: "decode_tok_s_", metric: evidence.DecodeRate, unit: "tok/s", decode: true, value: func(r *row) evidence.Opt[float64] { return r.decode }},
	{before: "mean_inter_token_latency_ms_", metric: evidence.TPOT, unit: "ms", decode: true, value: func(r *row) evidence.Opt[float64] { return r.itl }},
	{before: "prompt_tokens_", metric: evidence.PromptTokens, unit: "tokens", value: func(r *row) evidence.Opt[float64] { return asFloat(r.sample.PromptTokens) }},
}

func asFloat(n evidence.Opt[int64]) evidence.Opt[float64] {
	if !n.OK {
		return evidence.None[float64]()
	}
	return evidence.Some(float64(n.V))
}

// summary lifts every stored figure under the definition of its generation.
func (c *capacity) summary() {
	c.Expect(c.metrics, "ttft_p50_ms", "ttft_p95_ms", "e2e_p50_ms", "e2e_p95_ms", "output_tokens", "throughput_tok_s", "prefix_cache_hit_avg")
	if !c.legacy() {
		c.Expect(c.metrics, "ttft_samples", "content_chunks", "content_chunks_s", "output_token_sources")
	}
	if c.timed() {
		c.Expect(c.metrics, "prompt_tokens", "prompt_token_samples")
		for _, f := range figures[3:] {
			c.Expect(c.metrics, f.name(evidence.P50), f.name(evidence.P95))
		}
	}
	if c.ttfo {
		c.Expect(c.metrics, "time_to_first_output_p50_ms", "time_to_first_output_p95_ms", "reasoning_chunks")
	}
	if c.none() && c.metrics.Get("e2e_p50_ms").Is(jsondoc.Null) {
		c.Find(evidence.Info, lift.CodeNull, c.metrics, "no request completed: there is no figure")
	}
	for _, f := range figures {
		for _, stat := range []evidence.Stat{evidence.P50, evidence.P95} {
			c.liftFigure(f, stat)
		}
	}
	c.totals()
	c.InOrder(c.run)
}

func (c *capacity) liftFigure(f figure, stat evidence.Stat) {
	v := c.metrics.Get(f.name(stat))
	w := lift.Want{Metric: f.metric, Stat: stat, Method: c.method(), Unit: f.unit, N: c.observations(f)}
	if f.decode && c.counting != "usage" {
		c.chunked(v, &w)
	}
	mixed := w.Metric == ""
	if mixed {
		w.Metric, w.Unit = f.metric, f.unit
	}
	switch {
	case !v.OK():
	case c.none() && v.Is(jsondoc.Null):
		c.Absent(c.run, v, w, lift.RuleNull)
	case f.ttft && !isZero(v) && c.noVisible():
		c.Find(evidence.Warning, lift.CodeNoVisible, v, "a request of this run has no visible output: its E2E time stands among the TTFTs")
		c.Absent(c.run, v, w, lift.RuleNoVisible)
	case isZero(v):
		c.Find(evidence.Warning, lift.CodeFalseZero, v, "0 stands for a figure that was not measured")
		c.Absent(c.run, v, w, lift.RuleFalseZero)
	case mixed:
		w.Method = ""
		c.Absent(c.run, v, w, lift.RuleMixed)
	default:
		c.Lift(c.run, v, w)
	}
}

// chunked turns a figure that counts output into the one that counts chunks; there is
// none where the counting is mixed, or where a gap between chunks would be told as TPOT.
func (c *capacity) chunked(v lift.Val, w *lift.Want) {
	if c.counting == "chunks" && w.Metric == evidence.DecodeRate {
		w.Metric, w.Unit = evidence.DecodeChunkRate, "chunks/s"
		return
	}
	if !v.Is(jsondoc.Null) {
		w.Metric = ""
	}
}

func (c *capacity) none() bool { return c.completed.OK && c.completed.V == 0 }

func isZero(v lift.Val) bool {
	f, ok := lift.PeekNumber(v, "count")
	return ok && f == 0
}

// observations is how many requests are behind a figure.
func (c *capacity) observations(f figure) evidence.Opt[int64] {
	name := ""
	switch f.metric {
	case evidence.TTFT:
		name = "ttft_samples"
	case evidence.PromptTokens, evidence.EffectivePrefillRate:
		name = "prompt_token_samples"
	}
	if v := c.metrics.Get(name); v.OK() {
		if n, ok := c.PeekInt(v); ok {
			return evidence.Some(n)
		}
	}
	return c.completed
}

// noVisible reports whether an answer without visible output stands among the TTFTs.
func (c *capacity) noVisible() bool {
	for i := range c.rows {
		if !c.rows[i].visible {
			return true
		}
	}
	if len(c.rows) > 0 {
		return false
	}
	for _, stat := range []evidence.Stat{evidence.P50, evidence.P95} {
		ttft, ok1 := lift.PeekNumber(c.metrics.Get(figures[0].name(stat)), "ms")
		e2e, ok2 := lift.PeekNumber(c.metrics.Get(figures[2].name(stat)), "ms")
		if ok1 && ok2 && e2e-ttft < fallback && ttft-e2e < fallback {
			return true
		}
	}
	return false
}

// totals lifts the figures that a run has one of.
func (c *capacity) totals() {
	rate, out, prompt := c.metrics.Get("throughput_tok_s"), c.metrics.Get("output_tokens"), c.metrics.Get("prompt_tokens")
	w := lift.Want{Metric: evidence.OutputThroughput, Stat: evidence.Total, Unit: "tok/s"}
	if c.counting == "chunks" {
		w.Metric, w.Unit = evidence.OutputChunkThroughput, "chunks/s"
	}
	tokens := lift.Want{Metric: evidence.OutputTokens, Stat: evidence.Total, Unit: "tokens"}
	switch {
	case isZero(rate):
		c.Find(evidence.Warning, lift.CodeFalseZero, rate, "0 stands for a rate that was not measured: %d requests completed", c.completed.V)
		c.Absent(c.run, rate, w, lift.RuleFalseZero)
	case c.counting == "mixed" || c.none():
		c.Find(evidence.Warning, lift.CodeImplausible, rate, "a rate that no completed request, or no one way of counting, stands behind")
		c.Absent(c.run, rate, w, lift.RuleMixed)
	default:
		c.Lift(c.run, rate, w)
	}
	switch {
	case c.none():
		c.Absent(c.run, out, tokens, lift.RuleFalseZero)
	case c.counting == "usage":
		c.Lift(c.run, out, tokens)
	default:
		c.Int(out) // a fact of the run: chunks are no tokens
	}
	if c.none() && (prompt.Is(jsondoc.Null) || isZero(prompt)) {
		rule := lift.RuleNull
		if isZero(prompt) {
			rule = lift.RuleFalseZero
		}
		c.Absent(c.run, prompt, lift.Want{Metric: evidence.PromptTokens, Stat: evidence.Total, Unit: "tokens"}, rule)
		return
	}
	c.Lift(c.run, prompt, lift.Want{Metric: evidence.PromptTokens, Stat: evidence.Total, Unit: "tokens", N: c.observations(figures[7])})
}
