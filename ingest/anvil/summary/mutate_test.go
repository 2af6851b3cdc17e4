package summary

import (
	"strings"
	"testing"

	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// TestMutations: every change shows in a finding, a fact, a gate, a sentence, a decision, a
// reference or another figure. A figure that nothing stands beside may be any figure, so
// that rescaling one by a thousand goes by where no range and no other figure refuses it.
func TestMutations(t *testing.T) {
	lifttest.Mutate(t, anyReader{}, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		if m == "rename" {
			return lastOf(p) == "packet" // any text that is the name of a file is a reference
		}
		if m != "times-1000" && m != "by-1000" {
			return false
		}
		alone := strings.HasPrefix(string(p), "/results/") || strings.HasPrefix(string(p), "/required_candidates/")
		return lone[lastOf(p)] || alone && strings.HasSuffix(string(p), "_p50_ms") || strings.Contains(string(p), "_percent") ||
			strings.Contains(string(p), "effective_input_tokens_per_second")
	})
}

func lastOf(p evidence.Pointer) string {
	tokens := p.Tokens()
	return tokens[len(tokens)-1]
}

// lone are the members whose figure stands alone.
var lone = map[string]bool{
	"exit_code": true, "completion_tokens": true, "seconds": true, "median_seconds": true, "general_image_seconds": true, "mean_elapsed_s": true,
	"median_elapsed_seconds": true, "voice_total_ms": true, "llm_stage_ms": true, "intelligence_pass_rate": true, "target_kv_pool_tokens": true,
	"largest_ttft_ms": true,
}
