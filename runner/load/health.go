package load

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"assay/store/evidence"
)

// Certificate says how the client itself fared while requests were measured: whether the
// figures are the engine's or the load generator's.
type Certificate struct {
	From, To time.Duration // the stretch it is about

	Dropped  int64
	Retries  int64    // requests sent again, of the whole run
	BeginLag Lateness // due to the client turning to the request
	SendLag  Lateness // due to its first byte, a new connection included
	// ReadLag is how much later than the kernel the client read what came, at its worst in
	// each request. The times of records are the kernel's; N = 0: they are the client's own.
	ReadLag Lateness
	Waits   int64 // requests that waited for the recorder

	Cores     int
	Threads   int                     // GOMAXPROCS
	UserCPU   evidence.Opt[float64]   // cores kept busy by this process
	SystemCPU evidence.Opt[float64]   //
	CoreBusy  []evidence.Opt[float64] // of each core of the machine, 0 to 1; empty where nobody says

	GCCycles  int64
	GCPause   Lateness // stops of the world for the garbage collector
	Scheduler Lateness // a goroutine that could run, to running
	HeapBytes int64    // live objects at the end

	Sockets     int64 // open at most, of the whole run
	SocketLimit evidence.Opt[int64]
	Ports       evidence.Opt[int64] // a machine's ports for new connections
	Dials       int64
	Stale       int64 // idle connections found closed before they were used

	Calibration *Calibration
	Warnings    []Warning
}

// Lateness is a distribution of delays. Percentiles of N = 0 are absent.
type Lateness struct {
	N                  int64
	P50, P95, P99, Max evidence.Opt[time.Duration]
}

func lateness(h *hdrhistogram.Histogram) Lateness {
	l := Lateness{N: h.TotalCount()}
	if l.N > 0 {
		l.P50, l.P95 = evidence.Some(time.Duration(h.ValueAtQuantile(50))), evidence.Some(time.Duration(h.ValueAtQuantile(95)))
		l.P99, l.Max = evidence.Some(time.Duration(h.ValueAtQuantile(99))), evidence.Some(time.Duration(h.Max()))
	}
	return l
}

// Warning is an answer's "but".
type Warning struct {
	Code string
	Text string
}

// Warning codes of a certificate.
const (
	WarnDropped      = "requests_dropped"
	WarnLag          = "send_lag"
	WarnReadLag      = "read_lag"
	WarnCPU          = "client_cpu"
	WarnScheduler    = "client_scheduler"
	WarnGC           = "client_gc"
	WarnSockets      = "client_sockets"
	WarnPorts        = "client_ports"
	WarnRecorder     = "client_recorder"
	WarnRetries      = "requests_retried"
	WarnUncalibrated = "not_calibrated"
	WarnBeyond       = "beyond_calibration"
)

// Bounds above which the client is called unwell.
const (
	maxSendLag   = time.Millisecond
	maxReadLag   = 10 * time.Millisecond
	maxScheduler = time.Millisecond
	maxPause     = 2 * time.Millisecond
	maxBusy      = 0.85
	// maxShare is the part of a calibrated rate up to which it vouches for a run.
	maxShare = 0.8
)

func (r *run) certificate() Certificate {
	count := &r.Client.count
	c := Certificate{
		Dropped: r.rec.classes[Dropped], Retries: r.rec.retries, Waits: r.rec.waits.Load(),
		BeginLag: lateness(r.rec.began), SendLag: lateness(r.rec.sent), ReadLag: lateness(r.rec.read),
		Sockets: count.openMost.Load(), Dials: count.dials.Load(), Stale: count.stale.Load(),
		Calibration: r.Calibration,
	}
	hostLimits(&c)
	if r.health != nil {
		r.health.fill(&c)
	}
	c.judge(r.Client.policy.Fresh, r.Plan.Pacer != nil, r.rec.measured)
	return c
}

// judge writes the warnings.
func (c *Certificate) judge(fresh, open bool, measured int64) {
	warn := func(when bool, code, format string, args ...any) {
		if when {
			c.Warnings = append(c.Warnings, Warning{code, fmt.Sprintf(format, args...)})
		}
	}
	above := func(v evidence.Opt[time.Duration], most time.Duration) bool { return v.OK && v.V > most }
	cores := min(c.Cores, c.Threads)
	warn(c.Dropped > 0, WarnDropped, "%d requests were due and never sent", c.Dropped)
	warn(open && above(c.BeginLag.P99, maxSendLag), WarnLag, "requests were begun %v late at p99", c.BeginLag.P99.V)
	warn(above(c.ReadLag.P99, maxReadLag), WarnReadLag, "what came was read up to %v late in one of a hundred requests", c.ReadLag.P99.V)
	warn(c.UserCPU.OK && c.UserCPU.V+c.SystemCPU.V > maxBusy*float64(cores), WarnCPU, "the client kept %.2f of %d cores busy", c.UserCPU.V+c.SystemCPU.V, cores)
	warn(above(c.Scheduler.P99, maxScheduler), WarnScheduler, "goroutines waited %v for a core at p99", c.Scheduler.P99.V)
	warn(above(c.GCPause.Max, maxPause), WarnGC, "the garbage collector stopped the client for up to %v", c.GCPause.Max.V)
	warn(c.SocketLimit.OK && c.Sockets*10 > c.SocketLimit.V*9, WarnSockets, "%d sockets of %d were open", c.Sockets, c.SocketLimit.V)
	warn(fresh && c.Ports.OK && c.Dials*10 > c.Ports.V*9, WarnPorts, "%d connections from a machine with %d ports: new ones may have waited for old ones", c.Dials, c.Ports.V)
	warn(c.Waits > 0, WarnRecorder, "%d requests waited for the recorder", c.Waits)
	warn(c.Retries > 0, WarnRetries, "%d requests were sent again on a new connection", c.Retries)
	warn(c.Calibration == nil, WarnUncalibrated, "nobody measured what this client can do on this machine")
	if c.Calibration == nil || c.To <= c.From {
		return
	}
	seconds := (c.To - c.From).Seconds()
	cal := c.Calibration
	warn(cal.RequestRate.OK && float64(measured)/seconds > maxShare*cal.RequestRate.V, WarnBeyond,
		"%.0f requests/s are near the %.0f/s that this client can do", float64(measured)/seconds, cal.RequestRate.V)
	warn(cal.Streams > 0 && c.Sockets > int64(cal.Streams), WarnBeyond, "%d open requests, calibrated with %d", c.Sockets, cal.Streams)
}
