// Package sse cuts a stream of bytes, as it comes off the network, into server-sent events.
//
// [Scanner.Feed] takes the bytes of one read with the time of that read, [Scanner.Next]
// gives the events they complete. An event carries the time at which the last byte of its
// data came, not the time at which somebody looked at it, and its bytes are those of the
// read itself wherever an event lies whole in one read: nothing is copied, nothing
// allocated.
//
// Line ends may be LF, CRLF or CR and may be torn by reads; comments, names and repeated
// data lines are as the WHATWG text has them. Beyond it: an event in front of the end of
// the stream counts even without its empty line, and a line that no event stream can hold
// is a fault with its place.
package sse
