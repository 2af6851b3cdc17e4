package artifacttext

import (
	"errors"
	"sort"
	"strconv"

	"assay/store/evidence"
)

// endWithin bounds how far the end of a container is looked for.
const endWithin = 1 << 20

// Found is where a value stands.
type Found struct {
	Pointer evidence.Pointer
	Start   int64 // of the value
	End     int64 // after it; 0 when a container ends too far away to look for
	Name    int64 // where its member name starts, -1 when it has none
	Kind    string
	Items   int   // members or items of a container whose End is known
	Parent  int64 // start of the container around it; -1 when that is the whole text
	Ordinal int   // among the values of its parent
	Raw     []byte
}

// Container reports whether the value is an object or an array.
func (f *Found) Container() bool { return f.Kind == "object" || f.Kind == "array" }

// Find looks a pointer up. It returns nil when the pointer leads nowhere.
func (x *Index) Find(t *Text, p evidence.Pointer) (*Found, error) {
	if len(x.cps) == 0 || !p.Valid() {
		return nil, nil
	}
	want := p.Tokens()
	if !x.Several() {
		want = append([]string{"0"}, want...)
	}
	if len(want) == 0 {
		return &Found{Pointer: p, Start: x.start, Name: -1, Kind: "values", Items: x.Values, Parent: -1}, nil
	}
	for i := range x.cps {
		if !x.mayHold(i, want) {
			continue
		}
		f, err := x.findFrom(t, i, want)
		if f != nil || err != nil {
			if f != nil {
				f.Pointer = p
			}
			return f, err
		}
	}
	return nil, nil
}

// mayHold reports whether the value at path want can begin between checkpoint i and
// the next: what stays open through the whole stretch must lie on the path, and if
// it is an array, the stretch must reach the path's item.
func (x *Index) mayHold(i int, want []string) bool {
	if i+1 == len(x.cps) {
		return true
	}
	from, to := x.cps[i].st, x.cps[i+1].st
	open := commonFrame(from.top, to.top)
	if open.depth >= len(want) {
		return false
	}
	for j, s := range open.path() {
		if s != want[j] {
			return false
		}
	}
	if !open.array {
		return true
	}
	at, err := strconv.Atoi(want[open.depth])
	if err != nil {
		return false
	}
	first, last := childOf(open, from.top, from.n), childOf(open, to.top, to.n-1)
	return at >= first && at <= last
}

// commonFrame is the innermost container open at both places.
func commonFrame(a, b *frame) *frame {
	for a != b {
		if a.depth >= b.depth {
			a = a.parent
		} else {
			b = b.parent
		}
	}
	return a
}

// childOf is the ordinal of the child of open that top lies in; direct when top is
// open itself.
func childOf(open, top *frame, direct int) int {
	if top == open {
		return direct
	}
	for top.parent != open {
		top = top.parent
	}
	return top.ord
}

// findFrom reads from checkpoint i to the next.
func (x *Index) findFrom(t *Text, i int, want []string) (*Found, error) {
	stop := t.end
	if i+1 < len(x.cps) {
		stop = x.cps[i+1].off
	}
	w := newWalker(newScanner(t.section(x.cps[i].off), x.cps[i].off), x.cps[i].st)
	matched := onPath(w.top, want)
	for w.next() && w.tok.start < stop {
		switch w.role {
		case roleScalar, roleBegin:
			if matched != w.parent.depth || want[matched] != step(w.parent, w.name, w.ord) {
				continue
			}
			if matched+1 == len(want) {
				return w.found(), w.sc.err
			}
			if w.role == roleBegin {
				matched++
			}
		case roleEnd:
			matched = min(matched, w.top.depth)
		}
	}
	return nil, w.sc.err
}

// onPath is how many of the open containers, outermost first, lie on the path.
func onPath(top *frame, want []string) int {
	n := 0
	for _, s := range top.path() {
		if n == len(want) || s != want[n] {
			break
		}
		n++
	}
	return n
}

var kindNames = map[kind]string{str: "string", number: "number", word: "word", beginObject: "object", beginArray: "array"}

// found describes the value that the last token begins, reading on to its end when
// that is not far.
func (w *walker) found() *Found {
	f := &Found{
		Start: w.tok.start, End: w.tok.end, Name: w.nameStart, Kind: kindNames[w.tok.kind],
		Parent: w.parent.start, Ordinal: w.ord, Raw: append([]byte(nil), w.tok.text...),
	}
	if w.role != roleBegin {
		return f
	}
	f.End, f.Raw = 0, nil
	self := w.top
	self.kept = true
	for w.next() && w.tok.end-f.Start <= endWithin {
		if w.role == roleEnd && w.closed == self {
			f.End = w.tok.end
			return f
		}
		if (w.role == roleScalar || w.role == roleBegin) && w.parent == self {
			f.Items = w.ord + 1
		}
	}
	return f
}

// Items counts what the array at p holds, if its end is not far; 0 when it is not
// known or p is no array.
func (x *Index) Items(t *Text, p evidence.Pointer) (int, error) {
	f, err := x.Find(t, p)
	if f == nil || err != nil || f.Kind != "values" && (f.Kind != "array" || f.End == 0) {
		return 0, err
	}
	return f.Items, nil
}

// Missing is what is known of a pointer that leads nowhere.
type Missing struct {
	Deepest evidence.Pointer // the deepest ancestor that exists
	Kind    string           // of that value
	Has     []string         // the first of its member names, or the range of its items
	More    bool             // there are more names
}

// maxNames is how many member names Explain lists.
const maxNames = 40

// Explain finds the deepest ancestor of p that exists and what stands in it.
func (x *Index) Explain(t *Text, p evidence.Pointer) (*Missing, error) {
	if !p.Valid() {
		p = ""
	}
	ends := prefixEnds(p)
	var deepest *Found
	var failed error
	// What holds a value exists when the value does, so the depth is halved: a pointer
	// of thousands of tokens is looked up a dozen times.
	n := sort.Search(len(ends), func(i int) bool {
		f, err := x.Find(t, p[:ends[i]])
		if f != nil && (deepest == nil || len(f.Pointer) > len(deepest.Pointer)) {
			deepest = f
		}
		failed = errors.Join(failed, err)
		return f == nil
	})
	if failed != nil || n == 0 {
		return &Missing{}, failed
	}
	m := &Missing{Deepest: deepest.Pointer, Kind: deepest.Kind}
	return m, x.names(t, deepest, m)
}

// prefixEnds are the lengths of p's ancestors and of p itself, the whole document first.
func prefixEnds(p evidence.Pointer) []int {
	var ends []int
	for i := range len(p) {
		if p[i] == '/' {
			ends = append(ends, i)
		}
	}
	return append(ends, len(p))
}

// names lists what an existing ancestor holds.
func (x *Index) names(t *Text, f *Found, m *Missing) error {
	switch {
	case f.Kind == "array" && f.End > 0, f.Kind == "values":
		if f.Items > 0 {
			m.Has = []string{"0 to " + strconv.Itoa(f.Items-1)}
		}
		return nil
	case f.Kind != "object":
		return nil
	}
	// The state before an opening bracket is that between two top-level values, as
	// far as what lies inside is concerned.
	w := newWalker(newScanner(t.section(f.Start), f.Start), newState())
	for w.next() && w.tok.end-f.Start <= endWithin && w.top.depth > 0 {
		if w.role != roleName || w.top.depth != 1 {
			continue
		}
		if len(m.Has) == maxNames {
			m.More = true
			break
		}
		m.Has = append(m.Has, w.name)
	}
	return w.sc.err
}
