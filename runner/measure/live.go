package measure

import (
	"slices"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"assay/runner/load"
	"assay/store/evidence"
)

const (
	// pulse is how often a session tells where it is while requests run.
	pulse = 200 * time.Millisecond
	// recent is the stretch that live rates are made over.
	recent = 5 * time.Second
	// top of the live histograms, in microseconds: one hour.
	top = int64(time.Hour / time.Microsecond)
)

// live is what a terminal shows of a repeat while it lasts. Nothing of it goes into an
// artifact.
type live struct {
	mu         sync.Mutex
	ttft, tpot *hdrhistogram.Histogram
	failure    string
	points     []point
}

// point is what had ended at a time.
type point struct {
	at            time.Time
	ended, tokens int64
}

func newLive() *live {
	return &live{ttft: hdrhistogram.New(1, top, 3), tpot: hdrhistogram.New(1, top, 3)}
}

func (l *live) take(r *load.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !r.Class.Delivered() {
		l.failure = string(r.Class)
		if r.Cause != "" {
			l.failure += ": " + clip(r.Cause, 200)
		}
		return
	}
	if r.Phase != load.Measure {
		return
	}
	for metric, h := range map[evidence.MetricID]*hdrhistogram.Histogram{evidence.TTFT: l.ttft, evidence.TPOT: l.tpot} {
		if v := load.Value(r, metric); v.OK {
			_ = h.RecordValue(min(top, max(1, int64(v.V*1e6)))) // within the bounds of the histogram
		}
	}
}

// fill puts the live figures into a state.
func (l *live) fill(s *State, p *load.Progress, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.Phase = p.Phase()
	s.Started, s.Ended, s.Failed, s.Open, s.OutputTokens = p.Started.Load(), p.Ended.Load(), p.Failed.Load(), p.Open.Load(), p.OutputTokens.Load()
	s.LastFailure = l.failure
	s.TTFT, s.TPOT = median(l.ttft), median(l.tpot)
	l.points = append(l.points, point{now, s.Ended, s.OutputTokens})
	if i := slices.IndexFunc(l.points, func(x point) bool { return now.Sub(x.at) <= recent }); i > 0 {
		l.points = l.points[i:]
	}
	first := l.points[0]
	if wall := now.Sub(first.at).Seconds(); wall >= 1 {
		s.RequestRate = evidence.Some(float64(s.Ended-first.ended) / wall)
		s.OutputRate = evidence.Some(float64(s.OutputTokens-first.tokens) / wall)
	}
}

func median(h *hdrhistogram.Histogram) evidence.Opt[float64] {
	if h.TotalCount() == 0 {
		return evidence.None[float64]()
	}
	return evidence.Some(float64(h.ValueAtQuantile(50)) / 1e6)
}

// clip bounds a text, at a whole character.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
