// Package vllm reads what vLLM's benchmarks write: bench serve (and the benchmark_serving
// lineage it comes from, with its forks), bench latency and bench throughput.
//
// None of these files has a label, so members decide:
//
//	serve             model_id and latency members in milliseconds: median_ttft_ms
//	serve-seconds     the same in a fork that writes seconds: median_ttft
//	serve-pooling     total_input_sequences: embeddings, only end-to-end latency
//	serve-list        a list of serve results: the summary of a sweep
//	sweep-table       the same as CSV
//	latency           avg_latency, latencies, percentiles and nothing else of a server
//	throughput        elapsed_time, num_requests, total_num_tokens and two rates
//	pytorch-sidecar   the same run again in another form: read and counted nowhere
//
// Definitions. Time to first token ends at the first chunk with choices, even an empty
// one (ttfc); TPOT is (latency - ttft) / (tokens - 1) of requests with more than one
// token; ITL is a gap between chunks, several tokens each under speculation
// (itl_chunk). Percentiles are numpy's linear ones. The window of every rate is first
// send to last response, ramp and drain included.
//
// Traps that this reader knows: a run in which nothing completed writes zeros
// everywhere, and its figures are absent here; "request_goodput:" has a colon in its
// name in many files; max_concurrency null means no limit; --save-detailed puts raw
// rows before the summary, and the summary is recomputed from them; peak tokens per
// second counts chunks and can lie below the mean. A sweep's warm-up has run number -1
// and is no run; its failures hold no result. Raw rows of a thousand long requests are
// more than a tree holds: the summary behind them is read from a sketch.
package vllm
