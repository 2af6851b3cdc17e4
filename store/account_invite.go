package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"assay/store/account"
	"assay/store/evidence"
)

// invitationLasts is how long an invitation may be used.
const invitationLasts = 24 * time.Hour

// Invite makes the secret with which a person sets a password, once. An earlier one ends.
func (a *Archive) Invite(ctx context.Context, name string) (secret string, err error) {
	if secret, err = account.NewSecret(account.InvitationPrefix, rand.Reader); err != nil {
		return "", err
	}
	digest, _ := account.SecretDigest(account.InvitationPrefix, secret)
	return secret, a.write(ctx, "invite", func(w *writing) error {
		x, err := w.account(name)
		if err != nil {
			return err
		}
		if !x.Holds() {
			return &mendableError{fmt.Errorf("account %s is disabled", name)}
		}
		if err := w.exec("UPDATE invitation SET used_us = ? WHERE account_id = ? AND used_us = 0", w.us, x.ID); err != nil {
			return err
		}
		return w.exec("INSERT INTO invitation (account_id, sha256, made_us, expires_us) VALUES (?, ?, ?, ?)", x.ID, digest[:], w.us, w.us+invitationLasts.Microseconds())
	})
}

// Invitation says whose invitation a secret is, while it holds.
func (a *Archive) Invitation(ctx context.Context, secret string) (name string, err error) {
	digest, ok := account.SecretDigest(account.InvitationPrefix, secret)
	if !ok {
		return "", fmt.Errorf("invitation: %w", evidence.ErrNotFound)
	}
	err = a.read(ctx, "look for an invitation", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, "SELECT a.name FROM invitation i JOIN account a ON a.id = i.account_id WHERE i.sha256 = ? AND i.used_us = 0 AND i.expires_us > ? AND a.disabled_us = 0",
			digest[:], a.now().UnixMicro()).Scan(&name)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("invitation: %w", evidence.ErrNotFound)
		}
		return err
	})
	return name, err
}

// UseInvitation sets the password of the person who was invited, and ends the invitation
// and every session of theirs.
func (a *Archive) UseInvitation(ctx context.Context, secret, password string) (name string, err error) {
	if name, err = a.Invitation(ctx, secret); err != nil {
		return "", err
	}
	hash, err := hashFor(name, password)
	if err != nil {
		return "", err
	}
	digest, _ := account.SecretDigest(account.InvitationPrefix, secret)
	return name, a.write(ctx, "use an invitation", func(w *writing) error {
		var id, owner int64
		err := w.scan("SELECT id, account_id FROM invitation WHERE sha256 = ? AND used_us = 0 AND expires_us > ?", []any{digest[:], w.us}, &id, &owner)
		if errors.Is(err, sql.ErrNoRows) { // somebody was quicker
			return fmt.Errorf("invitation: %w", evidence.ErrNotFound)
		}
		if err != nil {
			return err
		}
		if err := w.exec("UPDATE invitation SET used_us = ? WHERE id = ?", w.us, id); err != nil {
			return err
		}
		return w.setPassword(owner, hash)
	})
}

// FirstAdmin makes the account admin, when there is no admin who could sign in, and
// gives a secret for its password. The secret is "" when there is one.
func (a *Archive) FirstAdmin(ctx context.Context) (name, secret string, err error) {
	list, err := a.Accounts(ctx)
	if err != nil {
		return "", "", err
	}
	taken := map[string]bool{}
	for _, x := range list {
		taken[x.Name] = true
		if x.Role != account.Admin || !x.Holds() {
			continue
		}
		if x.Password {
			return "", "", nil
		}
		if name == "" {
			name = x.Name // made before, and never used
		}
	}
	if name == "" {
		name = "admin"
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("admin-%d", n)
		}
		if _, err := a.AddAccount(ctx, name, "First admin", account.Admin); err != nil {
			return "", "", err
		}
	}
	secret, err = a.Invite(ctx, name)
	return name, secret, err
}
