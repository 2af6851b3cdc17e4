package engine

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"assay/store/evidence"
)

var vllmShort = map[string]string{
	"tp": "tensor-parallel-size", "dp": "data-parallel-size", "pp": "pipeline-parallel-size", "q": "quantization", "sc": "speculative-config",
	"O": "compilation-config",
}

// vllm reads what vLLM says.
func (p *probe) vllm() {
	p.id.Name = VLLM
	p.set(evidence.KeyEngine, VLLM, "the endpoint answers as vLLM does")
	p.version(p.ask(p.ctx, "/version").text("version"), "asked of /version")
	p.context(p.entry.text("max_model_len"), "asked of /v1/models")
	p.set(evidence.KeyModel, p.entry.text("root"), "asked of /v1/models (root)")
	p.vllmInfo()
	if p.exe.engine != VLLM {
		return
	}
	f := parse(behind(p.exe.args, "vllm", "vllm.entrypoints.openai.api_server", "vllm.entrypoints.cli.main"), vllmShort)
	arg := func(k evidence.FactKey, name string) bool {
		v, ok := f.get(name)
		if ok {
			p.set(k, v, fmt.Sprintf(byFlag, name))
		}
		return ok
	}
	if len(f.words) > 1 && f.words[0] == "serve" {
		p.set(evidence.KeyModel, modelName(f.words[1]), "argument of the listening process")
	}
	if v, ok := f.get("model"); ok {
		p.set(evidence.KeyModel, modelName(v), fmt.Sprintf(byFlag, "model"))
	}
	arg(evidence.KeyModelRevision, "revision")
	p.derive(evidence.KeyCheckpoint, p.id.Facts.Get(evidence.KeyModel), "the model that is served")
	count := func(k evidence.FactKey, name string) {
		if !arg(k, name) {
			p.derive(k, "1", "default of vLLM")
		}
	}
	count(evidence.KeyTP, "tensor-parallel-size")
	count(evidence.KeyDP, "data-parallel-size")
	count(evidence.KeyPP, "pipeline-parallel-size")
	arg(evidence.KeyQuantisation, "quantization")
	arg(evidence.KeyKVDtype, "kv-cache-dtype")
	p.derive(evidence.KeyKVDtype, "auto", "default of vLLM")
	arg(evidence.KeyMaxSequences, "max-num-seqs")
	arg(evidence.KeyBatchedTokens, "max-num-batched-tokens")
	arg(evidence.KeyMemoryFraction, "gpu-memory-utilization")
	arg(evidence.KeyTokenizer, "tokenizer")
	if v, ok := f.get("max-model-len"); ok {
		p.context(v, fmt.Sprintf(byFlag, "max-model-len"))
	}
	if _, ok := f.get("no-enable-prefix-caching"); ok {
		p.set(evidence.KeyPrefixCache, "false", fmt.Sprintf(byFlag, "no-enable-prefix-caching"))
	}
	if _, ok := f.get("enable-prefix-caching"); ok {
		p.set(evidence.KeyPrefixCache, "true", fmt.Sprintf(byFlag, "enable-prefix-caching"))
	}
	if _, ok := f.get("enable-expert-parallel"); ok {
		p.set(evidence.KeyEP, "true", fmt.Sprintf(byFlag, "enable-expert-parallel"))
	}
	p.vllmSpeculation(&f)
	f.drop("host", "port", "uds", "served-model-name", "download-dir", "disable-log-requests", "enable-log-requests", "disable-log-stats", "uvicorn-log-level",
		"root-path", "ssl-keyfile", "ssl-certfile", "allowed-origins", "disable-uvicorn-access-log", "trust-remote-code", "middleware")
	p.set(evidence.KeyEngineOptions, f.options(), "further arguments of the listening process")
}

// vllmInfo reads the labels of the metric in which vLLM tells its cache's settings.
func (p *probe) vllmInfo() {
	s, err := p.scrape(p.ctx)
	if err != nil {
		return
	}
	const asked = "asked of /metrics (cache_config_info)"
	for name := range s {
		labels, ok := strings.CutPrefix(name, "vllm:cache_config_info{")
		if !ok {
			continue
		}
		l := labelsOf(labels)
		p.set(evidence.KeyKVDtype, l["cache_dtype"], asked)
		p.set(evidence.KeyMemoryFraction, l["gpu_memory_utilization"], asked)
		if v := strings.ToLower(l["enable_prefix_caching"]); v == "true" || v == "false" {
			p.set(evidence.KeyPrefixCache, v, asked)
		}
		return
	}
}

// vllmSpeculation reads --speculative-config, which is JSON.
func (p *probe) vllmSpeculation(f *flags) {
	text, ok := f.get("speculative-config")
	if !ok {
		p.derive(evidence.KeySpecMethod, "none", "no --speculative-config among the arguments of the listening process")
		p.derive(evidence.KeyMTPDepth, "0", "no speculation")
		return
	}
	how := fmt.Sprintf(byFlag, "speculative-config")
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var o object
	if d.Decode(&o) != nil {
		p.lack("--speculative-config of the listening process is no JSON object", evidence.KeySpecMethod, evidence.KeyMTPDepth)
		return
	}
	method, depth := o.text("method"), o.text("num_speculative_tokens")
	p.set(evidence.KeySpecMethod, method, how)
	p.set(evidence.KeyDraftDepth, depth, how)
	p.set(evidence.KeyDraftModel, modelName(o.text("model")), how)
	if strings.Contains(method, "mtp") {
		p.set(evidence.KeyMTPDepth, depth, how)
	} else {
		p.derive(evidence.KeyMTPDepth, "0", "speculation is by another method")
	}
}

// modelName is a model's name; of a path on somebody's disk its last part.
func modelName(s string) string {
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".") {
		return filepath.Base(s)
	}
	return s
}
