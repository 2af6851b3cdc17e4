package speech

import (
	"cmp"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// ruleEmpty is the rule of an error rate that is absent because nothing was recognised.
const ruleEmpty = "empty-hypothesis"

// single reads one recording that was recognised once.
func (s *speech) single() {
	s.Expect(s.Top, "hypothesis", "reference_text", "latency_ms", "wer", "wer_normalized", "identity", "sample")
	identity := s.Block(s.Top.Get("identity"))
	s.Expect(identity, "candidate", "profile", "stt")
	stt := s.Block(identity.Get("stt"))
	s.Expect(stt, "base_url", "model")
	s.arm = s.NewArm(cmp.Or(identity.Get("candidate").Str(), stt.Get("model").Str(), "unnamed"), identity)
	f := &s.arm.Facts
	s.Words(f, evidence.KeyServedModel, stt.Get("model"))
	s.Words(f, evidence.KeyCandidate, identity.Get("candidate"))
	s.Words(f, evidence.KeyConfigID, identity.Get("profile"))
	s.Path(f, stt.Get("base_url"), lift.Val{})
	run := s.arm.NewRun("one recording", evidence.ClassSpeech, s.Top)
	run.N = evidence.Some[int64](1)
	s.Derive(&run.Facts, evidence.KeyRequests, "1", "one-request", lift.Val{P: s.Top.P})
	s.Derive(&run.Facts, evidence.KeyConcurrency, "1", "one-request", lift.Val{P: s.Top.P})
	s.Words(&run.Facts, evidence.KeyPromptSet, s.Top.Get("reference_text"))
	s.text(s.Top.Get("hypothesis"))
	s.Lift(run, s.Top.Get("latency_ms"), lift.Want{Metric: evidence.Latency, Stat: evidence.Single, Unit: "ms"})
	rate := s.Top.Get("wer_normalized")
	if !rate.Is(jsondoc.Number) {
		rate = s.Top.Get("wer")
	}
	s.wer(run, rate, s.Top.Get("hypothesis"))
	sample := s.Block(s.Top.Get("sample"))
	s.Expect(sample, "bytes", "sample_rate")
	s.PeekInt(sample.Get("bytes"))
	s.PeekInt(sample.Get("sample_rate"))
}

// wer is an error rate beside the hypothesis it was taken of.
func (s *speech) wer(run *lift.Run, v, hypothesis lift.Val) {
	w := lift.Want{Metric: evidence.WER, Stat: evidence.Single, Unit: "ratio"}
	if hypothesis.Is(jsondoc.String) && hypothesis.Str() == "" && v.Is(jsondoc.Number) {
		s.Find(evidence.Warning, CodeEmpty, v, "the hypothesis is empty: nothing was recognised, only latencies count")
		s.Absent(run, v, w, ruleEmpty)
		return
	}
	s.Lift(run, v, w)
}

func (s *speech) text(v lift.Val) {
	if v.OK() && !v.Is(jsondoc.String) && !v.Is(jsondoc.Null) {
		s.Find(evidence.Warning, lift.CodeNotText, v, "a text was expected")
	}
}

// turns reads voice turns: every stage of every turn is a run with one latency.
func (s *speech) turns() {
	s.Expect(s.Top, "identity", "runs", "topology")
	identity := s.Block(s.Top.Get("identity"))
	s.arm = s.NewArm(cmp.Or(identity.Get("profile").Str(), identity.Path("llm", "model").Str(), "voice"), identity)
	s.parts(identity)
	s.Note(evidence.Statement, "evidence_scope", s.Top.Get("evidence_scope"))
	s.flag(s.Top.Get("promotion_quality_evidence"))
	for _, v := range s.List(s.Top.Get("runs")).Items() {
		if !v.Is(jsondoc.Object) {
			s.Find(evidence.Warning, lift.CodeNotText, v, "a turn was expected")
			continue
		}
		if s.shape == ShapePipeline {
			s.pipeline(v)
		} else {
			s.audio(v)
		}
	}
}

// parts puts what answers at each stage.
func (s *speech) parts(v lift.Val) {
	f := &s.arm.Facts
	s.Words(f, evidence.KeyConfigID, v.Get("profile"))
	s.Note(evidence.Statement, "scope", v.Get("scope"))
	for _, stage := range []string{"llm", "stt", "tts", "route"} {
		for _, m := range []lift.Val{v.Path(stage, "model"), v.Get(stage + "_model")} {
			s.text(m)
			s.Note(evidence.Statement, stage+" model", m)
		}
		for _, m := range []lift.Val{v.Path(stage, "base_url"), v.Get(stage + "_base_url")} {
			s.text(m)
			s.Note(evidence.Statement, stage+" base_url", m)
		}
	}
	model := v.Path("llm", "model")
	if !model.OK() {
		model = v.Get("stt_model")
	}
	s.Words(f, evidence.KeyServedModel, model)
	if route := v.Path("route", "model"); route.Str() != "" && model.Str() != "" && route.Str() != model.Str() {
		s.Find(evidence.Warning, lift.CodeDiffers, route, "the route names another model than identity.llm: which one answered is not known")
		lift.Dispute(*f, evidence.KeyServedModel)
	}
}

func (s *speech) flag(v lift.Val) {
	if v.Is(jsondoc.Bool) {
		s.Decisions = append(s.Decisions, evidence.Decision{Kind: evidence.DecisionField, Key: "promotion_quality_evidence", Value: v.N.Text, Place: evidence.At(v.P)})
	} else if v.OK() {
		s.Find(evidence.Warning, lift.CodeNotText, v, "a flag was expected")
	}
}

// stage opens the run of one stage of a turn.
func (s *speech) stage(turn lift.Val, name string, at lift.Val) *lift.Run {
	run := s.arm.NewRun(cmp.Or(turn.Get("id").Str(), "turn")+" "+name, evidence.ClassSpeech, at)
	run.N = evidence.Some[int64](1)
	s.Derive(&run.Facts, evidence.KeySlice, name, "member-name", lift.Val{P: at.P})
	s.Derive(&run.Facts, evidence.KeyRequests, "1", "one-request", lift.Val{P: turn.P})
	s.Derive(&run.Facts, evidence.KeyConcurrency, "1", "one-request", lift.Val{P: turn.P})
	return run
}

// stageOf lifts one stage with the members that repeat it.
func (s *speech) stageOf(turn lift.Val, name string, members ...lift.Val) *lift.Run {
	var run *lift.Run
	for _, v := range members {
		if !v.OK() || v.Is(jsondoc.Null) {
			continue
		}
		if run == nil {
			run = s.stage(turn, name, v)
		}
		s.Lift(run, v, lift.Want{Metric: evidence.Latency, Stat: evidence.Single, Unit: "ms"})
	}
	return run
}

// audio is text to speech and back.
func (s *speech) audio(v lift.Val) {
	s.Expect(v, "id", "audio_roundtrip_ms", "stt_ms", "tts_ms", "stt_wer", "tts_rtf", "reference_text", "stt_hypothesis", "tts_audio_seconds", "tts_output_bytes", "scope",
		"promoted", "promotion_quality_evidence", "topology")
	s.stageOf(v, "roundtrip", v.Get("audio_roundtrip_ms"))
	stt := s.stageOf(v, "stt", v.Get("stt_ms"))
	tts := s.stageOf(v, "tts", v.Get("tts_ms"))
	s.quality(v, stt, tts, v.Get("stt_wer"), v.Get("tts_rtf"), v.Get("stt_hypothesis"))
	for _, name := range []string{"id", "scope", "reference_text", "stt_hypothesis"} {
		s.text(v.Get(name))
	}
	if s.Note(evidence.Statement, "scope", v.Get("scope")); v.Get("promoted").Is(jsondoc.Bool) {
		s.Decisions = append(s.Decisions, evidence.Decision{Kind: evidence.PromotionFlag, Key: "promoted", Value: v.Get("promoted").N.Text, Place: evidence.At(v.Get("promoted").P)})
	} else if v.Get("promoted").OK() {
		s.Find(evidence.Warning, lift.CodeNotText, v.Get("promoted"), "a flag was expected")
	}
	s.flag(v.Get("promotion_quality_evidence"))
	s.Block(v.Get("topology"))
	trip, ok1 := lift.PeekNumber(v.Get("audio_roundtrip_ms"), "ms")
	a, ok2 := lift.PeekNumber(v.Get("stt_ms"), "ms")
	b, ok3 := lift.PeekNumber(v.Get("tts_ms"), "ms")
	if ok1 && ok2 && ok3 && !lift.Near(trip, a+b, 0.01, 0.001) {
		s.Find(evidence.Warning, lift.CodeRow, v.Get("audio_roundtrip_ms"), "not the sum of both stages")
	}
	s.factor(v.Get("tts_rtf"), b, ok3, v.Get("tts_audio_seconds"))
}

// factor holds a real-time factor against latency and audio.
func (s *speech) factor(v lift.Val, seconds float64, known bool, audio lift.Val) {
	stored, ok1 := lift.PeekNumber(v, "ratio")
	length, ok2 := lift.PeekNumber(audio, "s")
	if known && ok1 && ok2 && length > 0 && !lift.Near(stored, seconds/length, 0.01, 0.001) {
		s.Find(evidence.Warning, lift.CodeRow, v, "%s is stored, %s s for %s s of audio", v.N.Text, evidence.FormatDecimal(seconds), evidence.FormatDecimal(length))
	}
}

// quality puts error rate and real-time factor on the stages they belong to.
func (s *speech) quality(turn lift.Val, stt, tts *lift.Run, wer, rtf, hypothesis lift.Val) {
	if wer.OK() && !wer.Is(jsondoc.Null) {
		if stt == nil {
			stt = s.stage(turn, "stt", wer)
		}
		s.wer(stt, wer, hypothesis)
	}
	if rtf.OK() && !rtf.Is(jsondoc.Null) {
		if tts == nil {
			tts = s.stage(turn, "tts", rtf)
		}
		s.Lift(tts, rtf, lift.Want{Metric: evidence.RTF, Stat: evidence.Single, Unit: "ratio"})
	}
}

// pipeline is a whole turn with its stages.
func (s *speech) pipeline(v lift.Val) {
	s.Expect(v, "id", "latency", "comparison", "transcript")
	s.text(v.Get("id"))
	l := s.Block(v.Get("latency"))
	s.stageOf(v, "turn", l.Get("turn_latency_ms"), l.Get("total_turn_latency_ms"), l.Get("turn_ms"))
	s.stageOf(v, "ttfa", l.Get("ttfa_ms"))
	stt := s.stageOf(v, "stt", l.Get("stt_ms"))
	s.stageOf(v, "llm", l.Get("llm_stage_latency_ms"), l.Get("llm_ms"))
	tts := s.stageOf(v, "tts", l.Get("tts_ms"))
	c, t := s.Block(v.Get("comparison")), s.Block(v.Get("transcript"))
	s.Expect(t, "reference_text", "stt_hypothesis")
	s.quality(v, stt, tts, c.Get("stt_wer"), c.Get("tts_rtf"), t.Get("stt_hypothesis"))
	turn, ok := lift.PeekNumber(l.Get("turn_latency_ms"), "ms")
	for _, name := range []string{"stt_ms", "llm_ms", "tts_ms", "ttfa_ms"} {
		if part, has := lift.PeekNumber(l.Get(name), "ms"); ok && has && part > turn*1.001 {
			s.Find(evidence.Warning, lift.CodeRow, l.Get(name), "a stage longer than its turn")
		}
	}
}
