package speech

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// summary reads the groups: one run each, and one of the schedule as a whole.
func (s *speech) summary(groups map[string]*sums) {
	v := s.Top.Get("summary")
	s.Expect(v, "all", "primary_human", "synthetic_agent", "categories", "requests_per_second", "audio_seconds_per_wall_second", "wall_seconds")
	s.Find(evidence.Info, CodeSuccesses, v, "percentiles are interpolated and, like error rates, taken over successful requests only")
	s.whole(v, groups["all"])
	for _, x := range []struct{ name, slice string }{{"all", "all"}, {"primary_human", "human"}, {"synthetic_agent", "synthetic"}} {
		s.slice(x.slice, s.Block(v.Get(x.name)), groups[x.slice])
	}
	for name, c := range s.Block(v.Get("categories")).Members() {
		s.slice("category:"+name, c, groups["category:"+name])
	}
}

// whole is the schedule: how many requests per second of wall time.
func (s *speech) whole(v lift.Val, all *sums) {
	run := s.arm.NewRun("schedule", evidence.ClassSpeech, v)
	f := &run.Facts
	s.Derive(f, evidence.KeySlice, "schedule", "member-name", lift.Val{P: v.P})
	s.Derive(f, evidence.KeyRequests, evidence.FormatDecimal(float64(all.requests)), "recordings", lift.Val{P: s.Top.Get("runs").P})
	s.Derive(f, evidence.KeyCompleted, evidence.FormatDecimal(float64(all.successful)), "recordings", lift.Val{P: s.Top.Get("runs").P})
	s.Derive(f, evidence.KeyWarmState, "repeat", "after-cold-request", lift.Val{P: s.Top.P})
	s.Fact(f, evidence.KeyDuration, v.Get("wall_seconds"))
	run.N = evidence.Some(all.successful)
	wall, ok := lift.PeekNumber(v.Get("wall_seconds"), "s")
	if ok && wall <= 0 {
		s.Find(evidence.Warning, lift.CodeImpossible, v.Get("wall_seconds"), "a schedule takes time")
		ok = false
	}
	rate := v.Get("requests_per_second")
	w := lift.Want{Metric: evidence.RequestThroughput, Stat: evidence.Total, Unit: "requests/s"}
	var m *evidence.Measurement
	if all.successful < all.requests {
		s.Find(evidence.Warning, CodeRateAll, rate, "%d failed requests are counted in this rate: it is none of completed requests", all.requests-all.successful)
		s.Absent(run, rate, w, lift.RuleMixed)
		if stored, has := lift.PeekNumber(rate, "requests/s"); has && ok && !lift.Near(stored, float64(all.requests)/wall, 1e-4, 0) {
			s.Find(evidence.Warning, lift.CodeMismatch, rate, "%s is stored, %d requests took %s s", rate.N.Text, all.requests, evidence.FormatDecimal(wall))
		}
	} else {
		m = s.Lift(run, rate, w)
	}
	if ok {
		s.Agree(m, float64(all.requests)/wall, "requests by wall time", 1e-4, 0, s.Top.Get("runs").P)
		s.spoken(v, wall)
	}
	concurrency, has := s.PeekInt(s.Top.Path("schedule", "concurrency"))
	if busy := lift.Sum(all.latency); ok && has && busy > wall*float64(concurrency)*1.001 {
		s.Find(evidence.Warning, lift.CodeImplausible, v.Get("wall_seconds"), "requests of %s s in all do not fit at concurrency %d", evidence.FormatDecimal(busy), concurrency)
	}
	run.Samples = all.samples
}

// spoken holds the seconds of audio per second of wall time against the recordings.
func (s *speech) spoken(v lift.Val, wall float64) {
	rate := v.Get("audio_seconds_per_wall_second")
	stored, ok := lift.PeekNumber(rate, "ratio")
	var audio float64
	for _, r := range s.Top.Get("runs").Items() {
		f, _ := lift.PeekNumber(r.Get("audio_seconds"), "s")
		audio += f
	}
	if ok && !lift.Near(stored, audio/wall, 1e-4, 0) {
		s.Find(evidence.Warning, lift.CodeMismatch, rate, "%s is stored, %s s of audio in %s s", rate.N.Text, evidence.FormatDecimal(audio), evidence.FormatDecimal(wall))
	}
}

// slice reads one group of the summary and takes every figure of it again.
func (s *speech) slice(name string, v lift.Val, g *sums) {
	if !v.Is(jsondoc.Object) {
		return
	}
	if g == nil {
		g = &sums{}
	}
	s.Expect(v, "requests", "successful", "failed", "repetition_flags", "micro_wer", "micro_raw_cer", "latency_ms", "real_time_factor")
	run := s.arm.NewRun(name, evidence.ClassSpeech, v)
	f := &run.Facts
	s.Derive(f, evidence.KeySlice, name, "member-name", lift.Val{P: v.P})
	s.Derive(f, evidence.KeyWarmState, "repeat", "after-cold-request", lift.Val{P: s.Top.P})
	from := s.recorded
	for _, x := range []struct {
		name string
		k    evidence.FactKey
		want int64
	}{
		{"requests", evidence.KeyRequests, g.requests}, {"successful", evidence.KeyCompleted, g.successful},
		{"failed", evidence.KeyFailed, g.requests - g.successful}, {"repetition_flags", "", g.flags},
	} {
		n, ok := s.PeekInt(v.Get(x.name))
		if x.k != "" {
			n, ok = s.Count(f, x.k, v.Get(x.name))
		}
		if ok {
			s.AgreeCount(v.Get(x.name), n, x.want, "the recordings", from)
		}
	}
	if n, ok := s.PeekInt(v.Get("successful")); ok {
		run.N = evidence.Some(n)
	}
	if g.successful == 0 {
		run.Status = evidence.RunFailed
	}
	s.errors(run, v, g, from)
	s.times(run, v, g, from)
	s.InOrder(run)
}

// errors are the micro error rates; of no success there is none.
func (s *speech) errors(run *lift.Run, v lift.Val, g *sums, from evidence.Pointer) {
	for _, x := range []struct {
		name     string
		m        evidence.MetricID
		num, den int64
	}{{"micro_wer", evidence.WER, g.wordEdits, g.words}, {"micro_raw_cer", evidence.CER, g.charEdits, g.chars}} {
		c, w := v.Get(x.name), lift.Want{Metric: x.m, Stat: evidence.Total, Unit: "ratio"}
		if stored, ok := lift.PeekNumber(c, "ratio"); run.N.OK && run.N.V == 0 && ok {
			s.Find(evidence.Warning, lift.CodeFalseZero, c, "%s stands for an error rate of no successful request", evidence.FormatDecimal(stored))
			s.Absent(run, c, w, lift.RuleFalseZero)
			continue
		}
		m := s.Lift(run, c, w)
		if x.den > 0 {
			s.Agree(m, float64(x.num)/float64(x.den), "edits by reference", 1e-7, 1e-9, from)
		}
	}
}

// times are latencies and real-time factors, interpolated over successes.
func (s *speech) times(run *lift.Run, v lift.Val, g *sums, from evidence.Pointer) {
	for _, x := range []struct {
		name   string
		m      evidence.MetricID
		unit   string
		values []float64
		abs    float64
	}{{"latency_ms", evidence.Latency, "ms", lift.Sorted(g.latency), 1e-9}, {"real_time_factor", evidence.RTF, "ratio", lift.Sorted(g.rtf), 1e-6}} {
		block := s.Block(v.Get(x.name))
		s.Expect(block, "p50", "p95")
		for _, c := range []struct {
			name   string
			stat   evidence.Stat
			method evidence.Method
			q      int
		}{{"p50", evidence.P50, evidence.Linear, 50}, {"p95", evidence.P95, evidence.Linear, 95}, {"max", evidence.Max, "", 100}} {
			n, w := block.Get(c.name), lift.Want{Metric: x.m, Stat: c.stat, Method: c.method, Unit: x.unit}
			if n.Is(jsondoc.Null) && run.N.OK && run.N.V == 0 {
				s.Absent(run, n, w, lift.RuleNull)
				continue
			}
			if s.Lift(run, n, w) == nil {
				continue
			}
			s.Agree(&run.Measurements[len(run.Measurements)-1], lift.Percentile(x.values, c.q, evidence.Linear), c.name+" by interpolation over successes", 1e-9, x.abs, from)
		}
	}
}
