package compare

import (
	"math"
	"strconv"

	"assay/store/evidence"
)

// Facts that no reader records yet. Rules about them wait: a person or a campaign file
// may declare one, and our own runner will.
const (
	extraStitched   evidence.FactKey = "stitched_row"
	extraFirstRatio evidence.FactKey = "first_request_ratio"
	extraCardRole   evidence.FactKey = "card_role"
	extraReference  evidence.FactKey = "reference_state"
	extraDrops      evidence.FactKey = "client_drops"
	extraSendLag    evidence.FactKey = "send_lag_p99"
	extraContention evidence.FactKey = "contention"
	extraFatal      evidence.FactKey = "fatal_error"
	extraThrottled  evidence.FactKey = "throttled"
	extraClocks     evidence.FactKey = "clock_state"
	extraOrder      evidence.FactKey = "run_order"
	extraEnergy     evidence.FactKey = "energy_coverage"
	extraEcho       evidence.FactKey = "model_echo"
	extraEmpty      evidence.FactKey = "empty_hypotheses"
	extraInvalid    evidence.FactKey = "invalidated"
)

// quietExtra are the keys above: their rules speak of them, so they are no residue.
var quietExtra = map[evidence.FactKey]bool{
	extraStitched: true, extraFirstRatio: true, extraCardRole: true, extraReference: true, extraDrops: true, extraSendLag: true,
	extraContention: true, extraFatal: true, extraThrottled: true, extraClocks: true, extraOrder: true, extraEnergy: true,
	extraEcho: true, extraEmpty: true, extraInvalid: true,
}

const awaitsRunner = "no artifact of the archive records it; our own runner does"

// healthRules are about the client, the machine and the order of runs.
var healthRules = []Rule{
	{ID: "H-CLIENT", Scopes: []Scope{ScopeRank}, Remedy: "load the engine from a client that keeps up",
		Text: "The client kept up: no drops, a p99 send lag under 1 % of the median of the metric or 5 ms, a client that is not saturated, at least 98 % of the offered rate.", Source: "load generators", Gives: "else caveat and no ranking", decide: decideClient},
	{ID: "H-CONTEND", Scopes: []Scope{ScopeRank}, Remedy: "run on an idle machine", Text: "No other load ran on the card or the host.", Source: "method review", Gives: "caveat; no ranking",
		Inert: awaitsRunner, decide: extraRanked(extraContention, "true", "another load ran on the card or the host")},
	{ID: "H-ANOMALY", Scopes: []Scope{ScopeRank}, Remedy: "explain the anomaly, or run again", Text: "A recorded fatal error, or an unexplained factor over five on an equal shape, is looked into before anything is ranked.", Source: "method review", Gives: "note; no ranking", decide: decideAnomaly},
	{ID: "H-THERMAL", Scopes: []Scope{ScopeRank}, Remedy: "run again at equal clocks", Text: "Clocks, power cap and throttle reasons are equal, and nothing throttled inside the window.", Source: "method review", Gives: "different: caveat; throttled: no ranking",
		Inert: awaitsRunner,
		decide: func(p *pair, r *Rule) {
			rankedWhere(p, r, extraThrottled, "true", "a card throttled inside the window")
			a, okA := p.a.extraText(extraClocks)
			b, okB := p.b.extraText(extraClocks)
			if okA && okB && a != b {
				p.tell(r, caution, noKey, "clocks or power cap differ")
			}
		}},
	{ID: "H-ORDER", Scopes: []Scope{ScopeRank}, Remedy: "interleave the arms", Text: "Arms that ran in one block each, with a difference under 5 %, may show nothing but drift.", Source: "method review", Gives: "caveat",
		Inert: awaitsRunner,
		decide: func(p *pair, r *Rule) {
			a, _ := p.a.extraText(extraOrder)
			b, _ := p.b.extraText(extraOrder)
			if d, ok := p.difference(); ok && a == "block" && b == "block" && d < 0.05 {
				p.tell(r, caution, noKey, "each arm ran in one block and the difference is under 5 %")
			}
		}},
	{ID: "H-ENERGY", Scopes: []Scope{ScopeDelta}, Remedy: "sample every card over the whole window", Text: "Energy counts every card over the whole window, with gaps of 0.1 s at most (3 s for others) and counters that agree.", Source: "method review", When: "energy", Gives: "else blocked",
		decide: func(p *pair, r *Rule) {
			if p.q.Metric != evidence.EnergyPerOutputToken {
				return
			}
			a, _ := p.a.extraText(extraEnergy)
			b, _ := p.b.extraText(extraEnergy)
			if a != "complete" || b != "complete" {
				p.tell(r, blocked, noKey, "nothing says that every card was sampled over the whole window")
			}
		}},
	{ID: "H-MODEL-ECHO", Scopes: []Scope{ScopeDelta}, Remedy: "serve what is declared, and run again", Text: "The served model and the engine's own settings are what was declared.", Source: "method review", Gives: "blocked",
		Inert: awaitsRunner, decide: extraRule(extraEcho, "mismatch", blocked, "the engine served something else than was declared")},
}

// extraRule speaks where a side has a value of an unregistered fact; with allowed values
// given, where it has any other.
func extraRule(k evidence.FactKey, bad string, l level, message string, allowed ...string) func(*pair, *Rule) {
	return func(p *pair, r *Rule) {
		for _, s := range []*Prepared{p.a, p.b} {
			if t, ok := s.extraText(k); ok && isBad(t, bad, allowed) {
				p.tell(r, l, noKey, message)
			}
		}
	}
}

func isBad(t, bad string, allowed []string) bool {
	for _, a := range allowed {
		if t == a {
			return false
		}
	}
	return bad == "" || t == bad
}

func extraRanked(k evidence.FactKey, bad, message string) func(*pair, *Rule) {
	return func(p *pair, r *Rule) { rankedWhere(p, r, k, bad, message) }
}

func rankedWhere(p *pair, r *Rule, k evidence.FactKey, bad, message string) {
	for _, s := range []*Prepared{p.a, p.b} {
		if t, ok := s.extraText(k); ok && t == bad {
			p.tellRanked(r, caution, noKey, message)
		}
	}
}

// difference is the relative difference of the point values.
func (p *pair) difference() (float64, bool) {
	a, b := p.a.figure, p.b.figure
	if a == nil || b == nil || !a.Value.OK || !b.Value.OK {
		return 0, false
	}
	return relativeDifference(a.Value.V, b.Value.V), true
}

func decideClient(p *pair, r *Rule) {
	for _, s := range []*Prepared{p.a, p.b} {
		offered, ok := s.number(ixRequestRate)
		achieved, ok2 := s.number(ixAchieved)
		if ok && ok2 && !math.IsInf(offered, 0) && offered > 0 && achieved < 0.98*offered {
			p.tellRanked(r, caution, ixAchieved, "less than 98 % of the offered rate was achieved")
		}
		if s.overLimit(extraDrops, 0) || s.overLimit(extraSendLag, s.lagLimit(p)) {
			p.tellRanked(r, caution, noKey, "the client dropped requests or sent them late")
		}
	}
}

// lagLimit is how late a client may send: 5 ms, or 1 % of the median of the latency that
// is asked about where that is less.
func (p *Prepared) lagLimit(q *pair) float64 {
	const most = 0.005
	if median := valueOf(p.run, q.q.Metric, evidence.P50); q.is(ofLatency) && median.OK {
		return min(most, median.V/100)
	}
	return most
}

func (p *Prepared) overLimit(k evidence.FactKey, limit float64) bool {
	t, ok := p.extraText(k)
	if !ok {
		return false
	}
	f, err := strconv.ParseFloat(t, 64)
	return err == nil && f > limit
}

func decideAnomaly(p *pair, r *Rule) {
	rankedWhere(p, r, extraFatal, "true", "a fatal error is recorded")
	// A factor of five is 1 - 1/5 of the larger value.
	if d, ok := p.difference(); ok && d > 0.8 && !p.is(ofQuality|ofSpeech) {
		p.tellRanked(r, note, noKey, "the figures differ by a factor over five")
	}
}
