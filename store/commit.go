package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"assay/store/evidence"
)

// Commit files readings in one transaction: for each result every derived row of its
// artifact is replaced, and its arrival gets its end state. A result without a
// reading only closes the arrival, as a duplicate.
//
// A reading that cannot be stored fails the whole call with a [*ReadingError]; nothing
// is committed then.
func (a *Archive) Commit(ctx context.Context, results []evidence.Result) error {
	if len(results) == 0 {
		return nil
	}
	return a.write(ctx, "commit readings", func(w *writing) error {
		b := &batch{w: w, fill: newFilling(w)}
		for i := range results {
			r, err := w.settle(&results[i])
			if err == nil {
				err = b.add(&r)
			}
			if err != nil {
				return fmt.Errorf("artifact %s: %w", r.Kept.Digest.Short(), err)
			}
		}
		return b.finish()
	})
}

// batch is a run of results whose rows are inserted together.
type batch struct {
	w    *writing
	fill *filling
	read []*evidence.Result
	left []string // campaigns that documents may have left

	named []int64 // artifacts that what is replaced had named
}

func (b *batch) add(r *evidence.Result) error {
	if r.Reading == nil {
		return b.w.closeArrival(r.Kept.ArrivalID, "duplicate")
	}
	if slices.ContainsFunc(b.read, func(x *evidence.Result) bool { return x.Kept.ArtifactID == r.Kept.ArtifactID }) {
		if err := b.finish(); err != nil { // its first reading must be there before it can be replaced
			return err
		}
	}
	if r.Kept.State != evidence.Pending {
		named, err := b.w.namedBy(r.Kept.ArtifactID)
		if err != nil {
			return err
		}
		b.named = append(b.named, named...)
	}
	left, err := b.w.dropDerived(r.Kept.ArtifactID)
	if err != nil {
		return err
	}
	b.left = append(b.left, left...)
	b.read = append(b.read, r)
	return flatten(r.Kept, r.Reading, b.fill.add)
}

// finish inserts what is collected and does what needs the rows to be there.
func (b *batch) finish() error {
	if err := b.fill.flush(); err != nil {
		return err
	}
	for _, r := range b.read {
		if err := b.w.index(searchTable.span(r.Kept.ArtifactID)); err != nil {
			return err
		}
		if err := b.w.setReading(r); err != nil {
			return err
		}
		if err := b.w.closeArrivals(r); err != nil {
			return err
		}
	}
	if err := b.w.updateCampaigns(b.read, b.left); err != nil {
		return err
	}
	read := make([]int64, len(b.read))
	for i, r := range b.read {
		read[i] = r.Kept.ArtifactID
	}
	if err := b.w.regroup(read, b.named); err != nil {
		return err
	}
	b.read, b.left, b.named = nil, nil, nil
	return nil
}

// filling collects rows and inserts them several at a time, parents first.
type filling struct {
	w       *writing
	pending map[*table][]any
}

// rowsPerInsert is where a statement stops paying for its length.
const rowsPerInsert = 32

func newFilling(w *writing) *filling {
	return &filling{w: w, pending: map[*table][]any{}}
}

func (f *filling) add(t *table, row ...any) error {
	p := append(f.pending[t], row...)
	f.pending[t] = p
	if len(p) == rowsPerInsert*len(t.columns) {
		return f.flushTable(t)
	}
	return nil
}

func (f *filling) flush() error {
	for _, t := range derivedTables {
		if err := f.flushTable(t); err != nil {
			return err
		}
	}
	return nil
}

func (f *filling) flushTable(t *table) error {
	values := f.pending[t]
	if len(values) == 0 {
		return nil
	}
	if t.parent != nil {
		if err := f.flushTable(t.parent); err != nil {
			return err
		}
	}
	n := len(values) / len(t.columns)
	if n == rowsPerInsert {
		if err := f.w.exec(t.insertSQL(n), values...); err != nil {
			return fmt.Errorf("insert into %s: %w", t.name, err)
		}
	} else {
		one := t.insertSQL(1)
		for row := range slices.Chunk(values, len(t.columns)) {
			if err := f.w.exec(one, row...); err != nil {
				return fmt.Errorf("insert into %s: %w", t.name, err)
			}
		}
	}
	clear(values) // let go of what the rows pointed to
	f.pending[t] = values[:0]
	return nil
}

// dropDerived deletes what an earlier reading left and returns the campaigns it left
// rows in.
func (w *writing) dropDerived(artifactID int64) (left []string, err error) {
	var state evidence.EndState
	if err := w.scan("SELECT state FROM reading WHERE artifact_id = ?", []any{artifactID}, &state); err != nil {
		return nil, err
	}
	if state == evidence.Pending {
		return nil, nil
	}
	rows, err := w.query("SELECT DISTINCT campaign FROM document WHERE artifact_id = ?", artifactID)
	if err != nil {
		return nil, err
	}
	if left, err = texts(rows); err != nil {
		return nil, err
	}
	if err := w.unindex(searchTable.span(artifactID)); err != nil {
		return nil, err
	}
	for _, t := range slices.Backward(derivedTables) {
		lo, hi := t.span(artifactID)
		if err := w.exec("DELETE FROM "+t.name+" WHERE "+t.key+" BETWEEN ? AND ?", lo, hi); err != nil {
			return nil, fmt.Errorf("delete from %s: %w", t.name, err)
		}
	}
	return left, nil
}

func (w *writing) setReading(r *evidence.Result) error {
	return w.exec("UPDATE reading SET "+strings.Join(readingColumns, " = ?, ")+" = ?, unread = 0 WHERE artifact_id = ?",
		append(readingRow(r.Reading), r.Kept.ArtifactID)...)
}

// readingRow holds the values of readingColumns.
func readingRow(x *evidence.Reading) []any {
	sum, campaign := tally{findings: len(x.Findings)}, ""
	for i := range x.Documents {
		sum.add(&x.Documents[i])
	}
	if len(x.Documents) > 0 {
		campaign = x.Documents[0].Campaign.ID
	}
	return []any{string(x.State), x.Schema, x.Family, x.Reader, x.Encoding, x.Values, campaign, int64(len(x.Documents)),
		int64(sum.arms), int64(sum.runs), int64(sum.samples), int64(sum.measurements), int64(sum.facts), int64(sum.findings)}
}

func (w *writing) closeArrival(id int64, outcome string) error {
	if id == 0 {
		return nil
	}
	return w.exec("UPDATE arrival SET outcome = ? WHERE id = ?", outcome, id)
}

// closeArrivals ends the arrival that was read, and those a crash left open before it.
func (w *writing) closeArrivals(r *evidence.Result) error {
	k := r.Kept
	if k.ArrivalID != 0 {
		outcome := "read"
		if k.Known && k.State != evidence.Pending {
			outcome = "duplicate"
		}
		if err := w.closeArrival(k.ArrivalID, outcome); err != nil {
			return err
		}
		return w.exec("UPDATE arrival SET outcome = 'read' WHERE artifact_id = ? AND outcome = 'open' AND id < ?",
			k.ArtifactID, k.ArrivalID)
	}
	err := w.exec(`UPDATE arrival SET outcome = 'read' WHERE id =
		(SELECT id FROM arrival WHERE artifact_id = ? AND outcome = 'open' ORDER BY id LIMIT 1)`, k.ArtifactID)
	if err != nil {
		return err
	}
	return w.exec("UPDATE arrival SET outcome = 'duplicate' WHERE artifact_id = ? AND outcome = 'open'", k.ArtifactID)
}

// ResetDerived drops every derived row in one transaction and makes every artifact
// pending, to be read again.
func (a *Archive) ResetDerived(ctx context.Context) error {
	return a.write(ctx, "drop derived rows", func(w *writing) error {
		if err := w.exec("INSERT INTO search (search) VALUES ('delete-all')"); err != nil {
			return err
		}
		for _, t := range slices.Backward(derivedTables) {
			if err := w.exec("DELETE FROM " + t.name); err != nil {
				return fmt.Errorf("empty %s: %w", t.name, err)
			}
		}
		if err := w.exec("DELETE FROM campaign"); err != nil {
			return err
		}
		return w.exec(`UPDATE reading SET state = 'pending', unread = 1, schema = '', family = '', reader = '', encoding = '',
			json_values = 0, campaign = '', documents = 0, runs = 0, measurements = 0, findings = 0`)
	})
}

// Pending lists artifacts that are kept but not read, by id: what a crash left, and
// what came in again under another campaign.
func (a *Archive) Pending(ctx context.Context, after int64, limit int) ([]evidence.Kept, error) {
	return a.listKept(ctx, "list unread artifacts", "r.unread = 1", after, limit)
}

// All lists every artifact by id.
func (a *Archive) All(ctx context.Context, after int64, limit int) ([]evidence.Kept, error) {
	return a.listKept(ctx, "list artifacts", "1", after, limit)
}

// keptQuery lists artifacts with the campaign in force for each.
func keptQuery(where string) string {
	return `SELECT r.artifact_id, a.sha256, a.size, r.state, ` + campaignInForce + `
		FROM reading r CROSS JOIN artifact a ON a.id = r.artifact_id WHERE ` + where + ` AND r.artifact_id > ? ORDER BY r.artifact_id LIMIT ?`
}

func (a *Archive) listKept(ctx context.Context, step, where string, after int64, limit int) ([]evidence.Kept, error) {
	rows, err := a.reader.QueryContext(ctx, keptQuery(where), after, limitOrAll(limit))
	if err != nil {
		return nil, a.fail(step, err)
	}
	list, err := collect(rows, func(rows *sql.Rows) (evidence.Kept, error) {
		k := evidence.Kept{Known: true}
		err := rows.Scan(&k.ArtifactID, digestInto(&k.Digest), &k.Size, &k.State, &k.Campaign)
		return k, err
	})
	return list, a.fail(step, err)
}
