package measure

import (
	"fmt"
	"math"
	"slices"

	"assay/ingest/artifact"
	"assay/runner/workload"
)

// Names of the gates that a repeat has beside those of the functional suite.
const (
	gatePrompts  = "prompt-tokens"
	gateForced   = "forced-output"
	gateCanaries = "canaries"
	gateThinking = "thinking-control"
	gateRequests = "requests"
)

const (
	passed     = "passed"
	failed     = "failed"
	notRun     = "not run"
	mostDetail = 600
	measure    = "measure"
)

// seen is what the measured requests of a repeat brought.
type seen struct {
	rows      []artifact.Request // due in the measured window
	completed []artifact.Request
	prompt    []int64 // tokens of completed requests whose prompt was counted
	output    []int64 // likewise of answers
	cached    int64   // prompt tokens out of a cache
	cachedOf  int64   // of so many prompt tokens, where the engine says both
	cachedN   int
	atCap     int
	reasoned  int // answers with reasoning in them
	canaries  map[string]int
}

func look(rows []artifact.Request, most int64) *seen {
	v := &seen{canaries: map[string]int{}}
	for _, r := range rows {
		if r.Window != measure {
			continue
		}
		v.rows = append(v.rows, r)
		if r.Error != "" || r.End == nil {
			continue
		}
		v.completed = append(v.completed, r)
		v.canaries[r.Canary]++
		if r.PromptTokens != nil {
			v.prompt = append(v.prompt, *r.PromptTokens)
			if r.CachedTokens != nil {
				v.cached += *r.CachedTokens
				v.cachedOf += *r.PromptTokens
				v.cachedN++
			}
		}
		if r.OutputTokens != nil {
			v.output = append(v.output, *r.OutputTokens)
			if *r.OutputTokens >= most {
				v.atCap++
			}
		}
		if r.Reasoning != nil || r.ReasoningTokens != nil && *r.ReasoningTokens > 0 {
			v.reasoned++
		}
	}
	return v
}

// gates judges what the workload promised against what came.
func (v *seen) gates(w *workload.Workload, step *workload.Step) []artifact.Gate {
	out := []artifact.Gate{v.requests(), v.prompts(w, step)}
	if w.Prompt.Canary {
		out = append(out, v.isolation())
	}
	if w.Output.Mode == workload.Forced {
		out = append(out, v.forced(w))
	}
	if w.Thinking.Enabled != nil {
		out = append(out, v.thinking(*w.Thinking.Enabled))
	}
	return out
}

func gate(name string, good, of int, format string, args ...any) artifact.Gate {
	g := artifact.Gate{Name: name, Status: passed, Detail: clip(fmt.Sprintf(format, args...), mostDetail)}
	switch {
	case of == 0:
		g.Status, g.Detail = notRun, "no request of the measured window completed"
		return g
	case good < of:
		g.Status = failed
	}
	p, t := int64(good), int64(of)
	g.Passed, g.Tried = &p, &t
	return g
}

func (v *seen) requests() artifact.Gate {
	if len(v.rows) == 0 {
		return artifact.Gate{Name: gateRequests, Status: notRun, Detail: "no request was due in the measured window"}
	}
	return gate(gateRequests, len(v.completed), len(v.rows), "%d of %d requests completed", len(v.completed), len(v.rows))
}

// prompts: an endpoint that counts no prompt tokens cannot be held to a target.
func (v *seen) prompts(w *workload.Workload, step *workload.Step) artifact.Gate {
	good := 0
	for _, n := range v.prompt {
		if math.Abs(float64(n-step.Target)) <= w.Prompt.Tolerance*float64(step.Target) {
			good++
		}
	}
	if len(v.prompt) == 0 {
		return gate(gatePrompts, 0, len(v.completed), "the engine counted the tokens of no prompt")
	}
	return gate(gatePrompts, good, len(v.completed), "%d of %d prompts are within %g of %d tokens; counted were %d to %d",
		good, len(v.completed), w.Prompt.Tolerance, step.Target, slices.Min(v.prompt), slices.Max(v.prompt))
}

// isolation: a code that came back in another request's answer is worse than one that did
// not come back.
func (v *seen) isolation() artifact.Gate {
	g := gate(gateCanaries, v.canaries["found"], len(v.completed), "%d of %d codes came back in their own answer, %d are missing, %d answers hold the code of another request",
		v.canaries["found"], len(v.completed), v.canaries["missing"], v.canaries["foreign"])
	return g
}

func (v *seen) forced(w *workload.Workload) artifact.Gate {
	want, good := most(w), 0
	for _, n := range v.output {
		if n == want {
			good++
		}
	}
	return gate(gateForced, good, len(v.completed), "%d of %d answers have exactly %d tokens by the engine's own count", good, len(v.completed), want)
}

func (v *seen) thinking(enabled bool) artifact.Gate {
	good, word := v.reasoned, "with"
	if !enabled {
		good, word = len(v.completed)-v.reasoned, "without"
	}
	return gate(gateThinking, good, len(v.completed), "%d of %d answers came %s reasoning, as was asked", good, len(v.completed), word)
}

// most is what requests set as the most tokens of an answer.
func most(w *workload.Workload) int64 { return w.Output.Cap + w.Thinking.Tokens }

func total(list []int64) (sum float64) {
	for _, n := range list {
		sum += float64(n)
	}
	return sum
}
