package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

const specNone = "none"

// set puts a setting as a fact.
func (e *engine) set(facts *[]evidence.Fact, s setting, name string, v lift.Val) {
	if v.Is(jsondoc.Null) {
		e.Fact(facts, s.key, v)
		return
	}
	e.Take(v)
	switch s.form {
	case asLower:
		e.lower(facts, s.key, v)
	case asCount:
		e.count(facts, s.key, v)
	case asMemory:
		e.memory(facts, s.key, name, v)
	case asImage:
		e.image(facts, v)
	case asModel:
		e.model(facts, v)
	case asSpeculation:
		e.speculation(facts, v)
	case asThinking:
		e.onOff(facts, s.key, v, "enabled", "disabled")
	case asSwitch:
		e.onOff(facts, s.key, v, "true", "false")
	case asSwitchOff:
		e.onOff(facts, s.key, v, "false", "true")
	case asCard:
		e.card(facts, v, strings.HasPrefix(name, "measured"))
	default:
		if s.key == evidence.KeyPath && isText(v) {
			e.pathWord(facts, v)
			return
		}
		if isText(v) && (s.key == evidence.KeyEngine || s.key == evidence.KeyDraftModel) {
			e.parts(facts, s.key, evidence.KeyEngineRevision, s.key == evidence.KeyEngine, v)
			return
		}
		if readName(name).unit != "" {
			e.digits(v)
		}
		e.Fact(facts, s.key, v)
	}
}

func (e *engine) lower(facts *[]evidence.Fact, k evidence.FactKey, v lift.Val) {
	if !isText(v) || v.Str() == "" {
		e.Words(facts, k, v)
		return
	}
	e.Named(facts, k, lift.Clip(strings.ToLower(v.Str())), v)
}

// count puts a whole number. A text that begins with one and says more gives no count: it
// is kept as the sentence that it is.
func (e *engine) count(facts *[]evidence.Fact, k evidence.FactKey, v lift.Val) {
	if !isText(v) {
		e.Count(facts, k, v)
		return
	}
	text := v.Str()
	if t := prose.Lex(cutText(text)); len(t) == 1 && t[0].Counts() {
		if n, ok := t[0].Count(text); ok {
			e.Find(evidence.Info, CodeNumberText, v, "the number stands in a string")
			e.Derive(facts, k, prose.FormatCount(n), ruleNumber, v)
			e.Take(v)
			return
		}
	}
	e.Find(evidence.Info, CodeNumberText, v, "%s: the text gives no single number", evidence.LookupKey(k).Title)
	e.say(evidence.Statement, string(k), v)
}

func cutText(s string) string { return s[:min(len(s), prose.MaxSentence)] }

func (e *engine) memory(facts *[]evidence.Fact, k evidence.FactKey, name string, v lift.Val) {
	n := readName(name)
	f, ok := e.Number(v, n.unit)
	if !ok {
		return
	}
	if f.Unit != evidence.Bytes || f.V <= 0 {
		e.Find(evidence.Warning, lift.CodeImpossible, v, "%s %s is no memory of a card", f.Text, n.unit)
		return
	}
	if f.V < 1<<30 || f.V > 1<<42 {
		e.Find(evidence.Warning, lift.CodeImplausible, v, "%s %s is no memory of a card", f.Text, n.unit)
	}
	e.Put(facts, evidence.Fact{Key: k, Value: evidence.FormatDecimal(f.V), State: evidence.Recorded, Place: evidence.At(v.P), SourceText: f.Text})
}

// image reads a container image with its digest, or a digest alone.
func (e *engine) image(facts *[]evidence.Fact, v lift.Val) {
	s := v.Str()
	if !isText(v) {
		e.Words(facts, evidence.KeyImage, v)
		return
	}
	e.Take(v)
	if strings.HasPrefix(s, "sha256:") {
		e.Fact(facts, evidence.KeyImageDigest, v)
		return
	}
	e.Image(facts, v)
}

// parts puts "name@revision".
func (e *engine) parts(facts *[]evidence.Fact, name, revision evidence.FactKey, lower bool, v lift.Val) {
	s := v.Str()
	e.Take(v)
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at+1 >= len(s) || len(s) > prose.MaxSentence {
		if lower && s != "" {
			e.Named(facts, name, lift.Clip(strings.ToLower(s)), v)
			return
		}
		e.Fact(facts, name, v)
		return
	}
	for _, part := range []struct {
		k          evidence.FactKey
		start, end int
	}{{name, 0, at}, {revision, at + 1, len(s)}} {
		text := s[part.start:part.end]
		if text != "" && (part.k != evidence.KeyEngineRevision || lower) {
			e.Put(facts, evidence.Fact{Key: part.k, Value: lift.Clip(text), State: evidence.Derived, Rule: ruleAtDigest,
				Place: evidence.InText(v.P, part.start, part.end), SourceText: text})
		}
	}
}

// model reads a repository, with or without its revision. A word without a slash is the
// document's own name for a checkpoint.
func (e *engine) model(facts *[]evidence.Fact, v lift.Val) {
	switch {
	case !isText(v):
		e.Words(facts, evidence.KeyModel, v)
	case !isRepository(v.Str()):
		e.Fact(facts, evidence.KeyCheckpoint, v)
	default:
		e.parts(facts, evidence.KeyModel, evidence.KeyModelRevision, false, v)
	}
}

// isRepository reports whether a text is "owner/name", perhaps with more behind it.
func isRepository(s string) bool {
	head, _, _ := strings.Cut(s, " ")
	owner, name, ok := strings.Cut(head, "/")
	return ok && owner != "" && name != "" && len(s) <= 400
}

// speculation reads "off", false, "mtp3", "EAGLE MTP 3/1/4", "draft-mtp:max3".
func (e *engine) speculation(facts *[]evidence.Fact, v lift.Val) {
	if on, known := v.True(); known {
		e.Take(v)
		if !on {
			e.Derive(facts, evidence.KeySpecMethod, specNone, ruleName, v)
			e.Derive(facts, evidence.KeyMTPDepth, "0", ruleName, v)
		} else {
			e.Derive(facts, evidence.KeySpecMethod, "speculative", ruleName, v)
		}
		return
	}
	if !isText(v) || v.Str() == "" || len(v.Str()) > 400 {
		e.Words(facts, evidence.KeySpecMethod, v)
		return
	}
	e.Take(v)
	for _, f := range speculationOf(v.Str(), v.P) {
		e.Put(facts, f)
	}
}

// speculationOf are the facts that a text about speculation states.
func speculationOf(text string, p evidence.Pointer) []evidence.Fact {
	fact := func(k evidence.FactKey, value string) evidence.Fact {
		return evidence.Fact{Key: k, Value: value, State: evidence.Derived, Rule: prose.RuleConfig, Place: evidence.At(p), SourceText: lift.Clip(text)}
	}
	word := plain(text)
	if offWords[word] {
		return []evidence.Fact{fact(evidence.KeySpecMethod, specNone), fact(evidence.KeyMTPDepth, "0")}
	}
	var methods []string
	var out []evidence.Fact
	for _, s := range prose.Config(strings.ReplaceAll(text, "_", " ")) {
		switch {
		case s.Key == evidence.KeySpecMethod:
			if !contains(methods, s.Value) {
				methods = append(methods, s.Value)
			}
		case speculationKeys[s.Key] && factIn(out, s.Key) == nil:
			out = append(out, fact(s.Key, s.Value))
		}
	}
	l := split(text)
	if len(methods) == 0 && l.has("mtp") {
		methods = append(methods, "mtp")
		for _, w := range l.words {
			if n, ok := strings.CutPrefix(w, "max"); ok && isNumber(n) {
				out = append(out, fact(evidence.KeyMTPDepth, n))
			}
		}
	}
	switch {
	case len(methods) > 0:
		out = append(out, fact(evidence.KeySpecMethod, strings.Join(methods, "+")))
	case len(out) == 0:
		out = append(out, fact(evidence.KeySpecMethod, lift.Clip(strings.ToLower(text))))
	}
	return out
}

var offWords = map[string]bool{"off": true, "none": true, "disabled": true, "no": true, "false": true, "no spec": true, "nospec": true, "no speculation": true, "control": true}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// onOff puts a switch in its own words.
func (e *engine) onOff(facts *[]evidence.Fact, k evidence.FactKey, v lift.Val, on, off string) {
	if b, known := v.True(); known {
		word := off
		if b {
			word = on
		}
		e.Named(facts, k, word, v)
		e.cacheOff(facts, k, word, v)
		return
	}
	if !isText(v) {
		e.Words(facts, k, v)
		return
	}
	word, at, ok := prose.OnOff(cutText(v.Str()))
	if !ok {
		e.Find(evidence.Warning, lift.CodeNotText, v, "%s: neither on nor off", evidence.LookupKey(k).Title)
		e.say(evidence.Statement, string(k), v)
		return
	}
	value := off
	if word == "enabled" {
		value = on
	}
	if at.Text(v.Str()) == v.Str() {
		e.Named(facts, k, value, v)
		e.cacheOff(facts, k, value, v)
		return
	}
	e.Put(facts, evidence.Fact{Key: k, Value: value, State: evidence.Derived, Rule: prose.RuleShape, Place: evidence.InText(v.P, at.Start, at.End), SourceText: at.Text(v.Str())})
	e.say(evidence.Statement, string(k), v)
	e.cacheOff(facts, k, value, v)
}

// cacheOff: with the prefix cache off no prompt token can have been cached.
func (e *engine) cacheOff(facts *[]evidence.Fact, k evidence.FactKey, value string, v lift.Val) {
	if k == evidence.KeyPrefixCache && value == "false" {
		e.Derive(facts, evidence.KeyCachedFraction, "0", "cache-off", v)
	}
}

// card reads a text about the cards, or a list of them. Only a measured card is the one
// that the arm used.
func (e *engine) card(facts *[]evidence.Fact, v lift.Val, measured bool) {
	if !isText(v) {
		e.Words(facts, evidence.KeyGPUProduct, v)
		return
	}
	text := cutText(v.Str())
	e.Take(v)
	settings, left := prose.Hardware(text)
	for _, s := range settings {
		f := s.Fact(v.P, text, prose.RuleHardware)
		if s.Key == evidence.KeyHostGPUs && measured {
			f.Key = evidence.KeyGPUCount
		}
		e.Put(facts, f)
	}
	if len(left) > 0 || len(settings) == 0 {
		e.say(evidence.Statement, "hardware", v)
	}
}

func (e *engine) pathWord(facts *[]evidence.Fact, v lift.Val) {
	l := split(v.Str())
	e.Take(v)
	direct, routed := l.has("direct"), l.has("routed", "router")
	switch {
	case direct != routed && direct:
		e.Derive(facts, evidence.KeyPath, "direct", ruleName, v)
	case direct != routed:
		e.Derive(facts, evidence.KeyPath, "routed", ruleName, v)
	}
	e.say(evidence.Statement, "path", v)
}
