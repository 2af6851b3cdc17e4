package store

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"assay/store/evidence"
)

// said is a repair with an author and a reason.
func said(kind evidence.RepairKind, target string, k evidence.FactKey, value string) evidence.Repair {
	return evidence.Repair{Kind: kind, Target: target, Key: k, Value: value, Author: "Ada", Reason: "seen on the machine"}
}

func repairWith(t testing.TB, a *Archive, r evidence.Repair) evidence.Repair {
	t.Helper()
	got, err := a.AddRepair(context.Background(), r)
	if err != nil {
		t.Fatalf("%s %s %s: %v", r.Kind, r.Target, r.Value, err)
	}
	return got
}

func withdraw(t testing.TB, a *Archive, id int64) {
	t.Helper()
	if err := a.WithdrawRepair(context.Background(), id, "Bob", "a mistake"); err != nil {
		t.Fatal(err)
	}
}

// recipeReading is a recipe with one serve entry for each map of settings.
func recipeReading(entries ...map[evidence.FactKey]string) *evidence.Reading {
	d := evidence.Document{
		Schema: "toml", Family: "recipe", Reader: "recipe", ReaderVersion: 1, ShapeID: "serves",
		Campaign: evidence.Campaign{ID: "recipes"},
	}
	for i, settings := range entries {
		arm := evidence.Arm{Name: fmt.Sprintf("serve-%d", i), Place: evidence.At(evidence.Pointer(fmt.Sprintf("/serves/%d", i)))}
		for _, k := range evidence.Keys {
			if v, ok := settings[k.Key]; ok {
				arm.Facts = append(arm.Facts, evidence.Fact{Key: k.Key, Value: v, State: evidence.Recorded, SourceText: v, Place: evidence.At(arm.Place.Pointer.Key(string(k.Key)))})
			}
		}
		d.Arms = append(d.Arms, arm)
	}
	return &evidence.Reading{State: evidence.Accepted, Family: "recipe", Reader: "recipe@1", Encoding: "utf-8", Documents: []evidence.Document{d}}
}

// overlaid is an overlay in which every kind of repair and recipe stands.
func overlaid(t testing.TB, a *Archive) *overlay {
	t.Helper()
	ctx := context.Background()
	all, _, err := a.Artifacts(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	campaigns, _, err := a.Campaigns(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := a.Runs(ctx, evidence.Filter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	artifact := evidence.Scope{Artifact: all[0].Digest}.String()
	for _, k := range []evidence.FactKey{evidence.KeyEngine, evidence.KeyGPUProduct, evidence.KeyModel, evidence.KeyServedModel} {
		repairWith(t, a, said(evidence.RepairAlias, "odd "+string(k), k, "example meaning"))
		repairWith(t, a, said(evidence.RepairFact, artifact, k, "example"))
		repairWith(t, a, said(evidence.RepairFact, runs[0].Scope().String(), k, "example"))
		repairWith(t, a, said(evidence.RepairFact, "campaign:"+campaigns[0].ID, k, "example"))
	}
	fileReading(t, a, "recipe.toml", "recipe", recipeReading(map[evidence.FactKey]string{
		evidence.KeyServedModel: "example", evidence.KeyModel: "example/model", evidence.KeyEngine: "example-engine",
	}))
	return overlayOf(t, a)
}

func overlayOf(t testing.TB, a *Archive) *overlay {
	t.Helper()
	var o *overlay
	err := a.read(context.Background(), "test", func(tx *sql.Tx) error {
		var err error
		o, err = a.overlay(context.Background(), tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}
