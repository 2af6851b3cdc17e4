package observation

import "strings"

// kind is one label: what it is, and the members it is known by.
type kind struct {
	family  string
	what    string
	members string
	// archived are kinds that say nothing of any run.
	archived bool
}

const (
	f6 = "F6"
	f7 = "F7"
	f8 = "F8"
)

// kinds are the labels, byte for byte.
var kinds = map[string]kind{
	"anvil-serving.control-evidence/v1":                 {family: f8, what: "control evidence", members: "status control_mechanism source observed_at"},
	"agents-a1-campaign-serve-state/v1":                 {family: f8, what: "the state of serves", members: "observed_at source serves router gpu_memory_mib"},
	"agents-a1-qwen-head-to-head-serve-state/v1":        {family: f8, what: "the state of serves", members: "observed_at serves router gpu_memory_mib"},
	"anvil-serving.hardware-snapshot/v1":                {family: f8, what: "a snapshot of the hardware", members: "observed_at phase capture_method host topology model reserve_policy_mib_per_gpu gpus host_memory interpretation"},
	"anvil-serving.manual-probe-summary/v1":             {family: f8, what: "a probe by hand", members: "model endpoint limitations"},
	"anvil-serving.startup-evidence/v1":                 {family: f8, what: "start-up evidence", members: "observed_at tier hardware model revision max_model_len model_gpu_allocation_gib available_kv_cache_gib result decision"},
	"agents-a1-qwen-head-to-head-identity/v1":           {family: f8, what: "identities", members: "observed_at repository hardware corpus profiles comparison_boundary"},
	"anvil-router-validation/v1":                        {family: f8, what: "a validation of a router", members: "captured_at_utc router heavy_transition_state routed_tool_smoke openclaw secret_policy"},
	"anvil-runtime-identity/v1":                         {family: f8, what: "the identity of a runtime", members: "captured_at_utc service container container_started_at_utc container_status image runtime hardware"},
	"anvil-serving.bakeoff-environment/v1":              {family: f8, what: "an environment", members: "recorded_at host_role os docker python nvidia_driver gpus model_cache repo branch starting_commit notes"},
	"anvil-serving.bakeoff-load-failure/v1":             {family: f8, what: "a failed load", members: "identity engine outcome failure_class error_excerpt notes verdict production_impact"},
	"anvil-serving.candidate-failure.v1":                {family: f8, what: "a failed candidate", members: "date candidate revision hardware status evidence_limit attempts decision"},
	"anvil-serving.chat-template-replay/v1":             {family: f8, what: "a replay of a chat template", members: "observed_at endpoint served_model model model_revision tokenizer tokenizer_revision chat_template_sha256 chat_template_kwargs first_turn replay_turn passed note"},
	"anvil-serving.chat-template-startup-proof/v1":      {family: f8, what: "proof of a chat template", members: "date model_revision runtime_image_digest template_revision managed_log_observations loaded promotion_authorized"},
	"anvil-serving.compatibility/v1":                    {family: f8, what: "a compatibility record", members: "captured candidate revision served_model hardware engine_revision base_image final_image failures_and_fixes final_result"},
	"anvil-serving.context-hardware-sampling/v1":        {family: f8, what: "hardware samples over a context ladder", members: "observed_at capture_method source_artifact model topology reserve_policy_mib_per_gpu request_counter_baseline interval_ms segments interpretation"},
	"anvil-serving.external-run-lineage.v1":             {family: f8, what: "the lineage of runs", members: "date status limitation engine_image suites models"},
	"anvil-serving.final-state/v1":                      {family: f8, what: "a final state", members: "captured mode unresolved gpu_ownership serves blocked_workloads"},
	"anvil-serving.kv-offload-replay/v1":                {family: f8, what: "a replay out of offloaded cache", members: "observed_at model runtime topology cache eviction_sequence replay offload8_control restoration sources"},
	"anvil-serving.lifecycle-evidence/v1":               {family: f8, what: "lifecycle evidence", members: "recorded_at model model_revision image_digest hardware recipe enter active_shared_memory_inspection preflight leave postcondition decision"},
	"anvil-serving.operator-observation/v1":             {family: f8, what: "an operator's observation", members: "observed_at model base_url engine thinking budget check passed elapsed_seconds finish_reason visible_answer_chars reasoning_chars failure_class provenance"},
	"anvil-serving.release-readiness-smoke/v1":          {family: f8, what: "a smoke of a release", members: "date repository_revision installed_version host results final_state"},
	"anvil-serving.serve-vram-measurement/v1":           {family: f8, what: "a reading of device memory", members: "date host gpu_role gpu serve model revision measurement functional_request lifecycle caveat"},
	"anvil-serving.speculative-decoding-observation/v1": {family: f8, what: "counters of speculative decoding", members: "observed_at endpoint model runtime_image engine_revision model_repository model_revision tensor_parallel_size num_speculative_tokens draft_sample_method source metrics caveat"},
	"anvil-serving.speculative-decoding-snapshot/v1":    {family: f8, what: "counters of speculative decoding", members: "observed_at source configuration scope counters derived"},
	"anvil-serving.startup-observation/v1":              {family: f8, what: "a start-up", members: "observed_at capture_method model runtime startup_allocations interpretation redactions"},
	"anvil-serving.transcribed-runtime-observations/v1": {family: f8, what: "observations copied by hand", members: "date evidence_type host display_gpu model_revision image_digest profiles restoration provenance_note"},
	"gpt-oss-puzzle-compatibility-smoke/v1":             {family: f8, what: "a compatibility smoke", members: "tested_at_utc evidence_class performance_claim_allowed hardware image checkpoint server_override results qualification_note"},
	"gpt-oss-puzzle-interface-smoke/v1":                 {family: f8, what: "an interface smoke", members: "tested_at_utc image_id source_commit endpoint model results"},
	"gpt-oss-puzzle-tool-regression/v1":                 {family: f8, what: "a regression of tool calls", members: "tested_at_utc image_id source_commit endpoint model request result"},
	"kernel-tune-manifest/v1":                           {family: f8, what: "the manifest of a kernel tune", members: "decision observed_at artifact runtime model gpu tuning activation qualification recommendation applicability"},
	"model-access-diagnostic/v1":                        {family: f8, what: "a diagnosis of access to a model", members: "date model revision operation result next_action"},
	"model-access-verification/v1":                      {family: f8, what: "a check of access to models", members: "date credential_source probe results conclusion"},
	"recipe-container-status/v1":                        {family: f8, what: "the status of a container", members: "container image image_id model revision running state"},
	"routed-client-smoke/v1":                            {family: f8, what: "a smoke of routed clients", members: "observed_date candidate test_topology positive_results negative_control router_metadata_observed_during_test gates redaction"},
	"serve-runtime-diagnostics/v1":                      {family: f8, what: "diagnostics of a runtime", members: "date serve container collection identity installed_audio_packages startup warnings resolved_failure promotion_quality_evidence"},

	"model-cache-inventory/v1":           {family: f8, what: "an inventory of a cache", members: "cache docker inspector_image observed_at repositories timestamp_caveat volume", archived: true},
	"adversarial-review-packet/v1":       {family: f8, what: "a review", members: "task_id review_id reviewer completed_at focus findings checks verification final_blocker", archived: true},
	"agents-a1-cache-cleanup/v1":         {family: f8, what: "the clean-up of a cache", members: "observed_date volume filesystem free_bytes_before free_bytes_after target_free_bytes target_met model_snapshot_removals model_reclaimed_bytes image_cleanup build_cache broad_prune_used volume_deleted rollback", archived: true},
	"anvil-serving.cache-cleanup/v1":     {family: f8, what: "the clean-up of a cache", members: "observed_at scope approval running_container_references deleted volume_free_before_gib volume_free_after_cleanup_gib", archived: true},
	"anvil-serving.cli-surface-sweep/v1": {family: f8, what: "a sweep over a command line", members: "date repository_revision installed_version command_manifest_sha256 manifest_command_paths help_parse_passed help_parse_failed handler_resolution_passed group_nodes_validated operation_classes live_or_applied_families notes", archived: true},
	"qualification-friction-log/v1":      {family: f8, what: "a log of what was cumbersome", members: "campaign entries", archived: true},

	"direct-multimodal-probe/v1":                  {family: f6, what: "a probe of one media request", members: "date promotion_quality_evidence identity input result caveat"},
	"router-multimodal-error-evidence/v1":         {family: f6, what: "errors of routed media requests", members: "observed_at router upstream fix tests"},
	"router-multimodal-qualification-evidence/v1": {family: f6, what: "routed media requests", members: "observed_at router upstream media admission logging_policy tests"},
	"multimodal-corpus/v1":                        {family: f6, what: "a corpus of media cases", members: "provenance cases", archived: true},
	"stt-corpus/v1":                               {family: f7, what: "a corpus of recordings", members: "archives audio_normalization selection synthetic_generator", archived: true},
	"stt-qualification-runtime-state/v1":          {family: f7, what: "the state of a machine", members: "host candidate_gpu protected_gpu protected_services"},
}

// entryMembers are the members of one line of a corpus of recordings: the same label,
// another shape.
const (
	entryLabel   = "stt-corpus/v1"
	entryMembers = "audio_path id language reference_text sha256"
)

func fields(members string) []string { return strings.Fields(members) }
