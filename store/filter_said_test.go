package store

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// enginesReading has a document, an arm and a run that each name an engine.
func enginesReading() *evidence.Reading {
	fact := func(k evidence.FactKey, v string) []evidence.Fact {
		return []evidence.Fact{{Key: k, Value: v, State: evidence.Recorded, Place: evidence.At("/" + evidence.Pointer(k))}}
	}
	run := func(name string, facts ...evidence.Fact) evidence.Run {
		return evidence.Run{Name: name, Class: evidence.ClassShort, Status: evidence.Measured, Place: evidence.At("/" + evidence.Pointer(name)), Facts: facts}
	}
	d := evidence.Document{
		Schema: "lab.engines/v1", Family: "F1", Reader: "lab/engines", ReaderVersion: 1,
		Campaign: evidence.Campaign{ID: "engines"},
		Facts:    append(fact(evidence.KeyEngine, "Alpha 100%"), fact(evidence.KeyGPUProduct, "Example Card 9")...),
		Arms: []evidence.Arm{
			{Name: "document's", Runs: []evidence.Run{run("a1"), run("a2", fact(evidence.KeyEngine, "gamma")...)}},
			{Name: "arm's", Facts: fact(evidence.KeyEngine, "beta_2"), Runs: []evidence.Run{run("b1"), run("b2", fact(evidence.KeyImage, "repo/alpha:1")...)}},
			{Name: "card of its own", Facts: fact(evidence.KeyGPUProduct, "Other"), Runs: []evidence.Run{run("c1")}},
		},
		Decisions: []evidence.Decision{{Kind: evidence.DecisionLabel, Key: "labels", Value: "challenger", Place: evidence.At("/l")}},
	}
	return &evidence.Reading{State: evidence.Accepted, Schema: d.Schema, Family: d.Family, Reader: d.ReaderRef(), Encoding: "utf-8", Values: 1, Documents: []evidence.Document{d}}
}

func TestRunsByEngineAndCard(t *testing.T) {
	ctx := context.Background()
	a := openTemp(t)
	fileReading(t, a, "engines.json", "engines", enginesReading())
	fileReading(t, a, "sweep.json", "sweep", syntheticReading("2026-09-01-sweep", 1, 2, 2))
	tests := []struct {
		name string
		f    evidence.Filter
		want []string
	}{
		{"document's engine, where nothing narrower says another", evidence.Filter{Engine: "alpha"}, []string{"a1", "b2", "c1"}},
		{"run's engine", evidence.Filter{Engine: "GAMMA"}, []string{"a2"}},
		{"arm's engine", evidence.Filter{Engine: "beta"}, []string{"b1", "b2"}},
		{"image", evidence.Filter{Engine: "repo/"}, []string{"b2"}},
		{"percent sign is a character", evidence.Filter{Engine: "0%"}, []string{"a1", "c1"}},
		{"underscore is a character", evidence.Filter{Engine: "_2"}, []string{"b1", "b2"}},
		{"no wildcard", evidence.Filter{Engine: "b%2"}, nil},
		{"card", evidence.Filter{GPU: "example", Campaign: "engines"}, []string{"a1", "a2", "b1", "b2"}},
		{"both", evidence.Filter{GPU: "other", Engine: "alpha"}, []string{"c1"}},
		{"nothing", evidence.Filter{GPU: "no such card"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			runs, err := a.Runs(ctx, tt.f)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range runs {
				got = append(got, r.Name)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			if n, err := a.CountRuns(ctx, tt.f); err != nil || n != len(tt.want) {
				t.Errorf("counts %d, %v, want %d", n, err, len(tt.want))
			}
			exported := 0
			if err := a.EachRun(ctx, tt.f, func(evidence.RunRow) error { exported++; return nil }); err != nil || exported != len(tt.want) {
				t.Errorf("exports %d, %v, want %d", exported, err, len(tt.want))
			}
		})
	}
}

func TestCampaignsByLabel(t *testing.T) {
	ctx := context.Background()
	a := openTemp(t)
	fileReading(t, a, "engines.json", "engines", enginesReading())
	fileReading(t, a, "full.json", "full", fullReading())
	for label, want := range map[string]int{"challenger": 2, "no-promotion": 1, "challeng": 0} {
		rows, total, err := a.Campaigns(ctx, evidence.Filter{Label: label})
		if err != nil || total != want || len(rows) != want {
			t.Errorf("%s: %d of %d, %v, want %d", label, len(rows), total, err, want)
		}
	}
}

func TestCampaignsOverFactors(t *testing.T) {
	ctx := context.Background()
	a := openTemp(t)
	bare, spread := enginesReading(), enginesReading()
	spread.Documents[0].Campaign.ID = "spread"
	spread.Documents[0].Facts = append(spread.Documents[0].Facts,
		evidence.Fact{Key: evidence.KeyTP, Value: "2", State: evidence.Recorded, Place: evidence.At("/tp")},
		evidence.Fact{Key: evidence.KeyMTPDepth, Value: "0", State: evidence.Recorded, Place: evidence.At("/mtp")})
	fileReading(t, a, "bare.json", "bare", bare)
	fileReading(t, a, "spread.json", "spread", spread)
	rows, total, err := a.Campaigns(ctx, evidence.Filter{Factored: true})
	if err != nil || total != 1 || len(rows) != 1 || rows[0].ID != "spread" {
		t.Errorf("%d campaigns over TP and MTP, %v: %v", total, err, rows)
	}
}
