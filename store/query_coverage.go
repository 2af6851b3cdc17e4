package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

// EachCoverage streams what became of the numbers of each document.
func (a *Archive) EachCoverage(ctx context.Context, f evidence.Filter, each func(evidence.CoverageRow) error) error {
	c := &clauses{}
	c.documents(f)
	query := "SELECT d.id, " + sourceColumns + `, d.family, d.root, coalesce(c.outcome, ''), coalesce(c.numbers, 0)
		FROM document d INDEXED BY document_order LEFT JOIN coverage c ON c.document_id = d.id` + c.sql() + documentOrder + ", c.outcome"
	left := pageOf(f)
	return a.coverage(ctx, query, c.args, func(rows *sql.Rows, r *evidence.CoverageRow, x *evidence.Covered) (string, error) {
		var s source
		var id string
		r.Documents, r.Artifacts = 1, 1
		err := rows.Scan(append(append([]any{&id}, s.into(&r.Source, &r.Campaign)...), &r.Family, &r.Root, &x.Ending, &x.Numbers)...)
		r.Reader = s.ref()
		return id, err
	}, func(r evidence.CoverageRow) error {
		if left.done() || left.skip() {
			return nil
		}
		return each(r)
	})
}

// EachReaderCoverage streams the sums of the readers.
func (a *Archive) EachReaderCoverage(ctx context.Context, f evidence.Filter, each func(evidence.CoverageRow) error) error {
	c := &clauses{}
	c.documents(f)
	query := `WITH doc AS MATERIALIZED (SELECT d.id, d.artifact_id, d.reader, d.reader_version, d.family FROM document d` + c.sql() + `),
		read AS (SELECT reader, reader_version, family, count(*) AS documents, count(DISTINCT artifact_id) AS artifacts FROM doc GROUP BY 1, 2, 3),
		became AS (SELECT o.reader, o.reader_version, o.family, c.outcome, sum(c.numbers) AS numbers
			FROM doc o CROSS JOIN coverage c ON c.document_id = o.id GROUP BY 1, 2, 3, 4)
		SELECT r.reader, r.reader_version, r.family, r.documents, r.artifacts, coalesce(b.outcome, ''), coalesce(b.numbers, 0)
		FROM read r LEFT JOIN became b ON b.reader = r.reader AND b.reader_version = r.reader_version AND b.family = r.family
		ORDER BY 1, 2, 3, 6`
	return a.coverage(ctx, query, c.args, func(rows *sql.Rows, r *evidence.CoverageRow, x *evidence.Covered) (string, error) {
		var s source
		err := rows.Scan(&s.reader, &s.version, &r.Family, &r.Documents, &r.Artifacts, &x.Ending, &x.Numbers)
		r.Reader = s.ref()
		return r.Reader + " " + r.Family, err
	}, each)
}

// coverage puts the lines of a query together, one row for each key.
func (a *Archive) coverage(ctx context.Context, query string, args []any,
	scan func(*sql.Rows, *evidence.CoverageRow, *evidence.Covered) (string, error), each func(evidence.CoverageRow) error) error {
	each = passing(each)
	return a.read(ctx, "count coverage", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		var row evidence.CoverageRow
		last, have := "", false
		for rows.Next() {
			var r evidence.CoverageRow
			var x evidence.Covered
			key, err := scan(rows, &r, &x)
			if err != nil {
				return err
			}
			if !have || key != last {
				if have {
					if err := each(row); err != nil {
						return err
					}
				}
				row, last, have = r, key, true
			}
			if x.Ending != "" {
				row.Covered = append(row.Covered, x)
			}
		}
		if err := rows.Err(); err != nil || !have {
			return err
		}
		return each(row)
	})
}
