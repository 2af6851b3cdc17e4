package llmd

import (
	"strings"
	"testing"

	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

// TestOrigin reads reports that name the definitions behind their slots.
func TestOrigin(t *testing.T) {
	const report = `{"version": "0.2.1", "run": {"uid": "x"}, "scenario": {"load": {"standardized": {"tool": null}, "native": {"config": {"assay":
		{"artifact": "DIGEST", "run": "r0", "percentile_method": "nearest-rank", "definitions": {"time_to_first_token": {"metric": "METRIC"}}}}}}},
		"results": {"request_performance": {"aggregate": {"requests": {"total": 10, "failures": 0},
		"latency": {"time_to_first_token": {"units": "ms", "mean": 120.5, "p99": 300}, "time_per_output_token": {"units": "ms/token", "mean": 3}}}}}}`
	digest := strings.Repeat("ab", 32)
	for _, c := range []struct {
		digest, metric string
		want           evidence.MetricID
		references     int
	}{
		{digest, "ttft", evidence.TTFT, 1}, {digest, "ttfc", evidence.TTFC, 1}, {digest, "tpot", "", 1}, {digest, "nonsense", "", 1}, {"short", "ttft", "", 0},
	} {
		v := lifttest.Parse([]byte(strings.NewReplacer("DIGEST", c.digest, "METRIC", c.metric).Replace(report)))[0]
		d := *lifttest.ReadAll(t, Readers(), lifttest.Parse([]byte(strings.NewReplacer("DIGEST", c.digest, "METRIC", c.metric).Replace(report))))[0]
		lifttest.Sound(t, v, d)
		got := evidence.MetricID("")
		for _, m := range d.Arms[0].Runs[0].Measurements {
			if got = m.Metric; m.Stat == evidence.P99 && m.Method != evidence.NearestRank {
				t.Errorf("%s: percentiles are %s", c.metric, m.Method)
			}
		}
		if got != c.want || len(d.References) != c.references {
			t.Errorf("%s of %s: %q, %d references", c.metric, c.digest, got, len(d.References))
		}
	}
}
