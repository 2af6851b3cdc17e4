package sse

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

// Event is one dispatched event. Its slices are valid until the next call of Feed or Next.
type Event struct {
	Name []byte
	Data []byte
	At   time.Duration // when the last byte of the data came
}

// ErrTooLong is wrapped by the error for a line or an event above the limit.
var ErrTooLong = errors.New("longer than the limit")

// ErrGarbage is wrapped by the error for a line that is no field of an event stream.
var ErrGarbage = errors.New("not a line of an event stream")

// DefaultLimit bounds one line and one event.
const DefaultLimit = 4 << 20

// Scanner is ready with its zero value.
type Scanner struct {
	Limit    int // bytes of one line and of one event; 0 is DefaultLimit
	Comments int // comment lines, keep-alives mostly
	Strays   int // lines with a field name that is not known, left out

	in     []byte // what is left of the read
	lf     int    // index of the next LF in it, -1 if there is none, unknown before
	at     time.Duration
	line   []byte // beginning of a line whose end has not come
	data   []byte // data of the event so far
	own    []byte // room for data that outlives its read
	owned  bool   // data lies in own
	name   []byte
	some   bool // a data line has come
	given  bool // the event that name and data belong to has been given
	dataAt time.Duration
	skipLF bool
	closed bool
	lines  int
	err    error
}

// Reset makes s ready for another stream and keeps its room.
func (s *Scanner) Reset() {
	*s = Scanner{Limit: s.Limit, line: s.line[:0], own: s.own[:0], name: s.name[:0]}
}

const unknown = -2

// Feed takes the bytes of one read. Everything that Next gave before is invalid, and Next
// must have answered false since the last Feed.
func (s *Scanner) Feed(p []byte, at time.Duration) {
	s.in, s.at, s.lf = p, at, unknown
}

// Close says that the stream has ended; Next gives what is left.
func (s *Scanner) Close() { s.closed = true }

// Err is the fault that ended the scan.
func (s *Scanner) Err() error { return s.err }

// Next finds the next event of what was fed.
func (s *Scanner) Next(e *Event) bool {
	if s.given {
		s.given, s.some, s.owned, s.data, s.name = false, false, false, nil, s.name[:0]
	}
	for s.err == nil {
		line, torn, ok := s.cut()
		if !ok {
			break
		}
		if s.take(line, torn) {
			return s.give(e)
		}
	}
	if s.err == nil && s.closed {
		if line := s.line; len(line) > 0 {
			s.line = line[:0]
			s.take(line, true)
		}
		return s.err == nil && s.some && s.give(e)
	}
	s.keep()
	return false
}

func (s *Scanner) give(e *Event) bool {
	e.Name, e.Data, e.At = s.name, s.data, s.dataAt
	s.given = true
	return true
}

// keep copies data that lies in the read that is about to be overwritten.
func (s *Scanner) keep() {
	if s.some && !s.owned {
		s.own = append(s.own[:0], s.data...)
		s.data, s.owned = s.own, true
	}
}

// cut takes one line off the input, without its end. It is false when no line end has
// come; the beginning of the line is kept. A torn line lies in s.line.
func (s *Scanner) cut() (line []byte, torn, ok bool) {
	if s.skipLF && len(s.in) > 0 {
		s.skipLF = false
		if s.in[0] == '\n' {
			s.pass(1)
		}
	}
	if s.lf == unknown { // looked for once a line, also where lines end in CR
		s.lf = bytes.IndexByte(s.in, '\n')
	}
	end := s.lf
	part := s.in
	if end >= 0 {
		part = s.in[:end]
	}
	rest := end + 1
	if cr := bytes.IndexByte(part, '\r'); cr >= 0 {
		part, rest = part[:cr], cr+1
		switch {
		case rest < len(s.in) && s.in[rest] == '\n':
			rest++
		case rest == len(s.in):
			s.skipLF = true
		}
	} else if end < 0 {
		s.in, s.lf = nil, unknown
		s.hold(part)
		return nil, false, false
	}
	s.pass(rest)
	if len(s.line) == 0 {
		if len(part) > s.limit() {
			s.tooLong()
			return nil, false, false
		}
		return part, false, true
	}
	if !s.hold(part) {
		return nil, false, false
	}
	line, s.line = s.line, s.line[:0]
	return line, true, true
}

// pass drops the first n bytes of the input.
func (s *Scanner) pass(n int) {
	s.in = s.in[n:]
	if s.lf >= n {
		s.lf -= n
	} else if s.lf >= 0 {
		s.lf = unknown
	}
}

func (s *Scanner) limit() int {
	if s.Limit > 0 {
		return s.Limit
	}
	return DefaultLimit
}

// hold adds to the line whose end has not come.
func (s *Scanner) hold(part []byte) bool {
	if len(s.line)+len(part) > s.limit() {
		s.tooLong()
		return false
	}
	s.line = append(s.line, part...)
	return true
}

func (s *Scanner) tooLong() {
	s.err = fmt.Errorf("event stream line %d: %w of %d bytes", s.lines+1, ErrTooLong, s.limit())
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// take reads one line and says whether it ends an event that has data.
func (s *Scanner) take(line []byte, torn bool) bool {
	if s.lines++; s.lines == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	if len(line) == 0 {
		if !s.some {
			s.name = s.name[:0]
		}
		return s.some
	}
	field, value, _ := bytes.Cut(line, colon)
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(field) {
	case "":
		s.Comments++
	case "data":
		s.addData(value, torn)
	case "event":
		s.name = append(s.name[:0], value[:min(len(value), 256)]...)
	case "error": // llama.cpp writes errors so
		s.name = append(s.name[:0], field...)
		s.addData(value, torn)
	case "id", "retry":
	default:
		if !plain(field) {
			s.err = fmt.Errorf("event stream line %d: %w: %.60q", s.lines, ErrGarbage, line[:min(len(line), 60)])
			return false
		}
		s.Strays++
	}
	return false
}

var colon = []byte{':'}

func (s *Scanner) addData(value []byte, torn bool) {
	s.dataAt = s.at
	switch {
	case s.some && len(s.data)+1+len(value) > s.limit():
		s.tooLong()
	case s.some:
		s.keep()
		s.data = append(append(s.data, '\n'), value...)
		s.own = s.data
	case torn: // the room of the line becomes the room of the data
		s.own, s.line = s.line, s.own[:0]
		s.some, s.owned, s.data = true, true, value
	default:
		s.some, s.owned, s.data = true, false, value
	}
}

// plain says whether a field name could be one of a later version of the format.
func plain(name []byte) bool {
	if len(name) > 40 {
		return false
	}
	for _, c := range name {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
