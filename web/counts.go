package web

import (
	"context"
	"sync"
	"time"

	"assay/store/evidence"
)

// countsFor is how long the counts in the footer may be old. They stand on every
// page and count every table, so they are not asked for every time.
const countsFor = 2 * time.Second

// countsCache keeps the last counts.
type countsCache struct {
	mu    sync.Mutex
	at    time.Time
	value evidence.Counts
	known bool
}

// get is the last counts, or none when the archive never answered.
func (k *countsCache) get(ctx context.Context, s *Server) evidence.Opt[evidence.Counts] {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := s.cfg.Now()
	if !k.known || now.Sub(k.at) >= countsFor || now.Before(k.at) {
		v, err := s.cfg.Archive.Counts(ctx)
		if err != nil {
			s.cfg.Log.Warn("counts", "error", err.Error())
		} else {
			k.value, k.at, k.known = v, now, true
		}
	}
	return evidence.Opt[evidence.Counts]{V: k.value, OK: k.known}
}
