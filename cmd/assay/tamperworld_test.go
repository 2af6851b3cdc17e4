package main

import (
	"crypto/rand"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"assay/store"
	"assay/store/evidence"
	"assay/store/keyring"
	"assay/store/signoff"
)

// tampered are the tables whose every cell must be found when it changes, with the columns
// that say nothing about evidence, a statement or the log.
var tampered = map[string]string{
	"log_record": "", "log_hash": "", "checkpoint": "id", "server_key": "", "log_identity": "id made_us",
	"artifact": "", "artifact_chunk": "id", "artifact_name": "id", "arrival": "outcome",
	"repair": "", "waiver": "", "artifact_mark": "", "artifact_mark_withdrawal": "",
	"policy": "", "gate_waiver": "", "signoff": "", "signoff_artifact": "", "signoff_withdrawal": "",
	"account": "password last_in_us disabled_us created_us", "account_key": "label",
	"reading": "artifact_id unread", "document": "", "arm": "", "run": "", "fact": "", "measurement": "", "sample": "", "gate": "", "note": "",
	"decision": "", "reference": "", "not_lifted": "", "finding": "", "document_holds": "", "coverage": "", "text_ending": "", "search_row": "", "campaign": "n",
}

// notTampered are the tables that hold no evidence, statement or log, with the reason.
var notTampered = map[string]string{
	"api_token": "who may come in", "invitation": "who may come in", "session": "who may come in", "passkey": "who may come in; its public key is an account_key",
	"signoff_draft": "nothing is signed yet", "signoff_standing": "made again on demand",
	"log_begun": "says that a step is done", "overlay": "a counter", "reading_generation": "a counter", "schema_migration": "of the program",
	"search": "an index of search_row", "search_name": "an index of artifact_name",
}

// empty are tables without a row in this archive.
const empty = " sample finding "

// tamperWorld is the file of an archive with a row of nearly every kind: artifacts, what
// people said and took back, a policy, people with keys, a statement that was signed and
// withdrawn.
func tamperWorld(t *testing.T) string {
	dir := t.TempDir()
	s := &shellOf{t: t, db: filepath.Join(dir, "a.db"), now: clock}
	file := func(name string) string { return filepath.Join(dir, "files", name) }
	s.ok("", "demo", "--files", filepath.Join(dir, "files"))
	s.ok("", "ingest", file("decision-narrative.json"))
	s.ok("", "ingest", "--campaign", "another", file("decision-narrative.json"))
	s.ok(testPassword, "user", "add", "ada", "--role", "reviewer", "--password-stdin")
	s.ok(testPassword, "user", "add", "grace", "--role", "promoter", "--password-stdin")
	s.ok(testPassword, "user", "add", "root", "--role", "admin", "--password-stdin")
	said := []string{"--author", "ada", "--reason", "said"}
	s.ok("", append([]string{"alias", "add", "engine", "ninfer", "NInfer"}, said...)...)
	s.ok("", append([]string{"withdraw", "1"}, said...)...)
	s.ok("", append([]string{"alias", "add", "engine", "nInfer", "NInfer"}, said...)...)
	policy := filepath.Join(dir, "policy.toml")
	own := strings.NewReplacer(`name = "default"`, `name = "trials"`, "id = \"endurance\"\n", "id = \"endurance\"\nwaivable = true\n")
	if err := os.WriteFile(policy, []byte(own.Replace(s.ok("", "policy", "show"))), 0o600); err != nil {
		t.Fatal(err)
	}
	s.ok("", "policy", "set", policy, "--author", "root", "--reason", "trials are short")
	sayInStore(t, s)
	draft := s.prepared("another", "reject")
	s.ok(testPassword, "signoff", "sign", draft, "--as", "grace", "--password-stdin")
	s.ok("", append([]string{"invalidate", "decision-narrative.json"}, said...)...)
	s.ok("", append([]string{"marks", "withdraw", "1"}, said...)...)
	s.ok("", append([]string{"invalidate", "decision-narrative.json"}, said...)...)
	s.ok("", "signoff", "withdraw", "S-0001", "--as", "grace", "--reason", "looked at again")
	s.ok("", "log", "rotate")
	copied := filepath.Join(dir, "copy.db")
	s.ok("", "backup", copied)
	return copied
}

// sayInStore files what the commands would want a larger archive for.
func sayInStore(t *testing.T, s *shellOf) {
	t.Helper()
	key, err := keyring.New(s.db+".keys").Server(serverKeyName, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a, err := store.Open(t.Context(), s.db, store.Options{Signers: []note.Signer{key.Signer}, Verifier: key.Verifier})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	runs, err := a.Runs(t.Context(), evidence.Filter{})
	if err != nil || len(runs) < 2 {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	for range 2 {
		w, err := a.AddWaiver(t.Context(), evidence.Waiver{Control: runs[0].ID, Arm: runs[1].ID, Metric: evidence.TTFT, Stat: "p50",
			Stops: []evidence.WaivedStop{{Rule: "shape", Key: evidence.KeyEngine, Left: "a", Right: "b"}}, Person: "ada", Reason: "to look"})
		if err != nil {
			t.Fatal(err)
		}
		g, err := a.WaiveGate(t.Context(), signoff.GateWaiver{Campaign: "another", Gate: "endurance", Author: "ada", Reason: "a short trial"})
		if err != nil {
			t.Fatal(err)
		}
		if w.ID > 1 {
			break
		}
		if err := a.WithdrawWaiver(t.Context(), w.ID, "ada", "seen"); err != nil {
			t.Fatal(err)
		}
		if err := a.WithdrawGateWaiver(t.Context(), g.ID, "ada", "run in full"); err != nil {
			t.Fatal(err)
		}
	}
}

// copyFile copies a database that nobody has open.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTamperListsTables: a table that comes with a migration is tampered with, or somebody
// says why not.
func TestTamperListsTables(t *testing.T) {
	x := newTampering(t, tamperWorld(t))
	for _, name := range x.rows(t, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'") {
		_, yes := tampered[name]
		_, no := notTampered[name]
		if yes == no {
			t.Errorf("table %s is in both lists or in none", name)
		}
	}
	for _, table := range slices.Sorted(maps.Keys(tampered)) {
		if n := x.rows(t, "SELECT count(*) FROM "+table)[0]; (n == "0") != strings.Contains(empty, " "+table+" ") {
			t.Errorf("table %s has %s rows", table, n)
		}
	}
}
