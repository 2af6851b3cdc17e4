package anvil

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixtures are documents of our own, one for each shape.
var fixtures = []string{"table", "narrative", "matrix"}

func parse(t testing.TB, data []byte) *jsondoc.Node {
	t.Helper()
	n := jsondoc.Parse(data, jsondoc.Limits{}).Root()
	if n == nil {
		t.Fatal("the fixture is no single JSON value")
	}
	return n
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read gives a value to the reader that takes it.
func read(t testing.TB, n *jsondoc.Node, root evidence.Pointer) (evidence.Document, bool) {
	t.Helper()
	label := n.Get("schema").Str()
	for _, r := range Readers() {
		if shape, ok := r.Match(label, n); ok {
			return r.Read(n, root, shape), true
		}
	}
	return evidence.Document{}, false
}

func mustRead(t testing.TB, data []byte) (evidence.Document, *jsondoc.Node) {
	t.Helper()
	n := parse(t, data)
	d, ok := read(t, n, "")
	if !ok {
		t.Fatal("no reader takes the document")
	}
	return d, n
}

func TestGolden(t *testing.T) {
	for _, name := range fixtures {
		t.Run(name, func(t *testing.T) {
			d, n := mustRead(t, fixture(t, name))
			got, path := dump(d), filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("document differs (-want +got):\n%s", diff)
			}
			for _, p := range Unaccounted(d, n) {
				t.Errorf("nothing carries the number at %s", where(p))
			}
			checkInvariants(t, d, n)
		})
	}
}

// checkInvariants holds for every document of these readers.
func checkInvariants(t *testing.T, d evidence.Document, n *jsondoc.Node) {
	t.Helper()
	at := func(what string, p evidence.Place, text string) {
		t.Helper()
		if p.Pointer.Parent() == "" && p.Pointer == "" {
			t.Errorf("%s has no place", what)
			return
		}
		node := n.At(evidence.Pointer(string(p.Pointer)[len(d.Root):]))
		if node == nil {
			t.Errorf("%s: %s leads nowhere", what, where(p))
			return
		}
		if !p.Whole() && (p.End > len(node.Text) || p.Start >= p.End) {
			t.Errorf("%s: %s lies outside the text", what, where(p))
		} else if !p.Whole() && text != "" && node.Text[p.Start:p.End] != text {
			t.Errorf("%s: %s holds %q, not %q", what, where(p), node.Text[p.Start:p.End], text)
		}
	}
	facts := func(scope string, list []evidence.Fact) {
		seen := map[evidence.FactKey]bool{}
		for _, f := range list {
			if seen[f.Key] {
				t.Errorf("%s: %s stands twice in one scope", scope, f.Key)
			}
			if seen[f.Key] = true; f.Value == "" || f.State == evidence.Derived && f.Rule == "" || f.State == evidence.Recorded && f.Rule != "" {
				t.Errorf("%s: fact %+v is incomplete", scope, f)
			}
			at(scope+" "+string(f.Key), f.Place, f.SourceText)
		}
	}
	facts("document", d.Facts)
	for _, a := range d.Arms {
		facts(a.Name, a.Facts)
		at(a.Name, a.Place, "")
		for _, r := range a.Runs {
			facts(a.Name+"/"+r.Name, r.Facts)
			at(r.Name, r.Place, "")
			checkFigures(t, a.Name+"/"+r.Name, r, at)
		}
	}
}

func checkFigures(t *testing.T, scope string, r evidence.Run, at func(string, evidence.Place, string)) {
	t.Helper()
	type figure struct {
		m evidence.MetricID
		s evidence.Stat
	}
	primary := map[figure]bool{}
	for _, m := range r.Measurements {
		info, ok := evidence.LookupMetric(m.Metric)
		if !ok || m.Unit != info.Unit || m.Stat == "" {
			t.Errorf("%s: %s has unit %s, statistic %q", scope, m.Metric, m.Unit, m.Stat)
		}
		if m.Value.OK == (m.Lower.OK || m.Upper.OK) {
			t.Errorf("%s: %s is neither a point nor an interval", scope, figureLine(m))
		}
		if m.State == evidence.Derived && m.Rule == "" || m.SourceText == "" {
			t.Errorf("%s: %s has no rule or digits", scope, figureLine(m))
		}
		if k := (figure{m.Metric, m.Stat}); m.Role == evidence.Primary {
			if primary[k] {
				t.Errorf("%s: two primary figures of %s %s", scope, m.Metric, m.Stat)
			}
			primary[k] = true
		}
		text := m.SourceText
		if m.Place.Whole() {
			text = ""
		}
		at(scope+" "+string(m.Metric), m.Place, text)
	}
}
