package bakeoff

import (
	"cmp"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Rules of derived facts and figures.
const (
	ruleWriter    = "sequential-writer"  // this writer sends one request at a time
	ruleProtocol  = "absent-protocol"    // no evaluation_protocol is the first protocol
	rulePassRate  = "passed/attempted"   // over all attempts of all checks of a section
	ruleAttempts  = "p50 of attempts"    // of one check, by nearest rank
	ruleMean      = "mean of attempts"   // of completion tokens
	ruleAtCap     = "attempts-at-cap"    // completion tokens that reach the attempt's budget
	ruleRevision  = "repo@revision"      // the parts of a candidate id
	ruleFields    = "fields"             // the TTFO fields that are there, or are not
	ruleCached    = "cached/prompt"      // of usage
	ruleTargets   = "targets-of-the-run" // contexts that a percentile runs over
	ruleOneByOne  = "one-request"        // a context row is one request
	ruleChunkRule = "writer-generation"  // percentile method of the writer
)

// bakeoff is one file being read.
type bakeoff struct {
	*lift.Doc
	shape string
	arm   *lift.Arm
	rows  []*contextRow

	chatTTFO, protocolBlock lift.Val
}

func (b *bakeoff) repeated() bool { return b.shape == Shape2 || b.shape == Shape3 }

func (b *bakeoff) read() {
	b.Expect(b.Top, "run_id", "identity", "source_recipe", "selection", "timing", "context", "intelligence", "tool", "session", "voice",
		"thinking", "score_inputs", "failures")
	if b.repeated() {
		b.Expect(b.Top, "suites")
	}
	b.chatTTFO = b.Top.Path("timing", "chat", "time_to_first_output_p50_ms")
	b.protocolBlock = b.Top.Get("evaluation_protocol")
	identity := b.Top.Get("identity")
	b.Expect(identity, "candidate_id", "config_id", "model", "base_url", "started_at")
	b.Observe(identity.Get("started_at"), b.Top.Get("run_id"))
	b.identity(identity)
	b.protocol()
	b.thinking()
	b.context()
	b.chat()
	for _, name := range []string{"intelligence", "tool", "session"} {
		b.section(name, b.Block(b.Top.Get(name)), false)
	}
	for name, v := range b.Block(b.Top.Get("suites")).Members() {
		b.section(name, v, true)
	}
	b.voice()
	b.scores()
	b.failures()
	b.selection()
	b.wallTime()
	b.contexts()
}

func (b *bakeoff) identity(v lift.Val) {
	candidate := v.Get("candidate_id")
	b.arm = b.NewArm(cmp.Or(candidate.Str(), v.Get("model").Str(), "unnamed"), v)
	f := &b.arm.Facts
	b.Words(f, evidence.KeyServedModel, v.Get("model"))
	b.Words(f, evidence.KeyCandidate, candidate)
	b.Words(f, evidence.KeyConfigID, v.Get("config_id"))
	b.Words(f, evidence.KeyEngine, v.Get("engine"))
	b.Words(f, evidence.KeyGPUProduct, v.Get("gpu"))
	b.Path(f, v.Get("base_url"), lift.Val{})
	if repo, revision, ok := strings.Cut(candidate.Str(), "@"); ok && len(candidate.Str()) < 400 && isRevision(revision) && strings.Contains(repo, "/") {
		at := func(start, end int) evidence.Fact {
			s := candidate.Str()[start:end]
			return evidence.Fact{Value: s, State: evidence.Derived, Rule: ruleRevision, Place: evidence.InText(candidate.P, start, end), SourceText: s}
		}
		model, rev := at(0, len(repo)), at(len(repo)+1, len(candidate.Str()))
		model.Key, rev.Key = evidence.KeyModel, evidence.KeyModelRevision
		b.Put(f, model)
		b.Put(f, rev)
	}
	recipe := b.Block(b.Top.Get("source_recipe"))
	b.Expect(recipe, "ref", "serve_command")
	if ref := recipe.Get("ref"); ref.Str() != "" {
		b.References = append(b.References, evidence.Reference{Name: ref.Str(), Kind: "recipe", Place: evidence.At(ref.P)})
	}
	b.Note(evidence.Statement, "serve_command", recipe.Get("serve_command"))
}

func isRevision(s string) bool { return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == "" }

// protocol puts the generation. A pass rate of one protocol never meets one of another.
func (b *bakeoff) protocol() {
	f, v := &b.arm.Facts, b.Top.Get("evaluation_protocol")
	if !b.repeated() {
		b.Derive(f, evidence.KeyProtocol, "evaluation-1", ruleProtocol, lift.Val{P: b.Top.P})
		return
	}
	b.Expect(v, "repetitions", "minimum_pass_rate", "visible_answer_tokens", "reasoning_headroom_tokens", "budget_semantics",
		"records_finish_reason", "records_full_visible_answer", "records_reasoning_channel_metadata")
	if version, ok := b.Int(v.Get("version")); ok {
		b.Named(f, evidence.KeyProtocol, "evaluation-"+evidence.FormatDecimal(float64(version)), v.Get("version"))
	}
	b.Note(evidence.Statement, "budget_semantics", v.Get("budget_semantics"))
	for _, name := range []string{"records_finish_reason", "records_full_visible_answer", "records_reasoning_channel_metadata"} {
		if _, known := v.Get(name).True(); v.Get(name).OK() && !known {
			b.Find(evidence.Warning, lift.CodeNotText, v.Get(name), "a flag was expected")
		}
	}
	b.PeekInt(v.Get("minimum_comparable_repetitions"))
}

func (b *bakeoff) thinking() {
	f, v := &b.arm.Facts, b.Block(b.Top.Get("thinking"))
	b.Expect(v, "mode", "unsupported", "chat_template_kwargs")
	b.Thinking(f, v.Get("mode"), v.Get("reasoning_effort"), lift.Val{})
	b.Switch(v)
	b.Words(f, evidence.KeyThinkProof, v.Get("control_status"))
	b.Note(evidence.Statement, "control_mechanism", v.Get("control_mechanism"))
	if b.repeated() {
		b.Expect(v, "control_mechanism", "control_status", "control_requested", "reasoning_effort")
	}
	if c := v.Get("control_requested"); c.Is(jsondoc.String) {
		b.Note(evidence.Statement, "control_requested", c)
	} else {
		b.Expect(b.Block(c), "enable_thinking")
		if flag := c.Get("enable_thinking"); flag.OK() {
			if on, known := flag.True(); !known || on != (v.Get("mode").Str() == "enabled") {
				b.Find(evidence.Warning, lift.CodeDiffers, flag, "the control that was asked for is not the mode %q", lift.Clip(v.Get("mode").Str()))
			}
		}
	}
	if off, known := v.Get("unsupported").True(); off {
		b.Find(evidence.Warning, lift.CodeDiffers, v.Get("unsupported"), "the thinking control is not supported: the mode is what was asked for")
		lift.Dispute(*f, evidence.KeyThinking)
	} else if v.Get("unsupported").OK() && !known {
		b.Find(evidence.Warning, lift.CodeNotText, v.Get("unsupported"), "a flag was expected")
	}
	proof := v.Get("control_evidence")
	if proof.Str() == "" {
		return
	}
	b.Expect(v, "control_evidence_sha256")
	ref := evidence.Reference{Name: proof.Str(), Kind: "control-evidence", Place: evidence.At(proof.P)}
	ref.SHA256 = b.digest(v.Get("control_evidence_sha256"))
	b.References = append(b.References, ref)
}

func (b *bakeoff) digest(v lift.Val) evidence.Opt[evidence.Digest] {
	d, err := evidence.ParseDigest(strings.TrimPrefix(v.Str(), "sha256:"))
	if err != nil {
		if v.OK() && !v.Is(jsondoc.Null) {
			b.Find(evidence.Warning, lift.CodeNotText, v, "no SHA-256")
		}
		return evidence.None[evidence.Digest]()
	}
	return evidence.Some(d)
}

// scores is what the writer's ranking starts from: repetitions of figures above, and
// flags that are false where nothing ran.
func (b *bakeoff) scores() {
	v := b.Block(b.Top.Get("score_inputs"))
	b.Expect(v, "ttft_p50_ms", "e2e_p50_ms", "intelligence_pass_rate", "session_recall_passed", "tool_call_passed", "thinking_mode",
		"usable_context_tokens", "voice_latency_ms", "operational_fit_notes")
	for _, x := range []struct{ flag, section string }{{"tool_call_passed", "tool"}, {"session_recall_passed", "session"}} {
		flag, status := v.Get(x.flag), b.Top.Path(x.section, "status").Str()
		passed, known := flag.True()
		switch {
		case flag.OK() && !known:
			b.Find(evidence.Warning, lift.CodeNotText, flag, "a flag was expected")
		case !known:
		case status == "not_run" && !passed:
			b.Find(evidence.Warning, lift.CodeNotRun, flag, "false, but %s was not run: it did not fail", x.section)
		case passed != (status == "passed"):
			b.Find(evidence.Warning, lift.CodeDiffers, flag, "%v, but the status of %s is %q", passed, x.section, lift.Clip(status))
		}
	}
	if s := v.Get("thinking_mode"); s.OK() && s.Str() != b.Top.Path("thinking", "mode").Str() {
		b.Find(evidence.Warning, lift.CodeDiffers, s, "another thinking mode than thinking.mode")
	}
	for _, n := range b.List(v.Get("operational_fit_notes")).Items() {
		b.Note(evidence.Caveat, "operational_fit_notes", n)
	}
	b.usable(v.Get("usable_context_tokens"))
	b.items(v.Get("intelligence_pass_rate"))
}

// usable holds the context that is called usable against the rows that passed.
func (b *bakeoff) usable(v lift.Val) {
	if !v.Is(jsondoc.Number) {
		if v.OK() && !v.Is(jsondoc.Null) {
			b.Number(v, "tokens")
		}
		return
	}
	b.Fact(&b.arm.Facts, evidence.KeyUsableContext, v)
	n, _ := b.PeekInt(v)
	found := false
	for _, r := range b.rows {
		if !r.passed || r.target.V != n && r.planned.V != n {
			continue
		}
		found = true
		if !r.visible {
			b.Find(evidence.Warning, lift.CodeNoVisible, v, "usable rests on a request without visible output (%s)", r.P)
		}
	}
	if !found {
		b.Find(evidence.Warning, lift.CodeCount, v, "no request passed at a context of %d", n)
	}
}

// items holds the share of checks that passed against the checks.
func (b *bakeoff) items(v lift.Val) {
	rate, ok := lift.PeekNumber(v, "ratio")
	if !ok {
		return
	}
	passed, all := 0, 0
	for _, c := range b.Top.Path("intelligence", "checks").Items() {
		all++
		if c.Get("status").Str() == "passed" {
			passed++
		}
	}
	if all == 0 || !lift.Near(rate, float64(passed)/float64(all), 1e-9, 0) {
		b.Find(evidence.Warning, lift.CodeMismatch, v, "%s is stored, %d of %d checks at %s passed", v.N.Text, passed, all, b.Top.Path("intelligence", "checks").P)
	}
}

func (b *bakeoff) failures() {
	for _, v := range b.List(b.Top.Get("failures")).Items() {
		b.Expect(v, "suite", "error")
		b.Note(evidence.Failure, lift.Clip(v.Get("suite").Str()), v.Get("error"))
		for _, name := range []string{"prompt_id", "eval_id"} {
			b.Note(evidence.Failure, name, v.Get(name))
		}
		for _, c := range b.List(v.Get("failure_classes")).Items() {
			b.Note(evidence.Failure, "failure_class", c)
		}
		b.PeekInt(v.Get("target_tokens"))
		if rate, ok := lift.PeekNumber(v.Get("pass_rate"), "ratio"); ok && rate > 1 {
			b.Find(evidence.Warning, lift.CodeImpossible, v.Get("pass_rate"), "a pass rate above 1")
		}
	}
}

func (b *bakeoff) selection() {
	v := b.Block(b.Top.Get("selection"))
	b.Expect(v, "suites", "context_targets", "requests_per_context", "endpoint_already_loaded")
	for _, s := range b.List(v.Get("suites")).Items() {
		b.Note(evidence.Statement, "selected_suite", s)
	}
	for _, n := range b.List(v.Get("context_targets")).Items() {
		b.PeekInt(n)
	}
	if n, ok := b.PeekInt(v.Get("requests_per_context")); ok && n != 1 {
		b.Find(evidence.Warning, lift.CodeCount, v.Get("requests_per_context"), "%d requests per context: a row is then no single request", n)
	}
	if _, known := v.Get("endpoint_already_loaded").True(); v.Get("endpoint_already_loaded").OK() && !known {
		b.Find(evidence.Warning, lift.CodeNotText, v.Get("endpoint_already_loaded"), "a flag was expected")
	}
	if wall := b.Top.Path("timing", "wall_ms"); wall.OK() {
		if f, ok := b.Number(wall, "ms"); ok {
			b.Put(&b.Facts, evidence.Fact{Key: evidence.KeyDuration, Value: evidence.FormatDecimal(f.V), State: evidence.Recorded,
				Place: evidence.At(wall.P), SourceText: f.Text})
		}
	}
}

// voice is one turn with its stages, where it ran.
func (b *bakeoff) voice() {
	v := b.Block(b.Top.Get("voice"))
	b.Expect(v, "status", "llm_latency_ms", "stt_latency_ms", "tts_latency_ms", "total_turn_latency_ms")
	if !v.OK() {
		return
	}
	b.gate("voice", v)
	for _, name := range []string{"total_turn_latency_ms", "stt_latency_ms", "llm_latency_ms", "tts_latency_ms"} {
		x := v.Get(name)
		if !x.OK() || x.Is(jsondoc.Null) {
			continue
		}
		run := b.arm.NewRun("voice "+strings.TrimSuffix(name, "_latency_ms"), evidence.ClassSpeech, x)
		run.N = evidence.Some[int64](1)
		b.Derive(&run.Facts, evidence.KeySlice, strings.TrimSuffix(name, "_latency_ms"), "member-name", lift.Val{P: x.P})
		b.Derive(&run.Facts, evidence.KeyRequests, "1", ruleOneByOne, lift.Val{P: v.P})
		b.Lift(run, x, lift.Want{Metric: evidence.Latency, Stat: evidence.Single, Unit: "ms"})
	}
}

// gate reads the status of a section.
func (b *bakeoff) gate(name string, v lift.Val) {
	status := v.Get("status")
	if status.OK() && !status.Is(jsondoc.String) {
		b.Find(evidence.Warning, lift.CodeNotText, status, "a status was expected")
	}
	b.Gates = append(b.Gates, evidence.Gate{Name: lift.Clip(name), SourceStatus: status.Str(), Status: evidence.ReadGateStatus(status.Str()),
		Evidence: v.Get("source").Str(), Place: evidence.At(v.P)})
}
