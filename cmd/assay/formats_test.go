package main

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"assay/ingest"
	"assay/ingest/artifact"
	"assay/ingest/artifact/artifacttest"
	"assay/runner/formats"
	"assay/store"
	"assay/store/evidence"
)

func at(ns int64) *int64 { return &ns }

// odd are runs with everything that a format may have no place for.
func oddRuns() map[string]*artifact.Run {
	one := int64(1)
	reasoning := artifacttest.Run()
	for i := range reasoning.Requests {
		q := &reasoning.Requests[i]
		q.Reasoning = q.Visible
		q.Visible = at(*q.Visible + 200e6)
	}
	failing := artifacttest.Run()
	q := &failing.Requests[2]
	q.Error, q.Detail, q.HTTPStatus, q.Visible, q.LastToken, q.End, q.OutputTokens = "http-429", "<b>too many</b>", 429, nil, nil, nil, nil
	q.Chunks, q.Tokens, q.Chunk = []int64{}, nil, nil
	single := artifacttest.Run()
	single.Requests[1].OutputTokens = &one
	single.Requests[1].Chunks = single.Requests[1].Chunks[:1]
	single.Requests[1].Tokens, single.Requests[1].LastToken = nil, single.Requests[1].Visible
	return map[string]*artifact.Run{"plain": artifacttest.Run(), "reasoning": reasoning, "failing": failing, "one token": single}
}

// TestOtherFormats: what is written for other tools is read back by the readers of those
// tools without a word of doubt, and says the same figures.
func TestOtherFormats(t *testing.T) {
	for name, run := range oddRuns() {
		for format, write := range writers {
			t.Run(name+"/"+format, func(t *testing.T) {
				data, err := write(run)
				if err != nil {
					t.Fatal(err)
				}
				archive, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), store.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer archive.Close()
				report, err := ingest.Take(t.Context(), archive, []ingest.Source{ingest.Blob(format+".json", "test", data)}, ingest.Options{})
				if err != nil {
					t.Fatal(err)
				}
				f := report.Files[0]
				if f.State != evidence.Accepted || f.Runs != 1 {
					t.Errorf("%s, %d runs", f.State, f.Runs)
				}
				for _, x := range f.Findings {
					partial := name == "failing" && x.Severity == evidence.Warning && x.Code != "disagrees"
					if x.Severity != evidence.Info && !partial {
						t.Errorf("%s %s at %s: %s", x.Severity, x.Code, x.Pointer, x.Message)
					}
				}
			})
		}
	}
}

func TestFormatsSayTheSame(t *testing.T) {
	run := artifacttest.Run()
	data, err := formats.Anvil(run)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Protocol string `json:"measurement_protocol"`
		Metrics  struct {
			TTFT   float64 `json:"ttft_p50_ms"`
			TPOT   float64 `json:"mean_inter_token_latency_ms_p50"`
			Output float64 `json:"output_tokens"`
			Rate   float64 `json:"throughput_tok_s"`
		}
	}
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	near("ttft", a.Metrics.TTFT, 200)
	near("tpot", a.Metrics.TPOT, 112.5)
	near("output", a.Metrics.Output, 15)
	near("rate", a.Metrics.Rate, 15/2.65) // three requests, from second 1 to 3.65
	if a.Protocol != "capacity-v3" {
		t.Errorf("protocol %s", a.Protocol)
	}
	data, err = formats.VLLM(run)
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		TTFT float64 `json:"median_ttft_ms"`
		TPOT float64 `json:"mean_tpot_ms"`
		Std  float64 `json:"std_ttft_ms"`
		E2E  float64 `json:"p99_e2el_ms"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	near("vllm ttft", v.TTFT, 150) // the first chunk, which is empty
	near("vllm tpot", v.TPOT, 112.5)
	near("vllm e2el", v.E2E, 600) // to the last token
	if v.Std > 1e-9 {
		t.Errorf("std of equal values is %v", v.Std)
	}
	run.Workload.Concurrency = nil
	if _, err := formats.Anvil(run); !errors.Is(err, formats.ErrOpenLoop) {
		t.Errorf("an open loop: %v", err)
	}
	run.Requests = run.Requests[:1]
	if _, err := formats.VLLM(run); err == nil {
		t.Error("a run without measured requests was written")
	}
}
