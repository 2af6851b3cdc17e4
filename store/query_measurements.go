package store

import (
	"context"
	"database/sql"
	"errors"

	"assay/store/evidence"
)

const measurementColumns = `m.metric, m.stat, m.method, m.value, m.lower, m.upper, m.unit, m.n, m.state, m.role,
	m.source_text, m.source_unit, m.rule, m.pointer, m.span_start, m.span_end, m.also`

// measurementInto reads measurementColumns; also must be unpacked afterwards.
func measurementInto(m *evidence.Measurement, also *string) []any {
	return []any{&m.Metric, &m.Stat, &m.Method, opt(&m.Value), opt(&m.Lower), opt(&m.Upper), &m.Unit, opt(&m.N), &m.State, &m.Role,
		&m.SourceText, &m.SourceUnit, &m.Rule, &m.Place.Pointer, &m.Place.Start, &m.Place.End, also}
}

const measurementsOf = "SELECT j.value, " + measurementColumns + " FROM json_each(?) j CROSS JOIN measurement m ON m.run_id = j.value"

// loadMeasurements gives every run its measurements.
func loadMeasurements(ctx context.Context, tx *sql.Tx, runs []loaded) error {
	return measurements(ctx, tx, &clauses{}, runs, func(r *loaded, m evidence.MeasurementRow) error {
		r.row.Measurements = append(r.row.Measurements, m)
		return nil
	})
}

// measurements reads the measurements of runs, run by run.
func measurements(ctx context.Context, tx *sql.Tx, c *clauses, runs []loaded, each func(*loaded, evidence.MeasurementRow) error) error {
	ids := make([]int64, len(runs))
	for i := range runs {
		ids[i] = runs[i].id
	}
	rows, err := tx.QueryContext(ctx, measurementsOf+c.sql(), append([]any{numbers(ids)}, c.args...)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	at := 0
	for rows.Next() {
		var id int64
		var m evidence.MeasurementRow
		var also string
		if err := rows.Scan(append([]any{&id}, measurementInto(&m.Measurement, &also)...)...); err != nil {
			return err
		}
		for runs[at].id != id {
			at++
		}
		if m.Also, err = readAlso(also); err != nil {
			return err
		}
		r := runs[at].row
		m.Source, m.Campaign, m.Arm, m.Run = r.Source, r.Campaign, r.Arm, r.ID
		if err := each(&runs[at], m); err != nil {
			return err
		}
	}
	return rows.Err()
}

// errEnough ends a stream whose page is full.
var errEnough = errors.New("enough")

// EachMeasurement streams measurements, run by run.
func (a *Archive) EachMeasurement(ctx context.Context, f evidence.Filter, each func(evidence.MeasurementRow) error) error {
	c := &clauses{}
	if f.Metric != "" {
		c.add("m.metric = ?", string(f.Metric))
	}
	if f.Stat != "" {
		c.add("m.stat = ?", string(f.Stat))
	}
	if f.State != "" {
		c.add("m.state = ?", f.State)
	}
	each = passing(each)
	left := pageOf(f)
	f.Offset, f.Limit = 0, 0
	err := a.eachRunChunk(ctx, "export measurements", f, ofRuns, func(tx *sql.Tx, _ *overlay, ids []int64) error {
		chunk, err := loadHeads(ctx, tx, ids)
		if err != nil {
			return err
		}
		return measurements(ctx, tx, c, chunk, func(_ *loaded, m evidence.MeasurementRow) error {
			if left.done() {
				return errEnough
			}
			if left.skip() {
				return nil
			}
			return each(m)
		})
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// Samples lists the requests of a run in the order they stand.
func (a *Archive) Samples(ctx context.Context, runID string, offset, limit int) ([]evidence.Sample, error) {
	var list []evidence.Sample
	err := a.read(ctx, "list samples", func(tx *sql.Tx) error {
		id, err := findRun(ctx, tx, runID)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `SELECT request_index, start, ttft, ttfo, generation, e2e, prompt_tokens, output_tokens, cached_tokens,
			ok, failure, pointer, span_start, span_end FROM sample WHERE run_id = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?`,
			id, max(offset, 0), limitOrAll(limit))
		if err != nil {
			return err
		}
		list, err = collect(rows, func(rows *sql.Rows) (evidence.Sample, error) {
			var s evidence.Sample
			err := rows.Scan(&s.Index, opt(&s.Start), opt(&s.TTFT), opt(&s.TTFO), opt(&s.Generation), opt(&s.E2E),
				opt(&s.PromptTokens), opt(&s.OutputTokens), opt(&s.CachedTk), &s.OK, &s.Failure, &s.Place.Pointer, &s.Place.Start, &s.Place.End)
			return s, err
		})
		return err
	})
	return list, err
}
