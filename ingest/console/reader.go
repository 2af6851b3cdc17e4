package console

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// TextReader reads logs with tables.
type TextReader struct{ lift.Meta }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Named("console/serving", 2, "console")}}
}

// MatchText asks for the headline of a table.
func (r TextReader) MatchText(head []byte) (string, bool) {
	return "table", bytes.Contains(head, []byte("= "+headline+" ="))
}

// mostTables is how many tables of a log are read; real ones have a few dozen.
const mostTables = 5_000

// ReadText lifts every table.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	b := lift.New(r.Reader, parse(data), "", shapeID)
	b.Lines(data)
	top := b.Top()
	if top.Len() > mostTables {
		b.Find(evidence.Error, lift.CodeTooMany, top, "the log has more than %d tables: none of them is read", mostTables)
		return b.Doc
	}
	top.Derive(&b.Doc.Facts, evidence.KeyPercentileMethod, string(evidence.Linear), "tool")
	top.Derive(&b.Doc.Facts, evidence.KeyWindow, "first send to last response, ramp and drain included", "tool")
	b.Title("Serving benchmark, printed table")
	top.Items(func(i int, m lift.Obj) { table(b, i, m) })
	return b.Finish()
}

// label finds a line of the table by one of the spellings that it has had.
func label(o lift.Obj, names ...string) lift.Obj { return o.First(names...) }

// figure is a line such as "P99 TTFT (ms)".
var figure = regexp.MustCompile(`^(Mean|Median|Std|Max|Min|P[\d.]+) (TTFT|TPOT|ITL|E2EL|E2E Latency) \((ms|s)\)$`)

func table(b *lift.Builder, i int, o lift.Obj) {
	sglang := o.Get("Backend").There()
	before := o.Get("before")
	var arm lift.Facts
	before.Get("model").Fact(&arm, evidence.KeyModel)
	before.Get("tokenizer").Fact(&arm, evidence.KeyTokenizer)
	o.Get("Backend").Fact(&arm, evidence.KeyClientBackend)
	run := b.NewRun("table "+strconv.Itoa(i), o, evidence.Linear)
	load(o, before, run)
	outcome(b, o, before, run)
	rates(b, o, run)
	ttft, itl, tool := evidence.TTFC, evidence.ITLChunk, "vLLM"
	if sglang {
		ttft, tool = evidence.TTFT, "SGLang"
		if o.Get("Backend").Str() == "sglang" {
			itl = evidence.ITLToken
		}
	}
	protocol := map[string]string{"vLLM": "vllm bench serve", "SGLang": "sglang bench_serving"}[tool]
	o.Derive(&arm, evidence.KeyProtocol, protocol, "table")
	o.Derive(&arm, evidence.KeyClient, protocol, "table")
	metrics := map[string]evidence.MetricID{"TTFT": ttft, "TPOT": evidence.TPOT, "ITL": itl, "E2EL": evidence.E2E, "E2E Latency": evidence.E2E}
	o.Members(func(name string, m lift.Obj) {
		part := figure.FindStringSubmatch(name)
		if part == nil {
			return
		}
		stat, ok := lift.StatName(part[1])
		switch metric := metrics[part[2]]; {
		case !ok:
		case metric == itl:
			run.FigureN(m, metric, stat, part[3], evidence.None[int64]())
		default:
			run.Figure(m, metric, stat, part[3])
		}
	})
	acceptance(o, run, sglang)
	if o.Get("cut_off").There() {
		b.Find(evidence.Warning, "table-cut-off", o, "the table has no last line: it was cut off while it was printed")
	}
	if !run.Void {
		run.Ordered()
		fits(b, o, run, ttft, itl)
	}
	before.Skip(evidence.ReasonEcho)
	name := before.Get("model").Str()
	if name == "" {
		name = "model not recorded"
	}
	b.Arm(evidence.Arm{Name: lift.Clip(name + " · " + tool), Place: o.Place(), Facts: arm}, run)
}

func load(o, before lift.Obj, run *lift.Run) {
	f := &run.Facts
	conc := label(o, "Maximum request concurrency", "Max request concurrency")
	rate := label(o, "Request rate configured (RPS)", "Traffic request rate")
	for _, c := range []lift.Obj{conc, before.Get("max_concurrency")} {
		switch {
		case lift.Numeric(c.Node):
			c.Fact(f, evidence.KeyConcurrency)
		case c.Str() == "None" || c.Str() == "not set":
			c.Derive(f, evidence.KeyConcurrency, "unlimited", "none")
		}
	}
	for _, x := range []lift.Obj{rate, before.Get("request_rate")} {
		if lift.Numeric(x.Node) {
			x.Fact(f, evidence.KeyRequestRate)
		}
	}
	before.Get("burstiness").Fact(f, evidence.KeyBurstiness)
	before.Get("num_prompts").Fact(f, evidence.KeyRequests)
	before.Get("dataset_name").Fact(f, evidence.KeyPromptSet)
	before.Get("seed").Fact(f, evidence.KeyPromptSeed)
	if !conc.There() {
		conc = before.Get("max_concurrency")
	}
	run.Class = lift.Class(conc.Number(), evidence.None[float64]())
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
}

func outcome(b *lift.Builder, o, before lift.Obj, run *lift.Run) {
	f := &run.Facts
	completed, failed := o.Get("Successful requests"), o.Get("Failed requests")
	in, out := o.Get("Total input tokens"), o.Get("Total generated tokens")
	completed.Fact(f, evidence.KeyCompleted)
	failed.Fact(f, evidence.KeyFailed)
	o.Get("Benchmark duration (s)").FactIn(f, evidence.KeyDuration, "s")
	in.Fact(f, evidence.KeyInputTokens)
	out.Fact(f, evidence.KeyOutputTokens)
	o.Get("Peak concurrent requests").Fact(f, evidence.KeyPeakConc)
	o.Get("Concurrency").Fact(f, evidence.KeyMeanConc)
	run.N = completed.Count()
	switch n := run.N; {
	case !n.OK:
		b.Find(evidence.Warning, lift.CodeNoCount, o, "the table does not say how many requests succeeded")
	case n.V == 0:
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, completed, "no request succeeded: the zeros of this table are no measurements")
	default:
		lift.Quotient(f, evidence.KeyPromptTokens, in, completed, "total / successful")
		lift.Quotient(f, evidence.KeyMeanOutput, out, completed, "total / successful")
	}
	if n, ok := failed.Float(); ok && n > 0 {
		b.Find(evidence.Warning, lift.CodePartial, failed, "%s requests failed", failed.Show())
	}
	if want := before.Get("num_prompts").Count(); want.OK && run.N.OK && run.N.V < want.V && !failed.There() {
		b.Find(evidence.Warning, lift.CodePartial, completed, "%d of %d requests succeeded", run.N.V, want.V)
	}
}

func rates(b *lift.Builder, o lift.Obj, run *lift.Run) {
	duration := o.Get("Benchmark duration (s)")
	for _, r := range []struct {
		names  []string
		metric evidence.MetricID
		unit   string
		of     string
	}{
		{[]string{"Request throughput (req/s)"}, evidence.RequestThroughput, "requests/s", "Successful requests"},
		{[]string{"Request goodput (req/s)"}, evidence.Goodput, "requests/s", ""},
		{[]string{"Input token throughput (tok/s)"}, evidence.InputThroughput, "tok/s", "Total input tokens"},
		{[]string{"Output token throughput (tok/s)"}, evidence.OutputThroughput, "tok/s", "Total generated tokens"},
		{[]string{"Total token throughput (tok/s)", "Total Token throughput (tok/s)"}, evidence.TotalThroughput, "tok/s", ""},
	} {
		m := label(o, r.names...)
		run.Figure(m, r.metric, evidence.Total, r.unit)
		if r.of != "" && !run.Void {
			b.Rate(strings.ToLower(r.names[0]), m, o.Get(r.of), duration, 1e-3)
		}
	}
	total := label(o, "Total token throughput (tok/s)", "Total Token throughput (tok/s)")
	in, ok1 := o.Get("Total input tokens").Float()
	out, ok2 := o.Get("Total generated tokens").Float()
	if d, ok := duration.Float(); ok && ok1 && ok2 && d > 0 && !run.Void {
		b.Agree("total token throughput", total, (in+out)/d, 1e-3, "all tokens / duration", o.Get("Total input tokens"), o.Get("Total generated tokens"), duration)
	}
	o.SkipMembers(evidence.ReasonDiagnostic, "Peak output token throughput (tok/s)", "Total generated tokens (retokenized)",
		"Total input text tokens", "Total input vision tokens", "Max output tokens per second")
}

func acceptance(o lift.Obj, run *lift.Run, sglang bool) {
	none := evidence.None[int64]()
	length := label(o, "Acceptance length", "Accept length")
	if run.FigureN(length, evidence.AcceptLength, evidence.Total, "tokens", none) {
		scope := "delta"
		if sglang {
			scope = "lifetime"
		}
		length.Derive(&run.Facts, evidence.KeyAcceptScope, scope, "tool")
	}
	run.FigureN(o.Get("Acceptance rate (%)"), evidence.AcceptRate, evidence.Total, "percent", none)
	o.Members(func(name string, m lift.Obj) {
		if name == "Drafts" || name == "Draft tokens" || name == "Accepted tokens" || strings.HasPrefix(name, "Position ") {
			m.Skip(evidence.ReasonDiagnostic)
		}
	})
}

func fits(b *lift.Builder, o lift.Obj, run *lift.Run, first, gap evidence.MetricID) {
	duration, completed := o.Get("Benchmark duration (s)").Number(), o.Get("Successful requests").Number()
	run.Within(o, duration)
	out, ok := o.Get("Total generated tokens").Float()
	if !ok || !completed.OK || completed.V <= 0 {
		return
	}
	e2e := run.Fits(o, lift.Parts{Whole: evidence.E2E, First: first, PerToken: evidence.TPOT, Tokens: out / completed.V})
	conc := label(o, "Maximum request concurrency", "Max request concurrency").Number()
	if !conc.OK {
		conc = o.Path("before", "max_concurrency").Number()
	}
	run.Little(o, e2e, conc, completed, duration.V, evidence.E2E, first, evidence.TPOT)
	if ratio, ok := run.Gaps(o, gap, evidence.TPOT); ok && ratio > 1.2 {
		b.Find(evidence.Info, lift.CodeChunks, o, "gaps between chunks are %.2f times the time per token: about that many tokens came in one chunk", ratio)
	}
}
