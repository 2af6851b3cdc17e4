package prose

import "assay/store/evidence"

// statements reads what a clause states in words. known is true for a clause that is
// understood and states no setting.
func (c clause) statements() (out []Setting, known bool) {
	for _, read := range []func() (Setting, bool){c.thinking, c.effort, c.completion, c.prompts, c.cache, c.warm, c.single} {
		if s, ok := read(); ok {
			out = append(out, s)
		}
	}
	// "first measured run ... plus immediate repeat" defines states, it is in none.
	defines := c.find("first") >= 0 && c.find("repeat") >= 0
	return out, defines
}

func (c clause) thinking() (Setting, bool) {
	i := c.find("thinking", "reasoning")
	if i < 0 {
		return Setting{}, false
	}
	off, on := c.find("disabled", "off"), c.find("enabled", "on")
	if on >= 0 && (on-i > 2 || i-on > 2) {
		on = -1 // "on" in some other sense
	}
	deny := c.find("no", "without")
	switch {
	case c.find("not", "never") >= 0:
		return Setting{}, false
	case off >= 0 && on < 0 && deny < 0:
		return Setting{Key: evidence.KeyThinking, Value: "disabled", Span: c.between(i, off)}, true
	case on >= 0 && off < 0 && deny < 0:
		return Setting{Key: evidence.KeyThinking, Value: "enabled", Span: c.between(i, on)}, true
	case deny >= 0 && off < 0 && on < 0 && deny <= i:
		return Setting{Key: evidence.KeyThinking, Value: "disabled", Span: c.between(deny, i)}, true
	}
	return Setting{}, false
}

// effort reads "reasoning effort high".
func (c clause) effort() (Setting, bool) {
	i := c.find("effort")
	if i < 0 {
		return Setting{}, false
	}
	for _, j := range []int{i + 1, i - 1} {
		switch w := c.word(j); w {
		case "none", "minimal", "low", "medium", "high", "max":
			return Setting{Key: evidence.KeyThinkingEffort, Value: w, Span: c.between(i, j)}, true
		}
	}
	return Setting{}, false
}

// single reads "single stream": one request at a time.
func (c clause) single() (Setting, bool) {
	for i := range c.tokens {
		w, next := c.word(i), c.word(i+1)
		if w == "single-stream" || w == "single-client" {
			return Setting{Key: evidence.KeyConcurrency, Value: "1", Span: c.between(i, i)}, true
		}
		if w == "single" && (next == "stream" || next == "client") {
			return Setting{Key: evidence.KeyConcurrency, Value: "1", Span: c.between(i, i+1)}, true
		}
	}
	return Setting{}, false
}

// completion reads whether outputs run to a forced length or end where the model ends.
func (c clause) completion() (Setting, bool) {
	natural, forced := c.find("natural"), c.find("forced", "ignore_eos", "ignore-eos", "ignored-eos", "fixed-length")
	if (natural >= 0) == (forced >= 0) {
		return Setting{}, false
	}
	i, value := natural, "natural"
	if forced >= 0 {
		i, value = forced, "forced"
	}
	if c.denied(i) {
		return Setting{}, false
	}
	end := i
	for j := i; j < len(c.tokens) && j <= i+4; j++ {
		switch c.word(j) {
		case "completion", "completions", "output", "outputs", "stop", "stops", "length", "lengths", "generation", "workload":
			end = j
		}
	}
	if alone := c.word(i) == "natural" || c.word(i) == "forced"; alone && end == i {
		return Setting{}, false
	}
	return Setting{Key: evidence.KeyCompletionMode, Value: value, Span: c.between(i, end)}, true
}

// prompts reads "unique canaries", "unique prompt variants", "shared prefix".
func (c clause) prompts() (Setting, bool) {
	i := c.find("unique", "identical", "repeated")
	if i < 0 || c.denied(i) {
		return Setting{}, false
	}
	last := i
	for j := i + 1; j < len(c.tokens) && j <= i+3 && c.tokens[j].Kind == Word; j++ {
		last = j
	}
	if last == i {
		return Setting{}, false
	}
	span := c.between(i, last)
	return Setting{Key: evidence.KeyPromptKind, Value: span.Text(c.lower), Span: span}, true
}

// cache reads the state of the prefix cache: cold, warm, or kept between requests, or
// that no prompt token came from it.
func (c clause) cache() (Setting, bool) {
	if i := c.find("cached"); i > 0 && c.word(i-1) == "no" {
		return Setting{Key: evidence.KeyCachedFraction, Value: "0", Span: c.between(i-1, i)}, true
	}
	i := c.find("cache", "cold", "prefix-cached")
	if i < 0 {
		return Setting{}, false
	}
	set := func(value string, from, to int) (Setting, bool) {
		return Setting{Key: evidence.KeyCacheState, Value: value, Span: c.between(from, to)}, true
	}
	gone := c.find("discarded", "cleared", "flushed", "reset", "dropped")
	kept := c.find("kept", "retained", "preserved")
	deny := c.find("not", "never")
	switch {
	case c.word(i) == "prefix-cached" && deny < 0:
		return set("prefix-cached", i, i)
	case c.word(i) == "cold" && deny < 0 && c.find("warm", "warmed") < 0:
		return set("cold", i, i)
	case c.word(i) == "cold" || c.find("cache") < 0:
		return Setting{}, false
	case gone >= 0 && deny < 0:
		return set("cold", i, gone)
	case gone >= 0 && deny < gone, kept >= 0 && deny < 0:
		return set("kept", i, max(gone, kept))
	case deny < 0 && c.find("warm", "warmed") >= 0:
		return set("warm", i, c.find("warm", "warmed"))
	}
	return Setting{}, false
}

// warm reads the state of the service: "service warm".
func (c clause) warm() (Setting, bool) {
	i, service := c.find("warm", "warmed"), c.find("service", "server", "engine", "endpoint")
	if i < 0 || service < 0 || c.find("not", "never", "cold") >= 0 {
		return Setting{}, false
	}
	return Setting{Key: evidence.KeyWarmState, Value: "warm", Span: c.between(i, service)}, true
}

// OnOff reads a control word: "disabled and independently verified" is disabled. ok is
// false when the sentence says neither, both, or denies.
func OnOff(sentence string) (value string, at Span, ok bool) {
	found := -1
	for _, c := range clauses(sentence) {
		off, on := c.find("disabled", "off"), c.find("enabled", "on")
		if c.find("not", "never") >= 0 || off >= 0 && on >= 0 {
			return "", Span{}, false
		}
		i := max(off, on)
		if i < 0 {
			continue
		}
		word := "disabled"
		if on >= 0 {
			word = "enabled"
		}
		if found >= 0 && value != word {
			return "", Span{}, false
		}
		if found < 0 {
			found, value, at = i, word, c.between(i, i)
		}
	}
	return value, at, found >= 0
}

// CompletionPhrases reads the noun phrases that say how outputs of a workload ended:
// "the forced-output headline workload", "a forced sustained-output C8 workload".
func CompletionPhrases(sentence string) []Setting {
	var out []Setting
	for _, c := range clauses(sentence) {
		for i, t := range c.tokens {
			w := c.word(i)
			value := ""
			switch {
			case t.Kind != Word:
			case hasPart(w, "forced"):
				value = "forced"
			case hasPart(w, "natural"):
				value = "natural"
			}
			if value == "" || negations[c.word(i-1)] || negations[c.word(i-2)] {
				continue
			}
			if end := c.workloadNoun(i); end > 0 {
				out = append(out, Setting{Key: evidence.KeyCompletionMode, Value: value, Span: c.between(i, end)})
			}
		}
	}
	return out
}

// workloadNoun is the token that ends a phrase about the outputs of a workload, 0 when
// the words from token i on are none.
func (c clause) workloadNoun(i int) int {
	outputs := false
	for j := i; j < len(c.tokens) && j <= i+6; j++ {
		w := c.word(j)
		for _, part := range [...]string{"output", "outputs", "completion", "completions", "length", "generation"} {
			outputs = outputs || hasPart(w, part)
		}
		switch w {
		case "workload", "workloads", "screen", "screens", "run", "runs", "benchmark":
			if outputs {
				return j
			}
			return 0
		}
	}
	return 0
}
