package compare

import (
	"strings"

	"assay/store/evidence"
)

// controlKeys must be equal for an MTP effect: it is the effect of MTP only against
// a control that differs in nothing else.
var controlKeys = []evidence.FactKey{
	evidence.KeyCheckpoint, evidence.KeyModelRevision, evidence.KeyEngineRevision, evidence.KeyImageDigest, evidence.KeyTP,
	evidence.KeyServedContext, evidence.KeyMaxSequences, evidence.KeyBatchedTokens, evidence.KeyKVDtype, evidence.KeyPrefixCache,
}

// scalingKeys must be equal for a TP effect.
var scalingKeys = []evidence.FactKey{
	evidence.KeyCheckpoint, evidence.KeyModelRevision, evidence.KeyEngineRevision, evidence.KeyImageDigest,
	evidence.KeyServedContext, evidence.KeyMTPDepth, evidence.KeyKVDtype, evidence.KeyMaxSequences,
}

// axisRules hold only when their axis is the question asked.
func axisRules(p *pair) []Reason {
	var out []Reason
	if p.onAxis(evidence.KeyMTPDepth) {
		out = append(out, p.holdEqual("S-CONTROL", controlKeys)...)
		if !hasAcceptance(p.arm) && !hasAcceptance(p.control) && isServing(p) {
			out = append(out, Reason{
				Rule: "S-ACCEPT", Verdict: Caution, Message: "acceptance is not recorded, so the kind of text is unknown", Remedy: measureFact,
			})
		}
	}
	if p.onAxis(evidence.KeyTP) {
		out = append(out, p.holdEqual("S-TP", scalingKeys)...)
	}
	return out
}

func hasAcceptance(r *evidence.RunRow) bool {
	for i := range r.Measurements {
		if m := r.Measurements[i].Metric; m == evidence.AcceptRate || m == evidence.AcceptLength {
			return true
		}
	}
	return false
}

// holdEqual blocks on every control key that is known and differs, and names those
// that are not known in one caveat.
func (p *pair) holdEqual(rule string, keys []evidence.FactKey) []Reason {
	var out []Reason
	var open []string
	for _, k := range keys {
		if p.isAsked(k) {
			continue
		}
		a, b := side(p.control, k), side(p.arm, k)
		switch {
		case a.Known && b.Known && a.Value != b.Value:
			out = append(out, Reason{
				Rule: rule, Verdict: Blocked, Key: k, Left: a, Right: b,
				Message: evidence.LookupKey(k).Title + " differs, so this is not a matched control", Remedy: "run the matched control",
			})
		case !a.Known || !b.Known:
			open = append(open, evidence.LookupKey(k).Title)
		}
	}
	if len(open) > 0 {
		out = append(out, Reason{
			Rule: rule, Verdict: Caution, Message: "control keys not recorded: " + strings.Join(open, ", "), Remedy: declareFact,
		})
	}
	return out
}
