package bakeoff

import (
	"strings"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Goldens(t, reader) }

// optional are members that not every writer, or not every answer, has.
var optional = map[string]bool{
	"engine": true, "gpu": true, "chars_per_token": true, "output_token_source": true, "prompt_tokens": true, "content_chunks": true,
	"reasoning_chunks": true, "time_to_first_output_ms": true, "visible_generation_ms": true, "error": true, "prompt_id": true, "eval_id": true,
	"validator": true, "text_checks": true, "reasoning_excerpt": true, "reasoning_field": true, "reasoning_chars": true, "content_excerpt": true,
	"reasoning_tokens": true, "legacy_max_tokens_as_visible": true, "expected": true, "expected_function": true, "arguments": true,
	"expected_arguments": true, "tool_call_count": true, "valid_tool_call_count": true, "validation_errors": true, "total_tokens": true,
	"prompt_tokens_details": true, "target_tokens": true, "pass_rate": true, "failure_classes": true, "prompt_token_samples": true,
	"ttft_samples": true, "minimum_comparable_repetitions": true, "zip": true, "generation_ms": true, "decode_tok_s": true,
	"effective_prefill_tok_s": true, "mean_inter_token_latency_ms": true,
}

// unweighed are numbers that nothing in the file contradicts, or whose change shows as
// the figure itself.
var unweighed = map[string]bool{
	"reasoning_chars": true, "tool_call_count": true, "valid_tool_call_count": true, "context_targets": true, "cap_tokens": true,
	"minimum_comparable_repetitions": true, "estimated_prompt_tokens": true, "latency_ms": true, "target_tokens": true,
}

func TestMutations(t *testing.T) {
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		if strings.HasPrefix(string(p), "/selection/context_targets/") {
			last = "context_targets"
		}
		switch m {
		case "drop":
			return optional[last]
		case "times-1000", "by-1000":
			return unweighed[last] || strings.HasPrefix(string(p), "/failures/")
		case "rename":
			return last == "zip"
		case "retype":
			return last == "zip" || last == "enable_thinking" && strings.Contains(string(p), "control_requested")
		}
		return false
	})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

func TestLabels(t *testing.T) {
	v := lifttest.Fixtures(t)["protocol-3"]
	for _, label := range []string{"anvil-serving.fast-tier-bakeoff/v2", "anvil-serving/fast-tier-bakeoff/v1", ""} {
		if _, ok := reader.Match(label, v); ok {
			t.Errorf("label %q was taken", label)
		}
	}
	v.Get("evaluation_protocol").Get("version").Text = "4"
	if _, ok := reader.Match(Label, v); ok {
		t.Error("a protocol that nobody knows was taken")
	}
}

// TestTraps: what the four traps of this writer must become.
func TestTraps(t *testing.T) {
	docs := map[string]evidence.Document{}
	for name, v := range lifttest.Fixtures(t) {
		docs[name] = lifttest.Read(t, reader, v)
	}
	for _, x := range []struct {
		doc, code string
		at        evidence.Pointer
	}{
		{"protocol-1", lift.CodeNoVisible, "/context/targets/1/ttft_ms"}, {"protocol-1", lift.CodeNoVisible, "/timing/chat/ttft_p50_ms"},
		{"protocol-1", lift.CodeNoVisible, "/score_inputs/usable_context_tokens"}, {"protocol-1", lift.CodeChunks, "/context/targets/0/output_tokens"},
		{"protocol-1", lift.CodeNotRun, "/score_inputs/session_recall_passed"}, {"protocol-2", lift.CodeFalseZero, "/timing/chat"},
	} {
		if d := docs[x.doc]; !lifttest.Has(&d, x.code, x.at) {
			t.Errorf("%s: no finding %s at %s", x.doc, x.code, x.at)
		}
	}
	for name, d := range docs {
		for i := range d.Arms[0].Runs {
			r := &lift.Run{Run: d.Arms[0].Runs[i]}
			for _, m := range r.Measurements {
				if m.Value.OK && m.Value.V == 0 && m.Metric != evidence.PassRate {
					t.Errorf("%s: a zero figure at %s", name, m.Place.Pointer)
				}
			}
		}
	}
	long := runOf(t, docs["protocol-3"], "/suites/long-generation-768")
	if m := long.Primary(evidence.E2E, evidence.P50); m == nil || m.Value.V != 9.20075 || m.Place.Pointer != "/suites/long-generation-768/checks/0/attempts/2/latency_ms" {
		t.Errorf("the median attempt is %+v", m)
	}
	if m := long.Primary(evidence.PassRate, evidence.Total); m == nil || !m.Value.OK || m.Value.V != 0 || m.N.V != 3 {
		t.Errorf("the pass rate is %+v", m)
	}
	row := runOf(t, docs["protocol-1"], "/context/targets/1")
	if m := row.Primary(evidence.TTFT, evidence.Single); m == nil || m.Value.OK || m.State != evidence.Absent || m.Rule != lift.RuleNoVisible {
		t.Errorf("the TTFT of a silent request is %+v", m)
	}
}

func runOf(t *testing.T, d evidence.Document, at evidence.Pointer) *lift.Run {
	t.Helper()
	for i := range d.Arms[0].Runs {
		if r := &d.Arms[0].Runs[i]; r.Place.Pointer == at {
			return &lift.Run{Run: *r}
		}
	}
	t.Fatalf("no run at %s", at)
	return nil
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "protocol-3", "/context/targets", "/suites", "/suites/long-generation-768/checks", "/suites/long-generation-768/checks/0/attempts", "/failures")
}
