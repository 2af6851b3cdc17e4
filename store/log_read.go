package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"assay/store/evidence"
	"assay/store/signoff"
)

// LogSize is how many records the log has.
func (a *Archive) LogSize(ctx context.Context) (size int64, err error) {
	err = a.read(ctx, "size of the log", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT coalesce(max(n) + 1, 0) FROM log_record").Scan(&size)
	})
	return size, err
}

// LogRecords lists records, the latest first, and counts all that fit.
func (a *Archive) LogRecords(ctx context.Context, f signoff.LogFilter) ([]signoff.Entry, int, error) {
	var list []signoff.Entry
	total := 0
	err := a.read(ctx, "list the log", func(tx *sql.Tx) error {
		c := &clauses{}
		if f.Kind != "" {
			c.add("kind = ?", string(f.Kind))
		}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM log_record"+c.sql(), c.args...).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "SELECT n, kind, body FROM log_record"+c.sql()+" ORDER BY n DESC LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		list, err = collect(rows, scanEntry)
		return err
	})
	return list, total, err
}

func scanEntry(rows *sql.Rows) (signoff.Entry, error) {
	var e signoff.Entry
	return e, rows.Scan(&e.Index, &e.Kind, &e.Body)
}

// LogRecord is one record with the proof that it stands in the log of the latest
// checkpoint.
func (a *Archive) LogRecord(ctx context.Context, n int64) (signoff.Proved, error) {
	var p signoff.Proved
	err := a.read(ctx, "read the log", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT n, kind, body FROM log_record WHERE n = ?", n)
		if err != nil {
			return err
		}
		list, err := collect(rows, scanEntry)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("record %d: %w in the log", n, evidence.ErrNotFound)
		}
		p.Entry = list[0]
		if p.Signed, err = latestCheckpoint(ctx, tx); err != nil {
			return err
		}
		if p.Signed.Size <= n {
			return nil // it was appended by a program without a key: nothing covers it yet
		}
		p.Proof, err = tlog.ProveRecord(p.Signed.Size, n, logHashes(ctx, tx))
		return err
	})
	return p, err
}

// LatestCheckpoint is the newest signed checkpoint; its note is empty when there is none.
func (a *Archive) LatestCheckpoint(ctx context.Context) (c signoff.Signed, err error) {
	err = a.read(ctx, "read the checkpoint", func(tx *sql.Tx) error {
		c, err = latestCheckpoint(ctx, tx)
		return err
	})
	return c, err
}

func latestCheckpoint(ctx context.Context, tx *sql.Tx) (c signoff.Signed, err error) {
	err = tx.QueryRowContext(ctx, "SELECT size, note FROM checkpoint ORDER BY size DESC, id DESC LIMIT 1").Scan(&c.Size, &c.Note)
	if errors.Is(err, sql.ErrNoRows) {
		return signoff.Signed{}, nil
	}
	return c, err
}

// LogPrefix proves that the log of an old size is the beginning of a newer one.
func (a *Archive) LogPrefix(ctx context.Context, old, now int64) (proof tlog.TreeProof, err error) {
	if old < 1 || now < old {
		return nil, nil
	}
	err = a.read(ctx, "prove the log", func(tx *sql.Tx) error {
		var size int64
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(n) + 1, 0) FROM log_record").Scan(&size); err != nil {
			return err
		}
		if now > size {
			return fmt.Errorf("the log has %d records, not %d: %w", size, now, evidence.ErrNotFound)
		}
		proof, err = tlog.ProveTree(now, old, logHashes(ctx, tx))
		return err
	})
	return proof, err
}

// logHashes reads stored hashes in one transaction.
func logHashes(ctx context.Context, tx *sql.Tx) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, idx := range indexes {
			var raw []byte
			if err := tx.QueryRowContext(ctx, "SELECT hash FROM log_hash WHERE idx = ?", idx).Scan(&raw); err != nil {
				return nil, fmt.Errorf("hash %d of the log: %w", idx, err)
			}
			if len(raw) != tlog.HashSize {
				return nil, fmt.Errorf("hash %d of the log has %d bytes", idx, len(raw))
			}
			out[i] = tlog.Hash(raw)
		}
		return out, nil
	})
}
