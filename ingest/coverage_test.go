package ingest_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// leaves counts the numbers of every value of a file.
func leaves(t *testing.T, path string) map[evidence.Pointer]int64 {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := jsondoc.Parse(data, jsondoc.Limits{})
	out := map[evidence.Pointer]int64{}
	for i, v := range d.Values {
		p := evidence.Pointer("")
		if d.Several() {
			p = p.Index(i)
		}
		n := int64(0)
		v.Walk(p, func(_ evidence.Pointer, n2 *jsondoc.Node) bool {
			if n2.Kind == jsondoc.Number || n2.Kind == jsondoc.NotFinite {
				n++
			}
			return true
		})
		out[p] = n
	}
	return out
}

// TestCoverageOfCorpus: of every real document each number is counted once, and nearly
// all are lifted or listed with a reason.
func TestCoverageOfCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of files")
	}
	root := corpus(t)
	a := newArchive(t)
	report := take(t, a, ingest.Options{}, ingest.Path(root))
	paths := map[string]string{}
	for _, f := range report.Files {
		paths[f.SHA256] = f.Path
	}
	var all, unread int64
	worst := map[string]int64{}
	err := a.EachCoverage(context.Background(), evidence.Filter{}, func(r evidence.CoverageRow) error {
		if r.Text() {
			return nil
		}
		path := paths[r.Artifact.String()]
		want := int64(0)
		for p, n := range leaves(t, path) {
			if p.Under(r.Root) {
				want += n
			}
		}
		if got := r.Numbers(); got != want {
			t.Errorf("%s of %s: %d numbers are counted, it has %d: %v", r.Root, path, got, want, r.Covered)
		}
		all, unread = all+want, unread+r.Unread()
		worst[r.Reader+" "+filepath.Base(path)] += r.Unread()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	share := float64(all-unread) / float64(max(all, 1))
	t.Logf("%d numbers, %.3f %% classified", all, 100*share)
	if share < 0.99 {
		t.Errorf("%.2f %% are classified", 100*share)
	}
	for name, n := range worst {
		if n > 0 {
			t.Logf("%s: %d unread", name, n)
		}
	}
}

// TestCoverageAddsUp: sums of readers are the sums of their documents.
func TestCoverageAddsUp(t *testing.T) {
	a := newArchive(t)
	take(t, a, options(), blob("one", known), blob("two", known+"\n"+known), blob("nan", `{"schema":"lab.rows/v1","rows":[{"name":"a","ttft_ms":NaN,"seed":7}]}`))
	sum := map[string]int64{}
	count := func(into map[string]int64) func(evidence.CoverageRow) error {
		return func(r evidence.CoverageRow) error {
			into["documents"] += r.Documents
			for _, c := range r.Covered {
				into[string(c.Ending)] += c.Numbers
			}
			return nil
		}
	}
	if err := a.EachCoverage(context.Background(), evidence.Filter{}, count(sum)); err != nil {
		t.Fatal(err)
	}
	total := map[string]int64{}
	if err := a.EachReaderCoverage(context.Background(), evidence.Filter{}, count(total)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sum, total); diff != "" {
		t.Errorf("documents (-), readers (+):\n%s", diff)
	}
	want := map[string]int64{"documents": 4, string(evidence.AsMeasurement): 6, string(evidence.Unaccounted): 2}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal([]int64{8}, []int64{sum[string(evidence.AsMeasurement)] + sum[string(evidence.Unaccounted)]}) {
		t.Error("some number is counted twice or not at all")
	}
}
