package jsondoc

import (
	"bytes"
	"strings"
)

// maxLead is how much text may stand before the first value: a few lines that a
// program printed before its result, not a log with a value in it.
const maxLead = 4 << 10

// artifact scans value after value to the end.
func (s *scanner) artifact() {
	for !s.stop {
		c, more := s.peek()
		if !more {
			return
		}
		if c == '{' || c == '[' {
			s.bracketed()
			continue
		}
		from := s.here()
		s.glance()
		switch {
		case s.bare(c):
		case s.value < 0:
			s.leading()
		default:
			s.trailing(from)
		}
	}
}

// bracketed scans one object or array of the artifact.
func (s *scanner) bracketed() {
	before := s.report
	s.value++
	s.broke, s.plain = false, true
	start := s.here()
	s.emit(Begin, Null, nil, start, start)
	if s.container() {
		s.whole++
		s.emit(End, Null, nil, start, s.here())
		if s.plain && s.value == 0 && s.sticks() && !strings.ContainsRune("]},", rune(s.buf[s.pos])) {
			s.notJSON() // "[1,0]<stdout>: ..."
		}
		return
	}
	s.emit(Broken, Null, nil, s.here(), s.here())
	for len(s.frames) > 0 {
		s.pop()
	}
	switch {
	case s.proven && s.lead > 0:
		s.notJSON()
	case !s.proven && s.value == 0:
		s.report, s.value = before, -1
		s.leading()
	case s.broke:
		s.stop = true // where the next value starts is anybody's guess
	default:
		s.nextLine()
		if c, more := s.peek(); more && c != '{' && c != '[' {
			s.stop = true
		}
	}
}

// bare scans a number, string or word that stands by itself. It returns false when
// there is none that ends where a value may end; what it took then is no value.
func (s *scanner) bare(c byte) bool {
	before := s.report
	s.value++
	kind, ok := String, false
	if c == '"' {
		ok = s.str(true)
	} else {
		kind, ok = s.scalar(c)
	}
	if !ok || kind == NotFinite || s.sticks() {
		s.report = before
		s.value--
		return false
	}
	s.whole++
	text := s.tok
	s.emit(Begin, Null, nil, s.from, s.from)
	s.emit(Leaf, kind, text, s.from, s.to)
	s.emit(End, Null, nil, s.from, s.to)
	return true
}

// sticks reports whether something that starts no value follows without a space.
func (s *scanner) sticks() bool {
	return s.need(1) && !strings.ContainsRune(" \t\r\n{[", rune(s.buf[s.pos]))
}

func (s *scanner) notJSON() { s.text, s.stop = true, true }

// leading passes over a few lines of text before the first value, if there is one.
func (s *scanner) leading() {
	for s.nextLine() && s.base+int64(s.pos) <= maxLead {
		if s.lineOpens() {
			s.lead = s.here()
			return
		}
	}
	s.notJSON()
}

// trailing reports what follows a value and is none, up to the next line that can
// start one.
func (s *scanner) trailing(from int64) {
	if !s.proven || s.lead > 0 {
		s.notJSON()
		return
	}
	s.trailed = true
	for s.nextLine() && !s.lineOpens() {
	}
	s.note(CodeTrailing, from, "%d bytes after value %d are no JSON value (they start with %q): another program wrote into the file, or a value was cut",
		s.here()-from, s.value, strings.ToValidUTF8(string(s.glanced[:s.glances]), "�"))
}

// nextLine moves behind the next line end and reports whether there was one.
func (s *scanner) nextLine() bool {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:], '\n'); i >= 0 {
			s.pos += i + 1
			return true
		}
		s.pos = len(s.buf)
		if !s.fill() {
			return false
		}
	}
}

// lineOpens reports whether the line at pos starts with a container. It moves over
// blanks only.
func (s *scanner) lineOpens() bool {
	for s.need(1) {
		switch s.buf[s.pos] {
		case ' ', '\t':
			s.pos++
		case '{', '[':
			return true
		default:
			return false
		}
	}
	return false
}

// glance remembers the text at pos, for a message.
func (s *scanner) glance() {
	s.need(len(s.glanced))
	s.glances = copy(s.glanced[:], s.buf[s.pos:])
}

// remarks says what holds for the artifact as a whole.
func (s *scanner) remarks(sum *Summary) {
	switch {
	case strings.HasSuffix(s.encoding, "-bom") && s.utf16 == nil:
		s.note(CodeBOM, 0, "a UTF-8 byte order mark stands before the text; offsets count it")
	case s.utf16 != nil:
		s.note(CodeUTF16, 0, "the text is %s; offsets count the bytes of the artifact, two for most characters", s.encoding)
	}
	if s.crlf >= 0 && sum.Form != NotJSON {
		s.note(CodeCRLF, s.crlf, "lines end with carriage return and line feed")
	}
	if s.lead > 0 && sum.Form != NotJSON {
		s.note(CodeLeading, 0, "%d bytes of text stand before the first value; they are kept and not read", s.lead)
	}
	switch sum.Form {
	case Empty:
		s.note(CodeEmpty, 0, "the artifact has %d bytes and none of them is more than white space", sum.Size)
	case NotJSON:
		what := "text that is not JSON"
		if sum.Encoding == Binary {
			what = "no text"
		}
		s.note(CodeNotJSON, 0, "the artifact is %s (%s): its bytes are kept, no value is read from it", what, sum.Encoding)
	case Unread:
		s.note(CodeTooLarge, s.lim.Size, "the artifact is larger than %d bytes: its bytes are kept, and nothing is read from them", s.lim.Size)
	case JSON, Malformed:
		if sum.Several() {
			s.note(CodeSeveral, 0, "the artifact holds %d values, one after the other; a pointer starts with the number of its value, from 0", sum.Values)
		}
	}
}
