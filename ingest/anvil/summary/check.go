package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/store/evidence"
)

// sane are the ranges, in base units, outside of which a figure is more likely in another
// unit than its name says.
var sane = map[evidence.MetricID][2]float64{
	evidence.TTFT: {0.001, 7200}, evidence.TTFO: {0.001, 7200}, evidence.E2E: {0.005, 14400}, evidence.Generation: {0.001, 14400}, evidence.TPOT: {1e-5, 10},
	evidence.DecodeRate: {0.5, 5000}, evidence.EffectivePrefillRate: {50, 500_000}, evidence.OutputThroughput: {0.05, 100_000},
	evidence.HeadlineRate: {0.5, 20_000}, evidence.KVPoolTokens: {1000, 5e7}, evidence.AcceptLength: {0.9, 64}, evidence.AcceptRate: {0.01, 1},
	evidence.Latency: {0.02, 3600}, evidence.GPUMemoryUsed: {1 << 28, 1 << 42}, evidence.GPUMemoryFree: {0, 1 << 42}, evidence.PassRate: {0, 1}, evidence.WER: {0, 10},
}

// Bounds of figures that are held against each other.
const (
	shortTTFT   = 120       // seconds to the first token of a short prompt
	shortAnswer = 1 << 15   // tokens of an answer in a short run
	longAnswer  = 1 << 17   // tokens of any answer
	fastest     = 1_000_000 // prompt tokens per second of any card
	tailRatio   = 200       // of a p95 to its p50
)

// plausible remarks a figure out of range: it stays what it says and is in conflict, so
// that nothing is compared with it.
func (e *engine) plausible(m *evidence.Measurement, v lift.Val) {
	if m.Value.OK && m.Value.V == 0 && lift.NeverZero(m.Metric) { // a number in a text
		e.Find(evidence.Warning, lift.CodeFalseZero, v, "%s %s is no %s: it stands for what was not measured", lift.Clip(m.SourceText), m.SourceUnit, m.Metric)
		lift.Void(m, lift.RuleFalseZero)
		return
	}
	r, ok := sane[m.Metric]
	if !ok || !m.Value.OK || m.Value.V >= r[0] && m.Value.V <= r[1] {
		return
	}
	e.Find(evidence.Warning, lift.CodeImplausible, v, "%s %s is out of the range of any %s: another unit?", lift.Clip(m.SourceText), m.SourceUnit, m.Metric)
	m.State = evidence.Conflict
}

// check holds the figures of one run against each other: a wrong unit in one of them does
// not fit the rest.
func (e *engine) check(c *scope, r *lift.Run) {
	e.InOrder(r)
	for _, s := range []evidence.Stat{evidence.Single, evidence.P50, evidence.Mean} {
		ttft, e2e := value(r, evidence.TTFT, s), value(r, evidence.E2E, s)
		decode, prefill := value(r, evidence.DecodeRate, s), value(r, evidence.EffectivePrefillRate, s)
		if ttft != nil && e2e != nil && e2e.Value.V < ttft.Value.V {
			e.disagree(e2e, "the response ends before its first token at %s", ttft)
			continue
		}
		if ttft != nil && e2e != nil && decode != nil {
			span := e2e.Value.V - ttft.Value.V
			tokens := float64(span*decode.Value.V) + 1
			most := longAnswer
			if r.Class == evidence.ClassShort {
				most = shortAnswer
			}
			if f := optional(r, evidence.KeyOutputCap); f.OK {
				most = int(f.V)
			}
			if tokens < 1.5 || tokens > 1.5*float64(most) {
				e.disagree(decode, "with TTFT and E2E it makes an answer of impossible length; TTFT stands at %s", ttft)
			}
		}
		if ttft != nil && prefill != nil {
			prompt := prefill.Value.V * ttft.Value.V
			want := optional(r, evidence.KeyPromptTokens)
			if !want.OK {
				want = optional(r, evidence.KeyContextTarget)
			}
			if want.OK && want.V > 0 && (prompt < 0.4*float64(want.V) || prompt > 1.6*float64(want.V)) {
				e.disagree(prefill, "with TTFT it makes a prompt that is not the one of the run; TTFT stands at %s", ttft)
			}
		}
	}
	e.throughput(r)
	e.means(r)
	e.alone(r)
}

// alone holds single figures against the shape of their run.
func (e *engine) alone(r *lift.Run) {
	prompt := optional(r, evidence.KeyPromptTokens)
	if !prompt.OK {
		prompt = optional(r, evidence.KeyContextTarget)
	}
	p50 := map[evidence.MetricID]float64{}
	for i := range r.Measurements {
		m := &r.Measurements[i]
		at := lift.Val{P: m.Place.Pointer}
		switch {
		case m.Role != evidence.Primary:
		case m.Metric == evidence.PromptTokens && m.Lower.OK && m.Upper.OK && prompt.OK:
			if m.Lower.V < 0.3*float64(prompt.V) || m.Upper.V > 1.5*float64(prompt.V) {
				e.Find(evidence.Warning, lift.CodeImplausible, at, "prompts of %s tokens are not those of the run", lift.Clip(m.SourceText))
			}
		case !m.Value.OK:
		case m.Metric == evidence.TTFT && r.Class == evidence.ClassShort && m.Value.V > shortTTFT:
			e.Find(evidence.Warning, lift.CodeImplausible, at, "%s %s to the first token of a short prompt", lift.Clip(m.SourceText), m.SourceUnit)
			m.State = evidence.Conflict
		case (m.Metric == evidence.TTFT || m.Metric == evidence.E2E) && prompt.OK && m.Value.V > 0 && float64(prompt.V)/m.Value.V > fastest:
			e.Find(evidence.Warning, lift.CodeImplausible, at, "%s %s for a prompt of %d tokens: none of it can have been read", lift.Clip(m.SourceText), m.SourceUnit, prompt.V)
		case m.Stat == evidence.P50:
			p50[m.Metric] = m.Value.V
		case m.Stat == evidence.P95 && p50[m.Metric] > 0 && m.Value.V > tailRatio*p50[m.Metric]:
			e.Find(evidence.Warning, lift.CodeImplausible, at, "the p95 of %s is %d times its p50", m.Metric, int(m.Value.V/p50[m.Metric]))
			m.State = evidence.Conflict
		}
	}
}

// means holds a mean against the raw values beside it.
func (e *engine) means(r *lift.Run) {
	m := value(r, evidence.E2E, evidence.Mean)
	if m == nil || len(r.Samples) == 0 {
		return
	}
	var sum float64
	for _, s := range r.Samples {
		if !s.E2E.OK {
			return
		}
		sum += s.E2E.V
	}
	e.Agree(m, sum/float64(len(r.Samples)), "mean of the raw values", 1e-3, 0, r.Samples[0].Place.Pointer)
}

// acceptance holds the rates of a block against the counts beside them: "cumulative_rate"
// is cumulative_accepted over cumulative_drafted.
func (e *engine) acceptance(c *scope) {
	for _, r := range c.order {
		m := r.Primary(evidence.AcceptRate, evidence.Total)
		if m == nil || !m.Value.OK {
			continue
		}
		tokens := m.Place.Pointer.Tokens()
		head, ok := strings.CutSuffix(tokens[len(tokens)-1], "_rate")
		accepted, drafted := c.at.Get(head+"_accepted"), c.at.Get(head+"_drafted")
		if !ok || !accepted.OK() || !drafted.OK() {
			continue
		}
		a, ok1 := e.PeekInt(accepted)
		d, ok2 := e.PeekInt(drafted)
		if ok1 && ok2 && d > 0 {
			e.Agree(m, float64(a)/float64(d), "accepted by drafted", 1e-3, 0, accepted.P)
		}
	}
}

// throughput: one request at a time gives no more tokens than it decodes.
func (e *engine) throughput(r *lift.Run) {
	all := value(r, evidence.OutputThroughput, evidence.Total)
	if n := optional(r, evidence.KeyConcurrency); all != nil && n.OK && all.Value.V > sane[evidence.DecodeRate][1]*float64(max(n.V, 1)) {
		e.Find(evidence.Warning, lift.CodeImplausible, lift.Val{P: all.Place.Pointer}, "%s tok/s at a concurrency of %d", lift.Clip(all.SourceText), n.V)
		all.State = evidence.Conflict
	}
	decode := value(r, evidence.DecodeRate, evidence.P50)
	conc := optional(r, evidence.KeyConcurrency)
	if all == nil || decode == nil || !conc.OK || conc.V < 1 {
		return
	}
	if all.Value.V > 1.2*decode.Value.V*float64(conc.V) || all.Value.V < 0.001*decode.Value.V {
		e.disagree(all, "it does not fit the decode rate at %s", decode)
	}
}

func value(r *lift.Run, m evidence.MetricID, s evidence.Stat) *evidence.Measurement {
	x := r.Primary(m, s)
	if x == nil || !x.Value.OK {
		return nil
	}
	return x
}

func (e *engine) disagree(m *evidence.Measurement, format string, other *evidence.Measurement) {
	e.Find(evidence.Warning, lift.CodeImplausible, lift.Val{P: m.Place.Pointer}, "%s %s of %s: "+format, lift.Clip(m.SourceText), m.SourceUnit, m.Metric, other.Place.Pointer)
	m.State, other.State = evidence.Conflict, evidence.Conflict
}
