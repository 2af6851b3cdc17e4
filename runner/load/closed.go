package load

import (
	"sync"
	"time"
)

// closed keeps a number of requests open.
func (r *run) closed() {
	if !r.Plan.Warmup.none() {
		var slots sync.WaitGroup
		share := r.share(r.Plan.Warmup, Warmup, r.enter(Warmup), 0)
		for range r.Plan.Concurrency {
			slots.Go(func() { r.slot(share, r.clock.Now()) })
		}
		slots.Wait()
	}
	first := Measure
	if r.Plan.Ramp > 0 {
		first = Ramp
	}
	start := r.enter(first)
	share := r.share(r.Plan.Measure, Measure, start+r.Plan.Ramp, start+r.Plan.Ramp)
	var slots sync.WaitGroup
	for i := range r.Plan.Concurrency {
		due := start + time.Duration(float64(r.Plan.Ramp)*float64(i)/float64(r.Plan.Concurrency))
		slots.Go(func() {
			if sleepUntil(r.ctx, r.clock, due) {
				r.slot(share, due)
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		slots.Wait()
		close(ended)
	}()
	var up <-chan time.Time // a window by time ends on time, one by requests with its last
	if r.Plan.Measure.For > 0 {
		timer := time.NewTimer(start + r.Plan.Ramp + r.Plan.Measure.For - r.clock.Now())
		defer timer.Stop()
		up = timer.C
	}
	select {
	case <-up:
	case <-ended:
	}
	r.drain(&slots)
}

// share hands requests to slots.
type share struct {
	mu        sync.Mutex
	phase     Phase
	rampUntil time.Duration
	left      allotment
}

func (r *run) share(s Span, phase Phase, from, rampUntil time.Duration) *share {
	return &share{phase: phase, rampUntil: rampUntil, left: allotment{span: s, from: from}}
}

// next gives the phase of the request due now. A request of the ramp is one of no span.
func (s *share) next(r *run, due time.Duration) (index int, phase Phase, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	phase = s.phase
	if due < s.rampUntil {
		phase = Ramp
	} else {
		if !s.left.next(due) {
			return 0, "", false
		}
		if phase == Measure {
			r.enter(Measure)
		}
	}
	index = r.index
	r.index++
	return index, phase, true
}

// afterFailure is what a slot waits when its request failed: a server that refuses at once
// is not asked a hundred thousand times a second.
const afterFailure = 10 * time.Millisecond

// slot sends one request after the other.
func (r *run) slot(s *share, due time.Duration) {
	for r.ctx.Err() == nil {
		index, phase, ok := s.next(r, due)
		if !ok {
			return
		}
		req, ok := r.request(index)
		if !ok {
			return
		}
		r.Progress.began()
		var delivered bool
		if due, delivered = r.one(r.ctx, index, req, phase, due); !delivered {
			due += afterFailure
			sleepUntil(r.ctx, r.clock, due)
		}
	}
}
