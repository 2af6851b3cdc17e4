package lift

import (
	"slices"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Run is a run under construction.
type Run struct {
	evidence.Run
	b *Builder
	// N is the number of observations behind a distribution.
	N evidence.Opt[int64]
	// Method is how the tool takes percentiles.
	Method evidence.Method
	// Void is set when nothing was measured: every figure is absent, whatever stands there.
	Void bool

	order map[evidence.MetricID]Obj // where a distribution stands, for findings
	last  []evidence.MetricID
	nodes []*jsondoc.Node // parallel to Measurements
	told  bool
}

// NewRun starts a run that stands at o.
func (b *Builder) NewRun(name string, o Obj, method evidence.Method) *Run {
	return &Run{b: b, Method: method, order: map[evidence.MetricID]Obj{},
		Run: evidence.Run{Name: Clip(name), Status: evidence.Measured, Place: o.Place()}}
}

// settle says how a void run ended, and puts in conflict the figures that a check
// contradicted: they stay where they are, and nothing is compared with them.
func (r *Run) settle() {
	if r.Void {
		r.Status = evidence.RunFailed
	}
	for i := range r.Measurements {
		if r.b.doubted[r.nodes[i]] {
			r.dispute(&r.Measurements[i])
		}
	}
}

// dispute puts a figure in conflict.
func (r *Run) dispute(m *evidence.Measurement) {
	if m.Value.OK {
		m.State = evidence.Conflict
	}
}

// Dispute puts every figure of the metrics in conflict.
func (r *Run) Dispute(metrics ...evidence.MetricID) {
	for i := range r.Measurements {
		if slices.Contains(metrics, r.Measurements[i].Metric) {
			r.dispute(&r.Measurements[i])
		}
	}
}

// Figure lifts a number. It reports whether a value was lifted.
func (r *Run) Figure(o Obj, metric evidence.MetricID, stat evidence.Stat, unit string) bool {
	return r.FigureN(o, metric, stat, unit, r.N)
}

// FigureN lifts a number that rests on n observations.
func (r *Run) FigureN(o Obj, metric evidence.MetricID, stat evidence.Stat, unit string, n evidence.Opt[int64]) bool {
	if !o.There() || r.full(o) {
		return false
	}
	m := evidence.Measurement{Metric: metric, Stat: stat, Method: r.methodOf(stat), N: n, State: evidence.Recorded,
		Role: evidence.Primary, SourceText: o.Node.Text, SourceUnit: unit, Place: o.Place()}
	info, _ := evidence.LookupMetric(metric)
	m.Unit = info.Unit
	if !r.value(&m, o, unit) {
		return false
	}
	if n.OK && n.V == 1 && stat != evidence.Total {
		if stat == evidence.Std {
			r.b.seen[o.Node] = true
			r.b.leave(o, o.Node.Text, evidence.ReasonVoid) // one observation has no spread
			return false
		}
		m.Stat, m.Method = evidence.Single, ""
	}
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Metric == m.Metric && x.Stat == m.Stat && x.Role == evidence.Primary {
			m.Role = evidence.Restated // the place of a figure leads to one primary value
			r.repeated(x, &m, o)
			break
		}
	}
	r.b.seen[o.Node] = true
	r.Measurements, r.nodes = append(r.Measurements, m), append(r.nodes, o.Node)
	if _, ok := r.order[metric]; !ok {
		r.order[metric] = o
		r.last = append(r.last, metric)
	}
	return m.Value.OK
}

// mostFigures bounds the measurements of a run; real runs have some hundred.
const mostFigures = 2000

// mostAccepted is more tokens than any draft holds.
const mostAccepted = 256

func (r *Run) full(o Obj) bool {
	if len(r.Measurements) == mostFigures && !r.told {
		r.told = true
		r.b.Find(evidence.Warning, CodeTooMany, o, "the run has more than %d figures: from here on they are listed and not lifted", mostFigures)
	}
	return len(r.Measurements) >= mostFigures
}

// repeated reports a repetition that says something else.
func (r *Run) repeated(first, again *evidence.Measurement, o Obj) {
	if first.Value.OK && again.Value.OK && !Close(first.Value.V, again.Value.V, 1e-6) {
		r.b.Find(evidence.Warning, CodeDisagree, o, "%s %s is %s here and %s at %s",
			again.Metric, again.Stat, again.SourceText, first.SourceText, first.Place.Pointer)
		r.dispute(first)
		r.dispute(again)
	}
}

// value reads the digits, or says why there is no value.
func (r *Run) value(m *evidence.Measurement, o Obj, unit string) bool {
	switch o.Node.Kind {
	case jsondoc.NotFinite:
		m.State = evidence.Absent
		r.b.Find(evidence.Warning, CodeNotFinite, o, "%s %s is %s: it is kept as not finite", m.Metric, m.Stat, o.Node.Text)
		return true
	case jsondoc.Number:
	default:
		r.b.Find(evidence.Warning, CodeNotNumber, o, "%s %s: a number was expected, not %s", m.Metric, m.Stat, o.Show())
		return false
	}
	v, base, err := evidence.ToBase(o.Node.Text, unit)
	switch {
	case err != nil:
		r.b.Find(evidence.Warning, CodeOutOfRange, o, "%s: %v", m.Metric, err)
	case base != m.Unit:
		r.b.Find(evidence.Warning, CodeUnit, o, "%s is not given in %q", m.Metric, unit)
	case v < 0:
		r.b.Find(evidence.Warning, CodeNegative, o, "%s %s is %s, and cannot be below zero", m.Metric, m.Stat, o.Node.Text)
	case m.Unit == evidence.Ratio && v > 1.000001:
		r.b.Find(evidence.Warning, CodeUnitSuspect, o, "%s is %s %s: a share is at most one", m.Metric, o.Node.Text, unit)
	case !r.Void && m.Metric == evidence.AcceptLength && m.Stat != evidence.Std && (v < 1 || v > mostAccepted):
		r.b.Find(evidence.Warning, CodeUnitSuspect, o, "an acceptance length of %s is none: every step gives a token and at most a draft more", o.Node.Text)
	case r.Void:
		m.State = evidence.Absent
		return true
	default:
		m.Value = evidence.Some(v)
		return true
	}
	o.Skip(evidence.ReasonUnread)
	return false
}

// methodOf is the percentile method of a statistic; a mean or total has none.
func (r *Run) methodOf(s evidence.Stat) evidence.Method {
	if IsPercentile(s) {
		return r.Method
	}
	return ""
}

// Primary is the run's own value of a metric and statistic.
func (r *Run) Primary(m evidence.MetricID, s evidence.Stat) evidence.Opt[float64] {
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Role == evidence.Primary && x.Metric == m && x.Stat == s {
			return x.Value
		}
	}
	return evidence.None[float64]()
}

// Computed adds a figure that a rule makes from recorded ones.
func (r *Run) Computed(o Obj, metric evidence.MetricID, stat evidence.Stat, v float64, n evidence.Opt[int64], rule string) {
	info, _ := evidence.LookupMetric(metric)
	r.Measurements = append(r.Measurements, evidence.Measurement{Metric: metric, Stat: stat, Method: r.methodOf(stat),
		Value: evidence.Some(v), Unit: info.Unit, N: n, State: evidence.Derived, Role: evidence.Primary,
		SourceText: evidence.FormatDecimal(v), SourceUnit: string(info.Unit), Place: o.Place(), Rule: rule})
	r.nodes = append(r.nodes, nil)
}

// Distribution lifts the statistics of an object such as {"avg": 1, "p99": 2}. Members
// that are no statistic are left to the caller.
func (r *Run) Distribution(o Obj, metric evidence.MetricID, unit string, n evidence.Opt[int64]) {
	o.Members(func(name string, m Obj) {
		if stat, ok := StatName(name); ok && Numeric(m.Node) {
			r.FigureN(m, metric, stat, unit, n)
		} else if ok && m.There() {
			r.b.Find(evidence.Warning, CodeNotNumber, m, "%s %s: a number was expected, not %s", metric, name, m.Show())
		}
	})
}
