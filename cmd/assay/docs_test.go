package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"assay/store/compare"
	"assay/store/signoff"
	"assay/web/view"
)

// TestCompareDocs holds docs/compare.md against what is written.
func TestCompareDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "compare.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(string(data), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz_", r) }) {
		words[w] = true
	}
	for _, c := range view.CompareTable(&compare.Comparison{}).Columns {
		if !words[c.Name] {
			t.Errorf("the column %s is not in docs/compare.md", c.Name)
		}
	}
	for _, v := range []any{compareJSON{}, reasonJSON{}, figureJSON{}, sourceJSON{}, deltaJSON{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name != "" && !words[name] {
				t.Errorf("%s.%s is not in docs/compare.md", typ.Name(), name)
			}
		}
	}
}

var signoffFence = regexp.MustCompile("(?ms)^```sh( ssh)?\n(.*?)^```$")

// TestSignoffDoc runs every command of docs/signoff.md, in order, in one empty folder.
func TestSignoffDoc(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "signoff.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, n := t.TempDir(), 0
	for _, block := range signoffFence.FindAllSubmatch(data, -1) {
		if len(block[1]) > 0 && !installed("ssh-keygen", "unzip") {
			t.Log("ssh-keygen or unzip is not installed: the commands of the SSH key are not run")
			continue
		}
		for line := range strings.SplitSeq(strings.TrimSpace(string(block[2])), "\n") {
			n++
			shell(t, dir, line)
		}
	}
	if n < 17 {
		t.Errorf("found only %d commands", n)
	}
}

var logFence = regexp.MustCompile("(?ms)^```sh( openssl)?\n(.*?)^```$")

// TestLogDoc runs every command of docs/log.md, in order, in one empty folder, and holds
// its lists against the program.
func TestLogDoc(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "log.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range signoff.RecordKinds {
		if !strings.Contains(string(data), "`"+string(k)+"`") {
			t.Errorf("the kind of record %s is not in docs/log.md", k)
		}
	}
	for _, v := range []any{logResult{}, logFault{}, prefixResult{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); !strings.Contains(string(data), "`"+name+"`") {
				t.Errorf("%s.%s is not in docs/log.md", typ.Name(), name)
			}
		}
	}
	dir, n := t.TempDir(), 0
	for _, block := range logFence.FindAllSubmatch(data, -1) {
		if len(block[1]) > 0 && !installed("openssl", "base64") {
			t.Log("openssl or base64 is not installed: the checks by hand are not run")
			continue
		}
		for line := range strings.SplitSeq(strings.TrimSpace(string(block[2])), "\n") {
			n++
			shell(t, dir, line)
		}
	}
	if n < 20 {
		t.Errorf("found only %d commands", n)
	}
}

func installed(programs ...string) bool {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return false
		}
	}
	return true
}

// TestVerifyDoc: the members of the JSON are those that the document lists.
func TestVerifyDoc(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "signoff.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{bundleResult{}, bundleCheck{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); !strings.Contains(string(data), "`"+name+"`") {
				t.Errorf("%s.%s is not in docs/signoff.md", typ.Name(), name)
			}
		}
	}
}
