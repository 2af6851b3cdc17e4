package stat

// Step is a point of a distribution: the share of values at or below X.
type Step struct {
	X, Share float64
}

// ECDF is the empirical distribution of the values in at most points steps; with more
// values than that, steps at equal distances of rank, both ends among them. It is empty
// when a value is not finite.
func ECDF(values []float64, points int) []Step {
	sorted := Ascending(values)
	if len(sorted) == 0 || points < 2 || !finite(sorted) {
		return nil
	}
	n := len(sorted)
	out := make([]Step, 0, min(points, n))
	for i := range min(points, n) {
		at := i
		if n > points {
			at = i * (n - 1) / (points - 1)
		}
		if at+1 < n && sorted[at] == sorted[at+1] && n <= points {
			continue // the last of equal values stands for all
		}
		out = append(out, Step{X: sorted[at], Share: float64(at+1) / float64(n)})
	}
	return out
}
