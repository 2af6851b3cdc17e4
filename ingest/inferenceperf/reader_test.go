package inferenceperf

import (
	"os"
	"path/filepath"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestGoldenText(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.yaml") }

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/inference_perf", "*.json", lifttest.Quiet)
}

func TestTextSamples(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(lifttest.Corpus(t, "corpus", "foreign", "inference_perf"), "*.yaml"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := lifttest.ReadText(t, TextReaders(), data)
		if d == nil || len(d.Arms[0].Runs[0].Measurements) < 50 {
			t.Fatalf("%s: not read", path)
		}
		lifttest.Quiet(t, path, jsondoc.Value{}, *d)
	}
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"stage.json": 1})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.yaml") }
