package observation

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Shapes of the labels.
const (
	ShapeBase  = "base"
	ShapeEntry = "entry" // one line of a corpus
)

// Reader reads every label of the table.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/observation" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 2 }

// Labels are the labels of this package, and whether their files are only archived.
func Labels() map[string]bool {
	out := make(map[string]bool, len(kinds))
	for label, k := range kinds {
		out[label] = k.archived
	}
	return out
}

// Match takes a label of the table with one of the members that it is known by.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	k, known := kinds[label]
	switch {
	case !known || !v.Is(jsondoc.Object):
		return "", false
	case label == entryLabel && v.Get("audio_path").Is(jsondoc.String):
		return ShapeEntry, true
	}
	for _, name := range fields(k.members) {
		if !sweep.IsObserved(name) && v.Get(name) != nil {
			return ShapeBase, true
		}
	}
	return "", false
}

// Reason says what is missed in a value with a known label.
func (Reader) Reason(label string, _ *jsondoc.Node) string {
	k, known := kinds[label]
	if !known {
		return ""
	}
	return "the label is that of " + k.what + ", which has the members " + strings.Join(fields(k.members), ", ")
}

// observation is one document being read.
type observation struct {
	*sweep.Sweep
	kind   kind
	engine *lift.Arm // what was observed; made when something was measured
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	k := kinds[labelOf(v)]
	d := lift.New(v, root, evidence.Document{Family: k.family, Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, sweep.Paths)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	o := &observation{Sweep: &sweep.Sweep{Doc: d, Facts: &d.Facts, Quiet: k.archived, Fallback: evidence.ReasonDiagnostic}, kind: k}
	o.Take(d.Top.Get("schema"))
	o.Take(d.Top.Get("schema_version"))
	if shapeID == ShapeEntry {
		o.Expect(o.Top, fields(entryMembers)...)
	} else {
		o.Expect(o.Top, fields(k.members)...)
	}
	if !k.archived {
		o.measured()
	} else {
		d.Archived = k.what
	}
	o.Rest(o.Top)
	if k.archived {
		o.Find(evidence.Info, lift.CodeArchived, o.Top, "%s: kept and found by the search; it says nothing of a run", k.what)
	}
	return d.Finish()
}

func labelOf(v *jsondoc.Node) string {
	for _, name := range []string{"schema", "schema_version"} {
		if s := v.Get(name).Str(); s != "" {
			return s
		}
	}
	return ""
}

// measured makes runs of the blocks that truly measured, and puts what holds for them.
func (o *observation) measured() {
	if o.kind.family == f8 && o.Top.Get("control_mechanism").OK() {
		o.control()
	}
	o.settings()
	o.blocks("", o.Top, 0)
	if pool := o.Top.Get("kv_offload_gib"); pool.OK() {
		o.offload(&o.Doc.Facts, pool)
	}
}

// control is the word that says how far a thinking control was proved.
func (o *observation) control() {
	o.Words(&o.Doc.Facts, evidence.KeyThinkProof, o.Top.Get("status"))
}

// settings are what the requests of the document were sent with.
func (o *observation) settings() {
	f := &o.Doc.Facts
	for _, name := range []string{"base_url", "endpoint"} {
		if v := o.Top.Get(name); v.Is(jsondoc.String) {
			o.Path(f, v, lift.Val{})
		}
	}
	thinking, budget, request := o.Top.Get("thinking"), o.Top.Get("budget"), o.Top.Get("request")
	if thinking.Is(jsondoc.Object) {
		o.Thinking(f, thinking.Get("mode"), thinking.Get("reasoning_effort"), lift.Val{})
		o.Switch(thinking)
	}
	if budget.Is(jsondoc.Object) {
		o.Count(f, evidence.KeyVisibleTokens, budget.Get("visible_answer_tokens"))
		o.Count(f, evidence.KeyHeadroomTokens, budget.Get("reasoning_headroom_tokens"))
		o.Count(f, evidence.KeyOutputCap, budget.Get("max_completion_tokens"))
	}
	if request.Is(jsondoc.Object) {
		o.Count(f, evidence.KeyOutputCap, request.Get("max_tokens"))
		o.Words(f, evidence.KeyThinking, request.Get("thinking_mode"))
		o.Words(f, evidence.KeyThinkingEffort, request.Get("reasoning_effort"))
	}
}

// maxDepth is how deep blocks are looked for.
const maxDepth = 6

// blocks visits every block that may have measured something.
func (o *observation) blocks(name string, v lift.Val, depth int) {
	if depth > maxDepth {
		return
	}
	switch {
	case v.Is(jsondoc.Object):
		for child, m := range v.Members() {
			if child != "usage" {
				o.blocks(child, m, depth+1)
			}
		}
		o.request(name, v)
		o.counters(v)
		o.pool(name, v) // last, for it takes the block as a whole
	case v.Is(jsondoc.Array):
		for _, item := range v.Items() {
			if !item.Is(jsondoc.Object) {
				return
			}
			o.blocks(name, item, depth+1)
		}
	}
}

// arm is the arm of everything that was measured on the engine of the document.
func (o *observation) arm() *lift.Arm {
	if o.engine == nil {
		o.engine = o.NewArm(o.armName(), o.Top)
	}
	return o.engine
}

func (o *observation) armName() string {
	for _, path := range [][]string{{"served_model"}, {"model", "served_name"}, {"runtime", "served_name"}, {"identity", "model"}, {"model"}, {"candidate", "model"}, {"upstream", "model"}} {
		if s := o.Top.Path(path...).Str(); s != "" {
			return s
		}
	}
	return o.kind.what
}
