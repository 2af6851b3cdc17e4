package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Options of a run.
type Options struct {
	Client   *Client
	Source   Source
	Plan     Plan
	Sink     Sink
	Now      time.Time // origin of the run; zero is the time of the call
	Progress *Progress
	// OnPhase is told when a window begins, at once; it must not take long.
	OnPhase func(p Phase, at time.Duration)
	// Calibration is what this client can do; without one the certificate says so.
	Calibration *Calibration
}

// Outcome is what is known of a run beside its records.
type Outcome struct {
	Origin      time.Time
	Windows     []Window
	Loop        string // "closed, concurrency 8" or "open, poisson 20/s seed 1"
	Policy      Policy
	Limits      Limits
	Classes     map[Class]int64 // of measured requests; OK is ""
	Measured    int64
	Interrupted bool // cancelled from outside before its plan was done
	Certificate Certificate
}

// run is one run while it lasts.
type run struct {
	Options
	clock  Clock
	rec    *recorder
	ctx    context.Context // of the requests
	health *watch

	mu      sync.Mutex
	windows []Window
	index   int
	// measuredFrom is where the measured window of an open loop begins, from the first due time
	measuredFrom time.Duration
	fault        error // of the source
	cancel       context.CancelCauseFunc
}

// Run carries out a plan. It returns when every record has been handed to the sink. When
// ctx ends no more requests are sent, open ones end as cancelled, and the outcome says so;
// an error means that there is no outcome to trust: the source or the sink failed.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	if o.Client == nil || o.Source == nil || o.Sink == nil {
		return nil, errors.New("load run: it needs a client, a source and a sink")
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	if o.Plan.MaxOpen == 0 {
		o.Plan.MaxOpen = 10_000
	}
	requests, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{Options: o, clock: NewClock(o.Now), ctx: requests, cancel: cancel, rec: newRecorder(o.Sink, o.Progress, cancel)}
	loop := fmt.Sprintf("closed, concurrency %d", o.Plan.Concurrency)
	if o.Plan.Pacer != nil {
		loop = "open, " + o.Plan.Pacer.String()
		r.open()
	} else {
		r.closed()
	}
	sinkErr := r.rec.close()
	if err := errors.Join(r.fault, sinkErr); err != nil {
		return nil, err
	}
	out := &Outcome{Origin: o.Now, Windows: r.windows, Loop: loop, Policy: o.Client.policy, Limits: o.Client.limits,
		Classes: r.rec.classes, Measured: r.rec.measured, Interrupted: ctx.Err() != nil}
	out.Certificate = r.certificate()
	return out, nil
}

// enter begins a window and ends the one before it. The client is watched while requests
// are measured.
func (r *run) enter(p Phase) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock.Now()
	if n := len(r.windows); n > 0 {
		if last := r.windows[n-1].Phase; last == p || last == Drain { // a slot may be late to notice
			return now
		}
		r.windows[n-1].To = now
	}
	switch {
	case p == Measure && r.health == nil:
		r.health = startWatch(now)
	case p == Drain && r.health != nil:
		r.health.stop(now)
	}
	r.windows = append(r.windows, Window{Phase: p, From: now, To: now})
	r.Progress.phase.Store(p)
	if r.OnPhase != nil {
		r.OnPhase(p, now)
	}
	return now
}

// leave ends the last window.
func (r *run) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock.Now()
	if n := len(r.windows); n > 0 {
		r.windows[n-1].To = now
	}
	if r.health != nil {
		r.health.stop(now)
	}
}

// one sends one request and hands its record over. It returns when the slot came free.
func (r *run) one(ctx context.Context, index int, req *Request, phase Phase, due time.Duration) (free time.Duration, delivered bool) {
	rec := r.rec.blank()
	rec.Index, rec.Phase, rec.Due = index, phase, due
	r.Client.Do(ctx, r.clock, req, rec)
	free, delivered = rec.Closed.V, rec.Class.Delivered()
	r.rec.put(rec)
	return free, delivered
}

// request asks the source; a fault ends the run.
func (r *run) request(index int) (*Request, bool) {
	req, err := r.Source.Request(index)
	if err == nil {
		return &req, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fault == nil {
		r.fault = fmt.Errorf("request %d: %w", index, err)
		r.cancel(r.fault)
	}
	return nil, false
}

// drain waits for open requests, as long as the plan allows, then ends them.
func (r *run) drain(open *sync.WaitGroup) {
	r.enter(Drain)
	if r.Plan.Drain > 0 {
		timer := time.AfterFunc(r.Plan.Drain, func() { r.cancel(errDrained) })
		defer timer.Stop()
	}
	open.Wait()
	r.leave()
}

var errDrained = errors.New("the time to drain is over")
