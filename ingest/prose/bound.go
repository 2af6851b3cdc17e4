package prose

import "strings"

// Bound says how exactly a sentence gives a figure.
type Bound uint8

const (
	Exact   Bound = iota
	AtLeast       // "over 75", ">75", "75 or more"
	AtMost        // "under 70", "up to 8", "70 or less"
	About         // "~421", "roughly 75", "nearly 80": no figure to work with
)

// boundsBefore are the words right before a figure that make it inexact, as the tokens
// of the lexer write them. Longer ones stand before their own endings.
var boundsBefore = []struct {
	words []string
	bound Bound
}{
	{[]string{"no", "more", "than"}, AtMost}, {[]string{"not", "more", "than"}, AtMost}, {[]string{"no", "less", "than"}, AtLeast},
	{[]string{"no", "fewer", "than"}, AtLeast}, {[]string{"not", "less", "than"}, AtLeast}, {[]string{"not", "over"}, AtMost},
	{[]string{"not", "above"}, AtMost}, {[]string{"not", "exceeding"}, AtMost}, {[]string{"not", "under"}, AtLeast}, {[]string{"not", "below"}, AtLeast},
	{[]string{"at", "least"}, AtLeast}, {[]string{"more", "than"}, AtLeast}, {[]string{"greater", "than"}, AtLeast}, {[]string{"higher", "than"}, AtLeast},
	{[]string{"upwards", "of"}, AtLeast}, {[]string{">", "="}, AtLeast}, {[]string{"at", "most"}, AtMost}, {[]string{"up", "to"}, AtMost},
	{[]string{"less", "than"}, AtMost}, {[]string{"fewer", "than"}, AtMost}, {[]string{"lower", "than"}, AtMost}, {[]string{"<", "="}, AtMost},
	{[]string{"close", "to"}, About}, {[]string{"in", "the", "order", "of"}, About}, {[]string{"on", "the", "order", "of"}, About},
	{[]string{"~"}, About}, {[]string{"\u2248"}, About}, {[]string{"\u2243"}, About}, {[]string{"\u223c"}, About}, {[]string{"\u00b1"}, About}, {[]string{"about"}, About},
	{[]string{"around"}, About}, {[]string{"roughly"}, About}, {[]string{"approximately"}, About}, {[]string{"approx"}, About}, {[]string{"approx", "."}, About},
	{[]string{"circa"}, About}, {[]string{"ca"}, About}, {[]string{"ca", "."}, About}, {[]string{"nearly"}, About}, {[]string{"almost"}, About},
	{[]string{"some"}, About}, {[]string{"near"}, About}, {[]string{"estimated"}, About}, {[]string{"maybe"}, About}, {[]string{"perhaps"}, About},
	{[]string{">"}, AtLeast}, {[]string{"\u2265"}, AtLeast}, {[]string{"\u2a7e"}, AtLeast}, {[]string{"over"}, AtLeast}, {[]string{"above"}, AtLeast},
	{[]string{"exceeding"}, AtLeast}, {[]string{"exceeds"}, AtLeast}, {[]string{"exceeded"}, AtLeast}, {[]string{"beyond"}, AtLeast},
	{[]string{"<"}, AtMost}, {[]string{"\u2264"}, AtMost}, {[]string{"\u2a7d"}, AtMost}, {[]string{"under"}, AtMost}, {[]string{"below"}, AtMost}, {[]string{"within"}, AtMost},
}

// boundsBehind are the words behind a figure and its unit.
var boundsBehind = []struct {
	words []string
	bound Bound
}{
	{[]string{"or", "less"}, AtMost}, {[]string{"or", "fewer"}, AtMost}, {[]string{"or", "lower"}, AtMost}, {[]string{"or", "below"}, AtMost},
	{[]string{"or", "under"}, AtMost}, {[]string{"at", "most"}, AtMost}, {[]string{"at", "worst"}, About}, {[]string{"or", "more"}, AtLeast},
	{[]string{"or", "higher"}, AtLeast}, {[]string{"or", "above"}, AtLeast}, {[]string{"or", "over"}, AtLeast}, {[]string{"at", "least"}, AtLeast},
	{[]string{"or", "so"}, About}, {[]string{"\u00b1"}, About}, {[]string{"+"}, AtLeast},
}

// boundsByLast and boundsByFirst find them by the word next to the figure, as it is
// asked for every figure.
var boundsByLast, boundsByFirst = func() (last, first map[string][]int) {
	last, first = map[string][]int{}, map[string][]int{}
	for i, q := range boundsBefore {
		w := q.words[len(q.words)-1]
		last[w] = append(last[w], i)
	}
	for i, q := range boundsBehind {
		first[q.words[0]] = append(first[q.words[0]], i)
	}
	return last, first
}()

// qualified is the index in boundsBefore of the words right before token i, -1 when
// there are none.
func qualified(sentence string, tokens []Token, i int) int {
	if i == 0 || tokens[i-1].Digits() {
		return -1
	}
	for _, k := range boundsByLast[strings.ToLower(tokens[i-1].Text(sentence))] {
		if wordsEnd(sentence, tokens, i, boundsBefore[k].words) {
			return k
		}
	}
	return -1
}

// boundOf tells how exactly the figure at token i is given. Words that contradict each
// other give no figure to work with.
func boundOf(sentence string, tokens []Token, i int) Bound {
	before := Exact
	if k := qualified(sentence, tokens, i); k >= 0 {
		before = boundsBefore[k].bound
	}
	behind, j := Exact, i+1
	for j < len(tokens) && tokens[j].Start < tokens[i].UnitEnd {
		j++
	}
	if j < len(tokens) && !tokens[j].Digits() {
		for _, k := range boundsByFirst[strings.ToLower(tokens[j].Text(sentence))] {
			if q := boundsBehind[k]; wordsEnd(sentence, tokens, j+len(q.words), q.words) {
				behind = q.bound
				break
			}
		}
	}
	// "421+5": what stands behind the sign is a figure of its own.
	if behind == AtLeast && j+1 < len(tokens) && tokens[j].Text(sentence) == "+" && tokens[j+1].Start == tokens[j].End {
		behind = About
	}
	switch {
	case before == Exact:
		return behind
	case behind == Exact || behind == before:
		return before
	}
	return About
}

// wordsEnd reports whether the tokens before token i are these words.
func wordsEnd(sentence string, tokens []Token, i int, words []string) bool {
	from := i - len(words)
	if from < 0 || i > len(tokens) {
		return false
	}
	for k, w := range words {
		if !strings.EqualFold(tokens[from+k].Text(sentence), w) {
			return false
		}
	}
	return true
}

// Inexact lists the figures of a sentence that it gives as bounds or approximations.
func Inexact(sentence string) []Span {
	var out []Span
	tokens := Lex(sentence)
	for i, t := range tokens {
		if t.Kind == Figure && boundOf(sentence, tokens, i) != Exact {
			out = append(out, Span{t.Start, t.End})
		}
	}
	return out
}

// unrealWords say that what follows did not happen: they deny the verb, or suppose.
var unrealWords = map[string]bool{
	"would": true, "could": true, "might": true, "may": true, "should": true, "hypothetical": true, "hypothetically": true, "theoretically": true,
	"unless": true, "if": true, "not": true, "never": true, "cannot": true, "didn't": true, "doesn't": true, "don't": true, "wasn't": true,
	"weren't": true, "isn't": true, "hasn't": true, "hadn't": true, "won't": true, "wouldn't": true, "couldn't": true, "can't": true,
	"failed": true, "fails": true, "unable": true, "refused": true,
}

// forecasts do so before "to": "is expected to rise", not "the expected marker".
var forecasts = map[string]bool{"expected": true, "projected": true, "predicted": true, "estimated": true, "likely": true, "supposed": true}

// unreal reports whether token i says that what follows was not measured.
func unreal(sentence string, tokens []Token, i int) bool {
	if tokens[i].Kind != Word {
		return false
	}
	w := tokens[i].Text(sentence)
	if w == "May" { // the month
		return false
	}
	w = strings.ToLower(w)
	return unrealWords[w] && !boundNot(sentence, tokens, i) ||
		forecasts[w] && i+1 < len(tokens) && strings.EqualFold(tokens[i+1].Text(sentence), "to")
}

// boundNot reports whether the "not" at token i makes a bound: "not more than 8 s".
func boundNot(sentence string, tokens []Token, i int) bool {
	if !strings.EqualFold(tokens[i].Text(sentence), "not") {
		return false
	}
	for _, n := range [...]int{2, 3} {
		if at := i + n; at < len(tokens) && tokens[at].Counts() {
			if k := qualified(sentence, tokens, at); k >= 0 && boundsBefore[k].words[0] == "not" {
				return true
			}
		}
	}
	return false
}
