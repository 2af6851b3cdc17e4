package store

import (
	"database/sql"
	"fmt"

	"assay/store/evidence"
)

func (w *writing) query(query string, args ...any) (*sql.Rows, error) {
	s, err := w.statement(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(w.ctx, args...)
}

// collect reads all rows and closes them.
func collect[T any](rows *sql.Rows, scan func(*sql.Rows) (T, error)) ([]T, error) {
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// texts reads a column of text.
func texts(rows *sql.Rows) ([]string, error) {
	return collect(rows, func(rows *sql.Rows) (string, error) {
		var s string
		err := rows.Scan(&s)
		return s, err
	})
}

// integers reads a column of integers.
func integers(rows *sql.Rows) ([]int64, error) {
	return collect(rows, func(rows *sql.Rows) (int64, error) {
		var n int64
		err := rows.Scan(&n)
		return n, err
	})
}

// limitOrAll is a LIMIT where zero means all rows.
func limitOrAll(n int) int {
	if n <= 0 {
		return -1
	}
	return n
}

// digestScanner reads a digest column.
type digestScanner struct{ d *evidence.Digest }

func digestInto(d *evidence.Digest) sql.Scanner { return digestScanner{d} }

func (s digestScanner) Scan(v any) error {
	b, ok := v.([]byte)
	if !ok || len(b) != len(s.d) {
		return fmt.Errorf("digest column holds %T of %d bytes", v, len(b))
	}
	copy(s.d[:], b)
	return nil
}

// optScanner reads a nullable column.
type optScanner[T any] struct{ o *evidence.Opt[T] }

func opt[T any](o *evidence.Opt[T]) sql.Scanner { return optScanner[T]{o} }

func (s optScanner[T]) Scan(v any) error {
	if v == nil {
		*s.o = evidence.None[T]()
		return nil
	}
	x, ok := v.(T)
	if !ok {
		return fmt.Errorf("column holds %T, want %T", v, x)
	}
	*s.o = evidence.Some(x)
	return nil
}
