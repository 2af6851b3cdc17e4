package load

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"unicode"

	"assay/runner/load/wire"
)

// Class is how a request ended. The zero Class is a whole answer with its usage.
type Class string

const (
	OK          Class = ""
	Connect     Class = "connect"      // no connection, TLS included
	Reset       Class = "reset"        // the connection was reset
	HalfClosed  Class = "half_closed"  // the server ended the connection before the response's end
	Timeout     Class = "timeout"      // no first chunk, or no end, in its time
	Stall       Class = "stall"        // a stream that had begun fell silent for too long
	HTTP429     Class = "http_429"     //
	HTTP4xx     Class = "http_4xx"     //
	HTTP5xx     Class = "http_5xx"     //
	HTTPOther   Class = "http_other"   // neither success nor an error: a redirect
	BadHTTP     Class = "bad_http"     // not HTTP/1.1
	BadFrame    Class = "bad_frame"    // not an event stream, or an event that is not JSON
	TooLarge    Class = "too_large"    // above a limit of bytes or chunks
	EngineError Class = "engine_error" // an error object in a stream that had begun well
	Truncated   Class = "truncated"    // the response ended in order, the answer in it did not
	NoUsage     Class = "no_usage"     // whole, but nobody says how many tokens
	Cancelled   Class = "cancelled"    // by us
	Dropped     Class = "dropped"      // never sent: too many requests were open
)

// Classes in the order reports list them.
var Classes = []Class{Connect, Reset, HalfClosed, Timeout, Stall, HTTP429, HTTP4xx, HTTP5xx, HTTPOther, BadHTTP, BadFrame, TooLarge,
	EngineError, Truncated, NoUsage, Cancelled, Dropped}

// Delivered says whether the whole answer came. Without usage its times still hold; its
// token figures are absent.
func (c Class) Delivered() bool { return c == OK || c == NoUsage }

func statusClass(status int) Class {
	switch {
	case status >= 200 && status < 300:
		return OK
	case status == 429:
		return HTTP429
	case status >= 400 && status < 500:
		return HTTP4xx
	case status >= 500 && status < 600:
		return HTTP5xx
	}
	return HTTPOther
}

// networkClass names a failed read or write; deadlines are judged by their owner.
func networkClass(err error) Class {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return HalfClosed
	case errors.Is(err, wire.ErrProtocol):
		return BadHTTP
	case errors.Is(err, context.Canceled), errors.Is(err, net.ErrClosed):
		return Cancelled
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Timeout
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED):
		return Reset
	}
	return Reset // TLS alerts and the rarer faults of a socket: the connection is gone
}

const maxCause = 300

// cause is a text of bounded length for a record, on one line: it may come from the server
// and end on somebody's terminal.
func cause(text string) string {
	if len(text) > maxCause {
		text = text[:maxCause]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
