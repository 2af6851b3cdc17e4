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
