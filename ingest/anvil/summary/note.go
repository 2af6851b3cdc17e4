package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// say keeps a sentence verbatim and lifts the rates in it.
func (e *engine) say(kind evidence.NoteKind, key string, v lift.Val) {
	e.Take(v)
	e.digits(v)
	e.Note(kind, lift.Clip(key), v)
	e.rates(nil, nil, v)
}

// digits remarks a number that is written as a text.
func (e *engine) digits(v lift.Val) {
	if s := v.Str(); s != "" && len(s) < 32 {
		if _, err := evidence.ParseDecimal(s); err == nil {
			e.Find(evidence.Info, CodeNumberText, v, "a number is written as a text")
		}
	}
}

// notes keeps a sentence, a list or a block of sentences. Numbers between them are parts
// of what the sentences tell.
func (e *engine) notes(kind evidence.NoteKind, key string, v lift.Val) {
	switch {
	case isText(v) && kind == evidence.Failure && strings.Contains(key, "caveat"):
		e.say(failureOrCaveat(v.Str()), key, v)
	case isText(v):
		e.say(kind, key, v)
	case v.Is(jsondoc.Array):
		for _, c := range v.Items() {
			e.notes(kind, key, c)
		}
	case v.Is(jsondoc.Object):
		for name, c := range v.Members() {
			e.notes(kind, key+"."+name, c)
		}
	default:
		e.scalarNote(kind, key, v)
	}
}

// failureWords mark a sentence of a mixed list as the report of a failure.
var failureWords = []string{"failed", "failure", "refused", "returned http", "error", "crash", "could not", "timed out", "timeout", "out of memory", "leaked"}

func failureOrCaveat(s string) evidence.NoteKind {
	s = strings.ToLower(s[:min(len(s), 4000)])
	for _, w := range failureWords {
		if strings.Contains(s, w) {
			return evidence.Failure
		}
	}
	return evidence.Caveat
}

// scalarNote keeps a flag or a number that stands among sentences.
func (e *engine) scalarNote(kind evidence.NoteKind, key string, v lift.Val) {
	switch {
	case v.Is(jsondoc.Bool):
		e.Take(v)
		e.Notes = append(e.Notes, evidence.Note{Kind: kind, Key: lift.Clip(key), Text: v.N.Text, Place: evidence.At(v.P)})
	case v.Is(jsondoc.Number):
		e.Notes = append(e.Notes, evidence.Note{Kind: kind, Key: lift.Clip(key), Text: lift.Clip(v.N.Text), Place: evidence.At(v.P)})
		e.Skip(v, evidence.ReasonDetail)
	case v.Is(jsondoc.Null):
		e.Find(evidence.Info, lift.CodeNull, v, "%s is null", lift.Clip(key))
		e.Take(v)
	}
}

// foreign keeps what is not about what was measured: the next candidate, somebody else's
// recipe, the machine that drove the test. Its numbers are settings, never figures.
func (e *engine) foreign(key string, v lift.Val) {
	switch {
	case isText(v):
		e.say(evidence.Statement, key, v)
		switch {
		case isDigest(v.Str()):
			e.digest(key, v)
		case isFile(v.Str()):
			e.named(key, v)
		}
	case v.Is(jsondoc.Number):
		e.Notes = append(e.Notes, evidence.Note{Kind: evidence.Statement, Key: lift.Clip(key), Text: lift.Clip(v.N.Text), Place: evidence.At(v.P)})
		e.Skip(v, evidence.ReasonEcho)
	case v.Is(jsondoc.Array):
		for _, c := range v.Items() {
			e.foreign(key, c)
		}
	case v.Is(jsondoc.Object):
		for name, c := range v.Members() {
			e.foreign(key+"."+name, c)
		}
	default:
		e.scalarNote(evidence.Statement, key, v)
	}
}

// restoration keeps what the source says about the state it left behind.
func (e *engine) restoration(key string, v lift.Val) {
	if isText(v) && key == "restoration" {
		e.say(evidence.Restored, key, v)
		return
	}
	for _, name := range []string{"status", "result", "outcome"} {
		if s := v.Get(name); isText(s) && factIn(e.Facts, evidence.KeyRestoration) == nil {
			e.Words(&e.Facts, evidence.KeyRestoration, s)
		}
	}
	e.notes(evidence.Restored, key, v)
}

// decision reads what the source decides: a word, a sentence, a list of labels or a block.
func (e *engine) decision(key string, v lift.Val) {
	switch {
	case isText(v):
		e.decide(key, v)
	case v.Is(jsondoc.Bool):
		e.Take(v)
		kind := evidence.DecisionField
		if l := split(key); l.has("promotion", "promoted", "promotes") {
			kind = evidence.PromotionFlag
		}
		e.Decisions = append(e.Decisions, evidence.Decision{Kind: kind, Key: lift.Clip(key), Value: v.N.Text, Place: evidence.At(v.P)})
	case v.Is(jsondoc.Array):
		for _, c := range v.Items() {
			if isText(c) {
				e.label(labelKind(key), key, c)
			} else {
				e.decision(key, c)
			}
		}
	case v.Is(jsondoc.Object):
		for name, c := range v.Members() {
			e.decision(key+"."+name, c)
		}
	default:
		e.scalarNote(evidence.Statement, key, v)
	}
}

func labelKind(key string) string {
	if l := split(key); l.has("evidence") {
		return evidence.EvidenceLabel
	}
	return evidence.DecisionLabel
}

func (e *engine) label(kind, key string, v lift.Val) {
	e.Take(v)
	e.Decisions = append(e.Decisions, evidence.Decision{Kind: kind, Key: lift.Clip(key), Value: lift.Clip(v.Str()), Place: evidence.At(v.P)})
}

// decide keeps a decision in words. A line of labels ("challenger; no-promotion") gives
// its labels as well.
func (e *engine) decide(key string, v lift.Val) {
	text := v.Str()
	e.Take(v)
	e.Decisions = append(e.Decisions, evidence.Decision{Kind: evidence.DecisionField, Key: lift.Clip(key), Value: boundText(text), Place: evidence.At(v.P)})
	if len(text) > prose.MaxSentence {
		return
	}
	start := 0
	for part := range strings.SplitSeq(text, ";") {
		word := strings.TrimSpace(part)
		at := start + strings.Index(part, word)
		start += len(part) + 1
		if word != "" && len(word) < 80 && !strings.ContainsAny(word, " \t\n.,") {
			e.Decisions = append(e.Decisions, evidence.Decision{Kind: evidence.DecisionLabel, Key: lift.Clip(key), Value: word, Place: evidence.InText(v.P, at, at+len(word))})
		}
	}
	e.rates(nil, nil, v)
}

func boundText(s string) string {
	if len(s) > 2000 {
		return strings.ToValidUTF8(s[:2000], "") + "…"
	}
	return s
}
