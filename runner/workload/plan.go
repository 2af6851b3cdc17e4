package workload

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"assay/runner/load"
)

// Plan is how the requests of one repeat of a step are sent. Arrivals of an open loop are
// drawn anew for each repeat, from the workload's seed, the step's name and the repeat's
// number: repeats differ, and the same repeat of another arm does not.
func (w *Workload) Plan(s Step, repeat int) load.Plan {
	p := load.Plan{Concurrency: s.Concurrency, MaxOpen: s.MaxOpen, Warmup: s.Warmup, Ramp: s.Ramp, Drain: s.Drain,
		Measure: load.Span{Requests: s.Requests, For: s.Duration}}
	switch {
	case s.Arrivals != nil:
		a := *s.Arrivals
		a.Seed = Mix(w.Seed, "arrivals", s.Name, repeat)
		p.Pacer = a
	case s.Trace != nil:
		p.Pacer = s.Trace
		p.Measure.Requests = max(1, len(s.Trace)-s.Warmup.Requests)
	}
	return p
}

// Mix makes a seed of a seed and of what it is for.
func Mix(seed int64, of, step string, repeat int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%d", seed, of, step, repeat))
	return binary.BigEndian.Uint64(sum[:])
}
