package llmd

import (
	"strconv"
	"strings"

	"assay/ingest/lift"
	"assay/store/evidence"
)

type report struct {
	b    *lift.Builder
	top  lift.Obj
	tool tool
	know bool
	arm  lift.Facts
	run  *lift.Run
}

func read(b *lift.Builder, shape string) {
	r := &report{b: b, top: b.Top()}
	version := r.top.Get("version")
	version.Take()
	if s := version.Node.Text; s != "0.1" && !strings.HasPrefix(s, "0.2") {
		b.Find(evidence.Warning, lift.CodeVersion, version, "report version %q is not known: it is read as %s", lift.Clip(s), shape)
	}
	version.Derive(&b.Doc.Facts, evidence.FactKey("report_version"), version.Node.Text, "version")
	load := r.top.Path("scenario", "load")
	name := load.Get("name")
	if shape == shapeV2 {
		load = load.Get("standardized")
		name = load.Get("tool")
		load.Get("tool_version").Fact(&b.Doc.Facts, evidence.KeyClientVersion)
	}
	if r.know = r.origin(r.top.Path("scenario", "load", "native")); !r.know {
		r.tool, r.know = toolOf(name.Str())
	}
	b.Protocol("llm-d report of "+name.Str(), r.tool.method, "")
	r.run = b.NewRun("report", r.top, r.tool.method)
	if !r.know {
		b.Find(evidence.Warning, "definition-unknown", name, "the load generator is %s: what it means by first token and time per token is not known, these figures are listed and not lifted", name.Show())
	}
	if shape == shapeV1 {
		r.v1()
	} else {
		r.v2(load)
	}
	r.run.Class = lift.Class(load.Get("concurrency").Number(), evidence.Opt[float64](r.run.Primary(evidence.PromptTokens, evidence.Mean)))
	r.top.Derive(&r.run.Facts, evidence.KeyWorkloadClass, r.run.Class, "load")
	if !r.run.Void {
		r.run.Ordered()
		r.fits()
	}
	r.close()
}

// v1 reads scenario.host, scenario.platform, scenario.model and metrics.
func (r *report) v1() {
	scenario, metrics := r.top.Get("scenario"), r.top.Get("metrics")
	scenario.Path("model", "name").Fact(&r.arm, evidence.KeyModel)
	scenario.Path("model", "quantization").Fact(&r.arm, evidence.KeyQuantisation)
	scenario.Path("load", "type").Fact(&r.run.Facts, evidence.KeyLoadProfile)
	cards := scenario.Path("host", "accelerator")
	r.same(cards, evidence.KeyGPUProduct, "model")
	for _, k := range parallel {
		r.same(cards, k.key, "parallelism", k.name)
	}
	engines := scenario.Path("platform", "engine")
	r.same(engines, evidence.KeyEngine, "name")
	r.same(engines, evidence.KeyEngineVersion, "version")
	roles := scenario.Path("host", "type")
	if roles.IsArray() {
		apart := false
		roles.Items(func(_ int, m lift.Obj) { apart = apart || m.Str() == "prefill" })
		roles.Derive(&r.arm, evidence.KeyDisaggregated, strconv.FormatBool(apart), "host types")
	}
	time := metrics.Get("time")
	time.Get("duration").FactIn(&r.run.Facts, evidence.KeyDuration, "s")
	start, okStart := time.Get("start").Float()
	stop, okStop := time.Get("stop").Float()
	if okStart && okStop && stop < start {
		r.b.Find(evidence.Warning, lift.CodeDisagree, time.Get("stop"), "the run stops at %s, before it starts at %s", time.Get("stop").Show(), time.Get("start").Show())
	}
	r.requests(metrics.Get("requests"))
	r.latency(metrics.Get("latency"))
	metrics.Get("throughput").Members(func(name string, m lift.Obj) {
		if rate, ok := scalars[name]; ok {
			r.run.Figure(m, rate.metric, evidence.Total, rate.unit)
		}
	})
	r.sum(metrics.Path("throughput", "total_tokens_per_sec"), metrics.Path("throughput", "input_tokens_per_sec"), metrics.Path("throughput", "output_tokens_per_sec"))
	r.rate(metrics.Path("requests", "total"), metrics.Path("throughput", "requests_per_sec"), metrics.Path("time", "duration"))
}

var parallel = []struct {
	name string
	key  evidence.FactKey
}{{"tp", evidence.KeyTP}, {"dp", evidence.KeyDP}, {"pp", evidence.KeyPP}, {"ep", evidence.KeyEP}}

type rateOf struct {
	metric evidence.MetricID
	unit   string
}

var scalars = map[string]rateOf{
	"input_tokens_per_sec": {evidence.InputThroughput, "tok/s"}, "output_tokens_per_sec": {evidence.OutputThroughput, "tok/s"},
	"total_tokens_per_sec": {evidence.TotalThroughput, "tok/s"}, "requests_per_sec": {evidence.RequestThroughput, "requests/s"},
}

// same records a member that all components of a list agree on; a list that does not
// agree stays unknown and is reported.
func (r *report) same(list lift.Obj, key evidence.FactKey, path ...string) {
	if !list.IsArray() {
		list.Path(path...).Fact(&r.arm, key)
		return
	}
	first, agree := lift.Obj{}, true
	list.Items(func(i int, m lift.Obj) {
		v := m.Path(path...)
		if i == 0 {
			first = v
		} else if v.Node == nil || first.Node == nil || v.Node.Text != first.Node.Text {
			agree = false
		}
	})
	switch {
	case list.Len() == 0:
	case agree:
		first.Fact(&r.arm, key)
	default:
		r.b.Find(evidence.Info, "components-differ", list, "%s differs between the components: it stays unknown", key)
	}
}

// v2 reads run, scenario.stack and results.
func (r *report) v2(load lift.Obj) {
	run := r.top.Get("run")
	r.b.Observed(run.Path("time", "start"), run.Path("time", "start").Str())
	if d := run.Path("time", "duration"); d.There() {
		if s, ok := isoSeconds(d.Str()); ok {
			d.Derive(&r.run.Facts, evidence.KeyDuration, s, "ISO 8601 duration")
		}
	}
	r.b.Note(evidence.Statement, "description", run.Get("description"))
	r.stack(r.top.Path("scenario", "stack"))
	r.load(load)
	aggregate := r.top.Path("results", "request_performance", "aggregate")
	r.requests(aggregate.Get("requests"))
	r.latency(aggregate.Get("latency"))
	t := aggregate.Get("throughput")
	for _, x := range []struct {
		name   string
		metric evidence.MetricID
	}{{"input_token_rate", evidence.InputThroughput}, {"output_token_rate", evidence.OutputThroughput},
		{"total_token_rate", evidence.TotalThroughput}, {"request_rate", evidence.RequestThroughput}} {
		o := t.Get(x.name)
		if unit, ok := r.unit(o, x.metric); ok {
			r.run.Figure(o.Get("mean"), x.metric, evidence.Total, unit)
		}
	}
	r.sum(t.Path("total_token_rate", "mean"), t.Path("input_token_rate", "mean"), t.Path("output_token_rate", "mean"))
}

// stack records the inference engines; several of them must agree.
func (r *report) stack(stack lift.Obj) {
	engines, apart := 0, false
	stack.Items(func(_ int, c lift.Obj) {
		s := c.Get("standardized")
		if s.Get("kind").Str() != "inference_engine" {
			return
		}
		engines++
		apart = apart || s.Get("role").Str() == "prefill"
		if engines > 1 {
			return
		}
		s.Path("model", "name").Fact(&r.arm, evidence.KeyModel)
		s.Path("model", "quantization").Fact(&r.arm, evidence.KeyQuantisation)
		s.Path("accelerator", "model").Fact(&r.arm, evidence.KeyGPUProduct)
		s.Get("replicas").Fact(&r.arm, evidence.KeyReplicas)
		s.Get("tool").Fact(&r.arm, evidence.KeyEngine)
		version := s.Get("tool_version")
		if strings.Contains(version.Str(), "/") {
			version.Fact(&r.arm, evidence.KeyImage)
		} else {
			version.Fact(&r.arm, evidence.KeyEngineVersion)
		}
		for _, k := range parallel {
			s.Path("accelerator", "parallelism", k.name).Fact(&r.arm, k.key)
		}
		s.Path("accelerator", "count").Fact(&r.arm, evidence.KeyGPUCount)
	})
	if engines > 1 {
		r.b.Find(evidence.Info, "components-differ", stack, "%d inference engines stand in the stack: the facts are those of the first", engines)
	}
	if engines > 0 {
		stack.Derive(&r.arm, evidence.KeyDisaggregated, strconv.FormatBool(apart), "roles")
	}
}

func (r *report) load(o lift.Obj) {
	f := &r.run.Facts
	o.Get("rate_qps").Fact(f, evidence.KeyRequestRate)
	if c := o.Get("concurrency"); lift.Numeric(c.Node) && c.Node.Text != ".inf" {
		c.Fact(f, evidence.KeyConcurrency)
	} else if c.There() {
		c.Derive(f, evidence.KeyConcurrency, "unlimited", "infinite")
		c.Skip(evidence.ReasonEcho)
	}
	o.Get("source").Fact(f, evidence.KeyPromptKind)
	for _, x := range []struct {
		name string
		key  evidence.FactKey
	}{{"input_seq_len", evidence.KeyContextTarget}, {"output_seq_len", evidence.KeyOutputCap}} {
		s := o.Get(x.name)
		s.Get("value").Fact(f, x.key)
		if d := s.Get("distribution"); d.There() && d.Str() != "fixed" {
			d.Derive(f, evidence.KeyLengthSpread, x.name+" "+d.Str()+" "+s.Get("std_dev").Show(), "distribution")
		}
	}
	if p := o.Path("prefix", "prefix_len", "value"); p.There() {
		p.Derive(f, evidence.KeyPromptBurst, "true", "prefix")
	}
}

// requests counts and measures lengths.
func (r *report) requests(o lift.Obj) {
	f := &r.run.Facts
	total, failures, incomplete := o.Get("total"), o.Get("failures"), o.Get("incomplete")
	total.Fact(f, evidence.KeyRequests)
	failures.Fact(f, evidence.KeyFailed)
	n, bad := total.Count(), failures.Count()
	switch {
	case n.OK && n.V == 0:
		r.run.Void, r.run.N = true, evidence.Some[int64](0)
		r.b.Find(evidence.Warning, lift.CodeVoid, total, "no request was sent: the figures are no measurements")
	case n.OK && !bad.OK: // absent is not zero
		r.b.Find(evidence.Info, lift.CodeNoCount, o, "requests.failures is %s: how many of the %d requests completed is not known", failures.Show(), n.V)
	case n.OK:
		left := n.V - bad.V - incomplete.Count().V
		total.Derive(f, evidence.KeyCompleted, strconv.FormatInt(left, 10), "total - failures - incomplete")
		r.run.N = evidence.Some(left)
		if left <= 0 {
			r.run.Void, r.run.N = true, evidence.Some[int64](0)
			r.b.Find(evidence.Warning, lift.CodeVoid, total, "no request completed: the figures are no measurements")
		} else if left < n.V {
			r.b.Find(evidence.Warning, lift.CodePartial, total, "%d of %d requests completed", left, n.V)
		}
	default:
		r.b.Find(evidence.Warning, lift.CodeNoCount, total, "requests.total is %s", total.Show())
	}
	incomplete.Skip(evidence.ReasonDiagnostic)
	for _, name := range []string{"request_size", "multimodal"} { // what was sent, since 0.2.1
		o.Get(name).Members(func(_ string, m lift.Obj) { m.Skip(evidence.ReasonDiagnostic) })
	}
	r.distribution(o.Get("input_length"), evidence.PromptTokens, r.run.N)
	r.distribution(o.Get("output_length"), evidence.OutputTokens, r.run.N)
	for _, x := range []struct {
		name string
		key  evidence.FactKey
	}{{"input_length", evidence.KeyPromptTokens}, {"output_length", evidence.KeyMeanOutput}} {
		if v, ok := o.Path(x.name, "mean").Float(); ok && !r.run.Void {
			o.Path(x.name, "mean").Derive(f, x.key, evidence.FormatDecimal(v), "mean of rows")
		}
	}
}

func (r *report) latency(o lift.Obj) {
	r.distribution(o.Get("request_latency"), r.tool.e2e, r.run.N)
	r.distribution(o.Get("normalized_time_per_output_token"), evidence.E2EPerToken, r.run.N)
	if !r.know {
		return
	}
	r.distribution(o.Get("time_to_first_token"), r.tool.ttft, r.run.N)
	r.distribution(o.Get("time_per_output_token"), r.tool.tpot, r.run.N)
	n := r.run.N
	if r.tool.gapsAreNotCounts {
		n = evidence.None[int64]()
	}
	if r.tool.itl != r.tool.tpot || !o.Get("time_per_output_token").There() {
		r.distribution(o.Get("inter_token_latency"), r.tool.itl, n)
	}
}

func (r *report) unit(o lift.Obj, metric evidence.MetricID) (string, bool) {
	if !o.There() {
		return "", false
	}
	unit, ok := units[o.Get("units").Str()]
	if !ok {
		r.b.Find(evidence.Warning, lift.CodeUnit, o, "%s: the units are %s, its figures are not lifted", metric, o.Get("units").Show())
	}
	return unit, ok
}

func (r *report) distribution(o lift.Obj, metric evidence.MetricID, n evidence.Opt[int64]) {
	if metric == "" {
		o.Skip(evidence.ReasonDiagnostic)
		return
	}
	if unit, ok := r.unit(o, metric); ok {
		r.run.Distribution(o, metric, unit, n)
	}
	o.Skip(evidence.ReasonDiagnostic)
}

func (r *report) sum(total, in, out lift.Obj) {
	if !r.run.Void {
		r.b.Sum("the total token rate", total, 2e-2, in, out)
	}
}

// rate compares requests / duration with the request rate; a report may count the
// duration of more than the requests.
func (r *report) rate(total, rate, duration lift.Obj) {
	n, ok1 := total.Float()
	q, ok2 := rate.Float()
	if d, ok := duration.Float(); ok && ok1 && ok2 && q > 0 && !r.run.Void {
		r.run.Suspect(duration, d, n/q, "the duration", "requests / requests per second", evidence.RequestThroughput)
	}
}

// fits compares the latencies with each other.
func (r *report) fits() {
	e2e, out := r.run.Primary(r.tool.e2e, evidence.Mean), r.run.Primary(evidence.OutputTokens, evidence.Mean)
	if !e2e.OK || !out.OK || out.V < 1 {
		return
	}
	if r.tool.tpot != evidence.TPOTInclusive && r.tool.tpot != "" {
		r.run.Fits(r.top, lift.Parts{Whole: r.tool.e2e, First: r.tool.ttft, PerToken: r.tool.tpot, Tokens: out.V})
	}
	if norm := r.run.Primary(evidence.E2EPerToken, evidence.Mean); norm.OK {
		r.run.Suspect(r.top, norm.V, e2e.V/out.V, "the normalised latency", "latency / tokens", evidence.E2EPerToken, r.tool.e2e)
	}
	if r.know && r.tool.itl != r.tool.tpot {
		r.run.Gaps(r.top, r.tool.itl, r.tool.tpot)
	}
	for _, x := range []struct {
		rate, of evidence.MetricID
		length   evidence.Opt[float64]
	}{{evidence.OutputThroughput, evidence.OutputTokens, out}, {evidence.InputThroughput, evidence.PromptTokens, r.run.Primary(evidence.PromptTokens, evidence.Mean)}} {
		rate, requests := r.run.Primary(x.rate, evidence.Total), r.run.Primary(evidence.RequestThroughput, evidence.Total)
		if rate.OK && requests.OK && x.length.OK && x.length.V > 0 && requests.V > 0 {
			if ratio := rate.V / (requests.V * x.length.V); ratio > 30 || ratio < 1.0/30 {
				r.b.Find(evidence.Warning, lift.CodeDisagree, r.top, "%s is %v, and %v requests/s of %v tokens give %v", x.rate, rate.V, requests.V, x.length.V, requests.V*x.length.V)
				r.run.Dispute(x.rate, x.of, evidence.RequestThroughput)
			}
		}
	}
}

// close lists what describes the servers and the environment.
func (r *report) close() {
	aggregate := r.top.Path("results", "request_performance", "aggregate")
	for _, group := range []lift.Obj{aggregate.Get("throughput"), aggregate.Get("latency"), r.top.Path("metrics", "latency")} {
		group.Members(func(_ string, m lift.Obj) { m.Skip(evidence.ReasonDiagnostic) })
	}
	r.top.Path("results", "request_performance").Members(func(_ string, m lift.Obj) { m.SkipWhole(evidence.ReasonDiagnostic) })
	r.top.Get("results").Members(func(_ string, m lift.Obj) { m.SkipWhole(evidence.ReasonDiagnostic) })
	r.top.Get("metrics").SkipMembers(evidence.ReasonDiagnostic, "service", "resources")
	r.top.Path("metrics", "time").Skip(evidence.ReasonTimestamp)
	r.top.Get("scenario").Skip(evidence.ReasonEcho)
	r.top.Get("run").Skip(evidence.ReasonIdentifier)
	name := "llm-d, model not recorded"
	for _, f := range r.arm {
		if f.Key == evidence.KeyModel {
			name = f.Value
		}
	}
	r.b.Arm(evidence.Arm{Name: lift.Clip(name), Place: r.top.Place(), Facts: r.arm}, r.run)
	r.b.Title("llm-d benchmark report · " + name)
}

// isoSeconds reads "PT1H2M3.5S".
func isoSeconds(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "PT")
	if !ok || len(s) > 40 {
		return "", false
	}
	total := 0.0
	for rest != "" {
		i := strings.IndexAny(rest, "HMS")
		if i <= 0 {
			return "", false
		}
		v, err := evidence.ParseDecimal(rest[:i])
		if err != nil {
			return "", false
		}
		total += v * map[byte]float64{'H': 3600, 'M': 60, 'S': 1}[rest[i]]
		rest = rest[i+1:]
	}
	return evidence.FormatDecimal(total), true
}
