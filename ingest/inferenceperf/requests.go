package inferenceperf

import (
	"strconv"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// isRequests tells the list of single requests: their clock, and what was sent and came.
func isRequests(v *jsondoc.Node) bool {
	if !v.Is(jsondoc.Array) || len(v.Children) == 0 {
		return false
	}
	for _, c := range v.Children {
		if !lift.Has(c, "start_time", "end_time", "info", "error") || c.Get("session_id") != nil || c.Get("request") == nil && c.Get("response") == nil {
			return false
		}
	}
	return true
}

// Reason says why a file that inference-perf writes beside its reports is not read.
func (r Reader) Reason(_ string, v *jsondoc.Node) string {
	one := v
	if v.Is(jsondoc.Array) {
		one = v.Item(0)
	}
	switch {
	case v.Get("num_sessions") != nil && v.Get("session_duration_sec") != nil, lift.Has(one, "session_id", "duration_sec", "num_events"):
		return "inference-perf's figures of whole sessions: no metric of the registry defines them"
	case v.Get("model_server_metrics") != nil:
		return "inference-perf's figures of the server: they are no figures of requests"
	}
	return ""
}

const requestRule = "inference-perf/requests"

// rows are the requests that succeeded, and the window of all.
type rows struct {
	first, last float64
	timed       bool
	ok, failed  int
	values      map[evidence.MetricID][]float64
}

// readRequests makes a run of single requests. The file holds those of every stage.
func readRequests(b *lift.Builder) {
	b.Protocol("inference-perf", evidence.Linear, "first start to last end, failed requests included")
	b.Title("inference-perf requests")
	top := b.Top()
	run := b.NewRun("requests", top, evidence.Linear)
	r := &rows{values: map[evidence.MetricID][]float64{}}
	top.Items(func(_ int, m lift.Obj) { r.window(m) })
	top.Items(func(i int, m lift.Obj) { run.Samples = append(run.Samples, r.request(int64(i), m)) })
	f := &run.Facts
	top.Derive(f, evidence.KeyRequests, strconv.Itoa(r.ok+r.failed), requestRule)
	top.Derive(f, evidence.KeyCompleted, strconv.Itoa(r.ok), requestRule)
	top.Derive(f, evidence.KeyFailed, strconv.Itoa(r.failed), requestRule)
	top.Derive(f, evidence.KeyLoadProfile, "every stage of the run", "shape")
	switch {
	case r.ok == 0:
		run.Void = true
		b.Find(evidence.Warning, lift.CodeVoid, top, "no request succeeded: there is nothing to measure")
	case r.failed > 0:
		b.Find(evidence.Warning, lift.CodePartial, top, "%d of %d requests failed: they are in no figure but the window", r.failed, r.ok+r.failed)
	}
	r.figures(top, run)
	top.Items(func(_ int, m lift.Obj) {
		m.Get("info").SkipWhole(evidence.ReasonRow)
		m.SkipMembers(evidence.ReasonTimestamp, "start_time", "end_time", "scheduled_time")
		m.SkipWhole(evidence.ReasonDiagnostic)
	})
	b.Arm(evidence.Arm{Name: "inference-perf, model not recorded", Place: top.Place()}, run)
}

func (r *rows) window(o lift.Obj) {
	start, ok1 := o.Get("start_time").Float()
	end, ok2 := o.Get("end_time").Float()
	if !ok1 || !ok2 || end < start {
		return
	}
	if !r.timed || start < r.first {
		r.first = start
	}
	if !r.timed || end > r.last {
		r.last = end
	}
	r.timed = true
}

// request reads one row. A first token counts where more than one came, as the tool's
// own report has it.
func (r *rows) request(index int64, o lift.Obj) evidence.Sample {
	info := o.Get("info")
	answer := info
	if m := info.Get("response_metrics"); m.IsObject() {
		answer = m
	}
	prompt := info.Path("request_metrics", "text", "input_tokens")
	if !prompt.There() {
		prompt = info.Get("input_tokens")
	}
	s := evidence.Sample{Index: index, Place: o.Place(), OK: !o.Get("error").There(),
		PromptTokens: prompt.Count(), OutputTokens: answer.Get("output_tokens").Count()}
	start, ok1 := o.Get("start_time").Float()
	end, ok2 := o.Get("end_time").Float()
	if ok1 && r.timed {
		s.Start = evidence.Some(start - r.first)
	}
	if !s.OK {
		s.Failure = lift.Clip(o.Path("error", "error_type").Str())
		if s.Failure == "" {
			s.Failure = "error"
		}
		r.failed++
		return s
	}
	r.ok++
	if ok1 && ok2 && end >= start {
		s.E2E = evidence.Some(end - start)
	}
	times := answer.Get("output_token_times")
	if n := times.Len(); n > 1 && ok1 {
		first, okFirst := times.Item(0).Float()
		last, okLast := times.Item(n - 1).Float()
		if okFirst && first >= start {
			s.TTFO = evidence.Some(first - start)
		}
		if okFirst && okLast && last >= first {
			s.Generation = evidence.Some(last - first)
			if s.OutputTokens.V > 1 {
				r.keep(evidence.TPOT, evidence.Some((last-first)/float64(s.OutputTokens.V-1)))
			}
		}
	}
	r.keep(evidence.E2E, s.E2E)
	r.keep(evidence.TTFO, s.TTFO)
	r.keep(evidence.PromptTokens, number(s.PromptTokens))
	r.keep(evidence.OutputTokens, number(s.OutputTokens))
	return s
}

func number(n evidence.Opt[int64]) evidence.Opt[float64] {
	return evidence.Opt[float64]{V: float64(n.V), OK: n.OK}
}

func (r *rows) keep(m evidence.MetricID, v evidence.Opt[float64]) {
	if v.OK {
		r.values[m] = append(r.values[m], v.V)
	}
}

var rowStats = []evidence.Stat{evidence.Mean, evidence.P50, evidence.P90, evidence.P95, evidence.P99, evidence.Min, evidence.Max, evidence.Std}

func (r *rows) figures(top lift.Obj, run *lift.Run) {
	for _, m := range []evidence.MetricID{evidence.E2E, evidence.TTFO, evidence.TPOT, evidence.PromptTokens, evidence.OutputTokens} {
		s := lift.Summarise(r.values[m])
		n := evidence.Some(int64(s.N))
		if s.N == 1 {
			run.Computed(top, m, evidence.Single, s.Mean, n, requestRule)
			continue
		}
		for _, stat := range rowStats {
			if v, ok := s.Stat(stat, evidence.Linear); ok {
				run.Computed(top, m, stat, v, n, requestRule)
			}
		}
	}
	var prompt evidence.Opt[float64]
	if s := lift.Summarise(r.values[evidence.PromptTokens]); s.N > 0 {
		prompt = evidence.Some(s.Mean)
	}
	run.Class = lift.Class(evidence.None[float64](), prompt)
	top.Derive(&run.Facts, evidence.KeyWorkloadClass, run.Class, "load")
	wall := r.last - r.first
	if !r.timed || wall <= 0 || r.ok == 0 {
		return
	}
	top.Derive(&run.Facts, evidence.KeyDuration, evidence.FormatDecimal(wall), requestRule)
	n := evidence.Some(int64(r.ok))
	sum := func(m evidence.MetricID) float64 {
		total := 0.0
		for _, v := range r.values[m] {
			total += v
		}
		return total
	}
	run.Computed(top, evidence.RequestThroughput, evidence.Total, float64(r.ok)/wall, n, requestRule)
	if len(r.values[evidence.OutputTokens]) == r.ok {
		run.Computed(top, evidence.OutputThroughput, evidence.Total, sum(evidence.OutputTokens)/wall, n, requestRule)
	}
	if len(r.values[evidence.PromptTokens]) == r.ok {
		run.Computed(top, evidence.InputThroughput, evidence.Total, sum(evidence.PromptTokens)/wall, n, requestRule)
	}
}
