package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"assay/store/evidence"
	"assay/store/signoff"
)

// AddMark files what a person says of an artifact as a whole, as a row and as a record of
// the log. An invalidated artifact's runs are compared with nothing from then on.
func (a *Archive) AddMark(ctx context.Context, m signoff.Mark) (signoff.Mark, error) {
	var err error
	if m.Author, err = checkWords("author", m.Author, maxAuthor); err != nil {
		return m, err
	}
	if m.Reason, err = checkWords("reason", m.Reason, maxReason); err != nil {
		return m, err
	}
	switch {
	case m.Kind != signoff.Superseded && m.Kind != signoff.Invalidated:
		return m, refuse("kind", "%.40q is neither %q nor %q", string(m.Kind), signoff.Superseded, signoff.Invalidated)
	case m.Kind == signoff.Superseded && !m.By.OK:
		return m, refuse("by", "an artifact is superseded by another one; name it")
	case m.Kind == signoff.Invalidated && m.By.OK:
		return m, refuse("by", "an invalidated artifact has no successor; supersede it instead")
	case m.By.OK && m.By.V == m.Artifact:
		return m, refuse("by", "an artifact does not take its own place")
	}
	m.WithdrawnBy, m.WithdrawnReason, m.WithdrawnUS = "", "", 0
	err = a.write(ctx, "mark an artifact", func(w *writing) error { return w.addMark(&m) })
	return m, err
}

func (w *writing) addMark(m *signoff.Mark) error {
	artifact, err := w.artifactOf(m.Artifact.String())
	if err != nil {
		return err
	}
	var by any
	if m.By.OK {
		id, err := w.artifactOf(m.By.V.String())
		if err != nil {
			return err
		}
		by = id
	}
	var held int64
	err = w.scan("SELECT id FROM artifact_mark m WHERE kind = ? AND artifact_id = ? AND by_id IS ? AND NOT EXISTS "+
		"(SELECT 1 FROM artifact_mark_withdrawal x WHERE x.mark_id = m.id)", []any{string(m.Kind), artifact, by}, &held)
	if err == nil {
		return refuse("artifact", "mark %d says so already", held)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	m.AtUS = w.us
	m.ID, err = w.insert("INSERT INTO artifact_mark (kind, artifact_id, by_id, author, reason, at_us) VALUES (?, ?, ?, ?, ?, ?)",
		string(m.Kind), artifact, by, m.Author, m.Reason, m.AtUS)
	if err != nil {
		return err
	}
	m.LogIndex, err = w.record(m.ID, recordOfMark(m))
	return err
}

// WithdrawMark takes a mark back, which is a row and a record of its own.
func (a *Archive) WithdrawMark(ctx context.Context, id int64, by, reason string) (m signoff.Mark, err error) {
	if by, err = checkWords("author", by, maxAuthor); err != nil {
		return m, err
	}
	if reason, err = checkWords("reason", reason, maxReason); err != nil {
		return m, err
	}
	err = a.write(ctx, "withdraw a mark", func(w *writing) error {
		rows, err := w.query("SELECT "+markColumns+markTables+" WHERE m.id = ?", id)
		if err != nil {
			return err
		}
		list, err := collect(rows, scanMark)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("mark %d: %w", id, evidence.ErrNotFound)
		}
		if m = list[0].Mark; !m.Holds() {
			return refuse("mark", "%d was withdrawn by %s already", id, m.WithdrawnBy)
		}
		m.WithdrawnBy, m.WithdrawnReason, m.WithdrawnUS = by, reason, w.us
		row, err := w.insert("INSERT INTO artifact_mark_withdrawal (mark_id, author, reason, at_us) VALUES (?, ?, ?, ?)", id, by, reason, w.us)
		if err != nil {
			return err
		}
		_, err = w.record(row, recordOfMarkWithdrawn(&m))
		return err
	})
	return m, err
}

const markColumns = `m.id, m.kind, o.sha256, n.sha256, m.author, m.reason, m.at_us,
	coalesce(x.author, ''), coalesce(x.reason, ''), coalesce(x.at_us, 0), coalesce(x.id, 0),
	coalesce((SELECT n FROM log_record WHERE kind = 'standing' AND subject = m.id), -1)`

const markTables = " FROM artifact_mark m JOIN artifact o ON o.id = m.artifact_id LEFT JOIN artifact n ON n.id = m.by_id LEFT JOIN artifact_mark_withdrawal x ON x.mark_id = m.id"

// markLine is a mark with the row of its withdrawal.
type markLine struct {
	signoff.Mark
	withdrawal int64
}

func scanMark(rows *sql.Rows) (m markLine, err error) {
	var by []byte
	err = rows.Scan(&m.ID, &m.Kind, digestInto(&m.Artifact), &by, &m.Author, &m.Reason, &m.AtUS, &m.WithdrawnBy, &m.WithdrawnReason, &m.WithdrawnUS, &m.withdrawal, &m.LogIndex)
	if len(by) == len(m.By.V) {
		m.By = evidence.Some(evidence.Digest(by))
	}
	return m, err
}

// Marks lists what people said of artifacts, the latest first.
func (a *Archive) Marks(ctx context.Context, f signoff.MarkFilter) (list []signoff.Mark, err error) {
	c := &clauses{}
	if f.Kind != "" {
		c.add("m.kind = ?", string(f.Kind))
	}
	if f.Artifacts != nil {
		hexes := make([]string, len(f.Artifacts))
		for i, d := range f.Artifacts {
			hexes[i] = d.String()
		}
		c.add("o.sha256 IN (SELECT unhex(value) FROM json_each(?))", jsonList(hexes))
	}
	if f.Holds {
		c.add("x.id IS NULL")
	}
	err = a.read(ctx, "list marks", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+markColumns+markTables+c.sql()+" ORDER BY m.id DESC", c.args...)
		if err != nil {
			return err
		}
		lines, err := collect(rows, scanMark)
		for _, l := range lines {
			list = append(list, l.Mark)
		}
		return err
	})
	return list, err
}

func recordOfMark(m *signoff.Mark) signoff.Record {
	by := ""
	if m.By.OK {
		by = m.By.V.String()
	}
	return signoff.NewRecord(signoff.RecordStanding, "mark", number(m.ID), "what", string(m.Kind), "artifact", m.Artifact.String(), "by", by,
		"author", m.Author, "reason", m.Reason, "time", micros(m.AtUS))
}

func recordOfMarkWithdrawn(m *signoff.Mark) signoff.Record {
	return signoff.NewRecord(signoff.RecordStandingWithdrawn, "mark", number(m.ID), "author", m.WithdrawnBy, "reason", m.WithdrawnReason, "time", micros(m.WithdrawnUS))
}

func eachMarkRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+markColumns+markTables+" ORDER BY m.id", scanMark, func(m markLine) error { return each(m.ID, recordOfMark(&m.Mark)) })
}

func eachMarkWithdrawnRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+markColumns+markTables+" WHERE x.id IS NOT NULL ORDER BY x.id", scanMark, func(m markLine) error {
		return each(m.withdrawal, recordOfMarkWithdrawn(&m.Mark))
	})
}

// keyInvalidated is the fact that the rules know invalidated evidence by (Q-INVALIDATED).
const keyInvalidated evidence.FactKey = "invalidated"

// loadMarks lays marks over the evidence: what is read from an invalidated artifact has
// the fact that it was invalidated. Such a declaration has a negative number; it is in no
// list of repairs.
func (o *overlay) loadMarks(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT "+markColumns+markTables+" WHERE m.kind = 'invalidated' AND x.id IS NULL ORDER BY m.id")
	if err != nil {
		return err
	}
	list, err := collect(rows, scanMark)
	if err != nil {
		return err
	}
	for _, m := range list {
		scope := evidence.Scope{Artifact: m.Artifact}
		o.declare(scope, &evidence.Repair{ID: -m.ID, Kind: evidence.RepairFact, Target: scope.String(), Key: keyInvalidated, Value: "true",
			Author: m.Author, Reason: m.Reason, AtUS: m.AtUS})
	}
	return nil
}
