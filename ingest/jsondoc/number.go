package jsondoc

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// maxExact is 2^53: from here on a float64 does not hold every integer.
const maxExact = "9007199254740992"

// numeral is what the grammar says of a number's text.
type numeral struct {
	whole   int  // digits before the point
	integer bool // neither fraction nor exponent
	power   bool // has an exponent
}

// number scans the number that starts at the next byte. It returns NotFinite, with
// nothing taken, for a minus sign before a word.
func (s *scanner) number() (Kind, bool) {
	s.from, s.mark = s.here(), s.pos
	text := s.numberText()
	end := s.pos >= len(s.buf)
	s.mark = -1
	if len(text) > s.lim.Number {
		s.find(CodeLongNumber, true, s.from, "a number has more than %d characters; it is not read", s.lim.Number)
		s.tok, s.to = text[:s.lim.Number], s.here()
		return Number, true
	}
	if len(text) == 1 && text[0] == '-' && !end && letter(s.buf[s.pos]) {
		s.pos--
		return NotFinite, true
	}
	n, fault := spell(text)
	switch {
	case fault == "":
	case strings.HasPrefix(fault, "a digit") && end && len(s.frames) > 0:
		return Number, s.endsInside()
	default:
		s.find(CodeSyntax, true, s.from, "%.40q is no number: it has %s", text, fault)
		return Number, false
	}
	s.tok, s.to = text, s.here()
	if !n.integer || n.whole >= len(maxExact) {
		s.weigh(n, text)
	}
	return Number, true
}

// numberText takes the bytes that can belong to a number. Of more than the limit it
// keeps the start.
func (s *scanner) numberText() []byte {
	for {
		i := s.pos
		for i < len(s.buf) && inNumber[s.buf[i]] {
			i++
		}
		s.pos = i
		if i < len(s.buf) {
			return s.buf[s.mark:i]
		}
		if keep := s.mark + s.lim.Number + 1; i > keep {
			text := bytes.Clone(s.buf[s.mark:keep])
			s.mark = -1
			s.passNumber()
			return text
		}
		if !s.fill() {
			return s.buf[s.mark:s.pos]
		}
	}
}

func (s *scanner) passNumber() {
	for s.pos < len(s.buf) || s.fill() {
		if !inNumber[s.buf[s.pos]] {
			return
		}
		s.pos++
	}
}

var inNumber = func() (set [256]bool) {
	for _, c := range []byte("0123456789+-.eE") {
		set[c] = true
	}
	return set
}()

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// spell holds text against the grammar of a number and names the fault, if any.
func spell(text []byte) (n numeral, fault string) {
	i := 0
	if text[0] == '-' {
		i++
	}
	start := i
	i = digits(text, i)
	n.whole, n.integer = i-start, true
	switch {
	case n.whole == 0:
		return n, "a digit missing"
	case n.whole > 1 && text[start] == '0':
		return n, "a leading zero"
	}
	if i < len(text) && text[i] == '.' {
		n.integer = false
		from := i + 1
		if i = digits(text, from); i == from {
			return n, "a digit missing after the point"
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		n.integer, n.power = false, true
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		from := i
		if i = digits(text, from); i == from {
			return n, "a digit missing in its exponent"
		}
	}
	if i < len(text) {
		return n, "more than a number"
	}
	return n, ""
}

func digits(text []byte, i int) int {
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	return i
}

// weigh says whether a float64 can hold the number.
func (s *scanner) weigh(n numeral, text []byte) {
	if n.power || len(text) > 300 {
		f, err := strconv.ParseFloat(string(text), 64)
		if err != nil || math.IsInf(f, 0) {
			s.find(CodeOutOfRange, true, s.from, "the number %.40s is larger than any float64", text)
		} else if f == 0 && bytes.ContainsAny(text[:mantissa(text)], "123456789") {
			s.find(CodeOutOfRange, true, s.from, "the number %.40s is not zero, but smaller than any float64", text)
		}
	}
	if n.integer {
		text = bytes.TrimPrefix(text, []byte("-"))
		if n.whole > len(maxExact) || string(text) > maxExact {
			s.find(CodeBigInteger, true, s.from, "the integer %.40s is beyond 2^53: its digits are kept, arithmetic would round them", s.tok)
		}
	}
}

func mantissa(text []byte) int {
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		return i
	}
	return len(text)
}

// word scans true, false, null and the spellings of numbers that are not finite.
func (s *scanner) word() (Kind, bool) {
	s.from, s.mark = s.here(), s.pos
	defer func() { s.mark = -1 }()
	if c := s.buf[s.pos]; c == '-' || c == '+' {
		s.pos++
	}
	for s.pos < len(s.buf) || s.fill() {
		if c := s.buf[s.pos] | 0x20; c < 'a' || c > 'z' || s.pos-s.mark > 16 {
			break
		}
		s.pos++
	}
	text := s.buf[s.mark:s.pos]
	s.tok, s.to = text, s.here()
	switch string(text) {
	case "true", "false":
		s.plain = false
		return Bool, true
	case "null":
		s.plain = false
		s.tok = nil
		return Null, true
	}
	switch string(bytes.ToLower(bytes.TrimLeft(text, "+-"))) {
	case "nan", "inf", "infinity":
		s.find(CodeNotFinite, true, s.from, "%s is not a JSON number and not finite: it is kept as the word it is, never as a value", text)
		return NotFinite, true
	}
	if s.pos >= len(s.buf) && len(s.frames) > 0 && startsWord(text) {
		return Null, s.endsInside()
	}
	s.find(CodeSyntax, true, s.from, "expected a value, found %.20q; the words of JSON are true, false and null", text)
	return Null, false
}

// startsWord reports whether text can be the beginning of a word that is known.
func startsWord(text []byte) bool {
	for _, w := range []string{"true", "false", "null", "nan", "infinity", "NaN", "Infinity", "-Infinity", "-inf", "+inf"} {
		if len(text) < len(w) && w[:len(text)] == string(text) {
			return true
		}
	}
	return false
}
