package multimodal

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Label is the label, byte for byte.
const Label = "multimodal-benchmark-evidence/v1"

// Shapes of the label.
const (
	ShapeFixed   = "fixed-admission"   // the writer had its limits built in
	ShapeLimited = "limited-admission" // limits per request are recorded
)

// Codes of findings that only these files have.
const (
	CodeMixedMethods = "mixed-percentile-methods" // p50 and p95 are taken by different methods
	CodeFailedInside = "failed-in-percentile"     // failed attempts stand in a latency
	CodeMedia        = "media-differs"            // an attempt sent other media than its case
)

// Reader reads multimodal runs.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/multimodal" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 3 }

// Match takes the label and its shape.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	if label != Label || !v.Is(jsondoc.Object) || !v.Get("attempts").Is(jsondoc.Array) && !v.Get("aggregates").Is(jsondoc.Object) {
		return "", false
	}
	c := v.Get("configuration")
	if c.Get("max_images_per_request") != nil || c.Get("max_videos_per_request") != nil {
		return ShapeLimited, true
	}
	return ShapeFixed, true
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Family: "F6", Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, known)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	m := &media{Doc: d, cases: map[string]*group{}, modalities: map[string]*group{}, hashes: map[string]map[string]bool{}, planned: map[string]int64{}}
	m.read()
	return d.Finish()
}

var known = lift.NewPaths(`
/schema
/run_id
/started_at
/finished_at
/requests
/passed_attempts recomputed
/failed_attempts recomputed
/passed
/identity/base_url
/identity/engine_revision
/identity/engine_build_ref
/identity/hardware
/identity/model
/identity/model_revision
/identity/runtime_image
/identity/served_models
/identity/served_models/*
/configuration/concurrency
/configuration/max_tokens
/configuration/thinking_mode
/configuration/reasoning_effort
/configuration/chat_template_kwargs
/configuration/chat_template_kwargs/** configuration
/configuration/allowed_finish_reasons
/configuration/allowed_finish_reasons/*
/configuration/timeout_seconds
/configuration/max_images_per_request
/configuration/max_videos_per_request
/corpus/schema
/corpus/path
/corpus/sha256
/corpus/provenance
/corpus/provenance/** prose
/corpus/cases
/corpus/cases/*/id
/corpus/cases/*/modality
/corpus/cases/*/prompt
/corpus/cases/*/repetitions recomputed
/corpus/cases/*/sampling
/corpus/cases/*/sampling/** configuration
/corpus/cases/*/assertions
/corpus/cases/*/assertions/** configuration
/corpus/cases/*/media
/corpus/cases/*/media/*/bytes identifier
/corpus/cases/*/media/*/kind
/corpus/cases/*/media/*/mime
/corpus/cases/*/media/*/path
/corpus/cases/*/media/*/sha256
/attempts
/attempts/*/case_id
/attempts/*/modality
/attempts/*/repetition identifier
/attempts/*/seconds
/attempts/*/passed
/attempts/*/finish_reason
/attempts/*/failure
/attempts/*/output
/attempts/*/sampling
/attempts/*/sampling/** configuration
/attempts/*/reasoning
/attempts/*/reasoning/chars prose
/attempts/*/reasoning/field
/attempts/*/reasoning/tokens detail
/attempts/*/validation/assertions
/attempts/*/validation/assertions/** configuration
/attempts/*/validation/finish_reason_allowed
/attempts/*/validation/visible_answer
/attempts/*/media
/attempts/*/media/*/bytes identifier
/attempts/*/media/*/kind
/attempts/*/media/*/mime
/attempts/*/media/*/path
/attempts/*/media/*/sha256
/attempts/*/usage
/attempts/*/usage/prompt_tokens
/attempts/*/usage/completion_tokens
/attempts/*/usage/total_tokens recomputed
/attempts/*/usage/reasoning_tokens detail
/attempts/*/usage/prompt_tokens_details
/attempts/*/usage/prompt_tokens_details/** detail
/attempts/*/usage/completion_tokens_details
/attempts/*/usage/completion_tokens_details/** detail
/aggregates/case/*/attempts
/aggregates/modality/*/attempts
/aggregates/case/*/passed recomputed
/aggregates/modality/*/passed recomputed
/aggregates/case/*/pass_rate
/aggregates/modality/*/pass_rate
/aggregates/case/*/latency_p50_seconds
/aggregates/modality/*/latency_p50_seconds
/aggregates/case/*/latency_p95_seconds
/aggregates/modality/*/latency_p95_seconds
/aggregates/case
/aggregates/modality
`)
