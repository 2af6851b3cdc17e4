package load

import (
	"runtime"
	"sync"
	"time"

	"assay/store/evidence"
)

// open sends when requests are due, however many are open.
func (r *run) open() {
	var open sync.WaitGroup
	at := r.phases()
	start := r.clock.Now()
	for due := range r.Plan.Pacer.Dues() {
		phase, ok := at(r.index, due)
		if !ok {
			break
		}
		req, ok := r.request(r.index) // before it is due: making it costs no lag
		if !ok || !sleepUntil(r.ctx, r.clock, start+due) {
			break
		}
		r.enter(phase)
		index := r.index
		r.index++
		if r.Progress.Open.Load() >= int64(r.Plan.MaxOpen) {
			r.drop(index, req, phase, start+due)
			continue
		}
		r.Progress.began()
		open.Go(func() { r.one(r.ctx, index, req, phase, start+due) })
		runtime.Gosched() // it runs here and now; else another thread has to be woken for it
	}
	if end := r.Plan.Measure.For; end > 0 && r.ctx.Err() == nil { // a slow process may have its last arrival long before
		sleepUntil(r.ctx, r.clock, start+r.measuredFrom+end)
	}
	r.drain(&open)
}

// phases gives the phase of an arrival, in order; false is the end of the plan.
func (r *run) phases() func(index int, due time.Duration) (Phase, bool) {
	warm := allotment{span: r.Plan.Warmup, from: r.Plan.Ramp}
	measure := allotment{span: r.Plan.Measure}
	begun := false
	return func(_ int, due time.Duration) (Phase, bool) {
		if due < r.Plan.Ramp {
			return Ramp, true
		}
		if !begun && warm.next(due) {
			return Warmup, true
		}
		if !begun {
			begun = true
			measure.from = due
			if r.Plan.Warmup.Requests == 0 { // windows by time begin at their time
				measure.from = r.Plan.Ramp + r.Plan.Warmup.For
			}
			r.measuredFrom = measure.from
		}
		return Measure, measure.next(due)
	}
}

// drop records a request that is not sent.
func (r *run) drop(index int, req *Request, phase Phase, due time.Duration) {
	rec := r.rec.blank()
	rec.Index, rec.ID, rec.API, rec.Phase, rec.Due = index, req.ID, req.API, phase, due
	rec.Class, rec.Cause = Dropped, "too many requests were open"
	rec.Closed = evidence.Some(r.clock.Now())
	r.Progress.Started.Add(1)
	r.rec.put(rec)
}
