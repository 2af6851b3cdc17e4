package summary

import (
	"strings"
	"unicode"

	"assay/ingest/prose"
)

// maxName bounds the names that are taken apart.
const maxName = 200

// list is a name cut into lower-case words, with the words that something was made of.
type list struct {
	words []string
	used  []bool
}

// split cuts a name at everything that is no letter and no digit. A number that is spelled
// or stands apart is joined with a "k" behind it: "four_k" and "4_k" are "4k".
func split(name string) *list {
	if len(name) > maxName {
		return &list{words: []string{"…"}, used: []bool{false}}
	}
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var words []string
	for i := 0; i < len(parts); i++ {
		w := parts[i]
		if i+1 < len(parts) && (parts[i+1] == "k" || parts[i+1] == "m") {
			if t := prose.Lex(w); len(t) == 1 && t[0].Counts() {
				if n, ok := t[0].Count(w); ok {
					w, i = prose.FormatCount(n)+parts[i+1], i+1
				}
			}
		}
		words = append(words, w)
	}
	return &list{words: words, used: make([]bool, len(words))}
}

// take finds a run of words that is not used, the last one, and uses it.
func (l *list) take(phrase ...string) bool {
	for i := len(l.words) - len(phrase); i >= 0; i-- {
		if l.at(i, phrase) {
			for k := range phrase {
				l.used[i+k] = true
			}
			return true
		}
	}
	return false
}

func (l *list) at(i int, phrase []string) bool {
	for k, w := range phrase {
		if l.used[i+k] || l.words[i+k] != w {
			return false
		}
	}
	return true
}

// takeAny uses every word of a set and gives them in order.
func (l *list) takeAny(set map[string]bool) []string {
	var out []string
	for i, w := range l.words {
		if !l.used[i] && set[w] {
			l.used[i] = true
			out = append(out, w)
		}
	}
	return out
}

// takeEach is takeAny for words that are written side by side.
func (l *list) takeEach(words string) []string {
	var out []string
	for i, w := range l.words {
		if !l.used[i] && among(words, w) {
			l.used[i] = true
			out = append(out, w)
		}
	}
	return out
}

// anyEach reports whether a word of the list is one of words.
func (l *list) anyEach(words string) bool {
	for _, w := range l.words {
		if among(words, w) {
			return true
		}
	}
	return false
}

func among(words, w string) bool {
	for x := range strings.FieldsSeq(words) {
		if x == w {
			return true
		}
	}
	return false
}

// has reports whether one of the words stands there, used or not.
func (l *list) has(words ...string) bool {
	for _, have := range l.words {
		for _, w := range words {
			if have == w {
				return true
			}
		}
	}
	return false
}

// rest are the words that nothing was made of.
func (l *list) rest() []string {
	var out []string
	for i, w := range l.words {
		if !l.used[i] {
			out = append(out, w)
		}
	}
	return out
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// anyOf reports whether a word of the list is one of the set.
func (l *list) anyOf(s map[string]bool) bool {
	for _, w := range l.words {
		if s[w] {
			return true
		}
	}
	return false
}

// plain is a name as tables know it: its words joined by blanks.
func plain(name string) string {
	l := split(name)
	return strings.Join(l.words, " ")
}

var (
	// foreignWords make a figure a target, a threshold or somebody else's.
	foreignWords = set(`target targets required requirement threshold thresholds floor limit limits budget goal slo expected ceiling advertised claimed
		upstream vendor external published projected estimated theoretical allowed reserve policy prior previous minimum_required nominal margin
		community card reported_by extrapolated planned proposed next original excluded`)
	// modifiers say nothing that another figure could differ in.
	modifiers = set(`reported observed measured actual api request requests run runs stream at per for of in the single gpu engine harness
		value values server client side visible usable wall clock time`)
	sliceWords = set(`image images video videos mixed ocr text audio general multi corpus full coding json tool tools retrieval needle session
		intelligence quality streaming structured responses multimodal stt tts llm voice turn stage media agentic swe human synthetic
		admitted subset case`)
	pathWords   = map[string]string{"direct": "direct", "routed": "routed", "router": "routed"}
	stateWords  = map[string]string{"cold": "cold", "warm": "warm", "warmed": "warm", "first": "first", "repeat": "repeat", "repeated": "repeat"}
	scopeWords  = set("cumulative lifetime workload sampled window sample samples total late startup")
	changeWords = map[string]int{"delta": 1, "change": 1, "gain": 1, "improvement": 1, "uplift": 1, "increase": 1, "difference": 1,
		"regression": 1, "speedup": 1, "reduction": -1, "decrease": -1, "drop": -1, "loss": -1}
)
