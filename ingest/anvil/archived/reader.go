package archived

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Reader reads configuration inputs and values without a label.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/archived" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 2 }

// Labels are the labels of configuration inputs.
func Labels() []string {
	out := make([]string, 0, len(labelled))
	for l := range labelled {
		out = append(out, l)
	}
	return out
}

// Match takes the labels of configuration inputs, and values without a label by shape.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	at := lift.Val{N: v}
	if s, known := labelled[label]; known {
		return s.id, v.Is(jsondoc.Object) && s.is(at)
	}
	if label != "" || !v.Is(jsondoc.Object) && !v.Is(jsondoc.Array) {
		return "", false
	}
	for _, s := range unlabelled {
		if s.is(at) {
			return s.id, true
		}
	}
	return "", false
}

// archive is one value being read.
type archive struct {
	*sweep.Sweep
	arm *lift.Arm
}

// Read keeps what a value that matched is, and lifts what it measured.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	s, family := shapeOf(v, shapeID)
	d := lift.New(v, root, evidence.Document{Family: family, Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, sweep.Paths)
	a := &archive{Sweep: &sweep.Sweep{Doc: d, Quiet: s.read == nil, Reason: s.reason, Fallback: evidence.ReasonDiagnostic}}
	for _, name := range []string{"schema", "schema_version"} {
		a.Take(d.Top.Get(name))
	}
	if s.read != nil {
		s.read(a)
	} else {
		d.Archived = s.what
	}
	a.label(s, family)
	a.Rest(d.Top)
	if d.Archived != "" {
		a.Find(evidence.Info, lift.CodeArchived, d.Top, "%s: kept and found by the search; it is no result of a run", s.what)
	}
	return d.Finish()
}

// label says what stands where a label belongs.
func (a *archive) label(s shape, family string) {
	if family == "F10" {
		return
	}
	number := a.Top.Get("schema_version")
	if !number.Is(jsondoc.Number) {
		number = a.Top.Get("schema")
	}
	if number.Is(jsondoc.Number) {
		a.Find(evidence.Info, lift.CodeIntegerLabel, number, "the number %s is a version of something unnamed; by its shape it is %s", lift.Clip(number.N.Text), s.what)
		a.Skip(number, evidence.ReasonIdentifier)
		return
	}
	a.Find(evidence.Info, lift.CodeNoSchema, a.Top, "names no schema; by its shape it is %s", s.what)
}

// shapeOf finds the shape that a value was matched with.
func shapeOf(v *jsondoc.Node, id string) (shape, string) {
	for _, name := range []string{"schema", "schema_version", "$schema"} {
		if s, ok := labelled[v.Get(name).Str()]; ok {
			return s, "F10"
		}
	}
	for _, s := range unlabelled {
		if s.id == id {
			return s, "F11"
		}
	}
	return shape{id: id, what: "a value of a shape that nobody knows"}, "F11"
}
