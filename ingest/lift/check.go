package lift

import (
	"math"
	"sort"
	"strings"

	"assay/store/evidence"
)

// Close reports whether two numbers are equal within a relative tolerance.
func Close(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b))
}

// Agree compares a figure with what two others give. All are in the source's units.
// Where they differ every figure that was lifted from one of them is in conflict.
func (b *Builder) Agree(what string, got Obj, want float64, tolerance float64, formula string, from ...Obj) bool {
	v, ok := got.Float()
	if !ok || math.IsNaN(want) || math.IsInf(want, 0) || Close(v, want, tolerance) || math.Abs(v-want) <= halfUnit(got.Node.Text) {
		return true
	}
	b.Find(evidence.Warning, CodeDisagree, got, "%s is %s, but %s gives %s (%s)",
		what, got.Show(), formula, evidence.FormatDecimal(round(want)), shown(from))
	b.Doubt(append(from, got)...)
	return false
}

// Doubt puts the figures that are lifted from the values in conflict.
func (b *Builder) Doubt(values ...Obj) {
	for _, o := range values {
		if o.Node != nil {
			b.doubted[o.Node] = true
		}
	}
}

// halfUnit is half of the last decimal that a text shows: what rounding may hide.
func halfUnit(text string) float64 {
	if strings.ContainsAny(text, "eE") {
		return 0
	}
	_, decimals, _ := strings.Cut(text, ".")
	return 0.5001 * math.Pow10(-len(decimals))
}

// Rounding is how much of a number its last printed decimal may hide.
func Rounding(o Obj) float64 {
	v, ok := o.Float()
	if !ok || v <= 0 {
		return 0
	}
	return halfUnit(o.Node.Text) / v
}

// Rate compares a rate with amount / duration.
func (b *Builder) Rate(what string, rate, amount, duration Obj, tolerance float64) bool {
	a, ok1 := amount.Float()
	d, ok2 := duration.Float()
	if !ok1 || !ok2 || d <= 0 {
		return true
	}
	return b.Agree(what, rate, a/d, tolerance, "amount / duration", amount, duration)
}

// Sum compares a figure with the sum of others.
func (b *Builder) Sum(what string, total Obj, tolerance float64, parts ...Obj) bool {
	sum := 0.0
	for _, p := range parts {
		f, ok := p.Float()
		if !ok {
			return true
		}
		sum += f
	}
	return b.Agree(what, total, sum, tolerance, "the sum of its parts", parts...)
}

func shown(from []Obj) string {
	s := ""
	for i, o := range from {
		if i > 0 {
			s += ", "
		}
		s += o.Show() + " at " + string(o.Place().Pointer)
	}
	return s
}

func round(f float64) float64 {
	if f == 0 {
		return 0
	}
	scale := math.Pow(10, 8-math.Ceil(math.Log10(math.Abs(f))))
	if math.IsInf(scale, 0) || scale == 0 {
		return f
	}
	return math.Round(f*scale) / scale
}

// Suspect reports two figures of which one is in another unit than its name says:
// they should be about equal and differ by more than a factor of 30. The figures of the
// metrics that they were made from are in conflict.
func (r *Run) Suspect(got Obj, v, want float64, what, against string, metrics ...evidence.MetricID) {
	if v <= 0 || want <= 0 || math.IsInf(want, 0) || math.IsNaN(want) {
		return
	}
	if ratio := v / want; ratio > 30 || ratio < 1.0/30 {
		r.b.Find(evidence.Warning, CodeUnitSuspect, got, "%s is %s s, %s comes to %s s: one of them is in another unit than its name says",
			what, evidence.FormatDecimal(round(v)), against, evidence.FormatDecimal(round(want)))
		r.Dispute(metrics...)
	}
}

// Ordered checks every distribution of the run: percentiles rise, the mean lies
// between the extremes, and the spread is one that n observations can have.
func (r *Run) Ordered() {
	for _, metric := range r.last {
		r.ordered(metric)
	}
}

type ranked struct {
	p float64
	m *evidence.Measurement
}

func (r *Run) ordered(metric evidence.MetricID) {
	var ladder []ranked
	var mean, std *evidence.Measurement
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if m.Metric != metric || m.Role != evidence.Primary || !m.Value.OK || m.State == evidence.Derived {
			continue
		}
		switch m.Stat {
		case evidence.Mean:
			mean = m
		case evidence.Std:
			std = m
		case evidence.Min:
			ladder = append(ladder, ranked{0, m})
		case evidence.Max:
			ladder = append(ladder, ranked{100, m})
		default:
			if p, ok := percentile(m.Stat); ok {
				ladder = append(ladder, ranked{p, m})
			}
		}
	}
	sort.SliceStable(ladder, func(i, j int) bool { return ladder[i].p < ladder[j].p })
	o := r.order[metric]
	for i := 1; i < len(ladder); i++ {
		lo, hi := ladder[i-1].m, ladder[i].m
		if hi.Value.V < lo.Value.V && !Close(hi.Value.V, lo.Value.V, 1e-9) {
			r.b.Find(evidence.Warning, CodeOrder, o, "%s: %s is %s at %s, and %s is less, %s at %s", metric,
				lo.Stat, lo.SourceText, lo.Place.Pointer, hi.Stat, hi.SourceText, hi.Place.Pointer)
			r.dispute(lo)
			r.dispute(hi)
		}
	}
	if std != nil && len(ladder) > 0 {
		if top := ladder[len(ladder)-1].m; std.Value.V > 30*top.Value.V && (mean == nil || std.Value.V > 30*mean.Value.V) {
			r.b.Find(evidence.Warning, CodeOrder, o, "%s: the spread %s at %s dwarfs %s %s at %s", metric,
				std.SourceText, std.Place.Pointer, top.Stat, top.SourceText, top.Place.Pointer)
			r.dispute(std)
			r.dispute(top)
		}
	}
	if mean != nil && len(ladder) > 0 {
		r.meanFits(o, metric, mean, std, ladder)
	}
}

// meanFits asks what every distribution obeys: min <= mean <= max; half of the values
// are at least the median, so mean >= (1-p) * p-quantile; and a mean of n values that
// are not negative has a spread of at most mean * sqrt(n-1).
func (r *Run) meanFits(o Obj, metric evidence.MetricID, mean, std *evidence.Measurement, ladder []ranked) {
	v := mean.Value.V
	bad := func(m *evidence.Measurement, how string) {
		r.b.Find(evidence.Warning, CodeOrder, o, "%s: the mean %s at %s %s %s %s at %s", metric,
			mean.SourceText, mean.Place.Pointer, how, m.Stat, m.SourceText, m.Place.Pointer)
		r.dispute(mean)
		r.dispute(m)
	}
	for _, x := range ladder {
		q := x.m.Value.V
		switch {
		case x.p == 0 && v < q && !Close(v, q, 1e-6):
			bad(x.m, "lies below")
		case x.p == 100 && v > q && !Close(v, q, 1e-6):
			bad(x.m, "lies above")
		case mean.N.OK && q > v*float64(mean.N.V)*1.001+1e-12:
			bad(x.m, "is too small, for that many values, beside")
		case x.p > 0 && x.p < 100 && v < q*(1-x.p/100)*0.9:
			bad(x.m, "is too small for")
		}
	}
	if std == nil {
		return
	}
	for _, x := range ladder { // |median - mean| <= std, for every distribution
		if x.p == 50 && math.Abs(x.m.Value.V-v) > std.Value.V*1.001+1e-9*v {
			r.b.Find(evidence.Warning, CodeOrder, o, "%s: median %s and mean %s lie further apart than one standard deviation, %s at %s", metric,
				x.m.SourceText, mean.SourceText, std.SourceText, std.Place.Pointer)
			r.dispute(x.m)
			r.dispute(mean)
			r.dispute(std)
		}
	}
	if mean.N.OK && mean.N.V >= 2 && std.Value.V > v*math.Sqrt(float64(mean.N.V))*1.001+1e-12 {
		r.b.Find(evidence.Warning, CodeOrder, o, "%s: %d values with the mean %s at %s cannot spread by %s as %s says", metric,
			mean.N.V, mean.SourceText, mean.Place.Pointer, std.SourceText, std.Place.Pointer)
		r.dispute(mean)
		r.dispute(std)
	}
}

// Little compares the load with itself: completed * mean latency of a closed loop is
// about concurrency * duration. Times are in seconds; the mean was made from figures of
// the metrics.
func (r *Run) Little(o Obj, mean evidence.Opt[float64], concurrency, completed evidence.Opt[float64], duration float64, metrics ...evidence.MetricID) {
	if !mean.OK || !completed.OK || duration <= 0 || completed.V <= 0 {
		return
	}
	busy := mean.V * completed.V / duration // requests in flight on average
	if concurrency.OK && busy > concurrency.V*1.25 && busy > concurrency.V+1 {
		r.b.Find(evidence.Warning, CodeUnitSuspect, o, "%s requests of %s s each in %s s are %s at once, more than the concurrency %s",
			evidence.FormatDecimal(completed.V), evidence.FormatDecimal(round(mean.V)), evidence.FormatDecimal(round(duration)),
			evidence.FormatDecimal(round(busy)), evidence.FormatDecimal(concurrency.V))
		r.Dispute(metrics...)
	}
	if mean.V > duration*1.05 {
		r.b.Find(evidence.Warning, CodeUnitSuspect, o, "the mean latency %s s is longer than the whole run, %s s",
			evidence.FormatDecimal(round(mean.V)), evidence.FormatDecimal(round(duration)))
		r.Dispute(metrics...)
	}
}

// Within reports durations of the run that are longer than the run itself, in seconds.
func (r *Run) Within(o Obj, duration evidence.Opt[float64]) {
	if !duration.OK || duration.V <= 0 {
		return
	}
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if m.Unit == evidence.Seconds && m.Value.OK && m.Stat != evidence.Std && m.Value.V > duration.V*1.05+0.001 {
			r.b.Find(evidence.Warning, CodeUnitSuspect, o, "%s %s is %s %s at %s, longer than the whole run of %s s",
				m.Metric, m.Stat, m.SourceText, m.SourceUnit, m.Place.Pointer, evidence.FormatDecimal(duration.V))
			r.dispute(m)
		}
	}
}
