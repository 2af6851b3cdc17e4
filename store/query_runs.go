package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"assay/store/evidence"
)

// runOrder lists run ids in the order of all lists and exports: campaign, digest,
// document, run. It reads indices only.
const runOrder = `SELECT r.id FROM document d INDEXED BY document_order CROSS JOIN run r ON r.document_id = d.id`

const runOrderBy = " ORDER BY d.campaign, d.sha256, d.ordinal, r.id"

// runClauses narrows runs; a metric narrows to the runs that carry it.
func runClauses(o *overlay, f evidence.Filter) *clauses {
	c := ofRuns(o, f)
	switch {
	case f.Metric != "" && f.Stat != "":
		c.add("EXISTS (SELECT 1 FROM measurement m WHERE m.run_id = r.id AND m.metric = ? AND m.stat = ?)", string(f.Metric), string(f.Stat))
	case f.Metric != "":
		c.add("EXISTS (SELECT 1 FROM measurement m WHERE m.run_id = r.id AND m.metric = ?)", string(f.Metric))
	case f.Stat != "":
		c.add("EXISTS (SELECT 1 FROM measurement m WHERE m.run_id = r.id AND m.stat = ?)", string(f.Stat))
	}
	return c
}

// ofRuns narrows runs by everything but what they measured.
func ofRuns(o *overlay, f evidence.Filter) *clauses {
	c := &clauses{over: o}
	c.documents(f)
	c.runs(f)
	return c
}

// Runs lists runs with their merged facts and their measurements.
func (a *Archive) Runs(ctx context.Context, f evidence.Filter) ([]evidence.RunRow, error) {
	var list []evidence.RunRow
	err := a.read(ctx, "list runs", func(tx *sql.Tx) error {
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		ids, err := runIDs(ctx, tx, o, f)
		if err != nil {
			return err
		}
		list, err = loadRuns(ctx, tx, o, ids, true)
		return err
	})
	return list, err
}

func runIDs(ctx context.Context, tx *sql.Tx, o *overlay, f evidence.Filter) ([]int64, error) {
	c := runClauses(o, f)
	rows, err := tx.QueryContext(ctx, runsSorted(f.Sort, c)+" LIMIT ? OFFSET ?",
		append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
	if err != nil {
		return nil, err
	}
	return integers(rows)
}

// CountRuns counts what Runs lists without Offset and Limit.
func (a *Archive) CountRuns(ctx context.Context, f evidence.Filter) (int, error) {
	n := 0
	err := a.read(ctx, "count runs", func(tx *sql.Tx) error {
		c := &clauses{}
		c.documents(f)
		query := "SELECT coalesce(sum(d.runs), 0) FROM document d"
		if f.Run != "" || f.Arm != "" || f.Class != "" || f.Metric != "" || f.Stat != "" || f.Status != "" || f.Words != "" || searchesFacts(f) {
			o, err := a.overlay(ctx, tx)
			if err != nil {
				return err
			}
			c = runClauses(o, f)
			query = "SELECT count(*) FROM document d INDEXED BY document_order CROSS JOIN run r ON r.document_id = d.id"
		}
		return tx.QueryRowContext(ctx, query+c.sql(), c.args...).Scan(&n)
	})
	return n, err
}

// Run finds a run by its id.
func (a *Archive) Run(ctx context.Context, id string) (evidence.RunRow, error) {
	var found []evidence.RunRow
	err := a.read(ctx, "find run", func(tx *sql.Tx) error {
		n, err := findRun(ctx, tx, id)
		if err != nil {
			return err
		}
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		found, err = loadRuns(ctx, tx, o, []int64{n}, true)
		return err
	})
	if err != nil {
		return evidence.RunRow{}, err
	}
	return found[0], nil
}

// findRun is the number of the run with an id.
func findRun(ctx context.Context, tx *sql.Tx, id string) (int64, error) {
	prefix, ordinal, ok := parseRunID(id)
	if !ok {
		return 0, fmt.Errorf("run %q: %w; an id looks like 0123456789ab-r0", id, evidence.ErrNotFound)
	}
	lo, hi, _ := digestRange(prefix)
	var n int64
	err := tx.QueryRowContext(ctx, "SELECT r.id FROM artifact a JOIN run r ON r.id = (a.id << 24 | ?) WHERE a.sha256 BETWEEN ? AND ? ORDER BY a.sha256",
		ordinal, lo, hi).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("run %s: %w", id, evidence.ErrNotFound)
	}
	return n, err
}

// EachRun streams runs with their facts, without measurements.
func (a *Archive) EachRun(ctx context.Context, f evidence.Filter, each func(evidence.RunRow) error) error {
	each = passing(each)
	return a.eachRunChunk(ctx, "export runs", f, runClauses, func(tx *sql.Tx, o *overlay, ids []int64) error {
		list, err := loadRuns(ctx, tx, o, ids, false)
		if err != nil {
			return err
		}
		for i := range list {
			if err := each(list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// EachMeasuredRun streams runs with their facts and measurements.
func (a *Archive) EachMeasuredRun(ctx context.Context, f evidence.Filter, each func(evidence.RunRow) error) error {
	each = passing(each)
	return a.eachRunChunk(ctx, "stream runs", f, runClauses, func(tx *sql.Tx, o *overlay, ids []int64) error {
		list, err := loadRuns(ctx, tx, o, ids, true)
		if err != nil {
			return err
		}
		for i := range list {
			if err := each(list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// runChunk is how many runs a stream holds at a time.
const runChunk = 256

// eachRunChunk hands out run ids in order, in one snapshot.
func (a *Archive) eachRunChunk(ctx context.Context, step string, f evidence.Filter,
	narrow func(*overlay, evidence.Filter) *clauses, each func(*sql.Tx, *overlay, []int64) error) error {
	return a.read(ctx, step, func(tx *sql.Tx) error {
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		c := narrow(o, f)
		rows, err := tx.QueryContext(ctx, runsSorted(f.Sort, c)+" LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		defer rows.Close()
		ids := make([]int64, 0, runChunk)
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return err
			}
			if ids = append(ids, id); len(ids) == runChunk {
				if err := each(tx, o, ids); err != nil {
					return err
				}
				ids = ids[:0]
			}
		}
		if err := rows.Err(); err != nil || len(ids) == 0 {
			return err
		}
		return each(tx, o, ids)
	})
}

// numbers hands a list of ids to a query as one argument.
func numbers(ids []int64) string {
	b, _ := json.Marshal(ids) // integers always marshal
	return string(b)
}

// loaded is a run while it is put together.
type loaded struct {
	row              *evidence.RunRow
	id, armID, docID int64
}

// loadRuns reads runs by number, in the order given.
func loadRuns(ctx context.Context, tx *sql.Tx, o *overlay, ids []int64, measurements bool) ([]evidence.RunRow, error) {
	runs, err := loadHeads(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	if err := loadFacts(ctx, tx, o, runs); err != nil {
		return nil, err
	}
	if measurements {
		if err := loadMeasurements(ctx, tx, runs); err != nil {
			return nil, err
		}
	}
	list := make([]evidence.RunRow, len(runs))
	for i := range runs {
		list[i] = *runs[i].row
	}
	return list, nil
}

const runHeads = `SELECT r.id, r.arm_id, r.document_id, ` + sourceColumns + `, d.family, d.observed,
	r.name, r.class, r.status, r.pointer, r.span_start, r.span_end,
	a.name, a.pointer, a.span_start, a.span_end, a.rejected, a.rejected_pointer, a.rejected_span_start, a.rejected_span_end
	FROM json_each(?) j CROSS JOIN run r ON r.id = j.value CROSS JOIN arm a ON a.id = r.arm_id CROSS JOIN document d ON d.id = r.document_id`

// loadHeads reads runs without their facts and measurements.
func loadHeads(ctx context.Context, tx *sql.Tx, ids []int64) ([]loaded, error) {
	rows, err := tx.QueryContext(ctx, runHeads, numbers(ids))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (loaded, error) {
		r := &evidence.RunRow{}
		l := loaded{row: r}
		var s source
		err := rows.Scan(append(append([]any{&l.id, &l.armID, &l.docID}, s.into(&r.Source, &r.Campaign)...), &r.Family, &r.Observed,
			&r.Name, &r.Class, &r.Status, &r.Place.Pointer, &r.Place.Start, &r.Place.End,
			&r.Arm, &r.ArmPlace.Pointer, &r.ArmPlace.Start, &r.ArmPlace.End,
			&r.Rejected, &r.RejectedPlace.Pointer, &r.RejectedPlace.Start, &r.RejectedPlace.End)...)
		r.Reader = s.ref()
		r.ID = evidence.RunID(r.Artifact, int(l.id&maxOrdinal))
		r.ArmID = evidence.ArmID(r.Artifact, int(l.armID&maxOrdinal))
		return l, err
	})
}
