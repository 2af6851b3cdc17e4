// Package trtllm reads trtllm-bench --report_json: engine, world_info, request_info and
// performance, with streaming_metrics and decoding_stats where they were asked for.
//
// Definitions. Time to first token ends at the first token event (ttfo); TPOT is
// (end - first) / (n - 1) per request, requests of one token count as 0 in it, which other
// tools leave out; token_output_speed is the mean rate per user. output_throughput_per_gpu
// counts output tokens only. Percentiles are sorted[floor(n * q)] (floor-index).
//
// Trap: issue_rate is off by a factor of 1e9 or more and is never lifted.
package trtllm
