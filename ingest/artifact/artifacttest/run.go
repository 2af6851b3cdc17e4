// Package artifacttest has a whole run for tests of the format and of its readers.
package artifacttest

import (
	"fmt"

	"assay/ingest/artifact"
	"assay/store/evidence"
)

func ptr[T any](v T) *T { return &v }

// Run is a small run in which everything is recorded: four requests of five tokens, at
// known times, one of them in the warm-up.
func Run() *artifact.Run {
	r := &artifact.Run{
		Schema: artifact.Label, Campaign: "example-campaign", Title: "Example", Arm: "tp1-mtp0", Name: "tp1-mtp0-r1",
		Repeat: 1, Repeats: 6, Status: artifact.Measured, Started: "2026-09-04T10:00:00Z", Finished: "2026-09-04T10:00:10Z",
		Facts: Facts(),
		Workload: artifact.Workload{Name: "4k-c1", Endpoint: "http://127.0.0.1:8000", API: "chat", Loop: "closed", Concurrency: ptr(int64(1)),
			Seed: 7, Prompts: digits, Targets: []int64{4096}, Tolerance: 0.02,
			Sampling: artifact.Sampling{Temperature: ptr(0.0), Seed: ptr(int64(7)), MaxTokens: 5, IgnoreEOS: ptr(true), Thinking: ptr(false)}},
		Windows: []artifact.Window{{Name: "warm-up", Start: 0, End: 1e9}, {Name: "measure", Start: 1e9, End: 4e9}},
		Gates:   []artifact.Gate{{Name: "canaries", Status: "passed", Detail: "4 of 4 canaries came back in their own answer", Passed: ptr(int64(4)), Tried: ptr(int64(4))}},
		Limits:  []string{"No power was recorded."},
		Client: artifact.Client{Name: "assay", Version: "test", Go: "go1.26", Connections: "new for each request",
			Health: artifact.Health{CPUs: 2, CPU: ptr(0.1), SendLag: artifact.Spread{N: 3, P50: ptr(0.0001), P99: ptr(0.0002), Max: ptr(0.0002)}}},
		Cards: &artifact.Telemetry{Why: "no NVML library on this machine"},
		Host:  &artifact.Host{Kernel: "6.1", OS: "linux", Environment: "native", CPUs: 2},
	}
	for i := range int64(4) {
		r.Requests = append(r.Requests, request(i))
	}
	r.Summary = []artifact.Figure{
		{Metric: "ttft", Stat: "p50", Method: "nearest-rank", Value: ptr(0.2), Unit: "s", N: 3},
		{Metric: "e2e", Stat: "p50", Method: "nearest-rank", Value: ptr(0.65), Unit: "s", N: 3},
		{Metric: "tpot", Stat: "mean", Value: ptr(0.1125), Unit: "s", N: 3},
		{Metric: "output_throughput", Stat: "total", Value: ptr(5.0), Unit: "tokens/s", N: 3},
		{Metric: "itl_token", Stat: "p50", Unit: "s", Why: "several tokens came in one chunk"},
	}
	return r
}

const digits = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"

// request i is sent at second i; the first token comes after 0.2 s, the answer ends
// after 0.65 s.
func request(i int64) artifact.Request {
	at := func(ms int64) *int64 { return ptr(i*1e9 + ms*1e6) }
	window := "measure"
	if i == 0 {
		window = "warm-up"
	}
	return artifact.Request{
		Index: i, Window: window, Due: i * 1e9, Sent: at(0), Headers: at(100), Chunk: at(150), Visible: at(200), LastToken: at(600), End: at(650),
		Chunks: []int64{*at(200), *at(400), *at(600)}, Tokens: []int64{2, 2, 1},
		PromptTokens: ptr(int64(4100)), OutputTokens: ptr(int64(5)), CachedTokens: ptr(int64(0)), TokensFrom: "usage",
		HTTPStatus: 200, Finish: "length", Canary: "found", Model: "example", NewConn: true,
	}
}

// Facts has every key that a run must speak of.
func Facts() artifact.Facts {
	f := artifact.Facts{}
	for _, k := range artifact.Required {
		f.Lack(k, "not part of the example")
	}
	for k, v := range map[evidence.FactKey]string{
		evidence.KeyWorkloadClass: evidence.ClassShort, evidence.KeyConcurrency: "1", evidence.KeyReplicas: "1", evidence.KeyRequests: "3",
		evidence.KeyContextTarget: "4096", evidence.KeyPromptTokens: "4100", evidence.KeyOutputCap: "5", evidence.KeyCompletionMode: "forced",
		evidence.KeyThinking: "disabled", evidence.KeyProtocol: artifact.Protocol, evidence.KeyPercentileMethod: string(evidence.NearestRank),
		evidence.KeyTimingBoundary: "ttfo", evidence.KeyGPUProduct: "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
		evidence.KeyGPUArch: "Blackwell", evidence.KeyGPUCount: "1", evidence.KeyTP: "1", evidence.KeyMTPDepth: "0",
		evidence.KeyEngine: "vllm", evidence.KeyServedModel: "example", evidence.KeyCompleted: "3", evidence.KeyFailed: "0", evidence.KeyMeanOutput: "5",
	} {
		f.Set(k, v, fmt.Sprintf("set by the example for %s", k))
	}
	return f
}
