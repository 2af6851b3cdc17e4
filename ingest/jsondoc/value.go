package jsondoc

// want is what may come next inside a value.
type want uint8

const (
	wantValue want = iota
	wantItem       // a value or the end of the array that has just opened
	wantFirst      // a member's name or the end of the object that has just opened
	wantName       // a member's name
	wantColon
	wantNext // a comma or the end of the container
)

// container scans the value whose opening bracket is the next byte. It returns false
// when the value broke off; a finding says why.
//
//	state      takes               goes to
//	wantValue  { [ scalar          wantFirst, wantItem, wantNext
//	wantItem   ] or as wantValue   wantNext
//	wantFirst  } or as wantName    wantNext
//	wantName   string              wantColon
//	wantColon  :                   wantValue
//	wantNext   , } ]               wantName or wantValue, wantNext
func (s *scanner) container() bool {
	state, ok := wantValue, true
	for first := true; ok && (first || len(s.frames) > 0); first = false {
		c, more := s.peek()
		if !more {
			return s.endsInside()
		}
		switch state {
		case wantItem, wantFirst, wantNext:
			if c == s.top().closer() {
				s.shut()
				state = wantNext
				continue
			}
		}
		switch state {
		case wantValue, wantItem:
			state, ok = s.child(c)
		case wantFirst, wantName:
			state, ok = wantColon, s.member(c)
		case wantColon:
			if c != ':' {
				return s.expected(c, "':' after the member's name")
			}
			s.pos++
			state = wantValue
		case wantNext:
			state, ok = s.separator(c)
		}
	}
	return ok
}

// child scans an item of an array, a member's value or the outermost container.
func (s *scanner) child(c byte) (want, bool) {
	if len(s.frames) > 0 && !s.top().object {
		s.top().count++
	}
	switch c {
	case '{', '[':
		offset := s.here()
		if len(s.frames) >= s.lim.Depth {
			s.proven = true
			s.find(CodeDeep, true, offset,
				"more than %d containers are open here; the value is not read further", s.lim.Depth)
			return 0, false
		}
		s.pos++
		s.push(c == '{', offset)
		s.emit(Open, s.top().kind(), nil, offset, offset)
		if c == '{' {
			s.plain = false
			return wantFirst, true
		}
		return wantItem, true
	case '"':
		s.plain = false
		if !s.str(true) {
			return 0, false
		}
		s.emit(Leaf, String, s.tok, s.from, s.to)
		return wantNext, true
	}
	kind, ok := s.scalar(c)
	if !ok {
		return 0, false
	}
	s.emit(Leaf, kind, s.tok, s.from, s.to)
	return wantNext, true
}

// scalar scans a number or a word and checks what it says.
func (s *scanner) scalar(c byte) (Kind, bool) {
	switch {
	case c >= '0' && c <= '9', c == '-':
		if kind, ok := s.number(); kind == Number || !ok {
			return kind, ok
		}
		return s.word()
	case c == '+', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return s.word()
	}
	what := "a value"
	if c == ']' || c == '}' {
		what = "a value (a comma or colon must be followed by one)"
	}
	return Null, s.expected(c, what)
}

// member scans a member's name and looks for its like.
func (s *scanner) member(c byte) bool {
	if c != '"' {
		what := "a member's name in double quotes"
		if c == '}' {
			what = "a member after the comma"
		}
		return s.expected(c, what)
	}
	s.proven = true
	if !s.str(false) {
		return false
	}
	f := s.top()
	earlier, outgrown := s.names.push(&f.scope, s.tok, s.from)
	f.count++
	s.defects()
	if outgrown {
		s.find(CodeUnchecked, false, f.opened,
			"the object has more members than the duplicate check holds; from byte %d on a repeated name is not noticed", s.from)
	}
	if earlier >= 0 {
		s.find(CodeDuplicate, true, s.from,
			"member %.60q stands twice in one object, first at byte %d; which value holds is undefined", s.tok, earlier)
	}
	s.emit(Name, String, s.tok, s.from, s.to)
	return true
}

// separator takes the comma between two children.
func (s *scanner) separator(c byte) (want, bool) {
	f := s.top()
	if c != ',' {
		if f.object {
			return 0, s.expected(c, "',' or '}' after the member")
		}
		return 0, s.expected(c, "',' or ']' after the item")
	}
	s.proven = true
	s.pos++
	if f.object {
		return wantName, true
	}
	return wantValue, true
}

// shut takes the closing bracket of the innermost container.
func (s *scanner) shut() {
	f := s.top()
	kind, opened := f.kind(), f.opened
	s.pos++
	s.pop()
	s.emit(Close, kind, nil, opened, s.here())
}

// expected reports a syntax fault at the next byte; it always returns false.
func (s *scanner) expected(c byte, what string) bool {
	switch {
	case c == '/' || c == '#':
		s.proven = s.proven || c == '/'
		s.find(CodeSyntax, true, s.here(), "expected %s, found %s; JSON has no comments", what, s.shown())
	case c == '\'':
		s.find(CodeSyntax, true, s.here(), "expected %s, found %s; JSON has no single quotes", what, s.shown())
	default:
		s.find(CodeSyntax, true, s.here(), "expected %s, found %s", what, s.shown())
	}
	return false
}

// endsInside reports that the artifact ends before its value does.
func (s *scanner) endsInside() bool {
	s.proven = true
	if s.over || len(s.frames) == 0 {
		return false
	}
	f, end := s.top(), s.offset(len(s.buf))
	s.find(CodeTruncated, true, end,
		"the artifact ends at byte %d inside the %s that opens at byte %d: it was cut off, or its writer did not finish",
		end, kindNames[f.kind()], f.opened)
	return false
}

var kindNames = map[Kind]string{Object: "object", Array: "array"}
