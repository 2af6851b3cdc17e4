//go:build !linux

package gpu

import "time"

// threadTime is not known on this system.
func threadTime() (time.Duration, bool) { return 0, false }
