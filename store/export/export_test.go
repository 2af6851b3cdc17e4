package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
	"assay/store/export"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var source = evidence.Source{Artifact: evidence.DigestOf([]byte("{}")), Reader: "anvil/decision-summary@1"}

func measurement(edit func(*evidence.MeasurementRow)) evidence.MeasurementRow {
	r := evidence.MeasurementRow{
		Source: source, Campaign: "2026-08-14-matrix", Arm: "bf16 tp1 mtp0", Run: evidence.RunID(source.Artifact, 0),
		Measurement: evidence.Measurement{
			Metric: evidence.TTFT, Stat: evidence.P50, Method: evidence.NearestRank, Value: evidence.Some(0.8477),
			Unit: evidence.Seconds, N: evidence.Some(int64(10)), State: evidence.Recorded, Role: evidence.Primary,
			SourceText: "847.7", SourceUnit: "ms", Place: evidence.At("/results/0/short/ttft_p50_ms"),
		},
	}
	if edit != nil {
		edit(&r)
	}
	return r
}

const hostile = "=cmd|' /C calc'!A0</script><img src=x onerror=alert(1)>|\r\n\u202e`[x](javascript:1)\x00\xff"

// measurements are a plain row, an interval, a figure in a sentence, a negative claim
// and one that is hostile wherever a source has a say.
func measurements() []evidence.MeasurementRow {
	return []evidence.MeasurementRow{
		measurement(nil),
		measurement(func(r *evidence.MeasurementRow) {
			r.Metric, r.Stat, r.Method, r.Unit = evidence.OutputThroughput, evidence.Total, "", evidence.TokensPerSecond
			r.Value, r.Lower, r.Upper = evidence.None[float64](), evidence.Some(1401.7693), evidence.Some(1423.4125)
			r.SourceText, r.SourceUnit = "1401.7693 to 1423.4125", "tok/s"
			r.Place, r.Also = evidence.At("/rows/1/low"), []evidence.Place{evidence.At("/rows/1/high"), evidence.At("/rows/1/rate")}
		}),
		measurement(func(r *evidence.MeasurementRow) {
			r.Value, r.SourceText, r.N = evidence.Some(1.0344), "1034.400", evidence.None[int64]()
			r.State, r.Rule, r.Place = evidence.Derived, "prose/statistics", evidence.InText("/measurement/statistics/3", 36, 44)
		}),
		measurement(func(r *evidence.MeasurementRow) {
			r.Metric, r.Stat, r.Unit, r.Role = evidence.ClaimedChange, evidence.Single, evidence.Ratio, evidence.Claim
			r.Value, r.SourceText, r.SourceUnit = evidence.Some(-0.231), "-23.1", "percent"
		}),
		measurement(func(r *evidence.MeasurementRow) {
			r.Campaign, r.Arm, r.SourceText, r.SourceUnit = hostile, "@SUM(1+1)*cmd", hostile, "\t＝1"
			r.Place = evidence.At(evidence.Pointer("/" + strings.ReplaceAll(hostile, "/", "~1")))
			r.Value = evidence.Some(0.0)
		}),
	}
}

func write(t *testing.T, k export.Kind, f export.Format, wide bool, fill func(*export.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	begin := export.New
	if wide {
		begin = export.NewWide
	}
	w, err := begin(k, f, &b)
	if err == nil {
		err = fill(w)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func fillMeasurements(w *export.Writer) error {
	for _, r := range measurements() {
		if err := w.Measurement(r); err != nil {
			return err
		}
	}
	return nil
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, d)
	}
}

func TestMeasurementsGolden(t *testing.T) {
	for _, f := range export.Formats {
		golden(t, "measurements."+string(f), write(t, export.Measurements, f, false, fillMeasurements))
	}
	golden(t, "measurements.wide.csv", write(t, export.Measurements, export.CSV, true, fillMeasurements))
}

// rows has one row of every other kind.
func rows(w *export.Writer, k export.Kind) error {
	switch place := evidence.At("/decision/reason"); k {
	case export.Facts:
		err := w.Fact(evidence.FactRow{Source: source, Campaign: "c", Arm: "a", Fact: evidence.Fact{Key: evidence.KeyTP, Value: "2", State: evidence.Derived, Place: evidence.InText("/x", 3, 4), SourceText: "TP2", Rule: "prose/topology"}})
		if err != nil {
			return err
		}
		return w.Fact(evidence.FactRow{Source: source, Campaign: "c", Fact: evidence.Fact{Key: evidence.KeyDriver, State: evidence.Absent, Place: place}})
	case export.Runs:
		return w.Run(evidence.RunRow{Source: source, ID: "r", Campaign: "c", Arm: "a", Family: "F5", Class: evidence.ClassShort, Status: evidence.Measured, Place: place, Facts: []evidence.FactRow{
			{Fact: evidence.Fact{Key: evidence.KeyRequests, Value: "100"}}, {Fact: evidence.Fact{Key: evidence.KeyConcurrency, Value: "8"}}}})
	case export.Decisions:
		return w.Decision(evidence.DecisionRow{Source: source, Campaign: "c", Decision: evidence.Decision{Kind: evidence.DecisionLabel, Value: "no-promotion", Place: place}})
	case export.Artifacts:
		return w.Artifact(evidence.ArtifactRow{Digest: source.Artifact, Size: 2, StoredUS: 1_700_000_000_000_001, State: evidence.Accepted, Values: 1, Names: []string{"a.json", "=b.json"}})
	case export.Gates:
		return w.Gate(evidence.GateRow{Source: source, Campaign: "c", Gate: evidence.Gate{Name: "tools", SourceStatus: "passed for load", Status: evidence.GateUnresolved, Place: place}})
	case export.Notes:
		return w.Note(evidence.NoteRow{Source: source, Campaign: "c", Note: evidence.Note{Kind: evidence.Limitation, Text: "one card | see https://example.com/ or www.example.com or a@example.com", Place: place}})
	case export.References:
		return w.Reference(evidence.ReferenceRow{Source: source, Campaign: "c", Reference: evidence.Reference{Name: "r.json", Kind: "evidence", Place: place}, State: evidence.RefNotStored})
	case export.Findings:
		return w.Finding(evidence.FindingRow{Artifact: source.Artifact, Finding: evidence.Finding{Severity: evidence.Error, Code: "duplicate-key", Pointer: "/a", Offset: 17, Message: "twice"}})
	case export.NotLifted:
		return w.NotLifted(evidence.NotLiftedRow{Source: source, NotLifted: evidence.NotLifted{Place: place, Text: "82", Reason: evidence.ReasonProse}})
	case export.Coverage:
		err := w.Coverage(evidence.CoverageRow{Source: source, Campaign: "c", Family: "F5", Documents: 1, Artifacts: 1, Covered: []evidence.Covered{
			{Ending: evidence.AsMeasurement, Numbers: 7}, {Ending: evidence.AsFact, Numbers: 2}, {Ending: evidence.ReasonTimestamp, Numbers: 1}, {Ending: "novel", Numbers: 1}, {Ending: evidence.ReasonUnread, Numbers: 1}}})
		if err != nil {
			return err
		}
		return w.Coverage(evidence.CoverageRow{Source: evidence.Source{Reader: "log@1"}, Documents: 2, Artifacts: 2, Covered: []evidence.Covered{
			{Ending: evidence.AsMeasurement, Numbers: 3}, {Ending: evidence.InProse, Numbers: 9}}})
	case export.Signoffs:
		row := evidence.SignOffRow{Campaign: "c", Decision: "promote", Signer: "ada", SignedUS: 1_700_000_000_000_001, State: "current", Statement: source.Artifact,
			Artifacts: []evidence.Digest{source.Artifact, {1}}, Number: "S-0001", Candidate: "=arm", Target: "promotion", Preparer: "bob", LogIndex: 41, Ruleset: 3,
			Policy: "default@1", PolicyDigest: source.Artifact.String()}
		if err := w.SignOff(row); err != nil {
			return err
		}
		row.Number, row.State, row.Reasons, row.Preparer, row.LogIndex = "S-0002", "stale", []string{"evidence | superseded", "policy differs"}, "", 0
		return w.SignOff(row)
	case export.Repairs:
		err := w.Repair(evidence.Repair{ID: 1, Kind: evidence.RepairAlias, Target: "=card", Key: evidence.KeyGPUProduct, Value: "Example Card 9", Author: "Ada", Reason: "one machine, one card", AtUS: 1_700_000_000_000_001})
		if err != nil {
			return err
		}
		return w.Repair(evidence.Repair{ID: 2, Kind: evidence.RepairMove, Target: source.Artifact.String(), Value: "c", Author: "Ada", Reason: "same night", AtUS: 1_700_000_000_000_001,
			WithdrawnBy: "Bob", WithdrawnReason: "another night", WithdrawnUS: 1_700_000_000_000_002})
	}
	return nil
}

func TestOtherKindsGolden(t *testing.T) {
	for _, k := range export.Kinds {
		if k == export.Measurements {
			continue
		}
		var all []byte
		for _, f := range []export.Format{export.CSV, export.JSON, export.Markdown} {
			all = append(all, write(t, k, f, true, func(w *export.Writer) error { return rows(w, k) })...)
		}
		golden(t, string(k)+".txt", all)
	}
}

// TestContract pins the names and the order that scripts rely on.
func TestContract(t *testing.T) {
	for k, want := range map[export.Kind]string{
		export.Measurements: "campaign arm run metric stat method value lower upper unit n state source_text source_unit artifact pointer reader",
		export.Facts:        "campaign arm run key class value state artifact pointer rule_or_author",
		export.Runs:         "campaign arm run family protocol requests completed concurrency artifact pointer",
	} {
		var got []string
		for _, c := range export.Columns(k) {
			got = append(got, c.Name)
		}
		if d := cmp.Diff(strings.Fields(want), got); d != "" {
			t.Errorf("%s: %s", k, d)
		}
	}
	for _, k := range export.Kinds {
		seen := map[string]bool{}
		for _, c := range export.WideColumns(k) {
			if seen[c.Name] || c.Help == "" {
				t.Errorf("%s: column %q: twice, or without help", k, c.Name)
			}
			seen[c.Name] = true
		}
	}
}

// TestSameValues reads CSV and JSON back: same columns, same values, absent as empty
// and null.
func TestSameValues(t *testing.T) {
	table, err := csv.NewReader(bytes.NewReader(write(t, export.Measurements, export.CSV, false, fillMeasurements))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(write(t, export.Measurements, export.JSON, false, fillMeasurements)))
	dec.UseNumber()
	var objects []map[string]any
	if err := dec.Decode(&objects); err != nil {
		t.Fatal(err)
	}
	if len(objects) != len(table)-1 {
		t.Fatalf("%d objects, %d CSV rows", len(objects), len(table)-1)
	}
	unpicture := strings.NewReplacer("␀", "\x00")
	for i, o := range objects {
		for j, name := range table[0] {
			want := ""
			if v := o[name]; v != nil {
				want = fmt.Sprint(v)
			}
			// Go's CSV reader turns CR LF in a cell into LF.
			want = strings.ReplaceAll(want, "\r\n", "\n")
			if got := unpicture.Replace(export.Unguard(table[i+1][j])); got != want {
				t.Errorf("row %d %s: CSV %q, JSON %q", i, name, got, want)
			}
		}
	}
	if v := objects[1]["value"]; v != nil {
		t.Errorf("an interval has the value %v", v)
	}
	if v := objects[0]["lower"]; v != nil {
		t.Errorf("a point has the lower bound %v", v)
	}
	if v := fmt.Sprint(objects[4]["value"]); v != "0" {
		t.Errorf("zero is %v", v)
	}
}

// TestSignOffsAreGiven: an archive that knows of no sign-offs is no archive without any.
func TestSignOffsAreGiven(t *testing.T) {
	pour := func(a export.Lists) error {
		w, err := export.New(export.Signoffs, export.CSV, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return w.Pour(t.Context(), a, evidence.Filter{})
	}
	var plain export.Lists
	if err := pour(plain); err == nil {
		t.Error("sign-offs came from lists that have none")
	}
	if err := pour(export.WithSignOffs{Lists: plain, SignOffs: export.NoSignOffs{}}); err != nil {
		t.Error(err)
	}
}

func TestEmpty(t *testing.T) {
	for _, k := range export.Kinds {
		if got := string(write(t, k, export.JSON, false, func(*export.Writer) error { return nil })); got != "[]\n" {
			t.Errorf("%s: empty JSON is %q", k, got)
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := export.New("figures", export.CSV, io.Discard); err == nil || !strings.Contains(err.Error(), "measurements") {
		t.Errorf("unknown kind: %v", err)
	}
	if _, err := export.New(export.Facts, export.Bench, io.Discard); err == nil {
		t.Error("bench takes facts")
	}
	for _, f := range export.Formats {
		w, _ := export.New(export.Measurements, f, io.Discard)
		err := w.Measurement(measurement(func(r *evidence.MeasurementRow) { r.Value = evidence.Some(math.NaN()) }))
		if !errors.Is(err, evidence.ErrNotFinite) || !errors.Is(w.Close(), evidence.ErrNotFinite) {
			t.Errorf("%s: NaN gave %v", f, err)
		}
	}
	w, _ := export.New(export.Facts, export.CSV, io.Discard)
	if err := w.Measurement(measurement(nil)); err == nil {
		t.Error("a writer of facts takes a measurement")
	}
	broken := errors.New("pipe closed")
	w, _ = export.New(export.Measurements, export.CSV, failing{broken})
	if err := w.Close(); !errors.Is(err, broken) {
		t.Errorf("write error lost: %v", err)
	}
	bad := export.Table{Title: "t", Columns: []export.Column{{Name: "a"}}, Rows: [][]export.Cell{{}}}
	if err := bad.Write(export.CSV, io.Discard); err == nil {
		t.Error("a row without its cell is written")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestTable(t *testing.T) {
	table := export.Table{
		Title:   "TP x MTP <decode>",
		Columns: []export.Column{{Name: "checkpoint", Form: export.Code}, {Name: "tp1 mtp0", Form: export.Figure}, {Name: "change"}, {Name: "seen", Form: export.Code}},
		Rows: [][]export.Cell{
			{export.Text("bf16"), export.Number(25.8), export.Text("+39.1%"), export.Words([]string{"a", "b|c"})},
			{export.Text("official_fp8"), {}, export.Text("not run"), export.Flag(true)},
		},
	}
	var all bytes.Buffer
	for _, f := range []export.Format{export.CSV, export.JSON, export.Markdown} {
		if err := table.Write(f, &all); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "table.txt", all.Bytes())
}
