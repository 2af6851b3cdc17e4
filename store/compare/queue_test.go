package compare

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// queueRuns are runs of one shape. Those of campaign a know the card, those of b do not,
// c has a contradiction about it, d knows neither card nor thinking.
func queueRuns() []evidence.RunRow {
	var runs []evidence.RunRow
	fact := func(k evidence.FactKey, v string) evidence.FactRow {
		return evidence.FactRow{Fact: evidence.Fact{Key: k, Value: v, State: evidence.Recorded}}
	}
	for c, n := range map[string]int{"a": 3, "b": 4, "c": 2, "d": 2} {
		for i := range n {
			d := evidence.DigestOf(fmt.Append(nil, c, i/2))
			r := evidence.RunRow{
				Source: evidence.Source{Artifact: d}, ID: evidence.RunID(d, i%2), Campaign: c, Arm: "arm", Class: evidence.ClassShort,
				Status: evidence.Measured, Family: "lab", Place: evidence.At(evidence.Pointer(fmt.Sprint("/runs/", i%2))),
				Facts: []evidence.FactRow{
					fact(evidence.KeyConcurrency, "1"), fact(evidence.KeyRequests, "100"), fact(evidence.KeyContextTarget, "4096"),
					fact(evidence.KeyPromptTokens, fmt.Sprint(4000+i)), fact(evidence.KeyOutputCap, "512"), fact(evidence.KeyThinking, "disabled"),
					fact(evidence.KeyPromptBurst, "false"), fact(evidence.KeyProtocol, "v4"), fact(evidence.KeyTimingBoundary, "first output"),
					fact(evidence.KeyGPUProduct, "RTX 5090"), fact(evidence.KeyPath, "direct"), fact(evidence.KeyScope, "local"),
					fact(evidence.KeyCacheState, "cold"), fact(evidence.KeyMeanOutput, "200"), fact(evidence.KeyCompleted, "100"),
					fact(evidence.KeyWarmState, "repeat"), fact(evidence.KeyAggregation, "run"), fact(evidence.KeyCompletionMode, "natural"),
				},
				Measurements: []evidence.MeasurementRow{{Measurement: evidence.Measurement{
					Metric: evidence.TPOT, Stat: evidence.P50, Method: evidence.NearestRank, Value: evidence.Some(0.01), N: evidence.Some(int64(100)),
					Unit: evidence.Seconds, State: evidence.Recorded, Role: evidence.Primary,
				}}},
			}
			switch c {
			case "b":
				drop(&r, evidence.KeyGPUProduct)
			case "c":
				f, _ := r.Fact(evidence.KeyGPUProduct)
				f.State = evidence.Conflict
				drop(&r, evidence.KeyGPUProduct)
				r.Facts = append(r.Facts, f)
			case "d":
				drop(&r, evidence.KeyGPUProduct)
				drop(&r, evidence.KeyThinking)
			}
			runs = append(runs, r)
		}
	}
	return runs
}

func drop(r *evidence.RunRow, k evidence.FactKey) {
	for i := range r.Facts {
		if r.Facts[i].Key == k {
			r.Facts = append(r.Facts[:i:i], r.Facts[i+1:]...)
			return
		}
	}
}

// everyPair counts without groups what waits for one key: pairs by key, state and
// campaign of a side that lacks it.
func everyPair(runs []evidence.RunRow, q Question) map[string]int64 {
	found := map[string]int64{}
	for i := range runs {
		for j := i + 1; j < len(runs); j++ {
			if runs[i].Class != runs[j].Class {
				continue
			}
			judged := Judge(&runs[i], &runs[j], q)
			keys := map[evidence.FactKey]Reason{}
			for _, r := range judged.Reasons {
				if r.Verdict == Unknown {
					keys[r.Key] = r
				}
			}
			if judged.Verdict != Unknown || len(keys) != 1 {
				continue
			}
			for k, r := range keys {
				sides := map[string]bool{}
				if s := missingOn(r.Left); s != "" {
					sides[fmt.Sprint(k, s, runs[i].Campaign)] = true
				}
				if s := missingOn(r.Right); s != "" {
					sides[fmt.Sprint(k, s, runs[j].Campaign)] = true
				}
				for s := range sides {
					found[s]++
				}
			}
		}
	}
	return found
}

func TestQueueCountsEveryPair(t *testing.T) {
	runs := queueRuns()
	want := everyPair(runs, Question{Metric: evidence.TPOT, Stat: evidence.P50})
	if len(want) == 0 {
		t.Fatal("no pair waits for one key: the runs do not test anything")
	}
	got := map[string]int64{}
	last := int64(1 << 62)
	for _, x := range Queue(runs, QueueBounds{}) {
		scope, err := evidence.ParseScope(x.Targets[0])
		if err != nil || scope.Campaign == "" {
			t.Errorf("target %q, %v: nothing of its campaign knows the fact", x.Targets, err)
		}
		got[fmt.Sprint(x.Key, x.State, scope.Campaign)] = x.Pairs
		if x.Pairs > last {
			t.Errorf("%d pairs stand below %d", x.Pairs, last)
		}
		if last = x.Pairs; x.Remedy == "" || x.Example == "" {
			t.Errorf("%+v", x)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pairs (-one by one +in groups):\n%s", diff)
	}
}

// TestQueueTargets: where only some of a campaign lack a fact, the item names them.
func TestQueueTargets(t *testing.T) {
	runs := queueRuns()
	var part []evidence.RunRow
	for _, r := range runs {
		if r.Campaign == "a" || r.Campaign == "b" {
			r.Campaign = "one"
			part = append(part, r)
		}
	}
	items := Queue(part, QueueBounds{})
	if len(items) != 1 || len(items[0].Targets) != 2 || items[0].Runs != 4 {
		t.Fatalf("%+v", items)
	}
	for _, target := range items[0].Targets {
		if s, err := evidence.ParseScope(target); err != nil || s.Campaign != "" || s.Place.OK {
			t.Errorf("%s, %v: want the artifacts as a whole", target, err)
		}
	}
}

// TestQueueIsBounded: more groups than are judged are said to be left out.
func TestQueueIsBounded(t *testing.T) {
	q := NewBacklog(QueueBounds{Groups: 2})
	runs := queueRuns()
	for i := range runs {
		q.Add(&runs[i])
	}
	if q.Items(); q.Bounded() == "" {
		t.Error("four kinds of runs fit into two groups")
	}
}

func BenchmarkQueue(b *testing.B) {
	var runs []evidence.RunRow
	for i := range 400 {
		for _, r := range queueRuns() {
			r.Facts = append(r.Facts[:len(r.Facts):len(r.Facts)], evidence.FactRow{Fact: evidence.Fact{Key: evidence.KeyPromptSeed, Value: fmt.Sprint(i), State: evidence.Recorded}})
			runs = append(runs, r)
		}
	}
	b.ReportMetric(float64(len(runs)), "runs")
	for b.Loop() {
		Queue(runs, QueueBounds{})
	}
}
