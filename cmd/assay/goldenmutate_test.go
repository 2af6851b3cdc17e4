package main

import (
	"context"
	"encoding/json"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/store/compare"
	"assay/store/evidence"
)

// TestGoldenMutations changes what labelled pairs are made of. One shape or hardware fact
// of one side of an honest pair changed: it is never shown. One taken away from a pair
// that must be stopped: it never opens. Order and side change nothing.
func TestGoldenMutations(t *testing.T) {
	shared := sharedCorpus(t)
	if testing.Short() {
		t.Skip("takes in hundreds of files")
	}
	archive := goldenArchive(t, shared)
	changed, taken := 0, 0
	for _, p := range goldenPairs(t, shared) {
		q := compare.Question{Metric: p.Metric, Stat: p.Stat}
		refs := p.refs(shared)
		pairs, err := comparison(context.Background(), archive, refs, q)
		if err != nil || pairs[0].Control == nil {
			continue
		}
		a, b := pairs[0].Control, pairs[0].Arm
		checkOrder(t, p.ID, a, b, q)
		if p.Expect == "allow" {
			changed += changeEach(t, p.ID, a, b, q)
			changed += changeEach(t, p.ID, b, a, q)
		} else {
			taken += takeEach(t, p.ID, a, b, q)
			taken += takeEach(t, p.ID, b, a, q)
		}
	}
	t.Logf("%d facts changed, %d taken away", changed, taken)
}

func goldenPairs(t *testing.T, shared string) []goldenPair {
	t.Helper()
	var all []goldenPair
	for _, set := range goldenSets {
		data, err := os.ReadFile(filepath.Join(shared, "golden", set.pairs))
		if err != nil {
			t.Fatal(err)
		}
		var pairs []goldenPair
		if err := json.Unmarshal(data, &pairs); err != nil {
			t.Fatal(err)
		}
		for i := range pairs {
			pairs[i].root = set.root
			if m := pairs[i].CommandMetric; m != "" {
				pairs[i].Metric, pairs[i].Automatable = m, true
			}
		}
		all = append(all, pairs...)
	}
	return all
}

// judged are the facts that a mutation must show in.
func judged(k evidence.FactKey) bool {
	c := evidence.LookupKey(k).Class
	return c == evidence.Shape || c == evidence.Hardware
}

func withFacts(r *evidence.RunRow, facts []evidence.FactRow) *evidence.RunRow {
	c := *r
	c.Facts = facts
	return &c
}

// another is a value of the key that means something else.
func another(f *evidence.FactRow) string {
	switch f.Key {
	case evidence.KeyGPUProduct:
		return "NVIDIA H100 80GB"
	case evidence.KeyThinking:
		if f.Value == "enabled" {
			return "disabled"
		}
		return "enabled"
	case evidence.KeyThinkingEffort:
		return "extreme"
	case evidence.KeyCachedFraction:
		if f.Value == "0" {
			return "0.9"
		}
		return "0"
	}
	if n, err := evidence.ParseDecimal(f.Value); err == nil {
		return evidence.FormatDecimal(2*n + 1)
	}
	return "not " + f.Value
}

func changeEach(t *testing.T, id string, a, b *evidence.RunRow, q compare.Question) int {
	n := 0
	for i := range b.Facts {
		f := b.Facts[i]
		if !judged(f.Key) || f.State == evidence.Absent || f.State == evidence.Conflict || mayDiffer[f.Key] {
			continue
		}
		if f.Key == evidence.KeyCompletionMode && q.Metric == evidence.TTFT {
			continue // how an answer ends does not change when it begins
		}
		facts := slices.Clone(b.Facts)
		facts[i].Value, facts[i].Meaning = another(&f), ""
		j := compare.Judge(a, withFacts(b, facts), q)
		if caveatOnly(b, f.Key) && j.Verdict == compare.Caution {
			continue
		}
		if j.Verdict.Shows() {
			t.Errorf("%s: %s is %q instead of %q and the pair is %s", id, f.Key, facts[i].Value, f.Value, j.Verdict)
		}
		n++
	}
	return n
}

// mayDiffer are keys that repeat what another says: the total follows from the load of
// one replica.
var mayDiffer = map[evidence.FactKey]bool{evidence.KeyConcurrencyAll: true}

// caveatOnly are the keys that a kind of work lets differ with a caveat: another number of
// runs is another size of the sample, and a suite is the same prompts by its digest.
func caveatOnly(r *evidence.RunRow, k evidence.FactKey) bool {
	_, suite := r.Fact(evidence.KeySuite)
	return k == evidence.KeyRepetitions && !suite || k == evidence.KeyPromptTokens && suite
}

func takeEach(t *testing.T, id string, a, b *evidence.RunRow, q compare.Question) int {
	n := 0
	for i := range b.Facts {
		if !judged(b.Facts[i].Key) {
			continue
		}
		if j := compare.Judge(a, withFacts(b, slices.Delete(slices.Clone(b.Facts), i, i+1)), q); j.Verdict.Shows() {
			t.Errorf("%s: without %s the pair is %s", id, b.Facts[i].Key, j.Verdict)
		}
		n++
	}
	return n
}

func checkOrder(t *testing.T, id string, a, b *evidence.RunRow, q compare.Question) {
	want := compare.Judge(a, b, q)
	if got := compare.Judge(b, a, q); got.Verdict != want.Verdict {
		t.Errorf("%s: %s one way and %s the other", id, want.Verdict, got.Verdict)
	}
	facts := slices.Clone(b.Facts)
	rand.New(rand.NewSource(int64(len(facts)))).Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
	if got := compare.Judge(a, withFacts(b, facts), q); got.Verdict != want.Verdict || len(got.Reasons) != len(want.Reasons) {
		t.Errorf("%s: the order of facts matters", id)
	}
}
