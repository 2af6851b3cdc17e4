package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
	"assay/web"
)

// uploads takes in what comes over HTTP. Bodies are received side by side, as slowly as
// their senders are; their reading is one at a time, since it is bounded in memory for
// one artifact.
type uploads struct {
	archive *store.Archive
	max     int64
	now     func() time.Time
	reading chan struct{}
}

func newUploads(archive *store.Archive, max int64, now func() time.Time) *uploads {
	return &uploads{archive: archive, max: max, now: now, reading: make(chan struct{}, 1)}
}

// Take takes one file in. Nothing is kept of a body that does not come to its end.
func (u *uploads) Take(ctx context.Context, up web.Upload) (evidence.Taken, error) {
	turn := &turn{ctx: ctx, reading: u.reading, r: up.Body}
	defer turn.end()
	report, err := ingest.Take(ctx, u.archive, []ingest.Source{ingest.Stream(up.Name, "http", turn)}, ingest.Options{
		Campaign: up.Campaign, MaxInput: u.max, NoResume: true, Now: u.now,
	})
	if len(report.Files) == 0 {
		return evidence.Taken{}, err
	}
	return evidence.Taken(report.Files[0]), err
}

// turn passes a body on and waits at its end for the turn to be read.
type turn struct {
	ctx     context.Context
	reading chan struct{}
	r       io.Reader

	mu          sync.Mutex
	held, ended bool
}

func (t *turn) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if errors.Is(err, io.EOF) {
		if waitErr := t.begin(); waitErr != nil {
			return 0, waitErr
		}
	}
	return n, err
}

func (t *turn) begin() error {
	t.mu.Lock()
	has := t.held
	t.mu.Unlock()
	if has {
		return nil
	}
	select {
	case t.reading <- struct{}{}:
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended { // nobody waits for this body any more
		<-t.reading
		return context.Canceled
	}
	t.held = true
	return nil
}

// end passes the turn on.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended = true; t.held {
		t.held = false
		<-t.reading
	}
}
