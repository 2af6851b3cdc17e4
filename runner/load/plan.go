package load

import (
	"errors"
	"fmt"
	"time"

	"assay/runner/load/pace"
)

// Plan says how requests are sent and which of them are measured.
//
// A closed loop keeps Concurrency requests open: warm-up requests first, all of them to
// their end; then the slots open one after the other within Ramp; then measured requests.
// An open loop sends when Pacer says, whatever the server does: requests due within Ramp,
// then within Warmup, then the measured ones. No request is due after Measure; what is open
// then has Drain to end.
//
// A slot of a closed loop whose request failed waits 10 ms before the next is due.
type Plan struct {
	Concurrency int        // closed loop
	Pacer       pace.Pacer // open loop
	MaxOpen     int        // open loop: a request due while so many are open is dropped; default 10,000

	Warmup  Span
	Ramp    time.Duration
	Measure Span
	Drain   time.Duration // 0: as long as the requests' own limits allow
}

// Span ends with so many requests or after so long, whichever is first. Zero is no bound.
type Span struct {
	Requests int
	For      time.Duration
}

func (s Span) none() bool { return s.Requests == 0 && s.For == 0 }

// MaxConcurrency bounds open requests.
const MaxConcurrency = 200_000

// Check says what is wrong with p, all of it.
func (p Plan) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("load plan: "+format, args...)) }
	switch {
	case p.Pacer == nil && (p.Concurrency < 1 || p.Concurrency > MaxConcurrency):
		bad("concurrency %d is not within 1 to %d", p.Concurrency, MaxConcurrency)
	case p.Pacer != nil && p.Concurrency != 0:
		bad("a closed loop (concurrency) and an open loop (pacer) at once")
	case p.Pacer != nil:
		errs = append(errs, p.Pacer.Check())
		if a, ok := p.Pacer.(pace.Arrivals); ok && a.Ramp != p.Ramp {
			bad("arrivals rise for %v, the plan marks %v of them as ramp", a.Ramp, p.Ramp)
		}
	}
	if p.MaxOpen < 0 || p.MaxOpen > MaxConcurrency {
		bad("%d open requests at most are not within 1 to %d", p.MaxOpen, MaxConcurrency)
	}
	if p.Measure.none() {
		bad("the measured window has neither requests nor a duration")
	}
	for name, s := range map[string]Span{"warm-up": p.Warmup, "measure": p.Measure} {
		if s.Requests < 0 || s.For < 0 {
			bad("%s is negative", name)
		}
	}
	if p.Ramp < 0 || p.Drain < 0 {
		bad("a duration is negative")
	}
	return errors.Join(errs...)
}

// Window is a stretch of the run, from its origin.
type Window struct {
	Phase    Phase
	From, To time.Duration
}

// allotment hands out the requests of a span.
type allotment struct {
	span  Span
	from  time.Duration
	taken int
}

// next says whether one more request is due at the given time.
func (a *allotment) next(due time.Duration) bool {
	if a.span.none() || a.span.Requests > 0 && a.taken == a.span.Requests || a.span.For > 0 && due >= a.from+a.span.For {
		return false
	}
	a.taken++
	return true
}
