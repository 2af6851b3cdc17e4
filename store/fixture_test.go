package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"assay/store/evidence"
)

// clock is a clock that stands still.
func clock() time.Time { return time.Date(2026, 9, 5, 12, 0, 0, 0, time.UTC) }

// openTemp opens a new archive in a temporary folder.
func openTemp(t testing.TB) *Archive {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "archive.db"))
}

func openAt(t testing.TB, path string) *Archive {
	t.Helper()
	a, err := Open(context.Background(), path, Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return a
}

func keepOne(t testing.TB, a *Archive, name, data string) evidence.Kept {
	t.Helper()
	return keepAs(t, a, evidence.Incoming{Name: name, Origin: "file", Data: []byte(data)})
}

func keepAs(t testing.TB, a *Archive, in evidence.Incoming) evidence.Kept {
	t.Helper()
	kept, err := a.Keep(context.Background(), []evidence.Incoming{in})
	if err != nil {
		t.Fatal(err)
	}
	return kept[0]
}

func commitOne(t testing.TB, a *Archive, k evidence.Kept, r *evidence.Reading) {
	t.Helper()
	if err := a.Commit(context.Background(), []evidence.Result{{Kept: k, Reading: r}}); err != nil {
		t.Fatal(err)
	}
}

// fileReading keeps bytes under a name and commits a reading of them.
func fileReading(t testing.TB, a *Archive, name, data string, r *evidence.Reading) evidence.Kept {
	t.Helper()
	k := keepOne(t, a, name, data)
	commitOne(t, a, k, r)
	return k
}

// fullReading is a reading that uses every field of every type.
func fullReading() *evidence.Reading {
	return &evidence.Reading{
		State: evidence.Accepted, Schema: "lab.summary/v1", Family: "F5", Reader: "lab/summary@2",
		Encoding: "utf-8", Values: 1, Text: "kestrel bench notes über alles",
		Findings:  []evidence.Finding{{Severity: evidence.Warning, Code: "no-final-newline", Offset: 812, Message: "the file ends without a newline"}},
		Documents: []evidence.Document{fullDocument()},
	}
}

func fullDocument() evidence.Document {
	return evidence.Document{
		Schema: "lab.summary/v1", Family: "F5", Reader: "lab/summary", ReaderVersion: 2, ShapeID: "table",
		Campaign: evidence.Campaign{ID: "2026-09-01-kestrel", Title: "Kestrel on two cards", Observed: "2026-09-01",
			Place: evidence.At("/campaign_id")},
		Facts: []evidence.Fact{
			{Key: evidence.KeyGPUProduct, Value: "Example Card 9", State: evidence.Recorded, Place: evidence.At("/hardware"), SourceText: "Example Card 9"},
			{Key: evidence.KeyConcurrency, Value: "1", State: evidence.Derived, Place: evidence.InText("/workload", 3, 4), SourceText: "1", Rule: "prose/shape"},
		},
		Arms: []evidence.Arm{fullArm(), {
			Name: "plain", Place: evidence.At("/rows/1"),
			Rejected: "emitted a broken object", RejectedPlace: evidence.InText("/rows/1/status", 0, 8),
			Runs: []evidence.Run{{Name: "long", Class: evidence.ClassLong, Status: evidence.RunFailed, Place: evidence.At("/rows/1/long")}},
		}},
		Gates: []evidence.Gate{
			{Name: "restoration", Status: evidence.GatePassed, SourceStatus: "passed", Detail: "what ran before runs again", Evidence: "restore.json", Place: evidence.At("/gates/0")},
			{Name: "isolation", Status: evidence.GateUnresolved, SourceStatus: "passed for the headline", Place: evidence.At("/gates/1")},
		},
		Notes: []evidence.Note{
			{Kind: evidence.Limitation, Text: "one machine only", Place: evidence.At("/limitations/0")},
			{Kind: evidence.Statement, Key: "workload", Text: "C1 with short prompts", Place: evidence.At("/workload")},
		},
		Decisions: []evidence.Decision{
			{Kind: evidence.DecisionLabel, Key: "decision_labels", Value: "challenger", Place: evidence.At("/decision/labels/0")},
			{Kind: evidence.DecisionLabel, Key: "decision_labels", Value: "no-promotion", Place: evidence.At("/decision/labels/1")},
			{Kind: evidence.PromotionFlag, Key: "promotion_authorized", Value: "false", Place: evidence.At("/decision/promotion_authorized")},
		},
		References: []evidence.Reference{
			{Name: "runs/first.json", Kind: "evidence", Place: evidence.At("/evidence/0")},
			{Name: "second.json", SHA256: evidence.Some(evidence.DigestOf([]byte("second"))), Kind: "evidence", Place: evidence.At("/evidence/1")},
		},
		NotLifted: []evidence.NotLifted{{Place: evidence.InText("/title", 4, 8), Text: "2026", Reason: evidence.ReasonProse}},
		Findings:  []evidence.Finding{{Severity: evidence.Info, Code: "unknown-member", Pointer: "/extra", Offset: -1, Message: "the reader does not know this member"}},
	}
}

func fullArm() evidence.Arm {
	return evidence.Arm{
		Name: "mtp3", Place: evidence.At("/rows/0"),
		Facts: []evidence.Fact{
			{Key: evidence.KeyTP, Value: "2", State: evidence.Recorded, Place: evidence.At("/rows/0/tp"), SourceText: "2"},
			{Key: evidence.KeyConcurrency, Value: "8", State: evidence.Conflict, Place: evidence.At("/rows/0/c"), SourceText: "8"},
		},
		Runs: []evidence.Run{{
			Name: "short", Class: evidence.ClassShort, Status: evidence.Measured, Place: evidence.At("/rows/0/short"),
			Facts: []evidence.Fact{{Key: evidence.KeyRequests, Value: "10", State: evidence.Recorded, Place: evidence.At("/rows/0/short/requests"), SourceText: "10"}},
			Measurements: []evidence.Measurement{
				{Metric: evidence.TTFT, Stat: evidence.P50, Method: evidence.NearestRank, Value: evidence.Some(0.8477), Unit: evidence.Seconds,
					N: evidence.Some(int64(10)), State: evidence.Recorded, Role: evidence.Primary, SourceText: "847.7", SourceUnit: "ms", Place: evidence.At("/rows/0/short/ttft_p50_ms")},
				{Metric: evidence.OutputThroughput, Stat: evidence.Total, Lower: evidence.Some(1401.7693), Upper: evidence.Some(1423.4125), Unit: evidence.TokensPerSecond,
					State: evidence.Recorded, Role: evidence.Primary, SourceText: "1401.7693 to 1423.4125", SourceUnit: "tok/s", Place: evidence.At("/rows/0/low"),
					Also: []evidence.Place{evidence.At("/rows/0/high"), evidence.InText("/rows/0/point", 2, 9)}},
				{Metric: evidence.GPUMemoryFree, Stat: evidence.Single, Value: evidence.Some(0.0), Unit: evidence.Bytes, N: evidence.Some(int64(0)),
					State: evidence.Recorded, Role: evidence.Primary, SourceText: "0", SourceUnit: "MiB", Place: evidence.At("/rows/0/free")},
				{Metric: evidence.E2E, Stat: evidence.P50, Unit: evidence.Seconds, State: evidence.Absent, Role: evidence.Primary, SourceUnit: "ms", Place: evidence.At("/rows/0/e2e")},
				{Metric: evidence.DecodeRate, Stat: evidence.P50, Unit: evidence.TokensPerSecond, State: evidence.Recorded, Role: evidence.Primary, SourceText: "NaN", SourceUnit: "tok/s", Place: evidence.At("/rows/0/decode")},
				{Metric: evidence.ClaimedChange, Stat: evidence.Total, Value: evidence.Some(-0.231), Unit: evidence.Ratio, State: evidence.Derived, Role: evidence.Claim,
					SourceText: "-23.1", SourceUnit: "percent", Place: evidence.InText("/headline/0", 4, 9), Rule: "prose/delta"},
			},
			Samples: []evidence.Sample{
				{Index: 0, Start: evidence.Some(0.0), TTFT: evidence.Some(0.25), TTFO: evidence.Some(0.2), Generation: evidence.Some(1.5), E2E: evidence.Some(1.75),
					PromptTokens: evidence.Some(int64(4096)), OutputTokens: evidence.Some(int64(0)), CachedTk: evidence.Some(int64(2816)), OK: true, Place: evidence.At("/rows/0/short/requests/0")},
				{Index: 7, Failure: "time-out", Place: evidence.At("/rows/0/short/requests/1")},
			},
		}},
	}
}

// syntheticReading is a sweep of runs with ten measurements and five facts each.
func syntheticReading(campaign string, seed, arms, runs int) *evidence.Reading {
	d := evidence.Document{
		Schema: "lab.sweep/v1", Family: "F1", Reader: "lab/sweep", ReaderVersion: 1, ShapeID: "sweep",
		Campaign:  evidence.Campaign{ID: campaign, Title: "Sweep " + campaign, Observed: campaign[:min(10, len(campaign))]},
		Facts:     []evidence.Fact{{Key: evidence.KeyGPUProduct, Value: "Example Card 9", State: evidence.Recorded, Place: evidence.At("/gpu")}},
		Gates:     []evidence.Gate{{Name: "smoke", Status: evidence.GatePassed, SourceStatus: "passed", Place: evidence.At("/gates/0")}},
		Notes:     []evidence.Note{{Kind: evidence.Limitation, Text: "a made-up sweep", Place: evidence.At("/limits/0")}},
		Decisions: []evidence.Decision{{Kind: evidence.DecisionLabel, Key: "labels", Value: "challenger", Place: evidence.At("/labels/0")}},
	}
	for i := range arms {
		d.Arms = append(d.Arms, syntheticArm(seed, i, runs))
	}
	return &evidence.Reading{State: evidence.Accepted, Schema: d.Schema, Family: d.Family, Reader: d.ReaderRef(),
		Encoding: "utf-8", Values: 1, Documents: []evidence.Document{d}, Text: fmt.Sprintf("sweep %s seed%d", campaign, seed)}
}

var sweepMetrics = []evidence.MetricID{
	evidence.TTFT, evidence.E2E, evidence.TPOT, evidence.DecodeRate, evidence.OutputThroughput,
}

func syntheticArm(seed, n, runs int) evidence.Arm {
	arm := evidence.Arm{Name: fmt.Sprintf("arm-%d-%d", seed, n), Place: evidence.Place{Pointer: evidence.Pointer("/rows").Index(n)},
		Facts: []evidence.Fact{{Key: evidence.KeyTP, Value: fmt.Sprint(1 + n%2), State: evidence.Recorded}}}
	for j := range runs {
		p := arm.Place.Pointer.Key("runs").Index(j)
		run := evidence.Run{Name: fmt.Sprintf("c%d", j), Class: evidence.ClassShort, Status: evidence.Measured, Place: evidence.At(p),
			Facts: []evidence.Fact{
				{Key: evidence.KeyConcurrency, Value: fmt.Sprint(1 + j%16), State: evidence.Recorded, Place: evidence.At(p.Key("concurrency")), SourceText: fmt.Sprint(1 + j%16)},
				{Key: evidence.KeyRequests, Value: "100", State: evidence.Recorded, Place: evidence.At(p.Key("requests")), SourceText: "100"},
				{Key: evidence.KeyContextTarget, Value: "4096", State: evidence.Recorded, Place: evidence.At(p.Key("context")), SourceText: "4096"},
			}}
		for k, metric := range sweepMetrics {
			for s, stat := range []evidence.Stat{evidence.P50, evidence.P95} {
				v := float64(seed*1000+n*100+j*10+k) + float64(s)/2
				run.Measurements = append(run.Measurements, evidence.Measurement{
					Metric: metric, Stat: stat, Method: evidence.NearestRank, Value: evidence.Some(v), Unit: evidence.Seconds, N: evidence.Some(int64(100)),
					State: evidence.Recorded, Role: evidence.Primary, SourceText: evidence.FormatDecimal(v), SourceUnit: "s",
					Place: evidence.At(p.Key(string(metric)).Key(string(stat)))})
			}
		}
		arm.Runs = append(arm.Runs, run)
	}
	return arm
}
