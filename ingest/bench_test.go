package ingest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"assay/ingest"
	"assay/store"
)

// benchEnv makes the test binary take a folder in and say how much memory that took:
// the peak of a process says nothing once something else has run in it.
const benchEnv = "ASSAY_TEST_BENCH"

// mixedTree is about 7 MB in 500 files of the kinds that a campaign folder holds.
func mixedTree(tb testing.TB) string {
	dir := tb.TempDir()
	for i := range 500 {
		name, text := fmt.Sprintf("c%02d/rows-%03d.json", i%20, i), ""
		switch {
		case i%10 < 6:
			text = rowsDocument(i, 6+i%44)
		case i%10 < 8:
			text = strings.Replace(rowsDocument(i, 20), "lab.rows/v1", "else.rows/v1", 1)
		case i%10 == 8:
			name, text = name+".txt", strings.Repeat(fmt.Sprintf("2026-09-01 request %d took 12.5 ms\n", i), 300)
		default:
			text = rowsDocument(i, 10)[:4000]
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func BenchmarkIngest500(b *testing.B) { benchmarkTake(b, mixedTree(b), 500) }

// BenchmarkIngest100MB takes in one artifact of 100 MB that a reader would like to
// have as a tree.
func BenchmarkIngest100MB(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.json")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	rows := rowsDocument(1, 1000)
	cut := strings.LastIndex(rows, "\n  ]")
	if _, err := f.WriteString(rows[:cut]); err != nil {
		b.Fatal(err)
	}
	for size := cut; size < 100_000_000; size += cut {
		body := rows[strings.Index(rows, "[")+1 : cut]
		if _, err := f.WriteString("," + body); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := f.WriteString(rows[cut:]); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	benchmarkTake(b, path, 1)
}

// BenchmarkIngestRows takes in one summary of very many rows.
func BenchmarkIngestRows(b *testing.B) {
	for _, rows := range []int{2_000, 10_000, 20_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "summary.json")
			if err := os.WriteFile(path, repeatedSummary(b, rows), 0o644); err != nil {
				b.Fatal(err)
			}
			benchmarkTake(b, path, 1)
		})
	}
}

// BenchmarkIngestRecords takes in 200,000 request records, about 250 MB of lines.
func BenchmarkIngestRecords(b *testing.B) {
	path := filepath.Join(b.TempDir(), "records.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	gaps := strings.TrimSuffix(strings.Repeat("19.512345678901234, ", 40), ", ")
	for i := range 200_000 {
		fmt.Fprintf(w, `{"metadata": {"session_num": %d, "request_start_ns": %d, "request_end_ns": %d, "worker_id": "w", "benchmark_phase": "profiling", "was_cancelled": false}, `+
			`"metrics": {"request_latency": {"value": %d.25, "unit": "ms"}, "time_to_first_token": {"value": %d.5, "unit": "ms"}, `+
			`"output_sequence_length": {"value": 41, "unit": "tokens"}, "input_sequence_length": {"value": 10, "unit": "tokens"}, "inter_chunk_latency": {"value": [%s], "unit": "ms"}}}`+"\n",
			i, 1783588508000000000+int64(i)*1000000, 1783588508900000000+int64(i)*1000000, 900+i%97, 90+i%53, gaps)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	benchmarkTake(b, path, 1)
}

// BenchmarkIngestCorpus takes in real evidence.
func BenchmarkIngestCorpus(b *testing.B) {
	root := corpus(b)
	files := 0
	err := filepath.WalkDir(root, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files++
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkTake(b, root, files)
}

// benchmarkTake takes path in, once per iteration and in a process of its own.
func benchmarkTake(b *testing.B, path string, files int) {
	var peak, seconds float64
	db := b.TempDir()
	n := 0
	for b.Loop() {
		n++
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), benchEnv+"="+filepath.Join(db, fmt.Sprintf("%d.db", n))+"\n"+path)
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		var p, s float64
		var got int
		if _, err := fmt.Sscan(string(out), &p, &s, &got); err != nil || got != files {
			b.Fatalf("the intake says %s", out)
		}
		peak, seconds = max(peak, p), seconds+s
	}
	b.ReportMetric(peak/(1<<20), "peak-MiB")
	b.ReportMetric(seconds/float64(n), "take-s/op")
}

// benchChild takes in, and writes peak memory, seconds and the number of files.
func benchChild(spec string) {
	db, path, _ := strings.Cut(spec, "\n")
	ctx := context.Background()
	debug.SetMemoryLimit(ingest.MemoryTarget) // as the program does
	a, err := store.Open(ctx, db, store.Options{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	start := time.Now()
	r, err := ingest.Take(ctx, a, []ingest.Source{ingest.Path(path)}, ingest.Options{Readers: append(testReaders, ingest.Registered()...)})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	seconds := time.Since(start).Seconds()
	a.Close()
	peak, err := peakMemory()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(peak, seconds, len(r.Files))
}
