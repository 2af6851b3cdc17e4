package prose

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines writes settings as "key=value text scope".
func lines(sentence string, settings []Setting) []string {
	var out []string
	for _, s := range settings {
		line := string(s.Key) + "=" + s.Value + " \"" + s.Text(sentence) + "\""
		if s.Scope != "" {
			line += " " + string(s.Scope)
		}
		out = append(out, line)
	}
	return out
}

func texts(sentence string, spans []Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, s.Text(sentence))
	}
	return out
}

func TestShape(t *testing.T) {
	tests := []struct {
		in       string
		want     []string
		unparsed []string
	}{
		{"64 requests, 8K target, C4 per replica, 400 requested words, 1024-token ceiling, thinking enabled", []string{
			`requests=64 "64 requests"`, `context_target=8192 "8K target"`, `concurrency=4 "C4 per replica" per replica`,
			`requested_words=400 "400 requested words"`, `output_cap=1024 "1024-token ceiling"`, `thinking=enabled "thinking enabled"`}, nil},
		{"12 requests, concurrency 3, 2048 configured input tokens, 99 output-token cap", []string{
			`requests=12 "12 requests"`, `concurrency=3 "concurrency 3"`, `context_target=2048 "2048 configured input"`, `output_cap=99 "99 output-token cap"`}, nil},
		{"seven requests in every state at 8K/C1", []string{`requests=7 "seven requests"`, `context_target=8192 "8K"`, `concurrency=1 "C1"`}, nil},
		{"each state saw seven requests at 8K/C1", []string{`requests=7 "seven requests"`, `context_target=8192 "8K"`, `concurrency=1 "C1"`}, nil},
		{"Concurrency 4 with 50 requests of 16K context; outputs capped at 1024 tokens; reasoning off", []string{
			`concurrency=4 "Concurrency 4"`, `requests=50 "50 requests"`, `context_target=16384 "16K context"`, `output_cap=1024 "capped at 1024"`, `thinking=disabled "reasoning off"`}, nil},
		{"C16 aggregate, 200 prompts of 8192 tokens, max 300 output tokens, seed 7, no thinking", []string{
			`concurrency=16 "C16 aggregate" aggregate`, `requests=200 "200 prompts"`, `context_target=8192 "prompts of 8192"`, `output_cap=300 "max 300"`,
			`prompt_seed=7 "seed 7"`, `thinking=disabled "no thinking"`}, nil},
		{"8 concurrent requests; natural completions", []string{`concurrency=8 "8 concurrent"`, `completion_mode=natural "natural completions"`}, nil},
		{"forced output length, ignore_eos", []string{`completion_mode=forced "forced output length"`, `completion_mode=forced "ignore_eos"`}, nil},
		{"max_tokens=77, context=4096", []string{`output_cap=77 "max_tokens=77"`, `context_target=4096 "context=4096"`}, nil},
		{"100500-token API-reported prompt", []string{`prompt_tokens=100500 "100500-token API-reported prompt"`}, nil},
		{"unique prompt texts, the prefix cache was cleared before each run", []string{`prompt_kind=unique prompt texts "unique prompt texts"`, `cache_state=cold "cache was cleared"`}, nil},
		{"engine warm, the cache was never flushed", []string{`warm_state=warm "engine warm"`, `cache_state=kept "cache was never flushed"`}, nil},
		{"zero cached tokens, no cached prompt tokens", []string{`cached_fraction=0 "zero cached"`, `cached_fraction=0 "no cached"`}, nil},
		{"200 requests, forced 512-token outputs, single stream, reasoning effort high", []string{`requests=200 "200 requests"`, `output_cap=512 "512-token outputs"`,
			`completion_mode=forced "forced 512-token outputs"`, `concurrency=1 "single stream"`, `thinking_effort=high "effort high"`}, nil},
		// What is not understood stays unknown and is handed back.
		{"64 requests, mind the gap", []string{`requests=64 "64 requests"`}, []string{"mind the gap"}},
		{"77 of something, 8K target", []string{`context_target=8192 "8K target"`}, []string{"77 of something"}},
		{"512 output tokens", nil, []string{"512 output tokens"}},
		{"thinking not disabled", nil, []string{"thinking not disabled"}},
		{"not forced output", nil, []string{"not forced output"}},
		{"natural or forced completions", nil, []string{"natural or forced completions"}},
		{"64 requests, 32 requests", nil, []string{"64 requests", "32 requests"}}, // says two things
		{"10 warm-up requests, 64 requests", []string{`requests=64 "64 requests"`}, []string{"10 warm-up requests"}},
		{"64 requests per replica", nil, []string{"64 requests per replica"}},
		{"requests 100 concurrency 8", []string{`concurrency=8 "concurrency 8"`}, []string{"requests 100 concurrency 8"}},
		{"16 requests at 4K/C8", []string{`requests=16 "16 requests"`, `context_target=4096 "4K"`, `concurrency=8 "C8"`}, nil},
		{"16 requests at 4K/C8 only", []string{`requests=16 "16 requests"`, `context_target=4096 "4K"`, `concurrency=8 "C8"`}, nil},
		{"only 16 requests for selection", nil, []string{"only 16 requests for selection"}},
		{"about 100 requests", nil, []string{"about 100 requests"}},
		{"up to 8 concurrent", nil, []string{"up to 8 concurrent"}},
		{"retries=3", nil, []string{"retries=3"}},
		{"28/30 requests", nil, []string{"28/30 requests"}},
		{"", nil, nil},
	}
	for _, tt := range tests {
		got, left := Shape(tt.in)
		if diff := cmp.Diff(tt.want, lines(tt.in, got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
		if diff := cmp.Diff(tt.unparsed, texts(tt.in, left)); diff != "" {
			t.Errorf("%q unparsed (-want +got):\n%s", tt.in, diff)
		}
	}
}

// TestNominalIsExact says why 4K is 4096: a statement and a configuration that mean one
// target give equal values.
func TestNominalIsExact(t *testing.T) {
	a, _ := Shape("4K target")
	b, _ := Shape("4096 configured input tokens")
	c, _ := Shape("4,096-token prompts")
	if a[0].Value != b[0].Value || b[0].Value != c[0].Value || a[0].Key != c[0].Key {
		t.Errorf("%+v, %+v and %+v are one target", a, b, c)
	}
}

func TestConfig(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"SGLang Aurora DFlash2 K12 chunk1K TP1", []string{`engine=sglang "SGLang"`, `spec_method=dflash2 "DFlash2"`, `draft_depth=12 "K12"`,
			`chunked_prefill_tokens=1024 "chunk1K"`, `tp=1 "TP1"`}},
		{"three SGLang TP2 replicas", []string{`replicas=3 "three"`, `engine=sglang "SGLang"`, `tp=2 "TP2"`}},
		{"vLLM v0.31.2 Boreal MTP5 TP4", []string{`engine=vllm "vLLM"`, `engine_version=0.31.2 "v0.31.2"`, `mtp_depth=5 "MTP5"`, `spec_method=mtp "MTP5"`, `tp=4 "TP4"`}},
		{"four GPUs, TP=4, C8 per replica", []string{`gpu_count=4 "four GPUs"`, `tp=4 "TP=4"`, `concurrency=8 "C8 per replica" per replica`}},
		{"2x GPU, DP 2, C16 aggregate", []string{`gpu_count=2 "2x GPU"`, `dp=2 "DP 2"`, `concurrency=16 "C16 aggregate" aggregate`}},
		{"no-spec", []string{`spec_method=none "no-spec"`, `mtp_depth=0 "no-spec"`}},
		{"without speculation, MTP0", []string{`spec_method=none "without speculation"`, `mtp_depth=0 "without speculation"`, `mtp_depth=0 "MTP0"`, `spec_method=none "MTP0"`}},
		{"EAGLE-3 with MTP", []string{`spec_method=eagle3 "EAGLE-3"`, `spec_method=mtp "MTP"`}},
		{"K8, 2048-token chunks, 64 Mamba slots, torch.compile", []string{`draft_depth=8 "K8"`, `chunked_prefill_tokens=2048 "2048-token chunks"`,
			`mamba_slots=64 "64 Mamba slots"`, `torch_compile=true "torch.compile"`}},
		{"NVFP4 weights, FP8 KV cache, EP8", []string{`quantisation=nvfp4 "NVFP4"`, `ep=8 "EP8"`}},
		{"C4 corpus, k 4, Lumen3.8-27B", nil},
		{"40 slots had no effect", nil},
		{"one RTX 5090, 2x NVIDIA L4", []string{`gpu_count=1 "one RTX"`, `gpu_count=2 "2x NVIDIA"`}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, lines(tt.in, Config(tt.in))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestHardware(t *testing.T) {
	tests := []struct {
		in       string
		want     []string
		unparsed []string
	}{
		{"four NVIDIA RTX PRO 6000 Blackwell Server Edition GPUs, 97887 MiB each, sm_120", []string{`host_gpu_count=4 "four"`,
			`gpu_product=NVIDIA RTX PRO 6000 Blackwell Server Edition "NVIDIA RTX PRO 6000 Blackwell Server Edition"`,
			`gpu_memory_bytes=102641958912 "97887 MiB"`, `gpu_arch=sm_120 "sm_120"`}, nil},
		{"1x NVIDIA GeForce RTX 5090, 32 GB", []string{`host_gpu_count=1 "1x"`, `gpu_product=NVIDIA GeForce RTX 5090 "NVIDIA GeForce RTX 5090"`, `gpu_memory_bytes=32000000000 "32 GB"`}, nil},
		{"8 x H200, water cooled", []string{`host_gpu_count=8 "8"`, `gpu_product=H200 "H200"`}, []string{"water cooled"}},
		{"NVIDIA L4", []string{`gpu_product=NVIDIA L4 "NVIDIA L4"`}, nil},
		{"2x RTX PRO 6000 Blackwell Max-Q TP2", []string{`host_gpu_count=2 "2x"`, `gpu_product=RTX PRO 6000 Blackwell Max-Q "RTX PRO 6000 Blackwell Max-Q"`}, nil},
		{"two cards", []string{`host_gpu_count=2 "two"`}, nil},
	}
	for _, tt := range tests {
		got, left := Hardware(tt.in)
		if diff := cmp.Diff(tt.want, lines(tt.in, got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
		if diff := cmp.Diff(tt.unparsed, texts(tt.in, left)); diff != "" {
			t.Errorf("%q unparsed (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestOnOff(t *testing.T) {
	for in, want := range map[string]string{
		"disabled": "disabled", "off and checked": "disabled", "Enabled for every arm": "enabled",
		"not disabled": "", "enabled or disabled": "", "enabled; disabled": "", "whatever": "",
	} {
		if got, _, ok := OnOff(in); got != want && (ok || want != "") {
			t.Errorf("%q is %q", in, got)
		}
	}
}

func TestCompletionPhrases(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"the forced-output headline workload", []string{`completion_mode=forced "forced-output headline workload"`}},
		{"sums over a forced sustained-output C8/C16 workload", []string{`completion_mode=forced "forced sustained-output C8/C16 workload"`}},
		{"a natural-completion screen beside a forced-length workload", []string{`completion_mode=natural "natural-completion screen"`, `completion_mode=forced "forced-length workload"`}},
		{"this is not a forced-output workload", nil},
		{"the forced move of the workload", nil},
		{"natural gas", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, lines(tt.in, CompletionPhrases(tt.in))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestCardsOf(t *testing.T) {
	tests := []struct{ in, machine, want string }{
		{"TP=1, one copy per card", "4", "1"}, {"TP=2 with both cards", "2", "2"}, {"TP=2 with both cards", "4", ""},
		{"TP=4 takes all cards", "4", "4"}, {"TP=2 on two cards", "", "2"}, {"cards", "", ""}, {"nothing", "2", ""},
	}
	for _, tt := range tests {
		if got, _, ok := CardsOf(tt.in, tt.machine); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%q on %q cards: %q, %v", tt.in, tt.machine, got, ok)
		}
	}
}
