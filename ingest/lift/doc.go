// Package lift carries members of a JSON value into an [evidence.Document] and
// accounts for every number that it leaves behind. The readers of other tools' result
// files are built on it.
//
// The journey of a value:
//
//  1. A reader makes a [Builder] for a value that it matched and walks it with [Obj], a
//     cursor that knows its pointer.
//  2. [Obj.Fact] records a property. [Run.Figure] lifts a measurement: metric, statistic
//     and unit are the reader's word, the digits and the place are the artifact's. What
//     is no number, not finite or negative becomes a finding and never a value. In a
//     run that completed nothing (see [Run.Void]) a figure becomes an absent one.
//  3. [Obj.Skip] lists numbers that are read and not lifted, with the reason.
//  4. Checks compare what the file says twice: [Run.Ordered] a distribution with
//     itself, [Builder.Agree] a figure with the quotient of two others. A disagreement
//     is a finding with both numbers and their pointers.
//  5. [Builder.Finish] lists every number that nobody touched as unread.
//
// For example {"completed": 40, "mean_ttft_ms": 317.1, "spare": 7} read with
//
//	run.Figure(top.Get("mean_ttft_ms"), evidence.TTFC, evidence.Mean, "ms")
//
// gives 0.3171 s with SourceText "317.1" at /mean_ttft_ms, and 7 at /spare as unread.
//
// Text that is no JSON (a printed table, CSV, YAML) is turned into the same nodes by
// its reader; [Builder.Lines] then makes every place a line: pointer "/lines/N", N from
// 0, and the byte range in that line.
package lift
