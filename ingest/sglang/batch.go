package sglang

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

// batchShape records one batch and its lengths.
func batchShape(o lift.Obj, run *lift.Run) {
	f := &run.Facts
	o.Get("batch_size").Fact(f, evidence.KeyBatchSize)
	o.Get("input_len").Fact(f, evidence.KeyContextTarget)
	o.Get("output_len").Fact(f, evidence.KeyOutputCap)
	o.Derive(f, evidence.KeyCompletionMode, "forced", "tool")
	o.Get("batch_size").Derive(f, evidence.KeyConcurrency, o.Get("batch_size").Show(), "one batch")
	run.Class = lift.Class(o.Get("batch_size").Number(), o.Get("input_len").Number())
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
	run.N = evidence.Some[int64](1)
}

// product multiplies members; false when one is missing.
func product(of ...lift.Obj) (float64, bool) {
	p := 1.0
	for _, o := range of {
		v, ok := o.Float()
		if !ok {
			return 0, false
		}
		p *= v
	}
	return p, true
}

// readServer reads bench_one_batch_server: one batch against a running server. The
// figures have formulas of their own, which are checked.
func readServer(b *lift.Builder) {
	b.Protocol("sglang bench_one_batch_server", "", "one batch")
	o := b.Top()
	run := b.NewRun(o.Get("run_name").Str(), o, "")
	batchShape(o, run)
	latency, ttft := o.Get("latency"), o.Get("last_ttft")
	none := evidence.None[int64]()
	run.FigureN(latency, evidence.BatchLatency, evidence.Single, "s", run.N)
	run.FigureN(ttft, evidence.TTFT, evidence.Max, "s", o.Get("batch_size").Count())
	run.FigureN(o.Get("input_throughput"), evidence.PrefillThroughput, evidence.Single, "tok/s", run.N)
	run.FigureN(o.Get("output_throughput"), evidence.DecodeThroughput, evidence.Single, "tok/s", run.N)
	run.FigureN(o.Get("overall_throughput"), evidence.BatchThroughput, evidence.Single, "tok/s", run.N)
	acc := o.Get("acc_length")
	if v, ok := acc.Float(); ok && v < 1 {
		acc.Skip(evidence.ReasonVoid) // -1.0 stands for none
	} else if run.FigureN(acc, evidence.AcceptLength, evidence.Total, "tokens", none) {
		acc.Derive(&run.Facts, evidence.KeyAcceptScope, "lifetime", "tool")
	}
	if c := o.Get("cache_hit_rate"); c.There() {
		if v, ok := c.Float(); ok && v >= 0 && v <= 1 {
			c.Fact(&run.Facts, evidence.KeyCachedFraction)
		} else {
			b.Find(evidence.Warning, lift.CodeUnitSuspect, c, "cache_hit_rate is %s: a share lies between 0 and 1", c.Show())
		}
	}
	o.SkipMembers(evidence.ReasonDiagnostic, "last_gen_throughput")
	ttft.Derive(&run.Facts, evidence.KeyTimingBoundary, "first token of the last request", "tool")
	serverFits(b, o, run)
	name := "SGLang server, model not recorded"
	b.Arm(evidence.Arm{Name: name, Place: o.Place()}, run)
	b.Title("SGLang bench_one_batch_server")
}

func serverFits(b *lift.Builder, o lift.Obj, run *lift.Run) {
	size, in, out := o.Get("batch_size"), o.Get("input_len"), o.Get("output_len")
	latency, ttft := o.Get("latency"), o.Get("last_ttft")
	t, ok1 := latency.Float()
	first, ok2 := ttft.Float()
	if !ok1 || t <= 0 {
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, latency, "latency is %s: nothing was timed", latency.Show())
		return
	}
	if ok2 && first > t {
		b.Find(evidence.Warning, lift.CodeUnitSuspect, ttft, "last_ttft %s is longer than the latency %s of the whole batch", ttft.Show(), latency.Show())
		b.Doubt(ttft, latency)
	}
	if p, ok := product(size, in); ok && ok2 && first > 0 {
		b.Agree("input_throughput", o.Get("input_throughput"), p/first, 1e-2, "batch * input / last_ttft", size, in, ttft)
	}
	if p, ok := product(size, out); ok && ok2 && t > first {
		b.Agree("output_throughput", o.Get("output_throughput"), p/(t-first), 1e-2, "batch * output / (latency - last_ttft)", size, out, latency, ttft)
	}
	i, okIn := product(size, in)
	p, okOut := product(size, out)
	if okIn && okOut {
		b.Agree("overall_throughput", o.Get("overall_throughput"), (i+p)/t, 1e-2, "batch * (input + output) / latency", size, in, out, latency)
	}
}

// readOneBatch reads bench_one_batch: the engine's loop without a server.
func readOneBatch(b *lift.Builder) {
	b.Protocol("sglang bench_one_batch", "", "one batch")
	o := b.Top()
	run := b.NewRun(o.Get("run_name").Str(), o, "")
	batchShape(o, run)
	run.Figure(o.First("total_latency", "latency"), evidence.BatchLatency, evidence.Single, "s")
	run.Figure(o.Get("prefill_throughput"), evidence.PrefillThroughput, evidence.Single, "tok/s")
	run.FigureN(o.Get("median_decode_throughput"), evidence.DecodeThroughput, evidence.P50, "tok/s", o.Get("output_len").Count())
	run.Figure(o.Get("overall_throughput"), evidence.BatchThroughput, evidence.Single, "tok/s")
	if p, ok := product(o.Get("batch_size"), o.Get("input_len")); ok {
		if t, ok := o.Get("prefill_latency").Float(); ok && t > 0 {
			b.Agree("prefill_throughput", o.Get("prefill_throughput"), p/t, 1e-2, "batch * input / prefill_latency", o.Get("prefill_latency"))
		}
	}
	in, okIn := product(o.Get("batch_size"), o.Get("input_len"))
	out, okOut := product(o.Get("batch_size"), o.Get("output_len"))
	total := o.First("total_latency", "latency")
	if t, ok := total.Float(); ok && okIn && okOut && t > 0 {
		b.Agree("overall_throughput", o.Get("overall_throughput"), (in+out)/t, 1e-2, "batch * (input + output) / latency", total)
	}
	b.Rate("median_decode_throughput", o.Get("median_decode_throughput"), o.Get("batch_size"), o.Get("median_decode_latency"), 1e-2)
	o.SkipMembers(evidence.ReasonRestated, "prefill_latency", "median_decode_latency", "decode_latency", "decode_throughput")
	b.Arm(evidence.Arm{Name: "SGLang engine, model not recorded", Place: o.Place()}, run)
	b.Title("SGLang bench_one_batch")
}

// readOffline reads bench_offline_throughput. successful_requests is the number asked
// for; -1 stands where an interrupted run has nothing.
func readOffline(b *lift.Builder) {
	b.Protocol("sglang bench_offline_throughput", "", "one offline batch run")
	o := b.Top()
	run := b.NewRun("offline", o, "")
	run.Class = evidence.ClassAggregate
	requests, elapsed := o.Get("successful_requests"), o.Get("total_latency")
	o.Get("backend").Fact(&run.Facts, evidence.KeyClientBackend)
	if v, ok := elapsed.Float(); !ok || v <= 0 {
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, elapsed, "total_latency is %s: the run was interrupted and measured nothing", elapsed.Show())
		o.Skip(evidence.ReasonVoid)
	} else {
		requests.Fact(&run.Facts, evidence.KeyRequests)
		elapsed.FactIn(&run.Facts, evidence.KeyDuration, "s")
		o.Derive(&run.Facts, evidence.KeyConcurrency, "unlimited", "tool")
		run.N = requests.Count()
		in, out := o.Get("total_input_tokens"), o.Get("total_output_tokens")
		in.Fact(&run.Facts, evidence.KeyInputTokens)
		out.Fact(&run.Facts, evidence.KeyOutputTokens)
		lift.Quotient(&run.Facts, evidence.KeyPromptTokens, in, requests, "total / requests")
		lift.Quotient(&run.Facts, evidence.KeyMeanOutput, out, requests, "total / requests")
		run.Figure(o.Get("request_throughput"), evidence.RequestThroughput, evidence.Total, "requests/s")
		run.Figure(o.Get("input_throughput"), evidence.InputThroughput, evidence.Total, "tok/s")
		run.Figure(o.Get("output_throughput"), evidence.OutputThroughput, evidence.Total, "tok/s")
		run.Figure(o.Get("total_throughput"), evidence.TotalThroughput, evidence.Total, "tok/s")
		b.Rate("request_throughput", o.Get("request_throughput"), requests, elapsed, 1e-3)
		b.Rate("input_throughput", o.Get("input_throughput"), in, elapsed, 1e-3)
		b.Rate("output_throughput", o.Get("output_throughput"), out, elapsed, 1e-3)
		b.Sum("total_throughput", o.Get("total_throughput"), 1e-3, o.Get("input_throughput"), o.Get("output_throughput"))
		o.SkipMembers(evidence.ReasonDiagnostic, "last_gen_throughput")
	}
	b.Arm(evidence.Arm{Name: "SGLang engine, model not recorded", Place: o.Place()}, run)
	b.Title("SGLang bench_offline_throughput")
}
