package ingest_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"assay/store/evidence"
)

// TestAnswers: the whole way from a file to the archive's rows gives every known answer.
func TestAnswers(t *testing.T) {
	w := takeShared(t)
	raw, err := os.ReadFile(filepath.Join(w.root, "..", "..", "golden", "answers.shared.json"))
	if err != nil {
		t.Skip(err)
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, a := range list {
		var file string
		var n int64
		_ = json.Unmarshal(a["file"], &file)
		_ = json.Unmarshal(a["n"], &n)
		runs, err := w.archive.Runs(context.Background(), evidence.Filter{Artifact: w.files[file].SHA256})
		if err != nil || len(runs) != 1 {
			t.Errorf("%s: %d runs, %v", file, len(runs), err)
			continue
		}
		checked += checkRun(t, file, n, a, &runs[0])
	}
	t.Logf("%d answers of %d files", checked, len(list))
}

// checkRun holds the figures of a run against the answers about its file.
func checkRun(t *testing.T, file string, n int64, a map[string]json.RawMessage, r *evidence.RunRow) (checked int) {
	t.Helper()
	for name, raw := range a {
		metric := evidence.MetricID(name)
		if _, known := evidence.LookupMetric(metric); !known {
			continue
		}
		var want map[evidence.Stat]float64
		_ = json.Unmarshal(raw, &want)
		for stat, v := range want {
			asked := stat
			if n == 1 && stat != evidence.Total {
				if metric == evidence.OutputTokens {
					continue // of one request the total says it
				}
				asked = evidence.Single
			}
			m, ok := r.Primary(metric, asked)
			checked++
			if !ok || !m.Value.OK || math.Abs(m.Value.V-v) > 1e-10*math.Max(1, math.Abs(v)) {
				t.Errorf("%s: %s %s is %v, want %v", file, metric, stat, m.Value, v)
			}
			if ok && stat != evidence.Total && (!m.N.OK || m.N.V != n) {
				t.Errorf("%s: %s %s stands on %v observations, want %d", file, metric, stat, m.N, n)
			}
		}
	}
	if n == 0 {
		for _, m := range r.Measurements {
			if m.Value.OK {
				t.Errorf("%s: %s %s of no completed request is %v", file, m.Metric, m.Stat, m.Value.V)
			}
		}
	}
	return checked
}
