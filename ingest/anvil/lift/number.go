package lift

import (
	"math"
	"strconv"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Figure is a number in a base unit with the digits as they stand.
type Figure struct {
	V    float64
	Unit evidence.Unit
	Text string
}

// Number reads a member as a number in a unit. What is no number is reported; a member
// that is not there is silent.
func (d *Doc) Number(v Val, unit string) (Figure, bool) {
	f, ok := d.read(v, unit)
	if ok || v.Is(jsondoc.Number) {
		d.Take(v)
	}
	return f, ok
}

func (d *Doc) read(v Val, unit string) (Figure, bool) {
	switch {
	case !v.OK():
		return Figure{}, false
	case v.Is(jsondoc.Null):
		d.Find(evidence.Info, CodeNull, v, "no value: not recorded")
		return Figure{}, false
	case v.Is(jsondoc.NotFinite):
		d.Find(evidence.Warning, CodeNotFinite, v, "%s is no number", v.N.Text)
		d.Skip(v, evidence.ReasonUnread)
		return Figure{}, false
	case !v.Is(jsondoc.Number):
		d.Find(evidence.Warning, CodeNotNumber, v, "a number was expected, not %s", kindName(v))
		return Figure{}, false
	}
	f, base, err := evidence.ToBase(v.N.Text, unit)
	if err != nil {
		d.Find(evidence.Warning, CodeUnusable, v, "%v", err)
		d.Skip(v, evidence.ReasonUnread)
		return Figure{}, false
	}
	return Figure{V: f, Unit: base, Text: v.N.Text}, true
}

// Int reads a count: 12, or 12.0 with a remark. A count is never negative.
func (d *Doc) Int(v Val) (int64, bool) {
	f, ok := d.Number(v, "count")
	switch {
	case !ok:
		return 0, false
	case f.V < 0:
		d.Find(evidence.Warning, CodeImpossible, v, "%s: a count is not negative", clip(f.Text))
		return 0, false
	case f.V != math.Trunc(f.V) || f.V > 1<<53:
		d.Find(evidence.Warning, CodeNotInteger, v, "%s is no whole number", clip(f.Text))
		return 0, false
	}
	d.asFloat(v)
	return int64(f.V), true
}

// asFloat remarks a whole number that is written with a fraction.
func (d *Doc) asFloat(v Val) {
	if _, err := strconv.ParseInt(v.N.Text, 10, 64); err != nil {
		d.Find(evidence.Info, CodeIntAsFloat, v, "a whole number is written as %s", clip(v.N.Text))
	}
}

// OptInt is Int as an optional value.
func (d *Doc) OptInt(v Val) evidence.Opt[int64] {
	if n, ok := d.Int(v); ok {
		return evidence.Some(n)
	}
	return evidence.None[int64]()
}

// Span reads a duration in a unit as an optional number of seconds, refusing negative
// ones. Null is silent: rows leave slots empty that do not apply.
func (d *Doc) Span(v Val, unit string) evidence.Opt[float64] {
	if !v.OK() || v.Is(jsondoc.Null) {
		return evidence.None[float64]()
	}
	f, ok := d.Number(v, unit)
	if !ok {
		return evidence.None[float64]()
	}
	if f.V < 0 {
		d.Find(evidence.Warning, CodeImpossible, v, "%s %s: a duration is not negative", clip(f.Text), unit)
		return evidence.None[float64]()
	}
	return evidence.Some(f.V)
}

// Want says what a member means.
type Want struct {
	Metric evidence.MetricID
	Stat   evidence.Stat
	Method evidence.Method
	Unit   string              // as the source writes it
	N      evidence.Opt[int64] // observations; the run's when absent
}

// Lift adds a member to a run as a measurement and returns it, nil when the member
// gives none. Null becomes an absent measurement. A member that is not there is silent.
//
// Of one observation there is no percentile: the first figure of a metric becomes the
// single value, a further one repeats it.
func (d *Doc) Lift(r *Run, v Val, w Want) *evidence.Measurement {
	if !v.OK() {
		return nil
	}
	if v.Is(jsondoc.Null) {
		d.Find(evidence.Info, CodeNull, v, "no value: not recorded")
		return d.Absent(r, v, w, RuleNull)
	}
	f, ok := d.Number(v, w.Unit)
	if !ok {
		return nil
	}
	info, known := evidence.LookupMetric(w.Metric)
	if !known || info.Unit != f.Unit {
		d.Find(evidence.Warning, CodeUnusable, v, "%s is not given in %s", w.Metric, w.Unit)
		return nil
	}
	if f.V < 0 || info.Unit == evidence.Ratio && w.Metric == evidence.PassRate && f.V > 1 {
		d.Find(evidence.Warning, CodeImpossible, v, "%s %s is no %s", clip(f.Text), w.Unit, info.Title)
		return d.Absent(r, v, w, CodeImpossible)
	}
	if f.V == 0 && NeverZero(w.Metric) {
		d.Find(evidence.Warning, CodeFalseZero, v, "%s %s is no %s: it stands for what was not measured", clip(f.Text), w.Unit, w.Metric)
		return d.Absent(r, v, w, RuleFalseZero)
	}
	if info.Unit == evidence.Tokens && f.V == math.Trunc(f.V) {
		d.asFloat(v)
	}
	m := d.figure(r, v, w)
	m.Value, m.SourceText = evidence.Some(f.V), f.Text
	return d.add(r, v, m)
}

// Absent adds the slot of a figure that stands for nothing: the digits and the place
// are kept, the value is not.
func (d *Doc) Absent(r *Run, v Val, w Want, rule string) *evidence.Measurement {
	if !v.OK() {
		return nil
	}
	if !v.Is(jsondoc.Number) && !v.Is(jsondoc.Null) {
		d.Find(evidence.Warning, CodeNotNumber, v, "a number was expected, not %s", kindName(v))
		return nil
	}
	d.Take(v)
	m := d.figure(r, v, w)
	m.State, m.Rule, m.SourceText = evidence.Absent, rule, v.N.Text
	return d.add(r, v, m)
}

// Void takes the value out of a figure that stands for nothing: the digits and the place
// are kept.
func Void(m *evidence.Measurement, rule string) {
	m.Value, m.State, m.Rule = evidence.None[float64](), evidence.Absent, rule
}

// NeverZero reports whether a metric is a time or a rate of work that was done: 0 of it is
// what was not measured.
func NeverZero(id evidence.MetricID) bool {
	info, _ := evidence.LookupMetric(id)
	return info.Unit == evidence.Seconds || info.Unit == evidence.TokensPerSecond || info.Unit == evidence.RequestsPerSec
}

func (d *Doc) figure(r *Run, v Val, w Want) evidence.Measurement {
	info, _ := evidence.LookupMetric(w.Metric)
	m := evidence.Measurement{Metric: w.Metric, Stat: w.Stat, Method: w.Method, Unit: info.Unit, N: w.N,
		State: evidence.Recorded, Role: evidence.Primary, SourceUnit: w.Unit, Place: v.place()}
	if !m.N.OK {
		m.N = r.N
	}
	if m.N.OK && m.N.V == 1 && m.Stat != evidence.Total {
		m.Stat, m.Method = evidence.Single, ""
	}
	return m
}

// add keeps one primary figure of a metric and statistic per run.
func (d *Doc) add(r *Run, v Val, m evidence.Measurement) *evidence.Measurement {
	if have := r.Primary(m.Metric, m.Stat); have != nil {
		m.Role = evidence.Restated
		if m.Value.OK && have.Value.OK && !near(m.Value.V, have.Value.V, 1e-9, 0) {
			d.Find(evidence.Warning, CodeMismatch, v, "%s here, but %s at %s: both stand for the %s of %s",
				clip(m.SourceText), clip(have.SourceText), have.Place.Pointer, m.Stat, m.Metric)
			m.State = evidence.Conflict
		}
	}
	r.Measurements = append(r.Measurements, m)
	return &r.Measurements[len(r.Measurements)-1]
}

// Primary finds a run's own figure.
func (r *Run) Primary(m evidence.MetricID, s evidence.Stat) *evidence.Measurement {
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Role == evidence.Primary && x.Metric == m && x.Stat == s {
			return x
		}
	}
	return nil
}

// InOrder reports percentiles that cannot be: a p50 above the p95.
func (d *Doc) InOrder(r *Run) {
	last := map[evidence.MetricID]float64{}
	for _, s := range []evidence.Stat{evidence.P50, evidence.P95, evidence.P99, evidence.Max} {
		for i := range r.Measurements {
			m := &r.Measurements[i]
			if m.Stat != s || m.Role != evidence.Primary || !m.Value.OK {
				continue
			}
			if before, ok := last[m.Metric]; ok && m.Value.V < before {
				d.Find(evidence.Warning, CodeOrder, Val{P: m.Place.Pointer}, "the %s of %s lies below a lower percentile", s, m.Metric)
				m.State = evidence.Conflict
			}
			last[m.Metric] = m.Value.V
		}
	}
}
