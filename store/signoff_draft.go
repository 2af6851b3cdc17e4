package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"assay/store/evidence"
	"assay/store/signoff"
)

// Bounds of a draft.
const (
	maxScope   = 4000
	mostAcks   = 5000
	mostDrafts = 1000 // that are open
)

// SaveDraft keeps a draft: a new one when it has no id. What it was made on (campaign,
// arms, target, preparer) is kept as it was first saved.
func (a *Archive) SaveDraft(ctx context.Context, d signoff.Draft) (signoff.Draft, error) {
	if err := checkDraft(&d); err != nil {
		return d, err
	}
	figures, err := json.Marshal(d.Figures)
	if err != nil {
		return d, err
	}
	acks, err := json.Marshal(d.Acks)
	if err != nil {
		return d, err
	}
	err = a.write(ctx, "save a draft", func(w *writing) error {
		d.ChangedUS = w.us
		if d.ID == 0 {
			return w.addDraft(&d, string(figures), string(acks))
		}
		held, err := w.draft(d.ID)
		if err != nil {
			return err
		}
		if held.ClosedUS != 0 {
			return refuse("draft", "%d is closed", d.ID)
		}
		held.Decision, held.Scope, held.Reason, held.Acks = d.Decision, d.Scope, d.Reason, d.Acks
		held.Ready, held.Ground, held.Figures, held.ChangedUS = d.Ready, d.Ground, d.Figures, w.us
		d = held
		return w.exec("UPDATE signoff_draft SET figures = ?, decision = ?, scope = ?, reason = ?, acks = ?, changed_us = ?, ready = ?, ground = ? WHERE id = ?",
			string(figures), string(d.Decision), d.Scope, d.Reason, string(acks), w.us, d.Ready, d.Ground, d.ID)
	})
	return d, err
}

func checkDraft(d *signoff.Draft) error {
	switch {
	case d.Campaign == "" || d.Candidate == "":
		return refuse("draft", "has no campaign or no candidate")
	case !slices.Contains(signoff.Targets, d.Target):
		return refuse("target", "%.40q is none of %q", d.Target, signoff.Targets)
	case d.Decision != signoff.NoAnswer && !slices.Contains(signoff.Decisions, d.Decision):
		return refuse("decision", "%.40q is none of %q", d.Decision, signoff.Decisions)
	case len(d.Acks) > mostAcks:
		return refuse("draft", "has %d acknowledgements; at most %d are kept", len(d.Acks), mostAcks)
	}
	var err error
	for _, part := range []struct {
		into  *string
		field string
		limit int
	}{{&d.Scope, "scope", maxScope}, {&d.Reason, "reason", maxReason}} {
		if *part.into == "" {
			continue
		}
		if *part.into, err = checkWords(part.field, *part.into, part.limit); err != nil {
			return err
		}
	}
	for i := range d.Acks {
		if d.Acks[i].Reason == "" {
			continue
		}
		if d.Acks[i].Reason, err = checkWords("reason", d.Acks[i].Reason, maxReason); err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) addDraft(d *signoff.Draft, figures, acks string) error {
	preparer, err := checkWords("preparer", d.Preparer, maxAuthor)
	if err != nil {
		return err
	}
	var open int
	if err := w.scan("SELECT count(*) FROM signoff_draft WHERE closed_us = 0", nil, &open); err != nil {
		return err
	}
	if open >= mostDrafts {
		return refuse("draft", "%d are open, the most there can be; give up those that nobody needs", open)
	}
	d.Preparer, d.MadeUS, d.ClosedUS = preparer, w.us, 0
	d.ID, err = w.insert(`INSERT INTO signoff_draft (campaign, candidate, control, back, figures, target, decision, scope, reason, acks,
		preparer, made_us, changed_us, ready, ground) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		d.Campaign, d.Candidate, d.Control, d.Back, figures, string(d.Target), string(d.Decision), d.Scope, d.Reason, acks,
		d.Preparer, w.us, w.us, d.Ready, d.Ground)
	return err
}

const draftColumns = "id, campaign, candidate, control, back, figures, target, decision, scope, reason, acks, preparer, made_us, changed_us, closed_us, ready, ground"

func scanDraft(rows *sql.Rows) (signoff.Draft, error) {
	var d signoff.Draft
	var figures, acks string
	err := rows.Scan(&d.ID, &d.Campaign, &d.Candidate, &d.Control, &d.Back, &figures, &d.Target, &d.Decision, &d.Scope, &d.Reason, &acks,
		&d.Preparer, &d.MadeUS, &d.ChangedUS, &d.ClosedUS, &d.Ready, &d.Ground)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal([]byte(figures), &d.Figures); err != nil {
		return d, fmt.Errorf("draft %d: %w", d.ID, err)
	}
	if err := json.Unmarshal([]byte(acks), &d.Acks); err != nil {
		return d, fmt.Errorf("draft %d: %w", d.ID, err)
	}
	return d, nil
}

func (w *writing) draft(id int64) (signoff.Draft, error) {
	rows, err := w.query("SELECT "+draftColumns+" FROM signoff_draft WHERE id = ?", id)
	if err != nil {
		return signoff.Draft{}, err
	}
	return oneDraft(rows, id)
}

func oneDraft(rows *sql.Rows, id int64) (signoff.Draft, error) {
	list, err := collect(rows, scanDraft)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("draft %d: %w", id, evidence.ErrNotFound)
	}
	if err != nil {
		return signoff.Draft{}, err
	}
	return list[0], nil
}

// Draft is a draft by its number.
func (a *Archive) Draft(ctx context.Context, id int64) (d signoff.Draft, err error) {
	err = a.read(ctx, "read a draft", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+draftColumns+" FROM signoff_draft WHERE id = ?", id)
		if err != nil {
			return err
		}
		d, err = oneDraft(rows, id)
		return err
	})
	return d, err
}

// Drafts lists drafts, the latest changed first.
func (a *Archive) Drafts(ctx context.Context, f signoff.Filter) (list []signoff.Draft, err error) {
	c := &clauses{}
	if f.Campaign != "" {
		c.add("campaign = ?", f.Campaign)
	}
	if f.Decision != "" {
		c.add("decision = ?", string(f.Decision))
	}
	if f.Person != "" {
		c.add("preparer = ?", f.Person)
	}
	if f.Open {
		c.add("closed_us = 0")
	}
	err = a.read(ctx, "list drafts", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+draftColumns+" FROM signoff_draft"+c.sql()+" ORDER BY changed_us DESC, id DESC LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		list, err = collect(rows, scanDraft)
		return err
	})
	return list, err
}

// CloseDraft gives a draft up. It stays listed.
func (a *Archive) CloseDraft(ctx context.Context, id int64) error {
	return a.write(ctx, "close a draft", func(w *writing) error { return w.closeDraft(id) })
}

func (w *writing) closeDraft(id int64) error {
	d, err := w.draft(id)
	if err != nil {
		return err
	}
	if d.ClosedUS != 0 {
		return refuse("draft", "%d is closed", id)
	}
	return w.exec("UPDATE signoff_draft SET closed_us = ? WHERE id = ?", w.us, id)
}
