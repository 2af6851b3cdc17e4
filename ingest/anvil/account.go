package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// Bounds of the closing pass. Beyond them one entry stands for many numbers, so that a
// hostile document cannot make the list longer than itself.
const (
	maxPerText   = 64      // numbers of one text listed one by one
	maxListed    = 20_000  // entries of one document; then one per top-level member
	maxPointer   = 1 << 12 // bytes of a pointer; a longer one ends the descent
	maxFlatItems = 256     // scalars of a list that are listed one by one
)

// cover is what is known about one string or number.
type cover struct {
	whole bool
	spans []prose.Span
}

// holds reports whether every digit of a token is carried: the two parts of
// "repo@revision" carry one name together.
func (c *cover) holds(text string, t prose.Token) bool {
	if c == nil {
		return false
	}
	if c.inside(t.Start, t.End) {
		return true
	}
	if t.Kind == prose.Spelled {
		return false
	}
	for i := t.Start; i < t.End; i++ {
		if text[i] >= '0' && text[i] <= '9' && !c.inside(i, i+1) {
			return false
		}
	}
	return true
}

func (c *cover) inside(start, end int) bool {
	for _, o := range c.spans {
		if start >= o.Start && end <= o.End {
			return true
		}
	}
	return false
}

// accountant is the closing pass: it walks the document and lists every number that
// nothing carries.
type accountant struct {
	*builder
	covers map[evidence.Pointer]*cover
	member evidence.Pointer // the top-level member being walked
	folded map[evidence.Pointer]bool
}

func (b *builder) account() {
	a := &accountant{builder: b, covers: map[evidence.Pointer]*cover{}, folded: map[evidence.Pointer]bool{}}
	a.collect()
	a.echoes()
	for i, c := range b.top.Children {
		p := b.root.Index(i)
		if b.top.Kind == jsondoc.Object {
			p = b.root.Key(b.top.Names[i])
		}
		a.member = p
		a.walk(p, c)
	}
}

// echoes lists what a sentence says of a fact that stands elsewhere, where nothing else
// carries it.
func (a *accountant) echoes() {
	for _, f := range a.echo {
		c := a.covers[f.Place.Pointer]
		if f.Place.Whole() || c != nil && (c.whole || c.inside(f.Place.Start, f.Place.End)) || len(a.doc.NotLifted) >= maxListed {
			continue
		}
		a.skip(f.Place, f.SourceText, evidence.ReasonEcho)
		a.carry(f.Place)
	}
}

func (a *accountant) carry(p evidence.Place) {
	c := a.covers[p.Pointer]
	if c == nil {
		c = &cover{}
		a.covers[p.Pointer] = c
	}
	if p.Whole() {
		c.whole = true
		return
	}
	c.spans = append(c.spans, prose.Span{Start: p.Start, End: p.End})
}

func (a *accountant) facts(facts []evidence.Fact) {
	for _, f := range facts {
		a.carry(f.Place)
	}
}

// collect gathers the places that something carries.
func (a *accountant) collect() {
	d := &a.doc
	a.facts(d.Facts)
	for _, arm := range d.Arms {
		a.facts(arm.Facts)
		if arm.Rejected != "" {
			a.carry(arm.RejectedPlace)
		}
		for _, r := range arm.Runs {
			a.facts(r.Facts)
			for _, m := range r.Measurements {
				a.carry(m.Place)
				for _, p := range m.Also {
					a.carry(p)
				}
			}
		}
	}
	for _, g := range d.Gates {
		for _, m := range []struct{ name, text string }{{"name", g.Name}, {"status", g.SourceStatus}, {"detail", g.Detail}, {"evidence", g.Evidence}} {
			if m.text != "" {
				a.carry(evidence.At(g.Place.Pointer.Key(m.name)))
			}
		}
	}
	for _, n := range d.Notes {
		switch n.Kind {
		case evidence.Limitation, evidence.Failure, evidence.Caveat, evidence.Restored:
			a.carry(n.Place)
		}
	}
	for _, x := range d.Decisions {
		a.carry(x.Place)
	}
	for _, r := range d.References {
		a.carry(r.Place)
		if r.SHA256.OK {
			a.carry(evidence.At(r.Place.Pointer.Parent().Key("sha256")))
		}
	}
	for _, x := range d.NotLifted {
		a.carry(x.Place)
	}
}

func (a *accountant) walk(p evidence.Pointer, n *jsondoc.Node) {
	switch {
	case len(p) > maxPointer:
		a.list(p[:maxPointer], p, n, "a value too deep or too long-named to list", evidence.ReasonUnread)
	case n.Kind == jsondoc.Number || n.Kind == jsondoc.NotFinite:
		if c := a.covers[p]; c == nil || !c.whole {
			a.list(p, p, n, n.Text, evidence.ReasonUnread)
		}
	case n.Kind == jsondoc.String:
		a.text(p, n)
	case n.Kind == jsondoc.Array && len(n.Children) > maxFlatItems && flat(n):
		a.list(p, p, n, fmt.Sprintf("%d values", len(n.Children)), evidence.ReasonUnread)
	case n.Kind == jsondoc.Array:
		for i, c := range n.Children {
			a.walk(p.Index(i), c)
		}
	case n.Kind == jsondoc.Object:
		for i, c := range n.Children {
			a.walk(p.Key(n.Names[i]), c)
		}
	}
}

// flat reports whether a list holds no containers and no texts.
func flat(n *jsondoc.Node) bool {
	for _, c := range n.Children {
		if c.Kind == jsondoc.Object || c.Kind == jsondoc.Array || c.Kind == jsondoc.String {
			return false
		}
	}
	return true
}

// list adds an entry. Past the bound one entry at the top-level member stands for all.
func (a *accountant) list(at, p evidence.Pointer, n *jsondoc.Node, text, reason string) {
	if len(p) > maxPointer {
		at = a.member
	}
	if len(a.doc.NotLifted) >= maxListed || len(p) > maxPointer {
		if !a.folded[a.member] {
			a.folded[a.member] = true
			a.skip(evidence.At(a.member), "further numbers under this member", evidence.ReasonUnread)
			a.find(evidence.Warning, CodeUnread, a.member, n, "more numbers stand here than are listed one by one")
		}
		return
	}
	a.skip(evidence.At(at), text, reason)
	if reason == evidence.ReasonUnread {
		a.find(evidence.Warning, CodeUnread, at, n, "no figure or fact is read from this member: "+clip(text))
	}
}

// text lists the numbers of a string that nothing carries.
func (a *accountant) text(p evidence.Pointer, n *jsondoc.Node) {
	c := a.covers[p]
	if c != nil && c.whole {
		return
	}
	if len(n.Text) > prose.MaxSentence {
		a.list(p, p, n, n.Text, evidence.ReasonProse)
		return
	}
	numbers := prose.Numbers(n.Text)
	left := numbers[:0]
	for _, t := range numbers {
		if !c.holds(n.Text, t) {
			left = append(left, t)
		}
	}
	switch {
	case len(left) == 0:
	case p == a.root.Key("schema"):
		a.list(p, p, n, n.Text, evidence.ReasonLabel)
	case len(left) > maxPerText || len(a.doc.NotLifted) >= maxListed:
		a.list(p, p, n, n.Text, evidence.ReasonProse)
	case len(left) == len(numbers) && isOne(n.Text, left):
		a.list(p, p, n, n.Text, reasonOf(left[0], n.Text))
	default:
		for _, t := range left {
			a.skip(evidence.InText(p, t.Start, t.End), t.Text(n.Text), reasonOf(t, n.Text))
		}
	}
}

// isOne reports whether a string is one name: no blanks, and not a number.
func isOne(s string, tokens []prose.Token) bool {
	for i := range len(s) {
		if s[i] == ' ' || s[i] == '\n' || s[i] == '\t' {
			return false
		}
	}
	return tokens[0].Kind == prose.Name || tokens[0].Kind == prose.Stamp
}

// reasonOf says why digits were not lifted: "p95" and "E2E" are words, "TP2" is a name.
func reasonOf(t prose.Token, text string) string {
	switch t.Kind {
	case prose.Name:
		word := strings.ToLower(t.Text(text))
		if _, isStat := prose.StatWord(word); isStat {
			return evidence.ReasonLabel
		}
		if _, n := prose.MetricWords([]string{word}); n > 0 {
			return evidence.ReasonLabel
		}
		if isFactor(word) {
			return evidence.ReasonProse
		}
		return evidence.ReasonIdentifier
	case prose.Stamp:
		return evidence.ReasonTimestamp
	}
	return evidence.ReasonProse
}

// isFactor reports whether a word is a number after all: "2.2x", "1.0e3".
func isFactor(word string) bool {
	number, rest, exponent := strings.Cut(word, "e")
	if !exponent {
		number = strings.TrimSuffix(word, "x")
	}
	if exponent == (rest == "") || number == word && !exponent {
		return false
	}
	_, err := evidence.ParseDecimal(number + map[bool]string{true: "e" + rest}[exponent])
	return err == nil
}
