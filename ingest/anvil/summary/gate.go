package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// gates reads a block or list of checks.
func (e *engine) gates(sc *scope, key string, v lift.Val) {
	sc.mode = inGates
	e.hints(sc, key)
	if sc.class == "" {
		sc.class = evidence.ClassFunctional
	}
	switch {
	case v.Is(jsondoc.Object):
		sc.arm = e.armFor(sc, key, v)
		e.rowShape(sc, v)
		for name, c := range v.Members() {
			e.gateMember(sc, name, c)
		}
		e.close(sc)
	case v.Is(jsondoc.Array):
		for _, c := range v.Items() {
			if c.Is(jsondoc.Object) {
				e.gateRow(sc, c)
			} else {
				e.notes(evidence.Statement, join(sc, ""), c)
			}
		}
	default:
		up := *sc
		up.path = sc.path[:max(0, len(sc.path)-1)]
		if isText(v) {
			e.text(&up, key, v)
		} else {
			e.member(&up, key, v)
		}
	}
}

func (e *engine) gateMember(sc *scope, name string, c lift.Val) {
	if e.consumed[c.N] {
		return
	}
	switch {
	case c.Is(jsondoc.Object):
		if e.stats(sc, name, c) || e.changeBlock(sc, name, c) {
			return
		}
		if k, ok := noteSlot(name, c); ok {
			e.slot(k, sc, join(sc, name), c)
			return
		}
		e.gates(sc.under(name, c), name, c)
	case c.Is(jsondoc.Array) && hasObject(c):
		e.gates(sc.under(name, c), name, c)
	default:
		e.member(sc, name, c)
	}
}

func hasObject(v lift.Val) bool {
	for _, c := range v.Items() {
		if c.Is(jsondoc.Object) {
			return true
		}
	}
	return false
}

// gateRow reads {"id": ..., "status": ..., "result": ...}: the result may be a sentence or
// a block of figures.
func (e *engine) gateRow(sc *scope, v lift.Val) {
	c := sc.under("gate", v)
	g := e.gateHead(c, v)
	if g.SourceStatus == "" {
		e.Find(evidence.Warning, lift.CodeMissing, v, "a gate without a status")
	}
	if g.Name == "" {
		e.Find(evidence.Warning, lift.CodeMissing, v, "a gate without a name")
	}
	e.Gates = append(e.Gates, g)
	e.rowShape(c, v)
	for name, m := range v.Members() {
		switch {
		case e.consumed[m.N]:
		case m.Is(jsondoc.Object):
			e.gateResult(c, name, m, v)
		default:
			e.gateMember(c, name, m)
		}
	}
	c.status = lift.Val{}
	e.close(c)
}

// gateHead reads name, status and sentence of a gate.
func (e *engine) gateHead(c *scope, v lift.Val) evidence.Gate {
	g := evidence.Gate{Place: evidence.At(v.P), Evidence: lift.Clip(v.Get("evidence").Str())}
	for name, m := range v.Members() {
		p := plain(name)
		taken := true
		switch {
		case gateNames[p] && isText(m) && g.Name == "":
			g.Name = lift.Clip(m.Str())
			c.path[len(c.path)-1] = g.Name
			e.hints(c, m.Str())
		case p == "status" && isText(m):
			g.SourceStatus, c.status = lift.Clip(m.Str()), m
		case p == "exit code" && m.Is(jsondoc.Number) && !v.Get("status").OK():
			g.SourceStatus, g.Status = "exit code "+lift.Clip(m.N.Text), evidence.GateFailed
			if m.N.Text == "0" {
				g.Status = evidence.GatePassed
			}
			e.Skip(m, evidence.ReasonIdentifier)
		case detailNames[p] && isText(m) && g.Detail == "":
			g.Detail = boundText(m.Str())
			e.rates(c.arm, c, m)
		default:
			taken = false
		}
		if taken {
			e.Take(m)
			e.consumed[m.N] = true
		}
	}
	if g.Status == "" {
		g.Status = evidence.ReadGateStatus(g.SourceStatus)
	}
	return g
}

var gateNames, detailNames = set("id name gate check command"), set("result detail summary finding")

// gateResult reads the block of a gate's result, which has the gate's status.
func (e *engine) gateResult(c *scope, name string, m, row lift.Val) {
	inner := c.under(name, m)
	e.hints(inner, name)
	e.rowShape(inner, m)
	if !inner.status.OK() {
		inner.status = c.status
	}
	e.single(inner, row)
	for key, x := range m.Members() {
		e.gateMember(inner, key, x)
	}
	if len(inner.order) == 0 { // a gate's status is none of a block without figures
		inner.status = lift.Val{}
	}
	e.close(inner)
}

// single reads from the sentences beside a result that it is one request.
func (e *engine) single(c *scope, row lift.Val) {
	for _, m := range row.Members() {
		if !isText(m) {
			continue
		}
		l := split(cutText(m.Str())[:min(len(m.Str()), 190)])
		for i, w := range l.words {
			if w == "single" && i+1 < len(l.words) && l.words[i+1] == "request" && !c.n.OK {
				c.n = evidence.Some[int64](1)
				e.Derive(&c.shape, evidence.KeyRequests, "1", "prose/single", m)
			}
		}
	}
}

// gate reads one check that is a word or a sentence.
func (e *engine) gate(sc *scope, key string, v lift.Val) {
	text := v.Str()
	e.Take(v)
	word := strings.TrimSpace(text)
	g := evidence.Gate{Name: lift.Clip(join(sc, key)), Status: evidence.ReadGateStatus(strings.ToLower(word)), Place: evidence.At(v.P), Detail: gateDetail(sc)}
	if len(word) <= 60 {
		g.SourceStatus = word
	} else {
		g.Detail = boundText(text)
	}
	e.Gates = append(e.Gates, g)
	e.rates(sc.arm, sc, v)
}

// gateDetail says whose check it is.
func gateDetail(sc *scope) string {
	if sc.arm == nil || sc.arm.parent == nil && sc.arm.at.P == "" {
		return ""
	}
	return sc.arm.name
}

// flag reads a flag of a block: a check when its name says what true means.
func (e *engine) flag(sc *scope, key string, v lift.Val) {
	l := split(key)
	e.Take(v)
	if l.has("promotion", "promoted") {
		e.decision(join(sc, key), v)
		return
	}
	g := evidence.Gate{Name: lift.Clip(join(sc, key)), SourceStatus: v.N.Text, Status: evidence.GateUnresolved, Detail: gateDetail(sc), Place: evidence.At(v.P)}
	if len(l.words) > 0 {
		switch last := l.words[len(l.words)-1]; last {
		case "passed", "pass", "ok", "valid", "match", "matched", "verified", "resolved":
			g.Status = evidence.GateFailed
			if v.N.Text == "true" {
				g.Status = evidence.GatePassed
			}
		}
	}
	e.Gates = append(e.Gates, g)
}

// counted is a count of a block that is no figure by itself.
type counted struct {
	key string
	v   lift.Val
}

var passedCounts = set("passed resolved succeeded")

// isCount reports whether a member counts what passed or failed.
func isCount(l *list) bool {
	if len(l.words) > 2 {
		return false
	}
	return l.anyOf(passedCounts) || l.has("failed", "failures", "attempted", "total", "drafted", "accepted")
}

// counts makes a pass rate of "passed" and "attempts" where the block gives none, and holds
// the one that it gives against them.
func (e *engine) counts(c *scope) {
	var passed lift.Val
	for _, x := range c.counted {
		if p := plain(x.key); passedCounts[p] && !passed.OK() {
			passed = x.v
		} else {
			e.aside(c, x.key, x.v, evidence.ReasonDetail)
		}
	}
	if !passed.OK() {
		return
	}
	n, ok := e.PeekInt(passed)
	attempts := factIn(c.shape, evidence.KeyRequests)
	if !ok || attempts == nil || !c.n.OK || c.n.V == 0 {
		e.aside(c, "passed", passed, evidence.ReasonDetail)
		return
	}
	if n > c.n.V {
		e.Find(evidence.Warning, lift.CodeCount, passed, "%d passed of %d", n, c.n.V)
		e.aside(c, "passed", passed, evidence.ReasonDetail)
		return
	}
	rate := float64(n) / float64(c.n.V)
	for _, r := range c.order {
		if m := r.Primary(evidence.PassRate, evidence.Total); m != nil {
			e.Agree(m, rate, "passed by attempts", 1e-6, lift.Slack(m), passed.P)
			e.Count(&r.Facts, evidence.KeyPassed, passed)
			return
		}
	}
	nm := name{metric: evidence.PassRate, unit: "ratio"}
	r := e.runFor(c, &nm, passed, evidence.PassRate)
	if key := c.path[max(0, len(c.path)-1):]; len(key) == 1 && plain(key[0]) != "" && factIn(r.Facts, evidence.KeySuite) == nil && factIn(r.Facts, evidence.KeySlice) == nil {
		r.Facts = append(r.Facts, evidence.Fact{Key: evidence.KeySuite, Value: lift.Clip(plain(key[0])), State: evidence.Derived, Rule: ruleName, Place: r.Place, SourceText: lift.Clip(key[0])})
	}
	e.Count(&r.Facts, evidence.KeyPassed, passed)
	r.Measurements = append(r.Measurements, evidence.Measurement{Metric: evidence.PassRate, Stat: evidence.Total, Unit: evidence.Ratio, Value: evidence.Some(rate),
		N: c.n, State: evidence.Derived, Role: evidence.Primary, Rule: ruleShare, SourceText: passed.N.Text + "/" + attempts.SourceText, SourceUnit: "ratio",
		Place: evidence.At(passed.P), Also: []evidence.Place{attempts.Place}})
}
