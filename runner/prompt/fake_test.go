package prompt

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/runner/load"
	"assay/runner/load/script"
	"assay/runner/workload"
)

func work(kind workload.Kind, targets ...int64) *workload.Workload {
	w := &workload.Workload{
		Name: "test", API: load.Chat, Seed: 11, Repeats: 2,
		Prompt:   workload.Prompt{Kind: kind, Tolerance: 0.02, Canary: true},
		Output:   workload.Output{Cap: 64, Mode: workload.Forced},
		Sampling: workload.Sampling{TopP: 1},
	}
	for _, n := range targets {
		w.Steps = append(w.Steps, workload.Step{Name: fmt.Sprintf("s%d", n), Target: n})
	}
	return w
}

func maker(t testing.TB, w *workload.Workload) *Maker {
	t.Helper()
	m, err := New(w, "model")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// byHand is a calibration that no endpoint was asked for: four characters to a token.
func byHand(m *Maker, step workload.Step) *Calibration {
	return &Calibration{PerChunk: true, maker: m, step: step, model: model{base: 10000, char: 250}, aim: step.Target * milli}
}

func set(t testing.TB, m *Maker, step, repeat, planned int) *Set {
	t.Helper()
	s, err := byHand(m, m.w.Steps[step]).Set(m.w.Steps[step], repeat, planned)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asked is a request as the endpoint reads it.
type asked struct {
	Messages []struct{ Role, Content string }
	Prompt   string
	Input    string
	Max      int64 `json:"max_tokens"`
	Timings  bool  `json:"timings_per_token"`
	Stream   bool
}

func (a asked) text() string {
	text := a.Prompt + a.Input
	for _, m := range a.Messages {
		text += m.Content
	}
	return text
}

func textOf(t testing.TB, s *Set, index int) string {
	t.Helper()
	req, err := s.Request(index)
	if err != nil {
		t.Fatal(err)
	}
	var a asked
	if err := json.Unmarshal(req.Body, &a); err != nil {
		t.Fatalf("request %d is not JSON: %v\n%s", index, err, req.Body)
	}
	return a.text()
}

// endpoint counts the tokens of every request by a rule and remembers the texts.
type endpoint struct {
	mu     sync.Mutex
	texts  []string
	tokens func(text string, n int) int64 // 0: no usage
	refuse func(a asked, n int) (status int, body string)
	breaks func(n int) bool // request n meets a connection that breaks
	n      int
}

func (e *endpoint) client(t testing.TB) *load.Client {
	t.Helper()
	server, err := script.Listen(e.play)
	if err != nil {
		t.Fatal(err)
	}
	client, err := load.NewClient(load.Target{Endpoint: server.URL()}, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client
}

// all are the texts so far.
func (e *endpoint) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.texts)
}

func (e *endpoint) play(r script.Received) script.Answer {
	var a asked
	if err := json.Unmarshal(r.Body, &a); err != nil {
		return script.Answer{Status: 400, Type: "application/json", Steps: []script.Step{{Write: `{"error":{"message":"not JSON"}}`}}}
	}
	e.mu.Lock()
	if e.n++; e.breaks != nil && e.breaks(e.n) {
		e.mu.Unlock()
		return script.Answer{Bare: true, Steps: []script.Step{{Act: script.Reset}}}
	}
	e.texts = append(e.texts, a.text())
	n := len(e.texts)
	e.mu.Unlock()
	if e.refuse != nil {
		if status, body := e.refuse(a, n); status != 0 {
			return script.Answer{Status: status, Type: "application/json", Steps: []script.Step{{Write: body}}}
		}
	}
	usage := ""
	if tokens := e.tokens(a.text(), n); tokens > 0 {
		usage = fmt.Sprintf("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":1,\"total_tokens\":%d}}\n\n", tokens, tokens+1)
	}
	return script.Answer{Steps: []script.Step{{Write: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"},\"finish_reason\":\"length\"}]}\n\n" + usage + "data: [DONE]\n\n"}}}
}

// Rules of counting.
func byCharacters(text string, _ int) int64 { return 23 + int64(math.Round(float64(len(text))/3.7)) }

func noisy(text string, _ int) int64 {
	noise := float64(mix(text)[0])/255 - 0.5 // the text's own, within half a per cent
	return 23 + int64(math.Round(float64(len(text))/3.7*(1+noise/100)))
}

func byBytes(text string, _ int) int64 { return 5 + int64(len(text)) }

// byWords is a token for a word or a mark, and one for every digit.
func byWords(text string, _ int) int64 {
	n := int64(40)
	inWord := false
	for _, r := range text {
		letter := r >= 'a' && r <= 'z'
		if !(letter && inWord) && r != ' ' && r != '\n' {
			n++
		}
		inWord = letter || r >= 'A' && r <= 'Z'
	}
	return n
}

func prefixLength(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func firstWord(s string) string { w, _, _ := strings.Cut(s, " "); return w }
