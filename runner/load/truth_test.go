package load_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/runner/load"
	"assay/runner/load/script"
	"assay/store/evidence"
)

const (
	role     = `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]}` + "\n\n"
	done     = "data: [DONE]\n\n"
	stop     = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	noChoice = `data: {"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}}` + "\n\n"
)

func content(text string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`+"\n\n", text)
}

func thought(text string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"reasoning_content":%q}}]}`+"\n\n", text)
}

func running(text string, tokens int) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q}}],"usage":{"prompt_tokens":5,"completion_tokens":%d}}`+"\n\n", text, tokens)
}

func ids(text string, n int) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"text":%q,"token_ids":[%s]}]}`+"\n\n", text, strings.Trim(strings.Repeat("7,", n), ","))
}

func usage(prompt, output, cached int) string { return fmt.Sprintf(noChoice, prompt, output, cached) }

// truth is a scripted answer and everything that a record must say of it. Marks of the
// script name the moments: chunk, reasoning, content, tool, last, end, closed.
type truth struct {
	name   string
	answer script.Answer
	api    load.API
	body   string

	class   load.Class
	cause   string // part of it
	text    string
	finish  string
	chunks  int
	tokens  []int64 // of each chunk that says so
	output  evidence.Opt[int64]
	cached  evidence.Opt[int64]
	place   load.UsagePlace
	source  load.TokenSource
	thought string
}

func n64(v int64) evidence.Opt[int64] { return evidence.Some(v) }

const ms = time.Millisecond

// gap is what scripted steps wait; long enough for each to be a read of its own.
const gap = 4 * ms

// truths are the answers that end well.
var truths = []truth{
	{name: "plain", answer: script.Answer{Steps: []script.Step{{Write: role, Wait: gap, Mark: "chunk"}, {Wait: gap, Write: content("a"), Mark: "content"}, {Wait: gap, Write: content("b"), Mark: "last"}, {Write: stop}, {Write: usage(9, 2, 4)}, {Wait: gap, Write: done, Mark: "end"}}},
		text: "ab", finish: "stop", chunks: 5, output: n64(2), cached: n64(4), place: load.UsageOwnChunk},
	{name: "usage on the last choices chunk, no [DONE]", answer: script.Answer{Steps: []script.Step{{Write: role, Wait: gap, Mark: "chunk"}, {Wait: gap, Write: content("ab"), Mark: "content last"},
		{Wait: gap, Write: `data: {"choices":[{"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":4,"completion_tokens":16}}` + "\n\n"}}},
		text: "ab", finish: "length", chunks: 3, output: n64(16), place: load.UsageLastChunk},
	{name: "usage in every chunk, several tokens each", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: running("", 0), Mark: "chunk"}, {Wait: gap, Write: running("abc", 3), Mark: "content"}, {Wait: gap, Write: running("d", 4)}, {Wait: gap, Write: running("", 5)}, {Wait: gap, Write: running("efgh", 9), Mark: "last"}, {Write: stop + done, Mark: "end"}}},
		text: "abcdefgh", finish: "stop", chunks: 6, tokens: []int64{0, 3, 1, 1, 4}, output: n64(9), place: load.UsagePerChunk, source: load.TokensByUsage},
	{name: "token ids, no usage", api: load.Completions, answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: ids("ab", 2), Mark: "chunk content"}, {Wait: gap, Write: ids("", 1)}, {Wait: gap, Write: ids("cdefg", 5), Mark: "last"}, {Write: `data: {"choices":[{"text":"","finish_reason":"length"}]}` + "\n\n" + done, Mark: "end"}}},
		text: "abcdefg", finish: "length", chunks: 4, tokens: []int64{2, 1, 5}, output: n64(8), source: load.TokensByID},
	{name: "reasoning first", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: role, Mark: "chunk"}, {Wait: gap, Write: thought("hm"), Mark: "reasoning"}, {Wait: gap, Write: thought("so")}, {Wait: gap, Write: content("yes"), Mark: "content last"}, {Write: stop + usage(3, 7, 0) + done, Mark: "end"}}},
		text: "yes", thought: "hmso", finish: "stop", chunks: 6, output: n64(7), cached: n64(0), place: load.UsageOwnChunk},
	{name: "empty first chunks", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: role, Mark: "chunk"}, {Wait: gap, Write: content("")}, {Wait: gap, Write: content("")}, {Wait: gap, Write: content("x"), Mark: "content last"}, {Write: stop + usage(3, 1, 0) + done, Mark: "end"}}},
		text: "x", finish: "stop", chunks: 6, output: n64(1), cached: n64(0), place: load.UsageOwnChunk},
	{name: "several events in one write", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: role + content("a") + content("b"), Mark: "chunk content"}, {Wait: gap, Write: content("c") + content("d"), Mark: "last"}, {Wait: gap, Write: stop + usage(1, 4, 0) + done, Mark: "end"}}},
		text: "abcd", finish: "stop", chunks: 7, output: n64(4), cached: n64(0), place: load.UsageOwnChunk},
	{name: "torn UTF-8, torn lines, crlf, comments", answer: script.Answer{Steps: []script.Step{{Write: ": ping\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"\xe2\x82"}, {Wait: gap, Write: "\xac\"}}]}\r\n\r", Mark: "chunk content"}, {Wait: gap, Write: "\nda"}, {Wait: gap, Write: "ta: {\"choices\":[{\"delta\":{\"content\":\"\\u00e9\"}}]}\r\n\r\n", Mark: "last"}, {Wait: gap, Write: stop + usage(1, 2, 0) + done, Mark: "end"}}},
		text: "€é", finish: "stop", chunks: 4, output: n64(2), cached: n64(0), place: load.UsageOwnChunk},
	{name: "huge chunk", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: role, Mark: "chunk"}, {Wait: gap, Write: content(strings.Repeat("x", 50_000)), Mark: "content last"}, {Wait: gap, Write: stop + usage(1, 9, 0) + done, Mark: "end"}}},
		text: strings.Repeat("x", 50_000), finish: "stop", chunks: 4, output: n64(9), cached: n64(0), place: load.UsageOwnChunk},
	{name: "chunk header torn", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: role, Mark: "chunk"}, {Raw: true, Write: "7"}, {Wait: gap, Raw: true, Write: "0;x=1\r"}, {Wait: gap, Raw: true, Write: "\n" + content("aaaaaaaaa")[:30]}, {Wait: gap, Raw: true, Write: fill(content("aaaaaaaaa")[30:], 82) + "\r\n", Mark: "content last"}, {Wait: gap, Write: stop + usage(1, 1, 0) + done, Mark: "end"}}},
		text: "aaaaaaaaa", finish: "stop", chunks: 4, output: n64(1), cached: n64(0), place: load.UsageOwnChunk},
	{name: "until the connection closes", answer: script.Answer{Until: true, Steps: []script.Step{{Wait: gap, Write: role, Mark: "chunk"}, {Wait: gap, Write: content("x"), Mark: "content last"}, {Wait: gap, Write: stop + usage(1, 1, 0) + done, Mark: "end"}}},
		text: "x", finish: "stop", chunks: 4, output: n64(1), cached: n64(0), place: load.UsageOwnChunk},
	{name: "tool call", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":""}}]}}]}` + "\n\n", Mark: "chunk tool"}, {Wait: gap, Write: `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}` + "\n\n", Mark: "last"}, {Write: `data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n" + usage(1, 6, 0) + done, Mark: "end"}}},
		finish: "tool_calls", chunks: 4, output: n64(6), cached: n64(0), place: load.UsageOwnChunk},
	{name: "responses", api: load.Responses, answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"model\":\"m\",\"status\":\"in_progress\"}}\n\n", Mark: "chunk"}, {Wait: gap, Write: "event: response.reasoning_text.delta\ndata: {\"type\":\"response.reasoning_text.delta\",\"delta\":\"hm\"}\n\n", Mark: "reasoning"}, {Wait: gap, Write: "data: {\"delta\":\"x\",\"type\":\"response.output_text.delta\"}\n\n", Mark: "content last"}, {Wait: gap, Write: "data: {\"type\":\"response.output_text.done\",\"text\":\"x\"}\n\n"}, {Wait: gap, Write: "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"usage\":{\"input_tokens\":2,\"output_tokens\":3,\"input_tokens_details\":{\"cached_tokens\":1}}}}\n\n"}}},
		text: "x", thought: "hm", finish: "completed", chunks: 5, output: n64(3), cached: n64(1), place: load.UsageInAnswer},
	{name: "lingers behind [DONE]", answer: script.Answer{NoEnd: true, Steps: []script.Step{{Wait: gap, Write: role + content("x"), Mark: "chunk content last"}, {Wait: gap, Write: stop + usage(1, 1, 0) + done, Mark: "end"}, {Act: script.Hang}}},
		text: "x", finish: "stop", chunks: 4, output: n64(1), cached: n64(0), place: load.UsageOwnChunk},
	{name: "reset behind [DONE]", answer: script.Answer{NoEnd: true, Steps: []script.Step{{Wait: gap, Write: role + content("x"), Mark: "chunk content last"}, {Wait: gap, Write: stop + usage(1, 1, 0) + done, Mark: "end"}, {Wait: gap, Act: script.Reset}}},
		text: "x", finish: "stop", chunks: 4, output: n64(1), cached: n64(0), place: load.UsageOwnChunk},
	{name: "informational head first", answer: script.Answer{Bare: true, Steps: []script.Step{{Write: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 O"}, {Wait: gap, Write: "K\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + role, Mark: "chunk"}, {Wait: gap, Write: content("x"), Mark: "content last"}, {Wait: gap, Write: stop + usage(1, 1, 0) + done, Mark: "end"}}},
		text: "x", finish: "stop", chunks: 4, output: n64(1), cached: n64(0), place: load.UsageOwnChunk},
	{name: "usage only in timings", answer: script.Answer{Steps: []script.Step{{Wait: gap, Write: `data: {"choices":[{"delta":{"content":"a"}}],"timings":{"predicted_n":1}}` + "\n\n", Mark: "chunk content"}, {Wait: gap, Write: `data: {"choices":[{"delta":{"content":"bc"}}],"timings":{"predicted_n":3}}` + "\n\n", Mark: "last"}, {Write: stop + `data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":3},"timings":{"predicted_n":3}}` + "\n\n" + done, Mark: "end"}}},
		text: "abc", finish: "stop", chunks: 4, tokens: []int64{1, 2}, output: n64(3), place: load.UsageOwnChunk, source: load.TokensByTimer},
}

// A chunk beyond the receive window: its last byte cannot leave before the client has read
// the first ones, so the server does not know when it did.
var beyondWindow = truth{name: "beyond the window", answer: script.Answer{Steps: []script.Step{{Write: role + content(strings.Repeat("é", 500_000))}, {Write: stop + usage(1, 9, 0) + done}}},
	text: strings.Repeat("é", 500_000), finish: "stop", chunks: 4, output: n64(9), cached: n64(0), place: load.UsageOwnChunk}

func TestChunkBeyondTheWindow(t *testing.T) {
	_, client := play(t, limits, load.Policy{}, []truth{beyondWindow})
	for i := range 3 {
		check(t, beyondWindow, ask(client, load.NewClock(time.Now()), beyondWindow, i, context.Background()))
	}
}

// fill makes b n bytes long with an unfinished comment.
func fill(b string, n int) string {
	if len(b) > n {
		panic("too long")
	}
	return b + ":" + strings.Repeat("-", n-len(b)-2) + "\n"
}

func check(t testing.TB, want truth, rec *load.Record) {
	t.Helper()
	if rec.Class != want.class || !strings.Contains(rec.Cause, want.cause) {
		t.Errorf("class %q (%s), want %q (%s)", rec.Class, rec.Cause, want.class, want.cause)
	}
	var tokens []int64
	for _, c := range rec.Chunks {
		if n := c.Tokens(); n.OK {
			tokens = append(tokens, n.V)
		}
	}
	got := truth{text: string(rec.Text), thought: string(rec.Reasoning), finish: rec.Finish, chunks: len(rec.Chunks), tokens: tokens, output: rec.OutputTokens(), cached: rec.Usage.Cached, place: rec.UsageAt, source: rec.ChunkTokens}
	expect := truth{text: want.text, thought: want.thought, finish: want.finish, chunks: want.chunks, tokens: want.tokens, output: want.output, cached: want.cached, place: want.place, source: want.source}
	if diff := cmp.Diff(expect, got, cmp.AllowUnexported(truth{})); diff != "" {
		t.Errorf("record differs:\n%.2000s", diff)
	}
}

// moments are the named times of a record.
func moments(rec *load.Record) map[string]load.Moment {
	return map[string]load.Moment{"chunk": rec.FirstChunk, "reasoning": rec.FirstReasoning, "content": rec.FirstContent, "tool": rec.FirstTool, "last": rec.LastOutput, "end": rec.End}
}

// compare gives how much later than the call that wrote its bytes every moment is that the
// script marks, and refuses one that is earlier; one that it does not mark
// must be absent, but for the ends.
func compare(t testing.TB, rec *load.Record, origin time.Time, written []script.Written) (errors []time.Duration) {
	t.Helper()
	marked, over := map[string]time.Duration{}, map[string]time.Duration{}
	for _, w := range written {
		for _, name := range strings.Fields(w.Mark) {
			marked[name], over[name] = w.At.Sub(origin), w.Done.Sub(origin)
		}
	}
	if _, ok := marked["end"]; !ok {
		marked["end"], over["end"] = marked["closed"], over["closed"]
	}
	for name, got := range moments(rec) {
		want, ok := marked[name]
		if ok != got.OK {
			t.Errorf("%s of %s: recorded %v, scripted %v", name, rec.ID, got.OK, ok)
			continue
		}
		if !ok {
			continue
		}
		if got.V < want {
			t.Errorf("%s of %s came %v before it was written", name, rec.ID, want-got.V)
		}
		errors = append(errors, max(0, got.V-over[name]))
	}
	return errors
}

// play runs requests against scripts by their name.
func play(t testing.TB, limits load.Limits, policy load.Policy, all []truth) (*script.Server, *load.Client) {
	t.Helper()
	s, err := script.Listen(func(r script.Received) script.Answer {
		name, _, _ := strings.Cut(string(r.Body), "#")
		i := slices.IndexFunc(all, func(tt truth) bool { return tt.name == name })
		return all[i].answer
	})
	if err != nil {
		t.Fatal(err)
	}
	client, err := load.NewClient(load.Target{Endpoint: s.URL() + "/v1", Limits: limits, Policy: policy}, "truth")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		s.Close()
	})
	return s, client
}

func ask(client *load.Client, clock load.Clock, tt truth, index int, ctx context.Context) *load.Record {
	rec := &load.Record{Index: index}
	api := tt.api
	if api == "" {
		api = load.Chat
	}
	body := tt.body
	if body == "" {
		body = tt.name
	}
	client.Do(ctx, clock, &load.Request{API: api, Body: []byte(body), KeepText: true}, rec)
	return rec
}

var limits = load.Limits{Linger: 50 * ms, Stall: 5 * time.Second, First: 10 * time.Second, Total: 20 * time.Second}

func TestTruth(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		server, client := play(t, limits, load.Policy{Fresh: fresh}, truths)
		clock := load.NewClock(time.Now())
		for i, tt := range truths {
			t.Run(fmt.Sprintf("%s/fresh=%v", tt.name, fresh), func(t *testing.T) {
				rec := ask(client, clock, tt, i, context.Background())
				check(t, tt, rec)
				for _, e := range compare(t, rec, clock.Origin(), server.Truth(rec.ID)) {
					if e > time.Second { // a machine that is busy is no fault of ours; see TestTruthTiming
						t.Errorf("a moment is %v late", e)
					}
				}
				order := []load.Moment{rec.Began, rec.Sent, rec.Headers, rec.FirstChunk, rec.LastOutput, rec.End, rec.Closed}
				for k := 1; k < len(order); k++ {
					if order[k].OK && order[k-1].OK && order[k].V < order[k-1].V {
						t.Errorf("moments out of order: %v", order)
					}
				}
			})
		}
	}
}

// timing holds every moment of 64 streams against the server's clock.
func timing(tb testing.TB, rounds int) (late []time.Duration) {
	server, client := play(tb, limits, load.Policy{}, truths)
	clock := load.NewClock(time.Now())
	var mu sync.Mutex
	var streams sync.WaitGroup
	for i := range 64 {
		streams.Go(func() {
			for k := range rounds {
				tt := truths[(i+k)%len(truths)]
				rec := ask(client, clock, tt, i*rounds+k, context.Background())
				check(tb, tt, rec)
				found := compare(tb, rec, clock.Origin(), server.Truth(rec.ID))
				mu.Lock()
				late = append(late, found...)
				mu.Unlock()
			}
		})
	}
	streams.Wait()
	slices.Sort(late)
	return late
}

func rank(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))]
}

// TestTruthTiming bounds how late a moment is. The bound is for a machine that does nothing
// else: ASSAY_TIMING=1 asks for it.
func TestTruthTiming(t *testing.T) {
	tight, rounds := os.Getenv("ASSAY_TIMING") == "1", 2
	if tight {
		rounds = 20
	}
	late := timing(t, rounds)
	t.Logf("%d moments: late by p50 %v p95 %v p99 %v max %v", len(late), rank(late, 0.5), rank(late, 0.95), rank(late, 0.99), rank(late, 1))
	if tight && rank(late, 0.99) > 200*time.Microsecond {
		t.Errorf("p99 is %v, want 0.2 ms", rank(late, 0.99))
	}
}

func BenchmarkTruthTiming(b *testing.B) {
	for b.Loop() {
		late := timing(b, 20)
		b.ReportMetric(float64(rank(late, 0.5).Nanoseconds())/1e3, "late_p50_us")
		b.ReportMetric(float64(rank(late, 0.99).Nanoseconds())/1e3, "late_p99_us")
		b.ReportMetric(float64(len(late)), "moments")
	}
}
