package artifact

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"assay/store/evidence"
)

// Bounds of a document. A run that needs more is split into repeats.
const (
	MaxRequests = 200_000
	MaxChunks   = 4_000_000 // of all requests together
	MaxBytes    = 256 << 20
	maxText     = 4 << 10
	maxList     = 10_000
)

// Check holds the run against the format. All faults are told at once, each with its
// JSON Pointer.
func (r *Run) Check() error {
	var c checker
	c.want(r.Schema == Label, "/schema", "%q, want %q", r.Schema, Label)
	c.name("/campaign_id", r.Campaign)
	c.name("/arm", r.Arm)
	c.name("/run", r.Name)
	c.want(r.Repeat >= 1 && r.Repeats >= r.Repeat, "/repeat", "%d of %d", r.Repeat, r.Repeats)
	c.want(slices.Contains([]Status{Measured, Failed, Aborted}, r.Status), "/status", "%q is none of measured, failed, aborted", r.Status)
	c.want((r.Why == "") == (r.Status == Measured), "/status_reason", "a run that was not measured says why, and no other does")
	c.want(abs(r.Workload.Seed) < 1<<53, "/workload/seed", "beyond what JSON numbers hold exactly")
	c.moment("/started", r.Started)
	c.moment("/finished", r.Finished)
	c.faults = append(c.faults, r.Facts.faults()...)
	c.windows(r.Windows)
	c.requests(r)
	c.figures(r.Summary)
	for i, g := range r.Gates {
		c.want(slices.Contains([]string{"passed", "failed", "not run"}, g.Status), fmt.Sprintf("/gates/%d/status", i), "%q is none of passed, failed, not run", g.Status)
	}
	for i, s := range r.Sidecars {
		_, err := evidence.ParseDigest(s.SHA256)
		c.want(err == nil && s.Size >= 0, fmt.Sprintf("/sidecars/%d", i), "no digest or no size")
		c.want(!strings.ContainsAny(s.Name, `/\`), fmt.Sprintf("/sidecars/%d/name", i), "a sidecar lies beside the document")
	}
	if len(c.faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(c.faults, "; "))
}

const mostFaults = 50

type checker struct{ faults []string }

func (c *checker) want(ok bool, at, format string, args ...any) {
	if !ok && len(c.faults) < mostFaults {
		c.faults = append(c.faults, at+": "+fmt.Sprintf(format, args...))
	}
}

func (c *checker) name(at, s string) {
	c.want(s != "" && len(s) <= maxText, at, "empty or too long")
}

func (c *checker) moment(at, s string) {
	t, err := time.Parse(time.RFC3339Nano, s)
	c.want(err == nil && t.Location() == time.UTC, at, "%.40q is no time in UTC as 2006-01-02T15:04:05Z", s)
}

var windowNames = []string{"warm-up", "ramp", "measure", "drain"}

func (c *checker) windows(list []Window) {
	last := -1
	var end int64
	for i, w := range list {
		at := fmt.Sprintf("/windows/%d", i)
		order := slices.Index(windowNames, w.Name)
		c.want(order > last, at+"/name", "%q: want warm-up, ramp, measure, drain in this order", w.Name)
		c.want(w.Start >= end && w.End >= w.Start, at, "starts or ends before what comes before it")
		last, end = order, w.End
	}
}

func (c *checker) requests(r *Run) {
	c.want(len(r.Requests) <= MaxRequests, "/requests", "%d, more than %d", len(r.Requests), MaxRequests)
	chunks := 0
	for i := range r.Requests {
		q := &r.Requests[i]
		at := fmt.Sprintf("/requests/%d", i)
		chunks += len(q.Chunks)
		c.want(q.Index == int64(i), at+"/index", "%d: requests stand in order without a gap", q.Index)
		c.want(slices.Contains(windowNames, q.Window), at+"/window", "%.40q is none", q.Window)
		c.want(q.Tokens == nil || len(q.Tokens) == len(q.Chunks), at+"/chunk_tokens", "%d counts for %d chunks", len(q.Tokens), len(q.Chunks))
		c.want(slices.IsSorted(q.Chunks), at+"/chunk_ns", "times run backwards")
		c.want(q.Error != "" || q.End != nil, at, "neither ended nor failed")
		var before int64 = math.MinInt64
		for _, e := range []struct {
			name string
			at   *int64
		}{{"sent_ns", q.Sent}, {"headers_ns", q.Headers}, {"first_chunk_ns", q.Chunk}, {"end_ns", q.End}} {
			if e.at == nil {
				continue
			}
			c.want(*e.at >= before, at+"/"+e.name, "is before what comes first")
			before = *e.at
		}
		for _, n := range []*int64{q.PromptTokens, q.OutputTokens, q.CachedTokens, q.ReasoningTokens} {
			c.want(n == nil || *n >= 0, at, "a negative count of tokens")
		}
	}
	c.want(chunks <= MaxChunks, "/requests", "%d chunks in all, more than %d", chunks, MaxChunks)
}

func (c *checker) figures(list []Figure) {
	seen := map[[2]string]bool{}
	for i, f := range list {
		at := fmt.Sprintf("/summary/%d", i)
		m, known := evidence.LookupMetric(evidence.MetricID(f.Metric))
		c.want(known, at+"/metric", "%.60q is no metric", f.Metric)
		c.want(!known || string(m.Unit) == f.Unit, at+"/unit", "%q, want %q", f.Unit, m.Unit)
		c.want(slices.Contains(evidence.Stats, evidence.Stat(f.Stat)), at+"/stat", "%.20q is no statistic", f.Stat)
		c.want((f.Value == nil) == (f.Why != ""), at, "a value and a reason for its absence exclude each other")
		c.want(!seen[[2]string{f.Metric, f.Stat}], at, "%s %s stands twice", f.Metric, f.Stat)
		seen[[2]string{f.Metric, f.Stat}] = true
	}
}

func abs(n int64) int64 { return max(n, -n) }
