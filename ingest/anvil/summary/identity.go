package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// target is where the settings of an identity block go. Speculation is kept apart for a
// document: its arms may differ in it.
type target struct {
	facts, spec *[]evidence.Fact
	arm         *arm
}

func (e *engine) ofDocument() target { return target{&e.Facts, &e.spec, e.self} }
func ofArm(a *arm) target            { return target{&a.facts, &a.facts, a} }

func (t target) of(k evidence.FactKey) *[]evidence.Fact {
	if speculationKeys[k] {
		return t.spec
	}
	return t.facts
}

// identitySlot reads a member of the document that says what was under test.
func (e *engine) identitySlot(sc *scope, name string, v lift.Val) {
	t := e.ofDocument()
	switch {
	case v.Is(jsondoc.Object):
		e.identityBlock(t, blockOf(name), name, v)
	case v.Is(jsondoc.Array):
		e.notes(evidence.Statement, name, v)
	default:
		e.identityMember(t, "", name, name, v)
	}
}

// identityBlock reads a block of settings.
func (e *engine) identityBlock(t target, block, path string, v lift.Val) {
	for name, c := range v.Members() {
		e.identityMember(t, block, path+"."+name, name, c)
	}
}

func (e *engine) identityMember(t target, block, path, name string, c lift.Val) {
	p := plain(name)
	switch {
	case c.Is(jsondoc.Null):
		e.Find(evidence.Info, lift.CodeNull, c, "%s is null: not recorded", lift.Clip(path))
		e.Take(c)
	case c.Is(jsondoc.Object):
		if k, isNote := noteSlot(name, c); isNote {
			e.slot(k, nil, path, c)
			return
		}
		below := blockOf(name)
		if below == "" {
			below = block
		}
		e.identityBlock(t, below, path, c)
	case c.Is(jsondoc.Array):
		if w := split(name).words; len(w) > 0 && w[0] == "changes" {
			e.changes(t, c)
		}
		e.notes(evidence.Statement, path, c)
	default:
		e.identityScalar(t, block, path, name, p, c)
	}
}

// noteSlot tells the sentences, references and restorations inside a block.
func noteSlot(name string, v lift.Val) (slot, bool) {
	k := slotOf(name, v)
	switch k {
	case slotDecision, slotLimit, slotFailure, slotCaveat, slotSentence, slotRestored, slotReference, slotForeign:
		return k, true
	}
	return k, false
}

func (e *engine) identityScalar(t target, block, path, name, p string, c lift.Val) {
	if s, ok := inBlock(block, p); ok {
		e.set(t.of(s.key), s, p, c)
		if block == "speculation" {
			e.specBlock = true
			if isText(c) {
				e.say(evidence.Statement, path, c)
			}
		}
		return
	}
	if s, ok := settings[p]; ok && !(block == "speculation" && p == "topology") {
		e.set(t.of(s.key), s, p, c)
		return
	}
	if p == "concurrency" {
		e.Count(t.facts, evidence.KeySelectedConc, c)
		return
	}
	if engine, ok := engineRevision(p); ok && isText(c) {
		key := evidence.KeyEngineRevision
		if strings.HasSuffix(p, "version") {
			key = evidence.KeyEngineVersion
		}
		e.Fact(t.facts, key, c)
		if factIn(*t.facts, evidence.KeyEngine) == nil {
			e.Derive(t.facts, evidence.KeyEngine, engine, ruleEngine, c)
		}
		e.Take(c)
		return
	}
	if l := split(name); isText(c) && (l.has("endpoint") || l.has("base") && l.has("url")) {
		e.Path(t.facts, c, lift.Val{})
		e.say(evidence.Statement, path, c)
		return
	}
	if k, isNote := noteSlot(name, c); isNote && (isText(c) || k == slotDecision) {
		e.slot(k, nil, path, c)
		return
	}
	switch {
	case isText(c) && isDigest(c.Str()):
		e.digest(name, c)
	case c.Is(jsondoc.Number) && e.startup(t.arm, name, c):
	case isText(c) && (len(c.Str()) > 100 || strings.Contains(c.Str(), ". ") || strings.Contains(c.Str(), "; ")):
		e.say(evidence.Statement, path, c)
	case c.Is(jsondoc.Number) && isSize(p):
		e.Notes = append(e.Notes, evidence.Note{Kind: evidence.Statement, Key: lift.Clip(path), Text: lift.Clip(c.N.Text), Place: evidence.At(c.P)})
		e.Skip(c, evidence.ReasonIdentifier)
	case isOption(block, path) && len(name) < 80 && e.options < maxOptions:
		e.options++
		e.Fact(t.facts, evidence.FactKey(strings.ReplaceAll(p, " ", "_")), c)
		e.Take(c)
	default:
		e.foreign(path, c)
	}
}

// isSize reports whether a number is the size of a file or the like.
func isSize(p string) bool {
	l := split(p)
	return l.has("bytes", "files", "size") && !l.has("batch")
}

// isOption reports whether an unknown setting is one of the recipe: residue that a pair
// that differs in it is told about.
func isOption(block, path string) bool {
	l := split(path)
	return block == "speculation" || l.has("configuration", "recipe", "candidate", "checkpoint", "runtime")
}

// startup notes a figure among settings: what the engine printed at start-up.
func (e *engine) startup(a *arm, name string, v lift.Val) bool {
	n := readName(name)
	switch n.metric {
	case evidence.KVPoolTokens, evidence.GPUMemoryUsed, evidence.GPUMemoryFree:
	default:
		return false
	}
	if n.foreign || len(n.rest) > 0 {
		return false
	}
	e.later = append(e.later, func() {
		sc := &scope{at: e.parentOf(v), arm: a, class: evidence.ClassStartup, path: []string{"start-up"}}
		e.liftFigure(sc, name, n, v)
	})
	return true
}

// parentOf is the block that a member stands in.
func (e *engine) parentOf(v lift.Val) lift.Val {
	return e.nodeAt(v.P.Parent())
}

func (e *engine) nodeAt(p evidence.Pointer) lift.Val {
	rest := strings.TrimPrefix(string(p), string(e.Top.P))
	return lift.Val{P: p, N: e.Top.N.At(evidence.Pointer(rest))}
}

// changes reads "mem_fraction_static=0.945": what an attempt changed against the one
// before.
func (e *engine) changes(t target, v lift.Val) {
	for _, c := range v.Items() {
		name, value, ok := strings.Cut(c.Str(), "=")
		if !ok || value == "" || len(c.Str()) > 200 {
			continue
		}
		s, known := settings[plain(name)]
		if !known {
			continue
		}
		text := strings.ToLower(strings.TrimSpace(value))
		if s.form == asSwitchOff {
			text = map[string]string{"true": "false", "false": "true"}[text]
		}
		if s.form == asCount || s.form == asRatio {
			f, err := evidence.ParseDecimal(text)
			if err != nil {
				continue
			}
			text = evidence.FormatDecimal(f)
		}
		if text == "" {
			continue
		}
		f := evidence.Fact{Key: s.key, Value: text, State: evidence.Derived, Rule: ruleName, Place: evidence.At(c.P), SourceText: c.Str()}
		replace(t.of(s.key), f)
	}
}

// replace puts a fact in the place of an earlier one.
func replace(facts *[]evidence.Fact, f evidence.Fact) {
	if have := factIn(*facts, f.Key); have != nil {
		*have = f
		return
	}
	*facts = append(*facts, f)
}
