// Package paired reads documents that set two arms of one experiment against each other:
// repeated capacity runs with and without speculation, a kernel tune against the default, a
// template against the stock one, two profiles head to head.
//
// The journey of a pair:
//
//  1. [Reader.Match] takes a label byte for byte and one of its shapes, and finds the arms:
//     the blocks that the shape names, or those called baseline, candidate, stock and so on.
//  2. What the document says of both (a protocol block, a sentence about the method, what it
//     declares matched) becomes facts of every run under it. They share one place, so that a
//     comparison sees that both arms stand under one statement.
//  3. Each arm gets a run per load. Repeats are runs of their own, the published median or
//     mean of them is one more, and how it was brought together is a fact of it.
//  4. Published changes become claims on the run they speak of, with the places of the
//     control's and of the subject's figure.
//  5. The rest is swept (package sweep): identity, gates, decisions, references, notes.
//
// For example "mtp_on": {"runs_tok_s": [80.5, 81.5], "mean_tok_s": 81.0} becomes two runs of
// one observation each and a run with
//
//	Measurement{Metric: OutputThroughput, Stat: Mean, Value: Some(81.0), N: Some(2)}
//
// Rules of claims: "change(METRIC STAT)" is subject / control - 1, "ratio(METRIC STAT)" is
// subject / control, "reduction(METRIC STAT)" is 1 - subject / control, for what sources call
// an improvement of a latency. The value is the published figure in either case.
package paired
