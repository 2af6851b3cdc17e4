package summary

import (
	"cmp"
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// number reads a number of a block: a figure, or what it is instead.
func (e *engine) number(sc *scope, key string, v lift.Val) {
	n := readName(key)
	a := sc.arm
	if len(n.rest) > 0 { // "official_fp8_elapsed_seconds"
		if found := e.find(strings.Join(n.rest, " ")); found != nil {
			a, n.rest = found, nil
		}
	}
	if sc.accept && n.metric == "" && split(key).has("rate") {
		n.metric, n.unit = evidence.AcceptRate, "ratio"
		n.rest = without(n.rest, "rate")
	}
	switch {
	case n.change != 0:
		e.claim(sc, n, key, v)
	case n.metric == "":
		e.plainNumber(sc, key, v)
	case n.foreign:
		e.Find(evidence.Info, CodeForeign, v, "%s is a target or somebody else's figure", lift.Clip(key))
		e.aside(sc, key, v, evidence.ReasonEcho)
	case n.twice:
		e.Find(evidence.Warning, CodeAggregation, v, "%s: two statistics, and nothing tells which is taken over which", lift.Clip(key))
		e.aside(sc, key, v, evidence.ReasonDiagnostic)
	case len(n.rest) > 0:
		e.strange(sc, key, n, v)
	default:
		own := *sc
		if own.arm = a; a != sc.arm {
			own.variants, own.order = nil, nil
			e.liftFigure(&own, key, n, v)
			return
		}
		e.liftFigure(sc, key, n, v)
	}
}

func without(list []string, word string) []string {
	var out []string
	for _, w := range list {
		if w != word {
			out = append(out, w)
		}
	}
	return out
}

// strange is a figure with a word in its name that we do not know: it may say that the
// figure is another one. A rate is kept as a headline rate.
func (e *engine) strange(sc *scope, key string, n name, v lift.Val) {
	e.Find(evidence.Warning, CodeName, v, "%s: %q is not understood, so the figure is not taken for a %s", lift.Clip(key), strings.Join(n.rest, " "), n.metric)
	if dimension(n.unit) != evidence.TokensPerSecond || !v.Is(jsondoc.Number) {
		e.aside(sc, key, v, evidence.ReasonDiagnostic)
		return
	}
	own := *sc
	own.variants, own.order, own.class = nil, nil, ""
	n.metric = evidence.HeadlineRate
	n.slice = append(n.slice, n.rest...)
	e.liftFigure(&own, key, n, v)
}

// plainNumber is a number that no metric is named beside.
func (e *engine) plainNumber(sc *scope, key string, v lift.Val) {
	l := split(key)
	p := plain(key)
	switch {
	case isCount(l):
		sc.counted = append(sc.counted, counted{key, v})
	case isSize(p):
		e.aside(sc, key, v, evidence.ReasonIdentifier)
	case l.has("reported", "observed", "measured"):
		e.aside(sc, key, v, evidence.ReasonDiagnostic)
	case l.anyOf(foreignWords) || l.has("http", "code", "port", "max", "configured", "utilization"):
		e.aside(sc, key, v, evidence.ReasonEcho)
	case diagnosticNumber(l):
		e.aside(sc, key, v, evidence.ReasonDiagnostic)
	default:
		e.Find(evidence.Info, lift.CodeUnread, v, "a number that is no figure we know: %s", lift.Clip(key))
		e.aside(sc, key, v, evidence.ReasonDetail)
	}
}

func diagnosticNumber(l *list) bool {
	n := readName(strings.Join(l.words, "_"))
	return n.unit != "" || l.anyEach("gib gb mib bytes power temperature utilization concurrency chars accepted drafted tokens elapsed memory")
}

// aside keeps a number as a line of the document and lists it with a reason.
func (e *engine) aside(sc *scope, key string, v lift.Val, reason string) {
	if !v.Is(jsondoc.Number) {
		if v.Is(jsondoc.NotFinite) {
			e.Find(evidence.Warning, lift.CodeNotFinite, v, "%s is no number", v.N.Text)
			e.Skip(v, evidence.ReasonUnread)
			return
		}
		e.foreign(join(sc, key), v)
		return
	}
	e.Notes = append(e.Notes, evidence.Note{Kind: evidence.Statement, Key: lift.Clip(join(sc, key)), Text: lift.Clip(v.N.Text), Place: evidence.At(v.P)})
	e.Skip(v, reason)
}

// liftFigure adds a figure to the run that its name and block speak of.
func (e *engine) liftFigure(sc *scope, key string, n name, v lift.Val) *evidence.Measurement {
	metric, unit := e.settleTime(sc, &n)
	if metric == "" {
		e.Find(evidence.Info, lift.CodeUnread, v, "a duration that is no figure we know: %s", lift.Clip(key))
		e.aside(sc, key, v, evidence.ReasonDiagnostic)
		return nil
	}
	info, known := evidence.LookupMetric(metric)
	if !known || dimension(unit) != info.Unit {
		e.Find(evidence.Warning, lift.CodeUnusable, v, "%s is not given in %q", metric, cmp.Or(unit, "no unit"))
		e.aside(sc, key, v, evidence.ReasonDiagnostic)
		return nil
	}
	w := lift.Want{Metric: metric, Unit: unit}
	sibling := false
	if w.Stat, sibling = e.statistic(sc, &n, metric, v); w.Stat == "" {
		if metric = e.unstated(sc, key, n, v); metric == "" {
			return nil
		}
		w.Metric, w.Stat = metric, evidence.Total
	}
	switch {
	case n.alone():
		w.N = evidence.Some[int64](1)
	case metric == evidence.PassRate:
		w.N = sc.n // what was not completed was not passed
	}
	r := e.runFor(sc, &n, v, metric)
	e.aggregated(r, n)
	w.Method = methodOf(w.Stat, r)
	m := e.Lift(r, v, w)
	if m == nil {
		if v.OK() && !v.Is(jsondoc.Null) {
			e.aside(sc, key, v, evidence.ReasonDiagnostic)
		}
		return nil
	}
	if sibling {
		m.State, m.Rule = evidence.Derived, ruleSiblings
	}
	e.plausible(m, v)
	return m
}

// settleTime tells by its place what a time is that its name does not say.
func (e *engine) settleTime(sc *scope, n *name) (evidence.MetricID, string) {
	switch n.metric {
	case bareTime:
		if sc.class == evidence.ClassMedia || sc.class == evidence.ClassSpeech || mediaSlice(n.slice) {
			return evidence.Latency, n.unit
		}
		return "", ""
	case elapsedTime:
		if n.stat != "" || sc.n.OK && sc.n.V == 1 {
			return evidence.E2E, n.unit
		}
		return "", ""
	}
	return n.metric, n.unit
}

func mediaSlice(slice []string) bool {
	for _, w := range slice {
		switch w {
		case "image", "images", "video", "videos", "mixed", "ocr", "audio", "multimodal", "stt", "tts", "voice", "llm", "media":
			return true
		}
	}
	return false
}

// statistic is the statistic of a figure: what its name says, the only one that a metric
// has, what all other figures of the block say, or one observation.
func (e *engine) statistic(sc *scope, n *name, metric evidence.MetricID, v lift.Val) (s evidence.Stat, sibling bool) {
	total, isTotal := totalOf(metric)
	switch {
	case n.stat == evidence.Max && (!sc.n.OK || sc.n.V == 1) && metric != evidence.GPUMemoryUsed:
		return evidence.Max, false
	case n.stat != "" && !(isTotal && n.stat == evidence.Total):
		return n.stat, false
	case isTotal:
		return total, false
	case metric == evidence.HeadlineRate:
		return evidence.Total, false
	case sc.n.OK && sc.n.V == 1:
		return evidence.Single, false
	case sc.stats[n.variant()] != "":
		s = sc.stats[n.variant()]
		e.Find(evidence.Info, CodeStat, v, "the name states no statistic; all other figures of the block are the %s, and so this is taken for it", s)
		return s, true
	case sc.n.OK && sc.n.V > 1:
		return "", false
	}
	if !sc.warned {
		e.Find(evidence.Info, CodeStat, v, "nothing says how many requests stand behind this figure: taken as one observation, its count stays unknown")
		sc.warned = true
	}
	return evidence.Single, false
}

// unstated is a figure over several requests whose statistic nothing states.
func (e *engine) unstated(sc *scope, key string, n name, v lift.Val) evidence.MetricID {
	e.Find(evidence.Warning, CodeStat, v, "%s: of which statistic over %d requests is this figure?", lift.Clip(key), sc.n.V)
	if dimension(n.unit) == evidence.TokensPerSecond {
		return evidence.HeadlineRate
	}
	e.aside(sc, key, v, evidence.ReasonDiagnostic)
	return ""
}

// named1 puts what the name of a figure alone says of its run.
func (e *engine) aggregated(r *lift.Run, n name) {
	if n.agg == "" {
		return
	}
	f := evidence.Fact{Key: evidence.KeyAggregation, Value: n.agg, State: evidence.Derived, Rule: ruleName, Place: r.Place, SourceText: n.agg}
	if factIn(r.Facts, evidence.KeyAggregation) == nil {
		r.Facts = append(r.Facts, f)
	}
}

func methodOf(s evidence.Stat, r *lift.Run) evidence.Method {
	if !strings.HasPrefix(string(s), "p") {
		return ""
	}
	l := split(valueIn(r.Facts, evidence.KeyPercentileMethod))
	switch {
	case l.has("nearest"):
		return evidence.NearestRank
	case l.has("linear", "interpolated"):
		return evidence.Linear
	}
	return ""
}

// runFor is the run of a block that a figure belongs to: figures of another shape or part
// are of another run.
func (e *engine) runFor(sc *scope, n *name, v lift.Val, metric evidence.MetricID) *lift.Run {
	key, class := n.variant(), sc.class
	startup := metric == evidence.KVPoolTokens || metric == evidence.GPUMemoryUsed || metric == evidence.GPUMemoryFree
	if startup {
		class, key = evidence.ClassStartup, key+"|startup"
	}
	if metric == evidence.HeadlineRate && key == variantNone {
		key += "|rate " + string(v.P)
	}
	if r := sc.variants[key]; r != nil {
		return r
	}
	if sc.variants == nil {
		sc.variants = map[string]*lift.Run{}
	}
	title := cmp.Or(strings.Join(sc.path[min(1, len(sc.path)):], " "), strings.Join(sc.path, " "), "summary")
	if t := n.title(); t != "" {
		title += ", " + t
	}
	if class == "" && len(n.slice) > 0 {
		class = classOf(&list{words: n.slice})
	}
	if startup {
		title = strings.TrimSuffix(cmp.Or(strings.Join(sc.path, " "), "start-up")+", "+n.title(), ", ")
	}
	at := sc.at
	if !at.OK() || at.P == e.Top.P {
		at = v
	}
	r := e.run(sc.arm, strings.ReplaceAll(title, "_", " "), class, at)
	if !startup {
		if r.N = sc.n; sc.done.OK && (!sc.n.OK || sc.done.V < sc.n.V) {
			r.N = sc.done
		}
	}
	e.runFacts(sc, r, n, class)
	sc.variants[key] = r
	sc.order = append(sc.order, r)
	if g := e.groups[sc.group]; len(g) <= maxGroup {
		e.groups[sc.group] = append(g, r)
	}
	return r
}

// alone reports whether a name speaks of one request out of several.
func (n *name) alone() bool { return contains(n.scope, "largest") || contains(n.scope, "longest") }

// shapeOf is the shape of a block as far as it holds for a figure: how many requests of
// which length there were says nothing of the one with the longest prompt.
func shapeOf(n *name, shape []evidence.Fact) []evidence.Fact {
	if !n.alone() {
		return shape
	}
	return slices.DeleteFunc(slices.Clone(shape), func(f evidence.Fact) bool {
		switch f.Key {
		case evidence.KeyRequests, evidence.KeyCompleted, evidence.KeyContextTarget, evidence.KeyAggregation, evidence.KeyRepetitions:
			return f.Rule == ruleStatement || f.Key == evidence.KeyAggregation
		}
		return false
	})
}

// runFacts gives a run its shape: what the figure's name says, then the block.
func (e *engine) runFacts(sc *scope, r *lift.Run, n *name, class string) {
	put := func(k evidence.FactKey, value string) {
		if value != "" {
			r.Facts = append(r.Facts, evidence.Fact{Key: k, Value: value, State: evidence.Derived, Rule: ruleName, Place: r.Place})
		}
	}
	if class == evidence.ClassStartup {
		inherit(&r.Facts, sc.extra)
		return
	}
	put(evidence.KeyContextTarget, n.context)
	put(evidence.KeyConcurrency, n.conc)
	put(evidence.KeyPath, n.path)
	put(evidence.KeyWarmState, n.state)
	if scope := strings.Join(n.scope, " "); n.metric == evidence.AcceptRate || n.metric == evidence.AcceptLength {
		put(evidence.KeyAcceptScope, scope)
		put(evidence.KeySlice, strings.Join(n.slice, " "))
	} else {
		put(evidence.KeySlice, strings.TrimSpace(strings.Join(n.slice, " ")+" "+scope))
	}
	inherit(&r.Facts, shapeOf(n, sc.shape))
	inherit(&r.Facts, sc.extra)
	if r.Class == "" || r.Class == evidence.ClassShort {
		context, conc := optional(r, evidence.KeyContextTarget), optional(r, evidence.KeyConcurrency)
		c := lift.LoadClass(context, conc)
		if c == "" && context.OK && len(n.scope) == 0 {
			c = evidence.ClassShort // a prompt of that length; how many at once stays unknown
		}
		if c != "" && (r.Class == "" || c == evidence.ClassLong) {
			r.Class = c
		}
	}
	if f := factIn(r.Facts, evidence.KeyWorkloadClass); f != nil && f.Rule == ruleMatched {
		f.Value = cmp.Or(r.Class, f.Value)
	}
	if r.Class == evidence.ClassLong && sc.n.OK && sc.n.V == 1 && factIn(r.Facts, evidence.KeyConcurrency) == nil {
		if f := factIn(r.Facts, evidence.KeyRequests); f != nil {
			alone := *f
			alone.Key, alone.State, alone.Rule = evidence.KeyConcurrency, evidence.Derived, "one-request"
			r.Facts = append(r.Facts, alone)
		}
	}
}

func optional(r *lift.Run, k evidence.FactKey) evidence.Opt[int64] {
	f, err := evidence.ParseDecimal(valueIn(r.Facts, k))
	if err != nil || f < 0 || f > 1<<53 {
		return evidence.None[int64]()
	}
	return evidence.Some(int64(f))
}
