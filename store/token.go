package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/store/account"
	"assay/store/evidence"
)

// tokenName is what a token may be called: fit for a shell, a log line and a table.
var tokenName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// mostTokens bounds how many tokens hold at a time: every check compares with all.
const mostTokens = 1000

// tokenUsedEvery is how exactly the last use of a token is kept: a busy script shall not
// write to the archive for each of its requests.
const tokenUsedEvery = time.Minute

// AddToken keeps a new token that may hand files in, for good: the SHA-256 of its secret,
// never the secret.
func (a *Archive) AddToken(ctx context.Context, name string, secret evidence.Digest) error {
	return a.AddScopedToken(ctx, evidence.TokenRow{Name: name, Rights: "hand-in"}, secret)
}

// tokenRights are what a token may be made for. None of them signs.
var tokenRights = []string{"read", "hand-in"}

// AddScopedToken keeps a new token with its rights, its end and its owner.
func (a *Archive) AddScopedToken(ctx context.Context, t evidence.TokenRow, secret evidence.Digest) error {
	name := t.Name
	rights := strings.Fields(t.Rights)
	for _, r := range rights {
		if !slices.Contains(tokenRights, r) {
			return &mendableError{fmt.Errorf("token %s: right %.40q: want %s", name, r, strings.Join(tokenRights, " or "))}
		}
	}
	if len(rights) == 0 {
		return &mendableError{fmt.Errorf("token %s: has no right; want %s", name, strings.Join(tokenRights, " or "))}
	}
	if !tokenName.MatchString(name) {
		return &mendableError{fmt.Errorf("token %.80q: a name has 1 to 64 letters, digits, dots, dashes or underscores and starts with a letter or digit", name)}
	}
	return a.write(ctx, "add token", func(w *writing) error {
		var held, same int
		err := w.scan("SELECT count(*), coalesce(sum(name = ?), 0) FROM api_token WHERE revoked_us = 0", []any{name}, &held, &same)
		switch {
		case err != nil:
			return err
		case same > 0:
			return &mendableError{fmt.Errorf("token %s: %w; revoke it first, or choose another name", name, evidence.ErrTaken)}
		case held >= mostTokens:
			return &mendableError{fmt.Errorf("%d tokens hold, the most there can be; revoke those that nobody uses", held)}
		}
		if t.ExpiresUS != 0 && t.ExpiresUS <= w.us {
			return &mendableError{fmt.Errorf("token %s: would have ended already", name)}
		}
		owner, err := w.ownerOf(t)
		if err != nil {
			return err
		}
		return w.exec("INSERT INTO api_token (name, sha256, created_us, account_id, rights, expires_us) VALUES (?, ?, ?, ?, ?, ?)",
			name, secret[:], w.us, owner, strings.Join(rights, " "), t.ExpiresUS)
	})
}

// ownerOf is the account that a token belongs to. Nobody gives a token more than they may
// do themselves.
func (w *writing) ownerOf(t evidence.TokenRow) (id sql.NullInt64, err error) {
	if t.Owner == "" {
		return id, nil
	}
	x, err := w.account(t.Owner)
	if err != nil {
		return id, err
	}
	if !x.Holds() {
		return id, &mendableError{fmt.Errorf("token %s: account %s is disabled", t.Name, x.Name)}
	}
	for r := range strings.FieldsSeq(t.Rights) {
		if !x.Role.May(account.Right(r)) {
			return id, &mendableError{fmt.Errorf("token %s: account %s is a %s and may not %s itself", t.Name, x.Name, x.Role, r)}
		}
	}
	return sql.NullInt64{Int64: x.ID, Valid: true}, nil
}

// Tokens lists all tokens, those that hold first.
func (a *Archive) Tokens(ctx context.Context) ([]evidence.TokenRow, error) {
	var list []evidence.TokenRow
	err := a.read(ctx, "list tokens", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT t.id, t.name, t.created_us, t.used_us, t.revoked_us, t.rights, t.expires_us, coalesce(a.name, '')
			FROM api_token t LEFT JOIN account a ON a.id = t.account_id ORDER BY t.revoked_us <> 0, t.name, t.id`)
		if err != nil {
			return err
		}
		list, err = collect(rows, func(rows *sql.Rows) (t evidence.TokenRow, err error) {
			return t, rows.Scan(&t.ID, &t.Name, &t.CreatedUS, &t.UsedUS, &t.RevokedUS, &t.Rights, &t.ExpiresUS, &t.Owner)
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

// CheckToken finds the token that holds, may hand in and has this secret.
func (a *Archive) CheckToken(ctx context.Context, secret string) (name string, ok bool, err error) {
	t, ok, err := a.TokenOf(ctx, secret)
	return t.Name, ok && t.May("hand-in"), err
}

// TokenOf finds the token that holds and has this secret, and notes its use. How long it
// takes does not depend on which digits of a secret are right. A token ends with its time
// and with its owner's account, and has no right that its owner lost.
func (a *Archive) TokenOf(ctx context.Context, secret string) (t evidence.TokenRow, ok bool, err error) {
	want, ok := evidence.TokenDigest(secret)
	if !ok {
		return t, false, nil
	}
	now := a.now().UnixMicro()
	err = a.read(ctx, "check token", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT t.id, t.name, t.sha256, t.used_us, t.rights, t.expires_us, coalesce(a.name, ''), coalesce(a.role, '')
			FROM api_token t LEFT JOIN account a ON a.id = t.account_id
			WHERE t.revoked_us = 0 AND (t.expires_us = 0 OR t.expires_us > ?) AND coalesce(a.disabled_us, 0) = 0 ORDER BY t.id`, now)
		if err != nil {
			return err
		}
		defer rows.Close()
		ok = false
		for rows.Next() {
			var x evidence.TokenRow
			var sum []byte
			var role account.Role
			if err := rows.Scan(&x.ID, &x.Name, &sum, &x.UsedUS, &x.Rights, &x.ExpiresUS, &x.Owner, &role); err != nil {
				return err
			}
			if x.Owner != "" {
				x.Rights = heldBy(role, x.Rights)
			}
			if subtle.ConstantTimeCompare(sum, want[:]) == 1 {
				t, ok = x, true
			}
		}
		return rows.Err()
	})
	if err != nil || !ok {
		return t, false, err
	}
	if now-t.UsedUS < tokenUsedEvery.Microseconds() && now >= t.UsedUS {
		return t, true, nil
	}
	err = a.write(ctx, "note the use of a token", func(w *writing) error {
		return w.exec("UPDATE api_token SET used_us = ? WHERE id = ? AND revoked_us = 0", w.us, t.ID)
	})
	return t, err == nil, err
}

// heldBy is what a role has of some rights.
func heldBy(role account.Role, rights string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(rights), func(r string) bool { return !role.May(account.Right(r)) }), " ")
}
