package load

import (
	"context"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"

	"assay/store/evidence"
)

// watch looks at the process and the machine at the beginning and the end of a stretch;
// nothing runs in between.
type watch struct {
	from, to    time.Duration
	first, last vitals
	stopped     bool
}

// vitals are counters since the start of the process or the machine.
type vitals struct {
	user, system evidence.Opt[float64] // seconds
	cores        []cpu.TimesStat
	gc           int64
	pauses, runs *metrics.Float64Histogram
	heap         int64
}

func startWatch(now time.Duration) *watch { return &watch{from: now, to: now, first: look()} }

func (w *watch) stop(now time.Duration) {
	if !w.stopped {
		w.stopped, w.to, w.last = true, now, look()
	}
}

func look() vitals {
	v := vitals{}
	v.user, v.system = processTimes()
	if cores, err := cpu.TimesWithContext(context.Background(), true); err == nil {
		v.cores = cores
	}
	samples := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/sched/pauses/total/gc:seconds"},
		{Name: "/sched/latencies:seconds"}, {Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(samples)
	for i, s := range samples {
		switch s.Value.Kind() {
		case metrics.KindUint64:
			if i == 0 {
				v.gc = int64(s.Value.Uint64())
			} else {
				v.heap = int64(s.Value.Uint64())
			}
		case metrics.KindFloat64Histogram:
			if i == 1 {
				v.pauses = s.Value.Float64Histogram()
			} else {
				v.runs = s.Value.Float64Histogram()
			}
		}
	}
	return v
}

// fill writes what happened between the two looks.
func (w *watch) fill(c *Certificate) {
	c.From, c.To = w.from, w.to
	c.Cores, c.Threads = runtime.NumCPU(), runtime.GOMAXPROCS(0)
	seconds := (w.to - w.from).Seconds()
	if seconds <= 0 {
		return
	}
	share := func(a, b evidence.Opt[float64]) evidence.Opt[float64] {
		if !a.OK || !b.OK {
			return evidence.None[float64]()
		}
		return evidence.Some((b.V - a.V) / seconds)
	}
	c.UserCPU, c.SystemCPU = share(w.first.user, w.last.user), share(w.first.system, w.last.system)
	c.CoreBusy = busy(w.first.cores, w.last.cores)
	c.GCCycles = w.last.gc - w.first.gc
	c.GCPause = between(w.first.pauses, w.last.pauses)
	c.Scheduler = between(w.first.runs, w.last.runs)
	c.HeapBytes = w.last.heap
}

// busy is the part of each core's time that was not idle.
func busy(first, last []cpu.TimesStat) []evidence.Opt[float64] {
	if len(first) != len(last) {
		return nil
	}
	out := make([]evidence.Opt[float64], len(last))
	for i := range last {
		if first[i].CPU != last[i].CPU {
			return nil
		}
		idle := last[i].Idle + last[i].Iowait - first[i].Idle - first[i].Iowait
		work := last[i].User + last[i].System + last[i].Nice + last[i].Irq + last[i].Softirq + last[i].Steal -
			first[i].User - first[i].System - first[i].Nice - first[i].Irq - first[i].Softirq - first[i].Steal
		if total := idle + work; total > 0 {
			out[i] = evidence.Some(min(1, max(0, work/total)))
		}
	}
	return out
}

// between reads the distribution of what was counted between two histograms of the
// runtime. A percentile is the upper end of its bucket: never better than the truth.
func between(a, b *metrics.Float64Histogram) Lateness {
	l := Lateness{}
	if a == nil || b == nil || len(a.Counts) != len(b.Counts) {
		return l
	}
	counts := make([]uint64, len(b.Counts))
	for i := range counts {
		counts[i] = b.Counts[i] - a.Counts[i]
		l.N += int64(counts[i])
	}
	if l.N == 0 {
		return l
	}
	l.P50, l.P95, l.P99 = bucket(b.Buckets, counts, l.N, 0.50), bucket(b.Buckets, counts, l.N, 0.95), bucket(b.Buckets, counts, l.N, 0.99)
	l.Max = bucket(b.Buckets, counts, l.N, 1)
	return l
}

func bucket(edges []float64, counts []uint64, n int64, q float64) evidence.Opt[time.Duration] {
	rank, seen := int64(math.Ceil(q*float64(n))), int64(0)
	for i, count := range counts {
		if seen += int64(count); seen >= rank {
			edge := edges[i+1]
			if math.IsInf(edge, 1) {
				edge = edges[i]
			}
			return evidence.Some(time.Duration(max(0, edge) * 1e9))
		}
	}
	return evidence.None[time.Duration]()
}

// hostLimits writes what bounds the sockets of this process.
func hostLimits(c *Certificate) {
	c.SocketLimit = socketLimit()
	data, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		return
	}
	if f := strings.Fields(string(data)); len(f) == 2 {
		low, err1 := strconv.ParseInt(f[0], 10, 64)
		high, err2 := strconv.ParseInt(f[1], 10, 64)
		if err1 == nil && err2 == nil && high >= low {
			c.Ports = evidence.Some(high - low + 1)
		}
	}
}
