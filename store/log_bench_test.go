//go:build unix

package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"assay/ingest"
)

// BenchmarkIntakeLog takes the same in with the log and without, by turns, and gives the
// ratio of the medians, by the clock and by the processor's time, which a busy machine
// moves less: what a record for every artifact and a signed checkpoint for every
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
	var with, without spent
	files := 0
	one := func(logged bool) (wall, cpu time.Duration) {
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
		start, used := time.Now(), processTime(b)
		r, err := ingest.Take(b.Context(), a, sources, ingest.Options{})
		wall, cpu = time.Since(start), processTime(b)-used
		if err != nil {
			b.Fatal(err)
		}
		files = len(r.Files)
		if size, err := a.LogSize(b.Context()); err != nil || logged != (size > 1) {
			b.Fatalf("the log has %d records: %v", size, err)
		}
		return wall, cpu
	}
	for n := 0; b.Loop(); n++ {
		order := []bool{true, false}
		if n%2 == 1 {
			slices.Reverse(order)
		}
		for _, logged := range order {
			if wall, cpu := one(logged); logged {
				with.add(wall, cpu)
			} else {
				without.add(wall, cpu)
			}
		}
	}
	b.ReportMetric(median(with.wall)/median(without.wall), "wall-ratio")
	b.ReportMetric(median(with.cpu)/median(without.cpu), "cpu-ratio")
	b.ReportMetric(1000*median(with.cpu), "with-cpu-ms")
	b.ReportMetric(1000*median(without.cpu), "without-cpu-ms")
	b.ReportMetric(float64(files), "files")
}

type spent struct{ wall, cpu []time.Duration }

func (s *spent) add(wall, cpu time.Duration) {
	s.wall, s.cpu = append(s.wall, wall), append(s.cpu, cpu)
}

// median is the middle in seconds.
func median(list []time.Duration) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2].Seconds()
}

func processTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
