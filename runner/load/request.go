package load

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/runner/load/wire"
)

// API is one of the three ways to ask.
type API string

const (
	Chat        API = "chat"
	Completions API = "completions"
	Responses   API = "responses"
)

func (a API) path() (string, bool) {
	switch a {
	case Chat:
		return "/v1/chat/completions", true
	case Completions:
		return "/v1/completions", true
	case Responses:
		return "/v1/responses", true
	}
	return "", false
}

// Request is one request, ready to go: its body is sent as it is.
type Request struct {
	ID       string // X-Request-Id; empty: made from the index
	API      API
	Body     []byte
	KeepText bool // the record gets the answer's text and tool calls
}

// Source gives the requests of a run by index, the same for the same index. It is called
// once for each, shortly before the request is due, by many goroutines at once, and must be
// fast: what a body takes to make is lateness.
type Source interface {
	Request(index int) (Request, error)
}

// Policy is what happens to connections. It is recorded with the run.
type Policy struct {
	// Fresh opens a connection for every request and asks the server to close it.
	Fresh bool
	// Idempotency sends an Idempotency-Key with every request.
	Idempotency bool
	// Retries is how often a request is sent again when a kept connection turns out to be
	// closed before any byte of an answer. It needs Idempotency. Every try is recorded.
	Retries int
}

// Limits bound every size and every time of a request. Zero fields take their defaults.
type Limits struct {
	Connect time.Duration // 10 s
	First   time.Duration // sent to first chunk: 10 min
	Stall   time.Duration // silence in a stream: 2 min
	Total   time.Duration // 1 h
	Linger  time.Duration // [DONE] to the end of the response: 1 s
	Bytes   int64         // of one response: 256 MiB
	Event   int           // of one line or event: 4 MiB
	Chunks  int           // of one response: 1,000,000
	Text    int           // kept of content and of reasoning: 4 MiB each
}

func (l Limits) filled() Limits {
	fill(&l.Connect, 10*time.Second)
	fill(&l.First, 10*time.Minute)
	fill(&l.Stall, 2*time.Minute)
	fill(&l.Total, time.Hour)
	fill(&l.Linger, time.Second)
	fill(&l.Bytes, 256<<20)
	fill(&l.Event, 4<<20)
	fill(&l.Chunks, 1_000_000)
	fill(&l.Text, 4<<20)
	return l
}

func fill[T int | int64 | time.Duration](v *T, standard T) {
	if *v <= 0 {
		*v = standard
	}
}

// Target is an endpoint and how to talk to it.
type Target struct {
	Endpoint string // base URL, with or without /v1
	Key      string // bearer token; never recorded
	Headers  map[string]string
	Roots    *x509.CertPool // whom https trusts; nil: the machine's own list
	Policy   Policy
	Limits   Limits
}

func (t Target) check() (wire.Endpoint, error) {
	e, err := wire.ParseEndpoint(t.Endpoint)
	errs := []error{err}
	if e.TLS != nil {
		e.TLS.RootCAs = t.Roots
	}
	if t.Policy.Retries < 0 || t.Policy.Retries > 3 {
		errs = append(errs, fmt.Errorf("connection policy: %d retries are not within 0 to 3", t.Policy.Retries))
	}
	if t.Policy.Retries > 0 && !t.Policy.Idempotency {
		errs = append(errs, errors.New("connection policy: retries need an Idempotency-Key"))
	}
	for name, value := range t.Headers {
		if !headerSafe(name) || strings.ContainsAny(name, ": ") || !headerSafe(value) || slices.Contains(ours, strings.ToLower(name)) {
			errs = append(errs, fmt.Errorf("header %.40q cannot be sent", name))
		}
	}
	if !headerSafe("x" + t.Key) {
		errs = append(errs, errors.New("the API key holds characters that no header can"))
	}
	return e, errors.Join(errs...)
}

// ours are the headers that the client writes itself.
var ours = []string{"host", "content-length", "transfer-encoding", "connection", "x-request-id", "idempotency-key", "accept-encoding", "authorization"}

func headerSafe(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return false
		}
	}
	return s != ""
}

// preamble is the part of a request's head that is the same for all requests of an API.
func preamble(e wire.Endpoint, t Target, api API) []byte {
	path, _ := api.path()
	var b []byte
	b = fmt.Appendf(b, "POST %s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: assay\r\nAccept: text/event-stream, application/json\r\nContent-Type: application/json\r\n",
		e.Prefix, path, e.Host)
	if t.Key != "" {
		b = fmt.Appendf(b, "Authorization: Bearer %s\r\n", t.Key)
	}
	for _, name := range sorted(t.Headers) {
		b = fmt.Appendf(b, "%s: %s\r\n", name, t.Headers[name])
	}
	if t.Policy.Fresh {
		b = append(b, "Connection: close\r\n"...)
	}
	return b
}

// appendHead completes the head of one request.
func appendHead(dst, preamble []byte, id string, idempotent bool, length int) []byte {
	dst = append(dst, preamble...)
	dst = append(append(dst, "X-Request-Id: "...), id...)
	if idempotent {
		dst = append(append(dst, "\r\nIdempotency-Key: "...), id...)
	}
	dst = append(dst, "\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(length), 10)
	return append(dst, "\r\n\r\n"...)
}
