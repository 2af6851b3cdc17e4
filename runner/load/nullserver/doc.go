// Package nullserver is a server that costs next to nothing, to find out what a load
// generator can do: the other half of a calibration.
//
// It answers any POST with a stream of chat completion chunks. The body says how:
// max_tokens chunks with a token each, assay_gap_us microseconds apart; without a gap the
// whole answer is one write. Every chunk carries the time just before it was written, so
// that the receiver can say how late its own clock was. One goroutine writes for all
// streams, off a wheel of time slots: streams are spread evenly over their gap, as an
// engine with many requests in different places would.
package nullserver
