// Package mlperf reads the summary that MLPerf loadgen writes: a banner with "MLPerf
// Results Summary", lines "key : value", and the parts "Additional Stats" and "Test
// Parameters Used". Times are whole nanoseconds. The detail log, lines ":::MLLOG {json}", is read as
// well: its keys result_* are the same figures with all their digits.
//
// Definitions. Latencies start when a sample was due, queues included (e2e_from_due,
// ttfo_from_due), and never meet latencies from the send. Time per output token is
// (latency - first token) / (n - 1) (tpot). Percentiles are sorted[floor(n * q)]. The rate
// of the server scenario is (n - 1) / time of the last completion.
//
// A result that the tool calls INVALID keeps its figures and is a failed gate. Estimates
// of early stopping are no percentiles.
package mlperf
