package complete_test

import (
	"fmt"
	"math"
	"strings"
)

// recipeText is how the arm was started: the identity behind the served name.
func (a arm) recipeText(variant int) string {
	return fmt.Sprintf(`schema = "anvil-serving.serve-recipes/v1"

[[recipe]]
model = %[1]q
status = "example"
family = "qwen3.8"

[recipe.hardware]
gpu = %[2]q
arch = "sm_120"
vram_total_gb = 96

[recipe.serve]
engine = "vllm"
image = "%[3]s@%[4]s"
context_tokens = %[5]d
served_model_name = %[6]q
flags = [
  "--revision %[7]s",
  "--served-model-name %[6]s",
  "--tensor-parallel-size 1",
  "--kv-cache-dtype fp8",
  "--max-model-len %[5]d",
  "--max-num-seqs 16",
  "--gpu-memory-utilization 0.90",
  "--no-enable-prefix-caching",
]
# variant %[8]d
`, a.repo, card, image, digest, served, a.name, a.revision, variant)
}

// recipeFile is the recipe in a variant whose digest comes late: a campaign has its title
// from the first of its documents by digest, and that is to be the summary.
func (a arm) recipeFile() file {
	for variant := 0; ; variant++ {
		f := file{".", a.recipe, []byte(a.recipeText(variant))}
		if strings.HasPrefix(f.sha256(), "ff") {
			return f
		}
	}
}

// identity is what ran, seen from outside.
func identity(a arm) object {
	return object{
		{"schema_version", "anvil-runtime-identity/v1"}, {"captured_at_utc", "2026-09-02T07:35:00Z"}, {"service", "example"},
		{"container", "example-" + a.name}, {"container_started_at_utc", "2026-09-02T07:31:00Z"}, {"container_status", "running"},
		{"image", object{{"tag", image + ":v0.27.1"}, {"id", digest}}},
		{"runtime", object{{"vllm_version", "0.27.1"}, {"model", a.repo}, {"checkpoint_revision", a.revision}, {"served_name", a.name},
			{"max_model_len", served}, {"kv_cache_dtype", "fp8"}, {"kv_cache_tokens", a.pool}}},
		{"hardware", object{{"gpu", card}, {"memory_total_mib", cardMiB}, {"memory_used_mib", a.usedMiB}, {"driver", "610.62"}}},
	}
}

// telemetry is what the card showed over the whole window of the runs.
func telemetry(a arm, used int) object {
	free := cardMiB - used
	return object{
		{"schema", "anvil-serving.hardware-snapshot/v1"}, {"observed_at", "2026-09-02T10:05:00Z"}, {"phase", "under load, all repeats"},
		{"capture_method", "one sample a second from NVML; the largest of each figure is kept"}, {"host", "example host"},
		{"topology", "one card, TP1"}, {"model", a.name}, {"reserve_policy_mib_per_gpu", 3072},
		{"gpus", list{object{{"index", 0}, {"name", card}, {"memory_total_mib", cardMiB}, {"memory_used_mib", used}, {"memory_free_mib", free},
			{"power_draw_w", a.watts}, {"power_limit_w", 300.0}, {"sm_clock_mhz", 2002}, {"temperature_c", 74}, {"throttled", false}, {"reserve_pass", free >= 3072}}}},
		{"host_memory", object{{"total_mib", 257024}, {"used_mib", 61440}}},
		{"interpretation", object{{"reserve_met", free >= 3072}, {"note", fmt.Sprintf("%.1f GiB stayed free on the card", math.Floor(float64(free)/1024*10)/10)}}},
	}
}

// underLoad is the reading that supersedes the first: it was taken during long prompts
// too, and the reserve does not hold there.
func underLoad(o object) object {
	for i := range o {
		switch o[i].name {
		case "observed_at":
			o[i].value = "2026-09-05T09:20:00Z"
		case "phase":
			o[i].value = "under load, long prompts included"
		}
	}
	return append(o, member{"caveat", "The first reading covers the runs at 4K alone. This one covers the endurance run as well and takes its place."})
}

// routed is the way clients take.
func routed(a arm) object {
	client := func(name string, latency int) object {
		return object{{"marker_exact", true}, {"tool_result_continuation", true}, {"winner_provider_exact", true}, {"winner_model_exact", true},
			{"fallback_used", false}, {"completed", true}, {"usage_model", "example.primary"}, {"client", name}, {"marker_latency_ms", latency}}
	}
	return object{
		{"schema", "routed-client-smoke/v1"}, {"observed_date", "2026-09-03"},
		{"candidate", object{{"model", a.repo}, {"served_name", a.name}, {"runtime", "vLLM 0.27.1"}, {"context_tokens", served}}},
		{"test_topology", object{{"client_host", "example desk"}, {"router_host", "example router"}, {"model_host", "example host"}, {"alias", "example.primary"}, {"persistent_changes", false}}},
		{"positive_results", object{{"chat_client", client("chat", 412)}, {"agent_client", client("agent", 455)}}},
		{"negative_control", object{{"attempts", 2}, {"condition", "a provider that does not exist was asked for"}, {"visible_marker_exact", false},
			{"requested_model_observed", false}, {"classification", "refused as it should be"}, {"impact", "none"}}},
		{"router_metadata_observed_during_test", object{{"declared_context_tokens", served}, {"declared_engine", "vllm"}, {"matches_live_candidate", true}}},
		{"gates", object{{"routed_identity", "pass"}, {"routed_tool_continuation", "pass"}, {"client_acceptance", "pass"}, {"truthful_configuration", "pass"}}},
		{"redaction", "Names of hosts are made up."},
	}
}

// rollback is the way back, taken once for real.
func rollback(a arm) object {
	return object{
		{"schema", "anvil-serving.lifecycle-evidence/v1"}, {"recorded_at", "2026-09-03"}, {"model", a.name}, {"model_revision", a.revision},
		{"image_digest", digest}, {"hardware", "1x " + card}, {"recipe", a.recipe}, {"recipe_sha256", a.recipeFile().sha256()},
		{"enter", object{{"elapsed_seconds", 148.0}, {"result", "passed"}, {"mode", "single card"}, {"tensor_parallel_size", 1}}},
		{"active_shared_memory_inspection", object{{"available", true}, {"outcome", "passed"}}},
		{"preflight", object{{"result", "passed"}, {"smoke", true}, {"structured_json", true}, {"needle", true}, {"shared_prefix_tool_batch", true}}},
		{"leave", object{{"elapsed_seconds", 21.5}, {"container_removed", true}, {"result", "passed"}}},
		{"postcondition", object{{"mode", "single card"}, {"rollback_verified", true}}},
		{"decision", list{"rollback-verified"}},
	}
}

// restoration is what ran before, running again.
func restoration() object {
	return object{
		{"schema", "anvil-serving.final-state/v1"}, {"captured", "2026-09-03"}, {"mode", "single card"}, {"exclusive_owner", nil}, {"unresolved", list{}},
		{"gpu_ownership", object{{"card-0", list{bf16.name}}}},
		{"serves", object{{"primary", object{{"docker", "running"}, {"health", 200}, {"restored", true}}}}},
		{"blocked_workloads", list{}},
	}
}

// licence is the review of the terms.
func licence() object {
	return object{
		{"schema", "adversarial-review-packet/v1"}, {"task_id", "example-licence"}, {"review_id", "example-licence-1"},
		{"reviewer", object{{"name", "example reviewer"}, {"role", "licence review"}}}, {"completed_at", "2026-09-03T15:00:00Z"},
		{"focus", "Terms of both checkpoints and of the image, for serving inside the house."},
		{"findings", list{}}, {"checks", list{"terms of the FP8 checkpoint are those of the BF16 one", "notices of the image are kept with it"}},
		{"verification", list{}}, {"final_blocker", false},
	}
}
