package gpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"assay/store/evidence"
)

// Options of sampling.
type Options struct {
	Period time.Duration // between two looks; 20 ms when 0
	Points int           // most points of a series; 600 when 0
	// Raw takes every sample as a line of CSV; nil keeps none. A fault of the writer ends
	// the raw samples, not the sampling, and stands in the recording.
	Raw io.Writer
}

const (
	defaultPeriod = 20 * time.Millisecond
	shortest      = 5 * time.Millisecond
	defaultPoints = 600
	mostMarks     = 64
)

// Sampler looks at the cards until it is stopped.
type Sampler struct {
	driver Driver
	opt    Options
	start  time.Time
	cancel context.CancelFunc
	done   chan struct{}

	mu    sync.Mutex
	marks []mark
	cards []*series
	gaps  gaps
	raw   *rawWriter
	cpu   evidence.Opt[float64]
	ended time.Duration
}

type mark struct {
	name string
	at   time.Duration
}

// Start begins to sample. The sampler owns the driver until Stop.
func Start(ctx context.Context, d Driver, opt Options) (*Sampler, error) {
	cards, err := d.Cards()
	if err != nil {
		return nil, err
	}
	if len(cards) == 0 {
		return nil, &Unavailable{Reason: "the driver has no card"}
	}
	if opt.Period == 0 {
		opt.Period = defaultPeriod
	}
	if opt.Period < shortest {
		return nil, fmt.Errorf("sampling every %s: the shortest period is %s", opt.Period, shortest)
	}
	if opt.Points <= 0 {
		opt.Points = defaultPoints
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Sampler{driver: d, opt: opt, start: time.Now(), cancel: cancel, done: make(chan struct{})}
	if opt.Raw != nil {
		s.raw = newRawWriter(opt.Raw)
	}
	for i := range cards {
		s.cards = append(s.cards, newSeries(cards[i], opt.Points, opt.Period))
	}
	go s.run(ctx)
	return s, nil
}

// Since is the time on the sampler's clock.
func (s *Sampler) Since() time.Duration { return time.Since(s.start) }

// Mark names this moment. Stretches of the recording lie between two marks.
func (s *Sampler) Mark(name string) error { return s.MarkAt(name, s.Since()) }

// MarkAt names a moment that has just passed, on the sampler's clock.
func (s *Sampler) MarkAt(name string, at time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.marks) >= mostMarks:
		return fmt.Errorf("mark %s: more than %d marks", name, mostMarks)
	case len(s.marks) > 0 && at < s.marks[len(s.marks)-1].at:
		return fmt.Errorf("mark %s: lies before mark %s", name, s.marks[len(s.marks)-1].name)
	}
	s.marks = append(s.marks, mark{name, at})
	for _, c := range s.cards {
		c.stretch(at)
	}
	return nil
}

// run samples on a thread of its own: the time it takes is measured by thread.
func (s *Sampler) run(ctx context.Context) {
	defer close(s.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, measured := threadTime()
	ticker := time.NewTicker(s.opt.Period)
	defer ticker.Stop()
	for {
		s.look()
		select {
		case <-ctx.Done():
			s.look() // so that the last stretch has an end
			if after, ok := threadTime(); ok && measured {
				s.mu.Lock()
				s.cpu = evidence.Some((after - before).Seconds() / time.Since(s.start).Seconds())
				s.mu.Unlock()
			}
			return
		case <-ticker.C:
		}
	}
}

// look reads every card that is still there. The time of a reading is the middle of the
// calls that made it.
func (s *Sampler) look() {
	for i, c := range s.cards {
		if c.lost != "" {
			continue
		}
		before := time.Since(s.start)
		r := s.driver.Read(i)
		r.At = (before + time.Since(s.start)) / 2
		s.mu.Lock()
		if gap, ok := c.add(r); ok {
			s.gaps.add(gap)
		}
		if s.raw != nil {
			s.raw.add(i, &r)
		}
		s.ended = r.At
		s.mu.Unlock()
	}
}

// Latest are the last readings, for a live page: one a card, and whether it has one.
func (s *Sampler) Latest() []evidence.Opt[Reading] {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]evidence.Opt[Reading], len(s.cards))
	for i, c := range s.cards {
		out[i] = c.last
	}
	return out
}

// Stop ends the sampling and gives what was recorded. The driver is the caller's again.
func (s *Sampler) Stop() (*Recording, error) {
	s.cancel()
	<-s.done
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := &Recording{System: s.driver.System(), Period: s.opt.Period, Gaps: s.gaps.spread(), CPU: s.cpu, Lasted: s.ended}
	for _, c := range s.cards {
		rec.Cards = append(rec.Cards, c.recording(s.marks))
	}
	var errs []error
	if s.raw != nil {
		rec.RawRows = s.raw.rows
		if err := s.raw.close(); err != nil {
			rec.RawFault = err.Error()
			errs = append(errs, fmt.Errorf("raw samples: %w", err))
		}
	}
	return rec, errors.Join(errs...)
}
