package engine

import (
	"strings"

	"assay/ingest/artifact"
	"assay/store/evidence"
)

// counted are the counters of an engine's speculative decoding.
type counted struct{ drafts, drafted, accepted string }

var speculation = map[string]counted{
	VLLM:     {"vllm:spec_decode_num_drafts_total", "vllm:spec_decode_num_draft_tokens_total", "vllm:spec_decode_num_accepted_tokens_total"},
	LlamaCPP: {"llamacpp:spec_decode_num_drafts_total", "llamacpp:spec_decode_num_draft_tokens_total", "llamacpp:spec_decode_num_accepted_tokens_total"},
}

// Derive makes figures of what an engine counted between two readings: all its requests,
// those of the warm-up among them.
func Derive(engine string, before, after, peaks Snapshot) ([]artifact.Figure, artifact.Facts) {
	var out []artifact.Figure
	facts := artifact.Facts{}
	if before == nil || after == nil {
		return nil, facts
	}
	if c, ok := speculation[engine]; ok {
		out = append(out, accepted(c, before, after, facts)...)
	}
	if engine == VLLM {
		out = append(out, pool(after)...)
	}
	return out, facts
}

// sum adds up a counter over its labels.
func (s Snapshot) sum(name string) (total float64, ok bool) {
	for k, v := range s {
		if k == name || strings.HasPrefix(k, name+"{") {
			total += v
			ok = true
		}
	}
	return total, ok
}

// rise is by how much a counter rose.
func rise(name string, before, after Snapshot) (by float64, why string) {
	a, okA := before.sum(name)
	b, okB := after.sum(name)
	switch {
	case !okA || !okB:
		return 0, "the engine does not count it"
	case b < a:
		return 0, "the engine's counter ran backwards: it was started anew"
	}
	return b - a, ""
}

// accepted: the engine counts drafts (verification steps), tokens drafted and accepted. A
// step yields the accepted tokens and one of the model's own.
func accepted(c counted, before, after Snapshot, facts artifact.Facts) []artifact.Figure {
	drafts, why := rise(c.drafts, before, after)
	drafted, whyDrafted := rise(c.drafted, before, after)
	took, whyTook := rise(c.accepted, before, after)
	for _, w := range []string{whyDrafted, whyTook} {
		if why == "" {
			why = w
		}
	}
	if why == "the engine does not count it" || why == "" && drafts == 0 && drafted == 0 {
		return nil // it does not speculate: nothing is missing
	}
	figure := func(m evidence.MetricID, value, of float64) artifact.Figure {
		info, _ := evidence.LookupMetric(m)
		f := artifact.Figure{Metric: string(m), Stat: string(evidence.Total), Unit: string(info.Unit), Why: why}
		if why == "" && of <= 0 {
			f.Why = "nothing was drafted"
		}
		if f.Why == "" {
			v := value / of
			f.Value, f.N = &v, int64(of)
		}
		return f
	}
	if why == "" {
		facts.Set(evidence.KeyAcceptScope, "delta", "the engine's counters after the run less those before it")
	}
	return []artifact.Figure{figure(evidence.AcceptRate, took, drafted), figure(evidence.AcceptLength, took+drafts, drafts)}
}

// pool is what vLLM says of its key-value cache.
func pool(after Snapshot) []artifact.Figure {
	for name := range after {
		labels, ok := strings.CutPrefix(name, "vllm:cache_config_info{")
		if !ok {
			continue
		}
		l := labelsOf(labels)
		blocks, err1 := evidence.ParseDecimal(l["num_gpu_blocks"])
		size, err2 := evidence.ParseDecimal(l["block_size"])
		if err1 != nil || err2 != nil {
			return nil
		}
		v := blocks * size
		return []artifact.Figure{{Metric: string(evidence.KVPoolTokens), Stat: string(evidence.Total), Unit: string(evidence.Tokens), Value: &v, N: 1}}
	}
	return nil
}

// CPUFacts are the hardware of an engine that runs on a processor alone.
func CPUFacts(cpu string, f artifact.Facts) {
	const how = "the engine runs on this machine, which has no driver for a card"
	name := "none"
	if cpu != "" {
		name = "none (CPU " + plain(cpu) + ")"
	}
	f.Derive(evidence.KeyGPUProduct, name, how)
	f.Derive(evidence.KeyGPUArch, "none", how)
	f.Derive(evidence.KeyGPUCount, "0", how)
	f.Lack(evidence.KeyLane, "no card")
}
