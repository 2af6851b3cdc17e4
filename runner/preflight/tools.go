package preflight

import (
	"fmt"
	"strings"
	"sync"

	"assay/ingest/artifact"
	"assay/runner/load"
)

// orderTool is the only tool there is.
func orderTool() []map[string]any {
	return []map[string]any{{"type": "function", "function": map[string]any{
		"name": "look_up_order", "description": "Looks up an order by its number and returns its state.",
		"parameters": map[string]any{"type": "object", "additionalProperties": false, "required": []string{"order"},
			"properties": map[string]any{"order": map[string]any{"type": "string", "description": "the order's number"}}}}}}
}

// called says what is wrong with a reply that should be one call for this order.
func (s *suite) called(r reply, order string) verdict {
	if v, ok := s.fault(r); !ok {
		return v
	}
	switch {
	case len(r.Tools) == 0 && cut(r):
		return wrong("the answer was cut before it called the tool: %s", s.quote(r.text))
	case len(r.Tools) == 0:
		return wrong("prose in place of a tool call: %s", s.quote(r.text))
	case len(r.Tools) > 1:
		return wrong("%d tool calls in place of one", len(r.Tools))
	case r.Tools[0].Name != "look_up_order":
		return wrong("it calls %s", s.quote(r.Tools[0].Name))
	}
	arguments := string(r.Tools[0].Arguments)
	got, fault := oneObject(arguments)
	switch {
	case fault != "":
		return wrong("arguments: %s: %s", fault, s.quote(arguments))
	case len(got) != 1 || got["order"] != `"`+order+`"`:
		return wrong("arguments of another order than %s: %s", order, s.quote(arguments))
	}
	return verdict{}
}

func (s *suite) toolBody(prefix, order string, stream bool) map[string]any {
	b := s.body(user(prefix + "What is the state of order " + order + "? Use the tool."))
	b["tools"], b["tool_choice"] = orderTool(), "auto"
	if stream {
		b["stream"], b["stream_options"] = true, map[string]any{"include_usage": true}
	}
	return b
}

func (s *suite) toolCall() artifact.Gate {
	return tries(usual, "one tool call with the right arguments", func(i int) verdict {
		order := ticket("tool", i)
		return s.called(s.ask(load.Chat, s.toolBody("", order, false), 0), order)
	})
}

// streamingTools: arguments come in pieces and are put together.
func (s *suite) streamingTools() artifact.Gate {
	return tries(usual, "one streamed tool call whose pieces are the right arguments", func(i int) verdict {
		order := ticket("stream", i)
		r := s.ask(load.Chat, s.toolBody("", order, true), 0)
		if v := s.called(r, order); v != (verdict{}) {
			return v
		}
		if !r.Streamed {
			return wrong("it was asked to stream and did not")
		}
		return verdict{}
	})
}

// toolResult: the second turn must use what the tool returned.
func (s *suite) toolResult() artifact.Gate {
	return tries(usual, "the answer holds what the tool returned", func(i int) verdict {
		order, state := ticket("result", i), ticket("state", i)
		call := map[string]any{"role": "assistant", "content": nil, "tool_calls": []map[string]any{{"id": "call_1", "type": "function",
			"function": map[string]any{"name": "look_up_order", "arguments": fmt.Sprintf(`{"order":%q}`, order)}}}}
		b := s.body(user("What is the state of order "+order+"? Use the tool, then tell me the state word for word."), call,
			map[string]any{"role": "tool", "tool_call_id": "call_1", "content": "state " + state})
		b["tools"] = orderTool()
		r := s.ask(load.Chat, b, 0)
		if v, ok := s.fault(r); !ok {
			return v
		}
		if !strings.Contains(r.text, state) {
			return wrong("the state %s is not in the answer: %s", state, s.quote(r.text))
		}
		return verdict{}
	})
}

// burstPrefix is how many sentences all requests of the burst begin with.
const burstPrefix = 60

// toolBurst sends many requests at once that begin alike: each must call the tool for its
// own order.
func (s *suite) toolBurst() artifact.Gate {
	if v := s.called(s.ask(load.Chat, s.toolBody("", ticket("burst", -1), false), 0), ticket("burst", -1)); v.cannot != "" {
		return artifact.Gate{Status: notRun, Detail: clip(v.cannot, mostDetail)}
	}
	prefix := filler("burst", burstPrefix*60)
	verdicts, refused := make([]verdict, s.Burst), make([]bool, s.Burst)
	var open sync.WaitGroup
	for i := range s.Burst {
		open.Go(func() {
			order := ticket("burst", i)
			r := s.ask(load.Chat, s.toolBody(prefix, order, true), burstPrefix*15)
			verdicts[i], refused[i] = s.called(r, order), r.Status == 429
		})
	}
	open.Wait()
	good, full, first := 0, 0, ""
	for i, v := range verdicts {
		switch {
		case v == verdict{}:
			good++
		case first == "":
			first = fmt.Sprintf("request %d: %s", i+1, v.fault+v.cannot)
		}
		if refused[i] {
			full++
		}
	}
	g := counted(good, s.Burst, fmt.Sprintf("requests at once called the tool for their own order, %d were refused with HTTP 429", full), first)
	if g.Status == failed {
		g.Detail = clip(fmt.Sprintf("%d refused with HTTP 429; ", full)+g.Detail, mostDetail)
	}
	return g
}
