package enginetest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/runner/enginetest"
	"assay/runner/load"
)

// chats asks for answers of an exact length, each with a prompt of its own.
type chats struct {
	words  int // of the prompt, each some three tokens
	tokens int // of the answer
}

func (c chats) Request(index int) (load.Request, error) {
	r := rand.New(rand.NewPCG(uint64(index), 1))
	var prompt strings.Builder
	for range c.words {
		const onsets, vowels = "bdfgklmnprstvz", "aeiou"
		prompt.WriteByte(' ')
		for range 3 {
			prompt.WriteByte(onsets[r.IntN(len(onsets))])
			prompt.WriteByte(vowels[r.IntN(len(vowels))])
		}
	}
	body, err := json.Marshal(map[string]any{
		"model": enginetest.ModelName, "stream": true, "stream_options": map[string]any{"include_usage": true},
		"messages":   []map[string]string{{"role": "user", "content": prompt.String()}},
		"max_tokens": c.tokens, "ignore_eos": true, "temperature": 0, "cache_prompt": false,
	})
	return load.Request{API: load.Chat, Body: body, KeepText: true}, err
}

// measure sends requests through the load generator; all of them must be answered.
func measure(t *testing.T, s *enginetest.Server, concurrency, requests int, c chats) []*load.Record {
	t.Helper()
	client, err := load.NewClient(load.Target{Endpoint: s.URL, Policy: load.Policy{Idempotency: true, Retries: 1}}, "engine")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	keep := &load.Keep{}
	if _, err := load.Run(t.Context(), load.Options{Client: client, Source: c, Sink: keep,
		Plan: load.Plan{Concurrency: concurrency, Warmup: load.Span{Requests: concurrency}, Measure: load.Span{Requests: requests}}}); err != nil {
		t.Fatal(err)
	}
	measured := slices.DeleteFunc(keep.Records, func(r *load.Record) bool { return r.Phase != load.Measure })
	if len(measured) != requests {
		t.Fatalf("%d requests were measured, want %d", len(measured), requests)
	}
	for _, r := range measured {
		if r.Class != load.OK {
			t.Fatalf("request %d: %s: %s", r.Index, r.Class, r.Cause)
		}
	}
	return measured
}

func TestForcedOutput(t *testing.T) {
	const tokens = 24
	s := enginetest.Start(t, enginetest.Options{Slots: 4, Context: 1024})
	for _, concurrency := range []int{1, 4} {
		t.Run(fmt.Sprintf("concurrency %d", concurrency), func(t *testing.T) {
			for _, r := range measure(t, s, concurrency, 12, chats{words: 20, tokens: tokens}) {
				outputs := 0
				for _, c := range r.Chunks {
					if c.Kind&load.Output != 0 {
						outputs++
					}
				}
				if got := r.Usage.Output; !got.OK || got.V != tokens || r.Finish != "length" {
					t.Errorf("request %d: usage says %+v tokens, finish %q, want %d and length", r.Index, got, r.Finish, tokens)
				}
				if outputs != tokens {
					t.Errorf("request %d: %d chunks with text, want one for each of %d tokens: %q", r.Index, outputs, tokens, r.Text)
				}
				if r.Usage.Prompt.V < 20 || r.Usage.Cached.V != 0 || r.UsageAt != load.UsageOwnChunk || !r.SawDone {
					t.Errorf("request %d: usage %+v in %q, [DONE] %t", r.Index, r.Usage, r.UsageAt, r.SawDone)
				}
			}
		})
	}
}

func TestLongPromptFits(t *testing.T) {
	s := enginetest.Start(t, enginetest.Options{Model: enginetest.Model(t, enginetest.Dims{Blocks: 1})})
	for _, r := range measure(t, s, 1, 1, chats{words: 1400, tokens: 2}) {
		if r.Usage.Prompt.V < 4096 {
			t.Errorf("the prompt had %d tokens, want more than 4096", r.Usage.Prompt.V)
		}
	}
}

// The engine's own clock is the witness of ours. Its prompt_ms runs from when a slot turns
// to the prompt until the first token is chosen: our time to the first output covers that,
// and reading the request and sending the answer too. Its predicted_ms runs from the first
// token to the last, like our time from first output to last. Model and prompt are so large
// that what we see beside it is small.
func TestEngineTimingsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	model := enginetest.Model(t, enginetest.Dims{Embedding: 256, FeedForward: 704, Blocks: 4})
	s := enginetest.Start(t, enginetest.Options{Model: model, Context: 2048})
	const within, tries = 0.05, 3
	best := math.Inf(1)
	for try := 1; try <= tries && best > within; try++ { // the machine may be busy with other things
		var first, prompt, decode, predicted []float64
		for _, r := range measure(t, s, 1, 8, chats{words: 110, tokens: 64}) {
			if !r.Timings.PromptMS.OK || !r.Timings.PredictedMS.OK {
				t.Fatalf("request %d: the engine told no timings", r.Index)
			}
			first = append(first, milliseconds(r.FirstOutput().V-r.Sent.V))
			prompt = append(prompt, r.Timings.PromptMS.V)
			decode = append(decode, milliseconds(r.LastOutput.V-r.FirstOutput().V))
			predicted = append(predicted, r.Timings.PredictedMS.V)
		}
		ttft, tail := median(first)/median(prompt), median(decode)/median(predicted)
		t.Logf("try %d: time to first output %.2f ms, the engine's prompt %.2f ms, ratio %.4f", try, median(first), median(prompt), ttft)
		t.Logf("try %d: first to last output %.2f ms, the engine's decode %.2f ms, ratio %.4f", try, median(decode), median(predicted), tail)
		best = min(best, max(math.Abs(ttft-1), math.Abs(tail-1)))
	}
	if best > within {
		t.Errorf("our times and the engine's differ by %.1f %% at best, want at most %.0f %%", 100*best, 100*within)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

func TestModelIsTheSameForTheSameSeed(t *testing.T) {
	read := func(d enginetest.Dims) []byte {
		data, err := os.ReadFile(enginetest.Model(t, d))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one := read(enginetest.Dims{Seed: 7})
	if !bytes.Equal(one, read(enginetest.Dims{Seed: 7})) {
		t.Error("the same dims gave another file")
	}
	if bytes.Equal(one, read(enginetest.Dims{Seed: 8})) {
		t.Error("another seed gave the same file")
	}
}
