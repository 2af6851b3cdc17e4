package store

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// datedReading is a document of two runs with a date, a protocol and a sentence.
func datedReading(campaign, observed, family, protocol, note string) *evidence.Reading {
	place := evidence.At("/x")
	run := func(name, class string, status evidence.RunStatus) evidence.Run {
		return evidence.Run{Name: name, Class: class, Status: status, Place: place}
	}
	d := evidence.Document{
		Schema: "lab.dated/v1", Family: family, Reader: "lab/dated", ReaderVersion: 1,
		Campaign: evidence.Campaign{ID: campaign, Observed: observed},
		Facts: []evidence.Fact{
			{Key: evidence.KeyProtocol, Value: protocol, State: evidence.Recorded, Place: place},
			{Key: evidence.KeyModel, Value: "Model " + campaign, State: evidence.Recorded, Place: place},
		},
		Notes: []evidence.Note{{Kind: evidence.Limitation, Key: "n", Text: note, Place: place}},
		Arms: []evidence.Arm{
			{Name: campaign + " one", Place: place, Runs: []evidence.Run{run(campaign+"1", evidence.ClassShort, evidence.Measured)}},
			{Name: campaign + " two", Place: place, Runs: []evidence.Run{run(campaign+"2", evidence.ClassLong, evidence.RunFailed)}},
		},
	}
	return &evidence.Reading{State: evidence.Accepted, Schema: d.Schema, Family: d.Family, Reader: d.ReaderRef(), Encoding: "utf-8", Values: 1, Documents: []evidence.Document{d}}
}

func datedArchive(t testing.TB) *Archive {
	t.Helper()
	a := openTemp(t)
	for _, x := range [][5]string{
		{"alder", "2026-03-01", "F1", "lab/stream@1", "the queue was long"},
		{"beech", "2026-03-02T23:30:00+02:00", "F2", "lab/stream@2", "the queue was short"},
		{"cedar", "", "F1", "lab/batch@1", "nothing to say"},
		{"elm", "March 2026", "F1", "lab/batch@1", "nothing to say either"},
	} {
		fileReading(t, a, "evidence/"+x[0]+"-night.json", x[0], datedReading(x[0], x[1], x[2], x[3], x[4]))
	}
	return a
}

func names(t *testing.T, a *Archive, f evidence.Filter) string {
	t.Helper()
	ctx := context.Background()
	runs, err := a.Runs(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, r.Name)
	}
	if n, err := a.CountRuns(ctx, f); err != nil || n != len(got) {
		t.Errorf("%+v: counts %d, %v, want %d", f, n, err, len(got))
	}
	var exported []string
	if err := a.EachRun(ctx, f, func(r evidence.RunRow) error { exported = append(exported, r.Name); return nil }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got, exported); d != "" {
		t.Errorf("%+v: the export differs from the list:\n%s", f, d)
	}
	return strings.Join(got, " ")
}

func TestListFilters(t *testing.T) {
	a := datedArchive(t)
	tests := []struct {
		name string
		f    evidence.Filter
		want string
	}{
		{"protocol", evidence.Filter{Protocol: "STREAM"}, "alder1 alder2 beech1 beech2"},
		{"model", evidence.Filter{Model: "cedar"}, "cedar1 cedar2"},
		{"status", evidence.Filter{Status: string(evidence.RunFailed)}, "alder2 beech2 cedar2 elm2"},
		{"from a day on", evidence.Filter{From: "2026-03-02"}, "beech1 beech2"},
		{"up to a day, which counts", evidence.Filter{To: "2026-03-01"}, "alder1 alder2"},
		{"one day", evidence.Filter{From: "2026-03-02", To: "2026-03-02"}, "beech1 beech2"},
		{"no such day", evidence.Filter{From: "2026-02-30"}, ""},
		{"word of an arm", evidence.Filter{Words: "beech two"}, "beech2"},
		{"word of a sentence", evidence.Filter{Words: "queue"}, "alder1 alder2 beech1 beech2"},
		{"words of several places", evidence.Filter{Words: "queue stream 2026-03"}, ""},
		{"words of a sentence and a fact", evidence.Filter{Words: "long stream"}, "alder1 alder2"},
		{"beginning of a word", evidence.Filter{Words: "ced"}, "cedar1 cedar2"},
		{"name of the file", evidence.Filter{Words: "elm-night.json"}, "elm1 elm2"},
		{"nothing that can be searched", evidence.Filter{Words: "-- **"}, ""},
		{"all together", evidence.Filter{Words: "queue", Protocol: "lab", From: "2026-03-01", To: "2026-12-31", Family: "F2", Status: "measured", Model: "beech"}, "beech1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := names(t, a, tt.f); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRunOrders(t *testing.T) {
	a := datedArchive(t)
	for s, want := range map[evidence.Sort]string{
		"":                   "alder1 alder2 beech1 beech2 cedar1 cedar2 elm1 elm2",
		evidence.ByCampaign:  "alder1 alder2 beech1 beech2 cedar1 cedar2 elm1 elm2",
		"-campaign":          "elm2 elm1 cedar2 cedar1 beech2 beech1 alder2 alder1",
		evidence.ByDate:      "alder1 alder2 beech1 beech2 elm1 elm2 cedar1 cedar2",
		"-date":              "elm1 elm2 beech1 beech2 alder1 alder2 cedar1 cedar2",
		evidence.ByArm:       "alder1 alder2 beech1 beech2 cedar1 cedar2 elm1 elm2",
		"-arm":               "elm2 elm1 cedar2 cedar1 beech2 beech1 alder2 alder1",
		evidence.ByFamily:    "alder1 alder2 cedar1 cedar2 elm1 elm2 beech1 beech2",
		"-family":            "beech2 beech1 elm2 elm1 cedar2 cedar1 alder2 alder1",
		"an order of nobody": "alder1 alder2 beech1 beech2 cedar1 cedar2 elm1 elm2",
	} {
		if got := names(t, a, evidence.Filter{Sort: s}); got != want {
			t.Errorf("by %s: %s, want %s", s, got, want)
		}
	}
	class := names(t, a, evidence.Filter{Sort: evidence.ByClass})
	if !strings.HasSuffix(class, "alder1 beech1 cedar1 elm1") && !strings.HasPrefix(class, "alder1 beech1 cedar1 elm1") {
		t.Errorf("by class: %s", class)
	}
	if got := names(t, a, evidence.Filter{Sort: "-date", Words: "queue"}); got != "beech1 beech2 alder1 alder2" {
		t.Errorf("narrowed and ordered: %s", got)
	}
}

// TestOrdersUseIndices explains every order: none sorts what it has found.
func TestOrdersUseIndices(t *testing.T) {
	a := datedArchive(t)
	for s := range sortOrders {
		for _, f := range []evidence.Filter{{}, {Model: "m", Protocol: "p", From: "2026-01-01", To: "2026-12-31", Words: "a b", Status: "measured"}} {
			plan := explain(t, a, runsSorted(s, runClauses(nil, f)))
			if strings.Contains(strings.Join(plan, "; "), "TEMP B-TREE FOR") {
				t.Errorf("by %s: %s", s, plan[len(plan)-1])
			}
		}
	}
	if len(sortOrders) != 2*len(evidence.Sorts) {
		t.Errorf("%d orders, %d names", len(sortOrders), len(evidence.Sorts))
	}
	for _, s := range evidence.Sorts {
		if !s.Known() || !evidence.Sort("-"+s).Known() {
			t.Errorf("%s is not known", s)
		}
	}
	if evidence.Sort("colour").Known() || slices.Contains(evidence.Sorts, "") {
		t.Error("an order that is not there")
	}
}

func TestCampaignsAndSearchNarrowed(t *testing.T) {
	a := datedArchive(t)
	ctx := t.Context()
	for _, tt := range []struct {
		f    evidence.Filter
		want string
	}{
		{evidence.Filter{Model: "cedar"}, "cedar"},
		{evidence.Filter{Protocol: "stream"}, "beech alder"},
		{evidence.Filter{From: "2026-03-02"}, "beech"},
		{evidence.Filter{Protocol: "stream", To: "2026-03-01", Family: "F1"}, "alder"},
		{evidence.Filter{Model: "nobody"}, ""},
	} {
		rows, total, err := a.Campaigns(ctx, tt.f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, r.ID)
		}
		if strings.Join(got, " ") != tt.want || total != len(got) {
			t.Errorf("campaigns %+v: %v of %d, want %s", tt.f, got, total, tt.want)
		}
	}
	in := func(q string, f evidence.Filter) string {
		hits, total, err := a.SearchIn(ctx, q, f)
		if err != nil {
			t.Fatalf("search %q in %+v: %v", q, f, err)
		}
		seen := map[string]bool{}
		var got []string
		for _, h := range hits {
			if !seen[h.Campaign] {
				seen[h.Campaign] = true
				got = append(got, h.Campaign)
			}
		}
		if total != len(hits) {
			t.Errorf("search %q in %+v: %d hits, counted %d", q, f, len(hits), total)
		}
		slices.Sort(got)
		return strings.Join(got, " ")
	}
	digest := evidence.DigestOf([]byte("beech")).String()[:10]
	for _, tt := range []struct {
		q    string
		f    evidence.Filter
		want string
	}{
		{"queue", evidence.Filter{}, "alder beech"},
		{"queue", evidence.Filter{Family: "F2"}, "beech"},
		{"queue", evidence.Filter{Model: "alder"}, "alder"},
		{"night", evidence.Filter{From: "2026-03-02", To: "2026-03-03"}, "beech"},
		{"beech", evidence.Filter{Campaign: "beech"}, "beech"},
		{"beech", evidence.Filter{Campaign: "alder"}, ""},
		{digest, evidence.Filter{Protocol: "stream"}, "beech"},
		{digest, evidence.Filter{Protocol: "batch"}, ""},
		{digest[:10] + "ab-r0", evidence.Filter{Model: "x"}, ""},
		{"/x", evidence.Filter{Model: "cedar"}, "cedar"},
	} {
		if got := in(tt.q, tt.f); got != tt.want {
			t.Errorf("search %q in %+v: %q, want %q", tt.q, tt.f, got, tt.want)
		}
	}
}

func TestSpellings(t *testing.T) {
	a := datedArchive(t)
	list, err := a.Spellings(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, s := range list {
		got[string(s.Key)+" "+s.Value] = s.Documents
	}
	want := map[string]int{"model Model alder": 1, "model Model beech": 1, "measurement_protocol lab/batch@1": 2, "measurement_protocol lab/stream@1": 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, k := range SpelledKeys {
		plan := strings.Join(explain(t, a, spellingsOf(k)), "; ")
		if !strings.Contains(plan, "USING COVERING INDEX") {
			t.Errorf("%s: %s", k, plan)
		}
	}
}
