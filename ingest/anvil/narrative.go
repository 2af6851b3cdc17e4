package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// statLine is a statistics sentence with its place.
type statLine struct {
	prose.Line
	p    evidence.Pointer
	n    *jsondoc.Node
	text string
}

// narrative reads the shape whose figures stand in sentences.
func (b *builder) narrative() {
	known := b.readIdentity()
	w, p := b.get("workload")
	b.workload(p, w)
	if w == nil {
		b.find(evidence.Warning, CodeMissing, p, w, "there is no workload block")
	}
	said := b.measurement()
	lines, shapes := b.statistics()
	b.linesToRuns(lines, append(shapes, said.headline, said.state), known)
	b.frame()
	for _, a := range b.arms {
		a.measured = a.runs[:len(a.runs):len(a.runs)]
	}
	n := &narrator{builder: b, selected: b.selectedArm(), singles: map[singleFigure]*run{}}
	n.headlines()
	n.gateRuns()
	n.notes()
}

// statistics sorts measurement.statistics into statistics sentences and statements
// about the workload.
func (b *builder) statistics() (lines []statLine, shapes []statement) {
	m, p := b.get("measurement")
	list, q := m.Get("statistics"), p.Key("statistics")
	if !list.Is(jsondoc.Array) {
		b.find(evidence.Warning, CodeMissing, q, list, "there are no statistics sentences")
		return nil, nil
	}
	for i, n := range list.Children {
		at := q.Index(i)
		if !sentence(n) {
			b.find(evidence.Warning, CodeNotNumber, at, n, fmt.Sprintf("a sentence was expected, not %s", kindName(n)))
			continue
		}
		line, ok := prose.StatLine(n.Text)
		if !ok {
			shapes = append(shapes, b.statement("statistics", at, n))
			continue
		}
		b.note(evidence.Statement, "statistics", at, n.Text)
		for _, left := range line.Unparsed {
			b.unparsed(at, n, left.Text(n.Text))
		}
		for _, x := range line.Inexact {
			b.inexact(at, n, x.Text(n.Text))
		}
		lines = append(lines, statLine{line, at, n, n.Text})
	}
	return lines, shapes
}

func hasStatLine(list *jsondoc.Node) bool {
	if !list.Is(jsondoc.Array) {
		return false
	}
	for _, n := range list.Children {
		if sentence(n) {
			if _, ok := prose.StatLine(n.Text); ok {
				return true
			}
		}
	}
	return false
}

// linesToRuns makes an arm of each label and a run of each sentence. Two sentences
// about one arm and state are two runs: nothing says that they are one.
func (b *builder) linesToRuns(lines []statLine, statements []statement, known []identity) {
	statements = b.distinct(statements)
	arms, speculation := map[string]*arm{}, b.readSpeculation()
	for _, l := range lines {
		a := arms[strings.ToLower(l.Name)]
		if a == nil {
			a = b.labelled(l, speculation, known)
			arms[strings.ToLower(l.Name)] = a
		}
		name := l.State
		if name == "" {
			name = "measured"
		}
		r := a.newRun(name, "", evidence.At(l.p))
		if l.State != "" {
			r.Facts = append(r.Facts, evidence.Fact{Key: evidence.KeyWarmState, Value: l.State, State: evidence.Derived,
				Rule: ruleStatistics, Place: evidence.InText(l.p, l.StateAt.Start, l.StateAt.End), SourceText: l.StateAt.Text(l.text)})
		}
		b.own(r, l)
		b.shape(r, statements)
		b.readings(r, l)
	}
}

// labelled makes the arm that a label names, with what every part of the label states.
func (b *builder) labelled(l statLine, speculation []evidence.Fact, known []identity) *arm {
	a := b.newArm(l.Name, evidence.At(l.p))
	if l.Name == "" {
		a.Name = "measured arm"
		b.find(evidence.Info, CodeUnattributed, l.p, l.n, "the sentence names no arm")
	}
	b.speculation(a, l.Name, speculation)
	// Read as one text: "MTP (disabled)" is no MTP.
	var whole prose.Span
	if last := len(l.Names) - 1; last >= 0 {
		whole = prose.Span{Start: l.Names[0].Start, End: l.Names[last].End}
	}
	b.profile(a, l.p, whole.Text(l.text), whole.Start, known)
	if len(speculation) > 0 && l.Name != "" && factIn(a.Facts, evidence.KeySpecMethod) == nil {
		b.find(evidence.Info, CodeSpeculation, l.p, l.n, fmt.Sprintf("%q does not say with or without speculation: it stays unknown", clip(l.Name)))
	}
	return a
}

// own gives a run the workload that its own label states, which comes before what a
// statement says of all runs.
func (b *builder) own(r *run, l statLine) {
	for _, x := range l.Settings {
		if f := x.Fact(l.p, l.text, prose.RuleShape); x.Key == evidence.KeyConcurrency {
			b.load(r, &f, nil, x.Scope, "")
		} else {
			b.put(&r.Facts, f)
		}
	}
}

// distinct keeps of each statement what none before it states.
func (b *builder) distinct(statements []statement) []statement {
	var said []evidence.Fact
	var out []statement
	for _, s := range statements {
		var fresh []prose.Setting
		for _, x := range s.settings {
			have := len(said)
			b.put(&said, x.Fact(s.p, s.text, prose.RuleShape))
			if len(said) > have {
				fresh = append(fresh, x)
			}
		}
		if s.settings = fresh; len(fresh) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// shape gives a run what the statements say. The load that the selected recipe is
// meant for stands in where none is stated.
func (b *builder) shape(r *run, statements []statement) {
	for _, s := range statements {
		if _, ok := s.value(evidence.KeyConcurrency); ok {
			b.loads(r, nil, "", s)
		}
		b.give(r, s)
	}
	if f := factIn(b.doc.Facts, evidence.KeySelectedConc); f != nil {
		load := *f
		load.Key = evidence.KeyConcurrency
		b.put(&r.Facts, load)
	}
	r.Class = classOf(r.Facts)
}

func (b *builder) readings(r *run, l statLine) {
	n := r.observations()
	seen := map[evidence.MetricID]int{}
	var metrics []evidence.MetricID
	for _, x := range l.Readings {
		digits := x.Digits.Text(l.text)
		v, base, err := evidence.ToBase(digits, x.Unit)
		if err != nil {
			b.find(evidence.Warning, CodeOutOfRange, l.p, l.n, err.Error())
			continue
		}
		stat := x.Stat
		if n.OK && n.V == 1 && stat != evidence.Total {
			stat = evidence.Single
		}
		if r.primary(x.Metric, stat) != nil {
			b.find(evidence.Warning, CodeFactDiffers, l.p, l.n, fmt.Sprintf("the sentence gives %s %s twice; the first is taken", stat, x.Metric))
			continue
		}
		if v < 0 {
			b.negative(l.p, l.n, x.Metric, digits)
			continue
		}
		if seen[x.Metric]++; seen[x.Metric] == 1 {
			metrics = append(metrics, x.Metric)
		}
		r.Measurements = append(r.Measurements, bounded(x.Bound, v, evidence.Measurement{
			Metric: x.Metric, Stat: stat, Method: b.methodOf(stat), Unit: base, N: n,
			State: evidence.Derived, Role: evidence.Primary, Rule: ruleStatistics, SourceText: digits, SourceUnit: x.Unit,
			Place: evidence.InText(l.p, x.Digits.Start, x.Digits.End)}))
	}
	for _, m := range metrics {
		b.inOrder(r, m, l.p, l.n)
	}
}

// readSpeculation reads what workload.speculation says.
func (b *builder) readSpeculation() (said []evidence.Fact) {
	w, p := b.get("workload")
	n, q := w.Get("speculation"), p.Key("speculation")
	if !sentence(n) {
		return nil
	}
	for _, s := range prose.Config(n.Text) {
		b.put(&said, s.Fact(q, n.Text, prose.RuleConfig))
	}
	if at, ok := prose.DraftName(n.Text); ok {
		b.put(&said, evidence.Fact{Key: evidence.KeyDraftModel, Value: at.Text(n.Text), State: evidence.Derived,
			Rule: ruleWord, Place: evidence.InText(q, at.Start, at.End), SourceText: at.Text(n.Text)})
	}
	return said
}

// speculation gives an arm what workload.speculation says, when that is the
// speculation its label names: "MTP5 with small-head draft" belongs to the arm MTP5.
func (b *builder) speculation(a *arm, label string, said []evidence.Fact) {
	agree := false
	for _, s := range prose.Config(label) {
		switch v := valueIn(said, s.Key); {
		case v == s.Value && speculationKeys[s.Key]:
			agree = true
		case v != "" && v != s.Value:
			return
		}
	}
	if agree {
		a.Facts = append(a.Facts, said...)
	}
}

// selectedArm is the arm that the decision selects.
func (b *builder) selectedArm() *arm {
	d, p := b.get("decision")
	n, q := d.Get("selected_arm"), p.Key("selected_arm")
	if !sentence(n) {
		return nil
	}
	a := b.pickArm(strings.NewReplacer("-", " ", "/", " ").Replace(n.Text), nil, func(*arm) bool { return true })
	if a == nil {
		b.find(evidence.Info, CodeUnattributed, q, n, "no measured arm is the selected one beyond doubt")
		return nil
	}
	b.put(&a.Facts, evidence.Fact{Key: evidence.KeySelected, Value: "true", State: evidence.Derived, Rule: ruleWord,
		Place: evidence.At(q), SourceText: n.Text})
	return a
}
