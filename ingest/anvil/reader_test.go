package anvil

import (
	"fmt"
	"strings"
	"testing"

	"assay/store/evidence"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		label, doc, reader, shape string
	}{
		{decisionLabel, `{"headline_results": [{}]}`, "anvil/decision-summary", "table"},
		{decisionLabel, `{"headline_results": ["a", {}]}`, "anvil/decision-summary", "table"},
		{decisionLabel, `{"optimization_results": {}}`, "anvil/decision-summary", "table"},
		{decisionLabel, `{"workload": {}, "headline_results": ["a"]}`, "anvil/decision-summary", "narrative"},
		{decisionLabel, `{"workload": {}}`, "anvil/decision-summary", "narrative"},
		{decisionLabel, `{"measurement": {"statistics": ["MTP1: TTFT p50 5 ms"]}, "headline_results": ["a"]}`, "anvil/decision-summary", "narrative"},
		{matrixLabel, `{"results": [{}]}`, "anvil/tp-mtp-context-matrix", "rows"},
		// The label without one of its shapes.
		{decisionLabel, `{}`, "", ""}, {decisionLabel, `[]`, "", ""}, {decisionLabel, `7`, "", ""},
		{decisionLabel, `{"headline_results": [1, 2], "workload": {}}`, "", ""},
		{decisionLabel, `{"measurement": {"statistics": ["p50"]}}`, "", ""},
		{matrixLabel, `{"results": []}`, "", ""}, {matrixLabel, `{"results": {}}`, "", ""}, {matrixLabel, `[]`, "", ""},
		// Labels are never normalised.
		{"anvil-serving/benchmark-decision-summary/v1", `{"headline_results": [{}]}`, "", ""},
		{"anvil-serving.benchmark-decision-summary/v2", `{"headline_results": [{}]}`, "", ""},
		{"Anvil-serving.benchmark-decision-summary/v1", `{"headline_results": [{}]}`, "", ""},
		{decisionLabel + " ", `{"headline_results": [{}]}`, "", ""}, {"", `{"results": [{}]}`, "", ""},
	}
	for _, tt := range tests {
		n := parse(t, []byte(tt.doc))
		reader, shape := "", ""
		for _, r := range Readers() {
			s, ok := r.Match(tt.label, n)
			if ok {
				reader, shape = r.ID(), s
			}
			if known := tt.label == r.label; known && ok == (r.Reason(tt.label, n) != "") || !known && (ok || r.Reason(tt.label, n) != "") {
				t.Errorf("%s as %q: taken %v, reason %q", tt.doc, tt.label, ok, r.Reason(tt.label, n))
			}
		}
		if reader != tt.reader || shape != tt.shape {
			t.Errorf("%s as %q goes to %q as %q, want %q as %q", tt.doc, tt.label, reader, shape, tt.reader, tt.shape)
		}
	}
}

// TestWrongShape reads a value as a shape that it has not: a finding, no panic.
func TestWrongShape(t *testing.T) {
	for _, doc := range []string{`{}`, `[]`, `7`, `null`} {
		n := parse(t, []byte(doc))
		for _, r := range Readers() {
			for _, shape := range []string{"table", "narrative", "rows", "else"} {
				d := r.Read(n, "", shape)
				if len(d.Findings) == 0 {
					t.Errorf("%s of %s as %q: no finding", doc, r.ID(), shape)
				}
			}
		}
	}
}

// TestLoad reads concurrency from topology and workload sentences.
func TestLoad(t *testing.T) {
	tests := []struct {
		profile, topology, workload string
		per, total                  string
		finding                     bool
	}{
		{"X TP1", "one GPU, TP1, C8", "C8 per replica", "8", "8", false},
		{"X TP4", "four GPUs, TP4, C2", "C2 per replica", "2", "2", false},
		{"X TP1", "two GPUs, DP2, C16 aggregate", "C8 per replica", "8", "16", false},
		{"three X TP1 replicas", "three GPUs, C12 aggregate", "", "4", "12", false},
		{"X", "two GPUs, DP2, C8 per replica", "", "8", "16", false},
		{"X", "two GPUs, DP2, C8", "C8 per replica", "8", "16", false},
		{"X", "two GPUs, DP2, C16", "C8 per replica", "8", "16", false},
		{"X", "two GPUs, DP2, C5", "", "", "", true},
		{"X", "two GPUs, DP2, C7 aggregate", "", "", "7", true},
		{"X", "two GPUs, C6 aggregate", "", "", "6", true},
		{"X TP1", "one GPU, TP1", "C3 per replica", "3", "3", false},
		{"X", "somewhere", "C3", "3", "", true},
		{"X TP1", "one GPU, TP1, C1", "C8 per replica", "1", "1", true},
		{"X TP1", "one GPU, TP2, C1", "", "1", "", true}, // TP in conflict
	}
	for _, tt := range tests {
		doc := fmt.Sprintf(`{"identity": {}, "measurement": {"headline_workload": %q}, "headline_results": [{"profile": %q, "topology": %q, "requests": 5}]}`,
			tt.workload, tt.profile, tt.topology)
		d := Readers()[0].Read(parse(t, []byte(doc)), "", "table")
		r := d.Arms[0].Runs[0]
		if per, total := valueIn(r.Facts, evidence.KeyConcurrency), valueIn(r.Facts, evidence.KeyConcurrencyAll); per != tt.per || total != tt.total {
			t.Errorf("%q, %q, %q: %q each, %q in total; want %q and %q", tt.profile, tt.topology, tt.workload, per, total, tt.per, tt.total)
		}
		if (len(d.Findings) > 0) != tt.finding && tt.workload != "" {
			t.Errorf("%q, %q, %q: findings %v", tt.profile, tt.topology, tt.workload, d.Findings)
		}
	}
}

// TestRowWins gives a row members of its own that differ from the statement of all.
func TestRowWins(t *testing.T) {
	doc := `{"identity": {}, "measurement": {"headline_workload": "100 requests, C8 per replica, 512-token cap, thinking disabled"},
		"headline_results": [{"profile": "X TP1", "topology": "one GPU, TP1", "requests": 50, "concurrency": 4, "output_cap": 64, "tp": 1}]}`
	d := Readers()[0].Read(parse(t, []byte(doc)), "", "table")
	r := d.Arms[0].Runs[0]
	for k, want := range map[evidence.FactKey]string{evidence.KeyRequests: "50", evidence.KeyConcurrency: "4", evidence.KeyConcurrencyAll: "4",
		evidence.KeyOutputCap: "64", evidence.KeyThinking: "disabled"} {
		if got := valueIn(r.Facts, k); got != want {
			t.Errorf("%s is %q, want %q", k, got, want)
		}
	}
	differ := 0
	for _, f := range d.Findings {
		if f.Code == CodeFactDiffers {
			differ++
		}
	}
	if differ != 3 {
		t.Errorf("%d differences are reported: %v", differ, d.Findings)
	}
}

func TestReadMember(t *testing.T) {
	tests := []struct {
		name, metric, stat, unit, rest string
	}{
		{"ttft_p50_ms", "ttft", "p50", "ms", ""}, {"p50_ttft_ms", "ttft", "p50", "ms", ""}, {"ms_ttft_p99", "ttft", "p99", "ms", ""},
		{"decode_tok_s_p50", "decode_rate", "p50", "tok/s", ""}, {"decode_p90_tok_s", "decode_rate", "p90", "tok/s", ""},
		{"median_ttft_seconds", "ttft", "p50", "s", ""}, {"prefill_tok_s", "effective_prefill_rate", "", "tok/s", ""},
		{"effective_prefill_tokens_per_second", "effective_prefill_rate", "", "tok/s", ""}, {"e2e_mean_s", "e2e", "mean", "s", ""},
		{"tpot_mean_itl_ms", "tpot", "", "ms", ""}, {"mean_itl_ms", "tpot", "", "ms", ""}, {"itl_p95_ms", "itl_token", "p95", "ms", ""},
		{"aggregate_tok_s", "output_throughput", "", "tok/s", ""}, {"output_tok_s", "output_throughput", "", "tok/s", ""},
		{"total_tok_s", "total_throughput", "total", "tok/s", ""}, {"request_throughput_req_s", "request_throughput", "", "requests/s", ""},
		{"kv_tokens", "kv_pool_tokens", "", "tokens", ""}, {"prompt_tokens", "prompt_tokens", "", "tokens", ""},
		{"gpu_memory_used_mib", "gpu_memory_used", "", "MiB", ""}, {"acceptance_length", "accept_length", "", "tokens", "acceptance"},
		{"spec_accepted_token_fraction", "accept_rate", "", "ratio", "spec accepted token"}, {"acceptance_rate", "accept_rate", "", "ratio", "acceptance rate"},
		{"visible_ttft_ms", "ttft", "", "ms", "visible"}, {"matched_delta_percent", "", "", "percent", "matched delta"},
		{"aggregate_tok_s_lower_bound", "output_throughput", "", "tok/s", ""}, {"zq17", "", "", "", "zq17"}, {"", "", "", "", ""},
	}
	for _, tt := range tests {
		m := readMember(tt.name)
		if rest := strings.Join(m.rest, " "); string(m.metric) != tt.metric || string(m.stat) != tt.stat || m.unit != tt.unit || rest != tt.rest {
			t.Errorf("%s: %s %s %s, left over %q", tt.name, m.metric, m.stat, m.unit, rest)
		}
	}
}
