// Package capacity reads capacity runs under the label anvil-serving.benchmark/v1.
//
// Four generations of one writer share the label; the member measurement_protocol tells
// them apart, and its absence is a generation too:
//
//	                 rows  output counted from   percentiles by   first output is
//	(absent)         no    stream chunks         rounded index    -
//	capacity-v2      no    server usage          nearest rank     -
//	capacity-v3      yes   server usage          nearest rank     TTFT, or TTFO (see below)
//	capacity-v4-...  yes   server usage          nearest rank     TTFO
//
// The label is chosen after the run: the writer of the fourth generation says capacity-v3
// when no result held a reasoning chunk. The boundary at which generation, decode and
// effective prefill start is therefore read from the methodology and from the fields that
// are there, never from the label; what the label hides becomes a finding.
//
// The journey of a file:
//
//  1. Match looks at the label, then at the generation and its fields. A protocol that is
//     not known, or a document without metrics, is no shape of ours.
//  2. Identity becomes facts of the one arm, workload shape and outcome facts of its run.
//  3. Rows become samples; each is held against its own members (generation is E2E minus
//     first output, and so on).
//  4. Every stored summary becomes a measurement under the definition of its generation,
//     and is computed again from the rows. Without rows the file says so, and the rate is
//     held against the latencies that are there.
//  5. Zero completions have no rate: the 0.0 that stands there becomes an absent figure.
package capacity
