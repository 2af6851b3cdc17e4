package stat

import (
	"math"

	"golang.org/x/perf/benchmath"
)

// Alpha is the level of the tests.
const Alpha = 0.05

// Effect is how an arm's repeats lie to its control's.
type Effect struct {
	Control, Arm Summary

	// Ratio is median(arm) / median(control); HasRatio is false when the control's median
	// is 0 or the signs differ.
	Ratio    float64
	HasRatio bool
	// RatioLo and RatioHi are the bootstrap interval of the ratio, from four repeats a side.
	RatioLo, RatioHi float64
	HasInterval      bool

	// Cliff is Cliff's delta: the share of pairs in which the arm is larger less the share in
	// which it is smaller, -1 to 1.
	Cliff float64

	// P is the two-sided Mann-Whitney p-value; it means nothing unless Test.OK. Adjusted is
	// the same after Holm, equal to P until a page corrects it.
	P, Adjusted float64
	Test        Sufficiency
}

// Compare holds an arm's repeats against its control's. It is false when a side has no
// value or one that is not finite.
func Compare(control, arm []float64) (Effect, bool) {
	a, okA := Summarise(control)
	b, okB := Summarise(arm)
	if !okA || !okB {
		return Effect{}, false
	}
	e := Effect{Control: a, Arm: b, Cliff: cliff(control, arm), Test: ForTest(a.N, b.N), P: 1, Adjusted: 1}
	if a.Median != 0 && math.Signbit(a.Median) == math.Signbit(b.Median) {
		e.Ratio, e.HasRatio = b.Median/a.Median, true
	}
	if !e.Test.OK {
		return e, true
	}
	e.P = benchmath.AssumeNothing.Compare(sample(control), sample(arm)).P
	e.Adjusted = e.P
	if e.HasRatio {
		e.RatioLo, e.RatioHi, e.HasInterval = ratioInterval(Ascending(control), Ascending(arm))
	}
	return e, true
}

// cliff counts pairs over both sorted sides in linear time.
func cliff(control, arm []float64) float64 {
	x, y := Ascending(control), Ascending(arm)
	below, upTo := 0, 0 // of x: how many lie below, and at or below, the y at hand
	var sum int64
	for _, v := range y {
		for below < len(x) && x[below] < v {
			below++
		}
		upTo = max(upTo, below)
		for upTo < len(x) && x[upTo] <= v {
			upTo++
		}
		sum += int64(below) - int64(len(x)-upTo)
	}
	return float64(sum) / (float64(len(x)) * float64(len(y)))
}

// Reading is what an effect comes to.
type Reading string

const (
	TooFew     Reading = "too few repeats"
	Unresolved Reading = "no difference shown"
	Negligible Reading = "smaller than the declared minimum"
	Different  Reading = "different"
)

// Reading weighs the corrected test and the size against each other: a difference counts
// when it is both unlikely to be noise and at least minimum (0.02 for two percent) of the
// control.
func (e *Effect) Reading(minimum float64) Reading {
	switch {
	case !e.Test.OK:
		return TooFew
	case e.Adjusted >= Alpha:
		return Unresolved
	case e.HasRatio && math.Abs(e.Ratio-1) < minimum:
		return Negligible
	}
	return Different
}

// Size is the usual word for a Cliff's delta.
func Size(cliff float64) string {
	switch d := math.Abs(cliff); {
	case d < 0.147:
		return "negligible"
	case d < 0.33:
		return "small"
	case d < 0.474:
		return "medium"
	}
	return "large"
}
