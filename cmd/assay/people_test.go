package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"assay/store"
	"assay/store/account"
	"assay/store/keyring"
)

// TestPasswordAndKey: a password and the key under it change together, whatever way the
// password changes, and the archive always knows the key that opens.
func TestPasswordAndKey(t *testing.T) {
	dir := t.TempDir()
	archive, err := store.Open(t.Context(), filepath.Join(dir, "a.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	p := people{archive, keyring.New(filepath.Join(dir, "keys"))}
	ctx := t.Context()
	if _, err := p.AddAccount(ctx, "ada", "Ada", account.Promoter); err != nil {
		t.Fatal(err)
	}
	const one, two, three, four = "correct horse battery", "staple battery correct", "a third one of them", "and a fourth of them"
	opens := func(password string) account.AccountKey {
		t.Helper()
		signer, k, err := p.Unlock(ctx, "ada", password)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := note.Sign(&note.Note{Text: "text\n"}, signer)
		if err != nil {
			t.Fatal(err)
		}
		v, err := note.NewVerifier(k.Public)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := note.Open(signed, note.VerifierList(v)); err != nil {
			t.Errorf("the signature does not hold under the key of the archive: %v", err)
		}
		return k
	}
	held := func(want int) {
		t.Helper()
		x, err := p.Account(ctx, "ada")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, k := range x.Keys {
			if k.RevokedUS == 0 {
				n++
			}
		}
		if n != want {
			t.Errorf("%d keys hold, want %d: %+v", n, want, x.Keys)
		}
	}

	secret, err := p.Invite(ctx, "ada")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Welcome(ctx, secret, one); err != nil {
		t.Fatal(err)
	}
	first := opens(one)
	for what, err := range map[string]error{
		"a wrong old password": p.ChangePassword(ctx, "ada", two, three),
		"nobody":               p.ChangePassword(ctx, "nobody", one, three),
	} {
		if !errors.Is(err, account.ErrNoEntry) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := p.ChangePassword(ctx, "ada", one, "short"); err == nil {
		t.Error("a short password is taken")
	}
	opens(one)

	if err := p.ChangePassword(ctx, "ada", one, two); err != nil {
		t.Fatal(err)
	}
	if k := opens(two); k.Fingerprint != first.Fingerprint {
		t.Error("a changed password changed the key")
	}
	if _, _, err := p.Unlock(ctx, "ada", one); !errors.Is(err, account.ErrNoEntry) {
		t.Errorf("the old password: %v", err)
	}
	held(1)

	if err := p.Reset(ctx, "ada", three); err != nil {
		t.Fatal(err)
	}
	if k := opens(three); k.Fingerprint == first.Fingerprint {
		t.Error("the key under a lost password is still in use")
	}
	held(1)

	if err := os.RemoveAll(p.ring.Dir()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Unlock(ctx, "ada", three); err == nil {
		t.Error("a key that is gone signs")
	}
	if err := p.ChangePassword(ctx, "ada", three, four); err != nil {
		t.Fatalf("after the key's file was lost: %v", err)
	}
	opens(four)
	held(1)
}
