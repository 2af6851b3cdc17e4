// Package aiperf reads what NVIDIA AIPerf and its predecessor genai-perf write.
//
//	export      aiperf_version and metric blocks {"unit", "avg", "p99", ...}
//	genai-perf  the same blocks beside input_config, without a version
//	record      one line of profile_export.jsonl: {"metadata", "metrics": {tag: {"value", "unit"}}}
//	timeslices, aggregate  the run again, cut into slices or averaged over runs: not counted
//	csv, console  the tables that the tool prints; figures have two decimals
//
// A file of records is one run: [Reader.Series] takes its lines one by one, keeps every
// request as a sample and computes the run's figures from the profiled ones. Warm-up rows,
// cancelled and failed rows are samples that are marked and count in nothing.
//
// Definitions. The unit of a block is its own word and decides. time_to_first_token ends
// at the first output, reasoning or content (ttfo); time_to_first_output_token at the
// first content (ttft). inter_token_latency is (latency - first token) / (tokens - 1) per
// request: vLLM's TPOT (tpot). inter_chunk_latency is a gap between chunks (itl_chunk).
// output_token_throughput_per_user is 1 / inter_token_latency (decode_rate): its high
// percentiles are the fast requests. Percentiles are numpy's linear ones.
//
// Trap: rates may rest on another window than benchmark_duration; the reader reports
// both and recomputes neither.
package aiperf
