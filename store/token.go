package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"time"

	"assay/store/evidence"
)

// tokenName is what a token may be called: fit for a shell, a log line and a table.
var tokenName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// mostTokens bounds how many tokens hold at a time: every check compares with all.
const mostTokens = 1000

// tokenUsedEvery is how exactly the last use of a token is kept: a busy script shall not
// write to the archive for each of its requests.
const tokenUsedEvery = time.Minute

// AddToken keeps a new token: the SHA-256 of its secret, never the secret.
func (a *Archive) AddToken(ctx context.Context, name string, secret evidence.Digest) error {
	if !tokenName.MatchString(name) {
		return fmt.Errorf("token %.80q: a name has 1 to 64 letters, digits, dots, dashes or underscores and starts with a letter or digit", name)
	}
	return a.write(ctx, "add token", func(w *writing) error {
		var held, same int
		err := w.scan("SELECT count(*), coalesce(sum(name = ?), 0) FROM api_token WHERE revoked_us = 0", []any{name}, &held, &same)
		switch {
		case err != nil:
			return err
		case same > 0:
			return &callerError{fmt.Errorf("token %s: %w; revoke it first, or choose another name", name, evidence.ErrTaken)}
		case held >= mostTokens:
			return &callerError{fmt.Errorf("%d tokens hold, the most there can be; revoke those that nobody uses", held)}
		}
		return w.exec("INSERT INTO api_token (name, sha256, created_us) VALUES (?, ?, ?)", name, secret[:], w.us)
	})
}

// Tokens lists all tokens, those that hold first.
func (a *Archive) Tokens(ctx context.Context) ([]evidence.TokenRow, error) {
	var list []evidence.TokenRow
	err := a.read(ctx, "list tokens", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT id, name, created_us, used_us, revoked_us FROM api_token ORDER BY revoked_us <> 0, name, id")
		if err != nil {
			return err
		}
		list, err = collect(rows, func(rows *sql.Rows) (t evidence.TokenRow, err error) {
			return t, rows.Scan(&t.ID, &t.Name, &t.CreatedUS, &t.UsedUS, &t.RevokedUS)
		})
		return err
	})
	return list, err
}

// RevokeToken ends a token. It stays listed, and its name may be used again.
func (a *Archive) RevokeToken(ctx context.Context, name string) error {
	return a.write(ctx, "revoke token", func(w *writing) error {
		var id int64
		err := w.scan("SELECT id FROM api_token WHERE name = ? AND revoked_us = 0", []any{name}, &id)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("token %.80q: %w among those that hold", name, evidence.ErrNotFound)
		}
		if err != nil {
			return err
		}
		return w.exec("UPDATE api_token SET revoked_us = ? WHERE id = ?", w.us, id)
	})
}

// CheckToken finds the token that holds and has this secret, and notes its use. How long
// it takes does not depend on which digits of a secret are right.
func (a *Archive) CheckToken(ctx context.Context, secret string) (name string, ok bool, err error) {
	want, ok := evidence.TokenDigest(secret)
	if !ok {
		return "", false, nil
	}
	var id, used int64
	err = a.read(ctx, "check token", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT id, name, sha256, used_us FROM api_token WHERE revoked_us = 0 ORDER BY id")
		if err != nil {
			return err
		}
		defer rows.Close()
		ok = false
		for rows.Next() {
			var n, at int64
			var called string
			var sum []byte
			if err := rows.Scan(&n, &called, &sum, &at); err != nil {
				return err
			}
			if subtle.ConstantTimeCompare(sum, want[:]) == 1 {
				id, name, used, ok = n, called, at, true
			}
		}
		return rows.Err()
	})
	if err != nil || !ok {
		return "", false, err
	}
	if now := a.now().UnixMicro(); now-used < tokenUsedEvery.Microseconds() && now >= used {
		return name, true, nil
	}
	err = a.write(ctx, "note the use of a token", func(w *writing) error {
		return w.exec("UPDATE api_token SET used_us = ? WHERE id = ? AND revoked_us = 0", w.us, id)
	})
	return name, err == nil, err
}
