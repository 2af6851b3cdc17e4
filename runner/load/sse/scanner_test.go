package sse_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/runner/load/sse"
)

type event struct {
	Name, Data string
	At         time.Duration
}

// scan feeds the pieces at 1, 2, 3... and gathers the events.
func scan(s *sse.Scanner, pieces ...string) ([]event, error) {
	var out []event
	var e sse.Event
	room := make([]byte, 0, 64)
	drain := func() {
		for s.Next(&e) {
			out = append(out, event{string(e.Name), string(e.Data), e.At})
		}
	}
	for i, p := range pieces {
		room = append(room[:0], p...) // the reader's buffer is used again, as in real life
		s.Feed(room, time.Duration(i+1))
		drain()
		clear(room)
	}
	s.Feed(nil, time.Duration(len(pieces)+1))
	s.Close()
	drain()
	return out, s.Err()
}

func TestScan(t *testing.T) {
	tests := []struct {
		name   string
		pieces []string
		want   []event
	}{
		{"two events in one read", []string{"data: a\n\ndata: b\n\n"}, []event{{"", "a", 1}, {"", "b", 1}}},
		{"crlf", []string{"data: a\r\n\r\ndata: b\r\n\r\n"}, []event{{"", "a", 1}, {"", "b", 1}}},
		{"cr alone", []string{"data: a\r\rdata: b\r\r"}, []event{{"", "a", 1}, {"", "b", 1}}},
		{"crlf torn between its bytes", []string{"data: a\r", "\n\r", "\ndata: b\r\n\r\n"}, []event{{"", "a", 1}, {"", "b", 3}}},
		{"line torn", []string{"da", "ta: \xe2\x82", "\xac\n", "\n"}, []event{{"", "€", 3}}},
		{"time of the data, not of the empty line", []string{"data: a\n", "\n"}, []event{{"", "a", 1}}},
		{"data held over two reads", []string{"data: abc\n", ": ping\n", "data: def", "\n\n"}, []event{{"", "abc\ndef", 4}}},
		{"torn data, then more data, then a torn line", []string{"data: ab", "c\ndata: d\nev", "ent: x\n\n"}, []event{{"x", "abc\nd", 2}}},
		{"no space, empty data, field alone", []string{"data:a\n\ndata:\n\ndata\n\n"}, []event{{"", "a", 1}, {"", "", 1}, {"", "", 1}}},
		{"names belong to their event", []string{"event: x\ndata: 1\n\ndata: 2\n\n"}, []event{{"x", "1", 1}, {"", "2", 1}}},
		{"a name without data is dropped", []string{"event: x\n\ndata: 2\n\n"}, []event{{"", "2", 1}}},
		{"byte order mark", []string{"\xef\xbb", "\xbfdata: a\n\n"}, []event{{"", "a", 2}}},
		{"end without the empty line", []string{"data: a\n\ndata: [DONE]"}, []event{{"", "a", 1}, {"", "[DONE]", 2}}},
		{"end of a torn line", []string{"data: x\nda", "ta: y"}, []event{{"", "x\ny", 3}}},
		{"comments and unknown fields", []string{": a\n:\nid: 4\nretry: 1\nfuture-field: z\ndata: a\n\n"}, []event{{"", "a", 1}}},
		{"error field", []string{"error: {}\n\n"}, []event{{"error", "{}", 1}}},
		{"nothing", []string{"\n\n\r\n"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := scan(new(sse.Scanner), tt.pieces...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("events differ:\n%s", diff)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		name   string
		pieces []string
		want   error
		at     string
	}{
		{"long line", []string{"data: " + long + "\n\n"}, sse.ErrTooLong, "line 1"},
		{"long line in pieces", []string{"data: a\n\ndata: ", long[:50], long[:50]}, sse.ErrTooLong, "line 3"},
		{"long event", []string{"data: " + long[:40] + "\ndata: " + long[:40] + "\n\n"}, sse.ErrTooLong, "line 3"},
		{"garbage", []string{"data: a\n\n{\"error\":\"no\"}\n"}, sse.ErrGarbage, "line 3"},
		{"markup", []string{"<html>\n"}, sse.ErrGarbage, "line 1"},
		{"binary at the end", []string{"\x00\x01"}, sse.ErrGarbage, "line 1"},
	}
	for _, tt := range tests {
		_, err := scan(&sse.Scanner{Limit: 64}, tt.pieces...)
		if !errors.Is(err, tt.want) || tt.want == sse.ErrGarbage && !strings.Contains(err.Error(), tt.at) {
			t.Errorf("%s: error %v, want %v at %s", tt.name, err, tt.want, tt.at)
		}
	}
}

func TestResetForgetsTheStream(t *testing.T) {
	s := new(sse.Scanner)
	scan(s, "event: x\ndata: half", "\nda")
	s.Reset()
	got, err := scan(s, "data: new\n\n")
	if diff := cmp.Diff([]event{{"", "new", 1}}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	s, e := new(sse.Scanner), sse.Event{}
	p := bytes.Repeat([]byte("data: {\"a\":1}\n\n"), 20)
	if n := testing.AllocsPerRun(100, func() {
		s.Feed(p, 0)
		for s.Next(&e) {
		}
	}); n != 0 {
		t.Errorf("%v allocations for 20 events", n)
	}
}

// FuzzScan holds any cut of a stream against the stream in one piece: the same events, the
// same fault, whatever the reads look like.
func FuzzScan(f *testing.F) {
	f.Add("data: a\r\n\r\ndata: b\n\n: c\nevent: n\ndata: c\rdata: d\r\r", uint64(1))
	f.Add("\xef\xbb\xbfdata: {\"x\":\"\xe2\x82\xac\"}\n\ndata: [DONE]", uint64(2))
	f.Add("error: x\n\n{\n", uint64(3))
	f.Fuzz(func(t *testing.T, stream string, seed uint64) {
		whole, wantErr := scan(&sse.Scanner{Limit: 4096}, stream)
		r := rand.New(rand.NewPCG(seed, 0))
		var pieces []string
		for rest := stream; rest != ""; {
			n := min(len(rest), 1+r.IntN(9))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		got, err := scan(&sse.Scanner{Limit: 4096}, pieces...)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("error %v in pieces, %v whole", err, wantErr)
		}
		for i := range got {
			got[i].At = 0
		}
		for i := range whole {
			whole[i].At = 0
		}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Fatalf("pieces differ from the whole:\n%s", diff)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	s, e := new(sse.Scanner), sse.Event{}
	p := []byte("data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" there\"},\"finish_reason\":null}]}\n\n")
	b.SetBytes(int64(len(p)))
	b.ReportAllocs()
	for b.Loop() {
		s.Feed(p, 0)
		for s.Next(&e) {
		}
	}
}
