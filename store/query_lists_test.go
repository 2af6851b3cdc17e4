package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

func TestCampaignList(t *testing.T) {
	a := filled(t)
	k := fileReading(t, a, "full.json", "full", fullReading())
	rows, total, err := a.Campaigns(t.Context(), evidence.Filter{Limit: 2})
	if err != nil || total != 4 || len(rows) != 2 || rows[0].ID != "2026-09-03-sweep" {
		t.Fatalf("%d of %d, %+v, %v", len(rows), total, rows, err)
	}
	rows, total, err = a.Campaigns(t.Context(), evidence.Filter{Text: "kestrel ON"})
	if err != nil || total != 1 {
		t.Fatalf("%d by title, %v", total, err)
	}
	us := clock().UnixMicro()
	want := evidence.CampaignRow{ID: "2026-09-01-kestrel", Title: "Kestrel on two cards", Observed: "2026-09-01", Documents: 1, Arms: 2, Runs: 2,
		Labels: []string{"challenger", "no-promotion"}, References: 2, Promotion: "false", Artifacts: []evidence.Digest{k.Digest},
		Schemas: []string{"lab.summary/v1"}, FirstSeenUS: us, LastSeenUS: us}
	for _, g := range fullDocument().Gates {
		want.Gates = append(want.Gates, evidence.GateRow{Gate: g, Source: evidence.Source{Artifact: k.Digest, Reader: "lab/summary@2"}, Campaign: want.ID})
	}
	if diff := cmp.Diff(want, rows[0]); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	detail, err := a.Campaign(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, detail.CampaignRow); diff != "" {
		t.Errorf("detail (-want +got):\n%s", diff)
	}
	if len(detail.Docs) != 1 || len(detail.Docs[0].Notes) != 2 {
		t.Errorf("documents %+v", detail.Docs)
	}
	for _, f := range []evidence.Filter{{Text: "%"}, {Text: "_____"}, {Text: `\`}, {Campaign: "none"}, {Artifact: "zz"}, {Family: "F99"}} {
		if _, total, err := a.Campaigns(t.Context(), f); err != nil || total != 0 {
			t.Errorf("%+v finds %d, %v", f, total, err)
		}
	}
	if _, total, err = a.Campaigns(t.Context(), evidence.Filter{Schema: "lab.other/v1"}); err != nil || total != 3 {
		t.Errorf("by schema: %d, %v", total, err)
	}
	if _, err := a.Campaign(t.Context(), "none"); !errors.Is(err, evidence.ErrNotFound) || strings.Contains(err.Error(), "archive") {
		t.Errorf("error %v", err)
	}
}

func TestPromotion(t *testing.T) {
	for want, flags := range map[string][]string{"": nil, "true": {"true", "true"}, "false": {"true", "false"}} {
		if got := promotion(flags); got != want {
			t.Errorf("%v is %q, want %q", flags, got, want)
		}
	}
}

func TestResolveCampaign(t *testing.T) {
	a := filled(t)
	k := fileReading(t, a, "full.json", "full", fullReading())
	tests := []struct {
		ref, want string
		err       error
	}{
		{"2026-09-02-sweep", "2026-09-02-sweep", nil},
		{"2026-09-02", "2026-09-02-sweep", nil},
		{"2026-09-01", "", evidence.ErrAmbiguous},
		{k.Digest.String(), "2026-09-01-kestrel", nil},
		{k.Digest.String()[:6], "2026-09-01-kestrel", nil},
		{strings.ToUpper(k.Digest.String()[:9]), "2026-09-01-kestrel", nil},
		{k.Digest.String()[:5], "", evidence.ErrNotFound},
		{"", "", evidence.ErrNotFound},
		{"%", "", evidence.ErrNotFound},
		{"nothing", "", evidence.ErrNotFound},
	}
	for _, tt := range tests {
		got, err := a.ResolveCampaign(t.Context(), tt.ref)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%q is %q, %v; want %q, %v", tt.ref, got, err, tt.want, tt.err)
		}
	}
	_, err := a.ResolveCampaign(t.Context(), "2026-09-01")
	if err == nil || !strings.Contains(err.Error(), "2026-09-01-kestrel, 2026-09-01-sweep") {
		t.Errorf("the candidates are not named: %v", err)
	}
}

func TestArtifactLists(t *testing.T) {
	a := filled(t)
	for name, tt := range map[string]struct {
		f    evidence.Filter
		want int
	}{
		"all":         {evidence.Filter{}, 11},
		"state":       {evidence.Filter{State: "quarantined"}, 1},
		"family":      {evidence.Filter{Family: "F2"}, 4},
		"schema":      {evidence.Filter{Schema: "lab.sweep/v1"}, 5},
		"campaign":    {evidence.Filter{Campaign: "2026-09-01-sweep"}, 3},
		"digest":      {evidence.Filter{Artifact: evidence.DigestOf([]byte("[]")).String()[:10]}, 1},
		"no digest":   {evidence.Filter{Artifact: "?"}, 0},
		"beyond last": {evidence.Filter{Offset: 100, Limit: 10}, 11},
	} {
		rows, total, err := a.Artifacts(t.Context(), tt.f)
		if err != nil || total != tt.want || tt.f.Limit == 0 && len(rows) != tt.want {
			t.Errorf("%s: %d of %d, %v; want %d", name, len(rows), total, err, tt.want)
		}
		if got := all(t, a.EachArtifact, tt.f); tt.f.Limit == 0 && len(got) != tt.want {
			t.Errorf("%s: %d exported, want %d", name, len(got), tt.want)
		}
	}
	for _, prefix := range []string{"", "abc", "zzzzzz", strings.Repeat("a", 65), "ffffffff"} {
		if _, err := a.FindArtifact(t.Context(), prefix); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("%q: %v", prefix, err)
		}
	}
	if _, err := a.Artifact(t.Context(), evidence.Digest{}); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("artifact 0: %v", err)
	}
	for _, id := range []string{"", "x", "0123456789ab-r0", "0123456789ab-r-1", evidence.DigestOf([]byte("0")).Short() + "-r999", "0123456789ab-r00"} {
		if _, err := a.Run(t.Context(), id); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("run %q: %v", id, err)
		}
		if _, err := a.Samples(t.Context(), id, 0, 10); !errors.Is(err, evidence.ErrNotFound) {
			t.Errorf("samples of %q: %v", id, err)
		}
	}
}

func TestArrivalList(t *testing.T) {
	a := filled(t)
	rows, total, err := a.Arrivals(t.Context(), 0, 2)
	if err != nil || total != 11 || len(rows) != 2 {
		t.Fatalf("%d of %d, %v", len(rows), total, err)
	}
	want := evidence.ArrivalRow{ID: 11, Digest: evidence.DigestOf([]byte("{")), Size: 1, Name: "broken.json", Origin: "file", AtUS: clock().UnixMicro(),
		State: evidence.Quarantined, Findings: []evidence.Finding{{Severity: evidence.Error, Code: "truncated", Offset: 1, Message: "ends early"}}}
	if diff := cmp.Diff(want, rows[0]); diff != "" {
		t.Errorf("latest (-want +got):\n%s", diff)
	}
	if rows, _, err := a.Arrivals(t.Context(), 10, 5); err != nil || len(rows) != 1 || rows[0].ID != 1 {
		t.Errorf("earliest %+v, %v", rows, err)
	}
}

func TestCounts(t *testing.T) {
	a := filled(t)
	fileReading(t, a, "full.json", "full", fullReading())
	keepOne(t, a, "late.json", "late")
	got, err := a.Counts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := evidence.Counts{Artifacts: 13, Arrivals: 13, Campaigns: 4, Documents: 10, Arms: 20, Runs: 56, Samples: 2, Measurements: 546, Facts: 194,
		Accepted: 10, Archived: 1, Quarantined: 1, Pending: 1, Bytes: 9 + 2 + 1 + 4 + 4}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := openTemp(t).Counts(t.Context()); err != nil || got != (evidence.Counts{}) {
		t.Errorf("an empty archive: %+v, %v", got, err)
	}
}

// TestViews: what a person sees in a shell agrees with the exports.
func TestViews(t *testing.T) {
	a := openTemp(t)
	fileReading(t, a, "full.json", "full", fullReading())
	count := func(view string) (n int) {
		if err := a.reader.QueryRow("SELECT count(*) FROM " + view).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count("run_line"); n != 2 {
		t.Errorf("%d runs", n)
	}
	if n := count("fact_line"); n != 5 {
		t.Errorf("%d facts", n)
	}
	if n := count("artifact_line"); n != 1 {
		t.Errorf("%d artifacts", n)
	}
	m := all(t, a.EachMeasurement, evidence.Filter{})
	if n := count("measurement_line"); n != len(m) {
		t.Errorf("%d measurements", n)
	}
	var run, artifact, reader, pointer string
	err := a.reader.QueryRow("SELECT run, artifact, reader, pointer FROM measurement_line WHERE metric = 'ttft'").Scan(&run, &artifact, &reader, &pointer)
	if err != nil || run != m[0].Run || artifact != m[0].Artifact.String() || reader != m[0].Reader || pointer != string(m[0].Place.Pointer) {
		t.Errorf("%s %s %s %s, %v; want %+v", run, artifact, reader, pointer, err, m[0])
	}
}

// TestHostileText goes in and comes out as it is.
func TestHostileText(t *testing.T) {
	a := openTemp(t)
	texts := []string{"</script><img onerror=x>", "=cmd()", "a\x00b", "\x02\x03", "\u202eright to left", "'; DROP TABLE run; --", strings.Repeat("long ", 200_000), "\xff\xfe"}
	for i, s := range texts {
		r := fullReading()
		r.Text = s
		r.Documents[0].Arms[0].Name = s
		r.Documents[0].Notes[0].Text = s
		r.Documents[0].Facts[0].Value = s
		r.Documents[0].Campaign.Title = s
		k := fileReading(t, a, s, fmt.Sprint(i), r)
		runs, err := a.Runs(t.Context(), evidence.Filter{Artifact: k.Digest.String()})
		if err != nil || runs[0].Arm != s {
			t.Errorf("arm %.20q came back as %.20q, %v", s, runs[0].Arm, err)
		}
		d, err := a.Artifact(t.Context(), k.Digest)
		if err != nil || d.Documents[0].Notes[0].Text != s || d.Documents[0].Facts[0].Value != s || d.Names[0] != s {
			t.Errorf("%.20q changed: %v", s, err)
		}
		want, err := Derived(k, r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.DerivedOf(t.Context(), k.ArtifactID); err != nil || string(got) != string(want) {
			t.Errorf("%.20q: stored and derived rows differ, %v", s, err)
		}
	}
	checkIndex(t, a)
}
