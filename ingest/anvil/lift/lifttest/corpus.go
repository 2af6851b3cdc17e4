package lifttest

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Reader is what the readers under test have in common.
type Reader interface {
	ID() string
	Version() int
	Match(label string, v *jsondoc.Node) (shapeID string, ok bool)
	Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document
}

// File is one real file with a label of interest.
type File struct {
	Name  string // relative to the corpus of the family
	Label string
	Root  *jsondoc.Node
}

// Shared is the folder of shared evidence; the test is skipped without it.
func Shared(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "corpus", "anvil")); err != nil {
		tb.Skipf("no corpus at %s: set ASSAY_CORPUS to run over real evidence", dir)
	}
	return dir
}

// Files are the files of the family whose label is one of labels.
func Files(tb testing.TB, labels ...string) []File {
	tb.Helper()
	root := filepath.Join(Shared(tb), "corpus", "anvil")
	var out []File
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		v := jsondoc.Parse(data, jsondoc.Limits{}).Root()
		label := Label(v)
		for _, l := range labels {
			if l == label {
				name, _ := filepath.Rel(root, path)
				out = append(out, File{Name: filepath.ToSlash(name), Label: label, Root: v})
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// Label is the label of a value.
func Label(v *jsondoc.Node) string {
	for _, k := range []string{"schema", "schema_version"} {
		if s := v.Get(k).Str(); s != "" {
			return s
		}
	}
	return ""
}

// Golden reads a file of known answers.
func Golden[T any](tb testing.TB, name string) T {
	tb.Helper()
	var out T
	data, err := os.ReadFile(filepath.Join(Shared(tb), "golden", name))
	if err != nil {
		tb.Skip(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// Awkward is one file that is known to be awkward at a place.
type Awkward struct {
	File    string           `json:"file"`
	Kind    string           `json:"kind"`
	Pointer evidence.Pointer `json:"pointer"`
	What    string           `json:"what"`
}

// Read takes a value through a reader; it fails the test when the reader refuses it.
func Read(tb testing.TB, r Reader, v *jsondoc.Node) evidence.Document {
	tb.Helper()
	shape, ok := r.Match(Label(v), v)
	if !ok {
		tb.Fatalf("%s does not take the value", r.ID())
	}
	return r.Read(v, "", shape)
}

// Has reports whether a document has a finding with the code, at the pointer or below.
func Has(d *evidence.Document, code string, at evidence.Pointer) bool {
	for _, f := range d.Findings {
		if f.Code == code && f.Pointer.Under(at) {
			return true
		}
	}
	return false
}
