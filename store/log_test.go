package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"assay/store/evidence"
	"assay/store/signoff"
)

// keyed opens an archive with a key of its own.
func keyed(t *testing.T, path string) (*Archive, note.Signer, string) {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, "test-archive")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(context.Background(), path, Options{Signers: []note.Signer{signer}, Verifier: public})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a, signer, public
}

func take(t *testing.T, a *Archive, texts ...string) []evidence.Kept {
	t.Helper()
	var in []evidence.Incoming
	for i, s := range texts {
		in = append(in, evidence.Incoming{Name: fmt.Sprintf("file-%d.json", i), Data: []byte(s)})
	}
	kept, err := a.Keep(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func sound(t *testing.T, a *Archive) *LogReport {
	t.Helper()
	r, err := a.VerifyLog(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) != 0 {
		t.Fatalf("faults in a sound log: %+v", r.Faults)
	}
	return r
}

// TestLogGrows: every artifact is a record once, every coming-in is one, and each
// transaction ends in a checkpoint of which every earlier one is a prefix.
func TestLogGrows(t *testing.T) {
	ctx := context.Background()
	a, _, public := keyed(t, filepath.Join(t.TempDir(), "a.db"))
	v, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	var seen []signoff.Checkpoint
	for i := range 30 {
		take(t, a, fmt.Sprintf(`{"n": %d}`, i), fmt.Sprintf(`{"m": %d}`, i), `{"same": 1}`)
		s, err := a.LatestCheckpoint(ctx)
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := signoff.OpenCheckpoint(s.Note, note.VerifierList(v))
		if err != nil {
			t.Fatal(err)
		}
		if want := int64(1 + 1 + 5*(i+1)); c.Size != want { // the key, {"same": 1}; a round two artifacts and three arrivals
			t.Fatalf("after round %d the log has %d records, want %d", i, c.Size, want)
		}
		seen = append(seen, c)
	}
	sound(t, a)
	now := seen[len(seen)-1]
	for _, old := range seen {
		proof, err := a.LogPrefix(ctx, old.Size, now.Size)
		if err != nil {
			t.Fatal(err)
		}
		if err := signoff.CheckPrefix(old, now, proof); err != nil {
			t.Errorf("%d is no prefix of %d: %v", old.Size, now.Size, err)
		}
	}
	for n := range now.Size {
		p, err := a.LogRecord(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		if err := signoff.CheckRecord(now, n, p.Body, p.Proof); err != nil {
			t.Error(err)
		}
		if signoff.CheckRecord(now, n, append(bytes.Clone(p.Body), ' '), p.Proof) == nil {
			t.Errorf("record %d: another body has the same proof", n)
		}
	}
}

// TestLogBackfill: an archive that was made without a log gets one when it is opened, once.
func TestLogBackfill(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a.db")
	a, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := take(t, a, `{"a": 1}`, `{"b": 2}`)
	r, err := a.AddRepair(ctx, evidence.Repair{Kind: evidence.RepairMove, Target: kept[0].Digest.String(), Value: "c", Author: "ada", Reason: "belongs there"})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.WithdrawRepair(ctx, r.ID, "ada", "it does not"); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"log_record", "log_hash", "checkpoint", "log_begun", "log_identity"} {
		for _, trigger := range []string{"_kept", "_fixed"} {
			if _, err := a.writer.Exec("DROP TRIGGER IF EXISTS " + table + trigger); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := a.writer.Exec("DELETE FROM " + table); err != nil {
			t.Fatal(err)
		}
	}
	a.Close()
	b, _, _ := keyed(t, path)
	if rep := sound(t, b); rep.Records != 7 || rep.Unsigned != 0 || rep.Rows != 7 { // key, two artifacts, their arrivals, a repair, its withdrawal
		t.Errorf("after opening the log is %+v", rep)
	}
	b.Close()
	c, _, _ := keyed(t, path) // another key: one record more, nothing twice
	if rep := sound(t, c); rep.Records != 8 || rep.Unsigned != 0 {
		t.Errorf("after opening again the log is %+v", rep)
	}
}

func TestUnsignedTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	a, signer, public := keyed(t, path)
	take(t, a, `{"a": 1}`)
	a.Close()
	b, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	take(t, b, `{"b": 1}`)
	rep, err := b.VerifyLog(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if rep.Unsigned != 2 || len(rep.Faults) != 1 || !strings.Contains(rep.Faults[0].Detail, "covers 3 of 5 records") {
		t.Errorf("an artifact behind the checkpoint: %d unsigned, %+v", rep.Unsigned, rep.Faults)
	}
	b.Close()
	c, err := Open(context.Background(), path, Options{Signers: []note.Signer{signer}, Verifier: public})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if rep := sound(t, c); rep.Unsigned != 0 {
		t.Errorf("%d records behind the checkpoint after opening with the key", rep.Unsigned)
	}
}

func TestRotate(t *testing.T) {
	ctx := context.Background()
	a, _, public := keyed(t, filepath.Join(t.TempDir(), "a.db"))
	take(t, a, `{"a": 1}`)
	secret, next, err := note.GenerateKey(rand.Reader, "test-archive-2")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.RotateServerKey(ctx, signer, next); err != nil {
		t.Fatal(err)
	}
	if err := a.RotateServerKey(ctx, signer, next); err == nil {
		t.Error("the same key follows itself")
	}
	s, err := a.LatestCheckpoint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{public, next} { // whoever trusts either sees it signed
		v, err := note.NewVerifier(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := signoff.OpenCheckpoint(s.Note, note.VerifierList(v)); err != nil {
			t.Errorf("%s: %v", v.Name(), err)
		}
	}
	sound(t, a)
}

func TestCheckOld(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	a, signer, _ := keyed(t, filepath.Join(dir, "a.db"))
	take(t, a, `{"a": 1}`)
	s, err := a.LatestCheckpoint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	take(t, a, `{"b": 1}`, `{"c": 1}`)
	old, now, err := a.CheckOld(ctx, s.Note, nil)
	if err != nil || old.Size != 3 || now.Size != 7 {
		t.Errorf("old %d, now %d, %v", old.Size, now.Size, err)
	}
	// The key of the server, in wrong hands, signs another history.
	forged, err := signoff.SignCheckpoint(signoff.Checkpoint{Origin: now.Origin, Size: 2, Root: tlog.Hash{1}}, signer)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.CheckOld(ctx, forged, nil); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("another history is taken: %v", err)
	}
	longer, err := signoff.SignCheckpoint(signoff.Checkpoint{Origin: now.Origin, Size: 9}, signer)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.CheckOld(ctx, longer, nil); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a log that was cut is taken: %v", err)
	}
	b, _, _ := keyed(t, filepath.Join(dir, "b.db"))
	if _, _, err := b.CheckOld(ctx, s.Note, nil); err == nil {
		t.Error("a checkpoint of another archive is taken")
	}
}
