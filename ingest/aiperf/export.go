package aiperf

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

func readExport(b *lift.Builder, shape string) {
	tool := "aiperf"
	if shape == shapeGenAI {
		tool = "genai-perf"
	}
	b.Protocol(tool, evidence.Linear, "")
	top := b.Top()
	top.Get("aiperf_version").Fact(&b.Doc.Facts, evidence.KeyClientVersion)
	b.Observed(top.Get("start_time"), top.Get("start_time").Str())
	b.Title(tool)
	if shape == shapeTimeslices || shape == shapeAggregate {
		top.Skip(evidence.ReasonRestated)
		b.Find(evidence.Info, lift.CodeUnread, top, "%s of runs that have files of their own: no run is counted here", shape)
		return
	}
	var arm lift.Facts
	config := top.Get("input_config")
	run := b.NewRun("run", top, evidence.Linear)
	identity(top, config, &arm)
	load(b, config, run)
	run.N = top.Path("request_count", "avg").Count()
	ending(b, top, run)
	top.Members(func(tag string, m lift.Obj) {
		if m.Get("unit").Node.Is(jsondoc.String) && m.Get("avg").Node != nil {
			block(b, run, tag, m)
		}
	})
	warmup(b, top)
	leftovers(top)
	if !run.Void {
		run.Ordered()
		agree(b, top, run)
	}
	name := []string{tool}
	for _, f := range arm {
		if f.Key == evidence.KeyModel {
			name = []string{f.Value}
		}
	}
	b.Arm(evidence.Arm{Name: lift.Clip(strings.Join(name, " · ")), Place: top.Place(), Facts: arm}, run)
}

// identity records what was under test as far as the client knows it.
func identity(top, config lift.Obj, arm *lift.Facts) {
	endpoint := config.Get("endpoint")
	for _, m := range []lift.Obj{endpoint.Get("model_names").Item(0), endpoint.Get("model"), config.Get("model_names").Item(0),
		config.Get("model").Item(0), config.Get("model")} {
		if m.Str() != "" {
			m.Fact(arm, evidence.KeyModel)
		}
	}
	config.Path("tokenizer", "name").Fact(arm, evidence.KeyTokenizer)
	if t := config.Get("tokenizer"); t.Str() != "" {
		t.Fact(arm, evidence.KeyTokenizer)
	}
	endpoint.Get("type").Fact(arm, evidence.KeyClientBackend)
	if t := config.Get("endpoint_type"); t.Str() != "" {
		t.Fact(arm, evidence.KeyClientBackend)
	}
	cards(top.Get("telemetry_data"), arm)
}

// cards finds the card in the telemetry. Several products stay unknown.
func cards(o lift.Obj, arm *lift.Facts) {
	var first lift.Obj
	count, mixed := 0, false
	var walk func(lift.Obj, int)
	walk = func(o lift.Obj, depth int) {
		for _, name := range []string{"gpu_name", "gpu_model_name", "model_name"} {
			if m := o.Get(name); m.Str() != "" {
				count++
				mixed = mixed || first.Node != nil && first.Str() != m.Str()
				if first.Node == nil {
					first = m
				}
				return
			}
		}
		if depth < 6 {
			o.Members(func(_ string, m lift.Obj) { walk(m, depth+1) })
			o.Items(func(_ int, m lift.Obj) { walk(m, depth+1) })
		}
	}
	walk(o, 0)
	if first.Node != nil && !mixed {
		first.Fact(arm, evidence.KeyGPUProduct)
		first.Derive(arm, evidence.KeyHostGPUs, evidence.FormatDecimal(float64(count)), "telemetry")
	}
}

// load records the traffic that was asked for.
func load(b *lift.Builder, config lift.Obj, run *lift.Run) {
	f := &run.Facts
	gen, input := config.Get("loadgen"), config.Get("input")
	if !gen.There() {
		gen = config.Get("perf_analyzer").Get("stimulus") // genai-perf
	}
	gen.Get("concurrency").Fact(f, evidence.KeyConcurrency)
	if c := config.Get("concurrency"); lift.Numeric(c.Node) {
		c.Fact(f, evidence.KeyConcurrency)
	}
	gen.Get("request_rate").Fact(f, evidence.KeyRequestRate)
	if r := config.Get("request_rate"); lift.Numeric(r.Node) {
		r.Fact(f, evidence.KeyRequestRate)
	}
	gen.Get("request_count").Fact(f, evidence.KeyRequests)
	config.Get("request_count").Fact(f, evidence.KeyRequests)
	gen.Get("request_rate_mode").Fact(f, evidence.KeyLoadProfile)
	config.Get("scenario").Fact(f, evidence.KeyLoadProfile)
	for _, set := range []lift.Obj{input.Get("public_dataset"), input.Get("file"), input.Get("custom_dataset_type"), config.Get("input_file")} {
		if set.Str() != "" {
			set.Fact(f, evidence.KeyPromptSet)
		}
	}
	for _, seed := range []lift.Obj{input.Get("random_seed"), config.Get("random_seed")} {
		seed.Fact(f, evidence.KeyPromptSeed)
	}
	input.Path("prompt", "input_tokens", "mean").Fact(f, evidence.KeyContextTarget)
	input.Path("prompt", "output_tokens", "mean").Fact(f, evidence.KeyOutputCap)
	config.Get("synthetic_input_tokens_mean").Fact(f, evidence.KeyContextTarget)
	config.Get("output_tokens_mean").Fact(f, evidence.KeyOutputCap)
	for _, extra := range []lift.Obj{input.Get("extra_inputs_parsed"), config.Get("extra_inputs")} {
		if e := extra.Get("ignore_eos"); e.True() {
			e.Derive(f, evidence.KeyCompletionMode, "forced", "ignore_eos")
		}
		if t := extra.Get("temperature"); t.There() {
			t.Derive(f, evidence.KeySampling, "temperature "+t.Show(), "extra inputs")
		}
	}
	if u := config.Get("endpoint").Get("use_server_token_count"); u.There() {
		source := "client"
		if u.True() {
			source = "server"
		}
		u.Derive(f, evidence.KeyTokenCount, source, "use_server_token_count")
	}
	run.Class = lift.Class(gen.Get("concurrency").Number(), b.Top().Path("input_sequence_length", "avg").Number())
	b.Top().Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
	for _, n := range []string{"goodput"} {
		if g := input.Get(n); g.IsObject() {
			words := []string{}
			g.Members(func(name string, m lift.Obj) { words = append(words, name+" "+m.Show()) })
			g.Derive(f, evidence.KeyGoodputSLO, strings.Join(words, ", "), "goodput")
		}
	}
	config.Skip(evidence.ReasonEcho)
}

// ending records how the run ended.
func ending(b *lift.Builder, top lift.Obj, run *lift.Run) {
	failed := 0.0
	errors := top.Get("error_summary")
	errors.Items(func(_ int, m lift.Obj) {
		if n, ok := m.Get("count").Float(); ok {
			failed += n
			m.Get("count").Take()
		}
	})
	if errors.IsArray() {
		errors.Derive(&run.Facts, evidence.KeyFailed, evidence.FormatDecimal(failed), "sum of error_summary")
	}
	if failed > 0 {
		b.Find(evidence.Warning, lift.CodePartial, errors, "%v requests ended in an error", failed)
	}
	if c := top.Get("was_cancelled"); c.True() {
		b.Find(evidence.Warning, lift.CodeCancelled, c, "the run was cancelled: its figures cover a part of it")
		c.Derive(&run.Facts, evidence.KeyRunStatus, "cancelled", "was_cancelled")
	}
	if v := top.Path("metadata", "submission_valid"); v.There() && !v.True() {
		b.Find(evidence.Warning, lift.CodeInvalid, v, "the tool calls the run no valid submission")
	}
	switch {
	case !run.N.OK:
		b.Find(evidence.Warning, lift.CodeNoCount, top, "request_count is %s: the number of requests is not known", top.Path("request_count", "avg").Show())
	case run.N.V == 0:
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, top.Get("request_count"), "no request completed: the figures are no measurements")
	}
}

// warmup lists the figures of the warm-up, which are no figures of the run.
func warmup(b *lift.Builder, top lift.Obj) {
	w := top.Get("warmup_metrics")
	w.Members(func(_ string, m lift.Obj) { m.SkipWhole(evidence.ReasonDiagnostic) })
}

// leftovers are parts that describe the client.
func leftovers(top lift.Obj) {
	top.SkipMembers(evidence.ReasonEcho, "metadata", "run_info", "variation", "benchmark_config")
	top.SkipMembers(evidence.ReasonDiagnostic, "branch_stats", "telemetry_data", "server_metrics", "error_summary", "gpu_telemetry")
	top.SkipMembers(evidence.ReasonTimestamp, "start_time", "end_time")
}

// agree compares rates, counts, durations and latencies.
func agree(b *lift.Builder, top lift.Obj, run *lift.Run) {
	count, rate := top.Path("request_count", "avg"), top.Path("request_throughput", "avg")
	duration := top.Path("benchmark_duration", "avg")
	n, ok1 := count.Float()
	r, ok2 := rate.Float()
	seconds := evidence.None[float64]()
	if duration.Node.Is(jsondoc.Number) {
		unit := units[strings.ToLower(top.Path("benchmark_duration", "unit").Str())]
		if d, base, err := evidence.ToBase(duration.Node.Text, unit); err == nil && base == evidence.Seconds {
			seconds = evidence.Some(d)
		}
	}
	if ok1 && ok2 && r > 0 {
		window := n / r
		top.Derive(&run.Facts, evidence.KeyWindow, "rates over their own window", "request_count / request_throughput")
		if seconds.OK && !lift.Close(window, seconds.V, 1e-3) {
			if ratio := window / seconds.V; ratio > 1.5 || ratio < 0.67 {
				b.Find(evidence.Warning, lift.CodeDisagree, rate, "%s requests at %s/s take %.3f s, benchmark_duration is %s", count.Show(), rate.Show(), window, duration.Show())
				b.Doubt(rate, duration)
			} else {
				b.Find(evidence.Warning, lift.CodeWindow, rate, "rates rest on %.3f s (%s requests at %s/s), benchmark_duration is %s", window, count.Show(), rate.Show(), duration.Show())
			}
		}
		for _, x := range []struct{ rate, total string }{{"output_token_throughput", "total_osl"}, {"input_token_throughput", "total_isl"}} {
			if t, ok := top.Path(x.total, "avg").Float(); ok {
				b.Agree(x.rate, top.Path(x.rate, "avg"), t/window, 1e-3, "tokens / the window of the request rate", top.Path(x.total, "avg"), rate, count)
			}
		}
	}
	b.Sum("total_token_throughput", top.Path("total_token_throughput", "avg"), 1e-3, top.Path("input_token_throughput", "avg"), top.Path("output_token_throughput", "avg"))
	if g, ok := top.Path("goodput", "avg").Float(); ok && ok2 && g > r*1.001 {
		b.Find(evidence.Warning, lift.CodeDisagree, top.Path("goodput", "avg"), "goodput %s is more than the request rate %s at %s", top.Path("goodput", "avg").Show(), rate.Show(), rate.Place().Pointer)
		b.Doubt(top.Path("goodput", "avg"))
	}
	if out, ok := top.Path("output_sequence_length", "avg").Float(); ok && ok2 {
		b.Agree("output_token_throughput", top.Path("output_token_throughput", "avg"), out*r, 1e-2, "mean output length * request rate", top.Path("output_sequence_length", "avg"), rate)
	}
	run.Within(top, seconds)
	if out := run.Primary(evidence.OutputTokens, evidence.Mean); out.OK {
		run.Fits(top.Get("request_latency"), lift.Parts{Whole: evidence.E2E, First: evidence.TTFO, PerToken: evidence.TPOT, Tokens: out.V})
	}
	if ratio, ok := run.Gaps(top.Get("inter_chunk_latency"), evidence.ITLChunk, evidence.TPOT); ok && ratio > 1.2 {
		b.Find(evidence.Info, lift.CodeChunks, top.Get("inter_chunk_latency"), "gaps between chunks are %.2f times the time per token: about that many tokens came in one chunk", ratio)
	}
	if p50, rate := run.Primary(evidence.TPOT, evidence.P50), run.Primary(evidence.DecodeRate, evidence.P50); p50.OK && rate.OK && rate.V > 0 {
		run.Suspect(top.Get("output_token_throughput_per_user"), 1/rate.V, p50.V, "the inverse rate per user", "the inter-token latency", evidence.DecodeRate, evidence.TPOT)
	}
	if c := top.Path("input_config", "loadgen", "concurrency").Number(); !top.Get("branch_stats").There() {
		run.Little(top, run.Typical(evidence.E2E), c, evidence.Opt[float64]{V: n, OK: ok1}, seconds.V, evidence.E2E)
	}
}
