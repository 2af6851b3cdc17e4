package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// directions says which packages of ours a package may import. A name stands for
// itself, NAME/... for the packages below it. The first rule that fits a package holds.
var directions = []struct {
	pkg  string
	uses []string
}{
	{"cmd/...", []string{"..."}},
	{"store/evidence", nil},
	{"store/evidence/mask", nil},
	{"store/stat", nil},
	{"store/account", nil},
	{"store/signoff", []string{"store/account", "store/evidence/..."}},
	{"store/keyring", []string{"store/account", "store/signoff", "store/evidence/..."}},
	{"store/review", []string{"store/account", "store/compare/...", "store/evidence/...", "store/export", "store/keyring", "store/signoff", "store/stat"}},
	{"store/compare", []string{"store/evidence/...", "store/stat"}},
	{"store/compare/claims", []string{"store/evidence/...", "store/stat"}},
	{"store/export", []string{"store/evidence/..."}},
	{"store", []string{"store/account", "store/evidence/...", "store/signoff", "migrations"}},
	{"ingest", []string{"store/evidence/...", "ingest/..."}},
	{"ingest/...", []string{"store/evidence/...", "ingest/..."}},
	{"web", []string{"store/evidence/...", "store/account", "store/compare/...", "store/review", "store/signoff", "store/export", "assets", "web/..."}},
	{"web/browsertest/...", []string{"..."}},
	{"web/...", []string{"store/evidence/...", "store/account", "store/compare/...", "store/review", "store/signoff", "store/export", "assets", "web/..."}},
	{"runner", []string{"ingest/artifact", "store/evidence/...", "runner/..."}},
	{"runner/...", []string{"ingest/artifact", "store/evidence/...", "runner/..."}},
	{"migrations", nil},
	{"assets", nil},
	{"assets/...", nil},
}

type goPackage struct {
	ImportPath   string
	Module       *struct{ Path string }
	Imports      []string
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
}

func goList(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Module,Imports,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", "assay/...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func under(pkg, pattern string) bool {
	if pattern == "..." {
		return true
	}
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(pkg, below+"/") || pkg == below
	}
	return pkg == pattern
}

func TestImportDirections(t *testing.T) {
	for _, p := range goList(t) {
		name := strings.TrimPrefix(p.ImportPath, "assay/")
		if len(p.GoFiles)+len(p.CgoFiles) == 0 {
			continue // tests only
		}
		i := slices.IndexFunc(directions, func(d struct {
			pkg  string
			uses []string
		}) bool {
			return under(name, d.pkg)
		})
		if i < 0 {
			t.Errorf("%s: no rule says what it may import; add it to directions", name)
			continue
		}
		for _, imported := range p.Imports {
			used, ours := strings.CutPrefix(imported, "assay/")
			if ours && !slices.ContainsFunc(directions[i].uses, func(pattern string) bool { return under(used, pattern) }) {
				t.Errorf("%s imports %s; it may import %s", name, used, strings.Join(directions[i].uses, " "))
			}
		}
	}
}

// TestNoCgo keeps the binary free of C: it must build where there is no C compiler.
func TestNoCgo(t *testing.T) {
	for _, p := range goList(t) {
		if len(p.CgoFiles) > 0 {
			t.Errorf("%s has cgo files %v", p.ImportPath, p.CgoFiles)
		}
	}
}
