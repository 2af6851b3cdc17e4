package review_test

import (
	"path/filepath"
	"testing"
	"time"

	"assay/ingest"
	"assay/ingest/anvil/lift/lifttest"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

// TestSurveyCorpus surveys every campaign of the shared evidence: each has a ground or a
// plain reason why there is nothing to decide on, and none takes long.
func TestSurveyCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the whole corpus in")
	}
	dir := lifttest.Shared(t)
	b := newBench(t)
	_, err := ingest.Take(b.ctx, b.archive, []ingest.Source{ingest.Path(filepath.Join(dir, "corpus", "anvil")), ingest.Path(filepath.Join(dir, "corpus", "seeds"))}, ingest.Options{Now: b.now})
	b.ok(err)
	rows, _, err := b.archive.Campaigns(b.ctx, evidence.Filter{})
	b.ok(err)
	surveyed := 0
	for _, r := range rows {
		start := time.Now()
		g, err := b.desk.Survey(b.ctx, review.Query{Campaign: r.ID, Target: signoff.Promotion})
		if err != nil {
			t.Logf("%s: %v", r.ID, err)
			continue
		}
		surveyed++
		t.Logf("%v %s: %q against %q, %d figures %v, %d gates, %d items, %d contradictions", time.Since(start).Round(time.Millisecond), r.ID, g.Candidate.Name, g.Control.V.Name,
			len(g.Comparison.V.Figures), g.Comparison.V.Counts, len(g.Gates), len(g.Items()), len(g.Contradictions))
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", r.ID, took)
		}
	}
	if surveyed < 10 {
		t.Errorf("%d of %d campaigns have a ground", surveyed, len(rows))
	}
}
