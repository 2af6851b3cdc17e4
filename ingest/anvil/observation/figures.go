package observation

import (
	"cmp"
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// CodeCounters is the code of a rate that its own counters contradict.
const CodeCounters = "counters-differ"

// requestFigures are what one request is told by, under the names that writers use.
var requestFigures = map[string]lift.Want{
	"time_to_first_output_ms":             {Metric: evidence.TTFO, Unit: "ms"},
	"ttfo_ms":                             {Metric: evidence.TTFO, Unit: "ms"},
	"time_to_first_visible_token_ms":      {Metric: evidence.TTFT, Unit: "ms"},
	"time_to_first_token_ms":              {Metric: evidence.TTFT, Unit: "ms"},
	"ttft_ms":                             {Metric: evidence.TTFT, Unit: "ms"},
	"end_to_end_ms":                       {Metric: evidence.E2E, Unit: "ms"},
	"e2e_ms":                              {Metric: evidence.E2E, Unit: "ms"},
	"elapsed_seconds":                     {Metric: evidence.E2E, Unit: "s"},
	"effective_prefill_tokens_per_second": {Metric: evidence.EffectivePrefillRate, Unit: "tok/s"},
	"effective_prefill_tok_s":             {Metric: evidence.EffectivePrefillRate, Unit: "tok/s"},
	"decode_tokens_per_second":            {Metric: evidence.DecodeRate, Unit: "tok/s"},
	"decode_tok_s":                        {Metric: evidence.DecodeRate, Unit: "tok/s"},
	"output_tokens":                       {Metric: evidence.OutputTokens, Unit: "tokens"},
	"completion_tokens":                   {Metric: evidence.OutputTokens, Unit: "tokens"},
}

// isRequest reports whether a block is about one request: it counts prompt and output
// tokens, it says how an answer ended and how long it took, or it is a timed answer of a
// media request.
func (o *observation) isRequest(v lift.Val) bool {
	counts := func(names ...string) bool {
		for _, name := range names {
			if v.Get(name).Is(jsondoc.Number) {
				return true
			}
		}
		return false
	}
	usage := v.Get("usage").Is(jsondoc.Object)
	return counts("prompt_tokens") && counts("completion_tokens", "output_tokens") ||
		counts("elapsed_seconds") && v.Get("finish_reason").OK() ||
		o.kind.family == f6 && counts("latency_ms") && (counts("status", "http_status") || usage)
}

// request makes a run of a block about one request.
func (o *observation) request(name string, v lift.Val) {
	if !o.isRequest(v) {
		return
	}
	run := o.arm().NewRun(cmp.Or(name, v.Get("check").Str(), "request"), o.classOf(v), v)
	run.N = evidence.Some[int64](1)
	f := &run.Facts
	o.Derive(f, evidence.KeyRequests, "1", "one-request", lift.Val{P: v.P})
	o.Words(f, evidence.KeyRunStatus, v.Get("finish_reason"))
	o.Count(f, evidence.KeyContextTarget, v.Get("planned_context_tokens"))
	o.Flag(f, evidence.KeyCorrectness, v.Get("passed"))
	o.Words(f, evidence.KeySlice, v.Get("check"))
	if status := cmp.Or(v.Get("status").N, v.Get("http_status").N); status.Is(jsondoc.Number) && !strings.HasPrefix(status.Text, "2") {
		run.Status = evidence.RunFailed
	}
	for member, m := range v.Members() {
		if w, ok := requestFigures[member]; ok && !o.Taken(m) {
			w.Stat = evidence.Single
			o.Lift(run, m, w)
		}
	}
	if o.kind.family == f6 {
		o.Lift(run, v.Get("latency_ms"), lift.Want{Metric: evidence.Latency, Stat: evidence.Single, Unit: "ms"})
	}
	o.tokens(run, v)
	o.consistent(run)
}

// consistent holds the figures of one request against each other.
func (o *observation) consistent(run *lift.Run) {
	at := func(m evidence.MetricID) *evidence.Measurement { return run.Primary(m, evidence.Single) }
	value := func(m *evidence.Measurement) (float64, bool) {
		if m == nil || !m.Value.OK {
			return 0, false
		}
		return m.Value.V, true
	}
	check := func(m *evidence.Measurement, want float64, how string) {
		if v, ok := value(m); ok && !lift.Near(v, want, 0.01, 0) {
			o.Find(evidence.Warning, lift.CodeRow, lift.Val{P: m.Place.Pointer}, "%s %s is stored, %s gives %s", lift.Clip(m.SourceText), m.SourceUnit, how, evidence.FormatDecimal(want))
			m.State = evidence.Conflict
		}
	}
	first, ok1 := value(at(evidence.TTFO))
	if !ok1 {
		first, ok1 = value(at(evidence.TTFT))
	}
	visible, ok2 := value(at(evidence.TTFT))
	e2e, ok3 := value(at(evidence.E2E))
	prompt, ok4 := value(at(evidence.PromptTokens))
	output, ok5 := value(at(evidence.OutputTokens))
	if ok1 && ok4 && first > 0 {
		check(at(evidence.EffectivePrefillRate), prompt/first, "prompt tokens over the first output")
	}
	if ok1 && ok3 && ok5 && e2e > first && output > 1 {
		check(at(evidence.DecodeRate), (output-1)/(e2e-first), "the tokens after the first output")
	}
	if ok1 && ok2 && visible < first || ok2 && ok3 && e2e < visible || ok1 && ok3 && e2e < first {
		o.Find(evidence.Warning, lift.CodeRow, lift.Val{P: run.Place.Pointer}, "first output, first visible token and end of the response are not in order")
	}
}

// tokens reads the token counts of a request, in the block itself or in its usage.
func (o *observation) tokens(run *lift.Run, v lift.Val) {
	prompt := v.Get("prompt_tokens")
	if usage := v.Get("usage"); usage.Is(jsondoc.Object) {
		u := o.ReadUsage(usage)
		if u.Completion.OK {
			o.Lift(run, u.CompletionVal, lift.Want{Metric: evidence.OutputTokens, Stat: evidence.Single, Unit: "tokens"})
		}
		if prompt = u.PromptVal; u.Cached.OK && u.Prompt.OK {
			o.Derive(&run.Facts, evidence.KeyCachedFraction, lift.Fraction(u.Cached.V, u.Prompt.V), "cached/prompt", u.CachedVal)
		}
	} else if total, ok := o.PeekInt(v.Get("total_tokens")); ok {
		p, ok1 := o.PeekInt(prompt)
		c, ok2 := o.PeekInt(v.Get("completion_tokens"))
		if ok1 && ok2 && p+c != total {
			o.Find(evidence.Warning, lift.CodeRow, v.Get("total_tokens"), "%d tokens in all, but %d of the prompt and %d of the completion", total, p, c)
		}
	}
	if _, ok := o.PeekInt(prompt); ok {
		o.Lift(run, prompt, lift.Want{Metric: evidence.PromptTokens, Stat: evidence.Single, Unit: "tokens"})
		o.Fact(&run.Facts, evidence.KeyPromptTokens, prompt)
	}
	o.cached(run, v, prompt)
}

// cached holds the fraction that is stored against the counts beside it.
func (o *observation) cached(run *lift.Run, v, prompt lift.Val) {
	fraction, count := v.Get("cached_fraction"), v.Get("cached_prompt_tokens")
	if !fraction.OK() || !o.Fact(&run.Facts, evidence.KeyCachedFraction, fraction) {
		return
	}
	stored, ok := lift.PeekNumber(fraction, "ratio")
	c, ok1 := o.PeekInt(count)
	p, ok2 := o.PeekInt(prompt)
	if ok && ok1 && ok2 && p > 0 && !lift.Near(stored, float64(c)/float64(p), 1e-4, 1e-4) {
		o.Find(evidence.Warning, lift.CodeRow, fraction, "%s is stored, %d of %d prompt tokens are cached", fraction.N.Text, c, p)
		lift.Dispute(run.Facts, evidence.KeyCachedFraction)
	}
}

func (o *observation) classOf(v lift.Val) string {
	if o.kind.family == f6 {
		return evidence.ClassMedia
	}
	for _, name := range []string{"planned_context_tokens", "prompt_tokens"} {
		if n, ok := o.PeekInt(v.Get(name)); ok && lift.LoadClass(evidence.Some(n), evidence.Some[int64](1)) == evidence.ClassLong {
			return evidence.ClassLong
		}
	}
	return evidence.ClassFunctional
}

// poolNames are names of the key-value pool that an engine reports.
var poolNames = []string{"kv_cache_tokens", "gpu_kv_cache_tokens", "reported_gpu_kv_tokens", "kv_pool_tokens", "gpu_kv_tokens"}

// pool makes a start-up run of a block that reports a pool. What else the block says of
// the configuration holds for this start alone.
func (o *observation) pool(name string, v lift.Val) {
	for _, member := range poolNames {
		m := v.Get(member)
		if !m.Is(jsondoc.Number) {
			continue
		}
		var arm *lift.Arm
		if name != "" {
			arm = o.NewArm(o.armName()+", "+name, v)
		} else {
			arm = o.arm()
		}
		run := arm.NewRun("start-up", evidence.ClassStartup, v)
		o.Lift(run, m, lift.Want{Metric: evidence.KVPoolTokens, Stat: evidence.Total, Unit: "tokens"})
		o.offload(&arm.Facts, v.Get("cpu_offload_gib"))
		if name != "" {
			o.Block(name, v, &arm.Facts)
		}
		return
	}
}

func (o *observation) offload(facts *[]evidence.Fact, v lift.Val) {
	if v.Is(jsondoc.Number) {
		o.Named(facts, evidence.KeyKVOffload, v.N.Text+" GiB", v)
	}
}

// acceptance are the figures of speculative decoding that are formed from counters.
var acceptance = map[string]lift.Want{
	"acceptance_rate":           {Metric: evidence.AcceptRate, Unit: "ratio"},
	"draft_acceptance_rate":     {Metric: evidence.AcceptRate, Unit: "ratio"},
	"accepted_token_fraction":   {Metric: evidence.AcceptRate, Unit: "ratio"},
	"accept_rate":               {Metric: evidence.AcceptRate, Unit: "ratio"},
	"acceptance_rate_percent":   {Metric: evidence.AcceptRate, Unit: "percent"},
	"acceptance_percent":        {Metric: evidence.AcceptRate, Unit: "percent"},
	"mean_acceptance_length":    {Metric: evidence.AcceptLength, Unit: "tokens"},
	"mean_accepted_length":      {Metric: evidence.AcceptLength, Unit: "tokens"},
	"mean_accept_length":        {Metric: evidence.AcceptLength, Unit: "tokens"},
	"acceptance_length":         {Metric: evidence.AcceptLength, Unit: "tokens"},
	"accept_length":             {Metric: evidence.AcceptLength, Unit: "tokens"},
	"average_accepted_length":   {Metric: evidence.AcceptLength, Unit: "tokens"},
	"average_acceptance_length": {Metric: evidence.AcceptLength, Unit: "tokens"},
}

// counters makes a run without a class of a block with figures of speculative decoding:
// they count from the start of the server and belong to no workload.
func (o *observation) counters(v lift.Val) {
	var run *lift.Run
	for member, m := range v.Members() {
		w, ok := acceptance[member]
		if !ok || !m.Is(jsondoc.Number) {
			continue
		}
		if run == nil {
			run = o.arm().NewRun("lifetime counters", "", v)
			o.Derive(&run.Facts, evidence.KeyAcceptScope, "lifetime", "cumulative-counters", lift.Val{P: v.P})
		}
		w.Stat = evidence.Total
		x := o.Lift(run, m, w)
		if w.Metric == evidence.AcceptRate {
			o.ofCounters(x)
		}
	}
}

// ofCounters holds an acceptance rate against the counters of the document.
func (o *observation) ofCounters(x *evidence.Measurement) {
	accepted, ok1 := o.counter(o.Top, 0, func(w []string) bool {
		return slices.Contains(w, "accepted") && slices.Contains(w, "tokens") && !slices.Contains(w, "per")
	})
	drafted, ok2 := o.counter(o.Top, 0, func(w []string) bool {
		return (slices.Contains(w, "draft") || slices.Contains(w, "drafted") || slices.Contains(w, "proposed")) && slices.Contains(w, "tokens") && !slices.Contains(w, "accepted") && !slices.Contains(w, "per")
	})
	if ok1 && ok2 && drafted > 0 && x != nil {
		o.Agree(x, accepted/drafted, "accepted / drafted tokens", 0.01, 0.001, o.Top.P)
	}
}

// counter finds the first counter whose name fits.
func (o *observation) counter(v lift.Val, depth int, fits func([]string) bool) (float64, bool) {
	for name, m := range v.Members() {
		if f, ok := lift.PeekNumber(m, "count"); ok && fits(strings.Split(name, "_")) {
			return f, true
		}
		if m.Is(jsondoc.Object) && depth < maxDepth {
			if f, ok := o.counter(m, depth+1, fits); ok {
				return f, true
			}
		}
	}
	return 0, false
}
