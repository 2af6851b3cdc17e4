package artifacttext

import "io"

const (
	bufSize = 64 << 10
	// keepMax is how many bytes of one token are kept. A longer token is followed to
	// its end but only its head is shown.
	keepMax = 4 << 10
)

type kind uint8

const (
	space kind = iota // white space, at most up to and including one line feed
	beginObject
	endObject
	beginArray
	endArray
	comma
	colon
	str
	number
	word // true, false, null, and NaN, Infinity, -Infinity, which real files hold
	bad
	eof
)

// token is a stretch of the text. text is its first keepMax bytes, valid until the
// next call of the scanner.
type token struct {
	kind       kind
	start, end int64
	text       []byte
}

// scanner cuts a stream into JSON tokens and white space.
type scanner struct {
	r    io.Reader
	buf  []byte // what has been read and not yet passed
	pos  int
	base int64 // offset of buf[0] in the text
	done bool  // r has no more
	err  error // of r, other than io.EOF
	head [keepMax]byte
	mem  [bufSize]byte
}

func newScanner(r io.Reader, at int64) *scanner {
	s := &scanner{r: r, base: at}
	s.buf = s.mem[:0]
	return s
}

func (s *scanner) offset() int64 { return s.base + int64(s.pos) }

// fill moves what is left to the front and reads more.
func (s *scanner) fill() {
	n := copy(s.mem[:], s.buf[s.pos:])
	s.base += int64(s.pos)
	s.pos, s.buf = 0, s.mem[:n]
	for len(s.buf) < keepMax && !s.done {
		m, err := s.r.Read(s.mem[len(s.buf):])
		s.buf = s.mem[:len(s.buf)+m]
		if err != nil {
			s.done = true
			if err != io.EOF {
				s.err = err
			}
		}
	}
}

// next is the next token. It never fails: what fits nowhere is bad, the end is eof.
func (s *scanner) next() token {
	if len(s.buf)-s.pos < keepMax && !s.done {
		s.fill()
	}
	if s.pos == len(s.buf) {
		return token{kind: eof, start: s.offset(), end: s.offset()}
	}
	switch c := s.buf[s.pos]; c {
	case '{':
		return s.take(beginObject, 1)
	case '}':
		return s.take(endObject, 1)
	case '[':
		return s.take(beginArray, 1)
	case ']':
		return s.take(endArray, 1)
	case ',':
		return s.take(comma, 1)
	case ':':
		return s.take(colon, 1)
	case '"':
		return s.scanString()
	case ' ', '\t', '\r', '\n':
		return s.take(space, s.spaceLen())
	default:
		if !bare[c] {
			return s.take(bad, 1)
		}
		return s.scanBare()
	}
}

func (s *scanner) take(k kind, n int) token {
	t := token{kind: k, start: s.offset(), text: s.buf[s.pos : s.pos+n]}
	s.pos += n
	t.end = s.offset()
	return t
}

func (s *scanner) spaceLen() int {
	b := s.buf[s.pos:min(len(s.buf), s.pos+keepMax)]
	for i, c := range b {
		switch c {
		case '\n':
			return i + 1
		case ' ', '\t', '\r':
		default:
			return i
		}
	}
	return len(b)
}

// scanString reads to the closing quote. A control character or the end of the text
// makes it bad.
func (s *scanner) scanString() token {
	esc := false
	return s.run(1, func(b []byte) (int, kind, bool) {
		for i, c := range b {
			switch {
			case esc:
				esc = false
			case c == '\\':
				esc = true
			case c == '"':
				return i + 1, str, true
			case c < 0x20:
				return i, bad, true
			}
		}
		return len(b), bad, false
	})
}

var bare = func() (t [256]bool) {
	for c := '0'; c <= '9'; c++ {
		t[c] = true
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = true, true
	}
	t['-'], t['+'], t['.'], t['_'] = true, true, true, true
	return t
}()

// scanBare reads a number or a word.
func (s *scanner) scanBare() token {
	t := s.run(1, func(b []byte) (int, kind, bool) {
		for i, c := range b {
			if !bare[c] {
				return i, number, true
			}
		}
		return len(b), number, false
	})
	switch string(t.text) {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity":
		t.kind = word
	default:
		if !isNumber(t.text, t.end-t.start > keepMax) {
			t.kind = bad
		}
	}
	return t
}

// run takes skip bytes and then all that more wants. more returns how many bytes
// of b it took, the token's kind so far and whether the token is complete.
func (s *scanner) run(skip int, more func(b []byte) (int, kind, bool)) token {
	t := token{start: s.offset()}
	from, i := s.pos, s.pos+skip
	for {
		n, k, complete := more(s.buf[i:])
		t.kind = k
		if complete || s.done {
			i += n
			if t.text == nil {
				t.text = s.buf[from:min(i, from+keepMax)]
			}
			s.pos = i
			t.end = s.offset()
			return t
		}
		if t.text == nil {
			t.text = s.head[:copy(s.head[:], s.buf[from:])]
		}
		s.pos = len(s.buf)
		s.fill()
		i = 0
	}
}

// isNumber reports whether b is a number of JSON's grammar; cut says that b is only
// the beginning of one.
func isNumber(b []byte, cut bool) bool {
	i := 0
	digits := func() bool {
		j := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > j || cut && i == len(b)
	}
	if i < len(b) && b[i] == '-' {
		i++
	}
	zero := i < len(b) && b[i] == '0'
	from := i
	if !digits() || zero && i > from+1 {
		return false
	}
	if i < len(b) && b[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(b)
}
