package gpu

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"assay/store/evidence"
)

// gaps is how far samples lie apart.
type gaps struct {
	h   *hdrhistogram.Histogram
	max time.Duration
}

func (g *gaps) add(d time.Duration) {
	if g.h == nil {
		g.h = hdrhistogram.New(1, time.Hour.Microseconds(), 3)
	}
	_ = g.h.RecordValue(min(max(d.Microseconds(), 1), time.Hour.Microseconds()))
	g.max = max(g.max, d)
}

func (g *gaps) spread() Spread {
	if g.h == nil || g.h.TotalCount() == 0 {
		return Spread{}
	}
	at := func(p float64) evidence.Opt[float64] {
		return evidence.Some(float64(g.h.ValueAtPercentile(p)) / 1e6)
	}
	return Spread{N: g.h.TotalCount(), P50: at(50), P99: at(99), Max: evidence.Some(g.max.Seconds())}
}
