package store

import (
	"errors"
	"testing"

	"assay/store/account"
	"assay/store/evidence"
)

func TestKeys(t *testing.T) {
	a, _ := peopled(t, "ada promoter", "eva promoter")
	ctx := t.Context()
	k := account.AccountKey{Kind: account.KeySSH, Public: "ssh-ed25519 AAAA", Fingerprint: "SHA256:one", Label: "laptop"}
	if err := a.AddKey(ctx, "ada", k); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"twice": a.AddKey(ctx, "ada", k), "of two people": a.AddKey(ctx, "eva", k),
		"no public half": a.AddKey(ctx, "eva", account.AccountKey{Kind: account.KeySSH, Fingerprint: "x"}),
		"no fingerprint": a.AddKey(ctx, "eva", account.AccountKey{Kind: account.KeySSH, Public: "x"}),
		"too long":       a.AddKey(ctx, "eva", account.AccountKey{Kind: account.KeySSH, Public: string(make([]byte, longestKey+1)), Fingerprint: "x"}),
	} {
		if !callers(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := a.RevokeKey(ctx, "eva", "SHA256:one"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("somebody else's key is revoked: %v", err)
	}
	if err := a.RevokeKey(ctx, "ada", "SHA256:one"); err != nil {
		t.Fatal(err)
	}
	if err := a.RevokeKey(ctx, "ada", "SHA256:one"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
	if err := a.AddKey(ctx, "ada", k); err != nil {
		t.Errorf("registered again: %v", err)
	}
	x, err := a.Account(ctx, "ada")
	if err != nil || len(x.Keys) != 2 || x.Keys[0].RevokedUS == 0 || x.Keys[1].RevokedUS != 0 {
		t.Errorf("%+v %v", x.Keys, err)
	}
	for _, q := range []string{"DELETE FROM account_key", "UPDATE account_key SET public = 'x'", "UPDATE account_key SET account_id = 2"} {
		if _, err := a.writer.Exec(q); err == nil {
			t.Errorf("%s is accepted", q)
		}
	}
	sound(t, a)
}

func TestPasskeys(t *testing.T) {
	a, now := peopled(t, "ada promoter", "eva promoter")
	ctx := t.Context()
	ada, eva := idOf(t, a, "ada"), idOf(t, a, "eva")
	add := func(id int64, credential, public string) error {
		return a.AddPasskey(ctx, id, account.Passkey{Credential: []byte(credential), Label: "phone", Record: []byte(`{"n": 1}`), Public: public, Fingerprint: "of " + public})
	}
	held := func(id int64) []account.Passkey {
		t.Helper()
		list, err := a.Passkeys(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, c := range []string{"one", "two", "three"} {
		if err := add(ada, c, "key "+c); err != nil {
			t.Fatal(err)
		}
	}
	if err := add(eva, "one", "key four"); !callers(err) {
		t.Errorf("an authenticator of two people: %v", err)
	}
	if err := add(eva, "four", "key two"); !callers(err) {
		t.Errorf("a key of two people: %v", err)
	}
	if len(held(eva)) != 0 {
		t.Error("what was refused is kept")
	}
	if err := a.UsePasskey(ctx, eva, []byte("one"), []byte(`{"n": 9}`)); err != nil || string(held(ada)[0].Record) != `{"n": 1}` {
		t.Errorf("somebody else counts on: %s %v", held(ada)[0].Record, err)
	}
	if err := a.UsePasskey(ctx, ada, []byte("one"), []byte(`{"n": 2}`)); err != nil || string(held(ada)[0].Record) != `{"n": 2}` || held(ada)[0].UsedUS != now.UnixMicro() {
		t.Errorf("%+v %v", held(ada)[0], err)
	}
	first := held(ada)[0].ID
	if err := a.RemovePasskey(ctx, eva, first); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("somebody else removes it: %v", err)
	}
	if err := a.RemovePasskey(ctx, ada, first); err != nil {
		t.Fatal(err)
	}
	if err := a.RemovePasskey(ctx, ada, first); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	// A lost authenticator is ended by its key, as an admin does.
	if err := a.RevokeKey(ctx, "ada", "of key two"); err != nil {
		t.Fatal(err)
	}
	x, err := a.Account(ctx, "ada")
	if err != nil || x.Passkeys != 1 || len(held(ada)) != 1 || string(held(ada)[0].Credential) != "three" {
		t.Errorf("%d passkeys, %+v, %v", x.Passkeys, held(ada), err)
	}
	for i, k := range x.Keys {
		if (k.RevokedUS == 0) != (i == 2) {
			t.Errorf("key %s is revoked: %v", k.Fingerprint, k.RevokedUS != 0)
		}
	}
	sound(t, a)
}
