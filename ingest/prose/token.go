package prose

import (
	"strconv"
	"strings"

	"assay/store/evidence"
)

// Kind of a token.
type Kind uint8

const (
	Word    Kind = iota // a word without digits
	Mark                // one mark of punctuation
	Figure              // 612.5, 1,024, -3.25
	Nominal             // 4K, 1.5M
	Spelled             // five
	Name                // digits that belong to a name: RTX 5090, TP2, v1.4.2, p95, 3x, a hash
	Stamp               // a date or time
)

// Token is a piece of a sentence.
type Token struct {
	Kind       Kind
	Link       byte // '/' or '-' when joined to the figure before: 28/30, 10.5–12.5
	Start, End int
	// Unit that follows, as evidence.ToBase knows it; "requests" and "words" for counts;
	// "" when none follows. Figures of a list or range share the unit of the last one.
	Unit    string
	UnitEnd int // end of the unit, or of the figure
}

// Text is the token as it stands.
func (t Token) Text(sentence string) string { return sentence[t.Start:t.End] }

// Counts reports whether the token is a quantity and not part of a name.
func (t Token) Counts() bool { return t.Kind == Figure || t.Kind == Nominal || t.Kind == Spelled }

// Digits reports whether figures are written in the token, in digits or in words.
func (t Token) Digits() bool { return t.Kind >= Figure }

// Decimal is the figure as evidence.ParseDecimal reads it.
func (t Token) Decimal(sentence string) string {
	return strings.Replace(t.Text(sentence), "\u2212", "-", 1)
}

// Count reads a whole number: "1,024" is 1024, "five" is 5, "4K" is 4096.
func (t Token) Count(sentence string) (int64, bool) {
	s := t.Text(sentence)
	switch t.Kind {
	case Spelled:
		return spelled(s)
	case Nominal:
		return NominalTokens(s)
	case Figure:
		n, err := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// Value is the canonical text of the quantity: the shortest decimal without commas.
func (t Token) Value(sentence string) (string, bool) {
	if t.Kind != Figure {
		n, ok := t.Count(sentence)
		return strconv.FormatInt(n, 10), ok
	}
	f, err := evidence.ParseDecimal(t.Decimal(sentence))
	return evidence.FormatDecimal(f), err == nil
}

// Numbers are the tokens of a sentence in which figures are written.
func Numbers(sentence string) []Token {
	var out []Token
	for _, t := range Lex(sentence) {
		if t.Digits() {
			out = append(out, t)
		}
	}
	return out
}

// spelledWords counts up to twenty: beyond that sources write digits.
var spelledWords = []string{
	"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
	"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
}

// spelled is the number that a word stands for. It allocates nothing: it is asked for
// every word of every sentence.
func spelled(word string) (int64, bool) {
	if len(word) < 3 || len(word) > 9 {
		return 0, false
	}
	for n, w := range spelledWords {
		if len(w) == len(word) && strings.EqualFold(w, word) {
			return int64(n), true
		}
	}
	return 0, false
}
