package anvil

import (
	"strings"
	"unicode/utf8"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// Unaccounted proves that a document carries every number of its source: it gives the
// places of all numbers, in values and in texts, that are none of
//
//   - a measurement or a fact (its place, or a place that belongs to it),
//   - a part of a gate, a limitation, failure or caveat, a word on restoration, a
//     decision or a reference,
//   - listed as not lifted.
//
// A headline or statement note alone carries no number: what is not lifted from it must
// be listed. The walk shares nothing with the readers' own closing pass but the
// spelling of number words.
func Unaccounted(doc evidence.Document, tree *jsondoc.Node) []evidence.Place {
	u := auditor{whole: map[evidence.Pointer]bool{}, parts: map[evidence.Pointer][]evidence.Place{}}
	u.admit(&doc)
	tree.Walk(doc.Root, u.visit)
	return u.missing
}

type auditor struct {
	whole   map[evidence.Pointer]bool
	parts   map[evidence.Pointer][]evidence.Place
	words   map[evidence.Pointer][]string // texts that a gate or reference repeats
	missing []evidence.Place
}

func (u *auditor) add(places ...evidence.Place) {
	for _, p := range places {
		if p.Whole() {
			u.whole[p.Pointer] = true
		} else {
			u.parts[p.Pointer] = append(u.parts[p.Pointer], p)
		}
	}
}

func (u *auditor) admit(doc *evidence.Document) {
	facts := func(list []evidence.Fact) {
		for _, f := range list {
			u.add(f.Place)
		}
	}
	facts(doc.Facts)
	for _, a := range doc.Arms {
		facts(a.Facts)
		for _, r := range a.Runs {
			facts(r.Facts)
			for _, m := range r.Measurements {
				u.add(m.Place)
				u.add(m.Also...)
			}
		}
	}
	u.words = map[evidence.Pointer][]string{}
	for _, g := range doc.Gates {
		u.words[g.Place.Pointer] = []string{g.Name, g.SourceStatus, g.Detail, g.Evidence}
	}
	for _, n := range doc.Notes {
		if n.Kind != evidence.Headline && n.Kind != evidence.Statement {
			u.add(n.Place)
		}
	}
	for _, d := range doc.Decisions {
		u.add(d.Place)
	}
	for _, r := range doc.References {
		u.add(r.Place)
		if r.SHA256.OK {
			u.words[r.Place.Pointer.Parent()] = append(u.words[r.Place.Pointer.Parent()], r.SHA256.V.String(), "sha256:"+r.SHA256.V.String())
		}
	}
	for _, x := range doc.NotLifted {
		u.add(x.Place)
	}
}

// visit looks at one value; what lies under a place that is carried whole is carried.
func (u *auditor) visit(p evidence.Pointer, n *jsondoc.Node) bool {
	if u.whole[p] {
		return false
	}
	switch n.Kind {
	case jsondoc.Number, jsondoc.NotFinite:
		u.missing = append(u.missing, evidence.At(p))
	case jsondoc.String:
		for _, w := range u.words[p.Parent()] {
			if strings.EqualFold(w, n.Text) { // a digest may be written in capitals
				return false
			}
		}
		u.sentence(p, n.Text)
	}
	return true
}

// sentence reports every run of digits and every number word outside the carried parts.
func (u *auditor) sentence(p evidence.Pointer, text string) {
	for i := 0; i < len(text); {
		if text[i] < '0' || text[i] > '9' {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		end := i + len(text[i:]) - len(strings.TrimLeft(text[i:], "0123456789"))
		u.part(p, i, end)
		i = end
	}
	for _, t := range prose.Numbers(text) {
		if t.Kind == prose.Spelled {
			u.part(p, t.Start, t.End)
		}
	}
}

func (u *auditor) part(p evidence.Pointer, start, end int) {
	for _, c := range u.parts[p] {
		if start >= c.Start && end <= c.End {
			return
		}
	}
	u.missing = append(u.missing, evidence.InText(p, start, end))
}
