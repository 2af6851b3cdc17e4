package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Codes of findings that only these documents have.
const (
	CodeStat         = "statistic-unknown"     // of which statistic is this figure?
	CodeName         = "name-not-understood"   // a figure whose name has words that we do not know
	CodeStatus       = "run-status-unknown"    // a status word that we do not know
	CodeNumberText   = "number-in-text"        // the number stands in a string
	CodeUnattributed = "figure-unattributed"   // the figures of a claim are not told apart
	CodeIdentity     = "identity-unclear"      // a name that stands for several arms
	CodeForeign      = "figure-not-measured"   // a target, a threshold or somebody else's figure
	CodeProtocol     = "protocol-not-of-block" // a block with another load than the protocol tells
	CodeAggregation  = "aggregation-ambiguous" // two statistics in one name, and nothing tells which is over which
)

// Reader reads the documents of one label.
type Reader struct {
	id     string
	label  string
	shapes []shape
}

// ID names the reader in rows and exports.
func (r Reader) ID() string { return r.id }

// Version is raised whenever the reader's output changes.
func (r Reader) Version() int { return 2 }

// Match takes the label, byte for byte, and one of its shapes.
func (r Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	if label != r.label || !v.Is(jsondoc.Object) {
		return "", false
	}
	for _, s := range r.shapes {
		if s.fits(v) {
			return s.id, true
		}
	}
	return "", false
}

// Reason says why a value that has the reader's label is not taken.
func (r Reader) Reason(label string, v *jsondoc.Node) string {
	if label != r.label {
		return ""
	}
	if _, ok := r.Match(label, v); ok {
		return ""
	}
	if !v.Is(jsondoc.Object) {
		return "the document is not an object"
	}
	var want []string
	for _, s := range r.shapes {
		want = append(want, s.id+" ("+strings.Join(s.need, ", ")+")")
	}
	return "the document has none of the members of a known shape: " + strings.Join(want, "; ")
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Schema: r.label, Family: "F5", Reader: r.id, ReaderVersion: r.Version(), ShapeID: shapeID}, nothingKnown)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	e := newEngine(d)
	for _, s := range r.shapes {
		if s.id == shapeID {
			d.Expect(d.Top, s.expect...)
		}
	}
	e.document()
	return d.Finish()
}

// nothingKnown: the engine takes or lists what it understands; the rest is reported.
var nothingKnown = lift.NewPaths("/schema\n/schema_version\n")
