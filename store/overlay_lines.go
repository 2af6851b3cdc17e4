package store

import (
	"cmp"
	"slices"

	"assay/store/evidence"
)

// Lists of facts show a declaration once, where it was made, and not again for every
// run below: in the line of a document for a campaign or an artifact, in that of an arm
// or a run for a place. The same goes for what a recipe gives a served name.

// adds reports whether documents may have facts that they do not record, of any key
// when k is "".
func (o *overlay) adds(k evidence.FactKey) bool {
	switch {
	case o.empty():
		return false
	case k == "":
		return len(o.declared) > 0 || len(o.recipes.gives) > 0
	}
	return len(o.declared[k]) > 0 || o.recipes.gives[k]
}

// dispute turns a recorded fact into a conflict where a declaration about its owner says
// something else.
func (o *overlay) dispute(f *evidence.FactRow, said []*evidence.Repair) {
	if f.State == evidence.Absent || f.State == evidence.Conflict {
		return
	}
	group := ofKey(said, f.Key)
	if len(group) == 0 {
		return
	}
	judged, changed := o.weigh(f, group)
	if !changed {
		judged.Meaning = o.specified(f, group)
	}
	*f = judged
}

func ofKey(said []*evidence.Repair, k evidence.FactKey) []*evidence.Repair {
	var group []*evidence.Repair
	for _, r := range said {
		if r.Key == k {
			group = append(group, r)
		}
	}
	return group
}

func (o *overlay) spellOne(f *evidence.FactRow) {
	if m := o.means(f.Key, f.Value); m != "" && f.State != evidence.Absent {
		f.Meaning = m
	}
}

// owner is what a fact is a fact of: a document (both -1), an arm (run -1) or a run.
type owner struct{ arm, run int64 }

var wholeDocument = owner{-1, -1}

func (w owner) above() owner {
	if w.run >= 0 {
		return owner{w.arm, -1}
	}
	return wholeDocument
}

func compareOwners(x, y owner) int {
	return cmp.Or(cmp.Compare(x.arm, y.arm), cmp.Compare(x.run, y.run))
}

// said are the declarations about an owner, and those made for it alone.
func (x *adding) said(w owner) (all, own []*evidence.Repair) {
	d := x.o.artifacts[x.doc.Artifact]
	var places []evidence.Pointer
	if d != nil && w.arm >= 0 && x.arms != nil {
		places = append(places, x.arms[w.arm].at)
		if w.run >= 0 {
			places = append(places, x.runs[w.run])
		}
	}
	all = x.o.about(x.doc.campaign, x.doc.Artifact, places...)
	switch {
	case w == wholeDocument:
		return all, all
	case d == nil:
		return all, nil
	case w.run < 0:
		return all, d.places[places[0]]
	case places[1] != places[0]:
		return all, d.places[places[1]]
	}
	return all, nil
}

// have is what is recorded of a key for an owner, by itself or by what it belongs to.
func (x *adding) have(w owner, k evidence.FactKey) *evidence.FactRow {
	for {
		if f, ok := x.recorded[w][k]; ok {
			return &f
		}
		if w == wholeDocument {
			return nil
		}
		w = w.above()
	}
}

func (x *adding) emit(w owner, f evidence.FactRow) {
	f.Campaign, f.Arm = x.doc.campaign, x.arms[w.arm].name
	if w.run >= 0 {
		f.Run = evidence.RunID(x.doc.Artifact, int(w.run&maxOrdinal))
	}
	x.o.spellOne(&f)
	x.out = append(x.out, f)
}

// declared adds the declarations made for an owner.
func (x *adding) declared(w owner) {
	all, own := x.said(w)
	byKey(own, func(k evidence.FactKey, mine []*evidence.Repair) {
		group, have := ofKey(all, k), x.have(w, k)
		if _, changed := x.o.weigh(have, group); !changed && x.o.specified(have, mine) == "" && !x.matters(w, group) {
			return // it says what is recorded, in the same words
		}
		for _, f := range x.o.lines(have, group, mine) {
			f.Source = x.doc.Source
			x.emit(w, f)
		}
	})
}

// matters reports whether declarations that repeat what an owner records say something
// about an arm or a run below it that records something else.
func (x *adding) matters(w owner, group []*evidence.Repair) bool {
	for below, facts := range x.recorded {
		f, ok := facts[group[0].Key]
		if !ok || below == w || w.run >= 0 || w.arm >= 0 && below.arm != w.arm {
			continue
		}
		if _, changed := x.o.weigh(&f, group); changed {
			return true
		}
	}
	return false
}

// lines are the facts that declarations of one key make beside what is recorded.
func (o *overlay) lines(have *evidence.FactRow, group, mine []*evidence.Repair) []evidence.FactRow {
	judged, changed := o.weigh(have, group)
	var list []evidence.FactRow
	for i, r := range mine {
		f := declaredRow(r)
		repeated := slices.ContainsFunc(mine[:i], func(x *evidence.Repair) bool { return o.same(r.Key, x.Value, r.Value) })
		if repeated || changed && judged.Repair == 0 && o.same(r.Key, have.Value, r.Value) {
			continue
		}
		if changed {
			f.State = judged.State
		}
		for _, other := range group {
			if !o.same(r.Key, other.Value, r.Value) {
				f.Others = append(f.Others, declaredOther(other))
			}
		}
		if changed && have != nil && have.State != evidence.Absent {
			f.Others = append(append(f.Others, otherOf(have)), have.Others...)
		}
		list = append(list, f)
	}
	return list
}

// linked adds what recipes give an owner with a served name of its own, recorded or
// declared, and that nobody else says.
func (x *adding) linked(w owner) {
	if x.doc.family == recipeFamily {
		return
	}
	all, own := x.said(w)
	served, ok := x.recorded[w][evidence.KeyServedModel]
	if group := ofKey(own, evidence.KeyServedModel); len(group) > 0 {
		served, _ = x.o.weigh(x.have(w, evidence.KeyServedModel), ofKey(all, evidence.KeyServedModel))
	} else if !ok {
		return
	}
	n := x.o.recipes.of(&served)
	if n == nil {
		return
	}
	for _, f := range n.facts {
		if have := x.have(w, f.Key); have != nil && have.State != evidence.Absent || len(ofKey(all, f.Key)) > 0 || x.isGiven(w, &f) {
			continue
		}
		if x.given[w] == nil {
			x.given[w] = map[evidence.FactKey]entryPlace{}
		}
		x.given[w][f.Key] = entryPlace{f.Source, f.Place}
		x.emit(w, f)
	}
}

// isGiven reports whether what the owner belongs to got the same fact from the same recipe.
func (x *adding) isGiven(w owner, f *evidence.FactRow) bool {
	for w != wholeDocument {
		w = w.above()
		if s, ok := x.given[w][f.Key]; ok {
			return s == entryPlace{f.Source, f.Place}
		}
	}
	return false
}

// overDocument lays the overlay over the facts of a document as such.
func (o *overlay) overDocument(d *evidence.DocumentRow, id int64) {
	x := &adding{
		o: o, doc: document{id: id, Source: d.Source, campaign: d.Campaign.ID, family: d.Family},
		recorded: map[owner]map[evidence.FactKey]evidence.FactRow{wholeDocument: {}}, given: map[owner]map[evidence.FactKey]entryPlace{},
	}
	for _, f := range d.Facts {
		if _, seen := x.recorded[wholeDocument][f.Key]; !seen {
			x.recorded[wholeDocument][f.Key] = f
		}
	}
	x.declared(wholeDocument)
	x.linked(wholeDocument)
	said, _ := x.said(wholeDocument)
	for i := range d.Facts {
		o.dispute(&d.Facts[i], said)
		o.spellOne(&d.Facts[i])
	}
	d.Facts = append(d.Facts, x.out...)
}
