// Package inferenceperf reads the lifecycle reports of inference-perf, as JSON and as
// YAML: load_summary, successes and failures.
//
//	stage   one load point: load_summary has requested_rate
//	pooled  the summary of all stages, of different rates: no load point
//	requests  single requests of every stage, from which the run is computed
//
// Definitions. Everything is in seconds. Time to first token ends at the first chunk with
// text, reasoning counts (ttfo). time_per_output_token is (last - first) / (n - 1) (tpot);
// normalized_time_per_output_token is e2e / n (e2e_per_token). inter_token_latency gives
// tokens of one chunk a gap of zero (itl_token): in versions that also stamp empty lines
// its median lies near zero whatever the server does. Percentiles are numpy's linear ones.
// Rates are over the time from first start to last end, failed requests included.
package inferenceperf
