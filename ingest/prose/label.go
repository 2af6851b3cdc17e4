package prose

import (
	"strings"

	"assay/store/evidence"
)

// label splits "MTP3 (TP2) first, n=7" into arm, state and workload. A part is a run of
// words that holds no state; marks and states part them. Parts that state the workload
// or its circumstances are no name; all others are: arms that differ in a bracket are
// different arms.
func (l *Line) label(sentence string, tokens []Token) {
	var current Span
	bracket := false
	keep := func() {
		l.part(sentence, current, bracket)
		current, bracket = Span{}, false
	}
	for i, t := range tokens {
		word := strings.ToLower(t.Text(sentence))
		state, known := stateWords[word]
		switch {
		case t.Kind == Mark && strings.ContainsAny(word, ":,;()[]\u2014\u2013"):
			keep()
			bracket = word == "(" || word == "["
		case known && i+1 < len(tokens) && tokens[i+1].Kind == Word && thingWords[strings.ToLower(tokens[i+1].Text(sentence))]:
			current = extend(current, t) // "warm cache" is no state of a run
		case known:
			keep()
			if l.State == "" || state == FirstRun || state == RepeatRun { // "cold first": the order says more
				l.State, l.StateAt = state, Span{t.Start, t.End}
			}
		case word == "run" || word == "runs" || word == "immediate":
			keep()
		default:
			current = extend(current, t)
		}
	}
	keep()
}

// thingWords follow a word that would be a state by itself.
var thingWords = map[string]bool{"cache": true, "prefix": true, "start": true, "boot": true}

func extend(s Span, t Token) Span {
	if s.Empty() {
		return Span{t.Start, t.End}
	}
	return Span{s.Start, t.End}
}

// circumstances begin a part that says when or where, not what.
var circumstances = map[string]bool{"after": true, "before": true, "during": true, "at": true, "on": true, "in": true, "for": true, "over": true, "from": true, "of": true, "per": true}

// part takes one part of a label.
func (l *Line) part(sentence string, s Span, bracket bool) {
	for !s.Empty() && strings.IndexByte(" -/=&+.", sentence[s.Start]) >= 0 {
		s.Start++
	}
	for !s.Empty() && strings.IndexByte(" -/=&.", sentence[s.End-1]) >= 0 {
		s.End--
	}
	if s.Empty() {
		return
	}
	text := s.Text(sentence)
	settings := workloadOf(text)
	identity := namesIdentity(text)
	if len(settings) > 0 && !identity {
		for _, x := range settings {
			x.Start, x.End = x.Start+s.Start, x.End+s.Start
			l.Settings = append(l.Settings, x)
		}
		return
	}
	if first, _, _ := strings.Cut(lowerASCII(text), " "); circumstances[first] && !identity {
		return
	}
	l.Names = append(l.Names, s)
	switch {
	case l.Name == "":
		l.Name = text
	case bracket:
		l.Name += " (" + text + ")"
	default:
		l.Name += ", " + text
	}
	if s.End-s.Start > l.Label.End-l.Label.Start {
		l.Label = s
	}
}

// namesIdentity reports whether words state what was under test.
func namesIdentity(text string) bool {
	for _, s := range Config(text) {
		if s.Key != evidence.KeyConcurrency {
			return true
		}
	}
	return false
}

// workloadOf reads what a part of a label states of the workload: "n=7", "4K/C8", "seven
// requests".
func workloadOf(text string) []Setting {
	if s, ok := sampleSize(text); ok {
		return []Setting{s}
	}
	var out []Setting
	settings, _ := Shape(text)
	for _, s := range settings {
		switch s.Key {
		case evidence.KeyConcurrency, evidence.KeyContextTarget, evidence.KeyRequests, evidence.KeyOutputCap:
			out = append(out, s)
		}
	}
	return out
}

// sampleSize reads "n=7" and "n 7".
func sampleSize(text string) (Setting, bool) {
	tokens := Lex(text)
	if len(tokens) < 2 || !strings.EqualFold(tokens[0].Text(text), "n") {
		return Setting{}, false
	}
	last := tokens[len(tokens)-1]
	if len(tokens) > 3 || len(tokens) == 3 && tokens[1].Text(text) != "=" {
		return Setting{}, false
	}
	n, ok := last.Count(text)
	return Setting{Key: evidence.KeyRequests, Value: FormatCount(n), Span: Span{tokens[0].Start, last.End}}, ok && last.Kind == Figure
}
