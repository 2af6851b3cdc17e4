package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"assay/store/evidence"
	"assay/store/signoff"
)

// policyRow is a policy that was put in force, with its row.
type policyRow struct {
	signoff.SetPolicy
	id  int64
	sum []byte
}

const policyColumns = "id, name, version, sha256, body, author, reason, at_us"

func scanPolicy(rows *sql.Rows) (p policyRow, err error) {
	if err = rows.Scan(&p.id, &p.Name, &p.Version, &p.sum, &p.Body, &p.Author, &p.Reason, &p.AtUS); err == nil {
		p.Digest = hex.EncodeToString(p.sum)
	}
	return p, err
}

func recordOfPolicy(p *policyRow) signoff.Record {
	return signoff.NewRecord(signoff.RecordPolicy, "policy", number(p.id), "name", p.Name, "version", number(int64(p.Version)), "sha256", p.Digest,
		"author", p.Author, "reason", p.Reason, "time", micros(p.AtUS))
}

// SetPolicy puts a policy in force. Another file under a name and version that were used
// is refused: a statement that names them must mean one text.
func (a *Archive) SetPolicy(ctx context.Context, body []byte, author, reason string) (*signoff.Policy, error) {
	p, err := signoff.ParsePolicy(body)
	if err != nil {
		return nil, &mendableError{err}
	}
	if author, err = checkWords("author", author, maxAuthor); err != nil {
		return nil, err
	}
	if reason, err = checkWords("reason", reason, maxReason); err != nil {
		return nil, err
	}
	ref := p.Ref()
	if d := signoff.Default().Ref(); ref.Name == d.Name && ref.Version == d.Version && ref.Digest != d.Digest {
		return nil, &mendableError{fmt.Errorf("policy %s version %d: is the one that the program brings, and this is another text; choose another name or a higher version", ref.Name, ref.Version)}
	}
	digest := evidence.DigestOf(body)
	return p, a.write(ctx, "set the policy", func(w *writing) error {
		var other int64
		err := w.scan("SELECT id FROM policy WHERE name = ? AND version = ? AND sha256 <> ?", []any{ref.Name, ref.Version, digest[:]}, &other)
		if err == nil {
			return &mendableError{fmt.Errorf("policy %s version %d: was set with another text; raise the version", ref.Name, ref.Version)}
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		row := policyRow{SetPolicy: signoff.SetPolicy{PolicyRef: ref, Body: body, Author: author, Reason: reason, AtUS: w.us}}
		row.id, err = w.insert("INSERT INTO policy (name, version, sha256, body, author, reason, at_us) VALUES (?, ?, ?, ?, ?, ?, ?)",
			ref.Name, ref.Version, digest[:], body, author, reason, w.us)
		if err != nil {
			return err
		}
		_, err = w.record(row.id, recordOfPolicy(&row))
		return err
	})
}

// Policy is the policy in force: that which was set last, or the one that the program brings.
func (a *Archive) Policy(ctx context.Context) (*signoff.Policy, error) {
	var body []byte
	err := a.read(ctx, "read the policy", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, "SELECT body FROM policy ORDER BY id DESC LIMIT 1").Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if body == nil {
		return signoff.Default(), nil
	}
	return signoff.ParsePolicy(body)
}

// Policies lists the policies that were set, the latest first.
func (a *Archive) Policies(ctx context.Context) (list []signoff.SetPolicy, err error) {
	err = a.read(ctx, "list policies", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+policyColumns+" FROM policy ORDER BY id DESC")
		if err != nil {
			return err
		}
		all, err := collect(rows, scanPolicy)
		for i := range all {
			list = append(list, all[i].SetPolicy)
		}
		return err
	})
	return list, err
}

const gateWaiverColumns = "id, campaign, gate, author, reason, at_us, withdrawn_by, withdrawn_reason, withdrawn_us"

func scanGateWaiver(rows *sql.Rows) (x signoff.GateWaiver, err error) {
	return x, rows.Scan(&x.ID, &x.Campaign, &x.Gate, &x.Author, &x.Reason, &x.AtUS, &x.WithdrawnBy, &x.Why, &x.WithdrawnUS)
}

func recordOfGateWaiver(x *signoff.GateWaiver) signoff.Record {
	return signoff.NewRecord(signoff.RecordGateWaiver, "waiver", number(x.ID), "campaign", x.Campaign, "gate", x.Gate, "author", x.Author, "reason", x.Reason, "time", micros(x.AtUS))
}

func recordOfGateWaiverWithdrawn(x *signoff.GateWaiver) signoff.Record {
	return signoff.NewRecord(signoff.RecordGateWaiverWithdrawn, "waiver", number(x.ID), "author", x.WithdrawnBy, "reason", x.Why, "time", micros(x.WithdrawnUS))
}

// WaiveGate sets a gate of a campaign aside, where the policy in force lets a person.
func (a *Archive) WaiveGate(ctx context.Context, x signoff.GateWaiver) (signoff.GateWaiver, error) {
	p, err := a.Policy(ctx)
	if err != nil {
		return x, err
	}
	g := p.Gate(x.Gate)
	if g == nil || !g.Waivable {
		return x, &mendableError{fmt.Errorf("gate %.60q: policy %s version %d has no such gate that a person may waive", x.Gate, p.Name, p.Version)}
	}
	if x.Author, err = checkWords("author", x.Author, maxAuthor); err != nil {
		return x, err
	}
	if x.Reason, err = checkWords("reason", x.Reason, maxReason); err != nil {
		return x, err
	}
	if x.Campaign, err = a.ResolveCampaign(ctx, x.Campaign); err != nil {
		return x, err
	}
	x.WithdrawnBy, x.Why, x.WithdrawnUS = "", "", 0
	err = a.write(ctx, "waive a gate", func(w *writing) error {
		x.AtUS = w.us
		var held int64
		switch err := w.scan("SELECT id FROM gate_waiver WHERE campaign = ? AND gate = ? AND withdrawn_us = 0", []any{x.Campaign, x.Gate}, &held); {
		case err == nil:
			return &mendableError{fmt.Errorf("gate %.60q: waiver %d sets it aside already", x.Gate, held)}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		if x.ID, err = w.insert("INSERT INTO gate_waiver (campaign, gate, author, reason, at_us) VALUES (?, ?, ?, ?, ?)", x.Campaign, x.Gate, x.Author, x.Reason, w.us); err != nil {
			return err
		}
		_, err = w.record(x.ID, recordOfGateWaiver(&x))
		return err
	})
	return x, err
}

// WithdrawGateWaiver takes it back. It stays listed.
func (a *Archive) WithdrawGateWaiver(ctx context.Context, id int64, by, reason string) error {
	by, err := checkWords("author", by, maxAuthor)
	if err != nil {
		return err
	}
	if reason, err = checkWords("reason", reason, maxReason); err != nil {
		return err
	}
	return a.write(ctx, "withdraw the waiver of a gate", func(w *writing) error {
		rows, err := w.query("SELECT "+gateWaiverColumns+" FROM gate_waiver WHERE id = ?", id)
		if err != nil {
			return err
		}
		list, err := collect(rows, scanGateWaiver)
		if err != nil {
			return err
		}
		if len(list) == 0 || !list[0].Holds() {
			return fmt.Errorf("waiver %d of a gate: %w among those that hold", id, evidence.ErrNotFound)
		}
		x := list[0]
		x.WithdrawnBy, x.Why, x.WithdrawnUS = by, reason, w.us
		if err := w.exec("UPDATE gate_waiver SET withdrawn_by = ?, withdrawn_reason = ?, withdrawn_us = ? WHERE id = ?", by, reason, w.us, id); err != nil {
			return err
		}
		_, err = w.record(id, recordOfGateWaiverWithdrawn(&x))
		return err
	})
}

// GateWaivers lists the waivers of a campaign's gates, withdrawn ones too; of all
// campaigns when it is "".
func (a *Archive) GateWaivers(ctx context.Context, campaign string) (list []signoff.GateWaiver, err error) {
	err = a.read(ctx, "list waivers of gates", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+gateWaiverColumns+" FROM gate_waiver WHERE ? = '' OR campaign = ? ORDER BY id", campaign, campaign)
		if err != nil {
			return err
		}
		list, err = collect(rows, scanGateWaiver)
		return err
	})
	return list, err
}

func eachPolicyRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+policyColumns+" FROM policy ORDER BY id", scanPolicy, func(p policyRow) error {
		if got := evidence.DigestOf(p.Body); hex.EncodeToString(got[:]) != p.Digest {
			v.report.fault("row", -1, "policy %d: its text does not have its digest", p.id)
		}
		return each(p.id, recordOfPolicy(&p))
	})
}

func eachGateWaiverRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+gateWaiverColumns+" FROM gate_waiver ORDER BY id", scanGateWaiver, func(x signoff.GateWaiver) error {
		return each(x.ID, recordOfGateWaiver(&x))
	})
}

func eachGateWaiverWithdrawnRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+gateWaiverColumns+" FROM gate_waiver WHERE withdrawn_us <> 0 ORDER BY id", scanGateWaiver, func(x signoff.GateWaiver) error {
		return each(x.ID, recordOfGateWaiverWithdrawn(&x))
	})
}
