package prose

import (
	"slices"
	"sort"
	"strings"

	"assay/store/evidence"
)

// letterKeys are settings written as letters with a number: TP2, "TP 2", "TP=2".
// Keys that the registry lacks are identity all the same.
var letterKeys = map[string]evidence.FactKey{
	"tp": evidence.KeyTP, "dp": evidence.KeyDP, "pp": "pp", "ep": "ep", "cp": "cp",
	"mtp": evidence.KeyMTPDepth, "k": evidence.KeyDraftDepth, "c": evidence.KeyConcurrency,
	"chunk": evidence.KeyChunkTokens, "mamba": evidence.KeyMambaSlots,
}

// specFamilies are methods of speculative decoding; digits behind belong to the name.
var specFamilies = []string{"dflash", "eagle", "medusa", "ngram", "dspark", "hydra", "lookahead"}

// engines by the first word that names them.
var engines = map[string]string{
	"sglang": "sglang", "vllm": "vllm", "tensorrt-llm": "tensorrt-llm", "trtllm": "tensorrt-llm", "trt-llm": "tensorrt-llm",
	"llama.cpp": "llama.cpp", "lmdeploy": "lmdeploy", "tgi": "tgi", "ollama": "ollama", "exllamav2": "exllamav2",
	"exllamav3": "exllamav3", "ktransformers": "ktransformers", "mlc-llm": "mlc-llm",
}

var weightFormats = map[string]bool{
	"nvfp4": true, "mxfp4": true, "fp4": true, "fp8": true, "mxfp8": true, "bf16": true, "fp16": true, "int8": true, "int4": true,
	"awq": true, "gptq": true, "w4a16": true, "w8a8": true, "w4a8": true,
}

// Config reads the settings that a profile, topology or selection names: "two
// SGLang K6 chunk2K TP2 replicas", "four GPUs, DP2, C8 aggregate".
func Config(sentence string) []Setting {
	var out []Setting
	denied := denials(sentence)
	for _, c := range clauses(sentence) {
		for i := 0; i < len(c.tokens); i++ {
			if within(c.tokens[i], denied) {
				continue
			}
			s, next, ok := c.config(i)
			if ok {
				out = append(out, s...)
			}
			i = max(i, next-1)
		}
	}
	stated := out
	for _, d := range denied {
		out = append(out, d.settings(stated)...)
	}
	slices.SortStableFunc(out, func(a, b Setting) int { return a.Start - b.Start })
	return out
}

// within reports whether a token is part of a denial.
func within(t Token, denied []denial) bool {
	i := sort.Search(len(denied), func(i int) bool { return denied[i].End > t.Start })
	return i < len(denied) && denied[i].Start < t.End
}

// config reads what starts at token i and gives the index behind it.
func (c clause) config(i int) (found []Setting, next int, ok bool) {
	t, w := c.tokens[i], c.word(i)
	if t.Counts() {
		return c.counted(i)
	}
	if t.Kind == Mark {
		return nil, i + 1, false
	}
	if n, ok := times(w); ok && (countedThings[c.word(i+1)] == evidence.KeyGPUCount || cardMakers[c.word(i+1)]) {
		return c.one(evidence.KeyGPUCount, n, i, i+1), i + 2, true
	}
	if s, next, ok := c.letters(i); ok {
		return s, next, true
	}
	if s, next, ok := c.speculation(i); ok {
		return s, next, true
	}
	if e, ok := engines[w]; ok {
		found = append(found, Setting{Key: evidence.KeyEngine, Value: e, Span: Span{t.Start, t.End}})
		if v, ok := c.version(i + 1); ok {
			return append(found, v), i + 2, true
		}
		return found, i + 1, true
	}
	switch {
	case w == "torch.compile" || w == "torch_compile" || w == "torch-compile":
		return c.one(evidence.KeyTorchCompile, "true", i, i), i + 1, true
	case weightFormats[w] && c.word(i-1) != "kv" && c.word(i+1) != "kv":
		return c.one(evidence.KeyQuantisation, w, i, i), i + 1, true
	}
	return nil, i + 1, false
}

func (c clause) one(k evidence.FactKey, value string, from, to int) []Setting {
	return []Setting{{Key: k, Value: value, Span: c.between(from, to)}}
}

// letters reads TP2, MTP-3, chunk1K, "TP 2", "DP=2", "C16 aggregate", "C8 per replica".
func (c clause) letters(i int) ([]Setting, int, bool) {
	letters, number := splitName(c.word(i))
	to := i
	if number == "" {
		j := i + 1
		if c.word(j) == "=" || c.word(j) == "depth" || c.word(j) == "degree" {
			j++
		}
		if j >= len(c.tokens) || c.tokens[j].Kind != Figure && c.tokens[j].Kind != Nominal || c.tokens[j].Link != 0 {
			return nil, 0, false
		}
		if len(letters) == 1 && j == i+1 {
			return nil, 0, false // "C 8", "k 4": a letter and a number that happen to meet
		}
		number, to = c.tokens[j].Text(c.text), j
	}
	key, known := letterKeys[letters]
	if !known {
		return nil, 0, false
	}
	n, ok := NominalTokens(number)
	if !ok || letters == "c" && dataWords[c.word(to+1)] {
		return nil, 0, false
	}
	out := c.one(key, FormatCount(n), i, to)
	switch key {
	case evidence.KeyMTPDepth:
		method := "mtp"
		if n == 0 {
			method = "none"
		}
		out = append(out, Setting{Key: evidence.KeySpecMethod, Value: method, Span: out[0].Span})
	case evidence.KeyConcurrency:
		var last int
		if out[0].Scope, last = c.scope(to + 1); last > to {
			out[0].Span, to = c.between(i, last), last
		}
	}
	return out, to + 1, true
}

// dataWords follow a data set whose name looks like a concurrency.
var dataWords = map[string]bool{"corpus": true, "dataset": true, "data": true}

// times reads the "4x" of "4x GPU".
func times(w string) (string, bool) {
	n, ok := strings.CutSuffix(w, "x")
	return n, ok && n != "" && digitsEnd(n, 0) == len(n)
}

// scope reads what a count of concurrency is per, from token i on.
func (c clause) scope(i int) (Scope, int) {
	switch w := c.word(i); w {
	case "aggregate", "total", "overall", "combined":
		return Aggregate, i
	case "per-replica", "each":
		return PerReplica, i
	case "per":
		if next := c.word(i + 1); next == "replica" || next == "instance" || next == "server" {
			return PerReplica, i + 1
		}
	}
	return "", 0
}

// splitName parts "chunk1k" into letters and number; number is "" when digits are not
// the whole rest.
func splitName(w string) (letters, number string) {
	i := lettersEnd(w, 0)
	letters = w[:i]
	if i < len(w) && w[i] == '-' {
		i++
	}
	rest := w[i:]
	if rest == "" || digitsEnd(rest, 0) == 0 {
		return letters, ""
	}
	if end := digitsEnd(rest, 0); end < len(rest) && rest[end:] != "k" {
		return "", ""
	}
	return letters, rest
}

// speculation reads MTP without a depth, DFlash2, EAGLE-3. What denies speculation is
// read before, see [denials].
func (c clause) speculation(i int) ([]Setting, int, bool) {
	w := c.word(i)
	if w == "mtp" {
		return c.one(evidence.KeySpecMethod, "mtp", i, i), i + 1, true
	}
	for _, family := range specFamilies {
		rest, ok := strings.CutPrefix(strings.ReplaceAll(w, "-", ""), family)
		if ok && digitsEnd(rest, 0) == len(rest) {
			return c.one(evidence.KeySpecMethod, family+rest, i, i), i + 1, true
		}
	}
	return nil, 0, false
}

// version reads "1.4.2" or "v0.6" behind an engine.
func (c clause) version(i int) (Setting, bool) {
	if i >= len(c.tokens) || c.tokens[i].Kind != Name && c.tokens[i].Kind != Figure {
		return Setting{}, false
	}
	v := strings.TrimPrefix(c.word(i), "v")
	if digitsEnd(v, 0) == 0 || !strings.Contains(v, ".") {
		return Setting{}, false
	}
	return Setting{Key: evidence.KeyEngineVersion, Value: v, Span: c.between(i, i)}, true
}

// countedThings are what a number in a configuration can count.
var countedThings = map[string]evidence.FactKey{
	"gpu": evidence.KeyGPUCount, "gpus": evidence.KeyGPUCount, "card": evidence.KeyGPUCount, "cards": evidence.KeyGPUCount,
	"replica": evidence.KeyReplicas, "replicas": evidence.KeyReplicas,
	"chunk": evidence.KeyChunkTokens, "chunks": evidence.KeyChunkTokens,
	"slots": evidence.KeyMambaSlots,
}

// cardMakers begin the name of a card: "one RTX 5090".
var cardMakers = map[string]bool{"nvidia": true, "rtx": true, "geforce": true, "amd": true, "radeon": true, "tesla": true}

// counted reads "two GPUs", "2048-token chunks", "64 Mamba slots", "three ...
// replicas". Names may stand between the number and the thing, other numbers may not.
func (c clause) counted(i int) ([]Setting, int, bool) {
	n, ok := c.tokens[i].Count(c.text)
	if !ok || c.tokens[i].Link != 0 {
		return nil, i + 1, false
	}
	if cardMakers[c.word(i+1)] {
		return c.one(evidence.KeyGPUCount, FormatCount(n), i, i+1), i + 2, true
	}
	for j := i + 1; j < len(c.tokens) && !c.tokens[j].Counts(); j++ {
		key, known := countedThings[c.word(j)]
		// Replicas are many words away, all else stands next to its number.
		if !known || key != evidence.KeyReplicas && j > i+3 || key == evidence.KeyMambaSlots && c.word(j-1) != "mamba" {
			continue
		}
		s := c.one(key, FormatCount(n), i, j)
		if key == evidence.KeyReplicas && j > i+1 {
			s[0].Span = c.between(i, i) // the words between state settings of their own
			return s, i + 1, true
		}
		return s, j + 1, true
	}
	return nil, i + 1, false
}

// DraftName reads what drafts: "MTP5 with small-head draft" drafts with the small-head.
func DraftName(sentence string) (Span, bool) {
	for _, c := range clauses(sentence) {
		for i := range c.tokens {
			if c.word(i) != "with" {
				continue
			}
			for j := i + 1; j < len(c.tokens) && j <= i+4; j++ {
				if (c.word(j) == "draft" || c.word(j) == "drafts" || c.word(j) == "drafter") && j > i+1 {
					return c.between(i+1, j-1), true
				}
			}
		}
	}
	return Span{}, false
}

// CardsOf reads how many cards one instance takes: "one checkpoint per card" is one,
// "both cards" and "all cards" are the machine's, "two cards" are two.
func CardsOf(sentence, machine string) (count string, at Span, ok bool) {
	for _, c := range clauses(sentence) {
		for i := range c.tokens {
			if countedThings[c.word(i)] != evidence.KeyGPUCount {
				continue
			}
			switch before := c.word(i - 1); {
			case before == "per" || before == "each":
				return "1", c.between(i-1, i), true
			case before == "both":
				return "2", c.between(i-1, i), machine == "2"
			case before == "all":
				return machine, c.between(i-1, i), machine != ""
			case i > 0:
				if n, isCount := c.tokens[i-1].Count(c.text); isCount {
					return FormatCount(n), c.between(i-1, i), true
				}
			}
		}
	}
	return "", Span{}, false
}
