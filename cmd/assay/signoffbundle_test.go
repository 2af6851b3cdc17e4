package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/assets/example"
	"assay/store/signoff"
)

// typed runs a command with lines on its standard input.
func typed(ctx context.Context, stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, env{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Now: func() time.Time { return clock }})
	return code, out.String(), errs.String()
}

// signedExample is an archive with the example campaign and one signed decision on it.
func signedExample(t *testing.T, decision string) (db, dir string) {
	t.Helper()
	db, dir = exampleArchive(t)
	do := func(stdin string, args ...string) string {
		t.Helper()
		code, out, stderr := typed(t.Context(), stdin, append([]string{"--db", db}, args...)...)
		if code != exitOK {
			t.Fatalf("%v: %d %s%s", args, code, out, stderr)
		}
		return out
	}
	do("correct horse battery\n", "user", "add", "bob", "--role", "reviewer", "--password-stdin")
	do("staple battery correct\n", "user", "add", "ada", "--role", "promoter", "--password-stdin")
	items := do("", "signoff", "prepare", example.Campaign, "--candidate", "qwen38-27b-fp8", "--control", "qwen38-27b-bf16", "--rollback", "qwen38-27b-bf16",
		"--as", "bob", "--decision", decision, "--scope", "one card", "--reason", "as the evidence has it")
	for line := range strings.Lines(items) {
		if f := strings.Fields(line); f[0] == "open" {
			do("", "signoff", "ack", "1", f[1], "--as", "bob", "--reason", "read, and it stands")
		}
	}
	do("", "signoff", "prepare", "--draft", "1", "--as", "bob", "--ready")
	do("staple battery correct\n", "signoff", "sign", "1", "--as", "ada", "--password-stdin")
	return db, dir
}

// TestBundleElsewhere: a bundle is checked in a folder that has neither archive nor keys,
// also when the archive has moved on since.
func TestBundleElsewhere(t *testing.T) {
	db, dir := signedExample(t, "promote")
	path := filepath.Join(dir, "S-0001.zip")
	bundle := func(to string) {
		t.Helper()
		if code, _, stderr := typed(t.Context(), "", "--db", db, "signoff", "bundle", "S-0001", to); code != exitOK {
			t.Fatal(stderr)
		}
	}
	bundle(path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bundle(path + ".again")
	if again, err := os.ReadFile(path + ".again"); err != nil || !bytes.Equal(data, again) {
		t.Errorf("the same sign-off, another bundle (%v)", err)
	}
	_, keys, _ := typed(t.Context(), "", "--db", db, "log", "keys")
	key := strings.TrimSpace(keys)

	elsewhere := t.TempDir()
	t.Chdir(elsewhere)
	if err := os.WriteFile("evidence", data, 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := typed(t.Context(), "", "verify", "--json", "--key", key, "evidence")
	var found bundleResult
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatal(err)
	}
	if code != exitOK || !found.Holds || !found.Pinned || found.Signer != "ada" || found.Preparer != "bob" || found.Decision != "promote" || found.Number != "S-0001" {
		t.Errorf("%d %s %+v", code, stderr, found)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("verifying left %v", left)
	}
	if code, _, stderr := typed(t.Context(), "", "verify", "--key", "assay+00000000+AAAA", "evidence"); code != exitUsage {
		t.Errorf("a key that is none: %d %s", code, stderr)
	}

	later := filepath.Join(dir, "later", "telemetry-fp8-under-load.json")
	for _, args := range [][]string{{"ingest", "--campaign", example.Campaign, later},
		{"supersede", filepath.Join(dir, "complete", example.Superseded), later, "--author", "bob", "--reason", "read under load"}} {
		if code, out, stderr := typed(t.Context(), "", append([]string{"--db", db}, args...)...); code != exitOK {
			t.Fatalf("%v: %s%s", args, out, stderr)
		}
	}
	_, rows, _ := typed(t.Context(), "", "--db", db, "export", "signoffs", "--format", "json")
	if !strings.Contains(rows, `"state":"stale"`) || !strings.Contains(rows, "supersede") {
		t.Errorf("after its evidence was superseded: %s", rows)
	}
	bundle(path + ".stale")
	if code, out, stderr := typed(t.Context(), "", "verify", path+".stale"); code != exitOK {
		t.Errorf("bundle of a stale sign-off: %s%s", out, stderr)
	}
}

// TestBundleFlips turns bits of a bundle of the example: none is taken.
func TestBundleFlips(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the bundle again and again")
	}
	db, dir := signedExample(t, "reject")
	path := filepath.Join(dir, "b.zip")
	if code, _, stderr := typed(t.Context(), "", "--db", db, "signoff", "bundle", "S-0001", path); code != exitOK {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	flips := 150
	for i := range flips {
		at, bit := i*len(data)/flips+r.IntN(len(data)/flips), byte(1)<<r.IntN(8)
		data[at] ^= bit
		if signoff.VerifyBundle(bytes.NewReader(data), int64(len(data))).OK() {
			t.Fatalf("byte %d with bit %08b turned is taken", at, bit)
		}
		data[at] ^= bit
	}
	if report := signoff.VerifyBundle(bytes.NewReader(data), int64(len(data))); !report.OK() {
		t.Errorf("%+v", report.Checks)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := typed(t.Context(), "", "verify", path)
	if code != exitError || !strings.Contains(out, "FAULT") || !strings.Contains(stderr, "does not hold") {
		t.Errorf("%d %s %s", code, out, stderr)
	}
}

// TestVerifyNoBundle: what is no bundle is named as such, by what is in it.
func TestVerifyNoBundle(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "looks-like.zip")
	if err := os.WriteFile(text, []byte("no zip"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{text: "is no zip", dir: "no regular file", filepath.Join(dir, "gone.zip"): "no such file"} {
		if code, _, stderr := typed(t.Context(), "", "verify", path); code != exitError || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d %s, want %s", path, code, stderr, want)
		}
	}
	if code, stderr := call(t.Context(), io.Discard, "verify", text, "--checkpoint", text); code != exitUsage || !strings.Contains(stderr, "--checkpoint is for an archive") {
		t.Errorf("%d %s", code, stderr)
	}
}
