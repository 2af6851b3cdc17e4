package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
	"assay/store/export"
)

// reportDoc is what the test reads of a report.
type reportDoc struct {
	Scenario struct {
		Load struct {
			Native struct {
				Config struct {
					Assay struct {
						Run         string
						Definitions map[string]struct {
							Metric   evidence.MetricID
							Pointers map[string]any
						}
						Further []struct {
							Metric evidence.MetricID
							Stat   evidence.Stat
						}
						Withheld []struct{ Why string }
					}
				}
			}
		}
	}
}

// archiveOf takes files in and gives their runs with their figures.
func archiveOf(t *testing.T, sources ...ingest.Source) (*store.Archive, []evidence.RunRow) {
	t.Helper()
	ctx := context.Background()
	a, err := store.Open(ctx, filepath.Join(t.TempDir(), "archive.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	report, err := ingest.Take(ctx, a, sources, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Files {
		if f.State == evidence.Quarantined {
			t.Errorf("%s is quarantined: %v", f.Path, f.Findings)
		}
	}
	var runs []evidence.RunRow
	index := map[string]int{}
	if err := a.EachRun(ctx, evidence.Filter{}, func(r evidence.RunRow) error {
		index[r.ID] = len(runs)
		runs = append(runs, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := a.EachMeasurement(ctx, evidence.Filter{}, func(m evidence.MeasurementRow) error {
		r := &runs[index[m.Run]]
		r.Measurements = append(r.Measurements, m)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return a, runs
}

// TestReportsComeBack exports runs of every tool as llm-d reports, takes the reports in,
// and compares every figure that has a slot: the same value under the same definition.
func TestReportsComeBack(t *testing.T) {
	var sources []ingest.Source
	for _, pattern := range []string{"vllm/testdata/*.json", "sglang/testdata/*.jsonl", "aiperf/testdata/*.json*", "guidellm/testdata/v0*.json",
		"inferenceperf/testdata/*.json", "inferencex/testdata/fixed.json", "trtllm/testdata/*.json", "llamabench/testdata/*.jsonl", "llmd/testdata/v0*", "anvil/testdata/*.json"} {
		paths, _ := filepath.Glob(filepath.Join("..", "..", "ingest", pattern))
		for _, p := range paths {
			if !strings.HasSuffix(p, ".golden") {
				sources = append(sources, ingest.Path(p))
			}
		}
	}
	a, runs := archiveOf(t, sources...)
	var out bytes.Buffer
	w := export.NewReports(&out, false)
	if err := w.Pour(context.Background(), a, evidence.Filter{}); err != nil {
		t.Fatal(err)
	}
	if int(w.Rows()) != len(runs) || len(runs) < 25 {
		t.Fatalf("%d reports of %d runs", w.Rows(), len(runs))
	}
	path := filepath.Join(t.TempDir(), "reports.jsonl")
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, again := archiveOf(t, ingest.Path(path))
	if len(again) != len(runs) {
		t.Fatalf("%d runs come back of %d", len(again), len(runs))
	}
	byPlace := map[evidence.Pointer]*evidence.RunRow{}
	for i := range again {
		byPlace[again[i].Place.Pointer] = &again[i]
	}
	compared := 0
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var doc reportDoc
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatalf("report %d: %v", i, err)
		}
		is := byPlace[evidence.Pointer("").Index(i)]
		if is == nil {
			t.Errorf("report %d: no run comes back", i)
			continue
		}
		compared += cameBack(t, &runs[i], is, &doc)
	}
	if compared < 500 {
		t.Errorf("%d figures compared", compared)
	}
}

func cameBack(t *testing.T, was, is *evidence.RunRow, doc *reportDoc) (compared int) {
	t.Helper()
	assay := doc.Scenario.Load.Native.Config.Assay
	if assay.Run != was.ID {
		t.Fatalf("the report of %s stands where %s should", assay.Run, was.ID)
	}
	placed := map[evidence.MetricID]int{}
	for _, d := range assay.Definitions {
		placed[d.Metric] += len(d.Pointers)
	}
	further := map[evidence.MetricID]int{}
	for _, f := range assay.Further {
		further[f.Metric]++
	}
	for i := range was.Measurements {
		m := &was.Measurements[i]
		if m.Role != evidence.Primary || !m.Value.OK || m.State == evidence.Conflict {
			continue
		}
		got, ok := is.Primary(m.Metric, m.Stat)
		switch {
		case ok && got.Value == m.Value:
			compared++
		case placed[m.Metric] > 0 && further[m.Metric] == 0:
			t.Errorf("%s %s %s: %v came back as %v (%v)", was.ID, m.Metric, m.Stat, m.Value, got.Value, ok)
		case further[m.Metric] == 0:
			t.Errorf("%s %s %s is neither in a slot nor listed", was.ID, m.Metric, m.Stat)
		}
	}
	return compared
}

func TestReportUsage(t *testing.T) {
	for _, kind := range []string{"measurements", "facts", "artifacts", "nothing"} {
		code, stderr := call(context.Background(), io.Discard, "export", kind, "--format", "llmd", "--db", filepath.Join(t.TempDir(), "none.db"))
		if code != exitUsage || kind != "nothing" && !strings.Contains(stderr, "export runs --format llmd") {
			t.Errorf("%s: exit %d, %s", kind, code, stderr)
		}
	}
}
