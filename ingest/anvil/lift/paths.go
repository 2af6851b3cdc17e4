package lift

import "strings"

// Paths are the members that a reader knows, with the reason for not lifting a number
// that stands there. Whatever is not listed is reported as unread.
type Paths struct{ root *step }

type step struct {
	next   map[string]*step
	any    *step // "*": any member or item
	known  bool
	deep   bool // "**": everything below
	reason string
}

// NewPaths reads lines "/a/*/b reason"; "*" is any one member or item, a final "**"
// everything below. A line without a reason names members that hold no number, or whose
// numbers are always taken.
func NewPaths(lines string) *Paths {
	p := &Paths{root: &step{}}
	for line := range strings.Lines(lines) {
		path, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		if path == "" {
			continue
		}
		s := p.root
		tokens := strings.Split(path[1:], "/")
		for i, tok := range tokens {
			if tok == "**" && i == len(tokens)-1 {
				s.deep = true
				break
			}
			s = s.child(tok)
		}
		s.known, s.reason = true, strings.TrimSpace(reason)
	}
	return p
}

func (s *step) child(tok string) *step {
	if tok == "*" {
		if s.any == nil {
			s.any = &step{}
		}
		return s.any
	}
	if s.next == nil {
		s.next = map[string]*step{}
	}
	if s.next[tok] == nil {
		s.next[tok] = &step{}
	}
	return s.next[tok]
}

// under is the step for a member or item of s; nil when nothing is known of it.
func (s *step) under(tok string) *step {
	switch {
	case s == nil:
		return nil
	case s.deep:
		return s
	case s.next[tok] != nil:
		return s.next[tok]
	}
	return s.any
}
