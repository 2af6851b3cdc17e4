// Package anvil reads the summary documents of anvil-serving campaigns.
//
// Two labels are served, one of them with two shapes. A label does not fix a shape: a
// reader looks at both and refuses a document that has the label and none of its
// shapes, saying why.
//
//	anvil/decision-summary           table      headline rows, screens, gates, decision
//	                                 narrative  the figures stand in sentences
//	anvil/tp-mtp-context-matrix      rows       one row is one arm, short and long
//
// The journey of a document:
//
//  1. [Reader.Match] takes label and shape. Labels are compared byte for byte; labels
//     that differ in one separator mean different things.
//  2. Identity, hardware and workload blocks become facts of the document. A sentence
//     is given to package prose; what it cannot place stays unknown and is reported.
//  3. Rows, statistics sentences or cells become arms with runs. A figure that is a
//     value of its own is recorded; a figure inside a sentence is derived, and its
//     place is the byte range of its digits.
//  4. A statement such as "10 requests, concurrency 1" gives its facts to every run
//     under it. What a row says of itself wins over what a statement says of all rows.
//  5. Sentences about results become claims and restated figures on the runs that they
//     speak of. A run has at most one primary figure of a metric and statistic.
//     A fraction in a gate goes to the arm that its own clause names; what is nobody's
//     beyond doubt, denied, or no exact figure, is reported and not taken.
//  6. The closing pass lists every number that nothing above carries, with the reason.
//     [Unaccounted] proves from the outside that none is missing.
//
// For example the cell "short": {"decode_tok_s_p50": 31.4} of row 0 becomes
//
//	Measurement{Metric: DecodeRate, Stat: P50, Value: Some(31.4), Unit: TokensPerSecond,
//	    N: Some(10), State: Recorded, Role: Primary, SourceText: "31.4",
//	    SourceUnit: "tok/s", Place: At("/results/0/short/decode_tok_s_p50")}
//
// where 10 is a fact of the run, derived from the protocol sentence.
package anvil
