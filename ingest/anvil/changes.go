package anvil

import (
	"assay/ingest/prose"
	"assay/store/evidence"
)

// changes lifts the claims of a sentence and the figures they were formed from, and
// gives the parts that nothing else may take.
func (n *narrator) changes(p evidence.Pointer, text string) []prose.Span {
	changes, taken := n.readChanges(p, text)
	for i, c := range changes {
		if c.Stat == "" {
			c.Stat, _ = totalOf(c.Metric)
		}
		if c.Unordered {
			taken = append(taken, n.sideBySide(c, p, text)...)
			continue
		}
		subject := n.subjectOf(c, text)
		control := n.controlOf(subject, c, text)
		if subject != nil || subjectWords(c, text) != "" || !c.Control.Empty() {
			taken = append(taken, c.From, c.To) // whose they are the sentence says, or nobody knows
		}
		own, base := n.measured(subject, c), n.measured(control, c)
		if own == nil || twice(changes, i) {
			n.unclaimed(c, p, text)
			continue
		}
		n.change(own, base, c, p, text)
		taken = append(taken, c.Percent)
	}
	return taken
}

// change puts one change on the runs that it speaks of. Figures that are no rounding
// of the runs' own show that it speaks of something else.
func (n *narrator) change(own, base *run, c prose.Change, p evidence.Pointer, text string) {
	hits := c.To.Empty() || n.rounds(own, c, c.To, text)
	switch inputs := base; {
	case c.Percent.Empty():
	case !hits:
		n.unclear(p, c.Percent.Text(text))
	default:
		if base != nil && !c.From.Empty() && !n.rounds(base, c, c.From, text) {
			inputs = nil
		}
		n.proseClaim(own, c, p, text)
		if last := len(n.claims) - 1; last >= 0 {
			n.claims[last].control, n.claims[last].settled = inputs, true
		}
	}
	if !c.To.Empty() {
		n.restateOn(own, own.primary(c.Metric, c.Stat), c.To, c.Unit, p, text)
	}
	if base != nil && !c.From.Empty() {
		n.restateOn(base, base.primary(c.Metric, c.Stat), c.From, c.Unit, p, text)
	}
}

// rounds reports whether a figure of a sentence is a rounding of a run's own.
func (n *narrator) rounds(r *run, c prose.Change, digits prose.Span, text string) bool {
	m := r.primary(c.Metric, c.Stat)
	v, ok := readRounded(digits.Text(text), c.Unit)
	return ok && v.unit == m.Unit && m.Value.OK && v.of(m.Value.V)
}

// unclaimed says that a change is nobody's beyond doubt.
func (n *narrator) unclaimed(c prose.Change, p evidence.Pointer, text string) {
	for _, x := range []prose.Span{c.Percent, c.From, c.To} {
		if !x.Empty() {
			n.unclear(p, x.Text(text))
		}
	}
}

// twice reports whether a sentence gives two percentages of one change: "12 percent on
// one card and 9 percent on the other".
func twice(changes []prose.Change, i int) bool {
	c := changes[i]
	for k, o := range changes {
		if k != i && !c.Percent.Empty() && !o.Percent.Empty() && c.Metric == o.Metric && c.Stat == o.Stat && c.State == o.State &&
			c.Subject == o.Subject && c.Control == o.Control {
			return true
		}
	}
	return false
}

// subjectOf is the arm that a change speaks of: the one named before the verb, or in
// front of the control, or the only arm that is not the control.
func (n *narrator) subjectOf(c prose.Change, text string) *arm {
	subject := subjectWords(c, text)
	named := n.armsIn(subject)
	if a := one(named); a != nil {
		return a
	}
	if len(named) > 1 || len(prose.Config(subject)) > 0 {
		return nil // it is several, or one that was not measured
	}
	if c.Control.Empty() {
		return one(n.armsIn(text))
	}
	if a := one(n.armsIn(text[:c.Control.Start])); a != nil {
		return a
	}
	control := one(n.armsIn(c.Control.Text(text)))
	if control == nil || len(n.arms) != 2 || subject != "" && len(n.armsIn(text[:c.Control.Start])) > 0 {
		return nil
	}
	return n.other(control)
}

// other is the other of two arms.
func (n *narrator) other(a *arm) *arm {
	switch {
	case len(n.arms) != 2:
		return nil
	case n.arms[0] == a:
		return n.arms[1]
	}
	return n.arms[0]
}

// controlOf is the arm that a change is against: the one that the sentence names, or
// the only other arm where it names none.
func (n *narrator) controlOf(subject *arm, c prose.Change, text string) *arm {
	if subject == nil {
		return nil
	}
	words := c.Control.Text(text)
	if words == "" {
		return n.other(subject)
	}
	if a := n.pickArm(words, subject, func(*arm) bool { return true }); a != nil {
		return a
	}
	if len(prose.Config(words)) > 0 || !isControl(words) {
		return nil
	}
	return n.other(subject)
}

// isControl reports whether words speak of the control without a name.
func isControl(words string) bool {
	spans := wordSpans(words)
	for _, w := range [...]string{"control", "baseline", "reference", "other", "first", "repeat", "run"} {
		if _, ok := spans[w]; ok {
			return true
		}
	}
	return false
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
