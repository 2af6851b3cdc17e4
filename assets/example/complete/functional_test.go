package complete_test

import "fmt"

// thinking is the block that every functional file has.
func thinking() object {
	return object{{"mode", "disabled"}, {"reasoning_effort", nil}, {"chat_template_kwargs", object{{"enable_thinking", false}}}}
}

func usage(prompt, completion int) object {
	return object{{"prompt_tokens", prompt}, {"completion_tokens", completion}, {"total_tokens", prompt + completion}, {"prompt_tokens_details", nil}}
}

// observation is one request of a preflight. index below 0 is none.
type observation struct {
	test               string
	index              int
	prompt, completion int
	content, detail    string
	finish             string
}

func (o observation) document(a arm, d draw) object {
	seconds := float64(o.prompt)/a.prefill + float64(o.completion)/(a.decode*1.18)
	out := object{{"test", o.test}}
	if o.index >= 0 {
		out = append(out, member{"request_index", o.index})
	}
	return append(out, member{"seconds", float64(int(d.around(seconds+0.02, 0.01)*1000)) / 1000}, member{"passed", true}, member{"finish_reason", o.finish},
		member{"content", o.content}, member{"content_chars", len(o.content)}, member{"content_excerpt", o.content},
		member{"reasoning_field", nil}, member{"reasoning_chars", 0}, member{"reasoning_excerpt", ""}, member{"reasoning_tokens", nil},
		member{"usage", usage(o.prompt, o.completion)}, member{"validation_detail", o.detail})
}

// check is a named result with its requests.
type check struct {
	key, name, detail string
	observations      []observation
}

func checked(a arm, seed uint64, budget int, checks []check) object {
	var keys, results, observations list
	d := newDraw(a.seed, seed)
	for _, c := range checks {
		keys = append(keys, c.key)
		results = append(results, object{{"name", c.name}, {"passed", true}, {"detail", c.detail}})
		for _, o := range c.observations {
			observations = append(observations, o.document(a, d))
		}
	}
	return object{
		{"schema_version", "preflight/v2"}, {"base_url", baseURL}, {"model", a.name}, {"thinking", thinking()},
		{"budget", object{{"visible_answer_tokens", budget}, {"reasoning_headroom_tokens", 0}, {"max_completion_tokens", budget}}},
		{"checks", keys}, {"results", results}, {"observations", observations},
		{"evidence_policy", object{{"reasoning", "forbidden"}, {"allowed_finish_reasons", list{"stop", "tool_calls"}}, {"errors", list{}}}},
		{"passed", true},
	}
}

func one(test string, prompt, completion int, content, detail, finish string) []observation {
	return []observation{{test, -1, prompt, completion, content, detail, finish}}
}

func tools(test string, n, prompt int) (out []observation) {
	for i := range n {
		out = append(out, observation{test, i, prompt + i, 24, "", "one valid call of city_time", "tool_calls"})
	}
	return out
}

// preflight asks what a client would.
func preflight(a arm) object {
	return checked(a, 101, 512, []check{
		{"smoke", "smoke (short coding)", "the answer has the call that was asked for", one("smoke", 31, 44, "def total(xs):\n    return sum(xs)", "has sum(", "stop")},
		{"json", "structured JSON", "one object, with the keys that were asked for", one("json", 47, 17, `{"lang": "go", "ok": true}`, "keys lang, ok", "stop")},
		{"needle", "needle @ ~64000 ctx", "found at 64000", one("needle", 61212, 12, "COBALT-2291-MAPLE", "the needle came back", "stop")},
		{"tools", "shared-prefix tool batch x20", "20/20 clean", tools("tools", 20, 5301)},
		{"streaming-tools", "streaming tool call", "arguments were whole at the end of the stream", one("streaming-tools", 318, 24, "", "one valid call of city_time", "tool_calls")},
		{"tool-result", "tool-result continuation", "the answer uses the result of the tool", one("tool-result", 402, 21, "It is 14:05 in Lisbon.", "names the time", "stop")},
		{"responses", "Responses API subset", "status completed", one("responses", 36, 9, "Understood.", "completed", "stop")},
		{"canaries", "request isolation canaries x24", "24/24 canaries came back to their own request", canaries(24)},
	})
}

func canaries(n int) (out []observation) {
	for i := range n {
		word := fmt.Sprintf("CANARY-%02d-%04d", i, 7919*(i+3)%10000)
		out = append(out, observation{"canaries", i, 3606, 14, word, "its own canary and no other", "stop"})
	}
	return out
}

// endurance holds tools and long prompts over many turns that were truly taken.
func endurance(a arm) object {
	var turns []observation
	for i := range 40 {
		turns = append(turns, observation{"multi-turn", i, 1480 + i*905, 118, fmt.Sprintf("Turn %d of the plan is done.", i+1), "follows from the turn before", "stop"})
	}
	return checked(a, 102, 1024, []check{
		{"multi-turn", "multi-turn endurance x40", "40/40 turns of one live session, none filled in", turns},
		{"long-tools", "long-context tool batch x8", "8/8 clean at 100000 actual prompt tokens and more", tools("long-tools", 8, 104220)},
	})
}

// thinkingControl proves that thinking was off.
func thinkingControl(a arm) object {
	return object{{"schema", "anvil-serving.control-evidence/v1"}, {"status", "verified"}, {"control_mechanism", "chat_template_kwargs"},
		{"source", "no answer of the preflight of " + a.name + " came with reasoning"}, {"observed_at", "2026-09-02T07:40:00Z"}}
}
