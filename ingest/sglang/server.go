package sglang

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

// serverMembers are the server's own settings as newer rows carry them.
var serverMembers = []struct {
	name string
	key  evidence.FactKey
}{
	{"model_path", evidence.KeyModel}, {"served_model_name", evidence.KeyServedModel}, {"tokenizer_path", evidence.KeyTokenizer},
	{"version", evidence.KeyEngineVersion}, {"tp_size", evidence.KeyTP}, {"dp_size", evidence.KeyDP}, {"pp_size", evidence.KeyPP},
	{"ep_size", evidence.KeyEP}, {"quantization", evidence.KeyQuantisation}, {"kv_cache_dtype", evidence.KeyKVDtype},
	{"context_length", evidence.KeyServedContext}, {"max_running_requests", evidence.KeyMaxSequences},
	{"chunked_prefill_size", evidence.KeyChunkTokens}, {"mem_fraction_static", evidence.KeyMemoryFraction},
	{"speculative_algorithm", evidence.KeySpecMethod}, {"speculative_num_steps", evidence.KeyDraftDepth},
	{"speculative_draft_model_path", evidence.KeyDraftModel}, {"enable_torch_compile", evidence.KeyTorchCompile},
	{"enable_dp_attention", evidence.KeyDPAttention}, {"revision", evidence.KeyModelRevision},
}

// serverInfo records what the server says of itself; it may hold credentials.
func serverInfo(o lift.Obj, arm *lift.Facts) {
	if !o.IsObject() {
		return
	}
	for _, m := range serverMembers {
		o.Get(m.name).Fact(arm, m.key)
	}
	if off := o.Get("disable_radix_cache"); off.There() {
		state := "on"
		if off.True() {
			state = "off"
		}
		off.Derive(arm, evidence.KeyPrefixCache, state, "disable_radix_cache")
	}
	o.Derive(arm, evidence.KeyEngine, "sglang", "server_info")
	o.Secrets("api_key", "admin_api_key", "ssl_keyfile_password")
	o.Skip(evidence.ReasonEcho)
}
