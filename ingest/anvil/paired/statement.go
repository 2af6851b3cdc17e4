package paired

import (
	"strconv"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// ruleStatement marks what a block or sentence states for every arm under it.
const ruleStatement = "prose/statement"

// statedKeys are members of a protocol block.
var statedKeys = map[string]evidence.FactKey{
	"concurrency": evidence.KeyConcurrency, "context_tokens": evidence.KeyContextTarget, "max_model_len": evidence.KeyServedContext,
	"max_tokens": evidence.KeyOutputCap, "output_tokens_cap": evidence.KeyOutputCap, "requests_per_run": evidence.KeyRequests, "requests": evidence.KeyRequests,
	"reasoning_effort": evidence.KeyThinkingEffort, "thinking_mode": evidence.KeyThinking, "thinking": evidence.KeyThinking,
	"measurement_protocol": evidence.KeyProtocol, "cache_state": evidence.KeyCacheState, "seed": evidence.KeyPromptSeed, "context_seed": evidence.KeyPromptSeed,
	"shared_prefix_burst": evidence.KeyPromptBurst, "temperature": evidence.KeySampling,
}

// protocol puts what a block states, derived for everything under it.
func (p *pair) protocol(facts *[]evidence.Fact, block lift.Val) {
	for name, v := range block.Members() {
		k, ok := statedKeys[name]
		if !ok {
			continue
		}
		before := len(*facts)
		switch {
		case k == evidence.KeySampling && v.Is(jsondoc.Number):
			p.Derive(facts, k, "temperature "+v.N.Text, ruleStatement, v)
		case evidence.LookupKey(k).Unit == evidence.Count, evidence.LookupKey(k).Unit == evidence.Tokens, evidence.LookupKey(k).Unit == evidence.Requests:
			p.Count(facts, k, v)
		default:
			p.Fact(facts, k, v)
		}
		p.Take(v)
		for i := before; i < len(*facts); i++ {
			(*facts)[i].State, (*facts)[i].Rule = evidence.Derived, ruleStatement
		}
	}
}

// sentence puts what a sentence states of the workload. What it leaves unread is kept as
// words all the same, for the sentence is a note.
func (p *pair) sentence(facts *[]evidence.Fact, v lift.Val) {
	text := v.Str()
	if text == "" || len(text) > prose.MaxSentence {
		return
	}
	settings, _ := prose.Shape(text)
	for _, s := range settings {
		p.Put(facts, s.Fact(v.P, text, prose.RuleShape))
	}
	have := func(k evidence.FactKey) bool {
		for _, f := range *facts {
			if f.Key == k {
				return true
			}
		}
		return false
	}
	add := func(k evidence.FactKey, value string, s prose.Span) {
		if !have(k) {
			p.Put(facts, prose.Setting{Key: k, Value: value, Span: s}.Fact(v.P, text, prose.RuleShape))
		}
	}
	for _, n := range prose.Numbers(text) {
		p.counted(text, n, add)
	}
	lower := strings.ToLower(text)
	for word, value := range map[string]string{"enable_thinking false": "disabled", "enable_thinking true": "enabled"} {
		if i := strings.Index(lower, word); i >= 0 && len(lower) == len(text) {
			add(evidence.KeyThinking, value, prose.Span{Start: i, End: i + len(word)})
		}
	}
}

// counted reads what the words around a number say it counts.
func (p *pair) counted(text string, n prose.Token, add func(evidence.FactKey, string, prose.Span)) {
	digits := strings.ReplaceAll(text[n.Start:n.End], ",", "")
	before, after := strings.ToLower(text[max(0, n.Start-40):n.Start]), strings.ToLower(text[n.End:min(len(text), n.End+40)])
	words := strings.Fields(after)
	follows := func(s ...string) bool {
		if len(words) < len(s) {
			return false
		}
		for i := range s {
			if strings.Trim(words[i], ".,;:()") != s[i] {
				return false
			}
		}
		return true
	}
	whole, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case strings.HasSuffix(before, "temperature ") || strings.HasSuffix(before, "temperature="):
		add(evidence.KeySampling, "temperature "+digits, prose.Span{Start: n.Start - len("temperature "), End: n.End})
	case err != nil:
	case follows("prompt", "tokens"), follows("input", "tokens"):
		add(evidence.KeyContextTarget, prose.FormatCount(whole), prose.Span{Start: n.Start, End: n.End})
	case follows("requests"):
		add(evidence.KeyRequests, prose.FormatCount(whole), prose.Span{Start: n.Start, End: n.End})
	case strings.HasSuffix(before, "emitted exactly "):
		add(evidence.KeyMeanOutput, prose.FormatCount(whole), prose.Span{Start: n.Start, End: n.End})
	}
}

// of finds the value of a fact as a count.
func of(k evidence.FactKey, scopes ...[]evidence.Fact) evidence.Opt[int64] {
	for _, facts := range scopes {
		for _, f := range facts {
			if n, err := strconv.ParseInt(f.Value, 10, 64); f.Key == k && err == nil {
				return evidence.Some(n)
			}
		}
	}
	return evidence.None[int64]()
}
