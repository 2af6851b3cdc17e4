package measure

import (
	"fmt"
	"slices"
	"time"

	"assay/ingest/artifact"
	"assay/runner/gpu"
	"assay/store/evidence"
)

// agreement is how far the integral of power may be from a card's own counter for the
// energy to be a figure.
const agreement = 0.02

// telemetry is what the cards said during the run.
func (s *cardWatch) telemetry(c *cards) *artifact.Telemetry {
	if s == nil {
		why := c.why
		if why == "" {
			why = "the driver has no card"
		}
		return &artifact.Telemetry{Why: why, Cards: []artifact.Card{}, Links: []artifact.Link{}}
	}
	r := s.record
	t := &artifact.Telemetry{Available: true, Driver: r.System.Driver, PeriodNS: int64(r.Period), Cards: []artifact.Card{}, Links: []artifact.Link{},
		Gaps: artifact.Spread{N: r.Gaps.N, P50: pointer(r.Gaps.P50), P99: pointer(r.Gaps.P99), Max: pointer(r.Gaps.Max)}, SamplerCPU: pointer(r.CPU)}
	for i := range r.Cards {
		t.Cards = append(t.Cards, s.card(i))
	}
	for _, l := range s.links {
		t.Links = append(t.Links, artifact.Link{From: s.uuid(l.From), To: s.uuid(l.To), Kind: l.Common, P2P: l.P2P})
	}
	return t
}

func (s *cardWatch) uuid(i int) string {
	if i < 0 || i >= len(s.all) {
		return fmt.Sprint(i)
	}
	return s.all[i].UUID
}

func (s *cardWatch) card(i int) artifact.Card {
	r := &s.record.Cards[i]
	c := artifact.Card{UUID: r.UUID, Index: r.Index, Name: r.Name, Architecture: r.Architecture, Capability: r.Capability, Memory: pointer(r.Memory),
		PCIeGen: pointer(r.PCIeGen), PCIeWidth: pointer(r.PCIeWidth), PowerLimit: pointer(r.PowerLimit), Measured: slices.Contains(s.measured, i),
		Throttled: []string{}, Processes: append([]string{}, s.others[i]...), Series: s.series(&r.Series)}
	if r.Lost != "" {
		c.Lost = fmt.Sprintf("%s, %.3f s after the start of the run", r.Lost, (r.LostAt - s.start).Seconds())
	}
	if x, _ := s.stretch(i); x != nil {
		c.Throttled = append(c.Throttled, x.Throttled...)
		c.MemoryFree, c.MemoryUsed = pointer(x.MemoryFreeMin), pointer(x.MemoryUsedMax)
		c.CounterJoules = pointer(x.Counter)
		if x.Whole {
			c.EnergyJoules = pointer(x.Energy)
		}
	}
	return c
}

// series are cut to the run: what was sampled before its start is in the sidecar only.
func (s *cardWatch) series(x *gpu.Series) artifact.Series {
	from := 0
	for from < len(x.At) && x.At[from] < s.start {
		from++
	}
	out := artifact.Series{At: []int64{}}
	for i := from; i < len(x.At); i++ {
		out.At = append(out.At, int64(x.At[i]-s.start))
	}
	out.Power, out.Clock = pointers(x.Power[from:]), pointers(x.Clock[from:])
	out.Temperature, out.Utilisation = pointers(x.Temperature[from:]), pointers(x.Utilisation[from:])
	out.MemoryUsed = pointers(x.MemoryUsed[from:])
	return out
}

// energy is the energy per output token over all cards that executed the arm. It is a figure
// only where samples cover the window on every card and the cards' own counters agree.
func (s *cardWatch) energy(c *cards, tokens float64, n int) artifact.Figure {
	f := artifact.Figure{Metric: string(evidence.EnergyPerOutputToken), Stat: string(evidence.Total), Unit: string(evidence.JoulesPerToken)}
	switch {
	case s == nil:
		f.Why = "no card was asked: " + s.telemetry(c).Why
	case len(s.measured) == 0:
		f.Why = "it is not known which cards executed the arm: " + s.how
	case tokens <= 0:
		f.Why = "the engine counted no output token in the measured window"
	}
	if f.Why != "" {
		return f
	}
	joules := 0.0
	for _, i := range s.measured {
		x, why := s.stretch(i)
		switch {
		case why != "":
		case s.record.Cards[i].Lost != "":
			why = s.record.Cards[i].Lost
		case !x.Energy.OK:
			why = "the card does not tell its power"
		case !x.Whole:
			why = x.Why
		case x.Agreement().OK && x.Agreement().V > agreement:
			why = fmt.Sprintf("the integral of power is %.1f %% from the card's own counter", 100*x.Agreement().V)
		}
		if why != "" {
			f.Why = "card " + s.uuid(i) + ": " + why
			return f
		}
		joules += x.Energy.V
	}
	v := joules / tokens
	f.Value, f.N = &v, int64(n)
	return f
}

func pointer[T any](o evidence.Opt[T]) *T {
	if !o.OK {
		return nil
	}
	return &o.V
}

func pointers[T any](list []evidence.Opt[T]) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = pointer(list[i])
	}
	return out
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
