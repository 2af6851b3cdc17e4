package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
)

// resultCode is an error as SQLite gives it.
type resultCode int

func (c resultCode) Error() string { return fmt.Sprintf("result code %d", int(c)) }
func (c resultCode) Code() int     { return int(c) }

const (
	diskFull   resultCode = 13
	constraint resultCode = 275
)

// failingArchive fails after some calls, as on a disk that fills up.
type failingArchive struct {
	*store.Archive
	keeps, commits int
	err            error
}

func (f *failingArchive) Keep(ctx context.Context, in []evidence.Incoming) ([]evidence.Kept, error) {
	if f.keeps--; f.keeps < 0 {
		return nil, f.err
	}
	return f.Archive.Keep(ctx, in)
}

func (f *failingArchive) Commit(ctx context.Context, r []evidence.Result) error {
	if f.commits--; f.commits < 0 {
		return f.err
	}
	return f.Archive.Commit(ctx, r)
}

// TestEveryInputIsReportedWhenTheArchiveFails: no input is passed over in silence, and
// what the report calls kept is read by the next intake.
func TestEveryInputIsReportedWhenTheArchiveFails(t *testing.T) {
	var sources []ingest.Source
	for i := range 400 {
		sources = append(sources, blob(fmt.Sprintf("in-%03d", i), rowsDocument(i, 1)))
	}
	sources = append(sources, blob("again", rowsDocument(70, 1)), ingest.Path("no such file"),
		ingest.Stream("long", "http", repeat("", rowsDocument(9, 2), "", 9<<20)))
	for _, tt := range []struct {
		name           string
		keeps, commits int
		accepted       int
		pending, lost  bool
	}{
		{"nothing can be kept", 0, 99, 0, false, true},
		{"the third batch cannot be kept", 2, 99, 128, false, true},
		{"nothing can be committed", 99, 0, 0, true, true},
		{"the second batch cannot be committed", 99, 1, 64, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newArchive(t)
			opt := options()
			var told []ingest.FileReport
			opt.Done = func(f ingest.FileReport) { told = append(told, f) }
			r, err := ingest.Take(context.Background(), &failingArchive{Archive: a, keeps: tt.keeps, commits: tt.commits, err: diskFull}, sources, opt)
			if !errors.Is(err, diskFull) {
				t.Fatalf("error %v", err)
			}
			if len(r.Files) != len(sources) || len(told) != len(sources) || r.Accepted+r.Pending+r.Lost+r.Duplicate != len(sources) || r.Quarantined > 0 {
				t.Errorf("%d sources: %d reported, %d told, %d accepted, %d pending, %d lost, %d duplicate, %d quarantined",
					len(sources), len(r.Files), len(told), r.Accepted, r.Pending, r.Lost, r.Duplicate, r.Quarantined)
			}
			if r.Accepted != tt.accepted || (r.Pending > 0) != tt.pending || (r.Lost > 1) != tt.lost {
				t.Errorf("%d accepted, %d pending, %d lost", r.Accepted, r.Pending, r.Lost)
			}
			checkKept(t, a, r)
			again := take(t, a, options(), sources[:400]...)
			if len(again.Resumed) != r.Pending || again.Accepted+again.Duplicate != 400 {
				t.Errorf("the next intake resumes %d of %d, %d accepted, %d duplicate", len(again.Resumed), r.Pending, again.Accepted, again.Duplicate)
			}
		})
	}
}

// checkKept compares what a report says with what the archive has.
func checkKept(t *testing.T, a *store.Archive, r ingest.Report) {
	t.Helper()
	for i, f := range r.Files {
		if want := fmt.Sprintf("in-%03d", i); i < 400 && f.Path != want {
			t.Errorf("report %d is of %s, want %s", i, f.Path, want)
		}
		if f.State == ingest.Lost {
			if f.SHA256 != "" || len(f.Findings) != 1 || f.Path != "no such file" && !strings.Contains(f.Findings[0].Message, "result code 13") {
				t.Errorf("%s is lost: %+v", f.Path, f)
			}
			continue
		}
		row, err := a.FindArtifact(context.Background(), f.SHA256)
		if err != nil || row.State != f.State {
			t.Errorf("%s is reported as %s, the archive says %s, %v", f.Path, f.State, row.State, err)
		}
		if f.State == evidence.Pending && !strings.Contains(f.Findings[0].Message, "the next intake reads them: result code 13") {
			t.Errorf("%s is pending: %+v", f.Path, f)
		}
	}
}

// TestFullDiskIsNoFaultOfTheReader: the refusal of a reading is small and would still
// fit where the reading does not.
func TestFullDiskIsNoFaultOfTheReader(t *testing.T) {
	for _, tt := range []struct {
		err   resultCode
		state evidence.EndState
	}{{diskFull, evidence.Pending}, {constraint, evidence.Quarantined}} {
		a := &choosyArchive{newArchive(t), tt.err}
		r, err := ingest.Take(context.Background(), a, []ingest.Source{blob("a", rowsDocument(1, 1))}, options())
		if f := r.Files[0]; f.State != tt.state || (err != nil) != (tt.state == evidence.Pending) {
			t.Errorf("%v: %s, error %v", tt.err, f.State, err)
		}
	}
}

// choosyArchive takes no reading with documents.
type choosyArchive struct {
	*store.Archive
	err error
}

func (c *choosyArchive) Commit(ctx context.Context, results []evidence.Result) error {
	for _, r := range results {
		if r.Reading != nil && len(r.Reading.Documents) > 0 {
			return c.err
		}
	}
	return c.Archive.Commit(ctx, results)
}

func TestNotTaken(t *testing.T) {
	r := ingest.NotTaken([]ingest.Source{ingest.Path("a/b.json"), ingest.Stdin(strings.NewReader("x"))}, diskFull)
	if r.Lost != 2 || r.Files[0].Path != "a/b.json" || r.Files[1].Path != "-" || !strings.Contains(r.Files[1].Findings[0].Message, "result code 13") {
		t.Errorf("%+v", r)
	}
}

// TestHeldBack says how many values of a defective artifact are sound.
func TestHeldBack(t *testing.T) {
	row := `{"schema":"lab.rows/v1","rows":[{"name":"a","ttft_ms":1}]}` + "\n"
	for _, tt := range []struct{ name, text, says string }{
		{"a broken line", row + row + `{"a":}` + "\n" + row, "3 of 4 values are complete, 2 of them before this place and readers know 3"},
		{"a cut end", row + row + row[:20], "2 of 3 values are complete, 2 of them before this place and readers know 2"},
		{"text behind", strings.TrimSpace(row) + "\nready\n", "1 of 1 values are complete and readers know 1"},
		{"a cut value", row[:20], ""},
		{"one value twice named", `{"schema":"lab.rows/v1","rows":[],"rows":[]}`, ""},
	} {
		f := take(t, newArchive(t), options(), blob("a", tt.text)).Files[0]
		m := ""
		for _, x := range f.Findings {
			if x.Severity == evidence.Error {
				m = x.Message
				break
			}
		}
		if f.State != evidence.Quarantined || f.Runs != 0 || strings.Contains(m, "values are complete") != (tt.says != "") || !strings.Contains(m, tt.says) {
			t.Errorf("%s: %s, %q", tt.name, f.State, m)
		}
	}
}
