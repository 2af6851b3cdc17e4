package aiperf

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

const warmUp = "warm-up"

// readRecord reads one record by itself: a run with one sample and no figures, because
// one request is no run.
func readRecord(b *lift.Builder, _ string) {
	b.Protocol("aiperf", evidence.Linear, "")
	b.Title("aiperf")
	top := b.Top()
	run := b.NewRun("record", top, evidence.Linear)
	s := sampleOf(top.Node, top.P, 0)
	run.Samples = append(run.Samples, s)
	if !s.OK && s.Failure != warmUp {
		run.Status = evidence.RunFailed
	}
	d := newDoubts()
	d.look(top.Node, &s, top.P)
	d.tell(b, run, 1)
	metrics := top.Get("metrics")
	metrics.SkipMembers(evidence.ReasonRow, sampled...)
	metrics.Skip(evidence.ReasonDiagnostic)
	meta := top.Get("metadata")
	meta.SkipMembers(evidence.ReasonTimestamp, timestamps...)
	meta.Skip(evidence.ReasonIdentifier)
	b.Arm(evidence.Arm{Name: "aiperf records", Place: top.Place()}, run)
}

// sampled are the tags that a sample carries; the record is their place.
var sampled = []string{"time_to_first_token", "time_to_first_output_token", "request_latency", "input_sequence_length",
	"output_sequence_length", "inter_token_latency", "inter_chunk_latency", "output_token_throughput_per_user"}

var timestamps = []string{"credit_issued_ns", "request_start_ns", "request_ack_ns", "request_end_ns"}

// seconds is a duration of the record in seconds; its unit decides.
func seconds(metrics *jsondoc.Node, tag string) evidence.Opt[float64] {
	m := metrics.Get(tag)
	if !m.Get("value").Is(jsondoc.Number) {
		return evidence.None[float64]()
	}
	digits, unit := m.Get("value").Text, units[m.Get("unit").Str()]
	exponent, ok := exponents[unit]
	if !ok {
		return evidence.None[float64]()
	}
	if strings.ContainsAny(digits, "eE") {
		v, _, err := evidence.ToBase(digits, unit)
		return evidence.Opt[float64]{V: v, OK: err == nil && v >= 0}
	}
	v, err := strconv.ParseFloat(digits+exponent, 64)
	return evidence.Opt[float64]{V: v, OK: err == nil && v >= 0}
}

// exponents scale digits to seconds with one rounding, as evidence.ToBase does, at a
// tenth of its cost.
var exponents = map[string]string{"s": "", "ms": "e-3", "us": "e-6", "ns": "e-9"}

func count(metrics *jsondoc.Node, tag string) evidence.Opt[int64] {
	m := metrics.Get(tag)
	if !m.Get("value").Is(jsondoc.Number) || m.Get("unit").Str() != "tokens" {
		return evidence.None[int64]()
	}
	f, err := strconv.ParseFloat(m.Get("value").Text, 64)
	if err != nil || f < 0 || f > 1<<53 || f != math.Trunc(f) {
		return evidence.None[int64]()
	}
	return evidence.Some(int64(f))
}

// nanos is an absolute time; it does not fit a float64.
func nanos(meta *jsondoc.Node, name string) (int64, bool) {
	m := meta.Get(name)
	if !m.Is(jsondoc.Number) {
		return 0, false
	}
	n, err := strconv.ParseInt(m.Text, 10, 64)
	return n, err == nil
}

func sampleOf(v *jsondoc.Node, p evidence.Pointer, index int64) evidence.Sample {
	meta, metrics := v.Get("metadata"), v.Get("metrics")
	s := evidence.Sample{Index: index, Place: evidence.At(p), OK: true,
		TTFO: seconds(metrics, "time_to_first_token"), TTFT: seconds(metrics, "time_to_first_output_token"),
		E2E: seconds(metrics, "request_latency"), PromptTokens: count(metrics, "input_sequence_length"),
		OutputTokens: count(metrics, "output_sequence_length")}
	if s.E2E.OK && s.TTFO.OK && s.E2E.V >= s.TTFO.V {
		s.Generation = evidence.Some(s.E2E.V - s.TTFO.V)
	}
	phase := meta.Get("benchmark_phase").Str()
	switch e := v.Get("error"); {
	case e != nil && e.Kind != jsondoc.Null:
		s.OK, s.Failure = false, errorText(e)
	case meta.Get("was_cancelled").Is(jsondoc.Bool) && meta.Get("was_cancelled").Text == "true":
		s.OK, s.Failure = false, "cancelled"
	case phase != "" && phase != "profiling":
		s.OK, s.Failure = false, phase
		if phase == "warmup" {
			s.Failure = warmUp
		}
	}
	return s
}

func errorText(e *jsondoc.Node) string {
	for _, name := range []string{"type", "message", "code"} {
		if t := e.Get(name); t.Str() != "" {
			return lift.Clip(t.Str())
		}
	}
	if e.Str() != "" {
		return lift.Clip(e.Str())
	}
	return "error"
}

// Series reads the records of one file as one run.
func (r Reader) Series(string) lift.Series {
	return &series{meta: r.Reader, doubts: newDoubts(), left: map[string]int{}, values: map[evidence.MetricID][]float64{}}
}

type series struct {
	meta    lift.Reader
	samples []evidence.Sample
	starts  []int64 // parallel to samples, -1 without one
	doc     evidence.Document
	left    map[string]int // member path to index in doc.NotLifted
	seen    []int          // records that have it, parallel to NotLifted
	values  map[evidence.MetricID][]float64
	gaps    gaps
	first   int64 // earliest start and latest end of the profiled requests
	last    int64
	timed   bool
	place   evidence.Pointer
	warm    int
	failed  int
	doubts  doubts
}

// gaps summarises the chunk gaps of all requests without keeping them, in the unit
// that the records use.
type gaps struct {
	n                    int64
	sum, min, max, scale float64
}

// gapUnits divide into a second. Note: exact scaling of every gap would cost more than
// all the rest of a large file.
var gapUnits = map[string]float64{"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}

func (g *gaps) add(v float64) {
	if g.n == 0 || v < g.min {
		g.min = v
	}
	if g.n == 0 || v > g.max {
		g.max = v
	}
	g.n++
	g.sum += v
}

// Add takes one record.
func (s *series) Add(v *jsondoc.Node, at evidence.Pointer) {
	if len(s.samples) == 0 {
		s.place = at
	}
	x := sampleOf(v, at, int64(len(s.samples)))
	start, hasStart := nanos(v.Get("metadata"), "request_start_ns")
	end, hasEnd := nanos(v.Get("metadata"), "request_end_ns")
	s.samples, s.starts = append(s.samples, x), append(s.starts, -1)
	if hasStart {
		s.starts[len(s.starts)-1] = start
	}
	s.leave(v, at)
	if x.OK {
		s.doubts.look(v, &x, at)
	}
	switch {
	case x.Failure == warmUp:
		s.warm++
		return
	case !x.OK:
		s.failed++
		return
	}
	if hasStart && hasEnd && end >= start {
		if !s.timed || start < s.first {
			s.first = start
		}
		if !s.timed || end > s.last {
			s.last = end
		}
		s.timed = true
	}
	s.figures(v.Get("metrics"), &x)
}

func (s *series) figures(metrics *jsondoc.Node, x *evidence.Sample) {
	keep := func(m evidence.MetricID, v evidence.Opt[float64]) {
		if v.OK {
			s.values[m] = append(s.values[m], v.V)
		}
	}
	keep(evidence.TTFO, x.TTFO)
	keep(evidence.TTFT, x.TTFT)
	keep(evidence.E2E, x.E2E)
	keep(evidence.TPOT, seconds(metrics, "inter_token_latency"))
	if x.PromptTokens.OK {
		keep(evidence.PromptTokens, evidence.Some(float64(x.PromptTokens.V)))
	}
	if x.OutputTokens.OK {
		keep(evidence.OutputTokens, evidence.Some(float64(x.OutputTokens.V)))
	}
	chunk := metrics.Get("inter_chunk_latency")
	scale, ok := gapUnits[units[chunk.Get("unit").Str()]]
	if !ok {
		return
	}
	for _, c := range childrenOf(chunk.Get("value")) {
		if !c.Is(jsondoc.Number) {
			continue
		}
		if v, err := strconv.ParseFloat(c.Text, 64); err == nil && v >= 0 {
			s.gaps.add(v)
		}
	}
	s.gaps.scale = scale
}

// leave lists each member that holds numbers once, with the number of records.
func (s *series) leave(v *jsondoc.Node, at evidence.Pointer) {
	list := func(path string, p evidence.Pointer, reason string) {
		i, ok := s.left[path]
		if !ok {
			i = len(s.doc.NotLifted)
			s.left[path] = i
			s.doc.NotLifted = append(s.doc.NotLifted, evidence.NotLifted{Place: evidence.At(p), Reason: reason})
			s.seen = append(s.seen, 0)
		}
		s.seen[i]++
	}
	group := func(name, reason string, special []string, specialReason string) {
		n := v.Get(name)
		for i, c := range childrenOf(n) {
			if !hasNumber(c) {
				continue
			}
			why := reason
			for _, x := range special {
				if x == n.Names[i] {
					why = specialReason
				}
			}
			list(name+"/"+n.Names[i], at.Key(name).Key(n.Names[i]), why)
		}
	}
	group("metadata", evidence.ReasonIdentifier, timestamps, evidence.ReasonTimestamp)
	group("metrics", evidence.ReasonDiagnostic, sampled, evidence.ReasonRow)
	for i, c := range v.Children {
		if name := v.Names[i]; name != "metadata" && name != "metrics" && hasNumber(c) {
			list(name, at.Key(name), evidence.ReasonDiagnostic)
		}
	}
}

func hasNumber(n *jsondoc.Node) bool {
	if lift.Numeric(n) {
		return true
	}
	for _, c := range n.Children {
		if hasNumber(c) {
			return true
		}
	}
	return false
}

const rule = "aiperf/records"

var recordStats = []evidence.Stat{evidence.Mean, evidence.P50, evidence.P90, evidence.P95, evidence.P99, evidence.Min, evidence.Max, evidence.Std}

// Document is the run of all records.
func (s *series) Document() evidence.Document {
	v := &jsondoc.Node{Kind: jsondoc.Object}
	b := lift.New(s.meta, v, "", shapeRecord)
	b.Doc.NotLifted = s.doc.NotLifted
	for i, n := range s.seen {
		b.Doc.NotLifted[i].Text = fmt.Sprintf("in %d of %d records", n, len(s.samples))
	}
	b.Protocol("aiperf", evidence.Linear, "first request start to last request end")
	b.Title("aiperf records")
	top := b.Top()
	run := b.NewRun("records", top, evidence.Linear)
	origin := s.first
	for i := range s.samples {
		if s.timed && s.starts[i] >= 0 {
			s.samples[i].Start = evidence.Some(float64(s.starts[i]-origin) / 1e9)
		}
	}
	run.Samples = s.samples
	ok := len(s.samples) - s.warm - s.failed
	number := func(n int) string { return strconv.Itoa(n) }
	top.Derive(&run.Facts, evidence.KeyCompleted, number(ok), rule)
	top.Derive(&run.Facts, evidence.KeyFailed, number(s.failed), rule)
	top.Derive(&run.Facts, evidence.KeyRequests, number(ok+s.failed), rule)
	if s.warm > 0 {
		b.Find(evidence.Info, lift.CodePartial, top, "%d of %d records are warm-up: kept as samples, in no figure", s.warm, len(s.samples))
	}
	if s.failed > 0 {
		b.Find(evidence.Warning, lift.CodePartial, top, "%d of %d profiled records failed or were cancelled: in no figure", s.failed, ok+s.failed)
	}
	s.summarise(top, run, ok)
	if ok > 0 {
		if n := run.Primary(evidence.OutputTokens, evidence.Mean); n.OK {
			run.Fits(top, lift.Parts{Whole: evidence.E2E, First: evidence.TTFO, PerToken: evidence.TPOT, Tokens: n.V})
		}
		run.Gaps(top, evidence.ITLChunk, evidence.TPOT)
		s.doubts.tell(b, run, ok)
	}
	b.Arm(evidence.Arm{Name: "aiperf records", Place: top.Place()}, run)
	return b.Doc
}

func (s *series) summarise(top lift.Obj, run *lift.Run, ok int) {
	for _, m := range []evidence.MetricID{evidence.TTFO, evidence.TTFT, evidence.TPOT, evidence.E2E, evidence.PromptTokens, evidence.OutputTokens} {
		sum := lift.Summarise(s.values[m])
		n := evidence.Some(int64(sum.N))
		if sum.N == 1 {
			run.Computed(top, m, evidence.Single, sum.Mean, n, rule)
			continue
		}
		for _, stat := range recordStats {
			if v, has := sum.Stat(stat, evidence.Linear); has {
				run.Computed(top, m, stat, v, n, rule)
			}
		}
	}
	if g := s.gaps; g.n > 1 {
		n, mean := evidence.Some(g.n), g.sum/float64(g.n)
		run.Computed(top, evidence.ITLChunk, evidence.Mean, mean/g.scale, n, rule)
		run.Computed(top, evidence.ITLChunk, evidence.Min, g.min/g.scale, n, rule)
		run.Computed(top, evidence.ITLChunk, evidence.Max, g.max/g.scale, n, rule)
	}
	var prompt evidence.Opt[float64]
	if p := lift.Summarise(s.values[evidence.PromptTokens]); p.N > 0 {
		prompt = evidence.Some(p.Mean)
	}
	run.Class = lift.Class(evidence.None[float64](), prompt)
	top.Derive(&run.Facts, evidence.KeyWorkloadClass, run.Class, "load")
	if ok == 0 {
		run.Void = true
		return
	}
	if wall := float64(s.last-s.first) / 1e9; s.timed && wall > 0 {
		out := 0.0
		for _, v := range s.values[evidence.OutputTokens] {
			out += v
		}
		n := evidence.Some(int64(ok))
		top.Derive(&run.Facts, evidence.KeyDuration, evidence.FormatDecimal(wall), rule)
		run.Computed(top, evidence.RequestThroughput, evidence.Total, float64(ok)/wall, n, rule)
		run.Computed(top, evidence.OutputThroughput, evidence.Total, out/wall, n, rule)
	}
}
