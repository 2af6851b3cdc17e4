package engine

import (
	"strings"

	"assay/store/evidence"
)

// serverInfo is where SGLang tells its arguments; the path has had two names.
func (p *probe) serverInfo() object {
	for _, path := range []string{"/server_info", "/get_server_info"} {
		if o := p.ask(p.ctx, path); o.text("model_path") != "" {
			return o
		}
	}
	return nil
}

// sglang reads what SGLang says of itself, which is everything.
func (p *probe) sglang() {
	p.id.Name = SGLang
	const asked = "asked of /server_info"
	o := p.serverInfo()
	p.set(evidence.KeyEngine, SGLang, "the endpoint answers as SGLang does")
	p.version(o.text("version"), asked)
	for _, x := range []struct {
		key  evidence.FactKey
		name string
	}{
		{evidence.KeyTP, "tp_size"}, {evidence.KeyDP, "dp_size"}, {evidence.KeyPP, "pp_size"}, {evidence.KeyEP, "ep_size"},
		{evidence.KeyKVDtype, "kv_cache_dtype"}, {evidence.KeyMaxSequences, "max_running_requests"}, {evidence.KeyMemoryFraction, "mem_fraction_static"},
		{evidence.KeyModelRevision, "revision"}, {evidence.KeyQuantisation, "quantization"}, {evidence.KeyChunkTokens, "chunked_prefill_size"},
		{evidence.KeyTokenizer, "tokenizer_path"}, {evidence.KeyDPAttention, "enable_dp_attention"},
	} {
		if v := o.text(x.name); v != "" && v != "-1" {
			p.set(x.key, modelName(v), asked+" ("+x.name+")")
		}
	}
	p.set(evidence.KeyModel, modelName(o.text("model_path")), asked+" (model_path)")
	p.derive(evidence.KeyCheckpoint, p.id.Facts.Get(evidence.KeyModel), "the model that is served")
	p.context(o.text("context_length"), asked)
	p.context(p.entry.text("max_model_len"), "asked of /v1/models")
	switch o.text("disable_radix_cache") {
	case "true":
		p.set(evidence.KeyPrefixCache, "false", asked+" (disable_radix_cache)")
	case "false":
		p.set(evidence.KeyPrefixCache, "true", asked+" (disable_radix_cache)")
	}
	p.sglangSpeculation(o, asked)
	if _, there := o["quantization"]; there && o.text("quantization") == "" {
		p.lack("SGLang was given no quantisation: the checkpoint's own stands", evidence.KeyQuantisation)
	}
	if args := p.exe; args.engine == SGLang {
		f := parse(behind(args.args, "sglang", "sglang.launch_server"), map[string]string{"tp": "tp-size", "dp": "dp-size", "tensor-parallel-size": "tp-size"})
		f.drop("host", "port", "model-path", "model", "served-model-name", "tp-size", "dp-size", "kv-cache-dtype", "context-length", "max-running-requests",
			"mem-fraction-static", "revision", "quantization", "chunked-prefill-size", "tokenizer-path", "disable-radix-cache", "log-level", "log-level-http",
			"log-requests", "enable-metrics", "download-dir", "trust-remote-code", "speculative-algorithm", "speculative-algo", "speculative-num-steps",
			"speculative-num-draft-tokens", "speculative-draft-model-path", "nccl-port", "dist-init-addr")
		p.set(evidence.KeyEngineOptions, f.options(), "further arguments of the listening process")
	}
}

func (p *probe) sglangSpeculation(o object, asked string) {
	if _, told := o["speculative_algorithm"]; !told {
		p.lack("SGLang does not tell whether it speculates", evidence.KeySpecMethod, evidence.KeyMTPDepth)
		return
	}
	method := strings.ToLower(o.text("speculative_algorithm"))
	if method == "" || method == "none" {
		p.set(evidence.KeySpecMethod, "none", asked+" (speculative_algorithm)")
		p.derive(evidence.KeyMTPDepth, "0", "no speculation")
		return
	}
	p.set(evidence.KeySpecMethod, method, asked+" (speculative_algorithm)")
	p.set(evidence.KeyDraftModel, modelName(o.text("speculative_draft_model_path")), asked+" (speculative_draft_model_path)")
	p.set(evidence.KeyDraftDepth, o.text("speculative_num_steps"), asked+" (speculative_num_steps)")
	if method == "nextn" || method == "mtp" {
		p.set(evidence.KeyMTPDepth, o.text("speculative_num_steps"), asked+" (speculative_num_steps)")
	} else {
		p.derive(evidence.KeyMTPDepth, "0", "speculation is by another method")
	}
}
