package gpu

import (
	"time"

	"assay/store/evidence"
)

// Recording is what was sampled.
type Recording struct {
	System   System
	Period   time.Duration
	Lasted   time.Duration
	Gaps     Spread
	CPU      evidence.Opt[float64] // cores that sampling took on average
	Cards    []CardRecording
	RawRows  int64
	RawFault string // why raw samples end early
}

// Spread is a distribution in a few numbers, in seconds.
type Spread struct {
	N             int64
	P50, P99, Max evidence.Opt[float64]
}

// CardRecording is what was sampled of one card.
type CardRecording struct {
	Card
	Samples   int64
	Lost      string        // why it stopped answering
	LostAt    time.Duration // when
	Stretches []Stretch     // between the marks
	Series    Series
}

// Stretch is what happened between two marks.
type Stretch struct {
	From, To string
	Length   time.Duration
	Samples  int64
	// Energy is the integral of power over the stretch, Counter what the card's own
	// counter rose by, both in joules. Whole is false when the samples do not cover the
	// stretch, or lie too far apart in it: then the energy is no figure of the stretch.
	Energy, Counter evidence.Opt[float64]
	Whole           bool
	Why             string // it is not whole
	LongestGap      time.Duration
	Throttled       []string
	PowerMean       evidence.Opt[float64]
	PowerMax        evidence.Opt[float64]
	TemperatureMax  evidence.Opt[float64]
	ClockMean       evidence.Opt[float64]
	UtilisationMean evidence.Opt[float64]
	MemoryUsedMax   evidence.Opt[int64]
	MemoryFreeMin   evidence.Opt[int64]
}

// MaxGap is how far samples may lie apart for their integral to count.
const MaxGap = 100 * time.Millisecond

// Agreement is how far the integral of power is from the card's counter, as a share of
// the counter. It is absent where one of them is.
func (s *Stretch) Agreement() evidence.Opt[float64] {
	if !s.Energy.OK || !s.Counter.OK || s.Counter.V <= 0 {
		return evidence.None[float64]()
	}
	return evidence.Some(max(s.Energy.V/s.Counter.V-1, 1-s.Energy.V/s.Counter.V))
}

// Series are bounded: a point stands for Step samples, as their mean, memory as its most.
type Series struct {
	Step        int
	At          []time.Duration
	Power       []evidence.Opt[float64]
	Clock       []evidence.Opt[float64]
	Temperature []evidence.Opt[float64]
	Utilisation []evidence.Opt[float64]
	MemoryUsed  []evidence.Opt[int64]
}
