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

// BenchmarkRepairs measures what repairs and recipes cost the queries that they show in:
// the same queries on 100,000 runs before and after 1,000 declarations, 200 aliases and
// 60 recipes, and adding and withdrawing one. ASSAY_BENCH_DOCS overrides the number of
// artifacts.
func BenchmarkRepairs(b *testing.B) {
	documents := 1000
	fmt.Sscan(os.Getenv("ASSAY_BENCH_DOCS"), &documents)
	a := largeArchive(b, documents)
	repairQueries(b, a, "bare")
	overlayLarge(b, a)
	repairQueries(b, a, "repaired")
	ctx := context.Background()
	campaigns, _, err := a.Campaigns(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	rows, err := a.Runs(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("declare for a campaign and withdraw", func(b *testing.B) {
		for b.Loop() {
			r := repairWith(b, a, said(evidence.RepairFact, "campaign:"+campaigns[0].ID, evidence.KeyTopology, "PXB"))
			if _, err := a.Runs(ctx, evidence.Filter{Limit: 1}); err != nil { // loads what holds anew
				b.Fatal(err)
			}
			withdraw(b, a, r.ID)
		}
	})
	b.Run("move and withdraw", func(b *testing.B) {
		for b.Loop() {
			withdraw(b, a, repairWith(b, a, said(evidence.RepairMove, rows[0].Artifact.String(), "", "elsewhere")).ID)
		}
	})
}

// overlayLarge lays repairs of every kind over a large archive.
func overlayLarge(b *testing.B, a *Archive) {
	b.Helper()
	ctx := context.Background()
	campaigns, _, err := a.Campaigns(ctx, evidence.Filter{})
	if err != nil {
		b.Fatal(err)
	}
	artifacts, _, err := a.Artifacts(ctx, evidence.Filter{Limit: 1000})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 1000 {
		target := "campaign:" + campaigns[i%len(campaigns)].ID
		if i%2 == 0 {
			target = evidence.Scope{Artifact: artifacts[i%len(artifacts)].Digest}.String()
		}
		key := []evidence.FactKey{evidence.KeyServedModel, evidence.KeyDriver, evidence.KeyEngine, evidence.KeyTopology}[i%4]
		value := fmt.Sprintf("value %d", i)
		if key == evidence.KeyServedModel {
			value = fmt.Sprintf("model-%d", i%60)
		}
		repairWith(b, a, said(evidence.RepairFact, target, key, value))
	}
	for i := range 200 {
		repairWith(b, a, said(evidence.RepairAlias, fmt.Sprintf("Example Card %d", i), evidence.KeyGPUProduct, fmt.Sprintf("Example Card %d, 600 W", i)))
	}
	for i := range 60 {
		data := fmt.Sprintf("recipe %d", i)
		k, err := a.Keep(ctx, []evidence.Incoming{{Name: "r.toml", Origin: "file", Data: []byte(data)}})
		if err != nil {
			b.Fatal(err)
		}
		r := recipeReading(map[evidence.FactKey]string{
			evidence.KeyServedModel: fmt.Sprintf("model-%d", i), evidence.KeyModel: fmt.Sprintf("lab/model-%d", i), evidence.KeyTP: "2",
			evidence.KeyEngine: "example", evidence.KeyMTPDepth: "3", evidence.KeyKVDtype: "fp8",
		})
		if err := a.Commit(ctx, []evidence.Result{{Kept: k[0], Reading: r}}); err != nil {
			b.Fatal(err)
		}
	}
}

func repairQueries(b *testing.B, a *Archive, state string) {
	ctx := context.Background()
	rows, err := a.Runs(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		b.Fatal(err)
	}
	run := rows[0]
	page := func(f evidence.Filter) func() error {
		return func() error {
			if _, err := a.CountRuns(ctx, f); err != nil {
				return err
			}
			f.Limit = 100
			_, err := a.Runs(ctx, f)
			return err
		}
	}
	facts := func(f evidence.Filter) func() error {
		return func() error { return a.EachFact(ctx, f, func(evidence.FactRow) error { return nil }) }
	}
	for _, q := range []struct {
		name string
		f    func() error
	}{
		{"runs", page(evidence.Filter{})},
		{"runs of a campaign", page(evidence.Filter{Campaign: run.Campaign})},
		{"runs of an engine", page(evidence.Filter{Engine: "example"})},
		{"runs of a card", page(evidence.Filter{GPU: "600 w"})},
		{"runs of a model", page(evidence.Filter{Model: "model-7"})},
		{"run", func() error { _, err := a.Run(ctx, run.ID); return err }},
		{"artifact", func() error { _, err := a.Artifact(ctx, run.Artifact); return err }},
		{"campaign", func() error { _, err := a.Campaign(ctx, run.Campaign); return err }},
		{"facts of a campaign, 100", facts(evidence.Filter{Campaign: run.Campaign, Limit: 100})},
		{"facts of a campaign, all", facts(evidence.Filter{Campaign: run.Campaign})},
		{"findings", func() error {
			return a.EachFinding(ctx, evidence.Filter{}, func(evidence.FindingRow) error { return nil })
		}},
	} {
		b.Run(state+" "+q.name, func(b *testing.B) {
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
}
