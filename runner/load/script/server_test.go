package script_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/runner/load/script"
)

func TestPlaysAndNotes(t *testing.T) {
	s, err := script.Listen(func(r script.Received) script.Answer {
		return script.Answer{Header: []string{"X-Seen: " + string(r.Body)}, Steps: []script.Step{
			{Write: "data: a\n\n", Mark: "a"}, {Wait: 20 * time.Millisecond, Write: "data: b\n\n", Mark: "b"}, {Raw: true, Write: "2\r\nok\r\n", Mark: "raw"},
		}}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	start := time.Now()
	for _, id := range []string{"one", "two"} {
		req, err := http.NewRequest("POST", s.URL()+"/x", strings.NewReader("hello"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Request-Id", id)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(body) != "data: a\n\ndata: b\n\nok" || resp.Header.Get("X-Seen") != "hello" {
			t.Errorf("%s: %q %v %v", id, body, resp.Header, err)
		}
		w := s.Truth(id)
		if len(w) != 4 || w[0].Mark != "a" || w[1].Mark != "b" || w[3].Mark != "closed" {
			t.Fatalf("%s: %+v", id, w)
		}
		if w[0].At.Before(start) || w[1].At.Sub(w[0].At) < 20*time.Millisecond || w[0].Done.Before(w[0].At) {
			t.Errorf("%s: written at %+v", id, w)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
