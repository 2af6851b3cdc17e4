package ingest_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
)

func mixedSources() []ingest.Source {
	return []ingest.Source{
		blob("a", rowsDocument(1, 40)), blob("b", rowsDocument(2, 5)), blob("cut", rowsDocument(3, 2)[:900]),
		blob("text", "ready\n"), blob("other", `{"schema":"else/v1","x":[1,2,3]}`), blob("nonsense", `{"schema":"faulty.rows/v1"}`),
		blob("lines", rowsDocument(4, 3)+rowsDocument(5, 3)),
	}
}

func TestReindexGivesTheSameRows(t *testing.T) {
	ctx := context.Background()
	a := newArchive(t)
	opt := options()
	opt.Campaign = "declared"
	take(t, a, options(), mixedSources()...)
	take(t, a, opt, mixedSources()[1])
	before := rowsOf(t, a)
	if strings.Count(before, "\n") < 100 {
		t.Fatalf("the dump has only %d lines", strings.Count(before, "\n"))
	}
	var last ingest.Progress
	opt = options()
	opt.Progress = func(p ingest.Progress) { last = p }
	if err := ingest.Reindex(ctx, a, opt); err != nil {
		t.Fatal(err)
	}
	if rowsOf(t, a) != before {
		t.Error("reindex gives other rows")
	}
	if last.Files != 7 || last.TotalFiles != 7 || last.Bytes != last.TotalBytes || !last.Done {
		t.Errorf("progress %+v", last)
	}

	interrupted, cancel := context.WithCancel(ctx)
	if err := ingest.Reindex(interrupted, &cancelAfterReset{a, cancel}, options()); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if rowsOf(t, a) == before {
		t.Error("nothing was interrupted")
	}
	done, err := ingest.Resume(ctx, a, options())
	if err != nil || len(done) != 7 {
		t.Fatalf("%d resumed, %v", len(done), err)
	}
	if rowsOf(t, a) != before {
		t.Error("a reindex that was interrupted and resumed gives other rows")
	}
}

type cancelAfterReset struct {
	*store.Archive
	cancel func()
}

func (c *cancelAfterReset) ResetDerived(ctx context.Context) error {
	defer c.cancel()
	return c.Archive.ResetDerived(ctx)
}

func TestResumeReadsWhatWasOnlyKept(t *testing.T) {
	ctx := context.Background()
	a := newArchive(t)
	var in []evidence.Incoming
	for i := range 130 {
		in = append(in, evidence.Incoming{Name: "x", Origin: "file", Data: []byte(rowsDocument(i, 2))})
	}
	if _, err := a.Keep(ctx, in); err != nil {
		t.Fatal(err)
	}
	r := take(t, a, options(), ingest.Blob("y", "file", in[7].Data))
	if len(r.Resumed) != 130 || r.Resumed[0].State != evidence.Accepted || r.Resumed[0].Runs != 2 || r.Duplicate != 1 {
		t.Errorf("%d resumed, %+v", len(r.Resumed), r.Files)
	}
	if pending, err := a.Pending(ctx, 0, 10); err != nil || len(pending) > 0 {
		t.Errorf("%d are still pending, %v", len(pending), err)
	}
}

func TestVerify(t *testing.T) {
	ctx := context.Background()
	a := newArchive(t)
	take(t, a, options(), mixedSources()...)
	take(t, a, options(), ingest.Stream("long", "http", repeat("", rowsDocument(9, 2), "", 9<<20)))
	opt := ingest.VerifyOptions{Options: options(), Derive: store.Derived}
	r, err := ingest.Verify(ctx, a, opt)
	if err != nil || !r.Holds() || r.Artifacts != 8 || r.Pending != 0 {
		t.Fatalf("%+v, %v", r, err)
	}

	other := opt
	other.Readers = []ingest.Reader{newerReader{}}
	if r, err = ingest.Verify(ctx, a, other); err != nil || r.Holds() {
		t.Errorf("another reader, the same rows: %+v, %v", r, err)
	}
	for _, f := range r.Faults {
		if f.What != "rows" || !strings.Contains(f.Detail, "reindex") {
			t.Errorf("%+v", f)
		}
	}

	r, err = ingest.Verify(ctx, &liar{a}, opt)
	if err != nil || len(r.Faults) != 8 || r.Faults[0].What != "bytes" {
		t.Errorf("changed bytes: %+v, %v", r, err)
	}
	if _, err := a.Keep(ctx, []evidence.Incoming{{Name: "new", Origin: "file", Data: []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	if r, err = ingest.Verify(ctx, a, opt); err != nil || !r.Holds() || r.Pending != 1 {
		t.Errorf("with a pending one: %+v, %v", r, err)
	}
}

// newerReader reads what labReader reads, and says that it is newer.
type newerReader struct{ labReader }

func (newerReader) Version() int { return 2 }

// liar gives bytes that are not those of the artifact.
type liar struct{ *store.Archive }

func (l *liar) OpenArtifact(ctx context.Context, id int64) (io.ReadSeekCloser, error) {
	r, err := l.Archive.OpenArtifact(ctx, id)
	return &lyingReader{r}, err
}

type lyingReader struct{ io.ReadSeekCloser }

func (l *lyingReader) Read(p []byte) (int, error) {
	n, err := l.ReadSeekCloser.Read(p)
	if n > 0 {
		p[n-1] ^= 1
	}
	return n, err
}

// TestVerifyBesideAWriter: rows that another process changes under the eyes of a
// verification are no fault.
func TestVerifyBesideAWriter(t *testing.T) {
	ctx := context.Background()
	a := newArchive(t)
	take(t, a, options(), mixedSources()...)
	opt := ingest.VerifyOptions{Options: options(), Derive: store.Derived}
	moved := options()
	moved.Campaign = "moved"
	b := mixedSources()[1]
	w := &besideWriter{Archive: a, write: func() { take(t, a, moved, b) }}
	if r, err := ingest.Verify(ctx, w, opt); err != nil || !r.Holds() || r.Pending != 0 {
		t.Errorf("moved while it was verified: %+v, %v", r, err)
	}
	w = &besideWriter{Archive: a, write: func() {
		in := []evidence.Incoming{{Name: "b", Origin: "file", Campaign: "elsewhere", Data: []byte(rowsDocument(2, 5))}}
		if _, err := a.Keep(ctx, in); err != nil {
			t.Fatal(err)
		}
	}}
	if r, err := ingest.Verify(ctx, w, opt); err != nil || !r.Holds() {
		t.Errorf("about to be moved: %+v, %v", r, err)
	}
	if r, err := ingest.Verify(ctx, a, opt); err != nil || !r.Holds() || r.Pending != 1 {
		t.Errorf("waiting to be moved: %+v, %v", r, err)
	}
}

// besideWriter writes once the artifacts are listed.
type besideWriter struct {
	*store.Archive
	write func()
}

func (w *besideWriter) OpenArtifact(ctx context.Context, id int64) (io.ReadSeekCloser, error) {
	if w.write != nil {
		w.write()
		w.write = nil
	}
	return w.Archive.OpenArtifact(ctx, id)
}
