package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"assay/store"
	"assay/store/account"
	"assay/store/keyring"
)

// people keeps passwords and the keys under them together: the archive has the hash and
// the public half, the ring the secret half that the password opens.
type people struct {
	*store.Archive
	ring *keyring.Ring
}

// Welcome sets the first password, or one in place of a lost one, of a person who was
// invited. A key under a lost password can never be opened again: it is revoked and
// another one made.
func (p people) Welcome(ctx context.Context, secret, password string) (string, error) {
	name, err := p.UseInvitation(ctx, secret, password)
	if err != nil {
		return "", err
	}
	return name, p.freshKey(ctx, name, password)
}

// Reset sets a password without the old one, as an admin does at the terminal.
func (p people) Reset(ctx context.Context, name, password string) error {
	if err := p.SetPassword(ctx, name, password); err != nil {
		return err
	}
	return p.freshKey(ctx, name, password)
}

// ChangePassword sets a password with the old one: the key stays.
func (p people) ChangePassword(ctx context.Context, name, old, password string) error {
	if _, err := p.CheckPassword(ctx, name, old); err != nil {
		return err
	}
	if err := account.CheckPassword(name, password); err != nil {
		return err
	}
	err := p.ring.Rekey(name, old, password, rand.Reader)
	has, hasErr := p.ring.HasPerson(name)
	if hasErr != nil {
		return hasErr
	}
	if err != nil && has && !errors.Is(err, keyring.ErrPassword) {
		return err
	}
	if err := p.SetPassword(ctx, name, password); err != nil {
		// The key is under the new password and the archive still has the old one.
		return errors.Join(err, p.ring.Rekey(name, password, old, rand.Reader))
	}
	if err != nil || !has {
		return p.freshKey(ctx, name, password)
	}
	return nil
}

// freshKey makes a key under the password and revokes those that it replaces.
func (p people) freshKey(ctx context.Context, name, password string) error {
	x, err := p.Account(ctx, name)
	if err != nil {
		return err
	}
	made, err := p.ring.Replace(name, password, rand.Reader)
	if err != nil {
		return err
	}
	for _, k := range x.Keys {
		if k.Kind != account.KeyNote || k.RevokedUS != 0 {
			continue
		}
		if err := p.RevokeKey(ctx, name, k.Fingerprint); err != nil {
			return err
		}
	}
	return p.AddKey(ctx, name, account.AccountKey{Kind: account.KeyNote, Public: made.Verifier, Fingerprint: made.Fingerprint, Label: "kept by the server"})
}

// Unlock opens a person's key for one signature.
func (p people) Unlock(ctx context.Context, name, password string) (note.Signer, account.AccountKey, error) {
	x, err := p.CheckPassword(ctx, name, password)
	if err != nil {
		return nil, account.AccountKey{}, err
	}
	signer, public, err := p.ring.Unlock(name, password)
	if err != nil {
		return nil, account.AccountKey{}, err
	}
	for _, k := range x.Keys {
		if k.Kind == account.KeyNote && k.RevokedUS == 0 && k.Public == public.Verifier {
			return signer, k, nil
		}
	}
	return nil, account.AccountKey{}, fmt.Errorf("key %s of %s: is not among the keys that hold; set the password again to make a new one", public.Fingerprint, name)
}
