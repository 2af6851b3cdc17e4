package guidellm

import (
	"strconv"
	"strings"
	"time"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

type report struct {
	b     *lift.Builder
	shape string
	top   lift.Obj
}

func (r *report) read() {
	b, top := r.b, r.top
	top.Path("metadata", "guidellm_version").Fact(&b.Doc.Facts, evidence.KeyClientVersion)
	if v, ok := top.Path("metadata", "version").Float(); ok && (v < 1 || v > 2) {
		b.Find(evidence.Warning, lift.CodeVersion, top.Path("metadata", "version"), "report version %s is newer than this reader: it is read as version 2", top.Path("metadata", "version").Show())
	}
	var arm lift.Facts
	r.identity(&arm)
	var runs []*lift.Run
	top.Get("benchmarks").Items(func(i int, o lift.Obj) { runs = append(runs, r.benchmark(i, o)) })
	for _, o := range []lift.Obj{top.Get("args"), top.Get("config")} {
		o.Secrets("api_key")
		o.Path("spec", "backend").Secrets("api_key")
		o.Get("backend_kwargs").Secrets("api_key")
		o.Skip(evidence.ReasonEcho)
	}
	top.Get("metadata").Skip(evidence.ReasonIdentifier)
	name := "guidellm, model not recorded"
	for _, f := range arm {
		if f.Key == evidence.KeyModel {
			name = f.Value
		}
	}
	b.Arm(evidence.Arm{Name: lift.Clip(name), Place: top.Place(), Facts: arm}, runs...)
	b.Title("GuideLLM · " + name)
}

// identity finds the model where each version keeps it.
func (r *report) identity(arm *lift.Facts) {
	first, spec, args := r.top.Get("benchmarks").Item(0), r.top.Path("config", "spec"), r.top.Get("args")
	for _, o := range []lift.Obj{first.Path("config", "backend", "model"), spec.Path("backend", "model"), spec.Get("model"),
		args.Path("backend_kwargs", "model"), args.Get("model"), first.Path("worker", "backend_model"), first.Path("config", "model")} {
		if o.Str() != "" {
			o.Fact(arm, evidence.KeyModel)
		}
	}
	for _, o := range []lift.Obj{spec.Get("tokenizer"), spec.Path("tokenizer", "name"), args.Get("processor"), first.Path("request_loader", "processor")} {
		if o.Str() != "" {
			o.Fact(arm, evidence.KeyTokenizer)
		}
	}
	for _, o := range []lift.Obj{spec.Path("backend", "kind"), args.Get("backend"), first.Path("worker", "backend_type")} {
		if o.Str() != "" {
			o.Fact(arm, evidence.KeyClientBackend)
		}
	}
}

// benchmark reads one load point.
func (r *report) benchmark(i int, o lift.Obj) *lift.Run {
	strategy := o.Path("config", "strategy")
	if !strategy.There() {
		strategy = o.Path("args", "strategy")
	}
	kind := strategy.First("type_", "kind", "type")
	run := r.b.NewRun(strings.TrimSpace(strconv.Itoa(i)+" "+kind.Str()), o, evidence.NearestRank)
	r.load(o, strategy, kind, run)
	r.totals(o, run)
	r.metrics(o, run)
	r.samples(o, run)
	start := o.Get("start_time")
	if t, ok := start.Float(); ok && t > 0 && t < 1e11 {
		r.b.Observed(start, time.UnixMilli(int64(t*1000)).UTC().Format("2006-01-02T15:04:05Z"))
	}
	o.Get("duration").FactIn(&run.Facts, evidence.KeyDuration, "s")
	o.SkipMembers(evidence.ReasonTimestamp, "start_time", "end_time")
	o.SkipMembers(evidence.ReasonDiagnostic, "run_stats", "scheduler_state", "scheduler_metrics", "benchmarker")
	o.SkipMembers(evidence.ReasonEcho, "args", "config", "worker", "request_loader", "extras", "environment", "backend")
	if !run.Void {
		run.Ordered()
		r.fits(o, run)
	}
	return run
}

// load records what was offered. "rate" of a concurrent strategy is a number of streams.
func (r *report) load(o, strategy, kind lift.Obj, run *lift.Run) {
	f := &run.Facts
	kind.Fact(f, evidence.KeyLoadProfile)
	limit := strategy.Get("max_concurrency")
	concurrency := limit.Number()
	switch kind.Str() {
	case "synchronous":
		kind.Derive(f, evidence.KeyConcurrency, "1", "synchronous")
		concurrency = evidence.Some(1.0)
	case "concurrent":
		streams := strategy.First("streams", "rate")
		streams.Fact(f, evidence.KeyConcurrency)
		concurrency = streams.Number()
	case "throughput":
		kind.Derive(f, evidence.KeyRequestRate, "inf", "throughput")
		limit.FactOrNull(f, evidence.KeyConcurrency, "unlimited")
	default:
		strategy.Get("rate").Fact(f, evidence.KeyRequestRate)
		limit.FactOrNull(f, evidence.KeyConcurrency, "unlimited")
		if limit.Node == nil {
			kind.Derive(f, evidence.KeyConcurrency, "unlimited", "paced by rate")
		}
	}
	r.data(o, f)
	run.Class = lift.Class(concurrency, o.Path("metrics", "prompt_token_count", "successful", "mean").Number())
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
}

// data records the prompts: a list of "prompt_tokens=256,output_tokens=128", or objects.
func (r *report) data(o lift.Obj, f *lift.Facts) {
	spec, args := r.top.Path("config", "spec"), r.top.Get("args")
	for _, seed := range []lift.Obj{spec.Get("seed"), args.Get("random_seed"), o.Path("args", "profile", "random_seed"), o.Path("config", "profile", "random_seed")} {
		if lift.Numeric(seed.Node) {
			seed.Fact(f, evidence.KeyPromptSeed)
		}
	}
	for _, d := range []lift.Obj{spec.Get("data"), args.Get("data"), o.Path("request_loader", "data")} {
		if d.IsArray() {
			d = d.Item(0)
		}
		switch {
		case d.Str() != "":
			d.Fact(f, evidence.KeyPromptSet)
			for part := range strings.SplitSeq(lift.Clip(d.Str()), ",") {
				key, digits, _ := strings.Cut(strings.Trim(part, " {}"), "=")
				if n, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 32); err == nil {
					target(d, f, strings.TrimSpace(key), strconv.FormatUint(n, 10))
				}
			}
		case d.IsObject():
			for _, name := range []string{"prompt_tokens", "output_tokens"} {
				if m := d.Get(name); m.Node.Is(jsondoc.Number) {
					target(m, f, name, m.Show())
				}
			}
			d.First("kind", "source", "path").Fact(f, evidence.KeyPromptSet)
		}
	}
}

func target(o lift.Obj, f *lift.Facts, name, value string) {
	switch name {
	case "prompt_tokens":
		o.Derive(f, evidence.KeyContextTarget, value, "data specification")
	case "output_tokens":
		o.Derive(f, evidence.KeyOutputCap, value, "data specification")
	}
}

// totals counts requests by how they ended.
func (r *report) totals(o lift.Obj, run *lift.Run) {
	t := o.Get("request_totals")
	for _, other := range []lift.Obj{o.Path("metrics", "request_totals"), o.Path("scheduler_metrics", "requests_made"), o.Path("run_stats", "requests_made")} {
		if !t.IsObject() {
			t = other
		}
	}
	f := &run.Facts
	ok, errored, incomplete, total := t.Get("successful"), t.Get("errored"), t.Get("incomplete"), t.Get("total")
	ok.Fact(f, evidence.KeyCompleted)
	errored.Fact(f, evidence.KeyFailed)
	total.Fact(f, evidence.KeyRequests)
	r.b.Sum("total", total, 0, ok, errored, incomplete)
	run.N = o.Path("metrics", "request_latency", "successful", "count").Count()
	if !run.N.OK {
		run.N = ok.Count()
	}
	if n := ok.Count(); n.OK && n.V == 0 {
		run.Void = true
		r.b.Find(evidence.Warning, lift.CodeVoid, ok, "no request succeeded: the zeros of this load point are no measurements")
	} else if n, bad := errored.Float(); bad && n > 0 {
		r.b.Find(evidence.Warning, lift.CodePartial, errored, "%s of %s requests ended in an error", errored.Show(), total.Show())
	}
	t.Skip(evidence.ReasonDiagnostic)
	o.SkipMembers(evidence.ReasonRestated, "request_totals")
	o.Get("metrics").SkipMembers(evidence.ReasonRestated, "request_totals")
}

// fits compares rates with lengths and latencies.
func (r *report) fits(o lift.Obj, run *lift.Run) {
	mean := func(name string) lift.Obj { return o.Path("metrics", name, "successful", "mean") }
	rate, out := mean("requests_per_second"), run.Primary(evidence.OutputTokens, evidence.Mean)
	q, ok := rate.Float()
	if ok && out.OK {
		r.b.Agree("output_tokens_per_second", mean("output_tokens_per_second"), q*out.V, 0.25, "request rate * mean output tokens", rate, mean("output_token_count"))
	}
	if in := run.Primary(evidence.PromptTokens, evidence.Mean); ok && in.OK {
		r.b.Agree("prompt_tokens_per_second", mean("prompt_tokens_per_second"), q*in.V, 0.25, "request rate * mean prompt tokens", rate, mean("prompt_token_count"))
	}
	if a, okIn := mean("prompt_tokens_per_second").Float(); okIn && r.shape != shapeV3 {
		if b, okOut := mean("output_tokens_per_second").Float(); okOut {
			r.b.Agree("tokens_per_second", mean("tokens_per_second"), a+b, 0.25, "prompt + output tokens per second", mean("prompt_tokens_per_second"), mean("output_tokens_per_second"))
		}
	}
	e2e := run.Primary(evidence.E2E, evidence.Mean)
	busy, okBusy := mean("request_concurrency").Float()
	if ok && q > 0 && e2e.OK && okBusy {
		run.Suspect(o, e2e.V, busy/q, "the latency", "mean concurrency / request rate", evidence.E2E, evidence.RequestThroughput)
	}
	weighted := run.Primary(evidence.TPOTWeighted, evidence.Mean)
	if out.OK {
		run.Fits(o, lift.Parts{Whole: evidence.E2E, First: evidence.TTFO, PerToken: evidence.TPOTWeighted, Tokens: out.V})
	}
	for _, m := range []evidence.MetricID{evidence.TPOTInclusive, evidence.TPOTAllTokens} {
		if v := run.Primary(m, evidence.Mean); v.OK && weighted.OK && e2e.OK && out.OK && out.V > 1 {
			expected := weighted.V * (out.V - 1) / out.V
			if m == evidence.TPOTInclusive {
				expected = e2e.V / out.V
			}
			run.Suspect(o, v.V, expected, "the time per output token", "what latency and length give", m)
		}
	}
	run.Within(o, o.Get("duration").Number())
}
