package multimodal

import (
	"slices"
	"strconv"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func sortedNames(names []string) []string {
	slices.Sort(names)
	return names
}

// aggregate reads one group: a run with its pass rate and latencies.
func (m *media) aggregate(kind, name string, v lift.Val, g *group) {
	if !v.Is(jsondoc.Object) {
		m.Find(evidence.Warning, lift.CodeNotText, v, "a group was expected")
		return
	}
	m.Expect(v, "attempts", "passed", "pass_rate", "latency_p50_seconds", "latency_p95_seconds")
	run := m.arm.NewRun(kind+" "+name, evidence.ClassMedia, v)
	if g == nil {
		g = &group{}
	}
	if kind == "case" {
		run.Samples = g.samples
	}
	run.N = m.OptInt(v.Get("attempts"))
	m.groupFacts(run, kind, name, v, g)
	from := m.attempts
	if run.N.OK {
		m.AgreeCount(v.Get("attempts"), run.N.V, g.attempts, "the attempts", from)
	}
	passed := v.Get("passed")
	if n, ok := m.PeekInt(passed); ok {
		m.AgreeCount(passed, n, g.passed, "the attempts", from)
	}
	rate := m.Lift(run, v.Get("pass_rate"), lift.Want{Metric: evidence.PassRate, Stat: evidence.Total, Unit: "ratio"})
	if g.attempts > 0 {
		m.Agree(rate, float64(g.passed)/float64(g.attempts), "passed by attempts", 1e-9, 0, from)
	}
	sorted := lift.Sorted(g.seconds)
	// The p50 of this writer is the interpolated median.
	p50 := m.Lift(run, v.Get("latency_p50_seconds"), lift.Want{Metric: evidence.Latency, Stat: evidence.P50, Method: evidence.Linear, Unit: "s"})
	m.Agree(p50, lift.Percentile(sorted, 50, evidence.Linear), "interpolated median", 1e-9, 1e-9, from)
	p95 := m.Lift(run, v.Get("latency_p95_seconds"), lift.Want{Metric: evidence.Latency, Stat: evidence.P95, Method: evidence.NearestRank, Unit: "s"})
	m.Agree(p95, lift.Percentile(sorted, 95, evidence.NearestRank), "p95 by nearest rank", 1e-9, 1e-9, from)
	m.InOrder(run)
	if failed := g.attempts - g.passed; failed > 0 {
		m.Find(evidence.Info, CodeFailedInside, v, "%d of %d attempts failed and stand in the latencies, %d of them without an answer", failed, g.attempts, g.attempts-g.usable)
	}
}

func (m *media) groupFacts(run *lift.Run, kind, name string, v lift.Val, g *group) {
	f, at := &run.Facts, lift.Val{P: m.attempts}
	m.Derive(f, evidence.KeySlice, kind+":"+name, "member-name", lift.Val{P: v.P})
	m.Fact(f, evidence.KeyRequests, v.Get("attempts"))
	m.Derive(f, evidence.KeyCompleted, strconv.FormatInt(g.usable, 10), "answered-attempts", at)
	m.Derive(f, evidence.KeyFailed, strconv.FormatInt(g.attempts-g.passed, 10), "failed-attempts", at)
	if g.counts > 0 {
		m.Derive(f, evidence.KeyMeanOutput, lift.Fraction(g.completion, g.counts), "mean of attempts", at)
		m.Derive(f, evidence.KeyShareAtCap, lift.Fraction(g.atCap, g.counts), "attempts-at-cap", at)
	}
}

// rest keeps the samples of cases that no aggregate names.
func (m *media) rest() {
	var names []string
	for name := range m.cases {
		names = append(names, name)
	}
	at := m.Top.Get("attempts")
	for _, name := range sortedNames(names) {
		m.Find(evidence.Warning, lift.CodeCount, at, "attempts of the case %s are in no group", lift.Clip(name))
		run := m.arm.NewRun("case "+name, evidence.ClassMedia, at)
		run.Samples = m.cases[name].samples
		m.Derive(&run.Facts, evidence.KeySlice, "case:"+name, "case_id", lift.Val{P: at.P})
	}
}
