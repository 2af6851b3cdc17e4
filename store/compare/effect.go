package compare

import (
	"assay/store/evidence"
)

// Effect is the relative change of an arm against its control: arm / control - 1.
// All numbers are absent unless the judgement shows them.
type Effect struct {
	Judgement
	Control, Arm *evidence.RunRow
	Left, Right  evidence.MeasurementRow
	Change       evidence.Opt[float64]
	// Low and High bound the change when a side is an interval.
	Low, High evidence.Opt[float64]
	// Better is "better", "worse" or "same"; "" where no winner may be named: a rule of rank
	// scope stops it, a side is one observation or an interval that spans no change, or
	// the metric has no direction.
	Better string
	// Single is true when a side is one observation: shown, never judged.
	Single bool
}

// EffectOf judges a pair and forms the change where it may be shown.
func EffectOf(control, arm *evidence.RunRow, q Question) Effect {
	e := Effect{Judgement: Judge(control, arm, q), Control: control, Arm: arm}
	if !e.Verdict.Shows() {
		return e
	}
	e.Left, e.Right = *findFigure(control, q.Metric, q.Stat), *findFigure(arm, q.Metric, q.Stat)
	e.Single = e.Left.Stat == evidence.Single || isOne(e.Left.N) || isOne(e.Right.N)
	if e.Left.Value.OK && e.Right.Value.OK {
		if e.Left.Value.V != 0 {
			e.Change = evidence.Some(change(e.Left.Value.V, e.Right.Value.V))
		}
	} else {
		e.Low, e.High = changeBounds(e.Left, e.Right)
	}
	if e.Ranking.Shows() && !e.Single && !e.self() {
		e.Better = e.word(q.Metric)
	}
	return e
}

// self reports whether both sides are one arm: their difference is noise and no winner.
func (e *Effect) self() bool {
	for i := range e.Notes {
		if e.Notes[i].Rule == "M-SELF" {
			return true
		}
	}
	return false
}

// change is arm / control - 1, in two steps so that no compiler fuses them.
func change(control, arm float64) float64 {
	ratio := float64(arm / control)
	return ratio - 1
}

// changeBounds is the range of the change when a side is an interval.
func changeBounds(left, right evidence.MeasurementRow) (lo, hi evidence.Opt[float64]) {
	ends := func(m evidence.MeasurementRow) (a, b float64, ok bool) {
		if m.Value.OK {
			return m.Value.V, m.Value.V, true
		}
		return m.Lower.V, m.Upper.V, m.Lower.OK && m.Upper.OK
	}
	l1, l2, okL := ends(left)
	r1, r2, okR := ends(right)
	if !okL || !okR || l1 <= 0 || l2 <= 0 {
		return lo, hi
	}
	return evidence.Some(change(l2, r1)), evidence.Some(change(l1, r2))
}

func (e *Effect) word(m evidence.MetricID) string {
	metric, _ := evidence.LookupMetric(m)
	sign := 0
	switch {
	case e.Change.OK && e.Change.V > 0, e.Low.OK && e.Low.V > 0:
		sign = 1
	case e.Change.OK && e.Change.V < 0, e.High.OK && e.High.V < 0:
		sign = -1
	case e.Change.OK:
		return "same"
	default:
		return ""
	}
	switch {
	case metric.Better == evidence.Neither:
		return ""
	case (metric.Better == evidence.Higher) == (sign > 0):
		return "better"
	default:
		return "worse"
	}
}
