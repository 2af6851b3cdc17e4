package lift

import (
	"math"
	"slices"

	"assay/store/evidence"
)

// Quantile takes a percentile of sorted values by a method; NaN without values.
func Quantile(sorted []float64, p float64, method evidence.Method) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	at := func(i int) float64 { return sorted[min(max(i, 0), n-1)] }
	switch method {
	case evidence.NearestRank:
		return at(int(math.Ceil(p*float64(n)/100-1e-9)) - 1)
	case evidence.FloorIndex:
		return at(int(p * float64(n) / 100))
	}
	x := p / 100 * float64(n-1)
	i := int(math.Floor(x))
	return at(i) + (at(i+1)-at(i))*(x-float64(i))
}

// Summary of raw values in base units.
type Summary struct {
	N                   int
	Mean, Std, Min, Max float64
	Sorted              []float64
}

// Summarise takes a copy of the values.
func Summarise(values []float64) Summary {
	s := Summary{N: len(values), Sorted: slices.Clone(values)}
	if s.N == 0 {
		return s
	}
	slices.Sort(s.Sorted)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	s.Mean = sum / float64(s.N)
	square := 0.0
	for _, v := range values {
		square += float64((v - s.Mean) * (v - s.Mean))
	}
	s.Std = math.Sqrt(square / float64(s.N))
	s.Min, s.Max = s.Sorted[0], s.Sorted[s.N-1]
	return s
}

// Stat is a statistic of the values, by the method for a percentile.
func (s Summary) Stat(stat evidence.Stat, method evidence.Method) (float64, bool) {
	if s.N == 0 {
		return 0, false
	}
	switch stat {
	case evidence.Mean:
		return s.Mean, true
	case evidence.Std:
		return s.Std, true
	case evidence.Min:
		return s.Min, true
	case evidence.Max:
		return s.Max, true
	case evidence.Single:
		return s.Mean, s.N == 1
	}
	p, ok := percentile(stat)
	if !ok {
		return 0, false
	}
	return Quantile(s.Sorted, p, method), true
}

// Recompute compares every recorded statistic of a metric with the raw values that the
// file holds too; rows is where they stand.
func (r *Run) Recompute(metric evidence.MetricID, rows Obj, values []float64) {
	if len(values) == 0 {
		return
	}
	s := Summarise(values)
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if m.Metric != metric || !m.Value.OK || m.State == evidence.Derived {
			continue
		}
		want, ok := s.Stat(m.Stat, r.Method)
		if !ok || Close(m.Value.V, want, 1e-5) || math.Abs(m.Value.V-want) < 1e-9 {
			continue
		}
		r.b.Find(evidence.Warning, CodeDisagree, rows, "%s %s is %s at %s, and the %d values at %s give %s in %s", metric, m.Stat,
			m.SourceText, m.Place.Pointer, s.N, rows.Place().Pointer, evidence.FormatDecimal(round(want)), m.Unit)
		r.dispute(m)
	}
}
