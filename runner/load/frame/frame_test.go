package frame_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/runner/load/frame"
	"assay/store/evidence"
)

func n(v int64) evidence.Opt[int64] { return evidence.Some(v) }

// said is a frame as a table can write it.
type said struct {
	Content, Reasoning, Finish, Fault, Code, Model, ID string
	Tools                                              []string
	IDs                                                evidence.Opt[int]
	Usage                                              frame.Usage
	Choices                                            int
}

func text(raw []byte) string { return string(frame.AppendText(nil, raw)) }

func parse(t *testing.T, data string) said {
	t.Helper()
	var f frame.Frame
	if err := f.Parse([]byte(data)); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	s := said{Content: text(f.Content), Reasoning: text(f.Reasoning), Finish: text(f.Finish), Fault: text(f.Fault),
		Code: text(f.FaultCode), Model: text(f.Model), ID: text(f.ID), IDs: f.TokenIDs, Usage: f.Usage, Choices: f.Choices}
	for _, tool := range f.Tools {
		s.Tools = append(s.Tools, strings.Join([]string{text(tool.ID), text(tool.Name), text(tool.Arguments)}, "|"))
	}
	return s
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, data string
		want       said
	}{
		{"role only", `{"choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]}`, said{Choices: 1}},
		{"content with escapes", `{"id":"c1","model":"m\/x","choices":[{"delta":{"content":"a\n\u20ac\ud83d\ude00\""}}]}`,
			said{Choices: 1, Content: "a\n€😀\"", ID: "c1", Model: "m/x"}},
		{"lone surrogate", `{"choices":[{"delta":{"content":"\ud83dx"}}]}`, said{Choices: 1, Content: "\ufffdx"}},
		{"escaped name", `{"choices":[{"delta":{"con\u0074ent":"x"}}]}`, said{Choices: 1, Content: "x"}},
		{"reasoning, both names", `{"choices":[{"delta":{"reasoning":"r","reasoning_content":"r"}}]}`, said{Choices: 1, Reasoning: "r"}},
		{"parts", `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"yes"}]}}]}`,
			said{Choices: 1, Content: "yes", Reasoning: "hm"}},
		{"tool call", `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}}]}`,
			said{Choices: 1, Tools: []string{`t1|f|{"a":1}`}}},
		{"text completion with ids", `{"choices":[{"text":"ab","token_ids":[1,2,3],"prompt_token_ids":[4],"finish_reason":"length"}],"usage":null}`,
			said{Choices: 1, Content: "ab", IDs: evidence.Some(3), Finish: "length"}},
		{"no ids", `{"choices":[{"text":"ab","token_ids":null}]}`, said{Choices: 1, Content: "ab"}},
		{"usage chunk", `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":0}}}`,
			said{Usage: frame.Usage{Prompt: n(9), Output: n(7), Cached: n(4), Reasoning: n(0), Present: true}}},
		{"usage with nothing usable", `{"usage":{"prompt_tokens":-1,"completion_tokens":1.5,"prompt_tokens_details":null,"completion_tokens_details":{"reasoning_tokens":"3"}}}`,
			said{Usage: frame.Usage{Present: true}}},
		{"error object", `{"error":{"message":"too \"hot\"","type":"server_error","code":503}}`, said{Fault: `too "hot"`, Code: "503"}},
		{"error text", `{"error":"no"}`, said{Fault: "no"}},
		{"error as object kind", `{"object":"error","message":"bad","code":400}`, said{Fault: "bad", Code: "400"}},
		{"response text delta", `{"delta":"x","item_id":"i","sequence_number":4,"type":"response.output_text.delta"}`, said{Content: "x"}},
		{"response text done repeats", `{"type":"response.output_text.done","text":"all of it"}`, said{}},
		{"response reasoning", `{"type":"response.reasoning_summary_text.delta","delta":"r"}`, said{Reasoning: "r"}},
		{"response in progress", `{"type":"response.in_progress","response":{"id":"r1","model":"m","status":"in_progress","error":null,"usage":null}}`, said{ID: "r1", Model: "m"}},
		{"response completed", `{"type":"response.completed","response":{"status":"completed","output":[{"content":[{"text":"all"}]}],"usage":{"input_tokens":5,"output_tokens":8,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":2}}}}`,
			said{Finish: "completed", Usage: frame.Usage{Prompt: n(5), Output: n(8), Cached: n(4), Reasoning: n(2), Present: true}}},
		{"response incomplete", `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`, said{Finish: "max_output_tokens"}},
		{"response failed", `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"oom"}}}`, said{Finish: "failed", Fault: "oom", Code: "server_error"}},
		{"response call", `{"type":"response.output_item.added","item":{"type":"function_call","call_id":"k","name":"f","arguments":""}}`, said{Tools: []string{"k|f|"}}},
		{"response call arguments", `{"type":"response.function_call_arguments.delta","delta":"{"}`, said{Tools: []string{"||{"}}},
		{"response call done repeats", `{"type":"response.output_item.done","item":{"type":"function_call","call_id":"k","name":"f","arguments":"{}"}}`, said{}},
		{"response error event", `{"type":"error","code":"rate_limit","message":"slow down"}`, said{Fault: "slow down", Code: "rate_limit"}},
		{"whole chat answer", `{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`,
			said{Choices: 1, Content: "hi", Finish: "stop", Usage: frame.Usage{Prompt: n(1), Output: n(1), Present: true}}},
		{"whole response", `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]},{"type":"function_call","name":"f","call_id":"k","arguments":"{}"}]}`,
			said{Content: "hi", Finish: "completed", Tools: []string{"k|f|{}"}}},
		{"unknown members of every kind", ` { "a" : [ 1 , -2.5e+3 , true , false , null , { } , [ ] , "s" ] , "choices" : 4 } `, said{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parse(t, tt.data)); diff != "" {
				t.Errorf("%s:\n%s", tt.data, diff)
			}
		})
	}
}

func TestTimings(t *testing.T) {
	var f frame.Frame
	if err := f.Parse([]byte(`{"choices":[],"timings":{"cache_n":4,"prompt_n":1,"prompt_ms":0.43,"predicted_n":16,"predicted_ms":4.384,"draft_n":8,"draft_n_accepted":5}}`)); err != nil {
		t.Fatal(err)
	}
	want := frame.Timings{PromptN: n(1), PromptMS: evidence.Some(0.43), PredictedN: n(16), PredictedMS: evidence.Some(4.384), CacheN: n(4), DraftN: n(8), DraftAccepted: n(5), Present: true}
	if diff := cmp.Diff(want, f.Timings); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, bad := range []string{"", "[]", "null", `{`, `{"a"`, `{"a":}`, `{"a":1,}`, `{"a":01}`, `{"a":1.}`, `{"a":"\x"}`, `{"a":"` + "\n" + `"}`,
		`{"a":"\u12"}`, `{"a":1} x`, `{a:1}`, `{"a":tru}`, `{"choices":[{"delta":{"content":"x"}}]`, strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)} {
		var f frame.Frame
		if err := f.Parse([]byte(bad)); err == nil {
			t.Errorf("%.60q is taken", bad)
		}
	}
}

const chunk = `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1796070306,"model":"m","choices":[{"index":0,"delta":{"content":" there"},"finish_reason":null}]}`

func TestNothingIsAllocated(t *testing.T) {
	var f frame.Frame
	data := []byte(chunk)
	if got := testing.AllocsPerRun(100, func() { _ = f.Parse(data) }); got != 0 {
		t.Errorf("%v allocations a chunk", got)
	}
}

// FuzzParse holds the walk against encoding/json: the same inputs are JSON objects (but for
// depth, bad UTF-8 aside), and text decodes to the same string.
func FuzzParse(f *testing.F) {
	f.Add(chunk)
	f.Add(`{"choices":[{"delta":{"content":"\ud83d\ude00\ud83d\u0041\\"},"token_ids":[1]}],"usage":{"prompt_tokens":1}}`)
	f.Add(`{"type":"response.output_text.delta","delta":"x"}`)
	f.Add(`{"error":{"code":1e5},"timings":{"prompt_ms":-0.0e-1}}`)
	f.Fuzz(func(t *testing.T, data string) {
		var fr frame.Frame
		err := fr.Parse([]byte(data))
		valid := json.Valid([]byte(data)) && strings.HasPrefix(strings.TrimLeft(data, " \t\r\n"), "{")
		if deep := strings.Count(data, "[")+strings.Count(data, "{") > 60; deep {
			return
		}
		if (err == nil) != valid {
			t.Fatalf("error %v, encoding/json says valid=%v", err, valid)
		}
		quoted := `"` + string(fr.Content) + `"`
		var want string
		if err == nil && json.Unmarshal([]byte(quoted), &want) == nil {
			if got := strings.ToValidUTF8(text(fr.Content), "\ufffd"); got != strings.ToValidUTF8(want, "\ufffd") && !strings.Contains(want, "\ufffd") {
				t.Fatalf("%s decodes to %q, want %q", quoted, got, want)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var f frame.Frame
	data := []byte(chunk)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_ = f.Parse(data)
	}
}
