package ingest_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

const known = `{"schema":"lab.rows/v1","rows":[{"name":"a","ttft_ms":12.5},{"name":"b","ttft_ms":7}]}`

var endStates = []struct {
	name, text string
	state      evidence.EndState
	schema     string
	runs       int
	findings   []string
}{
	{"known", known, evidence.Accepted, "lab.rows/v1", 2, nil},
	{"known with a mark", "\xef\xbb\xbf" + known, evidence.Accepted, "lab.rows/v1", 2, []string{"info bom  0"}},
	{"known in utf-16", utf16le("\ufeff" + known), evidence.Accepted, "lab.rows/v1", 2, []string{"info utf16  0"}},
	{"known with crlf", strings.ReplaceAll(known, ",", ",\r\n"), evidence.Accepted, "lab.rows/v1", 2, []string{"info crlf  24"}},
	{"known with a word", `{"schema":"lab.rows/v1","rows":[{"name":"a","ttft_ms":NaN}]}`, evidence.Accepted, "lab.rows/v1", 1,
		[]string{"warning not-finite /rows/0/ttft_ms 54"}},
	{"lines", known + "\n" + known + "\n", evidence.Accepted, "lab.rows/v1", 4, []string{"info several-values  0"}},
	{"lines, one known", "{\"a\":1}\n" + known, evidence.Accepted, "lab.rows/v1", 2,
		[]string{"info several-values  0", "info no-label /0 0"}},
	{"lines after a banner", "found 1 device\n" + known + "\n", evidence.Accepted, "lab.rows/v1", 2, []string{"warning leading-text  0"}},

	{"other label", `{"schema":"else.thing/v2","x":1}`, evidence.Archived, "else.thing/v2", 0, []string{"info unrecognised-label  0"}},
	{"same label, other shape", `{"schema":"lab.rows/v1","table":[]}`, evidence.Archived, "lab.rows/v1", 0, []string{"info unrecognised-label  0"}},
	{"label as number", `{"schema_version":1}`, evidence.Archived, "", 0, []string{"info no-label  0"}},
	{"no label", `{"x":[1,2]}`, evidence.Archived, "", 0, []string{"info no-label  0"}},
	{"array", `[{"schema":"lab.rows/v1"}]`, evidence.Archived, "", 0, []string{"info no-label  0"}},
	{"bare string", `"text"`, evidence.Archived, "", 0, []string{"info no-label  0"}},
	{"large integer", `{"at":1783588550633024500}`, evidence.Archived, "", 0, []string{"info big-integer /at 6", "info no-label  0"}},
	{"lone surrogate", `{"x":"\ud800"}`, evidence.Archived, "", 0, []string{"warning lone-surrogate /x 6", "info no-label  0"}},
	{"empty", "", evidence.Archived, "", 0, []string{"info empty  0"}},
	{"blank", " \n\n", evidence.Archived, "", 0, []string{"info empty  0"}},
	{"text", "ready in 3 s\n", evidence.Archived, "", 0, []string{"info not-json  0"}},
	{"toml", "[[arm]]\nname = \"a\"\n", evidence.Archived, "", 0, []string{"info not-json  0", "info unrecognised-text  -1"}},
	{"csv", "name,ttft_ms\na,12.5\n", evidence.Archived, "", 0, []string{"info not-json  0"}},
	{"binary", "\x7fELF\x02\x01\x01\x00\x00", evidence.Archived, "", 0, []string{"info not-json  0"}},

	{"duplicate member", `{"schema":"lab.rows/v1","rows":[],"rows":[]}`, evidence.Quarantined, "lab.rows/v1", 0, []string{"error duplicate-key /rows 34"}},
	{"trailing data", known + "xyz", evidence.Quarantined, "lab.rows/v1", 0, []string{"error trailing-data  86"}},
	{"bad utf-8", `{"schema":"lab.rows/v1","rows":[{"name":"` + "\xff" + `"}]}`, evidence.Quarantined, "lab.rows/v1", 0, []string{"error bad-utf8 /rows/0/name 41"}},
	{"control character", "{\"x\":\"a\x01b\"}", evidence.Quarantined, "", 0, []string{"error control-character /x 7"}},
	{"truncated", known[:50], evidence.Quarantined, "lab.rows/v1", 0, []string{"error truncated /rows/0/name 50"}},
	{"broken", `{"schema":"lab.rows/v1","rows":[}`, evidence.Quarantined, "lab.rows/v1", 0, []string{"error syntax /rows/0 32"}},
	{"broken line", known + "\n{\"a\":1,}\n" + known, evidence.Quarantined, "lab.rows/v1", 0,
		[]string{"info several-values  0", "error syntax /1/a 94"}},
	{"out of range", `{"schema":"lab.rows/v1","rows":[],"x":1e999}`, evidence.Quarantined, "lab.rows/v1", 0, []string{"error number-out-of-range /x 38"}},
	{"word nobody knows", `{"rate":Infinity}`, evidence.Quarantined, "", 0, []string{"error not-finite /rate 8"}},
	{"bomb", strings.Repeat("[", 100_000), evidence.Quarantined, "", 0, []string{"error nesting-too-deep " + strings.Repeat("/0", 1000) + " 1000"}},
	{"reader doubts", `{"schema":"lab.rows/v1","rows":[],"doubt":true}`, evidence.Quarantined, "lab.rows/v1", 0, []string{"error lab-doubt /doubt 42"}},
	{"reader panics", `{"schema":"faulty.panic/v1"}`, evidence.Quarantined, "faulty.panic/v1", 0, []string{"error reader-panic  0"}},
	{"reader gives nonsense", `{"schema":"faulty.rows/v1"}`, evidence.Quarantined, "faulty.rows/v1", 0, []string{"error not-stored  -1"}},
}

func TestEndStates(t *testing.T) {
	var sources []ingest.Source
	for _, tt := range endStates {
		sources = append(sources, blob(tt.name, tt.text))
	}
	a := newArchive(t)
	report := take(t, a, options(), sources...)
	if len(report.Files) != len(endStates) {
		t.Fatalf("%d files in the report, want %d", len(report.Files), len(endStates))
	}
	for i, tt := range endStates {
		t.Run(tt.name, func(t *testing.T) {
			got := report.Files[i]
			if got.Path != tt.name || got.State != tt.state || got.Schema != tt.schema || got.Runs != tt.runs {
				t.Errorf("%s: %s, schema %q, %d runs; want %s, %q, %d", got.Path, got.State, got.Schema, got.Runs, tt.state, tt.schema, tt.runs)
			}
			if got.SHA256 != evidence.DigestOf([]byte(tt.text)).String() {
				t.Errorf("digest %s", got.SHA256)
			}
			if diff := cmp.Diff(tt.findings, codes(got)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			for _, f := range got.Findings {
				if f.Message == "" {
					t.Errorf("%s says nothing", f.Code)
				}
			}
			row, err := a.FindArtifact(context.Background(), got.SHA256)
			if err != nil || row.State != tt.state || row.Runs != tt.runs || row.Schema != tt.schema {
				t.Errorf("the archive has %+v, %v", row, err)
			}
		})
	}
	again := take(t, a, options(), sources...)
	if again.Duplicate != len(endStates) {
		t.Errorf("the second time %d of %d are duplicates", again.Duplicate, len(endStates))
	}
	if f := again.Files[0]; f.State != evidence.Duplicate || f.Schema != "lab.rows/v1" || f.Runs != 2 || f.Findings[0].Code != ingest.CodeKnown {
		t.Errorf("a duplicate is reported as %+v", f)
	}
}

func TestReportJSON(t *testing.T) {
	a := newArchive(t)
	const text = `{"schema":"lab.rows/v1","rows":[{"name":"a","ttft_ms":12.5}]}`
	got, err := json.Marshal(take(t, a, options(), blob("dir/a.json", text)))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"accepted":1,"duplicate":0,"archived":0,"quarantined":0,"lost":0,"skipped":0,"pending":0,"files":[{"path":"dir/a.json",` +
		`"sha256":"` + evidence.DigestOf([]byte(text)).String() + `","state":"accepted","schema":"lab.rows/v1","family":"lab",` +
		`"reader":"lab/rows@1","runs":1,"findings":[]}],"resumed":[]}`
	if string(got) != want {
		t.Errorf("report\n%s\nwant\n%s", got, want)
	}
	empty, _ := json.Marshal(ingest.Report{})
	if !strings.Contains(string(empty), `"files":[]`) {
		t.Errorf("empty report %s", empty)
	}
}

func TestEqualBytesInOneRun(t *testing.T) {
	a := newArchive(t)
	var sources []ingest.Source
	for range 200 { // more than a batch, so that the first is still on its way
		sources = append(sources, blob("same", `{"schema":"lab.rows/v1","rows":[]}`))
	}
	r := take(t, a, options(), sources...)
	if r.Accepted != 1 || r.Duplicate != 199 || r.Files[0].State != evidence.Accepted {
		t.Errorf("accepted %d, duplicate %d", r.Accepted, r.Duplicate)
	}
}

func TestCampaigns(t *testing.T) {
	ctx := context.Background()
	const (
		silent = `{"schema":"anvil-serving.lab-rows/v1","observed":"2026-09-01T10:00:00Z","rows":[]}`
		speaks = `{"schema":"anvil-serving.lab-rows/v1","campaign":"own","rows":[]}`
	)
	opt := ingest.Options{Readers: []ingest.Reader{anyLabel{}}}
	campaign := func(a ingest.Readings, text string) string {
		row, err := a.FindArtifact(ctx, evidence.DigestOf([]byte(text)).String())
		if err != nil {
			t.Fatal(err)
		}
		return row.Campaign
	}
	check := func(a ingest.Readings, text, want string) {
		t.Helper()
		if got := campaign(a, text); got != want {
			t.Errorf("campaign %q, want %q", got, want)
		}
	}
	a := newArchive(t)
	take(t, a, opt, blob("a", silent), blob("b", speaks))
	derived := "2026-09-01-lab-rows-" + evidence.DigestOf([]byte(silent)).String()[:8]
	check(a, silent, derived)
	check(a, speaks, "own")

	opt.Campaign = "declared"
	r := take(t, a, opt, blob("a", silent), blob("b", speaks))
	if r.Duplicate != 2 {
		t.Errorf("%d duplicates, want 2", r.Duplicate)
	}
	check(a, silent, "declared")
	check(a, speaks, "declared")

	opt.Campaign = ""
	take(t, a, opt, blob("a", silent))
	check(a, silent, "declared")
	if pending, err := a.Pending(ctx, 0, 10); err != nil || len(pending) > 0 {
		t.Errorf("%d artifacts are left unread, %v", len(pending), err)
	}
}

// anyLabel is labReader for every label.
type anyLabel struct{ labReader }

func (anyLabel) Match(string, *jsondoc.Node) (string, bool) { return "rows", true }

func TestStandardInput(t *testing.T) {
	a := newArchive(t)
	text := `{"schema":"lab.rows/v1","rows":[]}`
	r := take(t, a, options(), ingest.Stdin(strings.NewReader(text)))
	if f := r.Files[0]; f.Path != "-" || f.State != evidence.Accepted {
		t.Errorf("%+v", f)
	}
	broken := io.MultiReader(strings.NewReader(`{"a":`), failing{errors.New("the line is dead")})
	r = take(t, a, options(), ingest.Stream("upload", "http", broken))
	if f := r.Files[0]; r.Lost != 1 || f.State != ingest.Lost || !strings.Contains(f.Findings[0].Message, "the line is dead") {
		t.Errorf("%+v", f)
	}
}

// TestStopDoesNotWaitForInput stops an intake that waits for a line that nobody writes.
func TestStopDoesNotWaitForInput(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	go func() {
		w.Write([]byte(`{"a":`))
		cancel()
	}()
	report, err := ingest.Take(ctx, newArchive(t), []ingest.Source{ingest.Stdin(r)}, options())
	if !errors.Is(err, context.Canceled) || report.Lost != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestHostileText(t *testing.T) {
	a := newArchive(t)
	hostile := []string{
		`</script><script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `=HYPERLINK("x")`, "\u202egnp.exe", "a\u0000b",
		strings.Repeat("long ", 200_000), "\U0001F600\u0301", "\\u0000", `' OR 1=1 --`, "line\nline", "\ufeff",
	}
	var sources []ingest.Source
	for _, h := range hostile {
		text, err := json.Marshal(map[string]any{"schema": "lab.rows/v1", "observed": h, h: h, "rows": []any{map[string]any{"name": h, "ttft_ms": 1}}})
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, ingest.Blob(h, "http", text))
	}
	r := take(t, a, options(), sources...)
	for _, f := range r.Files {
		if f.State != evidence.Accepted {
			t.Errorf("%.40q ends %s: %v", f.Path, f.State, codes(f))
		}
	}
}

func TestStopFinishesWhatIsInHand(t *testing.T) {
	a := newArchive(t)
	ctx, cancel := context.WithCancel(context.Background())
	var sources []ingest.Source
	for i := range 1000 {
		sources = append(sources, blob("x", `{"n":`+strings.Repeat("1", 1+i%15)+`,"i":"`+strings.Repeat("y", i)+`"}`))
	}
	opt := options()
	done := 0
	opt.Done = func(ingest.FileReport) {
		if done++; done == 10 {
			cancel()
		}
	}
	r, err := ingest.Take(ctx, a, sources, opt)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if len(r.Files) != done || done >= len(sources) {
		t.Errorf("%d reported, %d done, of %d", len(r.Files), done, len(sources))
	}
	if pending, err := a.Pending(context.Background(), 0, 10); err != nil || len(pending) > 0 {
		t.Errorf("%d artifacts are kept and not read, %v", len(pending), err)
	}
}

func TestProgress(t *testing.T) {
	var last ingest.Progress
	calls := 0
	opt := options()
	opt.Progress = func(p ingest.Progress) { last, calls = p, calls+1 }
	dir := writeTree(t, map[string]string{"a.json": `{"a":1}`, "b/c.txt": "hello"})
	take(t, newArchive(t), opt, ingest.Path(dir))
	if last.Files != 2 || last.TotalFiles != 2 || last.Bytes != 12 || last.TotalBytes != 12 || !last.Done {
		t.Errorf("%+v", last)
	}
	if calls > 3 {
		t.Errorf("%d calls for two files", calls)
	}
}

// TestReasonOfAMiss shows what a reader misses in a value that has its label.
func TestReasonOfAMiss(t *testing.T) {
	opt := ingest.Options{Readers: []ingest.Reader{labReader{}, choosyReader{}}}
	r := take(t, newArchive(t), opt, blob("a", `{"schema":"choosy/v1"}`), blob("b", `{"schema":"choosy.panic/v1"}`))
	if m := r.Files[0].Findings[0].Message; !strings.Contains(m, "it has no rows") {
		t.Errorf("message %q", m)
	}
	if f := r.Files[1]; f.State != evidence.Archived {
		t.Errorf("%+v", f)
	}
}

type choosyReader struct{ labReader }

func (choosyReader) Reason(label string, _ *jsondoc.Node) string {
	switch label {
	case "choosy/v1":
		return "it has no rows"
	case "choosy.panic/v1":
		panic("no reason")
	}
	return ""
}
