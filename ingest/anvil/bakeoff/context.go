package bakeoff

import (
	"strconv"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// fallback is the time in seconds below which a visible answer took no time at all. This
// writer's two clock readings may lie a few microseconds apart.
const fallback = 0.01e-3

// contextRow is one request at one context.
type contextRow struct {
	lift.Val
	run             *lift.Run
	target, planned evidence.Opt[int64]
	passed, visible bool
	usage           bool // output_tokens is usage, not chunks
	ttfo            bool
	output          evidence.Opt[int64] // as the row counts it
}

// context reads the context requests, one run each.
func (b *bakeoff) context() {
	v := b.Block(b.Top.Get("context"))
	b.Expect(v, "max_model_len", "cap_tokens", "targets")
	b.Fact(&b.arm.Facts, evidence.KeyServedContext, v.Get("max_model_len"))
	if c := v.Get("cap_tokens"); c.Is(jsondoc.Null) {
		b.Find(evidence.Info, lift.CodeNull, c, "no value: not recorded")
	} else {
		b.PeekInt(c)
	}
	for _, row := range b.List(v.Get("targets")).Items() {
		if !row.Is(jsondoc.Object) {
			b.Find(evidence.Warning, lift.CodeNotText, row, "a context request was expected")
			continue
		}
		b.contextRow(row)
	}
}

func (b *bakeoff) contextRow(v lift.Val) {
	b.Expect(v, "target_tokens", "clamped_tokens", "attempted_context_tokens", "estimated_prompt_tokens", "status")
	r := &contextRow{Val: v, passed: v.Get("status").Str() == "passed", visible: true, usage: v.Get("output_token_source").Str() == "usage"}
	r.target, r.planned = b.OptInt(v.Get("target_tokens")), b.OptInt(v.Get("attempted_context_tokens"))
	r.ttfo = v.Get("time_to_first_output_ms").OK()
	one := evidence.Some[int64](1)
	name := "context"
	if r.target.OK {
		name += " " + strconv.FormatInt(r.target.V, 10)
	}
	r.run = b.arm.NewRun(name, lift.LoadClass(r.target, one), v)
	r.run.N = one
	b.gate(name, v)
	b.rowFacts(r)
	b.rows = append(b.rows, r)
	r.run.Status = b.rowStatus(v.Get("status"))
	if v.Get("error").OK() {
		b.Note(evidence.Failure, name, v.Get("error"))
	}
	if !v.Get("ttft_ms").OK() && !v.Get("e2e_ms").OK() {
		r.run.Status = evidence.RunFailed
		if r.passed {
			b.Find(evidence.Warning, lift.CodeMissing, v, "a request that passed and was not timed")
		}
		return
	}
	b.Expect(v, "ttft_ms", "e2e_ms", "output_tokens", "usage")
	b.rowFigures(r)
}

// rowStatus is how a context request ended. An unknown word settles nothing.
func (b *bakeoff) rowStatus(v lift.Val) evidence.RunStatus {
	switch strings.ReplaceAll(strings.ToLower(v.Str()), "-", "_") {
	case "", "passed", "pass", "ok", "completed", "measured":
		return evidence.Measured
	case "failed", "fail", "error", "timeout", "rejected":
		return evidence.RunFailed
	case "not_run", "skipped", "missing", "not_measured", "pending":
		return evidence.NotRun
	}
	b.Find(evidence.Warning, CodeStatus, v, "%q is no status that we know: the request is kept and never compared", lift.Clip(v.Str()))
	return evidence.RunUnresolved
}

// rowFacts puts the shape of the request.
func (b *bakeoff) rowFacts(r *contextRow) {
	f := &r.run.Facts
	b.Derive(f, evidence.KeyConcurrency, "1", ruleWriter, lift.Val{P: r.P})
	b.Derive(f, evidence.KeyRequests, "1", ruleOneByOne, lift.Val{P: r.P})
	b.Fact(f, evidence.KeyContextTarget, r.Get("target_tokens"))
	b.Fact(f, evidence.KeyPlannedContext, r.Get("attempted_context_tokens"))
	b.Fact(f, evidence.KeyCalibrated, r.Get("chars_per_token"))
	b.Words(f, evidence.KeyRunStatus, r.Get("status"))
	b.PeekInt(r.Get("estimated_prompt_tokens"))
	if n, ok := b.PeekInt(r.Get("clamped_tokens")); ok && r.planned.OK {
		b.AgreeCount(r.Get("clamped_tokens"), n, r.planned.V, "attempted", r.Get("attempted_context_tokens").P)
	}
	if r.target.OK && r.planned.OK && r.target.V != r.planned.V {
		b.Find(evidence.Warning, lift.CodeClamped, r.Get("attempted_context_tokens"), "the target is %d, attempted were %d", r.target.V, r.planned.V)
	}
	b.boundary(f, r)
}

// boundary reads where generation, decode and effective prefill start: from the fields
// of the time to first output, in the row or beside the percentiles over the rows.
func (b *bakeoff) boundary(f *[]evidence.Fact, r *contextRow) {
	if chat := b.chatTTFO; !r.ttfo && chat.OK() {
		b.Derive(f, evidence.KeyTimingBoundary, "ttfo", ruleFields, lift.Val{P: chat.P})
	} else if r.ttfo {
		b.Derive(f, evidence.KeyTimingBoundary, "ttfo", ruleFields, lift.Val{P: r.P})
	} else {
		b.Derive(f, evidence.KeyTimingBoundary, "ttft", ruleFields, lift.Val{P: r.P})
	}
}

// countsUsage reports whether the row's own count is what usage says.
func (r *contextRow) countsUsage() bool {
	n, ok := lift.PeekNumber(r.Path("usage", "completion_tokens"), "count")
	return ok && r.output.OK && float64(r.output.V) == n
}

// rowFigures lifts the figures of the request, each a single observation.
func (b *bakeoff) rowFigures(r *contextRow) {
	b.tokens(r)
	single := func(name string, m evidence.MetricID, unit string) *evidence.Measurement {
		return b.Lift(r.run, r.Get(name), lift.Want{Metric: m, Stat: evidence.Single, Unit: unit})
	}
	ttft, ok1 := lift.PeekNumber(r.Get("ttft_ms"), "ms")
	e2e, ok2 := lift.PeekNumber(r.Get("e2e_ms"), "ms")
	chunks, counted := b.PeekInt(r.Get("content_chunks"))
	r.visible = !(ok1 && ok2 && e2e-ttft < fallback || r.output.OK && r.output.V == 0 || counted && chunks == 0)
	if ok1 && ok2 && ttft > e2e {
		b.Find(evidence.Warning, lift.CodeRow, r.Get("ttft_ms"), "the first visible output comes after the end")
	}
	if r.visible {
		single("ttft_ms", evidence.TTFT, "ms")
	} else {
		b.Find(evidence.Warning, lift.CodeNoVisible, r.Get("ttft_ms"), "no visible output: what is stored as TTFT is the E2E time")
		b.Absent(r.run, r.Get("ttft_ms"), lift.Want{Metric: evidence.TTFT, Stat: evidence.Single, Unit: "ms"}, lift.RuleNoVisible)
	}
	first := single("time_to_first_output_ms", evidence.TTFO, "ms")
	end := single("e2e_ms", evidence.E2E, "ms")
	generation := single("generation_ms", evidence.Generation, "ms")
	prefill := single("effective_prefill_tok_s", evidence.EffectivePrefillRate, "tok/s")
	decode := b.counted(r, "decode_tok_s", evidence.DecodeRate, "tok/s")
	itl := b.counted(r, "mean_inter_token_latency_ms", evidence.TPOT, "ms")
	if first == nil {
		first = r.run.Primary(evidence.TTFT, evidence.Single)
	}
	end, generation, prefill, decode = refetch(r, end), refetch(r, generation), refetch(r, prefill), refetch(r, decode)
	if first != nil {
		first = r.run.Primary(first.Metric, evidence.Single)
	}
	b.rowIdentities(r, first, end, generation, prefill, decode, refetch(r, itl))
}

// refetch finds a figure again after the slice has grown.
func refetch(r *contextRow, m *evidence.Measurement) *evidence.Measurement {
	if m == nil {
		return nil
	}
	return r.run.Primary(m.Metric, m.Stat)
}

// counted lifts a figure over output that is usage; a rate over chunks is another metric.
func (b *bakeoff) counted(r *contextRow, name string, m evidence.MetricID, unit string) *evidence.Measurement {
	w := lift.Want{Metric: m, Stat: evidence.Single, Unit: unit}
	switch {
	case r.usage:
		return b.Lift(r.run, r.Get(name), w)
	case m == evidence.DecodeRate && r.Get(name).Is(jsondoc.Number):
		w.Metric, w.Unit = evidence.DecodeChunkRate, "chunks/s"
		return b.Lift(r.run, r.Get(name), w)
	}
	b.Absent(r.run, r.Get(name), w, lift.RuleMixed)
	return nil
}

// tokens reads usage and holds the row's own count against it.
func (b *bakeoff) tokens(r *contextRow) {
	f, u := &r.run.Facts, b.ReadUsage(r.Get("usage"))
	w := func(m evidence.MetricID) lift.Want {
		return lift.Want{Metric: m, Stat: evidence.Single, Unit: "tokens"}
	}
	if u.Prompt.OK {
		b.Lift(r.run, u.PromptVal, w(evidence.PromptTokens))
		b.Fact(f, evidence.KeyPromptTokens, u.PromptVal)
		if n, ok := b.PeekInt(r.Get("prompt_tokens")); ok {
			b.AgreeCount(r.Get("prompt_tokens"), n, u.Prompt.V, "usage", u.PromptVal.P)
		}
	}
	if u.Completion.OK {
		b.Lift(r.run, u.CompletionVal, w(evidence.OutputTokens))
		b.Fact(f, evidence.KeyMeanOutput, u.CompletionVal)
	}
	if u.Cached.OK && u.Prompt.OK {
		b.Derive(f, evidence.KeyCachedFraction, lift.Fraction(u.Cached.V, u.Prompt.V), ruleCached, u.CachedVal)
	}
	out := r.Get("output_tokens")
	source := r.Get("output_token_source")
	if source.OK() {
		b.Words(f, evidence.KeyCounting, source)
	} else if out.OK() {
		b.Derive(f, evidence.KeyCounting, "chunks", ruleChunkRule, lift.Val{P: out.P})
	}
	r.output = b.OptInt(out)
	switch {
	case !r.output.OK:
	case r.usage:
		b.Take(out)
		if b.Lift(r.run, out, w(evidence.OutputTokens)); u.Completion.OK {
			b.AgreeCount(out, r.output.V, u.Completion.V, "usage", u.CompletionVal.P)
		}
	default:
		b.Fact(f, evidence.KeyChunks, out)
		if u.Completion.OK && u.Completion.V != r.output.V {
			b.Find(evidence.Warning, lift.CodeChunks, out, "%d are stream chunks, usage counts %d tokens", r.output.V, u.Completion.V)
		}
	}
}

// rowIdentities holds the figures of a request against each other.
func (b *bakeoff) rowIdentities(r *contextRow, first, end, generation, prefill, decode, itl *evidence.Measurement) {
	value := func(m *evidence.Measurement) (float64, bool) {
		if m == nil || !m.Value.OK {
			return 0, false
		}
		return m.Value.V, true
	}
	f, ok1 := value(first)
	e, ok2 := value(end)
	g, ok3 := value(generation)
	if ok1 && ok2 && ok3 {
		b.Agree(generation, e-f, "E2E minus first output", 1e-6, 1e-9, r.P)
	}
	if prompt := r.run.Primary(evidence.PromptTokens, evidence.Single); prompt != nil && ok1 && f > 0 {
		b.Agree(prefill, prompt.Value.V/f, "prompt tokens by first output", 1e-6, 0, r.P)
	}
	if out := r.run.Primary(evidence.OutputTokens, evidence.Single); out != nil && ok3 && g > 0 && out.Value.V > 1 && r.usage {
		b.Agree(decode, (out.Value.V-1)/g, "tokens after the first by generation time", 1e-6, 0, r.P)
		b.Agree(itl, g/(out.Value.V-1), "generation time by tokens after the first", 1e-6, 0, r.P)
	}
	t, ok4 := value(r.run.Primary(evidence.TTFT, evidence.Single))
	if v, ok := lift.PeekNumber(r.Get("visible_generation_ms"), "ms"); ok && ok4 && ok2 && !lift.Near(v, e-t, 1e-6, 1e-9) {
		b.Find(evidence.Warning, lift.CodeRow, r.Get("visible_generation_ms"), "not the E2E time minus the TTFT")
	}
	if ok1 && ok4 && f > t {
		b.Find(evidence.Warning, lift.CodeRow, r.Get("time_to_first_output_ms"), "the first output comes after the first visible one")
	}
}

// targets are the contexts of the timed requests as a shape: "8192 32768".
func (b *bakeoff) targets(timed []*contextRow) string {
	var parts []string
	for _, r := range timed[:min(len(timed), 64)] {
		parts = append(parts, strconv.FormatInt(r.target.V, 10))
	}
	return strings.Join(parts, " ")
}
