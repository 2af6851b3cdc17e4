// Package document writes what a run of package load left as parts of an artifact.
//
// The journey: the records of a run become rows ([Requests]), its windows the windows of
// the format ([Windows]); the figures ([Figures]) are computed from these two alone, by the
// definitions with which the archive's reader computes them again, so that a summary never
// says what its own rows do not. [Health] and [Calibration] say how far the client itself
// is to be trusted.
//
// Note: the format has no event for a tool call. An answer that is nothing but a tool call
// has chunk times and no first output: no ttft, ttfo or tpot.
package document
