package artifacttext

import (
	"strconv"

	"assay/store/evidence"
)

// maxDepth bounds nesting. Deeper text is shown as lines.
const maxDepth = 2000

// frame is an open object or array. Frames never change once made, so that a
// checkpoint may hold on to the chain of open ones.
type frame struct {
	parent *frame
	start  int64  // offset of its bracket
	key    string // its name, when parent is an object
	ord    int    // its ordinal in parent: the index, when parent is an array
	depth  int
	array  bool
	kept   bool // a checkpoint refers to it
}

// expect is what may come next.
type expect uint8

const (
	wantValue expect = iota
	wantValueOrEnd
	wantName
	wantNameOrEnd
	wantColon
	wantCommaOrEnd
	wantTop // between top-level values
)

// state is all that is needed to read on from a place between two tokens.
type state struct {
	top  *frame // the innermost open container; the root frame when none is open
	n    int    // values begun in top so far
	want expect
	prev kind // the last token other than white space
}

// newState is the state before the first token. The values of an artifact are the
// items of one array, as pointers of artifacts with several values see them.
func newState() state {
	return state{top: &frame{start: -1, array: true, kept: true}, want: wantTop, prev: space}
}

// role is what a token is to the document.
type role uint8

const (
	roleSpace role = iota
	rolePunct
	roleName
	roleScalar
	roleBegin
	roleEnd
)

// Fault is the first place where text is not JSON.
type Fault struct {
	Offset  int64
	Message string
}

// walker follows the grammar. After a true next, tok and role describe the token;
// for a value (roleScalar, roleBegin) parent, ord and name say where it stands.
type walker struct {
	sc *scanner
	state
	tok       token
	role      role
	parent    *frame // the container of the value, or of the token
	ord       int
	name      string // of the member, when parent is an object
	nameStart int64  // offset of that name, -1 for an item
	closed    *frame // after roleEnd: the container that ended
	breaks    bool   // the one-value-a-line layout starts a line before the token
	fault     *Fault
	names     map[string]string
	free      []*frame
}

func newWalker(sc *scanner, st state) *walker {
	return &walker{sc: sc, state: st, names: map[string]string{}, nameStart: -1}
}

// between reports whether a checkpoint may be taken after the last token.
func (w *walker) between() bool { return w.want != wantColon && w.prev != colon }

// startsLine reports whether the one-value-a-line layout starts a line before a
// token of role r; before is the kind of the token before it, top says that no
// container is open.
func startsLine(before kind, r role, top bool) bool {
	switch r {
	case roleEnd:
		return before != beginObject && before != beginArray
	case roleName, roleScalar, roleBegin:
		return before == beginObject || before == beginArray || before == comma || top && before != space
	}
	return false
}

// next reads one token. It returns false at the end of the text and at the first
// fault.
func (w *walker) next() bool {
	w.tok = w.sc.next()
	w.parent, w.closed, w.breaks = w.top, nil, false
	ok := true
	switch w.tok.kind {
	case space:
		w.role = roleSpace
		return true
	case eof:
		if w.want != wantTop {
			w.fail("the text ends inside a value")
		}
		return false
	case str:
		ok = w.str()
	case number, word:
		ok = w.value(roleScalar)
	case beginObject, beginArray:
		ok = w.begin()
	case endObject, endArray:
		ok = w.end()
	case comma:
		ok = w.punct(w.want == wantCommaOrEnd, wantValue, wantName)
	case colon:
		ok = w.punct(w.want == wantColon, wantValue, wantValue)
	default:
		ok = w.fail("not a JSON token")
	}
	if ok {
		w.breaks = startsLine(w.prev, w.role, w.parent.parent == nil)
		w.prev = w.tok.kind
	}
	return ok
}

func (w *walker) fail(msg string) bool {
	if w.fault == nil {
		w.fault = &Fault{Offset: w.tok.start, Message: msg}
	}
	return false
}

func (w *walker) punct(fits bool, inArray, inObject expect) bool {
	if !fits {
		return w.fail("unexpected " + string(w.tok.text))
	}
	w.role = rolePunct
	w.want = inObject
	if w.top.array {
		w.want = inArray
	}
	return true
}

func (w *walker) str() bool {
	if w.want != wantName && w.want != wantNameOrEnd {
		return w.value(roleScalar)
	}
	w.role, w.want = roleName, wantColon
	w.nameStart = w.tok.start
	w.name = w.intern(w.tok)
	return true
}

// intern is the decoded name; the same name again costs nothing. A name longer than
// is kept stays cut and matches no pointer.
func (w *walker) intern(t token) string {
	raw := t.text
	if s, ok := w.names[string(raw)]; ok {
		return s
	}
	s := unquote(raw)
	if len(w.names) < 4096 && len(raw) < 256 {
		w.names[string(raw)] = s
	}
	return s
}

// value takes note of a value that begins here.
func (w *walker) value(r role) bool {
	switch w.want {
	case wantValue, wantValueOrEnd, wantTop:
	default:
		return w.fail("unexpected value")
	}
	w.role, w.ord = r, w.n
	if w.top.array {
		w.name, w.nameStart = "", -1
	}
	w.n++
	w.want = w.after(w.top)
	return true
}

// after is what follows a finished value in f.
func (w *walker) after(f *frame) expect {
	if f.parent == nil {
		return wantTop
	}
	return wantCommaOrEnd
}

func (w *walker) begin() bool {
	if !w.value(roleBegin) {
		return false
	}
	if w.top.depth >= maxDepth {
		return w.fail("nested more than " + strconv.Itoa(maxDepth) + " levels deep")
	}
	f := w.frame()
	*f = frame{parent: w.top, start: w.tok.start, key: w.name, ord: w.ord, depth: w.top.depth + 1, array: w.tok.kind == beginArray}
	w.top, w.n = f, 0
	w.want = wantNameOrEnd
	if f.array {
		w.want = wantValueOrEnd
	}
	return true
}

func (w *walker) end() bool {
	array := w.tok.kind == endArray
	fits := w.want == wantCommaOrEnd || array && w.want == wantValueOrEnd || !array && w.want == wantNameOrEnd
	f := w.top
	if !fits || f.parent == nil || f.array != array {
		return w.fail("unexpected " + string(w.tok.text))
	}
	w.role, w.closed = roleEnd, f
	w.top, w.n = f.parent, f.ord+1
	w.want = w.after(w.top)
	if !f.kept {
		w.free = append(w.free, f)
	}
	return true
}

// frame takes a frame that nothing refers to any more. The one just closed stays
// readable until the next container begins.
func (w *walker) frame() *frame {
	if n := len(w.free); n > 0 {
		f := w.free[n-1]
		w.free = w.free[:n-1]
		return f
	}
	return new(frame)
}

// keep is the state now, safe to hold on to.
func (w *walker) keep() state {
	for f := w.top; f != nil && !f.kept; f = f.parent {
		f.kept = true
	}
	return w.state
}

// inside reports whether f or a container around it began at start.
func inside(f *frame, start int64) bool {
	for ; f != nil; f = f.parent {
		if f.start == start {
			return true
		}
	}
	return false
}

// step is the pointer token of a child of parent.
func step(parent *frame, name string, ord int) string {
	if parent.array {
		return strconv.Itoa(ord)
	}
	return name
}

// path lists the pointer tokens of f, the value's number among the top-level values
// first.
func (f *frame) path() []string {
	out := make([]string, f.depth)
	for g := f; g.parent != nil; g = g.parent {
		out[g.depth-1] = step(g.parent, g.key, g.ord)
	}
	return out
}

// pointer joins tokens; an artifact of one value leaves the first one out.
func pointer(tokens []string, several bool) evidence.Pointer {
	if !several && len(tokens) > 0 {
		tokens = tokens[1:]
	}
	var p evidence.Pointer
	for _, t := range tokens {
		p = p.Key(t)
	}
	return p
}
