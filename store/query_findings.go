package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"assay/store/evidence"
)

const findingQuery = `SELECT a.sha256, coalesce(d.reader || '@' || d.reader_version, ''),
	x.severity, x.code, x.pointer, x.byte_offset, x.message
	FROM artifact a CROSS JOIN finding x ON x.artifact_id = a.id LEFT JOIN document d ON d.id = x.document_id`

const findingOrder = " ORDER BY a.sha256, x.ordinal"

// ofArtifacts narrows artifact a to what a filter asks of artifacts.
func ofArtifacts(f evidence.Filter) *clauses {
	c := &clauses{}
	if f.Artifact != "" {
		c.digest("a.sha256", f.Artifact)
	}
	if f.Campaign != "" {
		c.add("a.id IN (SELECT artifact_id FROM document WHERE campaign = ?)", f.Campaign)
	}
	if f.Family != "" {
		c.add("a.id IN (SELECT artifact_id FROM reading WHERE family = ?)", f.Family)
	}
	if f.Schema != "" {
		c.add("a.id IN (SELECT artifact_id FROM reading WHERE schema = ?)", f.Schema)
	}
	return c
}

// EachFinding streams findings by digest, those about served names after the others of
// their artifact; State narrows to a severity, Key to a code.
func (a *Archive) EachFinding(ctx context.Context, f evidence.Filter, each func(evidence.FindingRow) error) error {
	each = passing(each)
	return a.read(ctx, "export findings", func(tx *sql.Tx) error {
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		l := &findingLines{left: pageOf(f), each: each}
		if l.names, err = o.recipes.findingsFor(ctx, tx, f); err != nil {
			return err
		}
		c := ofArtifacts(f)
		if f.State != "" {
			c.add("x.severity = ?", f.State)
		}
		if f.Key != "" {
			c.add("x.code = ?", string(f.Key))
		}
		err = l.stream(ctx, tx, findingQuery+c.sql()+findingOrder, c.args)
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	})
}

// findingLines puts the findings of the table and those about served names in one order.
type findingLines struct {
	names []nameFinding
	left  page
	each  func(evidence.FindingRow) error
}

func (l *findingLines) stream(ctx context.Context, tx *sql.Tx, query string, args []any) error {
	if l.left.done() {
		return nil
	}
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r evidence.FindingRow
		if err := rows.Scan(digestInto(&r.Artifact), &r.Reader, &r.Severity, &r.Code, &r.Pointer, &r.Offset, &r.Message); err != nil {
			return err
		}
		if err := l.before(r.Artifact); err != nil {
			return err
		}
		if err := l.line(r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, n := range l.names {
		if err := l.line(n.FindingRow); err != nil {
			return err
		}
	}
	return nil
}

// before hands out the findings about names of artifacts that come before this one.
func (l *findingLines) before(d evidence.Digest) error {
	for len(l.names) > 0 && bytes.Compare(l.names[0].Artifact[:], d[:]) < 0 {
		n := l.names[0]
		l.names = l.names[1:]
		if err := l.line(n.FindingRow); err != nil {
			return err
		}
	}
	return nil
}

func (l *findingLines) line(r evidence.FindingRow) error {
	if l.left.skip() {
		return nil
	}
	if err := l.each(r); err != nil {
		return err
	}
	if l.left.done() {
		return errEnough
	}
	return nil
}

// findingsFor are the findings about names that a filter lets through.
func (x *recipes) findingsFor(ctx context.Context, tx *sql.Tx, f evidence.Filter) ([]nameFinding, error) {
	if len(x.ambiguous) == 0 || f.State != "" && f.State != string(evidence.Warning) || f.Key != "" && string(f.Key) != CodeAmbiguousName {
		return nil, nil
	}
	artifacts := ""
	if c := ofArtifacts(f); len(c.where) > 0 {
		rows, err := tx.QueryContext(ctx, "SELECT a.id FROM artifact a"+c.sql(), c.args...)
		if err != nil {
			return nil, err
		}
		ids, err := integers(rows)
		if err != nil {
			return nil, err
		}
		artifacts = numbers(ids)
	}
	return x.findings(ctx, tx, artifacts)
}

// countNameFindings adds the findings about names to what lists count.
func (o *overlay) countNameFindings(ctx context.Context, tx *sql.Tx, list []evidence.ArtifactRow) error {
	if len(o.recipes.ambiguous) == 0 || len(list) == 0 {
		return nil
	}
	ids := make([]int64, len(list))
	at := make(map[int64]int, len(list))
	for i := range list {
		ids[i], at[list[i].ID] = list[i].ID, i
	}
	found, err := o.recipes.findings(ctx, tx, numbers(ids))
	for _, f := range found {
		list[at[f.artifactID]].Findings++
	}
	return err
}
