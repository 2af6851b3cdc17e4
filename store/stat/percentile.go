package stat

import (
	"math"
	"slices"
)

// Method is how a percentile is read off sorted values. Two methods give two numbers from
// the same values, so a percentile without its method is not a figure.
type Method string

const (
	// NearestRank is the value at rank ceil(q*n): always an observed value.
	NearestRank Method = "nearest-rank"
	// Linear interpolates between the two neighbours of rank q*(n-1)+1.
	Linear Method = "linear"
	// RoundedIndex is the value at the zero-based index q*(n-1), rounded half to even.
	RoundedIndex Method = "rounded-index"
)

// Methods lists the methods that Percentile knows.
var Methods = []Method{NearestRank, Linear, RoundedIndex}

// Percentile reads the q-quantile (0 to 1) off ascending values. It is false for no
// values, for a q outside 0 to 1, for a value that is not finite and for an unknown method.
func Percentile(ascending []float64, q float64, m Method) (float64, bool) {
	n := len(ascending)
	if n == 0 || !(q >= 0 && q <= 1) || !finite(ascending) {
		return 0, false
	}
	switch m {
	case NearestRank:
		return ascending[rank(q, n)-1], true
	case RoundedIndex:
		return ascending[int(math.RoundToEven(q*float64(n-1)))], true
	case Linear:
		at := q * float64(n-1)
		lo := int(math.Floor(at))
		if lo >= n-1 {
			return ascending[n-1], true
		}
		// The conversions keep the product and the sum apart: a fused operation would
		// give other last digits on other processors.
		part := float64((at - float64(lo)) * float64(ascending[lo+1]-ascending[lo]))
		return ascending[lo] + part, true
	}
	return 0, false
}

// rank is ceil(q*n), at least 1. Multiplying first would turn 0.95*20 into 19.000000000000004
// on some paths, so a rank that is whole but for rounding counts as whole.
func rank(q float64, n int) int {
	at := q * float64(n)
	if near := math.Round(at); math.Abs(at-near) < 1e-9*float64(n) {
		at = near
	}
	return min(max(int(math.Ceil(at)), 1), n)
}

// Median is the middle value, or the mean of the two middle ones.
func Median(values []float64) (float64, bool) {
	return Percentile(Ascending(values), 0.5, Linear)
}

// Ascending is a sorted copy.
func Ascending(values []float64) []float64 {
	out := slices.Clone(values)
	slices.Sort(out)
	return out
}

func finite(values []float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
