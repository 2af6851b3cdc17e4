package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"assay/assets"
	"assay/store"
	"assay/store/evidence"
	"assay/web"
)

// BenchmarkPages measures the pages that compare, on an archive of 100,000 runs with
// 1,000,000 measurements: p95 over the rounds of each page. ASSAY_BENCH_DOCS overrides the
// number of artifacts, of 100 runs each.
func BenchmarkPages(b *testing.B) {
	documents := 1000
	fmt.Sscan(os.Getenv("ASSAY_BENCH_DOCS"), &documents)
	a, err := store.Open(context.Background(), filepath.Join(b.TempDir(), "pages.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { a.Close() })
	start := time.Now()
	fill(b, a, documents)
	b.Logf("%d measurements filed in %v", documents*1000, time.Since(start))
	files, err := assets.New()
	if err != nil {
		b.Fatal(err)
	}
	s, err := web.New(web.Config{Archive: a, Assets: files, Listen: "127.0.0.1:0", Repairs: a, Waivers: a})
	if err != nil {
		b.Fatal(err)
	}
	runs, err := a.Runs(context.Background(), evidence.Filter{Campaign: "campaign-0", Limit: 101})
	if err != nil || len(runs) < 101 {
		b.Fatalf("%d runs, %v", len(runs), err)
	}
	compare := "/compare?c=" + runs[0].ID
	for i := range runs[1:] {
		compare += "&a=" + runs[1+i].ID
	}
	for _, page := range []struct{ name, path string }{
		{"compare 100 arms", compare}, {"matrix", "/campaigns/campaign-0/matrix"}, {"factors", "/matrix/factors?campaign=campaign-0"},
		{"factors, all campaigns", "/matrix/factors"}, {"frontier", "/frontier?campaign=campaign-0"}, {"frontier, all campaigns", "/frontier"},
		{"guardrails", "/guardrails"}, {"runs", "/runs"}, {"overview", "/"},
	} {
		b.Run(page.name, func(b *testing.B) {
			var took []time.Duration
			size := 0
			for b.Loop() {
				rec, begun := httptest.NewRecorder(), time.Now()
				req := httptest.NewRequest(http.MethodGet, page.path, nil)
				req.Host = "127.0.0.1"
				s.ServeHTTP(rec, req)
				took = append(took, time.Since(begun))
				if size = rec.Body.Len(); rec.Code != http.StatusOK {
					b.Fatalf("%d: %.300s", rec.Code, rec.Body)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[(len(took)*95-1)/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(float64(size)/1024, "KiB")
		})
	}
}

// fill files artifacts of 100 runs: TP x MTP x concurrency ladders of one workload.
func fill(b *testing.B, a *store.Archive, documents int) {
	b.Helper()
	ctx := context.Background()
	for lo := 0; lo < documents; lo += 50 {
		var in []evidence.Incoming
		for i := lo; i < min(lo+50, documents); i++ {
			in = append(in, evidence.Incoming{Name: fmt.Sprintf("lab/%d.json", i), Origin: "file", Data: fmt.Append(nil, i)})
		}
		kept, err := a.Keep(ctx, in)
		if err != nil {
			b.Fatal(err)
		}
		var results []evidence.Result
		for i, k := range kept {
			results = append(results, evidence.Result{Kept: k, Reading: ladder("campaign-"+strconv.Itoa((lo+i)/20), lo+i)})
		}
		if err := a.Commit(ctx, results); err != nil {
			b.Fatal(err)
		}
	}
}

func ladder(campaign string, n int) *evidence.Reading {
	put := func(k evidence.FactKey, v string) evidence.Fact {
		return evidence.Fact{Key: k, Value: v, State: evidence.Recorded, Place: evidence.At("/" + evidence.Pointer(k)), SourceText: v}
	}
	d := evidence.Document{
		Schema: "lab.ladder/v1", Family: "F1", Reader: "lab/ladder", ReaderVersion: 1, ShapeID: "rows", Campaign: evidence.Campaign{ID: campaign, Observed: "2026-09-01"},
		Facts: []evidence.Fact{
			put(evidence.KeyGPUProduct, "NVIDIA RTX PRO 6000 Blackwell Max-Q"), put(evidence.KeyModel, "org/model@"+strconv.Itoa(n/20)), put(evidence.KeyEngine, "vllm"),
			put(evidence.KeyEngineVersion, "0.27.1"), put(evidence.KeyThinking, "disabled"), put(evidence.KeyOutputCap, "512"), put(evidence.KeyContextTarget, "4096"),
			put(evidence.KeyPromptTokens, "3610"), put(evidence.KeyPromptBurst, "false"), put(evidence.KeyProtocol, "capacity-v3"), put(evidence.KeyTimingBoundary, "ttft"),
			put(evidence.KeyPath, "direct"), put(evidence.KeyScope, "local"), put(evidence.KeyMeanOutput, "400"), put(evidence.KeyCompletionMode, "forced"),
			put(evidence.KeyServedContext, strconv.Itoa(32768*(1+n%4))), put(evidence.KeyCheckpoint, []string{"bf16", "fp8"}[n%2]),
		},
	}
	figures := []struct {
		m    evidence.MetricID
		s    evidence.Stat
		unit evidence.Unit
	}{
		{evidence.OutputThroughput, evidence.Total, evidence.TokensPerSecond}, {evidence.TTFT, evidence.P50, evidence.Seconds}, {evidence.TTFT, evidence.P95, evidence.Seconds},
		{evidence.TTFT, evidence.Mean, evidence.Seconds}, {evidence.TPOT, evidence.P50, evidence.Seconds}, {evidence.TPOT, evidence.P95, evidence.Seconds},
		{evidence.E2E, evidence.P50, evidence.Seconds}, {evidence.E2E, evidence.P95, evidence.Seconds}, {evidence.DecodeRate, evidence.P50, evidence.TokensPerSecond},
		{evidence.RequestThroughput, evidence.Total, evidence.RequestsPerSec},
	}
	for i := range 10 {
		tp, mtp := strconv.Itoa(1+i%2), strconv.Itoa(i/2)
		arm := evidence.Arm{Name: "tp" + tp + " mtp" + mtp, Place: evidence.At(evidence.Pointer("/arms").Index(i)),
			Facts: []evidence.Fact{put(evidence.KeyTP, tp), put(evidence.KeyGPUCount, tp), put(evidence.KeyMTPDepth, mtp)}}
		for c := range 10 {
			at := arm.Place.Pointer.Key("rows").Index(c)
			run := evidence.Run{Class: evidence.ClassAggregate, Status: evidence.Measured, Place: evidence.At(at),
				Facts: []evidence.Fact{put(evidence.KeyConcurrency, strconv.Itoa(1+c)), put(evidence.KeyRequests, strconv.Itoa(100*(1+c)))}}
			for j, f := range figures {
				run.Measurements = append(run.Measurements, evidence.Measurement{Metric: f.m, Stat: f.s, Method: evidence.NearestRank, Unit: f.unit, N: evidence.Some(int64(100)),
					Value: evidence.Some(float64(1+i) + float64(c)/10 + float64(n%7)/100), State: evidence.Recorded, Role: evidence.Primary,
					SourceText: "1", Place: evidence.At(at.Index(j))})
			}
			arm.Runs = append(arm.Runs, run)
		}
		d.Arms = append(d.Arms, arm)
	}
	return &evidence.Reading{State: evidence.Accepted, Schema: d.Schema, Family: d.Family, Reader: "lab/ladder@1", Encoding: "utf-8", Values: 1, Documents: []evidence.Document{d}}
}
