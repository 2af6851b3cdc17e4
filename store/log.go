package store

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"assay/store/signoff"
)

// logTail is the log inside one write transaction: its length and the hashes that were
// appended or looked up so far.
type logTail struct {
	w        *writing
	size     int64
	appended int
	hashes   map[int64]tlog.Hash
}

// record appends a record to the log, in the same transaction as the row it speaks of.
// subject is the id of that row.
func (w *writing) record(subject int64, r signoff.Record) (index int64, err error) {
	if w.unlogged {
		return 0, nil
	}
	if w.log == nil {
		if w.log, err = w.logTail(); err != nil {
			return 0, fmt.Errorf("log: %w", err)
		}
	}
	index, err = w.log.append(subject, r)
	if err != nil {
		return 0, fmt.Errorf("log: %w", err)
	}
	return index, nil
}

func (w *writing) logTail() (*logTail, error) {
	t := &logTail{w: w, hashes: map[int64]tlog.Hash{}}
	return t, w.scan("SELECT coalesce(max(n) + 1, 0) FROM log_record", nil, &t.size)
}

// append adds one record with the hashes that it completes.
func (t *logTail) append(subject int64, r signoff.Record) (int64, error) {
	n, body := t.size, r.Bytes()
	hashes, err := tlog.StoredHashes(n, body, tlog.HashReaderFunc(t.read))
	if err != nil {
		return 0, err
	}
	if err := t.w.exec("INSERT INTO log_record (n, kind, subject, body) VALUES (?, ?, ?, ?)", n, string(r.Kind), subject, body); err != nil {
		return 0, err
	}
	first := tlog.StoredHashIndex(0, n)
	for i, h := range hashes {
		if err := t.w.exec("INSERT INTO log_hash (idx, hash) VALUES (?, ?)", first+int64(i), h[:]); err != nil {
			return 0, err
		}
		t.hashes[first+int64(i)] = h
	}
	t.size++
	t.appended++
	return n, nil
}

// read gives stored hashes; those that were read once are not read again.
func (t *logTail) read(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, idx := range indexes {
		h, ok := t.hashes[idx]
		if !ok {
			var raw []byte
			if err := t.w.scan("SELECT hash FROM log_hash WHERE idx = ?", []any{idx}, &raw); err != nil {
				return nil, fmt.Errorf("hash %d: %w", idx, err)
			}
			if len(raw) != tlog.HashSize {
				return nil, fmt.Errorf("hash %d has %d bytes", idx, len(raw))
			}
			h = tlog.Hash(raw)
			t.hashes[idx] = h
		}
		out[i] = h
	}
	return out, nil
}

// checkpoint signs how long the log is now. Without a signer there is none: whoever opens
// the archive next with a key signs.
func (w *writing) checkpoint(signers ...note.Signer) error {
	t := w.log
	if t == nil || t.appended == 0 || len(signers) == 0 {
		return nil
	}
	return w.sign(t, signers)
}

func (w *writing) sign(t *logTail, signers []note.Signer) error {
	c := signoff.Checkpoint{Size: t.size}
	var err error
	if c.Origin, err = w.origin(); err != nil {
		return err
	}
	if c.Root, err = tlog.TreeHash(t.size, tlog.HashReaderFunc(t.read)); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	signed, err := signoff.SignCheckpoint(c, signers...)
	if err != nil {
		return err
	}
	return w.exec("INSERT INTO checkpoint (size, note) VALUES (?, ?)", t.size, signed)
}

// origin is the name of this archive's log, which it gets with its first record.
func (w *writing) origin() (string, error) {
	var name string
	err := w.scan("SELECT origin FROM log_identity WHERE id = 1", nil, &name)
	if !errors.Is(err, sql.ErrNoRows) {
		return name, err
	}
	var raw [8]byte
	_, _ = rand.Read(raw[:]) // never fails
	name = signoff.Origin(hex.EncodeToString(raw[:]))
	return name, w.exec("INSERT INTO log_identity (id, origin, made_us) VALUES (1, ?, ?)", name, w.us)
}
