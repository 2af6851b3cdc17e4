package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

// Counts is what the archive holds.
func (a *Archive) Counts(ctx context.Context) (evidence.Counts, error) {
	var c evidence.Counts
	err := a.read(ctx, "count", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(state = 'accepted'), 0), coalesce(sum(state = 'archived-only'), 0),
			coalesce(sum(state = 'quarantined'), 0), coalesce(sum(state = 'pending'), 0), coalesce(sum(documents), 0), coalesce(sum(arms), 0),
			coalesce(sum(runs), 0), coalesce(sum(samples), 0), coalesce(sum(measurements), 0), coalesce(sum(facts), 0) FROM reading`).
			Scan(&c.Artifacts, &c.Accepted, &c.Archived, &c.Quarantined, &c.Pending, &c.Documents, &c.Arms, &c.Runs, &c.Samples, &c.Measurements, &c.Facts)
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT (`+countArrivals+`), (SELECT count(*) FROM campaign),
			(SELECT coalesce(sum(size), 0) FROM artifact)`).Scan(&c.Arrivals, &c.Campaigns, &c.Bytes)
	})
	return c, err
}
