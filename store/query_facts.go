package store

import (
	"context"
	"database/sql"
	"slices"

	"assay/store/evidence"
)

const factColumns = "f.key, f.value, f.state, f.source_text, f.rule, f.pointer, f.span_start, f.span_end"

func factInto(f *evidence.FactRow) []any {
	return []any{&f.Key, &f.Value, &f.State, &f.SourceText, &f.Rule, &f.Place.Pointer, &f.Place.Start, &f.Place.End}
}

// scopes are the three queries that find the facts of documents, arms and runs.
var scopes = [3]string{
	"FROM json_each(?) j CROSS JOIN fact f INDEXED BY fact_document ON f.document_id = j.value AND f.arm_id IS NULL AND f.run_id IS NULL",
	"FROM json_each(?) j CROSS JOIN fact f INDEXED BY fact_arm ON f.arm_id = j.value AND f.run_id IS NULL",
	"FROM json_each(?) j CROSS JOIN fact f INDEXED BY fact_run ON f.run_id = j.value",
}

// factsOf reads the facts of one scope by owner.
func factsOf(ctx context.Context, tx *sql.Tx, scope int, owners []int64) (map[int64][]evidence.FactRow, error) {
	rows, err := tx.QueryContext(ctx, "SELECT j.value, "+factColumns+" "+scopes[scope], numbers(owners))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64][]evidence.FactRow{}
	for rows.Next() {
		var owner int64
		var f evidence.FactRow
		if err := rows.Scan(append([]any{&owner}, factInto(&f)...)...); err != nil {
			return nil, err
		}
		found[owner] = append(found[owner], f)
	}
	return found, rows.Err()
}

// loadFacts gives every run its merged facts.
func loadFacts(ctx context.Context, tx *sql.Tx, o *overlay, runs []loaded) error {
	owners := [3][]int64{}
	for i := range runs {
		r := &runs[i]
		for scope, id := range [3]int64{r.docID, r.armID, r.id} {
			if n := len(owners[scope]); n == 0 || owners[scope][n-1] != id {
				owners[scope] = append(owners[scope], id)
			}
		}
	}
	var found [3]map[int64][]evidence.FactRow
	for scope := range found {
		slices.Sort(owners[scope])
		var err error
		if found[scope], err = factsOf(ctx, tx, scope, slices.Compact(owners[scope])); err != nil {
			return err
		}
	}
	for i := range runs {
		r := &runs[i]
		mergeFacts(o, r.row, found[2][r.id], found[1][r.armID], found[0][r.docID])
	}
	return nil
}

// mergeFacts takes each key once, from the run before the arm before the document, lays
// the overlay over them, and puts them in the order of the registry.
func mergeFacts(o *overlay, r *evidence.RunRow, own, arm, document []evidence.FactRow) {
	seen := make(map[evidence.FactKey]bool, len(own)+len(arm)+len(document))
	for scope, facts := range [][]evidence.FactRow{own, arm, document} {
		for _, f := range facts {
			if seen[f.Key] {
				continue
			}
			seen[f.Key] = true
			f.Source, f.Campaign = r.Source, r.Campaign
			if scope < 2 {
				f.Arm = r.Arm
			}
			if scope < 1 {
				f.Run = r.ID
			}
			r.Facts = append(r.Facts, f)
		}
	}
	o.over(r)
	slices.SortStableFunc(r.Facts, func(x, y evidence.FactRow) int { return compareKeys(x.Key, y.Key) })
}

var keyRank = func() map[evidence.FactKey]int {
	m := make(map[evidence.FactKey]int, len(evidence.Keys))
	for i, k := range evidence.Keys {
		m[k.Key] = i
	}
	return m
}()

// rank is the place of a key in the registry; unknown keys come last.
func rank(k evidence.FactKey) int {
	if n, ok := keyRank[k]; ok {
		return n
	}
	return len(keyRank)
}
