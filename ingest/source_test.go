package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/ingest"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// ends lists "path state code" of a report, paths relative to dir.
func ends(dir string, r ingest.Report) []string {
	var out []string
	for _, f := range r.Files {
		code := ""
		if len(f.Findings) > 0 {
			code = f.Findings[0].Code
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", strings.TrimPrefix(f.Path, dir+"/"), f.State, code)))
	}
	return out
}

func TestFolder(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"in/b.json":       `{"schema":"lab.rows/v1","rows":[]}`,
		"in/a.json":       `{"x":1}`,
		"in/.hidden":      "text",
		"in/sub/c.json":   `{"x":2}`,
		"in/sub/z/d.json": `{"x":3}`,
		"in/ünïcode name": "text 2",
		"out/secret.json": `{"secret":1}`,
	})
	in := filepath.Join(dir, "in")
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(in, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("b.json", "link-inside.json")
	link(filepath.Join(dir, "out", "secret.json"), "link-outside.json")
	link("../out", "link-outside-folder")
	link("sub", "link-folder")
	link(".", "link-loop")
	link("nowhere", "link-dangling")
	link("link-self", "link-self")
	if err := syscall.Mkfifo(filepath.Join(in, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		".hidden archived-only not-json",
		"a.json archived-only no-label",
		"b.json accepted",
		"link-dangling lost not-found",
		"link-folder skipped link-to-folder",
		"link-inside.json duplicate known-bytes",
		"link-loop skipped link-to-folder",
		"link-outside-folder skipped link-outside",
		"link-outside.json skipped link-outside",
		"link-self lost unreadable",
		"pipe skipped not-a-regular-file",
		"sub/c.json archived-only no-label",
		"sub/z/d.json archived-only no-label",
		"ünïcode name archived-only not-json",
	}
	r := take(t, newArchive(t), options(), ingest.Path(in))
	if diff := cmp.Diff(want, ends(in, r)); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
	if r.Lost != 2 || r.Skipped != 5 {
		t.Errorf("%d lost, %d skipped", r.Lost, r.Skipped)
	}
}

func TestNamedPaths(t *testing.T) {
	dir := writeTree(t, map[string]string{"a.json": `{"x":1}`})
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Symlink("a.json", at("link")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"link archived-only no-label", // a link that somebody names is followed
		"missing.json lost not-found",
		"pipe lost not-a-regular-file",
		"/dev/null lost not-a-regular-file",
		"a.json duplicate known-bytes",
	}
	r := take(t, newArchive(t), options(), ingest.Path(at("link")), ingest.Path(at("missing.json")), ingest.Path(at("pipe")),
		ingest.Path("/dev/null"), ingest.Path(at("a.json")), ingest.Path(t.TempDir()))
	if diff := cmp.Diff(want, ends(dir, r)); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
}

func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything: there is no permission to lack")
	}
	dir := writeTree(t, map[string]string{"locked.json": `{"x":2}`, "shut/b.json": `{"x":3}`})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"locked.json", "shut"} {
		if err := os.Chmod(at(name), 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(at(name), 0o755)
	}
	r := take(t, newArchive(t), options(), ingest.Path(at("locked.json")), ingest.Path(at("shut")))
	if diff := cmp.Diff([]string{"locked.json lost unreadable", "shut lost unreadable"}, ends(dir, r)); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
}

func TestArchiveInItsOwnFolder(t *testing.T) {
	dir := writeTree(t, map[string]string{"a.json": `{"x":1}`})
	a := openArchive(t, filepath.Join(dir, "archive.db"))
	r := take(t, a, options(), ingest.Path(dir))
	for _, f := range r.Files {
		if strings.Contains(f.Path, "archive.db") != (f.State == ingest.Skipped) {
			t.Errorf("%s ends %s", f.Path, f.State)
		}
	}
	if r.Archived != 1 {
		t.Errorf("%d archived, want 1", r.Archived)
	}
}

func TestInputLimit(t *testing.T) {
	opt := options()
	opt.MaxInput = 10
	r := take(t, newArchive(t), opt, blob("small", "1234567890"), blob("large", "12345678901"))
	if diff := cmp.Diff([]string{"small archived-only no-label", "large lost input-too-large"}, ends("", r)); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
	opt.MaxInput = 12 << 20
	r = take(t, newArchive(t), opt, ingest.Stdin(endless{}))
	if f := r.Files[0]; f.State != ingest.Lost || f.Findings[0].Code != ingest.CodeInputLimit {
		t.Errorf("endless input: %+v", f)
	}
}

// endless never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestNamesAreNotEvidence(t *testing.T) {
	a := newArchive(t)
	r := take(t, a, options(), blob("lab.rows/v1.json", "no JSON at all"), blob("notes.txt", `{"schema":"lab.rows/v1","rows":[]}`))
	if r.Files[0].State != evidence.Archived || r.Files[1].State != evidence.Accepted {
		t.Errorf("%v", ends("", r))
	}
}

// TestNamesThatAreNotUTF8 keeps the bytes of a name recognisable.
func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"caf\xe9.json", "\xff\xfe", "ok\uFFFD"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Skipf("this file system refuses the name %q: %v", name, err)
		}
	}
	r := take(t, newArchive(t), options(), ingest.Path(dir))
	want := []string{`caf\xe9.json`, "ok\uFFFD", `\xff\xfe`}
	for i, f := range r.Files {
		if got := strings.TrimPrefix(f.Path, dir+"/"); got != want[i] || f.State != evidence.Archived {
			t.Errorf("%q ends %s, want the name %q", got, f.State, want[i])
		}
	}
}
