package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/assets/example"
	"assay/store"
	"assay/store/evidence"
	"assay/store/signoff"
)

// exampleArchive takes the campaign that can be signed in.
func exampleArchive(t *testing.T) (db, dir string) {
	t.Helper()
	dir = t.TempDir()
	db = filepath.Join(dir, "a.db")
	if code, stderr := call(t.Context(), io.Discard, "demo", "--files", dir); code != exitOK {
		t.Fatal(stderr)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "complete", "*"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	var out bytes.Buffer
	if code, stderr := call(t.Context(), &out, append([]string{"--db", db, "ingest", "--json", "--campaign", example.Campaign}, paths...)...); code != exitOK {
		t.Fatal(stderr)
	}
	var report struct {
		Quarantined int
		Files       []struct {
			Path, State string
			Findings    []struct{ Severity, Code, Message string }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Files {
		for _, x := range f.Findings {
			if x.Severity != "info" || f.State == "accepted" {
				t.Errorf("%s: %s %s: %s", f.Path, x.Severity, x.Code, x.Message)
			}
		}
	}
	if report.Quarantined > 0 || len(report.Files) != len(paths) {
		t.Errorf("%d quarantined, %d of %d files", report.Quarantined, len(report.Files), len(paths))
	}
	return db, dir
}

// TestExampleHolds: the readers find nothing wrong with the example that can be signed,
// its published claims hold, and its arms may be compared.
func TestExampleHolds(t *testing.T) {
	db, dir := exampleArchive(t)
	var out bytes.Buffer
	if code, stderr := call(t.Context(), &out, "--db", db, "claims"); code != exitOK {
		t.Fatal(stderr)
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "wrong") || strings.HasPrefix(line, "unrounded") {
			t.Error(line)
		}
	}
	run := func(arm string) string { return filepath.Join(dir, "complete", "capacity-"+arm+"-r1.json") }
	for _, figure := range []string{"output_throughput total", "ttft p50", "decode_rate p50", "e2e p95", "tpot p50"} {
		metric, stat, _ := strings.Cut(figure, " ")
		out.Reset()
		code, stderr := call(t.Context(), &out, "--db", db, "compare", "--json", "--metric", metric, "--stat", stat, run("bf16"), run("fp8"))
		if code != exitOK {
			t.Errorf("%s: %d %s %s", figure, code, stderr, out.String())
		}
		var answer struct {
			Verdict string
			Delta   any
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Verdict != "ok" && answer.Verdict != "caveat" || answer.Delta == nil {
			t.Errorf("%s: %+v", figure, answer)
		}
	}
}

// TestExamplePasses: the default policy passes the example for a promotion, and no longer
// once its telemetry was superseded.
func TestExamplePasses(t *testing.T) {
	db, dir := exampleArchive(t)
	for _, g := range gatesOf(t, db, nil) {
		if g.Required && g.State != signoff.GatePassed || g.State == signoff.GateFailed {
			t.Errorf("%s is %s: %s (%s)", g.ID, g.State, g.Says, g.Quoted)
		}
	}
	later := filepath.Join(dir, "later", "telemetry-fp8-under-load.json")
	if code, stderr := call(t.Context(), io.Discard, "--db", db, "ingest", "--campaign", example.Campaign, later); code != exitOK {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(filepath.Join(dir, "complete", example.Superseded))
	if err != nil {
		t.Fatal(err)
	}
	marks := []signoff.Mark{{ID: 1, Kind: signoff.Superseded, Artifact: evidence.DigestOf(data)}}
	failed := ""
	for _, g := range gatesOf(t, db, marks) {
		if g.Stops() {
			failed += g.ID + " "
		}
	}
	if failed != "memory-reserve " {
		t.Errorf("with less memory free %q stop it", failed)
	}
}

// gatesOf answers the gates of the default policy for the example's candidate.
func gatesOf(t *testing.T, db string, marks []signoff.Mark) []signoff.GateResult {
	t.Helper()
	a, err := store.Open(t.Context(), db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	e := signoff.Evidence{Marks: marks}
	if e.Campaign, err = a.Campaign(t.Context(), example.Campaign); err != nil {
		t.Fatal(err)
	}
	err = a.EachDocument(t.Context(), evidence.Filter{Campaign: example.Campaign}, func(d evidence.DocumentDetail) error {
		e.Documents = append(e.Documents, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Documents {
		for j := range e.Documents[i].RunRows {
			switch r := &e.Documents[i].RunRows[j]; r.Arm {
			case "qwen38-27b-fp8":
				e.Candidate = append(e.Candidate, r)
			case "qwen38-27b-bf16":
				e.Control, e.Back = append(e.Control, r), append(e.Back, r)
			}
		}
	}
	return signoff.Default().Judge(e, signoff.Promotion)
}

// TestDemoFiles: the files that demo writes are those of the repository.
func TestDemoFiles(t *testing.T) {
	dir := t.TempDir()
	if code, stderr := call(t.Context(), io.Discard, "demo", "--files", dir); code != exitOK {
		t.Fatal(stderr)
	}
	for _, name := range []string{"decision-table.json", "complete/decision-summary.json", "later/telemetry-fp8-under-load.json"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(repoRoot(t), "assets", "example", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs (%v)", name, err)
		}
	}
}
