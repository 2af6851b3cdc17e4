package prose

import (
	"strings"

	"assay/store/evidence"
)

// Scope says what a concurrency counts.
type Scope string

const (
	PerReplica Scope = "per replica"
	Aggregate  Scope = "aggregate"
)

// Setting is one property that a sentence states.
type Setting struct {
	Key   evidence.FactKey
	Value string
	Scope Scope // "" when the sentence does not say
	Span        // the words it was read from
}

// Rules under which settings become facts.
const (
	RuleShape    = "prose/shape"
	RuleConfig   = "prose/config"
	RuleHardware = "prose/hardware"
)

// Fact is the setting as a derived fact of the sentence at p.
func (s Setting) Fact(p evidence.Pointer, sentence, rule string) evidence.Fact {
	return evidence.Fact{Key: s.Key, Value: s.Value, State: evidence.Derived, Rule: rule,
		Place: evidence.InText(p, s.Start, s.End), SourceText: s.Text(sentence)}
}

// negations turn a statement round.
var negations = map[string]bool{"no": true, "not": true, "without": true, "never": true, "non": true, "neither": true, "nor": true}

// clause is a run of tokens between commas, semicolons and brackets.
type clause struct {
	text   string
	lower  string // text with ASCII letters in lower case, byte for byte as long
	tokens []Token
}

func (c clause) span() Span {
	return Span{c.tokens[0].Start, c.tokens[len(c.tokens)-1].End}
}

// clauses cuts a sentence. A dash with blanks around it parts clauses too.
func clauses(sentence string) []clause {
	var out []clause
	tokens, lower := Lex(sentence), lowerASCII(sentence)
	from := 0
	for i := 0; i <= len(tokens); i++ {
		if i < len(tokens) && !(tokens[i].Kind == Mark && strings.Contains(",;()[]\u2013\u2014.", tokens[i].Text(sentence))) {
			continue
		}
		if i > from {
			out = append(out, clause{sentence, lower, tokens[from:i]})
		}
		from = i + 1
	}
	return out
}

// word is the lower-case text of token i, "" outside the clause.
func (c clause) word(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return c.tokens[i].Text(c.lower)
}

// find is the index of the first token that is one of the words, or a hyphenated word
// with such a part; -1 when there is none.
func (c clause) find(words ...string) int {
	for i, t := range c.tokens {
		if t.Kind != Word && t.Kind != Name {
			continue
		}
		w := c.word(i)
		for _, want := range words {
			if w == want || hasPart(w, want) {
				return i
			}
		}
	}
	return -1
}

// hasPart reports whether a hyphenated word has that part.
func hasPart(word, part string) bool {
	for {
		head, rest, more := strings.Cut(word, "-")
		if head == part || !more {
			return head == part
		}
		word = rest
	}
}

// between is the span from token i to token j, in either order.
func (c clause) between(i, j int) Span {
	return Span{c.tokens[min(i, j)].Start, c.tokens[max(i, j)].End}
}

// denied reports whether a negation stands in the clause before token i.
func (c clause) denied(i int) bool {
	for k := range i {
		if negations[c.word(k)] {
			return true
		}
	}
	return false
}
