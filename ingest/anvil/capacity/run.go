package capacity

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Rules of derived facts.
const (
	ruleGeneration = "writer-generation" // the writer of this generation always did so
	ruleMean       = "output/completed"
	ruleChunkMean  = "chunks/completed"
	ruleBoundary   = "fields" // the TTFO fields that are there, or are not
	ruleRest       = "requests-completed"
	rulePlan       = "context-distribution"
	ruleAtCap      = "rows-at-cap"
	ruleSources    = "output-token-sources"
)

// capacity is one file being read.
type capacity struct {
	*lift.Doc
	shape   string
	metrics lift.Val
	run     *lift.Run
	rows    []row

	completed, requests, concurrency, cap, context evidence.Opt[int64]
	served                                         evidence.Opt[int64] // context
	wall                                           evidence.Opt[float64]
	counting                                       string // "usage", "chunks", "mixed", "" when nothing says so
	ttfo                                           bool   // generation starts at the first output, not at the first visible one
}

func (c *capacity) legacy() bool { return c.shape == ShapeLegacy }
func (c *capacity) v2() bool     { return c.shape == ShapeV2 }

// timed reports whether the generation has rows and a methodology. Without a protocol
// only the fields can tell.
func (c *capacity) timed() bool {
	if c.shape == ShapeUnlabelled {
		return c.hasTimes()
	}
	return !c.legacy() && !c.v2()
}

func (c *capacity) hasTimes() bool {
	return c.Top.Get("request_timings").OK() || c.Top.Get("timing_methodology").OK()
}

// method is the percentile method of the generation.
func (c *capacity) method() evidence.Method {
	if c.legacy() {
		return evidence.RoundedIndex
	}
	return evidence.NearestRank
}

func (c *capacity) read() {
	c.Expect(c.Top, "run_id", "base_url", "model", "requests", "completed", "concurrency", "context_tokens", "max_context_tokens", "max_tokens", "serve_flags")
	if !c.legacy() {
		c.Expect(c.Top, "engine", "gpu", "failed", "failures", "context_seed", "context_distribution", "tier", "manifest", "source_recipe")
	}
	if c.timed() {
		c.Expect(c.Top, "measurement_protocol", "started_at", "finished_at", "wall_clock_ms", "request_timings", "timing_methodology")
		c.Expect(c.Top.Get("timing_methodology"), "clock", "decode", "effective_prefill", "generation", "mean_inter_token_latency", "ttft")
	}
	c.Expect(c.Top.Get("serve_flags"), "shared_prefix_burst", "thinking_mode", "no_thinking")
	c.Observe(c.Top.Get("started_at"), c.Top.Get("run_id"))
	c.Words(&c.Facts, evidence.KeyFinished, c.Top.Get("finished_at"))
	arm := c.arm()
	c.served = peekInt(c, c.Top.Get("max_context_tokens"))
	c.concurrency = c.OptInt(c.Top.Get("concurrency"))
	c.context = c.OptInt(c.Top.Get("context_tokens"))
	c.run = arm.NewRun(c.Top.Get("run_id").Str(), lift.LoadClass(c.context, c.concurrency), c.Top)
	c.protocol()
	c.counts()
	c.workload()
	c.readRows()
	c.lengths()
	c.summary()
	c.check()
	c.fromRows()
}

// arm is the one configuration of the file. The served name is an alias, not a model.
func (c *capacity) arm() *lift.Arm {
	arm := c.NewArm(cmp.Or(c.Top.Get("model").Str(), "unnamed"), c.Top)
	f := &arm.Facts
	c.Words(f, evidence.KeyServedModel, c.Top.Get("model"))
	c.Words(f, evidence.KeyEngine, c.Top.Get("engine"))
	c.Words(f, evidence.KeyGPUProduct, c.Top.Get("gpu"))
	c.Fact(f, evidence.KeyServedContext, c.Top.Get("max_context_tokens"))
	c.Path(f, c.Top.Get("base_url"), lift.Val{})
	c.Note(evidence.Statement, "tier", c.Top.Get("tier"))
	for _, r := range []struct{ name, kind string }{{"source_recipe", "recipe"}, {"manifest", "evidence"}} {
		if v := c.Top.Get(r.name); v.Str() != "" {
			c.References = append(c.References, evidence.Reference{Name: v.Str(), Kind: r.kind, Place: evidence.At(v.P)})
		}
	}
	return arm
}

// protocol puts the generation with what follows from it, and says where the label hides
// the generation that wrote the file.
func (c *capacity) protocol() {
	f, label := &c.run.Facts, c.Top.Get("measurement_protocol")
	switch {
	case label.Is(jsondoc.String):
		c.Fact(f, evidence.KeyProtocol, label)
	case c.legacy():
		c.Derive(f, evidence.KeyProtocol, "legacy", ruleGeneration, c.Top)
	default:
		c.Find(evidence.Warning, lift.CodeLabelShape, c.Top, "no measurement_protocol beside the fields of a later generation: the protocol is unknown")
		c.Put(f, evidence.Fact{Key: evidence.KeyProtocol, State: evidence.Absent, Place: evidence.At(c.Top.P)})
	}
	if c.shape == ShapeV3TTFO {
		c.Find(evidence.Info, lift.CodeLabelAfter, label, "labelled capacity-v3, written by the harness of the fourth generation: it has fields of the time to first output; the label follows from what the run retained")
	}
	if c.hasTimes() != c.timed() {
		c.Find(evidence.Warning, lift.CodeLabelShape, label, "the protocol and the fields are of different generations: the protocol is in conflict")
		lift.Dispute(*f, evidence.KeyProtocol)
	}
	c.Derive(f, evidence.KeyPercentileMethod, string(c.method()), ruleGeneration, label)
	if c.timed() {
		c.boundary()
	}
	for name, v := range c.Top.Get("timing_methodology").Members() {
		c.Note(evidence.Statement, name, v)
	}
}

// boundary reads where generation, decode and effective prefill start: from the
// methodology and from the fields that are there, never from the label.
func (c *capacity) boundary() {
	f := &c.run.Facts
	c.ttfo = hasTTFO(c.Top.N)
	byFields := "ttft"
	if c.ttfo {
		byFields = "ttfo"
	}
	said := false
	for _, name := range []string{"generation", "effective_prefill"} {
		v := c.Top.Path("timing_methodology", name)
		if b := boundaryOf(v.Str()); b != "" {
			c.Derive(f, evidence.KeyTimingBoundary, b, "methodology", v)
			said = true
		}
	}
	at := c.metrics
	if v := c.metrics.Get("time_to_first_output_p50_ms"); v.OK() {
		at = v
	}
	if !said {
		c.Derive(f, evidence.KeyTimingBoundary, byFields, ruleBoundary, lift.Val{P: at.P})
		return
	}
	for i := range *f {
		if x := &(*f)[i]; x.Key == evidence.KeyTimingBoundary && x.Value != byFields {
			x.State = evidence.Conflict
			c.Find(evidence.Warning, lift.CodeDiffers, at, "the methodology starts at %s and the fields are those of %s", x.Value, byFields)
		}
	}
}

func boundaryOf(s string) string {
	if len(s) > 1000 {
		return ""
	}
	s = strings.ToLower(s)
	switch {
	case strings.Contains(s, "first output"):
		return "ttfo"
	case strings.Contains(s, "ttft"), strings.Contains(s, "first token"):
		return "ttft"
	}
	return ""
}

// counts reads how many requests there were and what became of them.
func (c *capacity) counts() {
	f := &c.run.Facts
	c.requests, c.completed = c.OptInt(c.Top.Get("requests")), c.OptInt(c.Top.Get("completed"))
	c.run.N = c.completed
	c.Fact(f, evidence.KeyRequests, c.Top.Get("requests"))
	c.Fact(f, evidence.KeyCompleted, c.Top.Get("completed"))
	failed := c.Top.Get("failed")
	c.Fact(f, evidence.KeyFailed, failed)
	if c.requests.OK && c.completed.OK {
		rest := c.requests.V - c.completed.V
		switch n, ok := c.PeekInt(failed); {
		case rest < 0:
			c.Find(evidence.Warning, lift.CodeCount, c.Top.Get("completed"), "%d completed of %d requested", c.completed.V, c.requests.V)
		case !failed.OK():
			c.Derive(f, evidence.KeyFailed, strconv.FormatInt(rest, 10), ruleRest, c.Top.Get("completed"))
		case ok:
			c.AgreeCount(failed, n, rest, "requested minus completed", c.Top.Get("requests").P)
		}
		if rest > 0 {
			c.Find(evidence.Warning, lift.CodeIncomplete, c.Top.Get("completed"), "%d of %d requests completed", c.completed.V, c.requests.V)
		}
		if c.completed.V == 0 {
			c.run.Status = evidence.RunFailed
		}
	}
	c.failures(failed)
}

// failures keeps every failed request as a sample and its reason as a note.
func (c *capacity) failures(failed lift.Val) {
	list := c.List(c.Top.Get("failures"))
	if n, ok := c.PeekInt(failed); ok && list.Is(jsondoc.Array) {
		c.AgreeCount(list, int64(list.Len()), n, "failed", failed.P)
	}
	for _, v := range list.Items() {
		c.Expect(v, "error_type", "request_index")
		if v.Get("error_message").OK() {
			c.Expect(v, "error_message_truncated")
		}
		text := v.Get("error_type").Str()
		if s := v.Get("error_message").Str(); s != "" {
			text = strings.TrimPrefix(text+": "+s, ": ")
			c.Note(evidence.Failure, v.Get("error_type").Str(), v.Get("error_message"))
		} else {
			c.Note(evidence.Failure, "error_type", v.Get("error_type"))
		}
		if index, ok := c.Int(v.Get("request_index")); ok {
			c.run.Samples = append(c.run.Samples, evidence.Sample{Index: index, Failure: cutText(text), Place: evidence.At(v.P)})
		}
	}
}

func cutText(s string) string {
	if len(s) > 300 {
		return strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}

// workload puts the shape: what was asked for and what was planned.
func (c *capacity) workload() {
	f, flags := &c.run.Facts, c.Top.Get("serve_flags")
	c.Fact(f, evidence.KeyConcurrency, c.Top.Get("concurrency"))
	c.Fact(f, evidence.KeyContextTarget, c.Top.Get("context_tokens"))
	c.cap = c.OptInt(c.Top.Get("max_tokens"))
	c.Fact(f, evidence.KeyOutputCap, c.Top.Get("max_tokens"))
	c.Count(f, evidence.KeyPromptSeed, c.Top.Get("context_seed"))
	c.Flag(f, evidence.KeyPromptBurst, flags.Get("shared_prefix_burst"))
	c.Thinking(f, flags.Get("thinking_mode"), flags.Get("reasoning_effort"), flags.Get("no_thinking"))
	if v := c.metrics.Get("prefix_cache_hit_avg"); v.Is(jsondoc.Number) {
		if share, ok := c.Number(v, "ratio"); ok && share.V > 1 {
			c.Find(evidence.Warning, lift.CodeImpossible, v, "a cached share above 1")
		} else {
			c.Fact(f, evidence.KeyCachedFraction, v)
		}
	} else if v.OK() && !v.Is(jsondoc.Null) {
		c.Number(v, "ratio")
	}
	c.plan()
}

// plan reads the planned context distribution. A harness may clamp it and still print
// the target.
func (c *capacity) plan() {
	v := c.Top.Get("context_distribution")
	if !v.OK() {
		return
	}
	type part struct {
		tokens, requests int64
	}
	var parts []part
	var total int64
	for name, n := range v.Members() {
		tokens, err := strconv.ParseInt(name, 10, 64)
		count, ok := c.PeekInt(n)
		if err != nil || !ok || tokens < 0 {
			c.Find(evidence.Warning, lift.CodeNotNumber, n, "planned contexts are tokens and their requests")
			return
		}
		parts, total = append(parts, part{tokens, count}), total+count
	}
	if len(parts) == 0 {
		return
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.tokens, b.tokens) })
	value := strconv.FormatInt(parts[0].tokens, 10)
	if len(parts) > 1 {
		value = ""
		for _, p := range parts[:min(len(parts), 40)] {
			value += " " + strconv.FormatInt(p.tokens, 10) + "x" + strconv.FormatInt(p.requests, 10)
		}
		value = value[1:]
	}
	c.Derive(&c.run.Facts, evidence.KeyPlannedContext, value, rulePlan, v)
	if c.requests.OK {
		c.AgreeCount(v, total, c.requests.V, "requests", c.Top.Get("requests").P)
	}
	if c.context.OK && (len(parts) > 1 || parts[0].tokens != c.context.V) {
		c.Find(evidence.Warning, lift.CodeClamped, v, "context_tokens asks for %d, planned were %s", c.context.V, value)
	}
}

// stamps are the times of a run that a check holds against the wall clock.
func (c *capacity) stamps() (start, end time.Time, ok bool) {
	a, err1 := time.Parse(time.RFC3339, c.Top.Get("started_at").Str())
	b, err2 := time.Parse(time.RFC3339, c.Top.Get("finished_at").Str())
	return a, b, err1 == nil && err2 == nil
}
