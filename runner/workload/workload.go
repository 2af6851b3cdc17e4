package workload

import (
	"time"

	"assay/runner/load"
	"assay/runner/load/pace"
)

// Workload is what one session asks of an endpoint. It is the same for every arm that is to
// be compared: nothing in it says who serves.
type Workload struct {
	Name    string // a preset's, or the file's
	About   string // one line for people
	Class   string // workload class: evidence.ClassShort and its siblings
	API     load.API
	Seed    int64 // of prompts, arrivals and sampling; everything random follows from it
	Repeats int   // of the whole list of steps, from first to last, one after the other
	Steps   []Step

	Prompt    Prompt
	Output    Output
	Sampling  Sampling
	Thinking  Thinking
	Policy    load.Policy
	Limits    load.Limits
	Preflight Preflight
}

// Step is one shape under which requests are measured.
type Step struct {
	Name        string
	Target      int64 // prompt tokens that a request aims at
	Requests    int   // measured; 0 where Duration ends the step
	Duration    time.Duration
	Concurrency int            // closed loop; 0 in an open one
	Arrivals    *pace.Arrivals // open loop
	Trace       pace.Trace     // open loop, instead of Arrivals
	MaxOpen     int            // open loop
	Warmup      load.Span
	Ramp        time.Duration
	Drain       time.Duration
}

// Kind is what prompts are like.
type Kind string

// Kinds of prompts.
const (
	Prose Kind = "prose" // facts of a made-up archive, sentence by sentence, none repeated
	Code  Kind = "code"  // a source file to be read and continued
	Mixed Kind = "mixed" // prose and code by turns
)

// Prompt says how prompts are made.
type Prompt struct {
	Kind Kind
	// Tolerance is how far the tokens that the endpoint reports may lie from the target, as a
	// share of it. Outside it the step has failed and its gate says so.
	Tolerance float64
	// SharedPrefix is how many tokens all prompts of a repeat begin with in common; 0: they
	// differ from the first token on.
	SharedPrefix int64
	// Needles are depths, 0 to 1, at which a fact to be retrieved is hidden; the answer is
	// not scored here, the preflight does that.
	Needles []float64
	Canary  bool   // each request carries a code of its own that its answer must hold
	System  string // a system message of its own; "" for none
}

// Mode is how answers end.
type Mode string

// Modes of completion.
const (
	Forced  Mode = "forced"  // exactly Cap tokens: ignore_eos and min_tokens, verified by usage
	Natural Mode = "natural" // when the model ends them, Cap at most
)

// Output says how long answers are.
type Output struct {
	Cap  int64
	Mode Mode
}

// Sampling are the parameters that every request carries.
type Sampling struct {
	Temperature float64
	TopP        float64
	Seed        *int64 // nil: none is sent
}

// Thinking is what is asked of a reasoning model.
type Thinking struct {
	Enabled *bool // nil: nothing is sent and the model's own way stands
	Effort  string
	// Tokens are headroom for reasoning on top of Output.Cap; 0 for none.
	Tokens int64
}

// Preflight is which functional checks run before the first step.
type Preflight struct {
	Skip      bool
	Only      []string
	Burst     int
	Retrieval []int64
	Reserve   int64
}
