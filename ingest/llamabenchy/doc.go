// Package llamabenchy reads llama-benchy results: latency_mode beside benchmarks, each a
// load point with mean, std and values per figure; and its progress events, which repeat
// a run and count nowhere.
//
// Definitions. ttfr ends at any response (ttfc), e2e_ttft at the first token of any kind
// (ttfo). Prompt speed divides by est_ppt, which is ttfr less a latency that the tool
// measured in latency_mode: the boundary is a fact of the run, and two modes never meet.
// The figures of all requests together are phases (prefill_throughput,
// decode_throughput); those per request are effective_prefill_rate and decode_rate. The
// spread is a population's. Rows of is_context_prefill_phase are another workload.
package llamabenchy
