// Package evidence holds the words of the archive as Go types: what an artifact
// says once a reader has understood it. It is the leaf of the module: every other
// package may import it and it imports nothing of ours.
//
// The journey of a number through these types:
//
//  1. An artifact is its bytes, named by a [Digest].
//  2. A reader turns the bytes into a [Document]: document-wide facts, and arms
//     (one configuration under test each) with runs (one arm under one shape, once).
//  3. A run carries facts (its shape) and measurements. A [Measurement] names a
//     definition of the metric registry and a statistic, holds the value in base
//     units, and keeps the digits as they stand in the artifact with the [Place]
//     they stand at.
//  4. Whatever the reader did not lift is listed in Document.NotLifted with the
//     reason, so that nothing is dropped in silence.
//
// For example the member "ttft_p50_ms": 847.7 of a row becomes
//
//	Measurement{Metric: TTFT, Stat: P50, Value: Some(0.8477), Unit: Seconds,
//	    SourceText: "847.7", SourceUnit: "ms",
//	    Place: At("/results/0/short/ttft_p50_ms")}
//
// Note: a value is scaled as a decimal, never as a binary float (see [ScaleDecimal]):
// 847.7 ms is 0.8477 s, not 0.8477000000000001.
package evidence
