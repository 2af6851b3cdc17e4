package prose

import (
	"strings"

	"assay/store/evidence"
)

// Shape reads a sentence about a workload. Clauses that state nothing it knows, and
// figures that it cannot place, come back as unparsed.
func Shape(sentence string) (settings []Setting, unparsed []Span) {
	for _, c := range clauses(sentence) {
		found, left := c.shape()
		settings = append(settings, found...)
		if left {
			unparsed = append(unparsed, c.span())
		}
	}
	return unequivocal(settings, unparsed)
}

// unequivocal drops a key that the sentence gives two values for: it does not say
// which holds.
func unequivocal(settings []Setting, unparsed []Span) ([]Setting, []Span) {
	values := make(map[evidence.FactKey]string, len(settings))
	torn := map[evidence.FactKey]bool{}
	for _, s := range settings {
		if v, seen := values[s.Key]; seen && v != s.Value {
			torn[s.Key] = true
		}
		values[s.Key] = s.Value
	}
	kept := settings[:0]
	for _, s := range settings {
		if torn[s.Key] {
			unparsed = append(unparsed, s.Span)
			continue
		}
		kept = append(kept, s)
	}
	return kept, unparsed
}

// shape reads one clause; left says that something in it was not understood.
func (c clause) shape() (out []Setting, left bool) {
	only := c.find("only")
	asides := c.find("warmup", "warm-up") >= 0 || only >= 0 && only < len(c.tokens)-1 // about other requests, or about use
	claimed := -1                                                                     // the last word that speaks of an earlier number
	outputs := c.forcedOutputs()
	for i, t := range c.tokens {
		switch {
		case asides:
		case t.Kind == Name:
			if s, _, ok := c.letters(i); ok {
				out = append(out, s...)
			}
		case t.Counts():
			s, word, ok := c.quantity(i, claimed)
			if !ok && outputs > i && t.Unit == "tokens" && t.Link == 0 { // a forced length is the cap as well
				s, ok = c.setting(i, outputs, isCap)
				word = outputs
			}
			if ok {
				out, claimed = append(out, s), max(claimed, word)
			}
			left = left || !ok && t.Kind != Spelled
		}
	}
	words, known := c.statements()
	if !asides {
		out = append(out, words...)
	}
	return out, left || len(out) == 0 && !known
}

// role is what a word near a number says of it.
type role int

const (
	noRole role = iota
	countsRequests
	countsConcurrency
	countsWords
	isContext
	isPrompt
	isCap
	isServed
	isSeed
	isCached
	isMeasured
)

var roleWords = map[string]role{
	"requests": countsRequests, "request": countsRequests, "retrieval": countsRequests, "retrievals": countsRequests, "calls": countsRequests,
	"concurrency": countsConcurrency, "concurrent": countsConcurrency, "parallel": countsConcurrency, "streams": countsConcurrency, "clients": countsConcurrency,
	"words": countsWords, "word": countsWords,
	"target": isContext, "context": isContext, "input": isContext, "inputs": isContext,
	"prompt": isPrompt, "prompts": isPrompt,
	"ceiling": isCap, "cap": isCap, "capped": isCap, "limit": isCap, "limited": isCap, "max": isCap, "maximum": isCap, "max_tokens": isCap,
	"served": isServed, "serving": isServed, "window": isServed, "max_model_len": isServed,
	"seed": isSeed, "cached": isCached,
	"api-reported": isMeasured, "actual": isMeasured, "measured": isMeasured, "reported": isMeasured,
}

// A word may stand so many words behind or before the number it speaks of.
const (
	reachBehind = 4
	reachBefore = 3
)

// quantity finds what the number at token i counts, and the word that says so: the
// nearest word with a role that does not speak of an earlier number. Two words with
// different roles at one distance leave it open.
func (c clause) quantity(i, claimed int) (s Setting, word int, ok bool) {
	t := c.tokens[i]
	if t.Link != 0 || i+1 < len(c.tokens) && c.tokens[i+1].Link != 0 {
		return s, 0, false
	}
	if boundOf(c.text, c.tokens, i) != Exact && c.role(i+1) != isCap {
		return s, 0, false // "about 100 requests": a setting is exact or unknown
	}
	if c.word(i-1) == "=" {
		if r := c.role(i - 2); r != noRole && r != isMeasured {
			s, ok = c.setting(i, i-2, r)
		}
		return s, i - 2, ok
	}
	// "4K/C1": a nominal count beside a concurrency is the context.
	if t.Kind == Nominal && c.word(i+1) == "/" && i+2 < len(c.tokens) && c.tokens[i+2].Kind == Name && strings.HasPrefix(c.word(i+2), "c") {
		s, ok = c.setting(i, i, isContext)
		return s, i, ok
	}
	after, before := c.reach(i, 1, reachBehind), c.reach(i, -1, reachBefore)
	for d := range reachBehind {
		behind, front := noRole, noRole
		if d < len(after) {
			behind = c.role(after[d])
		}
		if d < len(before) {
			front = c.role(before[d])
			if before[d] <= claimed && !(front == isPrompt && t.Unit == "tokens") { // "200 prompts of 8192 tokens"
				front = noRole
			}
		}
		switch {
		case behind == noRole && front == noRole:
			continue
		case behind != noRole && front != noRole && behind != front:
			return s, 0, false
		case behind == isMeasured:
			s, ok = c.measured(i, after)
			return s, after[d], ok
		case behind != noRole:
			s, ok = c.setting(i, after[d], behind)
			return s, after[d], ok
		case front != isMeasured:
			s, ok = c.setting(i, before[d], front)
			return s, before[d], ok
		}
		return s, 0, false
	}
	return s, 0, false
}

// forcedOutputs is the noun of "forced 512-token outputs", -1 where none is.
func (c clause) forcedOutputs() int {
	forced := c.find("forced")
	if forced < 0 || c.denied(forced) {
		return -1
	}
	return c.find("output", "outputs")
}

// reach lists the words from token i in one direction up to the next number.
func (c clause) reach(i, step, most int) []int {
	var out []int
	for j := i + step; j >= 0 && j < len(c.tokens) && len(out) < most; j += step {
		switch c.tokens[j].Kind {
		case Word:
			out = append(out, j)
		case Mark:
		default:
			return out
		}
	}
	return out
}

func (c clause) role(i int) role {
	w := c.word(i)
	if r, ok := roleWords[w]; ok || !strings.Contains(w, "-") {
		return r
	}
	found := noRole
	for part := range strings.SplitSeq(w, "-") {
		if r := roleWords[part]; r != noRole {
			found = r
		}
	}
	return found
}

// measured is an actual length: "100500-token API-reported prompt".
func (c clause) measured(i int, after []int) (Setting, bool) {
	for _, j := range after {
		if c.role(j) == isPrompt {
			return c.number(evidence.KeyPromptTokens, i, j)
		}
	}
	return Setting{}, false
}

func (c clause) setting(i, j int, r role) (Setting, bool) {
	switch r {
	case countsRequests:
		if c.word(j+1) == "per" && c.word(j+2) == "replica" || c.word(j+1) == "in" && c.word(j+2) == "flight" {
			return Setting{}, false // not the number of requests of the run
		}
		return c.number(evidence.KeyRequests, i, j)
	case countsConcurrency:
		s, ok := c.number(evidence.KeyConcurrency, i, j)
		if scope, last := c.scope(max(i, j) + 1); scope != "" {
			s.Scope, s.Span = scope, c.between(min(i, j), last)
		}
		return s, ok
	case countsWords:
		return c.number(evidence.KeyRequestedWords, i, j)
	case isContext:
		return c.number(evidence.KeyContextTarget, i, j)
	case isPrompt:
		if c.tokens[i].Unit == "tokens" || c.tokens[i].Kind == Nominal {
			return c.number(evidence.KeyContextTarget, i, j)
		}
		return c.number(evidence.KeyRequests, i, j)
	case isCap:
		return c.number(evidence.KeyOutputCap, i, j)
	case isServed:
		return c.number(evidence.KeyServedContext, i, j)
	case isSeed:
		return c.number(evidence.KeyPromptSeed, i, j)
	case isCached:
		if n, ok := c.tokens[i].Count(c.text); ok && n == 0 {
			return c.number(evidence.KeyCachedFraction, i, j)
		}
	}
	return Setting{}, false
}

func (c clause) number(k evidence.FactKey, i, j int) (Setting, bool) {
	n, ok := c.tokens[i].Count(c.text)
	return Setting{Key: k, Value: FormatCount(n), Span: c.between(i, j)}, ok
}
