package formats

import (
	"errors"
	"math"

	"assay/ingest/artifact"
	"assay/store/evidence"
)

// VLLM writes what vllm bench serve writes with --save-result --save-detailed. Its TTFT is
// the first chunk, even an empty one, its latency ends with the last token, and its
// percentiles lie between values.
func VLLM(r *artifact.Run) ([]byte, error) {
	rows := measured(r)
	from, to, ok := span(rows)
	if !ok {
		return nil, errors.New("no request was measured: the format has no place for that")
	}
	started, err := moment(r, from)
	if err != nil {
		return nil, err
	}
	v := &vllm{ttfts: []float64{}, itls: [][]float64{}, inputs: []int64{}, outputs: []int64{}, faults: []string{}, starts: []float64{}}
	for _, q := range rows {
		v.row(q)
	}
	wall := float64(to-from) / 1e9
	o := map[string]any{
		"date": started.Format("20060102-150405"), "endpoint_type": "openai-" + r.Workload.API, "backend": "openai-" + r.Workload.API, "label": r.Arm,
		"model_id": r.Facts.Get(evidence.KeyServedModel), "tokenizer_id": orNull(r.Facts.Get(evidence.KeyTokenizer)),
		"num_prompts": len(rows), "request_rate": "inf", "burstiness": 1.0, "max_concurrency": r.Workload.Concurrency,
		"duration": wall, "completed": v.completed, "failed": len(rows) - v.completed, "total_input_tokens": v.in, "total_output_tokens": v.out,
		"request_throughput": float64(v.completed) / wall, "output_throughput": float64(v.out) / wall, "total_token_throughput": float64(v.in+v.out) / wall,
		"input_lens": v.inputs, "output_lens": v.outputs, "ttfts": v.ttfts, "itls": v.itls, "start_times": v.starts, "errors": v.faults,
	}
	if r.Workload.Rate != nil {
		o["request_rate"] = *r.Workload.Rate
	}
	for name, values := range map[string][]float64{"ttft": v.ttft, "tpot": v.tpot, "itl": v.itl, "e2el": v.e2el} {
		stats(o, name, values)
	}
	return encode(o)
}

// vllm gathers the rows.
type vllm struct {
	completed             int
	in, out               int64
	ttft, tpot, itl, e2el []float64 // of completed requests, seconds

	ttfts, starts   []float64 // of all
	itls            [][]float64
	inputs, outputs []int64
	faults          []string
}

func (v *vllm) row(q *artifact.Request) {
	first, okFirst := since(q.Sent, q.Chunk)
	last, okLast := since(q.Sent, q.LastToken)
	fault := q.Error
	switch {
	case fault != "" && q.Detail != "":
		fault += ": " + q.Detail
	case fault != "":
	case !okFirst || !okLast:
		fault = "no output came"
	case q.OutputTokens == nil || q.PromptTokens == nil:
		fault = "the engine did not count its tokens"
	}
	v.starts = append(v.starts, float64(value(q.Sent))/1e9)
	v.faults = append(v.faults, fault)
	if fault != "" {
		v.ttfts, v.itls = append(v.ttfts, 0), append(v.itls, []float64{})
		v.inputs, v.outputs = append(v.inputs, value(q.PromptTokens)), append(v.outputs, 0)
		return
	}
	gaps := []float64{}
	before := *q.Chunk
	for _, at := range q.Chunks {
		if at > before || len(gaps) > 0 {
			gaps = append(gaps, float64(at-before)/1e9)
		}
		before = at
	}
	v.completed++
	v.in += *q.PromptTokens
	v.out += *q.OutputTokens
	v.ttfts, v.itls = append(v.ttfts, first), append(v.itls, gaps)
	v.inputs, v.outputs = append(v.inputs, *q.PromptTokens), append(v.outputs, *q.OutputTokens)
	v.ttft, v.itl, v.e2el = append(v.ttft, first), append(v.itl, gaps...), append(v.e2el, last)
	if *q.OutputTokens > 1 {
		v.tpot = append(v.tpot, (last-first)/float64(*q.OutputTokens-1))
	}
}

func value(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// stats are the summary of one metric, in milliseconds; without values there is none.
func stats(o map[string]any, name string, seconds []float64) {
	if len(seconds) == 0 {
		return
	}
	v := sorted(seconds)
	sum := 0.0
	for i := range v {
		v[i] *= 1e3
		sum += v[i]
	}
	mean := sum / float64(len(v))
	squares := 0.0
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	o["mean_"+name+"_ms"], o["median_"+name+"_ms"] = mean, linear(v, 50)
	o["std_"+name+"_ms"], o["p99_"+name+"_ms"] = math.Sqrt(squares/float64(len(v))), linear(v, 99)
}
