// Package guidellm reads GuideLLM reports from 0.2 to the current format. One report
// holds many load points (a sweep has ten): each becomes a run.
//
//	v0.3    items have args, run_stats and worker
//	v0.4    args stands beside benchmarks; items have config
//	v0.5    metadata.version 1 as well
//	v0.7    metadata.version 2, config instead of args
//
// A report of 0.1 lists single results without distributions, and the CSV and HTML of a
// report repeat its JSON: these are known and archived with the reason.
//
// Definitions. Time to first token ends at the first token of any kind (ttfo); since 0.7
// time_to_first_output_token_ms ends at the first that is no reasoning (ttft).
// time_per_output_token_ms was (last - first) / n up to 0.3 (tpot_all_tokens) and is
// (last - start) / n since, so it counts the first token in (tpot_incl): no file says so.
// inter_token_latency_ms is a mean per request, weighted by tokens (tpot_weighted), and no
// gap. Percentiles are nearest ranks of the weighted distribution; p001 is the 0.1th.
// Rates are distributions over time: their mean is the rate, their percentiles are of
// moments and are not lifted.
//
// Traps: a status without requests is written as zeros with count 0; up to 0.6 "rate"
// means streams for a concurrent profile; the count of a weighted distribution is
// tokens; metrics cover the measured window only, the request list covers more; the
// total token rate of 0.3 counts prompts in bursts and is no throughput.
package guidellm
