package load

import (
	"context"
	"syscall"
	"time"
)

// coarse is what the runtime's timers may be late by: it waits for the network in whole
// milliseconds.
const coarse = 1500 * time.Microsecond

// sleepUntil returns at the given time, within the kernel's timer slack of about 60 µs.
// It is false when ctx ends first.
func sleepUntil(ctx context.Context, clock Clock, at time.Duration) bool {
	if wait := at - clock.Now() - coarse; wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
		}
	}
	for {
		wait := at - clock.Now()
		if wait <= 0 {
			return ctx.Err() == nil
		}
		ts := syscall.NsecToTimespec(int64(wait))
		syscall.Nanosleep(&ts, nil) // an interruption only makes another round
	}
}
