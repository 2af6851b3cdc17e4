package lift

import (
	"assay/store/evidence"
)

// Parts names what a latency is made of: Whole is about First + PerToken * (Tokens - 1),
// where Tokens is the mean length of an answer.
type Parts struct {
	Whole, First, PerToken evidence.MetricID
	Tokens                 float64
}

// Typical is the mean of a metric, or its median where the file has no mean that holds.
func (r *Run) Typical(m evidence.MetricID) evidence.Opt[float64] {
	var out evidence.Opt[float64]
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Metric != m || x.Role != evidence.Primary || x.State == evidence.Conflict {
			continue
		}
		if x.Stat == evidence.Mean && x.Value.OK {
			return x.Value
		}
		if x.Stat == evidence.P50 {
			out = x.Value
		}
	}
	return out
}

// Fits checks that a latency and its parts can be of one run, and gives the latency:
// recorded, or what the parts come to.
//
// The mean of what follows the first token is the difference of two means, so the time
// per token is held against it. The first token is held against what the others leave,
// where that is a thousand times as much or as little: their noise is of its size. It
// cannot come within a small part of the time that one token takes.
func (r *Run) Fits(o Obj, p Parts) evidence.Opt[float64] {
	whole, first, token := r.Typical(p.Whole), r.Typical(p.First), r.Typical(p.PerToken)
	if !first.OK || !token.OK {
		return whole
	}
	if first.V > 0 && first.V < token.V/20 {
		r.b.Find(evidence.Warning, CodeUnitSuspect, o, "the first token takes %s s and each further one %s s: one of them is in another unit than its name says, or the first does not end at a token",
			evidence.FormatDecimal(round(first.V)), evidence.FormatDecimal(round(token.V)))
		r.Dispute(p.First, p.PerToken)
	}
	expected := first.V + token.V*max(p.Tokens-1, 0)
	if !whole.OK {
		return evidence.Some(expected)
	}
	r.Suspect(o, whole.V, expected, "the latency", "first token + (tokens - 1) * time per token", p.Whole, p.First, p.PerToken)
	if whole.V < first.V*0.5 {
		r.b.Find(evidence.Warning, CodeUnitSuspect, o, "the latency %s s is shorter than the time to the first token, %s s",
			evidence.FormatDecimal(round(whole.V)), evidence.FormatDecimal(round(first.V)))
		r.Dispute(p.Whole, p.First)
	}
	if after := whole.V - first.V; after > whole.V/20 && p.Tokens > 1.5 {
		r.Suspect(o, token.V, after/(p.Tokens-1), "the time per token", "(latency - first token) / (tokens - 1)", p.Whole, p.First, p.PerToken)
	}
	if left := whole.V - token.V*max(p.Tokens-1, 0); left > 500*first.V && left < 2000*first.V {
		r.Suspect(o, first.V, left, "the first token", "latency - (tokens - 1) * time per token", p.First)
	}
	return whole
}

// Gaps compares the gap between two chunks or tokens with the time per token: a chunk
// holds at least a token and rarely more than a few dozen.
func (r *Run) Gaps(o Obj, gap, perToken evidence.MetricID) (ratio float64, ok bool) {
	g, t := r.Typical(gap), r.Typical(perToken)
	if !g.OK || !t.OK || t.V <= 0 || g.V <= 0 {
		return 0, false
	}
	r.Suspect(o, g.V, t.V, "the gap between two chunks", "the time per token", gap, perToken)
	return g.V / t.V, true
}
