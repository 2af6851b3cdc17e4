package document

import (
	"slices"
	"strings"
	"time"

	"assay/ingest/artifact"
	"assay/runner/load"
)

// harmless are the warnings of a certificate that say nothing against the client's own part
// in the figures.
var harmless = []string{load.WarnUncalibrated, load.WarnRetries}

// Health is the certificate of a run. Send lag and rates are those of its rows.
func Health(out *load.Outcome, rows []artifact.Request) artifact.Health {
	c := &out.Certificate
	h := artifact.Health{Drops: c.Dropped, CPUs: c.Cores, GCPauses: lateness(c.GCPause), Scheduler: lateness(c.Scheduler), Reasons: []string{}}
	if c.UserCPU.OK && c.SystemCPU.OK {
		cores := c.UserCPU.V + c.SystemCPU.V
		h.CPU = &cores
	}
	var lags []float64
	due, sent := 0, 0
	window := stretch(out.Windows)
	for _, r := range rows {
		if r.Window != measured {
			continue
		}
		due++
		if r.Sent == nil {
			continue
		}
		lags = append(lags, max(0, float64(*r.Sent-r.Due)/1e9))
		if *r.Sent <= int64(window.To) {
			sent++
		}
	}
	h.SendLag = spreadOf(lags)
	if length := (window.To - window.From).Seconds(); length > 0 {
		achieved := float64(sent) / length
		h.AchievedRate = &achieved
		if strings.HasPrefix(out.Loop, "open, ") {
			offered := float64(due) / length
			h.OfferedRate = &offered
		}
	}
	for _, w := range c.Warnings {
		h.Reasons = append(h.Reasons, w.Code+": "+w.Text)
		h.Saturated = h.Saturated || !slices.Contains(harmless, w.Code)
	}
	return h
}

// stretch is the window in which measured requests were due.
func stretch(list []load.Window) load.Window {
	for _, w := range list {
		if w.Phase == load.Measure {
			return w
		}
	}
	return load.Window{}
}

// Calibration is what the client can do on this machine; took is how long each part of the
// calibration lasted. Without a calibration there is none.
func Calibration(c *load.Calibration, took time.Duration) *artifact.Calibration {
	if c == nil {
		return nil
	}
	streams := int64(c.Streams)
	out := &artifact.Calibration{At: c.At.UTC().Format(time.RFC3339Nano), Streams: &streams, TimingError: lateness(c.TimingError), CalibratedFor: took.Seconds()}
	if c.RequestRate.OK {
		out.RequestRate = &c.RequestRate.V
	}
	if c.ChunkRate.OK {
		out.ChunkRate = &c.ChunkRate.V
	}
	return out
}

func lateness(l load.Lateness) artifact.Spread {
	return artifact.Spread{N: l.N, P50: seconds(l.P50), P99: seconds(l.P99), Max: seconds(l.Max)}
}

func spreadOf(values []float64) artifact.Spread {
	n := len(values)
	if n == 0 {
		return artifact.Spread{}
	}
	slices.Sort(values)
	p50, p99 := rank(values, 50), rank(values, 99)
	return artifact.Spread{N: int64(n), P50: &p50, P99: &p99, Max: &values[n-1]}
}
