package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/store/account"
	"assay/store/evidence"
)

const (
	sessionIdle   = 2 * time.Hour  // how long a session lasts without a request
	sessionLasts  = 12 * time.Hour // and in all
	sessionSeen   = time.Minute    // how exactly the last request is kept
	mostSessions  = 20             // of one person; the oldest makes room
	longestRemote = 64
	longestAgent  = 200
)

// OpenSession begins a session of a person who proved who they are. Only the SHA-256 of
// the secret is kept.
func (a *Archive) OpenSession(ctx context.Context, accountID int64, remote, agent string) (secret string, err error) {
	var csrf [16]byte
	_, _ = rand.Read(csrf[:]) // never fails
	if secret, err = account.NewSecret(account.SessionPrefix, rand.Reader); err != nil {
		return "", err
	}
	digest, _ := account.SecretDigest(account.SessionPrefix, secret)
	return secret, a.write(ctx, "open a session", func(w *writing) error {
		if err := w.exec("DELETE FROM session WHERE seen_us < ? OR made_us < ?", w.us-sessionIdle.Microseconds(), w.us-sessionLasts.Microseconds()); err != nil {
			return err
		}
		err := w.exec("DELETE FROM session WHERE account_id = ? AND id NOT IN (SELECT id FROM session WHERE account_id = ? ORDER BY id DESC LIMIT ?)", accountID, accountID, mostSessions-1)
		if err != nil {
			return err
		}
		var holds int64
		if err := w.scan("SELECT count(*) FROM account WHERE id = ? AND disabled_us = 0", []any{accountID}, &holds); err != nil {
			return err
		}
		if holds == 0 { // disabled since the password was checked
			return account.ErrNoEntry
		}
		if err := w.exec("UPDATE account SET last_in_us = ? WHERE id = ?", w.us, accountID); err != nil {
			return err
		}
		return w.exec("INSERT INTO session (account_id, sha256, csrf, remote, agent, made_us, seen_us, proved_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			accountID, digest[:], hex.EncodeToString(csrf[:]), clipText(remote, longestRemote), clipText(agent, longestAgent), w.us, w.us, w.us)
	})
}

func clipText(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	return strings.ToValidUTF8(s, "")
}

const sessionColumns = "s.id, s.csrf, s.made_us, s.seen_us, s.proved_us, s.account_id, s.remote, s.agent"

func scanSession(rows *sql.Rows) (x account.Session, err error) {
	return x, rows.Scan(&x.ID, &x.CSRF, &x.MadeUS, &x.SeenUS, &x.ProvedUS, &x.Account.ID, &x.Remote, &x.Agent)
}

// Session finds the session of a secret while it lasts, and notes that it was used.
// evidence.ErrNotFound for one that ended, or of a person who was disabled.
func (a *Archive) Session(ctx context.Context, secret string) (x account.Session, err error) {
	digest, ok := account.SecretDigest(account.SessionPrefix, secret)
	if !ok {
		return x, fmt.Errorf("session: %w", evidence.ErrNotFound)
	}
	now := a.now().UnixMicro()
	err = a.read(ctx, "find a session", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+sessionColumns+" FROM session s WHERE s.sha256 = ? AND s.seen_us >= ? AND s.made_us >= ?",
			digest[:], now-sessionIdle.Microseconds(), now-sessionLasts.Microseconds())
		if err != nil {
			return err
		}
		list, err := collect(rows, scanSession)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("session: %w", evidence.ErrNotFound)
		}
		x = list[0]
		people, err := accountsWhere(ctx, tx, "WHERE id = ? AND disabled_us = 0", x.Account.ID)
		if err == nil && len(people) == 0 {
			err = fmt.Errorf("session: %w", evidence.ErrNotFound)
		}
		if err == nil {
			x.Account = people[0]
		}
		return err
	})
	if err != nil || now-x.SeenUS < sessionSeen.Microseconds() {
		return x, err
	}
	err = a.write(ctx, "note the use of a session", func(w *writing) error {
		return w.exec("UPDATE session SET seen_us = max(seen_us, ?) WHERE id = ?", w.us, x.ID)
	})
	return x, err
}

// ProveSession notes that the person proved again who they are, and gives the session
// another secret: one that was seen before does not get what the proof opens.
func (a *Archive) ProveSession(ctx context.Context, id int64) (secret string, err error) {
	if secret, err = account.NewSecret(account.SessionPrefix, rand.Reader); err != nil {
		return "", err
	}
	digest, _ := account.SecretDigest(account.SessionPrefix, secret)
	return secret, a.write(ctx, "prove a session", func(w *writing) error {
		var there int64
		err := w.scan("SELECT id FROM session WHERE id = ?", []any{id}, &there)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("session: %w", evidence.ErrNotFound)
		}
		if err != nil {
			return err
		}
		return w.exec("UPDATE session SET sha256 = ?, proved_us = ?, seen_us = ? WHERE id = ?", digest[:], w.us, w.us, id)
	})
}

// CloseSession ends a session of a person.
func (a *Archive) CloseSession(ctx context.Context, accountID, id int64) error {
	return a.write(ctx, "close a session", func(w *writing) error {
		return w.exec("DELETE FROM session WHERE id = ? AND account_id = ?", id, accountID)
	})
}

// CloseSessions ends all sessions of a person.
func (a *Archive) CloseSessions(ctx context.Context, accountID int64) error {
	return a.write(ctx, "close sessions", func(w *writing) error {
		return w.exec("DELETE FROM session WHERE account_id = ?", accountID)
	})
}

// Sessions lists the sessions of a person that last, the latest first.
func (a *Archive) Sessions(ctx context.Context, accountID int64) (list []account.Session, err error) {
	now := a.now().UnixMicro()
	err = a.read(ctx, "list sessions", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+sessionColumns+" FROM session s WHERE s.account_id = ? AND s.seen_us >= ? AND s.made_us >= ? ORDER BY s.id DESC",
			accountID, now-sessionIdle.Microseconds(), now-sessionLasts.Microseconds())
		if err != nil {
			return err
		}
		list, err = collect(rows, scanSession)
		return err
	})
	return list, err
}
