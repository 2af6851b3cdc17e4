package trtllm

import (
	"testing"

	"assay/ingest/lift/lifttest"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"report.json": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }
