package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"assay/store/evidence"
)

// TestHotQueriesUseIndices explains the queries behind lists and exports: none scans a
// large table, none sorts what it has found.
func TestHotQueriesUseIndices(t *testing.T) {
	ctx := context.Background()
	a := openTemp(t)
	for i := range 3 {
		fileReading(t, a, "a.json", fmt.Sprint(i), syntheticReading("2026-09-01-explain", i, 2, 2))
	}
	if err := a.Optimize(ctx); err != nil {
		t.Fatal(err)
	}
	campaign := evidence.Filter{Campaign: "2026-09-01-explain"}
	narrow := evidence.Filter{Campaign: "c", Arm: "a", Class: "short-capacity", Metric: evidence.TTFT, Stat: evidence.P50, Run: "0123456789ab-r0", Family: "F1", Schema: "s"}
	runs := func(f evidence.Filter) string { return runOrder + runClauses(nil, f).sql() + runOrderBy }
	facts := func(f evidence.Filter) string {
		query, _ := (&factLines{f: f}).query()
		return query + factsOrder
	}
	over := overlaid(t, a)
	laid := func(f evidence.Filter) string {
		query, _ := (&factLines{f: f, o: over, adds: over.adds(f.Key)}).query()
		return query + factsOrder
	}
	gates := gateRows.clauses(campaign)
	tests := []struct{ name, query string }{
		{"all runs", runs(evidence.Filter{})},
		{"runs of a campaign", runs(campaign)},
		{"runs, every filter", runs(narrow)},
		{"runs of an arm", runs(evidence.Filter{Arm: "a"})},
		{"runs of a class", runs(evidence.Filter{Class: "c"})},
		{"runs with a metric", runs(evidence.Filter{Metric: evidence.TTFT})},
		{"runs of an engine on a card", runs(evidence.Filter{Engine: "e", GPU: "g"})},
		{"campaigns over TP and MTP", campaignQuery + campaignClauses(evidence.Filter{Factored: true}).sql() + campaignOrder},
		{"campaigns with a label", campaignQuery + campaignClauses(evidence.Filter{Label: "l"}).sql() + campaignOrder},
		{"runs of an artifact", runs(evidence.Filter{Artifact: "0123456789ab"})},
		{"run heads", runHeads},
		{"measurements", measurementsOf},
		{"document facts", "SELECT f.key " + scopes[0]},
		{"arm facts", "SELECT f.key " + scopes[1]},
		{"run facts", "SELECT f.key " + scopes[2]},
		{"facts", facts(evidence.Filter{})},
		{"facts of a campaign", facts(campaign)},
		{"facts of a key", facts(evidence.Filter{Key: evidence.KeyModel})},
		{"facts under repairs", laid(evidence.Filter{})},
		{"facts of a key under repairs", laid(evidence.Filter{Key: evidence.KeyEngine, Arm: "a", State: "declared"})},
		{"runs of an engine, a card and a model under repairs", runOrder + runClauses(over, evidence.Filter{Engine: "example", GPU: "example", Model: "example"}).sql() + runOrderBy},
		{"recipes", recipeQuery},
		{"findings about names", nameFindings},
		{"findings about names of artifacts", nameFindingsOf},
		{"repairs", "SELECT id FROM repair WHERE kind = 'fact' AND withdrawn_us = 0 ORDER BY id DESC"},
		{"gates", gateRows.query(gates)},
		{"references", referenceRows.query(gates)},
		{"documents", documentQuery + documentOrder},
		{"campaigns", campaignQuery + campaignOrder},
		{"one campaign", campaignQuery + " WHERE c.id = ?"},
		{"campaigns of a family", campaignQuery + campaignClauses(evidence.Filter{Family: "F1"}).sql() + campaignOrder},
		{"arrivals", arrivalQuery + "ORDER BY v.id DESC LIMIT 10"},
		{"arrivals of an artifact", arrivalQuery + "WHERE v.artifact_id = ? ORDER BY v.id"},
		{"artifacts", artifactList + " ORDER BY g.artifact_id DESC"},
		{"artifacts in a state", artifactList + artifactClauses(evidence.Filter{State: "accepted"}).sql() + " ORDER BY g.artifact_id DESC"},
		{"artifacts of a schema", artifactList + artifactClauses(evidence.Filter{Schema: "s"}).sql() + " ORDER BY g.artifact_id DESC"},
		{"artifacts of a campaign", artifactList + artifactClauses(campaign).sql() + " ORDER BY g.artifact_id DESC"},
		{"findings", findingQuery + findingOrder},
		{"unread", keptQuery("r.unread = 1")},
		{"campaign in force", inForceOf},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan := explain(t, a, tt.query)
			for _, line := range plan {
				if bad(line) {
					t.Errorf("%s\nof\n%s\n%s", line, tt.query, strings.Join(plan, "\n"))
				}
			}
		})
	}
}

// bad finds full scans of the tables that grow with runs, and sorting.
func bad(line string) bool {
	if strings.Contains(line, "TEMP B-TREE") {
		return true
	}
	for _, table := range []string{"r", "m", "f", "x", "v", "run", "measurement", "fact", "arm", "a"} {
		if strings.HasPrefix(line, "SCAN "+table+" ") || line == "SCAN "+table {
			// An export of everything walks the outermost table in the order of its index.
			return !strings.Contains(line, "USING COVERING INDEX") && !strings.Contains(line, "USING INDEX sqlite_autoindex_artifact") && line != "SCAN v"
		}
	}
	return false
}

// explain is the query plan; every parameter is bound to NULL.
func explain(t *testing.T, a *Archive, query string) []string {
	t.Helper()
	args := make([]any, strings.Count(query, "?"))
	rows, err := a.reader.QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, detail)
	}
	return plan
}
