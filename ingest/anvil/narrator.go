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

// armsIn are the arms that a text speaks of: all of them, the selected one, or those
// that it names. Several leave open whose a figure is.
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
	if saysAll(spans) {
		return n.arms
	}
	named := n.armsNamed(text, spans)
	if n.selected != nil && has("selected") && has("arm") {
		for _, a := range named {
			if a != n.selected {
				return n.several()
			}
		}
		return []*arm{n.selected}
	}
	if len(named) > 0 {
		return named
	}
	if len(n.arms) == 1 && n.arms[0].agrees(n.wanted(text, spans)) {
		return n.arms
	}
	return nil
}

// armsNamed are the arms whose name or settings stand in a text. Where the settings fit
// several arms, or contradict each other, these are all of them.
func (n *narrator) armsNamed(text string, spans map[string]prose.Span) []*arm {
	if len(n.arms) > maxPicked || len(text) > prose.MaxSentence || !n.afford(len(n.arms)) {
		return nil
	}
	var byName []*arm
	for _, a := range n.arms {
		if a.wordsIn(spans) {
			byName = append(byName, a)
		}
	}
	byName = longest(byName)
	if torn(prose.Config(text)) {
		return n.several()
	}
	if len(byName) > 1 {
		return byName
	}
	a := n.pickArm(text, nil, func(*arm) bool { return true })
	switch {
	case a == nil:
		return byName
	case len(byName) == 1 && byName[0] != a:
		return n.several() // a name of one and the settings of another
	}
	return []*arm{a}
}

// several are the arms where words name more than one: nobody's figure. Of one arm there
// are no several.
func (n *narrator) several() []*arm {
	if len(n.arms) == 1 {
		return nil
	}
	return n.arms
}

// torn reports whether settings give one key two values.
func torn(settings []prose.Setting) bool {
	values := map[evidence.FactKey]string{}
	for _, s := range settings {
		if v, seen := values[s.Key]; seen && v != s.Value && s.Key != evidence.KeyConcurrency && s.Key != evidence.KeyGPUCount {
			return true
		}
		values[s.Key] = s.Value
	}
	return false
}

// wordsIn reports whether every word of the arm's name stands among the words.
func (a *arm) wordsIn(spans map[string]prose.Span) bool {
	words := strings.Fields(strings.ToLower(a.Name))
	for _, w := range words {
		if _, ok := spans[strings.Trim(w, "(),")]; !ok {
			return false
		}
	}
	return len(words) > 0
}

// longest drops arms whose name is a part of another's that stands there too.
func longest(arms []*arm) []*arm {
	if len(arms) < 2 || len(arms) > 16 {
		return arms
	}
	var out []*arm
	for _, a := range arms {
		whole := true
		for _, o := range arms {
			whole = whole && (o == a || !a.wordsIn(wordSpans(o.Name)) || len(o.Name) <= len(a.Name))
		}
		if whole {
			out = append(out, a)
		}
	}
	return out
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
