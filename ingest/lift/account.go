package lift

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// many is the number of numbers under one value beyond which they are listed together.
const many = 64

// Take marks a number as read without listing it: its figure or fact stands elsewhere
// in the document, made from it by a rule.
func (o Obj) Take() Obj {
	if o.Node != nil {
		o.b.seen[o.Node] = true
	}
	return o
}

// Skip lists every number at and under the value as not lifted, for one reason.
func (o Obj) Skip(reason string) {
	if o.Node == nil {
		return
	}
	o.b.skip(o, reason, func(Obj) {})
}

// SkipWhole lists a value and all numbers under it in one line.
func (o Obj) SkipWhole(reason string) {
	if o.Node == nil {
		return
	}
	if Numeric(o.Node) {
		o.Skip(reason)
	} else if n := o.b.touchAll(o.Node); n > 0 {
		o.b.leave(o, fmt.Sprintf("%d numbers", n), reason)
	}
}

// SkipMembers skips members by name.
func (o Obj) SkipMembers(reason string, names ...string) {
	for _, n := range names {
		o.Get(n).Skip(reason)
	}
}

// skip lists what is untouched under o. A list of numbers, and a value with many, is
// one line.
func (b *Builder) skip(o Obj, reason string, each func(Obj)) {
	count, plain := b.untouched(o.Node, many+1)
	switch {
	case count == 0:
		return
	case Numeric(o.Node):
		b.leave(o, o.Node.Text, reason)
		b.seen[o.Node] = true
		each(o)
	case count > many || plain || b.visits > mostVisits:
		total := b.touchAll(o.Node)
		b.leave(o, fmt.Sprintf("%d numbers", total), reason)
		each(o)
	case o.IsObject():
		o.every(func(m Obj) { b.skip(m, reason, each) })
	default:
		o.Items(func(_ int, m Obj) { b.skip(m, reason, each) })
	}
}

// untouched counts untouched numbers up to a limit, and says whether the value is a
// list of nothing but numbers (or of such lists).
func (b *Builder) untouched(n *jsondoc.Node, limit int) (count int, plain bool) {
	b.visits++
	switch {
	case n == nil:
		return 0, false
	case Numeric(n) && b.seen[n]:
		return 0, false
	case Numeric(n):
		return 1, true
	}
	plain = n.Kind == jsondoc.Array
	for _, c := range n.Children {
		k, p := b.untouched(c, limit-count)
		count, plain = count+k, plain && p
		if count >= limit {
			return count, plain
		}
	}
	return count, plain
}

func (b *Builder) touchAll(n *jsondoc.Node) int {
	if Numeric(n) {
		if b.seen[n] {
			return 0
		}
		b.seen[n] = true
		return 1
	}
	count := 0
	for _, c := range n.Children {
		count += b.touchAll(c)
	}
	return count
}

// unreadNamed is how many unread members one finding names.
const unreadNamed = 12

// Finish lists what nobody touched and gives the document.
func (b *Builder) Finish() evidence.Document {
	var names []string
	first, total := Obj{}, 0
	b.finishUnder(b.Top(), func(o Obj) {
		if total++; total == 1 {
			first = o
		}
		if len(names) < unreadNamed {
			names = append(names, Clip(strings.TrimPrefix(string(o.P), string(b.root))))
		}
	})
	if total > 0 {
		more := ""
		if total > len(names) {
			more = fmt.Sprintf(" and %d more", total-len(names))
		}
		b.Find(evidence.Info, CodeUnread, first, "numbers that this reader does not know: %s%s", strings.Join(names, ", "), more)
	}
	return b.Doc
}

// finishUnder visits containers so that every unknown member is named by itself.
func (b *Builder) finishUnder(o Obj, each func(Obj)) {
	if o.IsObject() {
		o.every(func(m Obj) { b.finishUnder(m, each) })
		return
	}
	if o.IsArray() {
		n, plain := b.untouched(o.Node, many+1)
		if n == 0 {
			return
		}
		if n <= many && !plain && b.visits <= mostVisits {
			o.Items(func(_ int, m Obj) { b.finishUnder(m, each) })
			return
		}
	}
	if o.Node != nil {
		b.skip(o, evidence.ReasonUnread, each)
	}
}

// mostVisits is how many values the accounting looks at before it lists containers as
// one line each.
const mostVisits = 10_000_000

// Taken reports whether the value is lifted or listed already.
func (o Obj) Taken() bool { return o.Node != nil && o.b.seen[o.Node] }
