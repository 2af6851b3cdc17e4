package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"assay/ingest"
)

// BenchmarkIntakeLog takes the same in with the log and without, by turns, and gives the
// ratio of the medians: what a record for every artifact and a signed checkpoint for every
// transaction cost.
func BenchmarkIntakeLog(b *testing.B) {
	b.Run("3000 small artifacts", func(b *testing.B) {
		sources := make([]ingest.Source, 3000)
		for i := range sources {
			sources[i] = ingest.Blob(fmt.Sprintf("small/%04d.json", i), "file", fmt.Appendf(nil, `{"schema": "lab.small/v1", "n": %d}`, i))
		}
		benchmarkIntakeLog(b, sources)
	})
	b.Run("corpus", func(b *testing.B) {
		dir := os.Getenv("ASSAY_CORPUS")
		if dir == "" {
			b.Skip("set ASSAY_CORPUS to take real evidence in")
		}
		benchmarkIntakeLog(b, []ingest.Source{ingest.Path(filepath.Join(dir, "corpus"))})
	})
}

func benchmarkIntakeLog(b *testing.B, sources []ingest.Source) {
	secret, public, err := note.GenerateKey(rand.Reader, "bench")
	if err != nil {
		b.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		b.Fatal(err)
	}
	var with, without []time.Duration
	files := 0
	one := func(logged bool) time.Duration {
		opt := Options{Now: clock}
		if logged {
			opt.Signers, opt.Verifier = []note.Signer{signer}, public
		}
		a, err := Open(context.Background(), filepath.Join(b.TempDir(), "archive.db"), opt)
		if err != nil {
			b.Fatal(err)
		}
		defer a.Close()
		a.unlogged = !logged
		start := time.Now()
		r, err := ingest.Take(b.Context(), a, sources, ingest.Options{})
		took := time.Since(start)
		if err != nil {
			b.Fatal(err)
		}
		files = len(r.Files)
		if size, err := a.LogSize(b.Context()); err != nil || logged != (size > 1) {
			b.Fatalf("the log has %d records: %v", size, err)
		}
		return took
	}
	for n := 0; b.Loop(); n++ {
		order := []bool{true, false}
		if n%2 == 1 {
			slices.Reverse(order)
		}
		for _, logged := range order {
			if took := one(logged); logged {
				with = append(with, took)
			} else {
				without = append(without, took)
			}
		}
	}
	slices.Sort(with)
	slices.Sort(without)
	x, y := with[len(with)/2], without[len(without)/2]
	b.ReportMetric(float64(x)/float64(y), "with/without")
	b.ReportMetric(float64(x.Milliseconds()), "with-ms")
	b.ReportMetric(float64(y.Milliseconds()), "without-ms")
	b.ReportMetric(float64(files), "files")
}
