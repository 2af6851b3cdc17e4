package frame

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrSyntax is wrapped by every fault of Parse.
var ErrSyntax = errors.New("not a JSON object")

const maxDepth = 64

// parser walks JSON bytes. The first fault sticks; after it every step answers nothing.
type parser struct {
	b     []byte
	i     int
	depth int
	err   error
	f     *Frame

	// Members whose meaning depends on others.
	object, delta, message, code, status []byte
}

func (p *parser) fail(wanted string) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: byte %d of %d: want %s", ErrSyntax, p.i, len(p.b), wanted)
		p.i = len(p.b)
	}
}

func (p *parser) space() {
	for p.i < len(p.b) {
		switch p.b[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

// peek is the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.i < len(p.b) {
		return p.b[p.i]
	}
	return 0
}

// open enters an object or array if the value is one; else the value is skipped.
func (p *parser) open(kind byte) bool {
	p.space()
	if p.peek() != kind {
		p.skip()
		return false
	}
	if p.depth++; p.depth > maxDepth {
		p.fail("less depth")
		return false
	}
	p.i++
	return true
}

// more steps to the next entry of an object or array that ends in end.
func (p *parser) more(first *bool, end byte) bool {
	p.space()
	c := p.peek()
	switch {
	case p.err != nil:
		return false
	case c == end:
		p.i++
		p.depth--
		return false
	case *first:
		*first = false
		return true
	case c == ',':
		p.i++
		p.space()
		return true
	}
	p.fail("a comma or the end of the list")
	return false
}

// key steps to the next member of an object.
func (p *parser) key(first *bool) ([]byte, bool) {
	if !p.more(first, '}') {
		return nil, false
	}
	k, ok := p.quoted()
	if !ok {
		p.fail("a name")
		return nil, false
	}
	if bytes.IndexByte(k, '\\') >= 0 {
		k = AppendText(nil, k)
	}
	p.space()
	if p.peek() != ':' {
		p.fail("a colon")
		return nil, false
	}
	p.i++
	return k, true
}

// quoted reads a string and gives its inside.
func (p *parser) quoted() ([]byte, bool) {
	if p.peek() != '"' {
		return nil, false
	}
	start := p.i + 1
	for i := start; i < len(p.b); i++ {
		switch c := p.b[i]; {
		case c == '"':
			p.i = i + 1
			return p.b[start:i], true
		case c == '\\':
			n := escape(p.b[i:])
			if n == 0 {
				p.i = i
				p.fail("an escape")
				return nil, false
			}
			i += n - 1
		case c < 0x20:
			p.i = i
			p.fail("no control character in a string")
			return nil, false
		}
	}
	p.i = len(p.b)
	p.fail("the end of a string")
	return nil, false
}

// escape is the length of the escape that b begins with, 0 if it is none.
func escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		for _, c := range b[2:6] {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}

// text reads a string value; any other value is skipped and reads as nothing.
func (p *parser) text() []byte {
	p.space()
	if p.peek() != '"' {
		p.skip()
		return nil
	}
	s, _ := p.quoted()
	return s
}

// number reads a number's digits; any other value is skipped and reads as nothing.
func (p *parser) number() []byte {
	p.space()
	start := p.i
	c := p.peek()
	p.skip()
	if p.err != nil || c != '-' && (c < '0' || c > '9') {
		return nil
	}
	return p.b[start:p.i]
}

// skip passes over one value of any kind and checks its grammar.
func (p *parser) skip() {
	p.space()
	switch c := p.peek(); c {
	case '"':
		p.quoted()
	case '{':
		p.open('{')
		for first := true; ; {
			if _, ok := p.key(&first); !ok {
				return
			}
			p.skip()
		}
	case '[':
		p.open('[')
		for first := true; p.more(&first, ']'); {
			p.skip()
		}
	case 't':
		p.word("true")
	case 'f':
		p.word("false")
	case 'n':
		p.word("null")
	default:
		p.digits()
	}
}

func (p *parser) word(w string) {
	if len(p.b)-p.i < len(w) || string(p.b[p.i:p.i+len(w)]) != w {
		p.fail("a value")
		return
	}
	p.i += len(w)
}

func (p *parser) digits() {
	if p.peek() == '-' {
		p.i++
	}
	if p.peek() == '0' {
		p.i++
	} else if !p.run() {
		p.fail("a value")
		return
	}
	if p.peek() == '.' {
		p.i++
		if !p.run() {
			p.fail("a digit")
			return
		}
	}
	if p.peek()|0x20 == 'e' {
		p.i++
		if c := p.peek(); c == '+' || c == '-' {
			p.i++
		}
		if !p.run() {
			p.fail("a digit")
		}
	}
}

// run passes over digits; it is false when there is none.
func (p *parser) run() bool {
	start := p.i
	for p.i < len(p.b) && p.b[p.i] >= '0' && p.b[p.i] <= '9' {
		p.i++
	}
	return p.i > start
}
