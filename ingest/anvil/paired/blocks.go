package paired

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// armStarts are first words of the names of blocks that are arms.
var armStarts = []string{"baseline", "candidate", "control", "treatment", "default", "tuned", "stock"}

// armBlocks are the blocks of the arms by name: the members of "profiles", blocks called
// baseline, candidate and so on, and those that a published change beside them is named
// after.
func armBlocks(top lift.Val) map[string][]lift.Val {
	out := map[string][]lift.Val{}
	if profiles := top.Get("profiles"); profiles.Is(jsondoc.Object) {
		for name, v := range profiles.Members() {
			if v.Is(jsondoc.Object) {
				out[name] = append(out[name], v)
			}
		}
		return out
	}
	siblings(top, out)
	for _, v := range top.Members() {
		siblings(v, out)
	}
	if len(out) == 1 {
		clear(out)
	}
	return out
}

// siblings adds the arms among the members of one block.
func siblings(v lift.Val, out map[string][]lift.Val) {
	var objects []string
	compared := ""
	for name, m := range v.Members() {
		if m.Is(jsondoc.Object) {
			objects = append(objects, name)
		}
		if subject, ok := strings.CutSuffix(name, "_delta_percent"); ok && v.Get(subject).Is(jsondoc.Object) {
			compared = subject
		}
	}
	for _, name := range objects {
		w := sweep.Words(name)
		starts := len(w) > 0 && len(w) < 3 && slices.Contains(armStarts, w[0])
		other := compared != "" && name != compared && !strings.HasSuffix(name, "_delta_percent") && len(objects) <= 4
		if starts || name == compared || other && isControl(name) {
			out[name] = append(out[name], v.Get(name))
		}
	}
}

// blocks reads figures that stand in blocks of arms.
func (p *pair) blocks() {
	arms := armBlocks(p.Top)
	p.matched()
	for name, v := range p.Top.Members() {
		p.findArms(arms, "", name, v, 0)
	}
	for _, s := range p.sides {
		p.changed(s)
	}
	p.derived(p.Top.Get("derived_comparison"))
}

// matched reads what the document declares matched: it holds for every arm.
func (p *pair) matched() {
	boundary := p.Top.Get("comparison_boundary")
	for _, v := range boundary.Get("matched").Items() {
		p.sentence(&p.Doc.Facts, v)
	}
	for _, v := range boundary.Get("not_matched").Items() {
		p.Note(evidence.Limitation, "not_matched", v)
		p.Take(v)
	}
	for _, name := range []string{"method", "methodology", "protocol", "shape", "workload", "measurement"} {
		if v := p.Top.Get(name); v.Is(jsondoc.String) {
			p.sentence(&p.Doc.Facts, v)
		} else {
			p.protocol(&p.Doc.Facts, v)
		}
	}
}

// changed gives an arm its value of the setting that the document changes.
func (p *pair) changed(s *side) {
	change := p.Top.Get("controlled_change")
	key, ok := settingKeys[change.Get("field").Str()]
	first := ""
	if w := sweep.Words(s.name); len(w) > 0 {
		first = w[0]
	}
	v := change.Get(first)
	if !v.OK() {
		return
	}
	if !ok {
		key = evidence.KeyEngineOptions
		p.Put(&s.Facts, evidence.Fact{Key: key, Value: lift.Clip(change.Get("field").Str() + "=" + v.N.Text), State: evidence.Derived, Place: evidence.At(v.P), SourceText: lift.Clip(v.N.Text), Rule: "controlled-change"})
		p.Take(v)
		return
	}
	p.Fact(&s.Facts, key, v)
}

// settingKeys are the settings that a controlled change may name.
var settingKeys = map[string]evidence.FactKey{
	"max_num_batched_tokens": evidence.KeyBatchedTokens, "max_num_seqs": evidence.KeyMaxSequences, "kv_cache_dtype": evidence.KeyKVDtype,
	"gpu_memory_utilization": evidence.KeyMemoryFraction, "max_model_len": evidence.KeyServedContext, "tensor_parallel_size": evidence.KeyTP,
	"num_speculative_tokens": evidence.KeyDraftDepth, "enable_prefix_caching": evidence.KeyPrefixCache, "prefix_cache": evidence.KeyPrefixCache,
	"quantization": evidence.KeyQuantisation, "chunked_prefill_size": evidence.KeyChunkTokens,
}

// maxDepth is how deep arms are looked for.
const maxDepth = 6

// findArms looks for the blocks of arms; in is the name of the block around them.
func (p *pair) findArms(arms map[string][]lift.Val, in, name string, v lift.Val, depth int) {
	if depth > maxDepth || !v.Is(jsondoc.Object) {
		return
	}
	for _, at := range arms[name] {
		if at.P == v.P {
			s := p.side(name, v)
			p.block(s, in, "", v)
			p.Block(name, v, &s.Facts)
			return
		}
	}
	for child, m := range v.Members() {
		p.findArms(arms, strings.TrimSpace(in+" "+unlessProfiles(name)), child, m, depth+1)
	}
	p.pairChanges(strings.TrimSpace(in+" "+unlessProfiles(name)), v)
}

func unlessProfiles(name string) string {
	if name == "profiles" {
		return ""
	}
	return name
}

// block lifts the figures of one block of an arm into runs by load.
func (p *pair) block(s *side, in, name string, v lift.Val) {
	title := strings.TrimSpace(in + " " + name)
	p.passCounts(s, title, v)
	for member, m := range v.Members() {
		switch {
		case m.Is(jsondoc.Object):
			p.block(s, title, member, m)
		case m.Is(jsondoc.String):
			p.passText(s, title, member, m)
		case m.Is(jsondoc.Number):
			p.blockFigure(s, title, member, v, m)
		}
	}
	p.ended(s.runs, v)
}

// blockFigure lifts a number whose name says what it is.
func (p *pair) blockFigure(s *side, title, member string, block, v lift.Val) {
	x := sweep.Read(member)
	if _, base, err := evidence.ToBase("1", x.Unit); err == nil && base == evidence.Seconds && x.Stat != "" && slices.Equal(x.Rest, []string{"latency"}) {
		x.Metric, x.Rest = evidence.Latency, nil // of whole requests: "latency_p50_ms"
	}
	if len(x.Rest) > 0 || x.Metric == "" || x.Unit == "" || p.Taken(v) {
		return
	}
	load := sweep.Read(title)
	context, concurrency := sweep.Number(cmp.Or(x.Context, load.Context)), sweep.Number(cmp.Or(x.Concurrency, load.Concurrency))
	name := cmp.Or(title, "measured")
	class := lift.LoadClass(context, concurrency)
	w := x.Want
	switch {
	case x.Metric == evidence.KVPoolTokens:
		name, class, w.Stat = "start-up", evidence.ClassStartup, evidence.Total
	case sweep.Totals(x.Metric):
		w.Stat = evidence.Total
	case w.Stat == "":
		w.Stat = evidence.Single
	}
	if x.Context != "" || x.Concurrency != "" {
		name += " " + strings.TrimSpace(x.Context+" "+x.Concurrency)
	}
	run := s.run(name, class, block)
	for _, f := range []struct {
		k evidence.FactKey
		n evidence.Opt[int64]
	}{{evidence.KeyContextTarget, context}, {evidence.KeyConcurrency, concurrency}} {
		if f.n.OK && !of(f.k, p.Doc.Facts, run.Facts).OK {
			p.Put(&run.Facts, evidence.Fact{Key: f.k, Value: strconv.FormatInt(f.n.V, 10), State: evidence.Derived, Place: evidence.At(block.P), Rule: "member-name", SourceText: lift.Clip(title + " " + member)})
		}
	}
	if n, ok := p.PeekInt(block.Get("requests")); ok && !run.N.OK {
		run.N = evidence.Some(n)
		p.Count(&run.Facts, evidence.KeyRequests, block.Get("requests"))
	}
	p.Lift(run, v, w)
}

// ended reads how the runs of a block ended. An unknown word settles nothing.
func (p *pair) ended(runs map[string]*lift.Run, v lift.Val) {
	word := v.Get("status")
	if !word.Is(jsondoc.String) {
		return
	}
	for _, run := range runs {
		if run.Place.Pointer != v.P {
			continue
		}
		p.Words(&run.Facts, evidence.KeyRunStatus, word)
		said := func(words ...string) bool {
			return slices.ContainsFunc(sweep.Words(word.Str()), func(w string) bool { return slices.Contains(words, w) })
		}
		switch {
		case said("not", "skipped", "missing", "pending", "blocked"):
			run.Status = evidence.NotRun
		case said("failed", "fail", "failure", "error", "crashed", "timeout", "oom", "aborted", "rejected"):
			run.Status = evidence.RunFailed
		case !said("passed", "pass", "ok", "measured", "complete", "completed", "success") || said("caveat", "partial"):
			run.Status = evidence.RunUnresolved
			p.Find(evidence.Warning, CodeStatus, word, "%q is no run status that we know: the run is kept and never compared", lift.Clip(word.Str()))
		}
	}
}

// qualityWords are words of the names of blocks whose passes are answers that were right.
var qualityWords = []string{"mmlu", "arc", "quality", "intelligence", "eval", "gpqa", "reasoning"}

func passClass(title string) string {
	for _, w := range sweep.Words(title) {
		switch {
		case slices.Contains([]string{"multimodal", "image", "video", "ocr", "media"}, w):
			return evidence.ClassMedia
		case slices.Contains(qualityWords, w):
			return evidence.ClassQuality
		}
	}
	return evidence.ClassFunctional
}

// passText lifts "28/30".
func (p *pair) passText(s *side, title, member string, v lift.Val) {
	a, b, ok := strings.Cut(v.Str(), "/")
	passed, err1 := strconv.ParseInt(a, 10, 32)
	all, err2 := strconv.ParseInt(b, 10, 32)
	if !ok || err1 != nil || err2 != nil || all <= 0 || passed < 0 || passed > all {
		return
	}
	name := strings.TrimSpace(title + " " + member)
	run := s.run(name, passClass(name), v)
	p.passRate(run, passed, all, v, v.Str(), nil)
	p.Find(evidence.Info, sweep.CodeNumberText, v, "a figure is written as the text %q", lift.Clip(v.Str()))
	p.Take(v)
}

func (p *pair) passRate(run *lift.Run, passed, all int64, v lift.Val, text string, also []evidence.Place) {
	p.Put(&run.Facts, evidence.Fact{Key: evidence.KeyItems, Value: strconv.FormatInt(all, 10), State: evidence.Derived, Place: evidence.At(v.P), Rule: "passed/attempted", SourceText: text})
	run.Measurements = append(run.Measurements, evidence.Measurement{Metric: evidence.PassRate, Stat: evidence.Total, Unit: evidence.Ratio, N: evidence.Some(all),
		Value: evidence.Some(float64(passed) / float64(all)), State: evidence.Derived, Rule: "passed/attempted", Role: evidence.Primary,
		SourceText: text, SourceUnit: "passed/attempted", Place: evidence.At(v.P), Also: also})
}

// passCounts lifts passed and attempted that stand side by side.
func (p *pair) passCounts(s *side, title string, v lift.Val) {
	var passedAt, allAt lift.Val
	for _, name := range []string{"passed", "correct", "passes", "passed_attempts"} {
		if m := v.Get(name); m.Is(jsondoc.Number) {
			passedAt = m
		}
	}
	for _, name := range []string{"attempts", "attempted", "total_attempts", "total", "cases"} {
		if m := v.Get(name); m.Is(jsondoc.Number) && !allAt.OK() {
			allAt = m
		}
	}
	passed, ok1 := p.PeekInt(passedAt)
	all, ok2 := p.PeekInt(allAt)
	if !ok1 || !ok2 || all == 0 || passed > all {
		return
	}
	run := s.run(cmp.Or(title, "checks"), passClass(title), v)
	p.Take(passedAt)
	p.Take(allAt)
	p.passRate(run, passed, all, passedAt, passedAt.N.Text, []evidence.Place{evidence.At(allAt.P)})
}

// pairChanges reads a block of published changes beside two arms: "sharp_delta_percent".
func (p *pair) pairChanges(in string, v lift.Val) {
	for name, m := range v.Members() {
		subject, ok := strings.CutSuffix(name, "_delta_percent")
		s := p.named(subject)
		if !ok || s == nil || p.other(s) == nil || !m.Is(jsondoc.Object) {
			continue
		}
		for member, x := range m.Members() {
			f := sweep.Read(member)
			rule, left := direction(f.Rest, f.Metric)
			run := s.runs[cmp.Or(in, "measured")]
			if f.Metric == "" || len(left) > 0 || run == nil || !x.Is(jsondoc.Number) {
				continue
			}
			p.claim(run, p.other(s).runs[cmp.Or(in, "measured")], f.Metric, statOf(f, run), rule, x)
		}
	}
}

func (p *pair) named(name string) *side {
	for _, s := range p.sides {
		if s.name == name {
			return s
		}
	}
	return nil
}

// derived reads published multiples and percentages whose names say of which arm and load
// they are: "qwen_8k_decode_multiple".
func (p *pair) derived(block lift.Val) {
	for name, v := range block.Members() {
		x := sweep.Read(name)
		rule, left := direction(x.Rest, x.Metric)
		s, run := p.spokenOf(left, x)
		if x.Metric == "" || run == nil || !v.Is(jsondoc.Number) {
			if v.Is(jsondoc.Number) {
				p.Find(evidence.Info, CodeOpenClaim, v, "which figures %q was formed from is not told", lift.Clip(name))
			}
			continue
		}
		var control *lift.Run
		if other := p.other(s); other != nil {
			control = other.runs[run.Name]
		}
		p.claim(run, control, x.Metric, statOf(x, run), rule, v)
	}
}

// isVersion reports whether a word is a name with a number behind it: "qwen35" of "qwen".
func isVersion(word, name string) bool {
	rest, ok := strings.CutPrefix(word, name)
	return ok && rest != "" && strings.Trim(rest, "0123456789") == "" && strings.Trim(name, "0123456789") == name
}

// spokenOf is the arm that a name starts with and its one run under the load.
func (p *pair) spokenOf(left []string, x sweep.Figure) (*side, *lift.Run) {
	var found *side
	for _, s := range p.sides {
		if len(left) > 0 && slices.ContainsFunc(sweep.Words(s.name), func(w string) bool { return w == left[0] || isVersion(w, left[0]) }) {
			if found != nil {
				return nil, nil
			}
			found = s
		}
	}
	if found == nil {
		return nil, nil
	}
	var run *lift.Run
	for name, r := range found.runs {
		load := sweep.Read(name)
		same := x.Context != "" && load.Context == x.Context || x.Context == "" && x.Metric == evidence.KVPoolTokens
		if same && r.Primary(x.Metric, statOf(x, r)) != nil {
			if run != nil {
				return nil, nil
			}
			run = r
		}
	}
	return found, run
}
