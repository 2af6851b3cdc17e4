package jsondoc

import "assay/store/evidence"

// frame is one open container.
type frame struct {
	object bool
	count  int   // items begun, or members named
	opened int64 // place of its bracket
	scope  scope // its names, when it is an object
}

// push opens a container. Frames keep their tables for the next container of the
// same depth.
func (s *scanner) push(object bool, offset int64) {
	if len(s.frames) < cap(s.frames) {
		s.frames = s.frames[:len(s.frames)+1]
	} else {
		s.frames = append(s.frames, frame{})
	}
	f := s.top()
	f.object, f.count, f.opened = object, 0, offset
	s.names.open(&f.scope)
}

func (s *scanner) pop() {
	s.names.close(&s.top().scope)
	s.frames = s.frames[:len(s.frames)-1]
}

func (s *scanner) top() *frame { return &s.frames[len(s.frames)-1] }

// kind of the container.
func (f *frame) kind() Kind {
	if f.object {
		return Object
	}
	return Array
}

func (f *frame) closer() byte {
	if f.object {
		return '}'
	}
	return ']'
}

// maxPath bounds the pointer of a finding. A deeper place is named by the ancestor
// that the bound leaves.
const maxPath = 8 << 10

// path is the pointer of the innermost container, or of its current child.
func (s *scanner) path(inside bool) evidence.Pointer {
	var p evidence.Pointer
	for i := range s.frames {
		f := &s.frames[i]
		innermost := i == len(s.frames)-1
		if innermost && !inside || f.count == 0 {
			break
		}
		up := p
		switch {
		case !f.object:
			p = p.Index(f.count - 1)
		case innermost:
			p = p.Key(s.names.current(len(s.names.entries)))
		default:
			p = p.Key(s.names.current(s.frames[i+1].scope.first))
		}
		if len(p) > maxPath {
			return up
		}
	}
	return p
}
