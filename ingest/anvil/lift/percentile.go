package lift

import (
	"math"
	"slices"
	"strings"

	"assay/store/evidence"
)

// Percentile is the q-th percentile (0 < q <= 100) of values that are in order, by a
// method; NaN of none.
func Percentile(sorted []float64, q int, m evidence.Method) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	switch m {
	case evidence.NearestRank: // the ceil(q*n/100)-th value
		return sorted[max(0, (q*n+99)/100-1)]
	case evidence.RoundedIndex: // index round((n-1)*q/100), halves to even
		return sorted[int(math.RoundToEven(float64((n-1)*q)/100))]
	case evidence.Linear:
		i, rest := (n-1)*q/100, float64((n-1)*q%100)/100
		if i+1 == n {
			return sorted[i]
		}
		step := sorted[i+1] - sorted[i]
		return sorted[i] + float64(step*rest)
	}
	return math.NaN()
}

// Sorted is a sorted copy.
func Sorted(values []float64) []float64 {
	s := slices.Clone(values)
	slices.Sort(s)
	return s
}

// Sum adds values.
func Sum(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum
}

// near reports whether a and b agree within a relative and an absolute tolerance.
func near(a, b, rel, abs float64) bool {
	d := math.Abs(a - b)
	return d <= abs || d <= rel*math.Max(math.Abs(a), math.Abs(b))
}

// Near is near for readers.
func Near(a, b, rel, abs float64) bool { return near(a, b, rel, abs) }

// Slack is how far a value may lie from the exact one by the digits it is written with.
func Slack(m *evidence.Measurement) float64 {
	one, _, err := evidence.ToBase("1", m.SourceUnit)
	digits, _, exp := strings.Cut(strings.ToLower(m.SourceText), "e")
	if err != nil || exp {
		return 0
	}
	_, fraction, _ := strings.Cut(digits, ".")
	if len(fraction) == 0 || len(fraction) > 15 { // a whole number is taken as it is
		return 0
	}
	return 0.5000001 * math.Pow10(-len(fraction)) * math.Abs(one)
}

// Agree holds a measurement against the value that rows give. Where they differ the
// measurement is in conflict and the finding names both numbers and both places.
func (d *Doc) Agree(m *evidence.Measurement, rows float64, how string, rel, abs float64, from evidence.Pointer) {
	if m == nil || !m.Value.OK {
		return
	}
	if !math.IsNaN(rows) && near(m.Value.V, rows, rel, abs) {
		return
	}
	m.State = evidence.Conflict
	d.Find(evidence.Warning, CodeMismatch, Val{P: m.Place.Pointer}, "%s %s is stored (%s in base units), the rows at %s give %s (%s)",
		clip(m.SourceText), m.SourceUnit, evidence.FormatDecimal(m.Value.V), from, decimal(rows), how)
}

// AgreeCount reports two counts that contradict each other.
func (d *Doc) AgreeCount(v Val, stored, other int64, what string, from evidence.Pointer) bool {
	if stored == other {
		return true
	}
	d.Find(evidence.Warning, CodeCount, v, "%d is stored, %s at %s gives %d", stored, what, from, other)
	return false
}

func decimal(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "nothing"
	}
	return evidence.FormatDecimal(f)
}
