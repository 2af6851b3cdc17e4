package nullserver_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/runner/load/nullserver"
)

// ask speaks to the server with net/http's own parser.
func ask(t *testing.T, c net.Conn, in *bufio.Reader, body []byte) (string, time.Duration) {
	t.Helper()
	start := time.Now()
	fmt.Fprintf(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("status %d, %v", resp.StatusCode, err)
	}
	return string(out), time.Since(start)
}

func TestAnswers(t *testing.T) {
	s, err := nullserver.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for _, tt := range []struct {
		tokens int
		gap    time.Duration
	}{{1, 0}, {17, 0}, {4, 10 * time.Millisecond}, {1, time.Millisecond}, {3, 0}} { // one after the other on one connection
		before := time.Now().UnixNano()
		out, took := ask(t, c, in, nullserver.Body(tt.tokens, tt.gap))
		if n := strings.Count(out, `"content":" token"`); n != tt.tokens {
			t.Errorf("%d tokens, want %d", n, tt.tokens)
		}
		if !strings.Contains(out, fmt.Sprintf(`"completion_tokens":%d}`, tt.tokens)) || !strings.HasSuffix(out, "data: [DONE]\n\n") {
			t.Errorf("the end is %q", out[max(0, len(out)-200):])
		}
		if least := time.Duration(tt.tokens-1) * tt.gap; took < least {
			t.Errorf("%d tokens %v apart took %v", tt.tokens, tt.gap, took)
		}
		last := int64(0)
		for _, part := range strings.Split(out, `"assay_sent_ns":`)[1:] {
			var at int64
			fmt.Sscanf(part, "%d", &at)
			if at < before || at < last || at > time.Now().UnixNano() {
				t.Errorf("stamp %d is not between %d and now", at, max(before, last))
			}
			last = at
		}
	}
}

// TestRequestInPieces: head and body may come in any reads, and two requests in one.
func TestRequestInPieces(t *testing.T) {
	s, err := nullserver.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := append(nullserver.Body(2, 0), bytes.Repeat([]byte{' '}, 5000)...)
	req := fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	both := append(append([]byte(nil), req...), req...)
	go func() {
		for _, piece := range [][]byte{both[:10], both[10:70], both[70:3000], both[3000:]} {
			c.Write(piece)
			time.Sleep(2 * time.Millisecond)
		}
	}()
	in := bufio.NewReader(c)
	for range 2 {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := io.ReadAll(resp.Body); err != nil || strings.Count(string(out), `" token"`) != 2 {
			t.Fatalf("%v: %s", err, out)
		}
	}
}
