package lifttest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Reader is what a reader of JSON values offers.
type Reader interface {
	ID() string
	Version() int
	Match(label string, v *jsondoc.Node) (string, bool)
	Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document
}

// Corpus is the folder of shared evidence; the test is skipped where it is absent.
func Corpus(tb testing.TB, parts ...string) string {
	tb.Helper()
	root := os.Getenv("ASSAY_CORPUS")
	if root == "" {
		dir := "."
		for range 8 {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			dir = filepath.Join(dir, "..")
		}
		root = filepath.Join(dir, "..", "shared")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no shared evidence at %s (set ASSAY_CORPUS)", path)
	}
	return path
}

// Values parses a file into the values of an artifact.
func Values(tb testing.TB, path string) []jsondoc.Value {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return Parse(data)
}

// Parse gives the values of bytes as intake does.
func Parse(data []byte) []jsondoc.Value {
	d := jsondoc.Parse(data, jsondoc.Limits{})
	var out []jsondoc.Value
	for i, v := range d.Values {
		if v == nil {
			continue
		}
		p := evidence.Pointer("")
		if d.Several() {
			p = p.Index(i)
		}
		out = append(out, jsondoc.Value{Root: v, Pointer: p})
	}
	return out
}

// ReadAll reads every value with the reader that matches it. It fails the test when
// several match; nil marks a value that none does.
func ReadAll[R Reader](tb testing.TB, readers []R, values []jsondoc.Value) []*evidence.Document {
	tb.Helper()
	out := make([]*evidence.Document, len(values))
	for i, v := range values {
		for _, r := range readers {
			shape, ok := r.Match("", v.Root)
			if !ok {
				continue
			}
			if out[i] != nil {
				tb.Errorf("value %d: %s and %s both match", i, out[i].Reader, r.ID())
			}
			d := r.Read(v.Root, v.Pointer, shape)
			out[i] = &d
		}
	}
	return out
}

// Golden reads testdata/*.json and *.jsonl and compares the dumps with *.golden.
func Golden[R Reader](t *testing.T, readers []R) {
	paths := Fixtures("*.json*")
	if len(paths) == 0 {
		t.Fatal("no fixtures in testdata")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			values := Values(t, path)
			var dump strings.Builder
			for i, d := range ReadAll(t, readers, values) {
				if d == nil {
					dump.WriteString("no reader\n")
					continue
				}
				Sound(t, values[i], *d)
				dump.WriteString(Dump(*d))
			}
			Compare(t, path+".golden", dump.String())
		})
	}
}

// Fixtures are the files of testdata that match, golden files aside.
func Fixtures(pattern string) []string {
	paths, _ := filepath.Glob(filepath.Join("testdata", pattern))
	return slices.DeleteFunc(paths, func(p string) bool { return filepath.Ext(p) == ".golden" })
}

// Compare compares a text with a golden file, or writes it with -update.
func Compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// Sound checks what holds for every document: each number is lifted or listed, each
// place holds the digits that are claimed, units and metrics are known, and nothing
// unread is a surprise of the fixture.
func Sound(t testing.TB, v jsondoc.Value, d evidence.Document) {
	t.Helper()
	covered := map[evidence.Pointer]bool{}
	cover := func(p evidence.Place) { covered[p.Pointer] = true }
	figures(t, d, func(m *evidence.Measurement) {
		cover(m.Place)
		info, ok := evidence.LookupMetric(m.Metric)
		if !ok || info.Unit != m.Unit {
			t.Errorf("%s in %s: not in the registry", m.Metric, m.Unit)
		}
		if m.State == evidence.Derived || m.State == evidence.Conflict && m.Rule != "" {
			return // computed: nothing stands at its place
		}
		n := v.Root.At(evidence.Pointer(strings.TrimPrefix(string(m.Place.Pointer), string(v.Pointer))))
		if n == nil || n.Text != m.SourceText {
			t.Errorf("%s: %q is not what stands at %s", m.Metric, m.SourceText, m.Place.Pointer)
			return
		}
		if m.Value.OK {
			want, _, err := evidence.ToBase(n.Text, m.SourceUnit)
			if err != nil || want != m.Value.V {
				t.Errorf("%s at %s: %v, want %v (%v)", m.Metric, m.Place.Pointer, m.Value.V, want, err)
			}
		}
	})
	eachFact(d, func(f evidence.Fact) { cover(f.Place) })
	for _, a := range d.Arms {
		for _, r := range a.Runs {
			for _, s := range r.Samples {
				cover(s.Place)
			}
		}
	}
	for _, n := range d.NotLifted {
		cover(n.Place)
	}
	if d.Campaign.Place.Pointer != "" {
		cover(d.Campaign.Place)
	}
	v.Root.Walk(v.Pointer, func(p evidence.Pointer, n *jsondoc.Node) bool {
		if covered[p] && p != v.Pointer {
			return false
		}
		if lift.Numeric(n) {
			t.Errorf("%s: %s is neither lifted nor listed", p, n.Text)
		}
		return true
	})
}

func figures(t testing.TB, d evidence.Document, visit func(*evidence.Measurement)) {
	for i := range d.Arms {
		for k := range d.Arms[i].Runs {
			r := &d.Arms[i].Runs[k]
			primary := map[[2]string]bool{}
			for j := range r.Measurements {
				m := &r.Measurements[j]
				visit(m)
				key := [2]string{string(m.Metric), string(m.Stat)}
				if m.Role == evidence.Primary && primary[key] {
					t.Errorf("two primary values of %v in one run", key)
				}
				primary[key] = primary[key] || m.Role == evidence.Primary
			}
		}
	}
}

func eachFact(d evidence.Document, visit func(evidence.Fact)) {
	all := func(fs []evidence.Fact) {
		for _, f := range fs {
			visit(f)
		}
	}
	all(d.Facts)
	for _, a := range d.Arms {
		all(a.Facts)
		for _, r := range a.Runs {
			all(r.Facts)
		}
	}
}
