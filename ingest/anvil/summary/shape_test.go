package summary

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// said is what a document gives, one line a figure or fact, for tests to look up.
func said(d evidence.Document) (figures, facts []string) {
	fact := func(of string, list []evidence.Fact) {
		for _, f := range list {
			facts = append(facts, strings.TrimSpace(fmt.Sprintf("%s %s=%s", of, f.Key, f.Value)))
		}
	}
	fact("", d.Facts)
	for _, a := range d.Arms {
		fact(a.Name, a.Facts)
		for _, r := range a.Runs {
			fact(a.Name+"/"+r.Name, r.Facts)
			for _, m := range r.Measurements {
				n, v := "?", "none"
				if m.N.OK {
					n = fmt.Sprint(m.N.V)
				}
				if m.Value.OK {
					v = evidence.FormatDecimal(m.Value.V)
				}
				figures = append(figures, fmt.Sprintf("%s %s %s %s n=%s %s", m.Place.Pointer, m.Metric, m.Stat, v, n, m.State))
			}
		}
	}
	return figures, facts
}

// TestWhoseAndWhat: what a figure is of follows from the row that it stands in, and from
// nothing further away that speaks of something else.
func TestWhoseAndWhat(t *testing.T) {
	for _, c := range []struct {
		name, doc    string
		want, absent []string
	}{
		{
			name: "a role is shared, a candidate is not",
			doc: `{"schema_version": "fast-tier-llm-bakeoff-evidence/v1", "task_id": "T", "generated_at": "2026-07-13", "recommendation": "keep", "required_candidates": [
				{"candidate": "alpha", "role": "challenger", "status": "measured", "ttft_p50_ms": 80.0},
				{"candidate": "beta", "role": "challenger", "status": "measured", "ttft_p50_ms": 90.0}]}`,
			want: []string{"alpha challenger candidate_id=alpha", "beta challenger candidate_id=beta"},
		},
		{
			name: "zeros of what was not run are absent",
			doc: `{"schema_version": "fast-tier-llm-bakeoff-evidence/v1", "task_id": "T", "generated_at": "2026-07-13", "recommendation": "keep", "required_candidates": [
				{"candidate": "alpha", "status": "not_run", "ttft_p50_ms": 0.0, "intelligence_pass_rate": 0.0}]}`,
			want: []string{"/required_candidates/0/ttft_p50_ms ttft p50 none n=? absent", "/required_candidates/0/intelligence_pass_rate pass_rate total none n=? absent"},
		},
		{
			name: "the context of a loaded row is its target",
			doc: `{"schema": "anvil-serving.deepseek-infernal-r15-qualification/v1", "observed_date": "2026-08-02", "model": {"repository": "x/y"},
				"local_configuration": {"context_tokens": 262144}, "capacity": [{"label": "first", "context_tokens": 4096, "concurrency": 1, "samples": 12, "median_ttft_ms": 345.6}]}`,
			want:   []string{"served_context=262144", "first/row 0 context_target=4096"},
			absent: []string{"first served_context=4096"},
		},
		{
			name: "latencies are of the requests that completed",
			doc: `{"schema_version": "anvil-serving-benchmark-publication/v1", "observed_at": "2026-08-11", "run_id": "a", "model": {"id": "x/y"}, "topology": {},
				"result": {"attempted": 198, "completed": 197, "passed": 161, "pass_rate": 0.8131, "mean_latency_seconds": 41.2}}`,
			want: []string{"/result/pass_rate pass_rate total 0.8131 n=198 recorded", "/result/mean_latency_seconds latency mean 41.2 n=197 recorded"},
		},
		{
			name: "counters of drafted tokens are no draft depth, and the longest prompt is not the protocol's",
			doc: `{"schema": "anvil-serving.qwen38-mtp-depth-qualification-summary/v1", "observed_date": "2026-08-14", "decision": "d", "identity": {"checkpoint": "x/y"}, "common_recipe": {"max_num_seqs": 1},
				"protocol": {"context_tokens": 4096, "requests_per_run": 10, "concurrency": 1},
				"depths": [{"mtp": 2, "ttft_p50_ms": 552.0, "accepted_tokens": 2000, "draft_tokens": 2600}],
				"largest_context": {"mtp2": {"prompt_tokens": 388979, "ttft_s": 258.1}}}`,
			want:   []string{"/largest_context/mtp2/ttft_s ttft single 258.1 n=? recorded", "/depths/0/ttft_p50_ms ttft p50 0.552 n=10 recorded", "MTP2/mtp2 prompt_tokens=388979"},
			absent: []string{"MTP2 draft_depth=2600", "MTP2/mtp2 context_target=4096", "MTP2/mtp2 requests=10"},
		},
		{
			name: "rows of one role with models of their own",
			doc: `{"schema": "anvil-serving.bakeoff-recommendations/v1", "recorded_at": "2026-07-10", "recommendations": [
				{"role": "fast", "best_measured_candidate": "a/one", "highlights": "decode 120 tok/s"}, {"role": "fast", "best_measured_candidate": "b/two", "highlights": "decode 90 tok/s"}]}`,
			want: []string{"fast a/one model=a/one", "fast b/two model=b/two"},
		},
		{
			name: "numbers as names are loads, and contexts may be written as people say them",
			doc: `{"schema": "anvil-serving.qualification-summary/v1", "captured_at": "2026-08-14", "decision": "d", "model": {"served_name": "y"}, "runtime": {}, "configuration": {},
				"concurrency_sweep": {"4": {"ttft_p50_ms": 900}}, "context_sweep": [{"context": "32K", "ttft_s": 3.1}], "checks": {"direct_corpus": "28/30 passed"}}`,
			want:   []string{"y/4 concurrency=4", "y/row 0 context_target=32768", "/checks/direct_corpus pass_rate total 0.9333333333333333 n=30 derived"},
			absent: []string{"4 candidate_id=4"},
		},
		{
			name: "a statistic is not shared between parts",
			doc: `{"schema_version": "fast-tier-llm-bakeoff-evidence/v1", "task_id": "T", "generated_at": "2026-07-13", "recommendation": "keep", "required_candidates": [
				{"candidate": "alpha", "status": "measured", "voice_total_ms": 812.1, "ttft_p50_ms": 88.1}]}`,
			want: []string{"/required_candidates/0/voice_total_ms latency single 0.8121 n=? recorded"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := jsondoc.Parse([]byte(c.doc), jsondoc.Limits{}).Root()
			var d evidence.Document
			for _, r := range Readers() {
				if shape, ok := r.Match(r.label, v); ok && (v.Get("schema").Str() == r.label || v.Get("schema_version").Str() == r.label) {
					d = r.Read(v, "", shape)
				}
			}
			figures, facts := said(d)
			for _, w := range c.want {
				if !slices.Contains(figures, w) && !slices.Contains(facts, w) {
					t.Errorf("missing %q in\n%s\n%s", w, strings.Join(figures, "\n"), strings.Join(facts, "\n"))
				}
			}
			for _, w := range c.absent {
				if slices.Contains(figures, w) || slices.Contains(facts, w) {
					t.Errorf("%q is told", w)
				}
			}
		})
	}
}
