package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"assay/store"
	"assay/store/compare"
)

// open opens the archive, which is made when it does not exist.
func (r *root) open(ctx context.Context) (*store.Archive, error) {
	return store.Open(ctx, r.db, store.Options{Now: r.env.Now, Same: compare.SameMeaning})
}

// openExisting opens an archive that a command only makes sense for when it is there.
func (r *root) openExisting(ctx context.Context) (*store.Archive, error) {
	if _, err := os.Stat(r.db); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("archive %s: does not exist; make it with \"assay --db %s ingest PATH...\", or name another with --db", r.db, r.db)
	}
	return r.open(ctx)
}

// closing closes the archive and keeps the first error.
func closing(a *store.Archive, err *error) {
	if cerr := a.Close(); *err == nil {
		*err = cerr
	}
}
