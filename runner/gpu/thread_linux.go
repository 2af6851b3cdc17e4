package gpu

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time that the calling thread has taken.
func threadTime() (time.Duration, bool) {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
