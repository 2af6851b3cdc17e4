package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// armFigures reads the figures of a block or list whose arms are entered.
func (e *engine) armFigures(sc *scope, name string, v lift.Val) {
	c := sc.under(name, v)
	e.section(c, name)
	switch {
	case v.Is(jsondoc.Object):
		for key, b := range v.Members() {
			switch {
			case e.consumed[b.N]:
			case b.Is(jsondoc.Object):
				e.block(c, key, b)
			default:
				e.member(c, key, b)
			}
		}
	default:
		e.list(c, name, v)
	}
}

// section gives a top-level section the statements that speak of it.
func (e *engine) section(sc *scope, name string) {
	for _, s := range e.statementsFor(name) {
		inherit(&sc.shape, s.facts)
	}
	sc.matched(name, sc.at)
}

// member reads one member of a block of figures.
func (e *engine) member(sc *scope, name string, v lift.Val) {
	if e.consumed[v.N] {
		return
	}
	top := len(sc.path) == 0
	switch {
	case v.Is(jsondoc.Null):
		e.nullMember(sc, name, v)
	case v.Is(jsondoc.Object):
		if k, ok := noteSlot(name, v); ok {
			e.slot(k, sc, join(sc, name), v)
			return
		}
		if slotOf(name, v) == slotGates && sc.mode != inGates {
			e.gates(sc.under(name, v), name, v)
			return
		}
		e.block(sc, name, v)
	case v.Is(jsondoc.Array):
		if k, ok := noteSlot(name, v); ok {
			e.slot(k, sc, join(sc, name), v)
			return
		}
		if !hasObject(v) {
			e.values(sc, name, v)
			return
		}
		c := sc.under(name, v)
		if top {
			e.section(c, name)
		}
		e.hints(c, name)
		e.list(c, name, v)
	case v.Is(jsondoc.Number), v.Is(jsondoc.NotFinite):
		e.number(sc, name, v)
	case v.Is(jsondoc.Bool):
		e.flag(sc, name, v)
	default:
		e.text(sc, name, v)
	}
}

func join(sc *scope, name string) string {
	if sc == nil || len(sc.path) == 0 {
		return name
	}
	return strings.Join(sc.path, ".") + "." + name
}

// nullMember keeps the slot of a figure that was left empty.
func (e *engine) nullMember(sc *scope, name string, v lift.Val) {
	n := readName(name)
	if n.metric != "" && len(n.rest) == 0 && !n.foreign && evidenceMetric(n.metric) {
		e.liftFigure(sc, name, n, v)
		return
	}
	e.Find(evidence.Info, lift.CodeNull, v, "%s is null: not recorded", lift.Clip(name))
	e.Take(v)
}

func evidenceMetric(m evidence.MetricID) bool {
	_, ok := evidence.LookupMetric(m)
	return ok
}

// block reads an object of figures: whose it is, under which shape, then its members.
func (e *engine) block(sc *scope, name string, v lift.Val) {
	if e.stats(sc, name, v) || e.changeBlock(sc, name, v) {
		return
	}
	c := sc.under(name, v)
	if len(sc.path) == 0 {
		e.section(c, name)
	}
	class := c.class
	e.hints(c, name)
	c.matched(name, v)
	c.arm = e.armFor(sc, name, v)
	if e.armAt[v.N] != nil {
		c.class = class // the name of an arm says nothing of a workload
	} else {
		e.ownRow(c, v)
	}
	e.siblings(c, v)
	e.rowShape(c, v)
	for key, m := range v.Members() {
		e.member(c, key, m)
	}
	e.close(c)
}

// siblings enters blocks that stand side by side under names of their own and give the same
// rates or times: each is an arm.
func (e *engine) siblings(c *scope, v lift.Val) {
	seen := map[string]int{}
	var blocks []lift.Val
	var keys []string
	for key, b := range v.Members() {
		n := readName(key)
		if !b.Is(jsondoc.Object) || isNumber(key) || len(n.rest) == 0 || n.metric != "" || n.change != 0 || classOf(split(key)) != "" || e.armAt[b.N] != nil ||
			e.find(key) != nil || namesArm(key) || len(blocks) >= maxNamed {
			continue
		}
		if k, ok := noteSlot(key, b); ok || k != slotFigures {
			continue
		}
		blocks, keys = append(blocks, b), append(keys, key)
		for member, m := range b.Members() {
			if mn := readName(member); m.Is(jsondoc.Number) && mn.metric != "" && len(mn.rest) == 0 && timeOrRate(mn) {
				seen[member]++
			}
		}
	}
	for i, b := range blocks {
		for member := range b.Members() {
			if seen[member] < 2 {
				continue
			}
			a := e.newArm(keys[i], c.arm, b)
			a.parent = nil
			a.facts = append(a.facts, evidence.Fact{Key: evidence.KeyCandidate, Value: lift.Clip(keys[i]), State: evidence.Derived, Rule: ruleName, Place: evidence.At(b.P), SourceText: lift.Clip(keys[i])})
			e.register(a, keys[i])
			e.armAt[b.N] = a
			break
		}
	}
}

// ownRow takes the arm that a block itself names.
func (e *engine) ownRow(c *scope, v lift.Val) {
	if a := e.rowArm(v, nil); a != nil {
		c.arm = a
		e.armAt[v.N] = a
	}
}

// list reads rows.
func (e *engine) list(sc *scope, name string, v lift.Val) {
	if !hasObject(v) {
		e.values(sc, name, v)
		return
	}
	for i, c := range v.Items() {
		if !c.Is(jsondoc.Object) {
			e.foreign(join(sc, ""), c)
			continue
		}
		e.row(sc, i, c)
	}
}

func (e *engine) row(sc *scope, i int, v lift.Val) {
	c := sc.under("row "+prose.FormatCount(int64(i)), v)
	for _, k := range []string{"id", "name", "candidate", "role", "capability", "model"} {
		if s := v.Get(k).Str(); s != "" && len(s) < 80 {
			c.path[len(c.path)-1] = s
			break
		}
	}
	if a := e.armAt[v.N]; a != nil {
		c.arm, c.ofArm = a, true
	} else if a := e.rowArm(v, nil); a != nil {
		c.arm = a
		e.armAt[v.N] = a
	}
	for _, k := range []string{"id", "name", "gate", "check"} {
		if s := v.Get(k); isText(s) {
			e.hints(c, s.Str())
		}
	}
	e.rowShape(c, v)
	for key, m := range v.Members() {
		e.member(c, key, m)
	}
	e.close(c)
}

// close ends a block: the length of its prompts goes on its run, its status on all its
// runs.
func (e *engine) close(c *scope) {
	if c.prompt.OK() && len(c.variants) > 0 {
		if r := c.variants[variantNone]; r != nil {
			w := lift.Want{Metric: evidence.PromptTokens, Stat: evidence.Single, Unit: "tokens"}
			if c.n.OK && c.n.V > 1 {
				w.Stat = evidence.P50 // the length that the row gives for all its requests
				w.N = c.n
			} else {
				e.Lift(r, c.prompt, w)
			}
		}
	}
	e.counts(c)
	e.acceptance(c)
	for _, r := range c.order {
		e.statusOf(c, r)
		e.check(c, r)
	}
	if c.status.OK() && len(c.order) == 0 {
		if isRejected(c.status.Str()) && c.arm != e.self {
			c.arm.reject = c.status
		}
	}
}

func isRejected(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "rejected") || strings.HasPrefix(s, "disqualified")
}

// variantNone is the run of a block that no figure's name tells apart.
var variantNone = (&name{}).variant()

// statusOf reads how the runs of a block ended.
func (e *engine) statusOf(c *scope, r *lift.Run) {
	if !c.status.OK() {
		return
	}
	if c.status.Is(jsondoc.Null) {
		return
	}
	e.Words(&r.Facts, evidence.KeyRunStatus, c.status)
	l := split(c.status.Str())
	first := ""
	if len(l.words) > 0 {
		first = l.words[0]
	}
	switch {
	case passWords[first] && !l.has("not", "no", "caveat", "failed", "partial", "harness"):
	case evidence.ReadGateStatus(c.status.Str()) == evidence.GateFailed, first == "failed", first == "rejected", first == "crashed", first == "timeout", first == "oom":
		r.Status = evidence.RunFailed
	case evidence.ReadGateStatus(c.status.Str()) == evidence.GateMissing, first == "skipped", first == "blocked", l.has("not"):
		r.Status = evidence.NotRun
		e.notRun(c, r)
	case c.ofArm: // a word about the candidate
	default:
		r.Status = evidence.RunUnresolved
		e.Find(evidence.Warning, CodeStatus, c.status, "%q is no run status that we know: the run is kept and never compared", lift.Clip(c.status.Str()))
	}
}

// notRun: a figure of what was not run stands for nothing.
func (e *engine) notRun(c *scope, r *lift.Run) {
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if m.Role != evidence.Primary || !m.Value.OK {
			continue
		}
		e.Find(evidence.Warning, lift.CodeNotRun, lift.Val{P: m.Place.Pointer}, "%s is given, and %s says %q: it stands for nothing", lift.Clip(m.SourceText), c.status.P, lift.Clip(c.status.Str()))
		if m.Value.V == 0 {
			lift.Void(m, lift.RuleFalseZero)
		} else {
			m.State = evidence.Conflict
		}
	}
}

var passWords = set("passed pass ok complete completed measured success succeeded healthy qualified started ready")
