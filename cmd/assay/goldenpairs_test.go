package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/store/compare"
	"assay/store/evidence"
)

// capacityQuestions are the figures that runs of a load are asked for.
var capacityQuestions = []compare.Question{
	{Metric: evidence.OutputThroughput, Stat: evidence.Total},
	{Metric: evidence.OutputChunkThroughput, Stat: evidence.Total},
	{Metric: evidence.TTFT, Stat: evidence.P50},
	{Metric: evidence.E2E, Stat: evidence.P50},
	{Metric: evidence.DecodeRate, Stat: evidence.P50},
}

// TestAllCapacityPairs judges every pair of capacity runs: some compare, and none whose
// outputs differ much in length is plain ok for throughput.
func TestAllCapacityPairs(t *testing.T) {
	shared := sharedCorpus(t)
	if testing.Short() {
		t.Skip("takes in hundreds of files")
	}
	archive := goldenArchive(t, shared)
	runs, err := archive.Runs(context.Background(), evidence.Filter{Family: "F1"})
	if err != nil {
		t.Fatal(err)
	}
	open := 0
	for _, q := range capacityQuestions {
		var carry []evidence.RunRow
		for _, r := range runs {
			if _, ok := r.Primary(q.Metric, q.Stat); ok {
				carry = append(carry, r)
			}
		}
		panel := compare.NewPanel(carry, q)
		verdicts, rules := map[compare.Verdict]int{}, map[string]int{}
		for i := range carry {
			for j := i + 1; j < len(carry); j++ {
				v := panel.Verdict(i, j)
				verdicts[v]++
				panel.Spoke(func(r *compare.Rule, v compare.Verdict) { rules[string(v)+" "+r.ID]++ })
				if v.Shows() {
					open++
				}
				a, _, okA := compare.MeanOutput(&carry[i])
				b, _, okB := compare.MeanOutput(&carry[j])
				if v == compare.OK && okA && okB && max(a, b)-min(a, b) > 0.1*max(a, b) && strings.Contains(string(q.Metric), "throughput") {
					t.Errorf("%s and %s are ok for %s with %.1f and %.1f output tokens", carry[i].ID, carry[j].ID, q.Metric, a, b)
				}
			}
		}
		t.Logf("%s %s over %d runs: %v%s", q.Metric, q.Stat, len(carry), verdicts, table(rules))
	}
	if open == 0 {
		t.Error("nothing compares: a guard that refuses everything is switched off")
	}
}

func table(rules map[string]int) string {
	var b strings.Builder
	for _, id := range slices.SortedFunc(maps.Keys(rules), func(x, y string) int {
		return cmp.Or(cmp.Compare(rules[y], rules[x]), cmp.Compare(x, y))
	}) {
		fmt.Fprintf(&b, "\n    %6d %s", rules[id], id)
	}
	return b.String()
}
