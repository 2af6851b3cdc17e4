//go:build !linux

package nullserver

import "time"

func pause(d time.Duration) { time.Sleep(d) }
