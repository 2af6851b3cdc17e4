// Package claims recomputes what documents publish about their own figures: changes,
// ratios, medians of repeats, rounded repetitions, sums and the rates that other figures
// imply. It is pure: a document's rows in, one answer for each published figure out.
//
// The journey of a claim:
//
//  1. The document becomes a [sheet]: every figure with its place, its value and half a
//     unit of its last digit.
//  2. The base is looked for where the reader says that it stands; else among the cells
//     of the same document that carry the same metric and statistic, arms of the same
//     shape first; else, where only a member's name says what a number is, among the
//     cells whose names differ in one part.
//  3. The claim is recomputed and held against the published digits. Within half a unit
//     of the last published digit it holds. If only figures with more digits than the
//     document (or the sentence) prints can give it, it holds only from unrounded inputs.
//     Otherwise it does not hold, or its base is not found: then the nearest candidates
//     are listed with what they would give.
//  4. What follows from the figures and is not published is stated as such.
//
// Nothing is computed across documents, and no answer changes a figure: a claim is
// never an input.
package claims
