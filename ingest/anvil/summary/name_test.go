package summary

import (
	"testing"

	"assay/store/evidence"
)

// TestNames: spellings of one kind mean one thing, also those that no document has yet.
func TestNames(t *testing.T) {
	tests := []struct {
		key    string
		metric evidence.MetricID
		stat   evidence.Stat
		unit   string
	}{
		{"ttft_p50_ms", evidence.TTFT, evidence.P50, "ms"},
		{"ttft_s", evidence.TTFT, "", "s"},
		{"median_ttft_seconds", evidence.TTFT, evidence.P50, "s"},
		{"ttft_p50_run_mean_ms", evidence.TTFT, evidence.P50, "ms"},
		{"largest_ttft_ms", evidence.TTFT, evidence.Single, "ms"},
		{"time_to_first_token_p95_seconds", evidence.TTFT, evidence.P95, "s"},
		{"decode_tok_s_p50", evidence.DecodeRate, evidence.P50, "tok/s"},
		{"decode_p50_tok_s", evidence.DecodeRate, evidence.P50, "tok/s"},
		{"decode_tps", evidence.DecodeRate, "", "tok/s"},
		{"decode_tokens_per_second", evidence.DecodeRate, "", "tok/s"},
		{"4k_c1_decode_p50_tps", evidence.DecodeRate, evidence.P50, "tok/s"},
		{"effective_prefill_tok_s_p50", evidence.EffectivePrefillRate, evidence.P50, "tok/s"},
		{"prefill_tps", evidence.EffectivePrefillRate, "", "tok/s"},
		{"prompt_tps", evidence.EffectivePrefillRate, "", "tok/s"},
		{"e2e_p50_ms", evidence.E2E, evidence.P50, "ms"},
		{"end_to_end_ms", evidence.E2E, "", "ms"},
		{"aggregate_output_tok_s", evidence.OutputThroughput, "", "tok/s"},
		{"aggregate_tok_s", evidence.OutputThroughput, "", "tok/s"},
		{"output_throughput_tokens_per_second", evidence.OutputThroughput, "", "tok/s"},
		{"total_throughput_tok_s", evidence.TotalThroughput, "", "tok/s"},
		{"kv_pool_tokens", evidence.KVPoolTokens, "", "tokens"},
		{"reported_gpu_kv_tokens", evidence.KVPoolTokens, "", "tokens"},
		{"startup_kv_capacity_tokens", evidence.KVPoolTokens, "", "tokens"},
		{"target_kv_pool_tokens", evidence.KVPoolTokens, "", "tokens"},
		{"observed_device_memory_mib", evidence.GPUMemoryUsed, "", "MiB"},
		{"accept_length", evidence.AcceptLength, "", "tokens"},
		{"accepted_length_range", evidence.AcceptLength, "", "tokens"},
		{"acceptance_rate_range", evidence.AcceptRate, "", "ratio"},
		{"intelligence_pass_rate", evidence.PassRate, "", "ratio"},
		{"direct_video_latency_p95_seconds", evidence.Latency, evidence.P95, "s"},
		// What does not say what it measures, or says two things, is never comparable.
		{"tok_s", evidence.HeadlineRate, "", "tok/s"},
		{"mean_tok_s", evidence.HeadlineRate, evidence.Mean, "tok/s"},
		{"generation_tokens_per_second", evidence.HeadlineRate, "", "tok/s"},
		{"aggregate_decode_tok_s", evidence.HeadlineRate, "", "tok/s"},
		{"effective_input_tokens_per_second", evidence.HeadlineRate, "", "tok/s"},
		// A name in another dimension is no figure of the metric.
		{"decode_ms", bareTime, "", "ms"},
		{"weight_memory_gib", "", "", "GiB"},
		{"max_prompt_tokens", "", evidence.Max, "tokens"},
	}
	for _, tt := range tests {
		n := readName(tt.key)
		if n.metric != tt.metric || n.stat != tt.stat || n.unit != tt.unit {
			t.Errorf("%s: %s %q in %q, want %s %q in %q", tt.key, n.metric, n.stat, n.unit, tt.metric, tt.stat, tt.unit)
		}
	}
}

func TestAggregations(t *testing.T) {
	for key, want := range map[string]string{
		"ttft_p50_run_mean_ms": meanOfMedians, "mean_of_run_p50_decode_tok_s": meanOfMedians, "median_of_run_medians_e2e_ms": medianOfMedians, "ttft_p50_ms": "",
	} {
		if n := readName(key); n.agg != want {
			t.Errorf("%s: %q, want %q", key, n.agg, want)
		}
	}
	for text, want := range map[string]string{
		"mean of run medians over four runs": meanOfMedians, "values are means of each run median": meanOfMedians, "medians of ten requests": "", "": "",
	} {
		if got := aggregationOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestForeign: a target, a threshold or an upstream figure is no measurement.
func TestForeign(t *testing.T) {
	for _, key := range []string{"target_decode_tok_s", "required_ttft_ms", "upstream_decode_tok_s_p50", "expected_e2e_ms", "minimum_allowed_decode_tps"} {
		if !readName(key).foreign {
			t.Errorf("%s is taken for a figure", key)
		}
	}
	for _, key := range []string{"target_kv_pool_tokens", "decode_tok_s_p50", "startup_vram_mib"} {
		if readName(key).foreign {
			t.Errorf("%s is taken for a target", key)
		}
	}
}

func TestSigns(t *testing.T) {
	tests := []struct {
		key    string
		metric evidence.MetricID
		want   float64
	}{
		{"decode_delta_percent", evidence.DecodeRate, 1}, {"e2e_reduction_percent", evidence.E2E, -1}, {"ttft_improvement_percent", evidence.TTFT, -1},
		{"decode_improvement_percent", evidence.DecodeRate, 1}, {"decode_regression_percent", evidence.DecodeRate, -1}, {"e2e_regression_percent", evidence.E2E, 1},
	}
	for _, tt := range tests {
		n := readName(tt.key)
		p := pending{key: tt.key, metric: n.metric, sign: n.change}
		if n.metric != tt.metric || p.signOf() != tt.want {
			t.Errorf("%s: %s %v", tt.key, n.metric, p.signOf())
		}
	}
}
