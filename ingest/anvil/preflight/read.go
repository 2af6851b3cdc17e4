package preflight

import (
	"cmp"
	"strconv"
	"unicode/utf8"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// preflight is one file being read.
type preflight struct {
	*lift.Doc
	shape     string
	allPassed bool
	cap       evidence.Opt[int64] // the budget of one request
}

func (p *preflight) read() {
	p.Expect(p.Top, "base_url", "model", "thinking", "budget", "checks", "results", "observations", "evidence_policy", "passed")
	switch p.shape {
	case ShapeVideo:
		p.Expect(p.Top, "multimodal_input", "image_expect", "ocr_expect", "video_input", "video_expect")
	case ShapeImage:
		p.Expect(p.Top, "multimodal_input", "image_expect", "ocr_expect")
	}
	arm := p.NewArm(cmp.Or(p.Top.Get("model").Str(), "unnamed"), p.Top)
	p.Words(&arm.Facts, evidence.KeyServedModel, p.Top.Get("model"))
	p.Path(&arm.Facts, p.Top.Get("base_url"), lift.Val{})
	p.settings(arm)
	p.results()
	p.policy()
	p.overall()
	p.expectations()
	observations := p.List(p.Top.Get("observations"))
	if observations.Is(jsondoc.Array) && observations.Len() == 0 {
		p.Find(evidence.Info, CodeNoObservations, observations, "no request was answered: the gates say why")
	}
	for _, v := range observations.Items() {
		p.observation(arm, v)
	}
}

// settings puts what every request was sent with.
func (p *preflight) settings(arm *lift.Arm) {
	thinking, budget := p.Block(p.Top.Get("thinking")), p.Block(p.Top.Get("budget"))
	p.Expect(thinking, "mode", "reasoning_effort", "chat_template_kwargs")
	p.Expect(budget, "visible_answer_tokens", "reasoning_headroom_tokens", "max_completion_tokens")
	p.Thinking(&arm.Facts, thinking.Get("mode"), thinking.Get("reasoning_effort"), lift.Val{})
	p.Switch(thinking)
	visible, ok1 := p.Count(&arm.Facts, evidence.KeyVisibleTokens, budget.Get("visible_answer_tokens"))
	headroom, ok2 := p.Count(&arm.Facts, evidence.KeyHeadroomTokens, budget.Get("reasoning_headroom_tokens"))
	total, ok3 := p.Count(&arm.Facts, evidence.KeyOutputCap, budget.Get("max_completion_tokens"))
	if ok3 {
		p.cap = evidence.Some(total)
	}
	if ok1 && ok2 && ok3 {
		p.AgreeCount(budget.Get("max_completion_tokens"), total, visible+headroom, "visible answer and headroom", budget.P)
	}
}

// results turns every result into a gate.
func (p *preflight) results() {
	list, checks := p.List(p.Top.Get("results")), p.List(p.Top.Get("checks"))
	p.allPassed = list.Len() > 0
	for _, v := range list.Items() {
		p.Expect(v, "name", "passed", "detail")
		p.gate(v.Get("name"), v.Get("passed"), v.Get("detail").Str(), v)
		if passed, _ := v.Get("passed").True(); !passed {
			p.allPassed = false
		}
	}
	if list.OK() && checks.OK() {
		p.AgreeCount(checks, int64(checks.Len()), int64(list.Len()), "the number of results", list.P)
	}
	for _, v := range checks.Items() {
		p.Note(evidence.Statement, "check", v)
	}
}

func (p *preflight) gate(name, passed lift.Val, detail string, at lift.Val) {
	g := evidence.Gate{Name: name.Str(), Detail: lift.Clip(detail), Status: evidence.GateUnresolved, Place: evidence.At(at.P)}
	if ok, known := passed.True(); known && ok {
		g.Status, g.SourceStatus = evidence.GatePassed, passed.N.Text
	} else if known {
		g.Status, g.SourceStatus = evidence.GateFailed, passed.N.Text
	} else if passed.OK() {
		p.Find(evidence.Warning, lift.CodeNotText, passed, "a flag was expected: the gate is unresolved")
	}
	p.Gates = append(p.Gates, g)
}

// policy is a gate of its own: finish reasons and reasoning.
func (p *preflight) policy() {
	v := p.Block(p.Top.Get("evidence_policy"))
	p.Expect(v, "reasoning", "allowed_finish_reasons", "errors")
	p.Note(evidence.Statement, "reasoning", v.Get("reasoning"))
	for _, r := range p.List(v.Get("allowed_finish_reasons")).Items() {
		p.Note(evidence.Statement, "allowed_finish_reason", r)
	}
	errors := p.List(v.Get("errors"))
	if !errors.Is(jsondoc.Array) {
		return
	}
	g := evidence.Gate{Name: "evidence policy", Status: evidence.GatePassed, SourceStatus: "no errors", Place: evidence.At(errors.P)}
	for _, e := range errors.Items() {
		p.Note(evidence.Failure, "evidence_policy", e)
		g.Status, g.SourceStatus, g.Detail = evidence.GateFailed, "errors", lift.Clip(cmp.Or(g.Detail, e.Str()))
	}
	p.Gates = append(p.Gates, g)
	if p.allPassed && errors.Len() > 0 {
		p.Find(evidence.Warning, CodePolicy, errors, "every check passed; the preflight fails on its policy alone")
	}
}

// overall is the verdict of the file; it must follow from results and policy.
func (p *preflight) overall() {
	v := p.Top.Get("passed")
	if !v.OK() {
		return
	}
	p.gate(lift.Val{}, v, "", v)
	p.Gates[len(p.Gates)-1].Name = "preflight"
	want := p.allPassed && p.Top.Path("evidence_policy", "errors").Len() == 0
	if passed, known := v.True(); known && passed != want {
		p.Find(evidence.Warning, lift.CodeDiffers, v, "passed is %v, results and policy give %v", passed, want)
		p.Gates[len(p.Gates)-1].Status = evidence.GateUnresolved
	}
}

// expectations keeps what the media checks ask for, and the media as references.
func (p *preflight) expectations() {
	for _, name := range []string{"image_expect", "ocr_expect", "video_expect"} {
		for _, v := range p.List(p.Top.Get(name)).Items() {
			p.Note(evidence.Statement, name, v)
		}
	}
	for _, name := range []string{"multimodal_input", "video_input"} {
		p.Media(name, p.Block(p.Top.Get(name)))
	}
}

// observation is one request: a run with a single figure.
func (p *preflight) observation(arm *lift.Arm, v lift.Val) {
	if !v.Is(jsondoc.Object) {
		p.Find(evidence.Warning, lift.CodeNotText, v, "an observation was expected")
		return
	}
	p.Expect(v, "test", "seconds", "passed", "finish_reason", "content_chars", "content_excerpt", "reasoning_field", "reasoning_chars",
		"reasoning_excerpt", "reasoning_tokens", "usage", "validation_detail")
	name := cmp.Or(v.Get("test").Str(), "observation")
	if index, ok := p.PeekInt(v.Get("request_index")); ok {
		name += " " + strconv.FormatInt(index, 10)
	}
	run := arm.NewRun(name, evidence.ClassFunctional, v)
	run.N = evidence.Some[int64](1)
	f := &run.Facts
	p.Words(f, evidence.KeySlice, v.Get("test"))
	p.Derive(f, evidence.KeyRequests, "1", "one-request", lift.Val{P: v.P})
	p.Words(f, evidence.KeyRunStatus, v.Get("finish_reason"))
	p.Flag(f, evidence.KeyCorrectness, v.Get("passed"))
	p.Lift(run, v.Get("seconds"), lift.Want{Metric: evidence.E2E, Stat: evidence.Single, Unit: "s"})
	p.tokens(run, v)
	p.content(v)
	for _, name := range []string{"image", "video"} {
		p.Media(name, p.Block(v.Get(name)))
	}
	for _, e := range p.List(v.Get("expected")).Items() {
		p.Note(evidence.Statement, "expected", e)
	}
	if s := v.Get("response_status"); s.OK() {
		p.Note(evidence.Statement, "response_status", s)
	}
	p.PeekInt(v.Get("event_count"))
}

func (p *preflight) tokens(run *lift.Run, v lift.Val) {
	usage := v.Get("usage")
	u := p.ReadUsage(usage)
	f := &run.Facts
	if s, ok := lift.PeekNumber(v.Get("seconds"), "s"); ok {
		p.Pace(v.Get("seconds"), evidence.Some(s), u)
	}
	if u.Prompt.OK {
		p.Lift(run, u.PromptVal, lift.Want{Metric: evidence.PromptTokens, Stat: evidence.Single, Unit: "tokens"})
		p.Fact(f, evidence.KeyPromptTokens, u.PromptVal)
	}
	if u.Completion.OK {
		p.Lift(run, u.CompletionVal, lift.Want{Metric: evidence.OutputTokens, Stat: evidence.Single, Unit: "tokens"})
		if p.cap.OK && u.Completion.V > p.cap.V {
			p.Find(evidence.Warning, lift.CodeRow, u.CompletionVal, "%d completion tokens above the budget of %d", u.Completion.V, p.cap.V)
		}
	}
	if u.Cached.OK && u.Prompt.OK {
		p.Derive(f, evidence.KeyCachedFraction, lift.Fraction(u.Cached.V, u.Prompt.V), "cached/prompt", u.CachedVal)
	}
}

// content holds the sizes that are stored against the texts. Texts of models are not
// taken into facts or notes.
func (p *preflight) content(v lift.Val) {
	if c := v.Get("content"); c.Is(jsondoc.String) {
		if n, ok := p.PeekInt(v.Get("content_chars")); ok {
			p.AgreeCount(v.Get("content_chars"), n, int64(utf8.RuneCountInString(c.Str())), "the text", c.P)
		}
	}
	if n, ok := p.PeekInt(v.Get("reasoning_chars")); ok {
		if excerpt := int64(utf8.RuneCountInString(v.Get("reasoning_excerpt").Str())); excerpt > n {
			p.Find(evidence.Warning, lift.CodeCount, v.Get("reasoning_chars"), "%d characters of reasoning, but an excerpt of %d", n, excerpt)
		}
	}
}
