package archived

import (
	"cmp"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Codes of findings about what was measured without a label.
const (
	CodeEmpty = "empty-hypothesis" // nothing was recognised: latencies only
)

// isSpeechAB is a list of candidates with a latency of their own beside the cards.
func isSpeechAB(v lift.Val) bool {
	if !v.Get("gpu").Is(jsondoc.Object) || v.Get("candidates").Len() == 0 {
		return false
	}
	for _, c := range v.Get("candidates").Items() {
		if !c.Get("ttfa_ms").OK() && !c.Get("latency_ms").OK() {
			return false
		}
	}
	return true
}

func isTurn(v lift.Val) bool {
	return v.Get("latency").Is(jsondoc.Object) && v.Path("latency", "turn_latency_ms").OK() && v.Get("transcript").Is(jsondoc.Object)
}

// isValidation is a check of a pipeline that holds the figures of one turn.
func isValidation(v lift.Val) bool {
	for _, name := range turnBlocks {
		if b := v.Get(name); b.Get("turn_latency_ms").OK() && b.Get("ttfa_ms").OK() {
			return true
		}
	}
	return false
}

var turnBlocks = []string{"benchmark", "voice_benchmark"}

// stages of one request, as members of a block name them.
var stages = []struct {
	slice string
	names []string
	unit  string
}{
	{"turn", []string{"turn_latency_ms", "total_turn_latency_ms", "turn_ms"}, "ms"}, {"ttfa", []string{"ttfa_ms"}, "ms"}, {"stt", []string{"stt_ms", "latency_ms"}, "ms"},
	{"llm", []string{"llm_stage_latency_ms", "llm_ms"}, "ms"}, {"tts", []string{"tts_ms"}, "ms"}, {"tts", []string{"synth_seconds"}, "s"},
}

// request is one request whose stages are lifted, each into a run of its own.
type request struct {
	*archive
	name string
	runs map[string]*lift.Run
}

func (a *archive) request(name string) *request {
	return &request{archive: a, name: name, runs: map[string]*lift.Run{}}
}

func (r *request) run(slice string, at lift.Val) *lift.Run {
	if r.runs[slice] == nil {
		run := r.arm.NewRun(cmp.Or(r.name, "request")+" "+slice, evidence.ClassSpeech, at)
		run.N = evidence.Some[int64](1)
		r.Derive(&run.Facts, evidence.KeySlice, slice, "member-name", lift.Val{P: at.P})
		r.Derive(&run.Facts, evidence.KeyRequests, "1", "one-request", lift.Val{P: at.P})
		r.Derive(&run.Facts, evidence.KeyConcurrency, "1", "one-request", lift.Val{P: at.P})
		r.runs[slice] = run
	}
	return r.runs[slice]
}

// latencies lifts the stages that a block has a time for.
func (r *request) latencies(v lift.Val) {
	for _, s := range stages {
		for _, name := range s.names {
			if m := v.Get(name); m.OK() && !m.Is(jsondoc.Null) {
				r.Lift(r.run(s.slice, v), m, lift.Want{Metric: evidence.Latency, Stat: evidence.Single, Unit: s.unit})
			}
		}
	}
}

// quality lifts the error rate of what was recognised and the real-time factor. Of an
// empty hypothesis there is no error rate.
func (r *request) quality(wer, hypothesis, rtf lift.Val) {
	if wer.OK() && !wer.Is(jsondoc.Null) {
		w := lift.Want{Metric: evidence.WER, Stat: evidence.Single, Unit: "ratio"}
		if run := r.run("stt", wer); hypothesis.Is(jsondoc.String) && hypothesis.Str() == "" {
			r.Find(evidence.Warning, CodeEmpty, wer, "the hypothesis is empty: nothing was recognised, only latencies count")
			r.Absent(run, wer, w, CodeEmpty)
		} else {
			r.Lift(run, wer, w)
		}
	}
	if rtf.OK() && !rtf.Is(jsondoc.Null) {
		r.Lift(r.run("tts", rtf), rtf, lift.Want{Metric: evidence.RTF, Stat: evidence.Single, Unit: "ratio"})
	}
}

// factor holds a real-time factor against its parts.
func (r *request) factor(rtf, processing lift.Val, unit string, audio lift.Val) {
	stored, ok1 := lift.PeekNumber(rtf, "ratio")
	took, ok2 := lift.PeekNumber(processing, unit)
	length, ok3 := lift.PeekNumber(audio, "s")
	if ok1 && ok2 && ok3 && length > 0 && !lift.Near(stored, took/length, 0.01, 0.001) {
		r.Find(evidence.Warning, lift.CodeRow, rtf, "%s is stored, %s %s for %s s of audio", rtf.N.Text, lift.Clip(processing.N.Text), unit, lift.Clip(audio.N.Text))
	}
}

// candidates reads speech candidates side by side. Which of several cards answered is not
// told, so only a single one counts.
func (a *archive) candidates() {
	var card lift.Val
	if devices := a.Top.Path("gpu", "devices"); devices.Len() == 1 {
		for _, d := range devices.Items() {
			card = d.Get("name")
		}
	}
	said := a.Top.Get("reference_text")
	if !said.OK() {
		said = a.Top.Get("text")
	}
	for _, v := range a.List(a.Top.Get("candidates")).Items() {
		a.arm = a.NewArm(cmp.Or(v.Get("name").Str(), "candidate"), v)
		a.Words(&a.arm.Facts, evidence.KeyServedModel, v.Get("model"))
		a.Words(&a.arm.Facts, evidence.KeyCandidate, v.Get("name"))
		a.Words(&a.arm.Facts, evidence.KeyGPUProduct, card)
		a.Image(&a.arm.Facts, v.Path("readiness", "container", "image"))
		a.Path(&a.arm.Facts, v.Get("base_url"), lift.Val{})
		a.Words(&a.arm.Facts, evidence.KeyPromptSet, said)
		r := a.request("")
		r.latencies(v)
		r.quality(v.Get("wer"), v.Get("hypothesis"), v.Get("rtf"))
		r.factor(v.Get("rtf"), v.Get("synth_seconds"), "s", v.Get("audio_seconds"))
		if failed := v.Get("error"); failed.Is(jsondoc.String) && failed.Str() != "" {
			for _, run := range r.runs {
				run.Status = evidence.RunFailed
			}
		}
	}
}

// turn reads one turn of a voice pipeline.
func (a *archive) turn() {
	a.arm = a.NewArm("voice", a.Top)
	r := a.request(a.Top.Get("id").Str())
	r.latencies(a.Top.Get("latency"))
	c, t := a.Top.Get("comparison"), a.Top.Get("transcript")
	r.quality(c.Get("stt_wer"), t.Get("stt_hypothesis"), c.Get("tts_rtf"))
	r.factor(c.Get("tts_rtf"), a.Top.Path("latency", "tts_ms"), "ms", a.Top.Path("tts", "audio_seconds"))
	a.promptSet(t.Get("reference_text"))
	a.longerThanTurn(a.Top.Get("latency"))
}

// validation reads the turn that a validation of a pipeline made.
func (a *archive) validation() {
	for _, name := range turnBlocks {
		v := a.Top.Get(name)
		if !v.Get("turn_latency_ms").OK() {
			continue
		}
		a.arm = a.NewArm("voice", v)
		for _, path := range [][]string{{"route_proof", "response", "model"}, {"route_proof", "model"}} {
			if m := a.Top.Path(path...); m.OK() {
				a.Words(&a.arm.Facts, evidence.KeyServedModel, m)
			}
		}
		r := a.request("")
		r.latencies(v)
		r.quality(v.Get("stt_wer"), v.Get("stt_hypothesis"), v.Get("tts_rtf"))
		a.promptSet(v.Get("reference_text"))
		a.longerThanTurn(v)
	}
}

func (a *archive) promptSet(v lift.Val) { a.Words(&a.arm.Facts, evidence.KeyPromptSet, v) }

// longerThanTurn reports stages that do not fit into the turn they are parts of.
func (a *archive) longerThanTurn(v lift.Val) {
	turn, ok := lift.PeekNumber(v.Get("turn_latency_ms"), "ms")
	if !ok {
		return
	}
	parts, sum := 0, 0.0
	for _, name := range []string{"ttfa_ms", "stt_ms", "llm_ms", "tts_ms"} {
		part, has := lift.PeekNumber(v.Get(name), "ms")
		if has && part > turn*1.001 {
			a.Find(evidence.Warning, lift.CodeRow, v.Get(name), "a stage longer than its turn")
		}
		if has && name != "ttfa_ms" {
			parts, sum = parts+1, sum+part
		}
	}
	if parts == 3 && !lift.Near(turn, sum, 0.02, 0.001) {
		a.Find(evidence.Warning, lift.CodeRow, v.Get("turn_latency_ms"), "%s ms in all, the stages give %s s", v.Get("turn_latency_ms").N.Text, evidence.FormatDecimal(sum))
	}
}
