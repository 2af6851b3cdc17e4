package store

import (
	"context"
	"database/sql"
)

// snapshotKey is where a context carries the read transaction of an archive.
type snapshotKey struct{ a *Archive }

// Snapshot runs f with a context in which every query of this archive sees one and
// the same state, so that the numbers of a page belong together. The queries follow
// each other; the context is of no use once f has returned.
func (a *Archive) Snapshot(ctx context.Context, f func(ctx context.Context) error) error {
	if _, inside := ctx.Value(snapshotKey{a}).(*sql.Tx); inside {
		return f(ctx)
	}
	var err error
	opened := a.read(ctx, "open a snapshot", func(tx *sql.Tx) error {
		err = f(context.WithValue(ctx, snapshotKey{a}, tx))
		return nil
	})
	if err != nil {
		return err
	}
	return opened
}

// read runs f in one read transaction: everything it sees is one snapshot.
func (a *Archive) read(ctx context.Context, step string, f func(*sql.Tx) error) error {
	if tx, inside := ctx.Value(snapshotKey{a}).(*sql.Tx); inside {
		return a.fail(step, f(tx))
	}
	tx, err := a.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return a.fail(step, err)
	}
	defer tx.Rollback() // nothing was written; this only ends the snapshot
	return a.fail(step, f(tx))
}

// callerError is an error of a function that rows were handed to. It goes back as it
// came: it is no fault of the archive.
type callerError struct{ err error }

func (e *callerError) Error() string { return e.err.Error() }

// passing marks the errors of a caller's function.
func passing[T any](each func(T) error) func(T) error {
	return func(v T) error {
		if err := each(v); err != nil {
			return &callerError{err}
		}
		return nil
	}
}
