package store

import (
	"context"
	"database/sql"
	"fmt"

	"assay/store/evidence"
)

// maxNotLifted is how many numbers that were not lifted a document's detail carries.
const maxNotLifted = 5000

// EachDocument streams documents with their runs and what was not lifted from them, one
// document at a time, in one snapshot.
func (a *Archive) EachDocument(ctx context.Context, f evidence.Filter, each func(evidence.DocumentDetail) error) error {
	each = passing(each)
	return a.read(ctx, "list documents", func(tx *sql.Tx) error {
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		c := &clauses{}
		c.documents(f)
		rows, err := tx.QueryContext(ctx, documentQuery+c.sql()+documentOrder+" LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			head, err := scanDocument(rows)
			if err != nil {
				return err
			}
			d := evidence.DocumentDetail{DocumentRow: head.row}
			if err := loadDocumentDetail(ctx, tx, o, head.owner, &d); err != nil {
				return fmt.Errorf("document %s of %s: %w", d.Root, d.Artifact.Short(), err)
			}
			if err := each(d); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// loadDocumentDetail adds what hangs on one document. What people say of the document
// stands in the facts of its runs.
func loadDocumentDetail(ctx context.Context, tx *sql.Tx, o *overlay, id int64, d *evidence.DocumentDetail) error {
	facts, err := factsOf(ctx, tx, 0, []int64{id})
	if err != nil {
		return err
	}
	for _, f := range facts[id] {
		f.Source, f.Campaign = d.Source, d.Campaign.ID
		d.Facts = append(d.Facts, f)
	}
	if d.Gates, err = gateRows.of(ctx, tx, id, -1); err != nil {
		return err
	}
	if d.Notes, err = noteRows.of(ctx, tx, id, -1); err != nil {
		return err
	}
	if d.Decisions, err = decisionRows.of(ctx, tx, id, -1); err != nil {
		return err
	}
	if d.NotLifted, err = notLiftedRows.of(ctx, tx, id, maxNotLifted); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "SELECT id FROM run WHERE document_id = ? ORDER BY id", id)
	if err != nil {
		return err
	}
	ids, err := integers(rows)
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM run r JOIN sample s ON s.run_id = r.id WHERE r.document_id = ?)", id).Scan(&d.Samples); err != nil {
		return err
	}
	d.RunRows, err = loadRuns(ctx, tx, o, ids, true)
	return err
}

// of reads the rows of one document.
func (p *prose[T]) of(ctx context.Context, tx *sql.Tx, document int64, limit int) ([]T, error) {
	rows, err := tx.QueryContext(ctx, "SELECT d.id, "+sourceColumns+", "+p.columns+" FROM document d CROSS JOIN "+p.table+
		" x ON x.document_id = d.id WHERE d.id = ? ORDER BY x.ordinal LIMIT ?", document, limit)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (T, error) {
		o, err := p.scan(rows)
		return o.row, err
	})
}
