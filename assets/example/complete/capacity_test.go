package complete_test

import (
	"fmt"
	"slices"
	"time"
)

// Load of every run.
const (
	requests    = 24
	concurrency = 8
	target      = 4096
	outputCap   = 256
)

// request is one row. Times are milliseconds.
type request struct {
	index, prompt, output              int
	arrival, ttft, generation, e2e     float64
	decode, prefill, interTokenLatency float64
}

type capacityRun struct {
	arm     arm
	repeat  int
	started time.Time
	wall    float64 // ms
	rows    []request
}

func (r *capacityRun) file() string {
	return fmt.Sprintf("capacity-%s-r%d.json", r.arm.short, r.repeat)
}

// simulate runs a closed loop: eight clients, each sends its next request when the last
// one is answered. Prompts are read one after the other, answers run side by side.
func simulate(a arm, repeat int, started time.Time) *capacityRun {
	d := newDraw(a.seed, uint64(repeat))
	r := &capacityRun{arm: a, repeat: repeat, started: started}
	pace := d.around(1, 0.006) // of this repeat
	free := make([]float64, concurrency)
	for i := range free {
		free[i] = float64(i) * 0.4
	}
	var engineFree float64
	for i := range requests {
		next := slices.Index(free, slices.Min(free))
		q := request{index: i, arrival: free[next], prompt: 3604 + d.IntN(5), output: outputCap}
		start := max(q.arrival, engineFree)
		reading := float64(q.prompt) / d.around(a.prefill*pace, 0.012) * 1000
		engineFree = start + reading
		q.ttft = ms(engineFree - q.arrival + d.around(21, 0.08))
		q.generation = ms(float64(q.output-1) / d.around(a.decode*pace, 0.018) * 1000)
		q.e2e = ms(q.ttft + q.generation)
		q.decode = rate(float64(q.output-1) / q.generation * 1000)
		q.interTokenLatency = rate(q.generation / float64(q.output-1))
		q.prefill = rate(float64(q.prompt) / q.ttft * 1000)
		free[next] = q.arrival + q.e2e + d.around(1.6, 0.2)
		r.rows = append(r.rows, q)
	}
	r.wall = ms(slices.Max(free))
	return r
}

func (r *capacityRun) column(of func(request) float64) []float64 {
	out := make([]float64, len(r.rows))
	for i, q := range r.rows {
		out[i] = of(q)
	}
	return out
}

func (r *capacityRun) output() (n int) {
	for _, q := range r.rows {
		n += q.output
	}
	return n
}

// Columns that percentiles are formed of.
var (
	ttft       = func(q request) float64 { return q.ttft }
	e2e        = func(q request) float64 { return q.e2e }
	decodeRate = func(q request) float64 { return q.decode }
	interToken = func(q request) float64 { return q.interTokenLatency }
)

func (r *capacityRun) metrics() object {
	var o object
	pair := func(before, after string, of func(request) float64) {
		values := r.column(of)
		o = append(o, member{before + "p50" + after, nearestRank(values, 50)}, member{before + "p95" + after, nearestRank(values, 95)})
	}
	prompt := func(q request) float64 { return float64(q.prompt) }
	pair("ttft_", "_ms", ttft)
	pair("e2e_", "_ms", e2e)
	pair("generation_", "_ms", func(q request) float64 { return q.generation })
	pair("effective_prefill_tok_s_", "", func(q request) float64 { return q.prefill })
	pair("decode_tok_s_", "", decodeRate)
	pair("mean_inter_token_latency_ms_", "", interToken)
	pair("prompt_tokens_", "", prompt)
	return append(o,
		member{"output_tokens", r.output()}, member{"output_token_sources", object{{"usage", len(r.rows)}}},
		member{"content_chunks", r.output()}, member{"content_chunks_s", nil},
		member{"ttft_samples", len(r.rows)}, member{"prompt_tokens", int(sum(r.column(prompt)))}, member{"prompt_token_samples", len(r.rows)},
		member{"throughput_tok_s", float64(r.output()) / r.wall * 1000}, member{"prefix_cache_hit_avg", 0.0})
}

func (r *capacityRun) document() object {
	rows := make(list, len(r.rows))
	for i, q := range r.rows {
		rows[i] = object{{"request_index", q.index}, {"planned_context_tokens", target}, {"prompt_tokens", q.prompt},
			{"output_tokens", q.output}, {"output_token_source", "usage"}, {"ttft_ms", q.ttft}, {"generation_ms", q.generation},
			{"e2e_ms", q.e2e}, {"effective_prefill_tok_s", q.prefill}, {"decode_tok_s", q.decode},
			{"mean_inter_token_latency_ms", q.interTokenLatency}}
	}
	finished := r.started.Add(time.Duration(r.wall * float64(time.Millisecond)))
	return object{
		{"schema", "anvil-serving.benchmark/v1"}, {"run_id", "benchmark-" + r.started.Format("20060102T150405Z")},
		{"measurement_protocol", "capacity-v3"}, {"started_at", stamp(r.started)}, {"finished_at", stamp(finished)},
		{"wall_clock_ms", r.wall}, {"base_url", baseURL}, {"model", r.arm.name}, {"engine", engine}, {"gpu", card}, {"tier", nil},
		{"manifest", nil}, {"source_recipe", nil}, {"requests", len(r.rows)}, {"completed", len(r.rows)}, {"failed", 0}, {"failures", list{}},
		{"concurrency", concurrency}, {"context_tokens", target}, {"max_context_tokens", served}, {"max_tokens", outputCap},
		{"context_seed", 0}, {"context_distribution", object{{"4096", len(r.rows)}}},
		{"serve_flags", object{{"shared_prefix_burst", false}, {"thinking_mode", "disabled"}, {"no_thinking", true}, {"reasoning_effort", nil}}},
		{"timing_methodology", object{
			{"clock", "monotonic clock of the client"},
			{"ttft", "from sending the request until visible text came"},
			{"generation", "E2E less TTFT, both as the client saw them"},
			{"decode", "completion tokens of usage, less one, over generation"},
			{"effective_prefill", "prompt tokens of usage over TTFT; waiting and the first token are in it"},
			{"mean_inter_token_latency", "generation over the completion tokens of usage, less one; gaps of single tokens were not kept"}}},
		{"metrics", r.metrics()}, {"request_timings", rows},
	}
}
