package store

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

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
	records  waiting
	nodes    waiting // hashes
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
	t := &logTail{w: w, hashes: map[int64]tlog.Hash{},
		records: waiting{table: "log_record (n, kind, subject, body)", width: 4}, nodes: waiting{table: "log_hash (idx, hash)", width: 2}}
	return t, w.scan("SELECT coalesce(max(n) + 1, 0) FROM log_record", nil, &t.size)
}

// append adds one record with the hashes that it completes.
func (t *logTail) append(subject int64, r signoff.Record) (int64, error) {
	n, body := t.size, r.Bytes()
	hashes, err := tlog.StoredHashes(n, body, tlog.HashReaderFunc(t.read))
	if err != nil {
		return 0, err
	}
	t.records.rows = append(t.records.rows, n, string(r.Kind), subject, body)
	first := tlog.StoredHashIndex(0, n)
	for i, h := range hashes {
		t.nodes.rows = append(t.nodes.rows, first+int64(i), h[:])
		t.hashes[first+int64(i)] = h
	}
	t.size++
	t.appended++
	return n, t.flush(r.Kind == signoff.RecordArtifact || r.Kind == signoff.RecordArrival)
}

// waiting are rows of one table that one statement will write: many at a time cost a
// fraction of one by one, and an intake appends many.
type waiting struct {
	table string
	width int
	rows  []any // width values a row
}

// rowsWaiting is how many rows one statement writes.
const rowsWaiting = 64

func (x *waiting) insertSQL(rows int) string {
	row := "(?" + strings.Repeat(", ?", x.width-1) + ")"
	return "INSERT INTO " + x.table + " VALUES " + row + strings.Repeat(", "+row, rows-1)
}

// flush writes full statements, and the rest one by one unless more is to come.
func (x *waiting) flush(w *writing, more bool) error {
	rows := x.rows
	for ; len(rows) >= rowsWaiting*x.width; rows = rows[rowsWaiting*x.width:] {
		if err := w.exec(x.insertSQL(rowsWaiting), rows[:rowsWaiting*x.width]...); err != nil {
			return err
		}
	}
	for ; !more && len(rows) > 0; rows = rows[x.width:] {
		if err := w.exec(x.insertSQL(1), rows[:x.width]...); err != nil {
			return err
		}
	}
	x.rows = x.rows[:copy(x.rows, rows)]
	return nil
}

// flush writes what waits. What an intake appends is read by nobody before its
// transaction ends, so it may wait for more; what people do is there at once.
func (t *logTail) flush(more bool) error {
	if more && len(t.nodes.rows) < rowsWaiting*t.nodes.width && len(t.records.rows) < rowsWaiting*t.records.width {
		return nil
	}
	if err := t.records.flush(t.w, more); err != nil {
		return err
	}
	return t.nodes.flush(t.w, more)
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

// checkpoint ends the log's part of a transaction: it writes what waits and signs how long
// the log is now. Without a signer there is no checkpoint: whoever opens the archive next
// with a key signs.
func (w *writing) checkpoint(signers ...note.Signer) error {
	t := w.log
	if t == nil {
		return nil
	}
	if err := t.flush(false); err != nil {
		return err
	}
	if t.appended == 0 || len(signers) == 0 {
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
