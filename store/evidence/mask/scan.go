package mask

import "strings"

// Bounds: what one rule reads at most. Longer runs are cut there and masked as far.
const (
	judged   = 1 << 10  // of a value, before it is known to be one
	maxToken = 64 << 10 // of a value that is one
	maxName  = 80
	maxPath  = 4 << 10
	maxHost  = 256
)

// class of a byte: which rules it asks.
type class uint8

const (
	plain class = iota
	letter
	digit     // letters and digits make words
	separator // ':' and '='
	dash
	slash
	backslash
)

var classes = func() (t [256]class) {
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = letter, letter
	}
	t[':'], t['='], t['-'], t['/'], t['\\'] = separator, separator, dash, slash, backslash
	return t
}()

// alnum are letters and digits.
var alnum = func() (t [256]bool) {
	for c, k := range classes {
		t[c] = k == letter || k == digit
	}
	return t
}()

// scanner is one walk over a text.
type scanner struct {
	s       string
	private bool
	spans   []Span
	done    int // what lies before belongs to a span
}

func find(s string, private bool) []Span {
	sc := scanner{s: s, private: private}
	for i := 0; i < len(s); {
		c := classes[s[i]]
		if c == plain {
			i++
			continue
		}
		if p, ok := sc.at(i, c); ok && p.Start >= sc.done && p.End > p.Start {
			sc.spans = append(sc.spans, p)
			sc.done = p.End
			i = max(p.End, i+1)
			continue
		}
		i = sc.pass(i, c)
	}
	return sc.spans
}

// pass is where the walk goes on when nothing was found at i: behind the word, since
// nothing begins inside one, or behind the escape sequence.
func (sc *scanner) pass(i int, c class) int {
	s := sc.s
	switch {
	case c <= digit:
		for i++; i < len(s) && alnum[s[i]]; i++ {
		}
		return i
	case c == backslash && i+1 < len(s):
		if strings.IndexByte("ntrbf", s[i+1]) >= 0 {
			return i + 2
		}
		if s[i+1] == 'u' && i+6 <= len(s) && hexRun(s[i+2:i+6]) == 4 {
			return i + 6
		}
	}
	return i + 1
}

func (sc *scanner) at(i int, c class) (Span, bool) {
	switch c {
	case letter:
		return sc.word(i)
	case digit:
		return sc.number(i)
	case separator:
		return sc.join(i)
	case dash:
		return sc.dashes(i)
	case slash:
		return sc.slash(i)
	case backslash:
		return sc.share(i)
	}
	return Span{}, false
}

// word asks the rules of things that begin with letters.
func (sc *scanner) word(i int) (Span, bool) {
	if len(tokensBy[sc.s[i]]) > 0 {
		if p, ok := sc.token(i); ok {
			return p, true
		}
	}
	rest := sc.s[i:]
	switch rest[0] {
	case 'b', 'B':
		return sc.bearer(i)
	case 'e':
		return sc.jwt(i)
	case 'G', 'M', 'g', 'm':
		if sc.private && len(rest) > 4 && (strings.EqualFold(rest[:4], "GPU-") || strings.EqualFold(rest[:4], "MIG-")) {
			return sc.card(i)
		}
	}
	return Span{}, false
}

// join asks the rules of ":" and "=".
func (sc *scanner) join(i int) (Span, bool) {
	if sc.s[i] == ':' {
		if strings.HasPrefix(sc.s[i:], "://") {
			return sc.url(i + 3)
		}
		if sc.private {
			if p, ok := sc.drive(i); ok {
				return p, true
			}
			if p, ok := sc.mac(i); ok {
				return p, true
			}
		}
	}
	return sc.assigned(i)
}

// fresh reports whether a word may begin at i: after no letter or digit, or after an
// escape sequence of JSON such as \n or \u0022.
func (sc *scanner) fresh(i int) bool {
	if i == 0 || !isAlnum(sc.s[i-1]) {
		return true
	}
	if i >= 2 && sc.s[i-2] == '\\' {
		return strings.IndexByte("ntrbf", sc.s[i-1]) >= 0
	}
	return i >= 6 && sc.s[i-6] == '\\' && sc.s[i-5] == 'u' && hexRun(sc.s[i-4:i]) == 4
}

func isAlnum(c byte) bool { return alnum[c] }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// run is the length of the prefix of s whose bytes are letters, digits or in more.
func run(s, more string) int {
	n := 0
	for n < len(s) && n < judged && (isAlnum(s[n]) || strings.IndexByte(more, s[n]) >= 0) {
		n++
	}
	return n
}

// onward is the end of a credential that was judged by the n bytes after i.
func (sc *scanner) onward(i, n int, more string) int {
	end := i + n
	for n >= judged && end < len(sc.s) && end-i < maxToken && (isAlnum(sc.s[end]) || strings.IndexByte(more, sc.s[end]) >= 0) {
		end++
	}
	return end
}

func hexRun(s string) int {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'f') {
		n++
	}
	return n
}
