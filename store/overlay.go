package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

// The facts of the tables are what artifacts record. What people declare about them,
// what spellings mean and what recipes say of served names is laid over them whenever
// they are read: nothing has to be rewritten when somebody changes his mind, and the
// derived rows stay what a fresh reading gives.

// overlay is what people and recipes say, as of one generation. It is never changed
// once it is loaded. A nil overlay says nothing.
type overlay struct {
	generation int64
	meaning    func(k evidence.FactKey, x, y string) bool // built in, below what people add
	aliases    map[evidence.FactKey]map[string]string
	campaigns  map[string][]*evidence.Repair
	artifacts  map[evidence.Digest]*declarations
	declared   map[evidence.FactKey][]*evidence.Repair
	recipes    recipes
}

// declarations are the declared facts of one artifact.
type declarations struct {
	whole  []*evidence.Repair
	places map[evidence.Pointer][]*evidence.Repair
}

func (o *overlay) empty() bool {
	return o == nil || len(o.aliases) == 0 && len(o.declared) == 0 && len(o.recipes.names) == 0
}

// overlay is what holds over the evidence of a snapshot: from memory, as long as its
// generation is the snapshot's.
func (a *Archive) overlay(ctx context.Context, tx *sql.Tx) (*overlay, error) {
	var generation int64
	if err := tx.QueryRowContext(ctx, "SELECT generation FROM overlay").Scan(&generation); err != nil {
		return nil, err
	}
	held := a.over.Load()
	if held != nil && held.generation == generation {
		return held, nil
	}
	o := &overlay{generation: generation, meaning: a.same}
	if err := o.loadRepairs(ctx, tx); err != nil {
		return nil, err
	}
	if err := o.loadMarks(ctx, tx); err != nil {
		return nil, err
	}
	if err := o.recipes.load(ctx, tx, o); err != nil {
		return nil, err
	}
	for held == nil || held.generation < generation { // an older snapshot does not push a newer one out
		if a.over.CompareAndSwap(held, o) {
			break
		}
		held = a.over.Load()
	}
	return o, nil
}

func (o *overlay) loadRepairs(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT "+repairColumns+" FROM repair WHERE withdrawn_us = 0 AND kind IN ('alias', 'fact') ORDER BY id")
	if err != nil {
		return err
	}
	list, err := collect(rows, scanRepair)
	if err != nil {
		return err
	}
	o.aliases = map[evidence.FactKey]map[string]string{}
	o.campaigns = map[string][]*evidence.Repair{}
	o.artifacts = map[evidence.Digest]*declarations{}
	o.declared = map[evidence.FactKey][]*evidence.Repair{}
	for i := range list {
		r := &list[i]
		if r.Kind == evidence.RepairAlias {
			if o.aliases[r.Key] == nil {
				o.aliases[r.Key] = map[string]string{}
			}
			o.aliases[r.Key][r.Target] = r.Value
			continue
		}
		scope, err := evidence.ParseScope(r.Target)
		if err != nil {
			return err
		}
		o.declare(scope, r)
	}
	for _, spellings := range o.aliases {
		followAll(spellings)
	}
	return nil
}

func (o *overlay) declare(scope evidence.Scope, r *evidence.Repair) {
	o.declared[r.Key] = append(o.declared[r.Key], r)
	if scope.Campaign != "" {
		o.campaigns[scope.Campaign] = append(o.campaigns[scope.Campaign], r)
		return
	}
	d := o.artifacts[scope.Artifact]
	if d == nil {
		d = &declarations{places: map[evidence.Pointer][]*evidence.Repair{}}
		o.artifacts[scope.Artifact] = d
	}
	if scope.Place.OK {
		d.places[scope.Place.V] = append(d.places[scope.Place.V], r)
	} else {
		d.whole = append(d.whole, r)
	}
}

// followAll leads every spelling to the end of its chain. AddRepair lets no circle in.
func followAll(spellings map[string]string) {
	ends := make(map[string]string, len(spellings))
	for spelling := range spellings {
		at := spelling
		for range maxAliasSteps + 1 {
			next, more := spellings[at]
			if !more {
				break
			}
			at = next
		}
		ends[spelling] = at
	}
	for spelling, end := range ends {
		spellings[spelling] = end
	}
}

// means is what people say a value means, "" when nobody says anything.
func (o *overlay) means(k evidence.FactKey, value string) string {
	if m, ok := o.aliases[k]; ok {
		return m[value]
	}
	return ""
}

// word is the word that people say stands for a value, else the value.
func (o *overlay) word(k evidence.FactKey, value string) string {
	if m := o.means(k, value); m != "" {
		return m
	}
	return value
}

// same reports whether two values of a key say the same.
func (o *overlay) same(k evidence.FactKey, x, y string) bool {
	x, y = o.word(k, x), o.word(k, y)
	if x == y {
		return true
	}
	if evidence.LookupKey(k).Unit != "" {
		f, errF := evidence.ParseDecimal(x)
		g, errG := evidence.ParseDecimal(y)
		return errF == nil && errG == nil && f == g
	}
	return o.meaning != nil && o.meaning(k, x, y)
}
