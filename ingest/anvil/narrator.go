package anvil

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// narrator attributes what sentences say about results to the arms of a narrative.
type narrator struct {
	*builder
	selected *arm
	singles  map[singleFigure]*run // runs that hold one observation
}

// singleFigure is one observation of an arm.
type singleFigure struct {
	arm    *arm
	metric evidence.MetricID
	value  float64
}

// headlines reads the headline sentences: claims, repeated figures, and results that
// stand nowhere else.
func (n *narrator) headlines() {
	list, p := n.get("headline_results")
	if list == nil {
		n.find(evidence.Warning, CodeMissing, p, nil, "there are no headline sentences")
		return
	}
	index := n.indexFigures()
	for i, node := range list.Children {
		q := p.Index(i)
		if !node.Is(jsondoc.String) {
			n.find(evidence.Warning, CodeNotNumber, q, node, "a sentence was expected, not "+kindName(node))
			continue
		}
		n.note(evidence.Headline, "", q, node.Text)
		if !sentence(node) {
			continue
		}
		taken := n.changes(q, node.Text)
		taken = append(taken, n.results(q, node.Text, "", evidence.At(q))...)
		n.restate(index, q, node.Text, taken...)
	}
}

// armsIn are the arms that a sentence speaks of: all of them, the selected one, or
// those whose labels stand in it.
func (n *narrator) armsIn(text string) []*arm {
	spans := wordSpans(text)
	has := func(words ...string) bool {
		for _, w := range words {
			if _, ok := spans[w]; ok {
				return true
			}
		}
		return false
	}
	if has("arm", "arms") && has("each", "both", "every", "all", "per") {
		return n.arms
	}
	if n.selected != nil && has("selected") && has("arm") {
		return []*arm{n.selected}
	}
	if a := n.pickArm(text, nil, func(*arm) bool { return true }); a != nil {
		return []*arm{a}
	}
	if len(n.arms) == 1 {
		return n.arms
	}
	return nil
}

func one(arms []*arm) *arm {
	if len(arms) == 1 {
		return arms[0]
	}
	return nil
}

// measured is the run of an arm that has a figure, in a state when the sentence names
// one.
func (n *narrator) measured(a *arm, c prose.Change) *run {
	if a == nil || c.Metric == "" || c.Stat == "" || !n.afford(len(a.measured)) {
		return nil
	}
	return only(a.measured, func(r *run) bool {
		return r.primary(c.Metric, c.Stat) != nil && (c.State == "" || r.state() == c.State)
	})
}

// changes lifts the claims of a sentence and the figures they were formed from, and
// gives the parts it took.
func (n *narrator) changes(p evidence.Pointer, text string) []prose.Span {
	var taken []prose.Span
	for _, c := range n.readChanges(p, text) {
		if c.Stat == "" {
			c.Stat, _ = totalOf(c.Metric)
		}
		if c.Unordered {
			taken = append(taken, n.sideBySide(c, p, text)...)
			continue
		}
		subject := n.subjectOf(c, text)
		control := n.controlOf(subject, c, text)
		own, base := n.measured(subject, c), n.measured(control, c)
		if own == nil {
			continue
		}
		if !c.Percent.Empty() {
			n.proseClaim(own, c, p, text)
			n.claims[len(n.claims)-1].control = base
			taken = append(taken, c.Percent)
		}
		if !c.To.Empty() {
			n.restateOn(own, own.primary(c.Metric, c.Stat), c.To, c.Unit, p, text)
			taken = append(taken, c.To)
		}
		if base != nil && !c.From.Empty() {
			n.restateOn(base, base.primary(c.Metric, c.Stat), c.From, c.Unit, p, text)
			taken = append(taken, c.From)
		}
	}
	return taken
}

// subjectOf is the arm that a change speaks of: the one named before the verb, or in
// front of the control, or the only arm that is not the control.
func (n *narrator) subjectOf(c prose.Change, text string) *arm {
	if a := one(n.armsIn(c.Subject.Text(text))); a != nil {
		return a
	}
	if c.Control.Empty() {
		return one(n.armsIn(text))
	}
	if a := one(n.armsIn(text[:c.Control.Start])); a != nil {
		return a
	}
	control := n.pickArm(c.Control.Text(text), nil, func(*arm) bool { return true })
	if control == nil || len(n.arms) != 2 {
		return nil
	}
	if n.arms[0] == control {
		return n.arms[1]
	}
	return n.arms[0]
}

// controlOf is the arm that a change is against: the one that the sentence names, or
// the only other arm.
func (n *narrator) controlOf(subject *arm, c prose.Change, text string) *arm {
	if subject == nil {
		return nil
	}
	if !c.Control.Empty() {
		if a := n.pickArm(c.Control.Text(text), subject, func(*arm) bool { return true }); a != nil {
			return a
		}
	}
	if len(n.arms) != 2 {
		return nil
	}
	if n.arms[0] == subject {
		return n.arms[1]
	}
	return n.arms[0]
}

// sideBySide attributes "41.6 versus 99.9": each figure goes to the one run whose own
// figure it is a rounding of.
func (n *narrator) sideBySide(c prose.Change, p evidence.Pointer, text string) []prose.Span {
	var taken []prose.Span
	for _, digits := range []prose.Span{c.From, c.To} {
		v, ok := readRounded(digits.Text(text), c.Unit)
		if !ok {
			continue
		}
		var found []*run
		for _, a := range n.arms {
			if r := n.measured(a, c); r != nil && v.of(r.primary(c.Metric, c.Stat).Value.V) {
				found = append(found, r)
			}
		}
		if len(found) == 1 {
			n.restateOn(found[0], found[0].primary(c.Metric, c.Stat), digits, c.Unit, p, text)
			taken = append(taken, digits)
		} else {
			n.find(evidence.Info, CodeUnattributed, p, nil, digits.Text(text)+" "+c.Unit+" is the figure of no arm or of several")
		}
	}
	return taken
}

// notes goes through limitations, failures and decision for repeated figures, and for
// the nominal target of a prompt whose actual length is known.
func (n *narrator) notes() {
	index := n.indexFigures()
	for _, note := range n.doc.Notes {
		switch note.Kind {
		case evidence.Limitation, evidence.Failure, evidence.Caveat:
			p := note.Place.Pointer
			n.restate(index, p, note.Text, n.promptLengths(p, note.Text)...)
		}
	}
	for _, d := range n.doc.Decisions {
		if d.Kind == evidence.DecisionField && d.Place.Whole() {
			n.restate(index, d.Place.Pointer, d.Value)
		}
	}
}

// promptLengths repeats an actual prompt length on the one run that has it, and gives
// that run the nominal target that the sentence names beside it.
func (n *narrator) promptLengths(p evidence.Pointer, text string) []prose.Span {
	if len(text) > prose.MaxSentence {
		return nil
	}
	var taken []prose.Span
	var target *run
	found := prose.Results(text)
	for _, x := range found {
		if x.Kind != prose.PromptLength {
			continue
		}
		m, ok := n.single(x, p, text)
		var runs []*run
		for _, a := range n.arms {
			if r := n.singles[singleFigure{a, m.Metric, m.Value.V}]; ok && r != nil {
				runs = append(runs, r)
			}
		}
		if len(runs) == 1 {
			target = runs[0]
			n.restateOn(target, target.primary(m.Metric, m.Stat), x.Digits, x.Unit, p, text)
			taken = append(taken, x.Digits)
		}
	}
	for _, x := range found {
		if v := strings.ReplaceAll(x.Digits.Text(text), ",", ""); x.Kind == prose.NominalLength && target != nil {
			n.put(&target.Facts, evidence.Fact{Key: evidence.KeyContextTarget, Value: v, State: evidence.Derived, Rule: ruleResult,
				Place: evidence.InText(p, x.Digits.Start, x.Digits.End), SourceText: x.Digits.Text(text)})
			taken = append(taken, x.Digits)
		}
	}
	return taken
}
