package paired

import (
	"math"
	"strconv"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// longOutput is the output cap from which a probe is one of long generation.
const longOutput = 256

func isProbeArm(v lift.Val) bool { return v.Get("runs_tok_s").Is(jsondoc.Array) }

// probe reads repeats of one request under two settings. What the rate measures, the
// sentence about the method says.
func (p *pair) probe() {
	method := p.Top.Get("method")
	p.sentence(&p.Doc.Facts, method)
	metric := rateOf(method.Str())
	if metric == "" {
		p.Find(evidence.Warning, CodeRate, method, "the method does not say what the rate divides by what: no figure is taken")
	}
	p.engine(p.Top.Get("engine"))
	for name, v := range p.Top.Members() {
		if v.Is(jsondoc.Object) && isProbeArm(v) {
			p.probeArm(name, v, metric)
		}
	}
	speedup := p.Top.Get("speedup")
	subject, control := p.subject(), p.control()
	if subject != nil && metric != "" {
		p.claim(subject.runs[summaryRun], control.runs[summaryRun], metric, evidence.Mean, ruleRatio, speedup)
	}
}

// rateOf is the metric that a sentence about the method defines: tokens that the server
// counted over wall time, or chunks.
func rateOf(method string) evidence.MetricID {
	m := strings.ToLower(method)
	wall := strings.Contains(m, "wall-clock") || strings.Contains(m, "wall clock") || strings.Contains(m, "wall time")
	switch {
	case wall && strings.Contains(m, "usage"):
		return evidence.OutputThroughput
	case wall && strings.Contains(m, "chunk"):
		return evidence.OutputChunkThroughput
	}
	return ""
}

// engine reads "owner/image:tag (version)".
func (p *pair) engine(v lift.Val) {
	text := v.Str()
	image, rest, ok := strings.Cut(text, " (")
	if !ok || !strings.Contains(image, "/") || !strings.HasSuffix(rest, ")") {
		return
	}
	for _, x := range []struct {
		k     evidence.FactKey
		start int
		value string
	}{{evidence.KeyImage, 0, image}, {evidence.KeyEngineVersion, len(image) + 2, strings.TrimSuffix(rest, ")")}} {
		p.Put(&p.Doc.Facts, evidence.Fact{Key: x.k, Value: x.value, State: evidence.Derived, Rule: "image (version)",
			Place: evidence.InText(v.P, x.start, x.start+len(x.value)), SourceText: x.value})
	}
}

// summaryRun names the run that brings repeats together.
const summaryRun = "all runs"

func (p *pair) probeArm(name string, v lift.Val, metric evidence.MetricID) {
	p.Expect(v, "runs_tok_s", "mean_tok_s", "config")
	s := p.side(name, v)
	p.speculation(s, name, v.Get("config"))
	class := evidence.ClassGeneration
	if limit := of(evidence.KeyOutputCap, p.Doc.Facts); limit.OK && limit.V < longOutput {
		class = evidence.ClassShort
	}
	if metric == "" {
		return
	}
	unit := "tok/s"
	if metric == evidence.OutputChunkThroughput {
		unit = "chunks/s"
	}
	var values []float64
	var repeats []*evidence.Measurement
	for i, x := range v.Get("runs_tok_s").Items() {
		run := s.run("run "+strconv.Itoa(i+1), class, x)
		run.N = evidence.Some[int64](1)
		p.Derive(&run.Facts, evidence.KeyRequests, "1", "one-request", lift.Val{P: x.P})
		if m := p.Lift(run, x, lift.Want{Metric: metric, Stat: evidence.Single, Unit: unit}); m != nil && m.Value.OK {
			values, repeats = append(values, m.Value.V), append(repeats, m)
		}
	}
	p.stray(repeats)
	run := s.run(summaryRun, class, v)
	n := evidence.Some(int64(len(values)))
	p.Put(&run.Facts, evidence.Fact{Key: evidence.KeyAggregation, Value: "mean of runs", State: evidence.Derived, Place: evidence.At(v.P), Rule: "member-name", SourceText: "mean_tok_s"})
	mean := p.Lift(run, v.Get("mean_tok_s"), lift.Want{Metric: metric, Stat: evidence.Mean, Unit: unit, N: n})
	if len(values) > 0 {
		p.Agree(mean, lift.Sum(values)/float64(len(values)), "mean of the runs", 0, halfUnit(mean), v.Get("runs_tok_s").P)
	}
}

// halfUnit is half a unit of the last digit that a figure is written with.
func halfUnit(m *evidence.Measurement) float64 {
	if m == nil {
		return 0
	}
	_, decimals, _ := strings.Cut(m.SourceText, ".")
	return 0.5*math.Pow(10, -float64(len(decimals))) + 1e-9
}

// speculation reads what an arm says of speculative decoding: in the options that its
// config quotes, or in its name.
func (p *pair) speculation(s *side, name string, config lift.Val) {
	text := config.Str()
	depth, ok := quoted(text, "num_speculative_tokens")
	if !ok {
		if w := sweep.Words(name); len(w) > 1 && w[len(w)-1] == "off" {
			at := evidence.At(config.P)
			p.Put(&s.Facts, evidence.Fact{Key: evidence.KeyMTPDepth, Value: "0", State: evidence.Derived, Place: at, Rule: "member-name", SourceText: name})
			p.Put(&s.Facts, evidence.Fact{Key: evidence.KeySpecMethod, Value: "none", State: evidence.Derived, Place: at, Rule: "member-name", SourceText: name})
		}
		return
	}
	key := evidence.KeyDraftDepth
	if method, ok := quoted(text, "method"); ok {
		value := method.Text(text)
		if strings.Contains(value, "mtp") { // "qwen3_5_mtp" names the model along
			key, value = evidence.KeyMTPDepth, "mtp"
		}
		p.Put(&s.Facts, prose.Setting{Key: evidence.KeySpecMethod, Value: value, Span: method}.Fact(config.P, text, prose.RuleConfig))
	}
	if n, err := strconv.ParseInt(depth.Text(text), 10, 32); err == nil {
		p.Put(&s.Facts, prose.Setting{Key: key, Value: prose.FormatCount(n), Span: depth}.Fact(config.P, text, prose.RuleConfig))
	}
}

// quoted finds the value of a member in options that a text quotes.
func quoted(text, name string) (prose.Span, bool) {
	i := strings.Index(text, `"`+name+`":`)
	if i < 0 {
		return prose.Span{}, false
	}
	start := i + len(name) + len(`"":`)
	for start < len(text) && (text[start] == ' ' || text[start] == '"') {
		start++
	}
	end := start
	for end < len(text) && strings.IndexByte(`",} `, text[end]) < 0 {
		end++
	}
	return prose.Span{Start: start, End: end}, end > start
}
