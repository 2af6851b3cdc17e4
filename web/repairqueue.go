package web

import (
	"context"
	"encoding/hex"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

const (
	queueWait = 4 * time.Second // a page waits for the queue to be counted
	queueTime = 10 * time.Minute
)

// backlog keeps the queue of the archive's last state. It judges every pair of runs that
// something keeps apart, which takes a while in a large archive: one count runs at a
// time, and pages wait for it a moment.
type backlog struct {
	mu      sync.Mutex
	of      queueState
	items   []evidence.QueueItem
	bounded string
	err     error
	known   bool
	going   chan struct{} // closed when the count in hand ends; nil when there is none
}

// queueState tells states of the archive apart in which the queue may differ.
type queueState struct {
	artifacts, arrivals, runs int64
	repairs, holding          int
}

func (s *Server) queueState(ctx context.Context) (q queueState, err error) {
	err = s.cfg.Archive.Snapshot(ctx, func(ctx context.Context) error {
		c, err := s.cfg.Archive.Counts(ctx)
		if err != nil {
			return err
		}
		q.artifacts, q.arrivals, q.runs = c.Artifacts, c.Arrivals, c.Runs
		if _, q.repairs, err = s.cfg.Repairs.Repairs(ctx, evidence.RepairFilter{Limit: 1}); err != nil {
			return err
		}
		_, q.holding, err = s.cfg.Repairs.Repairs(ctx, evidence.RepairFilter{Limit: 1, Holds: true})
		return err
	})
	return q, err
}

// queue is what waits for a repair. When it is not counted yet it is not whole.
func (s *Server) queue(ctx context.Context) (items []evidence.QueueItem, bounded string, whole bool, err error) {
	state, err := s.queueState(ctx)
	if err != nil {
		return nil, "", false, err
	}
	b := &s.backlog
	b.mu.Lock()
	if b.known && b.of == state {
		defer b.mu.Unlock()
		return b.items, b.bounded, true, b.err
	}
	if b.going == nil {
		b.going = make(chan struct{})
		go s.countQueue(context.WithoutCancel(ctx), state, b.going)
	}
	going := b.going
	b.mu.Unlock()
	select {
	case <-going:
	case <-time.After(queueWait):
		return nil, "", false, nil
	case <-ctx.Done():
		return nil, "", false, ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.items, b.bounded, b.known, b.err
}

func (s *Server) countQueue(ctx context.Context, state queueState, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, queueTime)
	defer cancel()
	q := compare.NewBacklog(compare.QueueBounds{})
	err := s.cfg.Repairs.EachMeasuredRun(ctx, evidence.Filter{}, func(r evidence.RunRow) error {
		q.Add(&r)
		return nil
	})
	var items []evidence.QueueItem
	if err == nil {
		items = q.Items()
	} else {
		s.cfg.Log.Error("repair queue", "error", err.Error())
	}
	b := &s.backlog
	b.mu.Lock()
	defer b.mu.Unlock()
	b.of, b.items, b.bounded, b.err, b.known, b.going = state, items, q.Bounded(), err, err == nil, nil
	close(done)
}

// readQueue is the page of the queue.
func (s *Server) readQueue(c echo.Context, n int) (view.Queue, error) {
	items, bounded, whole, err := s.queue(c.Request().Context())
	if err != nil {
		return view.Queue{}, err
	}
	return view.BuildQueue(items, bounded, whole, n, s.mayWrite(c, account.MayRepair)), nil
}

// repairQueue is what waits for a repair, what opens most comparisons first.
func (s *Server) repairQueue(c echo.Context) error {
	n, err := pageParam(c, "page")
	if err != nil {
		return err
	}
	v, err := s.readQueue(c, n)
	if err != nil {
		return err
	}
	return s.render(c, page.Queue(s.repairChrome(c, "Repair"), v))
}

func (s *Server) repairQueueTable(c echo.Context) error {
	v, err := s.readQueue(c, 1)
	if err != nil {
		return err
	}
	return s.table(c, "repair-queue", v.Table())
}

// hexOf writes any text so that a cookie can hold it.
func hexOf(s string) string { return hex.EncodeToString([]byte(s)) }

func unhex(s string) string {
	b, err := hex.DecodeString(s)
	if err != nil || !utf8.Valid(b) {
		return ""
	}
	return string(b)
}
