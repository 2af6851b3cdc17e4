package formats

import (
	"errors"
	"fmt"
	"strconv"

	"assay/ingest/artifact"
	"assay/store/evidence"
)

// ErrOpenLoop is a run that a format of closed loops has no place for.
var ErrOpenLoop = errors.New("the format knows closed loops only, and this run is an open one")

// series are the values of one metric over completed requests.
type series map[string][]float64

func (s series) put(name string, v float64, ok bool) {
	if ok {
		s[name] = append(s[name], v)
	}
}

// Anvil writes anvil-serving.benchmark/v1: of generation 4 where an answer came with
// reasoning, else of generation 3. A completed request without visible content is a failure
// in that format.
func Anvil(r *artifact.Run) ([]byte, error) {
	if r.Workload.Concurrency == nil {
		return nil, ErrOpenLoop
	}
	rows := measured(r)
	from, to, ok := span(rows)
	if !ok {
		return nil, errors.New("no request was measured: the format has no place for that")
	}
	wall := float64(to-from) / 1e9
	started, err := moment(r, from)
	if err != nil {
		return nil, err
	}
	finished, err := moment(r, to)
	if err != nil {
		return nil, err
	}
	a := &anvil{series: series{}, protocol: "capacity-v3", target: r.Workload.Targets[0]}
	for _, q := range rows {
		if q.Reasoning != nil && q.Error == "" {
			a.protocol = "capacity-v4-reasoning"
		}
	}
	for i, q := range rows {
		a.row(i, q)
	}
	thinking := "default"
	if t := r.Workload.Sampling.Thinking; t != nil {
		thinking = map[bool]string{true: "enabled", false: "disabled"}[*t]
	}
	return encode(map[string]any{
		"schema": "anvil-serving.benchmark/v1", "run_id": "benchmark-" + started.Format("20060102T150405Z"),
		"base_url": r.Workload.Endpoint, "model": r.Facts.Get(evidence.KeyServedModel), "engine": orNull(r.Facts.Get(evidence.KeyEngine)), "gpu": orNull(r.Facts.Get(evidence.KeyGPUProduct)),
		"requests": len(rows), "completed": len(a.timings), "failed": len(a.failures), "failures": a.failures,
		"concurrency": *r.Workload.Concurrency, "context_tokens": a.target, "context_distribution": map[string]int{strconv.FormatInt(a.target, 10): len(rows)},
		"context_seed": r.Workload.Seed, "max_context_tokens": whole(r.Facts.Get(evidence.KeyServedContext)), "max_tokens": r.Workload.Sampling.MaxTokens,
		"measurement_protocol": a.protocol, "metrics": a.metrics(wall), "request_timings": a.timings, "wall_clock_ms": wall * 1e3,
		"started_at": started.Format("2006-01-02T15:04:05Z"), "finished_at": finished.Format("2006-01-02T15:04:05Z"),
		"serve_flags": map[string]any{"thinking_mode": thinking, "no_thinking": thinking == "disabled", "reasoning_effort": orNull(r.Workload.Sampling.Effort),
			"shared_prefix_burst": r.Facts.Get(evidence.KeyPromptBurst) == "true"},
		"manifest": nil, "source_recipe": nil, "tier": nil,
		"timing_methodology": map[string]string{
			"clock": "kernel time of arrival, monotonic", "ttft": "first byte sent to first visible content", "time_to_first_output": "first byte sent to first reasoning or content",
			"generation": "first output to the end of the answer", "decode": "usage tokens behind the first, over generation",
			"effective_prefill": "usage prompt tokens over time to first output; queueing is in it", "mean_inter_token_latency": "generation over usage tokens behind the first"},
	})
}

// anvil gathers the rows.
type anvil struct {
	series
	protocol string
	target   int64
	timings  []map[string]any
	failures []map[string]any
	output   float64
	prompt   float64
	cached   []float64
	content  int
	reason   int
}

func (a *anvil) row(i int, q *artifact.Request) {
	first := earlier(q.Reasoning, q.Visible)
	ttft, okTTFT := since(q.Sent, q.Visible)
	ttfo, okTTFO := since(q.Sent, first)
	e2e, okE2E := since(q.Sent, q.End)
	fault := q.Error
	switch {
	case fault != "" && q.Detail != "":
		fault += ": " + q.Detail
	case fault != "":
	case !okTTFT || !okTTFO || !okE2E:
		fault = "no visible content"
	case q.OutputTokens == nil || q.PromptTokens == nil || *q.OutputTokens < 1:
		fault = "the engine did not count its tokens"
	}
	if fault != "" {
		a.failures = append(a.failures, map[string]any{"request_index": i, "error": fault})
		return
	}
	generation, n := e2e-ttfo, float64(*q.OutputTokens)
	a.output += n
	a.prompt += float64(*q.PromptTokens)
	content, reasoning := 0, 0
	for _, at := range q.Chunks {
		if q.Visible != nil && at >= *q.Visible {
			content++
		} else {
			reasoning++
		}
	}
	a.content += content
	a.reason += reasoning
	t := map[string]any{"request_index": i, "planned_context_tokens": a.target, "prompt_tokens": *q.PromptTokens, "output_tokens": *q.OutputTokens,
		"output_token_source": "usage", "ttft_ms": ttft * 1e3, "time_to_first_output_ms": ttfo * 1e3, "generation_ms": generation * 1e3,
		"visible_generation_ms": (e2e - ttft) * 1e3, "e2e_ms": e2e * 1e3, "content_chunks": content, "reasoning_chunks": reasoning,
		"effective_prefill_tok_s": nil, "decode_tok_s": nil, "mean_inter_token_latency_ms": nil}
	a.put("ttft", ttft*1e3, true)
	a.put("time_to_first_output", ttfo*1e3, true)
	a.put("e2e", e2e*1e3, true)
	a.put("generation", generation*1e3, true)
	a.put("prompt_tokens", float64(*q.PromptTokens), true)
	if ttfo > 0 {
		v := float64(*q.PromptTokens) / ttfo
		t["effective_prefill_tok_s"] = v
		a.put("effective_prefill_tok_s", v, true)
	}
	if n > 1 && generation > 0 {
		t["decode_tok_s"], t["mean_inter_token_latency_ms"] = (n-1)/generation, generation*1e3/(n-1)
		a.put("decode_tok_s", (n-1)/generation, true)
		a.put("mean_inter_token_latency_ms", generation*1e3/(n-1), true)
	}
	if q.CachedTokens != nil && *q.PromptTokens > 0 {
		a.cached = append(a.cached, float64(*q.CachedTokens)/float64(*q.PromptTokens))
	}
	a.timings = append(a.timings, t)
}

func (a *anvil) metrics(wall float64) map[string]any {
	m := map[string]any{"ttft_samples": len(a.series["ttft"]), "prompt_token_samples": len(a.timings), "prompt_tokens": a.prompt, "output_tokens": a.output,
		"throughput_tok_s": a.output / wall, "content_chunks": a.content, "reasoning_chunks": a.reason, "content_chunks_s": nil,
		"output_token_sources": map[string]int{"usage": len(a.timings)}, "prefix_cache_hit_avg": nil}
	for _, name := range []string{"ttft", "time_to_first_output", "e2e", "generation"} {
		a.percentiles(m, name, name+"_p%d_ms")
	}
	for _, name := range []string{"effective_prefill_tok_s", "decode_tok_s", "mean_inter_token_latency_ms", "prompt_tokens"} {
		a.percentiles(m, name, name+"_p%d")
	}
	if n := len(a.cached); n > 0 && n == len(a.timings) {
		sum := 0.0
		for _, v := range a.cached {
			sum += v
		}
		m["prefix_cache_hit_avg"] = sum / float64(n)
	}
	return m
}

func (a *anvil) percentiles(m map[string]any, name, as string) {
	v := sorted(a.series[name])
	for _, p := range []int{50, 95} {
		key := fmt.Sprintf(as, p)
		if m[key] = nil; len(v) > 0 {
			m[key] = nearest(v, p)
		}
	}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func whole(s string) any {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil
	}
	return n
}
