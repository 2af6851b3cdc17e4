package store

import (
	"slices"
	"strings"

	"assay/store/evidence"
)

// about lists the declarations that speak of a run, an arm or a document: those of its
// campaign, its artifact and the places it was read from, the first made first.
func (o *overlay) about(campaign string, artifact evidence.Digest, places ...evidence.Pointer) []*evidence.Repair {
	if len(o.declared) == 0 {
		return nil
	}
	said := o.campaigns[campaign]
	d := o.artifacts[artifact]
	if d == nil {
		return said
	}
	said = append(said[:len(said):len(said)], d.whole...)
	for i, p := range places {
		if i == 0 || p != places[0] {
			said = append(said, d.places[p]...)
		}
	}
	slices.SortStableFunc(said, byID)
	return said
}

func byID(x, y *evidence.Repair) int { return int(x.ID - y.ID) }

// byKey hands out the declarations of each key, keys in order.
func byKey(said []*evidence.Repair, each func(k evidence.FactKey, group []*evidence.Repair)) {
	if len(said) == 0 {
		return
	}
	sorted := slices.Clone(said)
	slices.SortStableFunc(sorted, func(x, y *evidence.Repair) int { return strings.Compare(string(x.Key), string(y.Key)) })
	for lo := 0; lo < len(sorted); {
		hi := lo + 1
		for hi < len(sorted) && sorted[hi].Key == sorted[lo].Key {
			hi++
		}
		each(sorted[lo].Key, sorted[lo:hi])
		lo = hi
	}
}

// placeOf is where a declaration says it holds; "" for a campaign or a whole artifact.
func placeOf(r *evidence.Repair) evidence.Place {
	scope, err := evidence.ParseScope(r.Target)
	if err != nil {
		return evidence.Place{}
	}
	return evidence.At(scope.Place.V)
}

func declaredRow(r *evidence.Repair) evidence.FactRow {
	return evidence.FactRow{
		Fact:   evidence.Fact{Key: r.Key, Value: r.Value, State: evidence.Declared, Rule: r.Author, Place: placeOf(r)},
		Repair: r.ID,
	}
}

func declaredOther(r *evidence.Repair) evidence.OtherValue {
	return evidence.OtherValue{Value: r.Value, State: evidence.Declared, By: r.Author, Repair: r.ID, Place: placeOf(r)}
}

func otherOf(f *evidence.FactRow) evidence.OtherValue {
	return evidence.OtherValue{Value: f.Value, State: f.State, By: f.Rule, Repair: f.Repair, Source: f.Source, Place: f.Place}
}

// weigh holds a fact against the declarations of its key. have is nil where nothing is
// recorded. The second result is false when have stands as it is.
//
//   - Nothing recorded, or a slot left empty: the declaration is the fact.
//   - The source contradicts itself: a declaration settles it.
//   - Recorded or derived with another meaning: a conflict that shows every side.
//   - Declarations that disagree among each other: a conflict.
func (o *overlay) weigh(have *evidence.FactRow, group []*evidence.Repair) (evidence.FactRow, bool) {
	first := declaredRow(group[0])
	var others []evidence.OtherValue
	for _, r := range group[1:] {
		if !o.same(r.Key, r.Value, first.Value) {
			others = append(others, declaredOther(r))
		}
	}
	switch {
	case have == nil || have.State == evidence.Absent || have.State == evidence.Conflict:
		if len(others) > 0 {
			first.State = evidence.Conflict
		}
		if have != nil && have.State == evidence.Conflict {
			others = append(append(others, otherOf(have)), have.Others...)
		}
		first.Others = others
		return first, true
	case len(others) == 0 && o.same(have.Key, have.Value, first.Value):
		return *have, false
	}
	f := *have
	f.State = evidence.Conflict
	for _, r := range group {
		if !o.same(r.Key, r.Value, f.Value) {
			f.Others = append(f.Others, declaredOther(r))
		}
	}
	return f, true
}

// over lays the overlay over the merged facts of a run.
func (o *overlay) over(r *evidence.RunRow) {
	if o.empty() {
		return
	}
	byKey(o.about(r.Campaign, r.Artifact, r.ArmPlace.Pointer, r.Place.Pointer), func(k evidence.FactKey, group []*evidence.Repair) {
		at := factAt(r.Facts, k)
		var have *evidence.FactRow
		if at >= 0 {
			have = &r.Facts[at]
		}
		f, changed := o.weigh(have, group)
		switch {
		case !changed:
			r.Facts[at].Meaning = o.specified(have, group)
		case f.Repair == 0:
			r.Facts[at] = f
		case at >= 0:
			r.Facts[at] = inRun(f, r)
		default:
			r.Facts = append(r.Facts, inRun(f, r))
		}
	})
	o.recipes.over(o, r)
	o.spell(r.Facts)
}

// specified is what declarations make of a recorded value that they spell otherwise: the
// same card, for example, with the power class that the source leaves out.
func (o *overlay) specified(have *evidence.FactRow, group []*evidence.Repair) string {
	if evidence.LookupKey(have.Key).Unit != "" {
		return ""
	}
	for _, r := range group {
		if m := o.word(r.Key, r.Value); m != o.word(have.Key, have.Value) {
			return m
		}
	}
	return ""
}

// inRun gives a fact that nothing of the run's own states its place among the others.
func inRun(f evidence.FactRow, r *evidence.RunRow) evidence.FactRow {
	if f.Repair != 0 {
		f.Source = r.Source
	}
	f.Campaign, f.Arm, f.Run = r.Campaign, r.Arm, r.ID
	return f
}

// spell adds what people say the values mean.
func (o *overlay) spell(facts []evidence.FactRow) {
	if len(o.aliases) == 0 {
		return
	}
	for i := range facts {
		if m := o.aliases[facts[i].Key][facts[i].Value]; m != "" && facts[i].State != evidence.Absent {
			facts[i].Meaning = m
		}
	}
}

func factAt(facts []evidence.FactRow, k evidence.FactKey) int {
	for i := range facts {
		if facts[i].Key == k {
			return i
		}
	}
	return -1
}
