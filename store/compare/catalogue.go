package compare

import (
	"assay/store/evidence"
)

// Rules is the catalogue: every rule, in the order pages list them. All of them share
// one version, RulesetVersion.
var Rules = func() []Rule {
	var all []Rule
	for _, part := range [][]Rule{metricRules, workloadRules, identityRules, speculationRules, healthRules, qualityRules, decisionRules, tableRules} {
		all = append(all, part...)
	}
	for i := range all {
		for j := range all[i].lines {
			all[i].lines[j].ix = keyIndex[all[i].lines[j].key]
		}
	}
	return all
}()

// LookupRule finds a rule by id.
func LookupRule(id string) (*Rule, bool) {
	for i := range Rules {
		if Rules[i].ID == id {
			return &Rules[i], true
		}
	}
	return nil, false
}

// tableRules are the table by class for keys that no rule above speaks of.
var tableRules = []Rule{
	{ID: "SHAPE", Scopes: []Scope{ScopeDelta}, Remedy: sameShape, Text: "A fact about the workload that has no rule of its own is equal.", Source: "table by class", Gives: "different: blocked; on one side: unknown"},
	{ID: "PROTOCOL", Scopes: []Scope{ScopeDelta}, Remedy: declareFact, Text: "A fact about how it was measured that has no rule of its own is equal.", Source: "table by class", Gives: "different: blocked; on one side: unknown"},
	{ID: "HARDWARE", Scopes: []Scope{ScopeDelta}, Remedy: declareFact, Text: "A fact about the card that has no rule of its own is equal.", Source: "table by class", Gives: "different: blocked; on one side: unknown"},
	{ID: "RESIDUE", Scopes: []Scope{ScopeDelta}, Remedy: "ask about it as an axis, or hold it equal", Text: "What describes the arm or its environment and is no axis is residue where it differs.", Source: "table by class", Gives: "different or on one side: caveat"},
}

// deciding are the rules that look at pairs.
var deciding = func() []*Rule {
	var out []*Rule
	for i := range Rules {
		if r := &Rules[i]; len(r.lines) > 0 || r.decide != nil {
			out = append(out, r)
		}
	}
	return out
}()

var residueRule, _ = LookupRule("RESIDUE")

// spokenOf are keys that rules look at themselves, or that repeat what another key says,
// so that the table by class leaves them alone.
var spokenOf = []evidence.FactKey{
	evidence.KeyConcurrencyAll, evidence.KeyPercentileMethod, evidence.KeyAggregation, evidence.KeyWindow, evidence.KeyAcceptScope,
	evidence.KeyPromptTokens, evidence.KeyCompletionMode, evidence.KeyCacheState, evidence.KeyCachedFraction, evidence.KeyGPUProduct,
	evidence.KeyReplicas, evidence.KeySuiteChecks, evidence.KeyWorkloadClass,
}

// ruled are the keys that a rule has a line for or looks at itself.
var ruled = func() keySet {
	var s keySet
	for i := range Rules {
		for _, l := range Rules[i].lines {
			s.add(l.ix)
		}
	}
	for _, k := range spokenOf {
		s.add(keyIndex[k])
	}
	return s
}()

// classLines and classRules are the table by class, by key.
var classLines, classRules = func() (lines [maxKeys]keyLine, rules [maxKeys]*Rule) {
	for i, k := range evidence.Keys {
		id, differ, oneSided := "", silent, silent
		switch k.Class {
		case evidence.Shape:
			id, differ, oneSided = "SHAPE", blocked, unknown
		case evidence.Protocol:
			id, differ, oneSided = "PROTOCOL", blocked, unknown
		case evidence.Hardware:
			id, differ, oneSided = "HARDWARE", blocked, unknown
		case evidence.Identity, evidence.Environment:
			id, differ, oneSided = "RESIDUE", caution, caution
		}
		lines[i] = keyLine{key: k.Key, ix: i, differ: differ, oneSided: oneSided}
		rules[i], _ = LookupRule(id)
	}
	return lines, rules
}()

// identitySet are the keys that describe the arm.
var identitySet = func() keySet {
	var s keySet
	for i, k := range evidence.Keys {
		if k.Class == evidence.Identity {
			s.add(i)
		}
	}
	return s
}()
