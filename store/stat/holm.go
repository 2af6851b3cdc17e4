package stat

import (
	"cmp"
	"slices"
)

// Holm corrects the p-values of one page (Holm-Bonferroni, step-down): with it, the chance
// that the page shows even one difference that is none stays at the level. The result
// stands in the order of the input. Values that are no probability count as 1.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	clean := func(i int) float64 {
		if v := p[i]; v >= 0 && v <= 1 {
			return v
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(clean(a), clean(b)) })
	out := make([]float64, len(p))
	floor := 0.0
	for rank, i := range order {
		floor = max(floor, min(1, clean(i)*float64(len(p)-rank)))
		out[i] = floor
	}
	return out
}

// Correct applies Holm to the effects of one page that have a test.
func Correct(effects []*Effect) {
	var tested []*Effect
	var p []float64
	for _, e := range effects {
		if e != nil && e.Test.OK {
			tested, p = append(tested, e), append(p, e.P)
		}
	}
	for i, v := range Holm(p) {
		tested[i].Adjusted = v
	}
}
