package wire_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/runner/load/wire"
)

func TestHead(t *testing.T) {
	tests := []struct {
		name, in string
		want     wire.Head
		n        int
	}{
		{"not whole", "HTTP/1.1 200 OK\r\nContent-", wire.Head{}, 0},
		{"chunked stream", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: Chunked\r\n\r\nrest", wire.Head{Status: 200, ContentType: "text/event-stream", Chunked: true, Length: -1}, 80},
		{"length, close, any case", "HTTP/1.1 429 Too Many\r\ncontent-LENGTH:  12 \r\nRetry-After: 3\r\nCONNECTION: x, Close\r\n\r\n", wire.Head{Status: 429, RetryAfter: "3", Length: 12, Close: true}, 84},
		{"bare line feeds, no reason", "HTTP/1.1 204\n\n", wire.Head{Status: 204, Length: -1}, 14},
		{"old version closes", "HTTP/1.0 200 OK\r\nServer: llama.cpp\r\n\r\n", wire.Head{Status: 200, Server: "llama.cpp", Length: -1, Close: true}, 38},
		{"old version kept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n", wire.Head{Status: 200, Length: -1}, 43},
		{"informational", "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", wire.Head{Status: 103, Length: -1}, 31},
	}
	for _, tt := range tests {
		var h wire.Head
		n, err := h.Parse([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if n == 0 {
			h = wire.Head{}
		}
		if diff := cmp.Diff(tt.want, h); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
		if n != tt.n && !(tt.n != 0 && n == len(tt.in)-len(strings.SplitAfterN(tt.in, "\r\n\r\n", 2)[1])) {
			t.Errorf("%s: head of %d bytes, want %d", tt.name, n, tt.n)
		}
	}
	for _, bad := range []string{"SSH-2.0-x\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", wire.MaxHead)} {
		var h wire.Head
		if _, err := h.Parse([]byte(bad)); !errors.Is(err, wire.ErrProtocol) {
			t.Errorf("%.60q: error %v", bad, err)
		}
	}
}

// unframe feeds in in pieces of sizes drawn from seed.
func unframe(h *wire.Head, in []byte, seed uint64) (payload []byte, used int, done bool, err error) {
	r := rand.New(rand.NewPCG(seed, 1))
	var b wire.Body
	b.Begin(h)
	for used < len(in) && !b.Done() {
		piece := in[used:min(len(in), used+1+r.IntN(7))]
		for len(piece) > 0 && !b.Done() {
			p, n, err := b.Next(piece)
			payload = append(payload, p...)
			used += n
			if err != nil {
				return payload, used, false, err
			}
			piece = piece[n:]
		}
	}
	return payload, used, b.Done(), nil
}

func TestBody(t *testing.T) {
	chunked := &wire.Head{Status: 200, Chunked: true, Length: -1}
	tests := []struct {
		name     string
		head     *wire.Head
		in, want string
		done     bool
		left     int
		fault    bool
	}{
		{"chunks", chunked, "3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n0\r\n\r\nnext", "abc0123456789", true, 4, false},
		{"upper and lower digits", chunked, "0f\r\n123456789012345\r\n0F \r\n123456789012345\r\n000\r\n\r\n", "123456789012345123456789012345", true, 0, false},
		{"trailers", chunked, "1\r\na\r\n0\r\nX-T: 1\r\nY: 2\r\n\r\nz", "a", true, 1, false},
		{"bare line feeds", chunked, "1\na\n0\n\n", "a", true, 0, false},
		{"cut", chunked, "5\r\nabc", "abc", false, 0, false},
		{"length", &wire.Head{Status: 200, Length: 5}, "abcdefg", "abcde", true, 2, false},
		{"nothing", &wire.Head{Status: 200, Length: 0}, "abc", "", true, 3, false},
		{"no content", &wire.Head{Status: 204, Length: -1}, "abc", "", true, 3, false},
		{"until close", &wire.Head{Status: 200, Length: -1}, "abc", "abc", false, 0, false},
		{"no size", chunked, "\r\nabc", "", false, 5, true},
		{"bad size", chunked, "1g\r\na", "", false, 4, true},
		{"data behind the chunk", chunked, "1\r\nab", "a", false, 1, true},
		{"endless size", chunked, strings.Repeat("f", 40), "", false, 29, true},
		{"endless zeros", chunked, strings.Repeat("0", 20<<10), "", false, 4 << 10, true},
	}
	for _, tt := range tests {
		for seed := range uint64(20) {
			got, used, done, err := unframe(tt.head, []byte(tt.in), seed)
			if string(got) != tt.want || done != tt.done || (err != nil) != tt.fault || len(tt.in)-used != tt.left {
				t.Fatalf("%s: payload %.40q done %v left %d error %v", tt.name, got, done, len(tt.in)-used, err)
			}
		}
	}
}

// FuzzResponse holds head and body against net/http: what both take reads the same.
func FuzzResponse(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"), uint64(1))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"), uint64(2))
	f.Add([]byte("HTTP/1.0 500 X\r\n\r\nabc"), uint64(3))
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		var h wire.Head
		n, err := h.Parse(in)
		if err != nil || n == 0 {
			return
		}
		payload, _, done, err := unframe(&h, in[n:], seed)
		if err != nil || !done && !(h.Length < 0 && !h.Chunked) {
			return
		}
		resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(in)), nil)
		if err != nil || resp.StatusCode < 200 {
			return // it is stricter about names of headers
		}
		want, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != h.Status {
			return
		}
		if chunked := len(resp.TransferEncoding) > 0; chunked == h.Chunked && resp.ContentLength == h.Length && !bytes.Equal(payload, want) {
			t.Fatalf("payload %q, net/http reads %q", payload, want)
		}
	})
}

func TestParseEndpoint(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:8000":     "127.0.0.1:8000|127.0.0.1:8000|",
		"http://gpu1/v1/":           "gpu1:80|gpu1|",
		"https://h.example/api/v1":  "h.example:443|h.example|/api",
		"http://[::1]:8000/a":       "[::1]:8000|[::1]:8000|/a",
		"ftp://x":                   "",
		"127.0.0.1:8000":            "",
		"http://user:pw@h":          "",
		"http://h/?key=1":           "",
		"http://h:80:80":            "",
		"http://exa\nmple.org:8000": "",
	} {
		e, err := wire.ParseEndpoint(in)
		if got := e.Address + "|" + e.Host + "|" + e.Prefix; (err != nil) != (want == "") || err == nil && got != want {
			t.Errorf("%q: %s, %v; want %s", in, got, err, want)
		}
	}
}
