package speech

import (
	"cmp"
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// notFigures are blocks of a matrix row that say what was measured, not how fast it was.
var notFigures = []string{"candidate_identity", "route_identity", "source_revision", "identity", "prompt_set", "command"}

// matrixShape takes a list of rows that name their artifact.
func matrixShape(v *jsondoc.Node) string {
	if v.Get("artifacts").Item(0).Get("artifact_id") != nil {
		return ShapeMatrix
	}
	return ""
}

// matrix reads a list of candidates of a voice pipeline: every row is an arm, every stage
// of it a run. A row may be planned only; then nothing in it was measured.
func (s *speech) matrix() {
	s.Expect(s.Top, "task", "matrix_id", "generated_at", "manifest", "source_revision", "prompt_sets", "artifacts")
	s.Observe(s.Top.Get("generated_at"), s.Top.Get("matrix_id"))
	for _, v := range s.List(s.Top.Get("artifacts")).Items() {
		if !v.Is(jsondoc.Object) {
			s.Find(evidence.Warning, lift.CodeNotText, v, "a row of the matrix was expected")
			continue
		}
		s.candidate(v)
	}
	rest := &sweep.Sweep{Doc: s.Doc, Facts: &s.Doc.Facts, Fallback: evidence.ReasonDiagnostic}
	for _, name := range []string{"schema", "schema_version"} {
		s.Take(s.Top.Get(name))
	}
	rest.Rest(s.Top)
}

// row is one candidate of a matrix with its runs by stage.
type row struct {
	*speech
	arm     *lift.Arm
	at      lift.Val
	status  evidence.RunStatus
	n       evidence.Opt[int64]
	counted lift.Val // the member that counts the turns
	runs    map[string]*lift.Run
}

func (s *speech) candidate(v lift.Val) {
	s.Expect(v, "artifact_id", "status", "profile", "candidate_identity", "route_identity")
	r := &row{speech: s, at: v, runs: map[string]*lift.Run{}, arm: s.NewArm(cmp.Or(v.Get("artifact_id").Str(), "unnamed"), v)}
	f := &r.arm.Facts
	s.Words(f, evidence.KeyCandidate, v.Get("artifact_id"))
	s.Words(f, evidence.KeyConfigID, v.Get("profile"))
	identity := v.Get("candidate_identity")
	for _, m := range []lift.Val{identity.Get("served_model"), identity.Get("model"), identity.Path("llm", "model")} {
		if m.Str() != "" {
			s.Words(f, evidence.KeyServedModel, m)
			break
		}
	}
	r.status = s.rowStatus(v.Get("status"))
	for _, name := range []string{"n_runs", "samples", "requests"} {
		if n, ok := s.PeekInt(v.Get(name)); ok {
			r.n, r.counted = evidence.Some(n), v.Get(name)
		}
	}
	r.block("", v, 0)
}

// rowStatus is how a row of the matrix ended.
func (s *speech) rowStatus(v lift.Val) evidence.RunStatus {
	if !v.OK() {
		return evidence.Measured
	}
	said := func(words ...string) bool {
		return slices.ContainsFunc(sweep.Words(v.Str()), func(w string) bool { return slices.Contains(words, w) })
	}
	switch {
	case said("not", "planned", "pending", "skipped", "blocked", "missing", "deferred"):
		return evidence.NotRun
	case said("failed", "fail", "error", "rejected", "timeout", "crashed"):
		return evidence.RunFailed
	case said("measured", "passed", "pass", "complete", "completed", "ok", "captured", "present", "recorded"):
		return evidence.Measured
	}
	s.Find(evidence.Warning, CodeStatus, v, "%q is no status that we know: the row is kept and never compared", lift.Clip(v.Str()))
	return evidence.RunUnresolved
}

// maxNest is how deep figures are looked for in a row.
const maxNest = 5

// block lifts the times of a block; what stands around it is part of the stage.
func (r *row) block(in string, v lift.Val, depth int) {
	if depth > maxNest {
		return
	}
	for name, m := range v.Members() {
		switch {
		case slices.Contains(notFigures, name):
		case m.Is(jsondoc.Object) && sweep.Read(name).Unit != "":
			r.statistics(name, m)
		case m.Is(jsondoc.Object):
			r.block(strings.TrimSpace(in+" "+name), m, depth+1)
		case m.Is(jsondoc.Number):
			r.time(name, m, "")
		}
	}
}

// statistics are the statistics of one stage: "turn_latency_ms": {"median": 812, "p95": 990}.
func (r *row) statistics(name string, v lift.Val) {
	var list lift.Val
	stored := map[evidence.Stat]lift.Val{}
	for stat, m := range v.Members() {
		switch s, ok := prose.StatWord(stat); {
		case ok && m.Is(jsondoc.Number):
			r.time(name, m, s)
			stored[s] = m
		case m.Is(jsondoc.Array):
			list = m
		}
	}
	values := r.turnsOf(name, list)
	if len(values) == 0 {
		return
	}
	if r.n.OK {
		r.AgreeCount(list, int64(len(values)), r.n.V, "the number of runs", r.at.P)
	}
	sorted := lift.Sorted(values)
	for s, want := range map[evidence.Stat]float64{evidence.Min: sorted[0], evidence.Max: sorted[len(sorted)-1],
		evidence.Mean: lift.Sum(values) / float64(len(values)), evidence.P50: lift.Percentile(sorted, 50, evidence.Linear)} {
		if m := r.lifted(stored[s].P); m != nil {
			r.Agree(m, want, "of the turns", 1e-6, lift.Slack(m), list.P)
		}
	}
	for s, at := range stored {
		if m := r.lifted(at.P); m != nil && m.Value.OK && (m.Value.V < sorted[0]*(1-1e-6) || m.Value.V > sorted[len(sorted)-1]*(1+1e-6)) {
			r.Find(evidence.Warning, lift.CodeMismatch, at, "the %s lies outside of the values at %s", s, list.P)
			m.State = evidence.Conflict
		}
	}
}

// turnsOf are the single values behind the statistics, in seconds.
func (r *row) turnsOf(name string, list lift.Val) []float64 {
	var values []float64
	for _, x := range list.Items() {
		if f, ok := lift.PeekNumber(x, sweep.Read(name).Unit); ok {
			values = append(values, f)
			r.plausible(evidence.Latency, f, x)
		} else {
			r.Find(evidence.Warning, lift.CodeNotNumber, x, "a duration was expected")
		}
		r.Skip(x, evidence.ReasonRow)
	}
	return values
}

// lifted is the measurement that was read from a place.
func (r *row) lifted(p evidence.Pointer) *evidence.Measurement {
	for _, run := range r.runs {
		for i := range run.Measurements {
			if m := &run.Measurements[i]; p != "" && m.Place.Pointer == p {
				return m
			}
		}
	}
	return nil
}

// Ranges in seconds outside of which a time of a voice turn is more likely in another unit
// than its name says.
const (
	shortest    = 0.002
	longest     = 120
	longestTTFT = 60
)

func (r *row) plausible(m evidence.MetricID, seconds float64, v lift.Val) bool {
	most := float64(longest)
	if m == evidence.TTFT || m == evidence.TTFO {
		most = longestTTFT
	}
	if seconds >= shortest && seconds <= most {
		return true
	}
	r.Find(evidence.Warning, lift.CodeImplausible, v, "%s is out of the range of a stage of a voice turn: another unit?", lift.Clip(v.N.Text))
	return false
}

// time lifts a duration whose name says of which stage it is.
func (r *row) time(name string, v lift.Val, stat evidence.Stat) {
	x := sweep.Read(name)
	if _, base, err := evidence.ToBase("1", x.Unit); err != nil || base != evidence.Seconds {
		return
	}
	stage := strings.TrimSuffix(strings.Join(x.Rest, " "), " latency")
	w := x.Want
	w.Stat = cmp.Or(stat, x.Stat, evidence.Single)
	switch {
	case w.Metric == "" && stage == "":
		return
	case w.Metric == "":
		w.Metric = evidence.Latency
	case stage != "": // a time of something else than a whole request
		return
	default:
		stage = string(w.Metric)
	}
	run := r.runs[stage]
	if run == nil {
		run = r.arm.NewRun(stage, evidence.ClassSpeech, r.at)
		run.N, run.Status = r.n, r.status
		r.Words(&run.Facts, evidence.KeyRunStatus, r.at.Get("status"))
		r.Fact(&run.Facts, evidence.KeyRequests, r.counted)
		if w.Metric == evidence.Latency {
			r.Derive(&run.Facts, evidence.KeySlice, stage, "member-name", lift.Val{P: v.P})
		}
		r.runs[stage] = run
	}
	m := r.Lift(run, v, w)
	if m != nil && m.Value.OK && !r.plausible(w.Metric, m.Value.V, v) {
		m.State = evidence.Conflict
	}
	if m != nil && m.Value.OK && r.status == evidence.NotRun {
		r.Find(evidence.Warning, lift.CodeNotRun, v, "a figure of a row that was not run: it stands for nothing")
		m.State = evidence.Conflict
	}
}
