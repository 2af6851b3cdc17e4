package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAuthorsHaveAccounts: once an archive has accounts, nobody writes under a name that is
// not theirs, that was closed, or that may not do this; without accounts all is as before.
func TestAuthorsHaveAccounts(t *testing.T) {
	db := filepath.Join(t.TempDir(), "a.db")
	do := func(args ...string) (int, string) {
		var out bytes.Buffer
		code, stderr := call(t.Context(), &out, append([]string{"--db", db}, args...)...)
		return code, stderr + out.String()
	}
	must := func(args ...string) {
		t.Helper()
		if code, text := do(args...); code != exitOK {
			t.Fatalf("assay %s: exit %d: %s", strings.Join(args, " "), code, text)
		}
	}
	artifact := filepath.Join(repoRoot(t), "assets", "example", "tp-mtp-matrix.json")
	must("ingest", artifact)
	alias := func(author string) []string {
		return []string{"alias", "add", "engine", "spelling-" + author, "vllm", "--author", author, "--reason", "a test"}
	}
	must(alias("anybody")...)
	for _, p := range []struct{ name, role string }{{"vera", "viewer"}, {"rex", "reviewer"}, {"gone", "reviewer"}, {"root", "admin"}} {
		must("user", "add", p.name, "--role", p.role, "--invite")
	}
	must("user", "disable", "gone")
	must(alias("rex")...)
	commands := map[string][]string{
		"alias":            {"alias", "add", "engine", "x", "vllm"},
		"declare":          {"declare", "campaign:none", "prompt_set", "unique"},
		"move":             {"move", "0123456789", "elsewhere"},
		"withdraw":         {"withdraw", "1"},
		"waive":            {"waive", "--metric", "ttft", "a", "b"},
		"waivers withdraw": {"waivers", "withdraw", "1"},
		"policy waive":     {"policy", "waive", "c", "g"},
		"policy withdraw":  {"policy", "withdraw", "1"},
		"supersede":        {"supersede", artifact, artifact},
		"invalidate":       {"invalidate", artifact},
		"marks withdraw":   {"marks", "withdraw", "1"},
	}
	for name, args := range commands {
		for author, want := range map[string]string{"stranger": "stranger", "gone": "gone", "vera": "vera"} {
			code, text := do(append(args, "--author", author, "--reason", "a test")...)
			if code == exitOK || !strings.Contains(text, want) {
				t.Errorf("%s by %s: exit %d: %s", name, author, code, text)
			}
		}
	}
	_, text := do("policy", "show", "--default")
	policy := filepath.Join(t.TempDir(), "policy.toml")
	if err := os.WriteFile(policy, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, text := do("policy", "set", policy, "--author", "rex", "--reason", "a test"); code != exitUsage || !strings.Contains(text, "a reviewer has no right") {
		t.Errorf("a reviewer sets the policy: exit %d: %s", code, text)
	}
	must("policy", "set", policy, "--author", "root", "--reason", "a test")
	// What was refused left nothing behind.
	if _, text := do("repairs", "--json"); strings.Contains(text, "stranger") || strings.Contains(text, "vera") || strings.Contains(text, "gone") {
		t.Errorf("%s", text)
	}
}
