package inferencex

import (
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/inferencex_agg", "*.json", func(t *testing.T, name string, v jsondoc.Value, d evidence.Document) {
		lifttest.Quiet(t, name, v, d)
		simulated := false
		for _, f := range d.Findings {
			simulated = simulated || f.Code == lift.CodeSimulated
		}
		if want := strings.Contains(name, "mock") || strings.Contains(name, "synthetic"); simulated != want {
			t.Errorf("simulated %v, want %v", simulated, want)
		}
		for _, a := range d.Arms {
			for _, r := range a.Runs {
				if _, ok := lift.StatName("p50"); !ok || len(r.Measurements) < 3 {
					t.Errorf("%d measurements", len(r.Measurements))
				}
				for _, m := range r.Measurements {
					if m.Value.OK && m.Value.V == 0 && m.Unit == evidence.Seconds {
						t.Errorf("%s %s is zero", m.Metric, m.Stat)
					}
				}
			}
		}
	})
}

// Energy per token has nothing beside it that speaks of the same.
func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"fixed.json": 1, "agentic.json": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }
