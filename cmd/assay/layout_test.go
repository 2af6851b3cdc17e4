package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// repoRoot is the folder of go.mod.
func repoRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return root
}

// repoFiles are the files of the repository. What a user leaves beside them is theirs.
func repoFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached")
	cmd.Dir = repoRoot(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if _, err := os.Stat(filepath.Join(cmd.Dir, name)); err == nil {
			files = append(files, name)
		}
	}
	return files
}

func TestTopLevel(t *testing.T) {
	allowed := strings.Fields("cmd web store ingest runner migrations assets go.mod go.sum README.md Makefile LICENSE Containerfile docs")
	for _, name := range repoFiles(t) {
		top, _, _ := strings.Cut(name, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) {
			t.Errorf("%s: the top level is fixed", name)
		}
	}
}

// TestFileSizes keeps files to one idea.
func TestFileSizes(t *testing.T) {
	for _, name := range repoFiles(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(repoRoot(t), name))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(data, []byte("\n")); n > 500 {
			t.Errorf("%s has %d lines; 500 is the ceiling", name, n)
		}
	}
}

// namesUserPaths are tests of the masking of user paths: those they name are invented.
var namesUserPaths = map[string]bool{"ingest/confidential_test.go": true, "store/export/llmd_test.go": true}

// TestNoMachinePaths finds text that only makes sense on the machine it was written
// on. The words are put together here so that this file does not hold them.
func TestNoMachinePaths(t *testing.T) {
	words := []string{"/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/Us" + "ers/", "/t" + "mp/"}
	for _, name := range repoFiles(t) {
		if name == "go.sum" || strings.HasSuffix(name, "package-lock.json") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(repoRoot(t), name))
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
			continue
		}
		words := words
		if namesUserPaths[name] || strings.HasPrefix(name, "store/evidence/mask/") {
			words = []string{"/wo" + "rk/", "/t" + "mp/"}
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			for _, w := range words {
				if bytes.Contains(line, []byte(w)) {
					t.Errorf("%s:%d names a path of one machine: %s", name, i+1, w)
				}
			}
		}
	}
}
