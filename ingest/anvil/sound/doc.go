// Package sound holds the figures of a summary against each other where no raw rows are
// left to recompute them from. A swapped unit, a misplaced decimal point or a figure of
// another run breaks a relation that holds for every real run; which figure is the wrong
// one nobody can say, so each broken relation is a finding with both figures and places,
// and a figure that breaks several is taken out of comparisons.
//
// The relations:
//
//   - within a metric: a mean is no less than half the median, and no multiple of the
//     99th percentile; percentiles do not jump a hundredfold;
//   - between metrics of a run: the first output comes before the end; decode rate and time
//     per token are reciprocal; prefill rate times first output is the prompt; the tokens
//     that the times imply fit the output cap; the aggregate rate is what the requests at
//     once can give;
//   - between runs of one document under one shape: no figure is a hundred times the
//     median of its kind;
//   - a published change is the change of the figures that it names.
//
// All bounds are wide: they are broken by factors, not by noise.
package sound
