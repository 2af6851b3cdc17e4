package multimodal

import (
	"cmp"
	"strconv"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// media is one file being read.
type media struct {
	*lift.Doc
	arm               *lift.Arm
	cases, modalities map[string]*group
	hashes            map[string]map[string]bool // media of a case, by digest
	planned           map[string]int64           // repetitions of a case
	all               group
	limit             evidence.Opt[int64] // output cap
	attempts          evidence.Pointer
}

// group is what the attempts give for one group of aggregates.
type group struct {
	seconds                   []float64
	samples                   []evidence.Sample
	attempts, passed, usable  int64
	completion, atCap, counts int64
}

func (m *media) read() {
	m.Expect(m.Top, "run_id", "started_at", "finished_at", "requests", "passed_attempts", "failed_attempts", "passed", "identity", "configuration",
		"corpus", "attempts", "aggregates")
	m.Observe(m.Top.Get("started_at"), m.Top.Get("run_id"))
	m.Words(&m.Facts, evidence.KeyFinished, m.Top.Get("finished_at"))
	m.identity()
	m.configuration()
	m.corpus()
	m.attempts = m.Top.Get("attempts").P
	for i, v := range m.List(m.Top.Get("attempts")).Items() {
		m.attempt(int64(i), v)
	}
	m.totals()
	m.Find(evidence.Info, CodeMixedMethods, m.Top.Get("aggregates"), "p50 is the interpolated median, p95 is by nearest rank, both over all attempts")
	aggregates := m.Block(m.Top.Get("aggregates"))
	m.Expect(aggregates, "case", "modality")
	for _, kind := range []struct {
		name   string
		groups map[string]*group
	}{{"modality", m.modalities}, {"case", m.cases}} {
		for name, v := range m.Block(aggregates.Get(kind.name)).Members() {
			m.aggregate(kind.name, name, v, kind.groups[name])
			if kind.name == "case" {
				delete(m.cases, name)
			}
		}
	}
	m.rest()
}

func (m *media) identity() {
	v := m.Block(m.Top.Get("identity"))
	m.Expect(v, "base_url", "engine_revision", "hardware", "model", "model_revision", "runtime_image", "served_models")
	m.arm = m.NewArm(cmp.Or(v.Get("model").Str(), "unnamed"), m.Top)
	f := &m.arm.Facts
	m.Words(f, evidence.KeyServedModel, v.Get("model"))
	m.Words(f, evidence.KeyModelRevision, v.Get("model_revision"))
	m.Words(f, evidence.KeyEngineRevision, v.Get("engine_revision"))
	m.Words(f, evidence.KeyGPUProduct, v.Get("hardware"))
	m.Image(f, v.Get("runtime_image"))
	m.Note(evidence.Statement, "engine_build_ref", v.Get("engine_build_ref"))
	models := m.List(v.Get("served_models"))
	m.Path(f, v.Get("base_url"), models)
	found := false
	for _, s := range models.Items() {
		m.Note(evidence.Statement, "served_model", s)
		found = found || s.Str() == v.Get("model").Str()
	}
	if models.Len() > 0 && !found {
		m.Find(evidence.Warning, lift.CodeDiffers, models, "the model that was asked is not among the served models")
	}
}

func (m *media) configuration() {
	v := m.Block(m.Top.Get("configuration"))
	m.Expect(v, "concurrency", "max_tokens", "thinking_mode", "reasoning_effort", "chat_template_kwargs", "allowed_finish_reasons", "timeout_seconds")
	f := &m.arm.Facts
	m.Count(f, evidence.KeyConcurrency, v.Get("concurrency"))
	if n, ok := m.Count(f, evidence.KeyOutputCap, v.Get("max_tokens")); ok {
		m.limit = evidence.Some(n)
	}
	m.Fact(f, evidence.KeyTimeout, v.Get("timeout_seconds"))
	m.Thinking(f, v.Get("thinking_mode"), v.Get("reasoning_effort"), lift.Val{})
	m.SwitchOf(v, v.Get("thinking_mode").Str())
	m.Count(f, evidence.KeyMaxImages, v.Get("max_images_per_request"))
	if videos := v.Get("max_videos_per_request"); videos.OK() {
		m.Count(f, evidence.KeyMaxVideos, videos)
	} else if v.OK() {
		m.Derive(f, evidence.KeyMaxVideos, "1", "writer-default", lift.Val{P: v.P})
	}
	for _, r := range m.List(v.Get("allowed_finish_reasons")).Items() {
		m.Note(evidence.Statement, "allowed_finish_reason", r)
	}
}

// corpus is part of the shape by its digest.
func (m *media) corpus() {
	v := m.Block(m.Top.Get("corpus"))
	m.Expect(v, "schema", "path", "sha256", "provenance", "cases")
	m.Words(&m.arm.Facts, evidence.KeyCorpus, v.Get("sha256"))
	m.Note(evidence.Statement, "corpus.schema", v.Get("schema"))
	if path := v.Get("path"); path.Str() != "" {
		ref := evidence.Reference{Name: path.Str(), Kind: "corpus", Place: evidence.At(path.P)}
		if d, err := evidence.ParseDigest(v.Get("sha256").Str()); err == nil {
			ref.SHA256 = evidence.Some(d)
		} else {
			m.Find(evidence.Warning, lift.CodeNotText, v.Get("sha256"), "no SHA-256")
		}
		m.References = append(m.References, ref)
	}
	m.Block(v.Get("provenance"))
	for _, c := range m.List(v.Get("cases")).Items() {
		m.Expect(c, "id", "modality", "prompt", "repetitions", "assertions", "media")
		m.List(c.Get("assertions"))
		id := c.Get("id").Str()
		m.Note(evidence.Statement, "case", c.Get("id"))
		m.Note(evidence.Statement, "modality", c.Get("modality"))
		if n, ok := m.PeekInt(c.Get("repetitions")); ok {
			m.planned[id] += n
		}
		hashes := map[string]bool{}
		for _, f := range m.List(c.Get("media")).Items() {
			m.Media(cmp.Or(f.Get("kind").Str(), "media"), m.Block(f))
			hashes[f.Get("sha256").Str()] = true
		}
		m.hashes[id] = hashes
	}
}

// attempt is one request.
func (m *media) attempt(index int64, v lift.Val) {
	if !v.Is(jsondoc.Object) {
		m.Find(evidence.Warning, lift.CodeNotText, v, "an attempt was expected")
		return
	}
	m.Expect(v, "case_id", "modality", "repetition", "seconds", "passed", "finish_reason", "failure", "usage", "media", "validation", "output")
	passed, known := v.Get("passed").True()
	if v.Get("passed").OK() && !known {
		m.Find(evidence.Warning, lift.CodeNotText, v.Get("passed"), "a flag was expected")
	}
	u := m.ReadUsage(v.Get("usage"))
	s := evidence.Sample{Index: index, E2E: m.Span(v.Get("seconds"), "s"), PromptTokens: u.Prompt, OutputTokens: u.Completion, CachedTk: u.Cached,
		Failure: lift.Clip(v.Get("failure").Str()), Place: evidence.At(v.P)}
	s.OK = s.Failure == "" && v.Get("usage").Is(jsondoc.Object)
	m.Pace(v.Get("seconds"), s.E2E, u)
	m.validation(v, passed)
	m.PeekInt(v.Get("repetition"))
	m.PeekInt(v.Path("reasoning", "chars"))
	id := v.Get("case_id").Str()
	for _, f := range m.List(v.Get("media")).Items() {
		m.Expect(m.Block(f), "bytes", "mime", "sha256")
		m.PeekInt(f.Get("bytes"))
		if len(m.hashes) > 0 && !m.hashes[id][f.Get("sha256").Str()] {
			m.Find(evidence.Warning, CodeMedia, f, "not among the media of the case %s", lift.Clip(id))
		}
	}
	for _, g := range []*group{&m.all, of(m.cases, id), of(m.modalities, v.Get("modality").Str())} {
		g.add(s, passed, m.limit)
	}
	c := of(m.cases, id)
	c.samples = append(c.samples, s)
}

// validation holds what makes an attempt pass against its flag.
func (m *media) validation(v lift.Val, passed bool) {
	check := m.Block(v.Get("validation"))
	m.Expect(check, "assertions", "finish_reason_allowed", "visible_answer")
	all := v.Get("failure").Str() == ""
	for _, name := range []string{"finish_reason_allowed", "visible_answer"} {
		x := check.Get(name)
		ok, known := x.True()
		if x.OK() && !known {
			m.Find(evidence.Warning, lift.CodeNotText, x, "a flag was expected")
		}
		all = all && ok
	}
	for _, a := range m.List(check.Get("assertions")).Items() {
		ok, known := a.Get("passed").True()
		if !known {
			m.Find(evidence.Warning, lift.CodeMissing, a, "an assertion without its result")
		}
		m.Expect(a, "type")
		all = all && ok
	}
	if check.OK() && all != passed {
		m.Find(evidence.Warning, lift.CodeDiffers, v.Get("passed"), "the attempt counts as %v, its validation gives %v", passed, all)
	}
}

func of(groups map[string]*group, name string) *group {
	g := groups[name]
	if g == nil {
		g = &group{}
		groups[name] = g
	}
	return g
}

func (g *group) add(s evidence.Sample, passed bool, limit evidence.Opt[int64]) {
	g.attempts++
	if passed {
		g.passed++
	}
	if s.E2E.OK {
		g.seconds = append(g.seconds, s.E2E.V)
	}
	if s.OK {
		g.usable++
	}
	if s.OutputTokens.OK {
		g.counts++
		g.completion += s.OutputTokens.V
		if limit.OK && s.OutputTokens.V >= limit.V {
			g.atCap++
		}
	}
}

// totals holds the counts of the file against the attempts.
func (m *media) totals() {
	from := m.Top.Get("attempts").P
	for _, x := range []struct {
		name string
		want int64
	}{{"requests", m.all.attempts}, {"passed_attempts", m.all.passed}, {"failed_attempts", m.all.attempts - m.all.passed}} {
		v := m.Top.Get(x.name)
		if n, ok := m.PeekInt(v); ok {
			m.AgreeCount(v, n, x.want, "the attempts", from)
		}
	}
	m.Fact(&m.Facts, evidence.KeySampleCount, m.Top.Get("requests"))
	var ids []string
	for id := range m.planned {
		ids = append(ids, id)
	}
	for _, id := range sortedNames(ids) {
		if g := m.cases[id]; g == nil || g.attempts != m.planned[id] {
			got := int64(0)
			if g != nil {
				got = g.attempts
			}
			m.Find(evidence.Warning, lift.CodeCount, m.Top.Path("corpus", "cases"), "%d attempts of the case %s, planned were %d", got, lift.Clip(id), m.planned[id])
		}
	}
	v := m.Top.Get("passed")
	g := evidence.Gate{Name: "multimodal corpus", Status: evidence.GateUnresolved, Place: evidence.At(v.P)}
	passed, known := v.True()
	switch {
	case !known:
		if v.OK() {
			m.Find(evidence.Warning, lift.CodeNotText, v, "a flag was expected")
		}
	case passed != (m.all.attempts > 0 && m.all.passed == m.all.attempts):
		m.Find(evidence.Warning, lift.CodeDiffers, v, "%v, but %d of %d attempts passed", passed, m.all.passed, m.all.attempts)
		g.SourceStatus = v.N.Text
	case passed:
		g.Status, g.SourceStatus = evidence.GatePassed, v.N.Text
	default:
		g.Status, g.SourceStatus = evidence.GateFailed, v.N.Text
	}
	if v.OK() {
		g.Detail = strconv.FormatInt(m.all.passed, 10) + "/" + strconv.FormatInt(m.all.attempts, 10)
		m.Gates = append(m.Gates, g)
	}
}
