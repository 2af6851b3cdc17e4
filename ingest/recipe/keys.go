package recipe

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// form is how the value of a setting is written.
type form uint8

const (
	words1 form = iota // text as it stands
	count              // a whole number; "128k" and "1M" are understood
	number             // a decimal
	on                 // the flag alone says true
	off                // the flag alone says false
	listed             // several names
)

type known struct {
	key  evidence.FactKey
	form form
}

// settings are the names of the engines' options, which recipes also use as member
// names and, in capitals, as variables.
var settings = map[string]known{
	"tensor-parallel-size": {evidence.KeyTP, count}, "tp-size": {evidence.KeyTP, count}, "tp": {evidence.KeyTP, count}, "tensor-parallel": {evidence.KeyTP, count},
	"data-parallel-size": {evidence.KeyDP, count}, "dp-size": {evidence.KeyDP, count}, "dp": {evidence.KeyDP, count}, "data-parallel": {evidence.KeyDP, count},
	"pipeline-parallel-size": {evidence.KeyPP, count}, "pp-size": {evidence.KeyPP, count}, "pp": {evidence.KeyPP, count},
	"expert-parallel-size": {evidence.KeyEP, count}, "ep-size": {evidence.KeyEP, count}, "ep": {evidence.KeyEP, count},
	"enable-dp-attention": {evidence.KeyDPAttention, on},

	"kv-cache-dtype": {evidence.KeyKVDtype, words1}, "cache-type-k": {evidence.KeyKVDtype, words1},
	"max-model-len": {evidence.KeyServedContext, count}, "context-length": {evidence.KeyServedContext, count}, "ctx-size": {evidence.KeyServedContext, count},
	"context-tokens": {evidence.KeyServedContext, count}, "max-seq-len": {evidence.KeyServedContext, count}, "served-context": {evidence.KeyServedContext, count},
	"max-num-seqs": {evidence.KeyMaxSequences, count}, "max-running-requests": {evidence.KeyMaxSequences, count}, "max-num-sequences": {evidence.KeyMaxSequences, count},
	"max-batch-size":         {evidence.KeyMaxSequences, count},
	"max-num-batched-tokens": {evidence.KeyBatchedTokens, count}, "max-num-tokens": {evidence.KeyBatchedTokens, count},
	"chunked-prefill-size":   {evidence.KeyChunkTokens, count},
	"gpu-memory-utilization": {evidence.KeyMemoryFraction, number}, "mem-fraction-static": {evidence.KeyMemoryFraction, number},
	"enable-prefix-caching": {evidence.KeyPrefixCache, on}, "no-enable-prefix-caching": {evidence.KeyPrefixCache, off}, "disable-radix-cache": {evidence.KeyPrefixCache, off},
	"max-mamba-cache-size": {evidence.KeyMambaSlots, count},
	"tokenizer":            {evidence.KeyTokenizer, words1}, "tokenizer-path": {evidence.KeyTokenizer, words1},

	"served-model-name": {evidence.KeyServedModel, listed}, "served-model": {evidence.KeyServedModel, listed}, "served-name": {evidence.KeyServedModel, listed},
	"model-revision": {evidence.KeyModelRevision, words1}, "revision": {evidence.KeyModelRevision, words1}, "hf-revision": {evidence.KeyModelRevision, words1},

	"speculative-algorithm": {evidence.KeySpecMethod, words1}, "speculative-method": {evidence.KeySpecMethod, words1},
	"num-speculative-tokens":       {evidence.KeyDraftDepth, count},
	"speculative-num-draft-tokens": {keyDraftTokens, count}, "speculative-num-steps": {keyDraftSteps, count},
	"speculative-draft-model-path": {evidence.KeyDraftModel, words1}, "speculative-draft-model": {evidence.KeyDraftModel, words1},
	"speculative-model": {evidence.KeyDraftModel, words1}, "spec-model-path": {evidence.KeyDraftModel, words1}, "model-draft": {evidence.KeyDraftModel, words1},
	"draft-max": {evidence.KeyDraftDepth, count},
}

// Settings of SGLang that become others once the method is known.
const (
	keyDraftTokens evidence.FactKey = "speculative_num_draft_tokens"
	keyDraftSteps  evidence.FactKey = "speculative_num_steps"
)

// short are the one-dash options of one engine each.
var short = map[string]map[string]string{
	"vllm":      {"tp": "tensor-parallel-size", "pp": "pipeline-parallel-size", "dp": "data-parallel-size", "q": "quantization"},
	"sglang":    {"tp": "tp-size", "dp": "dp-size"},
	"llama.cpp": {"c": "ctx-size", "m": "model", "a": "served-model-name", "hf": "hf-repo", "hfr": "hf-repo", "ctk": "cache-type-k", "ctv": "cache-type-v", "np": "parallel", "md": "model-draft", "ub": "ubatch-size", "b": "batch-size", "ngl": "n-gpu-layers", "fa": "flash-attn"},
}

// long are options whose meaning is one engine's.
var long = map[string]map[string]string{
	"llama.cpp": {"alias": "served-model-name", "parallel": "max-num-seqs", "draft": "draft-max", "draft-n": "draft-max", "spec-draft-n-max": "draft-max"},
}

// canonical is the full name of an option in a dialect.
func canonical(engine string, f flag) string {
	name := f.name
	if !f.long {
		if s, ok := short[engine][name]; ok {
			name = s
		}
	}
	if l, ok := long[engine][name]; ok {
		name = l
	}
	return name
}

// read makes the canonical value of a setting.
func (k known) read(text string) (string, bool) {
	switch k.form {
	case count:
		v, ok := wholeNumber(text)
		return v, ok
	case number:
		v, err := evidence.ParseDecimal(text)
		if err != nil || v < 0 {
			return "", false
		}
		return evidence.FormatDecimal(v), true
	case on, off:
		b, err := strconv.ParseBool(strings.ToLower(text))
		if text == "" {
			b, err = true, nil
		}
		return strconv.FormatBool(b == (k.form == on)), err == nil
	}
	return text, text != ""
}

// wholeNumber reads "131072", "128k" (thousands) and "128K" (of 1024).
func wholeNumber(text string) (string, bool) {
	scale := 1.0
	if n := len(text); n > 1 {
		switch text[n-1] {
		case 'k':
			scale = 1e3
		case 'm':
			scale = 1e6
		case 'K':
			scale = 1 << 10
		case 'M':
			scale = 1 << 20
		}
		if scale != 1 {
			text = text[:n-1]
		}
	}
	v, err := evidence.ParseDecimal(text)
	if v *= scale; err != nil || v < 0 || v != math.Trunc(v) || v > 1<<53 {
		return "", false
	}
	return evidence.FormatDecimal(v), true
}

var (
	hubPath     = regexp.MustCompile(`models--([A-Za-z0-9][\w.-]*?)--([A-Za-z0-9][\w.-]*?)(?:/snapshots/([0-9a-f]{40}))?(?:/|$)`)
	repository  = regexp.MustCompile(`^[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}$`)
	commit      = regexp.MustCompile(`^[0-9a-f]{40}$`)
	imageDigest = regexp.MustCompile(`sha256:([0-9a-f]{64})$`)
)

// named is what the name of a model says: a repository, a revision, or a file.
type named struct{ repo, revision, file string }

// modelName reads "org/name", "org/name@revision", "org/name:quant" (llama.cpp), a path
// into the hub's cache and a path to a file.
func modelName(text string) named {
	if m := hubPath.FindStringSubmatch(text); m != nil {
		return named{repo: m[1] + "/" + m[2], revision: m[3]}
	}
	repo, rev, _ := strings.Cut(text, "@")
	if repository.MatchString(repo) {
		if commit.MatchString(rev) {
			return named{repo: repo, revision: rev}
		}
		return named{repo: repo}
	}
	if base, _, ok := strings.Cut(text, ":"); ok && repository.MatchString(base) {
		return named{repo: base}
	}
	if strings.HasSuffix(strings.ToLower(text), ".gguf") {
		return named{file: text}
	}
	return named{}
}
