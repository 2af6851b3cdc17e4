package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"assay/store/evidence"
)

// advice says what to do about an SQLite result code. Codes decide, never texts.
var advice = map[int]string{
	sqlite3.SQLITE_FULL:     "the disk is full; free space and run the same command again, what was reported as kept is kept",
	sqlite3.SQLITE_READONLY: "the file cannot be written; check its permissions and those of its folder",
	sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; check that its folder exists and may be written",
	sqlite3.SQLITE_NOTADB:   "the file is not an archive; name another file with --db",
	sqlite3.SQLITE_CORRUPT:  "the file is damaged; keep a copy of it and restore a backup",
	sqlite3.SQLITE_BUSY:     "another process is writing to the archive; wait for it and try again",
	sqlite3.SQLITE_IOERR:    "the disk reports an error; check it, then run 'assay verify'",
	sqlite3.SQLITE_PERM:     "access was refused; check the permissions of the file and its folder",
	sqlite3.SQLITE_TOOBIG:   "a value is larger than a database cell may be",
}

// fail wraps err with the archive's path, the step that failed and what to do. A nil
// error stays nil.
func (a *Archive) fail(step string, err error) error {
	if err == nil {
		return nil
	}
	var caller *callerError
	if errors.As(err, &caller) {
		return caller.err
	}
	var mendable *mendableError
	if errors.As(err, &mendable) {
		return mendable
	}
	if errors.Is(err, evidence.ErrNotFound) || errors.Is(err, evidence.ErrAmbiguous) {
		return err // an answer, not a failure
	}
	var refused *evidence.RepairError
	if errors.As(err, &refused) {
		return err // the same
	}
	var wrapped *stepError
	if errors.As(err, &wrapped) && wrapped.path == a.path {
		return err // the inner step is the precise one
	}
	return &stepError{path: a.path, step: step, err: err}
}

// mendableError is a refusal of what somebody asked for: it is no fault of the archive, and
// they can mend it.
type mendableError struct{ err error }

func (e *mendableError) Error() string { return e.err.Error() }
func (e *mendableError) Unwrap() error { return e.err }

// Caller says that pages may show the error word for word.
func (e *mendableError) Caller() bool { return true }

// stepError is an error of one step on one archive.
type stepError struct {
	path, step string
	err        error
}

func (e *stepError) Error() string {
	if hint, ok := advice[primaryCode(e.err)]; ok {
		return fmt.Sprintf("archive %s: %s: %s (%v)", e.path, e.step, hint, e.err)
	}
	return fmt.Sprintf("archive %s: %s: %v", e.path, e.step, e.err)
}

func (e *stepError) Unwrap() error { return e.err }

// primaryCode is the SQLite result code behind err without its extension, 0 when
// there is none.
func primaryCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func isBusy(err error) bool { return primaryCode(err) == sqlite3.SQLITE_BUSY }

// retryBusy repeats f while another process holds the file: the switch to the
// write-ahead log does not wait on its own.
func (a *Archive) retryBusy(ctx context.Context, f func() error) error {
	deadline := time.Now().Add(busyWait)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		err := f()
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// isDamage tells a broken file from a query that could not run.
func isDamage(err error) bool {
	switch primaryCode(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}
