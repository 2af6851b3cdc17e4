package preflight

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Label is the label, byte for byte.
const Label = "preflight/v2"

// Shapes of the label.
const (
	ShapeBase  = "base"
	ShapeImage = "image"
	ShapeVideo = "video"
)

// Codes of findings that only preflights have.
const (
	CodePolicy         = "policy-failure"  // every check passed and the policy did not
	CodeNoObservations = "no-observations" // nothing was answered; valid
)

// Reader reads preflights.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/preflight" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 3 }

// Match takes the label and one of its shapes.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	if label != Label || !v.Is(jsondoc.Object) || !v.Get("results").Is(jsondoc.Array) && !v.Get("observations").Is(jsondoc.Array) {
		return "", false
	}
	switch {
	case v.Get("video_input") != nil || v.Get("video_expect") != nil:
		return ShapeVideo, true
	case v.Get("multimodal_input") != nil || v.Get("image_expect") != nil || v.Get("ocr_expect") != nil:
		return ShapeImage, true
	}
	return ShapeBase, true
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Family: "F2", Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, known)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	p := &preflight{Doc: d, shape: shapeID}
	p.read()
	return d.Finish()
}

// known lists the members of every shape and why a number there is not lifted.
var known = lift.NewPaths(`
/schema_version
/base_url
/model
/thinking/mode
/thinking/reasoning_effort
/thinking/chat_template_kwargs
/thinking/chat_template_kwargs/** configuration
/budget/visible_answer_tokens
/budget/reasoning_headroom_tokens
/budget/max_completion_tokens
/checks
/checks/*
/results
/results/*/name
/results/*/passed
/results/*/detail
/evidence_policy/reasoning
/evidence_policy/allowed_finish_reasons
/evidence_policy/allowed_finish_reasons/*
/evidence_policy/errors
/evidence_policy/errors/*
/passed
/multimodal_input
/multimodal_input/bytes identifier
/multimodal_input/mime
/multimodal_input/sha256
/video_input
/video_input/bytes identifier
/video_input/mime
/video_input/sha256
/image_expect
/image_expect/*
/ocr_expect
/ocr_expect/*
/video_expect
/video_expect/*
/observations
/observations/*/test
/observations/*/request_index identifier
/observations/*/seconds
/observations/*/passed
/observations/*/finish_reason
/observations/*/response_status
/observations/*/sse_done
/observations/*/event_count detail
/observations/*/content
/observations/*/content_chars prose
/observations/*/content_excerpt
/observations/*/reasoning_field
/observations/*/reasoning_chars prose
/observations/*/reasoning_excerpt
/observations/*/reasoning_tokens detail
/observations/*/validation_detail
/observations/*/expected
/observations/*/expected/*
/observations/*/image/bytes identifier
/observations/*/image/mime
/observations/*/image/sha256
/observations/*/video/bytes identifier
/observations/*/video/mime
/observations/*/video/sha256
/observations/*/usage
/observations/*/usage/prompt_tokens
/observations/*/usage/completion_tokens
/observations/*/usage/total_tokens recomputed
/observations/*/usage/reasoning_tokens detail
/observations/*/usage/prompt_tokens_details
/observations/*/usage/prompt_tokens_details/** detail
/observations/*/usage/completion_tokens_details
/observations/*/usage/completion_tokens_details/** detail
/observations/*/usage/input_tokens
/observations/*/usage/output_tokens
/observations/*/usage/input_tokens_details
/observations/*/usage/input_tokens_details/** detail
/observations/*/usage/output_tokens_details
/observations/*/usage/output_tokens_details/** detail
`)
