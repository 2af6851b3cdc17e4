package workload

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"assay/runner/load"
	"assay/store/evidence"
)

// Bounds of a workload.
const (
	mostSteps   = 64
	mostRepeats = 100
	leastTarget = 16
	mostTokens  = 16 << 20
	mostCap     = 1 << 20
	mostNeedles = 16
	mostSystem  = 64 << 10
	mostTime    = 24 * time.Hour
	// leastCanary is how many tokens an answer needs to hold its code.
	leastCanary = 16
)

var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$`)
	classes   = []string{evidence.ClassShort, evidence.ClassAggregate, evidence.ClassLong, evidence.ClassGeneration}
)

// Check says what is wrong with w, all of it, by the keys of the file.
func (w *Workload) Check() error {
	var errs []error
	want := func(ok bool, at, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(at+": "+format, args...))
		}
	}
	want(plainName.MatchString(w.Name), "name", "%.60q: want letters, digits, dots, dashes and underscores, at most 60", w.Name)
	want(slices.Contains(classes, w.Class), "class", "%.40q is none of %q", w.Class, classes)
	want(slices.Contains([]load.API{load.Chat, load.Completions, load.Responses}, w.API), "api", "%.40q is none of chat, completions, responses", w.API)
	want(w.Seed > -1<<53 && w.Seed < 1<<53, "seed", "%d is beyond what JSON numbers hold exactly", w.Seed)
	want(w.Repeats >= 1 && w.Repeats <= mostRepeats, "repeats", "%d is not within 1 to %d", w.Repeats, mostRepeats)
	want(len(w.Steps) >= 1 && len(w.Steps) <= mostSteps, "steps", "%d of them, want 1 to %d", len(w.Steps), mostSteps)
	names := map[string]bool{}
	for i := range w.Steps {
		at := fmt.Sprintf("steps[%d]", i)
		w.Steps[i].check(w, at, want)
		want(!names[w.Steps[i].Name], at+".name", "%q stands twice", w.Steps[i].Name)
		names[w.Steps[i].Name] = true
	}
	w.prompt(want)
	w.answers(want)
	want(w.Policy.Retries >= 0 && w.Policy.Retries <= 3, "connection.retries", "%d is not within 0 to 3", w.Policy.Retries)
	want(w.Policy.Retries == 0 || w.Policy.Idempotency, "connection.retries", "sending again takes idempotency = true")
	for at, d := range map[string]time.Duration{"connect": w.Limits.Connect, "first_chunk": w.Limits.First, "stall": w.Limits.Stall, "total": w.Limits.Total} {
		want(d >= 0 && d <= mostTime, "limits."+at, "%v is not within 0 to %v", d, mostTime)
	}
	return errors.Join(errs...)
}

type wanting func(ok bool, at, format string, args ...any)

func (s *Step) check(w *Workload, at string, want wanting) {
	want(plainName.MatchString(s.Name), at+".name", "%.60q: want letters, digits, dots, dashes and underscores, at most 60", s.Name)
	want(s.Target >= leastTarget && s.Target <= mostTokens, at+".target", "%d tokens are not within %d to %d", s.Target, leastTarget, mostTokens)
	want(s.Requests >= 0 && s.Requests <= 200_000 && s.Warmup.Requests >= 0 && s.Warmup.Requests <= 200_000, at+".requests", "want 0 to 200000, with the warm-up")
	want(w.Prompt.SharedPrefix < s.Target, "prompt.shared_prefix", "%d tokens do not fit into %s.target = %d", w.Prompt.SharedPrefix, at, s.Target)
	for name, d := range map[string]time.Duration{"duration": s.Duration, "ramp": s.Ramp, "drain": s.Drain} {
		want(d >= 0 && d <= mostTime, at+"."+name, "%v is not within 0 to %v", d, mostTime)
	}
	loops := 0
	for _, is := range []bool{s.Concurrency != 0, s.Arrivals != nil, s.Trace != nil} {
		if is {
			loops++
		}
	}
	if loops != 1 {
		want(false, at, "want one of concurrency (closed loop), rate or trace (open loop), and has %d", loops)
		return
	}
	want(s.Trace == nil || s.Duration == 0 && s.Requests == 0, at+".trace", "a trace ends by itself: neither requests nor duration")
	want(s.Trace != nil || s.Requests != 0 || s.Duration != 0, at, "has neither requests nor a duration")
	if err := w.Plan(*s, 1).Check(); err != nil {
		want(false, at, "%w", err)
	}
}

func (w *Workload) prompt(want wanting) {
	p := &w.Prompt
	want(slices.Contains([]Kind{Prose, Code, Mixed}, p.Kind), "prompt.kind", "%.40q is none of prose, code, mixed", p.Kind)
	want(p.Tolerance >= 0.001 && p.Tolerance <= 0.5, "prompt.tolerance", "%v is not within 0.001 to 0.5", p.Tolerance)
	want(p.SharedPrefix >= 0, "prompt.shared_prefix", "%d is negative", p.SharedPrefix)
	want(len(p.Needles) <= mostNeedles && slices.IsSorted(p.Needles), "prompt.needles", "want at most %d, in order", mostNeedles)
	for i, d := range p.Needles {
		want(d >= 0 && d <= 1, fmt.Sprintf("prompt.needles[%d]", i), "%v is not within 0 to 1", d)
	}
	want(len(p.System) <= mostSystem, "prompt.system", "%d bytes, more than %d", len(p.System), mostSystem)
	want(p.System == "" || w.API != load.Completions, "prompt.system", "completions have no system message")
	want(!p.Canary || w.Output.Cap >= leastCanary || w.Output.Cap < 1, "prompt.canary", "an answer of %d tokens cannot hold its code: want output.cap of %d or more", w.Output.Cap, leastCanary)
}

func (w *Workload) answers(want wanting) {
	o, s, t := &w.Output, &w.Sampling, &w.Thinking
	want(o.Cap >= 1 && o.Cap <= mostCap, "output.cap", "%d tokens are not within 1 to %d", o.Cap, mostCap)
	want(o.Mode == Forced || o.Mode == Natural, "output.mode", "%.40q is neither forced nor natural", o.Mode)
	want(s.Temperature >= 0 && s.Temperature <= 2, "sampling.temperature", "%v is not within 0 to 2", s.Temperature)
	want(s.TopP > 0 && s.TopP <= 1, "sampling.top_p", "%v is not above 0 and at most 1", s.TopP)
	want(s.Seed == nil || *s.Seed >= 0 && *s.Seed < 1<<53, "sampling.seed", "want 0 to 2^53")
	want(t.Effort == "" || plainName.MatchString(t.Effort), "thinking.effort", "%.60q is no word", t.Effort)
	want(t.Tokens >= 0 && t.Tokens <= mostCap, "thinking.tokens", "%d is not within 0 to %d", t.Tokens, mostCap)
	want(w.API != load.Completions || t.Enabled == nil && t.Effort == "", "thinking", "completions have no control of it")
}
