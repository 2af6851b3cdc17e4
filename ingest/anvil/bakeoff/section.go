package bakeoff

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// work is a section of checks being read.
type work struct {
	lift.Val
	name                     string
	suite                    bool
	run                      *lift.Run
	ids                      []string
	passed, attempted, items int64
	itemsPassed              int64
	counts                   []evidence.Place
	attempts                 []attempt
	unanswered               int
	visible, headroom, cap   agreed
	repetitions, required    agreed
}

// agreed is a number that every attempt has alike.
type agreed struct {
	v     lift.Val
	value float64
	state int // 0 none, 1 agreed, 2 different
}

func (a *agreed) add(v lift.Val, unit string) {
	f, ok := lift.PeekNumber(v, unit)
	switch {
	case !ok:
	case a.state == 0:
		a.v, a.value, a.state = v, f, 1
	case a.value != f:
		a.state = 2
	}
}

// attempt is one answer.
type attempt struct {
	latency lift.Val
	sample  evidence.Sample
	usage   bool
	cap     evidence.Opt[int64]
}

// section reads a section of checks: a gate always, a run when it ran.
func (b *bakeoff) section(name string, v lift.Val, suite bool) {
	if !v.OK() {
		return
	}
	b.Expect(v, "status", "checks")
	if suite {
		b.Expect(v, "source", "date", "work_class")
		b.gate("suite "+name, v)
		b.sourceOf(v)
	} else {
		b.gate(name, v)
	}
	checks := b.List(v.Get("checks"))
	if v.Get("status").Str() == "not_run" || checks.Len() == 0 {
		if v.Get("status").Str() == "not_run" && checks.Len() > 0 {
			b.Find(evidence.Warning, lift.CodeCount, v.Get("status"), "not run, but %d checks are there", checks.Len())
		}
		return
	}
	class := evidence.ClassQuality
	if v.Get("work_class").Str() == "serving-throughput" {
		class = evidence.ClassGeneration
	}
	w := &work{Val: v, name: name, suite: suite, run: b.arm.NewRun(name, class, v)}
	all := true
	for _, c := range checks.Items() {
		all = b.check(w, c) && all
	}
	if s := v.Get("status").Str(); s == "passed" && !all || s == "failed" && all {
		b.Find(evidence.Warning, lift.CodeDiffers, v.Get("status"), "the section is %s, its checks say otherwise", s)
		b.Gates[len(b.Gates)-1].Status = evidence.GateUnresolved
	}
	b.sectionFacts(w)
	b.passRate(w)
	b.latency(w)
}

// sourceOf keeps the file that a suite was read from.
func (b *bakeoff) sourceOf(v lift.Val) {
	if s := v.Get("source"); s.Str() != "" {
		b.References = append(b.References, evidence.Reference{Name: s.Str(), SHA256: b.digest(v.Get("source_sha256")), Kind: "suite", Place: evidence.At(s.P)})
	}
	b.Note(evidence.Statement, "date", v.Get("date"))
	b.Note(evidence.Statement, "work_class", v.Get("work_class"))
}

// check reads one check and reports whether it passed.
func (b *bakeoff) check(w *work, c lift.Val) bool {
	if !c.Is(jsondoc.Object) {
		b.Find(evidence.Warning, lift.CodeNotText, c, "a check was expected")
		return false
	}
	status := c.Get("status").Str()
	id := c.Get("id")
	if !id.OK() {
		id = c.Get("name")
	}
	if id.Str() == "" {
		b.Find(evidence.Warning, lift.CodeMissing, c, "a check without id or name")
	}
	w.ids = append(w.ids, id.Str())
	w.items++
	passed := status == "passed"
	if passed {
		w.itemsPassed++
	}
	b.Expect(c, "status")
	if c.Get("error").OK() {
		b.Note(evidence.Failure, lift.Clip(id.Str()), c.Get("error"))
	}
	for _, name := range []string{"validator", "expected_function", "content_excerpt", "expected"} {
		if x := c.Get(name); x.OK() && !x.Is(jsondoc.String) && !x.Is(jsondoc.Null) {
			b.Find(evidence.Warning, lift.CodeNotText, x, "a text was expected")
		}
	}
	if attempts := c.Get("attempts"); attempts.OK() || c.Get("attempt_count").OK() {
		b.repeatedCheck(w, c)
		return passed
	}
	b.answer(w, c, int64(len(w.attempts)))
	w.attempted++
	if passed {
		w.passed++
	}
	if !c.Get("latency_ms").OK() {
		w.unanswered++
		b.Find(evidence.Warning, CodeUnanswered, c, "no answer came to this check: it says nothing of quality")
	}
	return passed
}

// repeatedCheck reads a check with attempts and holds its counts against them.
func (b *bakeoff) repeatedCheck(w *work, c lift.Val) {
	b.Expect(c, "attempts", "attempt_count", "pass_count", "pass_rate", "required_pass_rate")
	list := b.List(c.Get("attempts"))
	var passed int64
	for i, a := range list.Items() {
		if !a.Is(jsondoc.Object) {
			b.Find(evidence.Warning, lift.CodeNotText, a, "an attempt was expected")
			continue
		}
		b.Expect(a, "attempt", "status", "latency_ms", "finish_reason", "failure_class", "content", "usage", "budget")
		b.answer(w, a, int64(len(w.attempts)))
		if a.Get("status").Str() == "passed" {
			passed++
		}
		if n, ok := b.PeekInt(a.Get("attempt")); ok {
			b.AgreeCount(a.Get("attempt"), n, int64(i)+1, "its place in the list", list.P)
		}
	}
	pass, attempts := c.Get("pass_count"), c.Get("attempt_count")
	p, ok1 := b.Int(pass)
	n, ok2 := b.Int(attempts)
	if ok1 {
		b.AgreeCount(pass, p, passed, "passed attempts", list.P)
	}
	if ok2 {
		b.AgreeCount(attempts, n, int64(list.Len()), "the number of attempts", list.P)
	}
	if ok1 && ok2 {
		w.passed, w.attempted = w.passed+p, w.attempted+n
		w.counts = append(w.counts, evidence.At(pass.P), evidence.At(attempts.P))
		w.repetitions.add(attempts, "count")
		b.rates(c, p, n)
	}
	w.required.add(c.Get("required_pass_rate"), "ratio")
}

// rates holds a check's own rate and status against its counts.
func (b *bakeoff) rates(c lift.Val, p, n int64) {
	rate, ok := lift.PeekNumber(c.Get("pass_rate"), "ratio")
	if ok && (n == 0 || !lift.Near(rate, float64(p)/float64(n), 1e-6, 0)) {
		b.Find(evidence.Warning, lift.CodeMismatch, c.Get("pass_rate"), "%s is stored, %d of %d passed", c.Get("pass_rate").N.Text, p, n)
	}
	need, ok2 := lift.PeekNumber(c.Get("required_pass_rate"), "ratio")
	if ok2 && need > 1 {
		b.Find(evidence.Warning, lift.CodeImpossible, c.Get("required_pass_rate"), "a pass rate above 1")
	}
	if ok && ok2 && (rate+1e-9 >= need) != (c.Get("status").Str() == "passed") {
		b.Find(evidence.Warning, lift.CodeDiffers, c.Get("status"), "a rate of %s against %s required does not give this status",
			evidence.FormatDecimal(rate), evidence.FormatDecimal(need))
	}
}

// answer keeps one answer as a sample. Texts of models are not taken.
func (b *bakeoff) answer(w *work, v lift.Val, index int64) {
	a := attempt{latency: v.Get("latency_ms"), usage: v.Get("usage").Is(jsondoc.Object)}
	u := b.ReadUsage(v.Get("usage"))
	a.sample = evidence.Sample{Index: index, E2E: b.Span(a.latency, "ms"), PromptTokens: u.Prompt, OutputTokens: u.Completion, CachedTk: u.Cached,
		Failure: lift.Clip(v.Get("failure_class").Str()), Place: evidence.At(v.P)}
	a.sample.OK = a.sample.E2E.OK
	b.Pace(a.latency, a.sample.E2E, u)
	budget := b.Block(v.Get("budget"))
	for _, x := range []struct {
		to   *agreed
		name string
	}{{&w.visible, "visible_answer_tokens"}, {&w.headroom, "reasoning_headroom_tokens"}, {&w.cap, "max_completion_tokens"}} {
		x.to.add(budget.Get(x.name), "tokens")
		b.PeekInt(budget.Get(x.name))
	}
	if budget.OK() {
		b.Expect(budget, "visible_answer_tokens", "reasoning_headroom_tokens", "max_completion_tokens")
		b.budget(budget)
	}
	if n, ok := b.PeekInt(budget.Get("max_completion_tokens")); ok {
		a.cap = evidence.Some(n)
		if u.Completion.OK && u.Completion.V > n {
			b.Find(evidence.Warning, lift.CodeRow, u.CompletionVal, "%d completion tokens above the budget of %d", u.Completion.V, n)
		}
	}
	for _, name := range []string{"tool_call_count", "valid_tool_call_count", "reasoning_chars", "reasoning_tokens"} {
		b.PeekInt(v.Get(name))
	}
	b.Block(v.Get("arguments"))
	b.Block(v.Get("expected_arguments"))
	for _, e := range b.List(v.Get("validation_errors")).Items() {
		b.Note(evidence.Failure, "validation_error", e)
	}
	b.textChecks(v)
	w.attempts = append(w.attempts, a)
	w.run.Samples = append(w.run.Samples, a.sample)
}

// budget: visible and headroom are sent as one maximum.
func (b *bakeoff) budget(v lift.Val) {
	visible, ok1 := b.PeekInt(v.Get("visible_answer_tokens"))
	headroom, ok2 := b.PeekInt(v.Get("reasoning_headroom_tokens"))
	total, ok3 := b.PeekInt(v.Get("max_completion_tokens"))
	if ok1 && ok2 && ok3 {
		b.AgreeCount(v.Get("max_completion_tokens"), total, visible+headroom, "visible answer and headroom", v.P)
	}
}

// textChecks: an answer passes when all of its text checks do.
func (b *bakeoff) textChecks(v lift.Val) {
	list := b.List(v.Get("text_checks"))
	all := true
	for _, c := range list.Items() {
		b.Expect(c, "name", "passed")
		ok, known := c.Get("passed").True()
		if c.Get("passed").OK() && !known {
			b.Find(evidence.Warning, lift.CodeNotText, c.Get("passed"), "a flag was expected")
		}
		all = all && ok
	}
	if status := v.Get("status").Str(); list.Len() > 0 && status == "passed" && !all {
		b.Find(evidence.Warning, lift.CodeDiffers, v.Get("status"), "passed, but not every text check did")
	}
}

// sectionFacts puts the shape of a section.
func (b *bakeoff) sectionFacts(w *work) {
	f, at := &w.run.Facts, lift.Val{P: w.P}
	b.Derive(f, evidence.KeySuite, w.name, "member-name", at)
	if v := w.Get("source_sha256"); v.Str() != "" {
		b.Words(f, evidence.KeySuiteDigest, v)
	}
	if ids := idList(w.ids); ids != "" {
		b.Derive(f, evidence.KeySuiteChecks, ids, "check-ids", lift.Val{P: w.Get("checks").P})
	}
	b.Words(f, evidence.KeyUse, w.Get("evidence_use"))
	b.Words(f, evidence.KeyValidator, w.Get("validator_strength"))
	b.Derive(f, evidence.KeyConcurrency, "1", ruleWriter, at)
	b.Derive(f, evidence.KeyRequests, strconv.Itoa(len(w.attempts)), "attempts", lift.Val{P: w.Get("checks").P})
	b.Derive(f, evidence.KeyItems, strconv.FormatInt(w.items, 10), "checks", lift.Val{P: w.Get("checks").P})
	b.Derive(f, evidence.KeyItemsPassed, strconv.FormatInt(w.itemsPassed, 10), "checks", lift.Val{P: w.Get("checks").P})
	protocol := b.protocolBlock
	for _, x := range []struct {
		k    evidence.FactKey
		own  agreed
		name string
	}{
		{evidence.KeyRepetitions, w.repetitions, "repetitions"}, {evidence.KeyMinPassRate, w.required, "minimum_pass_rate"},
		{evidence.KeyVisibleTokens, w.visible, "visible_answer_tokens"}, {evidence.KeyHeadroomTokens, w.headroom, "reasoning_headroom_tokens"},
		{evidence.KeyOutputCap, w.cap, ""},
	} {
		switch x.own.state {
		case 1:
			b.Fact(f, x.k, x.own.v)
			if general, ok := lift.PeekNumber(protocol.Get(x.name), "count"); ok && general != x.own.value {
				b.Find(evidence.Info, CodeOwnBudget, protocol.Get(x.name), "%s for the file; %s has %s of its own, which holds", protocol.Get(x.name).N.Text,
					lift.Clip(w.name), evidence.FormatDecimal(x.own.value))
			}
		case 0:
			if x.name != "" {
				b.Fact(f, x.k, protocol.Get(x.name))
			}
		}
	}
	b.outputFacts(w)
}

// idList is the checks that ran: their ids, or a digest where the list is long.
func idList(ids []string) string {
	s := strings.Join(ids, " ")
	if len(s) <= 400 {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return strconv.Itoa(len(ids)) + " checks, sha256:" + hex.EncodeToString(sum[:])
}

// outputFacts puts lengths of the answers that usage tells.
func (b *bakeoff) outputFacts(w *work) {
	var total, atCap, n int64
	var prompt agreed
	for i := range w.attempts {
		a := &w.attempts[i]
		if !a.sample.OutputTokens.OK {
			return
		}
		n, total = n+1, total+a.sample.OutputTokens.V
		if a.cap.OK && a.sample.OutputTokens.V >= a.cap.V {
			atCap++
		}
		if p := a.sample.PromptTokens; p.OK && (prompt.state == 0 || prompt.value == float64(p.V)) {
			prompt.value, prompt.state = float64(p.V), 1
		} else {
			prompt.state = 2
		}
	}
	if n == 0 {
		return
	}
	f, at := &w.run.Facts, lift.Val{P: w.Get("checks").P}
	b.Derive(f, evidence.KeyMeanOutput, lift.Fraction(total, n), ruleMean, at)
	b.Derive(f, evidence.KeyShareAtCap, lift.Fraction(atCap, n), ruleAtCap, at)
	b.Derive(f, evidence.KeyCompleted, strconv.FormatInt(n, 10), "attempts", at)
	if prompt.state == 1 {
		b.Derive(f, evidence.KeyPromptTokens, evidence.FormatDecimal(prompt.value), "attempts", at)
	}
}

// maxAlso bounds the places of a figure that is formed from many counts.
const maxAlso = 200

// passRate is passed over attempted, of all attempts of all checks.
func (b *bakeoff) passRate(w *work) {
	if w.attempted == 0 {
		return
	}
	m := evidence.Measurement{Metric: evidence.PassRate, Stat: evidence.Total, Unit: evidence.Ratio, N: evidence.Some(w.attempted),
		State: evidence.Derived, Rule: rulePassRate, Role: evidence.Primary, SourceUnit: "ratio",
		SourceText: strconv.FormatInt(w.passed, 10) + "/" + strconv.FormatInt(w.attempted, 10),
		Place:      evidence.At(w.Get("checks").P), Also: w.counts[:min(len(w.counts), maxAlso)]}
	switch {
	case w.unanswered > 0 || w.passed > w.attempted:
		m.State, m.Rule = evidence.Absent, lift.RuleMixed
	default:
		m.Value = evidence.Some(float64(w.passed) / float64(w.attempted))
	}
	w.run.Measurements = append(w.run.Measurements, m)
	w.run.N = m.N
}

// latency is the median over repeated attempts of one check. The place is the attempt
// that holds it. Attempts without usage ended in an error: then there is none.
func (b *bakeoff) latency(w *work) {
	if w.items != 1 || len(w.attempts) == 0 {
		return
	}
	values := make([]float64, 0, len(w.attempts))
	for i := range w.attempts {
		a := &w.attempts[i]
		if !a.sample.E2E.OK || b.repeated() && !a.usage {
			return
		}
		values = append(values, a.sample.E2E.V)
	}
	median := lift.Percentile(lift.Sorted(values), 50, evidence.NearestRank)
	m := evidence.Measurement{Metric: evidence.E2E, Stat: evidence.P50, Method: evidence.NearestRank, Value: evidence.Some(median), Unit: evidence.Seconds,
		N: evidence.Some(int64(len(values))), State: evidence.Derived, Rule: ruleAttempts, Role: evidence.Primary, SourceUnit: "ms"}
	if len(values) == 1 {
		m.Stat, m.Method, m.State, m.Rule = evidence.Single, "", evidence.Recorded, ""
	}
	for i := range w.attempts {
		p := evidence.At(w.attempts[i].latency.P)
		switch {
		case m.SourceText == "" && values[i] == median:
			m.Place, m.SourceText = p, w.attempts[i].latency.N.Text
		case len(m.Also) < maxAlso:
			m.Also = append(m.Also, p)
		}
	}
	w.run.Measurements = append(w.run.Measurements, m)
}
