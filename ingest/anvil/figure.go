package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// figure is what a value gives as a number: a point, or a range that stands in a text.
type figure struct {
	value, lower, upper evidence.Opt[float64]
	unit                evidence.Unit
	text                string
	place               evidence.Place
	state               evidence.State
	rule                string
}

// figure reads a value in a unit. What gives no number is reported and, where digits
// stand in it, listed as not lifted.
func (b *builder) figure(p evidence.Pointer, n *jsondoc.Node, unit string) (figure, bool) {
	f := figure{place: evidence.At(p), text: n.Text, state: evidence.Recorded}
	switch n.Kind {
	case jsondoc.Number:
		v, base, err := evidence.ToBase(n.Text, unit)
		if err != nil {
			b.find(evidence.Warning, CodeOutOfRange, p, n, err.Error())
			b.skip(f.place, n.Text, evidence.ReasonUnread)
			return f, false
		}
		f.value, f.unit = evidence.Some(v), base
		return f, true
	case jsondoc.String:
		if f, ok := b.figureText(p, n, unit); ok {
			return f, true
		}
		b.find(evidence.Warning, CodeNotNumber, p, n, fmt.Sprintf("a number was expected, not %s", kindName(n)))
	case jsondoc.Null:
		b.find(evidence.Info, CodeNull, p, n, "no value: not recorded")
	case jsondoc.NotFinite:
		b.find(evidence.Warning, CodeNotFinite, p, n, n.Text+" is no number")
		b.skip(f.place, n.Text, evidence.ReasonUnread)
	default:
		b.find(evidence.Warning, CodeNotNumber, p, n, fmt.Sprintf("a number was expected, not %s", kindName(n)))
	}
	return f, false
}

// figureText reads a number or a range that stands in a string: "312.5", "24000 MiB",
// "81729-82089". A fraction is a number only where a share is asked for.
func (b *builder) figureText(p evidence.Pointer, n *jsondoc.Node, unit string) (figure, bool) {
	if !sentence(n) {
		return figure{}, false
	}
	t := prose.Lex(n.Text)
	f := figure{state: evidence.Derived, rule: ruleNumber}
	convert := func(t prose.Token) (evidence.Opt[float64], bool) {
		own := t.Unit
		if own == "" {
			own = unit
		}
		v, base, err := evidence.ToBase(t.Decimal(n.Text), own)
		_, want, unitErr := evidence.ToBase("1", unit)
		f.unit = base
		return evidence.Some(v), err == nil && unitErr == nil && base == want
	}
	whole := func(count int) bool { return t[count-1].UnitEnd == len(strings.TrimRight(n.Text, " ")) }
	var ok1, ok2 bool
	switch {
	case len(t) >= 1 && t[0].Kind == prose.Figure && whole(1):
		f.value, ok1 = convert(t[0])
		ok2 = true
		f.place = evidence.InText(p, t[0].Start, t[0].End)
	case len(t) >= 2 && t[0].Kind == prose.Figure && t[1].Kind == prose.Figure && t[1].Link != 0 && whole(2):
		f.place = evidence.InText(p, t[0].Start, t[1].End)
		if t[1].Link == '/' {
			return f, b.share(&f, n.Text, unit)
		}
		f.lower, ok1 = convert(t[0])
		f.upper, ok2 = convert(t[1])
		ok2 = ok2 && f.lower.V <= f.upper.V
	}
	if !ok1 || !ok2 {
		return f, false
	}
	f.text = n.Text[f.place.Start:f.place.End]
	b.find(evidence.Info, CodeNumberText, p, n, "the number stands in a string")
	return f, true
}

// share reads "28/30" as a ratio.
func (b *builder) share(f *figure, text, unit string) bool {
	r := prose.Results(text)
	if unit != "ratio" || len(r) != 1 || r[0].Kind != prose.Fraction {
		return false
	}
	f.value, f.unit = evidence.Some(ratio(r[0].Num, r[0].Den)), evidence.Ratio
	f.text = r[0].Digits.Text(text)
	return true
}

// ratio is num/den rounded once.
func ratio(num, den int64) float64 { return float64(num) / float64(den) }

// method is the percentile method of a statistic; a mean or total has none.
func (b *builder) methodOf(s evidence.Stat) evidence.Method {
	if _, isPercentile := strings.CutPrefix(string(s), "p"); isPercentile {
		return b.method
	}
	return ""
}

// lift adds a figure to a run. n is the number of observations behind it.
func (b *builder) lift(r *run, m member, stat evidence.Stat, n evidence.Opt[int64], p evidence.Pointer, node *jsondoc.Node) bool {
	if !m.unitFits() {
		b.find(evidence.Warning, CodeUnit, p, node, fmt.Sprintf("%s is not given in %q", m.metric, m.unit))
		return false
	}
	if n.OK && n.V == 1 && stat != evidence.Total && m.stat == "" {
		stat = evidence.Single // the p50 of one observation is that observation
	}
	if r.primary(m.metric, stat) != nil {
		b.find(evidence.Warning, CodeFactDiffers, p, node, fmt.Sprintf("%s %s is given twice; the first is taken", stat, m.metric))
		return false
	}
	f, ok := b.figure(p, node, m.unit)
	if !ok {
		return false
	}
	if f.value.OK && f.value.V < 0 || f.lower.OK && f.lower.V < 0 {
		b.negative(p, node, m.metric, f.text)
		b.skip(f.place, f.text, evidence.ReasonVoid)
		return false
	}
	r.Measurements = append(r.Measurements, evidence.Measurement{
		Metric: m.metric, Stat: stat, Method: b.methodOf(stat), Value: f.value, Lower: f.lower, Upper: f.upper,
		Unit: f.unit, N: n, State: f.state, Role: evidence.Primary, Rule: f.rule,
		SourceText: f.text, SourceUnit: m.unit, Place: f.place,
	})
	return true
}

// statistic is the statistic that a member means: the one in its name, or the total
// for a metric that has one figure per run.
func (m member) statistic() (evidence.Stat, bool) {
	if m.stat != "" {
		return m.stat, true
	}
	return totalOf(m.metric)
}

func totalOf(m evidence.MetricID) (evidence.Stat, bool) {
	switch m {
	case evidence.OutputThroughput, evidence.TotalThroughput, evidence.RequestThroughput, evidence.Goodput,
		evidence.KVPoolTokens, evidence.AcceptRate, evidence.AcceptLength, evidence.PassRate:
		return evidence.Total, true
	}
	return "", false
}

// liftGroup adds the statistics of an object such as {"mean": ..., "p95": ...}.
func (b *builder) liftGroup(r *run, m member, n evidence.Opt[int64], p evidence.Pointer, node *jsondoc.Node) {
	for i, name := range node.Names {
		stat, ok := prose.StatWord(strings.ToLower(name))
		if !ok || m.stat != "" && m.stat != stat {
			continue // the closing pass lists it
		}
		b.lift(r, m, stat, n, p.Key(name), node.Children[i])
	}
	b.inOrder(r, m.metric, p, node)
}

// inOrder reports percentiles that cannot be: a p50 above the p95.
func (b *builder) inOrder(r *run, metric evidence.MetricID, p evidence.Pointer, node *jsondoc.Node) {
	last := evidence.None[float64]()
	for _, s := range []evidence.Stat{evidence.P50, evidence.P95, evidence.P99} {
		for _, m := range r.Measurements {
			if m.Metric != metric || m.Stat != s || m.Role != evidence.Primary || !m.Value.OK {
				continue
			}
			if last.OK && m.Value.V < last.V {
				b.find(evidence.Warning, CodeOrder, p, node, fmt.Sprintf("%s of %s lies below a lower percentile", s, metric))
			}
			last = m.Value
		}
	}
}

// primary finds a run's own figure of a metric and statistic.
func (r *run) primary(m evidence.MetricID, s evidence.Stat) *evidence.Measurement {
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Role == evidence.Primary && x.Metric == m && x.Stat == s {
			return x
		}
	}
	return nil
}

// observations is the number of requests of a run.
func (r *run) observations() evidence.Opt[int64] {
	if f := factIn(r.Facts, evidence.KeyRequests); f != nil {
		if n, ok := parseCount(f.Value); ok {
			return evidence.Some(n)
		}
	}
	return evidence.None[int64]()
}
