package store

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store/account"
	"assay/store/evidence"
)

func idOf(t *testing.T, a *Archive, name string) int64 {
	t.Helper()
	x, err := a.Account(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return x.ID
}

func enter(t *testing.T, a *Archive, name string) string {
	t.Helper()
	secret, err := a.OpenSession(context.Background(), idOf(t, a, name), "192.0.2.7", "browser")
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func lasts(t *testing.T, a *Archive, what, secret string, want bool) account.Session {
	t.Helper()
	s, err := a.Session(context.Background(), secret)
	if want && err != nil || !want && !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("%s: %v, lasts: want %v", what, err, want)
	}
	return s
}

func TestSessionEnds(t *testing.T) {
	a, now := peopled(t, "ada promoter", "root admin")
	ctx := t.Context()
	for _, tc := range []struct {
		what string
		do   func()
		want bool
	}{
		{"used within two hours", func() { *now = now.Add(119 * time.Minute) }, true},
		{"not used for two hours", func() { *now = now.Add(2*time.Hour + time.Second) }, false},
		{"another password", func() { _ = a.SetPassword(ctx, "ada", goodPassword) }, false},
		{"another role", func() { _ = a.SetRole(ctx, "ada", account.Viewer) }, false},
		{"disabled", func() { _ = a.DisableAccount(ctx, "ada") }, false},
		{"somebody else's role", func() { _ = a.SetRole(ctx, "root", account.Viewer) }, true},
		{"signed out everywhere", func() { _ = a.CloseSessions(ctx, idOf(t, a, "ada")) }, false},
	} {
		_ = a.EnableAccount(ctx, "ada") // after it was disabled
		secret := enter(t, a, "ada")
		lasts(t, a, tc.what+", before", secret, true)
		tc.do()
		lasts(t, a, tc.what, secret, tc.want)
		_ = a.EnableAccount(ctx, "ada")
		if !tc.want {
			lasts(t, a, tc.what+", for good", secret, false)
		}
	}

	secret := enter(t, a, "ada")
	for range 11 {
		*now = now.Add(time.Hour)
		lasts(t, a, "used every hour", secret, true)
	}
	*now = now.Add(time.Hour + time.Second)
	lasts(t, a, "after twelve hours", secret, false)
	if list, err := a.Sessions(ctx, idOf(t, a, "ada")); err != nil || len(list) != 0 {
		t.Errorf("%d sessions are listed (%v)", len(list), err)
	}
}

// TestSessionRotates: what was known before somebody proved who they are is worth nothing
// afterwards.
func TestSessionRotates(t *testing.T) {
	a, now := peopled(t, "ada promoter", "eva promoter")
	ctx := t.Context()
	one, two := enter(t, a, "ada"), enter(t, a, "ada")
	if one == two {
		t.Fatal("two sessions have one secret")
	}
	s := lasts(t, a, "one", one, true)
	if s.Account.Name != "ada" || s.CSRF == "" || s.ProvedUS != now.UnixMicro() || s.Remote != "192.0.2.7" {
		t.Errorf("%+v", s)
	}
	if other := lasts(t, a, "two", two, true); other.CSRF == s.CSRF {
		t.Error("two sessions have one token of forms")
	}
	*now = now.Add(time.Hour)
	proved, err := a.ProveSession(ctx, s.ID)
	if err != nil {
		t.Fatal(err)
	}
	lasts(t, a, "the secret from before", one, false)
	lasts(t, a, "the other session", two, true)
	if s := lasts(t, a, "the new secret", proved, true); s.ProvedUS != now.UnixMicro() {
		t.Errorf("proved %d, want %d", s.ProvedUS, now.UnixMicro())
	}
	if err := a.CloseSession(ctx, idOf(t, a, "eva"), s.ID); err != nil {
		t.Fatal(err)
	}
	lasts(t, a, "somebody else closed it", proved, true)
	if err := a.CloseSession(ctx, idOf(t, a, "ada"), s.ID); err != nil {
		t.Fatal(err)
	}
	lasts(t, a, "closed", proved, false)
	if _, err := a.ProveSession(ctx, s.ID); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("a closed session is proved: %v", err)
	}
	for _, bad := range []string{"", "assay_s_", proved + "A", strings.Replace(proved, "_s_", "_i_", 1), strings.Repeat("x", 1<<20)} {
		lasts(t, a, "a bad secret", bad, false)
	}
}

func TestSessionBounds(t *testing.T) {
	a, _ := peopled(t, "ada promoter", "eva viewer")
	ctx := t.Context()
	first := enter(t, a, "ada")
	other := enter(t, a, "eva")
	for range mostSessions {
		enter(t, a, "ada")
	}
	lasts(t, a, "the oldest of too many", first, false)
	lasts(t, a, "somebody else's", other, true)
	list, err := a.Sessions(ctx, idOf(t, a, "ada"))
	if err != nil || len(list) != mostSessions {
		t.Errorf("%d sessions (%v)", len(list), err)
	}
	if _, err := a.OpenSession(ctx, idOf(t, a, "eva"), strings.Repeat("r", 1<<16), strings.Repeat("\u00e4", 1<<16)); err != nil {
		t.Fatal(err)
	}
	if list, err = a.Sessions(ctx, idOf(t, a, "eva")); err != nil || len(list[0].Agent) > longestAgent || len(list[0].Remote) > longestRemote {
		t.Errorf("%+v %v", list, err)
	}
	if err := a.DisableAccount(ctx, "eva"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.OpenSession(ctx, idOf(t, a, "eva"), "", ""); !errors.Is(err, account.ErrNoEntry) {
		t.Errorf("disabled between password and session: %v", err)
	}
}

// TestSessionsConcurrently: people come and go while an admin changes one of them; nobody
// ends with a session that outlived their rights.
func TestSessionsConcurrently(t *testing.T) {
	a, _ := peopled(t, "ada promoter", "eva reviewer")
	ada, eva := idOf(t, a, "ada"), idOf(t, a, "eva")
	ctx := context.Background()
	var wg sync.WaitGroup
	for _, id := range []int64{ada, eva} {
		for range 3 {
			wg.Go(func() {
				for range 10 {
					secret, err := a.OpenSession(ctx, id, "", "")
					if errors.Is(err, account.ErrNoEntry) {
						continue
					}
					if err != nil {
						t.Error(err)
						return
					}
					if s, err := a.Session(ctx, secret); err == nil {
						_, err = a.ProveSession(ctx, s.ID)
						if err != nil && !errors.Is(err, evidence.ErrNotFound) {
							t.Error(err)
						}
					}
				}
			})
		}
	}
	wg.Go(func() {
		for _, role := range []account.Role{account.Viewer, account.Promoter, account.Viewer} {
			if err := a.SetRole(ctx, "ada", role); err != nil {
				t.Error(err)
			}
		}
		if err := a.DisableAccount(ctx, "ada"); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
	if list, err := a.Sessions(ctx, ada); err != nil || len(list) != 0 {
		t.Errorf("%d sessions of a disabled account (%v)", len(list), err)
	}
	sound(t, a)
}
