package paired

import (
	"strconv"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// voice reads turns of a candidate against those of a baseline: every stage is a run with
// one latency and its statistics.
func (p *pair) voice() {
	for name, v := range p.Top.Members() {
		if v.Is(jsondoc.Object) && v.Get("turn_latency_ms").OK() {
			p.voiceArm(name, v)
		}
	}
	for i, v := range p.List(p.Top.Get("runs")).Items() {
		p.turn(i, v)
	}
}

func (p *pair) voiceArm(name string, v lift.Val) {
	p.Expect(v, "label", "turn_latency_ms", "ttfa_ms", "llm_stage_latency_ms")
	s := p.side(name, v)
	p.Words(&s.Facts, evidence.KeyServedModel, v.Path("llm", "model"))
	n := evidence.Some[int64](1)
	if runs := v.Get("n_runs"); runs.OK() {
		n = p.OptInt(runs)
		p.Skip(runs, evidence.ReasonRecomputed)
	}
	for member, m := range v.Members() {
		stage, ok := strings.CutSuffix(member, "_ms")
		if !ok {
			continue
		}
		run := s.run(strings.TrimSuffix(stage, "_latency"), evidence.ClassSpeech, m)
		run.N = n
		p.Derive(&run.Facts, evidence.KeySlice, strings.TrimSuffix(stage, "_latency"), "member-name", lift.Val{P: m.P})
		p.Derive(&run.Facts, evidence.KeyConcurrency, "1", "one-turn-at-a-time", lift.Val{P: v.P})
		if m.Is(jsondoc.Object) {
			p.stage(run, m)
		} else {
			p.Lift(run, m, lift.Want{Metric: evidence.Latency, Stat: evidence.Single, Unit: "ms"})
		}
	}
}

// stage lifts the statistics of one stage and holds them against the turns.
func (p *pair) stage(run *lift.Run, v lift.Val) {
	p.Expect(v, "min", "max", "mean", "median", "all")
	var values []float64
	for _, x := range p.List(v.Get("all")).Items() {
		if f, ok := lift.PeekNumber(x, "ms"); ok {
			values = append(values, f)
		}
		p.Skip(x, evidence.ReasonRow)
	}
	if run.N.OK && len(values) > 0 {
		p.AgreeCount(v.Get("all"), int64(len(values)), run.N.V, "the number of runs", v.P)
	}
	sorted := lift.Sorted(values)
	for _, x := range []struct {
		name   string
		stat   evidence.Stat
		method evidence.Method
		value  func() float64
	}{
		{"min", evidence.Min, "", func() float64 { return sorted[0] }}, {"max", evidence.Max, "", func() float64 { return sorted[len(sorted)-1] }},
		{"mean", evidence.Mean, "", func() float64 { return lift.Sum(values) / float64(len(values)) }},
		{"median", evidence.P50, evidence.Linear, func() float64 { return lift.Percentile(sorted, 50, evidence.Linear) }},
	} {
		m := p.Lift(run, v.Get(x.name), lift.Want{Metric: evidence.Latency, Stat: x.stat, Method: x.method, Unit: "ms"})
		if len(values) > 0 && m != nil {
			p.Agree(m, x.value(), "of the turns", 0, scaled(m), v.Get("all").P)
		}
	}
	p.InOrder(run)
}

// turn is one turn behind the statistics: its parts are listed, and what was recognised.
func (p *pair) turn(i int, v lift.Val) {
	p.Expect(v, "latency", "comparison", "transcript", "tts")
	transcript := v.Get("transcript")
	if hypothesis := transcript.Get("stt_hypothesis"); hypothesis.Is(jsondoc.String) && hypothesis.Str() == "" {
		p.Find(evidence.Info, "empty-hypothesis", hypothesis, "turn %s: nothing was recognised, only latencies count", strconv.Itoa(i+1))
	}
	p.amongAll(v.Get("latency"))
	for _, block := range []string{"latency", "comparison", "tts", "tool"} {
		for _, m := range v.Get(block).Members() {
			if m.Is(jsondoc.Number) {
				p.Skip(m, evidence.ReasonRow)
			}
		}
	}
}

// amongAll holds the latencies of a turn against the lists that the statistics are of.
func (p *pair) amongAll(latency lift.Val) {
	for name, m := range latency.Members() {
		all := p.Top.Path("candidate", name, "all")
		if !m.Is(jsondoc.Number) || !all.Is(jsondoc.Array) {
			continue
		}
		found := false
		for _, x := range all.Items() {
			found = found || x.N.Text == m.N.Text
		}
		if !found {
			p.Find(evidence.Warning, lift.CodeMismatch, m, "%s is none of the values at %s", lift.Clip(m.N.Text), all.P)
		}
	}
}
