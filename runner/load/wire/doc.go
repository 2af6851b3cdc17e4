// Package wire speaks the client's half of HTTP/1.1, as little of it as a measurement
// needs, so that the time of every byte is known.
//
// [Dial] opens a [Conn]; [Conn.Read] is one read of the socket; [Head.Parse] reads a
// response's head from bytes, [Body.Next] takes the framing (chunked, length, until close)
// off bytes. The last two touch no clock and no socket: they are pure, and fuzzed.
//
// Note: net/http is not used because its transport reads in a goroutine of its own and
// hands bodies on through buffers and a decoder that waits for whole pieces of a chunk: the
// time at which bytes came is lost, and so is the difference between a stream that ended
// and a connection that did. Redirects, compression, cookies and proxies are refused or
// absent on purpose: none of them belongs between a load generator and an engine.
package wire
