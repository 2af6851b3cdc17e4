// Package console reads the table that vLLM's and SGLang's serving benchmarks print:
//
//	============ Serving Benchmark Result ============
//	Successful requests:                     32
//	...
//	==================================================
//
// Often it is all that is left of a run. Every block of a log is a run; lines before it
// that say what was asked for (model, rate, concurrency) belong to the next block. Figures
// are rounded to two decimals, and their definitions are those of the tool that printed
// them: a line "Backend:" is SGLang's. Percentiles are numpy's linear ones.
//
// A table whose last line is missing was cut off while it was printed: what stands there
// is read, with a finding.
package console
