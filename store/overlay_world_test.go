package store

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// world is an archive of made-up documents whose facts stand at every scope, with
// repairs and recipes made up over them.
type world struct {
	t        *testing.T
	a        *Archive
	rnd      *rand.Rand
	readings map[evidence.Digest]*evidence.Reading
	repairs  []evidence.Repair
}

var worldKeys = []evidence.FactKey{evidence.KeyEngine, evidence.KeyGPUProduct, evidence.KeyModel, evidence.KeyServedModel, evidence.KeyMTPDepth}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, a: openTemp(t), rnd: rand.New(rand.NewPCG(seed, 7)), readings: map[evidence.Digest]*evidence.Reading{}}
	for i := range 4 {
		w.file(fmt.Sprint("doc ", seed, i), w.document(fmt.Sprint("campaign-", i%2)))
	}
	for i := range 2 {
		entries := make([]map[evidence.FactKey]string, 1+w.rnd.IntN(2))
		for j := range entries {
			entries[j] = map[evidence.FactKey]string{evidence.KeyGPUProduct: "never from a recipe"}
			for _, k := range worldKeys {
				if w.rnd.IntN(4) > 0 {
					entries[j][k] = w.value(k)
				}
			}
		}
		w.file(fmt.Sprint("recipe ", seed, i), recipeReading(entries...))
	}
	return w
}

func (w *world) file(data string, r *evidence.Reading) {
	k := fileReading(w.t, w.a, "f.json", data, r)
	w.readings[k.Digest] = r
}

func (w *world) value(k evidence.FactKey) string {
	if k == evidence.KeyMTPDepth {
		return fmt.Sprint(w.rnd.IntN(3))
	}
	return []string{"Alpha", "beta", "gam_ma"}[w.rnd.IntN(3)]
}

// facts makes some up. An empty slot of an arm or a run would hide what stands above it.
func (w *world) facts(share int, empty bool) []evidence.Fact {
	var list []evidence.Fact
	for _, k := range worldKeys {
		if w.rnd.IntN(100) >= share {
			continue
		}
		f := evidence.Fact{Key: k, Value: w.value(k), State: evidence.Recorded, Place: evidence.At(evidence.Pointer("/f/" + fmt.Sprint(w.rnd.IntN(1e6))))}
		switch w.rnd.IntN(10) {
		case 0:
			if !empty {
				break
			}
			f.Value, f.State = "", evidence.Absent
		case 1:
			f.State = evidence.Conflict
		case 2:
			f.State, f.Rule = evidence.Derived, "prose/shape"
		}
		list = append(list, f)
	}
	return list
}

func (w *world) document(campaign string) *evidence.Reading {
	d := evidence.Document{Schema: "lab/v1", Family: "F1", Reader: "lab", ReaderVersion: 1, Campaign: evidence.Campaign{ID: campaign}, Facts: w.facts(30, true)}
	for i := range 3 {
		at := evidence.Pointer(fmt.Sprint("/arms/", i))
		arm := evidence.Arm{Name: fmt.Sprint("arm-", i), Place: evidence.At(at), Facts: w.facts(25, false)}
		for j := range 2 {
			arm.Runs = append(arm.Runs, evidence.Run{Name: "r", Class: evidence.ClassShort, Status: evidence.Measured,
				Place: evidence.At(at.Key("runs").Index(j)), Facts: w.facts(20, false)})
		}
		d.Arms = append(d.Arms, arm)
	}
	return &evidence.Reading{State: evidence.Accepted, Family: "F1", Reader: "lab@1", Encoding: "utf-8", Documents: []evidence.Document{d}}
}

// repair makes up a repair of a kind that the archive may refuse (twice the same) or not.
func (w *world) repair(kind evidence.RepairKind) {
	k := worldKeys[w.rnd.IntN(len(worldKeys))]
	runs := w.runs(evidence.Filter{Family: "F1"})
	r := runs[w.rnd.IntN(len(runs))]
	var out evidence.Repair
	switch kind {
	case evidence.RepairAlias:
		if k == evidence.KeyMTPDepth {
			return
		}
		out = said(kind, w.value(k), k, w.value(k))
	case evidence.RepairMove:
		out = said(kind, r.Artifact.String(), "", fmt.Sprint("campaign-", w.rnd.IntN(3)))
	case evidence.RepairFact:
		scope := [4]evidence.Scope{{Campaign: r.Campaign}, {Artifact: r.Artifact}, r.Scope(), {Artifact: r.Artifact, Place: evidence.Some(r.ArmPlace.Pointer)}}
		out = said(kind, scope[w.rnd.IntN(4)].String(), k, w.value(k))
	}
	got, err := w.a.AddRepair(context.Background(), out)
	if err == nil {
		w.repairs = append(w.repairs, got)
	}
}

func (w *world) runs(f evidence.Filter) []evidence.RunRow {
	w.t.Helper()
	runs, err := w.a.Runs(context.Background(), f)
	if err != nil {
		w.t.Fatal(err)
	}
	return runs
}

func (w *world) dump() string {
	w.t.Helper()
	var buf bytes.Buffer
	if err := w.a.DumpDerived(context.Background(), &buf); err != nil {
		w.t.Fatal(err)
	}
	return buf.String()
}

// lines are all exports in which repairs show.
func (w *world) lines() []string {
	w.t.Helper()
	var out []string
	ctx := context.Background()
	for _, err := range []error{
		w.a.EachFact(ctx, evidence.Filter{}, func(f evidence.FactRow) error { out = append(out, fmt.Sprintf("%+v", f)); return nil }),
		w.a.EachRun(ctx, evidence.Filter{}, func(r evidence.RunRow) error { out = append(out, fmt.Sprintf("%+v", r)); return nil }),
		w.a.EachFinding(ctx, evidence.Filter{}, func(f evidence.FindingRow) error { out = append(out, fmt.Sprintf("%+v", f)); return nil }),
	} {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return out
}

// holding are the declarations in force about a run.
func (w *world) holding(r *evidence.RunRow, k evidence.FactKey) []evidence.Repair {
	var list []evidence.Repair
	for _, x := range w.repairs {
		whole := evidence.Scope{Artifact: r.Artifact}.String()
		about := []string{"campaign:" + r.Campaign, whole, whole + "#" + string(r.ArmPlace.Pointer), whole + "#" + string(r.Place.Pointer)}
		if x.Kind == evidence.RepairFact && x.Key == k && slices.Contains(about, x.Target) {
			list = append(list, x)
		}
	}
	return list
}

func (w *world) means(k evidence.FactKey, v string) string {
	for range 10 {
		for _, x := range w.repairs {
			if x.Kind == evidence.RepairAlias && x.Key == k && x.Target == v {
				v = x.Value
				break
			}
		}
	}
	return v
}

// TestRepairsSayWhatTheyShould holds the facts of every run against the rules, spelled
// out one by one, and every filter against the facts.
func TestRepairsSayWhatTheyShould(t *testing.T) {
	for seed := range uint64(10) {
		w := newWorld(t, seed)
		before := map[string]evidence.RunRow{}
		for _, r := range w.runs(evidence.Filter{}) {
			before[r.ID] = r
		}
		for range 14 {
			w.repair([]evidence.RepairKind{evidence.RepairFact, evidence.RepairFact, evidence.RepairAlias}[w.rnd.IntN(3)])
		}
		for _, r := range w.runs(evidence.Filter{}) {
			was := before[r.ID]
			for _, k := range worldKeys {
				w.check(&was, &r, k)
			}
		}
		w.checkFilters()
		w.checkLines()
	}
}

func (w *world) check(was, r *evidence.RunRow, k evidence.FactKey) {
	w.t.Helper()
	old, had := was.Fact(k)
	if had && (old.Rule == ruleServedName || old.State == evidence.Absent) {
		had = false
	}
	got, has := r.Fact(k)
	said := w.holding(r, k)
	meanings := map[string]bool{}
	for _, x := range said {
		meanings[w.means(k, x.Value)] = true
	}
	want := evidence.State("")
	switch {
	case len(said) == 0 && had:
		want = old.State
	case len(said) == 0: // recipes have their own test
		return
	case len(meanings) > 1:
		want = evidence.Conflict
	case !had || old.State == evidence.Conflict:
		want = evidence.Declared
	case meanings[w.means(k, old.Value)]:
		want = old.State
	default:
		want = evidence.Conflict
	}
	if !has || got.State != want {
		w.t.Errorf("%s %s: %+v, want %s; it was %+v, declared are %+v", r.ID, k, got, want, old, said)
	}
	if m := w.means(k, got.Value); got.Means() != m {
		w.t.Errorf("%s %s: %q means %q, want %q", r.ID, k, got.Value, got.Means(), m)
	}
	if want == evidence.Conflict && len(got.Others) == 0 && old.State != evidence.Conflict {
		w.t.Errorf("%s %s: a conflict with one side: %+v", r.ID, k, got)
	}
}

// checkFilters compares what SQL finds with what the facts of the runs say.
func (w *world) checkFilters() {
	w.t.Helper()
	for text := range map[string]bool{"alp": true, "ETA": true, "m_m": true, "n": true, "zeta": true} {
		for _, by := range []struct {
			f    evidence.Filter
			keys []evidence.FactKey
		}{
			{evidence.Filter{Engine: text}, engineKeys}, {evidence.Filter{GPU: text}, cardKeys}, {evidence.Filter{Model: text}, modelKeys},
		} {
			var want, got []string
			found := w.runs(by.f)
			finds := func(id string) bool {
				return slices.ContainsFunc(found, func(r evidence.RunRow) bool { return r.ID == id })
			}
			for _, r := range w.runs(evidence.Filter{}) {
				says := slices.ContainsFunc(by.keys, func(k evidence.FactKey) bool { return w.says(&r, k, text) })
				declared := slices.ContainsFunc(append(by.keys, evidence.KeyServedModel), func(k evidence.FactKey) bool { return len(w.holding(&r, k)) > 0 })
				if declared && !says && finds(r.ID) {
					continue // what a declaration stands against may be found, too
				}
				if says {
					want = append(want, r.ID)
				}
				if finds(r.ID) {
					got = append(got, r.ID)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				w.t.Errorf("%+v (-want +got):\n%s\n%+v", by.f, diff, w.repairs)
			}
			if n, err := w.a.CountRuns(context.Background(), by.f); err != nil || n != len(found) {
				w.t.Errorf("%+v counts %d, %v; want %d", by.f, n, err, len(found))
			}
		}
	}
}

func (w *world) says(r *evidence.RunRow, k evidence.FactKey, text string) bool {
	var values []string
	if f, ok := r.Fact(k); ok {
		values = append(values, f.Value)
		for _, x := range f.Others {
			values = append(values, x.Value)
		}
	}
	for _, x := range w.holding(r, k) {
		values = append(values, x.Value)
	}
	return slices.ContainsFunc(values, func(v string) bool { return v != "" && (hasText(v, text) || hasText(w.means(k, v), text)) })
}

// checkLines looks for the line behind every fact of every run.
func (w *world) checkLines() {
	w.t.Helper()
	var lines []evidence.FactRow
	if err := w.a.EachFact(context.Background(), evidence.Filter{}, func(f evidence.FactRow) error { lines = append(lines, f); return nil }); err != nil {
		w.t.Fatal(err)
	}
	w.checkPages(lines)
	for _, r := range w.runs(evidence.Filter{Family: "F1"}) {
		if len(w.holding(&r, evidence.KeyServedModel)) > 0 {
			continue // lines do not weigh served names against each other
		}
		for _, f := range r.Facts {
			found := slices.ContainsFunc(lines, func(l evidence.FactRow) bool {
				here := l.Run == r.ID || l.Run == "" && l.Arm == r.Arm || l.Run == "" && l.Arm == ""
				same := here && l.Key == f.Key && (l.Value == f.Value || f.Repair != 0 && w.means(f.Key, l.Value) == w.means(f.Key, f.Value))
				switch {
				case f.Repair != 0:
					return same && l.Repair != 0
				case f.Rule == ruleServedName:
					return same && l.Rule == ruleServedName && l.Artifact == f.Artifact
				}
				return same && l.Place == f.Place
			})
			if !found {
				w.t.Errorf("no line for %+v of %s", f, r.ID)
			}
		}
	}
}

// checkPages: a page of a filtered list is a part of the whole list.
func (w *world) checkPages(lines []evidence.FactRow) {
	w.t.Helper()
	run := w.runs(evidence.Filter{Limit: 1, Offset: 3})[0]
	for _, f := range []evidence.Filter{
		{Key: evidence.KeyEngine}, {State: "declared"}, {State: "conflict", Key: evidence.KeyModel}, {State: "derived"}, {Arm: "arm-1"}, {Run: run.ID},
		{Class: "hardware"}, {Campaign: "campaign-1"}, {Artifact: run.Artifact.String()[:9]},
	} {
		var want []evidence.FactRow
		for _, l := range lines {
			if (f.Key == "" || l.Key == f.Key) && (f.State == "" || string(l.State) == f.State) && (f.Arm == "" || l.Arm == f.Arm) &&
				(f.Run == "" || l.Run == f.Run) && (f.Class == "" || string(evidence.LookupKey(l.Key).Class) == f.Class) &&
				(f.Campaign == "" || l.Campaign == f.Campaign) && (f.Artifact == "" || l.Artifact == run.Artifact || l.Rule == ruleServedName && strings.HasPrefix(l.Run+run.ID, run.ID)) {
				want = append(want, l)
			}
		}
		if f.Artifact != "" { // a recipe's fact names the recipe: compare what the run's artifact holds
			want = slices.DeleteFunc(want, func(l evidence.FactRow) bool { return l.Rule == ruleServedName })
		}
		for _, page := range []evidence.Filter{{}, {Offset: 1, Limit: 2}} {
			f.Offset, f.Limit = page.Offset, page.Limit
			var got []evidence.FactRow
			if err := w.a.EachFact(context.Background(), f, func(l evidence.FactRow) error { got = append(got, l); return nil }); err != nil {
				w.t.Fatal(err)
			}
			if f.Artifact != "" {
				got = slices.DeleteFunc(got, func(l evidence.FactRow) bool { return l.Rule == ruleServedName })
			}
			part := want[min(f.Offset, len(want)):]
			if f.Limit > 0 {
				part = part[:min(f.Limit, len(part))]
			}
			if f.Artifact != "" && f.Limit > 0 {
				continue
			}
			if len(part) != len(got) || len(part) > 0 && !cmp.Equal(part, got) {
				w.t.Errorf("%+v gives %d lines, want %d:\n%s", f, len(got), len(part), cmp.Diff(part, got))
			}
		}
	}
}

// TestWithdrawnRepairsLeaveNothing: whatever was said, once all of it is taken back the
// archive is as if nobody had said anything, and at every moment the derived rows are
// those of a fresh reading.
func TestWithdrawnRepairsLeaveNothing(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(8) {
		w := newWorld(t, 100+seed)
		dump, lines := w.dump(), w.lines()
		for range 20 {
			w.repair(evidence.RepairKinds[w.rnd.IntN(3)])
		}
		w.fresh()
		w.sums()
		w.rnd.Shuffle(len(w.repairs), func(i, j int) { w.repairs[i], w.repairs[j] = w.repairs[j], w.repairs[i] })
		for i, r := range w.repairs {
			withdraw(t, w.a, r.ID)
			if i%5 == 0 {
				w.fresh()
			}
		}
		w.sums()
		if diff := cmp.Diff(dump, w.dump()); diff != "" {
			t.Errorf("derived rows, seed %d (-before +after):\n%s", seed, diff)
		}
		if diff := cmp.Diff(lines, w.lines()); diff != "" {
			t.Errorf("exports, seed %d (-before +after):\n%s", seed, diff)
		}
		if n, bad, err := w.a.VerifyDigests(ctx, nil); err != nil || len(bad) > 0 || n != len(w.readings) {
			t.Errorf("%d artifacts, bad %v, %v", n, bad, err)
		}
	}
}

// fresh holds every artifact's rows against a reading as intake would make it now.
func (w *world) fresh() {
	w.t.Helper()
	ctx := context.Background()
	all, err := w.a.All(ctx, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, k := range all {
		r := *w.readings[k.Digest]
		r.Documents = slices.Clone(r.Documents)
		for i := range r.Documents {
			r.Documents[i].Campaign = settled(k, r.Documents[i].Campaign)
		}
		want, err := Derived(k, &r)
		if err != nil {
			w.t.Fatal(err)
		}
		got, err := w.a.DerivedOf(ctx, k.ArtifactID)
		if err != nil {
			w.t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			w.t.Errorf("artifact %s (-fresh +stored):\n%s", k.Digest.Short(), diff)
		}
	}
}

// sums holds the campaign list against the runs.
func (w *world) sums() {
	w.t.Helper()
	runs := map[string]int{}
	for _, r := range w.runs(evidence.Filter{}) {
		runs[r.Campaign]++
	}
	list, _, err := w.a.Campaigns(context.Background(), evidence.Filter{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range list {
		if c.Runs != runs[c.ID] {
			w.t.Errorf("campaign %s says %d runs, has %d", c.ID, c.Runs, runs[c.ID])
		}
		delete(runs, c.ID)
	}
	if len(runs) > 0 {
		w.t.Errorf("runs of campaigns that are not listed: %v", runs)
	}
}
