package ingest_test

import (
	"context"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// TestRawRowsBeyondATree takes in results whose raw rows stand before the summary and
// are too many for a tree: the summary is read, and the rows are listed.
func TestRawRowsBeyondATree(t *testing.T) {
	gaps := "[" + strings.TrimSuffix(strings.Repeat("0.005, ", 99), ", ") + "]"
	rows := `"input_lens": [` + strings.TrimSuffix(strings.Repeat("10, ", 200), ", ") + `], "ttfts": [` + strings.TrimSuffix(strings.Repeat("0.1, ", 200), ", ") +
		`], "itls": [` + strings.TrimSuffix(strings.Repeat(gaps+", ", 200), ", ") + `], `
	rates := `"duration": 100.0, "completed": 200, "total_input_tokens": 2000, "total_output_tokens": 20000, "request_throughput": 2.0, "output_throughput": 200.0, ` +
		`"mean_ttft_ms": 100.0, "median_ttft_ms": 100.0, "mean_tpot_ms": 5.0, "median_tpot_ms": 5.0, "mean_itl_ms": 5.0}`
	for name, text := range map[string]string{
		"vllm/serve@2":     `{"model_id": "m", "backend": "vllm", "num_prompts": 200, "request_rate": "inf", ` + rows + rates,
		"sglang/serving@2": `{"backend": "sglang-oai", "dataset_name": "random", "random_range_ratio": 1.0, "mean_e2e_latency_ms": 595.0, ` + rows + rates,
	} {
		t.Run(name, func(t *testing.T) {
			a := newArchive(t)
			opt := ingest.Options{}
			opt.Limits.Nodes = 5_000
			f := take(t, a, opt, blob("a", text)).Files[0]
			if f.State != evidence.Accepted || f.Reader != name || f.Runs != 1 {
				t.Fatalf("%s, %s, %d runs: %v", f.State, f.Reader, f.Runs, codes(f))
			}
			if diff := cmp.Diff([]string{"info rows-not-read  0"}, codes(f)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			values := map[evidence.MetricID]float64{}
			if err := a.EachMeasurement(context.Background(), evidence.Filter{}, func(m evidence.MeasurementRow) error {
				if m.State != evidence.Recorded {
					t.Errorf("%s %s is %s", m.Metric, m.Stat, m.State)
				}
				values[m.Metric] = m.Value.V
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if values[evidence.TPOT] != 0.005 || values[evidence.OutputThroughput] != 200 || len(values) < 5 {
				t.Errorf("%v", values)
			}
		})
	}
}
