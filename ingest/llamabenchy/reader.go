package llamabenchy

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeResult   = "result"
	shapeProgress = "progress"
)

// Reader reads results.
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Named("llama-benchy/result", 2, "llama-benchy")}}
}

// Match decides by members.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	if strings.HasPrefix(v.Get("schema").Str(), "llama-benchy-progress.") {
		return shapeProgress, true
	}
	list := v.Get("benchmarks")
	if v.Get("latency_mode") == nil || !list.Is(jsondoc.Array) {
		return "", false
	}
	for _, c := range list.Children {
		if c.Get("pp_throughput") == nil && c.Get("tg_throughput") == nil {
			return "", false
		}
	}
	return shapeResult, len(list.Children) > 0
}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	b.Protocol("llama-benchy", "", "")
	top := b.Top()
	b.Title("llama-benchy")
	if shapeID == shapeProgress {
		top.Skip(evidence.ReasonDiagnostic)
		b.Find(evidence.Info, lift.CodeUnread, top, "an event of a run that has its own result: no run is counted here")
		return b.Finish()
	}
	top.Get("version").Fact(&b.Doc.Facts, evidence.KeyClientVersion)
	b.Observed(top.Get("timestamp"), strings.Replace(top.Get("timestamp").Str(), " ", "T", 1))
	var arm lift.Facts
	top.Get("model").Fact(&arm, evidence.KeyModel)
	if p := top.Get("prefix_caching_enabled"); p.There() {
		state := "off"
		if p.True() {
			state = "on"
		}
		p.Derive(&arm, evidence.KeyPrefixCache, state, "prefix_caching_enabled")
	}
	var runs []*lift.Run
	top.Get("benchmarks").Items(func(_ int, m lift.Obj) { runs = append(runs, point(b, top, m)) })
	top.SkipMembers(evidence.ReasonDiagnostic, "latency_ms")
	top.SkipMembers(evidence.ReasonEcho, "max_concurrency")
	b.Arm(evidence.Arm{Name: lift.Clip(top.Get("model").Str()), Place: top.Place(), Facts: arm}, runs...)
	return b.Finish()
}

var figures = []struct {
	name   string
	metric evidence.MetricID
	unit   string
}{
	{"ttfr", evidence.TTFC, "ms"}, {"e2e_ttft", evidence.TTFO, "ms"},
	{"pp_throughput", evidence.PrefillThroughput, "tok/s"}, {"pp_req_throughput", evidence.EffectivePrefillRate, "tok/s"},
	{"tg_throughput", evidence.DecodeThroughput, "tok/s"}, {"tg_req_throughput", evidence.DecodeRate, "tok/s"},
}

func point(b *lift.Builder, top, o lift.Obj) *lift.Run {
	name := "pp" + o.Get("prompt_size").Show() + " tg" + o.Get("response_size").Show() + " at " + o.Get("concurrency").Show()
	run := b.NewRun(name, o, "")
	f := &run.Facts
	o.Get("concurrency").Fact(f, evidence.KeyConcurrency)
	o.Get("prompt_size").Fact(f, evidence.KeyContextTarget)
	o.Get("response_size").Fact(f, evidence.KeyOutputCap)
	o.Get("context_size").Fact(f, evidence.KeyFilledContext)
	if p := o.Get("is_context_prefill_phase"); p.True() {
		p.Derive(f, evidence.KeyLoadProfile, "context prefill", "is_context_prefill_phase")
	}
	mode := top.Get("latency_mode")
	mode.Derive(f, evidence.KeyTimingBoundary, "first response less latency ("+mode.Str()+")", "latency_mode")
	run.Class = lift.Class(o.Get("concurrency").Number(), o.Get("context_size").Number())
	o.Derive(f, evidence.KeyWorkloadClass, run.Class, "load")
	for _, x := range figures {
		m := o.Get(x.name)
		n, values := raw(m)
		run.Distribution(m, x.metric, x.unit, n)
		same(b, m, values)
		m.Get("values").Skip(evidence.ReasonRow)
	}
	for _, n := range []string{"est_ppt", "peak_throughput", "peak_req_throughput"} {
		_, values := raw(o.Get(n))
		same(b, o.Get(n), values)
		o.Get(n).SkipWhole(evidence.ReasonDiagnostic)
	}
	o.SkipMembers(evidence.ReasonRow, "throughput_over_time", "requests_throughput_over_time")
	run.Ordered()
	fits(b, top, o, run)
	return run
}

// raw gives the values behind a figure.
func raw(o lift.Obj) (evidence.Opt[int64], []float64) {
	var values []float64
	list := o.Get("values")
	list.Items(func(_ int, m lift.Obj) {
		if v, ok := m.Float(); ok {
			values = append(values, v)
		}
	})
	if !list.IsArray() {
		return evidence.None[int64](), nil
	}
	return evidence.Some(int64(list.Len())), values
}

// same computes mean and spread again.
func same(b *lift.Builder, o lift.Obj, values []float64) {
	s := lift.Summarise(values)
	if s.N == 0 {
		return
	}
	b.Agree("mean", o.Get("mean"), s.Mean, 1e-6, "the mean of its values", o.Get("values"))
	b.Agree("std", o.Get("std"), s.Std, 1e-3, "the spread of its values", o.Get("values"))
}

// fits checks that the prompt speed is prompt / est_ppt, and est_ppt what its mode says.
func fits(b *lift.Builder, top, o lift.Obj, run *lift.Run) {
	latency := top.Get("latency_ms")
	first, ok1 := o.Path("ttfr", "mean").Float()
	l, ok2 := latency.Float()
	if ok1 && ok2 {
		b.Agree("est_ppt", o.Path("est_ppt", "mean"), first-l, 1e-3, "ttfr - latency_ms", o.Path("ttfr", "mean"), latency)
	}
	prompt, ok := o.Get("prompt_size").Float()
	ppt, okT := o.Path("est_ppt", "mean").Float()
	if ok && okT && ppt > 0 && prompt > 0 && !o.Get("is_context_prefill_phase").True() {
		if v, has := o.Path("pp_req_throughput", "mean").Float(); has && v > 0 {
			run.Suspect(o.Get("pp_req_throughput"), prompt/v, ppt/1000, "prompt_size / pp_req_throughput", "est_ppt", evidence.EffectivePrefillRate)
		}
	}
}
