package inferencex

import (
	"strings"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// identity are members about what was under test.
var identity = []struct {
	name string
	key  evidence.FactKey
}{
	{"model", evidence.KeyModel}, {"framework", evidence.KeyEngine}, {"image", evidence.KeyImage}, {"precision", evidence.KeyQuantisation},
	{"spec_decoding", evidence.KeySpecMethod}, {"disagg", evidence.KeyDisaggregated}, {"tp", evidence.KeyTP}, {"pp", evidence.KeyPP},
	{"ep", evidence.KeyEP}, {"dp_attention", evidence.KeyDPAttention}, {"offload_mode", evidence.KeyKVOffload}, {"kv_offloading", evidence.KeyKVOffload},
	{"infmax_model_prefix", "model_prefix"}, {"model_prefix", "model_prefix"}, {"recipe_fingerprint", "recipe_fingerprint"},
	{"dcp_size", "dcp"}, {"pcp_size", "pcp"}, {"kv_p2p_transfer", "kv_p2p_transfer"}, {"kv_offload_backend", "kv_offload_backend"},
	{"allocated_cpu_dram_gb", "kv_offload_gb"}, {"is_multinode", "multi_node"},
	{"prefill_tp", "prefill_tp"}, {"prefill_ep", "prefill_ep"}, {"prefill_dp_attention", "prefill_dp_attention"}, {"prefill_num_workers", "prefill_workers"},
	{"decode_tp", "decode_tp"}, {"decode_ep", "decode_ep"}, {"decode_dp_attention", "decode_dp_attention"}, {"decode_num_workers", "decode_workers"},
	{"num_prefill_gpu", "prefill_gpus"}, {"num_decode_gpu", "decode_gpus"}, {"prefill_hw", "prefill_hw"}, {"decode_hw", "decode_hw"},
}

// point reads one load point as an arm with one run.
func point(b *lift.Builder, o lift.Obj, shape string) {
	var arm lift.Facts
	for _, m := range identity {
		o.Get(m.name).Fact(&arm, m.key)
	}
	hw := o.Get("hw")
	if strings.HasPrefix(hw.Str(), "cluster:") {
		hw.Fact(&arm, "cluster") // the name of machines, not of a card
	} else {
		hw.Fact(&arm, evidence.KeyGPUProduct)
	}
	gpus(o, &arm)
	r := o.Get("router")
	r.Get("name").Fact(&arm, "router")
	r.Get("version").Fact(&arm, "router_version")

	name := o.Get("scenario_type").Str()
	if isl, osl := o.Get("isl"), o.Get("osl"); isl.There() {
		name = isl.Show() + " in, " + osl.Show() + " out"
	}
	conc := o.First("conc", "users")
	run := b.NewRun(strings.TrimSpace(name+" at "+conc.Show()), o, evidence.Linear)
	f := &run.Facts
	conc.Fact(f, evidence.KeyConcurrency)
	o.Get("isl").Fact(f, evidence.KeyContextTarget)
	o.Get("osl").Fact(f, evidence.KeyOutputCap)
	o.Get("scenario_type").Fact(f, evidence.KeyLoadProfile)
	o.Path("dataset", "hf_dataset_name").Fact(f, evidence.KeyPromptSet)
	o.Path("dataset", "loader").Fact(f, evidence.KeyPromptSet)
	requests(b, o, run, shape)
	perGPU(b, o, run)
	switch shape {
	case shapeNested:
		nested(b, o, run)
	default:
		flat(b, o, run, shape)
	}
	energy(b, o, run)
	prompt := run.Primary(evidence.PromptTokens, evidence.Mean)
	if !prompt.OK {
		prompt = o.Get("isl").Number()
	}
	run.Class = lift.Class(conc.Number(), prompt)
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
	if strings.Contains(strings.ToLower(hw.Str()), "mock") {
		b.Find(evidence.Warning, lift.CodeSimulated, hw, "hw is %s: the result is made up", hw.Show())
	}
	if !run.Void {
		run.Ordered()
		fits(b, o, run)
	}
	b.Arm(evidence.Arm{Name: lift.Clip(strings.Trim(o.Get("model").Str()+" · "+o.Get("framework").Str()+" · "+hw.Str(), " ·")), Place: o.Place(), Facts: arm}, run)
}

// gpus counts the cards.
func gpus(o lift.Obj, arm *lift.Facts) {
	p, ok1 := o.Get("num_prefill_gpu").Float()
	d, ok2 := o.Get("num_decode_gpu").Float()
	if ok1 && ok2 {
		o.Get("num_decode_gpu").Derive(arm, evidence.KeyGPUCount, evidence.FormatDecimal(p+d), "prefill + decode GPUs")
		return
	}
	tp, ok := o.Get("tp").Float()
	if !ok {
		return
	}
	if pp, has := o.Get("pp").Float(); has && pp > 0 {
		tp *= pp
	}
	o.Get("tp").Derive(arm, evidence.KeyGPUCount, evidence.FormatDecimal(tp), "tp * pp")
}

// requests counts what succeeded. The total counts warm-up too.
func requests(b *lift.Builder, o lift.Obj, run *lift.Run, shape string) {
	total, ok := o.Get("num_requests_total"), o.Get("num_requests_successful")
	ok.Fact(&run.Facts, evidence.KeyCompleted)
	run.N = ok.Count()
	a := o.Get("request_accounting")
	errors := a.Get("records_error_dropped")
	errors.Fact(&run.Facts, evidence.KeyFailed)
	n, t := ok.Count(), total.Count()
	switch {
	case shape == shapeFixed && !n.OK:
		b.Find(evidence.Info, lift.CodeNoCount, o, "the aggregate does not say how many requests are behind its figures")
	case n.OK && n.V == 0:
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, ok, "no request succeeded: the figures are no measurements")
	case n.OK && t.OK && n.V > t.V:
		b.Find(evidence.Warning, lift.CodeDisagree, ok, "%d succeeded, more than the total %d at %s", n.V, t.V, total.Place().Pointer)
	case n.OK && t.OK && !a.There() && float64(n.V) < 0.9*float64(t.V):
		b.Find(evidence.Warning, lift.CodeSurvivors, ok, "%d of %d requests are in the figures; the others were warm-up, cancelled or failed, which the file does not tell apart: latencies may be those of the survivors", n.V, t.V)
	}
	if profiled := a.Get("records_profiled"); profiled.There() && n.OK {
		b.Agree("records_profiled", profiled, float64(n.V), 0, "num_requests_successful", ok)
	}
	if e, has := errors.Float(); has && e > 0 {
		b.Find(evidence.Warning, lift.CodePartial, errors, "%s records ended in an error", errors.Show())
	}
	total.Skip(evidence.ReasonDiagnostic)
	a.Skip(evidence.ReasonDiagnostic)
	o.SkipMembers(evidence.ReasonDiagnostic, "total_requests_completed")
}

// perGPU lifts throughput per card under the divisor that it has.
func perGPU(b *lift.Builder, o lift.Obj, run *lift.Run) {
	out, in := evidence.OutputThroughputPerGPU, evidence.InputThroughputPerGPU
	apart := o.Get("num_decode_gpu").There() || o.Get("num_prefill_gpu").There()
	if apart {
		out, in = evidence.OutputThroughputDecodeGPU, evidence.InputThroughputPrefillGPU
	}
	total := o.Get("tput_per_gpu")
	run.Figure(total, evidence.TotalThroughputPerGPU, evidence.Total, "tok/s")
	run.Figure(o.Get("output_tput_per_gpu"), out, evidence.Total, "tok/s")
	run.Figure(o.Get("input_tput_per_gpu"), in, evidence.Total, "tok/s")
	if !apart {
		b.Sum("tput_per_gpu", total, 1e-3, o.Get("input_tput_per_gpu"), o.Get("output_tput_per_gpu"))
	}
	for _, x := range []struct {
		name   string
		metric evidence.MetricID
	}{{"input_tput_tps", evidence.InputThroughput}, {"output_tput_tps", evidence.OutputThroughput}, {"total_tput_tps", evidence.TotalThroughput}} {
		run.Figure(o.Get(x.name), x.metric, evidence.Total, "tok/s")
	}
	b.Sum("total_tput_tps", o.Get("total_tput_tps"), 1e-3, o.Get("input_tput_tps"), o.Get("output_tput_tps"))
}

// energy lifts joules per token where the tool calls its power readings valid.
func energy(b *lift.Builder, o lift.Obj, run *lift.Run) {
	valid := o.Get("power_valid")
	j := o.Get("joules_per_output_token")
	if valid.There() && !valid.True() {
		if j.There() {
			b.Find(evidence.Warning, lift.CodeInvalid, valid, "the tool calls its power readings invalid: no energy is lifted")
		}
	} else {
		run.Figure(j, evidence.EnergyPerOutputToken, evidence.Total, "J/token")
	}
	o.Members(func(name string, m lift.Obj) {
		if strings.Contains(name, "joules") || strings.Contains(name, "power") || strings.HasSuffix(name, "_energy_j") || strings.HasSuffix(name, "_temp_c") {
			m.Skip(evidence.ReasonDiagnostic)
		}
	})
}
