package paired

import (
	"slices"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// TestProfiles: a load that was not run gives no figure, and a multiple finds its arm
// where the name leaves the version away.
func TestProfiles(t *testing.T) {
	const doc = `{"schema": "agents-a1-qwen-head-to-head-comparison/v1", "observed_date": "2026-07-29", "comparison_boundary": {"matched": [], "not_matched": []},
		"profiles": {
			"agents_fp8": {"kv_tokens": 800000, "capacity_8k_c1": {"decode_p50_tok_s": 140.0, "effective_prefill_p50_tok_s": 7000}, "capacity_240k_c1": {"ttft_ms": 91000}, "chat": {"latency_p50_ms": 2100}},
			"qwen35_nvfp4": {"kv_tokens": 400000, "capacity_8k_c1": {"decode_p50_tok_s": 100.0, "effective_prefill_p50_tok_s": 9100}, "capacity_240k_c1": {"status": "not_run", "ttft_ms": 0.0}}},
		"derived_comparison": {"agents_kv_capacity_multiple": 2.0, "agents_8k_decode_multiple": 1.4, "qwen_8k_effective_prefill_multiple": 1.3}}`
	v := jsondoc.Parse([]byte(doc), jsondoc.Limits{}).Root()
	shape, ok := reader.Match(v.Get("schema").Str(), v)
	if !ok {
		t.Fatal("not taken")
	}
	var got []string
	for _, a := range reader.Read(v, "", shape).Arms {
		for _, r := range a.Runs {
			for _, m := range r.Measurements {
				line := string(m.Place.Pointer) + " " + string(m.Metric) + " " + string(m.State)
				if m.Role == evidence.Claim {
					line += " " + a.Name + " " + m.Rule
				} else if strings.Contains(string(m.Place.Pointer), "/capacity_240k_c1/") {
					line += " " + string(r.Status)
				}
				got = append(got, line)
			}
		}
	}
	for _, want := range []string{
		"/profiles/agents_fp8/capacity_240k_c1/ttft_ms ttft recorded measured",
		"/profiles/qwen35_nvfp4/capacity_240k_c1/ttft_ms ttft absent not-run",
		"/profiles/agents_fp8/chat/latency_p50_ms latency recorded",
		"/derived_comparison/agents_kv_capacity_multiple claimed_change recorded agents_fp8 ratio(kv_pool_tokens total)",
		"/derived_comparison/agents_8k_decode_multiple claimed_change recorded agents_fp8 ratio(decode_rate p50)",
		"/derived_comparison/qwen_8k_effective_prefill_multiple claimed_change recorded qwen35_nvfp4 ratio(effective_prefill_rate p50)",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
}
