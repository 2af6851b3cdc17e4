package evidence

// State says where a fact or measurement comes from.
type State string

const (
	Recorded State = "recorded" // stands in the artifact as its own value
	Derived  State = "derived"  // lifted or computed by a named rule from what is recorded
	Declared State = "declared" // attached by a person or campaign file
	Conflict State = "conflict" // two sources disagree
	Absent   State = "absent"   // the source has the slot and leaves it empty
)

// Class groups fact keys; the class decides how a difference is judged.
type Class string

const (
	Shape       Class = "shape"
	Protocol    Class = "protocol"
	Hardware    Class = "hardware"
	Identity    Class = "identity"
	Environment Class = "environment"
	Provenance  Class = "provenance"
	Outcome     Class = "outcome"
)

// FactKey names one recordable property.
type FactKey string

const (
	// Shape: the workload.
	KeyWorkloadClass  FactKey = "workload_class"
	KeyConcurrency    FactKey = "concurrency" // per replica
	KeyConcurrencyAll FactKey = "concurrency_total"
	KeyReplicas       FactKey = "replicas"
	KeyRequests       FactKey = "requests"
	KeyContextTarget  FactKey = "context_target"
	KeyPlannedContext FactKey = "planned_context"
	KeyPromptTokens   FactKey = "prompt_tokens"
	KeyOutputCap      FactKey = "output_cap"
	KeyRequestedWords FactKey = "requested_words"
	KeyCompletionMode FactKey = "completion_mode" // forced or natural
	KeyThinking       FactKey = "thinking"        // enabled or disabled
	KeyThinkingEffort FactKey = "thinking_effort"
	KeyPromptBurst    FactKey = "shared_prefix_burst"
	KeyPromptSet      FactKey = "prompt_set"
	KeyPromptSeed     FactKey = "prompt_seed"
	KeyPromptKind     FactKey = "prompt_kind" // what the prompts are like; not the identity of a prompt set
	KeyCacheState     FactKey = "cache_state"
	KeyCachedFraction FactKey = "cached_fraction"
	KeyWarmState      FactKey = "warm_state" // first or repeat
	KeySampling       FactKey = "sampling"
	KeySlice          FactKey = "slice"  // the part of a corpus: "human", "image", one case
	KeyCorpus         FactKey = "corpus" // SHA-256 of the corpus or its manifest
	KeySuite          FactKey = "suite"
	KeySuiteDigest    FactKey = "suite_sha256"
	KeySuiteChecks    FactKey = "suite_checks" // ids of the checks that ran
	KeyRepetitions    FactKey = "repetitions"
	KeyMinPassRate    FactKey = "minimum_pass_rate"
	KeyVisibleTokens  FactKey = "visible_answer_tokens"
	KeyHeadroomTokens FactKey = "reasoning_headroom_tokens"
	KeyMaxImages      FactKey = "max_images_per_request"
	KeyMaxVideos      FactKey = "max_videos_per_request"
	KeyTimeout        FactKey = "timeout"
	KeyRequestRate    FactKey = "request_rate" // offered, requests/s; "inf" for all at once
	KeyBurstiness     FactKey = "burstiness"
	KeyRamp           FactKey = "ramp_up"
	KeyLoadProfile    FactKey = "load_profile" // how a tool offers its load: sweep, concurrent, constant
	KeyLengthSpread   FactKey = "length_spread"
	KeyFilledContext  FactKey = "filled_context" // tokens in the context before the measured part
	KeyBatchSize      FactKey = "batch_size"
	KeyShots          FactKey = "n_shot"
	KeyGoodputSLO     FactKey = "goodput_objective"

	// Protocol: how it was measured.
	KeyProtocol         FactKey = "measurement_protocol"
	KeyPercentileMethod FactKey = "percentile_method"
	KeyTimingBoundary   FactKey = "timing_boundary"
	KeyAggregation      FactKey = "aggregation"
	KeyWindow           FactKey = "measurement_window"
	KeyAcceptScope      FactKey = "acceptance_scope" // delta of the run, or lifetime of the server
	KeyItemVersion      FactKey = "task_version"
	KeyTokenCount       FactKey = "token_count_source"
	KeyCriterion        FactKey = "pass_criterion" // what counts as passed

	// Hardware: the product and architecture of the card.
	KeyGPUProduct FactKey = "gpu_product"
	KeyGPUArch    FactKey = "gpu_arch"
	KeyGPUMemory  FactKey = "gpu_memory_bytes"

	// Identity: what was under test.
	KeyGPUCount       FactKey = "gpu_count"
	KeyTP             FactKey = "tp"
	KeyDP             FactKey = "dp"
	KeyMTPDepth       FactKey = "mtp_depth"
	KeySpecMethod     FactKey = "spec_method"
	KeyDraftDepth     FactKey = "draft_depth"
	KeyDraftModel     FactKey = "draft_model"
	KeyCheckpoint     FactKey = "checkpoint"
	KeyModel          FactKey = "model"
	KeyModelRevision  FactKey = "model_revision"
	KeyModelArtifact  FactKey = "model_artifact"
	KeyModelDigest    FactKey = "model_artifact_sha256"
	KeyServedModel    FactKey = "served_model"
	KeyQuantisation   FactKey = "quantisation"
	KeyKVDtype        FactKey = "kv_dtype"
	KeyServedContext  FactKey = "served_context"
	KeyMaxSequences   FactKey = "max_num_seqs"
	KeyBatchedTokens  FactKey = "max_num_batched_tokens"
	KeyChunkTokens    FactKey = "chunked_prefill_tokens"
	KeyMambaSlots     FactKey = "mamba_slots"
	KeyTorchCompile   FactKey = "torch_compile"
	KeyPrefixCache    FactKey = "prefix_cache"
	KeyMemoryFraction FactKey = "gpu_memory_fraction"
	KeySelectedConc   FactKey = "selected_concurrency" // of the recipe that was chosen, not of the load
	KeyEngine         FactKey = "engine"
	KeyEngineVersion  FactKey = "engine_version"
	KeyEngineRevision FactKey = "engine_revision"
	KeyImage          FactKey = "image"
	KeyImageDigest    FactKey = "image_digest"
	KeyPP             FactKey = "pp"
	KeyEP             FactKey = "ep"
	KeyDPAttention    FactKey = "dp_attention"
	KeyDisaggregated  FactKey = "disaggregated"
	KeyKVOffload      FactKey = "kv_offload"
	KeyTokenizer      FactKey = "tokenizer"
	KeyEngineOptions  FactKey = "engine_options"     // settings that have no key of their own, in the source's words
	KeyEngineEnv      FactKey = "engine_environment" // variables of the engine's process that have no key
	KeyServedAliases  FactKey = "served_names"       // all names of one server, where it has several
	KeyClient         FactKey = "client"
	KeyClientVersion  FactKey = "client_version"
	KeyClientBackend  FactKey = "client_backend" // the request adapter of the load generator

	// Environment.
	KeyInterconnect FactKey = "interconnect"
	KeyTopology     FactKey = "topology"
	KeyDriver       FactKey = "driver"
	KeyHostGPUs     FactKey = "host_gpu_count" // cards in the machine, not cards an arm uses

	// Provenance.
	KeyPath       FactKey = "path" // direct, routed or client
	KeyLane       FactKey = "lane"
	KeyScope      FactKey = "scope" // local or external
	KeyObserved   FactKey = "observed"
	KeyEvidenceAt FactKey = "evidence_cutoff"
	KeyCampaign   FactKey = "campaign_id"
	KeyComplete   FactKey = "complete"
	KeyRunLabel   FactKey = "run_id" // the source's own; it may occur twice
	KeyFinished   FactKey = "finished"
	KeyConfigID   FactKey = "config_id"
	KeyCandidate  FactKey = "candidate_id"
	KeyCalibrated FactKey = "prompt_calibration" // characters per token that prompts were planned with
	KeyUse        FactKey = "evidence_use"       // diagnostic or ranking
	KeyValidator  FactKey = "validator_strength"
	KeyThinkProof FactKey = "thinking_control" // verified, supported, requested_unverified
	KeyHint       FactKey = "language_hint"

	// Outcome.
	KeyCompleted     FactKey = "completed"
	KeyFailed        FactKey = "failed"
	KeyPassed        FactKey = "passed"
	KeyRunStatus     FactKey = "run_status"
	KeyCorrectness   FactKey = "correctness_status"
	KeyMeanOutput    FactKey = "mean_output_tokens"
	KeyShareAtCap    FactKey = "share_at_cap"    // requests that ended at the output cap
	KeyCounting      FactKey = "output_counting" // usage, chunks or both
	KeyChunks        FactKey = "stream_chunks"
	KeyReasonChunks  FactKey = "reasoning_chunks"
	KeyUsableContext FactKey = "usable_context"
	KeyItems         FactKey = "items"
	KeyItemsPassed   FactKey = "items_passed" // items that passed often enough; attempts are counted apart
	KeyDuration      FactKey = "duration"
	KeyPeakConc      FactKey = "peak_concurrency"
	KeyMeanConc      FactKey = "mean_concurrency"
	KeyAchievedRate  FactKey = "achieved_rate"
	KeyInputTokens   FactKey = "total_input_tokens"
	KeyOutputTokens  FactKey = "total_output_tokens"
	KeySampleCount   FactKey = "sample_count"
	KeySelected      FactKey = "selected"
	KeyRestoration   FactKey = "restoration"
	KeyTimingCaveat  FactKey = "timing_note"
	KeyTradeoff      FactKey = "tradeoff"
	KeySelectionNote FactKey = "selection_reason"
)

// KeyInfo describes a fact key.
type KeyInfo struct {
	Key   FactKey
	Class Class
	Unit  Unit // "" for text and flags
	Title string
}

// Keys is the registry of fact keys in the order pages list them.
var Keys = []KeyInfo{
	{KeyWorkloadClass, Shape, "", "workload class"},
	{KeyConcurrency, Shape, Count, "concurrency per replica"},
	{KeyConcurrencyAll, Shape, Count, "concurrency, all replicas"},
	{KeyReplicas, Identity, Count, "replicas"},
	{KeyRequests, Shape, Requests, "requests"},
	{KeyContextTarget, Shape, Tokens, "context target"},
	{KeyPlannedContext, Shape, Tokens, "planned context"},
	{KeyPromptTokens, Shape, Tokens, "actual prompt tokens"},
	{KeyOutputCap, Shape, Tokens, "output cap"},
	{KeyRequestedWords, Shape, Count, "requested words"},
	{KeyCompletionMode, Shape, "", "completion"},
	{KeyThinking, Shape, "", "thinking"},
	{KeyThinkingEffort, Shape, "", "thinking effort"},
	{KeyPromptBurst, Shape, "", "shared-prefix burst"},
	{KeyPromptSet, Shape, "", "prompt set"},
	{KeyPromptSeed, Shape, "", "prompt seed"},
	{KeyCacheState, Shape, "", "cache state"},
	{KeyCachedFraction, Shape, Ratio, "cached fraction"},
	{KeyWarmState, Shape, "", "warm state"},
	{KeySampling, Shape, "", "sampling"},
	{KeySlice, Shape, "", "slice"},
	{KeyCorpus, Shape, "", "corpus"},
	{KeySuite, Shape, "", "suite"},
	{KeySuiteDigest, Shape, "", "suite sha256"},
	{KeySuiteChecks, Shape, "", "suite checks"},
	{KeyRepetitions, Shape, Count, "repetitions"},
	{KeyMinPassRate, Shape, Ratio, "minimum pass rate"},
	{KeyVisibleTokens, Shape, Tokens, "visible answer budget"},
	{KeyHeadroomTokens, Shape, Tokens, "reasoning headroom"},
	{KeyMaxImages, Shape, Count, "images per request"},
	{KeyMaxVideos, Shape, Count, "videos per request"},
	{KeyRequestRate, Shape, RequestsPerSec, "request rate"},
	{KeyBurstiness, Shape, Ratio, "burstiness"},
	{KeyRamp, Shape, "", "ramp-up"},
	{KeyLoadProfile, Shape, "", "load profile"},
	{KeyLengthSpread, Shape, "", "spread of lengths"},
	{KeyFilledContext, Shape, Tokens, "context filled before"},
	{KeyBatchSize, Shape, Count, "batch size"},
	{KeyShots, Shape, Count, "examples in the prompt"},
	{KeyGoodputSLO, Shape, "", "goodput objective"},
	{KeyProtocol, Protocol, "", "measurement protocol"},
	{KeyPercentileMethod, Protocol, "", "percentile method"},
	{KeyTimingBoundary, Protocol, "", "timing boundary"},
	{KeyAggregation, Protocol, "", "aggregation"},
	{KeyWindow, Protocol, "", "measurement window"},
	{KeyAcceptScope, Protocol, "", "scope of acceptance"},
	{KeyItemVersion, Protocol, "", "task version"},
	{KeyTokenCount, Protocol, "", "source of token counts"},
	{KeyCriterion, Protocol, "", "pass criterion"},
	{KeyGPUProduct, Hardware, "", "card"},
	{KeyGPUArch, Hardware, "", "architecture"},
	{KeyGPUMemory, Hardware, Bytes, "memory per card"},
	{KeyGPUCount, Identity, Count, "cards"},
	{KeyTP, Identity, Count, "TP"},
	{KeyDP, Identity, Count, "DP"},
	{KeyMTPDepth, Identity, Count, "MTP depth"},
	{KeySpecMethod, Identity, "", "speculation"},
	{KeyDraftDepth, Identity, Count, "draft depth"},
	{KeyDraftModel, Identity, "", "draft model"},
	{KeyCheckpoint, Identity, "", "checkpoint"},
	{KeyModel, Identity, "", "model"},
	{KeyModelRevision, Identity, "", "model revision"},
	{KeyModelArtifact, Identity, "", "model file"},
	{KeyModelDigest, Identity, "", "model file sha256"},
	{KeyServedModel, Identity, "", "served name"},
	{KeyQuantisation, Identity, "", "quantisation"},
	{KeyKVDtype, Identity, "", "KV dtype"},
	{KeyServedContext, Identity, Tokens, "served context"},
	{KeyMaxSequences, Identity, Count, "max sequences"},
	{KeyBatchedTokens, Identity, Tokens, "batched tokens"},
	{KeyChunkTokens, Identity, Tokens, "prefill chunk"},
	{KeyMambaSlots, Identity, Count, "Mamba slots"},
	{KeyTorchCompile, Identity, "", "torch.compile"},
	{KeyPrefixCache, Identity, "", "prefix cache"},
	{KeyMemoryFraction, Identity, Ratio, "memory fraction"},
	{KeySelectedConc, Identity, Count, "selected concurrency"},
	{KeyEngine, Identity, "", "engine"},
	{KeyEngineVersion, Identity, "", "engine version"},
	{KeyEngineRevision, Identity, "", "engine revision"},
	{KeyImage, Identity, "", "image"},
	{KeyImageDigest, Identity, "", "image digest"},
	{KeyPP, Identity, Count, "PP"},
	{KeyEP, Identity, Count, "EP"},
	{KeyDPAttention, Identity, "", "DP attention"},
	{KeyDisaggregated, Identity, "", "disaggregated"},
	{KeyKVOffload, Identity, "", "KV offload"},
	{KeyTokenizer, Identity, "", "tokenizer"},
	{KeyEngineOptions, Identity, "", "engine options"},
	{KeyEngineEnv, Identity, "", "engine environment"},
	{KeyServedAliases, Provenance, "", "served names"},
	{KeyClient, Identity, "", "client"},
	{KeyClientVersion, Identity, "", "client version"},
	{KeyClientBackend, Identity, "", "client backend"},
	{KeyInterconnect, Environment, "", "interconnect"},
	{KeyTopology, Environment, "", "topology"},
	{KeyDriver, Environment, "", "driver"},
	{KeyHostGPUs, Environment, Count, "cards in the machine"},
	{KeyPromptKind, Provenance, "", "kind of prompts"},
	{KeyPath, Provenance, "", "path"},
	{KeyLane, Provenance, "", "lane"},
	{KeyScope, Provenance, "", "scope"},
	{KeyObserved, Provenance, "", "observed"},
	{KeyEvidenceAt, Provenance, "", "evidence cutoff"},
	{KeyCampaign, Provenance, "", "campaign"},
	{KeyComplete, Provenance, "", "complete"},
	{KeyRunLabel, Provenance, "", "run id"},
	{KeyFinished, Provenance, "", "finished"},
	{KeyConfigID, Provenance, "", "configuration id"},
	{KeyCandidate, Provenance, "", "candidate id"},
	{KeyCalibrated, Provenance, Ratio, "prompt calibration"},
	{KeyUse, Provenance, "", "use of the evidence"},
	{KeyValidator, Provenance, "", "validator"},
	{KeyThinkProof, Provenance, "", "thinking control"},
	{KeyTimeout, Provenance, Seconds, "time-out"},
	{KeyHint, Identity, "", "language hint"},
	{KeyCompleted, Outcome, Requests, "completed"},
	{KeyFailed, Outcome, Requests, "failed"},
	{KeyPassed, Outcome, Requests, "canaries passed"},
	{KeyRunStatus, Outcome, "", "run status"},
	{KeyCorrectness, Outcome, "", "correctness"},
	{KeyMeanOutput, Outcome, Tokens, "mean output tokens"},
	{KeyShareAtCap, Outcome, Ratio, "share at the cap"},
	{KeyCounting, Outcome, "", "output counting"},
	{KeyChunks, Outcome, Chunks, "stream chunks"},
	{KeyReasonChunks, Outcome, Chunks, "reasoning chunks"},
	{KeyUsableContext, Outcome, Tokens, "usable context"},
	{KeyItems, Outcome, Count, "items"},
	{KeyItemsPassed, Outcome, Count, "items passed"},
	{KeyDuration, Outcome, Seconds, "duration"},
	{KeyPeakConc, Outcome, Count, "peak concurrency"},
	{KeyMeanConc, Outcome, Count, "mean concurrency"},
	{KeyAchievedRate, Outcome, RequestsPerSec, "achieved rate"},
	{KeyInputTokens, Outcome, Tokens, "input tokens in all"},
	{KeyOutputTokens, Outcome, Tokens, "output tokens in all"},
	{KeySampleCount, Outcome, Requests, "sample count"},
	{KeySelected, Outcome, "", "selected"},
	{KeyRestoration, Outcome, "", "restoration"},
	{KeyTimingCaveat, Outcome, "", "timing note"},
	{KeyTradeoff, Outcome, "", "trade-off"},
	{KeySelectionNote, Outcome, "", "selection reason"},
}

var keyByName = func() map[FactKey]*KeyInfo {
	m := make(map[FactKey]*KeyInfo, len(Keys))
	for i := range Keys {
		m[Keys[i].Key] = &Keys[i]
	}
	return m
}()

// LookupKey finds the description of a key. A key that the registry does not know
// is residue of the identity class, so that it never opens a comparison unseen.
func LookupKey(k FactKey) KeyInfo {
	if i, ok := keyByName[k]; ok {
		return *i
	}
	return KeyInfo{Key: k, Class: Identity, Title: string(k)}
}

// KnownKey finds a key of the registry.
func KnownKey(k FactKey) (KeyInfo, bool) {
	i, ok := keyByName[k]
	if !ok {
		return KeyInfo{}, false
	}
	return *i, true
}

// Fact is one recorded property of a document, arm or run.
type Fact struct {
	Key   FactKey
	Value string // canonical text: shortest decimal in the base unit, "true"/"false", or the words
	State State
	Place Place
	// SourceText is what stands at Place: the digits, the word, or the part of the
	// sentence that the value was lifted from.
	SourceText string
	// Rule names how a derived fact came about ("prose/shape", "label", ...).
	Rule string
}
