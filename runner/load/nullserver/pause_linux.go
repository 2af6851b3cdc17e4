package nullserver

import (
	"syscall"
	"time"
)

// pause sleeps more exactly than the runtime's timers, which wait in whole milliseconds.
func pause(d time.Duration) {
	if d <= 0 {
		return
	}
	ts := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&ts, nil)
}
