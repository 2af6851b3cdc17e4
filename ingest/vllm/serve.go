package vllm

import (
	"strconv"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// window is what every rate of bench serve is divided by.
const window = "first send to last response, ramp and drain included"

func readServe(b *lift.Builder, shape string) {
	b.Protocol("vllm bench serve", evidence.Linear, window)
	top := b.Top()
	if shape == shapeSidecar {
		top.Items(func(_ int, m lift.Obj) { m.Skip(evidence.ReasonRestated) })
		b.Find(evidence.Info, lift.CodeUnread, top, "the figures of another file in the form of a dashboard: no run is counted here")
		return
	}
	s := &serving{b: b, arms: map[string]int{}}
	if shape == shapeList {
		b.Find(evidence.Info, lift.CodeRestates, top, "the summary of a sweep repeats the results of its runs: where their own files are taken in too, every run stands twice")
		top.Items(func(i int, m lift.Obj) { s.result(m, serveShape(m.Node), "run "+strconv.Itoa(i)) })
	} else {
		s.result(top, shape, "run")
	}
	s.close()
}

// close adds the arms to the document.
func (s *serving) close() {
	for i := range s.made {
		s.b.Arm(s.made[i].arm, s.made[i].runs...)
	}
	if len(s.made) > 0 {
		s.b.Title("vLLM bench serve · " + s.made[0].arm.Name)
	}
}

type serving struct {
	b    *lift.Builder
	arms map[string]int // arm facts to index in made
	made []madeArm
	// sketch is set where the raw rows are known by their first items only.
	sketch bool
}

type madeArm struct {
	arm  evidence.Arm
	runs []*lift.Run
}

// result reads one run of bench serve.
func (s *serving) result(o lift.Obj, shape, name string) {
	b := s.b
	var arm lift.Facts
	o.Get("model_id").Fact(&arm, evidence.KeyModel)
	o.Get("tokenizer_id").Fact(&arm, evidence.KeyTokenizer)
	o.First("endpoint_type", "backend").Fact(&arm, evidence.KeyClientBackend)
	o.Get("label").Fact(&arm, evidence.FactKey("label"))
	b.Observed(o.Get("date"), lift.Date(o.Get("date").Str()))
	if n, ok := o.Get("run_number").Float(); ok && n < 0 { // a sweep warms the server up with a run of its own
		b.Find(evidence.Info, lift.CodeWarmUp, o.Get("run_number"), "run number %s is the warm-up of a sweep: no run is counted here", o.Get("run_number").Show())
		o.Members(func(_ string, m lift.Obj) { m.SkipWhole(evidence.ReasonDiagnostic) })
		return
	}
	run := b.NewRun(name, o, evidence.Linear)
	run.N = o.Get("completed").Count()
	s.load(o, run)
	s.outcome(o, run)
	s.rates(o, run, shape)
	o.Members(func(name string, m lift.Obj) { s.latency(run, name, m) })
	spec(o, run)
	if !s.sketch {
		details(o, run)
	}
	s.echoes(o, &arm)
	if !run.Void {
		run.Ordered()
		s.fits(o, run)
	}
	s.add(o, arm, run)
}

// add puts the run under the arm that has the same identity.
func (s *serving) add(o lift.Obj, facts lift.Facts, run *lift.Run) {
	key, parts := "", []string{}
	for _, f := range facts {
		key += string(f.Key) + "=" + f.Value + "\n"
		switch f.Key {
		case evidence.KeyModel, evidence.KeyClientBackend, "label":
			parts = append(parts, f.Value)
		}
	}
	i, ok := s.arms[key]
	if !ok {
		i = len(s.made)
		s.arms[key] = i
		s.made = append(s.made, madeArm{arm: evidence.Arm{Name: lift.Clip(strings.Join(parts, " · ")), Place: o.Place(), Facts: facts}})
	}
	s.made[i].runs = append(s.made[i].runs, run)
}

// load records the traffic that was asked for.
func (s *serving) load(o lift.Obj, run *lift.Run) {
	f := &run.Facts
	o.Get("num_prompts").Fact(f, evidence.KeyRequests)
	o.Get("request_rate").Fact(f, evidence.KeyRequestRate)
	o.Get("burstiness").Fact(f, evidence.KeyBurstiness)
	o.Get("max_concurrency").FactOrNull(f, evidence.KeyConcurrency, "unlimited")
	if ramp := o.Get("ramp_up_strategy"); ramp.Str() != "" {
		from, to := o.Get("ramp_up_start_rps"), o.Get("ramp_up_end_rps")
		ramp.Derive(f, evidence.KeyRamp, ramp.Str()+" "+from.Show()+" to "+to.Show()+" requests/s", "ramp")
		from.Skip(evidence.ReasonEcho)
		to.Skip(evidence.ReasonEcho)
	}
	mean := evidence.None[float64]()
	in, okIn := o.Get("total_input_tokens").Float()
	if n := run.N; okIn && n.OK && n.V > 0 {
		mean = evidence.Some(in / float64(n.V))
	}
	run.Class = lift.Class(o.Get("max_concurrency").Number(), mean)
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
}

// outcome records how the run ended, and whether there is anything in it.
func (s *serving) outcome(o lift.Obj, run *lift.Run) {
	f := &run.Facts
	completed, asked, failed := o.Get("completed"), o.Get("num_prompts"), o.Get("failed")
	completed.Fact(f, evidence.KeyCompleted)
	failed.Fact(f, evidence.KeyFailed)
	o.Get("duration").FactIn(f, evidence.KeyDuration, "s")
	o.Get("total_input_tokens").Fact(f, evidence.KeyInputTokens)
	o.Get("total_output_tokens").Fact(f, evidence.KeyOutputTokens)
	o.Get("max_concurrent_requests").Fact(f, evidence.KeyPeakConc)
	n := completed.Count()
	want := asked.Count()
	switch {
	case !n.OK:
		s.b.Find(evidence.Warning, lift.CodeNoCount, o, "the result does not say how many requests completed: nothing in it can be checked")
	case n.V == 0:
		run.Void = true
		s.b.Find(evidence.Warning, lift.CodeVoid, completed, "0 of %s requests completed: the zeros in this result are no measurements", asked.Show())
	case want.OK && n.V > want.V:
		s.b.Find(evidence.Warning, lift.CodeDisagree, completed, "%d completed, more than the %d asked for at %s", n.V, want.V, asked.Place().Pointer)
	case want.OK && n.V < want.V:
		why := "the result does not say why"
		if failed.There() {
			why = failed.Show() + " failed"
		}
		s.b.Find(evidence.Warning, lift.CodePartial, completed, "%d of %d requests completed; %s", n.V, want.V, why)
	}
	if a, ok := failed.Float(); ok && n.OK && want.OK && int64(a)+n.V != want.V {
		s.b.Find(evidence.Warning, lift.CodeDisagree, failed, "%s failed and %d completed are not the %d asked for at %s", failed.Show(), n.V, want.V, asked.Place().Pointer)
	}
	if !run.Void && n.OK {
		lift.Quotient(f, evidence.KeyPromptTokens, o.Get("total_input_tokens"), completed, "total / completed")
		lift.Quotient(f, evidence.KeyMeanOutput, o.Get("total_output_tokens"), completed, "total / completed")
	}
}

// rates lifts what is divided by the duration, and divides again.
func (s *serving) rates(o lift.Obj, run *lift.Run, shape string) {
	duration, completed := o.Get("duration"), o.Get("completed")
	in, out := o.Get("total_input_tokens"), o.Get("total_output_tokens")
	type rate struct {
		name   string
		metric evidence.MetricID
		unit   string
		of     lift.Obj
	}
	for _, r := range []rate{
		{"request_throughput", evidence.RequestThroughput, "requests/s", completed},
		{"request_goodput", evidence.Goodput, "requests/s", o.Get("good_completed")},
		{"request_goodput:", evidence.Goodput, "requests/s", o.Get("good_completed")},
		{"input_throughput", evidence.InputThroughput, "tok/s", in},
		{"output_throughput", evidence.OutputThroughput, "tok/s", out},
	} {
		m := o.Get(r.name)
		run.Figure(m, r.metric, evidence.Total, r.unit)
		if !run.Void {
			s.b.Rate(r.name, m, r.of, duration, 1e-4)
		}
	}
	total := o.Get("total_token_throughput")
	run.Figure(total, evidence.TotalThroughput, evidence.Total, "tok/s")
	if a, ok1 := in.Float(); ok1 && !run.Void {
		c, ok2 := out.Float()
		ok2 = ok2 || shape == shapePooling // which generates nothing
		if d, ok3 := duration.Float(); ok2 && ok3 && d > 0 {
			s.b.Agree("total_token_throughput", total, (a+c)/d, 1e-4, "(input + output tokens) / duration", in, out, duration)
		}
	}
	if shape == shapePooling {
		o.SkipMembers(evidence.ReasonDiagnostic, "total_input_sequences", "input_sequence_throughput")
	}
	o.SkipMembers(evidence.ReasonDiagnostic, "good_completed", "max_output_tokens_per_s", "rtfx", "probe_completed", "probe_failed")
}

// latency lifts one member of a latency family.
func (s *serving) latency(run *lift.Run, name string, m lift.Obj) {
	f, ok := family(name)
	if !ok {
		if strings.HasPrefix(name, "probe_") || strings.HasPrefix(name, "diffusion_") {
			m.Skip(evidence.ReasonDiagnostic)
		}
		return
	}
	metric := families[f.name]
	switch {
	case metric == "":
		m.Skip(evidence.ReasonDiagnostic)
	case metric == evidence.ITLChunk:
		run.FigureN(m, metric, f.stat, f.unit, evidence.None[int64]()) // the number of gaps is not recorded
	default:
		run.Figure(m, metric, f.stat, f.unit)
	}
}

// spec lifts the acceptance of speculative decoding: a difference over the run.
func spec(o lift.Obj, run *lift.Run) {
	rate, length := o.Get("spec_decode_acceptance_rate"), o.Get("spec_decode_acceptance_length")
	none := evidence.None[int64]()
	run.FigureN(rate, evidence.AcceptRate, evidence.Total, "percent", none)
	run.FigureN(length, evidence.AcceptLength, evidence.Total, "tokens", none)
	if length.There() {
		length.Derive(&run.Facts, evidence.KeyAcceptScope, "delta", "tool")
	}
	o.SkipMembers(evidence.ReasonDiagnostic, "spec_decode_num_drafts", "spec_decode_draft_tokens",
		"spec_decode_accepted_tokens", "spec_decode_per_position_acceptance_rates")
}

// metadata are names under which people note what the tool does not record.
var metadata = map[string]evidence.FactKey{
	"tensor_parallel_size": evidence.KeyTP, "tp": evidence.KeyTP, "tp_size": evidence.KeyTP,
	"pipeline_parallel_size": evidence.KeyPP, "data_parallel_size": evidence.KeyDP,
	"vllm_version": evidence.KeyEngineVersion, "engine_version": evidence.KeyEngineVersion, "engine": evidence.KeyEngine,
	"gpu": evidence.KeyGPUProduct, "gpu_name": evidence.KeyGPUProduct, "gpu_type": evidence.KeyGPUProduct,
	"num_gpus": evidence.KeyGPUCount, "gpu_count": evidence.KeyGPUCount, "image": evidence.KeyImage,
	"quantization": evidence.KeyQuantisation, "kv_cache_dtype": evidence.KeyKVDtype, "max_model_len": evidence.KeyServedContext,
	"max_num_seqs": evidence.KeyMaxSequences, "max_num_batched_tokens": evidence.KeyBatchedTokens,
	"gpu_memory_utilization": evidence.KeyMemoryFraction, "dataset_name": evidence.KeyPromptSet, "seed": evidence.KeyPromptSeed,
	"random_input_len": evidence.KeyContextTarget, "random_output_len": evidence.KeyOutputCap,
}

// prefixCache records whether the server kept prefixes: without that a repeat on a warm
// server is no repeat.
func prefixCache(name string, m lift.Obj, arm *lift.Facts) bool {
	on := strings.ToLower(m.Node.Text)
	switch {
	case on != "true" && on != "false":
		return false
	case name == "enable_prefix_caching":
	case name == "no_enable_prefix_caching":
		on = map[string]string{"true": "false", "false": "true"}[on]
	default:
		return false
	}
	m.Derive(arm, evidence.KeyPrefixCache, map[string]string{"true": "on", "false": "off"}[on], name)
	return true
}

// own are the text members of the format itself.
var own = map[string]bool{"date": true, "endpoint_type": true, "backend": true, "label": true, "model_id": true,
	"tokenizer_id": true, "request_rate": true, "burstiness": true, "ramp_up_strategy": true}

// echoes records what the user or a sweep wrote beside the result.
func (s *serving) echoes(o lift.Obj, arm *lift.Facts) {
	o.SkipMembers(evidence.ReasonEcho, "best_of")
	o.SkipMembers(evidence.ReasonTimestamp, "benchmark_start_time_unix", "benchmark_end_time_unix", "rps_change_events")
	o.SkipMembers(evidence.ReasonIdentifier, "run_number")
	swept := o.Get("run_number").There()
	o.Members(func(name string, m lift.Obj) {
		scalar := m.Node.Is(jsondoc.String) || swept && (m.Node.Is(jsondoc.Bool) || m.Node.Is(jsondoc.Number))
		if own[name] || !scalar || len(name) > 80 {
			return
		}
		key, known := metadata[name]
		if prefixCache(name, m, arm) {
			return
		}
		if _, isFamily := family(name); isFamily || strings.HasSuffix(name, "_throughput") {
			return
		}
		if !m.Node.Is(jsondoc.String) && m.Taken() {
			return
		}
		if !known {
			name := evidence.FactKey("metadata." + name)
			if word := strings.ToLower(m.Node.Text); m.Node.Is(jsondoc.Bool) && word != m.Node.Text {
				m.Derive(arm, name, word, "flag of a table")
				return
			}
			m.Fact(arm, name)
			return
		}
		if n, err := strconv.ParseFloat(m.Str(), 64); err == nil && evidence.LookupKey(key).Unit != "" {
			m.Derive(arm, key, evidence.FormatDecimal(n), "number in a text")
			return
		}
		m.Fact(arm, key)
	})
}
