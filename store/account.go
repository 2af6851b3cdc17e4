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

// mostAccounts bounds the people of one archive.
const mostAccounts = 10_000

const accountColumns = "id, name, full_name, role, password <> '', created_us, disabled_us, last_in_us, " +
	"(SELECT count(*) FROM passkey k WHERE k.account_id = a.id AND k.removed_us = 0)"

func scanAccount(rows *sql.Rows) (account.Account, error) {
	var x account.Account
	return x, rows.Scan(&x.ID, &x.Name, &x.FullName, &x.Role, &x.Password, &x.CreatedUS, &x.DisabledUS, &x.LastInUS, &x.Passkeys)
}

// recordOfAccount says what holds of a person from now on. A person has many such
// records; the last before a moment says which role they had then.
func recordOfAccount(x *account.Account, us int64) signoff.Record {
	state := "enabled"
	if !x.Holds() {
		state = "disabled"
	}
	return signoff.NewRecord(signoff.RecordAccount, "account", x.Name, "full-name", x.FullName, "role", string(x.Role), "state", state, "time", micros(us))
}

// AddAccount adds a person without a password; an invitation lets them set one.
func (a *Archive) AddAccount(ctx context.Context, name, fullName string, role account.Role) (x account.Account, err error) {
	if err := account.CheckName(name); err != nil {
		return x, &mendableError{err}
	}
	if fullName, err = checkWords("full name", fullName, maxAuthor); err != nil {
		return x, &mendableError{err}
	}
	if !role.Known() {
		return x, &mendableError{fmt.Errorf("role %.40q: want one of %v", role, account.Roles)}
	}
	x = account.Account{Name: name, FullName: fullName, Role: role}
	err = a.write(ctx, "add an account", func(w *writing) error {
		var count, same int
		if err := w.scan("SELECT count(*), coalesce(sum(name = ?), 0) FROM account", []any{name}, &count, &same); err != nil {
			return err
		}
		if same > 0 {
			return &mendableError{fmt.Errorf("account %s: %w, for good: records name who did something", name, evidence.ErrTaken)}
		}
		if count >= mostAccounts {
			return &mendableError{fmt.Errorf("there are %d accounts, the most there can be", count)}
		}
		x.CreatedUS = w.us
		if x.ID, err = w.insert("INSERT INTO account (name, full_name, role, created_us) VALUES (?, ?, ?, ?)", name, fullName, string(role), w.us); err != nil {
			return err
		}
		_, err = w.record(x.ID, recordOfAccount(&x, w.us))
		return err
	})
	return x, err
}

// Accounts lists people by name, with their keys.
func (a *Archive) Accounts(ctx context.Context) (list []account.Account, err error) {
	err = a.read(ctx, "list accounts", func(tx *sql.Tx) error {
		list, err = accountsWhere(ctx, tx, "ORDER BY name")
		return err
	})
	return list, err
}

// Account finds a person by name.
func (a *Archive) Account(ctx context.Context, name string) (x account.Account, err error) {
	err = a.read(ctx, "find an account", func(tx *sql.Tx) error {
		list, err := accountsWhere(ctx, tx, "WHERE name = ?", name)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("account %.60q: %w", name, evidence.ErrNotFound)
		}
		x = list[0]
		return nil
	})
	return x, err
}

func accountsWhere(ctx context.Context, tx *sql.Tx, where string, args ...any) ([]account.Account, error) {
	rows, err := tx.QueryContext(ctx, "SELECT "+accountColumns+" FROM account a "+where, args...)
	if err != nil {
		return nil, err
	}
	list, err := collect(rows, scanAccount)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Keys, err = keysOf(ctx, tx, list[i].ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// account reads a person inside a write transaction.
func (w *writing) account(name string) (account.Account, error) {
	rows, err := w.query("SELECT "+accountColumns+" FROM account a WHERE name = ?", name)
	if err != nil {
		return account.Account{}, err
	}
	list, err := collect(rows, scanAccount)
	if err != nil {
		return account.Account{}, err
	}
	if len(list) == 0 {
		return account.Account{}, fmt.Errorf("account %.60q: %w", name, evidence.ErrNotFound)
	}
	return list[0], nil
}

// changeAccount changes what holds of a person: the row, a record of the log, and the
// end of their sessions, so that nobody goes on with rights they lost.
func (a *Archive) changeAccount(ctx context.Context, name string, change func(w *writing, x *account.Account) error) error {
	return a.write(ctx, "change an account", func(w *writing) error {
		x, err := w.account(name)
		if err != nil {
			return err
		}
		before, err := w.admins()
		if err != nil {
			return err
		}
		if err := change(w, &x); err != nil {
			return err
		}
		now, err := w.admins()
		if err != nil {
			return err
		}
		if before > 0 && now == 0 {
			return &mendableError{errors.New("this is the last admin, and nobody could undo it: make another admin first")}
		}
		if _, err := w.record(x.ID, recordOfAccount(&x, w.us)); err != nil {
			return err
		}
		return w.exec("DELETE FROM session WHERE account_id = ?", x.ID)
	})
}

// admins counts the people who may change accounts.
func (w *writing) admins() (n int, err error) {
	return n, w.scan("SELECT count(*) FROM account WHERE role = 'admin' AND disabled_us = 0", nil, &n)
}

// SetRole gives a person another role.
func (a *Archive) SetRole(ctx context.Context, name string, role account.Role) error {
	if !role.Known() {
		return &mendableError{fmt.Errorf("role %.40q: want one of %v", role, account.Roles)}
	}
	return a.changeAccount(ctx, name, func(w *writing, x *account.Account) error {
		if x.Role == role {
			return &mendableError{fmt.Errorf("account %s is a %s already", name, role)}
		}
		x.Role = role
		return w.exec("UPDATE account SET role = ? WHERE id = ?", string(role), x.ID)
	})
}

// DisableAccount takes a person's sign-in away. Their records stay.
func (a *Archive) DisableAccount(ctx context.Context, name string) error {
	return a.changeAccount(ctx, name, func(w *writing, x *account.Account) error {
		if !x.Holds() {
			return &mendableError{fmt.Errorf("account %s is disabled already", name)}
		}
		x.DisabledUS = w.us
		if err := w.exec("UPDATE invitation SET used_us = ? WHERE account_id = ? AND used_us = 0", w.us, x.ID); err != nil {
			return err
		}
		if err := w.exec("UPDATE api_token SET revoked_us = ? WHERE account_id = ? AND revoked_us = 0", w.us, x.ID); err != nil {
			return err
		}
		return w.exec("UPDATE account SET disabled_us = ? WHERE id = ?", w.us, x.ID)
	})
}

// EnableAccount gives it back.
func (a *Archive) EnableAccount(ctx context.Context, name string) error {
	return a.changeAccount(ctx, name, func(w *writing, x *account.Account) error {
		if x.Holds() {
			return &mendableError{fmt.Errorf("account %s is not disabled", name)}
		}
		x.DisabledUS = 0
		return w.exec("UPDATE account SET disabled_us = 0 WHERE id = ?", x.ID)
	})
}

// RoleAt is the role that a person had at a moment, by the log; "" when they had none.
func (a *Archive) RoleAt(ctx context.Context, name string, us int64) (role account.Role, err error) {
	err = a.read(ctx, "role of a person", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT body FROM log_record WHERE kind = 'account' AND subject = (SELECT id FROM account WHERE name = ?) ORDER BY n", name)
		if err != nil {
			return err
		}
		bodies, err := collect(rows, func(rows *sql.Rows) (b []byte, err error) { return b, rows.Scan(&b) })
		if err != nil {
			return err
		}
		for _, b := range bodies {
			r, err := signoff.ParseRecord(b)
			if err != nil {
				return err
			}
			at, err := r.TimeUS()
			if err != nil {
				return err
			}
			if at > us {
				break
			}
			role = ""
			if r.Get("state") == "enabled" {
				role = account.Role(r.Get("role"))
			}
		}
		return nil
	})
	return role, err
}
