package ingest

import (
	"strconv"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// maxPatterns bounds the members of records that are counted apart.
const maxPatterns = 4096

// pattern is a member of the records of a series, list items taken together. Records are
// gone when their document is made: each member ends as its first occurrence does, which
// is how the readers of series list what they leave.
type pattern struct {
	next   map[string]*pattern
	items  *pattern
	first  evidence.Pointer // in the artifact
	text   string
	finite bool
	count  int64
}

// patterns are the members of a series with how many numbers stand there.
type patterns struct {
	top   pattern
	n     int
	order []*pattern
}

// add counts the numbers of a record.
func (s *patterns) add(v *jsondoc.Node, at evidence.Pointer) { s.visit(v, &s.top, at) }

func (s *patterns) visit(v *jsondoc.Node, p *pattern, at evidence.Pointer) {
	switch v.Kind {
	case jsondoc.Number, jsondoc.NotFinite:
		s.number(v, p, at)
	case jsondoc.Object:
		for i, c := range v.Children {
			s.visit(c, s.member(p, v.Names[i]), s.under(p, v, i, at))
		}
	case jsondoc.Array:
		if p.items == nil {
			p.items = s.fresh(p)
		}
		for i, c := range v.Children {
			s.visit(c, p.items, s.under(p, v, i, at))
		}
	}
}

// under is the place of a child; "" once the place of the pattern is known, because
// nobody asks for another.
func (s *patterns) under(p *pattern, v *jsondoc.Node, i int, at evidence.Pointer) evidence.Pointer {
	switch {
	case at == "":
		return ""
	case v.Kind == jsondoc.Object:
		if c := p.next[v.Names[i]]; c != nil && c.first != "" {
			return ""
		}
		return at.Key(v.Names[i])
	case p.items.first != "":
		return ""
	}
	return at.Index(i)
}

func (s *patterns) member(p *pattern, name string) *pattern {
	if c := p.next[name]; c != nil {
		return c
	}
	c := s.fresh(p)
	if c == p {
		return p
	}
	if p.next == nil {
		p.next = map[string]*pattern{}
	}
	p.next[name] = c
	return c
}

// fresh is a new pattern; beyond the bound members count with what holds them.
func (s *patterns) fresh(p *pattern) *pattern {
	if s.n >= maxPatterns {
		return p
	}
	s.n++
	return &pattern{}
}

func (s *patterns) number(v *jsondoc.Node, p *pattern, at evidence.Pointer) {
	if p.count == 0 {
		p.first, p.text, p.finite = at, v.Text, v.Kind == jsondoc.Number
		s.order = append(s.order, p)
	}
	p.count++
}

// cover settles the patterns against the document of the series.
func (s *patterns) cover(d *evidence.Document) []evidence.Covered {
	c := counting{}
	m := marksOf(d)
	for _, p := range s.order {
		c[m.outcomeAt(p)] += p.count
	}
	return c.covered()
}

// outcomeAt is what became of the first number of a pattern.
func (m *marking) outcomeAt(p *pattern) evidence.Ending {
	kind := jsondoc.Number
	if !p.finite {
		kind = jsondoc.NotFinite
	}
	at, above := &m.top, within{}
	for _, tok := range p.first.Tokens() {
		above = above.into(at)
		if at != nil {
			at = at.next[tok]
		}
	}
	return ending(&jsondoc.Node{Kind: kind, Text: p.text}, at, above)
}

// index is a list index as a token. Small ones are many.
func index(i int) string { return strconv.Itoa(i) }
