package summary

import (
	"cmp"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// text reads a text of a block: a figure written as text, a passed check, a digest, or a
// sentence.
func (e *engine) text(sc *scope, key string, v lift.Val) {
	n := readName(key)
	s := v.Str()
	switch k, isNote := noteSlot(key, v); {
	case isDigest(s):
		e.digest(key, v)
	case n.metric != "" && evidenceMetric(n.metric) && !n.foreign && len(n.rest) == 0 && e.figureText(sc, key, n, v):
	case isNote:
		if k == slotDecision && sc.arm != nil && sc.arm != e.self && isRejected(s) {
			sc.arm.reject = v
		}
		e.slot(k, sc, join(sc, key), v)
	case plain(key) == "run id" && len(sc.path) == 0:
		e.Words(&e.Facts, evidence.KeyRunLabel, v)
		e.Take(v)
	case slotOf(key, v) == slotDate, plain(key) == "run id":
		e.say(evidence.Statement, join(sc, key), v)
	case plain(key) == "status" && sc.ofArm && !isGateWord(s):
		e.decision(join(sc, key), v)
	case e.fraction(sc, key, v):
	case isGateWord(s) || sc.mode == inGates || slotOf(key, v) == slotGates:
		e.gate(sc, key, v)
	default:
		e.Take(v)
		e.digits(v)
		e.Note(evidence.Statement, lift.Clip(join(sc, key)), v)
		if len(sc.path) > 0 && isText(v) && e.names(v) {
			e.named(key, v)
		}
		e.rates(sc.arm, sc, v)
	}
}

func (e *engine) names(v lift.Val) bool {
	for w := range strings.FieldsSeq(v.Str()) {
		if isFile(w) {
			return true
		}
	}
	return false
}

func isGateWord(s string) bool {
	return evidence.ReadGateStatus(s) != evidence.GateUnresolved || unsure[strings.ToLower(s)]
}

var unsure = set("unsupported unverified partial incomplete skipped")

// figureText reads a figure that stands in a text: "312.5 ms", "81729-82089".
func (e *engine) figureText(sc *scope, key string, n name, v lift.Val) bool {
	text := cutText(v.Str())
	t := prose.Lex(text)
	if len(t) == 0 || len(t) > 2 || t[0].Kind != prose.Figure || n.unit == "" {
		return false
	}
	if len(t) == 2 && (t[1].Kind != prose.Figure || t[1].Link != '-') || t[len(t)-1].UnitEnd != len(strings.TrimRight(text, " ")) {
		return false
	}
	low, unit, err := toBase(text, t[0], n.unit)
	info, known := evidence.LookupMetric(n.metric)
	if err != nil || !known || unit != info.Unit {
		return false
	}
	stat, _ := e.statistic(sc, &n, n.metric, v)
	if stat == "" {
		stat = evidence.Total
	}
	r := e.runFor(sc, &n, v, n.metric)
	if r.Primary(n.metric, stat) != nil {
		return false
	}
	m := evidence.Measurement{Metric: n.metric, Stat: stat, Unit: unit, N: r.N, State: evidence.Derived, Role: evidence.Primary, Rule: ruleNumber,
		SourceUnit: cmp.Or(t[0].Unit, n.unit), Place: evidence.InText(v.P, t[0].Start, t[0].End), SourceText: t[0].Text(text)}
	if len(t) == 2 {
		high, _, err := toBase(text, t[1], n.unit)
		if err != nil || high < low {
			return false
		}
		m.Lower, m.Upper = evidence.Some(low), evidence.Some(high)
		m.SourceText = t[0].Text(text) + " to " + t[1].Text(text)
		m.Also = []evidence.Place{evidence.InText(v.P, t[1].Start, t[1].End)}
	} else {
		m.Value = evidence.Some(low)
	}
	e.Find(evidence.Info, CodeNumberText, v, "the number stands in a string")
	e.Take(v)
	e.plausible(&m, v)
	r.Measurements = append(r.Measurements, m)
	return true
}

func toBase(text string, t prose.Token, unit string) (float64, evidence.Unit, error) {
	return evidence.ToBase(t.Decimal(text), cmp.Or(t.Unit, unit))
}

// fraction reads "28/30", a whole text: so many of so many passed. It is a gate and a pass
// rate of its own run.
func (e *engine) fraction(sc *scope, key string, v lift.Val) bool {
	text := strings.TrimSpace(v.Str())
	if len(text) > 40 || text != v.Str() {
		return false
	}
	found := prose.Results(text)
	if len(found) != 1 || found[0].Kind != prose.Fraction || found[0].Digits.Start != 0 {
		return false
	}
	x, at := found[0], evidence.At(v.P)
	if rest := strings.TrimSpace(text[x.Digits.End:]); rest != "" {
		if !allPassed[strings.ToLower(rest)] {
			return false
		}
		at = evidence.InText(v.P, x.Digits.Start, x.Digits.End)
	}
	e.Take(v)
	status := evidence.GateUnresolved
	if x.Num == x.Den {
		status = evidence.GatePassed
	}
	e.Gates = append(e.Gates, evidence.Gate{Name: lift.Clip(join(sc, key)), SourceStatus: text, Status: status, Detail: gateDetail(sc), Place: evidence.At(v.P)})
	own := e.oneCheck(sc, key, v)
	own.n = evidence.Some(x.Den)
	n := name{metric: evidence.PassRate, unit: "ratio"}
	r := e.runFor(own, &n, v, evidence.PassRate)
	e.Derive(&r.Facts, evidence.KeyRequests, prose.FormatCount(x.Den), ruleNumber, v)
	r.Measurements = append(r.Measurements, evidence.Measurement{Metric: evidence.PassRate, Stat: evidence.Total, Unit: evidence.Ratio,
		Value: evidence.Some(float64(x.Num) / float64(x.Den)), N: evidence.Some(x.Den), State: evidence.Derived, Role: evidence.Primary, Rule: ruleNumber,
		SourceText: x.Digits.Text(text), SourceUnit: "ratio", Place: at})
	return true
}

// allPassed are words behind a fraction that say once more what it counts.
var allPassed = set("passed pass clean correct ok successful succeeded")

// oneCheck is the scope of one check: a run of its own, for a check is a suite of its own.
func (e *engine) oneCheck(sc *scope, key string, v lift.Val) *scope {
	own := sc.under(key, v)
	own.group = v.P
	own.shape = nil
	for _, f := range sc.shape {
		if f.Key == evidence.KeyPath || f.Key == evidence.KeyThinking {
			own.shape = append(own.shape, f)
		}
	}
	l, n := split(key), readName(key)
	if own.class == "" || own.class == evidence.ClassFunctional {
		own.class = cmp.Or(classOf(l), own.class, evidence.ClassFunctional)
	}
	var suite []string
	for _, w := range l.words {
		if pathWords[w] == "" {
			suite = append(suite, w)
		}
	}
	put := func(k evidence.FactKey, value string) {
		if value != "" {
			replace(&own.shape, evidence.Fact{Key: k, Value: lift.Clip(value), State: evidence.Derived, Rule: ruleName, Place: evidence.At(v.P), SourceText: lift.Clip(key)})
		}
	}
	put(evidence.KeySuite, strings.Join(suite, " "))
	put(evidence.KeyPath, n.path)
	put(evidence.KeyContextTarget, n.context)
	return own
}

// values reads a list without blocks: the ends of a range, raw values of a figure, names of
// checks, digests or words.
func (e *engine) values(sc *scope, key string, v lift.Val) {
	n := readName(key)
	numbers := v.Len() > 0
	for _, c := range v.Items() {
		numbers = numbers && c.Is(jsondoc.Number)
	}
	switch {
	case !numbers:
		for _, c := range v.Items() {
			if isText(c) && isDigest(c.Str()) {
				e.digest(key, c)
			} else {
				e.notes(evidence.Statement, join(sc, key), c)
			}
		}
		if v.Len() == 0 {
			e.Take(v)
		}
	case n.ranged && v.Len() == 2:
		e.interval(sc, key, n, v)
	case n.metric != "" && len(n.rest) == 0 && !n.foreign:
		e.raw(sc, key, n, v)
	default:
		for _, c := range v.Items() {
			e.aside(sc, key, c, evidence.ReasonRow)
		}
	}
}

// interval reads [low, high] of a member that is called a range.
func (e *engine) interval(sc *scope, key string, n name, v lift.Val) {
	low, high := lift.Val{P: v.P.Index(0), N: v.N.Children[0]}, lift.Val{P: v.P.Index(1), N: v.N.Children[1]}
	if plain(key) == "actual range" || n.metric == evidence.PromptTokens {
		n = name{metric: evidence.PromptTokens, unit: "tokens"}
	}
	metric, unit := e.settleTime(sc, &n)
	info, known := evidence.LookupMetric(metric)
	if metric == "" || !known || n.foreign || len(n.rest) > 0 || dimension(unit) != info.Unit {
		for _, c := range v.Items() {
			e.aside(sc, key, c, evidence.ReasonDiagnostic)
		}
		return
	}
	a, ok1 := e.Number(low, unit)
	b, ok2 := e.Number(high, unit)
	if !ok1 || !ok2 || a.V > b.V || a.V < 0 {
		e.Find(evidence.Warning, lift.CodeImpossible, v, "%s: no range", lift.Clip(key))
		return
	}
	stat, isTotal := totalOf(metric)
	if !isTotal {
		stat = evidence.Single
	}
	r := e.runFor(sc, &n, v, metric)
	m := evidence.Measurement{Metric: metric, Stat: stat, Unit: a.Unit, Lower: evidence.Some(a.V), Upper: evidence.Some(b.V), N: sc.n, State: evidence.Recorded,
		Role: evidence.Primary, SourceText: a.Text + " to " + b.Text, SourceUnit: unit, Place: evidence.At(low.P), Also: []evidence.Place{evidence.At(high.P)}}
	if rr, has := sane[metric]; has && (a.V < rr[0] || b.V > rr[1]) {
		e.Find(evidence.Warning, lift.CodeImplausible, v, "%s is out of the range of any %s", lift.Clip(m.SourceText), metric)
		m.State = evidence.Conflict
	}
	if r.Primary(metric, stat) != nil {
		m.Role = evidence.Restated
	}
	r.Measurements = append(r.Measurements, m)
}

// raw reads the values of single requests. One value is a figure; of several, times become
// samples, and the figure that the block gives over them is held against them.
func (e *engine) raw(sc *scope, key string, n name, v lift.Val) {
	metric, unit := e.settleTime(sc, &n)
	if v.Len() == 1 && metric != "" {
		for _, c := range v.Items() {
			own := *sc
			own.n = evidence.Some[int64](1)
			n.stat = ""
			e.liftFigure(&own, key, n, c)
			sc.variants, sc.order = own.variants, own.order
		}
		return
	}
	info, known := evidence.LookupMetric(metric)
	if !known || info.Unit != evidence.Seconds || metric != evidence.E2E && metric != evidence.TTFT && metric != evidence.TTFO && metric != evidence.Generation {
		for _, c := range v.Items() {
			e.aside(sc, key, c, evidence.ReasonRow)
		}
		return
	}
	r := e.runFor(sc, &n, v, metric)
	for i, c := range v.Items() {
		s := evidence.Sample{Index: int64(i), OK: true, Place: evidence.At(c.P)}
		at := map[evidence.MetricID]*evidence.Opt[float64]{evidence.E2E: &s.E2E, evidence.TTFT: &s.TTFT, evidence.TTFO: &s.TTFO, evidence.Generation: &s.Generation}[metric]
		if *at = e.Span(c, unit); at.OK {
			r.Samples = append(r.Samples, s)
		}
	}
}

// stats reads a block of statistics under the name of a figure: "ttft_ms": {"p50": ...}.
func (e *engine) stats(sc *scope, key string, v lift.Val) bool {
	n := readName(key)
	if n.metric == "" || n.unit == "" || n.change != 0 || n.foreign || len(n.rest) > 0 || v.Len() == 0 {
		return false
	}
	for member := range v.Members() {
		if _, ok := prose.StatWord(strings.ToLower(member)); !ok {
			return false
		}
	}
	for member, c := range v.Members() {
		own := n
		own.stat, _ = prose.StatWord(strings.ToLower(member))
		e.liftFigure(sc, key+"_"+member, own, c)
	}
	return true
}

// rates lifts the token rates of a sentence that do not say what they measure: published,
// never compared. a is the arm that the sentence stands beside, nil when it may speak of
// any.
func (e *engine) rates(a *arm, sc *scope, v lift.Val) {
	text := v.Str()
	if len(text) > prose.MaxSentence || !strings.Contains(text, "tok") {
		return
	}
	inexact := map[int]bool{}
	for _, s := range prose.Inexact(text) {
		inexact[s.Start] = true
	}
	tokens := prose.Lex(text)
	for i, t := range tokens {
		if t.Kind != prose.Figure || t.Unit != "tok/s" || t.Link != 0 || i+1 < len(tokens) && tokens[i+1].Link != 0 {
			continue
		}
		if inexact[t.Start] && !about(text, tokens, i) {
			continue
		}
		f, unit, err := evidence.ToBase(t.Decimal(text), "tok/s")
		if err != nil || f < 0 {
			continue
		}
		if a == nil {
			a = e.anybody()
		}
		place := evidence.InText(v.P, t.Start, t.End)
		r := e.run(a, "rate in a sentence", "", v)
		r.Place = place
		r.Measurements = append(r.Measurements, evidence.Measurement{Metric: evidence.HeadlineRate, Stat: evidence.Total, Unit: unit, Value: evidence.Some(f),
			State: evidence.Derived, Role: evidence.Primary, Rule: ruleRate, SourceText: t.Text(text), SourceUnit: "tok/s", Place: place})
	}
}

// about reports whether a figure is called an approximation; bounds are no figures.
func about(text string, tokens []prose.Token, i int) bool {
	if i == 0 {
		return false
	}
	switch strings.ToLower(tokens[i-1].Text(text)) {
	case "about", "around", "roughly", "approximately", "~", "≈", "nearly", "almost", "circa":
		return true
	}
	return false
}

// anybody is the arm of rates in sentences whose subject is not read.
func (e *engine) anybody() *arm {
	if e.spoken == nil {
		e.spoken = &arm{name: "named in a sentence", at: e.Top}
	}
	return e.spoken
}
