package bakeoff

import "strings"

// answerMembers are the members of one answer: a check of protocol 1 is its own answer,
// from protocol 2 on it has attempts that are.
var answerMembers = answer("@/checks/*") + answer("@/checks/*/attempts/*")

func answer(at string) string {
	return strings.ReplaceAll(`
#/latency_ms
#/content_excerpt
#/expected
#/text_checks
#/text_checks/*/name
#/text_checks/*/passed
#/arguments
#/arguments/** prose
#/expected_arguments
#/expected_arguments/** configuration
#/expected_function
#/tool_call_count detail
#/valid_tool_call_count detail
#/validation_errors
#/validation_errors/*
`, "#", at)
}

// expand writes a list of members for a place.
func expand(members, at string) string { return strings.ReplaceAll(members, "@", at) }
