package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"strings"

	"assay/store/account"
)

func hashFor(name, password string) (string, error) {
	if err := account.CheckPassword(name, password); err != nil {
		return "", &mendableError{err}
	}
	return account.HashPassword(password, rand.Reader)
}

func (w *writing) setPassword(id int64, hash string) error {
	if err := w.exec("UPDATE account SET password = ? WHERE id = ?", hash, id); err != nil {
		return err
	}
	return w.exec("DELETE FROM session WHERE account_id = ?", id)
}

// SetPassword gives a person another password and ends their sessions.
func (a *Archive) SetPassword(ctx context.Context, name, password string) error {
	hash, err := hashFor(name, password)
	if err != nil {
		return err
	}
	return a.write(ctx, "set a password", func(w *writing) error {
		x, err := w.account(name)
		if err != nil {
			return err
		}
		return w.setPassword(x.ID, hash)
	})
}

// CheckPassword finds the person whose password it is; account.ErrNoEntry for a name that
// does not exist, is disabled, has no password, or has another. It takes as long in every
// case.
func (a *Archive) CheckPassword(ctx context.Context, name, password string) (account.Account, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	var hash string
	err := a.read(ctx, "check a password", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, "SELECT password FROM account WHERE name = ? AND disabled_us = 0", name).Scan(&hash)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return account.Account{}, err
	}
	ok, weak := account.PasswordFits(hash, password)
	if !ok {
		return account.Account{}, account.ErrNoEntry
	}
	if weak {
		if err := a.strengthen(ctx, name, hash, password); err != nil {
			return account.Account{}, err
		}
	}
	return a.Account(ctx, name)
}

// strengthen keeps the hash of a password anew, with the parameters of today.
func (a *Archive) strengthen(ctx context.Context, name, old, password string) error {
	hash, err := account.HashPassword(password, rand.Reader)
	if err != nil {
		return err
	}
	return a.write(ctx, "keep a password anew", func(w *writing) error {
		return w.exec("UPDATE account SET password = ? WHERE name = ? AND password = ?", hash, name, old)
	})
}
