package wire

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
)

// Endpoint is where requests go.
type Endpoint struct {
	Address string // host:port to dial
	Host    string // as the Host header has it
	Prefix  string // path in front of /v1
	TLS     *tls.Config
}

// ParseEndpoint reads a base URL. A path of /v1 at its end is taken off: requests bring
// their own.
func ParseEndpoint(base string) (Endpoint, error) {
	u, err := url.Parse(base)
	if err != nil {
		return Endpoint{}, fmt.Errorf("endpoint %q: %w", base, err)
	}
	if u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Endpoint{}, fmt.Errorf("endpoint %q: want http://HOST:PORT, without user, query or fragment", base)
	}
	e := Endpoint{Address: u.Host, Host: u.Host, Prefix: strings.TrimSuffix(strings.TrimSuffix(u.EscapedPath(), "/"), "/v1")}
	port := "80"
	switch u.Scheme {
	case "http":
	case "https":
		port = "443"
		e.TLS = &tls.Config{ServerName: u.Hostname(), NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}
	default:
		return Endpoint{}, fmt.Errorf("endpoint %q: scheme is neither http nor https", base)
	}
	if u.Port() == "" {
		e.Address = net.JoinHostPort(u.Hostname(), port)
	}
	return e, nil
}

// Conn is one connection to the endpoint. It serves one request at a time.
type Conn struct {
	net.Conn
	raw  net.Conn // below TLS
	room []byte
	Uses int // responses that were read to their end
}

const (
	firstRoom = 2 << 10
	mostRoom  = 64 << 10
)

// NewConn makes a connection of any other.
func NewConn(c net.Conn) *Conn { return &Conn{Conn: c, raw: c, room: make([]byte, firstRoom)} }

// Dial connects, within timeout.
func Dial(ctx context.Context, e Endpoint, timeout time.Duration) (*Conn, error) {
	d := net.Dialer{Timeout: timeout, KeepAlive: -1, FallbackDelay: -1}
	raw, err := d.DialContext(ctx, "tcp", e.Address)
	if err != nil {
		return nil, err
	}
	raw = stamp(raw)
	c := NewConn(raw)
	if e.TLS == nil {
		return c, nil
	}
	t := tls.Client(raw, e.TLS)
	shake, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := t.HandshakeContext(shake); err != nil {
		raw.Close()
		return nil, fmt.Errorf("tls: %w", err)
	}
	c.Conn = t
	return c, nil
}

// Take reads once. The bytes are valid until the next Take; a connection that fills its
// room gets more of it. now is the time at which the read returned, late how much earlier
// the kernel had the bytes: the time they came is now - late. Where the kernel does not say
// (not on Linux, a wall clock that was set just now) known is false.
//
// The kernel stamps with the wall clock; only the difference to the wall clock of now is
// used, so a clock that is set during a run moves nothing.
func (c *Conn) Take() (got []byte, now time.Time, late time.Duration, known bool, err error) {
	n, err := c.Conn.Read(c.room)
	now = time.Now()
	got = c.room[:n]
	if n == len(c.room) && n < mostRoom {
		c.room = make([]byte, min(4*n, mostRoom))
	}
	if at := arrived(c.raw); n > 0 && at != 0 {
		late = time.Duration(now.UnixNano() - at)
		if known = late >= 0 && late < maxLate; !known {
			late = 0
		}
	}
	return got, now, late, known, err
}

// maxLate is the latest that a read is believed to be; beyond it the clock was set.
const maxLate = 10 * time.Second

// Abort closes at once and leaves no trace in the table of sockets.
func (c *Conn) Abort() {
	if t, ok := c.raw.(interface{ SetLinger(int) error }); ok {
		t.SetLinger(0)
	}
	c.raw.Close()
}
