package pace

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"time"
)

// Pacer gives due times, from the start of the run, in order, from the first again with
// every call of Dues.
type Pacer interface {
	Dues() iter.Seq[time.Duration]
	// Expected is the mean number of arrivals in the first elapsed of the run.
	Expected(elapsed time.Duration) float64
	Check() error
	String() string
}

// Process is how arrivals scatter around their rate.
type Process string

const (
	Constant Process = "constant"
	Poisson  Process = "poisson"
	Gamma    Process = "gamma"
)

// Arrivals is an endless arrival process.
type Arrivals struct {
	Process   Process       `json:"process"`
	PerSecond float64       `json:"per_second"`
	Shape     float64       `json:"shape,omitempty"` // gamma only: below 1 bursty, 1 Poisson, above 1 smooth
	Ramp      time.Duration `json:"ramp_ns"`         // the rate rises linearly from 0 within it
	Seed      uint64        `json:"seed"`
}

// MaxPerSecond bounds a rate: above it due times would fall on the same nanoseconds.
const MaxPerSecond = 1e7

// Check says what is wrong with a, all of it.
func (a Arrivals) Check() error {
	var errs []error
	switch a.Process {
	case Constant, Poisson:
	case Gamma:
		if !(a.Shape >= 0.01 && a.Shape <= 1e4) {
			errs = append(errs, fmt.Errorf("arrivals: shape %v of the gamma process is not within 0.01 to 10000", a.Shape))
		}
	default:
		errs = append(errs, fmt.Errorf("arrivals: process %q is none of constant, poisson, gamma", a.Process))
	}
	if !(a.PerSecond > 0 && a.PerSecond <= MaxPerSecond) {
		errs = append(errs, fmt.Errorf("arrivals: %v per second is not within 0 to %.0f", a.PerSecond, MaxPerSecond))
	}
	if a.Ramp < 0 {
		errs = append(errs, fmt.Errorf("arrivals: ramp %v is negative", a.Ramp))
	}
	return errors.Join(errs...)
}

func (a Arrivals) String() string {
	s := fmt.Sprintf("%s %g/s seed %d", a.Process, a.PerSecond, a.Seed)
	if a.Process == Gamma {
		s = fmt.Sprintf("%s %g/s shape %g seed %d", a.Process, a.PerSecond, a.Shape, a.Seed)
	}
	if a.Ramp > 0 {
		s += fmt.Sprintf(" ramp %v", a.Ramp)
	}
	return s
}

// Dues yields due times until the receiver stops or time runs out at 292 years. A constant
// process has its first arrival at 0, the others after their first gap.
func (a Arrivals) Dues() iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		if a.Check() != nil {
			return
		}
		r := rand.New(rand.NewPCG(a.Seed, 0x61737361792d7061))
		var due time.Duration
		sum, slip := 0.0, 0.0 // Kahan: a day at 10,000/s must not drift
		for n := uint64(0); ; n++ {
			if a.Process == Constant {
				sum = float64(n)
			} else {
				gap := a.gap(r) - slip
				next := sum + gap
				slip = float64(next-sum) - gap
				sum = next
			}
			ns := a.at(sum) * 1e9
			if ns >= math.MaxInt64 {
				return
			}
			due = max(due, time.Duration(math.Round(ns))) // rounding must not reorder
			if !yield(due) {
				return
			}
		}
	}
}

// Expected is the integral of the rate.
func (a Arrivals) Expected(elapsed time.Duration) float64 {
	t, ramp := max(0, elapsed.Seconds()), a.Ramp.Seconds()
	if t < ramp {
		return a.PerSecond * float64(t*t) / (2 * ramp)
	}
	return a.PerSecond * (t - ramp/2)
}

// at is the inverse of Expected: the second at which n arrivals are expected.
func (a Arrivals) at(n float64) float64 {
	ramp := a.Ramp.Seconds()
	if risen := a.PerSecond * ramp / 2; n < risen {
		return math.Sqrt(2 * n * ramp / a.PerSecond)
	}
	return n/a.PerSecond + ramp/2
}

// gap draws the next gap, of mean 1.
func (a Arrivals) gap(r *rand.Rand) float64 {
	if a.Process == Poisson {
		return r.ExpFloat64()
	}
	return gamma(r, a.Shape) / a.Shape
}

// gamma draws from the gamma distribution of the given shape and scale 1, after Marsaglia
// and Tsang (2000). Shapes below 1 are drawn at shape + 1 and pulled in.
func gamma(r *rand.Rand, shape float64) float64 {
	boost := 1.0
	if shape < 1 {
		boost = math.Pow(1-r.Float64(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < float64(x*x)/2+d-float64(d*v)+float64(d*math.Log(v)) {
			return boost * d * v
		}
	}
}
