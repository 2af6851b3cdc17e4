package lift

import (
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Coverage counts the numbers of a value by what became of them.
type Coverage struct {
	Numbers int            // leaves that are numbers
	Lifted  int            // carried by a measurement, fact, sample or gate
	Listed  map[string]int // listed as not lifted, by reason
	Missing []evidence.Pointer
}

// Classified is the share of numbers that are lifted or listed with a reason other
// than unread.
func (c Coverage) Classified() float64 {
	if c.Numbers == 0 {
		return 1
	}
	unread := c.Listed[evidence.ReasonUnread] + len(c.Missing)
	return float64(c.Numbers-unread) / float64(c.Numbers)
}

// Cover looks at a document from the outside: which numbers of the value does it carry?
// A number under the place of a sample counts as carried when the sample holds it.
func Cover(d *evidence.Document, v *jsondoc.Node) Coverage {
	in, listed := carriedBy(d), map[evidence.Pointer]string{}
	for _, n := range d.NotLifted {
		listed[n.Place.Pointer] = n.Reason
	}
	c := Coverage{Listed: map[string]int{}}
	c.visit(d.Root, v, nil, in, listed)
	return c
}

func (c *Coverage) visit(p evidence.Pointer, v *jsondoc.Node, s *evidence.Sample, in *carried, listed map[evidence.Pointer]string) {
	s = in.sample(p, s)
	reason, isListed := listed[p]
	if v.Kind == jsondoc.Number || v.Kind == jsondoc.NotFinite {
		c.Numbers++
		switch {
		case isListed:
			c.Listed[reason]++
		case in.number(p, v, s):
			c.Lifted++
		default:
			c.Missing = append(c.Missing, p)
		}
		return
	}
	if isListed && len(v.Children) > 0 {
		v.Walk(p, func(_ evidence.Pointer, n *jsondoc.Node) bool {
			if n.Kind == jsondoc.Number || n.Kind == jsondoc.NotFinite {
				c.Numbers++
				c.Listed[reason]++
			}
			return true
		})
		return
	}
	for i, child := range v.Children {
		q := p.Index(i)
		if v.Kind == jsondoc.Object {
			q = p.Key(v.Names[i])
		}
		c.visit(q, child, s, in, listed)
	}
}
