package summary

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// form is how the value of a setting is read.
type form uint8

const (
	asWords  form = iota // a text or flag as it stands
	asLower              // a text in lower case: "FP8" and "fp8" are one
	asCount              // a whole number
	asRatio              // a number
	asMemory             // a number in the unit of its name
	asImage              // "name@sha256:...", or a digest
	asModel              // "repository@revision", or a repository
	asSpeculation
	asThinking
	asSwitch    // a flag, a word such as "disabled"
	asSwitchOff // a flag that switches off
	asCard      // a text about a card
)

// setting is a fact that a member states.
type setting struct {
	key  evidence.FactKey
	form form
}

// settings are the members that state what was under test, by the words of their names.
var settings = expandSettings(map[setting]string{
	{evidence.KeyTP, asCount}: "tp, tensor parallel, tensor parallel size, tp size", {evidence.KeyDP, asCount}: "dp, data parallel, data parallel size, dp size",
	{evidence.KeyPP, asCount}: "pp, pipeline parallel size", {evidence.KeyEP, asCount}: "ep, expert parallel size",
	{evidence.KeyReplicas, asCount}: "replicas",
	{evidence.KeyServedContext, asCount}: `context, context tokens, served context, served context tokens, configured context tokens, configured context, context window,
		context window tokens, max model len, context length, context size`,
	{evidence.KeyMaxSequences, asCount}:   `max num seqs, max num sequences, max running requests, max sequences, max seqs, max concurrency, admission, parallel slots`,
	{evidence.KeyBatchedTokens, asCount}:  "max num batched tokens, batch tokens, max batched tokens",
	{evidence.KeyChunkTokens, asCount}:    "chunked prefill tokens, chunked prefill size",
	{evidence.KeyMambaSlots, asCount}:     "max mamba cache size, mamba slots",
	{evidence.KeyMemoryFraction, asRatio}: "gpu memory utilization, memory fraction static, mem fraction static, vllm gpu memory utilization, memory fraction, gpu memory fraction",
	{evidence.KeyKVDtype, asLower}:        "kv cache dtype, kv cache, kv dtype, kv",
	{evidence.KeyQuantisation, asLower}:   "quantization, quantisation, weights, weight format, weight dtype, weight quantization, precision",
	{evidence.KeySpecMethod, asSpeculation}: `speculation, speculative decoding, speculative decode, spec, speculative algorithm, spec method, speculative method,
		speculative, mtp enabled`,
	{evidence.KeyMTPDepth, asCount}:        "mtp, mtp depth, num speculative tokens, mtp speculative tokens, speculative tokens, speculative num steps, speculative depth, mtp tokens, depth",
	{evidence.KeyDraftDepth, asCount}:      "draft depth, speculative num draft tokens, draft tokens, num draft tokens",
	{evidence.KeyDraftModel, asWords}:      "draft model, draft repository, draft, drafter",
	{evidence.KeyPrefixCache, asSwitch}:    "prefix cache, prefix caching, radix cache, enable prefix caching",
	{evidence.KeyPrefixCache, asSwitchOff}: "disable radix cache, disable prefix caching, no prefix cache",
	{evidence.KeyThinking, asThinking}:     "thinking, thinking mode, thinking default, reasoning mode",
	{evidence.KeyThinkingEffort, asWords}:  "reasoning effort, thinking effort",
	{evidence.KeyEngine, asWords}:          "engine, engine name, runtime name, serving engine",
	{evidence.KeyEngineVersion, asWords}:   "engine version, runtime version, build, engine build, runtime image version",
	{evidence.KeyEngineRevision, asWords}: `engine revision, commit, image label revision, image label engine revision, runtime source revision, runtime revision,
		engine source revision, engine commit`,
	{evidence.KeyImage, asImage}:         "image, runtime image, container image, engine image, image digest, runtime image digest, image id, runtime image id, container digest",
	{evidence.KeyModel, asModel}:         "model, model id, repo, repository, model repository, checkpoint, target repository, best measured candidate, target model",
	{evidence.KeyModelRevision, asWords}: "model revision, checkpoint revision, target revision, weights revision, model commit",
	{evidence.KeyServedModel, asWords}:   "served name, served model, served model name, model alias, served alias",
	{evidence.KeyModelArtifact, asWords}: "artifact, model file, gguf file", {evidence.KeyModelDigest, asWords}: "artifact sha256, model sha256",
	{evidence.KeyGPUProduct, asCard}: "gpu, product, gpu name, gpu product, gpu model, measured gpu, measured hardware, hardware, card, device",
	{evidence.KeyHostGPUs, asCount}:  "count, cards, gpu count, num gpus, gpus", {evidence.KeyGPUArch, asWords}: "compute capability, gpu arch, architecture, arch",
	{evidence.KeyGPUMemory, asMemory}: `vram gb each, vram gib each, vram mib each, memory gib each, memory gb each, vram gib per gpu, vram gb per gpu, vram mib per gpu,
		vram mib, vram gib, vram gb, memory mib, memory gib, memory gb, vram mib total`,
	{evidence.KeyDriver, asWords}: "driver, driver version, nvidia driver", {evidence.KeyInterconnect, asWords}: "interconnect",
	{evidence.KeyTopology, asWords}: "topology", {evidence.KeyTokenizer, asWords}: "tokenizer",
	{evidence.KeyKVOffload, asWords}: "kv offload, kv offload gib, native host kv offload gib, kv offload gib per gpu",
	{evidence.KeyMaxImages, asCount}: "images per request, max images per request", {evidence.KeyMaxVideos, asCount}: "videos per request, max videos per request",
	{evidence.KeyUsableContext, asCount}: "usable context tokens, usable context",
})

// shapes are the members that state the workload.
var workload = expandSettings(map[setting]string{
	{evidence.KeyRequests, asCount}:    "requests, requests per run, request count, num requests, n, samples, attempts, attempted, total attempts, observations, cases, total cases, graded cases",
	{evidence.KeyRepetitions, asCount}: "runs, runs per model, runs per arm, runs per candidate, repetitions, repeats, repeat count",
	{evidence.KeyConcurrency, asCount}: "concurrency, client concurrency, harness concurrency",
	{evidence.KeyContextTarget, asCount}: `configured input tokens, input tokens, context target, context target tokens, requested context tokens, requested, requested tokens,
		target label tokens, requested target tokens, prompt target tokens, target context tokens, input token target, needle generated context, target tokens`,
	{evidence.KeyPromptTokens, asCount}: `actual prompt tokens, prompt tokens, api reported prompt tokens, actual, observed prompt tokens, largest observed prompt tokens,
		needle actual prompt tokens, long context prompt tokens, actual tokens`,
	{evidence.KeyOutputCap, asCount}:   "max output tokens, output cap, max tokens, output cap tokens, max completion tokens, completion cap, output limit tokens, output tokens cap",
	{evidence.KeyMinPassRate, asRatio}: "threshold, minimum pass rate, min pass rate", {evidence.KeyPercentileMethod, asWords}: "percentile method",
	{evidence.KeyProtocol, asWords}: "measurement protocol, protocol label", {evidence.KeyPath, asWords}: "path",
	{evidence.KeyPromptSeed, asWords}: "seed, prompt seed, context seed", {evidence.KeySampling, asWords}: "temperature, sampling",
	{evidence.KeyRunLabel, asWords}: "run id", {evidence.KeyCompleted, asCount}: "completed, graded", {evidence.KeyTimeout, asRatio}: "timeout seconds",
})

func expandSettings(in map[setting]string) map[string]setting {
	out := map[string]setting{}
	for s, names := range in {
		for name := range strings.SplitSeq(names, ",") {
			out[strings.Join(strings.Fields(name), " ")] = s
		}
	}
	return out
}

// speculationKeys hold for arms that speculate; an arm without does not share them.
var speculationKeys = map[evidence.FactKey]bool{
	evidence.KeySpecMethod: true, evidence.KeyMTPDepth: true, evidence.KeyDraftDepth: true, evidence.KeyDraftModel: true,
}

// inBlock are members whose name says something only with the block they stand in.
func inBlock(block, member string) (setting, bool) {
	switch block + "/" + member {
	case "model/id", "model/name", "model/repo", "model/source", "checkpoint/repository", "checkpoint/id", "checkpoint/source":
		return setting{evidence.KeyModel, asModel}, true
	case "model/revision", "checkpoint/revision":
		return setting{evidence.KeyModelRevision, asWords}, true
	case "engine/name", "engine/engine", "runtime/name", "runtime/engine":
		return setting{evidence.KeyEngine, asWords}, true
	case "engine/revision", "runtime/revision", "runtime/source revision", "engine/source revision":
		return setting{evidence.KeyEngineRevision, asWords}, true
	case "engine/version", "runtime/version":
		return setting{evidence.KeyEngineVersion, asWords}, true
	case "speculation/algorithm", "speculation/method":
		return setting{evidence.KeySpecMethod, asSpeculation}, true
	case "speculation/steps", "speculation/num steps", "speculation/tokens":
		return setting{evidence.KeyMTPDepth, asCount}, true
	case "model/quantization":
		return setting{evidence.KeyQuantisation, asLower}, true
	case "hardware/host":
		return setting{}, false
	}
	return setting{}, false
}

// engineRevision reads "vllm_revision": the name of the member names the engine.
func engineRevision(name string) (engine string, ok bool) {
	head, is := strings.CutSuffix(name, " revision")
	if !is {
		head, is = strings.CutSuffix(name, " commit")
	}
	if !is {
		head, is = strings.CutSuffix(name, " version")
	}
	switch head {
	case "vllm", "sglang", "llama cpp", "tensorrt llm", "trtllm":
		return strings.NewReplacer("llama cpp", "llama.cpp", "trtllm", "tensorrt-llm", "tensorrt llm", "tensorrt-llm").Replace(head), is
	}
	return "", false
}

// blockOf is the kind of an identity block by its name, "" where its members speak for
// themselves.
func blockOf(name string) string {
	l := split(name)
	switch {
	case l.has("speculative", "speculation"):
		return "speculation"
	case l.has("checkpoint", "checkpoints", "model", "models", "candidate"):
		return "model"
	case l.has("engine"):
		return "engine"
	case l.has("runtime"):
		return "runtime"
	case l.has("hardware", "gpu"):
		return "hardware"
	}
	return ""
}

func scalar(n *jsondoc.Node) bool {
	return n != nil && n.Kind != jsondoc.Object && n.Kind != jsondoc.Array
}
