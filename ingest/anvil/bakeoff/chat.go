package bakeoff

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// chatFigures are the percentiles of timing.chat around p50 and p95.
var chatFigures = []struct {
	before, after string
	metric        evidence.MetricID
	unit          string
}{
	{"ttft_", "_ms", evidence.TTFT, "ms"},
	{"time_to_first_output_", "_ms", evidence.TTFO, "ms"},
	{"e2e_", "_ms", evidence.E2E, "ms"},
	{"generation_", "_ms", evidence.Generation, "ms"},
	{"effective_prefill_tok_s_", "", evidence.EffectivePrefillRate, "tok/s"},
	{"decode_tok_s_", "", evidence.DecodeRate, "tok/s"},
	{"mean_inter_token_latency_ms_", "", evidence.TPOT, "ms"},
	{"prompt_tokens_", "", evidence.PromptTokens, "tokens"},
}

// chat reads the percentiles over the timed context requests. Over one request they
// repeat its figures; over none they are 0.0 and mean nothing.
func (b *bakeoff) chat() {
	v := b.Block(b.Top.Path("timing", "chat"))
	b.Expect(b.Top.Get("timing"), "wall_ms", "chat")
	b.Expect(v, "ttft_p50_ms", "ttft_p95_ms", "e2e_p50_ms", "e2e_p95_ms", "output_tokens")
	if !v.Is(jsondoc.Object) {
		return
	}
	var timed []*contextRow
	for _, r := range b.rows {
		if r.Get("e2e_ms").Is(jsondoc.Number) {
			timed = append(timed, r)
		}
	}
	if len(timed) == 0 {
		b.notTimed(v)
		return
	}
	method := evidence.RoundedIndex
	if v.Get("ttft_samples").OK() {
		method = evidence.NearestRank
	}
	run := timed[0].run
	if len(timed) > 1 {
		run = b.chatRun(v, timed, method)
	}
	for _, f := range chatFigures {
		b.chatFigure(run, v, f.metric, f.unit, f.before+"p50"+f.after, evidence.P50, method, timed)
		b.chatFigure(run, v, f.metric, f.unit, f.before+"p95"+f.after, evidence.P95, method, timed)
	}
	total := b.Lift(run, v.Get("prompt_tokens"), lift.Want{Metric: evidence.PromptTokens, Stat: evidence.Total, Unit: "tokens"})
	var prompt float64
	for _, r := range timed {
		if p := r.run.Primary(evidence.PromptTokens, evidence.Single); p != nil {
			prompt += p.Value.V
		}
	}
	b.Agree(total, prompt, "sum", 0, 0, b.Top.Path("context", "targets").P)
	b.InOrder(run)
	b.chatScores(run, method)
	b.chatCounts(v, timed)
}

// chatRun opens a run for percentiles over several contexts.
func (b *bakeoff) chatRun(v lift.Val, timed []*contextRow, method evidence.Method) *lift.Run {
	run := b.arm.NewRun("context requests together", timed[len(timed)-1].run.Class, v)
	run.N = evidence.Some(int64(len(timed)))
	f, at := &run.Facts, lift.Val{P: b.Top.Path("context", "targets").P}
	b.Derive(f, evidence.KeyConcurrency, "1", ruleWriter, lift.Val{P: v.P})
	b.Derive(f, evidence.KeyRequests, evidence.FormatDecimal(float64(len(timed))), ruleTargets, at)
	b.Derive(f, evidence.KeyContextTarget, b.targets(timed), ruleTargets, at)
	b.Derive(f, evidence.KeyPercentileMethod, string(method), ruleChunkRule, lift.Val{P: v.P})
	b.boundary(f, timed[0])
	return run
}

// chatFigure lifts one percentile and takes it again from the requests.
func (b *bakeoff) chatFigure(run *lift.Run, v lift.Val, m evidence.MetricID, unit, name string, stat evidence.Stat, method evidence.Method, timed []*contextRow) {
	x := v.Get(name)
	if !x.OK() {
		return
	}
	w := lift.Want{Metric: m, Stat: stat, Method: method, Unit: unit}
	var values []float64
	usage, visible := true, true
	for _, r := range timed {
		visible, usage = visible && r.visible, usage && (r.usage || r.countsUsage() && v.Get("ttft_samples").OK())
		if p := r.run.Primary(m, evidence.Single); p != nil && p.Value.OK {
			values = append(values, p.Value.V)
		}
	}
	switch {
	case m == evidence.TTFT && !visible:
		b.Find(evidence.Warning, lift.CodeNoVisible, x, "a request without visible output stands among the TTFTs")
		b.Absent(run, x, w, lift.RuleNoVisible)
		b.agreeRaw(x, stat, method, timed)
		return
	case (m == evidence.DecodeRate || m == evidence.TPOT) && !usage:
		b.Absent(run, x, w, lift.RuleMixed)
		return
	}
	b.Lift(run, x, w)
	for i := range run.Measurements {
		if p := &run.Measurements[i]; p.Place.Pointer == x.P && len(values) > 0 { // rows of some writers lack what their percentiles hold
			q := 50
			if stat == evidence.P95 {
				q = 95
			}
			b.Agree(p, lift.Percentile(lift.Sorted(values), q, method), string(stat)+" by "+string(method), 1e-9, 0, b.Top.Path("context", "targets").P)
		}
	}
}

// agreeRaw holds a percentile that is no figure against what stands in the rows, so that
// a slip in it does not hide behind the reason.
func (b *bakeoff) agreeRaw(x lift.Val, stat evidence.Stat, method evidence.Method, timed []*contextRow) {
	var raw []float64
	for _, r := range timed {
		if f, ok := lift.PeekNumber(r.Get("ttft_ms"), "ms"); ok {
			raw = append(raw, f)
		}
	}
	q := 50
	if stat == evidence.P95 {
		q = 95
	}
	stored, ok := lift.PeekNumber(x, "ms")
	if rows := lift.Percentile(lift.Sorted(raw), q, method); ok && !lift.Near(stored, rows, 1e-9, 0) {
		b.Find(evidence.Warning, lift.CodeMismatch, x, "%s ms is stored, the rows at %s give %s s", x.N.Text,
			b.Top.Path("context", "targets").P, evidence.FormatDecimal(rows))
	}
}

// notTimed takes back the zeros of a section that did not run.
func (b *bakeoff) notTimed(v lift.Val) {
	zero := false
	run := b.arm.NewRun("context requests together", evidence.ClassShort, v)
	run.Status = evidence.NotRun
	scores := b.Top.Get("score_inputs")
	for _, x := range []struct {
		v lift.Val
		m evidence.MetricID
		s evidence.Stat
	}{
		{v.Get("ttft_p50_ms"), evidence.TTFT, evidence.P50}, {v.Get("ttft_p95_ms"), evidence.TTFT, evidence.P95},
		{v.Get("e2e_p50_ms"), evidence.E2E, evidence.P50}, {v.Get("e2e_p95_ms"), evidence.E2E, evidence.P95},
		{scores.Get("ttft_p50_ms"), evidence.TTFT, evidence.P50}, {scores.Get("e2e_p50_ms"), evidence.E2E, evidence.P50},
	} {
		f, ok := lift.PeekNumber(x.v, "ms")
		rule := lift.RuleFalseZero
		switch {
		case ok && f == 0:
			zero = true
		case ok:
			b.Find(evidence.Warning, lift.CodeMismatch, x.v, "%s ms is stored, and no context request was timed", x.v.N.Text)
		case x.v.Is(jsondoc.Null):
			rule = lift.RuleNull
		}
		b.Absent(run, x.v, lift.Want{Metric: x.m, Stat: x.s, Unit: "ms"}, rule)
	}
	if zero {
		b.Find(evidence.Warning, lift.CodeFalseZero, v, "0 stands for figures of a section that was not run")
	}
	for _, f := range chatFigures {
		for _, stat := range []string{"p50", "p95"} {
			if x := v.Get(f.before + stat + f.after); x.OK() && f.metric != evidence.TTFT && f.metric != evidence.E2E {
				b.Absent(run, x, lift.Want{Metric: f.metric, Stat: evidence.Stat(stat), Unit: f.unit}, lift.RuleFalseZero)
			}
		}
	}
	b.Absent(run, v.Get("prompt_tokens"), lift.Want{Metric: evidence.PromptTokens, Stat: evidence.Total, Unit: "tokens"}, lift.RuleFalseZero)
	b.chatCounts(v, nil)
}

// chatScores lifts the repetition of two percentiles in score_inputs.
func (b *bakeoff) chatScores(run *lift.Run, method evidence.Method) {
	scores := b.Top.Get("score_inputs")
	for _, x := range []struct {
		name string
		m    evidence.MetricID
	}{{"ttft_p50_ms", evidence.TTFT}, {"e2e_p50_ms", evidence.E2E}} {
		v, w := scores.Get(x.name), lift.Want{Metric: x.m, Stat: evidence.P50, Method: method, Unit: "ms"}
		have := run.Primary(x.m, evidence.P50)
		if have == nil {
			have = run.Primary(x.m, evidence.Single)
		}
		if have != nil && have.State == evidence.Absent {
			b.Absent(run, v, w, have.Rule)
			stored, ok1 := lift.PeekNumber(v, "ms")
			if chat, ok2 := lift.PeekNumber(b.Top.Path("timing", "chat", x.name), "ms"); ok1 && ok2 && stored != chat {
				b.Find(evidence.Warning, lift.CodeMismatch, v, "not what stands at %s", b.Top.Path("timing", "chat", x.name).P)
			}
			continue
		}
		b.Lift(run, v, w)
	}
}

// chatCounts holds the counts of timing.chat against the requests.
func (b *bakeoff) chatCounts(v lift.Val, timed []*contextRow) {
	var out int64
	for _, r := range timed {
		out += r.output.V
	}
	from := b.Top.Path("context", "targets").P
	if n, ok := b.PeekInt(v.Get("output_tokens")); ok {
		b.AgreeCount(v.Get("output_tokens"), n, out, "the sum of the requests", from)
	}
	for _, name := range []string{"ttft_samples", "prompt_token_samples"} {
		if n, ok := b.PeekInt(v.Get(name)); ok {
			b.AgreeCount(v.Get(name), n, int64(len(timed)), "the number of timed requests", from)
		}
	}
	for _, name := range []string{"content_chunks", "reasoning_chunks"} {
		n, ok := b.PeekInt(v.Get(name))
		var sum int64
		all := ok
		for _, r := range timed {
			c, has := b.PeekInt(r.Get(name))
			sum, all = sum+c, all && has
		}
		if all {
			b.AgreeCount(v.Get(name), n, sum, "the sum of the requests", from)
		}
	}
}
