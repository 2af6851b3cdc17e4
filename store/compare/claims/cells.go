package claims

import (
	"slices"
	"strings"

	"assay/store/evidence"
)

// cell is a number of the document as its member names describe it.
type cell struct {
	at     evidence.Pointer
	text   string
	unit   string // of a measurement; "" where only the name says it
	tokens []string
	words  []string // of the last member name
	rounded
}

// maxCells bounds the documents whose names are searched; summaries are small.
const maxCells = 4000

// cells are all whole numbers (not parts of sentences) of the document, by pointer.
func (s *sheet) cells() []cell {
	seen := map[evidence.Pointer]bool{}
	var out []cell
	put := func(p evidence.Place, text, unit string) {
		if !p.Whole() || seen[p.Pointer] || len(out) > maxCells {
			return
		}
		d := digits(text)
		v, err := evidence.ParseDecimal(d)
		if err != nil || len(d) != len(strings.TrimSpace(text)) {
			return
		}
		seen[p.Pointer] = true
		tokens := p.Pointer.Tokens()
		c := cell{at: p.Pointer, text: text, unit: unit, tokens: tokens, rounded: rounded{v, halfOf(d)}}
		for i := len(tokens) - 1; i >= 0; i-- {
			if !isIndex(tokens[i]) {
				c.words = words(tokens[i])
				break
			}
		}
		out = append(out, c)
	}
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		for j := range r.Measurements {
			put(r.Measurements[j].Place, r.Measurements[j].SourceText, r.Measurements[j].SourceUnit)
		}
		for j := range r.Facts {
			put(r.Facts[j].Place, r.Facts[j].SourceText, "")
		}
	}
	for i := range s.doc.NotLifted {
		put(s.doc.NotLifted[i].Place, s.doc.NotLifted[i].Text, "")
	}
	slices.SortFunc(out, func(a, b cell) int { return comparePointers(a.at, b.at) })
	return out
}

// words splits a member name: "ttft_p50_ms" and "ttftP50Ms" give the same.
func words(name string) []string {
	var out []string
	word := func(w string) {
		if w != "" {
			out = append(out, strings.ToLower(w))
		}
	}
	start := 0
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == ' ' || c == '.' || c == '/':
			word(name[start:i])
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start && name[i-1] >= 'a' && name[i-1] <= 'z':
			word(name[start:i])
			start = i
		}
	}
	word(name[start:])
	return out
}

// Words of member names, by what they say of the number.
var (
	changeWords = set("delta", "deltas", "change", "changes", "improvement", "improvements", "regression", "regressions", "reduction", "reductions",
		"uplift", "gain", "gains", "increase", "decrease")
	ratioWords = set("speedup", "multiple", "multiplier", "speed_up")
	fallWords  = set("regression", "regressions", "reduction", "reductions", "decrease")
	// ruleWords are of bounds that somebody set, not of results.
	ruleWords = set("minimum", "maximum", "min", "max", "threshold", "thresholds", "limit", "required", "target", "budget", "allowed", "gate")
	listWords = set("all", "values", "value", "samples", "runs", "run", "raw", "per", "list", "each", "repetitions", "repeats", "rows")
	unitWords = set("percent", "pct", "fraction", "ratio", "ms", "s", "seconds", "tok", "tokens", "per", "second", "x", "vs", "versus", "over", "of", "to", "the", "and", "in", "by")
	statWords = map[string]evidence.Stat{"mean": evidence.Mean, "avg": evidence.Mean, "average": evidence.Mean, "median": evidence.P50, "p50": evidence.P50,
		"min": evidence.Min, "max": evidence.Max, "sum": evidence.Total, "total": evidence.Total}
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

func anyIn(words []string, m map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return m[w] })
}

// without are the words that are in none of the sets.
func without(words []string, sets ...map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return slices.ContainsFunc(sets, func(m map[string]bool) bool { return m[w] })
	})
}

// figure is the cell for an answer.
func (c cell) figure(role string) Figure {
	return Figure{Role: role, Place: evidence.At(c.at), Text: c.text, Unit: c.unit, Value: evidence.Some(c.value)}
}
