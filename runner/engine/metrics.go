package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/runner/load"
)

// Snapshot is the engine's counters by name and labels, as /metrics has them.
type Snapshot map[string]float64

// ErrNoMetrics is an endpoint without counters.
var ErrNoMetrics = errors.New("the endpoint has no /metrics")

const mostSeries = 2000

// families are the prefixes of names that are an engine's own; others are of the runtime
// below it.
var families = []string{"vllm:", "sglang:", "llamacpp:"}

// Scrape reads the counters once.
func Scrape(ctx context.Context, t load.Target) (Snapshot, error) {
	c, err := newClient(t)
	if err != nil {
		return nil, err
	}
	return c.scrape(ctx)
}

func (c *client) scrape(ctx context.Context) (Snapshot, error) {
	a, err := c.get(ctx, "/metrics")
	switch {
	case err != nil:
		return nil, unreachable(c.base, err)
	case a.status == http.StatusNotFound || a.status == http.StatusNotImplemented || a.status == http.StatusMethodNotAllowed:
		return nil, fmt.Errorf("%w (HTTP %d)", ErrNoMetrics, a.status)
	case !a.ok():
		return nil, fmt.Errorf("/metrics: HTTP %d", a.status)
	}
	s, err := parseMetrics(a.body)
	if err == nil && len(s) == 0 {
		return nil, fmt.Errorf("%w of an engine that is known", ErrNoMetrics)
	}
	return s, err
}

// parseMetrics reads Prometheus' text format: NAME{LABELS} VALUE [TIME]. Comments, buckets
// of histograms and what is no number are left out.
func parseMetrics(text []byte) (Snapshot, error) {
	s := Snapshot{}
	line := 0
	for raw := range bytes.Lines(text) {
		line++
		row := strings.TrimSpace(string(raw))
		if row == "" || row[0] == '#' || !slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(row, f) }) {
			continue
		}
		name, rest, err := series(row)
		if err != nil {
			return nil, fmt.Errorf("/metrics, line %d: %w", line, err)
		}
		plainName, _, _ := strings.Cut(name, "{")
		if strings.HasSuffix(plainName, "_bucket") || strings.HasSuffix(plainName, "_created") {
			continue
		}
		value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("/metrics, line %d: %.40q is no number", line, value)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if len(s) == mostSeries {
			break
		}
		s[name] = v
	}
	return s, nil
}

// series takes the name and labels off a line; labels are put in order.
func series(row string) (name, rest string, err error) {
	open := strings.IndexAny(row, "{ \t")
	if open < 0 {
		return "", "", errors.New("a name without a value")
	}
	if row[open] != '{' {
		return row[:open], row[open:], nil
	}
	var labels []string
	at := open + 1
	for {
		for at < len(row) && (row[at] == ' ' || row[at] == ',') {
			at++
		}
		if at < len(row) && row[at] == '}' {
			break
		}
		eq := strings.IndexByte(row[at:], '=')
		if eq < 0 || at+eq+1 >= len(row) || row[at+eq+1] != '"' {
			return "", "", errors.New("labels are not NAME=\"VALUE\"")
		}
		end := at + eq + 2
		for end < len(row) && row[end] != '"' {
			if row[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(row) {
			return "", "", errors.New("a label does not end")
		}
		if len(labels) == 64 {
			return "", "", errors.New("more than 64 labels")
		}
		labels = append(labels, row[at:end+1])
		at = end + 1
	}
	slices.Sort(labels)
	return plain(row[:open]) + "{" + strings.Join(labels, ",") + "}", row[at+1:], nil
}

// labelsOf reads labels as series writes them, without the opening brace.
func labelsOf(s string) map[string]string {
	out := map[string]string{}
	for s = strings.TrimSuffix(s, "}"); s != ""; {
		name, rest, ok := strings.Cut(s, `="`)
		if !ok {
			return out
		}
		end := 0
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end > len(rest) {
			return out
		}
		out[name] = plain(rest[:min(end, len(rest))])
		s = strings.TrimPrefix(rest[min(end+1, len(rest)):], ",")
	}
	return out
}

// Watch reads the counters over and over.
type Watch struct {
	stop  context.CancelFunc
	done  chan struct{}
	mu    sync.Mutex
	peaks Snapshot
	n     int
	fault string
}

// StartWatch reads the counters every period until it is stopped.
func StartWatch(ctx context.Context, t load.Target, period time.Duration) *Watch {
	ctx, stop := context.WithCancel(ctx)
	w := &Watch{stop: stop, done: make(chan struct{}), peaks: Snapshot{}}
	go func() {
		defer close(w.done)
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				s, err := Scrape(ctx, t)
				if ctx.Err() != nil {
					return
				}
				w.add(s, err)
			}
		}
	}()
	return w
}

func (w *Watch) add(s Snapshot, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.fault = plain(err.Error())
		return
	}
	w.n++
	for k, v := range s {
		if old, seen := w.peaks[k]; !seen || v > old {
			w.peaks[k] = v
		}
	}
}

// Stop ends the watch: the highest value of each series, of so many readings, and the last
// fault.
func (w *Watch) Stop() (peaks Snapshot, readings int, fault string) {
	w.stop()
	<-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n == 0 {
		return nil, 0, w.fault
	}
	return w.peaks, w.n, w.fault
}
