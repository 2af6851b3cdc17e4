package stat

import (
	"math"

	"golang.org/x/perf/benchmath"
)

// Confidence is the level of every interval here.
const Confidence = 0.95

// Summary is what one side's repeats say.
type Summary struct {
	N        int
	Median   float64
	Min, Max float64
	// Lo and Hi bound the median; they mean nothing unless Range.OK.
	Lo, Hi float64
	Range  Sufficiency
	// Spread is (max-min)/median: how far repeats of the same thing lie apart. 0 when the
	// median is 0.
	Spread float64
}

// Summarise sums up one value per repeat. It is false when there is no value or one is
// not finite.
func Summarise(values []float64) (Summary, bool) {
	sorted := Ascending(values)
	median, ok := Percentile(sorted, 0.5, Linear)
	if !ok {
		return Summary{}, false
	}
	n := len(sorted)
	s := Summary{N: n, Median: median, Min: sorted[0], Max: sorted[n-1], Range: ForRange(n)}
	if median != 0 {
		s.Spread = (s.Max - s.Min) / math.Abs(median)
	}
	if s.Range.OK {
		r := benchmath.AssumeNothing.Summary(sample(sorted), Confidence)
		s.Lo, s.Hi = r.Lo, r.Hi
		s.Range.OK = !math.IsInf(r.Lo, 0) && !math.IsInf(r.Hi, 0)
	}
	return s, true
}

// sample hands a copy over, for the library sorts what it is given.
func sample(values []float64) *benchmath.Sample {
	t := benchmath.DefaultThresholds
	return benchmath.NewSample(Ascending(values), &t)
}
