package stat

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// resamples of the bootstrap. The ends of a 95 % interval stand at ranks 26 and 975.
const resamples = 1000

// maxBootstrap bounds the repeats of a side that the bootstrap draws from; with more, the
// interval of the median is narrow enough that every n-th value does.
const maxBootstrap = 2048

// ratioInterval is the percentile bootstrap of median(arm)/median(control) over ascending
// values. It is false when a resampled control median is 0.
func ratioInterval(control, arm []float64) (lo, hi float64, ok bool) {
	control, arm = thin(control), thin(arm)
	r := rand.New(rand.NewPCG(seeds(control, arm)))
	ratios := make([]float64, resamples)
	x, y := make([]float64, len(control)), make([]float64, len(arm))
	for i := range ratios {
		a, b := redraw(r, x, control), redraw(r, y, arm)
		if a == 0 {
			return 0, 0, false
		}
		ratios[i] = b / a
	}
	slices.Sort(ratios)
	tail := (1 - Confidence) / 2
	return ratios[rank(tail, resamples)], ratios[resamples-rank(tail, resamples)-1], true
}

// redraw fills into with draws from ascending and gives their median.
func redraw(r *rand.Rand, into, ascending []float64) float64 {
	for i := range into {
		into[i] = ascending[r.IntN(len(ascending))]
	}
	slices.Sort(into)
	n := len(into)
	return (into[(n-1)/2] + into[n/2]) / 2
}

// seeds come from the bits of the values, so that the same evidence gives the same digits.
func seeds(control, arm []float64) (uint64, uint64) {
	h := sha256.New()
	var b [8]byte
	for _, side := range [][]float64{control, arm} {
		binary.BigEndian.PutUint64(b[:], uint64(len(side)))
		h.Write(b[:])
		for _, v := range side {
			if v == 0 {
				v = 0 // minus zero is the same value
			}
			binary.BigEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
	}
	sum := h.Sum(nil)
	return binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])
}

func thin(ascending []float64) []float64 {
	n := len(ascending)
	if n <= maxBootstrap {
		return ascending
	}
	out := make([]float64, maxBootstrap)
	for i := range out {
		out[i] = ascending[i*(n-1)/(maxBootstrap-1)]
	}
	return out
}
