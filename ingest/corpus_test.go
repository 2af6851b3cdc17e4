package ingest_test

import (
	"context"
	"testing"

	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
)

// TestCorpus takes in real evidence with the readers of this build.
func TestCorpus(t *testing.T) {
	root := corpus(t)
	ctx := context.Background()
	a := newArchive(t)
	first := take(t, a, ingest.Options{}, ingest.Path(root))
	if len(first.Files) == 0 || first.Lost > 0 || first.Skipped > 0 {
		t.Fatalf("%d files, %d lost, %d skipped", len(first.Files), first.Lost, first.Skipped)
	}
	t.Logf("%d files: %d accepted, %d archived, %d quarantined, %d duplicates",
		len(first.Files), first.Accepted, first.Archived, first.Quarantined, first.Duplicate)
	for _, f := range first.Files {
		switch f.State {
		case evidence.Accepted, evidence.Archived, evidence.Quarantined, evidence.Duplicate:
		default:
			t.Errorf("%s ends %q", f.Path, f.State)
		}
		if f.State == evidence.Quarantined {
			t.Logf("%s: %v", f.Path, codes(f)[0])
		}
	}
	second := take(t, a, ingest.Options{}, ingest.Path(root))
	if second.Duplicate != len(second.Files) || len(second.Files) != len(first.Files) {
		t.Errorf("the second time %d of %d are duplicates", second.Duplicate, len(second.Files))
	}
	before := rowsOf(t, a)
	if err := ingest.Reindex(ctx, a, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	if rowsOf(t, a) != before {
		t.Error("reindex gives other rows")
	}
	r, err := ingest.Verify(ctx, a, ingest.VerifyOptions{Derive: store.Derived})
	if err != nil || !r.Holds() {
		t.Errorf("verify: %+v, %v", r, err)
	}
}
