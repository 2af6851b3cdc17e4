package preflight

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/ingest/artifact"
	"assay/runner/load"
)

// check is one functional check.
type check struct {
	name string
	api  load.API
	run  func(*suite) artifact.Gate
}

// checks in the order in which they run: what others build upon comes first.
var checks = []check{
	{"model-echo", load.Chat, (*suite).modelEcho},
	{"coding-smoke", load.Chat, (*suite).codingSmoke},
	{"structured-json", load.Chat, (*suite).structuredJSON},
	{"tool-call", load.Chat, (*suite).toolCall},
	{"streaming-tools", load.Chat, (*suite).streamingTools},
	{"tool-result", load.Chat, (*suite).toolResult},
	{"tool-burst", load.Chat, (*suite).toolBurst},
	{"responses-api", load.Responses, (*suite).responses},
	{"retrieval", load.Chat, nil}, // a gate for each length
	{"output-reserve", load.Chat, (*suite).outputReserve},
}

// Names are the names of all checks.
func Names() []string {
	var out []string
	for _, c := range checks {
		out = append(out, c.name)
	}
	return out
}

// suite is the checks while they run.
type suite struct {
	Options
	ctx    context.Context
	client *load.Client
	clock  load.Clock
	ratio  float64 // characters to a token of the filler, as the last answer showed
}

// Run asks an endpoint everything and gives a gate for each check. An error means that
// nothing could be asked; what an endpoint does wrong is in its gates.
func Run(ctx context.Context, o Options) ([]artifact.Gate, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.fill()
	target := o.Target
	target.Limits.Bytes, target.Limits.Event = 16<<20, 1<<20
	target.Limits.Text = mostAnswer
	client, err := load.NewClient(target, fmt.Sprintf("assay-preflight-%d", o.Now().UnixMilli()))
	if err != nil {
		return nil, fmt.Errorf("preflight: %w", err)
	}
	defer client.Close()
	s := &suite{Options: o, ctx: ctx, client: client, clock: load.NewClock(time.Now()), ratio: 4}
	list := s.list()
	gates := make([]artifact.Gate, 0, len(list))
	for _, c := range list {
		g := artifact.Gate{Name: c.name, Status: notRun}
		switch {
		case ctx.Err() != nil:
			g.Detail = "the suite was stopped"
		case !o.has(c.api):
			g.Detail = fmt.Sprintf("the API %s is not to be tried", c.api)
		default:
			g = c.run(s)
			g.Name = c.name
			if ctx.Err() != nil && g.Status != passed {
				g = artifact.Gate{Name: c.name, Status: notRun, Detail: "the suite was stopped"}
			}
		}
		gates = append(gates, g)
		o.Progress(len(gates), len(list), g)
	}
	return gates, nil
}

// list is what is to be run, retrieval once for each length.
func (s *suite) list() []check {
	var out []check
	for _, c := range checks {
		if len(s.Only) > 0 && !slices.Contains(s.Only, c.name) {
			continue
		}
		if c.name != "retrieval" {
			out = append(out, c)
			continue
		}
		for _, n := range s.Retrieval {
			out = append(out, check{fmt.Sprintf("retrieval-%d", n), c.api, func(s *suite) artifact.Gate { return s.retrieval(n) }})
		}
	}
	return out
}

const (
	passed = "passed"
	failed = "failed"
	notRun = "not run"
)

// verdict of one try: right when both texts are empty.
type verdict struct {
	fault  string // what was wrong
	cannot string // why nobody can say
}

func wrong(format string, args ...any) verdict { return verdict{fault: fmt.Sprintf(format, args...)} }

// tries carries out a check several times and counts. The first try that cannot be judged
// ends it.
func tries(n int, right string, try func(i int) verdict) artifact.Gate {
	good := 0
	first := ""
	for i := range n {
		v := try(i)
		switch {
		case v.cannot != "" && i == 0:
			return artifact.Gate{Status: notRun, Detail: clip(v.cannot, mostDetail)}
		case v.cannot != "":
			v.fault = v.cannot
			fallthrough
		case v.fault != "":
			if first == "" {
				first = fmt.Sprintf("try %d: %s", i+1, v.fault)
			}
		default:
			good++
		}
	}
	return counted(good, n, right, first)
}

func counted(good, n int, right, first string) artifact.Gate {
	p, t := int64(good), int64(n)
	g := artifact.Gate{Status: passed, Detail: fmt.Sprintf("%d of %d: %s", good, n, right), Passed: &p, Tried: &t}
	if good < n {
		g.Status = failed
		g.Detail = clip(fmt.Sprintf("%d of %d are right; %s", good, n, first), mostDetail)
	}
	return g
}
