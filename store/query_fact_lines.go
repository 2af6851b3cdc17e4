package store

import (
	"context"
	"database/sql"
	"errors"

	"assay/store/evidence"
)

// EachFact streams facts of every scope, in the order they stand in the documents.
// After those of a document come the ones that people and recipes add to it.
func (a *Archive) EachFact(ctx context.Context, f evidence.Filter, each func(evidence.FactRow) error) error {
	each = passing(each)
	return a.read(ctx, "export facts", func(tx *sql.Tx) error {
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		return eachFact(ctx, tx, o, f, each)
	})
}

func eachFact(ctx context.Context, tx *sql.Tx, o *overlay, f evidence.Filter, each func(evidence.FactRow) error) error {
	l := &factLines{ctx: ctx, tx: tx, o: o, f: f, left: pageOf(f), each: each, adds: o.adds(f.Key)}
	if l.left.done() {
		return nil
	}
	query, args := l.query()
	rows, err := tx.QueryContext(ctx, query+factsOrder, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	err = l.stream(rows)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// factLines streams the facts of one filter.
type factLines struct {
	ctx  context.Context
	tx   *sql.Tx
	o    *overlay
	f    evidence.Filter
	left page
	each func(evidence.FactRow) error
	adds bool     // documents may have facts that no row of theirs states
	at   document // the one whose facts are streamed
}

// document is a document while its facts are put together.
type document struct {
	id int64
	evidence.Source
	campaign, family string
}

// query asks for the recorded facts; where people or recipes may add some it also
// names the documents that record none.
func (l *factLines) query() (string, []any) {
	docs, facts := &clauses{}, &clauses{}
	f := l.f
	docs.documents(f)
	if f.Run != "" {
		if _, ordinal, ok := parseRunID(f.Run); ok {
			facts.add("f.run_id = (d.artifact_id << 24 | ?)", ordinal)
		}
	}
	if f.Arm != "" {
		docs.add("+d.id IN (SELECT document_id FROM arm WHERE name = ?)", f.Arm)
	}
	if f.Key != "" {
		if !l.adds {
			docs.holds("key", string(f.Key))
		}
		facts.add("f.key = ?", string(f.Key))
	}
	if f.Class != "" {
		facts.factClass(evidence.Class(f.Class))
	}
	if f.State != "" && l.o.empty() {
		facts.add("f.state = ?", f.State)
	}
	join := " CROSS JOIN fact f ON f.document_id = d.id"
	if l.adds {
		join = " LEFT JOIN fact f ON f.document_id = d.id"
	}
	for _, w := range facts.where {
		join += " AND " + w
	}
	return factHeads + join + factArms + docs.sql(), append(facts.args, docs.args...)
}

const (
	factHeads = "SELECT " + sourceColumns + ", d.id, d.family, coalesce(a.name, ''), coalesce(a.pointer, ''), coalesce(f.arm_id, -1), coalesce(f.run_id, -1), " +
		"coalesce(f.key, ''), coalesce(f.value, ''), coalesce(f.state, ''), coalesce(f.source_text, ''), coalesce(f.rule, ''), " +
		"coalesce(f.pointer, ''), coalesce(f.span_start, 0), coalesce(f.span_end, 0) FROM document d INDEXED BY document_order"
	factArms   = " LEFT JOIN arm a ON a.id = f.arm_id"
	factsOrder = " ORDER BY d.campaign, d.sha256, d.ordinal, f.ordinal"
)

// factLine is a row of the query.
type factLine struct {
	document
	evidence.FactRow
	armAt        evidence.Pointer
	armID, runID int64
}

func scanFactLine(rows *sql.Rows) (factLine, error) {
	var x factLine
	var s source
	err := rows.Scan(append(append(s.into(&x.document.Source, &x.campaign), &x.document.id, &x.family, &x.Arm, &x.armAt, &x.armID, &x.runID),
		factInto(&x.FactRow)...)...)
	x.document.Reader = s.ref()
	x.FactRow.Source, x.FactRow.Campaign = x.document.Source, x.campaign
	if x.runID >= 0 {
		x.Run = evidence.RunID(x.FactRow.Artifact, int(x.runID&maxOrdinal))
	}
	return x, err
}

func (l *factLines) stream(rows *sql.Rows) error {
	l.at.id = -1
	for rows.Next() {
		x, err := scanFactLine(rows)
		if err != nil {
			return err
		}
		if x.document.id != l.at.id {
			if err := l.finish(); err != nil {
				return err
			}
			l.at = x.document
		}
		if x.Key == "" {
			continue // a document that records none of them
		}
		if !l.o.empty() {
			if err := l.lay(&x); err != nil {
				return err
			}
		}
		if err := l.line(x.FactRow); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return l.finish()
}

// finish adds what people and recipes say of the document that has been streamed.
func (l *factLines) finish() error {
	if !l.adds || l.at.id < 0 {
		return nil
	}
	more, err := l.o.additions(l.ctx, l.tx, l.at)
	if err != nil {
		return err
	}
	for _, f := range more {
		if l.fits(&f) {
			if err := l.line(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// fits applies to an added fact what the query applies to the others.
func (l *factLines) fits(f *evidence.FactRow) bool {
	return (l.f.Run == "" || f.Run == l.f.Run) &&
		(l.f.Key == "" || f.Key == l.f.Key) && (l.f.Class == "" || string(evidence.LookupKey(f.Key).Class) == l.f.Class)
}

func (l *factLines) line(f evidence.FactRow) error {
	if l.f.Arm != "" && f.Arm != l.f.Arm || l.f.State != "" && string(f.State) != l.f.State {
		return nil
	}
	if l.left.skip() {
		return nil
	}
	if err := l.each(f); err != nil {
		return err
	}
	if l.left.done() {
		return errEnough
	}
	return nil
}

// lay holds one recorded fact against what is declared for the document, the arm or the
// run that it is a fact of.
func (l *factLines) lay(x *factLine) error {
	o := l.o
	if d := o.artifacts[x.FactRow.Artifact]; d != nil || len(o.campaigns[x.campaign]) > 0 {
		var places []evidence.Pointer
		if d != nil && len(d.places) > 0 && x.armID >= 0 {
			places = append(places, x.armAt)
			if x.runID >= 0 {
				var at evidence.Pointer
				if err := l.tx.QueryRowContext(l.ctx, "SELECT pointer FROM run WHERE id = ?", x.runID).Scan(&at); err != nil {
					return err
				}
				places = append(places, at)
			}
		}
		o.dispute(&x.FactRow, o.about(x.campaign, x.FactRow.Artifact, places...))
	}
	o.spellOne(&x.FactRow)
	return nil
}
