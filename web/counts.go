package web

import (
	"context"
	"sync"
	"time"

	"assay/store/evidence"
)

// recentFor is how long what the footer says may be old. It stands on every page, and
// counts every table, so it is not asked for every time.
const recentFor = 2 * time.Second

// recent keeps the last answer to a question.
type recent[T any] struct {
	mu    sync.Mutex
	at    time.Time
	value T
	known bool
}

// get is the last answer, or none when there never was one.
func (k *recent[T]) get(ctx context.Context, s *Server, what string, ask func(context.Context) (T, error)) evidence.Opt[T] {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := s.cfg.Now()
	if !k.known || now.Sub(k.at) >= recentFor || now.Before(k.at) {
		v, err := ask(ctx)
		if err != nil {
			s.cfg.Log.Warn(what, "error", err.Error())
		} else {
			k.value, k.at, k.known = v, now, true
		}
	}
	return evidence.Opt[T]{V: k.value, OK: k.known}
}
