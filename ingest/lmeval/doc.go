// Package lmeval reads the results of lm-evaluation-harness: results and versions, with
// or without configs, n-shot and the rest that newer versions write.
//
// Every task, metric and filter is a run of class quality with one pass rate, for they
// answer different questions: which metric counts as passed is a fact of the run. Only
// metrics that are passed / attempted are lifted; perplexities, overlaps and standard
// errors are listed. Scores are no performance.
//
// The items that the harness logs beside the results (samples_*.jsonl) are runs too, one
// for each metric and filter, with every item as a sample: the task's name is in no line.
//
// Traps. A limit evaluates a part of the task and says so only in n-samples; stderr may be
// the word "N/A"; start_time and end_time are clocks without an epoch.
package lmeval
