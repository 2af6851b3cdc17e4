package paired

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// meanOfMedians is how the p50 of a block of means was formed.
const meanOfMedians = "mean of run medians"

// means reads arms whose runs are means over repeats.
func (p *pair) means() {
	p.Words(&p.Doc.Facts, evidence.KeyProtocol, p.Top.Get("measurement_protocol"))
	methodology, identity := p.top("methodology"), p.top("identity")
	p.Expect(methodology, "repetitions")
	repetitions := p.OptInt(methodology.Get("repetitions"))
	if v := methodology.Get("repetitions"); repetitions.OK {
		p.Skip(v, evidence.ReasonDetail)
	}
	for name, v := range p.Top.Members() {
		if !v.Is(jsondoc.Object) || !childWith(v, "means") {
			continue
		}
		s := p.side(name, v)
		p.Image(&s.Facts, identity.Get(name+"_image"))
		p.Take(identity.Get(name + "_image"))
		for run, block := range v.Members() {
			if block.Get("means").Is(jsondoc.Object) {
				p.meanRun(s, run, block, methodology.Get(run), repetitions)
			}
		}
	}
	p.deltas(p.Top.Get("deltas_percent"))
}

// meanRun reads one load of one arm.
func (p *pair) meanRun(s *side, name string, v, workload lift.Val, repetitions evidence.Opt[int64]) {
	p.Expect(v, "repetitions", "requests_total", "failures_total", "means", "artifacts")
	var facts []evidence.Fact
	p.sentence(&facts, workload)
	run := s.run(name, lift.LoadClass(of(evidence.KeyContextTarget, facts), of(evidence.KeyConcurrency, facts)), v)
	run.Facts = facts
	f := &run.Facts
	if own, ok := p.Int(v.Get("repetitions")); ok {
		p.Skip(v.Get("repetitions"), evidence.ReasonDetail)
		if repetitions.OK && own != repetitions.V {
			p.AgreeCount(v.Get("repetitions"), own, repetitions.V, "the methodology", p.Top.P)
		}
		repetitions = evidence.Some(own)
	}
	total, ok1 := p.Int(v.Get("requests_total"))
	failed, ok2 := p.Int(v.Get("failures_total"))
	if ok1 && ok2 && failed > total {
		p.AgreeCount(v.Get("failures_total"), failed, total, "the number of requests", v.Get("requests_total").P)
		ok2 = false
	}
	if requests := of(evidence.KeyRequests, facts); ok1 && repetitions.OK && repetitions.V > 0 {
		each := total / repetitions.V
		if ok2 { // of one repeat, as the figures are
			n := float64(repetitions.V)
			p.Derive(f, evidence.KeyCompleted, evidence.FormatDecimal(float64(total-failed)/n), "(total-failed)/repetitions", v.Get("requests_total"))
			p.Derive(f, evidence.KeyFailed, evidence.FormatDecimal(float64(failed)/n), "failed/repetitions", v.Get("failures_total"))
		}
		run.N = evidence.Some(each)
		if requests.OK {
			p.AgreeCount(v.Get("requests_total"), total, requests.V*repetitions.V, "requests times repetitions", workload.P)
		} else {
			p.Derive(f, evidence.KeyRequests, evidence.FormatDecimal(float64(each)), "total/repetitions", v.Get("requests_total"))
		}
	}
	p.meanFigures(run, v.Get("means"))
}

// meanFigures lifts the means of one load and what they say of the requests.
func (p *pair) meanFigures(run *lift.Run, means lift.Val) {
	f := &run.Facts
	p.Derive(f, evidence.KeyAggregation, meanOfMedians, "member-name", lift.Val{P: means.P})
	boundary := "ttft"
	for name, m := range means.Members() {
		switch name {
		case "prompt_tokens":
			p.perRequest(run, evidence.KeyInputTokens, evidence.KeyPromptTokens, m)
			continue
		case "output_tokens":
			p.perRequest(run, evidence.KeyOutputTokens, evidence.KeyMeanOutput, m)
			continue
		}
		x := sweep.Read(name)
		if len(x.Rest) > 0 || x.Metric == "" || x.Unit == "" || x.Stat == "" && !sweep.Totals(x.Metric) {
			continue // the sweep says what it is, or that nobody knows
		}
		if x.Metric == evidence.TTFO {
			boundary = "ttfo"
		}
		w := x.Want
		if w.Method = p.method(); sweep.Totals(x.Metric) {
			w.Stat, w.Method = evidence.Total, ""
		}
		p.Lift(run, m, w)
	}
	if of(evidence.KeyMeanOutput, *f).OK || len(run.Measurements) > 0 {
		p.Derive(f, evidence.KeyTimingBoundary, boundary, "fields", lift.Val{P: means.P})
	}
	p.InOrder(run)
}

// perRequest puts a sum over the requests of a run, and the mean that it gives.
func (p *pair) perRequest(run *lift.Run, sum, mean evidence.FactKey, v lift.Val) {
	n, ok := p.Number(v, "tokens")
	if !ok || n.V < 0 || !p.Fact(&run.Facts, sum, v) || !run.N.OK || run.N.V == 0 {
		return
	}
	p.Derive(&run.Facts, mean, evidence.FormatDecimal(n.V/float64(run.N.V)), "sum/requests", v)
}

// method is the percentile method of the generation that the runs were measured with.
func (p *pair) method() evidence.Method {
	switch p.Top.Get("measurement_protocol").Str() {
	case "capacity-v2", "capacity-v3", "capacity-v4-reasoning":
		return evidence.NearestRank
	}
	return ""
}

// deltas reads published changes whose names start with the load: "primary_ttft_p95_improvement".
func (p *pair) deltas(block lift.Val) {
	subject, control := p.subject(), p.control()
	for name, v := range block.Members() {
		if subject == nil {
			continue
		}
		for load, run := range subject.runs {
			words, ok := strings.CutPrefix(name, load+"_")
			if !ok {
				continue
			}
			x := sweep.Read(words)
			rule, left := direction(x.Rest, x.Metric)
			if x.Metric == "" || len(left) > 0 {
				continue
			}
			p.claim(run, control.runs[load], x.Metric, statOf(x, run), rule, v)
		}
	}
}

// statOf is the statistic that a claim speaks of: its own word for it, else the one that
// the run has of the metric.
func statOf(x sweep.Figure, run *lift.Run) evidence.Stat {
	if x.Stat != "" {
		return x.Stat
	}
	for _, s := range []evidence.Stat{evidence.Total, evidence.P50, evidence.Mean, evidence.Single} {
		if run.Primary(x.Metric, s) != nil {
			return s
		}
	}
	return ""
}
