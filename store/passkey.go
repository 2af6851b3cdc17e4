package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/signoff"
)

// How many of each a person may have that hold.
const (
	mostPasskeys = 20
	mostKeysHeld = 50
)

// AddPasskey keeps the public half of an authenticator. record is JSON as the web has it:
// the public key with its counter and flags.
func (a *Archive) AddPasskey(ctx context.Context, accountID int64, p account.Passkey) error {
	label, err := checkWords("name of the passkey", p.Label, maxAuthor)
	if err != nil {
		return &mendableError{err}
	}
	return a.write(ctx, "add a passkey", func(w *writing) error {
		var held int
		if err := w.scan("SELECT count(*) FROM passkey WHERE account_id = ? AND removed_us = 0", []any{accountID}, &held); err != nil {
			return err
		}
		if held >= mostPasskeys {
			return &mendableError{fmt.Errorf("%d passkeys, the most a person can have; remove one", held)}
		}
		var there int
		if err := w.scan("SELECT count(*) FROM passkey WHERE credential = ?", []any{p.Credential}, &there); err != nil {
			return err
		}
		if there > 0 {
			return &mendableError{fmt.Errorf("passkey: %w: an authenticator is registered once", evidence.ErrTaken)}
		}
		key, err := w.addKey(accountID, account.AccountKey{Kind: account.KeyPasskey, Public: p.Public, Fingerprint: p.Fingerprint, Label: label})
		if err != nil {
			return err
		}
		return w.exec("INSERT INTO passkey (account_id, key_id, credential, label, record, added_us) VALUES (?, ?, ?, ?, ?, ?)",
			accountID, key, p.Credential, label, string(p.Record), w.us)
	})
}

// Passkeys lists the authenticators of a person that hold.
func (a *Archive) Passkeys(ctx context.Context, accountID int64) (list []account.Passkey, err error) {
	err = a.read(ctx, "list passkeys", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT p.id, p.credential, p.label, p.record, p.added_us, p.used_us FROM passkey p WHERE p.account_id = ? AND p.removed_us = 0 ORDER BY p.id", accountID)
		if err != nil {
			return err
		}
		list, err = collect(rows, func(rows *sql.Rows) (p account.Passkey, err error) {
			return p, rows.Scan(&p.ID, &p.Credential, &p.Label, &p.Record, &p.AddedUS, &p.UsedUS)
		})
		return err
	})
	return list, err
}

// UsePasskey keeps what changed of an authenticator when it was used: its counter.
func (a *Archive) UsePasskey(ctx context.Context, accountID int64, credential, record []byte) error {
	return a.write(ctx, "note the use of a passkey", func(w *writing) error {
		return w.exec("UPDATE passkey SET record = ?, used_us = ? WHERE account_id = ? AND credential = ? AND removed_us = 0", string(record), w.us, accountID, credential)
	})
}

// RemovePasskey ends an authenticator, and with it its public key, which stays listed.
func (a *Archive) RemovePasskey(ctx context.Context, accountID, id int64) error {
	return a.write(ctx, "remove a passkey", func(w *writing) error {
		var key int64
		err := w.scan("SELECT key_id FROM passkey WHERE id = ? AND account_id = ? AND removed_us = 0", []any{id, accountID}, &key)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("passkey: %w", evidence.ErrNotFound)
		}
		if err != nil {
			return err
		}
		return w.revokeKey(accountID, key)
	})
}

const keyColumns = "id, kind, public, fingerprint, label, added_us, revoked_us"

func scanKey(rows *sql.Rows) (k account.AccountKey, err error) {
	return k, rows.Scan(&k.ID, &k.Kind, &k.Public, &k.Fingerprint, &k.Label, &k.AddedUS, &k.RevokedUS)
}

func keysOf(ctx context.Context, tx *sql.Tx, accountID int64) ([]account.AccountKey, error) {
	rows, err := tx.QueryContext(ctx, "SELECT "+keyColumns+" FROM account_key WHERE account_id = ? ORDER BY id", accountID)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanKey)
}

// AddKey keeps the public half of a key that a person signs with.
func (a *Archive) AddKey(ctx context.Context, name string, k account.AccountKey) error {
	return a.write(ctx, "add a key", func(w *writing) error {
		x, err := w.account(name)
		if err != nil {
			return err
		}
		_, err = w.addKey(x.ID, k)
		return err
	})
}

const longestKey = 16 << 10

func (w *writing) addKey(accountID int64, k account.AccountKey) (id int64, err error) {
	if k.Public == "" || k.Fingerprint == "" || len(k.Public) > longestKey {
		return 0, &mendableError{errors.New("key: has no public half, no fingerprint, or is too long")}
	}
	var held, taken int
	err = w.scan("SELECT coalesce(sum(account_id = ?), 0), coalesce(sum(public = ?), 0) FROM account_key WHERE revoked_us = 0", []any{accountID, k.Public}, &held, &taken)
	switch {
	case err != nil:
		return 0, err
	case taken > 0:
		return 0, &mendableError{fmt.Errorf("key %s: %w: a key belongs to one person, once", k.Fingerprint, evidence.ErrTaken)}
	case held >= mostKeysHeld:
		return 0, &mendableError{fmt.Errorf("%d keys, the most a person can have; revoke one", held)}
	}
	id, err = w.insert("INSERT INTO account_key (account_id, kind, public, fingerprint, label, added_us) VALUES (?, ?, ?, ?, ?, ?)",
		accountID, string(k.Kind), k.Public, k.Fingerprint, clipText(k.Label, maxAuthor), w.us)
	if err != nil {
		return 0, err
	}
	name, err := w.nameOf(accountID)
	if err != nil {
		return 0, err
	}
	_, err = w.record(id, recordOfKey(name, &k, w.us))
	return id, err
}

func (w *writing) nameOf(accountID int64) (name string, err error) {
	return name, w.scan("SELECT name FROM account WHERE id = ?", []any{accountID}, &name)
}

func recordOfKey(owner string, k *account.AccountKey, us int64) signoff.Record {
	return signoff.NewRecord(signoff.RecordKey, "owner", owner, "kind", string(k.Kind), "public", k.Public, "fingerprint", k.Fingerprint, "time", micros(us))
}

func recordOfKeyRevoked(owner string, k *account.AccountKey) signoff.Record {
	return signoff.NewRecord(signoff.RecordKeyRevoked, "owner", owner, "fingerprint", k.Fingerprint, "time", micros(k.RevokedUS))
}

// RevokeKey ends a key of a person, and the authenticator that holds it. What it signed
// before stays verifiable.
func (a *Archive) RevokeKey(ctx context.Context, name, fingerprint string) error {
	return a.write(ctx, "revoke a key", func(w *writing) error {
		x, err := w.account(name)
		if err != nil {
			return err
		}
		var id int64
		err = w.scan("SELECT id FROM account_key WHERE account_id = ? AND fingerprint = ? AND revoked_us = 0", []any{x.ID, fingerprint}, &id)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("key %.100q of %s: %w among those that hold", fingerprint, name, evidence.ErrNotFound)
		}
		if err != nil {
			return err
		}
		return w.revokeKey(x.ID, id)
	})
}

func (w *writing) revokeKey(accountID, id int64) error {
	rows, err := w.query("SELECT "+keyColumns+" FROM account_key WHERE account_id = ? AND id = ? AND revoked_us = 0", accountID, id)
	if err != nil {
		return err
	}
	list, err := collect(rows, scanKey)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("key: %w", evidence.ErrNotFound)
	}
	k := list[0]
	k.RevokedUS = w.us
	if err := w.exec("UPDATE account_key SET revoked_us = ? WHERE id = ?", w.us, k.ID); err != nil {
		return err
	}
	if err := w.exec("UPDATE passkey SET removed_us = ? WHERE key_id = ? AND removed_us = 0", w.us, k.ID); err != nil {
		return err
	}
	name, err := w.nameOf(accountID)
	if err != nil {
		return err
	}
	_, err = w.record(k.ID, recordOfKeyRevoked(name, &k))
	return err
}
