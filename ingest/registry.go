package ingest

import (
	"assay/ingest/anvil"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Reader lifts documents of one family out of JSON values. A reader is a pure
// function of the value: it keeps no state and may run several times at once.
type Reader interface {
	// ID names the reader, for example "anvil/decision-summary".
	ID() string
	// Version is raised whenever the same value would be read differently.
	Version() int
	// Match decides by label and shape, never by label alone. The shape's name is
	// recorded with the document.
	Match(label string, v *jsondoc.Node) (shapeID string, ok bool)
	// Read lifts what stands in v. Places are pointers under root.
	Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document
}

// explainer is a reader that can say why a value with its label is not its own.
type explainer interface {
	Reason(label string, v *jsondoc.Node) string
}

// Registered are the readers of this build in the order they are asked.
func Registered() []Reader {
	var out []Reader
	for _, r := range anvil.Readers() {
		out = append(out, r)
	}
	return out
}
