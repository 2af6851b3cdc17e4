package store

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"assay/store/evidence"
)

// largeArchive fills an archive with documents artifacts of 100 runs with 10
// measurements each, in 20 artifacts a campaign.
func largeArchive(b *testing.B, documents int) *Archive {
	b.Helper()
	ctx := context.Background()
	a := openBench(b)
	b.Cleanup(func() { a.Close() })
	for lo := 0; lo < documents; lo += 50 {
		var in []evidence.Incoming
		for i := lo; i < min(lo+50, documents); i++ {
			in = append(in, evidence.Incoming{Name: fmt.Sprintf("lab/%04d.json", i), Origin: "file", Data: fmt.Append(nil, i)})
		}
		kept, err := a.Keep(ctx, in)
		if err != nil {
			b.Fatal(err)
		}
		var results []evidence.Result
		for i, k := range kept {
			campaign := fmt.Sprintf("2026-%02d-%02d-sweep-%d", 1+(lo+i)/20%12, 1+(lo+i)/20%28, (lo+i)/20)
			results = append(results, evidence.Result{Kept: k, Reading: syntheticReading(campaign, lo+i, 10, 10)})
		}
		if err := a.Commit(ctx, results); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := a.writer.Exec("ANALYZE"); err != nil { // plans must hold with statistics, too
		b.Fatal(err)
	}
	return a
}

// BenchmarkQueries measures the queries behind the pages on 100,000 runs with
// 1,000,000 measurements. ASSAY_BENCH_DOCS overrides the number of artifacts.
func BenchmarkQueries(b *testing.B) {
	documents := 1000
	fmt.Sscan(os.Getenv("ASSAY_BENCH_DOCS"), &documents)
	start := time.Now()
	a := largeArchive(b, documents)
	b.Logf("%d measurements filed in %v", documents*1000, time.Since(start))
	ctx := context.Background()
	rows, _, err := a.Campaigns(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	campaign := rows[0].ID
	runs, err := a.Runs(ctx, evidence.Filter{Campaign: campaign, Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	run := runs[0]
	page := evidence.Filter{Limit: 100}
	inCampaign := evidence.Filter{Campaign: campaign, Limit: 100}
	// A page of the run list is the runs and how many there are.
	listed := func(f evidence.Filter) func() error {
		return func() error {
			if _, err := a.CountRuns(ctx, f); err != nil {
				return err
			}
			_, err := a.Runs(ctx, f)
			return err
		}
	}
	queries := []struct {
		name string
		f    func() error
	}{
		{"counts", func() error { _, err := a.Counts(ctx); return err }},
		{"campaigns", func() error { _, _, err := a.Campaigns(ctx, page); return err }},
		{"campaigns by text", func() error { _, _, err := a.Campaigns(ctx, evidence.Filter{Text: "SWEEP-1", Limit: 50}); return err }},
		{"campaign", func() error { _, err := a.Campaign(ctx, campaign); return err }},
		{"resolve campaign", func() error { _, err := a.ResolveCampaign(ctx, campaign); return err }},
		{"runs", func() error { _, err := a.Runs(ctx, page); return err }},
		{"runs far down", func() error { _, err := a.Runs(ctx, evidence.Filter{Limit: 100, Offset: documents * 99}); return err }},
		{"runs of a campaign", func() error { _, err := a.Runs(ctx, inCampaign); return err }},
		{"runs by arm", func() error { _, err := a.Runs(ctx, evidence.Filter{Arm: "arm-7-3", Limit: 100}); return err }},
		{"runs by class", func() error {
			_, err := a.Runs(ctx, evidence.Filter{Class: evidence.ClassShort, Limit: 100})
			return err
		}},
		{"runs by metric", func() error { _, err := a.Runs(ctx, evidence.Filter{Metric: evidence.TTFT, Limit: 100}); return err }},
		{"count runs", func() error { _, err := a.CountRuns(ctx, page); return err }},
		{"count runs of a campaign by metric", func() error {
			_, err := a.CountRuns(ctx, evidence.Filter{Campaign: campaign, Metric: evidence.TTFT, Stat: evidence.P50})
			return err
		}},
		{"runs of an engine, a card and a protocol", listed(evidence.Filter{Engine: "example", GPU: "example", Protocol: "stream", Limit: 50})},
		{"runs of a model in some days", listed(evidence.Filter{Model: "model", From: "2026-03-01", To: "2026-06-30", Limit: 50})},
		{"runs of a card that all have, newest first", listed(evidence.Filter{GPU: "card", Sort: "-date", Limit: 50})},
		{"campaigns of a card", func() error { _, _, err := a.Campaigns(ctx, evidence.Filter{GPU: "card", Limit: 50}); return err }},
		{"search a common word among runs of a card", func() error {
			_, _, err := a.SearchIn(ctx, "sweep", evidence.Filter{GPU: "card", From: "2026-03-01", Limit: 50})
			return err
		}},
		{"spellings", func() error { _, err := a.Spellings(ctx, 500); return err }},
		{"runs with a rare word", listed(evidence.Filter{Words: "arm-77-3", Limit: 50})},
		{"runs with a common word", listed(evidence.Filter{Words: "sweep", Limit: 50})},
		{"runs with two words", listed(evidence.Filter{Words: "sweep arm-7", Limit: 50})},
		{"runs by date", listed(evidence.Filter{Sort: "-date", Limit: 50})},
		{"runs by date, far down", listed(evidence.Filter{Sort: "date", Limit: 50, Offset: documents * 99})},
		{"runs by arm", listed(evidence.Filter{Sort: "arm", Limit: 50})},
		{"runs by class, of an engine", listed(evidence.Filter{Sort: "-class", Engine: "example", Limit: 50})},
		{"run", func() error { _, err := a.Run(ctx, run.ID); return err }},
		{"artifacts", func() error { _, _, err := a.Artifacts(ctx, page); return err }},
		{"artifacts of a campaign", func() error { _, _, err := a.Artifacts(ctx, inCampaign); return err }},
		{"artifact", func() error { _, err := a.Artifact(ctx, run.Artifact); return err }},
		{"find artifact", func() error { _, err := a.FindArtifact(ctx, run.Artifact.Short()); return err }},
		{"arrivals", func() error { _, _, err := a.Arrivals(ctx, 0, 100); return err }},
		{"measurements of a campaign, 100", func() error {
			return a.EachMeasurement(ctx, inCampaign, func(evidence.MeasurementRow) error { return nil })
		}},
		{"facts of a campaign, 100", func() error { return a.EachFact(ctx, inCampaign, func(evidence.FactRow) error { return nil }) }},
		{"gates, 100", func() error { return a.EachGate(ctx, page, func(evidence.GateRow) error { return nil }) }},
		{"search a rare word", func() error { _, _, err := a.Search(ctx, "arm-77-3", 0, 50); return err }},
		{"search a common word", func() error { _, _, err := a.Search(ctx, "sweep", 0, 50); return err }},
		{"search a fact", func() error { _, _, err := a.Search(ctx, "4096", 0, 50); return err }},
		{"search a beginning", func() error { _, _, err := a.Search(ctx, "a", 0, 50); return err }},
		{"search a pointer", func() error { _, _, err := a.Search(ctx, "/rows/3/runs/4/ttft/p50", 0, 50); return err }},
		{"search a common pointer", func() error { _, _, err := a.Search(ctx, "/rows/0", 0, 50); return err }},
		{"search a digest", func() error { _, _, err := a.Search(ctx, run.Artifact.String()[:8], 0, 50); return err }},
	}
	for _, q := range queries {
		b.Run(q.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if err := q.f(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
	b.Run("export 1,000,000 measurements", func(b *testing.B) {
		for b.Loop() {
			n := 0
			if err := a.EachMeasurement(ctx, evidence.Filter{}, func(evidence.MeasurementRow) error { n++; return nil }); err != nil || n != documents*1000 {
				b.Fatal(n, err)
			}
		}
	})
}
