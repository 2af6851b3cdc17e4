package inferenceperf

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

var latencies = map[string]evidence.MetricID{
	"request_latency": evidence.E2E, "time_to_first_token": evidence.TTFO, "time_to_first_output_token": evidence.TTFT,
	"time_per_output_token": evidence.TPOT, "normalized_time_per_output_token": evidence.E2EPerToken,
	"inter_token_latency": evidence.ITLToken,
}

var rates = map[string]struct {
	metric evidence.MetricID
	unit   string
}{
	"input_tokens_per_sec": {evidence.InputThroughput, "tok/s"}, "output_tokens_per_sec": {evidence.OutputThroughput, "tok/s"},
	"total_tokens_per_sec": {evidence.TotalThroughput, "tok/s"}, "requests_per_sec": {evidence.RequestThroughput, "requests/s"},
}

func read(b *lift.Builder, shape string) {
	if shape == shapeRequests {
		readRequests(b)
		return
	}
	b.Protocol("inference-perf", evidence.Linear, "first start to last end, failed requests included")
	top := b.Top()
	load, ok, failed := top.Get("load_summary"), top.Get("successes"), top.Get("failures")
	run := b.NewRun("stage", top, evidence.Linear)
	if shape == shapePooled {
		run.Name = "all stages pooled"
		load.Derive(&run.Facts, evidence.KeyLoadProfile, "pooled stages", "shape")
		b.Find(evidence.Info, "pooled-stages", load, "no requested rate stands here: the report pools stages of different rates and is no load point")
	}
	counts(b, load, ok, failed, run)
	ok.Get("latency").Members(func(name string, m lift.Obj) {
		metric, known := latencies[name]
		if !known {
			return
		}
		n := run.N
		if metric == evidence.ITLToken {
			n = evidence.None[int64]()
		}
		run.Distribution(m, metric, "s", n)
	})
	ok.Get("throughput").Members(func(name string, m lift.Obj) {
		if r, known := rates[name]; known {
			run.Figure(m, r.metric, evidence.Total, r.unit)
		}
	})
	lengths(ok, run)
	top.Get("benchmark_time_seconds").FactIn(&run.Facts, evidence.KeyDuration, "s")
	run.Class = lift.Class(load.Get("concurrency").Number(), evidence.Opt[float64](run.Primary(evidence.PromptTokens, evidence.Mean)))
	top.Derive(&run.Facts, evidence.KeyWorkloadClass, run.Class, "load")
	if !run.Void {
		run.Ordered()
		fits(b, top, run)
	}
	leftovers(ok, failed, load)
	b.Arm(evidence.Arm{Name: "inference-perf, model not recorded", Place: top.Place()}, run)
	b.Title("inference-perf")
}

func counts(b *lift.Builder, load, ok, failed lift.Obj, run *lift.Run) {
	f := &run.Facts
	load.Get("count").Fact(f, evidence.KeyRequests)
	load.Get("requested_rate").Fact(f, evidence.KeyRequestRate)
	load.Get("achieved_rate").Fact(f, evidence.KeyAchievedRate)
	load.Get("concurrency").Fact(f, evidence.KeyConcurrency)
	ok.Get("count").Fact(f, evidence.KeyCompleted)
	failed.Get("count").Fact(f, evidence.KeyFailed)
	run.N = ok.Get("count").Count()
	switch {
	case !run.N.OK:
		b.Find(evidence.Warning, lift.CodeNoCount, ok, "successes.count is %s: nothing can be checked", ok.Get("count").Show())
	case run.N.V == 0:
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, ok, "no request succeeded: the figures are no measurements")
	}
	if n, has := failed.Get("count").Float(); has && n > 0 {
		b.Find(evidence.Warning, lift.CodePartial, failed, "%s of %s requests failed", failed.Get("count").Show(), load.Get("count").Show())
	}
	b.Sum("load_summary.count", load.Get("count"), 0, ok.Get("count"), failed.Get("count"))
	b.Rate("achieved_rate", load.Get("achieved_rate"), load.Get("count"), load.Get("send_duration"), 1e-3)
	want, okWant := load.Get("requested_rate").Float()
	got, okGot := load.Get("achieved_rate").Float()
	if okWant && okGot && got < 0.98*want {
		b.Find(evidence.Warning, "client-overloaded", load, "requests were sent at %s/s and asked for at %s/s: the client fell behind", load.Get("achieved_rate").Show(), load.Get("requested_rate").Show())
	}
}

// lengths lifts token counts under both of their names.
func lengths(ok lift.Obj, run *lift.Run) {
	for _, x := range []struct {
		metric evidence.MetricID
		names  []string
	}{{evidence.PromptTokens, []string{"prompt_len", "prompt_tokens"}}, {evidence.OutputTokens, []string{"output_len", "output_tokens"}}} {
		o := ok.First(x.names...)
		run.Distribution(o, x.metric, "tokens", run.N)
		if mean := o.Get("mean"); mean.There() && !run.Void {
			key := evidence.KeyPromptTokens
			if x.metric == evidence.OutputTokens {
				key = evidence.KeyMeanOutput
			}
			if v, is := mean.Float(); is {
				mean.Derive(&run.Facts, key, evidence.FormatDecimal(v), "mean of rows")
			}
		}
	}
}

func fits(b *lift.Builder, top lift.Obj, run *lift.Run) {
	t := top.Path("successes", "throughput")
	rps, in, out := t.Get("requests_per_sec"), t.Get("input_tokens_per_sec"), t.Get("output_tokens_per_sec")
	b.Sum("total_tokens_per_sec", t.Get("total_tokens_per_sec"), 1e-3, in, out)
	q, ok := rps.Float()
	for _, x := range []struct {
		rate   lift.Obj
		metric evidence.MetricID
	}{{in, evidence.PromptTokens}, {out, evidence.OutputTokens}} {
		if mean := run.Primary(x.metric, evidence.Mean); ok && mean.OK && !b.Agree("the token rate", x.rate, q*mean.V, 2e-2, "requests_per_sec * mean length", rps) {
			run.Dispute(x.metric)
		}
	}
	e2e, length := run.Primary(evidence.E2E, evidence.Mean), run.Primary(evidence.OutputTokens, evidence.Mean)
	if length.OK {
		run.Fits(top, lift.Parts{Whole: evidence.E2E, First: evidence.TTFO, PerToken: evidence.TPOT, Tokens: length.V})
	}
	if norm := run.Primary(evidence.E2EPerToken, evidence.Mean); norm.OK && e2e.OK && length.OK && length.V > 0 {
		run.Suspect(top, norm.V, e2e.V/length.V, "the normalised latency", "latency / tokens", evidence.E2EPerToken, evidence.E2E)
	}
	itl, median := run.Primary(evidence.ITLToken, evidence.Mean), run.Primary(evidence.ITLToken, evidence.P50)
	if itl.OK { // its median is of no use
		run.Gaps(top, evidence.ITLToken, evidence.TPOT)
	}
	if itl.OK && median.OK && median.V < itl.V/20 {
		b.Find(evidence.Info, lift.CodeChunks, top.Path("successes", "latency", "inter_token_latency"), "half of the gaps are below %v s while the mean is %v s: the client recorded gaps of zero, the median says nothing about the server", median.V, itl.V)
	}
	if n := run.N; ok && q > 0 && n.OK {
		window := evidence.Some(float64(n.V) / q)
		run.Within(top, window)
		if d, has := top.Get("benchmark_time_seconds").Float(); has {
			run.Suspect(top.Get("benchmark_time_seconds"), d, window.V, "benchmark_time_seconds", "requests / requests_per_sec", evidence.RequestThroughput)
		}
	}
	if m, has := top.Path("successes", "token_count_mismatches").Float(); has && m > 0 {
		b.Find(evidence.Warning, lift.CodeDisagree, top.Path("successes", "token_count_mismatches"), "%v requests have another token count from the server than from the client", m)
	}
}

// leftovers are parts that no metric of the registry defines.
func leftovers(ok, failed, load lift.Obj) {
	for _, name := range []string{"image", "video", "audio", "request_size_bytes", "goodput_metrics", "token_count_mismatches", "throughput"} {
		m := ok.Get(name)
		m.Members(func(_ string, c lift.Obj) { c.SkipWhole(evidence.ReasonDiagnostic) })
		m.Skip(evidence.ReasonDiagnostic)
	}
	for _, name := range []string{"prompt_tokens", "output_tokens", "output_len", "prompt_len"} { // both spellings in one file
		ok.Get(name).Skip(evidence.ReasonRestated)
	}
	failed.Members(func(_ string, c lift.Obj) { c.SkipWhole(evidence.ReasonDiagnostic) })
	load.Get("schedule_delay").SkipWhole(evidence.ReasonDiagnostic)
	load.Get("send_duration").Skip(evidence.ReasonRestated)
}
