package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

const documentQuery = "SELECT d.id, " + sourceColumns + `, d.schema, d.family, d.shape, d.root, d.title, d.observed,
	d.campaign_pointer, d.campaign_span_start, d.campaign_span_end, d.arms, d.runs FROM document d INDEXED BY document_order`

const documentOrder = " ORDER BY d.campaign, d.sha256, d.ordinal"

// loadDocuments reads documents with everything but their runs, one query for each
// table and not for each document.
func loadDocuments(ctx context.Context, tx *sql.Tx, o *overlay, f evidence.Filter) ([]evidence.DocumentRow, error) {
	c := &clauses{}
	c.documents(f)
	rows, err := tx.QueryContext(ctx, documentQuery+c.sql()+documentOrder, c.args...)
	if err != nil {
		return nil, err
	}
	heads, err := collect(rows, scanDocument)
	if err != nil {
		return nil, err
	}
	docs := make([]evidence.DocumentRow, len(heads))
	byID := make(map[int64]*evidence.DocumentRow, len(heads))
	ids := make([]int64, len(heads))
	for i, h := range heads {
		docs[i], ids[i] = h.row, h.owner
		byID[h.owner] = &docs[i]
	}
	facts, err := factsOf(ctx, tx, 0, ids)
	if err != nil {
		return nil, err
	}
	for id, list := range facts {
		d := byID[id]
		for _, x := range list {
			x.Source, x.Campaign = d.Source, d.Campaign.ID
			d.Facts = append(d.Facts, x)
		}
	}
	if !o.empty() {
		for i, h := range heads {
			o.overDocument(&docs[i], h.owner)
		}
	}
	return docs, fillDocuments(ctx, tx, f, byID)
}

func scanDocument(rows *sql.Rows) (owned[evidence.DocumentRow], error) {
	var o owned[evidence.DocumentRow]
	var s source
	d := &o.row
	err := rows.Scan(append(append([]any{&o.owner}, s.into(&d.Source, &d.Campaign.ID)...), &d.Schema, &d.Family, &d.ShapeID, &d.Root,
		&d.Campaign.Title, &d.Campaign.Observed, &d.Campaign.Place.Pointer, &d.Campaign.Place.Start, &d.Campaign.Place.End, &d.Arms, &d.Runs)...)
	d.Reader = s.ref()
	return o, err
}

// fillDocuments adds gates, notes, decisions and references.
func fillDocuments(ctx context.Context, tx *sql.Tx, f evidence.Filter, byID map[int64]*evidence.DocumentRow) error {
	gates, err := gateRows.list(ctx, tx, f)
	if err != nil {
		return err
	}
	for _, o := range gates {
		byID[o.owner].Gates = append(byID[o.owner].Gates, o.row)
	}
	notes, err := noteRows.list(ctx, tx, f)
	if err != nil {
		return err
	}
	for _, o := range notes {
		byID[o.owner].Notes = append(byID[o.owner].Notes, o.row)
	}
	decisions, err := decisionRows.list(ctx, tx, f)
	if err != nil {
		return err
	}
	for _, o := range decisions {
		byID[o.owner].Decisions = append(byID[o.owner].Decisions, o.row)
	}
	references, err := referenceRows.list(ctx, tx, f)
	if err != nil || len(references) == 0 {
		return err
	}
	res, err := newResolver(ctx, tx)
	if err != nil {
		return err
	}
	for _, o := range references {
		if err := res.resolve(&o.row); err != nil {
			return err
		}
		byID[o.owner].References = append(byID[o.owner].References, o.row)
	}
	return nil
}
