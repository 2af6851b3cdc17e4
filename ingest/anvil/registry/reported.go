package registry

import (
	"cmp"
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// candidate reads a recipe that somebody else runs, with what they say it gave.
func (g *registry) candidate(v lift.Val) {
	if !v.Is(jsondoc.Object) {
		g.Find(evidence.Warning, lift.CodeNotText, v, "a candidate was expected")
		return
	}
	for _, name := range []string{"reported_results", "reported_result"} {
		if results := v.Get(name); results.Is(jsondoc.Object) {
			g.reported(cmp.Or(v.Get("id").Str(), v.Get("title").Str(), "candidate"), v, results, v.Get("configuration"))
		}
	}
}

// lead reads one report.
func (g *registry) lead() {
	g.reported(cmp.Or(g.Top.Path("runtime", "model").Str(), g.Top.Path("thread", "title").Str(), "lead"), g.Top, g.Top.Get("reported_result"),
		g.Top.Get("runtime"), g.Top.Get("settings"), g.Top.Get("reported_hardware"))
}

// reported makes an external arm of a block of figures; the other blocks say of what.
func (g *registry) reported(name string, at, results lift.Val, said ...lift.Val) {
	r := &reported{registry: g, results: results, runs: map[string]*lift.Run{}}
	for member, m := range results.Members() {
		if w, load, ok := figureNamed(member); ok && m.Is(jsondoc.Number) {
			if r.arm == nil {
				r.arm = g.NewArm(name, at)
			}
			g.external = true
			g.Lift(r.run(load), m, w)
		}
	}
	if r.arm == nil {
		return
	}
	for _, block := range said {
		if block.Is(jsondoc.Object) {
			tokens := block.P.Tokens()
			g.Block(strings.TrimPrefix(tokens[len(tokens)-1], "reported_"), block, &r.arm.Facts)
		}
	}
}

// reported is a block of figures and the runs made of it, by load.
type reported struct {
	*registry
	results lift.Val
	arm     *lift.Arm
	runs    map[string]*lift.Run
}

// load is what the name of a figure says of the load and the state it belongs to.
type load struct {
	concurrency, context, state string
}

func (r *reported) run(l load) *lift.Run {
	name := strings.TrimSpace(strings.Join([]string{title(l.concurrency), l.context, l.state}, " "))
	if r.runs[name] != nil {
		return r.runs[name]
	}
	context, concurrency := sweep.Number(l.context), sweep.Number(l.concurrency)
	run := r.arm.NewRun(cmp.Or(name, "reported"), lift.LoadClass(context, concurrency), r.results)
	run.Status = evidence.External
	for _, x := range []struct {
		k evidence.FactKey
		n evidence.Opt[int64]
	}{{evidence.KeyConcurrency, concurrency}, {evidence.KeyContextTarget, context}} {
		if x.n.OK {
			r.Put(&run.Facts, evidence.Fact{Key: x.k, Value: prose.FormatCount(x.n.V), State: evidence.Derived, Place: evidence.At(r.results.P), Rule: "member-name", SourceText: name})
		}
	}
	if l.state != "" {
		r.Put(&run.Facts, evidence.Fact{Key: evidence.KeySlice, Value: l.state, State: evidence.Derived, Place: evidence.At(r.results.P), Rule: "member-name", SourceText: l.state})
	}
	r.runs[name] = run
	return run
}

func title(concurrency string) string {
	if concurrency == "" {
		return ""
	}
	return "C" + concurrency
}

// inexact are words of figures that are no exact ones.
var inexact = []string{"range", "approximate", "approx", "about", "upto", "target", "prefill", "prompt", "percent"}

// figureNamed tells from a member name which figure stands there and under which load.
// What is approximate, a range or of no metric of ours is left alone.
func figureNamed(name string) (w lift.Want, l load, ok bool) {
	f := sweep.Read(name)
	var rest []string
	for _, x := range f.Rest {
		if slices.Contains(inexact, x) {
			return w, l, false
		}
		if x != "per" && x != "user" {
			rest = append(rest, x)
		}
	}
	w = f.Want
	switch {
	case w.Metric == "" || w.Unit == "":
		return w, l, false
	case sweep.Totals(w.Metric):
		w.Stat = evidence.Total
	case w.Stat == "":
		w.Stat = evidence.Single
	}
	return w, load{f.Concurrency, f.Context, strings.Join(rest, " ")}, true
}
