package sglang

import (
	"testing"

	"assay/ingest/lift/lifttest"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/sglang_serving", "*.jsonl", lifttest.Quiet)
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"serving.jsonl": 1, "batch.jsonl": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }
