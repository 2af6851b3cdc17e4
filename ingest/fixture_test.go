package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store"
	"assay/store/evidence"
)

var _ ingest.Rebuilder = (*store.Archive)(nil)
var _ ingest.Witness = (*store.Archive)(nil)

// labReader knows documents of a made-up laboratory:
//
//	{"schema": "lab.rows/v1", "observed": "2026-09-01", "rows": [{"name": "a", "ttft_ms": 12.5}]}
//
// Rows may hold a word such as NaN; the figure is left out then.
type labReader struct{}

func (labReader) ID() string   { return "lab/rows" }
func (labReader) Version() int { return 1 }

func (labReader) Match(label string, v *jsondoc.Node) (string, bool) {
	return "rows", label == "lab.rows/v1" && v.Get("rows").Is(jsondoc.Array)
}

func (labReader) Read(v *jsondoc.Node, root evidence.Pointer, shape string) evidence.Document {
	d := evidence.Document{Family: "lab", Campaign: evidence.Campaign{
		ID: v.Get("campaign").Str(), Observed: v.Get("observed").Str(), Place: evidence.At(root.Key("campaign")),
	}}
	if v.Get("doubt").Is(jsondoc.Bool) {
		d.Findings = append(d.Findings, evidence.Finding{Severity: evidence.Error, Code: "lab-doubt",
			Pointer: root.Key("doubt"), Offset: v.Get("doubt").Offset, Message: "the writer doubts its own figures"})
	}
	for i, row := range v.Get("rows").Children {
		at := root.Key("rows").Index(i)
		run := evidence.Run{Name: row.Get("name").Str(), Class: evidence.ClassShort, Status: evidence.Measured, Place: evidence.At(at)}
		for _, f := range labFigures {
			n := row.Get(f.member)
			if !n.Is(jsondoc.Number) {
				continue
			}
			value, unit, err := evidence.ToBase(n.Text, f.unit)
			if err != nil {
				panic(err)
			}
			run.Measurements = append(run.Measurements, evidence.Measurement{
				Metric: f.metric, Stat: f.stat, Value: evidence.Some(value), Unit: unit, State: evidence.Recorded,
				Role: evidence.Primary, SourceText: n.Text, SourceUnit: f.unit, Place: evidence.At(at.Key(f.member)),
			})
		}
		d.Arms = append(d.Arms, evidence.Arm{Name: run.Name, Place: evidence.At(at), Runs: []evidence.Run{run}})
	}
	return d
}

var labFigures = []struct {
	member, unit string
	metric       evidence.MetricID
	stat         evidence.Stat
}{
	{"ttft_ms", "ms", evidence.TTFT, evidence.P50},
	{"ttft_p95_ms", "ms", evidence.TTFT, evidence.P95},
	{"e2e_s", "s", evidence.E2E, evidence.P50},
	{"decode_tok_s", "tok/s", evidence.DecodeRate, evidence.P50},
	{"output_tok_s", "tok/s", evidence.OutputThroughput, evidence.Total},
}

// faultyReader panics on one label and gives rows that no archive takes on another.
type faultyReader struct{}

func (faultyReader) ID() string   { return "lab/faulty" }
func (faultyReader) Version() int { return 3 }

func (faultyReader) Match(label string, _ *jsondoc.Node) (string, bool) {
	return "any", strings.HasPrefix(label, "faulty.")
}

func (faultyReader) Read(v *jsondoc.Node, root evidence.Pointer, _ string) evidence.Document {
	if labelIs(v, "faulty.panic/v1") {
		var none []int
		_ = none[len(v.Children)]
	}
	return evidence.Document{Family: "lab", Arms: []evidence.Arm{{Name: "a", Runs: []evidence.Run{{
		Name: "a", Measurements: []evidence.Measurement{{Metric: "no such metric", Stat: "no such statistic", Unit: "furlongs"}},
	}}}}}
}

func labelIs(v *jsondoc.Node, label string) bool { return v.Get("schema").Str() == label }

var testReaders = []ingest.Reader{labReader{}, faultyReader{}}

func options() ingest.Options { return ingest.Options{Readers: testReaders} }

func clock() time.Time { return time.Date(2026, 9, 5, 12, 0, 0, 0, time.UTC) }

func openArchive(tb testing.TB, path string) *store.Archive {
	tb.Helper()
	a, err := store.Open(context.Background(), path, store.Options{Now: clock})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := a.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	return a
}

func newArchive(tb testing.TB) *store.Archive {
	tb.Helper()
	return openArchive(tb, filepath.Join(tb.TempDir(), "archive.db"))
}

func take(tb testing.TB, a ingest.Archive, opt ingest.Options, sources ...ingest.Source) ingest.Report {
	tb.Helper()
	r, err := ingest.Take(context.Background(), a, sources, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func blob(name, text string) ingest.Source { return ingest.Blob(name, "file", []byte(text)) }

// codes are the findings of a report, "severity code pointer offset".
func codes(f ingest.FileReport) []string {
	var out []string
	for _, x := range f.Findings {
		out = append(out, fmt.Sprintf("%s %s %s %d", x.Severity, x.Code, x.Pointer, x.Offset))
	}
	return out
}

// writeTree writes files into a new folder.
func writeTree(tb testing.TB, files map[string]string) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// corpus is the folder of real evidence; tests that need it skip without it.
func corpus(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	dir = filepath.Join(dir, "corpus")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("no corpus at %s: set ASSAY_CORPUS to run over real evidence", dir)
	}
	return dir
}
