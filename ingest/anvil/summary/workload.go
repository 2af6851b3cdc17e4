package summary

import (
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// hints reads what the name of a block says of the runs under it.
func (e *engine) hints(c *scope, name string) {
	n := readName(name)
	put := func(k evidence.FactKey, value string) {
		if value == "" {
			return
		}
		replace(&c.shape, evidence.Fact{Key: k, Value: value, State: evidence.Derived, Rule: ruleName, Place: evidence.At(c.at.P), SourceText: lift.Clip(name)})
	}
	put(evidence.KeyContextTarget, n.context)
	put(evidence.KeyConcurrency, n.conc)
	put(evidence.KeyPath, n.path)
	put(evidence.KeyWarmState, n.state)
	if isNumber(name) {
		put(numbered(c), name)
		return
	}
	if len(n.rest) == 0 && n.metric == "" {
		put(evidence.KeySlice, strings.Join(n.slice, " "))
		if f := factIn(c.shape, evidence.KeyRequests); len(n.slice) > 0 && f != nil && f.State == evidence.Recorded {
			c.n, c.shape = evidence.None[int64](), withoutKey(c.shape, evidence.KeyRequests) // of the whole, not of the part
		}
	}
	l := split(name)
	if l.has("request") && !l.has("per") && !c.n.OK {
		c.n = evidence.Some[int64](1)
		put(evidence.KeyRequests, "1")
	}
	if class := classOf(l); class != "" {
		c.class = class
	}
	if l.anyOf(acceptWords) {
		c.accept = true
	}
}

// numbered is what a number counts that is the name of a block: the block around it tells,
// "concurrency_sweep": {"4": …}. Otherwise the number is only a part of the block.
func numbered(c *scope) evidence.FactKey {
	if len(c.path) < 2 {
		return evidence.KeySlice
	}
	switch l := split(c.path[len(c.path)-2]); {
	case l.has("concurrency", "concurrencies", "clients", "users", "streams", "parallel"):
		return evidence.KeyConcurrency
	case l.has("context", "contexts", "prompt", "prompts", "ladder") && !l.has("concurrent"):
		return evidence.KeyContextTarget
	}
	return evidence.KeySlice
}

func withoutKey(facts []evidence.Fact, k evidence.FactKey) []evidence.Fact {
	var out []evidence.Fact
	for _, f := range facts {
		if f.Key != k {
			out = append(out, f)
		}
	}
	return out
}

// classOf is the workload class that a name speaks of.
func classOf(l *list) string {
	switch {
	case l.has("startup", "start", "boot"):
		return evidence.ClassStartup
	case l.has("multimodal", "image", "images", "video", "vision", "media", "ocr", "edge"):
		return evidence.ClassMedia
	case l.has("voice", "speech", "stt", "tts", "asr", "audio"):
		return evidence.ClassSpeech
	case l.has("long") && l.has("gen", "generation", "longgen", "output"), l.has("longgen"):
		return evidence.ClassGeneration
	case l.has("long", "near", "ladder"), len(l.words) == 1 && l.has("context"), l.has("context") && l.has("retrieval", "rows", "sweep"):
		return evidence.ClassLong
	case l.has("short"):
		return evidence.ClassShort
	case l.has("quality", "intelligence", "agentic", "swe", "eval", "gpqa", "scout"):
		return evidence.ClassQuality
	case l.has("acceptance") && l.has("mtp", "rate", "draft", "speculative"):
		return ""
	case l.has("functional", "preflight", "correctness", "gates", "gate", "acceptance", "compatibility", "smoke"):
		return evidence.ClassFunctional
	case l.has("throughput", "burst", "saturation"):
		return evidence.ClassAggregate
	}
	return ""
}

// rowShape reads the workload among the members of a row or block, its status, and the
// statistic that its figures share.
func (e *engine) rowShape(c *scope, v lift.Val) {
	c.stats = sharedStats(v)
	for name, m := range v.Members() {
		p := plain(name)
		if e.consumed[m.N] || !scalar(m.N) || m.Is(jsondoc.Null) {
			continue
		}
		if p == "protocol" && isText(m) {
			inherit(&c.shape, e.sentence(join(c, name), m))
			e.consumed[m.N] = true
			continue
		}
		if p == "status" || p == "result" && isStatus(m) {
			c.status = m
			continue
		}
		s, ok := workload[p]
		if p == "context" || p == "context tokens" {
			s, ok = setting{evidence.KeyContextTarget, asCount}, true
		}
		if !ok || c.mode == inGates && s.key == evidence.KeyRunLabel {
			if !counter(v, settings[p], m) {
				e.extraSetting(c, p, m)
			}
			continue
		}
		if s.form == asCount && !m.Is(jsondoc.Number) {
			if s.key == evidence.KeyContextTarget {
				e.nominal(c, m)
			}
			continue
		}
		e.shapeFact(c, s, p, m)
	}
	e.otherPrompt(c, v)
	if n := countIn(c.shape, evidence.KeyRequests); n.OK {
		c.n = n
	}
	c.done = countIn(c.shape, evidence.KeyCompleted)
}

// sharedStats are the statistics that all times and rates of one shape in a block share.
func sharedStats(v lift.Val) map[string]evidence.Stat {
	out := map[string]evidence.Stat{}
	several := map[string]bool{}
	for name := range v.Members() {
		n := readName(name)
		if n.stat == "" || !timeOrRate(n) {
			continue
		}
		at := n.variant()
		several[at] = several[at] || out[at] != "" && out[at] != n.stat
		out[at] = n.stat
	}
	for at := range several {
		if several[at] {
			delete(out, at)
		}
	}
	return out
}

func countIn(facts []evidence.Fact, k evidence.FactKey) evidence.Opt[int64] {
	if f := factIn(facts, k); f != nil {
		if n, err := evidence.ParseDecimal(f.Value); err == nil && n >= 0 && n < 1<<53 {
			return evidence.Some(int64(n))
		}
	}
	return evidence.None[int64]()
}

func within(p, block evidence.Pointer) bool {
	return p == block || strings.HasPrefix(string(p), string(block)+"/")
}

// otherPrompt drops what a protocol states of the load where a block gives the length of
// its own prompts and it is another one: the protocol does not speak of this block.
func (e *engine) otherPrompt(c *scope, v lift.Val) {
	prompt, target := factIn(c.shape, evidence.KeyPromptTokens), factIn(c.shape, evidence.KeyContextTarget)
	if prompt == nil || target == nil || prompt.Place.Pointer.Parent() != v.P || within(target.Place.Pointer, v.P) {
		return
	}
	own, planned := countIn(c.shape, evidence.KeyPromptTokens), countIn(c.shape, evidence.KeyContextTarget)
	if !own.OK || !planned.OK || own.V <= 2*planned.V && 4*own.V >= planned.V {
		return
	}
	e.Find(evidence.Info, CodeProtocol, c.prompt, "a prompt of %d tokens is not the one of %d at %s: what stands there is not taken for this block", own.V, planned.V, target.Place.Pointer)
	from := target.Place.Pointer
	c.shape = slices.DeleteFunc(c.shape, func(f evidence.Fact) bool {
		beside := (f.Rule == ruleStatement || f.Key == evidence.KeyAggregation) && f.Place.Pointer.Parent() == from.Parent()
		return (beside || f.Place.Pointer == from) && f.Key != evidence.KeyPercentileMethod
	})
	if factIn(c.shape, evidence.KeyRequests) == nil {
		c.n = evidence.None[int64]()
	}
}

// nominal reads a context that is written as people say it: "32K".
func (e *engine) nominal(c *scope, m lift.Val) {
	n, ok := prose.NominalTokens(strings.ToUpper(m.Str()))
	if !ok {
		return
	}
	replace(&c.shape, evidence.Fact{Key: evidence.KeyContextTarget, Value: prose.FormatCount(n), State: evidence.Derived, Rule: ruleNumber, Place: evidence.At(m.P), SourceText: lift.Clip(m.Str())})
	e.Take(m)
	e.consumed[m.N] = true
}

// extraSetting takes a setting that stands among figures: of the runs under the block.
func (e *engine) extraSetting(c *scope, p string, m lift.Val) {
	s, ok := settings[p]
	if !ok || notInRow[s.key] || s.key == evidence.KeyServedContext || s.form == asCount && !m.Is(jsondoc.Number) {
		return
	}
	to := &c.extra
	if s.key == evidence.KeyThinking || s.key == evidence.KeyThinkingEffort {
		to = &c.shape
	}
	e.set(to, s, p, m)
	e.consumed[m.N] = true
	e.note(join(c, p), m)
}

// note remembers a number that a fact was made of: no run may come to carry it.
func (e *engine) note(key string, v lift.Val) {
	if v.Is(jsondoc.Number) {
		e.left = append(e.left, counted{key, v})
	}
}

func timeOrRate(n name) bool {
	d := dimension(n.unit)
	return d == evidence.Seconds || d == evidence.TokensPerSecond
}

// shapeFact replaces what a wider scope says.
func (e *engine) shapeFact(c *scope, s setting, p string, m lift.Val) {
	var own []evidence.Fact
	e.set(&own, s, p, m)
	for _, f := range own {
		if have := factIn(c.shape, f.Key); have != nil && have.Place.Pointer.Parent() == f.Place.Pointer.Parent() {
			e.Put(&c.shape, f)
			continue
		}
		replace(&c.shape, f)
	}
	e.consumed[m.N] = true
	e.note(join(c, p), m)
	if s.key == evidence.KeyPromptTokens && m.Is(jsondoc.Number) && len(own) > 0 {
		c.prompt = m
	}
}

func isStatus(v lift.Val) bool {
	return isText(v) && len(v.Str()) < 60 && !strings.ContainsAny(v.Str(), "/0123456789")
}
