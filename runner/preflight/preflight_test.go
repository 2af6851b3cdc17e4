package preflight

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay/ingest/artifact"
	"assay/runner/load"
)

// engine answers everything right, but for what a test changes.
type engine struct {
	refuses string                          // path that it does not have
	answer  func(q *question) string        // in place of the right text
	tool    func(q *question) []call        // in place of the right call
	before  func(n int64, q *question) *web // in place of any answer
	tokens  func(text string) int           // of a prompt
	model   string                          // that answers name
	n       atomic.Int64
}

type web struct {
	status int
	body   string
}

type call struct{ Name, Arguments string }

// question is a request as the engine reads it.
type question struct {
	Path     string
	Model    string
	Messages []struct {
		Role    string
		Content string
	}
	Input     string
	Stream    bool
	Tools     []any
	Format    *struct{ Type string } `json:"response_format"`
	MaxTokens int                    `json:"max_tokens"`
	Template  map[string]any         `json:"chat_template_kwargs"`
	Effort    string                 `json:"reasoning_effort"`
	header    http.Header
	text      string
}

var (
	ticketShape = regexp.MustCompile(`T\d{5}`)
	codeShape   = regexp.MustCompile(`func (\w+)\(values \[\]int\) int.*times (\d+)`)
	jsonShape   = regexp.MustCompile(`Ticket (T\d+) orders (\d+) lamps`)
)

func (e *engine) start(t *testing.T) load.Target {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(server.Close)
	return load.Target{Endpoint: server.URL, Key: "s3cret-key"}
}

func (e *engine) serve(w http.ResponseWriter, r *http.Request) {
	q := &question{Path: r.URL.Path, header: r.Header}
	if err := json.NewDecoder(r.Body).Decode(q); err != nil {
		http.Error(w, `{"error":{"message":"not JSON"}}`, http.StatusBadRequest)
		return
	}
	for _, m := range q.Messages {
		q.text += m.Content + "\n"
	}
	q.text += q.Input
	n := e.n.Add(1)
	if e.before != nil {
		if a := e.before(n, q); a != nil {
			w.WriteHeader(a.status)
			fmt.Fprint(w, a.body)
			return
		}
	}
	switch {
	case e.refuses != "" && strings.HasSuffix(q.Path, e.refuses):
		http.NotFound(w, r)
		return
	case q.Model != "m":
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error":{"message":"the model %s does not exist"}}`, q.Model)
		return
	}
	model := e.model
	if model == "" {
		model = q.Model
	}
	tokens := len(q.text) / 4
	if e.tokens != nil {
		tokens = e.tokens(q.text)
	}
	if strings.HasSuffix(q.Path, "/responses") {
		text := ticketShape.FindString(q.Input)
		if e.answer != nil {
			text = e.answer(q)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"r","object":"response","status":"completed","model":%q,"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":%s}]}],"usage":{"input_tokens":%d,"output_tokens":3,"total_tokens":9}}`,
			model, quoted(text), tokens)
		return
	}
	asksForTool := len(q.Tools) > 0 && q.Messages[len(q.Messages)-1].Role == "user"
	if asksForTool {
		calls := []call{{"look_up_order", fmt.Sprintf(`{"order":%q}`, ticketShape.FindString(q.text[strings.Index(q.text, "state of order"):]))}}
		if e.tool != nil {
			calls = e.tool(q)
		}
		if calls != nil {
			e.calls(w, q, model, calls, tokens)
			return
		}
	}
	text := e.right(q)
	if e.answer != nil {
		text = e.answer(q)
	}
	w.Header().Set("Content-Type", "application/json")
	finish := "stop"
	if strings.HasSuffix(text, "CUT") {
		finish = "length"
	}
	if q.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":%q,\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":%q}]}\n\n", model, quoted(text), finish)
		fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n", tokens)
		return
	}
	fmt.Fprintf(w, `{"id":"x","model":%q,"choices":[{"index":0,"finish_reason":%q,"message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":%d,"completion_tokens":3,"total_tokens":9}}`,
		model, finish, quoted(text), tokens)
}

// right is the answer that every check takes.
func (e *engine) right(q *question) string {
	if m := codeShape.FindStringSubmatch(q.text); m != nil {
		return fmt.Sprintf("```go\nfunc %s(values []int) int {\n\tsum := 0\n\tfor _, v := range values {\n\t\tif v > 0 {\n\t\t\tsum += v\n\t\t}\n\t}\n\treturn sum * %s\n}\n```", m[1], m[2])
	}
	if m := jsonShape.FindStringSubmatch(q.text); m != nil {
		return fmt.Sprintf(`{"ticket": %q, "count": %s}`, m[1], m[2])
	}
	all := ticketShape.FindAllString(q.text, -1)
	if len(all) == 0 {
		return "ready"
	}
	return "It is " + all[len(all)-1] + "."
}

func (e *engine) calls(w http.ResponseWriter, q *question, model string, calls []call, tokens int) {
	if !q.Stream {
		var list []map[string]any
		for i, c := range calls {
			list = append(list, map[string]any{"id": fmt.Sprint(i), "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Arguments}})
		}
		data, _ := json.Marshal(map[string]any{"id": "x", "model": model, "choices": []any{map[string]any{"index": 0, "finish_reason": "tool_calls",
			"message": map[string]any{"role": "assistant", "content": nil, "tool_calls": list}}}, "usage": map[string]any{"prompt_tokens": tokens, "completion_tokens": 9}})
		w.Header().Set("Content-Type", "application/json")
		w.Write(data)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for i, c := range calls {
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":%q,\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":%q,\"arguments\":\"\"}}]}}]}\n\n", model, i, c.Name)
		for _, piece := range c.Arguments { // a character at a time
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":%d,\"function\":{\"arguments\":%s}}]}}]}\n\n", i, quoted(string(piece)))
		}
	}
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":9}}\n\ndata: [DONE]\n\n", tokens)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func suiteOf(t *testing.T, e *engine, only ...string) map[string]artifact.Gate {
	t.Helper()
	no := false
	gates, err := Run(t.Context(), Options{Target: e.start(t), Model: "m", Models: []string{"m"}, Context: 4096, Burst: 8, Thinking: &no, Only: only, Retrieval: []int64{1000}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]artifact.Gate{}
	for _, g := range gates {
		out[g.Name] = g
	}
	return out
}

func TestEverythingRight(t *testing.T) {
	var template atomic.Bool
	gates := suiteOf(t, &engine{before: func(_ int64, q *question) *web {
		if q.Template["enable_thinking"] == false {
			template.Store(true)
		}
		return nil
	}})
	if len(gates) != len(checks) {
		t.Errorf("%d gates", len(gates))
	}
	for name, g := range gates {
		if g.Status != passed || g.Passed == nil || *g.Passed != *g.Tried {
			t.Errorf("%s: %+v", name, g)
		}
	}
	if !template.Load() {
		t.Error("the thinking switch was not sent")
	}
}

func TestFaults(t *testing.T) {
	say := func(text string) *engine { return &engine{answer: func(*question) string { return text }} }
	tool := func(calls ...call) *engine { return &engine{tool: func(*question) []call { return calls }} }
	ticketed := func(format string) *engine {
		return &engine{answer: func(q *question) string {
			m := jsonShape.FindStringSubmatch(q.text)
			return fmt.Sprintf(format, m[1], m[2])
		}}
	}
	for _, c := range []struct {
		name   string
		engine *engine
		check  string
		status string
		says   string
	}{
		{"two objects", ticketed(`{"ticket":%[1]q,"count":%[2]s}{"ticket":%[1]q,"count":%[2]s}`), "structured-json", failed, "a second object"},
		{"a stray think tag", ticketed(`</think>{"ticket":%q,"count":%s}`), "structured-json", failed, "a stray think tag"},
		{"a fence", ticketed("```json\n{\"ticket\":%q,\"count\":%s}\n```"), "structured-json", failed, "a code fence"},
		{"text in front", ticketed(`Sure: {"ticket":%q,"count":%s}`), "structured-json", failed, "in front"},
		{"text behind", ticketed(`{"ticket":%q,"count":%s} done`), "structured-json", failed, "behind"},
		{"a member twice", ticketed(`{"ticket":%[1]q,"count":%[2]s,"count":%[2]s}`), "structured-json", failed, "stands twice"},
		{"another value", ticketed(`{"ticket":%q,"count":"%s"}`), "structured-json", failed, "other values"},
		{"an object cut off", ticketed(`{"ticket":%q,"count":%s`), "structured-json", failed, "does not end"},
		{"an empty answer", say(""), "structured-json", failed, "empty"},
		{"no code", say("I would rather not."), "coding-smoke", failed, "does not parse"},
		{"code of another name", say("func Other(values []int) int { return 1 }"), "coding-smoke", failed, "no function"},
		{"code that does not check", &engine{answer: func(q *question) string {
			return "func " + codeShape.FindStringSubmatch(q.text)[1] + "(values []int) int { return nothing }"
		}}, "coding-smoke", failed, "type-check"},
		{"prose in place of a call", &engine{tool: func(*question) []call { return nil }, answer: func(*question) string { return "look_up_order(T1)" }}, "tool-call", failed, "prose"},
		{"two calls", tool(call{"look_up_order", `{"order":"x"}`}, call{"look_up_order", `{"order":"y"}`}), "tool-call", failed, "2 tool calls"},
		{"another tool", tool(call{"cancel_order", `{}`}), "tool-call", failed, "cancel_order"},
		{"another order", tool(call{"look_up_order", `{"order":"T1"}`}), "tool-call", failed, "another order"},
		{"arguments cut off", tool(call{"look_up_order", `{"order":"T`}), "streaming-tools", failed, "does not end"},
		{"the result is not used", say("I do not know."), "tool-result", failed, "is not in the answer"},
		{"full", &engine{before: func(n int64, _ *question) *web {
			if n > 1 && n%2 == 0 {
				return &web{429, `{"error":{"message":"too many"}}`}
			}
			return nil
		}}, "tool-burst", failed, "4 refused with HTTP 429"},
		{"no Responses API", &engine{refuses: "/responses"}, "responses-api", notRun, "no such path"},
		{"tools not enabled", &engine{before: func(int64, *question) *web {
			return &web{400, `{"error":{"message":"\"auto\" tool choice requires --enable-auto-tool-choice to be set"}}`}
		}}, "tool-call", notRun, "cannot"},
		{"the model is not there", &engine{before: func(int64, *question) *web { return &web{404, `{"error":{"message":"model m not found"}}`} }}, "tool-call", failed, "http-4xx"},
		{"another model answers", &engine{model: "other"}, "model-echo", failed, "other"},
		{"the prompt is cut", &engine{tokens: func(text string) int { return min(len(text)/4, 500) }}, "retrieval", failed, "was the prompt cut"},
		{"nothing is found", say("no idea"), "retrieval", failed, "is not in the answer"},
		{"a long prompt is refused", &engine{before: func(_ int64, q *question) *web {
			if len(q.text) > 4000 {
				return &web{400, `{"error":{"message":"exceeds the context of this model"}}`}
			}
			return nil
		}}, "output-reserve", failed, "exceeds"},
		{"an answer that holds the key", say("s3cret-key"), "tool-result", failed, "[key]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			gates := suiteOf(t, c.engine, c.check)
			for _, g := range gates {
				if g.Status != c.status || !strings.Contains(g.Detail, c.says) {
					t.Errorf("%+v, want %s and %q", g, c.status, c.says)
				}
				if strings.Contains(g.Detail, "s3cret") || len(g.Detail) > mostDetail+4 || (g.Status == notRun) != (g.Tried == nil) {
					t.Errorf("%+v", g)
				}
			}
			if len(gates) != 1 {
				t.Errorf("%d gates", len(gates))
			}
		})
	}
}

// TestAnyModelName: an engine that answers any name has that told, and is not failed for it.
func TestAnyModelName(t *testing.T) {
	e := &engine{before: func(_ int64, q *question) *web { q.Model = "m"; return nil }}
	if g := suiteOf(t, e, "model-echo")["model-echo"]; g.Status != passed || !strings.Contains(g.Detail, "no proof") {
		t.Errorf("%+v", g)
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &engine{before: func(n int64, _ *question) *web {
		if n > 3 {
			cancel()
		}
		return nil
	}}
	gates, err := Run(ctx, Options{Target: e.start(t), Model: "m"})
	if err != nil || len(gates) != len(checks) {
		t.Fatalf("%d gates, %v", len(gates), err)
	}
	last := gates[len(gates)-1]
	if last.Status != notRun || !strings.Contains(last.Detail, "stopped") {
		t.Errorf("%+v", last)
	}
}

func TestOptionFaults(t *testing.T) {
	_, err := Run(t.Context(), Options{Burst: 1000, Only: []string{"magic"}, Retrieval: []int64{3}, API: []load.API{"soap"}, Reserve: -1, Limit: -1})
	for _, want := range []string{"name of the model", "burst", "magic", "retrieval", "soap", "reserve", "limit"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not tell of %q", err, want)
		}
	}
	if !slices.Contains(Names(), "tool-burst") {
		t.Error(Names())
	}
}

func TestFiller(t *testing.T) {
	text := filler("x", 40_000)
	lines := strings.SplitAfter(text, ". ")
	seen := map[string]bool{}
	for _, l := range lines {
		if seen[l] && l != "" {
			t.Fatalf("%q stands twice", l)
		}
		seen[l] = true
	}
	if len(text) < 40_000 || len(text) > 40_200 || text == filler("y", 40_000) {
		t.Errorf("%d characters", len(text))
	}
}
