package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"assay/runner/load/frame"
	"assay/runner/load/sse"
	"assay/runner/load/wire"
	"assay/store/evidence"
)

// exchange is one request and its response on one connection. It is used again.
type exchange struct {
	client *Client
	clock  Clock
	conn   *wire.Conn
	rec    *Record
	req    *Request

	out      []byte // request head, and body where it is short
	sent     time.Duration
	started  time.Duration // when the current wait began: sent, or the last byte
	received bool          // any byte of a response
	mode     mode
	rearm    bool // the next deadline is another one
	grace    bool // a deadline has passed: one last look whether something had come in time
	over     bool // no further reading
	whole    bool // the HTTP message was read to its end
	surplus  bool // bytes behind it
	// unanswered: a kept connection broke before any byte of an answer
	unanswered bool

	head    wire.Head
	headBuf []byte
	early   int // informational heads so far
	body    wire.Body
	scanner sse.Scanner
	event   sse.Event
	frame   frame.Frame
	answer  []byte // a body that is not a stream
	counter tokenCounter
}

type mode uint8

const (
	readHead mode = iota
	readStream
	readAnswer // JSON in one piece
	readFault  // the body of an error status
)

func newExchange(c *Client) *exchange {
	return &exchange{client: c, scanner: sse.Scanner{Limit: c.limits.Event}}
}

// mostKept bounds the room for an answer that is kept for the next.
const mostKept = 1 << 20

// longBody is what is sent apart from its head, under a deadline.
const longBody = 16 << 10

func (x *exchange) run(ctx context.Context, clock Clock, conn *wire.Conn, req *Request, rec *Record) {
	x.begin(clock, conn, req, rec)
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if x.send(ctx) {
		for !x.over {
			in, now, late, known, err := conn.Take()
			// When the kernel had the bytes. The two clocks behind it are read some
			// nanoseconds apart: time must not run backwards for that.
			at := max(clock.at(now)-late, x.started)
			if known {
				rec.late(late)
			}
			if len(in) > 0 {
				x.received = true
				if x.inTime(at, known); !x.over {
					x.started = at
					x.take(in, at)
				}
			}
			if x.rearm && !x.over {
				x.arm()
				if ctx.Err() != nil { // its deadline may just have been overwritten
					x.fail(Cancelled, "", at)
				}
			}
			if err != nil && !x.over {
				x.failed(ctx, err, at)
			}
		}
	}
	if !rec.Closed.OK {
		rec.Closed = evidence.Some(clock.Now())
	}
	rec.Comments = x.scanner.Comments
	x.unanswered = rec.Reused && !x.received && (rec.Class == Reset || rec.Class == HalfClosed)
	x.conn, x.rec, x.req = nil, nil, nil
}

func (x *exchange) begin(clock Clock, conn *wire.Conn, req *Request, rec *Record) {
	x.clock, x.conn, x.req, x.rec = clock, conn, req, rec
	x.received, x.over, x.whole, x.surplus, x.mode = false, false, false, false, readHead
	x.rearm, x.grace, x.early = false, false, 0
	x.headBuf, x.answer = x.headBuf[:0], x.answer[:0]
	if cap(x.answer) > mostKept {
		x.answer = nil
	}
	x.scanner.Reset()
	x.counter = tokenCounter{every: true}
	x.out = appendHead(x.out[:0], x.client.preambles[req.API], rec.ID, x.client.policy.Idempotency, len(req.Body))
	if len(req.Body) <= longBody {
		x.out = append(x.out, req.Body...)
	}
}

// send writes the request. A server may answer and close before it has read all: then the
// write fails and the answer is still worth reading.
func (x *exchange) send(ctx context.Context) bool {
	x.sent = x.clock.Now()
	x.started = x.sent
	if !x.rec.Sent.OK {
		x.rec.Sent = evidence.Some(x.sent)
	}
	x.arm()
	if ctx.Err() != nil {
		x.fail(Cancelled, "", x.sent)
		return false
	}
	_, err := x.conn.Write(x.out)
	if err == nil && len(x.req.Body) > longBody {
		x.conn.SetWriteDeadline(x.clock.time(x.sent + min(x.client.limits.First, x.client.limits.Total)))
		_, err = x.conn.Write(x.req.Body)
	}
	now := x.clock.Now()
	if err == nil {
		x.rec.Wrote = evidence.Some(now)
		return true
	}
	if ctx.Err() != nil {
		x.fail(Cancelled, "", now)
		return false
	}
	class := networkClass(err)
	x.rec.Class, x.rec.Cause = class, cause(err.Error()) // until an answer says otherwise
	if class == Timeout {
		x.fail(Timeout, "the server took too long to read the request", now)
		return false
	}
	return true
}

// arm sets the deadline of the next read. It is called seldom: a deadline that fires early,
// because bytes came since, is set again.
func (x *exchange) arm() {
	x.rearm = false
	x.conn.SetReadDeadline(x.clock.time(x.deadline()))
}

func (x *exchange) deadline() time.Duration {
	l := &x.client.limits
	end := x.sent + l.Total
	switch {
	case x.rec.SawDone:
		return min(end, x.rec.End.V+l.Linger)
	case x.rec.FirstChunk.OK || x.mode == readFault:
		return min(end, x.started+l.Stall)
	case x.mode == readAnswer:
		return end
	}
	return min(end, x.sent+l.First)
}

// failed judges a read that brought an error.
func (x *exchange) failed(ctx context.Context, err error, at time.Duration) {
	if errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil {
		switch {
		case at < x.deadline():
			x.arm()
		case !x.grace:
			// The runtime does not look at a socket whose deadline has passed. It was we who
			// were late if there is something in it.
			x.grace = true
			x.conn.SetReadDeadline(time.Now().Add(lastLook))
		default:
			x.late(at)
		}
		if ctx.Err() != nil && !x.over { // it may have come just before the deadline was set
			x.fail(Cancelled, "", at)
		}
		return
	}
	switch {
	case x.rec.SawDone: // the answer is whole, whatever became of the connection
		x.finish(at)
	case ctx.Err() != nil:
		x.fail(Cancelled, "", at)
	case errors.Is(err, io.EOF) && x.mode != readHead && x.body.UntilClose:
		x.finish(at)
	case x.mode == readFault:
		x.finish(at)
	default:
		class := networkClass(err)
		if class == HalfClosed && !x.received {
			x.fail(class, "the server closed the connection without an answer", at)
			return
		}
		x.fail(class, err.Error(), at)
	}
}

const lastLook = 2 * time.Millisecond

// inTime judges bytes that were found behind a deadline by when the kernel had them; where
// it does not say, the doubt is the server's.
func (x *exchange) inTime(at time.Duration, known bool) {
	if !x.grace {
		return
	}
	if x.grace, x.rearm = false, true; known && at > x.deadline() {
		x.late(at)
	}
}

// late names a wait that was too long.
func (x *exchange) late(at time.Duration) {
	l := &x.client.limits
	switch {
	case x.rec.SawDone || x.mode == readFault:
		x.finish(at)
	case at >= x.sent+l.Total:
		x.fail(Timeout, fmt.Sprintf("no end within %v", l.Total), at)
	case !x.rec.FirstChunk.OK:
		x.fail(Timeout, fmt.Sprintf("no first chunk within %v", l.First), at)
	default:
		x.fail(Stall, fmt.Sprintf("silent for %v", l.Stall), at)
	}
}

func (x *exchange) fail(class Class, why string, at time.Duration) {
	x.rec.Class, x.rec.Cause, x.rec.Closed, x.over = class, cause(why), evidence.Some(at), true
}

// stale says whether the request met a kept connection that the server had closed: it
// failed before any byte of an answer.
func (x *exchange) stale() bool { return x.unanswered }

// take reads the bytes of one read.
func (x *exchange) take(in []byte, at time.Duration) {
	if x.mode == readHead {
		var ok bool
		if in, ok = x.takeHead(in, at); !ok {
			return
		}
	}
	for len(in) > 0 && !x.over && !x.body.Done() {
		payload, used, err := x.body.Next(in)
		if err != nil {
			x.fail(BadHTTP, err.Error(), at)
			return
		}
		in = in[used:]
		if len(payload) == 0 {
			continue
		}
		if x.rec.Bytes += int64(len(payload)); x.rec.Bytes > x.client.limits.Bytes {
			x.fail(TooLarge, fmt.Sprintf("response above %d bytes", x.client.limits.Bytes), at)
			return
		}
		x.payload(payload, at)
	}
	if !x.over && x.body.Done() {
		x.whole, x.surplus = true, len(in) > 0
		x.finish(at)
	}
}

// takeHead gathers the head; what is behind it is returned.
func (x *exchange) takeHead(in []byte, at time.Duration) ([]byte, bool) {
	for {
		if len(x.headBuf) > 0 {
			x.headBuf = append(x.headBuf, in...)
			in = x.headBuf
		}
		n, err := x.head.Parse(in)
		if err != nil {
			x.fail(BadHTTP, err.Error(), at)
			return nil, false
		}
		if n == 0 {
			if len(x.headBuf) == 0 {
				x.headBuf = append(x.headBuf, in...)
			}
			return nil, false
		}
		in = in[n:]
		if x.head.Status >= 200 {
			break
		}
		if x.early++; x.early > maxEarly {
			x.fail(BadHTTP, fmt.Sprintf("more than %d informational responses", maxEarly), at)
			return nil, false
		}
		x.headBuf = append([]byte(nil), in...) // a head in front of the head
		in = nil
	}
	x.rec.Headers, x.rec.Status = evidence.Some(at), x.head.Status
	x.rec.Class, x.rec.Cause = OK, "" // of a write that failed: there is an answer
	x.body.Begin(&x.head)
	x.choose()
	return in, true
}

// maxEarly bounds what a server may say in front of its answer.
const maxEarly = 16

// choose decides how the body is read.
func (x *exchange) choose() {
	kind, _, _ := strings.Cut(x.head.ContentType, ";")
	switch kind = strings.TrimSpace(kind); {
	case statusClass(x.head.Status) != OK:
		x.mode, x.rearm = readFault, true
	case kind == "application/json":
		x.mode, x.rearm = readAnswer, true
	default: // some servers forget the type; what is no event stream shows itself
		x.mode = readStream
		x.rec.Streamed = true
	}
}

// maxFault is what is kept of the body of an error.
const maxFault = 4 << 10

func (x *exchange) payload(p []byte, at time.Duration) {
	switch x.mode {
	case readStream:
		x.scanner.Feed(p, at)
		x.events(at)
	case readAnswer:
		x.answer = append(x.answer, p...)
	case readFault:
		x.answer = append(x.answer, p[:min(len(p), max(0, maxFault-len(x.answer)))]...)
	}
}

// events reads what the scanner has.
func (x *exchange) events(at time.Duration) {
	for !x.over && x.scanner.Next(&x.event) {
		x.takeEvent(&x.event)
	}
	if err := x.scanner.Err(); err != nil && !x.over {
		class := BadFrame
		if errors.Is(err, sse.ErrTooLong) {
			class = TooLarge
		}
		x.fail(class, err.Error(), at)
	}
}

// reusable says whether the connection can carry another request.
func (x *exchange) reusable() bool { return x.whole && !x.surplus && !x.head.Close }
