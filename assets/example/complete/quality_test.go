package complete_test

import "fmt"

const repetitions = 3

func budget(n int) object {
	return object{{"visible_answer_tokens", n}, {"reasoning_headroom_tokens", 0}, {"max_completion_tokens", n}, {"legacy_max_tokens_as_visible", false}}
}

// repeated is one check with its attempts.
func repeated(a arm, d draw, id string, prompt, completion int, extra object) object {
	attempts := make(list, repetitions)
	for i := range repetitions {
		n := completion + d.IntN(3)
		latency := float64(prompt)/a.prefill*1000 + float64(n)/(a.decode*1.18)*1000
		attempt := object{{"attempt", i + 1}, {"status", "passed"}, {"latency_ms", ms(d.around(latency+20, 0.01))}, {"finish_reason", "stop"}, {"failure_class", nil},
			{"content", ""}, {"content_excerpt", ""}, {"reasoning_chars", 0}, {"reasoning_excerpt", ""}, {"reasoning_field", nil}, {"reasoning_tokens", nil},
			{"usage", usage(prompt, n)}, {"budget", budget(512)}}
		attempts[i] = append(attempt, extra...)
	}
	return object{{"id", id}, {"status", "passed"}, {"pass_count", repetitions}, {"attempt_count", repetitions}, {"pass_rate", 1.0}, {"required_pass_rate", 1.0}, {"attempts", attempts}}
}

// section is a list of checks that all passed.
func section(checks ...object) object {
	all := make(list, len(checks))
	for i, c := range checks {
		all[i] = c
	}
	return object{{"status", "passed"}, {"checks", all}}
}

// quality is what the arm answered, three times each.
func quality(a arm, control file, suites []file) object {
	d := newDraw(a.seed, 201)
	long := longPrompt(a, d)
	words := func(n int) object {
		return object{{"text_checks", list{object{{"name", fmt.Sprintf("expected_%d", n)}, {"passed", true}}}}}
	}
	called := object{{"arguments", object{{"city", "Lisbon"}}}, {"tool_call_count", 1}, {"valid_tool_call_count", 1}, {"validation_errors", list{}}}
	var science, plans []object
	for i := range 10 {
		science = append(science, repeated(a, d, fmt.Sprintf("science-%02d", i+1), 96+7*i, 2, nil))
	}
	for i := range 4 {
		plans = append(plans, repeated(a, d, fmt.Sprintf("plan-%02d", i+1), 812+64*i, 240, words(i+1)))
	}
	suite := func(checks []object, class string, from file) object {
		return append(section(checks...), member{"source", from.name}, member{"source_sha256", from.sha256()}, member{"date", "2026-09-01"}, member{"work_class", class},
			member{"evidence_use", "diagnostic"}, member{"validator_strength", "exact"})
	}
	return object{
		{"schema", "anvil-serving.fast-tier-bakeoff/v1"}, {"run_id", "fast-bakeoff-20260902T110000Z"},
		{"identity", object{{"candidate_id", a.name}, {"config_id", a.recipe}, {"model", a.name}, {"base_url", baseURL},
			{"engine", engine}, {"gpu", card}, {"started_at", "2026-09-02T11:00:00Z"}}},
		{"source_recipe", object{{"ref", nil}, {"serve_command", nil}}},
		{"selection", object{{"suites", list{"chat", "context", "intelligence", "session", "tool", "example-science-10", "example-planning-4"}}, {"context_targets", list{contextTarget}},
			{"requests_per_context", 1}, {"endpoint_already_loaded", true}}},
		{"evaluation_protocol", object{{"version", 3}, {"repetitions", repetitions}, {"minimum_comparable_repetitions", 3}, {"minimum_pass_rate", 1.0},
			{"visible_answer_tokens", 512}, {"reasoning_headroom_tokens", 0}, {"budget_semantics", "one cap for the whole answer, thinking included"},
			{"records_finish_reason", true}, {"records_full_visible_answer", true}, {"records_reasoning_channel_metadata", true}}},
		{"timing", object{{"wall_ms", 214000.0 / (a.decode / 25)}, {"chat", long.chat()}}},
		{"context", object{{"max_model_len", served}, {"cap_tokens", served - outputCap}, {"targets", list{long.row()}}}},
		{"intelligence", section(repeated(a, d, "exact-diff", 54, 61, words(1)), repeated(a, d, "triage", 71, 88, words(2)), repeated(a, d, "units", 48, 24, words(3)))},
		{"tool", section(repeated(a, d, "single-call", 214, 24, called))},
		{"session", section(repeated(a, d, "recall", 121, 9, nil))},
		{"voice", object{{"status", "not_run"}, {"llm_latency_ms", nil}, {"stt_latency_ms", nil}, {"tts_latency_ms", nil}, {"total_turn_latency_ms", nil}}},
		{"suites", object{{"example-science-10", suite(science, "reasoning", suites[0])}, {"example-planning-4", suite(plans, "planning", suites[1])}}},
		{"thinking", object{{"mode", "disabled"}, {"unsupported", false}, {"chat_template_kwargs", object{{"enable_thinking", false}}},
			{"control_mechanism", "chat_template_kwargs"}, {"control_requested", object{{"enable_thinking", false}}}, {"control_status", "verified"},
			{"control_evidence", control.name}, {"control_evidence_sha256", control.sha256()}, {"reasoning_effort", nil}}},
		{"score_inputs", object{{"ttft_p50_ms", long.ttft}, {"e2e_p50_ms", long.e2e}, {"intelligence_pass_rate", 1.0}, {"session_recall_passed", true},
			{"tool_call_passed", true}, {"thinking_mode", "disabled"}, {"usable_context_tokens", contextTarget}, {"voice_latency_ms", nil},
			{"operational_fit_notes", list{}}}},
		{"failures", list{}},
	}
}

// contextTarget is the length of the one long prompt.
const contextTarget = 65536

// longPrompt is one request with a long prompt. Times are milliseconds.
func longPrompt(a arm, d draw) request {
	q := request{prompt: 61240, output: 48}
	q.ttft = ms(float64(q.prompt) / d.around(a.prefill*0.82, 0.01) * 1000)
	q.generation = ms(float64(q.output-1) / d.around(a.decode, 0.01) * 1000)
	q.e2e = ms(q.ttft + q.generation)
	return q
}

func (q request) row() object {
	return object{{"target_tokens", contextTarget}, {"clamped_tokens", contextTarget}, {"attempted_context_tokens", contextTarget},
		{"estimated_prompt_tokens", contextTarget}, {"chars_per_token", 3.0}, {"status", "passed"}, {"ttft_ms", q.ttft}, {"e2e_ms", q.e2e},
		{"output_tokens", q.output}, {"usage", usage(q.prompt, q.output)}}
}

// chat sums up the one request.
func (q request) chat() object {
	return object{{"ttft_p50_ms", q.ttft}, {"ttft_p95_ms", q.ttft}, {"e2e_p50_ms", q.e2e}, {"e2e_p95_ms", q.e2e}, {"output_tokens", q.output}}
}

// The suites that quality was asked with.
func scienceSuite() object {
	var evals list
	for i, q := range []string{"boils first at sea level", "is heavier for its size", "needs light to grow", "moves a tide", "bends light most",
		"rusts in damp air", "carries heat best", "falls fastest without air", "is a mixture", "stores the most energy by weight"} {
		evals = append(evals, object{{"id", fmt.Sprintf("science-%02d", i+1)}, {"prompt", "Which of the four " + q + "? Answer with one letter."}})
	}
	return object{{"suite", "example-science-10"}, {"date", "2026-09-01"}, {"work_class", "reasoning"}, {"evals", evals}}
}

func planningSuite() object {
	var evals list
	for i, q := range []string{"moving a service to another card", "a week of backups", "a release with a rollback", "retiring an old image"} {
		evals = append(evals, object{{"id", fmt.Sprintf("plan-%02d", i+1)}, {"prompt", "Write a plan in five steps for " + q + "."}})
	}
	return object{{"suite", "example-planning-4"}, {"date", "2026-09-01"}, {"work_class", "planning"}, {"evals", evals}}
}
