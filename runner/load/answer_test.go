package load

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/runner/load/wire"
)

// feed gives an exchange the bytes of a response in pieces, as reads would bring them.
func feed(in []byte, seed uint64) *Record {
	c, err := NewClient(Target{Endpoint: "http://127.0.0.1:1", Limits: Limits{Bytes: 1 << 16, Event: 1 << 12, Chunks: 100, Text: 1 << 12}}, "fuzz")
	if err != nil {
		panic(err)
	}
	x, rec := newExchange(c), &Record{}
	x.begin(NewClock(time.Now()), &wire.Conn{}, &Request{API: Chat, KeepText: true}, rec)
	r := rand.New(rand.NewPCG(seed, 7))
	room := make([]byte, 0, 64)
	for len(in) > 0 && !x.over {
		n := len(in)
		if seed != 0 {
			n = min(n, 1+r.IntN(40))
		}
		room = append(room[:0], in[:n]...)
		in = in[n:]
		x.take(room, 0)
		clear(room[:cap(room)])
	}
	if !x.over && x.mode != readHead && x.body.UntilClose {
		x.finish(0)
	}
	return rec
}

// starved is a connection of a client that gets to read only when deadlines have passed.
type starved struct {
	net.Conn
	reads []string // "" is a deadline that has passed
}

func (s *starved) Read(p []byte) (int, error) {
	if len(s.reads) == 0 {
		return 0, io.EOF
	}
	next := s.reads[0]
	s.reads = s.reads[1:]
	if next == "" {
		return 0, os.ErrDeadlineExceeded
	}
	return copy(p, next), nil
}

func (s *starved) Write(p []byte) (int, error)      { return len(p), nil }
func (s *starved) SetDeadline(time.Time) error      { return nil }
func (s *starved) SetReadDeadline(time.Time) error  { return nil }
func (s *starved) SetWriteDeadline(time.Time) error { return nil }

// TestAClientThatIsLateBlamesNoServer: what had come in time is read behind its deadline.
func TestAClientThatIsLateBlamesNoServer(t *testing.T) {
	const head, body = "HTTP/1.1 200 OK\r\n\r\n", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\"completion_tokens\":1}}\n\n"
	for _, tt := range []struct {
		name  string
		reads []string
		want  Class
	}{
		{"there behind the deadline", []string{"", head + body, "", body}, OK},
		{"not there", []string{head + body, "", ""}, Stall},
		{"no answer", []string{"", ""}, Timeout},
	} {
		c, err := NewClient(Target{Endpoint: "http://127.0.0.1:1", Limits: Limits{First: 1, Stall: 1, Total: time.Hour}}, "late")
		if err != nil {
			t.Fatal(err)
		}
		rec := &Record{}
		newExchange(c).run(context.Background(), NewClock(time.Now()), wire.NewConn(&starved{reads: tt.reads}), &Request{API: Chat}, rec)
		if rec.Class != tt.want {
			t.Errorf("%s: %q (%s), want %q", tt.name, rec.Class, rec.Cause, tt.want)
		}
	}
}

// FuzzAnswer reads hostile responses: no panic, bounded memory, and the same record however
// the network tears the bytes.
func FuzzAnswer(f *testing.F) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
	f.Add([]byte(head+"\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"\u20ac\"}}],\"usage\":{\"completion_tokens\":1}}\n\ndata: [DONE]\n\n"), uint64(1))
	f.Add([]byte(head+"Transfer-Encoding: chunked\r\n\r\nA\r\ndata: {}\n\n\r\n0\r\n\r\n"), uint64(2))
	f.Add([]byte("HTTP/1.1 429 Slow\r\nContent-Length: 30\r\n\r\n{\"error\":{\"message\":\"no more\"}}"), uint64(3))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"choices\":[{}]}"), uint64(4))
	f.Add([]byte(head+"\r\nerror: {\"message\":\"x\"}\r\r"), uint64(5))
	f.Add([]byte(head+"\r\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":3,\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]},\"token_ids\":[1,2]}]}\n\n"), uint64(6))
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		whole, torn := feed(in, 0), feed(in, seed|1)
		if len(whole.Chunks) > 100 || len(whole.Text) > 1<<12 || len(whole.Cause) > maxCause+3 {
			t.Fatalf("a bound is broken: %d chunks, %d bytes of text, cause of %d", len(whole.Chunks), len(whole.Text), len(whole.Cause))
		}
		// A response that fails is cut where the fault was seen, and where that is depends on the reads.
		if !whole.Class.Delivered() || !torn.Class.Delivered() {
			if whole.Class.Delivered() != torn.Class.Delivered() {
				t.Fatalf("%q (%s) whole, %q (%s) torn", whole.Class, whole.Cause, torn.Class, torn.Cause)
			}
			return
		}
		if diff := cmp.Diff(whole, torn, cmp.AllowUnexported(Chunk{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the record depends on the reads:\n%s", diff)
		}
	})
}

func TestAnswerAllocatesLittle(t *testing.T) {
	c, err := NewClient(Target{Endpoint: "http://127.0.0.1:1"}, "allocs")
	if err != nil {
		t.Fatal(err)
	}
	x, rec := newExchange(c), &Record{}
	req, conn, clock := &Request{API: Chat}, &wire.Conn{}, NewClock(time.Now())
	head := []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
	chunk := []byte("45\r\ndata: {\"choices\":[{\"delta\":{\"content\":\" there\"},\"finish_reason\":null}]}\n\n\r\n")
	chunk[0], chunk[1] = "0123456789abcdef"[(len(chunk)-6)>>4], "0123456789abcdef"[(len(chunk)-6)&15]
	once := func() {
		rec.reset()
		x.begin(clock, conn, req, rec)
		x.take(head, 0)
		for range 200 {
			x.take(chunk, 0)
		}
	}
	once() // makes room
	if len(rec.Chunks) != 200 {
		t.Fatalf("%d chunks, class %q (%s)", len(rec.Chunks), rec.Class, rec.Cause)
	}
	if n := testing.AllocsPerRun(20, once); n > 2 {
		t.Errorf("%v allocations for 200 chunks", n)
	}
}
