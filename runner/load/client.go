package load

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"assay/runner/load/wire"
	"assay/store/evidence"
)

// Clock counts from an origin on the monotonic clock.
type Clock struct{ origin time.Time }

// NewClock begins at now, which must carry a monotonic reading (time.Now does).
func NewClock(now time.Time) Clock { return Clock{now} }

// Now is the time since the origin.
func (c Clock) Now() time.Duration { return time.Since(c.origin) }

func (c Clock) at(t time.Time) time.Duration { return t.Sub(c.origin) }

// Origin is the wall clock at 0.
func (c Clock) Origin() time.Time { return c.origin }

func (c Clock) time(at time.Duration) time.Time { return c.origin.Add(at) }

// Client sends requests to one endpoint. It is safe for concurrent use.
type Client struct {
	endpoint  wire.Endpoint
	policy    Policy
	limits    Limits
	run       string
	preambles map[API][]byte

	mu     sync.Mutex
	idle   []*wire.Conn
	closed bool

	exchanges sync.Pool
	count     counters
}

// counters are live figures of a client.
type counters struct {
	dials, open, openMost, stale atomic.Int64
}

// NewClient checks a target. name makes the ids of requests; it should be unique per run.
func NewClient(t Target, name string) (*Client, error) {
	endpoint, err := t.check()
	if err != nil {
		return nil, err
	}
	if !headerSafe(name) || len(name) > 100 {
		return nil, fmt.Errorf("the name %.40q cannot be part of a request id", name)
	}
	c := &Client{endpoint: endpoint, policy: t.Policy, limits: t.Limits.filled(), run: name, preambles: map[API][]byte{}}
	for _, api := range []API{Chat, Completions, Responses} {
		c.preambles[api] = preamble(endpoint, t, api)
	}
	c.exchanges.New = func() any { return newExchange(c) }
	return c, nil
}

// Close closes the idle connections; those in use are closed when their request ends.
func (c *Client) Close() {
	c.mu.Lock()
	idle := c.idle
	c.idle, c.closed = nil, true
	c.mu.Unlock()
	for _, conn := range idle {
		c.discard(conn)
	}
}

// Do sends one request and fills the record, whose Index, Due and Phase the caller has
// set. It never fails: how the request ended is the record's Class.
func (c *Client) Do(ctx context.Context, clock Clock, req *Request, rec *Record) {
	rec.Began = evidence.Some(clock.Now())
	rec.API, rec.ID = req.API, req.ID
	if rec.ID == "" {
		rec.ID = c.run + "-" + strconv.Itoa(rec.Index)
	}
	if _, ok := req.API.path(); !ok || !headerSafe(rec.ID) {
		rec.Class, rec.Cause = BadHTTP, cause(fmt.Sprintf("request %.60q to API %q cannot be sent", rec.ID, req.API))
		rec.Closed = evidence.Some(clock.Now())
		return
	}
	x := c.exchanges.Get().(*exchange)
	defer c.exchanges.Put(x)
	for try := 0; ; try++ {
		conn, ok := c.connection(ctx, clock, rec)
		if !ok {
			return
		}
		x.run(ctx, clock, conn, req, rec)
		c.release(x, conn, rec)
		if !x.stale() || try == c.policy.Retries {
			return
		}
		rec.Attempts = append(rec.Attempts, Attempt{Sent: x.sent, Failed: rec.Closed.V, Class: rec.Class, Cause: rec.Cause})
		rec.Class, rec.Cause, rec.Closed, rec.Wrote = OK, "", Moment{}, Moment{}
	}
}

// connection takes an idle connection that still lives, or opens one.
func (c *Client) connection(ctx context.Context, clock Clock, rec *Record) (*wire.Conn, bool) {
	rec.Reused, rec.Connect = false, evidence.None[time.Duration]()
	for !c.policy.Fresh && len(rec.Attempts) == 0 {
		conn := c.take()
		if conn == nil {
			break
		}
		if conn.Alive() {
			rec.Reused = true
			return conn, true
		}
		c.count.stale.Add(1)
		c.discard(conn)
	}
	start := clock.Now()
	c.count.dials.Add(1)
	conn, err := wire.Dial(ctx, c.endpoint, c.limits.Connect)
	now := clock.Now()
	rec.Connect = evidence.Some(now - start)
	if err != nil {
		rec.Class, rec.Cause, rec.Closed = Connect, cause(err.Error()), evidence.Some(now)
		if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			rec.Class = Cancelled
		}
		return nil, false
	}
	most := c.count.open.Add(1)
	for seen := c.count.openMost.Load(); most > seen && !c.count.openMost.CompareAndSwap(seen, most); {
		seen = c.count.openMost.Load()
	}
	return conn, true
}

func (c *Client) take() *wire.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.idle)
	if n == 0 {
		return nil
	}
	conn := c.idle[n-1]
	c.idle = c.idle[:n-1]
	return conn
}

// release keeps the connection of a response that was read to its end, else closes it.
func (c *Client) release(x *exchange, conn *wire.Conn, rec *Record) {
	if !x.reusable() || c.policy.Fresh {
		if !x.whole && !rec.Class.Delivered() {
			conn.Abort()
		}
		c.discard(conn)
		return
	}
	conn.Uses++
	c.mu.Lock()
	closed := c.closed
	if !closed {
		c.idle = append(c.idle, conn)
	}
	c.mu.Unlock()
	if closed {
		c.discard(conn)
	}
}

func (c *Client) discard(conn *wire.Conn) {
	conn.Close()
	c.count.open.Add(-1)
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
