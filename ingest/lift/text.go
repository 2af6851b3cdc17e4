package lift

import (
	"bytes"
	"sort"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// TextReader reads files that are not JSON. MatchText sees the first bytes of a file
// and decides by what they say, never by a name; ReadText gets the whole text as UTF-8.
type TextReader interface {
	ID() string
	Version() int
	MatchText(head []byte) (shapeID string, ok bool)
	ReadText(data []byte, shapeID string) evidence.Document
}

// Series reads values that belong together, one request each: a file of records is one
// run, and its reader sees one value after the other.
type Series interface {
	// Add takes a value that matched; at is its place in the artifact.
	Add(v *jsondoc.Node, at evidence.Pointer)
	// Document ends the series.
	Document() evidence.Document
}

// SeriesReader is a reader whose values are rows of one run. Read takes a row by
// itself; Series takes all rows of an artifact.
type SeriesReader interface {
	ID() string
	Series(shapeID string) Series
}

// SketchReader is a reader that can read a value from its sketch: the value is too large
// for a tree because of lists of raw rows, and its summary stands in members of the
// outermost object, which a sketch has in full. nodes is how many the value has.
type SketchReader interface {
	ID() string
	ReadSketch(v *jsondoc.Node, root evidence.Pointer, shapeID string, nodes int) evidence.Document
}

// Unheld lists a part of a value that a sketch has the start of only.
func (b *Builder) Unheld(o Obj, what string) {
	if o.Node != nil && len(o.Node.Children) > 0 {
		b.touchAll(o.Node)
		b.leave(o, what, evidence.ReasonRow)
	}
}

// Lines makes every place of the document a line of text: node offsets are byte offsets
// in data.
func (b *Builder) Lines(data []byte) {
	starts := LineStarts(data)
	b.at = func(p evidence.Pointer, n *jsondoc.Node) evidence.Place {
		if n == nil {
			n = b.top // what is missing is missing from the whole
		}
		return LinePlace(starts, n)
	}
}

// LinePlace is the place of a node as a part of its line.
func LinePlace(starts []int64, n *jsondoc.Node) evidence.Place {
	line := sort.Search(len(starts), func(i int) bool { return starts[i] > n.Offset }) - 1
	if line < 0 {
		line = 0
	}
	p := evidence.Pointer("").Key("lines").Index(line)
	end := n.End
	if line+1 < len(starts) && end > starts[line+1] {
		return evidence.At(p) // longer than a line: where it starts
	}
	if n.Kind == jsondoc.Object || n.Kind == jsondoc.Array || end <= n.Offset {
		return evidence.At(p)
	}
	return evidence.InText(p, int(n.Offset-starts[line]), int(end-starts[line]))
}

// LineStarts are the byte offsets at which lines begin.
func LineStarts(data []byte) []int64 {
	starts := []int64{0}
	for at := 0; ; {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 || at+i+1 >= len(data) {
			return starts
		}
		at += i + 1
		starts = append(starts, int64(at))
	}
}
