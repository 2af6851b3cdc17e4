package speech

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// sums are what the recordings of one group give.
type sums struct {
	requests, successful, flags        int64
	latency, rtf                       []float64 // of successes
	wordEdits, words, charEdits, chars int64
	samples                            []evidence.Sample
}

// schedule reads a schedule over a corpus.
func (s *speech) schedule() {
	s.Expect(s.Top, "endpoint", "corpus", "schedule", "runs", "summary", "cold_request", "complete", "failures", "gate_observations",
		"language_detection_probes", "promotion")
	s.endpoint()
	s.corpusOf()
	groups, failed := s.recordings()
	s.planned(groups["all"])
	s.cold()
	s.probes()
	s.summary(groups)
	s.failures(failed)
	s.verdict(groups["all"])
}

func (s *speech) endpoint() {
	v := s.Block(s.Top.Get("endpoint"))
	s.Expect(v, "base_url", "checkpoint", "hardware", "image", "image_digest", "language_conditioning", "model", "prompt", "runtime", "served_name")
	s.arm = s.NewArm(cmp.Or(v.Get("served_name").Str(), v.Get("model").Str(), "unnamed"), v)
	f := &s.arm.Facts
	for _, x := range []struct {
		k    evidence.FactKey
		name string
	}{
		{evidence.KeyServedModel, "served_name"}, {evidence.KeyModel, "checkpoint"}, {evidence.KeyModelRevision, "revision"},
		{evidence.KeyImage, "image"}, {evidence.KeyImageDigest, "image_digest"}, {evidence.KeyEngine, "runtime"},
		{evidence.KeyEngineVersion, "runtime_version"}, {evidence.KeyGPUProduct, "hardware"},
	} {
		s.Words(f, x.k, v.Get(x.name))
	}
	s.Note(evidence.Statement, "endpoint.model", v.Get("model"))
	s.Note(evidence.Statement, "endpoint.prompt", v.Get("prompt"))
	if hint := v.Get("language_conditioning"); hint.Is(jsondoc.Null) {
		s.Named(f, evidence.KeyHint, "unset", hint)
	} else {
		s.Words(f, evidence.KeyHint, hint)
	}
	s.Path(f, v.Get("base_url"), lift.Val{})
	schedule := s.Block(s.Top.Get("schedule"))
	s.Expect(schedule, "concurrency", "repetitions", "cold_requests", "expected_warm_requests", "observed_warm_requests")
	s.Count(f, evidence.KeyConcurrency, schedule.Get("concurrency"))
	s.Count(f, evidence.KeyRepetitions, schedule.Get("repetitions"))
	s.Derive(f, evidence.KeyPercentileMethod, string(evidence.Linear), "writer", lift.Val{P: s.Top.P})
	s.Derive(f, evidence.KeyProtocol, "stt-schedule-1", "label", s.Top.Get("schema_version"))
}

func (s *speech) corpusOf() {
	v := s.Block(s.Top.Get("corpus"))
	s.Expect(v, "schema_version", "manifest", "manifest_sha256", "case_count", "duration_seconds", "category_counts")
	s.Words(&s.arm.Facts, evidence.KeyCorpus, v.Get("manifest_sha256"))
	s.Note(evidence.Statement, "corpus.schema_version", v.Get("schema_version"))
	m := v.Get("manifest")
	if m.Str() == "" {
		return
	}
	ref := evidence.Reference{Name: m.Str(), Kind: "corpus", Place: evidence.At(m.P)}
	if d, err := evidence.ParseDigest(v.Get("manifest_sha256").Str()); err == nil {
		ref.SHA256 = evidence.Some(d)
	} else {
		s.Find(evidence.Warning, lift.CodeNotText, v.Get("manifest_sha256"), "no SHA-256")
	}
	s.References = append(s.References, ref)
}

// recordings reads every recording into the groups it belongs to.
func (s *speech) recordings() (groups map[string]*sums, failed []lift.Val) {
	groups = map[string]*sums{"all": {}}
	s.recorded = s.Top.Get("runs").P
	for i, v := range s.List(s.Top.Get("runs")).Items() {
		if !v.Is(jsondoc.Object) {
			s.Find(evidence.Warning, lift.CodeNotText, v, "a recording was expected")
			continue
		}
		s.expectRecording(v)
		category := v.Get("category").Str()
		side := "human"
		if strings.HasPrefix(category, "synthetic") {
			side = "synthetic"
		}
		x := s.recordingOf(int64(i), v)
		if !x.OK {
			failed = append(failed, v)
		}
		for _, name := range []string{"all", side, "category:" + category} {
			g := groups[name]
			if g == nil {
				g = &sums{}
				groups[name] = g
			}
			s.addTo(g, v, x, name == "all")
		}
	}
	return groups, failed
}

func (s *speech) expectRecording(v lift.Val) {
	s.Expect(v, "case_id", "category", "language", "reference_text", "transcript", "audio_sha256", "failure", "repetition", "repetition_detected",
		"latency_ms", "audio_seconds", "real_time_factor", "normalized_wer", "raw_cer", "word_edits", "char_edits", "reference_words",
		"reference_chars", "reported_language")
}

// recordingOf is a recording as a sample, held against its own members.
func (s *speech) recordingOf(index int64, v lift.Val) evidence.Sample {
	x := evidence.Sample{Index: index, E2E: s.Span(v.Get("latency_ms"), "ms"), Failure: lift.Clip(v.Get("failure").Str()), Place: evidence.At(v.P)}
	x.OK = !v.Get("failure").Is(jsondoc.String)
	if v.Get("failure").OK() && !v.Get("failure").Is(jsondoc.String) && !v.Get("failure").Is(jsondoc.Null) {
		s.Find(evidence.Warning, lift.CodeNotText, v.Get("failure"), "a text was expected")
	}
	if flag := v.Get("repetition_detected"); flag.OK() && !flag.Is(jsondoc.Bool) {
		s.Find(evidence.Warning, lift.CodeNotText, flag, "a flag was expected")
	}
	audio, ok := lift.PeekNumber(v.Get("audio_seconds"), "s")
	s.same(v.Get("real_time_factor"), func() (float64, bool) { return x.E2E.V / audio, ok && audio > 0 && x.E2E.OK }, 2e-5)
	s.same(v.Get("normalized_wer"), s.ratio(v, "word_edits", "reference_words"), 1e-6)
	s.same(v.Get("raw_cer"), s.ratio(v, "char_edits", "reference_chars"), 1e-6)
	s.PeekInt(v.Get("repetition"))
	text := v.Get("reference_text").Str()
	s.sized(v.Get("reference_words"), len(strings.Fields(text)))
	s.sized(v.Get("reference_chars"), utf8.RuneCountInString(text))
	return x
}

// sized holds a count of words or characters against the text. Normalising moves it a
// little, never by half.
func (s *speech) sized(v lift.Val, n int) {
	stored, ok := s.PeekInt(v)
	if ok && n > 0 && (stored > 2*int64(n) || 2*stored < int64(n)) {
		s.Find(evidence.Warning, lift.CodeRow, v, "%d are stored, the text has %d", stored, n)
	}
}

func (s *speech) ratio(v lift.Val, num, den string) func() (float64, bool) {
	a, ok1 := s.PeekInt(v.Get(num))
	b, ok2 := s.PeekInt(v.Get(den))
	return func() (float64, bool) { return float64(a) / float64(b), ok1 && ok2 && b > 0 }
}

// same holds a stored ratio of a recording against what it is the ratio of.
func (s *speech) same(v lift.Val, want func() (float64, bool), rel float64) {
	stored, ok := lift.PeekNumber(v, "ratio")
	if w, known := want(); ok && known && !lift.Near(stored, w, rel, 1e-8) {
		s.Find(evidence.Warning, lift.CodeRow, v, "%s is stored, its parts give %s", v.N.Text, evidence.FormatDecimal(w))
	}
}

func (s *speech) addTo(g *sums, v lift.Val, x evidence.Sample, keep bool) {
	g.requests++
	if keep {
		g.samples = append(g.samples, x)
	}
	if flag, _ := v.Get("repetition_detected").True(); flag {
		g.flags++
	}
	if !x.OK {
		return
	}
	g.successful++
	if x.E2E.OK {
		g.latency = append(g.latency, x.E2E.V)
	}
	if f, ok := lift.PeekNumber(v.Get("real_time_factor"), "ratio"); ok {
		g.rtf = append(g.rtf, f)
	}
	for _, c := range []struct {
		to   *int64
		name string
	}{{&g.wordEdits, "word_edits"}, {&g.words, "reference_words"}, {&g.charEdits, "char_edits"}, {&g.chars, "reference_chars"}} {
		n, _ := s.PeekInt(v.Get(c.name))
		*c.to += n
	}
}

// planned holds schedule and corpus against the recordings.
func (s *speech) planned(all *sums) {
	schedule, corpus, from := s.Top.Get("schedule"), s.Top.Get("corpus"), s.Top.Get("runs").P
	cases, ok1 := s.PeekInt(corpus.Get("case_count"))
	repetitions, ok2 := s.PeekInt(schedule.Get("repetitions"))
	if expected, ok := s.PeekInt(schedule.Get("expected_warm_requests")); ok && ok1 && ok2 {
		s.AgreeCount(schedule.Get("expected_warm_requests"), expected, cases*repetitions, "cases by repetitions", corpus.P)
	}
	if observed, ok := s.PeekInt(schedule.Get("observed_warm_requests")); ok {
		s.AgreeCount(schedule.Get("observed_warm_requests"), observed, all.requests, "the recordings", from)
		if expected, ok := s.PeekInt(schedule.Get("expected_warm_requests")); ok && expected != observed {
			s.Find(evidence.Warning, lift.CodeIncomplete, schedule.Get("observed_warm_requests"), "%d of %d requests were made", observed, expected)
		}
	}
	counted := map[string]int64{}
	for _, v := range s.Top.Get("runs").Items() {
		counted[v.Get("category").Str()]++
	}
	var total int64
	for name, v := range s.Block(corpus.Get("category_counts")).Members() {
		n, ok := s.PeekInt(v)
		if total += n; ok && ok2 {
			s.AgreeCount(v, n*repetitions, counted[name], "the recordings (with repetitions)", from)
		}
	}
	if ok1 && corpus.Get("category_counts").Len() > 0 {
		s.AgreeCount(corpus.Get("case_count"), cases, total, "the categories", corpus.Get("category_counts").P)
	}
	s.PeekInt(schedule.Get("cold_requests"))
}

// cold is the first request, a run of its own.
func (s *speech) cold() {
	v := s.Block(s.Top.Get("cold_request"))
	if !v.Is(jsondoc.Object) {
		return
	}
	s.expectRecording(v)
	run := s.arm.NewRun("cold request", evidence.ClassSpeech, v)
	run.N = evidence.Some[int64](1)
	f := &run.Facts
	s.Derive(f, evidence.KeySlice, "cold", "member-name", lift.Val{P: v.P})
	s.Derive(f, evidence.KeyWarmState, "first", "member-name", lift.Val{P: v.P})
	s.Derive(f, evidence.KeyRequests, "1", "one-request", lift.Val{P: v.P})
	x := s.recordingOf(0, v)
	if !x.OK {
		run.Status = evidence.RunFailed
		s.Note(evidence.Failure, "cold_request", v.Get("failure"))
		run.Samples = append(run.Samples, x)
		return
	}
	single := func(name string, m evidence.MetricID, unit string) {
		s.Lift(run, v.Get(name), lift.Want{Metric: m, Stat: evidence.Single, Unit: unit})
	}
	single("latency_ms", evidence.Latency, "ms")
	single("normalized_wer", evidence.WER, "ratio")
	single("raw_cer", evidence.CER, "ratio")
	single("real_time_factor", evidence.RTF, "ratio")
}

// probes are recordings in other languages; only whether the tag matched counts.
func (s *speech) probes() {
	list := s.List(s.Top.Get("language_detection_probes"))
	var run *lift.Run
	var matches int64
	for i, v := range list.Items() {
		if run == nil {
			run = s.arm.NewRun("language probes", evidence.ClassSpeech, list)
			s.Derive(&run.Facts, evidence.KeySlice, "language-probes", "member-name", lift.Val{P: list.P})
		}
		s.expectRecording(v)
		s.Expect(v, "expected_language", "language_tag_matches")
		run.Samples = append(run.Samples, s.recordingOf(int64(i), v))
		if ok, known := v.Get("language_tag_matches").True(); ok {
			matches++
		} else if !known && v.Get("language_tag_matches").OK() {
			s.Find(evidence.Warning, lift.CodeNotText, v.Get("language_tag_matches"), "a flag was expected")
		}
	}
	o := s.Block(s.Top.Get("gate_observations"))
	s.Expect(o, "language_probe_count", "language_probe_matches", "malformed_or_failed_runs", "repetition_flags")
	for _, x := range []struct {
		name string
		want int64
	}{{"language_probe_count", int64(list.Len())}, {"language_probe_matches", matches}} {
		if n, ok := s.PeekInt(o.Get(x.name)); ok {
			s.AgreeCount(o.Get(x.name), n, x.want, "the probes", list.P)
		}
	}
}

// failures repeats the recordings that failed.
func (s *speech) failures(failed []lift.Val) {
	list := s.List(s.Top.Get("failures"))
	for i, v := range list.Items() {
		if i >= len(failed) || !equal(v.N, failed[i].N) {
			s.Find(evidence.Warning, lift.CodeDiffers, v, "not the failed recording that stands among the runs")
			break
		}
	}
	if list.OK() {
		s.AgreeCount(list, int64(list.Len()), int64(len(failed)), "the failed recordings", s.Top.Get("runs").P)
	}
	if len(failed) > 0 {
		s.Note(evidence.Failure, "failure", failed[0].Get("failure"))
	}
}

// equal compares two values member by member.
func equal(a, b *jsondoc.Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Children) != len(b.Children) || !slices.Equal(a.Names, b.Names) {
		return false
	}
	for i := range a.Children {
		if !equal(a.Children[i], b.Children[i]) {
			return false
		}
	}
	return true
}

// verdict is whether the schedule is whole, and what the file says of promotion.
func (s *speech) verdict(all *sums) {
	v := s.Top.Get("complete")
	s.Flag(&s.Facts, evidence.KeyComplete, v)
	if complete, known := v.True(); known {
		g := evidence.Gate{Name: "schedule complete", SourceStatus: v.N.Text, Status: evidence.GatePassed, Place: evidence.At(v.P)}
		if !complete {
			g.Status = evidence.GateFailed
			s.Find(evidence.Warning, lift.CodeIncomplete, v, "the schedule is not complete: %d of %d requests succeeded", all.successful, all.requests)
		} else if all.successful != all.requests {
			g.Status = evidence.GateUnresolved
			s.Find(evidence.Warning, lift.CodeDiffers, v, "complete, but %d of %d requests succeeded", all.successful, all.requests)
		}
		s.Gates = append(s.Gates, g)
	}
	o := s.Top.Get("gate_observations")
	if n, ok := s.PeekInt(o.Get("malformed_or_failed_runs")); ok {
		s.AgreeCount(o.Get("malformed_or_failed_runs"), n, all.requests-all.successful, "the failed recordings", s.Top.Get("runs").P)
	}
	if n, ok := s.PeekInt(o.Get("repetition_flags")); ok {
		s.AgreeCount(o.Get("repetition_flags"), n, all.flags, "the flags of the recordings", s.Top.Get("runs").P)
	}
	s.promotion(s.Block(s.Top.Get("promotion")))
}

func (s *speech) promotion(v lift.Val) {
	if !v.OK() {
		return
	}
	s.Expect(v, "evidence_scope", "human_gate_required", "promoted")
	for _, x := range []struct{ name, kind string }{
		{"promoted", evidence.PromotionFlag}, {"human_gate_required", evidence.DecisionField}, {"evidence_scope", evidence.DecisionField},
	} {
		c := v.Get(x.name)
		switch {
		case c.Is(jsondoc.Bool), c.Is(jsondoc.String):
			s.Decisions = append(s.Decisions, evidence.Decision{Kind: x.kind, Key: x.name, Value: lift.Clip(c.N.Text), Place: evidence.At(c.P)})
		case c.OK():
			s.Find(evidence.Warning, lift.CodeNotText, c, "a flag or a text was expected")
		}
	}
}
