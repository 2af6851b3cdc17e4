package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/store"
	"assay/store/evidence"
)

// TestVerifyDoesNotSign: what a program without the key appended is a fault, however often
// somebody looks. A command that goes on with the log signs it.
func TestVerifyDoesNotSign(t *testing.T) {
	dir := t.TempDir()
	s := &shellOf{t: t, db: filepath.Join(dir, "a.db"), now: clock}
	s.ok("", "demo", "--files", filepath.Join(dir, "files"))
	s.ok("", "ingest", filepath.Join(dir, "files", "decision-narrative.json"))
	s.ok("", "verify")
	a, err := store.Open(t.Context(), s.db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.AddRepair(t.Context(), evidence.Repair{Kind: evidence.RepairAlias, Key: evidence.KeyEngine, Target: "a", Value: "b", Author: "eve", Reason: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if code, out, _ := s.do("", "verify"); code != exitError || !strings.Contains(out, "covers 3 of 4 records") {
			t.Errorf("%d\n%s", code, out)
		}
	}
	s.ok("", "log", "checkpoint")
	s.ok("", "verify")
}

// TestVerifyWantsCheckpoints: an archive whose log is signed does not pass without a
// signature, and a key that others can read signs for nobody.
func TestVerifyWantsCheckpoints(t *testing.T) {
	dir := t.TempDir()
	s := &shellOf{t: t, db: filepath.Join(dir, "a.db"), now: clock}
	s.ok("", "demo", "--files", filepath.Join(dir, "files"))
	s.ok("", "ingest", filepath.Join(dir, "files", "decision-narrative.json"))
	x := newTampering(t, s.db)
	if _, err := x.db.Exec("DELETE FROM checkpoint"); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := s.do("", "verify"); code != exitError || !strings.Contains(out, "covers 0 of 3 records") {
		t.Errorf("%d\n%s", code, out)
	}
	if err := os.Chmod(filepath.Join(s.db+".keys", "server.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := s.do("", "verify"); code != exitError || !strings.Contains(out, "others may read it") {
		t.Errorf("%d\n%s", code, out)
	}
}
