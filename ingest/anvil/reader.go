package anvil

import (
	"fmt"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// The labels, byte for byte.
const (
	decisionLabel = "anvil-serving.benchmark-decision-summary/v1"
	matrixLabel   = "anvil-serving.qwen38-tp-mtp-context-matrix-summary/v1"
)

// Shapes of the labels.
const (
	shapeTable     = "table"
	shapeNarrative = "narrative"
	shapeRows      = "rows"
)

// Reader reads the documents of one label.
type Reader struct {
	id      string
	version int
	label   string
	shape   func(*jsondoc.Node) (shape, reason string)
	read    map[string]func(*builder)
}

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{
		{id: "anvil/decision-summary", version: 2, label: decisionLabel, shape: decisionShape,
			read: map[string]func(*builder){shapeTable: (*builder).table, shapeNarrative: (*builder).narrative}},
		{id: "anvil/tp-mtp-context-matrix", version: 2, label: matrixLabel, shape: matrixShape,
			read: map[string]func(*builder){shapeRows: (*builder).matrix}},
	}
}

// ID names the reader in rows and exports.
func (r Reader) ID() string { return r.id }

// Version is raised whenever the reader's output changes.
func (r Reader) Version() int { return r.version }

// Match reports whether the reader takes a value with that label, and as which shape.
func (r Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	if label != r.label {
		return "", false
	}
	shape, _ := r.shape(v)
	return shape, shape != ""
}

// Reason says why a value that has the reader's label is not taken; "" when it is
// taken or has another label.
func (r Reader) Reason(label string, v *jsondoc.Node) string {
	if label != r.label {
		return ""
	}
	_, reason := r.shape(v)
	return reason
}

// Read lifts everything from a value that matched. Pointers are absolute: root is the
// place of v in the artifact.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := &builder{top: v, root: root, doc: evidence.Document{
		Schema: r.label, Family: "F5", Reader: r.id, ReaderVersion: r.version, ShapeID: shapeID, Root: root}}
	if shape, _ := r.shape(v); shape != "" && shape == shapeID {
		r.read[shape](b)
	} else {
		b.find(evidence.Error, CodeShape, root, v, fmt.Sprintf("the value has not the shape %q", shapeID))
	}
	return b.finish()
}

// decisionShape tells the two shapes of the decision summary apart by their rows:
// objects are a table, sentences beside a workload block a narrative.
func decisionShape(v *jsondoc.Node) (shape, reason string) {
	if !v.Is(jsondoc.Object) {
		return "", "the document is not an object"
	}
	headline := v.Get("headline_results")
	if hasItem(headline, jsondoc.Object) {
		return shapeTable, ""
	}
	statistics := v.Get("measurement").Get("statistics")
	narrative := v.Get("workload").Is(jsondoc.Object) || hasStatLine(statistics)
	empty := headline == nil || headline.Is(jsondoc.Array) && len(headline.Children) == 0
	switch {
	case narrative && (empty || hasItem(headline, jsondoc.String)):
		return shapeNarrative, ""
	case empty && v.Get("optimization_results").Is(jsondoc.Object):
		return shapeTable, ""
	}
	return "", "headline_results holds neither rows nor sentences beside a workload block or statistics sentences"
}

// matrixShape asks for at least one row.
func matrixShape(v *jsondoc.Node) (shape, reason string) {
	if !v.Is(jsondoc.Object) {
		return "", "the document is not an object"
	}
	if !hasItem(v.Get("results"), jsondoc.Object) {
		return "", "results holds no row"
	}
	return shapeRows, ""
}

func hasItem(n *jsondoc.Node, k jsondoc.Kind) bool {
	if !n.Is(jsondoc.Array) {
		return false
	}
	for _, c := range n.Children {
		if c.Kind == k {
			return true
		}
	}
	return false
}
