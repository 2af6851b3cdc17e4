package prompt

import (
	"context"
	"strings"
	"testing"

	"assay/runner/load"
	"assay/runner/workload"
)

func TestCalibrate(t *testing.T) {
	rules := map[string]func(string, int) int64{"characters": byCharacters, "noise": noisy, "bytes": byBytes, "words": byWords}
	for name, rule := range rules {
		for _, kind := range []workload.Kind{workload.Prose, workload.Code, workload.Mixed} {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				e := &endpoint{tokens: rule}
				client := e.client(t)
				w := work(kind, 1024, 4096, 20000)
				m := maker(t, w)
				for _, step := range w.Steps {
					before := len(e.all())
					calls, last := 0, 0
					c, err := m.Calibrate(t.Context(), client, step, func(done, of int) {
						calls++
						if done != calls || done > of {
							t.Errorf("progress %d of %d at call %d", done, of, calls)
						}
						last = of
					})
					if err != nil {
						t.Fatal(err)
					}
					if n := len(e.all()) - before; c.Requests != n || n > mostAsked || calls != n || last != n {
						t.Errorf("%d requests, %d told, %d calls, the last of %d", n, c.Requests, calls, last)
					}
					if c.Low > c.High || c.Low < step.Target-c.Tolerance || c.High > step.Target+c.Tolerance || !c.PerChunk {
						t.Errorf("calibration %+v", c)
					}
					s, err := c.Set(step, 1, 2)
					if err != nil {
						t.Fatal(err)
					}
					for i := range 40 {
						got := rule(textOf(t, s, i), 0)
						if got < step.Target-c.Tolerance || got > step.Target+c.Tolerance {
							t.Errorf("request %d of step %s has %d tokens", i, step.Name, got)
						}
					}
				}
			})
		}
	}
}

// What calibrates leaves no cached prefix behind for what is measured, nor for itself.
func TestCalibrationWarmsNothing(t *testing.T) {
	for _, prefix := range []int64{0, 200} {
		e := &endpoint{tokens: byCharacters}
		w := work(workload.Prose, 700)
		w.Prompt.SharedPrefix = prefix
		m := maker(t, w)
		c, err := m.Calibrate(t.Context(), e.client(t), w.Steps[0], func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Set(w.Steps[0], 0, 50)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range e.all() {
			for j := range 50 {
				if n := prefixLength(a, textOf(t, s, j)); n > 0 {
					t.Fatalf("prefix %d: request %d begins with %d bytes of what was counted", prefix, j, n)
				}
			}
			for _, b := range e.all()[:i] {
				if prefixLength(a, b) > 12 {
					t.Errorf("two counted prompts begin with %q", a[:prefixLength(a, b)])
				}
			}
		}
	}
}

func TestCalibrateFailsClosed(t *testing.T) {
	always := func(status int, body string) func(asked, int) (int, string) {
		return func(asked, int) (int, string) { return status, body }
	}
	cases := map[string]struct {
		tokens func(string, int) int64
		refuse func(asked, int) (int, string)
		target int64
		want   []string
	}{
		"no usage":      {tokens: func(string, int) int64 { return 0 }, want: []string{"no prompt tokens", "usage"}},
		"no key":        {refuse: always(401, `{"error":{"message":"who are you"}}`), want: []string{"does not accept the key", "who are you"}},
		"no model":      {refuse: always(404, `{"error":{"message":"no such thing"}}`), want: []string{`"model"`, "no such thing"}},
		"broken":        {refuse: always(500, `oh`), want: []string{"http_5xx", "oh"}},
		"too long":      {refuse: always(400, `{"error":{"message":"exceeds\nthe context"}}`), want: []string{"refuses a prompt of about", "exceeds the context"}},
		"all alike":     {tokens: func(string, int) int64 { return 100 }, want: []string{"prompts: "}},
		"wild":          {tokens: func(s string, n int) int64 { return byCharacters(s, n) * int64(100+8*(n%2)) / 100 }, want: []string{"1024", "20", "given up"}},
		"target small":  {target: 12, want: []string{"no prompt of 12 tokens", "about"}},
		"shrinks again": {tokens: func(s string, n int) int64 { return 4000 - int64(len(s)) }, want: []string{"prompts: "}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.tokens == nil {
				c.tokens = byCharacters
			}
			if c.target == 0 {
				c.target = 1024
			}
			e := &endpoint{tokens: c.tokens, refuse: c.refuse}
			w := work(workload.Prose, c.target)
			m := maker(t, w)
			got, err := m.Calibrate(t.Context(), e.client(t), w.Steps[0], func(int, int) {})
			if err == nil {
				t.Fatalf("a calibration: %+v", got)
			}
			for _, want := range append(c.want, w.Steps[0].Name) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nlacks %q", err, want)
				}
			}
			if !m.perChunk {
				t.Error("later requests do without counts along, for another fault")
			}
			if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 800 {
				t.Errorf("not one bounded line: %q", err)
			}
			if len(e.all()) > mostAsked {
				t.Errorf("%d requests", len(e.all()))
			}
		})
	}
}

// An engine that refuses members it does not know gets requests without those that only
// ask for counts along, later too.
func TestStrictEngine(t *testing.T) {
	e := &endpoint{tokens: byCharacters, refuse: func(a asked, _ int) (int, string) {
		if a.Timings {
			return 400, `{"error":{"message":"extra inputs are not permitted"}}`
		}
		return 0, ""
	}}
	w := work(workload.Prose, 512)
	c, err := maker(t, w).Calibrate(t.Context(), e.client(t), w.Steps[0], func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Set(w.Steps[0], 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	req, _ := s.Request(0)
	if body := string(req.Body); c.PerChunk || strings.Contains(body, "timings") || strings.Contains(body, "continuous") {
		t.Errorf("per chunk %v: %s", c.PerChunk, body)
	}
}

func TestCalibrateStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &endpoint{tokens: byCharacters}
	w := work(workload.Prose, 512)
	_, err := maker(t, w).Calibrate(ctx, e.client(t), w.Steps[0], func(done, _ int) {
		if done == 3 {
			cancel()
		}
	})
	if err == nil || ctx.Err() == nil || len(e.all()) > 4 {
		t.Errorf("%v after %d requests", err, len(e.all()))
	}
}

var _ load.Source = (*Set)(nil)

// TestBrokenConnections: an engine that closes connections gets the same prompts as one that
// does not, or two arms of one session plan would differ for nothing.
func TestBrokenConnections(t *testing.T) {
	digest := func(broken bool) string {
		e := &endpoint{tokens: noisyText}
		if broken {
			e.breaks = func(n int) bool { return n%3 == 1 }
		}
		m := maker(t, work(workload.Prose, 1024, 2048))
		client := e.client(t)
		var digests []string
		for _, step := range m.w.Steps {
			c, err := m.Calibrate(t.Context(), client, step, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.Set(step, 1, 5)
			if err != nil {
				t.Fatal(err)
			}
			digests = append(digests, s.Digest(5))
		}
		return strings.Join(digests, " ")
	}
	if a, b := digest(false), digest(true); a != b {
		t.Errorf("prompts %s and, with broken connections, %s", a, b)
	}
}

// noisyText counts by the text alone: the same text has the same tokens.
func noisyText(text string, _ int) int64 {
	sum := int64(0)
	for _, c := range []byte(text) {
		sum += int64(c)
	}
	return int64(len(text))*10/37 + sum%5
}
