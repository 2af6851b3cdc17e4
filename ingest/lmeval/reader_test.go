package lmeval

import (
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func all() []lifttest.Reader { return []lifttest.Reader{Readers()[0], SamplesReaders()[0]} }

func TestGolden(t *testing.T) { lifttest.Golden(t, all()) }

func TestSeries(t *testing.T) {
	s := SamplesReaders()[0].Series(shapeSamples)
	for _, v := range lifttest.Values(t, "testdata/samples.jsonl") {
		s.Add(v.Root, v.Pointer)
	}
	lifttest.Compare(t, "testdata/series.golden", lifttest.Dump(s.Document()))
}

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/lm_eval", "*.json", func(t *testing.T, name string, v jsondoc.Value, d evidence.Document) {
		lifttest.Quiet(t, name, v, d)
		want := 0
		for _, task := range v.Root.Get("results").Children {
			for _, n := range task.Names {
				metric, _, _ := strings.Cut(n, ",")
				if metric == "acc" || metric == "acc_norm" || metric == "exact_match" {
					want++
				}
			}
		}
		if got := len(d.Arms[0].Runs); got != want {
			t.Errorf("%d runs, want %d", got, want)
		}
	})
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"full.json": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, all()) }

func FuzzSeries(f *testing.F) { lifttest.FuzzSeries(f, SamplesReaders()[0], "samples.jsonl") }
