package load_test

import (
	"context"
	"testing"
	"time"

	"assay/runner/load"
)

func TestCalibrate(t *testing.T) {
	c, err := load.Calibrate(context.Background(), load.CalibrateOptions{For: 400 * time.Millisecond, Streams: 100, ChunkRate: 5000, OpenRate: 200, Concurrency: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", *c)
	if c.Failed != 0 || !c.SameProcess {
		t.Errorf("%d failed, same process %v", c.Failed, c.SameProcess)
	}
	if !c.RequestRate.OK || c.RequestRate.V < 100 {
		t.Errorf("request rate %+v", c.RequestRate)
	}
	if !c.ChunkRate.OK || c.ChunkRate.V < 1000 || c.ChunkRate.V > 6000 {
		t.Errorf("chunk rate %+v, 5000 were asked for", c.ChunkRate)
	}
	if c.TimingError.N == 0 || !c.TimingError.P99.OK || c.SendLag.N < 40 {
		t.Errorf("timing error %+v, send lag %+v", c.TimingError, c.SendLag)
	}
}
