package speech

import (
	"strings"

	"assay/ingest/anvil/lift"
)

// recording lists the members of one recording that was sent.
func recording(at string) string {
	return strings.ReplaceAll(`
@/case_id
@/category
@/language
@/expected_language
@/language_tag_matches
@/reported_language
@/reference_text
@/transcript
@/audio_sha256
@/failure
@/repetition identifier
@/repetition_detected
@/latency_ms
@/audio_seconds detail
@/real_time_factor recomputed
@/normalized_wer recomputed
@/raw_cer recomputed
@/word_edits recomputed
@/char_edits recomputed
@/reference_words recomputed
@/reference_chars recomputed
`, "@", at)
}

// slice lists the members of one group of the summary.
func slice(at string) string {
	return strings.ReplaceAll(`
@/requests
@/successful
@/failed
@/repetition_flags recomputed
@/micro_wer
@/micro_raw_cer
@/latency_ms/p50
@/latency_ms/p95
@/latency_ms/max
@/real_time_factor/p50
@/real_time_factor/p95
`, "@", at)
}

var schedulePaths = lift.NewPaths(`
/schema_version
/complete
/endpoint/base_url
/endpoint/checkpoint
/endpoint/hardware
/endpoint/image
/endpoint/image_digest
/endpoint/language_conditioning
/endpoint/model
/endpoint/prompt
/endpoint/revision
/endpoint/runtime
/endpoint/runtime_version
/endpoint/served_name
/corpus/schema_version
/corpus/manifest
/corpus/manifest_sha256
/corpus/case_count recomputed
/corpus/duration_seconds detail
/corpus/category_counts
/corpus/category_counts/* recomputed
/schedule/concurrency
/schedule/repetitions
/schedule/cold_requests recomputed
/schedule/expected_warm_requests recomputed
/schedule/observed_warm_requests recomputed
/gate_observations/language_probe_count recomputed
/gate_observations/language_probe_matches recomputed
/gate_observations/malformed_or_failed_runs recomputed
/gate_observations/repetition_flags recomputed
/promotion/evidence_scope
/promotion/human_gate_required
/promotion/promoted
/failures
/failures/*
/failures/*/** restated
/runs
/language_detection_probes
/summary/requests_per_second
/summary/audio_seconds_per_wall_second recomputed
/summary/wall_seconds
/summary/categories
` + recording("/runs/*") + recording("/cold_request") + recording("/language_detection_probes/*") +
	slice("/summary/all") + slice("/summary/primary_human") + slice("/summary/synthetic_agent") + slice("/summary/categories/*"))

var singlePaths = lift.NewPaths(`
/schema_version
/hypothesis
/reference_text
/latency_ms
/wer detail
/wer_normalized
/identity/candidate
/identity/profile
/identity/stt/base_url
/identity/stt/model
/sample/bytes identifier
/sample/sample_rate configuration
/sample/sha256
/sample/path
`)

var turnsPaths = lift.NewPaths(`
/schema_version
/evidence_scope
/promotion_quality_evidence
/identity/profile
/identity/scope
/identity/stt_base_url
/identity/stt_model
/identity/tts_base_url
/identity/tts_model
/identity/llm/base_url
/identity/llm/model
/identity/stt/base_url
/identity/stt/model
/identity/tts/base_url
/identity/tts/model
/identity/route/base_url
/identity/route/model
/topology
/topology/** configuration
/runs
/runs/*/id
/runs/*/scope
/runs/*/promoted
/runs/*/promotion_quality_evidence
/runs/*/reference_text
/runs/*/stt_hypothesis
/runs/*/stt_wer
/runs/*/stt_ms
/runs/*/tts_ms
/runs/*/tts_rtf
/runs/*/tts_audio_seconds detail
/runs/*/tts_output_bytes detail
/runs/*/audio_roundtrip_ms
/runs/*/topology
/runs/*/topology/** configuration
/runs/*/latency/stt_ms
/runs/*/latency/llm_ms
/runs/*/latency/llm_stage_latency_ms
/runs/*/latency/tts_ms
/runs/*/latency/ttfa_ms
/runs/*/latency/turn_ms
/runs/*/latency/turn_latency_ms
/runs/*/latency/total_turn_latency_ms
/runs/*/comparison/stt_wer
/runs/*/comparison/tts_rtf
/runs/*/comparison/tts_first_audio_observed
/runs/*/transcript/llm_reply
/runs/*/transcript/reference_text
/runs/*/transcript/stt_hypothesis
/runs/*/tool
/runs/*/tool/** detail
/runs/*/tts/audio_seconds detail
/runs/*/tts/output_bytes detail
/runs/*/tts/request_count detail
/runs/*/tts/source_sample_rate configuration
`)
