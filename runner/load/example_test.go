package load_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/runner/load"
	"assay/runner/load/nullserver"
	"assay/store/evidence"
)

// prompts is a source whose bodies are made before the run.
type prompts [][]byte

func (p prompts) Request(i int) (load.Request, error) {
	return load.Request{API: load.Chat, Body: p[i%len(p)]}, nil
}

// Eight requests are kept open; four warm up, forty are measured.
func Example() {
	server, err := nullserver.Listen("127.0.0.1:0") // any OpenAI-compatible endpoint
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := load.NewClient(load.Target{Endpoint: server.URL(), Policy: load.Policy{Idempotency: true, Retries: 1}}, "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	records := &load.Keep{}
	out, err := load.Run(context.Background(), load.Options{
		Client: client, Source: prompts{nullserver.Body(5, time.Millisecond)}, Sink: records,
		Plan: load.Plan{Concurrency: 8, Warmup: load.Span{Requests: 4}, Measure: load.Span{Requests: 40}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Loop, out.Measured, out.Classes[load.OK])
	summary := load.Summarise(slices.Values(records.Records), load.SummaryOptions{})
	for _, f := range summary.Figures {
		if f.Metric == evidence.OutputTokens && f.Stat == evidence.P95 {
			fmt.Println(f.Metric, f.Stat, f.Method, f.Value, f.N)
		}
	}
	// Output:
	// closed, concurrency 8 40 40
	// output_tokens p95 nearest-rank 5 40
}
