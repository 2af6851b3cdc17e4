package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"assay/store/evidence"
)

// AddRepair files what a person says about evidence, with its effects, in one
// transaction. It returns the repair as stored: with its id and time, the target in
// full and the value in its canonical form.
//
// A repair that makes no sense is refused with an [*evidence.RepairError]; a target
// that the archive does not hold with evidence.ErrNotFound.
func (a *Archive) AddRepair(ctx context.Context, r evidence.Repair) (evidence.Repair, error) {
	r, err := checkRepair(r)
	if err != nil {
		return r, err
	}
	err = a.write(ctx, "add a repair", func(w *writing) error {
		var moved int64
		var err error
		switch r.Kind {
		case evidence.RepairAlias:
			err = w.checkAlias(&r)
		case evidence.RepairFact:
			err = w.checkDeclaration(&r)
		case evidence.RepairMove:
			moved, err = w.checkMove(&r)
		}
		if err != nil {
			return err
		}
		r.AtUS = w.us
		r.ID, err = w.insert("INSERT INTO repair (kind, target, key, value, author, reason, at_us) VALUES (?, ?, ?, ?, ?, ?, ?)",
			string(r.Kind), r.Target, string(r.Key), r.Value, r.Author, r.Reason, r.AtUS)
		if err != nil {
			return err
		}
		if _, err := w.record(r.ID, recordOfRepair(&r)); err != nil || r.Kind != evidence.RepairMove {
			return err
		}
		return w.settleCampaign(moved)
	})
	return r, err
}

// WithdrawRepair takes a repair back. It stays listed, with who withdrew it and why,
// and what it changed is as if it had never been made.
func (a *Archive) WithdrawRepair(ctx context.Context, id int64, by, reason string) error {
	by, err := checkWords("author", by, maxAuthor)
	if err != nil {
		return err
	}
	if reason, err = checkWords("reason", reason, maxReason); err != nil {
		return err
	}
	return a.write(ctx, "withdraw a repair", func(w *writing) error {
		r, err := w.repair(id)
		if err != nil {
			return err
		}
		if !r.Holds() {
			return &evidence.RepairError{Field: "repair", Problem: fmt.Sprintf("%d was withdrawn by %s already", id, r.WithdrawnBy)}
		}
		r.WithdrawnBy, r.WithdrawnReason, r.WithdrawnUS = by, reason, w.us
		if err := w.exec("UPDATE repair SET withdrawn_by = ?, withdrawn_reason = ?, withdrawn_us = ? WHERE id = ?", by, reason, w.us, id); err != nil {
			return err
		}
		if _, err := w.record(id, recordOfRepairWithdrawn(&r)); err != nil || r.Kind != evidence.RepairMove {
			return err
		}
		artifactID, err := w.artifactOf(r.Target)
		if err != nil {
			return err
		}
		return w.settleCampaign(artifactID)
	})
}

const repairColumns = "id, kind, target, key, value, author, reason, at_us, withdrawn_by, withdrawn_reason, withdrawn_us"

func scanRepair(rows *sql.Rows) (evidence.Repair, error) {
	var r evidence.Repair
	err := rows.Scan(&r.ID, &r.Kind, &r.Target, &r.Key, &r.Value, &r.Author, &r.Reason, &r.AtUS, &r.WithdrawnBy, &r.WithdrawnReason, &r.WithdrawnUS)
	return r, err
}

func (w *writing) repair(id int64) (evidence.Repair, error) {
	rows, err := w.query("SELECT "+repairColumns+" FROM repair WHERE id = ?", id)
	if err != nil {
		return evidence.Repair{}, err
	}
	list, err := collect(rows, scanRepair)
	if err != nil {
		return evidence.Repair{}, err
	}
	if len(list) == 0 {
		return evidence.Repair{}, fmt.Errorf("repair %d: %w", id, evidence.ErrNotFound)
	}
	return list[0], nil
}

func repairClauses(f evidence.RepairFilter) *clauses {
	c := &clauses{}
	if f.Kind != "" {
		c.add("kind = ?", string(f.Kind))
	}
	if f.Key != "" {
		c.add("key = ?", string(f.Key))
	}
	if f.Target != "" {
		c.add("target = ?", f.Target)
	}
	if f.Holds {
		c.add("withdrawn_us = 0")
	}
	return c
}

// Repairs lists repairs, the latest first, and counts all that fit.
func (a *Archive) Repairs(ctx context.Context, f evidence.RepairFilter) ([]evidence.Repair, int, error) {
	var list []evidence.Repair
	total := 0
	err := a.read(ctx, "list repairs", func(tx *sql.Tx) error {
		c := repairClauses(f)
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM repair"+c.sql(), c.args...).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "SELECT "+repairColumns+" FROM repair"+c.sql()+" ORDER BY id DESC LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		list, err = collect(rows, scanRepair)
		return err
	})
	return list, total, err
}

// EachRepair streams repairs, the first made first, withdrawn ones too. Class narrows
// to a kind, Key to a fact key, State "holds" or "withdrawn" to what is in force or not.
func (a *Archive) EachRepair(ctx context.Context, f evidence.Filter, each func(evidence.Repair) error) error {
	c := repairClauses(evidence.RepairFilter{Kind: evidence.RepairKind(f.Class), Key: f.Key, Holds: f.State == "holds"})
	if f.State == "withdrawn" {
		c.add("withdrawn_us <> 0")
	}
	return eachRow(ctx, a, "export repairs", "SELECT "+repairColumns+" FROM repair"+c.sql()+" ORDER BY id", f, c.args, scanRepair, each)
}

// artifactOf is the number of the artifact with a digest.
func (w *writing) artifactOf(digits string) (int64, error) {
	d, err := evidence.ParseDigest(strings.ToLower(digits))
	if err != nil {
		return 0, &evidence.RepairError{Field: "target", Problem: err.Error()}
	}
	var id int64
	err = w.scan("SELECT id FROM artifact WHERE sha256 = ?", []any{d[:]}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("artifact %s: %w", d, evidence.ErrNotFound)
	}
	return id, err
}
