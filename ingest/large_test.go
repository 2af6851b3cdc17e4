package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// repeat reads head, then body until size bytes have come, then tail.
func repeat(head, body, tail string, size int64) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(&loop{text: body}, size), strings.NewReader(tail))
}

type loop struct {
	text string
	at   int
}

func (l *loop) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], l.text[l.at:])
		n, l.at = n+m, (l.at+m)%len(l.text)
	}
	return n, nil
}

func TestLargeInputs(t *testing.T) {
	row := `{"name":"a","ttft_ms":12.5,"note":"` + strings.Repeat("a row like the others ", 20) + `"},` + "\n"
	rows := func(n int64) int64 { return n * int64(len(row)) }
	head, tail := `{"schema":"lab.rows/v1","observed":"2026-09-01","rows":[`+"\n", `{"name":"z","ttft_ms":1}]}`
	line := `{"schema":"lab.rows/v1","rows":[` + strings.TrimSpace(row) + `{"name":"b","ttft_ms":3}]}` + "\n"
	tests := []struct {
		name     string
		src      io.Reader
		state    evidence.EndState
		schema   string
		runs     int
		findings []string
	}{
		{"document beyond the in-memory size", repeat(head, row, tail, rows(20_000)), evidence.Accepted, "lab.rows/v1", 20_001, nil},
		{"document too large for a tree", repeat(head, row, tail, rows(60_000)), evidence.Archived, "lab.rows/v1", 0, []string{"warning not-read  0"}},
		{"lines", repeat("", line, "", 18_000*int64(len(line))), evidence.Accepted, "lab.rows/v1", 36_000, []string{"info several-values  0"}},
		{"cut document", repeat(head, row, "", rows(20_000)), evidence.Quarantined, "lab.rows/v1", 0,
			[]string{"error truncated /rows/19999 " + strconv.FormatInt(int64(len(head))+rows(20_000), 10)}},
		{"text", repeat("", "2026-09-01 ready\n", "", 10<<20), evidence.Archived, "", 0, []string{"info not-json  0"}},
		{"bomb", repeat("", "[", "", 10<<20), evidence.Quarantined, "", 0, []string{"error nesting-too-deep " + strings.Repeat("/0", 1000) + " 1000"}},
		{"string too long", repeat(`{"schema":"lab.rows/v1","rows":[],"x":"`, "x", `"}`, 20<<20), evidence.Quarantined, "lab.rows/v1", 0,
			[]string{"error string-too-long /x 38"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opt := options()
			opt.Limits.Nodes = 100_000
			r := take(t, newArchive(t), opt, ingest.Stream(tt.name, "http", tt.src))
			got := r.Files[0]
			if got.State != tt.state || got.Schema != tt.schema || got.Runs != tt.runs {
				t.Errorf("%s, schema %q, %d runs; want %s, %q, %d", got.State, got.Schema, got.Runs, tt.state, tt.schema, tt.runs)
			}
			if diff := cmp.Diff(tt.findings, codes(got)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBeyondTheLimit takes in more than 256 MiB that come from nowhere, and watches
// the heap while it does.
func TestBeyondTheLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("compresses 260 MiB")
	}
	debug.FreeOSMemory()
	a := newArchive(t)
	var before, peak runtime.MemStats
	runtime.ReadMemStats(&before)
	src := &watch{r: repeat(`{"schema":"lab.rows/v1","rows":[`, "                \n", "]}", 260<<20), peak: &peak}
	r := take(t, a, options(), ingest.Stdin(src))
	got := r.Files[0]
	if got.State != evidence.Quarantined || got.Schema != "lab.rows/v1" {
		t.Errorf("%s, schema %q", got.State, got.Schema)
	}
	if diff := cmp.Diff([]string{fmt.Sprintf("error too-large  %d", jsondoc.Defaults.Size)}, codes(got)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	row, err := a.FindArtifact(context.Background(), got.SHA256)
	if err != nil || row.Size != 260<<20+34 {
		t.Errorf("kept %d bytes, %v", row.Size, err)
	}
	if grown := int64(peak.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

// watch looks at the heap every few megabytes.
type watch struct {
	r    io.Reader
	n    int
	peak *runtime.MemStats
}

func (w *watch) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if w.n += n; w.n > 32<<20 {
		w.n = 0
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > w.peak.HeapAlloc {
			*w.peak = m
		}
	}
	return n, err
}

// TestStopEndsALongInput stops an intake in the middle of an input without end.
func TestStopEndsALongInput(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	src := &stopper{cancel: cancel}
	r, err := ingest.Take(ctx, newArchive(t), []ingest.Source{ingest.Stdin(src)}, options())
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if r.Lost != 1 {
		t.Errorf("%+v", r)
	}
}

type stopper struct {
	cancel func()
	n      int
}

func (s *stopper) Read(p []byte) (int, error) {
	if s.n += len(p); s.n > 10<<20 {
		s.cancel()
	}
	return endless{}.Read(p)
}

// peakMemory is the largest resident set that the process had, in bytes.
func peakMemory() (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib * 1024, err
		}
	}
	return 0, errors.New("no VmHWM on this system")
}
