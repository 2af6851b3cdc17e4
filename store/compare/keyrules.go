package compare

import (
	"fmt"

	"assay/store/evidence"
)

// keyRule says what becomes of a pair for one fact key. A zero verdict means that
// the rule has nothing to say in that case.
type keyRule struct {
	rule      string
	key       evidence.FactKey
	tolerance float64 // relative, for numbers

	differ    Verdict
	oneSided  Verdict
	neither   Verdict // recorded on neither side, between statements
	statement Verdict // recorded on neither side, under one statement

	applies func(*pair) bool // nil: always
	remedy  string
}

const (
	declareFact = "declare the fact, with who says so and why"
	measureFact = "run the arm again with a writer that records it"
	sameShape   = "run both arms under one shape"
)

// keyRules is the table of rules about single facts. Keys without a line fall to
// their class, see classRule.
var keyRules = []keyRule{
	{rule: "W-CONC", key: evidence.KeyConcurrency, differ: Blocked, oneSided: Unknown, neither: Unknown, applies: isServing, remedy: sameShape},
	{rule: "W-REQ", key: evidence.KeyRequests, differ: Blocked, oneSided: Unknown, neither: Unknown, applies: isServing, remedy: sameShape},
	{rule: "W-CTX", key: evidence.KeyContextTarget, differ: Blocked, oneSided: Unknown, neither: Unknown, applies: isServing, remedy: sameShape},
	{rule: "W-PROMPT", key: evidence.KeyPromptTokens, tolerance: 0.02, differ: Blocked, oneSided: Unknown, neither: Unknown, statement: Caution, applies: isServing, remedy: measureFact},
	{rule: "W-CAP", key: evidence.KeyOutputCap, differ: Blocked, oneSided: Unknown, neither: Unknown, statement: Caution, applies: isServing, remedy: declareFact},
	{rule: "W-COMPLETION-DIST", key: evidence.KeyCompletionMode, differ: Blocked, oneSided: Unknown, applies: feelsCompletion, remedy: sameShape},
	{rule: "W-THINK", key: evidence.KeyThinking, differ: Blocked, oneSided: Unknown, neither: Unknown, applies: isServing, remedy: declareFact},
	{rule: "W-THINK", key: evidence.KeyThinkingEffort, differ: Blocked, oneSided: Unknown, applies: isServing, remedy: declareFact},
	{rule: "W-BURST", key: evidence.KeyPromptBurst, differ: Blocked, oneSided: Unknown, neither: Unknown, applies: isServing, remedy: declareFact},
	{rule: "W-PROMPTSET", key: evidence.KeyPromptSet, differ: Blocked, oneSided: Caution, neither: Caution, statement: Caution, applies: isServing, remedy: declareFact},
	{rule: "W-PROMPTSET", key: evidence.KeyPromptSeed, differ: Blocked, oneSided: Caution, applies: isServing, remedy: declareFact},
	{rule: "W-PROMPTSET", key: evidence.KeyRequestedWords, differ: Blocked, oneSided: Caution, applies: isServing, remedy: declareFact},
	{rule: "W-SAMPLING", key: evidence.KeySampling, differ: Blocked, oneSided: Caution, neither: Caution, statement: Caution, applies: isServing, remedy: declareFact},
	{rule: "W-WARM", key: evidence.KeyWarmState, differ: Blocked, oneSided: Unknown, applies: isServing, remedy: sameShape},
	{rule: "W-CLAMP", key: evidence.KeyPlannedContext, tolerance: 0.02, differ: Blocked, oneSided: Unknown, applies: isServing, remedy: measureFact},
	{rule: "W-SERVED", key: evidence.KeyServedContext, differ: Caution, oneSided: Caution, neither: Caution, statement: Caution, applies: isServing, remedy: declareFact},
	{rule: "W-REPLICA", key: evidence.KeyReplicas, differ: Caution, applies: isServing, remedy: "compare the figure per card"},
	{rule: "W-PROTO", key: evidence.KeyProtocol, differ: Blocked, oneSided: Unknown, neither: Unknown, applies: isServing, remedy: declareFact},
	{rule: "M-BOUNDARY", key: evidence.KeyTimingBoundary, differ: Blocked, oneSided: Unknown, neither: Unknown, applies: feelsBoundary, remedy: declareFact},
	{rule: "M-AGGREGATION", key: evidence.KeyAggregation, differ: Blocked, oneSided: Caution, applies: isServing, remedy: declareFact},
	{rule: "P-GPU", key: evidence.KeyGPUProduct, differ: Blocked, oneSided: Unknown, neither: Unknown, statement: Unknown, remedy: declareFact},
	{rule: "P-GPU", key: evidence.KeyGPUArch, differ: Blocked, remedy: declareFact},
	{rule: "P-PATH", key: evidence.KeyPath, differ: Blocked, oneSided: Unknown, applies: isServing, remedy: declareFact},
	{rule: "P-LANE", key: evidence.KeyLane, differ: Blocked, oneSided: Caution, neither: Caution, statement: Caution, applies: sameCards, remedy: declareFact},
	{rule: "P-EXTERNAL", key: evidence.KeyScope, differ: Blocked, oneSided: Unknown, remedy: declareFact},
	{rule: "P-MODEL", key: evidence.KeyModel, differ: Caution, oneSided: Caution, neither: Caution, statement: Caution, remedy: declareFact},
	{rule: "P-REV", key: evidence.KeyModelRevision, differ: Caution, oneSided: Caution, remedy: declareFact},
	{rule: "P-ENGINE", key: evidence.KeyEngine, differ: Caution, oneSided: Caution, remedy: declareFact},
	{rule: "P-ENGINE", key: evidence.KeyEngineVersion, differ: Caution, oneSided: Caution, remedy: declareFact},
	{rule: "P-ENGINE", key: evidence.KeyEngineRevision, differ: Caution, oneSided: Caution, remedy: declareFact},
	{rule: "P-ENGINE", key: evidence.KeyImage, differ: Caution, oneSided: Caution, remedy: declareFact},
	{rule: "P-ENGINE", key: evidence.KeyImageDigest, differ: Caution, oneSided: Caution, remedy: declareFact},
}

// impliedByAxis lists the keys that an axis moves along with itself, so that they
// are no residue when the axis is asked about.
var impliedByAxis = map[evidence.FactKey][]evidence.FactKey{
	evidence.KeyTP:         {evidence.KeyGPUCount, evidence.KeyTopology},
	evidence.KeyMTPDepth:   {evidence.KeySpecMethod, evidence.KeyDraftDepth, evidence.KeyDraftModel, evidence.KeyServedModel},
	evidence.KeyCheckpoint: {evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyQuantisation, evidence.KeyModelArtifact, evidence.KeyModelDigest, evidence.KeyServedModel},
}

// silentKeys describe the document or repeat what another key decides; they are
// never residue.
var silentKeys = map[evidence.FactKey]bool{
	evidence.KeyConcurrencyAll: true, evidence.KeyGPUMemory: true, evidence.KeyWorkloadClass: true,
	evidence.KeyPercentileMethod: true, evidence.KeyCacheState: true, evidence.KeyCachedFraction: true,
}

func (p *pair) isAsked(k evidence.FactKey) bool {
	if p.onAxis(k) {
		return true
	}
	for _, a := range p.question.Axes {
		for _, i := range impliedByAxis[a] {
			if i == k {
				return true
			}
		}
	}
	return false
}

// judgeKeys applies the table, then the class rule to every other key of either side.
func (p *pair) judgeKeys() []Reason {
	var out []Reason
	ruled := map[evidence.FactKey]bool{}
	for i := range keyRules {
		r := &keyRules[i]
		ruled[r.key] = true
		if r.applies != nil && !r.applies(p) || p.isAsked(r.key) {
			continue
		}
		if reason, ok := p.judgeKey(r); ok {
			out = append(out, reason)
		}
	}
	for _, k := range p.unionKeys() {
		if ruled[k] || silentKeys[k] || p.isAsked(k) {
			continue
		}
		if r, ok := classRule(k); ok && (r.applies == nil || r.applies(p)) {
			if reason, ok := p.judgeKey(&r); ok {
				out = append(out, reason)
			}
		}
	}
	return out
}

// classRule is the table of DESIGN for keys without a rule of their own.
func classRule(k evidence.FactKey) (keyRule, bool) {
	switch evidence.LookupKey(k).Class {
	case evidence.Shape:
		return keyRule{rule: "SHAPE", key: k, differ: Blocked, oneSided: Unknown, applies: isServing, remedy: sameShape}, true
	case evidence.Protocol:
		return keyRule{rule: "PROTOCOL", key: k, differ: Blocked, oneSided: Unknown, applies: isServing, remedy: declareFact}, true
	case evidence.Hardware:
		return keyRule{rule: "P-GPU", key: k, differ: Blocked, oneSided: Unknown, remedy: declareFact}, true
	case evidence.Identity, evidence.Environment:
		return keyRule{rule: "RESIDUE", key: k, differ: Caution, oneSided: Caution, remedy: "ask about it as an axis, or hold it equal"}, true
	default:
		return keyRule{}, false
	}
}

// unionKeys are the keys of both sides in registry order, then the unknown ones.
func (p *pair) unionKeys() []evidence.FactKey {
	have := map[evidence.FactKey]bool{}
	var extra []evidence.FactKey
	for _, r := range []*evidence.RunRow{p.control, p.arm} {
		for i := range r.Facts {
			k := r.Facts[i].Key
			if !have[k] && evidence.LookupKey(k).Title == string(k) {
				extra = append(extra, k)
			}
			have[k] = true
		}
	}
	var out []evidence.FactKey
	for _, i := range evidence.Keys {
		if have[i.Key] {
			out = append(out, i.Key)
			delete(have, i.Key)
		}
	}
	for _, k := range extra {
		if have[k] {
			out = append(out, k)
			delete(have, k)
		}
	}
	return out
}

func (p *pair) judgeKey(r *keyRule) (Reason, bool) {
	a, b := side(p.control, r.key), side(p.arm, r.key)
	title := evidence.LookupKey(r.key).Title
	var v Verdict
	var msg string
	switch {
	case a.Known && b.Known:
		if equalValues(a.Value, b.Value, r.tolerance) {
			return Reason{}, false
		}
		v, msg = r.differ, fmt.Sprintf("%s differs", title)
	case a.Known != b.Known:
		v, msg = r.oneSided, fmt.Sprintf("%s is recorded on one side only", title)
	case p.oneStatement:
		v, msg = r.statement, fmt.Sprintf("%s is recorded on neither side", title)
	default:
		v, msg = r.neither, fmt.Sprintf("%s is recorded on neither side", title)
	}
	if v == "" || v == OK {
		return Reason{}, false
	}
	return Reason{Rule: r.rule, Verdict: v, Key: r.key, Left: a, Right: b, Message: msg, Remedy: r.remedy}, true
}

// isServing: workload rules speak of served requests, not of start-up accounting.
func isServing(p *pair) bool {
	switch p.metric.ID {
	case evidence.KVPoolTokens, evidence.GPUMemoryFree, evidence.GPUMemoryUsed,
		evidence.WER, evidence.CER, evidence.RTF, evidence.PassRate:
		return false
	}
	return true
}

// feelsCompletion: forced and natural completion change how long a request lasts.
func feelsCompletion(p *pair) bool {
	switch p.metric.ID {
	case evidence.OutputThroughput, evidence.OutputChunkThroughput, evidence.TotalThroughput,
		evidence.RequestThroughput, evidence.Goodput, evidence.E2E, evidence.Generation, evidence.Latency:
		return true
	}
	return false
}

// feelsBoundary: these start at the first token, visible or not.
func feelsBoundary(p *pair) bool {
	switch p.metric.ID {
	case evidence.EffectivePrefillRate, evidence.Generation, evidence.DecodeRate, evidence.DecodeChunkRate:
		return true
	}
	return false
}

// sameCards: the lane matters between arms that use equally many cards.
func sameCards(p *pair) bool {
	a, b := side(p.control, evidence.KeyGPUCount), side(p.arm, evidence.KeyGPUCount)
	return a.Known && b.Known && a.Value == b.Value && a.Value == "1"
}
