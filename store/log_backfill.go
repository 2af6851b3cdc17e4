package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

// backfillPage is how many rows without a record are recorded in one transaction.
const backfillPage = 500

// beginLog makes sure that the archive's log has the public half of the key in use, a
// record of every row that a program without a log made, and a checkpoint that covers
// them. It is quick when there is nothing to do, and safe to run in several processes at
// once.
func (a *Archive) beginLog(ctx context.Context) error {
	if err := a.keepServerKey(ctx); err != nil {
		return err
	}
	begun := false
	err := a.read(ctx, "look for the log", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM log_begun)").Scan(&begun)
	})
	if err != nil {
		return err
	}
	if !begun {
		if err := a.backfillLog(ctx); err != nil {
			return err
		}
	}
	return a.coverLog(ctx)
}

// backfillLog records what was kept before there was a log, in the order of its making
// within each kind.
func (a *Archive) backfillLog(ctx context.Context) error {
	for _, fill := range []func(*writing) (bool, error){backfillArtifacts, backfillArrivals, backfillRepairs, backfillWaivers} {
		for more := true; more; {
			err := a.write(ctx, "begin the log", func(w *writing) (err error) {
				more, err = fill(w)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return a.write(ctx, "begin the log", func(w *writing) error {
		if _, err := w.origin(); err != nil {
			return err
		}
		return w.exec("INSERT OR IGNORE INTO log_begun (id, at_us) VALUES (1, ?)", w.us)
	})
}

// unrecorded are the ids of rows without a record of a kind.
func unrecorded(w *writing, query string) ([]int64, error) {
	rows, err := w.query(query, backfillPage)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) })
}

func backfillArtifacts(w *writing) (more bool, err error) {
	ids, err := unrecorded(w, "SELECT id FROM artifact a WHERE NOT EXISTS (SELECT 1 FROM log_record r WHERE r.kind = 'artifact' AND r.subject = a.id) ORDER BY id LIMIT ?")
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		var sum []byte
		var size, at int64
		if err := w.scan("SELECT sha256, size, stored_us FROM artifact WHERE id = ?", []any{id}, &sum, &size, &at); err != nil {
			return false, err
		}
		if _, err := w.record(id, recordOfArtifact(evidence.Digest(sum), size, at)); err != nil {
			return false, err
		}
	}
	return len(ids) == backfillPage, nil
}

func backfillArrivals(w *writing) (more bool, err error) {
	rows, err := w.query(arrivalLines+" WHERE NOT EXISTS (SELECT 1 FROM log_record r WHERE r.kind = 'arrival' AND r.subject = x.id) ORDER BY x.id LIMIT ?", backfillPage)
	if err != nil {
		return false, err
	}
	list, err := collect(rows, scanArrivalLine)
	if err != nil {
		return false, err
	}
	for i := range list {
		if _, err := w.record(list[i].id, list[i].record()); err != nil {
			return false, err
		}
	}
	return len(list) == backfillPage, nil
}

func backfillRepairs(w *writing) (more bool, err error) {
	ids, err := unrecorded(w, "SELECT id FROM repair a WHERE NOT EXISTS (SELECT 1 FROM log_record r WHERE r.kind = 'repair' AND r.subject = a.id) ORDER BY id LIMIT ?")
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		r, err := w.repair(id)
		if err != nil {
			return false, err
		}
		if _, err := w.record(id, recordOfRepair(&r)); err != nil {
			return false, err
		}
		if r.Holds() {
			continue
		}
		if _, err := w.record(id, recordOfRepairWithdrawn(&r)); err != nil {
			return false, err
		}
	}
	return len(ids) == backfillPage, nil
}

func backfillWaivers(w *writing) (more bool, err error) {
	rows, err := w.query("SELECT "+waiverColumns+" FROM waiver a WHERE NOT EXISTS (SELECT 1 FROM log_record r WHERE r.kind = 'waiver' AND r.subject = a.id) ORDER BY id LIMIT ?", backfillPage)
	if err != nil {
		return false, err
	}
	list, err := collect(rows, scanWaiver)
	if err != nil {
		return false, err
	}
	for i := range list {
		if _, err := w.record(list[i].ID, recordOfWaiver(&list[i])); err != nil {
			return false, err
		}
		if list[i].Holds() {
			continue
		}
		if _, err := w.record(list[i].ID, recordOfWaiverWithdrawn(&list[i])); err != nil {
			return false, err
		}
	}
	return len(list) == backfillPage, nil
}
