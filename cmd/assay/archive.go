package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/mod/sumdb/note"

	"assay/store"
	"assay/store/compare"
	"assay/store/keyring"
)

// open opens the archive, which is made when it does not exist.
func (r *root) open(ctx context.Context) (*store.Archive, error) {
	server, err := r.ring().Server(serverKeyName, rand.Reader)
	opt := store.Options{Now: r.env.Now, Same: compare.SameMeaning}
	switch {
	case err == nil:
		opt.Signers, opt.Verifier = []note.Signer{server.Signer}, server.Verifier
	case r.keys == "" && errors.Is(err, fs.ErrNotExist): // the archive's own folder is not there: opening it says so
	default:
		return nil, err
	}
	return store.Open(ctx, r.db, opt)
}

// serverKeyName is what checkpoints call the key of the archive.
const serverKeyName = "assay-archive"

// ring is the folder of keys that belongs to the archive.
func (r *root) ring() *keyring.Ring {
	dir := r.keys
	if dir == "" {
		dir = r.db + ".keys"
	}
	return keyring.New(dir)
}

// openExisting opens an archive that a command only makes sense for when it is there.
func (r *root) openExisting(ctx context.Context) (*store.Archive, error) {
	if err := r.exists(); err != nil {
		return nil, err
	}
	return r.open(ctx)
}

func (r *root) exists() error {
	if _, err := os.Stat(r.db); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("archive %s: does not exist; make it with \"assay --db %s ingest PATH...\", or name another with --db", r.db, r.db)
	}
	return nil
}

// inspect opens an archive as it is found: nothing is signed and no key is made, so that
// what somebody appended does not get a signature from being looked at.
func (r *root) inspect(ctx context.Context) (*store.Archive, error) {
	if err := r.exists(); err != nil {
		return nil, err
	}
	return store.Open(ctx, r.db, store.Options{Now: r.env.Now, Same: compare.SameMeaning})
}

// closing closes the archive and keeps the first error.
func closing(a *store.Archive, err *error) {
	if cerr := a.Close(); *err == nil {
		*err = cerr
	}
}
