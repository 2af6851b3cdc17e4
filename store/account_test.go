package store

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"assay/store/account"
	"assay/store/evidence"
)

const goodPassword = "correct horse battery"

// peopled is an archive with a clock of its own and some people.
func peopled(t *testing.T, people ...string) (*Archive, *time.Time) {
	t.Helper()
	now := clock()
	a, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	for _, p := range people {
		name, role, _ := strings.Cut(p, " ")
		if _, err := a.AddAccount(t.Context(), name, "The "+name, account.Role(role)); err != nil {
			t.Fatal(err)
		}
	}
	return a, &now
}

func callers(err error) bool {
	var mine interface{ Caller() bool }
	return errors.As(err, &mine) && mine.Caller()
}

func TestAddAccount(t *testing.T) {
	a, _ := peopled(t, "ada reviewer")
	for _, tc := range []struct{ name, full, role string }{
		{"ada", "Another", "viewer"}, {"Eva", "Eva", "viewer"}, {"../eva", "Eva", "viewer"}, {"", "Eva", "viewer"},
		{"eva", "", "viewer"}, {"eva", "two\nlines", "viewer"}, {"eva", "Eva", "root"}, {"eva", "Eva", ""}, {"eva", "Eva\x00", "viewer"},
	} {
		if _, err := a.AddAccount(t.Context(), tc.name, tc.full, account.Role(tc.role)); err == nil || !callers(err) {
			t.Errorf("%+v: %v", tc, err)
		}
	}
	list, err := a.Accounts(t.Context())
	if err != nil || len(list) != 1 || list[0].FullName != "The ada" || list[0].Password || !list[0].Holds() {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := a.Account(t.Context(), "eva"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("somebody who is not there: %v", err)
	}
	for _, q := range []string{"DELETE FROM account", "UPDATE account SET name = 'eva'"} {
		if _, err := a.writer.Exec(q); err == nil {
			t.Errorf("%s is accepted", q)
		}
	}
	sound(t, a)
}

// TestRoles: what a person was at a moment is known for good, and somebody can always
// keep accounts.
func TestRoles(t *testing.T) {
	a, now := peopled(t, "root admin", "ada viewer")
	ctx := t.Context()
	start := now.UnixMicro()
	type step struct {
		do   func() error
		want account.Role
	}
	steps := []step{
		{func() error { return a.SetRole(ctx, "ada", account.Promoter) }, account.Promoter},
		{func() error { return a.DisableAccount(ctx, "ada") }, ""},
		{func() error { return a.EnableAccount(ctx, "ada") }, account.Promoter},
		{func() error { return a.SetRole(ctx, "ada", account.Reviewer) }, account.Reviewer},
	}
	for i, s := range steps {
		*now = now.Add(time.Hour)
		if err := s.do(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	at := func(us int64, want account.Role) {
		t.Helper()
		if got, err := a.RoleAt(ctx, "ada", us); err != nil || got != want {
			t.Errorf("at %d: %q %v, want %q", us, got, err, want)
		}
	}
	hour := time.Hour.Microseconds()
	at(start-1, "")
	at(start, account.Viewer)
	for i, s := range steps {
		at(start+int64(i+1)*hour-1, append([]step{{want: account.Viewer}}, steps...)[i].want)
		at(start+int64(i+1)*hour, s.want)
	}
	if got, err := a.RoleAt(ctx, "eva", now.UnixMicro()); err != nil || got != "" {
		t.Errorf("somebody who is not there was a %q (%v)", got, err)
	}
	for what, err := range map[string]error{
		"demote the last admin": a.SetRole(ctx, "root", account.Viewer), "disable the last admin": a.DisableAccount(ctx, "root"),
		"the role there is": a.SetRole(ctx, "ada", account.Reviewer), "no role": a.SetRole(ctx, "ada", "root"), "enable who is enabled": a.EnableAccount(ctx, "ada"),
	} {
		if !callers(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := a.SetRole(ctx, "ada", account.Admin); err != nil {
		t.Fatal(err)
	}
	if err := a.DisableAccount(ctx, "root"); err != nil {
		t.Errorf("one of two admins: %v", err)
	}
	if err := a.DisableAccount(ctx, "root"); !callers(err) {
		t.Errorf("disabled twice: %v", err)
	}
	sound(t, a)
	if _, err := a.writer.Exec("UPDATE account SET role = 'admin', disabled_us = 0 WHERE name = 'root'"); err != nil {
		t.Fatal(err)
	}
	r, err := a.VerifyLog(ctx)
	if err != nil || len(r.Faults) == 0 {
		t.Errorf("a role that was given behind the log's back: %+v %v", r, err)
	}
}

// TestLastAdminsAtOnce: two admins who disable each other at the same time leave one.
func TestLastAdminsAtOnce(t *testing.T) {
	a, _ := peopled(t, "eva admin", "ada admin")
	var failed atomic.Int32
	var wg sync.WaitGroup
	for _, name := range []string{"eva", "ada"} {
		wg.Go(func() {
			if err := a.DisableAccount(context.Background(), name); err != nil {
				failed.Add(1)
			}
		})
	}
	wg.Wait()
	if failed.Load() != 1 {
		t.Errorf("%d of two were refused", failed.Load())
	}
}

func TestInvitations(t *testing.T) {
	a, now := peopled(t, "ada reviewer", "eva reviewer")
	ctx := t.Context()
	invite := func(name string) string {
		t.Helper()
		s, err := a.Invite(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	gone := func(what, secret string) {
		t.Helper()
		if _, err := a.UseInvitation(ctx, secret, goodPassword); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	first, second := invite("ada"), invite("ada")
	gone("one that was replaced", first)
	gone("none", "")
	gone("a changed one", second[:len(second)-2]+"AA")
	if _, err := a.UseInvitation(ctx, second, "short"); !callers(err) {
		t.Errorf("a password that is too short: %v", err)
	}
	if name, err := a.UseInvitation(ctx, second, goodPassword); err != nil || name != "ada" {
		t.Errorf("%q %v", name, err)
	}
	gone("one that was used", second)
	late := invite("eva")
	*now = now.Add(24 * time.Hour)
	gone("one whose time is over", late)
	late = invite("eva")
	if err := a.DisableAccount(ctx, "eva"); err != nil {
		t.Fatal(err)
	}
	gone("one of somebody disabled", late)
	if _, err := a.Invite(ctx, "eva"); !callers(err) {
		t.Errorf("invited though disabled: %v", err)
	}
	if err := a.EnableAccount(ctx, "eva"); err != nil {
		t.Fatal(err)
	}
	gone("one from before the account was disabled", late)
}

func TestInvitationOnce(t *testing.T) {
	a, _ := peopled(t, "ada reviewer")
	secret, err := a.Invite(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	var used atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			if _, err := a.UseInvitation(context.Background(), secret, fmt.Sprintf("%s %d", goodPassword, i)); err == nil {
				used.Add(1)
			}
		})
	}
	wg.Wait()
	if used.Load() != 1 {
		t.Errorf("used %d times", used.Load())
	}
}

// TestCheckPassword: every refusal is the same and takes as long as checking does.
func TestCheckPassword(t *testing.T) {
	a, _ := peopled(t, "ada reviewer", "eva reviewer", "new reviewer")
	ctx := t.Context()
	for _, name := range []string{"ada", "eva"} {
		if err := a.SetPassword(ctx, name, goodPassword); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.DisableAccount(ctx, "eva"); err != nil {
		t.Fatal(err)
	}
	least := func(name, password string, ok bool) time.Duration {
		t.Helper()
		best := time.Hour
		for range 3 {
			from := time.Now()
			x, err := a.CheckPassword(ctx, name, password)
			best = min(best, time.Since(from))
			if ok && (err != nil || x.Name != "ada") || !ok && !errors.Is(err, account.ErrNoEntry) {
				t.Errorf("%q %.30q: %v", name, password, err)
			}
		}
		return best
	}
	wrong := least("ada", "wrong horse battery", false)
	for _, name := range []string{"ada", " Ada "} {
		least(name, goodPassword, true)
	}
	for _, name := range []string{"nobody", "eva", "new", "", strings.Repeat("x", 10_000), "ada'--"} {
		if d := least(name, goodPassword, false); d < wrong/3 {
			t.Errorf("%.20q is refused after %s, a wrong password after %s", name, d, wrong)
		}
	}
	for _, password := range []string{"", strings.Repeat("x", 1<<20)} {
		if d := least("ada", password, false); d < wrong/3 {
			t.Errorf("a password of %d bytes is refused after %s, a wrong one after %s", len(password), d, wrong)
		}
	}
}

// TestPasswordIsKeptAnew: a hash that is weaker than today's is replaced at the next
// sign-in; and what is kept is no password.
func TestPasswordIsKeptAnew(t *testing.T) {
	a, _ := peopled(t, "ada reviewer")
	salt := []byte("0123456789abcdef")
	weak := fmt.Sprintf("$argon2id$v=19$m=8192,t=1,p=1$%s$%s", base64.RawStdEncoding.EncodeToString(salt),
		base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte(goodPassword), salt, 1, 8192, 1, 32)))
	if _, err := a.writer.Exec("UPDATE account SET password = ?", weak); err != nil {
		t.Fatal(err)
	}
	kept := func() (hash string) {
		if err := a.reader.QueryRow("SELECT password FROM account").Scan(&hash); err != nil {
			t.Fatal(err)
		}
		return hash
	}
	if _, err := a.CheckPassword(t.Context(), "ada", "wrong horse battery"); !errors.Is(err, account.ErrNoEntry) || kept() != weak {
		t.Errorf("a wrong password changed the hash (%v)", err)
	}
	if _, err := a.CheckPassword(t.Context(), "ada", goodPassword); err != nil {
		t.Fatal(err)
	}
	strong := kept()
	if strong == weak {
		t.Error("the weak hash stays")
	}
	if _, err := a.CheckPassword(t.Context(), "ada", goodPassword); err != nil || kept() != strong {
		t.Errorf("a hash of today is made anew (%v)", err)
	}
}

// TestNoSecretsInFiles: whoever copies the archive's files finds no password and no secret.
func TestNoSecretsInFiles(t *testing.T) {
	a, _ := peopled(t, "ada admin", "eva viewer")
	ctx := t.Context()
	if err := a.SetPassword(ctx, "ada", goodPassword); err != nil {
		t.Fatal(err)
	}
	x, err := a.Account(ctx, "ada")
	if err != nil {
		t.Fatal(err)
	}
	session, err := a.OpenSession(ctx, x.ID, "192.0.2.7", "browser")
	if err != nil {
		t.Fatal(err)
	}
	invitation, err := a.Invite(ctx, "eva")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(a.abs + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for what, s := range map[string]string{"password": goodPassword, "session": session, "invitation": invitation} {
			if strings.Contains(string(data), s) {
				t.Errorf("%s holds the %s", filepath.Base(f), what)
			}
		}
	}
}

func TestFirstAdmin(t *testing.T) {
	a, now := peopled(t, "admin viewer")
	ctx := t.Context()
	name, one, err := a.FirstAdmin(ctx)
	if err != nil || name != "admin-2" || one == "" {
		t.Fatalf("%q %v", name, err)
	}
	again, two, err := a.FirstAdmin(ctx)
	if err != nil || again != name || two == one {
		t.Errorf("%q, then %q (%v)", name, again, err)
	}
	*now = now.Add(25 * time.Hour)
	if _, err := a.UseInvitation(ctx, two, goodPassword); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("a day later: %v", err)
	}
	_, three, err := a.FirstAdmin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.UseInvitation(ctx, three, goodPassword); err != nil {
		t.Fatal(err)
	}
	if _, secret, err := a.FirstAdmin(ctx); err != nil || secret != "" {
		t.Errorf("there is an admin, and another secret is made (%v)", err)
	}
	if list, err := a.Accounts(ctx); err != nil || len(list) != 2 {
		t.Errorf("%d accounts (%v)", len(list), err)
	}
}
