package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lex cuts a sentence into tokens in one pass.
func Lex(sentence string) []Token {
	l := lexer{text: sentence, tokens: make([]Token, 0, len(sentence)/6+4)}
	for l.pos < len(l.text) {
		l.next()
	}
	// The unit of a list or range stands behind its last figure.
	for i := len(l.tokens) - 1; i > 0; i-- {
		if l.tokens[i].Link != 0 && l.tokens[i-1].Unit == "" {
			l.tokens[i-1].Unit = l.tokens[i].Unit
		}
	}
	return l.tokens
}

type lexer struct {
	text   string
	pos    int
	link   byte // joins the next figure to the one before
	tokens []Token
}

func (l *lexer) next() {
	c := l.text[l.pos]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		l.pos++
	case isDigit(c):
		l.number(l.pos)
	case signBefore(l.text, l.pos) > 0:
		l.number(l.pos + signBefore(l.text, l.pos))
	case isLetter(c) || c >= utf8.RuneSelf && unicode.IsLetter(l.rune()):
		l.word()
	default:
		_, size := utf8.DecodeRuneInString(l.text[l.pos:])
		l.emit(Token{Kind: Mark, Start: l.pos, End: l.pos + size})
	}
}

func (l *lexer) rune() rune {
	r, _ := utf8.DecodeRuneInString(l.text[l.pos:])
	return r
}

func (l *lexer) emit(t Token) {
	if t.UnitEnd < t.End {
		t.UnitEnd = t.End
	}
	t.Link, l.link = l.link, 0
	l.tokens = append(l.tokens, t)
	l.pos = t.End
}

// signBefore is the length of a sign at i that belongs to the digits behind it: it
// stands at the start, after a blank or after an opening mark.
func signBefore(text string, i int) int {
	n := 0
	switch {
	case text[i] == '-' || text[i] == '+':
		n = 1
	case strings.HasPrefix(text[i:], "\u2212"):
		n = len("\u2212")
	}
	if n == 0 || i+n >= len(text) || !isDigit(text[i+n]) {
		return 0
	}
	if i > 0 && !strings.ContainsRune(" \t\n([=:", rune(text[i-1])) {
		return 0
	}
	return n
}

// number reads from the first digit at i; l.pos may stand on a sign before it.
func (l *lexer) number(i int) {
	start := l.pos
	if end := hashEnd(l.text, i); end > 0 {
		l.name(end)
		return
	}
	if end := stampEnd(l.text, i); end > 0 {
		l.emit(Token{Kind: Stamp, Start: start, End: end})
		return
	}
	end := decimalEnd(l.text, i)
	suffix := lettersEnd(l.text, end)
	if suffix < len(l.text) && suffix > end && (isDigit(l.text[suffix]) || l.text[suffix] == '_') ||
		suffix == end && end < len(l.text) && l.text[end] == '_' || versionAt(l.text, end) {
		l.name(end)
		return
	}
	t := Token{Kind: Figure, Start: start, End: end}
	if l.afterNameWord() {
		t.Kind = Name
	}
	switch letters := l.text[end:suffix]; {
	case letters == "":
		t.Unit, t.UnitEnd = unitAt(l.text, end)
	case letters == "K" || letters == "k" || letters == "M":
		t.Kind, t.End = Nominal, suffix
		t.Unit, t.UnitEnd = unitAt(l.text, suffix)
	default:
		unit, unitEnd := unitWord(l.text, end)
		if unitEnd < suffix {
			l.name(end)
			return
		}
		t.Unit, t.UnitEnd = unit, unitEnd
	}
	l.emit(t)
	l.join()
}

// join notices that another figure hangs on the one just read.
func (l *lexer) join() {
	rest := l.text[l.pos:]
	for _, mark := range []string{"/", "-", "\u2013", "\u2014"} {
		if len(rest) > len(mark) && strings.HasPrefix(rest, mark) && isDigit(rest[len(mark)]) {
			l.pos += len(mark)
			if l.link = '-'; mark == "/" {
				l.link = '/'
			}
			return
		}
	}
}

// name takes everything up to the end of a name that reaches at least to at.
func (l *lexer) name(at int) {
	l.emit(Token{Kind: Name, Start: l.pos, End: chunkEnd(l.text, at)})
}

func (l *lexer) word() {
	// A number word stands alone or before a hyphen: "two-card" counts cards.
	if head := lettersEnd(l.text, l.pos); head == len(l.text) || l.text[head] == '-' || chunkEnd(l.text, head) == head {
		if _, ok := spelled(l.text[l.pos:head]); ok {
			t := Token{Kind: Spelled, Start: l.pos, End: head}
			t.Unit, t.UnitEnd = unitAt(l.text, t.End)
			l.emit(t)
			return
		}
	}
	t := Token{Kind: Word, Start: l.pos, End: chunkEnd(l.text, l.pos)}
	if strings.ContainsAny(t.Text(l.text), "0123456789") {
		t.Kind = Name
	}
	l.emit(t)
}

// nameWords stand before a number that is a product, a code or a version.
var nameWords = map[string]bool{
	"RTX": true, "GTX": true, "PRO": true, "GeForce": true, "Radeon": true, "Instinct": true, "Arc": true, "Tesla": true,
	"HTTP": true, "CUDA": true, "ROCm": true, "Gen": true, "Python": true, "Ubuntu": true, "version": true, "sm": true,
}

func (l *lexer) afterNameWord() bool {
	if len(l.tokens) == 0 {
		return false
	}
	last := l.tokens[len(l.tokens)-1]
	return last.Kind == Word && nameWords[last.Text(l.text)] && strings.TrimLeft(l.text[last.End:l.pos], " ") == ""
}
