//go:build !linux

package load

import (
	"context"
	"time"
)

// sleepUntil returns at the given time, as exactly as the runtime's timers are. It is
// false when ctx ends first.
func sleepUntil(ctx context.Context, clock Clock, at time.Duration) bool {
	timer := time.NewTimer(at - clock.Now())
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
