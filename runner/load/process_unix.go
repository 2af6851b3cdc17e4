//go:build unix

package load

import (
	"syscall"

	"assay/store/evidence"
)

// processTimes are the seconds of processor time that this process has taken.
func processTimes() (user, system evidence.Opt[float64]) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return user, system
	}
	return evidence.Some(float64(u.Utime.Nano()) / 1e9), evidence.Some(float64(u.Stime.Nano()) / 1e9)
}

// socketLimit is how many files this process may have open. The Go runtime has raised it
// to the hard limit.
func socketLimit() evidence.Opt[int64] {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil || uint64(l.Cur) > 1<<62 {
		return evidence.None[int64]()
	}
	return evidence.Some(int64(l.Cur))
}
