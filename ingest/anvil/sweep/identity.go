package sweep

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// speaking are the blocks whose members speak of what was served.
var speaking = set("identity model checkpoint runtime engine image hardware gpu topology serve configuration config candidate_identity cache " +
	"candidate service upstream local_configuration common_recipe request")

// identityKeys are member names of what was under test.
var identityKeys = map[string]evidence.FactKey{
	"model_revision": evidence.KeyModelRevision, "checkpoint_revision": evidence.KeyModelRevision,
	"served_model": evidence.KeyServedModel, "served_model_name": evidence.KeyServedModel, "served_name": evidence.KeyServedModel,
	"engine": evidence.KeyEngine, "runtime": evidence.KeyEngine, "engine_version": evidence.KeyEngineVersion, "vllm_version": evidence.KeyEngineVersion, "sglang_version": evidence.KeyEngineVersion,
	"vllm": evidence.KeyEngineVersion, "sglang": evidence.KeyEngineVersion,
	"engine_revision": evidence.KeyEngineRevision, "vllm_revision": evidence.KeyEngineRevision, "runtime_revision": evidence.KeyEngineRevision,
	"image_digest": evidence.KeyImageDigest, "runtime_image_digest": evidence.KeyImageDigest, "engine_image_digest": evidence.KeyImageDigest,
	"image_id": evidence.KeyImageDigest, "runtime_image_id": evidence.KeyImageDigest,
	"driver": evidence.KeyDriver, "nvidia_driver": evidence.KeyDriver, "driver_version": evidence.KeyDriver,
	"topology": evidence.KeyTopology, "interconnect": evidence.KeyInterconnect,
	"tensor_parallel_size": evidence.KeyTP, "tensor_parallel": evidence.KeyTP, "data_parallel_size": evidence.KeyDP,
	"num_speculative_tokens": evidence.KeyDraftDepth, "speculative_method": evidence.KeySpecMethod,
	"max_model_len": evidence.KeyServedContext, "context_tokens": evidence.KeyServedContext, "served_context": evidence.KeyServedContext,
	"max_num_seqs": evidence.KeyMaxSequences, "max_num_batched_tokens": evidence.KeyBatchedTokens,
	"gpu_memory_utilization": evidence.KeyMemoryFraction,
	"kv_cache_dtype":         evidence.KeyKVDtype, "kv_dtype": evidence.KeyKVDtype, "kv_cache": evidence.KeyKVDtype,
	"quantization": evidence.KeyQuantisation, "prefix_caching": evidence.KeyPrefixCache, "prefix_cache": evidence.KeyPrefixCache,
	"tokenizer": evidence.KeyTokenizer, "client_version": evidence.KeyClientVersion,
	"candidate_id": evidence.KeyCandidate, "config_id": evidence.KeyConfigID,
}

// modelNames are names of a model: a repository when the text has the form owner/name, a
// served name otherwise.
var modelNames = set("model repo repository repo_id model_repository checkpoint")

// imageNames are names of a container image, with or without a digest.
var imageNames = set("image runtime_image engine_image final_image")

// hardwareNames are names of a sentence about the cards.
var hardwareNames = set("hardware gpu measured_gpu product gpu_name")

// identify puts a member as a fact of identity. block is the name of the block it stands
// in, "" at the top.
func (s *Sweep) identify(name, block string, v lift.Val) bool {
	if s.Facts == nil || v.Is(jsondoc.Null) {
		return false
	}
	text, isText := v.Str(), v.Is(jsondoc.String)
	key, known := identityKeys[name]
	switch {
	case name == "name" && (block == "gpu" || block == "hardware") && isText:
		return s.cards(v)
	case name == "version" && (block == "engine" || block == "runtime") && isText:
		return s.Words(s.Facts, evidence.KeyEngineVersion, v)
	case name == "revision" && block != "image" && block != "engine" && block != "runtime" && isText:
		return s.Words(s.Facts, evidence.KeyModelRevision, v)
	case block == "image" && name == "id" && strings.HasPrefix(text, "sha256:"):
		return s.Words(s.Facts, evidence.KeyImageDigest, v)
	case block == "image" && (name == "tag" || name == "reference") && isText, imageNames[name] && isText && text != "":
		s.Image(s.Facts, v)
		return true
	case modelNames[name] && isText && text != "":
		return s.model(v)
	case hardwareNames[name] && isText:
		return s.cards(v)
	case !known:
		return false
	case evidence.LookupKey(key).Unit != "":
		return v.Is(jsondoc.Number) && s.Fact(s.Facts, key, v)
	}
	return (isText || v.Is(jsondoc.Bool)) && s.Fact(s.Facts, key, v)
}

func (s *Sweep) model(v lift.Val) bool {
	key := evidence.KeyServedModel
	if IsRepository(v.Str()) {
		key = evidence.KeyModel
	}
	return s.Words(s.Facts, key, v)
}

// IsRepository reports whether a text has the form owner/name.
func IsRepository(text string) bool {
	owner, name, ok := strings.Cut(text, "/")
	return ok && owner != "" && name != "" && !strings.ContainsAny(text, " \t\n:\\") && !strings.Contains(name, "/")
}

// cards reads a sentence about cards; the cards that an arm uses only where it says so.
func (s *Sweep) cards(v lift.Val) bool { return Cards(s.Doc, s.Facts, v) }

// Cards puts what a sentence says of the cards.
func Cards(d *lift.Doc, facts *[]evidence.Fact, v lift.Val) bool {
	text := v.Str()
	if text == "" || len(text) > prose.MaxSentence {
		return false
	}
	found := false
	settings, _ := prose.Hardware(text)
	for _, x := range settings {
		d.Put(facts, x.Fact(v.P, text, prose.RuleHardware))
		found = true
	}
	for _, x := range prose.Config(text) {
		if x.Key == evidence.KeyTP || x.Key == evidence.KeyGPUCount {
			d.Put(facts, x.Fact(v.P, text, prose.RuleConfig))
		}
	}
	d.Take(v)
	return found
}
