package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

// sourceColumns are what every line of an export says of its document.
const sourceColumns = "d.sha256, d.reader, d.reader_version, d.campaign"

// source reads sourceColumns.
type source struct {
	reader  string
	version int
}

func (s *source) into(src *evidence.Source, campaign *string) []any {
	return []any{digestInto(&src.Artifact), &s.reader, &s.version, campaign}
}

func (s *source) ref() string { return evidence.ReaderRef(s.reader, s.version) }

// eachRow streams the rows of one query in one snapshot, at constant memory.
func eachRow[T any](ctx context.Context, a *Archive, step, query string, f evidence.Filter, args []any,
	scan func(*sql.Rows) (T, error), each func(T) error) error {
	each = passing(each)
	return a.read(ctx, step, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, query+" LIMIT ? OFFSET ?", append(args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			v, err := scan(rows)
			if err != nil {
				return err
			}
			if err := each(v); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
