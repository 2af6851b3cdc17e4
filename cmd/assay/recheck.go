package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"assay/store"
)

// recheckEvery is how soon a server notices that a sign-off turned stale.
const recheckEvery = 10 * time.Second

// recheckBeside holds sign-offs against the archive whenever something moved, as long as
// the server runs; stop ends it. A failure is told once and leaves the server up: pages
// look again themselves.
func (r *root) recheckBeside(ctx context.Context, archive *store.Archive, log io.Writer) (stop func()) {
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	desk := r.desk(archive)
	go func() {
		defer close(done)
		tick := time.NewTicker(recheckEvery)
		defer tick.Stop()
		told := ""
		for {
			_, err := desk.Recheck(ctx)
			if err != nil && !errors.Is(err, context.Canceled) && err.Error() != told {
				told = err.Error()
				fmt.Fprintf(log, "assay: checks of sign-offs: %s\n", oneLine(told))
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
