package sglang

import (
	"strings"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// readServing reads one row of bench_serving.
func readServing(b *lift.Builder) { serving(b, true) }

// rawRows are the members that hold one item for each request.
var rawRows = []string{"input_lens", "output_lens", "ttfts", "itls", "cached_tokens", "start_times", "generated_texts", "errors"}

func serving(b *lift.Builder, rows bool) {
	b.Protocol("sglang bench_serving", evidence.Linear, "first send to last response, ramp and drain included")
	top := b.Top()
	var arm lift.Facts
	backend := top.Get("backend")
	backend.Fact(&arm, evidence.KeyClientBackend)
	serverInfo(top.Get("server_info"), &arm)
	top.Get("tag").Fact(&b.Doc.Facts, evidence.FactKey("label"))

	run := b.NewRun("run", top, evidence.Linear)
	run.N = top.Get("completed").Count()
	load(b, top, run)
	outcome(b, top, run)
	rates(b, top, run)
	itl := evidence.ITLChunk
	if backend.Str() == "sglang" {
		itl = evidence.ITLToken
	}
	families := map[string]evidence.MetricID{"ttft_ms": evidence.TTFT, "tpot_ms": evidence.TPOT, "e2e_latency_ms": evidence.E2E, "itl_ms": itl}
	top.Members(func(name string, m lift.Obj) {
		stat, rest, ok := lift.StatPrefix(name)
		metric, known := families[rest]
		switch {
		case !ok || !known:
		case metric == itl:
			run.FigureN(m, metric, stat, "ms", evidence.None[int64]())
		default:
			run.Figure(m, metric, stat, "ms")
		}
	})
	acceptance(b, top, run)
	if rows {
		details(top, run)
	}
	if !run.Void {
		run.Ordered()
		fits(top, run)
	}
	name := []string{}
	for _, f := range arm {
		if f.Key == evidence.KeyModel || f.Key == evidence.KeyClientBackend {
			name = append(name, f.Value)
		}
	}
	b.Arm(evidence.Arm{Name: lift.Clip(strings.Join(name, " · ")), Place: top.Place(), Facts: arm}, run)
	b.Title("SGLang bench_serving")
}

// load records the traffic. The random_* members mean nothing for other data sets.
func load(b *lift.Builder, o lift.Obj, run *lift.Run) {
	f := &run.Facts
	set := o.Get("dataset_name")
	set.Fact(f, evidence.KeyPromptSet)
	o.Get("request_rate").Fact(f, evidence.KeyRequestRate)
	o.Get("max_concurrency").FactOrNull(f, evidence.KeyConcurrency, "unlimited")
	ratio := o.Get("random_range_ratio")
	switch {
	case strings.HasPrefix(set.Str(), "random"):
		o.Get("random_input_len").Fact(f, evidence.KeyContextTarget)
		o.Get("random_output_len").Fact(f, evidence.KeyOutputCap)
		if ratio.There() {
			ratio.Derive(f, evidence.KeyLengthSpread, "uniform from "+ratio.Show()+" x length to length", "sglang range ratio")
			ratio.Take()
		}
	case set.Str() == "sharegpt":
		o.Get("sharegpt_output_len").Fact(f, evidence.KeyOutputCap)
	}
	o.SkipMembers(evidence.ReasonEcho, "random_input_len", "random_output_len", "random_range_ratio", "sharegpt_output_len",
		"gsp_num_groups", "gsp_prompts_per_group", "gsp_system_prompt_len", "gsp_question_len", "gsp_output_len", "seed", "num_prompts_asked")
	mean := evidence.None[float64]()
	if in, ok := o.Get("total_input_tokens").Float(); ok && run.N.OK && run.N.V > 0 {
		mean = evidence.Some(in / float64(run.N.V))
	}
	run.Class = lift.Class(o.Get("max_concurrency").Number(), mean)
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
}

func outcome(b *lift.Builder, o lift.Obj, run *lift.Run) {
	f := &run.Facts
	completed := o.Get("completed")
	completed.Fact(f, evidence.KeyCompleted)
	o.Get("duration").FactIn(f, evidence.KeyDuration, "s")
	o.Get("total_input_tokens").Fact(f, evidence.KeyInputTokens)
	o.Get("total_output_tokens").Fact(f, evidence.KeyOutputTokens)
	o.Get("concurrency").Fact(f, evidence.KeyMeanConc)
	o.Get("max_concurrent_requests").Fact(f, evidence.KeyPeakConc)
	o.SkipMembers(evidence.ReasonDiagnostic, "total_output_tokens_retokenized", "total_input_text_tokens", "total_input_vision_tokens",
		"max_output_tokens_per_s", "output_throughput_retokenized", "total_throughput_retokenized")
	switch {
	case !run.N.OK:
		b.Find(evidence.Warning, lift.CodeNoCount, completed, "completed is %s: nothing in the row can be checked", completed.Show())
	case run.N.V == 0:
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, completed, "no request completed: the figures in this row are no measurements")
	default:
		lift.Quotient(f, evidence.KeyPromptTokens, o.Get("total_input_tokens"), completed, "total / completed")
		lift.Quotient(f, evidence.KeyMeanOutput, o.Get("total_output_tokens"), completed, "total / completed")
	}
}

func rates(b *lift.Builder, o lift.Obj, run *lift.Run) {
	duration := o.Get("duration")
	in, out := o.Get("total_input_tokens"), o.Get("total_output_tokens")
	for _, r := range []struct {
		name   string
		metric evidence.MetricID
		unit   string
		of     lift.Obj
	}{
		{"request_throughput", evidence.RequestThroughput, "requests/s", o.Get("completed")},
		{"input_throughput", evidence.InputThroughput, "tok/s", in},
		{"output_throughput", evidence.OutputThroughput, "tok/s", out},
	} {
		run.Figure(o.Get(r.name), r.metric, evidence.Total, r.unit)
		if !run.Void {
			b.Rate(r.name, o.Get(r.name), r.of, duration, 1e-4)
		}
	}
	total := o.Get("total_throughput")
	run.Figure(total, evidence.TotalThroughput, evidence.Total, "tok/s")
	d, ok := duration.Float()
	if a, ok1 := in.Float(); ok && ok1 && d > 0 && !run.Void {
		if c, ok2 := out.Float(); ok2 {
			b.Agree("total_throughput", total, (a+c)/d, 1e-4, "(input + output tokens) / duration", in, out, duration)
		}
	}
	latency := o.Get("mean_e2e_latency_ms")
	if ms, ok1 := latency.Float(); ok && ok1 && d > 0 && run.N.OK && !run.Void {
		b.Agree("concurrency", o.Get("concurrency"), ms/1000*float64(run.N.V)/d, 1e-3, "completed * mean latency / duration",
			o.Get("completed"), latency, duration)
	}
}

// acceptance is the server's lifetime average: what ran before counts too.
func acceptance(b *lift.Builder, o lift.Obj, run *lift.Run) {
	a := o.Get("accept_length")
	if v, ok := a.Float(); ok && v < 1 {
		a.Skip(evidence.ReasonVoid)
	} else if run.FigureN(a, evidence.AcceptLength, evidence.Total, "tokens", evidence.None[int64]()) {
		a.Derive(&run.Facts, evidence.KeyAcceptScope, "lifetime", "tool")
	}
	cache := o.Get("cache_report")
	cache.Get("cache_hit_rate_pct").FactIn(&run.Facts, evidence.KeyCachedFraction, "percent")
	if cached, prompt := cache.Get("total_cached_tokens"), cache.Get("total_prompt_tokens"); cached.There() && prompt.There() {
		if c, ok := cached.Float(); ok {
			if p, ok := prompt.Float(); ok && p > 0 {
				b.Agree("cache_hit_rate_pct", cache.Get("cache_hit_rate_pct"), 100*c/p, 1e-3, "100 * cached / prompt tokens", cached, prompt)
			}
		}
	}
	cache.Skip(evidence.ReasonDiagnostic)
}

func fits(o lift.Obj, run *lift.Run) {
	duration, completed := o.Get("duration").Number(), o.Get("completed").Number()
	run.Within(o, duration)
	e2e, gap := run.Typical(evidence.E2E), evidence.TPOT
	for _, m := range []evidence.MetricID{evidence.ITLToken, evidence.ITLChunk} { // old rows have no time per token
		if !run.Typical(gap).OK {
			gap = m
		}
		run.Gaps(o, m, evidence.TPOT)
	}
	if out, ok := o.Get("total_output_tokens").Float(); ok && completed.OK && completed.V > 0 {
		e2e = run.Fits(o, lift.Parts{Whole: evidence.E2E, First: evidence.TTFT, PerToken: gap, Tokens: out / completed.V})
	}
	run.Little(o, e2e, o.Get("max_concurrency").Number(), completed, duration.V, evidence.E2E, evidence.TTFT, gap)
}

// details turns the raw rows into samples.
func details(o lift.Obj, run *lift.Run) {
	outs, ttfts, ins, errors := o.Get("output_lens"), o.Get("ttfts"), o.Get("input_lens"), o.Get("errors")
	var values []float64
	for i := range max(outs.Len(), ttfts.Len()) {
		at := ttfts.Item(i)
		if at.Node == nil {
			at = outs.Item(i)
		}
		s := evidence.Sample{Index: int64(i), Place: at.Place(), PromptTokens: ins.Item(i).Count(), OutputTokens: outs.Item(i).Count(),
			Failure: lift.Clip(errors.Item(i).Str()), CachedTk: o.Get("cached_tokens").Item(i).Count()}
		s.OK = s.Failure == ""
		if v, ok := ttfts.Item(i).Float(); ok && s.OK {
			s.TTFT = evidence.Some(v)
			values = append(values, v)
		}
		run.Samples = append(run.Samples, s)
	}
	if !run.Void {
		run.Recompute(evidence.TTFT, ttfts, values)
	}
	o.SkipMembers(evidence.ReasonRow, "input_lens", "output_lens", "ttfts", "itls", "cached_tokens", "start_times")
}
