package preflight

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/ingest/artifact"
	"assay/runner/load"
)

// Options of one suite.
type Options struct {
	Target load.Target
	Model  string     // as requests name it
	Models []string   // what the endpoint lists; nil: it was not asked or did not say
	API    []load.API // to try; nil: all

	// Context is the served context in tokens, prompt and answer together; 0: not known.
	Context   int64
	Retrieval []int64 // prompt tokens, a gate for each; none: two gates, at 1024 and at half the context
	Burst     int     // requests at once; 0: 20
	Reserve   int64   // tokens of answer that a prompt near the context leaves room for; 0: an eighth of it, 8192 at most

	Only     []string // names of checks; nil: all
	Thinking *bool    // sent as the chat template's switch; nil: left to the engine
	Effort   string   // sent as reasoning effort; "" for none
	// Limit is how long one short request may take; 0: 5 minutes. Long prompts get 10 ms
	// more for each of their tokens.
	Limit time.Duration

	Progress func(done, of int, g artifact.Gate) // called after each gate, by the goroutine of Run
	Now      func() time.Time
}

// Bounds of a suite.
const (
	mostBurst   = 256
	mostTokens  = 16 << 20
	mostTargets = 32
	mostName    = 300 // of the model; records keep no more of what answers say
	mostLimit   = time.Hour
	usualLimit  = 5 * time.Minute
	perToken    = 10 * time.Millisecond
)

func (o *Options) check() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("preflight: "+format, args...))
	}
	if o.Model == "" || len(o.Model) > mostName {
		bad("the name of the model has %d bytes, want 1 to %d", len(o.Model), mostName)
	}
	for _, a := range o.API {
		if !slices.Contains(apis, a) {
			bad("there is no API %q", a)
		}
	}
	if o.Burst < 0 || o.Burst > mostBurst {
		bad("a burst of %d is not within 1 to %d", o.Burst, mostBurst)
	}
	if len(o.Retrieval) > mostTargets {
		bad("%d retrieval lengths, more than %d", len(o.Retrieval), mostTargets)
	}
	for _, n := range o.Retrieval {
		if n < leastRetrieval || n > mostTokens {
			bad("retrieval at %d tokens is not within %d to %d", n, leastRetrieval, mostTokens)
		}
	}
	if o.Context < 0 || o.Context > mostTokens {
		bad("a context of %d tokens is not within 0 to %d", o.Context, mostTokens)
	}
	if o.Reserve < 0 || o.Context > 0 && o.Reserve >= o.Context {
		bad("a reserve of %d tokens does not fit into a context of %d", o.Reserve, o.Context)
	}
	for _, name := range o.Only {
		if !slices.Contains(Names(), name) {
			bad("there is no check %q (there are %s)", name, strings.Join(Names(), ", "))
		}
	}
	if o.Limit < 0 || o.Limit > mostLimit {
		bad("a limit of %v for one request is not within 0 to %v", o.Limit, mostLimit)
	}
	return errors.Join(errs...)
}

var apis = []load.API{load.Chat, load.Completions, load.Responses}

func (o *Options) fill() {
	if o.API == nil {
		o.API = apis
	}
	if o.Burst == 0 {
		o.Burst = 20
	}
	if o.Reserve == 0 {
		o.Reserve = min(o.Context/8, 8192)
	}
	if o.Retrieval == nil {
		o.Retrieval = []int64{1024}
		if half := o.Context / 2; half > 1024 {
			o.Retrieval = append(o.Retrieval, half)
		}
	}
	if o.Limit == 0 {
		o.Limit = usualLimit
	}
	if o.Progress == nil {
		o.Progress = func(int, int, artifact.Gate) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

func (o *Options) has(a load.API) bool { return slices.Contains(o.API, a) }
