package workload

import (
	"fmt"

	"assay/runner/load"
	"assay/runner/load/pace"
	"assay/store/evidence"
)

// base is what all presets have in common: greedy decoding, prompts that are unlike each
// other, a code in each that must come back.
func base(name, about, class string) *Workload {
	return &Workload{
		Name: name, About: about, Class: class, API: load.Chat, Seed: 1, Repeats: 6,
		Prompt:   Prompt{Kind: Prose, Tolerance: 0.02, Canary: true},
		Output:   Output{Cap: 256, Mode: Natural},
		Sampling: Sampling{TopP: 1},
		Policy:   load.Policy{Idempotency: true, Retries: 1},
	}
}

// Presets are the workloads that the program knows by name.
func Presets() []*Workload {
	smoke := base("smoke", "is anything wrong: 4 short requests, once; no evidence to compare", evidence.ClassShort)
	smoke.Repeats = 1
	smoke.Output.Cap = 32
	smoke.Prompt.Tolerance = 0.05
	smoke.Steps = []Step{{Name: "smoke", Target: 256, Requests: 4, Concurrency: 1, Warmup: load.Span{Requests: 1}}}

	one := base("4k-c1", "4,096 prompt tokens, one request at a time, 10 requests: latency of a lone user", evidence.ClassShort)
	one.Steps = []Step{{Name: "4k-c1", Target: 4096, Requests: 10, Concurrency: 1, Warmup: load.Span{Requests: 2}}}

	eight := base("4k-c8-forced", "4,096 prompt tokens, 8 requests at a time, 100 requests of exactly 512 output tokens: rate under load", evidence.ClassAggregate)
	eight.Output = Output{Cap: 512, Mode: Forced}
	eight.Steps = []Step{{Name: "4k-c8", Target: 4096, Requests: 100, Concurrency: 8, Warmup: load.Span{Requests: 8}}}

	ladder := base("context-ladder", "8K to 128K prompt tokens, one request at a time: how prefill and decode hold at depth", evidence.ClassLong)
	ladder.Steps = rungs(8, 16, 32, 64, 128)
	deep := base("context-ladder-1m", "128K to 1M prompt tokens, one request at a time", evidence.ClassLong)
	deep.Steps = rungs(128, 256, 512, 1000)

	open := base("4k-poisson", "4,096 prompt tokens, Poisson arrivals at 2 a second, 120 requests: latency from when requests were due", evidence.ClassAggregate)
	open.Output = Output{Cap: 256, Mode: Forced}
	open.Steps = []Step{{Name: "4k-2rps", Target: 4096, Requests: 120, Warmup: load.Span{Requests: 4},
		Arrivals: &pace.Arrivals{Process: pace.Poisson, PerSecond: 2, Seed: 1}}}
	return []*Workload{smoke, one, eight, open, ladder, deep}
}

func rungs(thousands ...int64) []Step {
	var out []Step
	for _, k := range thousands {
		out = append(out, Step{Name: fmt.Sprintf("%dk", k), Target: k * 1024, Requests: 3, Concurrency: 1, Warmup: load.Span{Requests: 1}})
	}
	return out
}

// Preset is a preset by name.
func Preset(name string) (*Workload, bool) {
	for _, w := range Presets() {
		if w.Name == name {
			return w, true
		}
	}
	return nil, false
}
