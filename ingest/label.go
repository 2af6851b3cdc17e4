package ingest

import "assay/ingest/jsondoc"

// labelKeys are the members that name a document's schema, the usual one first.
var labelKeys = []string{"schema", "schema_version", "$schema"}

// labelOf is the label of a value, exactly as it stands; "" when it has none. A number
// is a version of something unnamed, not a label.
func labelOf(v *jsondoc.Node) string {
	for _, k := range labelKeys {
		if s := v.Get(k).Str(); s != "" {
			return s
		}
	}
	return ""
}

// labels finds the label of the first value that has one in the events of a scan,
// also where the value is too large for a tree.
type labels struct {
	first string
	depth int
	key   int // index in labelKeys of the member whose value follows, -1 for others
	best  int // index of the key that the label at hand came from
	label string
}

func (l *labels) handle(e *jsondoc.Event) {
	switch e.Op {
	case jsondoc.Begin:
		l.depth, l.key, l.best, l.label = 0, -1, len(labelKeys), ""
	case jsondoc.Open:
		l.depth++
		if l.depth == 1 && e.Kind == jsondoc.Array {
			l.depth = 2 // the members of its items are no members of the value
		}
	case jsondoc.Close:
		l.depth--
	case jsondoc.Name:
		l.key = -1
		if l.depth == 1 {
			for i, k := range labelKeys {
				if k == string(e.Text) {
					l.key = i
				}
			}
		}
	case jsondoc.Leaf:
		if l.key >= 0 && l.key < l.best && e.Kind == jsondoc.String && len(e.Text) > 0 {
			l.label, l.best = string(e.Text), l.key
		}
		l.key = -1
	case jsondoc.End, jsondoc.Broken:
		if l.first == "" {
			l.first = l.label
		}
	}
}
