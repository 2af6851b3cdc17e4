package llamabenchy

import (
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/llama_benchy", "*.json", func(t *testing.T, name string, v jsondoc.Value, d evidence.Document) {
		lifttest.Quiet(t, name, v, d)
		for i, r := range d.Arms[0].Runs {
			row := v.Root.Get("benchmarks").Item(i)
			if r.Measurements[0].Metric != evidence.TTFC || r.Measurements[0].SourceText != row.Get("ttfr").Get("mean").Text {
				t.Errorf("run %d: %+v", i, r.Measurements[0])
			}
		}
	})
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"result.json": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }
