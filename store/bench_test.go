package store

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/store/evidence"
)

// BenchmarkKeepCommit files 500 artifacts of 14 kB (7 MB) in batches of 64: as real
// folders have them, with 40 measurements each, and dense, with 120.
func BenchmarkKeepCommit(b *testing.B) {
	for name, arms := range map[string]int{"20000 measurements": 1, "60000 measurements": 3} {
		b.Run(name, func(b *testing.B) { benchmarkKeepCommit(b, arms) })
	}
}

func benchmarkKeepCommit(b *testing.B, arms int) {
	filler := strings.Repeat(`{"name":"some row of a table","value":1234.5678},`, 280)
	inputs := make([]evidence.Incoming, 500)
	readings := make([]*evidence.Reading, len(inputs))
	for i := range inputs {
		inputs[i] = evidence.Incoming{Name: fmt.Sprintf("lab/%03d.json", i), Origin: "file", Data: fmt.Appendf(nil, "[%d,%s0]", i, filler)}
		readings[i] = syntheticReading(fmt.Sprintf("2026-09-%02d-bench", 1+i%28), i, arms, 4)
		readings[i].Text = filler[:2000]
	}
	for b.Loop() {
		a := openBench(b)
		for lo := 0; lo < len(inputs); lo += 64 {
			fileBatch(b, a, inputs[lo:min(lo+64, len(inputs))], readings[lo:])
		}
		if err := a.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func fileBatch(b *testing.B, a *Archive, inputs []evidence.Incoming, readings []*evidence.Reading) {
	b.Helper()
	kept, err := a.Keep(b.Context(), inputs)
	if err != nil {
		b.Fatal(err)
	}
	results := make([]evidence.Result, len(kept))
	for i, k := range kept {
		results[i] = evidence.Result{Kept: k, Reading: readings[i]}
	}
	if err := a.Commit(b.Context(), results); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCommit200k files one artifact with 20,000 runs and 200,000 measurements.
func BenchmarkCommit200k(b *testing.B) {
	reading := syntheticReading("2026-09-01-large", 1, 100, 200)
	for b.Loop() {
		a := openBench(b)
		fileBatch(b, a, []evidence.Incoming{{Name: "large.json", Origin: "file", Data: []byte("[]")}}, []*evidence.Reading{reading})
		if err := a.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(200_000*float64(b.N)/b.Elapsed().Seconds(), "measurements/s")
}

func openBench(b *testing.B) *Archive {
	b.Helper()
	a, err := Open(context.Background(), filepath.Join(b.TempDir(), "archive.db"), Options{Now: clock})
	if err != nil {
		b.Fatal(err)
	}
	return a
}
