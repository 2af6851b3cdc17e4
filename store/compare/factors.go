package compare

import (
	"slices"

	"assay/store/evidence"
)

// Factors are the identity facts in which two runs are known to differ, in registry order,
// without those that only move along with another one of them: a second card with tensor
// parallelism, a draft model with its depth. One factor is an experiment, several are two
// configurations.
func Factors(control, arm *evidence.RunRow) []evidence.FactKey {
	var differ []evidence.FactKey
	for _, k := range keysOf([]*evidence.RunRow{control, arm}) {
		if evidence.LookupKey(k).Class != evidence.Identity {
			continue
		}
		x, y := side(control, k), side(arm, k)
		if x.Known && y.Known && x.Value != y.Value && !SameMeaning(k, x.Value, y.Value) {
			differ = append(differ, k)
		}
	}
	for _, axis := range []evidence.FactKey{evidence.KeyMTPDepth, evidence.KeyCheckpoint} {
		differ = gathered(control, arm, differ, axis)
	}
	return slices.DeleteFunc(slices.Clone(differ), func(k evidence.FactKey) bool {
		return slices.ContainsFunc(differ, func(by evidence.FactKey) bool {
			return by != k && slices.Contains(impliedByAxis[by], k) && !slices.Contains(impliedByAxis[k], by)
		})
	})
}

// gathered puts a factor in the place of several facts that move along with it, where the
// sides do not record the factor itself: model, revision and served name of two
// checkpoints are one difference.
func gathered(control, arm *evidence.RunRow, differ []evidence.FactKey, axis evidence.FactKey) []evidence.FactKey {
	x, y := side(control, axis), side(arm, axis)
	along := 0
	for _, k := range differ {
		if slices.Contains(impliedByAxis[axis], k) {
			along++
		}
	}
	if along < 2 || slices.Contains(differ, axis) || x.Known && y.Known {
		return differ
	}
	return append([]evidence.FactKey{axis}, differ...)
}
