package capacity

import (
	"strconv"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Label is the label, byte for byte.
const Label = "anvil-serving.benchmark/v1"

// Shapes of the label.
const (
	ShapeLegacy     = "capacity-legacy"
	ShapeV2         = "capacity-v2"
	ShapeV3         = "capacity-v3"
	ShapeV3TTFO     = "capacity-v3-ttfo" // labelled v3, written by the harness of v4
	ShapeV4         = "capacity-v4-reasoning"
	ShapeUnlabelled = "capacity-unlabelled" // fields of a later generation without its protocol
)

// Reader reads capacity runs.
type Reader struct{}

// Readers are the readers of this package.
func Readers() []Reader { return []Reader{{}} }

// ID names the reader in rows and exports.
func (Reader) ID() string { return "anvil/capacity" }

// Version is raised whenever the reader's output changes.
func (Reader) Version() int { return 3 }

// Match takes the label and one of its generations.
func (Reader) Match(label string, v *jsondoc.Node) (shapeID string, ok bool) {
	if label != Label || !v.Is(jsondoc.Object) || !v.Get("metrics").Is(jsondoc.Object) {
		return "", false
	}
	switch p := v.Get("measurement_protocol"); {
	case p == nil, p.Kind == jsondoc.Null:
		if v.Get("request_timings") != nil || v.Get("timing_methodology") != nil || v.Get("metrics").Get("output_token_sources") != nil {
			return ShapeUnlabelled, true
		}
		return ShapeLegacy, true
	case p.Str() == "capacity-v2":
		return ShapeV2, true
	case p.Str() == "capacity-v3":
		if hasTTFO(v) {
			return ShapeV3TTFO, true
		}
		return ShapeV3, true
	case p.Str() == "capacity-v4-reasoning":
		return ShapeV4, true
	}
	return "", false
}

// Reason says why a value with the label is not read: its figures mean what its protocol
// says, and that is none we know.
func (Reader) Reason(label string, v *jsondoc.Node) string {
	switch p := v.Get("measurement_protocol"); {
	case label != Label:
		return ""
	case !v.Get("metrics").Is(jsondoc.Object):
		return "a capacity run has a block of metrics"
	case p.Str() != "":
		return "its measurement protocol " + strconv.Quote(cutText(p.Str())) + " is none of those whose definitions are known"
	case p != nil && p.Kind != jsondoc.Null:
		return "its measurement protocol is no text"
	}
	return ""
}

// hasTTFO reports whether the document has fields of the time to first output.
func hasTTFO(v *jsondoc.Node) bool {
	m := v.Get("metrics")
	return m.Get("time_to_first_output_p50_ms") != nil || m.Get("time_to_first_output_p95_ms") != nil ||
		v.Get("timing_methodology").Get("time_to_first_output") != nil ||
		v.Get("request_timings").Item(0).Get("time_to_first_output_ms") != nil
}

// Read lifts everything from a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	d := lift.New(v, root, evidence.Document{Family: "F1", Reader: r.ID(), ReaderVersion: r.Version(), ShapeID: shapeID}, known)
	if !v.Is(jsondoc.Object) {
		d.Find(evidence.Error, lift.CodeShape, d.Top, "the document is not an object")
		return d.Finish()
	}
	c := &capacity{Doc: d, shape: shapeID, metrics: d.Top.Get("metrics")}
	c.read()
	return d.Finish()
}

// known lists the members of every generation and why a number there is not lifted.
var known = lift.NewPaths(`
/schema
/run_id
/base_url
/model
/engine
/gpu
/tier
/manifest
/source_recipe
/measurement_protocol
/started_at
/finished_at
/wall_clock_ms
/requests
/completed
/failed
/concurrency
/context_tokens
/max_context_tokens
/max_tokens
/context_seed
/context_distribution/* recomputed
/serve_flags/shared_prefix_burst
/serve_flags/thinking_mode
/serve_flags/no_thinking
/serve_flags/reasoning_effort
/failures
/failures/*/request_index identifier
/failures/*/error_type
/failures/*/error_message
/failures/*/error_message_truncated
/timing_methodology/clock
/timing_methodology/decode
/timing_methodology/effective_prefill
/timing_methodology/generation
/timing_methodology/mean_inter_token_latency
/timing_methodology/time_to_first_output
/timing_methodology/ttft
/metrics/ttft_p50_ms
/metrics/ttft_p95_ms
/metrics/e2e_p50_ms
/metrics/e2e_p95_ms
/metrics/output_tokens
/metrics/throughput_tok_s
/metrics/prefix_cache_hit_avg
/metrics/ttft_samples recomputed
/metrics/content_chunks
/metrics/content_chunks_s
/metrics/reasoning_chunks
/metrics/output_token_sources
/metrics/output_token_sources/* recomputed
/metrics/prompt_token_samples recomputed
/metrics/prompt_tokens
/metrics/prompt_tokens_p50
/metrics/prompt_tokens_p95
/metrics/generation_p50_ms
/metrics/generation_p95_ms
/metrics/decode_tok_s_p50
/metrics/decode_tok_s_p95
/metrics/effective_prefill_tok_s_p50
/metrics/effective_prefill_tok_s_p95
/metrics/mean_inter_token_latency_ms_p50
/metrics/mean_inter_token_latency_ms_p95
/metrics/time_to_first_output_p50_ms
/metrics/time_to_first_output_p95_ms
/request_timings
/request_timings/*/request_index
/request_timings/*/planned_context_tokens recomputed
/request_timings/*/prompt_tokens
/request_timings/*/output_tokens
/request_timings/*/output_token_source
/request_timings/*/ttft_ms
/request_timings/*/time_to_first_output_ms
/request_timings/*/generation_ms
/request_timings/*/e2e_ms
/request_timings/*/effective_prefill_tok_s recomputed
/request_timings/*/decode_tok_s recomputed
/request_timings/*/mean_inter_token_latency_ms recomputed
/request_timings/*/visible_generation_ms recomputed
/request_timings/*/content_chunks recomputed
/request_timings/*/reasoning_chunks recomputed
`)
