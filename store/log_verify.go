package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"assay/store/signoff"
)

// LogReport is what a verification of the log found.
type LogReport struct {
	Origin      string
	Records     int64
	Hashes      int64
	Checkpoints int64
	Unsigned    int64 // records behind the last checkpoint
	Rows        int64 // rows that were held against their records
	Faults      []LogFault
	More        int64 // faults beyond the bound of the list
	Latest      signoff.Signed
}

// LogFault is one thing that does not hold.
type LogFault struct {
	What   string // "record", "hash", "checkpoint", "row", "key"
	Index  int64  // of the record; -1 when it is about none
	Detail string
}

const mostLogFaults = 1000

func (r *LogReport) fault(what string, index int64, format string, args ...any) {
	if len(r.Faults) >= mostLogFaults {
		r.More++
		return
	}
	r.Faults = append(r.Faults, LogFault{what, index, fmt.Sprintf(format, args...)})
}

// VerifyLog makes every hash of the log again from its records, holds every checkpoint
// against them, every record against the row it speaks of, and every row that needs a
// record against the log. All is read from one snapshot.
func (a *Archive) VerifyLog(ctx context.Context) (*LogReport, error) {
	r := &LogReport{}
	err := a.read(ctx, "verify the log", func(tx *sql.Tx) error {
		v := &logVerifier{ctx: ctx, tx: tx, report: r}
		for _, step := range []func() error{v.identity, v.records, v.leftovers, v.checkpoints, v.rows, v.names, v.waiverTexts, v.people} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	return r, err
}

type logVerifier struct {
	ctx    context.Context
	tx     *sql.Tx
	report *LogReport
	hashes []tlog.Hash // as made again, in the order of storage
	origin string
	keyed  bool // the log names keys that sign it
}

func (v *logVerifier) identity() error {
	rows, err := v.tx.QueryContext(v.ctx, "SELECT origin FROM log_identity")
	if err != nil {
		return err
	}
	list, err := texts(rows)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		v.origin = list[0]
	}
	v.report.Origin = v.origin
	return nil
}

// records reads all records in order and makes the hashes again.
func (v *logVerifier) records() error {
	rows, err := v.tx.QueryContext(v.ctx, "SELECT n, kind, body FROM log_record ORDER BY n")
	if err != nil {
		return err
	}
	defer rows.Close()
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, idx := range indexes {
			out[i] = v.hashes[idx]
		}
		return out, nil
	})
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return err
		}
		n := v.report.Records
		if e.Index != n {
			v.report.fault("record", n, "is not there: record %d follows %d", e.Index, n-1)
			return nil // nothing behind a gap can be placed
		}
		made, err := tlog.StoredHashes(n, e.Body, reader)
		if err != nil {
			return err
		}
		v.hashes = append(v.hashes, made...)
		v.report.Records++
		record, err := signoff.ParseRecord(e.Body)
		switch {
		case err != nil:
			v.report.fault("record", n, "%v", err)
		case record.Kind != e.Kind:
			v.report.fault("record", n, "is filed as %q and says %q", e.Kind, record.Kind)
		}
	}
	return rows.Err()
}

// leftovers holds the stored hashes against those made again.
func (v *logVerifier) leftovers() error {
	rows, err := v.tx.QueryContext(v.ctx, "SELECT idx, hash FROM log_hash ORDER BY idx")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var idx int64
		var raw []byte
		if err := rows.Scan(&idx, &raw); err != nil {
			return err
		}
		want := v.report.Hashes
		if idx >= int64(len(v.hashes)) || !bytes.Equal(raw, v.hashes[idx][:]) || idx != want {
			v.report.fault("hash", -1, "hash %d of the tree is not what the records give", idx)
		}
		v.report.Hashes++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if v.report.Hashes != int64(len(v.hashes)) {
		v.report.fault("hash", -1, "%d hashes are stored, %d records have %d", v.report.Hashes, v.report.Records, len(v.hashes))
	}
	return nil
}

// reader gives the hashes made again, never those that are stored.
func (v *logVerifier) reader() tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, idx := range indexes {
			if idx < 0 || idx >= int64(len(v.hashes)) {
				return nil, fmt.Errorf("hash %d is not there", idx)
			}
			out[i] = v.hashes[idx]
		}
		return out, nil
	})
}

// keys are the public halves that the log itself names as the server's.
func (v *logVerifier) keys() (note.Verifiers, error) {
	rows, err := v.tx.QueryContext(v.ctx, "SELECT verifier FROM server_key ORDER BY id")
	if err != nil {
		return nil, err
	}
	list, err := texts(rows)
	if err != nil {
		return nil, err
	}
	v.keyed = len(list) > 0
	var known []note.Verifier
	for _, text := range list {
		k, err := note.NewVerifier(text)
		if err != nil {
			v.report.fault("key", -1, "a public key of the server cannot be read: %v", err)
			continue
		}
		known = append(known, k)
	}
	return note.VerifierList(known...), nil
}

func (v *logVerifier) checkpoints() error {
	known, err := v.keys()
	if err != nil {
		return err
	}
	rows, err := v.tx.QueryContext(v.ctx, "SELECT size, note FROM checkpoint ORDER BY size, id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var s signoff.Signed
		if err := rows.Scan(&s.Size, &s.Note); err != nil {
			return err
		}
		v.report.Checkpoints++
		v.report.Latest = s
		v.checkpoint(s, known)
	}
	v.report.Unsigned = v.report.Records - v.report.Latest.Size
	if v.keyed && v.report.Unsigned > 0 {
		v.report.fault("checkpoint", -1, "the last one covers %d of %d records: a program without the server's key appended the others", v.report.Latest.Size, v.report.Records)
	}
	return rows.Err()
}

func (v *logVerifier) checkpoint(s signoff.Signed, known note.Verifiers) {
	c, n, err := signoff.OpenCheckpoint(s.Note, known)
	switch {
	case err != nil:
		v.report.fault("checkpoint", -1, "of %d records: %v", s.Size, err)
		return
	case len(n.UnverifiedSigs) > 0:
		v.report.fault("checkpoint", -1, "of %d records has a signature by a key that is not the server's", s.Size)
	case c.Origin != v.origin:
		v.report.fault("checkpoint", -1, "of %d records is of another log: %s", s.Size, c.Origin)
		return
	case c.Size != s.Size:
		v.report.fault("checkpoint", -1, "is filed under %d records and says %d", s.Size, c.Size)
		return
	case c.Size > v.report.Records:
		v.report.fault("checkpoint", -1, "of %d records, and the log has %d: records are missing", c.Size, v.report.Records)
		return
	}
	if root, err := tlog.TreeHash(c.Size, v.reader()); err != nil || root != c.Root {
		v.report.fault("checkpoint", -1, "the log of %d records does not have the hash that was signed", c.Size)
	}
}

// CheckOld proves that the log of an old checkpoint, which left this machine, is the
// beginning of the log of today. The signatures are checked against the server's keys,
// or against pinned ones when there are any.
func (a *Archive) CheckOld(ctx context.Context, signed []byte, pinned note.Verifiers) (old, now signoff.Checkpoint, err error) {
	err = a.read(ctx, "check a checkpoint", func(tx *sql.Tx) error {
		v := &logVerifier{ctx: ctx, tx: tx, report: &LogReport{}}
		known := pinned
		if known == nil {
			if known, err = v.keys(); err != nil {
				return err
			}
		}
		if old, _, err = signoff.OpenCheckpoint(signed, known); err != nil {
			return err
		}
		if err := v.identity(); err != nil {
			return err
		}
		if err := v.records(); err != nil {
			return err
		}
		now = signoff.Checkpoint{Origin: v.origin, Size: v.report.Records}
		if now.Root, err = tlog.TreeHash(now.Size, v.reader()); err != nil {
			return err
		}
		var proof tlog.TreeProof
		if old.Size > 0 && old.Size < now.Size {
			if proof, err = tlog.ProveTree(now.Size, old.Size, v.reader()); err != nil {
				return err
			}
		}
		return signoff.CheckPrefix(old, now, proof)
	})
	return old, now, err
}
