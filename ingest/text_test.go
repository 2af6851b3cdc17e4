package ingest_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"assay/ingest"
	"assay/store"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

func fixture(tb testing.TB, elements ...string) string {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func utf16LE(s string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func detail(tb testing.TB, a *store.Archive, f ingest.FileReport) evidence.ArtifactDetail {
	tb.Helper()
	digest, err := evidence.ParseDigest(f.SHA256)
	if err != nil {
		tb.Fatal(err)
	}
	d, err := a.Artifact(context.Background(), digest)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func TestText(t *testing.T) {
	table := fixture(t, "console", "testdata", "vllm.log")
	long := strings.Repeat("INFO 03-01 10:00:00 engine is warming up\n", 4000)
	report := fixture(t, "llmd", "testdata", "v01.yaml")
	batched := strings.SplitAfter(fixture(t, "llamabench", "testdata", "batched.jsonl"), "\n")[0]
	tests := []struct {
		name, text, reader string
		state              evidence.EndState
		runs               int
		findings           []string
	}{
		{"table", table, "console/serving@2", evidence.Accepted, 1, nil},
		{"table at the end of a log", long + table, "console/serving@2", evidence.Accepted, 1, nil},
		{"table with carriage returns", strings.ReplaceAll(table, "\n", "\r\n"), "console/serving@2", evidence.Accepted, 1, nil},
		{"table in UTF-16", utf16LE(table), "console/serving@2", evidence.Accepted, 1, []string{"info utf16  0", "warning partial-run /lines/5 620", "info chunks-not-tokens /lines/4 436"}},
		{"table after a byte order mark", "\ufeff" + table, "console/serving@2", evidence.Accepted, 1, []string{"info bom  0", "warning partial-run /lines/5 312", "info chunks-not-tokens /lines/4 220"}},
		{"table beside Latin-1", "caf\xe9\n" + table, "console/serving@2", evidence.Accepted, 1, nil},
		{"YAML", report, "llm-d/report-yaml@2", evidence.Accepted, 1, nil},
		{"YAML that breaks off", report + "\n  - [1, 2\n", "llm-d/report-yaml@2", evidence.Quarantined, 0, nil},
		{"flood of tables", strings.Repeat("============ Serving Benchmark Result ============\n", 6000), "console/serving@2", evidence.Quarantined, 0,
			[]string{"error too-many-figures /lines/0 0"}},
		{"flood of lines", "build_commit,x,n_prompt,n_gen,avg_ts\n" + strings.Repeat("a,b,512,0,12.5\n", 11_000), "llamabench/csv@2", evidence.Quarantined, 0,
			[]string{"error too-many-figures /lines/0 0"}},
		{"flood of values", "version: 0.1\nmetrics:\n" + strings.Repeat("- [1, 2, 3]\n", 200_000), "llm-d/report-yaml@2", evidence.Quarantined, 0,
			[]string{"error yaml-syntax /lines/0 0"}},
		{"text beyond the size", table + strings.Repeat(long, 60), "", evidence.Archived, 0, []string{"info not-json  0", "warning not-read  0"}},
		{"YAML of another shape", "version: '0.2'\nscenario: {}\n", "", evidence.Archived, 0, []string{"info not-json  0", "info not-lifted /lines/0 0"}},
		{"YAML with an alias", "version: '0.2'\nscenario: &s {}\nresults: *s\n", "", evidence.Archived, 0, []string{"info not-json  0", "info not-lifted /lines/0 0"}},
		{"page of a report", "<!DOCTYPE html><title>GuideLLM</title>", "", evidence.Archived, 0, []string{"info not-json  0", "info not-lifted /lines/0 0"}},
		{"results between log lines", batched + "perf: 1 ms\n" + batched + "perf: 2 ms\n", "llamabench/batched@2", evidence.Accepted, 2,
			[]string{"info several-values  0", "warning trailing-data  286", "warning trailing-data  583"}},
		{"results behind and before log lines", "load: 1 ms\n" + batched + "perf: 2 ms\n", "llamabench/log@2", evidence.Accepted, 1, nil},
		{"a result that was cut", batched + batched[:60], "llamabench/batched@2", evidence.Quarantined, 0, nil},
		{"a result with a bracket behind it", batched + "}\n", "llamabench/batched@2", evidence.Quarantined, 0, nil},
		{"a result of a tool that does not log", `{"elapsed_time": 10, "num_requests": 10, "total_num_tokens": 20, "requests_per_second": 1, "tokens_per_second": 2}` + "\nperf: 2 ms\n",
			"vllm/throughput@2", evidence.Quarantined, 0, nil},
		{"prose", "Nothing to see here.\n", "", evidence.Archived, 0, []string{"info not-json  0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newArchive(t)
			f := take(t, a, ingest.Options{}, blob("a", tt.text)).Files[0]
			if f.State != tt.state || f.Reader != tt.reader || f.Runs != tt.runs {
				t.Errorf("%s, reader %q, %d runs; want %s, %q, %d", f.State, f.Reader, f.Runs, tt.state, tt.reader, tt.runs)
			}
			if tt.findings != nil {
				if diff := cmp.Diff(tt.findings, codes(f)); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
			}
			holds(t, a)
		})
	}
}

// TestTextPlaces asks that the figures of one table are the same in every encoding,
// at the same lines.
func TestTextPlaces(t *testing.T) {
	table := fixture(t, "console", "testdata", "vllm.log")
	type figure struct {
		Metric evidence.MetricID
		Stat   evidence.Stat
		Text   string
		Place  evidence.Place
	}
	figures := func(text string) (out []figure) {
		a := newArchive(t)
		d := detail(t, a, take(t, a, ingest.Options{}, blob("a", text)).Files[0])
		for _, m := range d.Measurements {
			out = append(out, figure{m.Metric, m.Stat, m.SourceText, m.Place})
		}
		return out
	}
	want := figures(table)
	lines := strings.Split(table, "\n")
	for _, f := range want {
		line := lines[index(t, f.Place.Pointer)]
		if got := line[f.Place.Start:f.Place.End]; got != f.Text {
			t.Errorf("%s %s: %q at %s", f.Metric, f.Stat, got, f.Place.Pointer)
		}
	}
	for name, text := range map[string]string{"UTF-16": utf16LE(table), "mark": "\ufeff" + table, "CRLF": strings.ReplaceAll(table, "\n", "\r\n")} {
		if diff := cmp.Diff(want, figures(text)); diff != "" || len(want) < 10 {
			t.Errorf("%s, %d figures (-want +got):\n%s", name, len(want), diff)
		}
	}
}

// index is the line that a place is on, from 0.
func index(tb testing.TB, p evidence.Pointer) int {
	tb.Helper()
	tokens := p.Tokens()
	n, err := strconv.Atoi(tokens[len(tokens)-1])
	if err != nil || len(tokens) != 2 || tokens[0] != "lines" {
		tb.Fatalf("%s is no line", p)
	}
	return n
}

// TestTextFindingsStandInTheArtifact asks for offsets of the bytes as they came.
func TestTextFindingsStandInTheArtifact(t *testing.T) {
	const text = "first\nsecond\n"
	opt := ingest.Options{Texts: []ingest.TextReader{complaining{}}}
	for name, tt := range map[string]struct {
		text string
		want int64
	}{"plain": {text, 6}, "mark": {"\ufeff" + text, 9}, "UTF-16": {utf16LE(text), 14}} {
		f := take(t, newArchive(t), opt, blob("a", tt.text)).Files[0]
		last := f.Findings[len(f.Findings)-1]
		if f.State != evidence.Accepted || last.Code != "lab-second" || last.Offset != tt.want {
			t.Errorf("%s: %s, %v", name, f.State, codes(f))
		}
	}
	f := take(t, newArchive(t), opt, blob("a", "panic\n")).Files[0]
	if f.State != evidence.Quarantined || f.Findings[len(f.Findings)-1].Code != ingest.CodeReaderPanic {
		t.Errorf("panic: %s, %v", f.State, codes(f))
	}
}

// complaining takes every text and complains of its second line.
type complaining struct{}

func (complaining) ID() string                        { return "lab/text" }
func (complaining) Version() int                      { return 1 }
func (complaining) MatchText(b []byte) (string, bool) { return "lines", len(b) > 0 }

func (complaining) ReadText(b []byte, shape string) evidence.Document {
	at := strings.Index(string(b), "second")
	if at < 0 {
		panic("there is no second line")
	}
	return evidence.Document{Family: "lab", ShapeID: shape, Findings: []evidence.Finding{
		{Severity: evidence.Warning, Code: "lab-second", Pointer: "/lines/1", Offset: int64(at), Message: "a second line"},
	}}
}

// holds reads everything again and compares.
func holds(tb testing.TB, a *store.Archive) {
	tb.Helper()
	r, err := ingest.Verify(context.Background(), a, ingest.VerifyOptions{Derive: store.Derived})
	if err != nil || !r.Holds() {
		tb.Errorf("verify: %+v, %v", r, err)
	}
}
