package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"assay/store/signoff"
)

// keepServerKey files the public half of the key in use, as a row and as a record: a
// checkpoint stays verifiable when its key is long replaced.
func (a *Archive) keepServerKey(ctx context.Context) error {
	if a.verifier == "" {
		return nil
	}
	if _, err := note.NewVerifier(a.verifier); err != nil {
		return fmt.Errorf("archive %s: public half of the server's key: %w", a.path, err)
	}
	known := false
	err := a.read(ctx, "look for the server's key", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM server_key WHERE verifier = ?)", a.verifier).Scan(&known)
	})
	if err != nil || known {
		return err
	}
	return a.write(ctx, "keep the server's key", func(w *writing) error { return w.addServerKey(a.verifier) })
}

func (w *writing) addServerKey(verifier string) error {
	var id int64
	err := w.scan("SELECT id FROM server_key WHERE verifier = ?", []any{verifier}, &id)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if id, err = w.insert("INSERT INTO server_key (verifier, added_us) VALUES (?, ?)", verifier, w.us); err != nil {
		return err
	}
	_, err = w.record(id, recordOfServerKey(verifier, w.us))
	return err
}

func recordOfServerKey(verifier string, us int64) signoff.Record {
	return signoff.NewRecord(signoff.RecordServerKey, "public", verifier, "time", micros(us))
}

// RotateServerKey files the key that follows and signs a checkpoint with both, so that
// whoever trusts the old one sees it vouch for the new one.
func (a *Archive) RotateServerKey(ctx context.Context, next note.Signer, verifier string) error {
	if len(a.signers) == 0 {
		return errors.New("rotate the server's key: there is no key in use")
	}
	if _, err := note.NewVerifier(verifier); err != nil {
		return fmt.Errorf("rotate the server's key: %w", err)
	}
	return a.write(ctx, "rotate the server's key", func(w *writing) error {
		if err := w.addServerKey(verifier); err != nil {
			return err
		}
		tail := w.log
		if tail == nil || tail.appended == 0 {
			return fmt.Errorf("the key %s signed for this archive before", next.Name())
		}
		if err := w.sign(tail, append(append([]note.Signer{}, a.signers...), next)); err != nil {
			return err
		}
		tail.appended = 0 // this checkpoint is the one of the transaction
		return nil
	})
}

// ServerKeys are the public halves of all keys that signed for this archive, the first
// first.
func (a *Archive) ServerKeys(ctx context.Context) ([]string, error) {
	var list []string
	err := a.read(ctx, "list the server's keys", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT verifier FROM server_key ORDER BY id")
		if err != nil {
			return err
		}
		list, err = texts(rows)
		return err
	})
	return list, err
}

// coverLog signs a checkpoint when the last one does not cover the log.
func (a *Archive) coverLog(ctx context.Context) error {
	if len(a.signers) == 0 {
		return nil
	}
	covered := false
	err := a.read(ctx, "look for a checkpoint", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT coalesce((SELECT max(size) FROM checkpoint), 0) >= (SELECT coalesce(max(n) + 1, 0) FROM log_record)").Scan(&covered)
	})
	if err != nil || covered {
		return err
	}
	return a.write(ctx, "sign a checkpoint", func(w *writing) error {
		tail, err := w.logTail()
		if err != nil {
			return err
		}
		return w.sign(tail, a.signers)
	})
}
