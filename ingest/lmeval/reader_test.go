package lmeval

import (
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

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

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }
