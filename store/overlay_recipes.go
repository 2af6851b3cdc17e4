package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/store/evidence"
)

const (
	recipeFamily = "recipe"
	// ruleServedName is the rule of a fact that a recipe gives a run.
	ruleServedName = "recipe/served-name"
	// CodeAmbiguousName is the finding about a served name that recipes disagree on.
	CodeAmbiguousName = "ambiguous-served-name"
)

// recipes are the identities behind served names, as the recipes of the archive give
// them. A served name alone is no identity: what counts is what every recipe that
// serves it agrees on.
type recipes struct {
	names     map[string]*servedName
	gives     map[evidence.FactKey]bool // the keys of all facts that names give
	ambiguous []string                  // names that entries disagree on, in order
}

// servedName is what recipes say of one name.
type servedName struct {
	facts     []evidence.FactRow // what they agree on, in the order of keys; Source is a recipe
	disagree  []evidence.FactKey // what they do not
	serving   []servingArm       // the recipes, by digest
	ambiguity string             // the text of the finding; "" when they agree
}

// servingArm is one serve entry of a recipe.
type servingArm struct {
	evidence.Source
	campaign, arm string
	names         []string
	facts         []evidence.FactRow // its own before those of the whole recipe
	wide          []evidence.FactRow
}

// linked reports whether recipes may give a run a fact of the key. Hardware never
// comes from a recipe: the same entry runs on any card that is large enough. Nor does
// what the client does.
func linked(k evidence.FactKey) bool {
	switch k {
	case evidence.KeyServedModel, evidence.KeyGPUCount, evidence.KeyReplicas,
		evidence.KeyClient, evidence.KeyClientVersion, evidence.KeyClientBackend, evidence.KeyHint:
		return false
	}
	return evidence.LookupKey(k).Class == evidence.Identity
}

const recipeQuery = "SELECT d.id, coalesce(f.arm_id, -1), " + sourceColumns + ", coalesce(a.name, ''), " + factColumns + `
	FROM document d INDEXED BY document_recipe CROSS JOIN fact f ON f.document_id = d.id LEFT JOIN arm a ON a.id = f.arm_id
	WHERE d.family = 'recipe' AND f.run_id IS NULL ORDER BY d.sha256, d.ordinal, f.ordinal`

// load reads every serve entry of every recipe.
func (x *recipes) load(ctx context.Context, tx *sql.Tx, o *overlay) error {
	rows, err := tx.QueryContext(ctx, recipeQuery)
	if err != nil {
		return err
	}
	defer rows.Close()
	var list []*servingArm
	var wide []evidence.FactRow // what a recipe says of all of its entries, which comes first
	document, entry := int64(-1), int64(-1)
	for rows.Next() {
		var docID, armID int64
		var s source
		var e servingArm
		var f evidence.FactRow
		err := rows.Scan(append(append(append([]any{&docID, &armID}, s.into(&e.Source, &e.campaign)...), &e.arm), factInto(&f)...)...)
		if err != nil {
			return err
		}
		e.Reader = s.ref()
		f.Source = e.Source
		if docID != document {
			document, entry, wide = docID, -1, nil
		}
		if armID < 0 {
			wide = append(wide, f)
			continue
		}
		if armID != entry {
			entry = armID
			e.wide = wide
			list = append(list, &e)
		}
		list[len(list)-1].add(f)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, e := range list {
		for _, f := range e.wide {
			e.add(f)
		}
	}
	x.resolve(list, o)
	return nil
}

// add takes a fact of the entry; the first of a key counts.
func (e *servingArm) add(f evidence.FactRow) {
	switch {
	case f.Key == evidence.KeyServedModel && f.State != evidence.Absent && f.State != evidence.Conflict && f.Value != "":
		if !slices.Contains(e.names, f.Value) {
			e.names = append(e.names, f.Value)
		}
	case linked(f.Key) && f.State != evidence.Absent && factAt(e.facts, f.Key) < 0:
		e.facts = append(e.facts, f)
	}
}

// resolve finds what the entries of each name agree on. An entry that does not state a
// fact does not agree with one that does.
func (x *recipes) resolve(list []*servingArm, o *overlay) {
	x.names, x.gives = map[string]*servedName{}, map[evidence.FactKey]bool{}
	for _, e := range list {
		for _, name := range e.names {
			n := x.names[name]
			if n == nil {
				n = &servedName{}
				x.names[name] = n
			}
			n.serving = append(n.serving, *e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.names)) {
		n := x.names[name]
		n.agree(name, o)
		for i := range n.facts {
			x.gives[n.facts[i].Key] = true
		}
		if n.ambiguity != "" {
			x.ambiguous = append(x.ambiguous, name)
		}
	}
}

func (n *servedName) agree(name string, o *overlay) {
	keys := map[evidence.FactKey]bool{}
	for i := range n.serving {
		for j := range n.serving[i].facts {
			keys[n.serving[i].facts[j].Key] = true
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(keys), compareKeys) {
		var first *evidence.FactRow
		agreed := true
		for i := range n.serving {
			at := factAt(n.serving[i].facts, k)
			if at < 0 || n.serving[i].facts[at].State == evidence.Conflict {
				agreed = false
				break
			}
			f := &n.serving[i].facts[at]
			if first == nil {
				first = f
			} else if !o.same(k, first.Value, f.Value) {
				agreed = false
				break
			}
		}
		if agreed {
			f := *first
			f.State, f.Rule = evidence.Derived, ruleServedName
			n.facts = append(n.facts, f)
		} else {
			n.disagree = append(n.disagree, k)
		}
	}
	if len(n.serving) > 1 && len(n.disagree) > 0 {
		n.ambiguity = n.explain(name)
	}
}

// maxNamed bounds how many recipes a finding names.
const maxNamed = 8

func (n *servedName) explain(name string) string {
	var serving, keys []string
	for i := range n.serving {
		if i == maxNamed {
			serving = append(serving, fmt.Sprintf("and %d more", len(n.serving)-maxNamed))
			break
		}
		e := &n.serving[i]
		serving = append(serving, fmt.Sprintf("%q in %s", cut(e.arm, 120), e.Artifact.Short()))
	}
	for _, k := range n.disagree {
		keys = append(keys, string(k))
	}
	return fmt.Sprintf("the served name %q stands in %d recipe entries that differ in %s: %s; declare those facts for this run, its artifact or its campaign",
		cut(name, 200), len(n.serving), strings.Join(keys, ", "), strings.Join(serving, ", "))
}

// compareKeys orders keys as the registry does, unknown ones last by name.
func compareKeys(x, y evidence.FactKey) int {
	if d := rank(x) - rank(y); d != 0 {
		return d
	}
	return strings.Compare(string(x), string(y))
}

// of is what recipes say of the name a run was served under.
func (x *recipes) of(served *evidence.FactRow) *servedName {
	switch served.State {
	case evidence.Absent, evidence.Conflict:
		return nil
	}
	return x.names[served.Value]
}

// settles reports whether a declaration settles what its source says twice: recipes have
// no say there.
func settles(f *evidence.FactRow) bool {
	return slices.ContainsFunc(f.Others, func(x evidence.OtherValue) bool { return x.Repair == 0 })
}

// over gives a run what recipes know and it does not say. A declaration that differs
// stands, with the recipe's value beside it.
func (x *recipes) over(o *overlay, r *evidence.RunRow) {
	if len(x.names) == 0 {
		return
	}
	at := factAt(r.Facts, evidence.KeyServedModel)
	if at < 0 {
		return
	}
	n := x.of(&r.Facts[at])
	if n == nil {
		return
	}
	for i := range n.facts {
		f := &n.facts[i]
		at := factAt(r.Facts, f.Key)
		switch {
		case at < 0:
			r.Facts = append(r.Facts, inRun(*f, r))
		case r.Facts[at].State == evidence.Absent:
			r.Facts[at] = inRun(*f, r)
		case r.Facts[at].Repair != 0 && !settles(&r.Facts[at]) && !o.same(f.Key, f.Value, r.Facts[at].Value):
			have := &r.Facts[at]
			have.Others = append(have.Others[:len(have.Others):len(have.Others)], otherOf(f))
		}
	}
}
