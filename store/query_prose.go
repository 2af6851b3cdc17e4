package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

// prose is one of the tables that hang on a document: how its rows are read.
type prose[T any] struct {
	table   string
	columns string
	// into binds columns to a row; finish completes the row after the scan.
	into   func(*T) []any
	source func(*T) (*evidence.Source, *string)
	filter func(*clauses, evidence.Filter)
}

var gateRows = prose[evidence.GateRow]{
	table:   "gate",
	columns: "x.name, x.status, x.source_status, x.detail, x.evidence, x.pointer, x.span_start, x.span_end",
	into: func(g *evidence.GateRow) []any {
		return []any{&g.Name, &g.Status, &g.SourceStatus, &g.Detail, &g.Evidence, &g.Place.Pointer, &g.Place.Start, &g.Place.End}
	},
	source: func(g *evidence.GateRow) (*evidence.Source, *string) { return &g.Source, &g.Campaign },
	filter: func(c *clauses, f evidence.Filter) {
		if f.State != "" {
			c.add("x.status = ?", f.State)
		}
	},
}

var noteRows = prose[evidence.NoteRow]{
	table:   "note",
	columns: "x.kind, x.key, x.body, x.pointer, x.span_start, x.span_end",
	into: func(n *evidence.NoteRow) []any {
		return []any{&n.Kind, &n.Key, &n.Text, &n.Place.Pointer, &n.Place.Start, &n.Place.End}
	},
	source: func(n *evidence.NoteRow) (*evidence.Source, *string) { return &n.Source, &n.Campaign },
	filter: byKind,
}

var decisionRows = prose[evidence.DecisionRow]{
	table:   "decision",
	columns: "x.kind, x.key, x.value, x.pointer, x.span_start, x.span_end",
	into: func(d *evidence.DecisionRow) []any {
		return []any{&d.Kind, &d.Key, &d.Value, &d.Place.Pointer, &d.Place.Start, &d.Place.End}
	},
	source: func(d *evidence.DecisionRow) (*evidence.Source, *string) { return &d.Source, &d.Campaign },
	filter: byKind,
}

var notLiftedRows = prose[evidence.NotLiftedRow]{
	table:   "not_lifted",
	columns: "x.source_text, x.reason, x.pointer, x.span_start, x.span_end",
	into: func(n *evidence.NotLiftedRow) []any {
		return []any{&n.Text, &n.Reason, &n.Place.Pointer, &n.Place.Start, &n.Place.End}
	},
	source: func(n *evidence.NotLiftedRow) (*evidence.Source, *string) { return &n.Source, new(string) },
	filter: func(c *clauses, f evidence.Filter) {
		if f.Class != "" {
			c.add("x.reason = ?", f.Class)
		}
	},
}

func byKind(c *clauses, f evidence.Filter) {
	if f.Class != "" {
		c.add("x.kind = ?", f.Class)
	}
}

func (p *prose[T]) query(c *clauses) string {
	return "SELECT d.id, " + sourceColumns + ", " + p.columns +
		" FROM document d INDEXED BY document_order CROSS JOIN " + p.table + " x ON x.document_id = d.id" + c.sql() +
		" ORDER BY d.campaign, d.sha256, d.ordinal, x.ordinal"
}

func (p *prose[T]) clauses(f evidence.Filter) *clauses {
	c := &clauses{}
	c.documents(f)
	p.filter(c, f)
	return c
}

// owned is a row with the number of the document or artifact it belongs to.
type owned[T any] struct {
	owner int64
	row   T
}

func (p *prose[T]) scan(rows *sql.Rows) (owned[T], error) {
	var o owned[T]
	var s source
	src, campaign := p.source(&o.row)
	err := rows.Scan(append(append([]any{&o.owner}, s.into(src, campaign)...), p.into(&o.row)...)...)
	src.Reader = s.ref()
	return o, err
}

// stream hands out every row a filter lets through.
func (p *prose[T]) stream(ctx context.Context, a *Archive, f evidence.Filter, each func(T) error) error {
	c := p.clauses(f)
	return eachRow(ctx, a, "export "+p.table+" rows", p.query(c), f, c.args, p.scan, func(o owned[T]) error { return each(o.row) })
}

// list reads the rows inside a transaction, with the numbers of their documents.
func (p *prose[T]) list(ctx context.Context, tx *sql.Tx, f evidence.Filter) ([]owned[T], error) {
	f.Offset, f.Limit = 0, 0
	c := p.clauses(f)
	rows, err := tx.QueryContext(ctx, p.query(c), c.args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, p.scan)
}

// EachGate streams gates; State narrows to our status word.
func (a *Archive) EachGate(ctx context.Context, f evidence.Filter, each func(evidence.GateRow) error) error {
	return gateRows.stream(ctx, a, f, each)
}

// EachNote streams verbatim sentences; Class narrows to a kind.
func (a *Archive) EachNote(ctx context.Context, f evidence.Filter, each func(evidence.NoteRow) error) error {
	return noteRows.stream(ctx, a, f, each)
}

// EachDecision streams decision lines; Class narrows to a kind.
func (a *Archive) EachDecision(ctx context.Context, f evidence.Filter, each func(evidence.DecisionRow) error) error {
	return decisionRows.stream(ctx, a, f, each)
}

// EachNotLifted streams the figures that were not lifted; Class narrows to a reason.
func (a *Archive) EachNotLifted(ctx context.Context, f evidence.Filter, each func(evidence.NotLiftedRow) error) error {
	return notLiftedRows.stream(ctx, a, f, each)
}

// EachReference streams the files that documents name, each with what the archive
// has of it.
func (a *Archive) EachReference(ctx context.Context, f evidence.Filter, each func(evidence.ReferenceRow) error) error {
	each = passing(each)
	c := referenceRows.clauses(f)
	return a.read(ctx, "export references", func(tx *sql.Tx) error {
		res, err := newResolver(ctx, tx)
		if err != nil {
			return err
		}
		return res.stream(referenceRows.query(c)+" LIMIT ? OFFSET ?", append(c.args, limitOrAll(f.Limit), max(f.Offset, 0)), each)
	})
}
