package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// factOf is the fact of a run as "value state others".
func factOf(t testing.TB, a *Archive, run string, k evidence.FactKey) string {
	t.Helper()
	r, err := a.Run(context.Background(), run)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := r.Fact(k)
	if !ok {
		return ""
	}
	s := f.Value + " " + string(f.State)
	if f.Meaning != "" {
		s += " means " + f.Meaning
	}
	for _, x := range f.Others {
		s += " / " + x.Value + " " + string(x.State)
	}
	return s
}

func TestDeclaredFact(t *testing.T) {
	a := openTemp(t)
	k := fileReading(t, a, "engines.json", "engines", enginesReading())
	run := func(n int) string { return evidence.RunID(k.Digest, n) }
	campaign := repairWith(t, a, said(evidence.RepairFact, "campaign:engines", evidence.KeyGPUMemory, "96 GiB"))
	if campaign.Value != "103079215104" {
		t.Errorf("the value is kept as %q", campaign.Value)
	}
	if got := factOf(t, a, run(0), evidence.KeyGPUMemory); got != "103079215104 declared" {
		t.Errorf("absent and declared: %s", got)
	}
	engine := repairWith(t, a, said(evidence.RepairFact, "artifact:"+k.Digest.String(), evidence.KeyEngine, "gamma"))
	for n, want := range []string{"Alpha 100% conflict / gamma declared", "gamma recorded", "beta_2 conflict / gamma declared"} {
		if got := factOf(t, a, run(n), evidence.KeyEngine); got != want {
			t.Errorf("run %d: %s, want %s", n, got, want)
		}
	}
	alias := repairWith(t, a, said(evidence.RepairAlias, "Alpha 100%", evidence.KeyEngine, "gamma"))
	if got := factOf(t, a, run(0), evidence.KeyEngine); got != "Alpha 100% recorded means gamma" {
		t.Errorf("once the spelling means the same: %s", got)
	}
	place := repairWith(t, a, said(evidence.RepairFact, "artifact:"+k.Digest.String()+"#/b1", evidence.KeyLane, "1"))
	repairWith(t, a, said(evidence.RepairFact, "campaign:engines", evidence.KeyLane, "0"))
	for n, want := range []string{"0 declared", "0 declared", "1 conflict / 0 declared"} {
		got := factOf(t, a, run(n), evidence.KeyLane)
		if n == 2 {
			want = "1 conflict / 0 declared"
		}
		if got != want {
			t.Errorf("lane of run %d: %s, want %s", n, got, want)
		}
	}
	for _, r := range []evidence.Repair{engine, alias, place, campaign} {
		withdraw(t, a, r.ID)
	}
	if got := factOf(t, a, run(0), evidence.KeyEngine) + factOf(t, a, run(0), evidence.KeyGPUMemory) + factOf(t, a, run(2), evidence.KeyLane); got != "Alpha 100% recorded0 declared" {
		t.Errorf("after withdrawal: %s", got)
	}
}

// TestBuiltInMeaning: what two spellings mean by definition is no contradiction, and the
// one that says more stands beside the other.
func TestBuiltInMeaning(t *testing.T) {
	a := openTemp(t)
	a.same = func(_ evidence.FactKey, x, y string) bool {
		return strings.HasPrefix(strings.ToLower(x), "card 9") && strings.HasPrefix(strings.ToLower(y), "card 9")
	}
	r := enginesReading()
	r.Documents[0].Facts[1].Value = "card 9"
	k := fileReading(t, a, "engines.json", "engines", r)
	repairWith(t, a, said(evidence.RepairFact, "campaign:engines", evidence.KeyGPUProduct, "Card 9 (300 W)"))
	if got := factOf(t, a, evidence.RunID(k.Digest, 0), evidence.KeyGPUProduct); got != "card 9 recorded means Card 9 (300 W)" {
		t.Error(got)
	}
	repairWith(t, a, said(evidence.RepairFact, "campaign:engines", evidence.KeyGPUProduct, "Card 10"))
	if got := factOf(t, a, evidence.RunID(k.Digest, 0), evidence.KeyGPUProduct); got != "card 9 conflict / Card 10 declared" {
		t.Error(got)
	}
}

func TestRecipesGiveIdentity(t *testing.T) {
	a := openTemp(t)
	ctx := context.Background()
	r := enginesReading()
	r.Documents[0].Facts = append(r.Documents[0].Facts, evidence.Fact{Key: evidence.KeyServedModel, Value: "lab-model", State: evidence.Recorded, Place: evidence.At("/model")})
	k := fileReading(t, a, "engines.json", "engines", r)
	run := evidence.RunID(k.Digest, 0)
	serve := func(model, depth string) map[evidence.FactKey]string {
		return map[evidence.FactKey]string{
			evidence.KeyServedModel: "lab-model", evidence.KeyModel: model, evidence.KeyMTPDepth: depth,
			evidence.KeyEngine: "another engine", evidence.KeyGPUArch: "12.0", evidence.KeyGPUCount: "2",
		}
	}
	recipe := fileReading(t, a, "one.toml", "one", recipeReading(serve("lab/model", "3")))
	facts := func() []string {
		var list []string
		for _, key := range []evidence.FactKey{evidence.KeyModel, evidence.KeyMTPDepth, evidence.KeyEngine, evidence.KeyGPUArch, evidence.KeyGPUCount} {
			list = append(list, factOf(t, a, run, key))
		}
		return list
	}
	one := []string{"lab/model derived", "3 derived", "Alpha 100% recorded", "", ""}
	if diff := cmp.Diff(one, facts()); diff != "" {
		t.Errorf("one recipe (-want +got):\n%s", diff)
	}
	row, err := a.Run(ctx, run)
	if err != nil {
		t.Fatal(err)
	}
	if f, _ := row.Fact(evidence.KeyModel); f.Artifact != recipe.Digest || f.Rule != ruleServedName || f.Place.Pointer != "/serves/0/model" || f.Reader != "recipe@1" {
		t.Errorf("its source: %+v", f)
	}
	if n := len(findings(t, a, evidence.Filter{Key: CodeAmbiguousName})); n != 0 {
		t.Errorf("%d findings about a name that is clear", n)
	}
	second := fileReading(t, a, "two.toml", "two", recipeReading(serve("lab/model", "0"), map[evidence.FactKey]string{evidence.KeyServedModel: "Lab-Model", evidence.KeyModel: "no"}))
	if diff := cmp.Diff([]string{"lab/model derived", "", "Alpha 100% recorded", "", ""}, facts()); diff != "" {
		t.Errorf("two recipes (-want +got):\n%s", diff)
	}
	found := findings(t, a, evidence.Filter{Key: CodeAmbiguousName})
	if len(found) != 1 || found[0].Artifact != k.Digest || found[0].Pointer != "/model" || !strings.Contains(found[0].Message, "mtp_depth") ||
		!strings.Contains(found[0].Message, recipe.Digest.Short()) || !strings.Contains(found[0].Message, second.Digest.Short()) {
		t.Errorf("findings: %+v", found)
	}
	d, err := a.Artifact(ctx, k.Digest)
	if err != nil || len(d.Findings) == 0 || d.Findings[len(d.Findings)-1].Code != CodeAmbiguousName || d.ArtifactRow.Findings != len(d.Findings) {
		t.Errorf("of the artifact: %+v, counted %d, %v", d.Findings, d.ArtifactRow.Findings, err)
	}
	repairWith(t, a, said(evidence.RepairFact, "campaign:engines", evidence.KeyMTPDepth, "0"))
	repairWith(t, a, said(evidence.RepairFact, "campaign:engines", evidence.KeyModel, "lab/other"))
	if got := factOf(t, a, run, evidence.KeyMTPDepth) + ", " + factOf(t, a, run, evidence.KeyModel); got != "0 declared, lab/other declared / lab/model derived" {
		t.Errorf("a declaration settles it: %s", got)
	}
}

func findings(t testing.TB, a *Archive, f evidence.Filter) []evidence.FindingRow {
	t.Helper()
	var list []evidence.FindingRow
	if err := a.EachFinding(context.Background(), f, func(x evidence.FindingRow) error { list = append(list, x); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestMove(t *testing.T) {
	a := openTemp(t)
	ctx := context.Background()
	in := evidence.Incoming{Name: "a.json", Origin: "file", Campaign: "declared", Data: []byte("a")}
	k := keepAs(t, a, in)
	reading := syntheticReading("2026-09-01-own", 1, 1, 2)
	settle := func() *evidence.Reading {
		r := *reading
		r.Documents = append([]evidence.Document(nil), reading.Documents...)
		r.Documents[0].Campaign = settled(k, r.Documents[0].Campaign)
		return &r
	}
	commitOne(t, a, k, settle())
	at := func() string {
		t.Helper()
		all, _, err := a.Campaigns(ctx, evidence.Filter{})
		if err != nil || len(all) != 1 {
			t.Fatalf("%d campaigns, %v", len(all), err)
		}
		row, err := a.Run(ctx, evidence.RunID(k.Digest, 0))
		if err != nil || row.Campaign != all[0].ID || all[0].Runs != 2 {
			t.Fatalf("%+v in %q, %v", all, row.Campaign, err)
		}
		hits, _, err := a.Search(ctx, all[0].ID, 0, 10)
		if err != nil || len(hits) == 0 || hits[0].Kind != "campaign" {
			t.Errorf("search for %s: %+v, %v", all[0].ID, hits, err)
		}
		return all[0].ID
	}
	steps := []struct {
		what string
		do   func()
		want string
	}{
		{"as it came", func() {}, "declared"},
		{"moved", func() { repairWith(t, a, said(evidence.RepairMove, k.Digest.String(), "", "moved")) }, "moved"},
		{"came in again, declared otherwise", func() { in.Campaign = "late"; k = keepAs(t, a, in); commitOne(t, a, k, settle()) }, "moved"},
		{"moved on", func() { repairWith(t, a, said(evidence.RepairMove, k.Digest.String(), "", "2026-09-01-own")) }, "2026-09-01-own"},
		{"the first move withdrawn", func() { withdraw(t, a, 1) }, "2026-09-01-own"},
		{"the second, too", func() { withdraw(t, a, 2) }, "late"},
	}
	for _, s := range steps {
		s.do()
		if got := at(); got != s.want {
			t.Errorf("%s: in %s, want %s", s.what, got, s.want)
		}
	}
	stale := k // a reading that was made before the move is filed where the artifact is now
	stale.Campaign = "late"
	repairWith(t, a, said(evidence.RepairMove, k.Digest.String(), "", "moved"))
	commitOne(t, a, stale, settle())
	if got := at(); got != "moved" {
		t.Errorf("an old reading is filed in %s", got)
	}
	unread, err := a.Pending(ctx, 0, 0)
	if err != nil || len(unread) != 0 {
		t.Errorf("%d unread, %v", len(unread), err)
	}
}

func TestRepairsRefused(t *testing.T) {
	a := openTemp(t)
	ctx := context.Background()
	k := fileReading(t, a, "engines.json", "engines", enginesReading())
	artifact := "artifact:" + k.Digest.String()
	repairWith(t, a, said(evidence.RepairAlias, "A", evidence.KeyEngine, "B"))
	repairWith(t, a, said(evidence.RepairAlias, "B", evidence.KeyEngine, "C"))
	repairWith(t, a, said(evidence.RepairFact, artifact, evidence.KeyLane, "1"))
	for _, tt := range []struct {
		field string
		r     evidence.Repair
	}{
		{"kind", said("vote", "a", evidence.KeyEngine, "b")},
		{"author", evidence.Repair{Kind: evidence.RepairAlias, Target: "x", Key: evidence.KeyEngine, Value: "y", Author: " ", Reason: "r"}},
		{"reason", evidence.Repair{Kind: evidence.RepairAlias, Target: "x", Key: evidence.KeyEngine, Value: "y", Author: "a"}},
		{"author", evidence.Repair{Kind: evidence.RepairAlias, Target: "x", Key: evidence.KeyEngine, Value: "y", Author: "a\x1b[2J", Reason: "r"}},
		{"reason", evidence.Repair{Kind: evidence.RepairAlias, Target: "x", Key: evidence.KeyEngine, Value: "y", Author: "a", Reason: strings.Repeat("r", maxReason+1)}},
		{"key", said(evidence.RepairFact, artifact, "no_such_key", "1")},
		{"value", said(evidence.RepairFact, artifact, evidence.KeyTP, "two")},
		{"value", said(evidence.RepairFact, artifact, evidence.KeyTP, "-1")},
		{"value", said(evidence.RepairFact, artifact, evidence.KeyTP, "2 GiB")},
		{"value", said(evidence.RepairFact, artifact, evidence.KeyPath, "tunnel")},
		{"value", said(evidence.RepairFact, artifact, evidence.KeyLane, "1")},
		{"target", said(evidence.RepairFact, "the last one", evidence.KeyTP, "2")},
		{"target", said(evidence.RepairFact, artifact+"#no-pointer", evidence.KeyTP, "2")},
		{"target", said(evidence.RepairFact, artifact+"#/nowhere", evidence.KeyTP, "2")},
		{"key", said(evidence.RepairAlias, "two", evidence.KeyTP, "2")},
		{"meaning", said(evidence.RepairAlias, "x", evidence.KeyEngine, "x")},
		{"meaning", said(evidence.RepairAlias, "C", evidence.KeyEngine, "A")},
		{"spelling", said(evidence.RepairAlias, "A", evidence.KeyEngine, "D")},
		{"key", said(evidence.RepairMove, k.Digest.String(), evidence.KeyEngine, "c")},
		{"target", said(evidence.RepairMove, "abc", "", "c")},
		{"campaign", said(evidence.RepairMove, k.Digest.String(), "", strings.Repeat("c", maxCampaign+1))},
	} {
		_, err := a.AddRepair(ctx, tt.r)
		var refused *evidence.RepairError
		if !errors.As(err, &refused) || refused.Field != tt.field {
			t.Errorf("%+v: %v, want one about %s", tt.r, err, tt.field)
		}
	}
	for _, r := range []evidence.Repair{
		said(evidence.RepairFact, "campaign:nothing", evidence.KeyTP, "2"),
		said(evidence.RepairFact, "artifact:"+evidence.Digest{}.String(), evidence.KeyTP, "2"),
		said(evidence.RepairMove, evidence.Digest{1}.String(), "", "c"),
	} {
		if _, err := a.AddRepair(ctx, r); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if list, n, err := a.Repairs(ctx, evidence.RepairFilter{}); err != nil || n != 3 || len(list) != 3 {
		t.Errorf("%d repairs, %v: a refused one is filed", n, err)
	}
	withdraw(t, a, 1)
	var refused *evidence.RepairError
	if err := a.WithdrawRepair(ctx, 1, "Bob", "again"); !errors.As(err, &refused) {
		t.Errorf("withdrawn twice: %v", err)
	}
	if err := a.WithdrawRepair(ctx, 99, "Bob", "none"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("withdrawn what is not: %v", err)
	}
	if _, n, err := a.Repairs(ctx, evidence.RepairFilter{Holds: true, Kind: evidence.RepairAlias}); err != nil || n != 1 {
		t.Errorf("%d aliases hold, %v", n, err)
	}
}

// TestRepairRowsAreFixed: a slip in a shell does not rewrite what somebody said.
func TestRepairRowsAreFixed(t *testing.T) {
	a := openTemp(t)
	repairWith(t, a, said(evidence.RepairAlias, "A", evidence.KeyEngine, "B"))
	withdraw(t, a, 1)
	repairWith(t, a, said(evidence.RepairAlias, "A", evidence.KeyEngine, "B"))
	for _, statement := range []string{
		"DELETE FROM repair", "UPDATE repair SET value = 'C'", "UPDATE repair SET author = 'Eve'", "UPDATE repair SET at_us = 0",
		"UPDATE repair SET withdrawn_us = 0, withdrawn_by = '', withdrawn_reason = '' WHERE id = 1",
		"UPDATE repair SET withdrawn_us = 1 WHERE id = 2",
		"INSERT INTO repair (kind, target, key, value, author, reason, at_us) VALUES ('alias', 'A', 'engine', 'C', 'Eve', 'r', 1)",
	} {
		if _, err := a.writer.Exec(statement); err == nil {
			t.Errorf("%s went through", statement)
		}
	}
}

// TestRepairsFromSeveralSides: people who repair at the same time, over several
// processes' handles, while intake files and others read.
func TestRepairsFromSeveralSides(t *testing.T) {
	ctx := context.Background()
	a := openTemp(t)
	k := fileReading(t, a, "engines.json", "engines", enginesReading())
	b := openAt(t, a.Path())
	var all sync.WaitGroup
	for n, archive := range []*Archive{a, b, a, b} {
		all.Go(func() {
			for i := range 8 {
				r, err := archive.AddRepair(ctx, said(evidence.RepairFact, "artifact:"+k.Digest.String(), evidence.KeyDriver, fmt.Sprint(n, " ", i)))
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := archive.AddRepair(ctx, said(evidence.RepairMove, k.Digest.String(), "", fmt.Sprint("campaign ", n, " ", i))); err != nil {
					t.Error(err)
				}
				row, err := archive.Run(ctx, evidence.RunID(k.Digest, 0))
				if f, ok := row.Fact(evidence.KeyDriver); err != nil || !ok || f.Repair == 0 {
					t.Errorf("its own declaration does not show: %+v, %v", f, err)
				}
				if err := archive.WithdrawRepair(ctx, r.ID, "Bob", "done"); err != nil {
					t.Error(err)
				}
				if err := archive.Commit(ctx, []evidence.Result{{Kept: k, Reading: enginesReading()}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := factOf(t, b, evidence.RunID(k.Digest, 0), evidence.KeyDriver); got != "" {
		t.Errorf("all withdrawn, still %s", got)
	}
	last, _, err := a.Repairs(ctx, evidence.RepairFilter{Kind: evidence.RepairMove, Limit: 1})
	if err != nil || len(last) != 1 {
		t.Fatal(err)
	}
	if row, err := a.Run(ctx, evidence.RunID(k.Digest, 0)); err != nil || row.Campaign != last[0].Value {
		t.Errorf("in %s, want %s; %v", row.Campaign, last[0].Value, err)
	}
}

func TestSearchFindsDeclarations(t *testing.T) {
	a := openTemp(t)
	ctx := context.Background()
	k := fileReading(t, a, "engines.json", "engines", enginesReading())
	repairWith(t, a, said(evidence.RepairFact, "campaign:engines", evidence.KeyTopology, "two cards over PXB"))
	r := repairWith(t, a, said(evidence.RepairFact, "artifact:"+k.Digest.String()+"#/b1", evidence.KeyDriver, "driver 100%_1"))
	for q, want := range map[string]evidence.SearchHit{
		"pxb":           {Kind: "campaign", Title: "engines", Snippet: "topology two cards over PXB, declared by Ada", Campaign: "engines"},
		"driver 100%_1": {Kind: "fact", Title: "driver", Snippet: "driver driver 100%_1, declared by Ada", Campaign: "engines", Artifact: k.Digest, Pointer: "/b1"},
	} {
		hits, n, err := a.Search(ctx, q, 0, 10)
		if err != nil || n != 1 || len(hits) != 1 || hits[0] != want {
			t.Errorf("%q: %d, %+v, %v", q, n, hits, err)
		}
	}
	withdraw(t, a, r.ID)
	if hits, _, err := a.Search(ctx, "driver 100%_1", 0, 10); err != nil || len(hits) != 0 {
		t.Errorf("withdrawn, still found: %+v, %v", hits, err)
	}
}
