package main

import (
	"context"
	"path/filepath"
	"testing"

	"assay/ingest"
	"assay/store"
	"assay/store/compare"
	"assay/store/evidence"
)

// TestTraps: the traps that lie in the example evidence come out right.
func TestTraps(t *testing.T) {
	ctx := context.Background()
	a, err := store.Open(ctx, filepath.Join(t.TempDir(), "traps.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	root := filepath.Join("..", "..", "assets", "example")
	if _, err := ingest.Take(ctx, a, []ingest.Source{ingest.Path(root)}, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	table, narrative, matrix := "decision-table.json", "decision-narrative.json", "tp-mtp-matrix.json"
	for _, c := range []struct {
		name        string
		left, right string
		q           compare.Question
		want        compare.Verdict
		rules       []string
	}{
		{"forced against natural completion", table + "#/headline_results/0", table + "#/optimization_results/chunked_prefill_aggregate_tok_s_at_k12/1024",
			compare.Question{Metric: evidence.OutputThroughput, Stat: evidence.Total}, compare.Blocked, []string{"W-COMPLETION-DIST", "W-REQ"}},
		{"whichever of the screens is meant", table + "#/headline_results/0", table + "#/optimization_results/chunked_prefill_aggregate_tok_s_at_k12",
			compare.Question{Metric: evidence.OutputThroughput, Stat: evidence.Total}, compare.Blocked, []string{"W-COMPLETION-DIST", "W-REQ", "M-DEFINED"}},
		{"two replicas are an interval", table + "#/headline_results/0", table + "#/headline_results/1",
			compare.Question{Metric: evidence.OutputThroughput, Stat: evidence.Total}, compare.Caution, []string{"M-BOUND", "W-REPLICA"}},
		{"an arm that was rejected is shown", table + "#/headline_results/0", table + "#/headline_results/2",
			compare.Question{Metric: evidence.OutputThroughput, Stat: evidence.Total}, compare.Caution, []string{"C-CORRECTNESS"}},
		{"and never wins", table + "#/headline_results/0", table + "#/headline_results/2",
			compare.Question{Metric: evidence.OutputThroughput, Stat: evidence.Total, Rank: true}, compare.Blocked, []string{"C-CORRECTNESS"}},
		{"one request is never ranked", matrix + "#/results/4/long", matrix + "#/results/6/long",
			compare.Question{Metric: evidence.TTFT, Rank: true}, compare.Blocked, []string{"M-SINGLE"}},
		{"first against repeat", narrative + "#/measurement/statistics/1", narrative + "#/measurement/statistics/4",
			compare.Question{Metric: evidence.E2E, Stat: evidence.P50}, compare.Blocked, []string{"W-WARM"}},
		{"across two documents", table + "#/headline_results/0", narrative + "#/measurement/statistics/2",
			compare.Question{Metric: evidence.DecodeRate, Stat: evidence.P50}, compare.Blocked, []string{"P-GPU", "W-CONC", "W-REQ", "W-CAP"}},
	} {
		pairs, err := comparison(ctx, a, []string{filepath.Join(root, c.left), filepath.Join(root, c.right)}, c.q)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := pairs[0]
		said := map[string]bool{}
		for _, r := range p.All() {
			said[r.Rule] = true
		}
		for _, id := range c.rules {
			if !said[id] {
				t.Errorf("%s does not say %s: %v", c.name, id, said)
			}
		}
		if p.Verdict != c.want {
			t.Errorf("%s is %s, want %s: %v", c.name, p.Verdict, c.want, stops(&p.Judgement))
		}
		if !p.Verdict.Shows() && (p.Left.Value.OK || p.Right.Value.OK || p.Change.OK || p.Low.OK) {
			t.Errorf("%s shows a number", c.name)
		}
		if p.Better != "" && (said["C-CORRECTNESS"] || said["M-SINGLE"] || said["W-REPLICA"]) {
			t.Errorf("%s names a winner", c.name)
		}
	}
}
