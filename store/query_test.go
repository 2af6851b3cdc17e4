package store

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/store/evidence"
)

// all collects what a stream hands out.
func all[T any](t testing.TB, each func(context.Context, evidence.Filter, func(T) error) error, f evidence.Filter) []T {
	t.Helper()
	var list []T
	if err := each(t.Context(), f, func(v T) error { list = append(list, v); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRoundTrip commits a reading that uses every field and finds every field again.
func TestRoundTrip(t *testing.T) {
	a := openTemp(t)
	k := fileReading(t, a, "lab/summary.json", "{}", fullReading())
	want := fullReading()
	doc := want.Documents[0]
	src := evidence.Source{Artifact: k.Digest, Reader: "lab/summary@2"}
	campaign := doc.Campaign.ID

	runs, err := a.Runs(t.Context(), evidence.Filter{})
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	r0 := doc.Arms[0].Runs[0]
	id0 := evidence.RunID(k.Digest, 0)
	expect := evidence.RunRow{Source: src, ID: id0, ArmID: evidence.ArmID(k.Digest, 0), Campaign: campaign, Arm: "mtp3", Name: "short",
		Class: evidence.ClassShort, Status: evidence.Measured, Family: "F5", Observed: "2026-09-01", Place: r0.Place, ArmPlace: evidence.At("/rows/0")}
	for _, m := range r0.Measurements {
		expect.Measurements = append(expect.Measurements, evidence.MeasurementRow{Measurement: m, Source: src, Campaign: campaign, Arm: "mtp3", Run: id0})
	}
	expect.Facts = []evidence.FactRow{ // in the order of the registry, the arm's concurrency before the document's
		{Fact: doc.Arms[0].Facts[1], Source: src, Campaign: campaign, Arm: "mtp3"},
		{Fact: r0.Facts[0], Source: src, Campaign: campaign, Arm: "mtp3", Run: id0},
		{Fact: doc.Facts[0], Source: src, Campaign: campaign},
		{Fact: doc.Arms[0].Facts[0], Source: src, Campaign: campaign, Arm: "mtp3"},
	}
	if diff := cmp.Diff(expect, runs[0], cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("run (-want +got):\n%s", diff)
	}
	if r := runs[1]; r.Rejected != "emitted a broken object" || r.RejectedPlace != doc.Arms[1].RejectedPlace || r.Status != evidence.RunFailed {
		t.Errorf("rejected run %+v", r)
	}
	one, err := a.Run(t.Context(), id0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(runs[0], one); diff != "" {
		t.Errorf("run by id (-list +one):\n%s", diff)
	}
	samples, err := a.Samples(t.Context(), id0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r0.Samples, samples); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	detail, err := a.Artifact(t.Context(), k.Digest)
	if err != nil {
		t.Fatal(err)
	}
	checkDetail(t, detail, want, src)
}

func checkDetail(t *testing.T, d evidence.ArtifactDetail, want *evidence.Reading, src evidence.Source) {
	t.Helper()
	doc := want.Documents[0]
	row := evidence.ArtifactRow{ID: 1, Digest: src.Artifact, Size: 2, StoredUS: clock().UnixMicro(), State: evidence.Accepted, Schema: want.Schema,
		Family: want.Family, Reader: want.Reader, Encoding: want.Encoding, Values: 1, Campaign: doc.Campaign.ID,
		Runs: 2, Measures: 6, Findings: 2, Names: []string{"lab/summary.json"}}
	if diff := cmp.Diff(row, d.ArtifactRow); diff != "" {
		t.Errorf("artifact (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(append(want.Findings, doc.Findings...), d.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(d.Documents) != 1 || len(d.Facts) != 5 || len(d.Measurements) != 6 || len(d.Arrivals) != 1 {
		t.Fatalf("%d documents, %d facts, %d measurements, %d arrivals", len(d.Documents), len(d.Facts), len(d.Measurements), len(d.Arrivals))
	}
	if diff := cmp.Diff([]evidence.NotLiftedRow{{NotLifted: doc.NotLifted[0], Source: src}}, d.NotLifted); diff != "" {
		t.Errorf("not lifted (-want +got):\n%s", diff)
	}
	got := d.Documents[0]
	expect := evidence.DocumentRow{Source: src, Schema: doc.Schema, Family: doc.Family, ShapeID: doc.ShapeID, Campaign: doc.Campaign, Arms: 2, Runs: 2}
	for _, f := range doc.Facts {
		expect.Facts = append(expect.Facts, evidence.FactRow{Fact: f, Source: src, Campaign: doc.Campaign.ID})
	}
	for _, g := range doc.Gates {
		expect.Gates = append(expect.Gates, evidence.GateRow{Gate: g, Source: src, Campaign: doc.Campaign.ID})
	}
	for _, n := range doc.Notes {
		expect.Notes = append(expect.Notes, evidence.NoteRow{Note: n, Source: src, Campaign: doc.Campaign.ID})
	}
	for _, x := range doc.Decisions {
		expect.Decisions = append(expect.Decisions, evidence.DecisionRow{Decision: x, Source: src, Campaign: doc.Campaign.ID})
	}
	for _, r := range doc.References {
		expect.References = append(expect.References, evidence.ReferenceRow{Reference: r, Source: src, Campaign: doc.Campaign.ID, State: evidence.RefNotStored})
	}
	if diff := cmp.Diff(expect, got); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// TestAbsentZeroNotFinite: three things that stay three.
func TestAbsentZeroNotFinite(t *testing.T) {
	a := openTemp(t)
	fileReading(t, a, "x", "x", fullReading())
	rows, err := a.reader.Query("SELECT metric || ' ' || form || ' ' || coalesce(value, 'NULL') || ' ' || source_text FROM measurement WHERE metric IN ('gpu_memory_free', 'e2e', 'decode_rate') ORDER BY ordinal")
	if err != nil {
		t.Fatal(err)
	}
	got, err := texts(rows)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"gpu_memory_free value 0.0 0", "e2e absent NULL ", "decode_rate not-finite NULL NaN"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// filled is an archive with three campaigns of several artifacts.
func filled(t *testing.T) *Archive {
	t.Helper()
	a := openTemp(t)
	for i := range 9 {
		r := syntheticReading(fmt.Sprintf("2026-09-%02d-sweep", 1+i%3), i, 2, 3)
		if i%2 == 1 {
			r.Documents[0].Family, r.Documents[0].Schema = "F2", "lab.other/v1"
			r.Family, r.Schema = "F2", "lab.other/v1"
			r.Documents[0].Arms[0].Runs[0].Class = evidence.ClassLong
		}
		fileReading(t, a, fmt.Sprintf("%d.json", i), fmt.Sprint(i), r)
	}
	fileReading(t, a, "plain.json", "[]", &evidence.Reading{State: evidence.Archived, Encoding: "utf-8", Values: 1})
	fileReading(t, a, "broken.json", "{", &evidence.Reading{State: evidence.Quarantined, Encoding: "utf-8",
		Findings: []evidence.Finding{{Severity: evidence.Error, Code: "truncated", Offset: 1, Message: "ends early"}}})
	return a
}

func TestRunFilters(t *testing.T) {
	a := filled(t)
	everything, err := a.Runs(t.Context(), evidence.Filter{})
	if err != nil || len(everything) != 54 {
		t.Fatalf("%d runs, %v", len(everything), err)
	}
	some := everything[20]
	hasMetric := func(r evidence.RunRow) bool { _, ok := r.Primary(evidence.TTFT, evidence.P95); return ok }
	tests := []struct {
		name string
		f    evidence.Filter
		keep func(evidence.RunRow) bool
	}{
		{"campaign", evidence.Filter{Campaign: "2026-09-02-sweep"}, func(r evidence.RunRow) bool { return r.Campaign == "2026-09-02-sweep" }},
		{"arm", evidence.Filter{Arm: some.Arm}, func(r evidence.RunRow) bool { return r.Arm == some.Arm }},
		{"run", evidence.Filter{Run: some.ID}, func(r evidence.RunRow) bool { return r.ID == some.ID }},
		{"class", evidence.Filter{Class: evidence.ClassLong}, func(r evidence.RunRow) bool { return r.Class == evidence.ClassLong }},
		{"family", evidence.Filter{Family: "F2"}, func(r evidence.RunRow) bool { return r.Family == "F2" }},
		{"schema", evidence.Filter{Schema: "lab.other/v1"}, func(r evidence.RunRow) bool { return r.Family == "F2" }},
		{"artifact", evidence.Filter{Artifact: some.Artifact.String()[:7]}, func(r evidence.RunRow) bool { return r.Artifact == some.Artifact }},
		{"metric", evidence.Filter{Metric: evidence.TTFT}, hasMetric},
		{"metric and statistic", evidence.Filter{Metric: evidence.TTFT, Stat: evidence.P95}, hasMetric},
		{"statistic nobody has", evidence.Filter{Stat: evidence.P99}, func(evidence.RunRow) bool { return false }},
		{"metric nobody has", evidence.Filter{Metric: evidence.WER}, func(evidence.RunRow) bool { return false }},
		{"several", evidence.Filter{Campaign: some.Campaign, Family: some.Family, Arm: some.Arm}, func(r evidence.RunRow) bool { return r.Arm == some.Arm }},
		{"not a digest", evidence.Filter{Artifact: "xyz"}, func(evidence.RunRow) bool { return false }},
		{"not a run", evidence.Filter{Run: "nonsense"}, func(evidence.RunRow) bool { return false }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []evidence.RunRow
			for _, r := range everything {
				if tt.keep(r) {
					want = append(want, r)
				}
			}
			got, err := a.Runs(t.Context(), tt.f)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("runs (-want +got):\n%s", diff)
			}
			if n, err := a.CountRuns(t.Context(), tt.f); err != nil || n != len(want) {
				t.Errorf("counted %d, %v; want %d", n, err, len(want))
			}
			exported := all(t, a.EachRun, tt.f)
			for i := range want {
				want[i].Measurements = nil
			}
			if diff := cmp.Diff(want, exported); diff != "" {
				t.Errorf("exported (-want +got):\n%s", diff)
			}
		})
	}
	paged := evidence.Filter{Limit: 7}
	var pages []evidence.RunRow
	for ; ; paged.Offset += 7 {
		page, err := a.Runs(t.Context(), paged)
		if err != nil {
			t.Fatal(err)
		}
		if pages = append(pages, page...); len(page) < 7 {
			break
		}
	}
	if diff := cmp.Diff(everything, pages); diff != "" {
		t.Errorf("page by page (-want +got):\n%s", diff)
	}
}

// TestOrderIsByEvidence: lists are ordered by campaign, digest and ordinal.
func TestOrderIsByEvidence(t *testing.T) {
	a := filled(t)
	last := ""
	for _, r := range all(t, a.EachRun, evidence.Filter{}) {
		key := fmt.Sprintf("%s %s %s", r.Campaign, r.Artifact, r.ID)
		if key <= last {
			t.Fatalf("%q comes after %q", key, last)
		}
		last = key
	}
}

func TestEachMeasurement(t *testing.T) {
	a := filled(t)
	runs, err := a.Runs(t.Context(), evidence.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var want []evidence.MeasurementRow
	for _, r := range runs {
		want = append(want, r.Measurements...)
	}
	if diff := cmp.Diff(want, all(t, a.EachMeasurement, evidence.Filter{})); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	var some []evidence.MeasurementRow
	for _, m := range want {
		if m.Metric == evidence.E2E && m.Stat == evidence.P95 && m.Campaign == "2026-09-03-sweep" {
			some = append(some, m)
		}
	}
	f := evidence.Filter{Campaign: "2026-09-03-sweep", Metric: evidence.E2E, Stat: evidence.P95, State: "recorded"}
	if diff := cmp.Diff(some, all(t, a.EachMeasurement, f)); diff != "" {
		t.Errorf("filtered (-want +got):\n%s", diff)
	}
	f.Offset, f.Limit = 3, 4
	if diff := cmp.Diff(some[3:7], all(t, a.EachMeasurement, f)); diff != "" {
		t.Errorf("a page (-want +got):\n%s", diff)
	}
	if n := len(all(t, a.EachMeasurement, evidence.Filter{State: "declared"})); n != 0 {
		t.Errorf("%d declared measurements", n)
	}
	stop := errors.New("enough seen")
	if err := a.EachMeasurement(t.Context(), evidence.Filter{}, func(evidence.MeasurementRow) error { return stop }); err != stop {
		t.Errorf("error %v, want the caller's own", err)
	}
}

func TestEachFact(t *testing.T) {
	a := filled(t)
	fileReading(t, a, "full.json", "full", fullReading())
	facts := all(t, a.EachFact, evidence.Filter{})
	if len(facts) != 9*(1+2+6*3)+5 {
		t.Errorf("%d facts", len(facts))
	}
	count := func(f evidence.Filter) int { return len(all(t, a.EachFact, f)) }
	for name, tt := range map[string]struct {
		f    evidence.Filter
		want int
	}{
		"campaign":       {evidence.Filter{Campaign: "2026-09-01-kestrel"}, 5},
		"key":            {evidence.Filter{Key: evidence.KeyTP}, 19},
		"state":          {evidence.Filter{State: "conflict"}, 1},
		"hardware class": {evidence.Filter{Class: string(evidence.Hardware)}, 10},
		"identity class": {evidence.Filter{Class: string(evidence.Identity)}, 19},
		"arm":            {evidence.Filter{Arm: "mtp3"}, 3},
		"run":            {evidence.Filter{Run: evidence.RunID(evidence.DigestOf([]byte("full")), 0)}, 1},
		"page":           {evidence.Filter{Offset: 2, Limit: 3}, 3},
	} {
		if got := count(tt.f); got != tt.want {
			t.Errorf("%s: %d facts, want %d", name, got, tt.want)
		}
	}
	full := all(t, a.EachFact, evidence.Filter{Campaign: "2026-09-01-kestrel"})
	if full[0].Arm != "" || full[2].Arm != "mtp3" || full[2].Run != "" || full[4].Run == "" {
		t.Errorf("scopes: %+v", full)
	}
}

// TestUnknownKeysAreIdentity: a key that the registry does not know is filtered as the
// registry classes it.
func TestUnknownKeysAreIdentity(t *testing.T) {
	a := openTemp(t)
	r := fullReading()
	r.Documents[0].Facts = append(r.Documents[0].Facts, evidence.Fact{Key: "made_up", Value: "1", State: evidence.Recorded})
	fileReading(t, a, "x", "x", r)
	var keys []string
	for _, f := range all(t, a.EachFact, evidence.Filter{Class: string(evidence.Identity)}) {
		keys = append(keys, string(f.Key))
	}
	if diff := cmp.Diff([]string{"made_up", "tp"}, keys); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	runs, err := a.Runs(t.Context(), evidence.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if last := runs[0].Facts[len(runs[0].Facts)-1]; last.Key != "made_up" {
		t.Errorf("the unknown key is not last: %+v", last)
	}
}

func TestStreamsOfProse(t *testing.T) {
	a := filled(t)
	fileReading(t, a, "full.json", "full", fullReading())
	f := evidence.Filter{Campaign: "2026-09-01-kestrel"}
	if n := len(all(t, a.EachGate, f)); n != 2 {
		t.Errorf("%d gates", n)
	}
	if n := len(all(t, a.EachGate, evidence.Filter{State: "unresolved"})); n != 1 {
		t.Errorf("%d unresolved gates", n)
	}
	if n := len(all(t, a.EachNote, evidence.Filter{Class: string(evidence.Limitation)})); n != 10 {
		t.Errorf("%d limitations", n)
	}
	if n := len(all(t, a.EachDecision, f)); n != 3 {
		t.Errorf("%d decisions", n)
	}
	if n := len(all(t, a.EachReference, f)); n != 2 {
		t.Errorf("%d references", n)
	}
	if n := len(all(t, a.EachNotLifted, f)); n != 1 {
		t.Errorf("%d not lifted", n)
	}
	findings := all(t, a.EachFinding, evidence.Filter{})
	if len(findings) != 3 {
		t.Fatalf("%d findings", len(findings))
	}
	for _, x := range findings {
		if (x.Code == "unknown-member") != (x.Reader == "lab/summary@2") {
			t.Errorf("finding %+v", x)
		}
	}
	if n := len(all(t, a.EachFinding, evidence.Filter{State: "error"})); n != 1 {
		t.Errorf("%d errors", n)
	}
	if n := len(all(t, a.EachFinding, f)); n != 2 {
		t.Errorf("%d findings of the campaign", n)
	}
	if n := len(all(t, a.EachArtifact, evidence.Filter{})); n != 12 {
		t.Errorf("%d artifacts", n)
	}
}
