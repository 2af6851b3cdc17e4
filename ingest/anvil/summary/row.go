package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// aliasNames are members by which a row names its arm.
var aliasNames = set("candidate arm variant config configuration profile name label id capability role lane attempt case placement recipe checkpoint model")

// weakNames say which place a row has among others. Several rows may have the same, so they
// stand for an arm only where no other name does.
var weakNames = set("role capability lane label attempt case placement")

// notInRow are settings whose member means something else in a row of figures.
var notInRow = map[evidence.FactKey]bool{
	evidence.KeyHostGPUs: true, evidence.KeyModelArtifact: true, evidence.KeyGPUMemory: true,
}

// rowSetting takes a member of a row as a setting of its arm.
func (e *engine) rowSetting(a *arm, name string, c lift.Val, served bool) bool {
	p := plain(name)
	if c.Is(jsondoc.Object) {
		switch p {
		case "identity", "recipe", "configuration", "runtime", "engine", "model", "checkpoint", "hardware", "local configuration", "startup configuration":
			e.identityBlock(ofArm(a), blockOf(name), "recipe."+name, c)
			return true
		}
		return false
	}
	if c.Is(jsondoc.Array) {
		if len(split(name).words) > 0 && split(name).words[0] == "changes" {
			e.changes(ofArm(a), c)
			e.notes(evidence.Statement, name, c)
			return true
		}
		return false
	}
	if c.Is(jsondoc.Null) {
		return false
	}
	s, ok := inBlock("model", p)
	if p == "name" || p == "source" {
		ok = false
	}
	if !ok {
		s, ok = settings[p]
	}
	if !ok || notInRow[s.key] || !served && s.key == evidence.KeyServedContext {
		return false
	}
	e.set(&a.facts, s, p, c)
	a.own = a.own || c.Is(jsondoc.Number)
	return true
}

// called is what a row says of its arm.
type called struct {
	names   []string // aliases and settings, in order
	alias   *arm     // the arm that the first alias stands for
	changed bool     // it says what it changes against the row before
	accepts bool     // it holds acceptance
}

func isAlias(p string, m lift.Val) bool {
	return scalar(m.N) && aliasNames[p] && (isText(m) || m.Is(jsondoc.Number))
}

// named reports whether a row names its arm by more than its place.
func named(v lift.Val) bool {
	for name, m := range v.Members() {
		if p := plain(name); isAlias(p, m) && !weakNames[p] {
			return true
		}
	}
	return false
}

func (e *engine) called(v lift.Val) called {
	var c called
	strong, modelled := named(v), false
	for name, m := range v.Members() {
		modelled = modelled || settings[plain(name)].key == evidence.KeyModel && isText(m)
	}
	for name, m := range v.Members() {
		p := plain(name)
		if isAlias(p, m) {
			c.names = append(c.names, aliasText(p, m))
			if c.alias == nil && !(weakNames[p] && (strong || modelled)) {
				c.alias = e.find(m.N.Text)
			}
			continue
		}
		c.changed = c.changed || strings.HasPrefix(p, "changes") && m.Is(jsondoc.Array)
		if n := readName(name); n.metric == evidence.AcceptLength || n.metric == evidence.AcceptRate {
			c.accepts = true
		}
		if s, ok := settings[p]; ok && scalar(m.N) && !notInRow[s.key] && s.key != evidence.KeyServedContext && !m.Is(jsondoc.Null) {
			if label := settingLabel(s, m); label != "" {
				c.names = append(c.names, label)
			} else if s.key == evidence.KeyModel && isText(m) && !strong {
				c.names = append(c.names, lift.Clip(m.Str())) // rows of one role are told apart by what has it
			}
		}
	}
	return c
}

// rowArm is the arm of a row, nil when nothing in the row names one. before is the arm of
// the row before, for rows that say what they change.
func (e *engine) rowArm(v lift.Val, before *arm) *arm {
	c := e.called(v)
	if len(c.names) == 0 && !c.changed {
		return nil
	}
	key := strings.Join(c.names, " ")
	if a := e.byRow[key]; a != nil && key != "" {
		e.takeRow(&arm{}, v)
		return a
	}
	if c.alias != nil && len(c.names) == 1 && !c.changed {
		if a := e.speculating(c.alias); a != nil && c.accepts {
			c.alias = a
		}
		e.takeRow(c.alias, v)
		return c.alias
	}
	from := c.alias
	if c.changed && before != nil {
		from = before
	}
	a := e.newArm(key, from, v)
	if c.changed && before != nil {
		a.facts = fromPrior(a.facts)
	}
	a.parent = c.alias
	e.takeRow(a, v)
	if key != "" {
		e.byRow[key] = a
		e.register(a, key)
	}
	return a
}

// fromPrior are the facts of the attempt before, as far as they are none of its name.
func fromPrior(facts []evidence.Fact) []evidence.Fact {
	var kept []evidence.Fact
	for _, f := range facts {
		if f.Key != evidence.KeyCandidate {
			f.State, f.Rule = evidence.Derived, ruleChanges
			kept = append(kept, f)
		}
	}
	return kept
}

// aliasText is the word of a row's name: an attempt is told by its number.
func aliasText(p string, c lift.Val) string {
	if c.Is(jsondoc.Number) {
		return p + " " + lift.Clip(c.N.Text)
	}
	return lift.Clip(c.Str())
}

// settingLabel is a setting as the name of an arm says it.
func settingLabel(s setting, c lift.Val) string {
	switch s.key {
	case evidence.KeyTP:
		return "TP" + c.N.Text
	case evidence.KeyDP:
		return "DP" + c.N.Text
	case evidence.KeyMTPDepth:
		return "MTP" + c.N.Text
	case evidence.KeySpecMethod, evidence.KeyQuantisation:
		if isText(c) && len(c.Str()) < 60 {
			return c.Str()
		}
	}
	return ""
}

// takeRow takes what a row says of its arm.
func (e *engine) takeRow(a *arm, v lift.Val) {
	served := false
	for name, c := range v.Members() {
		p := plain(name)
		if s, ok := settings[p]; ok && scalar(c.N) && !notInRow[s.key] && s.key != evidence.KeyServedContext {
			served = true
		}
		served = served || aliasNames[p] && isText(c)
	}
	served = served && !loaded(v)
	for name, c := range v.Members() {
		p := plain(name)
		if isAlias(p, c) {
			e.aliasFact(a, p, c)
			e.consumed[c.N] = true
			continue
		}
		if p == "evidence scope" || p == "scope" {
			e.scopeFact(a, c)
			e.consumed[c.N] = c.OK()
			continue
		}
		if counter(v, settings[p], c) {
			continue
		}
		if e.rowSetting(a, name, c, served) {
			e.consumed[c.N] = true
		}
	}
}

// loaded reports whether a row states a load and the times or rates under it: what it
// calls context is then the length of its prompts, not what its arm serves.
func loaded(v lift.Val) bool {
	load, figures := false, false
	for name, c := range v.Members() {
		if !c.Is(jsondoc.Number) {
			figures = figures || c.Is(jsondoc.Object) && timeOrRate(readName(name))
			continue
		}
		switch workload[plain(name)].key {
		case evidence.KeyRequests, evidence.KeyConcurrency, evidence.KeyCompleted:
			load = true
		}
		n := readName(name)
		figures = figures || n.metric != "" && timeOrRate(n)
	}
	return load && figures
}

// maxDraft is more tokens than any drafter proposes at once: above it "draft tokens" is a
// counter.
const maxDraft = 64

// counter reports whether a member of a block counts drafted tokens where the same name
// states the depth elsewhere.
func counter(block lift.Val, s setting, c lift.Val) bool {
	if s.key != evidence.KeyDraftDepth {
		return false
	}
	if n, err := evidence.ParseDecimal(c.N.Text); c.Is(jsondoc.Number) && err == nil && n > maxDraft {
		return true
	}
	for name, m := range block.Members() {
		if l := split(name); m.Is(jsondoc.Number) && l.has("accepted") && l.has("token", "tokens", "total", "draft") {
			return true
		}
	}
	return false
}

// aliasFact keeps the name by which a row calls its arm.
func (e *engine) aliasFact(a *arm, p string, c lift.Val) {
	e.Take(c)
	e.digits(c)
	a.own = a.own || c.Is(jsondoc.Number)
	put := func(k evidence.FactKey) {
		if factIn(a.facts, k) == nil {
			e.Fact(&a.facts, k, c)
			return
		}
		e.Notes = append(e.Notes, evidence.Note{Kind: evidence.Statement, Key: p, Text: lift.Clip(c.N.Text), Place: evidence.At(c.P)})
	}
	switch {
	case c.Is(jsondoc.Number):
		put(evidence.KeyCandidate)
	case (p == "model" || p == "checkpoint" || p == "candidate" || p == "id") && isRepository(c.Str()):
		if factIn(a.facts, evidence.KeyModel) == nil {
			e.model(&a.facts, c)
		}
	case p == "model" || p == "checkpoint":
		put(evidence.KeyCheckpoint)
	case p == "lane" || p == "placement":
		put(evidence.KeyLane)
	case p == "profile" || p == "config" || p == "configuration" || p == "recipe":
		put(evidence.KeyConfigID)
	default:
		put(evidence.KeyCandidate)
	}
}

// scopeFact reads whether a row was measured here. A word that is neither leaves it open.
func (e *engine) scopeFact(a *arm, c lift.Val) {
	if !isText(c) {
		e.foreign("evidence_scope", c)
		return
	}
	l := split(c.Str())
	outside := l.has("external", "community", "upstream", "vendor", "third", "published", "reported", "public", "source", "prior", "card")
	here := l.has("local", "locally", "measured", "managed", "direct", "own", "qualified")
	f := evidence.Fact{Key: evidence.KeyScope, State: evidence.Derived, Rule: "evidence-scope", Place: evidence.At(c.P), SourceText: lift.Clip(c.Str())}
	switch {
	case outside && !here:
		f.Value = "external"
	case here && !outside:
		f.Value = "local"
	default:
		f.Value, f.State = lift.Clip(c.Str()), evidence.Conflict
		e.Find(evidence.Warning, CodeIdentity, c, "whether this was measured here is not told: %q", lift.Clip(c.Str()))
	}
	e.say(evidence.Statement, "evidence_scope", c)
	replace(&a.facts, f)
}
