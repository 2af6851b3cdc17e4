package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
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
	stats := map[evidence.Stat]bool{}
	for name, m := range v.Members() {
		p := plain(name)
		if n := readName(name); n.stat != "" && timeOrRate(n) {
			stats[n.stat] = true
		}
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
			e.extraSetting(c, p, m)
			continue
		}
		if s.form == asCount && !m.Is(jsondoc.Number) {
			continue
		}
		e.shapeFact(c, s, p, m)
	}
	if len(stats) == 1 {
		for s := range stats {
			c.stat = s
		}
	}
	if f := factIn(c.shape, evidence.KeyRequests); f != nil {
		if n, err := evidence.ParseDecimal(f.Value); err == nil && n >= 0 && n < 1<<53 {
			c.n = evidence.Some(int64(n))
		}
	}
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
