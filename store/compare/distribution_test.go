package compare

import (
	"testing"

	"assay/store/evidence"
)

func TestDistributionOf(t *testing.T) {
	var samples []evidence.Sample
	for i := range 20 {
		samples = append(samples, evidence.Sample{Index: int64(i), OK: true, TTFT: evidence.Some(float64(i + 1))})
	}
	samples = append(samples, evidence.Sample{Index: 20, TTFT: evidence.Some(999.0), Failure: "timeout"}, evidence.Sample{Index: 21, OK: true})
	d := DistributionOf(samples, evidence.TTFT)
	if d.N != 20 || d.Failed != 1 || !d.P50.OK || d.P50.V != 10 || !d.P95.OK || d.P95.V != 19 {
		t.Errorf("%+v", d)
	}
	if d.P99.OK {
		t.Error("a p99 of twenty requests")
	}
	if last := d.Steps[len(d.Steps)-1]; last.X != 20 || last.Share != 1 {
		t.Errorf("the last step is %v; a failed request has no latency", last)
	}
	if e := DistributionOf(samples, evidence.E2E); e.N != 0 || e.Steps != nil {
		t.Errorf("a metric that no request has: %+v", e)
	}
}
