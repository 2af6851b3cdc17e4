package sound

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/store/evidence"
)

// Codes of the findings.
const (
	CodeImplausible = "implausible"
	CodeClaim       = "claim-mismatch" // a published change that the figures it names do not give
)

// far is the factor from which a figure is out of all proportion to another.
const far = 100

// figure is a point figure of a run.
type figure struct {
	*evidence.Measurement
	run *evidence.Run
}

// checker collects what does not fit.
type checker struct {
	d     *evidence.Document
	found []evidence.Finding
	hits  map[*evidence.Measurement]int
}

// Check gives the findings about a document and puts figures that break several
// relations in conflict.
func Check(d *evidence.Document) []evidence.Finding {
	c := &checker{d: d, hits: map[*evidence.Measurement]int{}}
	for i := range d.Arms {
		for j := range d.Arms[i].Runs {
			c.run(&d.Arms[i], &d.Arms[i].Runs[j])
		}
	}
	c.siblings()
	c.claims()
	for m, n := range c.hits {
		if n > 1 {
			m.State = evidence.Conflict
		}
	}
	return c.found
}

// broken notes a relation that two figures break.
func (c *checker) broken(a, b figure, format string, args ...any) {
	c.hits[a.Measurement]++
	c.hits[b.Measurement]++
	c.say(evidence.Warning, CodeImplausible, a.Place.Pointer, fmt.Sprintf("%s here and %s at %s: ", said(a), said(b), b.Place.Pointer)+fmt.Sprintf(format, args...))
}

func (c *checker) say(s evidence.Severity, code string, p evidence.Pointer, message string) {
	c.found = append(c.found, evidence.Finding{Severity: s, Code: code, Pointer: p, Offset: -1, Message: message})
}

func said(f figure) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s of %.40s %s", f.Metric, f.Stat, f.SourceText, f.SourceUnit))
}

// figures of a run by metric and statistic.
type figures map[evidence.MetricID]map[evidence.Stat]figure

func figuresOf(r *evidence.Run) figures {
	out := figures{}
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if m.Role != evidence.Primary || !m.Value.OK || m.State == evidence.Absent {
			continue
		}
		if out[m.Metric] == nil {
			out[m.Metric] = map[evidence.Stat]figure{}
		}
		out[m.Metric][m.Stat] = figure{m, r}
	}
	return out
}

func (x figures) get(s evidence.Stat, ids ...evidence.MetricID) (figure, bool) {
	for _, id := range ids {
		if f, ok := x[id][s]; ok && f.Value.V > 0 {
			return f, true
		}
	}
	return figure{}, false
}

func (c *checker) run(a *evidence.Arm, r *evidence.Run) {
	x := figuresOf(r)
	for _, id := range metrics(x) {
		c.spread(x[id])
	}
	facts := func(k evidence.FactKey) (float64, bool) { return number(k, r.Facts, a.Facts, c.d.Facts) }
	for _, s := range []evidence.Stat{evidence.Mean, evidence.P50, evidence.Single} {
		c.times(x, s)
		c.prompt(x, s, facts)
		c.output(x, s, facts)
	}
	c.aggregate(x, facts)
	if f, ok := x[evidence.AcceptRate]; ok {
		for _, s := range []evidence.Stat{evidence.Total, evidence.Mean, evidence.Single} {
			if m, has := f[s]; has && (m.Value.V > 1 || m.Value.V < 0.01) {
				c.hits[m.Measurement] += 2
				c.say(evidence.Warning, CodeImplausible, m.Place.Pointer, fmt.Sprintf("%s: a share of accepted tokens is no such number", said(m)))
			}
		}
	}
}

// metrics of a run in a fixed order.
func metrics(x figures) []evidence.MetricID {
	var out []evidence.MetricID
	for id := range x {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// number is a fact as a number; the run's own counts before the arm's and the document's.
func number(k evidence.FactKey, scopes ...[]evidence.Fact) (float64, bool) {
	for _, fs := range scopes {
		for i := range fs {
			if fs[i].Key != k || fs[i].State == evidence.Absent || fs[i].State == evidence.Conflict {
				continue
			}
			v, err := evidence.ParseDecimal(fs[i].Value)
			return v, err == nil && v > 0
		}
	}
	return 0, false
}

// spread holds the statistics of one metric against each other. At least half of all
// observations are no less than the median, so the mean is no less than half of it.
func (c *checker) spread(by map[evidence.Stat]figure) {
	mean, hasMean := by[evidence.Mean]
	p50, hasP50 := by[evidence.P50]
	p95, hasP95 := by[evidence.P95]
	p99, hasP99 := by[evidence.P99]
	if hasMean && hasP50 && mean.Value.V < p50.Value.V/2*(1-1e-9) {
		c.broken(mean, p50, "a mean is at least half the median")
	}
	switch {
	case hasMean && hasP99 && mean.Value.V > 2*p99.Value.V:
		c.broken(mean, p99, "a mean of twice the 99th percentile")
	case hasMean && hasP95 && !hasP99 && mean.Value.V > 10*p95.Value.V:
		c.broken(mean, p95, "a mean of ten times the 95th percentile")
	}
	if hasP50 && hasP95 && p95.Value.V > far*p50.Value.V && p50.Value.V > 0 {
		c.broken(p95, p50, "they are more than a hundredfold apart")
	}
	if hasP95 && hasP99 && p99.Value.V > far*p95.Value.V && p95.Value.V > 0 {
		c.broken(p99, p95, "they are more than a hundredfold apart")
	}
}

var first = []evidence.MetricID{evidence.TTFO, evidence.TTFT}

// times holds the times of a run against each other.
func (c *checker) times(x figures, s evidence.Stat) {
	e2e, ok1 := x.get(s, evidence.E2E)
	start, ok2 := x.get(s, first...)
	if ok1 && ok2 && start.Value.V > e2e.Value.V*(1+1e-9) {
		c.broken(start, e2e, "the first output comes after the end")
	}
	decode, ok3 := x.get(s, evidence.DecodeRate)
	tpot, ok4 := x.get(s, evidence.TPOT)
	if p := decode.product(tpot); ok3 && ok4 && (p < 0.2 || p > 20) {
		c.broken(decode, tpot, "a decode rate and a time per token are reciprocal")
	}
}

func (f figure) product(o figure) float64 {
	if f.Measurement == nil || o.Measurement == nil {
		return math.NaN()
	}
	return f.Value.V * o.Value.V
}

// prompt holds prefill rate and first output against the prompt. Of means the product
// lies above the prompt, the more so the wider both scatter.
func (c *checker) prompt(x figures, s evidence.Stat, fact func(evidence.FactKey) (float64, bool)) {
	rate, ok1 := x.get(s, evidence.EffectivePrefillRate)
	start, ok2 := x.get(s, first...)
	if !ok1 || !ok2 {
		return
	}
	tokens := rate.product(start)
	if own, ok := x.get(s, evidence.PromptTokens); ok {
		if tokens < own.Value.V/5 || tokens > own.Value.V*50 {
			c.broken(rate, own, "with a first output after %s s the prompt would have %s tokens", text(start.Value.V), text(tokens))
			c.hits[start.Measurement]++
		}
		return
	}
	want, ok := fact(evidence.KeyPromptTokens)
	if !ok {
		want, ok = fact(evidence.KeyContextTarget)
	}
	if ok && (tokens < want/20 || tokens > want*50) {
		c.broken(rate, start, "the prompt would have %s tokens, asked for were %s", text(tokens), text(want))
	}
}

// output holds the tokens that the times imply against the output cap.
func (c *checker) output(x figures, s evidence.Stat, fact func(evidence.FactKey) (float64, bool)) {
	limit, ok := fact(evidence.KeyOutputCap)
	implied, from, has := x.implied(s)
	if !ok || !has || implied <= 2*limit+16 {
		return
	}
	e2e, _ := x.get(s, evidence.E2E)
	c.broken(from, e2e, "they imply %s output tokens, the cap is %s", text(implied), text(limit))
}

// implied is the number of output tokens that the times of a run imply.
func (x figures) implied(s evidence.Stat) (tokens float64, from figure, ok bool) {
	e2e, ok1 := x.get(s, evidence.E2E)
	start, ok2 := x.get(s, first...)
	if !ok1 || !ok2 {
		return 0, figure{}, false
	}
	span := e2e.Value.V - start.Value.V
	if tpot, has := x.get(s, evidence.TPOT); has {
		return span/tpot.Value.V + 1, tpot, true
	}
	if rate, has := x.get(s, evidence.DecodeRate); has {
		return float64(span*rate.Value.V) + 1, rate, true
	}
	return 0, figure{}, false
}

// aggregate holds the rate of the whole run against what its requests at once can give.
func (c *checker) aggregate(x figures, fact func(evidence.FactKey) (float64, bool)) {
	load, ok := fact(evidence.KeyConcurrencyAll)
	if !ok {
		if load, ok = fact(evidence.KeyConcurrency); !ok {
			return
		}
	}
	rate, ok := x.get(evidence.Total, evidence.OutputThroughput)
	if !ok {
		return
	}
	for _, s := range []evidence.Stat{evidence.Mean, evidence.P50} {
		tokens, _, has := x.implied(s)
		e2e, there := x.get(s, evidence.E2E)
		if !has || !there || tokens <= 0 {
			continue
		}
		if most := load * tokens / e2e.Value.V; rate.Value.V > 3*most || rate.Value.V < most/50 {
			c.broken(rate, e2e, "%s requests at once give about %s tokens a second", text(load), text(most))
		}
		return
	}
}

func text(v float64) string { return evidence.FormatDecimal(math.Round(v*1000) / 1000) }
