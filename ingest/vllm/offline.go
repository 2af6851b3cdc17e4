package vllm

import (
	"math"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// readLatency reads bench latency: one value is one whole batch. Batch size, lengths
// and model are not in the file.
func readLatency(b *lift.Builder, _ string) {
	b.Protocol("vllm bench latency", evidence.Linear, "one batch")
	top := b.Top()
	run := b.NewRun("batches", top, evidence.Linear)
	run.Class = evidence.ClassShort
	top.Derive(&run.Facts, evidence.KeyCompletionMode, "forced", "tool")
	top.Derive(&run.Facts, evidence.KeyPrefixCache, "off", "tool")
	raw := top.Get("latencies")
	var values []float64
	raw.Items(func(i int, m lift.Obj) {
		if v, ok := m.Float(); ok {
			values = append(values, v)
			run.Samples = append(run.Samples, evidence.Sample{Index: int64(i), E2E: evidence.Some(v), OK: true, Place: m.Place()})
		}
	})
	run.N = evidence.Some(int64(raw.Len()))
	if run.Void = raw.Len() == 0; run.Void {
		b.Find(evidence.Warning, lift.CodeVoid, raw, "no batch was timed")
	}
	run.Figure(top.Get("avg_latency"), evidence.BatchLatency, evidence.Mean, "s")
	run.Figure(top.Get("std_latency"), evidence.BatchLatency, evidence.Std, "s")
	top.Get("percentiles").Members(func(name string, m lift.Obj) {
		if stat, ok := lift.StatName("p" + name); ok {
			run.Figure(m, evidence.BatchLatency, stat, "s")
		}
	})
	raw.Skip(evidence.ReasonRow)
	run.Ordered()
	run.Recompute(evidence.BatchLatency, raw, values)
	b.Arm(evidence.Arm{Name: "vLLM, model not recorded", Place: top.Place()}, run)
	b.Title("vLLM bench latency")
}

// readThroughput reads bench throughput: tokens_per_second counts prompt and output.
func readThroughput(b *lift.Builder, _ string) {
	b.Protocol("vllm bench throughput", "", "one offline batch run")
	top := b.Top()
	run := b.NewRun("offline", top, "")
	run.Class = evidence.ClassAggregate
	requests, tokens, elapsed := top.Get("num_requests"), top.Get("total_num_tokens"), top.Get("elapsed_time")
	requests.Fact(&run.Facts, evidence.KeyRequests)
	elapsed.FactIn(&run.Facts, evidence.KeyDuration, "s")
	top.Derive(&run.Facts, evidence.KeyConcurrency, "unlimited", "tool")
	tokens.Skip(evidence.ReasonDiagnostic)
	run.N = requests.Count()
	if d, ok := elapsed.Float(); !ok || d <= 0 || math.IsInf(d, 0) {
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, elapsed, "elapsed_time is %s: nothing was measured", elapsed.Show())
	}
	run.Figure(top.Get("requests_per_second"), evidence.RequestThroughput, evidence.Total, "requests/s")
	run.Figure(top.Get("tokens_per_second"), evidence.TotalThroughput, evidence.Total, "tok/s")
	b.Rate("requests_per_second", top.Get("requests_per_second"), requests, elapsed, 1e-4)
	b.Rate("tokens_per_second", top.Get("tokens_per_second"), tokens, elapsed, 1e-4)
	b.Arm(evidence.Arm{Name: "vLLM, model not recorded", Place: top.Place()}, run)
	b.Title("vLLM bench throughput")
}
