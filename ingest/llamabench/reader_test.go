package llamabench

import (
	"os"
	"path/filepath"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestGoldenText(t *testing.T) {
	for _, pattern := range []string{"*.csv", "*.md", "*.sql", "*.log"} {
		lifttest.GoldenText(t, TextReaders(), pattern)
	}
}

// independent: which phase a row times, and its rate.
func check(t *testing.T, name string, v jsondoc.Value, d evidence.Document) {
	t.Helper()
	lifttest.Quiet(t, name, v, d)
	for _, a := range d.Arms {
		for _, r := range a.Runs {
			row := v.Root.At(evidence.Pointer(string(r.Place.Pointer)[len(v.Pointer):]))
			want := evidence.BatchThroughput
			if row.Get("n_gen").Text == "0" {
				want = evidence.PrefillThroughput
			} else if row.Get("n_prompt").Text == "0" {
				want = evidence.DecodeThroughput
			}
			if m := r.Measurements[0]; m.Metric != want || m.SourceText != row.Get("avg_ts").Text {
				t.Errorf("%s: %s %s", r.Place.Pointer, m.Metric, m.SourceText)
			}
		}
	}
}

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/llama_bench", "*.jsonl", check)
	lifttest.Samples(t, Readers(), "parts/samples-llama", "*.json*", check)
}

// TestFormsAgree reads the same rows as JSON and as rows of a table: the same figures
// under the same settings.
func TestFormsAgree(t *testing.T) {
	dir := lifttest.Corpus(t, "parts", "samples-llama")
	read := func(name string) *evidence.Document {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		d := lifttest.ReadText(t, TextReaders(), data)
		if d == nil || len(d.Arms) != 1 || len(d.Arms[0].Runs) != 2 {
			t.Fatalf("%s: %+v", name, d)
		}
		lifttest.Quiet(t, name, jsondoc.Value{}, *d)
		return d
	}
	read("llama-bench.md")
	want := lifttest.ReadAll(t, Readers(), lifttest.Values(t, filepath.Join(dir, "llama-bench.json")))[0].Arms[0]
	for _, name := range []string{"llama-bench.sql", "llama-bench.csv"} {
		got := read(name).Arms[0]
		for i, f := range want.Facts {
			if i >= len(got.Facts) || got.Facts[i].Key != f.Key || got.Facts[i].Value != f.Value {
				t.Errorf("%s: fact %d is %+v, want %+v", name, i, got.Facts[i], f)
			}
		}
	}
}

func TestTextSample(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(lifttest.Corpus(t, "parts", "samples-llama"), "llama-bench.csv"))
	if err != nil {
		t.Fatal(err)
	}
	d := lifttest.ReadText(t, TextReaders(), data)
	if d == nil || len(d.Arms) != 1 || len(d.Arms[0].Runs) != 2 {
		t.Fatalf("%+v", d)
	}
	lifttest.Quiet(t, "csv", jsondoc.Value{}, *d)
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"bench.jsonl": 0, "batched.jsonl": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.*") }
