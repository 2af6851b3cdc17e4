package llamabench

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

// readBatched reads llama-batched-bench: pl parallel sequences of pp prompt and tg
// generated tokens. Model, build and card are in no file.
func readBatched(b *lift.Builder, _ string) {
	b.Protocol("llama-batched-bench", "", "the engine's own loop, no server")
	top := b.Top()
	var runs []*lift.Run
	var arm lift.Facts
	if top.IsArray() {
		top.Items(func(_ int, m lift.Obj) { runs = append(runs, batch(b, m, &arm)) })
	} else {
		runs = append(runs, batch(b, top, &arm))
	}
	b.Arm(evidence.Arm{Name: "llama.cpp, model not recorded", Place: top.Place(), Facts: arm}, runs...)
	b.Title("llama-batched-bench")
}

func batch(b *lift.Builder, o lift.Obj, arm *lift.Facts) *lift.Run {
	o.Derive(arm, evidence.KeyEngine, "llama.cpp", "tool")
	o.Get("n_kv_max").Fact(arm, evidence.KeyServedContext)
	pp, tg, pl := o.Get("pp"), o.Get("tg"), o.Get("pl")
	run := b.NewRun("pp"+pp.Show()+" tg"+tg.Show()+" x "+pl.Show(), o, "")
	f := &run.Facts
	pp.Fact(f, evidence.KeyPromptTokens)
	tg.Fact(f, evidence.KeyOutputCap)
	pl.Fact(f, evidence.KeyConcurrency)
	pl.Derive(f, evidence.KeyBatchSize, pl.Show(), "pl")
	if s := o.Get("is_pp_shared"); s.There() {
		shared := s.Show() != "0" && s.Show() != "false"
		s.Take()
		word := "false"
		if shared {
			word = "true"
		}
		s.Derive(f, evidence.KeyPromptBurst, word, "is_pp_shared")
	}
	o.Derive(f, evidence.KeyCompletionMode, "forced", "tool")
	for _, n := range []string{"n_batch", "n_ubatch", "flash_attn", "n_gpu_layers", "n_threads", "n_threads_batch"} {
		option(o.Get(n), arm, n)
	}
	run.Class = lift.Class(pl.Number(), pp.Number())
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
	run.N = evidence.Some[int64](1)
	total := o.Get("t")
	run.Figure(total, evidence.BatchLatency, evidence.Single, "s")
	run.Figure(o.Get("speed_pp"), evidence.PrefillThroughput, evidence.Single, "tok/s")
	run.Figure(o.Get("speed_tg"), evidence.DecodeThroughput, evidence.Single, "tok/s")
	run.Figure(o.Get("speed"), evidence.BatchThroughput, evidence.Single, "tok/s")
	batchFits(b, o)
	o.SkipMembers(evidence.ReasonRestated, "t_pp", "t_tg", "n_kv")
	return run
}

// batchFits divides again. A shared prompt is counted once.
func batchFits(b *lift.Builder, o lift.Obj) {
	pp, tg, pl := o.Get("pp").Number(), o.Get("tg").Number(), o.Get("pl").Number()
	if !pp.OK || !tg.OK || !pl.OK {
		return
	}
	tpp, ttg, all := o.Get("t_pp"), o.Get("t_tg"), o.Get("t")
	shared := o.Get("is_pp_shared")
	prompts := pp.V * pl.V
	if shared.There() && shared.Show() != "0" && shared.Show() != "false" {
		prompts = pp.V
	}
	if t, ok := tpp.Float(); ok && t > 0 && shared.There() { // a table may not say whether it was
		b.Agree("speed_pp", o.Get("speed_pp"), prompts/t, 1e-2+lift.Rounding(tpp), "prompt tokens / t_pp", o.Get("pp"), o.Get("pl"), tpp)
	}
	if t, ok := ttg.Float(); ok && t > 0 {
		b.Agree("speed_tg", o.Get("speed_tg"), tg.V*pl.V/t, 1e-2+lift.Rounding(ttg), "pl * tg / t_tg", o.Get("tg"), o.Get("pl"), ttg)
	}
	b.Sum("t", all, 1e-2+lift.Rounding(all), tpp, ttg)
	b.Rate("speed", o.Get("speed"), o.Get("n_kv"), all, 1e-2+lift.Rounding(all))
}
