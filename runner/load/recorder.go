package load

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Sink gets every record, from one goroutine, in the order in which requests ended. A
// record and what it points to are valid during the call only.
type Sink interface {
	Take(*Record) error
}

// Keep is a sink in memory.
type Keep struct{ Records []*Record }

// Take keeps a copy.
func (k *Keep) Take(r *Record) error {
	k.Records = append(k.Records, r.Clone())
	return nil
}

// recorder is the one goroutine that hands records on.
type recorder struct {
	sink  Sink
	in    chan *Record
	pool  sync.Pool
	done  chan struct{}
	err   error
	waits atomic.Int64 // a request had to wait until its record could be handed over

	began, sent *hdrhistogram.Histogram // lag behind due, of measured requests
	read        *hdrhistogram.Histogram // lag behind the kernel
	classes     map[Class]int64
	measured    int64
	retries     int64
	progress    *Progress
}

// maxLag is the top of the histograms: one hour.
const maxLag = 3_600_000_000_000

func newRecorder(sink Sink, progress *Progress, cancel context.CancelCauseFunc) *recorder {
	r := &recorder{
		sink: sink, in: make(chan *Record, 1024), done: make(chan struct{}), progress: progress,
		began: hdrhistogram.New(100, maxLag, 3), sent: hdrhistogram.New(100, maxLag, 3),
		read: hdrhistogram.New(100, maxLag, 3), classes: map[Class]int64{},
	}
	r.pool.New = func() any { return new(Record) }
	go func() {
		defer close(r.done)
		for rec := range r.in {
			if r.err == nil {
				r.note(rec)
				if err := r.sink.Take(rec); err != nil {
					r.err = fmt.Errorf("record of request %d: %w", rec.Index, err)
					cancel(r.err)
				}
			}
			rec.reset()
			r.pool.Put(rec)
		}
	}()
	return r
}

func (r *recorder) blank() *Record { return r.pool.Get().(*Record) }

// put hands a finished record over.
func (r *recorder) put(rec *Record) {
	r.progress.ended(rec)
	select {
	case r.in <- rec:
	default:
		r.waits.Add(1)
		r.in <- rec
	}
}

// close waits until every record has been taken.
func (r *recorder) close() error {
	close(r.in)
	<-r.done
	return r.err
}

func (r *recorder) note(rec *Record) {
	r.retries += int64(len(rec.Attempts))
	if rec.Phase != Measure {
		return
	}
	r.measured++
	r.classes[rec.Class]++
	if rec.Began.OK {
		r.began.RecordValue(min(maxLag, max(0, int64(rec.Began.V-rec.Due))))
	}
	if rec.ReadLate.OK {
		r.read.RecordValue(min(maxLag, int64(rec.ReadLate.V)))
	}
	if rec.Sent.OK {
		r.sent.RecordValue(min(maxLag, max(0, int64(rec.Sent.V-rec.Due))))
	}
}

// Progress is live figures of a run, for a terminal. It is safe for concurrent use.
type Progress struct {
	Started, Ended, Failed, Open atomic.Int64
	OutputTokens                 atomic.Int64 // as far as engines say
	phase                        atomic.Value
}

// Phase is where the run is.
func (p *Progress) Phase() Phase {
	phase, _ := p.phase.Load().(Phase)
	return phase
}

func (p *Progress) began() {
	p.Started.Add(1)
	p.Open.Add(1)
}

func (p *Progress) ended(rec *Record) {
	if rec.Class != Dropped {
		p.Open.Add(-1)
	}
	p.Ended.Add(1)
	if !rec.Class.Delivered() {
		p.Failed.Add(1)
	}
	p.OutputTokens.Add(rec.OutputTokens().V)
}
