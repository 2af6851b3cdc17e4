package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"assay/runner/load/nullserver"
	"assay/runner/load/pace"
	"assay/store/evidence"
)

// CalibrateOptions say how much is asked of the client. Zero fields take what two cores
// should manage.
type CalibrateOptions struct {
	Endpoint    string        // a null server in another process; empty: one in this process
	For         time.Duration // of each of the three stages; 2 s
	Concurrency int           // of the short requests; 64
	Streams     int           // 1,000
	ChunkRate   float64       // over all streams; 20,000/s
	Together    int           // chunks in one write of the server; 1
	OpenRate    float64       // 1,000/s
}

func (o CalibrateOptions) filled() CalibrateOptions {
	fill(&o.For, 2*time.Second)
	fill(&o.Concurrency, 64)
	fill(&o.Streams, 1000)
	fill(&o.Together, 1)
	if o.ChunkRate <= 0 {
		o.ChunkRate = 20_000
	}
	if o.OpenRate <= 0 {
		o.OpenRate = 1_000
	}
	return o
}

// Calibrate measures what this client can do on this machine, against a null server: short
// requests in a closed loop, streams, and an open loop.
func Calibrate(ctx context.Context, o CalibrateOptions) (*Calibration, error) {
	o = o.filled()
	c := &Calibration{At: time.Now().UTC(), SameProcess: o.Endpoint == "", OpenRate: o.OpenRate}
	if c.SameProcess {
		server, err := nullserver.Listen("127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("calibrate: %w", err)
		}
		defer server.Close()
		o.Endpoint = server.URL()
	}
	err := errors.Join(c.short(ctx, o), c.streams(ctx, o), c.arrivals(ctx, o), ctx.Err())
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	return c, nil
}

// fixed is a source of one request over and over.
type fixed struct{ body []byte }

func (f fixed) Request(int) (Request, error) { return Request{API: Chat, Body: f.body}, nil }

func stage(ctx context.Context, o CalibrateOptions, body []byte, plan Plan, sink Sink) (*Outcome, error) {
	client, err := NewClient(Target{Endpoint: o.Endpoint}, "calibrate")
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return Run(ctx, Options{Client: client, Source: fixed{body}, Plan: plan, Sink: sink})
}

func failures(out *Outcome) (n int64) {
	for class, count := range out.Classes {
		if !class.Delivered() {
			n += count
		}
	}
	return n
}

func (c *Calibration) short(ctx context.Context, o CalibrateOptions) error {
	sink := &spread{}
	out, err := stage(ctx, o, nullserver.Body(1, 0), Plan{Concurrency: o.Concurrency, Warmup: Span{For: o.For / 4}, Measure: Span{For: o.For}}, sink)
	if err != nil {
		return err
	}
	c.Failed += failures(out)
	if wall := sink.last - sink.first; wall > 0 {
		c.RequestRate = evidence.Some(float64(sink.ended) / wall.Seconds())
	}
	return nil
}

func (c *Calibration) streams(ctx context.Context, o CalibrateOptions) error {
	gap := time.Duration(float64(o.Streams*o.Together) / o.ChunkRate * 1e9)
	ramp := max(o.For/2, time.Duration(o.Streams)*200*time.Microsecond)
	tokens := max(2, int((o.For+ramp)/gap)*o.Together)
	sink := &spread{errors: hdrhistogram.New(100, maxLag, 3)}
	// Every slot sends once: as streams last longer than the ramp, all are open at its end.
	out, err := stage(ctx, o, nullserver.Bursts(tokens, o.Together, gap), Plan{Concurrency: o.Streams, Ramp: ramp, Measure: Span{For: time.Nanosecond}}, sink)
	if err != nil {
		return err
	}
	sink.origin = out.Origin.UnixNano()
	c.Streams = int(out.Certificate.Sockets) // what was open, not what was asked for
	c.Failed += sink.failed
	c.TimingError = sink.lateness()
	c.ChunkRate = sink.rate()
	return nil
}

func (c *Calibration) arrivals(ctx context.Context, o CalibrateOptions) error {
	out, err := stage(ctx, o, nullserver.Body(1, 0), Plan{
		Pacer: pace.Arrivals{Process: pace.Poisson, PerSecond: o.OpenRate, Seed: 1}, Warmup: Span{For: o.For / 4}, Measure: Span{For: o.For},
	}, &spread{})
	if err != nil {
		return err
	}
	c.Failed += failures(out)
	c.SendLag = out.Certificate.SendLag
	return nil
}

// spread is the sink of a stage: it keeps sums, not records.
type spread struct {
	first, last time.Duration
	ended       int64
	failed      int64

	errors *hdrhistogram.Histogram
	origin int64 // Unix nanoseconds at 0
	lags   []lag // until it is known, and when every stream was open
	sent   time.Duration
	end    time.Duration
	bins   []int64 // chunks in each 10 ms
}

const bin = 10 * time.Millisecond

// lag is a chunk's time, and that less the server's stamp.
type lag struct {
	at    time.Duration
	stamp int64
}

// Take adds a record up.
func (s *spread) Take(r *Record) error {
	if !r.Class.Delivered() {
		s.failed++
		return nil
	}
	if r.Phase == Measure {
		if s.ended++; s.ended == 1 || r.Sent.V < s.first {
			s.first = r.Sent.V
		}
		s.last = max(s.last, r.Closed.V)
	}
	if s.errors == nil {
		return nil
	}
	s.sent = max(s.sent, r.Sent.V)
	if s.end == 0 || r.End.V < s.end {
		s.end = r.End.V
	}
	stamped := 0
	for _, c := range r.Chunks {
		if c.Kind&Content == 0 || stamped == len(r.Stamps) {
			continue
		}
		s.lags = append(s.lags, lag{c.At, r.Stamps[stamped]})
		stamped++
		if i := int(c.At / bin); i < 1<<20 {
			s.bins = append(s.bins, make([]int64, max(0, i+1-len(s.bins)))...)
			s.bins[i]++
		}
	}
	return nil
}

// lateness is how much later than the server's write our time of a chunk was, while every
// stream was open.
func (s *spread) lateness() Lateness {
	for _, l := range s.lags {
		if l.at > s.sent && l.at < s.end {
			s.errors.RecordValue(min(maxLag, max(0, int64(l.at)+s.origin-l.stamp)))
		}
	}
	return lateness(s.errors)
}

// rate is the chunk rate while every stream was open.
func (s *spread) rate() evidence.Opt[float64] {
	from, to := int(s.sent/bin)+1, int(s.end/bin)
	if to > len(s.bins) || to-from < 10 {
		return evidence.None[float64]()
	}
	open := s.bins[from:to]
	var sum int64
	for _, n := range open {
		sum += n
	}
	return evidence.Some(float64(sum) / (time.Duration(len(open)) * bin).Seconds())
}
