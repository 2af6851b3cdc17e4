package bakeoff

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Label is the label, byte for byte.
const Label = "anvil-serving.fast-tier-bakeoff/v1"

// Shapes of the label.
const (
	Shape1       = "protocol-1"
	Shape1Suites = "protocol-1-suites"
	Shape2       = "protocol-2"
	Shape3       = "protocol-3"
)

// Codes of findings that only these files have.
const (
	CodeUnanswered = "check-unanswered"   // no answer came to a check
	CodeStatus     = "run-status-unknown" // a word for how a request ended that we do not know
	CodeOwnBudget  = "own-setting"        // a section has another setting than the file
)

// Reader reads quality and context runs.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/bakeoff" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 3 }

// Match takes the label and one of its protocols.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	if label != Label || !v.Is(jsondoc.Object) || !v.Get("identity").Is(jsondoc.Object) {
		return "", false
	}
	protocol := v.Get("evaluation_protocol")
	if protocol == nil {
		if v.Get("suites") != nil {
			return Shape1Suites, true
		}
		return Shape1, true
	}
	version := protocol.Get("version")
	switch {
	case !version.Is(jsondoc.Number):
		return "", false
	case version.Text == "2":
		return Shape2, true
	case version.Text == "3":
		return Shape3, true
	}
	return "", false
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Family: "F3", Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, known)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	b := &bakeoff{Doc: d, shape: shapeID}
	b.read()
	return d.Finish()
}

// known lists the members of every protocol and why a number there is not lifted.
var known = lift.NewPaths(`
/schema
/run_id
/identity/candidate_id
/identity/config_id
/identity/model
/identity/base_url
/identity/started_at
/identity/engine
/identity/gpu
/source_recipe/ref
/source_recipe/serve_command
/selection/suites
/selection/suites/*
/selection/context_targets
/selection/context_targets/* configuration
/selection/requests_per_context configuration
/selection/endpoint_already_loaded
/evaluation_protocol/version
/evaluation_protocol/repetitions configuration
/evaluation_protocol/minimum_pass_rate configuration
/evaluation_protocol/visible_answer_tokens configuration
/evaluation_protocol/reasoning_headroom_tokens configuration
/evaluation_protocol/minimum_comparable_repetitions configuration
/evaluation_protocol/budget_semantics
/evaluation_protocol/records_finish_reason
/evaluation_protocol/records_full_visible_answer
/evaluation_protocol/records_reasoning_channel_metadata
/thinking/mode
/thinking/reasoning_effort
/thinking/unsupported
/thinking/control_mechanism
/thinking/control_status
/thinking/control_evidence
/thinking/control_evidence_sha256
/thinking/control_requested
/thinking/control_requested/** configuration
/thinking/chat_template_kwargs
/thinking/chat_template_kwargs/** configuration
/timing/wall_ms
/timing/chat
/timing/chat/ttft_p50_ms
/timing/chat/ttft_p95_ms
/timing/chat/e2e_p50_ms
/timing/chat/e2e_p95_ms
/timing/chat/time_to_first_output_p50_ms
/timing/chat/time_to_first_output_p95_ms
/timing/chat/generation_p50_ms
/timing/chat/generation_p95_ms
/timing/chat/decode_tok_s_p50
/timing/chat/decode_tok_s_p95
/timing/chat/effective_prefill_tok_s_p50
/timing/chat/effective_prefill_tok_s_p95
/timing/chat/mean_inter_token_latency_ms_p50
/timing/chat/mean_inter_token_latency_ms_p95
/timing/chat/prompt_tokens_p50
/timing/chat/prompt_tokens_p95
/timing/chat/prompt_tokens
/timing/chat/prompt_token_samples recomputed
/timing/chat/ttft_samples recomputed
/timing/chat/output_tokens recomputed
/timing/chat/content_chunks recomputed
/timing/chat/reasoning_chunks recomputed
/context/max_model_len
/context/cap_tokens configuration
/context/targets
/context/targets/*/target_tokens
/context/targets/*/clamped_tokens recomputed
/context/targets/*/attempted_context_tokens
/context/targets/*/estimated_prompt_tokens detail
/context/targets/*/chars_per_token
/context/targets/*/status
/context/targets/*/error
/context/targets/*/ttft_ms
/context/targets/*/time_to_first_output_ms
/context/targets/*/e2e_ms
/context/targets/*/generation_ms
/context/targets/*/visible_generation_ms recomputed
/context/targets/*/decode_tok_s
/context/targets/*/effective_prefill_tok_s
/context/targets/*/mean_inter_token_latency_ms
/context/targets/*/output_token_source
/context/targets/*/output_tokens
/context/targets/*/prompt_tokens recomputed
/context/targets/*/content_chunks detail
/context/targets/*/reasoning_chunks detail
/context/targets/*/usage
/context/targets/*/usage/prompt_tokens
/context/targets/*/usage/completion_tokens
/context/targets/*/usage/total_tokens recomputed
/context/targets/*/usage/reasoning_tokens detail
/context/targets/*/usage/prompt_tokens_details
/context/targets/*/usage/prompt_tokens_details/** detail
/context/targets/*/usage/completion_tokens_details
/context/targets/*/usage/completion_tokens_details/** detail
/score_inputs/ttft_p50_ms
/score_inputs/e2e_p50_ms
/score_inputs/intelligence_pass_rate recomputed
/score_inputs/operational_fit_notes
/score_inputs/operational_fit_notes/*
/score_inputs/session_recall_passed
/score_inputs/tool_call_passed
/score_inputs/thinking_mode
/score_inputs/usable_context_tokens
/score_inputs/voice_latency_ms detail
/voice/status
/voice/llm_latency_ms
/voice/stt_latency_ms
/voice/tts_latency_ms
/voice/total_turn_latency_ms
/failures
/failures/*/suite
/failures/*/error
/failures/*/prompt_id
/failures/*/eval_id
/failures/*/target_tokens recomputed
/failures/*/pass_rate recomputed
/failures/*/failure_classes
/failures/*/failure_classes/*
/suites
/suites/*/status
/suites/*/source
/suites/*/source_sha256
/suites/*/date
/suites/*/work_class
/suites/*/evidence_use
/suites/*/validator_strength
` + section("/suites/*") + section("/intelligence") + section("/tool") + section("/session"))

// section lists the members of a section of checks.
func section(at string) string {
	members := `
@/status
@/checks
@/checks/*/id
@/checks/*/name
@/checks/*/status
@/checks/*/validator
@/checks/*/error
@/checks/*/pass_count
@/checks/*/attempt_count
@/checks/*/pass_rate recomputed
@/checks/*/required_pass_rate configuration
` + answerMembers + `
@/checks/*/attempts
@/checks/*/attempts/*/attempt identifier
@/checks/*/attempts/*/status
@/checks/*/attempts/*/failure_class
@/checks/*/attempts/*/error
@/checks/*/attempts/*/finish_reason
@/checks/*/attempts/*/content
@/checks/*/attempts/*/reasoning_chars prose
@/checks/*/attempts/*/reasoning_excerpt
@/checks/*/attempts/*/reasoning_field
@/checks/*/attempts/*/reasoning_tokens detail
@/checks/*/attempts/*/budget/visible_answer_tokens configuration
@/checks/*/attempts/*/budget/reasoning_headroom_tokens configuration
@/checks/*/attempts/*/budget/max_completion_tokens configuration
@/checks/*/attempts/*/budget/legacy_total_budget
@/checks/*/attempts/*/budget/legacy_max_tokens_as_visible
@/checks/*/attempts/*/usage
@/checks/*/attempts/*/usage/prompt_tokens
@/checks/*/attempts/*/usage/completion_tokens
@/checks/*/attempts/*/usage/total_tokens recomputed
@/checks/*/attempts/*/usage/reasoning_tokens detail
@/checks/*/attempts/*/usage/prompt_tokens_details
@/checks/*/attempts/*/usage/prompt_tokens_details/** detail
@/checks/*/attempts/*/usage/completion_tokens_details
@/checks/*/attempts/*/usage/completion_tokens_details/** detail
`
	return expand(members, at)
}
