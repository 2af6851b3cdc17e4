package vllm

import (
	"path/filepath"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

// TestSamples compares every latency member of real files with an independent walk:
// digits, unit from the name, and nothing where nothing completed.
func TestSamples(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(lifttest.Corpus(t, "corpus", "foreign", "vllm_serve"), "*.json"))
	for _, path := range paths {
		for _, v := range lifttest.Values(t, path) {
			docs := lifttest.ReadAll(t, Readers(), []jsondoc.Value{v})
			if docs[0] == nil {
				t.Errorf("%s: no reader", filepath.Base(path))
				continue
			}
			lifttest.Sound(t, v, *docs[0])
			run := docs[0].Arms[0].Runs[0]
			void := v.Root.Get("completed").Is(jsondoc.Number) && v.Root.Get("completed").Text == "0"
			got := map[evidence.Pointer]evidence.Measurement{}
			for _, m := range run.Measurements {
				got[m.Place.Pointer] = m
			}
			for i, name := range v.Root.Names {
				f, ok := family(name)
				if !ok {
					continue
				}
				m, lifted := got[v.Pointer.Key(name)]
				if !lifted || m.Value.OK == void || m.SourceText != v.Root.Children[i].Text || m.SourceUnit != f.unit {
					t.Errorf("%s %s: %+v", filepath.Base(path), name, m)
				}
			}
			for _, f := range docs[0].Findings {
				if f.Code == lift.CodeUnread || f.Code == lift.CodeUnitSuspect || f.Code == lift.CodeDisagree || f.Code == lift.CodeOrder {
					t.Errorf("%s: %s %s", filepath.Base(path), f.Code, f.Message)
				}
			}
		}
	}
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"serve.json": 0, "seconds.json": 0, "throughput.json": 0, "latency.json": 0})
}

func TestGoldenText(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.csv") }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.csv") }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }
