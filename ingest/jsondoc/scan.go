package jsondoc

import (
	"bytes"
	"fmt"
	"io"

	"assay/store/evidence"
)

// Form is what the bytes of an artifact turned out to be.
type Form uint8

const (
	Empty     Form = iota // nothing, or nothing but white space
	JSON                  // one value or several, whole; findings may still put them in doubt
	Malformed             // meant as JSON, and not whole
	NotJSON               // text of another kind, or no text: see Summary.Encoding
	Unread                // larger than Limits.Size
)

// Summary is what a scan says of the artifact as a whole.
type Summary struct {
	Form     Form
	Encoding string
	Size     int64 // bytes read
	Values   int   // values begun, broken ones too; 0 when Form is NotJSON or Empty
	Whole    int   // those that did not break off
	Findings []evidence.Finding
}

// Several reports whether pointers into the artifact start with the index of a value.
func (s *Summary) Several() bool { return s.Values > 1 }

// Failed reports whether a finding says that the artifact must not be relied on.
func (s *Summary) Failed() bool {
	for i := range s.Findings {
		if s.Findings[i].Severity == evidence.Error {
			return true
		}
	}
	return false
}

// Scan reads r to its end and tells h every token. The error is r's own; defects of
// the artifact are findings. When the form turns out to be NotJSON, what h was told
// means nothing.
func Scan(r io.Reader, lim Limits, h Handler) (Summary, error) {
	s := newScanner(lim, h)
	s.encoding = openWindow(&s.window, r)
	s.artifact()
	if s.err != nil {
		return Summary{}, fmt.Errorf("read artifact at byte %d: %w", s.size, s.err)
	}
	return s.summary(), nil
}

// ScanBytes is Scan over bytes in memory, without copying them.
func ScanBytes(data []byte, lim Limits, h Handler) Summary {
	s := newScanner(lim, h)
	if int64(len(data)) > s.lim.Size {
		data, s.over = data[:s.lim.Size], true
	}
	switch encoding, _ := detect(data); encoding {
	case UTF16LE, UTF16BE, UTF16LEBOM, UTF16BEBOM:
		s.encoding = openWindow(&s.window, bytes.NewReader(data))
	default:
		s.buf, s.size = data, int64(len(data))
		s.encoding = openWindow(&s.window, nil)
	}
	s.artifact()
	return s.summary()
}

// scanner walks one artifact.
type scanner struct {
	window
	lim      Limits
	tell     Handler
	event    Event
	report   report
	encoding string

	value  int  // index of the current value
	broke  bool // a line ended inside it
	plain  bool // it holds numbers and arrays only
	frames []frame
	names  names

	whole    int   // values that are whole
	proven   bool  // something was read that only JSON has
	trailed  bool  // something that is no JSON follows a value
	stop     bool  // nothing more is read
	text     bool  // it is not JSON
	lead     int64 // bytes of text before the first value, 0 when there are none
	cr, crlf int64 // text offset of the last CR, place of the first CR LF; -1 without
	glanced  [24]byte
	glances  int
	token
}

func newScanner(lim Limits, h Handler) *scanner {
	lim = lim.orDefaults()
	if h == nil {
		h = func(*Event) {}
	}
	s := &scanner{lim: lim, tell: h, value: -1, cr: -1, crlf: -1}
	s.report.limit = max(lim.Findings, 4) // one of each severity, at least
	s.window.limit = lim.Size
	return s
}

// find reports a defect. inside says whether the place is the current child of the
// innermost container or the container itself.
func (s *scanner) find(code string, inside bool, offset int64, format string, args ...any) {
	if s.report.room(code) {
		s.report.add(code, s.value, s.path(inside), offset, fmt.Sprintf(format, args...))
	}
}

// note reports something about the artifact as a whole.
func (s *scanner) note(code string, offset int64, format string, args ...any) {
	if s.report.room(code) {
		s.report.add(code, -1, "", offset, fmt.Sprintf(format, args...))
	}
}

// emit tells the handler.
func (s *scanner) emit(op Op, kind Kind, text []byte, offset, end int64) {
	e := &s.event
	e.Op, e.Kind, e.Index, e.Text, e.Offset, e.End = op, kind, s.value, text, offset, end
	s.tell(e)
}

// peek skips white space and returns the next byte without taking it.
func (s *scanner) peek() (byte, bool) {
	for {
		buf, i := s.buf, s.pos
		for i < len(buf) {
			c := buf[i]
			if c > ' ' {
				s.pos = i
				return c, true
			}
			switch c {
			case ' ', '\t':
			case '\n':
				s.newline(i)
			case '\r':
				s.cr = s.base + int64(i)
			default:
				s.pos = i
				return c, true
			}
			i++
		}
		s.pos = i
		if !s.fill() {
			return 0, false
		}
	}
}

func (s *scanner) newline(i int) {
	s.broke = true
	if s.cr >= 0 && s.cr == s.base+int64(i)-1 && s.crlf < 0 {
		s.crlf = s.offset(i) - 1
		if s.utf16 != nil {
			s.crlf--
		}
	}
}

// summary closes the books.
func (s *scanner) summary() Summary {
	sum := Summary{Encoding: s.encoding, Size: s.size, Values: s.value + 1, Whole: s.whole}
	switch {
	case s.over:
		sum.Form = Unread
	case s.text, s.lead > 0 && !s.proven:
		sum.Form = NotJSON
	case sum.Values == 0:
		sum.Form = Empty
	case s.whole < sum.Values || s.trailed:
		sum.Form = Malformed
	default:
		sum.Form = JSON
	}
	if sum.Form == NotJSON || sum.Form == Empty {
		sum.Values, sum.Whole, s.report = 0, 0, report{limit: s.report.limit}
	} else if s.encoding == Binary || s.encoding == EightBit {
		sum.Encoding = UTF8
	}
	s.remarks(&sum)
	sum.Findings = s.report.list(sum.Several())
	return sum
}
