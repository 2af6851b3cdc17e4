// Package lift is what the readers of single evidence files share: taking a member
// into the archive's words, or saying why it was not taken.
//
// The journey of a document:
//
//  1. [New] opens a document over a JSON value. A reader walks it with [Val], which
//     carries the pointer along with the node.
//  2. [Doc.Lift] turns a member into a measurement in base units, [Doc.Fact] into a
//     fact, [Doc.Int] into a count. Each of them marks the member as taken. What is
//     null, of another type or impossible (a negative latency) becomes a finding and
//     never a number.
//  3. A figure that stands there and means nothing (0.0 of a section that was not run)
//     becomes an absent measurement through [Doc.Absent]: the place and the digits are
//     kept, the value is not, and Rule says why.
//  4. [Doc.Agree] holds a stored summary against what the rows give. Where they differ
//     the measurement is in conflict and a finding names both numbers and both places.
//  5. [Doc.Finish] visits every leaf once more. A number that nothing took is listed
//     with the reason that the reader's [Paths] give for it; a member that the paths do
//     not know is reported, so that a renamed field cannot vanish.
//
// For example the member "ttft_p50_ms": 847.7 under /metrics of a run with 8 requests
// becomes
//
//	Measurement{Metric: TTFT, Stat: P50, Method: NearestRank, Value: Some(0.8477),
//	    Unit: Seconds, N: Some(8), State: Recorded, Role: Primary,
//	    SourceText: "847.7", SourceUnit: "ms", Place: At("/metrics/ttft_p50_ms")}
//
// Note: percentiles are computed here only to check what a file says of itself. None of
// them is stored where the file has no such figure, with one exception that readers
// declare by Rule.
//
// Every step is linear in the size of the value; findings and pointers are bounded.
package lift
