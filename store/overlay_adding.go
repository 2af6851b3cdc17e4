package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"assay/store/evidence"
)

// adding finds the facts that a document has without recording them.
type adding struct {
	o        *overlay
	doc      document
	recorded map[owner]map[evidence.FactKey]evidence.FactRow
	given    map[owner]map[evidence.FactKey]entryPlace // by recipes
	arms     map[int64]armAt
	runs     map[int64]evidence.Pointer // only where declarations speak of places
	out      []evidence.FactRow
}

// entryPlace is where a recipe states a fact.
type entryPlace struct {
	evidence.Source
	evidence.Place
}

type armAt struct {
	name string
	at   evidence.Pointer
}

// additions are the facts that people and recipes add to a document: its own first,
// then those of its arms and runs.
func (o *overlay) additions(ctx context.Context, tx *sql.Tx, doc document) ([]evidence.FactRow, error) {
	d := o.artifacts[doc.Artifact]
	said := d != nil || len(o.campaigns[doc.campaign]) > 0
	if !said && (len(o.recipes.gives) == 0 || doc.family == recipeFamily) {
		return nil, nil
	}
	x := &adding{o: o, doc: doc, given: map[owner]map[evidence.FactKey]entryPlace{}}
	if err := x.loadFacts(ctx, tx, said); err != nil {
		return nil, err
	}
	served := x.served()
	if !said && len(served) == 0 {
		return nil, nil
	}
	places := d != nil && len(d.places) > 0
	if places || slices.ContainsFunc(served, func(w owner) bool { return w != wholeDocument }) {
		if err := x.loadArms(ctx, tx, places); err != nil {
			return nil, err
		}
	}
	for _, w := range x.owners(served, places) {
		x.declared(w)
		x.linked(w)
	}
	return x.out, nil
}

// loadFacts reads what the document records of the keys that may be added.
func (x *adding) loadFacts(ctx context.Context, tx *sql.Tx, said bool) error {
	keys := []string{string(evidence.KeyServedModel)}
	if said {
		for k := range x.o.declared {
			keys = append(keys, string(k))
		}
	}
	for k := range x.o.recipes.gives {
		keys = append(keys, string(k))
	}
	rows, err := tx.QueryContext(ctx, "SELECT coalesce(f.arm_id, -1), coalesce(f.run_id, -1), "+factColumns+
		" FROM fact f WHERE f.document_id = ? AND f.key IN (SELECT value FROM json_each(?)) ORDER BY f.ordinal", x.doc.id, jsonList(keys))
	if err != nil {
		return err
	}
	defer rows.Close()
	x.recorded = map[owner]map[evidence.FactKey]evidence.FactRow{}
	for rows.Next() {
		var w owner
		var f evidence.FactRow
		if err := rows.Scan(append([]any{&w.arm, &w.run}, factInto(&f)...)...); err != nil {
			return err
		}
		f.Source = x.doc.Source
		if x.recorded[w] == nil {
			x.recorded[w] = map[evidence.FactKey]evidence.FactRow{}
		}
		if _, seen := x.recorded[w][f.Key]; !seen {
			x.recorded[w][f.Key] = f
		}
	}
	return rows.Err()
}

func (x *adding) loadArms(ctx context.Context, tx *sql.Tx, places bool) error {
	x.arms, x.runs = map[int64]armAt{}, map[int64]evidence.Pointer{}
	rows, err := tx.QueryContext(ctx, "SELECT id, name, pointer FROM arm WHERE document_id = ?", x.doc.id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var a armAt
		if err := rows.Scan(&id, &a.name, &a.at); err != nil {
			return err
		}
		x.arms[id] = a
	}
	if err := rows.Err(); err != nil || !places {
		return err
	}
	return x.loadRuns(ctx, tx)
}

// loadRuns reads where runs stand, and notes those that a declaration names.
func (x *adding) loadRuns(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT id, arm_id, pointer FROM run WHERE document_id = ?", x.doc.id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var w owner
		var at evidence.Pointer
		if err := rows.Scan(&w.run, &w.arm, &at); err != nil {
			return err
		}
		x.runs[w.run] = at
		if len(x.o.artifacts[x.doc.Artifact].places[at]) > 0 && at != x.arms[w.arm].at && x.recorded[w] == nil {
			x.recorded[w] = map[evidence.FactKey]evidence.FactRow{}
		}
	}
	return rows.Err()
}

// served are the owners that have a served name of their own which recipes know.
func (x *adding) served() []owner {
	var list []owner
	if x.doc.family == recipeFamily {
		return nil
	}
	for w, facts := range x.recorded {
		if f, ok := facts[evidence.KeyServedModel]; ok && x.o.recipes.of(&f) != nil {
			list = append(list, w)
		}
	}
	return list
}

// owners are those that something may be added to, in the order of the lines.
func (x *adding) owners(served []owner, places bool) []owner {
	all := map[owner]bool{wholeDocument: true}
	for _, w := range served {
		all[w] = true
	}
	if places {
		said := x.o.artifacts[x.doc.Artifact].places
		for id, a := range x.arms {
			if len(said[a.at]) > 0 {
				all[owner{id, -1}] = true
			}
		}
		for w := range x.recorded {
			if w.run >= 0 && len(said[x.runs[w.run]]) > 0 {
				all[w] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(all), compareOwners)
}
