// Package stat is the arithmetic of repeats: what a handful of runs of the same thing
// may be said to show, and what they may not.
//
// The unit is the repeat, not the request. Requests inside one run share queues, caches
// and the weather of one server start; ten thousand of them are still one observation of
// the arm. So a [Sample] holds one number per repeat, and the tests here count repeats.
//
// The journey of a question "is the arm faster than its control":
//
//  1. [Summarise] gives each side its median and, from six repeats on, a 95 % interval
//     that assumes nothing about the distribution.
//  2. [Compare] gives the ratio of medians with a bootstrap interval, Cliff's delta, and
//     from four repeats a side a Mann-Whitney test.
//  3. [Holm] corrects the p-values of one page, since a page of a hundred rows finds five
//     differences in noise.
//  4. [Effect.Reading] says in a word what is left: unresolved, too small to matter, or a
//     difference.
//
// What is too few is said as a number of further repeats ([Sufficiency]), never papered
// over with a wider claim.
//
// Note: everything here is a function of the values alone. The bootstrap draws its seed
// from the bits of the data, values are sorted before use, and no sum is left for the
// compiler to fuse, so the digits are the same on every machine and in every order of
// arrival.
package stat
