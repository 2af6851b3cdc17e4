package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrProtocol is wrapped by every fault in what the server sent as HTTP.
var ErrProtocol = errors.New("not an HTTP/1.1 response")

// MaxHead bounds the head of a response.
const MaxHead = 64 << 10

// Head is what of a response's head matters.
type Head struct {
	Status      int
	ContentType string
	Server      string
	RetryAfter  string
	Chunked     bool
	Length      int64 // -1: not stated
	Close       bool  // the server closes the connection behind the response
}

// Parse reads one head from the front of b. It returns its length, or 0 when it is not
// whole yet. Informational responses (1xx) are heads like others: the caller goes on.
func (h *Head) Parse(b []byte) (int, error) {
	end, gap := bytes.Index(b, []byte("\r\n\r\n")), 4
	if bare := bytes.Index(b, []byte("\n\n")); bare >= 0 && (end < 0 || bare < end) {
		end, gap = bare, 2
	}
	if end < 0 {
		if len(b) > MaxHead {
			return 0, fmt.Errorf("%w: head above %d bytes", ErrProtocol, MaxHead)
		}
		return 0, plausible(b)
	}
	line, rest := cutLine(b[:end])
	if err := h.statusLine(line); err != nil {
		return 0, err
	}
	for len(rest) > 0 {
		line, rest = cutLine(rest)
		if err := h.field(line); err != nil {
			return 0, err
		}
	}
	if h.Chunked {
		h.Length = -1
	}
	return end + gap, nil
}

// plausible refuses early what cannot become a head.
func plausible(b []byte) error {
	const want = "HTTP/1."
	if n := min(len(b), len(want)); string(b[:n]) != want[:n] {
		return fmt.Errorf("%w: it begins with %.40q", ErrProtocol, b[:min(len(b), 40)])
	}
	return nil
}

func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

func (h *Head) statusLine(line []byte) error {
	*h = Head{Length: -1}
	if err := plausible(line); err != nil {
		return err
	}
	if len(line) < 12 || line[8] != ' ' || len(line) > 12 && line[12] != ' ' {
		return fmt.Errorf("%w: status line %.60q", ErrProtocol, line)
	}
	for _, c := range line[9:12] {
		if c < '0' || c > '9' {
			return fmt.Errorf("%w: status line %.60q", ErrProtocol, line)
		}
		h.Status = h.Status*10 + int(c-'0')
	}
	if h.Status < 100 {
		return fmt.Errorf("%w: status %d", ErrProtocol, h.Status)
	}
	h.Close = line[7] == '0' // HTTP/1.0 closes unless it says otherwise
	return nil
}

func (h *Head) field(line []byte) error {
	name, value, ok := bytes.Cut(line, []byte{':'})
	if !ok || len(name) == 0 {
		return fmt.Errorf("%w: header line %.60q", ErrProtocol, line)
	}
	value = bytes.TrimSpace(value)
	switch {
	case same(name, "content-type"):
		h.ContentType = known(value)
	case same(name, "server"):
		h.Server = string(value[:min(len(value), 100)])
	case same(name, "retry-after"):
		h.RetryAfter = string(value[:min(len(value), 100)])
	case same(name, "connection"):
		for token := range bytes.SplitSeq(value, []byte{','}) {
			token = bytes.TrimSpace(token)
			h.Close = same(token, "close") || h.Close && !same(token, "keep-alive")
		}
	case same(name, "transfer-encoding"):
		if !same(value, "chunked") {
			return fmt.Errorf("%w: transfer encoding %.40q", ErrProtocol, value)
		}
		h.Chunked = true
	case same(name, "content-encoding"):
		if !same(value, "identity") && len(value) > 0 {
			return fmt.Errorf("%w: content encoding %.40q was not asked for", ErrProtocol, value)
		}
	case same(name, "content-length"):
		return h.length(value)
	}
	return nil
}

func (h *Head) length(value []byte) error {
	if len(value) == 0 || len(value) > 15 {
		return fmt.Errorf("%w: content length %.40q", ErrProtocol, value)
	}
	var n int64
	for _, c := range value {
		if c < '0' || c > '9' {
			return fmt.Errorf("%w: content length %.40q", ErrProtocol, value)
		}
		n = n*10 + int64(c-'0')
	}
	if h.Length >= 0 && h.Length != n {
		return fmt.Errorf("%w: two content lengths", ErrProtocol)
	}
	h.Length = n
	return nil
}

// known keeps a common type from being allocated for every response.
func known(value []byte) string {
	for _, k := range []string{"text/event-stream", "text/event-stream; charset=utf-8", "application/json", "application/json; charset=utf-8"} {
		if string(value) == k {
			return k
		}
	}
	return strings.ToLower(string(value[:min(len(value), 200)]))
}

func same(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
