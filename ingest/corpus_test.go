package ingest_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/ingest"
	"assay/ingest/anvil/bakeoff"
	"assay/ingest/anvil/capacity"
	"assay/ingest/anvil/multimodal"
	"assay/ingest/anvil/observation"
	"assay/ingest/anvil/paired"
	"assay/ingest/anvil/preflight"
	"assay/ingest/anvil/speech"
	"assay/ingest/anvil/summary"
	"assay/store"
	"assay/store/evidence"
)

// TestCorpus takes in real evidence with the readers of this build.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of files, twice")
	}
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
		if want := endOf(root, f); f.State != want && f.State != evidence.Duplicate {
			t.Errorf("%s ends %s, want %s: %v", f.Path, f.State, want, codes(f))
		}
		if strings.HasSuffix(f.Path, ".json") && f.Reader == "" && f.State != evidence.Duplicate {
			t.Errorf("%s: nobody knows what it is: %v", f.Path, codes(f))
		}
		if f.State == evidence.Accepted && f.Runs == 0 && !runless(f.Reader) {
			t.Errorf("%s has no run; reader %s", f.Path, f.Reader)
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

// endOf is how a real file ends: every result of another tool is read, and of the
// family every label that a reader knows; nothing in it is defective.
func endOf(root string, f ingest.FileReport) evidence.EndState {
	rel, err := filepath.Rel(root, f.Path)
	if err != nil {
		return ""
	}
	folder, name := filepath.Split(filepath.ToSlash(rel))
	first, _, _ := strings.Cut(folder, "/")
	switch first {
	case "foreign":
		if name == "INDEX.tsv" {
			return evidence.Archived
		}
		return evidence.Accepted
	case "seeds", "recipes":
		return evidence.Accepted
	case "anvil":
		archived, observed := observation.Labels()[f.Schema]
		byShape := strings.HasPrefix(f.Reader, "anvil/registry@") || strings.HasPrefix(f.Reader, "anvil/archived@")
		if observed && !archived || slices.Contains(paired.Labels(), f.Schema) || slices.Contains(summary.Labels(), f.Schema) || byShape && f.Runs > 0 {
			return evidence.Accepted
		}
		if read[f.Schema] || strings.Contains(strings.ToUpper(name), "SHA256") && !strings.HasSuffix(name, ".json") || name == "checksums.sha256" {
			return evidence.Accepted
		}
	}
	return evidence.Archived
}

// read are the labels that readers know in every one of their real shapes.
var read = map[string]bool{
	capacity.Label: true, bakeoff.Label: true, preflight.Label: true, multimodal.Label: true,
	speech.ScheduleLabel: true, speech.SingleLabel: true, speech.TurnsLabel: true,
	"anvil-serving.qwen38-tp-mtp-context-matrix-summary/v1": true,
}

// runless reports whether a reader's documents may have no run: a table of settings is
// no measurement, a recipe or a list of checksums says what others rest on, and a preflight without a request is a list of gates.
func runless(reader string) bool {
	return strings.HasPrefix(reader, "recipe/") || strings.HasPrefix(reader, "manifest/") ||
		strings.HasPrefix(reader, "inferencex/") || strings.HasPrefix(reader, "anvil/preflight") || strings.HasPrefix(reader, "anvil/observation")
}
