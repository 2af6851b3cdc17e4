package trtllm

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Reader reads reports.
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Named("trtllm/bench", 2, "trtllm")}}
}

// Match decides by members.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	ok := v.Get("engine").Is(jsondoc.Object) && v.Get("performance").Is(jsondoc.Object) &&
		(v.Get("world_info").Is(jsondoc.Object) || v.Get("request_info").Is(jsondoc.Object)) &&
		(v.Get("performance").Get("total_latency_ms") != nil || v.Get("performance").Get("request_throughput_req_s") != nil)
	return "report", ok
}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	b.Protocol("trtllm-bench", evidence.FloorIndex, "last end - first start")
	top := b.Top()
	var arm lift.Facts
	identity(top, &arm)
	run := b.NewRun("run", top, evidence.FloorIndex)
	load(b, top, run)
	performance(b, top, run)
	streaming(top.Get("streaming_metrics"), run)
	decoding(top.Get("decoding_stats"), run)
	if !run.Void {
		run.Ordered()
		fits(b, top, run)
	}
	top.SkipMembers(evidence.ReasonEcho, "engine", "machine", "world_info", "dataset")
	top.SkipMembers(evidence.ReasonDiagnostic, "request_info")
	name := top.Path("engine", "model").Str()
	b.Arm(evidence.Arm{Name: lift.Clip(strings.TrimSpace(name + " · TensorRT-LLM")), Place: top.Place(), Facts: arm}, run)
	b.Title("trtllm-bench · " + name)
	return b.Finish()
}

func identity(top lift.Obj, arm *lift.Facts) {
	engine, world := top.Get("engine"), top.Get("world_info")
	top.Derive(arm, evidence.KeyEngine, "tensorrt-llm", "shape")
	for _, x := range []struct {
		o   lift.Obj
		key evidence.FactKey
	}{
		{engine.Get("model"), evidence.KeyModel}, {engine.Get("version"), evidence.KeyEngineVersion}, {engine.Get("backend"), "engine_backend"},
		{engine.Get("dtype"), "dtype"}, {engine.Get("kv_cache_dtype"), evidence.KeyKVDtype}, {engine.Get("quantization"), evidence.KeyQuantisation},
		{engine.Get("max_sequence_length"), evidence.KeyServedContext}, {world.Get("tp_size"), evidence.KeyTP}, {world.Get("pp_size"), evidence.KeyPP},
		{world.Get("ep_size"), evidence.KeyEP}, {world.Get("world_size"), evidence.KeyGPUCount}, {world.Get("max_batch_size"), evidence.KeyMaxSequences},
		{world.Get("max_num_tokens"), evidence.KeyBatchedTokens}, {world.Get("scheduling_policy"), "scheduling_policy"},
		{top.Path("machine", "name"), evidence.KeyGPUProduct}, {top.Path("decoding_stats", "mode"), evidence.KeySpecMethod},
	} {
		x.o.Fact(arm, x.key)
	}
	top.Path("machine", "memory.total").FactIn(arm, evidence.KeyGPUMemory, "GiB")
	if k := world.Get("kv_cache_percentage"); k.There() {
		k.Fact(arm, "kv_cache_percentage")
	}
}

func load(b *lift.Builder, top lift.Obj, run *lift.Run) {
	f, info := &run.Facts, top.Get("request_info")
	requests := info.Get("num_requests")
	requests.Fact(f, evidence.KeyRequests)
	requests.Fact(f, evidence.KeyCompleted)
	info.Get("avg_num_concurrent_requests").Fact(f, evidence.KeyMeanConc)
	info.Get("avg_input_length").Fact(f, evidence.KeyPromptTokens)
	info.Get("avg_output_length").Fact(f, evidence.KeyMeanOutput)
	run.N = requests.Count()
	switch {
	case !run.N.OK:
		b.Find(evidence.Warning, lift.CodeNoCount, info, "num_requests is %s", requests.Show())
	case run.N.V == 0:
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, requests, "no request was run: the figures are no measurements")
	}
	run.Class = lift.Class(info.Get("avg_num_concurrent_requests").Number(), info.Get("avg_input_length").Number())
	top.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
}

func performance(b *lift.Builder, top lift.Obj, run *lift.Run) {
	p := top.Get("performance")
	p.Get("total_latency_ms").FactIn(&run.Facts, evidence.KeyDuration, "ms")
	run.Figure(p.Get("request_throughput_req_s"), evidence.RequestThroughput, evidence.Total, "requests/s")
	run.Figure(p.Get("system_output_throughput_tok_s"), evidence.OutputThroughput, evidence.Total, "tok/s")
	run.Figure(p.Get("system_total_throughput_tok_s"), evidence.TotalThroughput, evidence.Total, "tok/s")
	run.Figure(p.Get("output_throughput_per_gpu_tok_s"), evidence.OutputThroughputPerGPU, evidence.Total, "tok/s")
	run.Figure(p.Get("avg_request_latency_ms"), evidence.E2E, evidence.Mean, "ms")
	run.Distribution(p.Get("request_latency_percentiles_ms"), evidence.E2E, "ms", run.N)
	p.Skip(evidence.ReasonDiagnostic) // output_throughput_per_user counts the first token's time in
}

func streaming(o lift.Obj, run *lift.Run) {
	run.Figure(o.Get("avg_ttft_ms"), evidence.TTFO, evidence.Mean, "ms")
	run.Figure(o.Get("avg_tpot_ms"), evidence.TPOT, evidence.Mean, "ms")
	run.Distribution(o.First("ttft_percentiles", "ttft_percentiles_ms"), evidence.TTFO, "ms", run.N)
	run.Distribution(o.First("tpot_percentiles", "itl_percentiles"), evidence.TPOT, "ms", run.N)
	run.Figure(o.Get("token_output_speed_tok_s"), evidence.DecodeRate, evidence.Mean, "tok/s")
	run.Distribution(o.Get("gen_tps_percentiles"), evidence.DecodeRate, "tok/s", run.N)
	o.Skip(evidence.ReasonDiagnostic)
}

func decoding(o lift.Obj, run *lift.Run) {
	length := o.First("acceptance_length_percentiles", "acceptance_percentiles")
	run.Distribution(length, evidence.AcceptLength, "tokens", run.N)
	rate := o.Get("draft_acceptance_rate_percentiles")
	run.Distribution(rate, evidence.AcceptRate, "ratio", run.N)
	if length.There() || rate.There() {
		o.Derive(&run.Facts, evidence.KeyAcceptScope, "per request", "tool")
	}
	o.Skip(evidence.ReasonDiagnostic)
}

func fits(b *lift.Builder, top lift.Obj, run *lift.Run) {
	p, info := top.Get("performance"), top.Get("request_info")
	total, ok := p.Get("total_latency_ms").Float()
	n, okN := info.Get("num_requests").Float()
	in, okIn := info.Get("avg_input_length").Float()
	out, okOut := info.Get("avg_output_length").Float()
	if !ok || !okN || total <= 0 {
		return
	}
	rate := n / (total / 1000)
	b.Agree("request_throughput_req_s", p.Get("request_throughput_req_s"), rate, 1e-2, "num_requests / total_latency", info.Get("num_requests"), p.Get("total_latency_ms"))
	if okOut {
		b.Agree("system_output_throughput_tok_s", p.Get("system_output_throughput_tok_s"), rate*out, 2e-2, "requests/s * mean output length", info.Get("avg_output_length"), p.Get("total_latency_ms"))
	}
	if okOut && okIn {
		b.Agree("system_total_throughput_tok_s", p.Get("system_total_throughput_tok_s"), rate*(in+out), 2e-2, "requests/s * mean lengths", info.Get("avg_input_length"), info.Get("avg_output_length"))
	}
	if w, has := top.Path("world_info", "world_size").Float(); has && w > 0 && okOut {
		b.Agree("output_throughput_per_gpu_tok_s", p.Get("output_throughput_per_gpu_tok_s"), rate*out/w, 2e-2, "output throughput / world_size", top.Path("world_info", "world_size"))
	}
	run.Within(top, evidence.Some(total/1000))
	e2e, tpot := run.Primary(evidence.E2E, evidence.Mean), run.Primary(evidence.TPOT, evidence.Mean)
	if okOut {
		run.Fits(top, lift.Parts{Whole: evidence.E2E, First: evidence.TTFO, PerToken: evidence.TPOT, Tokens: out})
	}
	if speed := run.Primary(evidence.DecodeRate, evidence.Mean); speed.OK && tpot.OK && speed.V > 0 {
		run.Suspect(top.Path("streaming_metrics", "token_output_speed_tok_s"), 1/speed.V, tpot.V, "the inverse rate per user", "the time per token", evidence.DecodeRate, evidence.TPOT)
	}
	if c, has := info.Get("avg_num_concurrent_requests").Float(); has && e2e.OK {
		run.Suspect(info.Get("avg_num_concurrent_requests"), c, rate*e2e.V, "the mean concurrency", "requests/s * latency", evidence.E2E)
	}
}
