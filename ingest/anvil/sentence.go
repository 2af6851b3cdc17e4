package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// proseClaim puts the percentage of a sentence on the run that it speaks of, negative
// when the sentence says that the metric went down.
func (b *builder) proseClaim(r *run, c prose.Change, p evidence.Pointer, text string) {
	digits, last := c.Percent.Text(text), c.Percent
	var low float64
	var err error
	if !c.Low.Empty() {
		last = c.High
		low, _, err = evidence.ToBase(c.Low.Text(text), "percent")
	}
	v, _, errLast := evidence.ToBase(last.Text(text), "percent")
	if err != nil || errLast != nil || low > v {
		return
	}
	x := bounded(c.Bound, v, evidence.Measurement{State: evidence.Derived, SourceText: digits, Place: evidence.InText(p, c.Percent.Start, c.Percent.End)})
	if !c.Low.Empty() {
		x.Value, x.Lower, x.Upper = evidence.None[float64](), evidence.Some(low), evidence.Some(v)
	}
	if c.Sign < 0 {
		x = negated(x)
	}
	words := ""
	if !c.Control.Empty() {
		words = c.Control.Text(text)
	}
	b.claim(pendingClaim{subject: r, metric: c.Metric, stat: c.Stat, words: words}, x)
}

// negated turns a change round, ends included.
func negated(x evidence.Measurement) evidence.Measurement {
	minus := func(o evidence.Opt[float64]) evidence.Opt[float64] {
		if o.OK {
			o.V = 0 - o.V
		}
		return o
	}
	x.Value, x.Lower, x.Upper = minus(x.Value), minus(x.Upper), minus(x.Lower)
	return x
}

// maxChanges bounds the changes that one sentence may claim.
const maxChanges = 32

// readChanges gives the changes of a text, and the figures of what it denies.
func (b *builder) readChanges(p evidence.Pointer, text string) ([]prose.Change, []prose.Span) {
	if len(text) > prose.MaxSentence {
		return nil, nil
	}
	changes, refused := prose.Changes(text)
	for i, x := range refused {
		if i == maxChanges {
			break
		}
		b.find(evidence.Info, CodeBound, p, nil, fmt.Sprintf("%q is denied, supposed or no exact figure of a change: it is not taken", clip(x.Text(text))))
	}
	if len(changes) > maxChanges {
		b.find(evidence.Info, CodeUnparsed, p, nil, fmt.Sprintf("%d changes in one sentence: nothing is taken from them", len(changes)))
		return nil, refused
	}
	return changes, refused
}

// sentences goes through the texts of the document once all runs are there: claims
// about rows, and figures that repeat a figure of a run.
func (b *builder) sentences() {
	for _, a := range b.arms {
		for _, r := range a.runs {
			if f := factIn(r.Facts, evidence.KeyTradeoff); f != nil && f.Place.Whole() {
				changes, _ := b.readChanges(f.Place.Pointer, f.Value)
				for _, c := range changes {
					switch {
					case c.Percent.Empty():
					case b.speaksOf(r.arm, c, f.Value):
						b.proseClaim(r, c, f.Place.Pointer, f.Value)
					default: // a change of another arm against this one is none of this one
						b.unclear(f.Place.Pointer, c.Percent.Text(f.Value))
					}
				}
			}
		}
	}
	index := b.indexFigures()
	for _, g := range b.doc.Gates {
		p := g.Place.Pointer.Key("detail")
		b.gateClaims(g, p)
		b.restate(index, p, g.Detail)
	}
	for _, n := range b.doc.Notes {
		switch n.Kind {
		case evidence.Limitation, evidence.Failure, evidence.Caveat:
			b.restate(index, n.Place.Pointer, n.Text)
		}
	}
	for _, d := range b.doc.Decisions {
		if d.Kind == evidence.DecisionField && d.Place.Whole() {
			b.restate(index, d.Place.Pointer, d.Value)
		}
	}
}

// subjectWords are the words before a change that name who changed: no metric, no
// statistic, no article.
func subjectWords(c prose.Change, text string) string {
	subject := c.Subject.Text(text)
	for _, t := range prose.Lex(subject) {
		w := strings.ToLower(t.Text(subject))
		if _, stat := prose.StatWord(w); stat || t.Kind != prose.Word && t.Kind != prose.Name || emptyWords[w] {
			continue
		}
		if _, n := prose.MetricWords(strings.Split(w, "-")); n == 0 {
			return subject
		}
	}
	return ""
}

// emptyWords name nobody.
var emptyWords = map[string]bool{"the": true, "a": true, "an": true, "its": true, "and": true, "of": true, "in": true, "with": true, "latency": true, "rate": true,
	"first": true, "repeat": true, "first-run": true, "run": true, "time": true, "to": true, "token": true, "per": true, "output": true, "but": true}

// selfWords are how a text speaks of the row that it stands in.
var selfWords = map[string]bool{"it": true, "this": true, "arm": true, "row": true, "recipe": true, "profile": true, "configuration": true, "here": true, "the": true, "one": true}

// isSelf reports whether words speak of the row that they stand in.
func isSelf(words string) bool {
	said := false
	for _, t := range prose.Lex(words) {
		w := strings.ToLower(t.Text(words))
		if !selfWords[w] {
			return false
		}
		said = said || w != "the" && w != "one"
	}
	return said
}

// speaksOf reports whether a change that stands with an arm is the arm's own: it names
// nobody, or this arm, and is not against this arm.
func (b *builder) speaksOf(a *arm, c prose.Change, text string) bool {
	row := func(a *arm) bool { return len(a.runs) > 0 && a.runs[0].Name != matchedName }
	if control := c.Control.Text(text); isSelf(control) || control != "" && b.pickArm(control, nil, row) == a {
		return false
	}
	words := subjectWords(c, text)
	return words == "" || isSelf(words) || b.pickArm(words, nil, row) == a
}

// gateClaims reads a percentage in a gate: it is about the arm that the gate is named
// after, against the arm that the sentence names.
func (b *builder) gateClaims(g evidence.Gate, p evidence.Pointer) {
	changes, _ := b.readChanges(p, g.Detail)
	for _, c := range changes {
		if c.Percent.Empty() || c.Metric == "" {
			continue
		}
		stat := c.Stat
		if stat == "" {
			stat, _ = totalOf(c.Metric)
		}
		words := subjectWords(c, g.Detail)
		if words == "" {
			words = g.Name
		}
		subject := b.pick(words, nil, func(r *run) bool { return r.primary(c.Metric, stat) != nil })
		if subject != nil {
			b.proseClaim(subject, c, p, g.Detail)
		}
	}
}

// completionModes gives the headline and screen runs the way their outputs ended, from
// a limitation that says so: "the forced-output headline workload". The statement of
// the workload itself comes first; a phrase that names neither is about the headline,
// unless such phrases disagree.
func (b *builder) completionModes() {
	type phrase struct {
		note evidence.Note
		prose.Setting
	}
	var unnamed []phrase
	for _, n := range b.doc.Notes {
		if n.Kind != evidence.Limitation || len(n.Text) > prose.MaxSentence {
			continue
		}
		for _, m := range prose.CompletionPhrases(n.Text) {
			words := wordSpans(m.Text(n.Text))
			_, headline := words["headline"]
			_, screen := words["screen"]
			switch {
			case headline && !screen:
				b.completionMode("headline", n, m)
			case screen && !headline:
				b.completionMode("screen", n, m)
			case !screen:
				unnamed = append(unnamed, phrase{n, m})
			}
		}
	}
	if len(unnamed) > maxPairs {
		return
	}
	for _, p := range unnamed {
		if p.Value != unnamed[0].Value {
			return
		}
	}
	if len(unnamed) > 0 {
		b.completionMode("headline", unnamed[0].note, unnamed[0].Setting)
	}
}

func (b *builder) completionMode(name string, n evidence.Note, m prose.Setting) {
	for _, a := range b.arms {
		for _, r := range a.runs {
			if r.Name == name {
				f := m.Fact(n.Place.Pointer, n.Text, "prose/limitation")
				b.put(&r.Facts, f)
				if shared, ok := sharedShape(f); ok && r.matched != nil {
					b.put(&r.matched.Facts, shared)
				}
			}
		}
	}
}

// workload reads the workload block of a summary: the recipe that was selected and the
// controls under which it was measured.
func (b *builder) workload(p evidence.Pointer, block *jsondoc.Node) {
	if !block.Is(jsondoc.Object) {
		return
	}
	for i, name := range block.Names {
		n, q := block.Children[i], p.Key(name)
		switch name {
		case "hardware":
			b.hardware(q, n)
		case "selected_context_tokens":
			b.record(&b.doc.Facts, evidence.KeyServedContext, q, n)
		case "selected_concurrency":
			b.record(&b.doc.Facts, evidence.KeySelectedConc, q, n)
		case "kv_cache", "kv_cache_dtype":
			b.recordLower(&b.doc.Facts, evidence.KeyKVDtype, q, n)
		case "thinking_controls", "thinking":
			b.thinking(q, n)
		case "speculation":
			if n.Kind == jsondoc.String {
				b.note(evidence.Statement, name, q, n.Text)
			}
		default:
			if n.Kind == jsondoc.String {
				b.note(evidence.Statement, name, q, n.Text)
			}
		}
	}
}

// thinking reads one control word, or a list with one word in it. Several controls
// leave open under which of them a figure was measured.
func (b *builder) thinking(p evidence.Pointer, n *jsondoc.Node) {
	if n.Is(jsondoc.Array) {
		if len(n.Children) != 1 {
			b.find(evidence.Info, CodeUnparsed, p, n, fmt.Sprintf("%d thinking controls: which one holds for a figure stays unknown", len(n.Children)))
			return
		}
		p, n = p.Index(0), n.Children[0]
	}
	if !sentence(n) {
		b.record(&b.doc.Facts, evidence.KeyThinking, p, n)
		return
	}
	if word, at, ok := prose.OnOff(n.Text); ok {
		f := evidence.Fact{Key: evidence.KeyThinking, Value: word, State: evidence.Derived, Rule: ruleWord,
			Place: evidence.InText(p, at.Start, at.End), SourceText: at.Text(n.Text)}
		if at.Text(n.Text) == n.Text {
			f.State, f.Rule, f.Place = evidence.Recorded, "", evidence.At(p)
		}
		b.put(&b.doc.Facts, f)
		return
	}
	b.unparsed(p, n, n.Text)
}
