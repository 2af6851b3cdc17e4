package store

import (
	"context"
	"database/sql"
	"fmt"
)

// writing is one write transaction with the statements prepared in it.
type writing struct {
	ctx        context.Context
	tx         *sql.Tx
	us         int64 // the time of the transaction, Unix microseconds
	statements map[string]*sql.Stmt
	log        *logTail // nil until something is recorded
	unlogged   bool
}

// write runs f in one write transaction: all of it is committed or none.
func (a *Archive) write(ctx context.Context, step string, f func(*writing) error) error {
	tx, err := a.writer.BeginTx(ctx, nil)
	if err != nil {
		return a.fail(step, err)
	}
	defer tx.Rollback() // without effect after Commit
	w := &writing{ctx: ctx, tx: tx, us: a.now().UnixMicro(), statements: map[string]*sql.Stmt{}, unlogged: a.unlogged}
	if err := f(w); err != nil {
		return a.fail(step, err)
	}
	if err := w.checkpoint(a.signers...); err != nil {
		return a.fail(step, err)
	}
	return a.fail(step, tx.Commit())
}

// statement is query, prepared once for the transaction, which also closes it.
func (w *writing) statement(query string) (*sql.Stmt, error) {
	if s, ok := w.statements[query]; ok {
		return s, nil
	}
	s, err := w.tx.PrepareContext(w.ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	w.statements[query] = s
	return s, nil
}

func (w *writing) exec(query string, args ...any) error {
	s, err := w.statement(query)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(w.ctx, args...)
	return err
}

func (w *writing) insert(query string, args ...any) (int64, error) {
	s, err := w.statement(query)
	if err != nil {
		return 0, err
	}
	res, err := s.ExecContext(w.ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// scan reads the first row of a query; sql.ErrNoRows when there is none.
func (w *writing) scan(query string, args []any, dest ...any) error {
	s, err := w.statement(query)
	if err != nil {
		return err
	}
	return s.QueryRowContext(w.ctx, args...).Scan(dest...)
}
