package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"assay/store/evidence"
)

// maxStops bounds the rules that one waiver sets aside.
const maxStops = 64

// AddWaiver files a waiver and returns it with its id and time. Whether its rules may be
// waived at all is for the caller to judge: it has the rules. A waiver without a person, a
// reason or a stop is refused with an [*evidence.RepairError], one for runs that the
// archive does not hold with evidence.ErrNotFound.
func (a *Archive) AddWaiver(ctx context.Context, x evidence.Waiver) (evidence.Waiver, error) {
	var err error
	if x.Person, err = checkWords("author", x.Person, maxAuthor); err != nil {
		return x, err
	}
	if x.Reason, err = checkWords("reason", x.Reason, maxReason); err != nil {
		return x, err
	}
	if len(x.Stops) == 0 || len(x.Stops) > maxStops {
		return x, refuse("rules", "%d are named; a waiver sets 1 to %d aside", len(x.Stops), maxStops)
	}
	if _, known := evidence.LookupMetric(x.Metric); !known || x.Stat == "" {
		return x, refuse("figure", "%s:%s is none", x.Metric, x.Stat)
	}
	stops, err := json.Marshal(x.Stops)
	if err != nil {
		return x, err
	}
	for _, id := range []string{x.Control, x.Arm} {
		if _, err := a.Run(ctx, id); err != nil {
			return x, fmt.Errorf("waiver: run %.80s: %w", id, err)
		}
	}
	x.WithdrawnBy, x.WithdrawnReason, x.WithdrawnUS = "", "", 0
	err = a.write(ctx, "add a waiver", func(w *writing) error {
		x.AtUS = w.us
		x.ID, err = w.insert("INSERT INTO waiver (control_run, arm_run, metric, stat, stops, person, reason, at_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			x.Control, x.Arm, string(x.Metric), string(x.Stat), string(stops), x.Person, x.Reason, x.AtUS)
		if err != nil {
			return err
		}
		_, err = w.record(x.ID, recordOfWaiver(&x))
		return err
	})
	return x, err
}

// WithdrawWaiver takes a waiver back. It stays listed.
func (a *Archive) WithdrawWaiver(ctx context.Context, id int64, by, reason string) error {
	by, err := checkWords("author", by, maxAuthor)
	if err != nil {
		return err
	}
	if reason, err = checkWords("reason", reason, maxReason); err != nil {
		return err
	}
	return a.write(ctx, "withdraw a waiver", func(w *writing) error {
		rows, err := w.query("SELECT "+waiverColumns+" FROM waiver WHERE id = ?", id)
		if err != nil {
			return err
		}
		list, err := collect(rows, scanWaiver)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("waiver %d: %w", id, evidence.ErrNotFound)
		}
		if !list[0].Holds() {
			return refuse("waiver", "%d was withdrawn by %s already", id, list[0].WithdrawnBy)
		}
		x := list[0]
		x.WithdrawnBy, x.WithdrawnReason, x.WithdrawnUS = by, reason, w.us
		if err := w.exec("UPDATE waiver SET withdrawn_by = ?, withdrawn_reason = ?, withdrawn_us = ? WHERE id = ?", by, reason, w.us, id); err != nil {
			return err
		}
		_, err = w.record(id, recordOfWaiverWithdrawn(&x))
		return err
	})
}

const waiverColumns = "id, control_run, arm_run, metric, stat, stops, person, reason, at_us, withdrawn_by, withdrawn_reason, withdrawn_us"

func scanWaiver(rows *sql.Rows) (evidence.Waiver, error) {
	var x evidence.Waiver
	var stops string
	err := rows.Scan(&x.ID, &x.Control, &x.Arm, &x.Metric, &x.Stat, &stops, &x.Person, &x.Reason, &x.AtUS,
		&x.WithdrawnBy, &x.WithdrawnReason, &x.WithdrawnUS)
	if err != nil {
		return x, err
	}
	if err := json.Unmarshal([]byte(stops), &x.Stops); err != nil {
		return x, fmt.Errorf("waiver %d: %w", x.ID, err)
	}
	return x, nil
}

// Waivers lists waivers, the latest first, and counts all that fit.
func (a *Archive) Waivers(ctx context.Context, f evidence.WaiverFilter) ([]evidence.Waiver, int, error) {
	var list []evidence.Waiver
	total := 0
	err := a.read(ctx, "list waivers", func(tx *sql.Tx) error {
		c := &clauses{}
		if f.Runs != nil {
			ids, err := json.Marshal(f.Runs)
			if err != nil {
				return err
			}
			c.add("control_run IN (SELECT value FROM json_each(?))", string(ids))
			c.add("arm_run IN (SELECT value FROM json_each(?))", string(ids))
		}
		if f.Holds {
			c.add("withdrawn_us = 0")
		}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM waiver"+c.sql(), c.args...).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "SELECT "+waiverColumns+" FROM waiver"+c.sql()+" ORDER BY id DESC LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		list, err = collect(rows, scanWaiver)
		return err
	})
	return list, total, err
}
