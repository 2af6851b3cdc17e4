package anvil

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// gateRuns lifts the pass rates and single results of gates. A gate about the capacity
// runs tells how many of their requests completed; any other gives each arm that it
// speaks of a functional run.
func (n *narrator) gateRuns() {
	if len(n.arms) > maxPicked {
		return
	}
	index := n.indexFigures()
	for _, g := range n.doc.Gates {
		if g.Detail == "" || len(g.Detail) > prose.MaxSentence || len(g.Name) > prose.MaxSentence {
			continue
		}
		p := g.Place.Pointer.Key("detail")
		fractions := n.fractions(g)
		n.passes(g, fractions, p)
		taken := n.results(p, g.Detail, g.Name, g.Place)
		for _, x := range fractions {
			taken = append(taken, x.Digits)
		}
		n.restate(index, p, g.Detail, taken...)
	}
}

// maxPasses bounds the pass rates that one gate may give.
const maxPasses = 256

// fractions are the shares in a gate's detail.
func (n *narrator) fractions(g evidence.Gate) []prose.Result {
	var out []prose.Result
	for _, x := range prose.Results(g.Detail) {
		if x.Kind == prose.Fraction {
			out = append(out, x)
		}
	}
	return out
}

// passes lifts the fractions that are pass rates of arms beyond doubt.
func (n *narrator) passes(g evidence.Gate, fractions []prose.Result, p evidence.Pointer) {
	if len(fractions)*len(n.arms) > maxPasses {
		n.find(evidence.Info, CodeUnparsed, p, nil, fmt.Sprintf("%d fractions about %d arms: nothing is taken from them", len(fractions), len(n.arms)))
		return
	}
	if len(fractions) == 0 {
		return
	}
	d := n.readDetail(g)
	counts := countsCapacity(g)
	for _, x := range fractions {
		arms := d.armsOf(x)
		switch {
		case x.Bound != prose.Exact || x.Unreal:
			n.inexact(p, nil, x.Digits.Text(g.Detail))
			continue
		case len(arms) == 0 || !n.isPassRate(g, d, x):
			n.unclear(p, x.Digits.Text(g.Detail))
			continue
		}
		states, ok := d.statesOf(x, len(fractions) > 1)
		if counts && ok && len(states) > 0 && !anyRun(arms, x.Den, states) {
			n.unclear(p, x.Digits.Text(g.Detail)) // it counts runs that are not there
			continue
		}
		for _, a := range arms {
			n.pass(a, g, x, p, passContext{many: len(fractions) > 1, capacity: counts && ok, states: states})
		}
	}
}

// passContext is what a gate says beside its fractions.
type passContext struct {
	many     bool     // several fractions
	capacity bool     // they count the requests of the runs with statistics
	states   []string // of these runs; none for all of them
}

// pass puts a pass rate on an arm.
func (n *narrator) pass(a *arm, g evidence.Gate, x prose.Result, p evidence.Pointer, c passContext) {
	m := evidence.Measurement{Metric: evidence.PassRate, Stat: evidence.Total, Value: evidence.Some(ratio(x.Num, x.Den)), Unit: evidence.Ratio,
		N: evidence.Some(x.Den), State: evidence.Derived, Role: evidence.Primary, Rule: "prose/fraction",
		SourceText: x.Digits.Text(g.Detail), SourceUnit: "ratio", Place: evidence.InText(p, x.Digits.Start, x.Digits.End)}
	if runs := a.capacityRuns(x.Den, c.states); c.capacity && len(runs) > 0 && n.afford(len(a.measured)) {
		for _, r := range runs {
			if r.primary(m.Metric, m.Stat) == nil {
				n.put(&r.Facts, count(m, evidence.KeyCompleted, x.Num))
				r.Measurements = append(r.Measurements, m)
			}
		}
		return
	}
	name, place := g.Name, g.Place
	if c.many {
		place = m.Place
		if !x.What.Empty() {
			name += ": " + x.What.Text(g.Detail)
			place.Start = x.What.Start
		}
	}
	class := evidence.ClassFunctional
	if strings.Contains(strings.ToLower(g.Name), "quality") {
		class = evidence.ClassQuality
	}
	r := a.newRun(name, class, place)
	r.Facts = append(r.Facts, count(m, evidence.KeyRequests, x.Den), count(m, evidence.KeyPassed, x.Num))
	n.burst(r, g)
	r.Measurements = append(r.Measurements, m)
}

// count is a whole number of the fraction at a measurement's place, as a fact.
func count(m evidence.Measurement, k evidence.FactKey, v int64) evidence.Fact {
	return evidence.Fact{Key: k, Value: strconv.FormatInt(v, 10), State: evidence.Derived, Rule: m.Rule, Place: m.Place, SourceText: m.SourceText}
}

// countsCapacity reports whether a gate counts the requests of the runs with
// statistics: it says so in its name, or it speaks of their states.
func countsCapacity(g evidence.Gate) bool {
	spans := wordSpans(g.Detail)
	_, first := spans["first"]
	_, repeat := spans["repeat"]
	return strings.Contains(strings.ToLower(g.Name), "capacity") || first && repeat
}

// capacityRuns are the runs with statistics that have so many requests, in the states
// that are named.
func (a *arm) capacityRuns(requests int64, states []string) []*run {
	var out []*run
	for _, r := range a.measured {
		if r.Class == evidence.ClassShort || r.Class == evidence.ClassAggregate {
			if n := r.observations(); n.OK && n.V == requests && (len(states) == 0 || slices.Contains(states, r.state())) {
				out = append(out, r)
			}
		}
	}
	return out
}

// burst reads the load that the name of a gate states: "20-way shared-prefix burst".
func (n *narrator) burst(r *run, g evidence.Gate) {
	p := g.Place.Pointer.Key("name")
	tokens := prose.Lex(g.Name)
	for i, t := range tokens {
		if t.Kind != prose.Figure || i+2 >= len(tokens) || tokens[i+1].Text(g.Name) != "-" || tokens[i+2].Text(g.Name) != "way" {
			continue
		}
		if v, ok := t.Count(g.Name); ok {
			n.put(&r.Facts, evidence.Fact{Key: evidence.KeyConcurrency, Value: strconv.FormatInt(v, 10), State: evidence.Derived, Rule: prose.RuleShape,
				Place: evidence.InText(p, t.Start, tokens[i+2].End), SourceText: g.Name[t.Start:tokens[i+2].End]})
		}
	}
	if at, ok := wordSpans(g.Name)["shared-prefix"]; ok {
		n.put(&r.Facts, evidence.Fact{Key: evidence.KeyPromptBurst, Value: "true", State: evidence.Derived, Rule: prose.RuleShape,
			Place: evidence.InText(p, at.Start, at.End), SourceText: at.Text(g.Name)})
	}
}
