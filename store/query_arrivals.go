package store

import (
	"context"
	"database/sql"
	"slices"

	"assay/store/evidence"
)

// Arrivals lists what came in, the latest first, and counts all of it.
func (a *Archive) Arrivals(ctx context.Context, offset, limit int) ([]evidence.ArrivalRow, int, error) {
	var list []evidence.ArrivalRow
	total := 0
	err := a.read(ctx, "list arrivals", func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, countArrivals).Scan(&total); err != nil {
			return err
		}
		page, err := arrivals(ctx, tx, "ORDER BY v.id DESC LIMIT ? OFFSET ?", limitOrAll(limit), max(offset, 0))
		if err != nil {
			return err
		}
		var ids []int64
		for _, o := range page {
			ids = append(ids, o.owner)
		}
		slices.Sort(ids)
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		found, err := findingsOf(ctx, tx, o, slices.Compact(ids))
		for _, o := range page {
			o.row.Findings = found[o.owner]
			list = append(list, o.row)
		}
		return err
	})
	return list, total, err
}

// countArrivals reads the last id: arrivals are never deleted, so ids have no gaps.
const countArrivals = "SELECT coalesce(max(id), 0) FROM arrival"

const arrivalQuery = `SELECT v.artifact_id, v.id, a.sha256, a.size, v.name, v.origin, v.at_us,
	CASE v.outcome WHEN 'duplicate' THEN 'duplicate' WHEN 'open' THEN 'pending' ELSE g.state END, g.schema, g.runs
	FROM arrival v CROSS JOIN artifact a ON a.id = v.artifact_id CROSS JOIN reading g ON g.artifact_id = a.id `

// arrivals reads arrivals with the numbers of their artifacts.
func arrivals(ctx context.Context, tx *sql.Tx, rest string, args ...any) ([]owned[evidence.ArrivalRow], error) {
	rows, err := tx.QueryContext(ctx, arrivalQuery+rest, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (owned[evidence.ArrivalRow], error) {
		var o owned[evidence.ArrivalRow]
		r := &o.row
		err := rows.Scan(&o.owner, &r.ID, digestInto(&r.Digest), &r.Size, &r.Name, &r.Origin, &r.AtUS, &r.State, &r.Schema, &r.Runs)
		return o, err
	})
}

// findingsOf reads the findings of artifacts, those about their served names last.
func findingsOf(ctx context.Context, tx *sql.Tx, o *overlay, ids []int64) (map[int64][]evidence.Finding, error) {
	rows, err := tx.QueryContext(ctx, `SELECT x.artifact_id, x.severity, x.code, x.pointer, x.byte_offset, x.message
		FROM json_each(?) j CROSS JOIN finding x ON x.artifact_id = j.value`, numbers(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64][]evidence.Finding{}
	for rows.Next() {
		var id int64
		var f evidence.Finding
		if err := rows.Scan(&id, &f.Severity, &f.Code, &f.Pointer, &f.Offset, &f.Message); err != nil {
			return nil, err
		}
		found[id] = append(found[id], f)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	about, err := o.recipes.findings(ctx, tx, numbers(ids))
	for _, f := range about {
		found[f.artifactID] = append(found[f.artifactID], f.Finding)
	}
	return found, err
}
