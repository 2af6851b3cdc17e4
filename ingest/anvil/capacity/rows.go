package capacity

import (
	"strconv"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// fallback is the time in seconds below which a visible answer took no time at all: the
// stored TTFT is the E2E time of an answer without one.
const fallback = 0.01e-3

// row is one request with what is checked of it. Times are seconds.
type row struct {
	lift.Val
	sample                    evidence.Sample
	planned                   evidence.Opt[int64]
	decode, prefill, itl      evidence.Opt[float64]
	visible, usage            bool
	contentChunks, reasonings evidence.Opt[int64]
}

// first is the boundary of the row: TTFO when the generation has one, else TTFT.
func (r *row) first() evidence.Opt[float64] {
	if r.sample.TTFO.OK {
		return r.sample.TTFO
	}
	return r.sample.TTFT
}

func (c *capacity) readRows() {
	list := c.Top.Get("request_timings")
	if list.OK() && !list.Is(jsondoc.Array) {
		c.Find(evidence.Warning, lift.CodeNotText, list, "request_timings: a list was expected")
	}
	for _, v := range list.Items() {
		if !v.Is(jsondoc.Object) {
			c.Find(evidence.Warning, lift.CodeNotText, v, "a request was expected")
			continue
		}
		c.rows = append(c.rows, c.readRow(v))
		c.run.Samples = append(c.run.Samples, c.rows[len(c.rows)-1].sample)
	}
}

func (c *capacity) readRow(v lift.Val) row {
	c.Expect(v, "request_index", "planned_context_tokens", "prompt_tokens", "output_tokens", "output_token_source", "ttft_ms",
		"generation_ms", "e2e_ms", "effective_prefill_tok_s", "decode_tok_s", "mean_inter_token_latency_ms")
	if c.ttfo {
		c.Expect(v, "time_to_first_output_ms", "visible_generation_ms", "content_chunks", "reasoning_chunks")
	}
	r := row{Val: v, visible: true, usage: v.Get("output_token_source").Str() == "usage"}
	s := &r.sample
	s.OK, s.Place = true, evidence.At(v.P)
	s.Index, _ = c.Int(v.Get("request_index"))
	s.TTFT, s.TTFO = c.Span(v.Get("ttft_ms"), "ms"), c.Span(v.Get("time_to_first_output_ms"), "ms")
	s.Generation, s.E2E = c.Span(v.Get("generation_ms"), "ms"), c.Span(v.Get("e2e_ms"), "ms")
	s.PromptTokens = c.OptInt(v.Get("prompt_tokens"))
	s.OutputTokens = c.OptInt(v.Get("output_tokens"))
	r.planned = peekInt(c, v.Get("planned_context_tokens"))
	r.contentChunks, r.reasonings = peekInt(c, v.Get("content_chunks")), peekInt(c, v.Get("reasoning_chunks"))
	r.decode, r.prefill = peek(v.Get("decode_tok_s"), "tok/s"), peek(v.Get("effective_prefill_tok_s"), "tok/s")
	r.itl = peek(v.Get("mean_inter_token_latency_ms"), "ms")
	if s.TTFT.OK && s.E2E.OK && s.E2E.V-s.TTFT.V < fallback || r.contentChunks.OK && r.contentChunks.V == 0 {
		r.visible = false
		c.Find(evidence.Warning, lift.CodeNoVisible, v.Get("ttft_ms"), "no visible output in this request: what is stored as its TTFT is no TTFT")
		c.Skip(v.Get("ttft_ms"), evidence.ReasonVoid)
		s.TTFT = evidence.None[float64]()
	}
	c.identities(&r)
	return r
}

func peek(v lift.Val, unit string) evidence.Opt[float64] {
	if f, ok := lift.PeekNumber(v, unit); ok {
		return evidence.Some(f)
	}
	return evidence.None[float64]()
}

func peekInt(c *capacity, v lift.Val) evidence.Opt[int64] {
	if n, ok := c.PeekInt(v); ok {
		return evidence.Some(n)
	}
	return evidence.None[int64]()
}

// identities holds the members of a row against each other.
func (c *capacity) identities(r *row) {
	s, first := &r.sample, r.first()
	if c.ttfo && !s.TTFO.OK {
		first = evidence.None[float64]()
	}
	same := func(name string, stored, want evidence.Opt[float64], how string) {
		if stored.OK && want.OK && !lift.Near(stored.V, want.V, 1e-6, 1e-9) {
			c.Find(evidence.Warning, lift.CodeRow, r.Get(name), "%s is stored, but %s is %s (base units)",
				evidence.FormatDecimal(stored.V), how, evidence.FormatDecimal(want.V))
		}
	}
	over := func(a evidence.Opt[float64], b evidence.Opt[float64]) evidence.Opt[float64] {
		if !a.OK || !b.OK || b.V <= 0 {
			return evidence.None[float64]()
		}
		return evidence.Some(a.V / b.V)
	}
	minus := func(a, b evidence.Opt[float64]) evidence.Opt[float64] {
		if !a.OK || !b.OK {
			return evidence.None[float64]()
		}
		return evidence.Some(a.V - b.V)
	}
	count := func(n evidence.Opt[int64], less int64) evidence.Opt[float64] {
		if !n.OK || n.V <= less {
			return evidence.None[float64]()
		}
		return evidence.Some(float64(n.V - less))
	}
	same("generation_ms", s.Generation, minus(s.E2E, first), "E2E minus first output")
	same("visible_generation_ms", peek(r.Get("visible_generation_ms"), "ms"), minus(s.E2E, s.TTFT), "E2E minus TTFT")
	same("decode_tok_s", r.decode, over(count(s.OutputTokens, 1), s.Generation), "tokens after the first by generation time")
	same("mean_inter_token_latency_ms", r.itl, over(s.Generation, count(s.OutputTokens, 1)), "generation time by tokens after the first")
	same("effective_prefill_tok_s", r.prefill, over(count(s.PromptTokens, 0), first), "prompt tokens by first output")
	if s.TTFO.OK && s.TTFT.OK && s.TTFO.V > s.TTFT.V {
		c.Find(evidence.Warning, lift.CodeRow, r.Get("ttft_ms"), "the first visible output precedes the first output")
	}
	if first.OK && s.E2E.OK && first.V > s.E2E.V {
		c.Find(evidence.Warning, lift.CodeRow, r.Get("e2e_ms"), "the request ends before its first output")
	}
	if c.cap.OK && s.OutputTokens.OK && s.OutputTokens.V > c.cap.V {
		c.Find(evidence.Warning, lift.CodeRow, r.Get("output_tokens"), "%d output tokens above the cap of %d", s.OutputTokens.V, c.cap.V)
	}
	if c.served.OK && s.PromptTokens.OK && s.OutputTokens.OK && s.PromptTokens.V+s.OutputTokens.V > c.served.V {
		c.Find(evidence.Warning, lift.CodeRow, r.Get("prompt_tokens"), "%d prompt and %d output tokens exceed the served context of %d",
			s.PromptTokens.V, s.OutputTokens.V, c.served.V)
	}
}

// lengths puts what came out: mean output, share at the cap, how it was counted.
func (c *capacity) lengths() {
	f, total := &c.run.Facts, c.metrics.Get("output_tokens")
	c.countingOf()
	if n, ok := c.PeekInt(total); ok && c.completed.OK && c.completed.V > 0 {
		rule := ruleMean
		if c.counting != "usage" {
			rule = ruleChunkMean
		}
		c.Derive(f, evidence.KeyMeanOutput, lift.Fraction(n, c.completed.V), rule, total)
	}
	c.Fact(f, evidence.KeyChunks, c.metrics.Get("content_chunks"))
	c.Fact(f, evidence.KeyReasonChunks, c.metrics.Get("reasoning_chunks"))
	if v := c.metrics.Get("prompt_tokens_p50"); v.Is(jsondoc.Number) {
		c.Fact(f, evidence.KeyPromptTokens, v)
	}
	if len(c.rows) == 0 || !c.cap.OK {
		return
	}
	var at int64
	for i := range c.rows {
		if o := c.rows[i].sample.OutputTokens; o.OK && o.V >= c.cap.V {
			at++
		}
	}
	rows := c.Top.Get("request_timings")
	c.Derive(f, evidence.KeyShareAtCap, lift.Fraction(at, int64(len(c.rows))), ruleAtCap, lift.Val{P: rows.P})
	if at == int64(len(c.rows)) && at >= 10 {
		c.Derive(f, evidence.KeyCompletionMode, "forced", ruleAtCap, lift.Val{P: rows.P})
	}
}

// countedByRows holds the way of counting against the rows: where they say another one,
// the sum is neither tokens nor chunks.
func (c *capacity) countedByRows(v lift.Val) {
	var other int
	for i := range c.rows {
		if c.rows[i].usage != (c.counting == "usage") && c.rows[i].Get("output_token_source").Str() != "" {
			other++
		}
	}
	if other == 0 || c.counting != "usage" && c.counting != "chunks" {
		return
	}
	c.Find(evidence.Warning, lift.CodeChunks, v, "%d of %d rows count output otherwise than by %s: the sum is neither tokens nor chunks", other, len(c.rows), c.counting)
	c.counting = "mixed"
}

// countingOf tells what feeds output counts and rates.
func (c *capacity) countingOf() {
	f, v := &c.run.Facts, c.Block(c.metrics.Get("output_token_sources"))
	if c.legacy() {
		c.counting = "chunks"
		c.Derive(f, evidence.KeyCounting, c.counting, ruleGeneration, lift.Val{P: c.metrics.P})
		return
	}
	var usage, others int64
	for name, n := range v.Members() {
		k, _ := c.PeekInt(n)
		if name == "usage" {
			usage += k
		} else {
			others += k
		}
	}
	switch {
	case usage > 0 && others == 0:
		c.counting = "usage"
	case usage == 0 && others > 0:
		c.counting = "chunks"
	case usage > 0:
		c.counting = "mixed"
		c.Find(evidence.Warning, lift.CodeChunks, v, "%d requests counted by usage and %d otherwise: the sum is neither tokens nor chunks", usage, others)
	case c.completed.OK && c.completed.V > 0:
		c.Find(evidence.Warning, lift.CodeCount, v, "nothing says how output tokens were counted")
	}
	c.countedByRows(v)
	if c.completed.OK {
		c.AgreeCount(v, usage+others, c.completed.V, "completed", c.Top.Get("completed").P)
	}
	if c.counting != "" {
		c.Derive(f, evidence.KeyCounting, c.counting, ruleSources, v)
	}
	chunks, ok1 := c.PeekInt(c.metrics.Get("content_chunks"))
	out, ok2 := c.PeekInt(c.metrics.Get("output_tokens"))
	if ok1 && ok2 && chunks != out && c.counting == "usage" {
		c.Find(evidence.Info, lift.CodeChunks, c.metrics.Get("content_chunks"),
			"%d visible chunks were streamed for %s output tokens of usage: rates are fed by usage", chunks, strconv.FormatInt(out, 10))
	}
}
