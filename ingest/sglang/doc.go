// Package sglang reads what SGLang's benchmarks write: bench_serving (one JSON line per
// run, always appended), bench_one_batch_server, bench_one_batch and
// bench_offline_throughput.
//
//	serving           backend, dataset_name, random_range_ratio, mean_e2e_latency_ms
//	one-batch-server  run_name, batch_size, last_ttft, overall_throughput
//	one-batch         run_name, batch_size, prefill_latency
//	offline           successful_requests, total_latency, last_gen_throughput
//
// Definitions. Time to first token ends at the first chunk with text that is not empty
// (ttft). The native backend divides the gap between two chunks by the tokens in it
// (itl_token); the OpenAI backends keep chunk gaps (itl_chunk). Percentiles are numpy's
// linear ones. One-batch figures are of the engine's phases: input_throughput divides by
// the last first token, output_throughput excludes the prefill.
//
// Traps. The random_* members are written for every data set and mean something for
// "random" only. A range ratio r draws lengths from r*len to len, where vLLM's draws from
// (1-r)*len to (1+r)*len. accept_length is the server's lifetime average, -1 none. Model,
// number of prompts asked for, seed and forced length are in no older file. Rows of one
// file with equal settings are repeats, not duplicates.
package sglang
