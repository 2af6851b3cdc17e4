package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// profile gives an arm the facts that a part of a sentence names: settings of its own
// words, and the identities that the words name. at is where the part begins in the
// string at p.
func (b *builder) profile(a *arm, p evidence.Pointer, text string, at int, known []identity) {
	for _, s := range prose.Config(text) {
		if s.Key == evidence.KeyConcurrency {
			continue
		}
		f := s.Fact(p, text, prose.RuleConfig)
		f.Place.Start, f.Place.End = f.Place.Start+at, f.Place.End+at
		b.agree(&a.Facts, f)
	}
	b.identify(a, p, text, at, known)
}

// identify attaches the identities whose words stand in the text.
func (b *builder) identify(a *arm, p evidence.Pointer, text string, offset int, known []identity) {
	spans := wordSpans(text)
	word := func(k evidence.FactKey, value string, at prose.Span) {
		if factIn(a.Facts, k) == nil {
			a.Facts = append(a.Facts, evidence.Fact{Key: k, Value: value, State: evidence.Derived, Rule: ruleWord,
				Place: evidence.InText(p, at.Start+offset, at.End+offset), SourceText: at.Text(text)})
		}
	}
	targets := 0
	for _, id := range known {
		at, ok := id.namedIn(spans)
		if ok && id.role == "target" {
			targets++
		}
		if !ok || id.role == "target" && targets > 1 {
			continue
		}
		switch id.role {
		case "target":
			word(evidence.KeyCheckpoint, id.name, at)
			b.model(&a.Facts, id.p, id.node)
		case "draft":
			word(evidence.KeySpecMethod, id.name, at)
			b.record(&a.Facts, evidence.KeyDraftModel, id.p, id.node)
		case "runtime":
			word(evidence.KeyEngine, id.name, at)
			b.runtime(&a.Facts, id.p, id.node)
		case "revision":
			b.record(&a.Facts, evidence.KeyEngineRevision, id.p, id.node)
		case "version":
			b.record(&a.Facts, evidence.KeyEngineVersion, id.p, id.node)
		}
	}
	if targets > 1 {
		dropIdentity(a)
	}
	if targets != 1 && hasRole(known, "target") {
		b.find(evidence.Info, CodeIdentity, p, nil, fmt.Sprintf("the text names %d of the checkpoints: which one was under test stays unknown", targets))
	}
}

// dropIdentity takes back a checkpoint that turned out to be one of several.
func dropIdentity(a *arm) {
	kept := a.Facts[:0]
	for _, f := range a.Facts {
		if f.Key != evidence.KeyCheckpoint && f.Key != evidence.KeyModel && f.Key != evidence.KeyModelRevision {
			kept = append(kept, f)
		}
	}
	a.Facts = kept
}

func hasRole(known []identity, role string) bool {
	for _, id := range known {
		if id.role == role {
			return true
		}
	}
	return false
}

// wordSpans are the words of a text in lower case; of a hyphenated word its parts too.
func wordSpans(text string) map[string]prose.Span {
	spans := map[string]prose.Span{}
	for _, t := range prose.Lex(text) {
		if t.Kind != prose.Word && t.Kind != prose.Name {
			continue
		}
		w := strings.ToLower(t.Text(text))
		if _, seen := spans[w]; !seen {
			spans[w] = prose.Span{Start: t.Start, End: t.End}
		}
		for part := range strings.SplitSeq(w, "-") {
			if _, seen := spans[part]; !seen {
				spans[part] = prose.Span{Start: t.Start, End: t.End}
			}
		}
	}
	return spans
}

// namedIn reports whether every word of the identity stands in the text, and where the
// first does.
func (id identity) namedIn(spans map[string]prose.Span) (prose.Span, bool) {
	for _, w := range id.words {
		if _, ok := spans[w]; !ok {
			return prose.Span{}, false
		}
	}
	return spans[id.words[0]], true
}

// topology gives an arm its cards and a run its load.
func (b *builder) topology(r *run, p evidence.Pointer, n *jsondoc.Node, general statement) {
	var own *evidence.Fact
	var scope prose.Scope
	if sentence(n) {
		settings := prose.Config(n.Text)
		if len(settings) == 0 {
			b.unparsed(p, n, n.Text)
		}
		for _, s := range settings {
			f := s.Fact(p, n.Text, prose.RuleConfig)
			if s.Key == evidence.KeyConcurrency {
				own, scope = &f, s.Scope
				continue
			}
			b.agree(&r.arm.Facts, f)
		}
	}
	b.loads(r, own, scope, general)
}

// loads puts the load of a run from its own words and the statement's.
func (b *builder) loads(r *run, own *evidence.Fact, scope prose.Scope, general statement) {
	var stated *evidence.Fact
	s, ok := general.value(evidence.KeyConcurrency)
	if ok {
		f := s.Fact(general.p, general.text, prose.RuleShape)
		stated = &f
	}
	b.load(r, own, stated, scope, s.Scope)
}
