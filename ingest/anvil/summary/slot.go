package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// slot is what a member is for, by the words of its name.
type slot uint8

const (
	slotFigures slot = iota // anything else: rows, blocks and figures
	slotDate
	slotDecision
	slotLimit
	slotFailure
	slotCaveat
	slotSentence
	slotRestored
	slotReference
	slotProtocol
	slotIdentity
	slotArms
	slotGates
	slotForeign
)

// exact are names that mean one thing wherever they stand.
var exact = map[string]slot{
	"decision": slotDecision, "decisions": slotDecision, "decision labels": slotDecision, "evidence labels": slotDecision, "evidence types": slotDecision,
	"verdict": slotDecision, "recommendation": slotDecision, "completion state": slotDecision, "interpretation": slotDecision,
	"production impact": slotDecision, "policy reminder": slotSentence, "conclusion": slotDecision, "outcome": slotDecision, "winner": slotDecision,
	"limitations": slotLimit, "limits": slotLimit, "claim limit": slotLimit, "claim limits": slotLimit, "not proven": slotLimit, "not tested": slotLimit,
	"not measured": slotLimit, "gaps": slotCaveat, "caveats": slotCaveat, "caveat": slotCaveat, "warnings": slotCaveat, "notes": slotSentence, "note": slotSentence,
	"diagnosis": slotForeign, "subject": slotSentence, "operator priority": slotSentence, "redactions": slotSentence, "worker": slotForeign,
	"sources": slotReference, "artifacts": slotReference, "evidence": slotReference, "references": slotReference, "raw evidence": slotReference,
	"integrity": slotReference, "review packets": slotReference, "receipts": slotReference, "source artifacts": slotReference, "recipe path": slotReference,
	"workload": slotProtocol, "methodology": slotProtocol, "measurement": slotProtocol,
	"models": slotArms, "checkpoints": slotArms, "candidates": slotArms, "required candidates": slotArms, "profiles": slotArms, "arms": slotArms,
	"variants": slotArms, "recommendations": slotArms, "attempts": slotArms, "setting experiments": slotArms, "baseline": slotArms, "baselines": slotArms,
	"experiments": slotArms, "configurations": slotArms,
	"admission": slotIdentity, "memory policy": slotForeign, "environment": slotForeign, "engine": slotIdentity, "runtime": slotIdentity,
	"hardware": slotIdentity, "topology": slotIdentity, "model": slotIdentity, "checkpoint": slotIdentity, "candidate": slotIdentity, "identity": slotIdentity,
	"source": slotIdentity, "recipe": slotIdentity, "harness": slotForeign, "endpoint": slotIdentity, "base url": slotIdentity,
}

// slotOf gives a top-level member its slot.
func slotOf(key string, v lift.Val) slot {
	name := plain(key)
	l := split(key)
	if isDate(l, v) {
		return slotDate
	}
	if s, ok := exact[name]; ok {
		if s == slotArms && !v.Is(jsondoc.Object) && !v.Is(jsondoc.Array) {
			return slotFigures
		}
		if s == slotReference && name == "evidence" && v.Is(jsondoc.Object) {
			return slotFigures
		}
		return s
	}
	if _, ok := settings[name]; ok && scalar(v.N) && !v.Is(jsondoc.Null) {
		return slotIdentity
	}
	return slotByWords(l, v)
}

// slotByWords goes by single words of a name.
func slotByWords(l *list, v lift.Val) slot {
	list := v.Is(jsondoc.Array) || isText(v)
	switch {
	case l.has("blockers", "limitations", "limit", "limits") && list && !l.has("near"), l.has("proven") && list:
		return slotLimit
	case l.has("failures"):
		return slotFailure
	case l.has("caveats", "caveat", "warnings"):
		return slotCaveat
	case l.has("note") && isText(v):
		return slotSentence
	case l.has("restoration", "restored", "restore", "rollback", "lifecycle"):
		return slotRestored
	case l.has("sha256", "digests", "digest", "hashes", "manifest", "artifacts", "receipt"):
		return slotReference
	case l.has("promotion", "promoted", "decision", "verdict"):
		return slotDecision
	case l.has("next", "future", "planned", "proposed", "upstream", "credit", "recommended", "diagnosis"):
		return slotForeign
	case l.has("protocol", "workload", "methodology"):
		return slotProtocol
	case l.has("configuration", "recipe", "identity", "observation") && v.Is(jsondoc.Object):
		return slotIdentity
	case l.anyOf(acceptWords) && l.has("mtp", "rate", "length", "speculative", "draft", "spec", "token"):
		return slotFigures
	case l.has("functional", "gate", "gates", "correctness", "acceptance", "checks", "preflight", "compatibility", "quality", "safety", "coverage", "verification", "smoke"):
		return slotGates
	}
	return slotFigures
}

// isDate reports whether a member says when.
func isDate(l *list, v lift.Val) bool {
	if !isText(v) || len(v.Str()) > 64 || len(l.words) > 4 {
		return false
	}
	return l.has("date", "captured", "observed", "updated") || l.has("at") && l.has("recorded", "generated", "tested", "completed", "published", "finished", "started", "created")
}

// slot reads a member of the document by its slot.
func (e *engine) slot(k slot, sc *scope, name string, v lift.Val) {
	if v.Is(jsondoc.Null) {
		e.Find(evidence.Info, lift.CodeNull, v, "%s is null", lift.Clip(name))
		e.Take(v)
		return
	}
	e.strangeName(k, name, v)
	switch k {
	case slotDate:
		e.date(name, v)
	case slotDecision:
		e.decision(name, v)
	case slotLimit:
		e.notes(evidence.Limitation, name, v)
	case slotFailure:
		e.notes(evidence.Failure, name, v)
	case slotCaveat:
		e.notes(evidence.Caveat, name, v)
	case slotSentence:
		e.notes(evidence.Statement, name, v)
	case slotRestored:
		e.restoration(name, v)
	case slotReference:
		e.references(name, v)
	case slotProtocol:
		e.protocol(name, v)
	case slotIdentity:
		e.identitySlot(sc, name, v)
	case slotArms:
		e.armsSlot(sc, name, v)
	case slotForeign:
		e.foreign(name, v)
	case slotGates:
		e.gates(sc.under(name, v), name, v)
	default:
		e.member(sc, name, v)
	}
}

// blockWords are the words of which the names of blocks are made.
var blockWords = set(`gate gates functional local private raw public common shared speculative speculation configuration recipe recipes identity control
	observation performance protocol workload measurement methodology capacity short long context near limit client acceptance coverage quality bounded
	correctness checks preflight compatibility verification commands command review packets artifact artifacts safety manifest digests digest hashes sha256
	evidence evidences receipt receipts files file integrity source sources references reference stage plan profile preflight official report shard asset
	benchmark model engine runtime hardware topology candidate checkpoint admission and of the smoke results result responses path name json
	startup retrieval routed direct multimodal tool tools safety endpoint base url requests per run arm raw`)

// strangeName remarks a block that is read by some words of its name while others say
// nothing to us.
func (e *engine) strangeName(k slot, name string, v lift.Val) {
	if scalar(v.N) {
		return
	}
	switch k {
	case slotReference, slotGates, slotProtocol, slotIdentity:
	default:
		return
	}
	base := name[strings.LastIndexByte(name, '.')+1:]
	for _, w := range split(base).words {
		if !blockWords[w] {
			e.Find(evidence.Info, CodeName, v, "%s: read by the words that are known; %q is not", lift.Clip(base), lift.Clip(w))
			return
		}
	}
}

// date keeps when the document was observed; the first date is the campaign's.
func (e *engine) date(name string, v lift.Val) {
	if !looksLikeDate(v.Str()) {
		e.Find(evidence.Warning, lift.CodeNotText, v, "a date was expected, not %q", lift.Clip(v.Str()))
		e.say(evidence.Statement, name, v)
		return
	}
	if !e.dated {
		e.dated = true
		e.Campaign.Observed, e.Campaign.Place = v.Str(), evidence.At(v.P)
		e.Words(&e.Facts, evidence.KeyObserved, v)
	} else {
		e.Words(&e.Facts, evidence.KeyFinished, v)
	}
	e.Take(v)
}

// looksLikeDate takes "2026-08-15" with or without a time of any precision and zone, also
// one whose minutes nobody knew.
func looksLikeDate(s string) bool {
	if len(s) < 10 {
		return false
	}
	for i, c := range []byte(s[:10]) {
		dash := i == 4 || i == 7
		if dash != (c == '-') || !dash && (c < '0' || c > '9') {
			return false
		}
	}
	return len(s) == 10 || strings.ContainsRune("T ", rune(s[10]))
}

// under is the scope of a block below.
func (sc *scope) under(name string, v lift.Val) *scope {
	c := *sc
	c.at, c.variants, c.order, c.status, c.stats, c.prompt = v, nil, nil, lift.Val{}, nil, lift.Val{}
	c.extra, c.counted, c.warned = append([]evidence.Fact(nil), sc.extra...), nil, false
	c.ofArm = false
	c.path = append(c.path[:len(c.path):len(c.path)], name)
	c.shape = append([]evidence.Fact(nil), sc.shape...)
	c.group = sc.at.P
	return &c
}
