package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// register enters an arm under a name.
func (e *engine) register(a *arm, key string) {
	p := plain(key)
	if p == "" {
		return
	}
	if _, taken := e.byName[p]; !taken {
		e.byName[p] = a
	}
	if len(e.known) < maxNamed && !containsArm(e.known, a) {
		e.known = append(e.known, a)
	}
}

func containsArm(list []*arm, a *arm) bool {
	for _, x := range list {
		if x == a {
			return true
		}
	}
	return false
}

// wordsOf are the words that an arm is known by.
func (e *engine) wordsOf(a *arm) map[string]bool {
	if a.words == nil {
		a.words = map[string]bool{}
		texts := []string{a.name}
		for _, k := range []evidence.FactKey{evidence.KeyModel, evidence.KeyQuantisation, evidence.KeyCheckpoint} {
			texts = append(texts, valueIn(a.facts, k))
		}
		for _, text := range texts {
			for _, w := range split(text).words {
				a.words[w] = true
			}
		}
	}
	return a.words
}

// find is the arm that a name stands for: the one that has it, or the only one that all
// its words belong to.
func (e *engine) find(name string) *arm {
	p := plain(name)
	if a := e.byName[p]; a != nil {
		return a
	}
	if p == "" || len(e.known) >= maxNamed || isRepository(name) {
		return nil
	}
	a := e.only(split(name).words, e.known)
	if a != nil {
		e.byName[p] = a
	}
	return a
}

// only is the one arm of a list that all words belong to, nil when several have them.
func (e *engine) only(words []string, among []*arm) *arm {
	var found *arm
	for _, a := range among {
		if a.parent != nil {
			continue // a variant of one that is entered itself
		}
		have, all := e.wordsOf(a), true
		for _, w := range words {
			all = all && have[w]
		}
		if all && found != nil && found != a {
			return nil
		}
		if all {
			found = a
		}
	}
	return found
}

// newArm makes an arm that shares the facts of the one it varies.
func (e *engine) newArm(name string, from *arm, v lift.Val) *arm {
	a := &arm{name: lift.Clip(name), at: v, parent: from}
	e.all = append(e.all, a)
	if from != nil && from != e.self {
		for _, f := range from.facts {
			if f.State == evidence.Recorded {
				f.State, f.Rule = evidence.Derived, ruleNamed
			}
			a.facts = append(a.facts, f)
		}
	}
	return a
}

// armsSlot enters the arms of a block or list before anything speaks of them.
func (e *engine) armsSlot(sc *scope, name string, v lift.Val) {
	switch {
	case v.Is(jsondoc.Object):
		for key, c := range v.Members() {
			switch {
			case c.Is(jsondoc.Object) && (key == "shared" || key == "common"):
				e.identityBlock(e.ofDocument(), "model", "configuration."+key, c)
				e.consumed[c.N] = true
			case c.Is(jsondoc.Object):
				a := e.newArm(key, e.baseOf(key), c)
				a.parent = nil
				e.keySettings(a, key, c)
				e.ownSettings(a, c)
				e.register(a, key)
				e.armAt[c.N] = a
			case isText(c) && isRepository(c.Str()):
				a := e.newArm(key, nil, c)
				e.Put(&a.facts, evidence.Fact{Key: evidence.KeyCheckpoint, Value: lift.Clip(key), State: evidence.Derived, Rule: ruleName, Place: evidence.At(c.P), SourceText: lift.Clip(key)})
				e.model(&a.facts, c)
				e.register(a, key)
				e.consumed[c.N] = true
			}
		}
	case v.Is(jsondoc.Array):
		var before *arm
		for _, c := range v.Items() {
			if !c.Is(jsondoc.Object) {
				continue
			}
			a := e.rowArm(c, before)
			if a != nil {
				e.armAt[c.N] = a
				a.listed = true
				before = a
			}
		}
	}
}

// baseOf is the checkpoint whose name stands in the key of an arm: "bf16" in "bf16_text".
func (e *engine) baseOf(key string) *arm {
	if len(e.known) >= maxNamed {
		return nil
	}
	l := split(key)
	var found *arm
	for _, a := range e.known {
		words := split(a.name).words
		all := len(words) > 0 && len(words) < len(l.words)
		for _, w := range words {
			all = all && l.has(w)
		}
		if all && found != nil {
			return nil
		}
		if all {
			found = a
		}
	}
	return found
}

// keySettings reads the settings in the key of an arm: "mtp3", "bf16_tp2".
func (e *engine) keySettings(a *arm, key string, v lift.Val) {
	text := strings.ReplaceAll(key, "_", " ")
	if len(text) > maxName {
		return
	}
	for _, s := range prose.Config(text) {
		if s.Key == evidence.KeyConcurrency || s.Key == evidence.KeyDraftDepth && len(split(key).words) == 1 {
			continue
		}
		f := evidence.Fact{Key: s.Key, Value: s.Value, State: evidence.Derived, Rule: ruleName, Place: evidence.At(v.P), SourceText: lift.Clip(key)}
		if factIn(a.facts, s.Key) == nil {
			a.facts = append(a.facts, f)
		} else if speculationKeys[s.Key] {
			replace(&a.facts, f)
		}
	}
	if p := plain(key); offWords[p] && !e.sayKey(a, evidence.KeySpecMethod) {
		a.facts = append(a.facts, speculationOf(key, v.P)...)
	}
}

func (e *engine) sayKey(a *arm, k evidence.FactKey) bool { return factIn(a.facts, k) != nil }

// ownSettings takes the settings among the members of an arm's block.
func (e *engine) ownSettings(a *arm, v lift.Val) {
	for name, c := range v.Members() {
		if !counter(v, settings[plain(name)], c) && e.rowSetting(a, name, c, true) {
			e.consumed[c.N] = true
		}
	}
}

// speculating is the only arm of a checkpoint that speculates.
func (e *engine) speculating(alias *arm) *arm {
	var found *arm
	for _, a := range e.known {
		spec := valueIn(a.facts, evidence.KeySpecMethod)
		if a.parent != alias || spec == "" || spec == specNone {
			continue
		}
		if found != nil {
			return nil
		}
		found = a
	}
	return found
}

// armFor is the arm that the key of a block speaks of; from is the arm that the block
// stands under, which is the answer where the key names none.
func (e *engine) armFor(sc *scope, key string, v lift.Val) *arm {
	if a := e.armAt[v.N]; a != nil {
		return a
	}
	if len(key) > maxName || isNumber(key) { // a number is a load, and hints says of what
		return sc.arm
	}
	if a := e.find(key); a != nil && !isShapeWord(key) {
		if sc.arm == e.self || sc.arm == a || sc.arm == nil {
			return a
		}
	}
	if !namesArm(key) {
		return sc.arm
	}
	full := key
	if sc.arm != nil && sc.arm != e.self {
		full = sc.arm.name + " " + key
	}
	if a := e.byRow[full]; a != nil {
		return a
	}
	a := e.newArm(full, sc.arm, v)
	e.keySettings(a, key, v)
	e.byRow[full] = a
	e.register(a, full)
	return a
}

func isShapeWord(key string) bool {
	n := readName(key)
	return n.context != "" || n.conc != "" || len(n.slice) > 0 && len(n.rest) == 0
}

// namesArm reports whether the key of a block is nothing but settings: "no_spec", "mtp3",
// "tp2_mtp1", "bf16".
func namesArm(key string) bool {
	p := plain(key)
	if offWords[p] && p != "no" && p != "false" {
		return true
	}
	text := strings.Join(split(key).words, " ")
	covered := 0
	words := split(key).words
	for _, s := range prose.Config(text) {
		if s.Key == evidence.KeyConcurrency || s.Key == evidence.KeyDraftDepth {
			return false
		}
		covered = max(covered, s.End)
	}
	return covered > 0 && covered == len(text) && len(words) <= 4
}
