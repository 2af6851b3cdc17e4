package store

import (
	"bytes"
	"database/sql"
	"errors"

	"assay/store/account"
	"assay/store/signoff"
)

// people holds accounts and their keys against the log. A person has a record for every
// change; what holds now must be what the last one says.
func (v *logVerifier) people() error {
	list, err := accountsWhere(v.ctx, v.tx, "ORDER BY id")
	if err != nil {
		return err
	}
	for i := range list {
		if err := v.person(&list[i]); err != nil {
			return err
		}
	}
	var strays int64
	if err := v.tx.QueryRowContext(v.ctx, "SELECT count(*) FROM log_record WHERE kind = 'account' AND subject NOT IN (SELECT id FROM account)").Scan(&strays); err != nil {
		return err
	}
	if strays > 0 {
		v.report.fault("row", -1, "%d records speak of people who are not there", strays)
	}
	return nil
}

func (v *logVerifier) person(x *account.Account) error {
	v.report.Rows++
	var n int64
	var body []byte
	err := v.tx.QueryRowContext(v.ctx, "SELECT n, body FROM log_record WHERE kind = 'account' AND subject = ? ORDER BY n DESC LIMIT 1", x.ID).Scan(&n, &body)
	if errors.Is(err, sql.ErrNoRows) {
		v.report.fault("row", -1, "account %s is in no record of the log", x.Name)
		return nil
	}
	if err != nil {
		return err
	}
	r, err := signoff.ParseRecord(body)
	if err != nil {
		return nil // the record itself is a fault already
	}
	want := recordOfAccount(x, 0)
	want.Fields[len(want.Fields)-1].Value = r.Get("time")
	if !bytes.Equal(want.Bytes(), body) {
		v.report.fault("row", n, "account %s is not what record %d of the log says", x.Name, n)
	}
	return nil
}

type ownedKey struct {
	account.AccountKey
	owner string
}

const ownedKeys = "SELECT k.id, k.kind, k.public, k.fingerprint, k.label, k.added_us, k.revoked_us, a.name FROM account_key k JOIN account a ON a.id = k.account_id"

func scanOwnedKey(rows *sql.Rows) (k ownedKey, err error) {
	return k, rows.Scan(&k.ID, &k.Kind, &k.Public, &k.Fingerprint, &k.Label, &k.AddedUS, &k.RevokedUS, &k.owner)
}

func eachKeyRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, ownedKeys+" ORDER BY k.id", scanOwnedKey, func(k ownedKey) error { return each(k.ID, recordOfKey(k.owner, &k.AccountKey, k.AddedUS)) })
}

func eachKeyRevokedRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, ownedKeys+" WHERE k.revoked_us <> 0 ORDER BY k.id", scanOwnedKey, func(k ownedKey) error { return each(k.ID, recordOfKeyRevoked(k.owner, &k.AccountKey)) })
}
