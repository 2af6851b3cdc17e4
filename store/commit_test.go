package store

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

func dump(t testing.TB, a *Archive) string {
	t.Helper()
	var buf bytes.Buffer
	if err := a.DumpDerived(t.Context(), &buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// TestReadAgainIsTheSame: reading the same bytes again gives the same rows, without a
// reset and after one.
func TestReadAgainIsTheSame(t *testing.T) {
	a := openTemp(t)
	readings := map[string]*evidence.Reading{
		"one": fullReading(), "two": syntheticReading("2026-09-02-sweep", 1, 3, 2), "three": syntheticReading("2026-09-02-sweep", 2, 1, 1),
		"four": {State: evidence.Archived, Encoding: "utf-8", Values: 1, Text: "words only"},
	}
	for _, name := range []string{"one", "two", "three", "four"} {
		fileReading(t, a, name, name, readings[name])
	}
	before := dump(t, a)
	again := func() {
		all, err := a.All(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := len(all) - 1; i >= 0; i-- { // another order than before
			row, err := a.FindArtifact(t.Context(), all[i].Digest.String())
			if err != nil {
				t.Fatal(err)
			}
			commitOne(t, a, all[i], readings[row.Names[0]])
		}
	}
	again()
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	if err := a.ResetDerived(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(dump(t, a), "\"pending\""); n != 4 {
		t.Errorf("%d artifacts are pending after a reset, want 4", n)
	}
	if pending, err := a.Pending(t.Context(), 0, 0); err != nil || len(pending) != 4 {
		t.Errorf("%d pending, %v", len(pending), err)
	}
	again()
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Errorf("after a reset (-want +got):\n%s", diff)
	}
	checkIndex(t, a)
}

// checkIndex lets the search index compare itself with its table.
func checkIndex(t *testing.T, a *Archive) {
	t.Helper()
	for _, table := range []string{"search", "search_name"} {
		if _, err := a.writer.Exec("INSERT INTO " + table + " (" + table + ", rank) VALUES ('integrity-check', 1)"); err != nil {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// TestOrderOfArrivalDoesNotMatter: the same evidence gives the same dump.
func TestOrderOfArrivalDoesNotMatter(t *testing.T) {
	names := []string{"one", "two", "three"}
	readings := []*evidence.Reading{fullReading(), syntheticReading("2026-09-01-kestrel", 1, 2, 2), syntheticReading("2026-09-02-other", 2, 1, 1)}
	forward, backward := openTemp(t), openTemp(t)
	for i := range names {
		fileReading(t, forward, names[i], names[i], readings[i])
		j := len(names) - 1 - i
		fileReading(t, backward, names[j], names[j], readings[j])
	}
	if diff := cmp.Diff(dump(t, forward), dump(t, backward)); diff != "" {
		t.Errorf("backwards (-want +got):\n%s", diff)
	}
}

// TestDerivedEqualsDerivedOf: what a reading would become is what it became.
func TestDerivedEqualsDerivedOf(t *testing.T) {
	a := openTemp(t)
	keepOne(t, a, "other", "other") // so that numbers in the archive and ordinals differ
	for i, r := range []*evidence.Reading{fullReading(), syntheticReading("2026-09-01-x", 1, 5, 40), {State: evidence.Quarantined}} {
		k := fileReading(t, a, "x", string(rune('a'+i)), r)
		want, err := Derived(k, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.DerivedOf(t.Context(), k.ArtifactID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("reading %d (-derived +stored):\n%s", i, diff)
		}
		if !strings.Contains(dump(t, a), string(got)) {
			t.Errorf("reading %d does not stand in the dump as it is", i)
		}
	}
}

// TestCampaignSums compares the kept sums with sums over the documents, through
// readings that come, change campaign and go.
func TestCampaignSums(t *testing.T) {
	a := openTemp(t)
	check := func(step string, want map[string]int) {
		t.Helper()
		rows, total, err := a.Campaigns(t.Context(), evidence.Filter{})
		if err != nil || total != len(want) {
			t.Errorf("%s: %d campaigns, %v; want %d", step, total, err, len(want))
		}
		for _, r := range rows {
			if want[r.ID] != r.Runs {
				t.Errorf("%s: %s has %d runs, want %d", step, r.ID, r.Runs, want[r.ID])
			}
			var documents, arms, runs, measurements, kept int
			err := a.reader.QueryRow("SELECT count(*), sum(arms), sum(runs), sum(measurements) FROM document WHERE campaign = ?", r.ID).
				Scan(&documents, &arms, &runs, &measurements)
			if err != nil || documents != r.Documents || arms != r.Arms || runs != r.Runs {
				t.Errorf("%s: %s says %+v, the documents %d, %d, %d; %v", step, r.ID, r, documents, arms, runs, err)
			}
			if err := a.reader.QueryRow("SELECT measurements FROM campaign WHERE id = ?", r.ID).Scan(&kept); err != nil || kept != measurements {
				t.Errorf("%s: %s says %d measurements, the documents %d, %v", step, r.ID, kept, measurements, err)
			}
		}
	}
	one := fileReading(t, a, "1", "1", syntheticReading("2026-09-01-a", 1, 2, 2))
	two := fileReading(t, a, "2", "2", syntheticReading("2026-09-01-a", 2, 1, 3))
	check("two artifacts", map[string]int{"2026-09-01-a": 7})
	commitOne(t, a, two, syntheticReading("2026-09-02-b", 2, 1, 3))
	check("one moved", map[string]int{"2026-09-01-a": 4, "2026-09-02-b": 3})
	commitOne(t, a, one, syntheticReading("2026-09-01-a", 1, 5, 5))
	check("one grew", map[string]int{"2026-09-01-a": 25, "2026-09-02-b": 3})
	commitOne(t, a, one, &evidence.Reading{State: evidence.Archived})
	check("one went", map[string]int{"2026-09-02-b": 3})
	if hits, n, err := a.Search(t.Context(), "2026-09-01-a", 0, 10); err != nil || n != 0 {
		t.Errorf("search still finds the campaign: %v, %v", hits, err)
	}
	checkIndex(t, a)
}

// TestSeen: when a campaign was first and last seen follows the arrivals of its
// artifacts, also through a reset.
func TestSeen(t *testing.T) {
	now := clock()
	a, err := Open(t.Context(), filepath.Join(t.TempDir(), "archive.db"), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	check := func(step string, first, last int64) {
		t.Helper()
		rows, _, err := a.Campaigns(t.Context(), evidence.Filter{})
		if err != nil || len(rows) != 1 || rows[0].FirstSeenUS-clock().UnixMicro() != first*1e6 || rows[0].LastSeenUS-clock().UnixMicro() != last*1e6 {
			t.Errorf("%s: %+v, %v; want %d s to %d s", step, rows, err, first, last)
		}
	}
	fileReading(t, a, "1", "1", syntheticReading("2026-09-01-a", 1, 1, 1))
	check("one", 0, 0)
	now = now.Add(time.Second)
	fileReading(t, a, "2", "2", syntheticReading("2026-09-01-a", 2, 1, 1))
	check("two", 0, 1)
	now = now.Add(time.Second)
	keepOne(t, a, "1", "1")
	check("the first again", 0, 2)
	if err := a.ResetDerived(t.Context()); err != nil {
		t.Fatal(err)
	}
	pending, err := a.Pending(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range pending {
		commitOne(t, a, k, syntheticReading("2026-09-01-a", i, 1, 1))
	}
	check("read anew", 0, 2)
	commitOne(t, a, pending[1], &evidence.Reading{State: evidence.Archived})
	check("one went", 0, 2)
}

// TestSameArtifactTwiceInOneCommit: the later reading stands.
func TestSameArtifactTwiceInOneCommit(t *testing.T) {
	a := openTemp(t)
	k := keepOne(t, a, "x", "x")
	err := a.Commit(t.Context(), []evidence.Result{
		{Kept: k, Reading: syntheticReading("2026-09-01-a", 1, 2, 2)}, {Kept: k, Reading: syntheticReading("2026-09-01-b", 1, 1, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	rows, total, err := a.Campaigns(t.Context(), evidence.Filter{})
	if err != nil || total != 1 || rows[0].ID != "2026-09-01-b" || rows[0].Runs != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestNothingToDo(t *testing.T) {
	a := openTemp(t)
	if kept, err := a.Keep(t.Context(), nil); err != nil || kept != nil {
		t.Error(kept, err)
	}
	if err := a.Commit(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := a.ResetDerived(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestArrivalsGetTheirEndState(t *testing.T) {
	a := openTemp(t)
	states := func() string {
		list, _, err := a.Arrivals(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for i := len(list) - 1; i >= 0; i-- {
			words = append(words, string(list[i].State))
		}
		return strings.Join(words, " ")
	}
	in := evidence.Incoming{Name: "x", Origin: "file", Data: []byte("x")}
	kept, err := a.Keep(t.Context(), []evidence.Incoming{in, in})
	if err != nil {
		t.Fatal(err)
	}
	if got := states(); got != "pending pending" {
		t.Errorf("before the reading: %s", got)
	}
	err = a.Commit(t.Context(), []evidence.Result{{Kept: kept[0], Reading: fullReading()}, {Kept: kept[1]}})
	if err != nil {
		t.Fatal(err)
	}
	if got := states(); got != "accepted duplicate" {
		t.Errorf("after the reading: %s", got)
	}
	again := keepAs(t, a, in)
	if err := a.Commit(t.Context(), []evidence.Result{{Kept: again}}); err != nil {
		t.Fatal(err)
	}
	if got := states(); got != "accepted duplicate duplicate" {
		t.Errorf("after a duplicate: %s", got)
	}
	commitOne(t, a, keepAs(t, a, in), fullReading()) // read again, for a new campaign
	if got := states(); got != "accepted duplicate duplicate duplicate" {
		t.Errorf("after another reading: %s", got)
	}
}

// TestInterruptedArrivals: a crash leaves arrivals open; the next reading closes them.
func TestInterruptedArrivals(t *testing.T) {
	in := evidence.Incoming{Name: "x", Origin: "file", Data: []byte("x")}
	arrivals := func(a *Archive) (words []string) {
		d, err := a.Artifact(t.Context(), evidence.DigestOf(in.Data))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range d.Arrivals {
			words = append(words, string(v.State))
		}
		return words
	}
	t.Run("the same file again", func(t *testing.T) {
		a := openTemp(t)
		keepAs(t, a, in)
		commitOne(t, a, keepAs(t, a, in), fullReading())
		if diff := cmp.Diff([]string{"accepted", "accepted"}, arrivals(a)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("resumed", func(t *testing.T) {
		a := openTemp(t)
		keepAs(t, a, in)
		keepAs(t, a, in)
		pending, err := a.Pending(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		commitOne(t, a, pending[0], fullReading())
		if diff := cmp.Diff([]string{"accepted", "duplicate"}, arrivals(a)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestReadingsThatCannotBeStored(t *testing.T) {
	tests := []struct {
		name    string
		spoil   func(*evidence.Reading)
		pointer evidence.Pointer
	}{
		{"not a number", func(r *evidence.Reading) { first(r).Value = evidence.Some(math.NaN()) }, "/rows/0/short/ttft_p50_ms"},
		{"infinite bound", func(r *evidence.Reading) { first(r).Upper = evidence.Some(math.Inf(1)) }, "/rows/0/short/ttft_p50_ms"},
		{"infinite sample", func(r *evidence.Reading) {
			r.Documents[0].Arms[0].Runs[0].Samples[0].E2E = evidence.Some(math.Inf(-1))
		}, "/rows/0/short/requests/0"},
		{"state", func(r *evidence.Reading) { first(r).State = "guessed" }, "/rows/0/short/ttft_p50_ms"},
		{"no role", func(r *evidence.Reading) { first(r).Role = "" }, "/rows/0/short/ttft_p50_ms"},
		{"fact state", func(r *evidence.Reading) { r.Documents[0].Facts[0].State = "" }, "/hardware"},
		{"gate status", func(r *evidence.Reading) { r.Documents[0].Gates[1].Status = "passed for now" }, "/gates/1"},
		{"severity", func(r *evidence.Reading) { r.Documents[0].Findings[0].Severity = "bad" }, "/extra"},
		{"end state", func(r *evidence.Reading) { r.State = evidence.Pending }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := openTemp(t)
			good := keepOne(t, a, "good", "good")
			k := keepOne(t, a, "spoiled", "spoiled")
			r := fullReading()
			tt.spoil(r)
			err := a.Commit(t.Context(), []evidence.Result{{Kept: good, Reading: fullReading()}, {Kept: k, Reading: r}})
			var fault *ReadingError
			if !errors.As(err, &fault) || fault.Digest != k.Digest || fault.Pointer != tt.pointer {
				t.Fatalf("error %v, want a fault of %s at %q", err, k.Digest.Short(), tt.pointer)
			}
			if _, derr := Derived(k, r); derr == nil || !strings.Contains(err.Error(), derr.Error()) {
				t.Errorf("Derived says %v, Commit %v", derr, err)
			}
			if pending, err := a.Pending(t.Context(), 0, 0); err != nil || len(pending) != 2 {
				t.Errorf("%d pending, %v; nothing may be half committed", len(pending), err)
			}
		})
	}
}

func first(r *evidence.Reading) *evidence.Measurement {
	return &r.Documents[0].Arms[0].Runs[0].Measurements[0]
}

// TestTablesRefuse goes past the program and asks the schema itself.
func TestTablesRefuse(t *testing.T) {
	a := openTemp(t)
	fileReading(t, a, "x", "x", fullReading())
	const measurement = `INSERT INTO measurement (run_id, ordinal, metric, stat, method, form, value, lower, upper, unit, n, state, role,
		source_text, source_unit, rule, pointer, span_start, span_end, also)
		VALUES ((SELECT min(id) FROM run), 99, 'ttft', 'p50', '', ?, ?, ?, ?, 's', NULL, ?, 'primary', '', '', '', '', 0, 0, ?)`
	tests := []struct {
		name, query string
		args        []any
	}{
		{"NaN", measurement, []any{"value", math.NaN(), nil, nil, "recorded", ""}},
		{"infinity", measurement, []any{"value", math.Inf(1), nil, nil, "recorded", ""}},
		{"infinite bound", measurement, []any{"interval", nil, math.Inf(-1), 1.0, "recorded", ""}},
		{"NaN bound", measurement, []any{"interval", nil, math.NaN(), 1.0, "recorded", ""}},
		{"interval with a value", measurement, []any{"interval", 1.0, 0.5, 2.0, "recorded", ""}},
		{"absent with a value", measurement, []any{"absent", 0.0, nil, nil, "absent", ""}},
		{"value without one", measurement, []any{"value", nil, nil, nil, "recorded", ""}},
		{"unknown form", measurement, []any{"guess", nil, nil, nil, "recorded", ""}},
		{"unknown state", measurement, []any{"value", 1.0, nil, nil, "guessed", ""}},
		{"broken places", measurement, []any{"value", 1.0, nil, nil, "recorded", "{"}},
		{"text for a number", measurement, []any{"value", "fast", nil, nil, "recorded", ""}},
		{"orphan", "INSERT INTO arm VALUES (1, 4711, '', '', 0, 0, '', '', 0, 0)", nil},
		{"gate word", "UPDATE gate SET status = 'fine'", nil},
		{"blob for text", "UPDATE note SET body = x'00'", nil},
		{"short digest", "INSERT INTO artifact (sha256, size, stored_us) VALUES (x'00', 1, 1)", nil},
		{"text size", "INSERT INTO artifact (sha256, size, stored_us) VALUES (randomblob(32), 'large', 1)", nil},
		{"artifact deleted", "DELETE FROM artifact", nil},
		{"artifact changed", "UPDATE artifact SET size = 1", nil},
		{"bytes deleted", "DELETE FROM artifact_chunk", nil},
		{"bytes changed", "UPDATE artifact_chunk SET body = x'00'", nil},
		{"name deleted", "DELETE FROM artifact_name", nil},
		{"name changed", "UPDATE artifact_name SET name = 'y'", nil},
		{"arrival deleted", "DELETE FROM arrival", nil},
		{"arrival changed", "UPDATE arrival SET at_us = 0", nil},
		{"search index written past its table", "DELETE FROM search_data", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := a.writer.Exec(tt.query, tt.args...); err == nil {
				t.Error("the schema takes it")
			}
		})
	}
	if _, err := a.writer.Exec(measurement, "value", math.MaxFloat64, nil, nil, "recorded", ""); err != nil {
		t.Errorf("the largest number is refused: %v", err)
	}
}
