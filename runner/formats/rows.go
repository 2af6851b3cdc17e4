package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"assay/ingest/artifact"
)

const measure = "measure"

// measured are the requests due in the measured window.
func measured(r *artifact.Run) []*artifact.Request {
	var out []*artifact.Request
	for i := range r.Requests {
		if r.Requests[i].Window == measure {
			out = append(out, &r.Requests[i])
		}
	}
	return out
}

// span is from the first request sent to the last one ended, in nanoseconds of the run.
func span(rows []*artifact.Request) (from, to int64, ok bool) {
	for _, q := range rows {
		if q.Sent != nil && (!ok || *q.Sent < from) {
			from, ok = *q.Sent, true
		}
	}
	to = from
	for _, q := range rows {
		if q.End != nil {
			to = max(to, *q.End)
		}
	}
	return from, to, ok && to > from
}

func since(from, to *int64) (float64, bool) {
	if from == nil || to == nil || *to < *from {
		return 0, false
	}
	return float64(*to-*from) / 1e9, true
}

func earlier(a, b *int64) *int64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// moment is a time of the run on the wall clock.
func moment(r *artifact.Run, ns int64) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, r.Started)
	if err != nil {
		return t, fmt.Errorf("started: %w", err)
	}
	return t.Add(time.Duration(ns)).UTC(), nil
}

// nearest is the nearest-rank percentile of sorted values.
func nearest(sorted []float64, percent int) float64 {
	return sorted[max((len(sorted)*percent+99)/100, 1)-1]
}

// linear is the percentile between the two nearest values, as numpy has it by default.
func linear(sorted []float64, percent float64) float64 {
	at := percent / 100 * float64(len(sorted)-1)
	low := int(math.Floor(at))
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

func sorted(v []float64) []float64 { return slices.Sorted(slices.Values(v)) }

// encode writes an object with its members in order of their names.
func encode(o map[string]any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(o); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
