package prose

import "assay/store/evidence"

// ResultKind says what a single figure of a sentence is.
type ResultKind uint8

const (
	MemoryUsed    ResultKind = iota // "used 29000 MiB"
	MemoryFree                      // "left 1800 MiB free"
	PromptLength                    // "a 100500-token API-reported prompt": measured
	NominalLength                   // "the nominal 128000-token file": a target, never a claim
	OutputCap                       // "a 900-token completion cap"
	Duration                        // "in 41.5 seconds"
	Fraction                        // "9/12"
)

// Result is one figure with what it is.
type Result struct {
	Kind   ResultKind
	Digits Span
	Unit   string
	// What are the words that a fraction speaks of, as far as they stand before it in its
	// clause: "coding edit 3/3". Empty when the sentence begins with the fraction.
	What  Span
	Num   int64 // of a fraction
	Den   int64
	Bound Bound
	// Unreal says that the sentence denies what the figure belongs to, or speaks of what
	// would be: "did not use 24000 MiB".
	Unreal bool
	Clause Span // the words between marks that the figure stands in
}

// Metric is the definition that the figure measures, "" for what is a setting.
func (r Result) Metric() evidence.MetricID {
	switch r.Kind {
	case MemoryUsed:
		return evidence.GPUMemoryUsed
	case MemoryFree:
		return evidence.GPUMemoryFree
	case PromptLength:
		return evidence.PromptTokens
	case Duration:
		return evidence.E2E
	case Fraction:
		return evidence.PassRate
	}
	return ""
}

// Results reads single figures: memory, prompt lengths, caps, durations and passes.
func Results(sentence string) []Result {
	var out []Result
	for _, c := range clauses(sentence) {
		before := len(out)
		start, passed, factual := 0, c.find("passed", "succeeded") >= 0, true
		for i, t := range c.tokens {
			switch w := c.word(i); {
			case w == "and":
				start = i + 1
			case w == ":":
				factual = true
			case unreal(c.text, c.tokens, i):
				factual = false
			}
			if t.Kind != Figure {
				continue
			}
			if r, ok := c.fraction(i, start); ok {
				out = append(out, r)
			} else if r, ok := c.share(i, start); ok && passed {
				out = append(out, r)
			} else if r, ok := c.result(i); ok {
				out = append(out, r)
			}
			if len(out) > before {
				last := &out[len(out)-1]
				if last.Digits.Start == t.Start {
					last.Bound, last.Clause = boundOf(c.text, c.tokens, i), c.span()
					last.Unreal = !factual
				}
			}
		}
	}
	return out
}

// fraction reads "9/12" at its first figure.
func (c clause) fraction(i, start int) (Result, bool) {
	if i+1 >= len(c.tokens) || c.tokens[i].Link != 0 || c.tokens[i+1].Link != '/' {
		return Result{}, false
	}
	if i+2 < len(c.tokens) && c.tokens[i+2].Link != 0 || c.tokens[i+1].Unit != "" && c.tokens[i+1].Unit != "requests" {
		return Result{}, false // a list of figures
	}
	num, ok1 := c.tokens[i].Count(c.text)
	den, ok2 := c.tokens[i+1].Count(c.text)
	if !ok1 || !ok2 || num < 0 || den <= 0 || num > den {
		return Result{}, false
	}
	r := Result{Kind: Fraction, Digits: c.between(i, i+1), Unit: "ratio", Num: num, Den: den}
	if start < i {
		r.What = c.between(start, i-1)
	}
	return r, true
}

// share reads "19 of 20", which counts where the clause says passed.
func (c clause) share(i, start int) (Result, bool) {
	if c.word(i+1) != "of" || i+2 >= len(c.tokens) || c.tokens[i+2].Kind != Figure || c.tokens[i].Link != 0 {
		return Result{}, false
	}
	if w := c.word(i - 1); w == "but" || w == "except" { // "all but 2 of 20"
		return Result{}, false
	}
	num, ok1 := c.tokens[i].Count(c.text)
	den, ok2 := c.tokens[i+2].Count(c.text)
	if !ok1 || !ok2 || den <= 0 || num < 0 || num > den || i+3 < len(c.tokens) && c.tokens[i+3].Link != 0 {
		return Result{}, false
	}
	r := Result{Kind: Fraction, Digits: c.between(i, i+2), Unit: "ratio", Num: num, Den: den}
	if start < i {
		r.What = c.between(start, i-1)
	}
	return r, true
}

func (c clause) result(i int) (Result, bool) {
	t := c.tokens[i]
	if t.Link != 0 || i+1 < len(c.tokens) && c.tokens[i+1].Link != 0 {
		return Result{}, false
	}
	r := Result{Digits: Span{t.Start, t.End}, Unit: t.Unit}
	switch t.Unit {
	case "KiB", "MiB", "GiB", "kB", "MB", "GB", "bytes":
		return c.memory(i, r)
	case "ms", "s", "min":
		if w := c.word(c.unqualified(i)); w == "in" || w == "took" || w == "within" || c.word(i-1) == "within" {
			r.Kind = Duration
			return r, true
		}
		return r, false
	case "tokens", "":
		return c.length(i, r)
	}
	return r, false
}

// unqualified is the token before a figure and the words that make it a bound: of "in
// under 70 s" it is "in".
func (c clause) unqualified(i int) int {
	if k := qualified(c.text, c.tokens, i); k >= 0 {
		return i - len(boundsBefore[k].words) - 1
	}
	return i - 1
}

// memory tells what was used or left from floors and reserves.
func (c clause) memory(i int, r Result) (Result, bool) {
	var behind string
	for j := i + 1; j < len(c.tokens); j++ {
		if c.tokens[j].Start >= c.tokens[i].UnitEnd {
			behind = c.word(j)
			break
		}
	}
	switch behind {
	case "free":
		r.Kind = MemoryFree
		return r, true
	case "used":
		r.Kind = MemoryUsed
		return r, true
	case "more", "less", "above", "below", "over", "under", "than": // a difference
		return r, false
	case "floor", "reserve", "limit", "threshold", "policy", "budget":
		return r, false
	}
	verb := c.unqualified(i)
	for _, w := range []string{c.word(verb), c.word(verb - 1)} {
		switch w {
		case "free":
			r.Kind = MemoryFree
			return r, true
		case "used", "use", "usage", "using", "occupied":
			r.Kind = MemoryUsed
			return r, true
		}
	}
	return r, false
}

// length reads a number of tokens: prompt, cap or nominal target.
func (c clause) length(i int, r Result) (Result, bool) {
	after := c.reach(i, 1, reachBehind)
	var measured, prompt, capped, tokens bool
	for _, j := range after {
		role := c.role(j)
		measured = measured || role == isMeasured
		prompt = prompt || role == isPrompt
		tokens = tokens || hasPart(c.word(j), "tokens") || hasPart(c.word(j), "token")
		if capped = role == isCap; capped {
			break
		}
	}
	r.Unit = "tokens"
	switch {
	case !tokens && c.tokens[i].Unit != "tokens":
		return r, false
	case c.word(i-1) == "nominal" || c.word(i-1) == "requested":
		r.Kind = NominalLength
	case capped && !prompt:
		r.Kind = OutputCap
	case prompt && measured:
		r.Kind = PromptLength
	default:
		return r, false
	}
	return r, true
}

// Pair is a nominal context and the prompt tokens that it came to.
type Pair struct{ Nominal, Actual Span }

// Produced reads "64K asked gave 61234 actual prompt tokens, 500K produced
// 480000".
func Produced(sentence string) []Pair {
	var out []Pair
	for _, c := range clauses(sentence) {
		nominal := -1
		for i, t := range c.tokens {
			if t.Link != 0 || t.Kind != Figure && t.Kind != Nominal {
				continue
			}
			if nominal >= 0 && t.Kind == Figure && c.produces(nominal, i) {
				out = append(out, Pair{c.between(nominal, nominal), c.between(i, i)})
				nominal = -1
				continue
			}
			nominal = i
		}
	}
	return out
}

func (c clause) produces(from, to int) bool {
	for j := from + 1; j < to; j++ {
		switch c.word(j) {
		case "produced", "yielded", "measured", "gave", "became":
			return true
		}
	}
	return false
}
