package inferencex

import (
	"strings"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// latencies of the flat forms; ttlt is the time to the last token.
var latencies = map[string]evidence.MetricID{
	"ttft": evidence.TTFC, "tpot": evidence.TPOT, "itl": evidence.ITLChunk, "e2el": evidence.E2E, "ttlt": evidence.E2E,
}

// agentic results give itl as a mean per request: it is as narrow as that.
var agenticLatencies = map[string]evidence.MetricID{
	"ttft": evidence.TTFC, "tpot": evidence.TPOT, "itl": evidence.TPOT, "e2el": evidence.E2E, "ttlt": evidence.E2E,
}

var lengths = map[string]evidence.MetricID{"input_tokens": evidence.PromptTokens, "output_tokens_actual": evidence.OutputTokens}

// flat lifts members such as "p99_ttft": 1.5 (seconds).
func flat(b *lift.Builder, o lift.Obj, run *lift.Run, shape string) {
	known := latencies
	if shape == shapeAgentic {
		known = agenticLatencies
	}
	o.Get("duration_seconds").FactIn(&run.Facts, evidence.KeyDuration, "s")
	o.Members(func(name string, m lift.Obj) {
		stat, rest, ok := lift.StatPrefix(name)
		if !ok {
			return
		}
		if metric, is := known[rest]; is {
			latency(b, run, m, metric, stat)
		} else if metric, is := lengths[rest]; is {
			run.Figure(m, metric, stat, "tokens")
		} else if rest == "intvty" {
			interactivity(b, o, m, name, "tpot")
		} else if rest == "qps" || rest == "output_tokens_expected" {
			m.Skip(evidence.ReasonDiagnostic)
		}
	})
	tokens(o, run)
	o.Members(func(name string, m lift.Obj) {
		for _, prefix := range []string{"server_", "kv_offload_", "cpu_kv_", "theoretical_"} {
			if strings.HasPrefix(name, prefix) {
				m.Skip(evidence.ReasonDiagnostic)
			}
		}
	})
	o.SkipMembers(evidence.ReasonDiagnostic, "total_prompt_tokens", "total_generation_tokens")
}

// latency lifts a figure; zero seconds is what a mock or a failure writes.
func latency(b *lift.Builder, run *lift.Run, m lift.Obj, metric evidence.MetricID, stat evidence.Stat) {
	if v, ok := m.Float(); ok && v == 0 && stat != evidence.Std {
		b.Find(evidence.Warning, lift.CodeSimulated, m, "%s %s is 0: nothing answers in no time, so this was not measured", metric, stat)
		m.Skip(evidence.ReasonVoid)
		return
	}
	if metric == evidence.ITLChunk {
		run.FigureN(m, metric, stat, "s", evidence.None[int64]())
		return
	}
	run.Figure(m, metric, stat, "s")
}

// interactivity checks 1 / tpot and lists it as the repetition that it is.
func interactivity(b *lift.Builder, o, m lift.Obj, name, of string) {
	base := o.Get(strings.TrimSuffix(name, "intvty") + of)
	if t, ok := base.Float(); ok && t > 0 && !strings.HasPrefix(name, "std") {
		b.Agree(name, m, 1/t, 2e-3, "1 / tpot", base)
	}
	m.Skip(evidence.ReasonRestated)
}

func tokens(o lift.Obj, run *lift.Run) {
	for _, x := range []struct {
		metric evidence.MetricID
		key    evidence.FactKey
	}{{evidence.PromptTokens, evidence.KeyPromptTokens}, {evidence.OutputTokens, evidence.KeyMeanOutput}} {
		if v := run.Primary(x.metric, evidence.Mean); v.OK {
			o.Derive(&run.Facts, x.key, evidence.FormatDecimal(v.V), "mean of rows")
		}
	}
}

// nested lifts request_metrics, which AIPerf measured.
func nested(b *lift.Builder, o lift.Obj, run *lift.Run) {
	m := o.Get("request_metrics")
	l := m.Get("latency")
	for _, x := range []struct {
		name   string
		metric evidence.MetricID
	}{{"ttft", evidence.TTFO}, {"e2el", evidence.E2E}, {"tpot", evidence.TPOT}, {"itl", evidence.TPOT}} {
		l.Get(x.name).Members(func(name string, c lift.Obj) {
			if stat, ok := lift.StatName(name); ok {
				latency(b, run, c, x.metric, stat)
			}
		})
	}
	l.Get("intvty").Members(func(name string, c lift.Obj) {
		base := l.Path("tpot", name)
		if t, ok := base.Float(); ok && t > 0 && name != "std" {
			b.Agree("intvty "+name, c, 1/t, 2e-3, "1 / tpot", base)
		}
	})
	l.Get("intvty").Skip(evidence.ReasonRestated)
	run.Distribution(m.Path("tokens", "input"), evidence.PromptTokens, "tokens", run.N)
	run.Distribution(m.Path("tokens", "output_actual"), evidence.OutputTokens, "tokens", run.N)
	tokens(o, run)
	t := m.Get("throughput")
	run.Figure(t.Path("input", "tokens_per_second"), evidence.InputThroughput, evidence.Total, "tok/s")
	run.Figure(t.Path("output", "tokens_per_second"), evidence.OutputThroughput, evidence.Total, "tok/s")
	run.Figure(t.Path("total", "tokens_per_second"), evidence.TotalThroughput, evidence.Total, "tok/s")
	b.Sum("total throughput", t.Path("total", "tokens_per_second"), 1e-3, t.Path("input", "tokens_per_second"), t.Path("output", "tokens_per_second"))
	t.Get("duration_seconds").FactIn(&run.Facts, evidence.KeyDuration, "s")
	per := t.Get("per_gpu")
	out, in := evidence.OutputThroughputPerGPU, evidence.InputThroughputPerGPU
	if o.Get("num_decode_gpu").There() {
		out, in = evidence.OutputThroughputDecodeGPU, evidence.InputThroughputPrefillGPU
	} else {
		b.Sum("total_tput_tps", per.Get("total_tput_tps"), 1e-3, per.Get("input_tput_tps"), per.Get("output_tput_tps"))
	}
	run.Figure(per.Get("total_tput_tps"), evidence.TotalThroughputPerGPU, evidence.Total, "tok/s")
	run.Figure(per.Get("output_tput_tps"), out, evidence.Total, "tok/s")
	run.Figure(per.Get("input_tput_tps"), in, evidence.Total, "tok/s")
	server(o.Get("server_metrics"), run)
	m.Skip(evidence.ReasonDiagnostic)
	o.Get("dataset").Skip(evidence.ReasonEcho)
}

// server records what the engine said of its cache.
func server(o lift.Obj, run *lift.Run) {
	o.Path("cache", "overall_cache_hit_rate").Fact(&run.Facts, evidence.KeyCachedFraction)
	run.FigureN(o.Path("kv_cache", "gpu_total_tokens"), evidence.KVPoolTokens, evidence.Total, "tokens", evidence.None[int64]())
	o.Skip(evidence.ReasonDiagnostic)
}

// fits compares throughput, counts, durations and latencies.
func fits(b *lift.Builder, o lift.Obj, run *lift.Run) {
	first, e2e := evidence.TTFC, run.Typical(evidence.E2E)
	if !run.Typical(first).OK {
		first = evidence.TTFO
	}
	out := run.Primary(evidence.OutputTokens, evidence.Mean)
	if !out.OK {
		out = o.Get("osl").Number()
	}
	if out.OK {
		run.Fits(o, lift.Parts{Whole: evidence.E2E, First: first, PerToken: evidence.TPOT, Tokens: out.V})
	}
	if ratio, ok := run.Gaps(o, evidence.ITLChunk, evidence.TPOT); ok {
		if ratio > 1.2 {
			b.Find(evidence.Info, lift.CodeChunks, o, "gaps between chunks are %.2f times the time per token: about that many tokens came in one chunk", ratio)
		}
	}
	duration := o.First("duration_seconds").Number()
	if !duration.OK {
		duration = o.Path("request_metrics", "throughput", "duration_seconds").Number()
	}
	run.Within(o, duration)
	cards, ok := o.Get("tp").Float()
	if pp, has := o.Get("pp").Float(); has && pp > 0 {
		cards *= pp
	}
	for _, x := range []struct{ all, per evidence.MetricID }{{evidence.TotalThroughput, evidence.TotalThroughputPerGPU},
		{evidence.OutputThroughput, evidence.OutputThroughputPerGPU}, {evidence.InputThroughput, evidence.InputThroughputPerGPU}} {
		all, per := run.Primary(x.all, evidence.Total), run.Primary(x.per, evidence.Total)
		if ok && cards > 0 && all.OK && per.OK && !lift.Close(all.V, per.V*cards, 1e-2) {
			b.Find(evidence.Warning, lift.CodeDisagree, o, "%s %v is not %v cards times %s %v", x.all, all.V, cards, x.per, per.V)
			run.Dispute(x.all, x.per)
		}
	}
	apart(b, o)
	if n := run.N; n.OK && duration.OK && duration.V > 0 {
		for _, x := range []struct{ length, rate evidence.MetricID }{{evidence.PromptTokens, evidence.InputThroughput}, {evidence.OutputTokens, evidence.OutputThroughput}} {
			length, rate := run.Primary(x.length, evidence.Mean), run.Primary(x.rate, evidence.Total)
			if length.OK && rate.OK && !lift.Close(rate.V, float64(n.V)*length.V/duration.V, 5e-2) {
				b.Find(evidence.Warning, lift.CodeDisagree, o, "%s is %v, but %d requests of %v tokens in %v s give %.6g", x.rate, rate.V, n.V, length.V, duration.V, float64(n.V)*length.V/duration.V)
				run.Dispute(x.rate, x.length)
			}
		}
	}
	conc := o.First("conc", "users").Number()
	rate := run.Primary(evidence.OutputThroughputPerGPU, evidence.Total)
	if ok && conc.OK && rate.OK && rate.V > 0 && e2e.OK && out.OK { // Little: requests in flight = rate * latency
		busy := rate.V * cards / max(out.V, 1) * e2e.V
		if busy > conc.V*30 || busy < conc.V/30 {
			b.Find(evidence.Warning, lift.CodeUnitSuspect, o, "%.4g tokens/s with %.4g tokens and %.4g s each are %.4g requests at once, and the concurrency is %v", rate.V*cards, out.V, e2e.V, busy, conc.V)
			run.Dispute(evidence.OutputThroughputPerGPU, evidence.E2E)
		}
	}
}

// apart compares the throughput of separate prefill and decode cards with the total.
func apart(b *lift.Builder, o lift.Obj) {
	p, d := o.Get("num_prefill_gpu"), o.Get("num_decode_gpu")
	in, out := o.Get("input_tput_per_gpu"), o.Get("output_tput_per_gpu")
	sum, cards := 0.0, 0.0
	for _, x := range [][2]lift.Obj{{p, in}, {d, out}} {
		n, ok1 := x[0].Float()
		v, ok2 := x[1].Float()
		if !ok1 || !ok2 {
			return
		}
		sum, cards = sum+float64(n*v), cards+n
	}
	if cards > 0 {
		b.Agree("tput_per_gpu", o.Get("tput_per_gpu"), sum/cards, 2e-2, "what its prefill and decode cards give", in, p, out, d)
	}
}
