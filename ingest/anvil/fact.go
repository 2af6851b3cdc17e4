package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// factIn finds a fact by key.
func factIn(facts []evidence.Fact, k evidence.FactKey) *evidence.Fact {
	for i := range facts {
		if facts[i].Key == k {
			return &facts[i]
		}
	}
	return nil
}

func valueIn(facts []evidence.Fact, k evidence.FactKey) string {
	if f := factIn(facts, k); f != nil {
		return f.Value
	}
	return ""
}

// put adds a fact unless its key is there: the more specific source comes first and
// wins. A difference is reported.
func (b *builder) put(facts *[]evidence.Fact, f evidence.Fact) {
	have := factIn(*facts, f.Key)
	if have == nil {
		*facts = append(*facts, f)
		return
	}
	b.again(have, f)
	if have.Value != f.Value && f.Key != evidence.KeyPromptKind { // two descriptions of prompts may both be true
		b.find(evidence.Warning, CodeFactDiffers, f.Place.Pointer, nil, fmt.Sprintf(
			"%s is %q here and %q at %s, which is more specific and holds", f.Key, clip(f.Value), clip(have.Value), have.Place.Pointer))
	}
}

// agree adds a fact of equal standing: where two such places differ the fact is in
// conflict.
func (b *builder) agree(facts *[]evidence.Fact, f evidence.Fact) {
	have := factIn(*facts, f.Key)
	if have != nil {
		b.again(have, f)
	}
	switch {
	case have == nil:
		*facts = append(*facts, f)
	case have.Value != f.Value:
		have.State = evidence.Conflict
		b.find(evidence.Warning, CodeFactDiffers, f.Place.Pointer, nil, fmt.Sprintf(
			"%s is %q here and %q at %s", f.Key, clip(f.Value), clip(have.Value), have.Place.Pointer))
	}
}

// again remembers a place that says once more what a fact says: its digits are lifted
// there, not here.
func (b *builder) again(have *evidence.Fact, f evidence.Fact) {
	if have.Place != f.Place && !f.Place.Whole() && !b.echoed[f.Place] && len(b.echo) < maxListed {
		if b.echoed == nil {
			b.echoed = map[evidence.Place]bool{}
		}
		b.echoed[f.Place] = true
		b.echo = append(b.echo, f)
	}
}

// recorded is a fact that stands as a value of its own.
func recorded(k evidence.FactKey, p evidence.Pointer, n *jsondoc.Node) (evidence.Fact, bool) {
	f := evidence.Fact{Key: k, State: evidence.Recorded, Place: evidence.At(p), SourceText: n.Text}
	switch n.Kind {
	case jsondoc.String, jsondoc.Bool:
		f.Value = n.Text
	case jsondoc.Number:
		v, err := evidence.ParseDecimal(n.Text)
		if err != nil {
			return f, false
		}
		f.Value = evidence.FormatDecimal(v)
	default:
		return f, false
	}
	return f, f.Value != ""
}

// record puts a member as a fact. A missing member is silent; null and values of
// another type are reported.
func (b *builder) record(facts *[]evidence.Fact, k evidence.FactKey, p evidence.Pointer, n *jsondoc.Node) {
	if n == nil {
		return
	}
	if n.Kind == jsondoc.Null {
		b.find(evidence.Info, CodeNull, p, n, fmt.Sprintf("%s is null: not recorded", k))
		return
	}
	f, ok := recorded(k, p, n)
	if info := evidence.LookupKey(k); ok && info.Unit != "" && n.Kind != jsondoc.Number {
		f, ok = b.numberText(k, p, n)
	}
	if !ok {
		b.find(evidence.Warning, CodeNotNumber, p, n, fmt.Sprintf("%s: %s is no value for it", k, kindName(n)))
		return
	}
	b.put(facts, f)
}

// recordLower records a word whose case means nothing.
func (b *builder) recordLower(facts *[]evidence.Fact, k evidence.FactKey, p evidence.Pointer, n *jsondoc.Node) {
	if f, ok := recorded(k, p, n); ok && n.Kind == jsondoc.String {
		f.Value = strings.ToLower(f.Value)
		b.put(facts, f)
		return
	}
	b.record(facts, k, p, n)
}

// numberText reads a count that stands in a string.
func (b *builder) numberText(k evidence.FactKey, p evidence.Pointer, n *jsondoc.Node) (evidence.Fact, bool) {
	if n.Kind != jsondoc.String || len(n.Text) > prose.MaxSentence {
		return evidence.Fact{}, false
	}
	tokens := prose.Lex(n.Text)
	if len(tokens) == 0 || !tokens[0].Counts() || len(tokens) > 1 && tokens[0].UnitEnd < tokens[len(tokens)-1].End {
		return evidence.Fact{}, false
	}
	v, ok := tokens[0].Value(n.Text)
	if ok {
		b.find(evidence.Info, CodeNumberText, p, n, fmt.Sprintf("%s stands in a string", k))
	}
	return evidence.Fact{Key: k, Value: v, State: evidence.Derived, Rule: ruleNumber,
		Place: evidence.InText(p, tokens[0].Start, tokens[0].End), SourceText: tokens[0].Text(n.Text)}, ok
}

func kindName(n *jsondoc.Node) string {
	switch n.Kind {
	case jsondoc.Null:
		return "null"
	case jsondoc.Bool:
		return "a flag"
	case jsondoc.Number:
		return "the number " + clip(n.Text)
	case jsondoc.NotFinite:
		return n.Text
	case jsondoc.String:
		return fmt.Sprintf("%q", clip(n.Text))
	case jsondoc.Object:
		return "an object"
	}
	return "a list"
}

// sentence reports whether a string can be given to a grammar.
func sentence(n *jsondoc.Node) bool {
	return n.Is(jsondoc.String) && n.Text != "" && len(n.Text) <= prose.MaxSentence
}

// statement is a workload sentence with what it states.
type statement struct {
	p        evidence.Pointer
	text     string
	settings []prose.Setting
	left     []prose.Span // clauses that were not understood
}

// statement reads a workload sentence once; its facts then go to every run under it.
func (b *builder) statement(key string, p evidence.Pointer, n *jsondoc.Node) statement {
	s := b.readStatement(key, p, n)
	for _, clause := range s.left {
		b.unparsed(p, n, clause.Text(s.text))
	}
	return s
}

// readStatement leaves it to the caller to say what was not understood.
func (b *builder) readStatement(key string, p evidence.Pointer, n *jsondoc.Node) statement {
	if n == nil {
		return statement{}
	}
	if !n.Is(jsondoc.String) {
		b.find(evidence.Warning, CodeNotNumber, p, n, fmt.Sprintf("%s: a sentence was expected, not %s", key, kindName(n)))
		return statement{}
	}
	b.note(evidence.Statement, key, p, n.Text)
	if !sentence(n) {
		return statement{}
	}
	s := statement{p: p, text: n.Text}
	s.settings, s.left = prose.Shape(n.Text)
	return s
}

func (b *builder) unparsed(p evidence.Pointer, n *jsondoc.Node, clause string) {
	b.find(evidence.Info, CodeUnparsed, p, n, fmt.Sprintf("not understood, nothing is taken from it: %q", clip(clause)))
}

// value is what the statement says of a key.
func (s statement) value(k evidence.FactKey) (prose.Setting, bool) {
	for _, x := range s.settings {
		if x.Key == k {
			return x, true
		}
	}
	return prose.Setting{}, false
}

// give puts the facts of a statement on a run. Concurrency is left to [load].
func (b *builder) give(r *run, s statement) {
	for _, x := range s.settings {
		if x.Key != evidence.KeyConcurrency {
			b.put(&r.Facts, x.Fact(s.p, s.text, prose.RuleShape))
		}
	}
}

// joinPath writes a member path for keys of nested members.
func joinPath(parts ...string) string { return strings.Join(parts, ".") }
