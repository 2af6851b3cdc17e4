package paired

import (
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Shapes of the labels.
const (
	ShapeRepeats = "repeats" // metrics.M.ARM_values and their median
	ShapeMeans   = "means"   // ARM.RUN.means over repeats
	ShapeProbe   = "probe"   // ARM.runs_tok_s and their mean
	ShapeBlocks  = "blocks"  // figures in blocks of arms
	ShapeVoice   = "voice"   // turns of a candidate against one of a baseline
	whatItIs     = "a paired comparison"
)

// Codes of findings that only pairs have.
const (
	CodeOpenClaim = "claim-without-figures" // which figures a change was formed from is not said
	CodeClaim     = "claim-differs"         // a published change that its figures do not give
	CodeStatus    = "run-status-unknown"    // a word for how a run ended that we do not know
	CodeRate      = "rate-undefined"        // a rate, and no word on what it measures
)

// kind is one label.
type kind struct {
	members string // it is known by
	shape   func(*jsondoc.Node) string
}

// kinds are the labels, byte for byte.
var kinds = map[string]kind{
	"paired-capacity-comparison/v1":                {"generated_at hardware model_revision engine_revision image_digest protocol dspark control metrics functional_gate decision", repeatsShape},
	"kernel-tune-ab-comparison/v1":                 {"observed_at measurement_protocol identity methodology thresholds deltas_percent hard_gates decision", meansShape},
	"anvil-serving.mtp-ab-probe/v1":                {"candidate_id model engine gpu method mtp_off mtp_on speedup external_reference notes", probeShape},
	"agents-a1-qwen-head-to-head-comparison/v1":    {"observed_date comparison_boundary profiles derived_comparison", blocksShape},
	"anvil-serving.deepseek-r33-batch-token-ab/v1": {"observed_date_local observed_date_utc evidence_types identity controlled_change matched_context_ladder", blocksShape},
	"anvil-serving.chat-template-ab-summary/v1":    {"date model runtime template thinking_enabled_mmlu_pro", blocksShape},
	"voice-benchmark-comparison/v1":                {"task title generated_utc harness turn_latency_budget_ms route_identity_verified candidate gate caveats runs", voiceShape},
}

func repeatsShape(v *jsondoc.Node) string {
	if v.Get("metrics").Is(jsondoc.Object) {
		return ShapeRepeats
	}
	return ""
}

func meansShape(v *jsondoc.Node) string {
	if len(membersWith(lift.Val{N: v}, func(m lift.Val) bool { return childWith(m, "means") })) > 0 {
		return ShapeMeans
	}
	return ""
}

func probeShape(v *jsondoc.Node) string {
	if len(membersWith(lift.Val{N: v}, isProbeArm)) > 0 {
		return ShapeProbe
	}
	return ""
}

func blocksShape(v *jsondoc.Node) string {
	if len(armBlocks(lift.Val{N: v})) > 0 {
		return ShapeBlocks
	}
	return ""
}

func voiceShape(v *jsondoc.Node) string {
	if v.Get("candidate").Is(jsondoc.Object) && v.Get("candidate").Get("turn_latency_ms") != nil {
		return ShapeVoice
	}
	return ""
}

// membersWith are the members of an object that fit.
func membersWith(v lift.Val, fits func(lift.Val) bool) []string {
	var out []string
	for name, m := range v.Members() {
		if m.Is(jsondoc.Object) && fits(m) {
			out = append(out, name)
		}
	}
	return out
}

func childWith(v lift.Val, name string) bool {
	for _, m := range v.Members() {
		if m.Get(name).Is(jsondoc.Object) {
			return true
		}
	}
	return false
}

// Reader reads every label of the table.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/paired" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 2 }

// Labels are the labels of this package.
func Labels() []string {
	var out []string
	for l := range kinds {
		out = append(out, l)
	}
	return out
}

// Match takes a label of the table and its shape.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	k, known := kinds[label]
	if !known || !v.Is(jsondoc.Object) {
		return "", false
	}
	shapeID = k.shape(v)
	return shapeID, shapeID != ""
}

// Reason says what is missed in a value with a known label.
func (Reader) Reason(label string, _ *jsondoc.Node) string {
	if k, known := kinds[label]; known {
		return "the label is that of " + whatItIs + ", which has two arms and the members " + strings.Join(strings.Fields(k.members), ", ")
	}
	return ""
}

// pair is one document being read.
type pair struct {
	*sweep.Sweep
	sides []*side
}

// side is one arm with its runs by name.
type side struct {
	*lift.Arm
	name string
	runs map[string]*lift.Run
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Family: "F4", Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, sweep.Paths)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	p := &pair{Sweep: &sweep.Sweep{Doc: d, Facts: &d.Facts, Fallback: evidence.ReasonDiagnostic}}
	for _, name := range []string{"schema", "schema_version"} {
		p.Take(d.Top.Get(name))
	}
	p.Expect(d.Top, strings.Fields(kinds[d.Schema].members)...)
	switch shapeID {
	case ShapeRepeats:
		p.repeats()
	case ShapeMeans:
		p.means()
	case ShapeProbe:
		p.probe()
	case ShapeBlocks:
		p.blocks()
	case ShapeVoice:
		p.voice()
	}
	p.apart()
	p.Rest(d.Top)
	return d.Finish()
}

// top is a member of the document that must be a block.
func (p *pair) top(name string) lift.Val { return p.Doc.Block(p.Top.Get(name)) }

// side finds or makes an arm.
func (p *pair) side(name string, at lift.Val) *side {
	for _, s := range p.sides {
		if s.name == name {
			return s
		}
	}
	s := &side{Arm: p.NewArm(name, at), name: name, runs: map[string]*lift.Run{}}
	p.sides = append(p.sides, s)
	return s
}

// run finds or makes a run of an arm.
func (s *side) run(name, class string, at lift.Val) *lift.Run {
	if s.runs[name] == nil {
		s.runs[name] = s.NewRun(name, class, at)
	}
	return s.runs[name]
}

// controlWords are words of the names of arms that something is set against.
var controlWords = []string{"control", "baseline", "default", "stock", "off", "none", "reference", "before"}

// isControl reports whether the name of an arm calls it a control.
func isControl(name string) bool {
	return slices.ContainsFunc(sweep.Words(name), func(w string) bool { return slices.Contains(controlWords, w) })
}

// control is the one arm that is called a control, nil when none or several are.
func (p *pair) control() *side {
	var found *side
	for _, s := range p.sides {
		if isControl(s.name) {
			if found != nil {
				return nil
			}
			found = s
		}
	}
	return found
}

// subject is the one arm beside the control.
func (p *pair) subject() *side {
	c := p.control()
	if c == nil || len(p.sides) != 2 {
		return nil
	}
	if p.sides[0] == c {
		return p.sides[1]
	}
	return p.sides[0]
}
