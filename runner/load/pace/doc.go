// Package pace says when requests are due. A pacer is a value: its due times are a pure
// function of its fields, so the same seed gives the same arrivals on any machine, and a
// run can be planned, replayed and checked without a clock.
//
// [Arrivals] draws gaps of mean 1 (constant, exponential, gamma) in operational time, the
// expected number of arrivals so far, and maps them to seconds through the inverse of the
// cumulated rate. A ramp changes only that map; the shape of the process stays as it is.
// [Trace] replays recorded times.
package pace
