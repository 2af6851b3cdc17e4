package load_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"assay/runner/load"
	"assay/runner/load/script"
)

func steps(s ...script.Step) []script.Step { return s }

var begun = script.Step{Write: role + content("a")}

// faults are answers that end badly, each with the name it must get.
var faults = []truth{
	{name: "reset in the stream", answer: script.Answer{Steps: steps(begun, script.Step{Wait: gap, Act: script.Reset})}, class: load.Reset, cause: "reset"},
	{name: "reset before any answer", answer: script.Answer{Bare: true, Steps: steps(script.Step{Wait: gap, Act: script.Reset})}, class: load.Reset, cause: "reset"},
	{name: "closed before any answer", answer: script.Answer{Bare: true}, class: load.HalfClosed, cause: "without an answer"},
	{name: "half-closed in the stream", answer: script.Answer{Steps: steps(begun, script.Step{Wait: gap, Act: script.HalfClose})}, class: load.HalfClosed},
	{name: "half-closed in the head", answer: script.Answer{Bare: true, Steps: steps(script.Step{Write: "HTTP/1.1 200 O"}, script.Step{Act: script.HalfClose})}, class: load.HalfClosed},
	{name: "closed in front of the last chunk", answer: script.Answer{NoEnd: true, Steps: steps(begun, script.Step{Write: stop})}, class: load.HalfClosed},
	{name: "content length cut", answer: script.Answer{Bare: true, Steps: steps(script.Step{Write: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 5000\r\n\r\n" + role})}, class: load.HalfClosed},
	{name: "stall", answer: script.Answer{Steps: steps(begun, script.Step{Act: script.Hang})}, class: load.Stall, cause: "silent"},
	{name: "no head", answer: script.Answer{Bare: true, Steps: steps(script.Step{Act: script.Hang})}, class: load.Timeout, cause: "first chunk"},
	{name: "head and no chunk", answer: script.Answer{Steps: steps(script.Step{Act: script.Hang})}, class: load.Timeout, cause: "first chunk"},
	{name: "comments are no chunk", answer: script.Answer{Steps: steps(script.Step{Write: ": ping\n\n"}, script.Step{Wait: 60 * ms, Write: ": ping\n\n"}, script.Step{Act: script.Hang})}, class: load.Timeout, cause: "first chunk"},
	{name: "endless", answer: script.Answer{Steps: endless()}, class: load.Timeout, cause: "no end"},
	{name: "429", answer: script.Answer{Status: 429, Type: "application/json", Header: []string{"Retry-After: 7"}, Steps: steps(script.Step{Write: `{"error":{"message":"slow down","code":429}}`})}, class: load.HTTP429, cause: "retry after 7: slow down"},
	{name: "404", answer: script.Answer{Status: 404, Type: "application/json", Length: true, Steps: steps(script.Step{Write: `{"detail":"no such model"}`})}, class: load.HTTP4xx, cause: "no such model"},
	{name: "422 hangs in its body", answer: script.Answer{Status: 422, Steps: steps(script.Step{Write: "half"}, script.Step{Act: script.Hang})}, class: load.HTTP4xx, cause: "half"},
	{name: "503", answer: script.Answer{Status: 503, Type: "text/html", Steps: steps(script.Step{Write: "<html>loading</html>"})}, class: load.HTTP5xx, cause: "loading"},
	{name: "500 reset", answer: script.Answer{Status: 500, Steps: steps(script.Step{Write: "oops"}, script.Step{Wait: gap, Act: script.Reset})}, class: load.HTTP5xx},
	{name: "302", answer: script.Answer{Status: 302, Header: []string{"Location: http://elsewhere/"}}, class: load.HTTPOther, cause: "302"},
	{name: "another protocol", answer: script.Answer{Bare: true, Steps: steps(script.Step{Write: "SSH-2.0-server\r\n"}, script.Step{Act: script.Hang})}, class: load.BadHTTP, cause: "SSH"},
	{name: "no end of informational heads", answer: script.Answer{Bare: true, Steps: steps(script.Step{Write: strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 3000)}, script.Step{Act: script.Hang})}, class: load.BadHTTP, cause: "informational"},
	{name: "chunk size is none", answer: script.Answer{Steps: steps(begun, script.Step{Raw: true, Write: "zz\r\n"}, script.Step{Act: script.Hang})}, class: load.BadHTTP},
	{name: "compressed", answer: script.Answer{Header: []string{"Content-Encoding: gzip"}, Steps: steps(begun)}, class: load.BadHTTP, cause: "gzip"},
	{name: "frame cut off", answer: script.Answer{Steps: steps(begun, script.Step{Write: "data: {\"choices\":[{\"delta\":\n\n"}, script.Step{Act: script.Hang})}, class: load.BadFrame, cause: "event 3"},
	{name: "markup with status 200", answer: script.Answer{Type: "text/html", Steps: steps(script.Step{Write: "<html>\n<body>\n"})}, class: load.BadFrame, cause: "<html>"},
	{name: "answer is not JSON", answer: script.Answer{Type: "application/json", Steps: steps(script.Step{Write: "nope"})}, class: load.BadFrame},
	{name: "bytes", answer: script.Answer{Steps: steps(begun, script.Step{Write: strings.Repeat(": x\n", 30_000)})}, class: load.TooLarge, cause: "bytes"},
	{name: "event", answer: script.Answer{Steps: steps(begun, script.Step{Write: content(strings.Repeat("x", 30_000))})}, class: load.TooLarge, cause: "line"},
	{name: "chunks", answer: script.Answer{Steps: steps(script.Step{Write: strings.Repeat("data: {}\n\n", 101)})}, class: load.TooLarge, cause: "100 chunks"},
	{name: "error in the stream", answer: script.Answer{Steps: steps(begun, script.Step{Write: `data: {"error":{"message":"out of memory","code":500}}` + "\n\n" + done})}, class: load.EngineError, cause: "500: out of memory"},
	{name: "error with control characters", answer: script.Answer{Steps: steps(begun, script.Step{Write: `data: {"error":"\u001b[31mred\nline"}` + "\n\n"})}, class: load.EngineError, cause: " [31mred line"},
	{name: "error field", answer: script.Answer{Steps: steps(begun, script.Step{Write: `error: {"code":400,"message":"bad"}` + "\n\n"})}, class: load.EngineError},
	{name: "error in place of an answer", answer: script.Answer{Type: "application/json", Length: true, Steps: steps(script.Step{Write: `{"error":"model not loaded"}`})}, class: load.EngineError, cause: "not loaded"},
	{name: "response failed", api: load.Responses, answer: script.Answer{Steps: steps(script.Step{Write: `data: {"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"oom"}}}` + "\n\n"})}, class: load.EngineError, cause: "server_error: oom"},
	{name: "truncated", answer: script.Answer{Steps: steps(begun)}, class: load.Truncated},
	{name: "empty stream", answer: script.Answer{}, class: load.Truncated},
	{name: "no usage", answer: script.Answer{Steps: steps(begun, script.Step{Write: stop + done})}, class: load.NoUsage},
	{name: "usage without output tokens", answer: script.Answer{Steps: steps(begun, script.Step{Write: stop + `data: {"choices":[],"usage":{"prompt_tokens":3}}` + "\n\n" + done})}, class: load.NoUsage},
}

func endless() (s []script.Step) {
	for range 200 {
		s = append(s, script.Step{Wait: 10 * ms, Write: content("x")})
	}
	return s
}

var faultLimits = load.Limits{Connect: time.Second, First: 500 * ms, Stall: 400 * ms, Total: 900 * ms, Linger: 50 * ms, Bytes: 100_000, Event: 20_000, Chunks: 100}

func TestFaultsAreNamed(t *testing.T) {
	_, client := play(t, faultLimits, load.Policy{Fresh: true}, faults)
	clock := load.NewClock(time.Now())
	for i, tt := range faults {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := ask(client, clock, tt, i, context.Background())
			if rec.Class != tt.class || !strings.Contains(rec.Cause, tt.cause) {
				t.Errorf("class %q (%s), want %q (%s)", rec.Class, rec.Cause, tt.class, tt.cause)
			}
			if !rec.Closed.OK || rec.Cause == "" {
				t.Errorf("closed %v, cause %q", rec.Closed, rec.Cause)
			}
			if rec.End.OK && !rec.Class.Delivered() && rec.Class != load.Truncated && rec.Status == 200 {
				t.Errorf("a failed request has an end")
			}
		})
	}
}

func TestConnectIsNamed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close() // nobody listens there now
	for scheme, cause := range map[string]string{"http": "refused", "https": "refused"} {
		client, err := load.NewClient(load.Target{Endpoint: scheme + "://" + l.Addr().String()}, "x")
		if err != nil {
			t.Fatal(err)
		}
		rec := ask(client, load.NewClock(time.Now()), truth{}, 0, context.Background())
		if rec.Class != load.Connect || !strings.Contains(rec.Cause, cause) || rec.Sent.OK || !rec.Connect.OK {
			t.Errorf("%s: %q (%s), sent %v", scheme, rec.Class, rec.Cause, rec.Sent)
		}
	}
	server, _ := play(t, faultLimits, load.Policy{}, faults) // speaks no TLS
	client, err := load.NewClient(load.Target{Endpoint: strings.Replace(server.URL(), "http:", "https:", 1), Limits: faultLimits}, "x")
	if err != nil {
		t.Fatal(err)
	}
	if rec := ask(client, load.NewClock(time.Now()), truth{}, 0, context.Background()); rec.Class != load.Connect || !strings.Contains(rec.Cause, "tls") {
		t.Errorf("%q (%s)", rec.Class, rec.Cause)
	}
}

func TestCancelledAtAnyTime(t *testing.T) {
	_, client := play(t, limits, load.Policy{}, faults)
	clock := load.NewClock(time.Now())
	for _, name := range []string{"stall", "no head", "head and no chunk", "endless"} {
		for _, after := range []time.Duration{0, ms, 30 * ms} {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(after, cancel)
			start := time.Now()
			if rec := ask(client, clock, truth{name: name}, 0, ctx); rec.Class != load.Cancelled {
				t.Errorf("%s after %v: %q (%s)", name, after, rec.Class, rec.Cause)
			}
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("%s after %v: it took %v to stop", name, after, took)
			}
		}
	}
}

// TestAnswerBeforeTheRequestIsRead: a server that refuses a long request early is heard.
func TestAnswerBeforeTheRequestIsRead(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		c.Read(make([]byte, 100))
		c.Write([]byte("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nlong"))
		c.(*net.TCPConn).CloseWrite()
		time.Sleep(300 * ms)
		c.Close()
	}()
	client, err := load.NewClient(load.Target{Endpoint: "http://" + l.Addr().String(), Limits: limits}, "x")
	if err != nil {
		t.Fatal(err)
	}
	rec := ask(client, load.NewClock(time.Now()), truth{body: strings.Repeat("x", 20<<20)}, 0, context.Background())
	if rec.Class != load.HTTP4xx && rec.Class != load.Reset { // the kernel may throw the answer away with the connection
		t.Errorf("%q (%s)", rec.Class, rec.Cause)
	}
}

// TestKeptConnectionsThatClose: a server that closes behind every answer, as llama.cpp's
// does at will, costs nothing where connections are not kept, and shows where they are.
func TestKeptConnectionsThatClose(t *testing.T) {
	tests := []struct {
		name     string
		policy   load.Policy
		attempts bool
	}{
		{"fresh", load.Policy{Fresh: true}, false},
		{"kept, sent again", load.Policy{Idempotency: true, Retries: 1}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keys := map[string]int{}
			s, err := script.Listen(func(r script.Received) script.Answer {
				keys[r.Header.Get("Idempotency-Key")]++
				if r.Nth == 1 { // the second request of a connection meets its end
					return script.Answer{Bare: true}
				}
				return script.Answer{Steps: steps(begun, script.Step{Write: stop + usage(1, 1, 0) + done})}
			})
			if err != nil {
				t.Fatal(err)
			}
			client, err := load.NewClient(load.Target{Endpoint: s.URL(), Policy: tt.policy}, "kept")
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			for i := range 10 {
				rec := ask(client, load.NewClock(time.Now()), truth{}, i, context.Background())
				if rec.Class != load.OK {
					t.Errorf("request %d: %q (%s)", i, rec.Class, rec.Cause)
				}
				for _, a := range rec.Attempts {
					if tried++; a.Class != load.HalfClosed || a.Sent != rec.Sent.V || a.Failed < a.Sent {
						t.Errorf("attempt %+v of a request sent at %v", a, rec.Sent)
					}
				}
			}
			client.Close()
			s.Close()
			if (tried > 0) != tt.attempts {
				t.Errorf("%d attempts failed", tried)
			}
			if _, sent := keys[""]; sent == tt.policy.Idempotency {
				t.Errorf("keys %v", keys)
			}
		})
	}
}

func TestIdleConnectionThatClosedIsNotUsed(t *testing.T) {
	s, err := script.Listen(func(r script.Received) script.Answer {
		return script.Answer{Quietly: true, Steps: steps(begun, script.Step{Write: stop + usage(1, 1, 0) + done})}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client, err := load.NewClient(load.Target{Endpoint: s.URL()}, "idle")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for i := range 5 {
		if rec := ask(client, load.NewClock(time.Now()), truth{}, i, context.Background()); rec.Class != load.OK || rec.Reused {
			t.Errorf("request %d: %q (%s), reused %v", i, rec.Class, rec.Cause, rec.Reused)
		}
		time.Sleep(20 * ms)
	}
}
