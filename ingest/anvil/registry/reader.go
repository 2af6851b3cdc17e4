package registry

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// labels are the labels, byte for byte, with the members they are known by.
var labels = map[string]string{
	"source-registry/v1":                         "observed_date sources",
	"anvil-serving.source-registry/v1":           "observed_at sources",
	"anvil-serving/source-registry/v1":           "observed_date sources",
	"anvil-serving.benchmark-sources.v1":         "observed_date sources",
	"anvil-serving.benchmark-sources/v1":         "observed_at sources",
	"benchmark-source-registry/v1":               "observed_date sources",
	"anvil-serving-research-source-registry/v1":  "subject observed_at sources",
	"anvil-serving.external-source-registry/v1":  "topic observed_date sources",
	"anvil-serving.bakeoff-source-registry/v1":   "recorded_at policy entries",
	"anvil-serving-community-recipe-research/v1": "subject captured_at campaign_kind local_mutations candidates sources",
	"external-runtime-lead/v1":                   "observed_at evidence_type thread reported_hardware reported_result runtime settings assessment",
}

// Shapes of the documents.
const (
	ShapeSources    = "sources"
	ShapeCandidates = "candidates"
	ShapeLead       = "lead"
	ShapeUnlabelled = "unlabelled-sources"
)

// Codes of findings that only registries have.
const (
	CodeExternal = "external-registry"
	CodeUndated  = "source-undated" // no date: to be taken as stale
	CodeAge      = "source-age"     // called current, and not
)

// what the documents are when nothing in them was measured by anybody.
const what = "a registry of external sources"

// Reader reads registries.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/registry" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 2 }

// Labels are the labels of this package.
func Labels() []string {
	out := make([]string, 0, len(labels))
	for l := range labels {
		out = append(out, l)
	}
	return out
}

// Match takes a label of the table with a list or block it is known by, and a value
// without a label that is a list of sources.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	switch _, known := labels[label]; {
	case !v.Is(jsondoc.Object):
		return "", false
	case label == "":
		return ShapeUnlabelled, v.Get("schema_version") == nil && isSources(v.Get("sources"))
	case !known:
		return "", false
	case v.Get("reported_result").Is(jsondoc.Object):
		return ShapeLead, true
	case v.Get("candidates").Is(jsondoc.Array):
		return ShapeCandidates, true
	case v.Get("sources").Is(jsondoc.Array), v.Get("entries").Is(jsondoc.Array):
		return ShapeSources, true
	}
	return "", false
}

// Reason says what is missed in a value with a known label.
func (Reader) Reason(label string, _ *jsondoc.Node) string {
	members, known := labels[label]
	if !known {
		return ""
	}
	return "the label is that of " + what + ", which has the members " + strings.Join(strings.Fields(members), ", ")
}

// isSources reports whether a list is one of sources with addresses.
func isSources(v *jsondoc.Node) bool {
	if !v.Is(jsondoc.Array) || len(v.Children) == 0 {
		return false
	}
	for _, x := range v.Children {
		if x.Get("url").Str() == "" || x.Get("age_class") == nil && x.Get("evidence_type") == nil && x.Get("decision_impact") == nil {
			return false
		}
	}
	return true
}

// registry is one document being read.
type registry struct {
	*sweep.Sweep
	external bool // somebody's figures are in it
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Family: "F9", Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, sweep.Paths)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	g := &registry{Sweep: &sweep.Sweep{Doc: d, Fallback: evidence.ReasonDiagnostic}}
	g.label(shapeID)
	for _, list := range []string{"sources", "entries"} {
		for _, v := range d.List(d.Top.Get(list)).Items() {
			g.entry(v)
		}
	}
	for _, v := range d.List(d.Top.Get("candidates")).Items() {
		g.candidate(v)
	}
	if shapeID == ShapeLead {
		g.lead()
	}
	g.Rest(d.Top)
	g.conclude()
	return d.Finish()
}

// label puts the scope, and checks what the label is known by.
func (g *registry) label(shapeID string) {
	at := g.Top.Get("schema")
	if !at.OK() {
		at = g.Top.Get("schema_version")
	}
	g.Take(at)
	facts := g.Doc.Facts[:0]
	for _, f := range g.Doc.Facts {
		if f.Key != evidence.KeyScope { // a registry is written here, what it tells is not from here
			facts = append(facts, f)
		}
	}
	g.Doc.Facts = facts
	if !at.OK() {
		at = g.Top.Get("sources")
	}
	g.Put(&g.Doc.Facts, evidence.Fact{Key: evidence.KeyScope, Value: "external", State: evidence.Derived, Place: evidence.At(at.P),
		SourceText: lift.Clip(at.Str()), Rule: "registry"})
	if shapeID == ShapeUnlabelled {
		g.Doc.Family = "F11"
		g.Find(evidence.Info, lift.CodeNoSchema, g.Top, "names no schema; by its shape it is %s", what)
		return
	}
	g.Expect(g.Top, strings.Fields(labels[g.Schema])...)
	if twins := twinsOf(g.Schema); len(twins) > 0 {
		g.Find(evidence.Info, lift.CodeNearTwin, at, "the label is %q and not %s: separators are part of a label", lift.Clip(g.Schema), strings.Join(twins, " or "))
	}
}

// twinsOf are the other labels that differ in separators or the vendor only.
func twinsOf(label string) []string {
	bare := func(s string) string {
		s = strings.TrimPrefix(s, "anvil-serving")
		return strings.NewReplacer(".", "", "/", "", "-", "", "_", "").Replace(s)
	}
	var out []string
	for other := range labels {
		if other != label && bare(other) == bare(label) {
			out = append(out, other)
		}
	}
	sortTexts(out)
	return out
}

// conclude says what the document is.
func (g *registry) conclude() {
	if g.external {
		g.Find(evidence.Info, CodeExternal, g.Top, "external priors with figures that others published: shown, and never compared with measured ones")
		return
	}
	g.Doc.Archived = what
	g.Find(evidence.Info, lift.CodeArchived, g.Top, "%s: kept and found by the search, external for good; nothing in it was measured here", what)
}
