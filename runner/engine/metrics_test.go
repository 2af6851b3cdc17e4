package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/runner/load"
	"assay/store/evidence"
)

func TestMetrics(t *testing.T) {
	got, err := parseMetrics([]byte(`# HELP vllm:a x
vllm:a{b="2",a="x \"} y"} 4.5 1700000000
vllm:a_bucket{le="1"} 3
vllm:n NaN
python_gc_total 7
llamacpp:plain 1e3
`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Snapshot{`vllm:a{a="x \"} y",b="2"}`: 4.5, "llamacpp:plain": 1000}, got); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"vllm:a{b=\"x} 1":     "line 1: a label does not end",
		"#\nvllm:a{b} 1":      "line 2",
		"vllm:a":              "without a value",
		"vllm:a{b=\"1\"} one": "is no number",
	} {
		if _, err := parseMetrics([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzMetrics(f *testing.F) {
	f.Add("vllm:a{b=\"2\",a=\"x \\\"} y\"} 4.5 1700000000\nsglang:x 1")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseMetrics([]byte(text))
		if err == nil && len(s) > mostSeries {
			t.Fatal(len(s))
		}
		for k := range s {
			if _, labels, ok := strings.Cut(k, "{"); ok {
				labelsOf(labels)
			}
		}
	})
}

func TestScrape(t *testing.T) {
	if _, err := Scrape(t.Context(), load.Target{Endpoint: endpoint(t, nil)}); !errors.Is(err, ErrNoMetrics) {
		t.Errorf("%v", err)
	}
	url := endpoint(t, map[string]string{"/metrics": "llamacpp:x 3\n"})
	s, err := Scrape(t.Context(), load.Target{Endpoint: url + "/v1"})
	if err != nil || s["llamacpp:x"] != 3 {
		t.Errorf("%v, %v", s, err)
	}
	w := StartWatch(context.WithoutCancel(t.Context()), load.Target{Endpoint: url}, time.Millisecond)
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		w.mu.Lock()
		n := w.n
		w.mu.Unlock()
		if n > 2 {
			break
		}
	}
	if peaks, n, fault := w.Stop(); peaks["llamacpp:x"] != 3 || n < 2 || fault != "" {
		t.Errorf("%v, %d readings, %q", peaks, n, fault)
	}
}

func TestDerive(t *testing.T) {
	before := Snapshot{`vllm:spec_decode_num_drafts_total{e="0"}`: 10, `vllm:spec_decode_num_drafts_total{e="1"}`: 10,
		"vllm:spec_decode_num_draft_tokens_total": 60, "vllm:spec_decode_num_accepted_tokens_total": 30}
	after := Snapshot{`vllm:spec_decode_num_drafts_total{e="0"}`: 60, `vllm:spec_decode_num_drafts_total{e="1"}`: 60,
		"vllm:spec_decode_num_draft_tokens_total": 360, "vllm:spec_decode_num_accepted_tokens_total": 180,
		`vllm:cache_config_info{block_size="16",num_gpu_blocks="100"}`: 1}
	figures, facts := Derive(VLLM, before, after, nil)
	got := map[string]float64{}
	for _, f := range figures {
		if f.Value != nil {
			got[f.Metric] = *f.Value
		}
	}
	want := map[string]float64{"accept_rate": 0.5, "accept_length": 2.5, "kv_pool_tokens": 1600}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if facts.Get(evidence.KeyAcceptScope) != "delta" {
		t.Errorf("%v", facts)
	}
	figures, facts = Derive(VLLM, after, before, nil)
	for _, f := range figures {
		if f.Value != nil || !strings.Contains(f.Why, "backwards") {
			t.Errorf("%+v", f)
		}
	}
	if len(figures) != 2 || len(facts) != 0 {
		t.Errorf("%d figures, facts %v", len(figures), facts)
	}
	if figures, _ := Derive(LlamaCPP, Snapshot{}, Snapshot{}, nil); figures != nil {
		t.Errorf("of an engine that does not speculate: %v", figures)
	}
}
