package compare

import (
	"fmt"
	"math"
	"strings"

	"assay/store/evidence"
)

// metricRules are about the figures themselves and how they were taken.
var metricRules = []Rule{
	{ID: "M-DEFINED", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: measureFact,
		Text: "The metric stands in the registry, and the place leads to exactly one value of it on each side.", Source: "metric registry",
		Gives: "no such metric, no value: blocked; two sources of one value disagree: unknown", decide: decideDefined},
	{ID: "M-STAT", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: "ask for a statistic that both sides have",
		Text: "Both figures are the same statistic. The p50 of one observation is that observation and no percentile.", Source: "method review",
		Gives: "different: blocked", decide: decideStat},
	{ID: "M-CLASS", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: sameShape,
		Text:   "Functional checks, short capacity, aggregate load, long context, long generation, quality, media, speech and external figures are different classes of work. The decode rate of one request never meets the throughput of many.",
		Source: "decision summary #/limitations/0", Gives: "different or not known: blocked", decide: decideClass},
	{ID: "M-BOUNDARY", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Effective prefill, generation and decode start either at the first visible token or at the first output, hidden reasoning included. The boundary is read from the methodology and the fields, never from the label.", Source: "capacity harness, third and fourth generation",
		When: "effective prefill, generation, decode", Gives: "different: blocked; not known: unknown",
		lines: []keyLine{{key: evidence.KeyTimingBoundary, differ: blocked, oneSided: unknown, neither: unknown, need: anyWork, ofWriter: true, when: boundaryMatters}}},
	{ID: "M-TTFT-PREFILL", Scopes: []Scope{ScopeLabel},
		Text: "TTFT and effective prefill are not prefill speed: queueing and the first decode step are in them.", Source: "method review", When: "TTFT, effective prefill", Gives: "caveat",
		decide: func(p *pair, r *Rule) {
			if p.is(ofPrefill) {
				p.tellBoth(r, caution, caution, noKey, "this is not prefill speed: queueing and the first decode step are in it")
			}
		}},
	{ID: "M-TTFO-TTFT", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: "ask for the metric that both sides have",
		Text: "Time to the first output and time to the first visible content are two metrics.", Source: "capacity harness, fourth generation", Gives: "blocked", decide: sibling(ruleTTFO)},
	{ID: "M-TTFT-FALLBACK", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: measureFact,
		Text: "An answer without a visible token, or whose TTFT is its E2E time within 0.01 ms, has no TTFT.", Source: "older writers put the E2E time in its place", When: "TTFT", Gives: "blocked", decide: decideFallback},
	{ID: "M-CHUNKS", Scopes: []Scope{ScopeDelta}, Remedy: "declare the speculation setting of both arms, or measure with usage counts",
		Text: "Some rates count stream chunks. They never meet rates that count tokens of server usage, and meet each other only where the speculation setting is known and equal, since speculation packs several tokens into a chunk.", Source: "capacity harness, first generation",
		When: "rates", Gives: "counted differently: blocked; speculation not known or different: unknown; else caveat", decide: decideChunks},
	{ID: "M-COUNT-MATCH", Scopes: []Scope{ScopeNote},
		Text: "Where usage tokens and chunk counts of one file disagree, it is said which of them feeds the rate.", Source: "method review", Gives: "note",
		decide: func(p *pair, r *Rule) {
			for _, s := range []*Prepared{p.a, p.b} {
				if t := s.text(ixCounting); t == "mixed" || t == "both" {
					p.tell(r, note, ixCounting, "output is counted in two ways; the rate follows the first")
				}
			}
		}},
	{ID: "M-PCTL", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Percentiles were taken by one method.", Source: "writers differ: rounded index, nearest rank, linear", When: "percentiles",
		Gives: "different: blocked; not known: caveat for p50, blocked for the tails of different writers", decide: decidePercentile},
	{ID: "M-N", Scopes: []Scope{ScopeRank}, Remedy: "run more requests: 20 for a p95, 100 for a p99",
		Text: "A p95 of fewer than 20 is about the maximum, a p99 needs 100, a p50 of five or fewer is a handful.", Source: "decision narrative #/limitations/2", When: "percentiles", Gives: "caveat; no ranking", decide: decideFew},
	{ID: "M-SINGLE", Scopes: []Scope{ScopeRank}, Remedy: "repeat the run; 6 repeats give an interval",
		Text: "One observation is neither a distribution nor a ranking. A summary that does not say of how many counts as one.", Source: "matrix summary #/protocol/important_limit", Gives: "caveat; no ranking", decide: decideSingle},
	{ID: "M-AGGREGATION", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "The p50 of one run, the mean of run medians and the median of run p50s are different figures.", Source: "published summaries", When: "percentiles and means",
		Gives: "different: blocked; on one side: unknown; on neither, or the same over several runs: caveat", decide: decideAggregation},
	{ID: "M-TPOT", Scopes: []Scope{ScopeLabel},
		Text: "The TPOT and the mean gap between tokens of one request are the same aggregate, and no distribution of gaps.", Source: "decision summary #/measurement/tpot_itl_semantics", When: "TPOT", Gives: "note",
		decide: func(p *pair, r *Rule) {
			if p.q.Metric == evidence.TPOT {
				p.tell(r, note, noKey, "an aggregate per request, not a distribution of gaps between tokens")
			}
		}},
	{ID: "M-SHORT", Scopes: []Scope{ScopeDelta}, Remedy: "ask for longer outputs",
		Text: "A rate over fewer than 16 output tokens a request is noise; below 64 it is read with care. Equal lengths are exempt.", Source: "method review", When: "decode rates and output throughput",
		Gives: "below 16: blocked; below 64 or not known: caveat", decide: decideShort},
	{ID: "M-EQUAL-LENGTH", Scopes: []Scope{ScopeDelta},
		Text: "Where every answer of both sides has the same number of tokens, latencies compare although a content check failed. Nothing is said of quality.", Source: "long-generation suites", When: "latencies and rates",
		Gives: "caveat; stands before M-SHORT and M-FAILED-LATENCY",
		decide: func(p *pair, r *Rule) {
			if p.equalLength() && (p.a.failing || p.b.failing || p.kind&suites != 0) && !p.is(ofQuality|ofSpeech) {
				p.add(r, caution, noKey, func(p *pair, _ *finding) words {
					return words{message: "every answer has the same length, so latency compares; a content check failed or judged nothing, so quality does not",
						left: p.a.mean.side(), right: p.b.mean.side(), key: evidence.KeyMeanOutput}
				})
			}
		}},
	{ID: "M-COMPLETION", Scopes: []Scope{ScopeDelta}, Remedy: sameShape,
		Text: "The shares of requests that completed differ by no more than 0.05.", Source: "method review", Gives: "more: blocked; an equal shortfall: caveat", decide: decideCompletion},
	{ID: "M-ZERO", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: measureFact,
		Text: "The 0.0 of a section that was not run, of no completion or of no success is absence, not a value.", Source: "known false zeros", Gives: "blocked", decide: decideZero},
	{ID: "M-FAILED-LATENCY", Scopes: []Scope{ScopeDelta}, Remedy: "take the latency over answered attempts, or run again",
		Text: "Attempts that ended in an error or a time-out, or without usage, carry no latency. One that was answered wrongly does.", Source: "writers that put all attempts into a percentile", When: "latencies and rates",
		Gives: "unanswered attempts in an aggregate, or a run that did not finish: blocked; answered wrongly: caveat", decide: decideFailed},
	{ID: "M-BOUND", Scopes: []Scope{ScopeDelta}, Remedy: "measure the point value",
		Text: "An interval is compared as an interval and never by its midpoint: a claim stands only if the other value lies outside.", Source: "decision summary #/headline_results/1", Gives: "no point delta: caveat with bounds; overlapping bounds: no ranking", decide: decideBound},
	{ID: "M-PRECISION", Scopes: []Scope{ScopeDelta},
		Text: "A difference is no finer than its coarser side.", Source: "decision summary #/headline_results/2", Gives: "caveat", decide: decidePrecision},
	{ID: "M-STITCH", Scopes: []Scope{ScopeDelta}, Text: "One row is one run: figures of several runs or dates are not one row.", Source: "method review", Gives: "blocked",
		Inert: "readers make a run of one row only; no artifact says that a row was put together", decide: extraRule(extraStitched, "true", blocked, "a side is put together from several runs")},
	{ID: "M-COUNTERS", Scopes: []Scope{ScopeDelta}, Remedy: "read the counters before and after the run",
		Text: "Cumulative counters (acceptance, cache hits) speak of a run only as a difference of two readings.", Source: "engine counters", When: "acceptance", Gives: "lifetime counters: blocked",
		decide: func(p *pair, r *Rule) {
			if p.is(ofAcceptance) && (p.a.text(ixAcceptScope) == "lifetime" || p.b.text(ixAcceptScope) == "lifetime") {
				p.tell(r, blocked, ixAcceptScope, "a counter over the life of the server says nothing of one run")
			}
		}},
	{ID: "M-SELF", Scopes: []Scope{ScopeLabel},
		Text: "Both sides are one arm: the difference is the noise of the campaign, the yardstick of its other comparisons, and never an improvement.", Source: "method review", Gives: "note",
		decide: func(p *pair, r *Rule) {
			if p.self() {
				p.tell(r, note, noKey, "both sides are one arm: the difference is noise, not an improvement")
			}
		}},
	{ID: "M-REASON-LEN", Scopes: []Scope{ScopeDelta}, Remedy: "compare TTFO or decode rate, or fix the reasoning length",
		Text: "With reasoning on, TTFT, E2E and throughput follow the length of hidden reasoning.", Source: "reasoning runs", When: "TTFT, E2E, throughput with thinking on",
		Gives: "caveat; mean outputs that differ by over 25 %: unknown", decide: decideReasoning},
	{ID: "M-COLDROW", Scopes: []Scope{ScopeDelta}, Remedy: "warm up before measuring",
		Text: "A first request over one and a half times the median of the others puts cold and warm into one percentile.", Source: "method review", When: "latencies", Gives: "caveat",
		Inert: "no reader puts the ratio of the first request to the rest among the facts of a run", decide: decideColdRow},
	{ID: "H-DEFINITION", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: "ask for a metric that both tools define alike",
		Text: "Figures of two tools meet only under one definition, percentile method and window.", Source: "third-party result formats", Gives: "another definition: blocked",
		lines: []keyLine{
			{key: evidence.KeyTokenCount, differ: blocked, oneSided: unknown},
			{key: evidence.KeyCriterion, differ: blocked, oneSided: unknown},
			{key: evidence.KeyItemVersion, differ: blocked, oneSided: unknown},
		}, decide: sibling(ruleDefinition)},
	{ID: "H-WINDOW", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Throughput over ramp, drain or failed requests is its own definition.", Source: "load generators differ", When: "throughput", Gives: "different: blocked; on one side: unknown; on neither: caveat", decide: decideWindow},
	{ID: "H-OMISSION", Scopes: []Scope{ScopeDelta}, NoWaiver: true, Remedy: "ask for the metric that both sides have",
		Text: "Latency from the send under a client cap never meets latency from the time a request was due.", Source: "coordinated omission", Gives: "blocked", decide: sibling(ruleOmission)},
}

const (
	declareFact = "declare the fact, with who says so and why"
	measureFact = "run the arm again with a writer that records it"
	sameShape   = "run both arms under one shape"
)

func decideDefined(p *pair, r *Rule) {
	if !p.q.comparable {
		p.add(r, blocked, noKey, func(p *pair, _ *finding) words {
			return words{message: fmt.Sprintf("%s is not a metric that is compared", p.q.Metric)}
		})
		return
	}
	for _, s := range []*Prepared{p.a, p.b} {
		f := s.figure
		switch {
		case f == nil || !f.Value.OK && !(f.Lower.OK && f.Upper.OK):
			p.add(r, blocked, noKey, sayMissingFigure)
		case f.State == evidence.Conflict:
			p.tell(r, unknown, noKey, "the figure disagrees with what stands elsewhere in its own artifact")
		}
	}
}

func sayMissingFigure(p *pair, _ *finding) words {
	var who []string
	for _, s := range []*Prepared{p.a, p.b} {
		if s.figure == nil || !s.figure.Value.OK && !(s.figure.Lower.OK && s.figure.Upper.OK) {
			who = append(who, s.run.Arm)
		}
	}
	if len(who) == 2 && who[0] == who[1] {
		who = who[:1]
	}
	what := p.q.metric.Title
	if p.q.Stat != "" {
		what += " " + string(p.q.Stat)
	}
	return words{message: fmt.Sprintf("%s is not recorded for %s", what, strings.Join(who, " and for "))}
}

// statOf is the statistic of a figure: of one observation there is no percentile.
func statOf(m *evidence.MeasurementRow) evidence.Stat {
	if isOne(m.N) && ofMany(m.Stat) {
		return evidence.Single
	}
	return m.Stat
}

func decideStat(p *pair, r *Rule) {
	switch a, b := p.a.figure, p.b.figure; {
	case a != nil && b != nil && statOf(a) != statOf(b):
		p.add(r, blocked, noKey, func(p *pair, _ *finding) words {
			return words{message: "the figures are different statistics", left: textSide(string(statOf(p.a.figure))), right: textSide(string(statOf(p.b.figure)))}
		})
	case (a == nil) != (b == nil) && p.q.Stat != "":
		s := p.a
		if a != nil {
			s = p.b
		}
		if findFigure(s.run, p.q.Metric, "") != nil {
			p.tell(r, blocked, noKey, "a side has the metric only in another statistic")
		}
	}
}

func decideClass(p *pair, r *Rule) {
	if a, b := p.a.run.Class, p.b.run.Class; a != b || a == "" {
		p.add(r, blocked, noKey, func(p *pair, _ *finding) words {
			return words{message: "the runs are of different classes", left: textSide(p.a.run.Class), right: textSide(p.b.run.Class)}
		})
	}
}

func boundaryMatters(p *pair) bool { return p.is(ofBoundary) }

// fallbackWithin is how near TTFT and E2E must be to be one time.
const fallbackWithin = 0.00001

func decideFallback(p *pair, r *Rule) {
	if p.q.Metric != evidence.TTFT {
		return
	}
	for _, s := range []*Prepared{p.a, p.b} {
		if s.noVisible() {
			p.tell(r, blocked, noKey, "no visible token arrived: what stands as TTFT is the E2E time")
		}
	}
}

func (p *Prepared) noVisible() bool {
	f := p.figure
	if f == nil {
		return false
	}
	if f.State == evidence.Absent {
		return f.Rule == "no-visible-output"
	}
	if p.mean.known && p.mean.tokens == 0 {
		return true
	}
	e := valueOf(p.run, evidence.E2E, f.Stat)
	return f.Value.OK && e.OK && math.Abs(e.V-f.Value.V) < fallbackWithin
}

// siblings are metrics that look like another one: asked for one, found only the other.
var siblings = []struct {
	asked, has evidence.MetricID
	rule       siblingRule
}{
	{evidence.TTFT, evidence.TTFO, ruleTTFO}, {evidence.TTFO, evidence.TTFT, ruleTTFO},
	{evidence.TTFT, evidence.TTFC, ruleDefinition}, {evidence.TTFC, evidence.TTFT, ruleDefinition},
	{evidence.TTFO, evidence.TTFC, ruleDefinition}, {evidence.TTFC, evidence.TTFO, ruleDefinition},
	{evidence.TTFO, evidence.TTFOFromDue, ruleOmission}, {evidence.TTFOFromDue, evidence.TTFO, ruleOmission},
	{evidence.TTFT, evidence.TTFOFromDue, ruleOmission}, {evidence.TTFOFromDue, evidence.TTFT, ruleOmission},
	{evidence.E2E, evidence.E2EFromDue, ruleOmission}, {evidence.E2EFromDue, evidence.E2E, ruleOmission},
	{evidence.E2E, evidence.Latency, ruleDefinition}, {evidence.Latency, evidence.E2E, ruleDefinition},
	{evidence.E2E, evidence.BatchLatency, ruleDefinition}, {evidence.BatchLatency, evidence.E2E, ruleDefinition},
	{evidence.ITLToken, evidence.ITLChunk, ruleChunked}, {evidence.ITLChunk, evidence.ITLToken, ruleChunked},
	{evidence.DecodeRate, evidence.DecodeChunkRate, ruleChunked}, {evidence.DecodeChunkRate, evidence.DecodeRate, ruleChunked},
	{evidence.DecodeRate, evidence.DecodeThroughput, ruleDefinition}, {evidence.DecodeThroughput, evidence.DecodeRate, ruleDefinition},
	{evidence.EffectivePrefillRate, evidence.PrefillThroughput, ruleDefinition}, {evidence.PrefillThroughput, evidence.EffectivePrefillRate, ruleDefinition},
	{evidence.OutputThroughput, evidence.OutputChunkThroughput, ruleChunked}, {evidence.OutputChunkThroughput, evidence.OutputThroughput, ruleChunked},
	{evidence.OutputThroughput, evidence.BatchThroughput, ruleDefinition}, {evidence.TotalThroughput, evidence.BatchThroughput, ruleDefinition},
	{evidence.OutputThroughput, evidence.OutputThroughputPerGPU, ruleDefinition}, {evidence.OutputThroughputPerGPU, evidence.OutputThroughput, ruleDefinition},
}

// perToken are the definitions of time per output token; no two of them meet.
var perToken = []evidence.MetricID{evidence.TPOT, evidence.TPOTInclusive, evidence.TPOTWeighted, evidence.TPOTAllTokens, evidence.E2EPerToken, evidence.ITLToken, evidence.ITLChunk}

type siblingRule uint8

const (
	ruleDefinition siblingRule = iota
	ruleTTFO
	ruleOmission
	ruleChunked
)

// sibling blocks where a side lacks the metric and has one that looks like it.
func sibling(which siblingRule) func(*pair, *Rule) {
	return func(p *pair, r *Rule) {
		if p.a.figure != nil && p.b.figure != nil {
			return
		}
		for _, s := range []*Prepared{p.a, p.b} {
			if s.figure == nil && s.hasSibling(p.q.Metric, which) {
				p.tell(r, blocked, noKey, "a side has another metric that only looks like this one")
			}
		}
	}
}

func (p *Prepared) hasSibling(asked evidence.MetricID, which siblingRule) bool {
	for i := range p.run.Measurements {
		m := &p.run.Measurements[i]
		if m.Role != evidence.Primary || m.Metric == asked {
			continue
		}
		if which == ruleDefinition && inSet(perToken, asked) && inSet(perToken, m.Metric) {
			return true
		}
		for _, x := range siblings {
			if x.asked == asked && x.has == m.Metric && x.rule == which {
				return true
			}
		}
	}
	return false
}

func inSet(set []evidence.MetricID, m evidence.MetricID) bool {
	for _, x := range set {
		if x == m {
			return true
		}
	}
	return false
}

func decideWindow(p *pair, r *Rule) {
	if !p.is(ofThroughput) {
		return
	}
	a, b := p.a.get(ixWindow), p.b.get(ixWindow)
	switch {
	case a != nil && b != nil:
		if a.text != b.text {
			p.add(r, blocked, ixWindow, sayDiffers)
		}
	case a != nil || b != nil:
		p.add(r, unknown, ixWindow, sayOneSided)
	case p.a.run.Family != p.b.run.Family:
		p.add(r, caution, ixWindow, sayNeither)
	}
}
