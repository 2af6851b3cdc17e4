package summary

import (
	"fmt"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// pending is a published change whose two figures are looked up when all runs are there.
type pending struct {
	scope   *scope
	key     string
	metric  evidence.MetricID
	stat    evidence.Stat
	sign    int
	words   []string // of the control, behind "vs"
	subject []string
	v       lift.Val
}

// claim notes a change such as decode_delta_percent of the block's own run.
func (e *engine) claim(sc *scope, n name, key string, v lift.Val) {
	p := pending{scope: sc, key: key, metric: n.metric, stat: n.stat, sign: n.change, v: v}
	for i, w := range n.rest {
		if w == "vs" || w == "versus" || w == "over" || w == "against" {
			p.words = n.rest[i+1:]
		}
	}
	if _, ok := evidence.LookupMetric(p.metric); !ok || dimension(n.unit) != evidence.Ratio {
		e.aside(sc, key, v, evidence.ReasonRecomputed)
		return
	}
	e.claims = append(e.claims, p)
}

// changeBlock reads a block of changes: "nvfp4_delta_percent": {"ttft": -22.6}.
func (e *engine) changeBlock(sc *scope, key string, v lift.Val) bool {
	n := readName(key)
	if n.change == 0 || dimension(n.unit) != evidence.Ratio {
		return false
	}
	words := n.rest
	for i, w := range words {
		if w == "vs" || w == "versus" || w == "over" || w == "against" {
			words = words[:i]
			break
		}
	}
	for member, c := range v.Members() {
		m := readName(member)
		if !c.Is(jsondoc.Number) || m.metric == "" {
			e.aside(sc, key+"."+member, c, evidence.ReasonRecomputed)
			continue
		}
		p := pending{scope: sc, key: key + "." + member, metric: m.metric, stat: m.stat, sign: n.change, v: c}
		p.subject = words
		for i, w := range n.rest {
			if w == "vs" || w == "versus" || w == "over" || w == "against" {
				p.words = n.rest[i+1:]
			}
		}
		e.claims = append(e.claims, p)
	}
	return true
}

// signOf is the direction of a published change: a reduction goes down, an improvement of
// a latency does too, and a regression of a rate.
func (p *pending) signOf() float64 {
	l := split(p.key)
	better, worse := l.has("improvement", "speedup"), l.has("regression")
	info, _ := evidence.LookupMetric(p.metric)
	if better && info.Better == evidence.Lower || worse && info.Better == evidence.Higher {
		return -1
	}
	return float64(p.sign)
}

// settleClaims puts every claim on the run it speaks of.
func (e *engine) settleClaims() {
	for _, p := range e.claims {
		own, group := e.subject(p)
		if own == nil {
			e.Find(evidence.Info, CodeUnattributed, p.v, "%s: whose change this is stays open", lift.Clip(p.key))
			e.aside(p.scope, p.key, p.v, evidence.ReasonRecomputed)
			continue
		}
		f, ok := e.Number(p.v, "percent")
		if !ok {
			e.foreign(join(p.scope, p.key), p.v)
			continue
		}
		figure := figureOf(own, p.metric, p.stat)
		m := evidence.Measurement{Metric: evidence.ClaimedChange, Stat: evidence.Total, Unit: evidence.Ratio, Value: evidence.Some(f.V * p.signOf()),
			State: evidence.Recorded, Role: evidence.Claim, Rule: "change", SourceText: f.Text, SourceUnit: "percent", Place: evidence.At(p.v.P)}
		if p.signOf() < 0 {
			m.State = evidence.Derived
		}
		if figure != nil {
			m.Stat = figure.Stat
			m.Rule = fmt.Sprintf("change(%s %s)", p.metric, figure.Stat)
			if base := e.control(p, own, group, figure.Stat); base != nil {
				m.Also = []evidence.Place{base.Place, figure.Place}
			} else {
				e.Find(evidence.Info, CodeUnattributed, p.v, "%s: against which figure is not told", lift.Clip(p.key))
			}
		} else {
			m.Rule = fmt.Sprintf("change(%s)", p.metric)
		}
		own.Measurements = append(own.Measurements, m)
	}
}

// subject is the run that a claim speaks of, and those beside it.
func (e *engine) subject(p pending) (*lift.Run, []*lift.Run) {
	if len(p.subject) == 0 && len(p.scope.order) > 0 {
		for _, r := range p.scope.order {
			if figureOf(r, p.metric, p.stat) != nil {
				return r, e.groups[p.scope.group]
			}
		}
		return nil, nil
	}
	group := e.groups[p.scope.at.P]
	if len(group) > maxGroup {
		return nil, nil
	}
	var found *lift.Run
	for _, r := range group {
		have, all := e.wordsOf(e.armOf[r]), len(p.subject) > 0
		for _, w := range p.subject {
			all = all && have[w]
		}
		if !all || figureOf(r, p.metric, p.stat) == nil {
			continue
		}
		if found != nil {
			return nil, nil
		}
		found = r
	}
	return found, group
}

// figureOf is a run's own figure of a metric, of the one statistic that it has where none
// is asked for.
func figureOf(r *lift.Run, m evidence.MetricID, s evidence.Stat) *evidence.Measurement {
	if s != "" {
		return r.Primary(m, s)
	}
	var found *evidence.Measurement
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Metric != m || x.Role != evidence.Primary {
			continue
		}
		if found != nil {
			return nil
		}
		found = x
	}
	return found
}

// control is the figure that a change is against: of the arm that is named, of the same
// checkpoint without speculation, or of the only other arm.
func (e *engine) control(p pending, own *lift.Run, group []*lift.Run, s evidence.Stat) *evidence.Measurement {
	if len(group) > maxGroup {
		return nil
	}
	var others, named, plainArms []*lift.Run
	mine := e.armOf[own]
	for _, r := range group {
		a := e.armOf[r]
		if r == own || a == mine || r.Primary(p.metric, s) == nil || r.Class != own.Class {
			continue
		}
		others = append(others, r)
		have, all := e.wordsOf(a), len(p.words) > 0
		for _, w := range p.words {
			all = all && (have[w] || valueIn(a.facts, evidence.KeySpecMethod) == specNone && offWords[strings.Join(p.words, " ")])
		}
		if all {
			named = append(named, r)
		}
		if valueIn(a.facts, evidence.KeySpecMethod) == specNone && valueIn(mine.facts, evidence.KeySpecMethod) != specNone && sameModel(a, mine) {
			plainArms = append(plainArms, r)
		}
	}
	for _, list := range [][]*lift.Run{named, plainArms, others} {
		if len(list) == 1 {
			return list[0].Primary(p.metric, s)
		}
		if len(list) > 1 {
			return nil
		}
	}
	return nil
}

func sameModel(a, b *arm) bool {
	for _, k := range []evidence.FactKey{evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyCheckpoint, evidence.KeyTP} {
		if valueIn(a.facts, k) != valueIn(b.facts, k) {
			return false
		}
	}
	return true
}
