package jsondoc

import (
	"strings"
	"unicode/utf8"
)

// decoded takes a string's content into dec, from after its opening quote.
func (s *scanner) decoded() bool {
	s.dec = s.dec[:0]
	for {
		if s.pos >= len(s.buf) && !s.fill() {
			return s.endsInString()
		}
		switch c := s.buf[s.pos]; {
		case c == '"':
			s.pos++
			s.tok = s.dec
			return true
		case c == '\\':
			if !s.escape() {
				return false
			}
		case c < ' ':
			if s.control < 0 {
				s.control = s.here()
			}
			if c == '\n' && s.runsOver() {
				return false
			}
			s.take(1)
		case c < utf8.RuneSelf:
			end, _ := plainRun(s.buf, s.pos, highs)
			s.take(end - s.pos)
		default:
			s.need(utf8.UTFMax)
			if r, n := utf8.DecodeRune(s.buf[s.pos:]); r != utf8.RuneError || n > 1 {
				s.take(n)
				continue
			}
			if s.badUTF8 < 0 {
				s.badUTF8 = s.here()
			}
			s.put(utf8.RuneError)
			s.pos += illFormed(s.buf[s.pos:])
		}
	}
}

// take copies n bytes of content, unless the string is too long already.
func (s *scanner) take(n int) {
	if s.room(n) {
		s.dec = append(s.dec, s.buf[s.pos:s.pos+n]...)
	}
	s.pos += n
}

func (s *scanner) put(r rune) {
	if s.room(utf8.RuneLen(r)) {
		s.dec = utf8.AppendRune(s.dec, r)
	}
}

func (s *scanner) room(n int) bool {
	if s.long < 0 && len(s.dec)+n > s.lim.String {
		s.long = s.here()
	}
	return s.long < 0
}

// runsOver handles a line end inside a string. Where values stand one to a line and
// the next line starts a value, the string was cut off here, not continued there.
func (s *scanner) runsOver() bool {
	if s.broke || !s.need(2) || s.buf[s.pos+1] != '{' && s.buf[s.pos+1] != '[' {
		return false
	}
	s.find(CodeControl, true, s.here(), "the line ends inside a string that starts at byte %d, and the next line starts a value: the value was cut off", s.from)
	return true
}

func (s *scanner) endsInString() bool {
	if len(s.frames) > 0 && !s.over {
		s.proven = true
		end := s.offset(len(s.buf))
		s.find(CodeTruncated, true, end,
			"the artifact ends at byte %d inside the string that starts at byte %d: it was cut off, or its writer did not finish", end, s.from)
	}
	return false
}

// escape takes one escape sequence, or a pair of them that makes one character.
func (s *scanner) escape() bool {
	if !s.need(2) {
		return s.endsInString()
	}
	c := s.buf[s.pos+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		s.put(rune("\"\\/\b\f\n\r\t"[i]))
		s.pos += 2
		return true
	}
	if c != 'u' {
		s.find(CodeSyntax, true, s.here(), "a string holds the escape %q, which JSON does not have", s.buf[s.pos:s.pos+2])
		return false
	}
	r, ok := s.hex(s.pos)
	if !ok {
		if !s.need(6) {
			return s.endsInString()
		}
		s.find(CodeSyntax, true, s.here(), "a string holds %q where \\u must be followed by four hexadecimal digits", s.buf[s.pos:s.pos+6])
		return false
	}
	n := 6
	if r >= 0xD800 && r < 0xE000 {
		if low, paired := s.hex(s.pos + 6); paired && r < 0xDC00 && low >= 0xDC00 && low < 0xE000 {
			r, n = (r-0xD800)<<10|(low-0xDC00)+0x10000, 12
		} else {
			if s.surrogate < 0 {
				s.surrogate = s.here()
			}
			r = utf8.RuneError
		}
	}
	s.put(r)
	s.pos += n
	return true
}

// hex reads \uXXXX at buf[i]. It may move the window, never what i stands for.
func (s *scanner) hex(i int) (rune, bool) {
	ahead := i - s.pos
	if !s.need(ahead + 6) {
		return 0, false
	}
	b := s.buf[s.pos+ahead:]
	if b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if d < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// defects reports what is wrong with the string just scanned.
func (s *scanner) defects() {
	if s.badUTF8 >= 0 {
		what := "bytes that are not UTF-8"
		if s.utf16 != nil {
			what = "an unpaired surrogate or half a character"
		}
		s.find(CodeBadUTF8, true, s.badUTF8, "a string holds %s; they are read as U+FFFD, so the text is in doubt", what)
	}
	if s.control >= 0 {
		s.find(CodeControl, true, s.control, "a string holds a raw control character, which JSON allows only as an escape")
	}
	if s.surrogate >= 0 {
		s.find(CodeSurrogate, true, s.surrogate, "a string holds half a surrogate pair (\\uD800 to \\uDFFF alone); it is read as U+FFFD")
	}
	if s.long >= 0 {
		s.find(CodeLongString, true, s.from, "a string is longer than %d bytes; only its start is read", s.lim.String)
	}
}
