package prompt

import (
	"testing"
	"time"

	"assay/runner/enginetest"
	"assay/runner/load"
	"assay/runner/workload"
)

// A real engine counts what was aimed at, by a tokeniser that is nothing like those that
// the words were chosen for: it has a token for one letter or two.
func TestEngine(t *testing.T) {
	server := enginetest.Start(t, enginetest.Options{Context: 4096})
	client, err := load.NewClient(load.Target{Endpoint: server.URL, Policy: load.Policy{Idempotency: true, Retries: 1}}, "prompt-test")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, kind := range []workload.Kind{workload.Prose, workload.Code} {
		w := work(kind, 256, 1024)
		w.Prompt.Tolerance = 0.05 // at 256 such tokens a prompt is two sentences: chance has its say
		w.Output.Cap = 8
		m, err := New(w, enginetest.ModelName)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range w.Steps {
			c, err := m.Calibrate(t.Context(), client, step, func(int, int) {})
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.Set(step, 0, 4)
			if err != nil {
				t.Fatal(err)
			}
			var tokens []int64
			for i := range 6 {
				req, err := s.Request(i)
				if err != nil {
					t.Fatal(err)
				}
				r := &load.Record{Index: i}
				client.Do(t.Context(), load.NewClock(time.Now()), &req, r)
				if r.Class != load.OK || r.Usage.Output.V != 8 {
					t.Fatalf("request %d: %s %s, %v tokens of answer", i, r.Class, r.Cause, r.Usage.Output)
				}
				tokens = append(tokens, r.Usage.Prompt.V)
				if d := r.Usage.Prompt.V - step.Target; d > c.Tolerance || -d > c.Tolerance {
					t.Errorf("%s, request %d: %d tokens, %d give or take %d were aimed at", kind, i, r.Usage.Prompt.V, step.Target, c.Tolerance)
				}
			}
			t.Logf("%s %d: counted %v; %d requests to calibrate, %.2f characters a token, %.1f around", kind, step.Target, tokens, c.Requests, c.PerToken, c.Base)
		}
	}
}
