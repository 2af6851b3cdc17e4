package gpu

import (
	"fmt"
	"time"

	"assay/store/evidence"
)

// series is one card while it is sampled.
type series struct {
	card    Card
	samples int64
	last    evidence.Opt[Reading]
	lost    string
	lostAt  time.Duration
	points  points

	stretches []*stretch // closed and open ones, in order
}

func newSeries(c Card, most int, period time.Duration) *series {
	return &series{card: c, points: points{most: most, step: 1}}
}

// stretch adds up what lies between two marks. end is 0 while it is open.
type stretch struct {
	from, to       time.Duration
	open           bool
	closing        bool // its end is marked, and a sample behind it is awaited
	samples        int64
	energy, covers float64 // joules, seconds with power
	gap            time.Duration
	counterFrom    evidence.Opt[float64]
	counterTo      evidence.Opt[float64]
	reasons        uint64
	power, clock   mean
	util           mean
	powerMax, temp evidence.Opt[float64]
	used, free     evidence.Opt[int64]
}

// mean of what was answered.
type mean struct {
	sum float64
	n   int64
}

func (m *mean) add(v evidence.Opt[float64]) {
	if v.OK {
		m.sum += v.V
		m.n++
	}
}

func (m *mean) value() evidence.Opt[float64] {
	if m.n == 0 {
		return evidence.None[float64]()
	}
	return evidence.Some(m.sum / float64(m.n))
}

func most[T int64 | float64](a, b evidence.Opt[T]) evidence.Opt[T] {
	if !a.OK || b.OK && b.V > a.V {
		return b
	}
	return a
}

func least[T int64 | float64](a, b evidence.Opt[T]) evidence.Opt[T] {
	if !a.OK || b.OK && b.V < a.V {
		return b
	}
	return a
}

// stretch ends the open stretch and opens another. Both wait for the next sample: what
// lies between two samples is shared out between them at the mark.
func (s *series) stretch(at time.Duration) {
	if n := len(s.stretches); n > 0 {
		s.stretches[n-1].to, s.stretches[n-1].closing = at, true
	}
	s.stretches = append(s.stretches, &stretch{from: at, open: true})
}

// add takes a reading in. It gives the gap to the one before.
func (s *series) add(r Reading) (gap time.Duration, ok bool) {
	if r.Lost != "" {
		s.lost, s.lostAt = r.Lost, r.At
		return 0, false
	}
	s.samples++
	s.points.add(&r)
	if s.last.OK {
		gap, ok = r.At-s.last.V.At, true
	}
	for _, x := range s.stretches {
		if x.open {
			x.add(s.last, &r)
		}
	}
	s.last = evidence.Some(r)
	return gap, ok
}

// add shares the time between two readings out to the stretch, as far as it lies in it.
func (x *stretch) add(before evidence.Opt[Reading], r *Reading) {
	end := r.At
	if x.closing {
		end = min(end, x.to)
	}
	if before.OK && end > x.from {
		x.between(&before.V, r, max(before.V.At, x.from), end)
	}
	if x.closing && r.At >= x.to {
		x.open = false
	}
	if r.At < x.from || x.closing && r.At > x.to {
		return
	}
	x.samples++
	x.power.add(r.Power)
	x.clock.add(r.SMClock)
	x.util.add(r.Utilisation)
	x.powerMax, x.temp = most(x.powerMax, r.Power), most(x.temp, r.Temperature)
	x.used, x.free = most(x.used, r.MemoryUsed), least(x.free, r.MemoryFree)
	x.reasons |= r.Reasons.V
}

// between integrates power from one moment to another that both lie between the readings
// a and b, on the line between them.
func (x *stretch) between(a, b *Reading, from, to time.Duration) {
	if to <= from {
		return
	}
	x.gap = max(x.gap, b.At-a.At)
	if !x.counterFrom.OK {
		x.counterFrom = at(a, b, from, func(r *Reading) evidence.Opt[float64] { return r.Counter })
	}
	x.counterTo = at(a, b, to, func(r *Reading) evidence.Opt[float64] { return r.Counter })
	power := func(r *Reading) evidence.Opt[float64] { return r.Power }
	p, q := at(a, b, from, power), at(a, b, to, power)
	if !p.OK || !q.OK {
		return
	}
	seconds := (to - from).Seconds()
	x.energy += (p.V + q.V) / 2 * seconds
	x.covers += seconds
}

// at is a value between two readings, on the line between them.
func at(a, b *Reading, t time.Duration, of func(*Reading) evidence.Opt[float64]) evidence.Opt[float64] {
	p, q := of(a), of(b)
	if !p.OK || !q.OK || b.At <= a.At {
		return evidence.None[float64]()
	}
	share := float64(t-a.At) / float64(b.At-a.At)
	return evidence.Some(p.V + (q.V-p.V)*share)
}

func (s *series) recording(marks []mark) CardRecording {
	out := CardRecording{Card: s.card, Samples: s.samples, Lost: s.lost, LostAt: s.lostAt, Series: s.points.series()}
	for i, x := range s.stretches {
		if i+1 >= len(marks) {
			break // what follows the last mark is no stretch
		}
		out.Stretches = append(out.Stretches, x.result(marks[i].name, marks[i+1].name, s))
	}
	return out
}

func (x *stretch) result(from, to string, s *series) Stretch {
	out := Stretch{From: from, To: to, Length: x.to - x.from, Samples: x.samples, LongestGap: x.gap, Throttled: Throttled(x.reasons),
		PowerMean: x.power.value(), PowerMax: x.powerMax, TemperatureMax: x.temp, ClockMean: x.clock.value(), UtilisationMean: x.util.value(),
		MemoryUsedMax: x.used, MemoryFreeMin: x.free}
	if x.covers > 0 {
		out.Energy = evidence.Some(x.energy)
	}
	if x.counterFrom.OK && x.counterTo.OK && x.counterTo.V >= x.counterFrom.V {
		out.Counter = evidence.Some(x.counterTo.V - x.counterFrom.V)
	}
	length := out.Length.Seconds()
	switch {
	case s.lost != "" && s.lostAt <= x.to:
		out.Why = fmt.Sprintf("the card was lost after %.1f s: %s", s.lostAt.Seconds(), s.lost)
	case x.covers < length*0.999:
		out.Why = fmt.Sprintf("power is known over %.2f s of %.2f s", x.covers, length)
	case x.gap > MaxGap:
		out.Why = fmt.Sprintf("two samples lie %d ms apart, more than %d ms", x.gap.Milliseconds(), MaxGap.Milliseconds())
	default:
		out.Whole = true
	}
	if !out.Whole && s.lost != "" {
		out.Energy = evidence.None[float64]() // a part of a stretch is no energy of it
	}
	return out
}
