package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Backup writes a compact copy of the archive, as of one moment, to a new file. It
// refuses to write over anything, and a copy that was cut short never carries the
// final name.
//
// Note: an archive is never copied as a file. The newest rows live in the write-ahead
// log beside it.
func (a *Archive) Backup(ctx context.Context, out string) error {
	if _, err := os.Lstat(out); err == nil {
		return fmt.Errorf("backup %s: the file exists; name a new one", out)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("backup %s: %w", out, err)
	}
	part := out + ".partial"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("backup %s: %s is left of an earlier backup; remove it first", out, part)
	}
	if err != nil {
		return fmt.Errorf("backup %s: %w", out, err)
	}
	defer os.Remove(part)
	if err := f.Close(); err != nil {
		return fmt.Errorf("backup %s: %w", out, err)
	}
	if err := a.vacuumInto(ctx, part); err != nil {
		return a.fail("backup to "+out, err)
	}
	if err := publish(part, out); err != nil {
		return fmt.Errorf("backup %s: %w", out, err)
	}
	return nil
}

// vacuumInto copies over a connection of its own, so that intake goes on meanwhile.
func (a *Archive) vacuumInto(ctx context.Context, part string) error {
	q := shared()
	q.Set("mode", "rw") // a read-only connection may not write the copy either
	db, err := sql.Open("sqlite", fileURL(a.abs, q))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", part)
	return errors.Join(err, db.Close())
}

// publish flushes a finished file to disk and gives it its name, unless somebody took
// the name in the meantime.
func publish(part, out string) error {
	f, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	err = os.Link(part, out)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Rename(part, out) // a file system without hard links
}
