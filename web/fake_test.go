package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"assay/store/evidence"
)

// fake is an archive in memory. It answers as the store does: whole rows, total
// orders, ErrNotFound.
type fake struct {
	campaigns []evidence.CampaignDetail
	runs      []evidence.RunRow
	samples   map[string][]evidence.Sample
	artifacts []evidence.ArtifactDetail
	arrivals  []evidence.ArrivalRow
	hits      []evidence.SearchHit
	bytes     map[int64][]byte
	fail      error // every question fails with it
	asked     map[string]int
}

func (f *fake) ask(name string) error {
	if f.asked == nil {
		f.asked = make(map[string]int)
	}
	f.asked[name]++
	if f.fail != nil {
		return fmt.Errorf("archive /secret/path: %s: %w", name, f.fail)
	}
	return nil
}

func cut[T any](all []T, offset, limit int) []T {
	lo := min(offset, len(all))
	hi := len(all)
	if limit > 0 {
		hi = min(lo+limit, hi)
	}
	return all[lo:hi]
}

func (f *fake) Snapshot(ctx context.Context, read func(context.Context) error) error {
	return read(ctx)
}

func (f *fake) Campaigns(_ context.Context, q evidence.Filter) ([]evidence.CampaignRow, int, error) {
	if err := f.ask("campaigns"); err != nil {
		return nil, 0, err
	}
	var rows []evidence.CampaignRow
	for _, c := range f.campaigns {
		labelled := q.Label == ""
		for _, l := range c.Labels {
			labelled = labelled || l == q.Label
		}
		if labelled && (q.Text == "" || strings.Contains(c.ID+" "+c.Title, q.Text)) && (q.Campaign == "" || c.ID == q.Campaign) && (!q.Factored || f.factored(c.ID)) {
			rows = append(rows, c.CampaignRow)
		}
	}
	return cut(rows, q.Offset, q.Limit), len(rows), nil
}

// factored reports whether facts of a campaign say both TP and MTP depth.
func (f *fake) factored(id string) bool {
	said := map[evidence.FactKey]bool{}
	for _, r := range f.matching(evidence.Filter{Campaign: id}) {
		for _, x := range r.Facts {
			said[x.Key] = true
		}
	}
	return said[evidence.KeyTP] && said[evidence.KeyMTPDepth]
}

func (f *fake) Campaign(_ context.Context, id string) (evidence.CampaignDetail, error) {
	if err := f.ask("campaign"); err != nil {
		return evidence.CampaignDetail{}, err
	}
	for _, c := range f.campaigns {
		if c.ID == id {
			return c, nil
		}
	}
	return evidence.CampaignDetail{}, fmt.Errorf("campaign %q: %w", id, evidence.ErrNotFound)
}

func (f *fake) ResolveCampaign(_ context.Context, ref string) (string, error) {
	if err := f.ask("resolve"); err != nil {
		return "", err
	}
	found := map[string]bool{}
	for _, c := range f.campaigns {
		if c.ID == ref {
			return ref, nil
		}
		if strings.HasPrefix(c.ID, ref) && ref != "" {
			found[c.ID] = true
		}
		for _, d := range c.Artifacts {
			if len(ref) >= 6 && strings.HasPrefix(d.String(), ref) {
				found[c.ID] = true
			}
		}
	}
	for id := range found {
		if len(found) == 1 {
			return id, nil
		}
		return "", fmt.Errorf("campaign %q: %w", ref, evidence.ErrAmbiguous)
	}
	return "", fmt.Errorf("campaign %q: %w", ref, evidence.ErrNotFound)
}

func (f *fake) matching(q evidence.Filter) []evidence.RunRow {
	var rows []evidence.RunRow
	for _, r := range f.runs {
		engine, _ := r.Fact(evidence.KeyEngine)
		card, _ := r.Fact(evidence.KeyGPUProduct)
		switch {
		case q.Arm != "" && r.Arm != q.Arm, !strings.HasPrefix(r.Artifact.String(), q.Artifact), q.Campaign != "" && r.Campaign != q.Campaign, q.Class != "" && r.Class != q.Class, q.Run != "" && r.ID != q.Run,
			q.Family != "" && r.Family != q.Family, !strings.Contains(engine.Value, q.Engine), !strings.Contains(card.Value, q.GPU),
			q.Status != "" && string(r.Status) != q.Status, q.Words != "" && !strings.Contains(r.Arm, q.Words):
		default:
			rows = append(rows, r)
		}
	}
	return rows
}

func (f *fake) Runs(_ context.Context, q evidence.Filter) ([]evidence.RunRow, error) {
	if err := f.ask("runs"); err != nil {
		return nil, err
	}
	return cut(f.matching(q), q.Offset, q.Limit), nil
}

func (f *fake) CountRuns(_ context.Context, q evidence.Filter) (int, error) {
	if err := f.ask("count runs"); err != nil {
		return 0, err
	}
	return len(f.matching(q)), nil
}

func (f *fake) Run(_ context.Context, id string) (evidence.RunRow, error) {
	if err := f.ask("run"); err != nil {
		return evidence.RunRow{}, err
	}
	for _, r := range f.runs {
		if r.ID == id {
			return r, nil
		}
	}
	return evidence.RunRow{}, fmt.Errorf("run %q: %w", id, evidence.ErrNotFound)
}

func (f *fake) Samples(_ context.Context, id string, offset, limit int) ([]evidence.Sample, error) {
	return cut(f.samples[id], offset, limit), f.ask("samples")
}

func (f *fake) FindArtifact(_ context.Context, prefix string) (evidence.ArtifactRow, error) {
	if err := f.ask("find artifact"); err != nil {
		return evidence.ArtifactRow{}, err
	}
	for _, a := range f.artifacts {
		if strings.HasPrefix(a.Digest.String(), prefix) {
			return a.ArtifactRow, nil
		}
	}
	return evidence.ArtifactRow{}, evidence.ErrNotFound
}

func (f *fake) Artifact(_ context.Context, d evidence.Digest) (evidence.ArtifactDetail, error) {
	if err := f.ask("artifact"); err != nil {
		return evidence.ArtifactDetail{}, err
	}
	for _, a := range f.artifacts {
		if a.Digest == d {
			return a, nil
		}
	}
	return evidence.ArtifactDetail{}, evidence.ErrNotFound
}

func (f *fake) Artifacts(_ context.Context, q evidence.Filter) ([]evidence.ArtifactRow, int, error) {
	if err := f.ask("artifacts"); err != nil {
		return nil, 0, err
	}
	var rows []evidence.ArtifactRow
	for _, a := range f.artifacts {
		if q.State == "" || q.State == string(a.State) {
			rows = append(rows, a.ArtifactRow)
		}
	}
	return cut(rows, q.Offset, q.Limit), len(rows), nil
}

type closer struct{ *bytes.Reader }

func (closer) Close() error { return nil }

func (f *fake) OpenArtifact(_ context.Context, id int64) (io.ReadSeekCloser, error) {
	return closer{bytes.NewReader(f.bytes[id])}, f.ask("open artifact")
}

func (f *fake) Counts(context.Context) (evidence.Counts, error) {
	c := evidence.Counts{Artifacts: int64(len(f.artifacts)), Arrivals: int64(len(f.arrivals)), Campaigns: int64(len(f.campaigns)), Runs: int64(len(f.runs))}
	for _, a := range f.artifacts {
		switch a.State {
		case evidence.Accepted:
			c.Accepted++
		case evidence.Archived:
			c.Archived++
		case evidence.Quarantined:
			c.Quarantined++
		}
	}
	for _, r := range f.runs {
		c.Measurements += int64(len(r.Measurements))
	}
	return c, f.ask("counts")
}

func (f *fake) Arrivals(_ context.Context, offset, limit int) ([]evidence.ArrivalRow, int, error) {
	return cut(f.arrivals, offset, limit), len(f.arrivals), f.ask("arrivals")
}

func (f *fake) SearchIn(_ context.Context, _ string, q evidence.Filter) ([]evidence.SearchHit, int, error) {
	var hits []evidence.SearchHit
	for _, h := range f.hits {
		if q.Campaign == "" || h.Campaign == q.Campaign {
			hits = append(hits, h)
		}
	}
	return cut(hits, q.Offset, q.Limit), len(hits), f.ask("search")
}

func each[T any](err error, rows []T, row func(T) error) error {
	for _, r := range rows {
		if err == nil {
			err = row(r)
		}
	}
	return err
}

func (f *fake) EachMeasurement(_ context.Context, q evidence.Filter, row func(evidence.MeasurementRow) error) error {
	var rows []evidence.MeasurementRow
	for _, r := range f.matching(q) {
		rows = append(rows, r.Measurements...)
	}
	return each(f.ask("each measurement"), rows, row)
}

func (f *fake) EachFact(_ context.Context, q evidence.Filter, row func(evidence.FactRow) error) error {
	var rows []evidence.FactRow
	for _, r := range f.matching(q) {
		rows = append(rows, r.Facts...)
	}
	return each(f.ask("each fact"), rows, row)
}

func (f *fake) EachRun(_ context.Context, q evidence.Filter, row func(evidence.RunRow) error) error {
	return each(f.ask("each run"), f.matching(q), row)
}

func (f *fake) docs(q evidence.Filter) []evidence.DocumentRow {
	var rows []evidence.DocumentRow
	for _, c := range f.campaigns {
		for _, d := range c.Docs {
			if (q.Campaign == "" || q.Campaign == c.ID) && strings.HasPrefix(d.Artifact.String(), q.Artifact) {
				rows = append(rows, d)
			}
		}
	}
	return rows
}

func (f *fake) EachDecision(_ context.Context, q evidence.Filter, row func(evidence.DecisionRow) error) error {
	var rows []evidence.DecisionRow
	for _, d := range f.docs(q) {
		rows = append(rows, d.Decisions...)
	}
	return each(f.ask("each decision"), rows, row)
}

func (f *fake) EachArtifact(_ context.Context, q evidence.Filter, row func(evidence.ArtifactRow) error) error {
	rows, _, err := f.Artifacts(context.Background(), q)
	return each(err, rows, row)
}

func (f *fake) EachGate(_ context.Context, q evidence.Filter, row func(evidence.GateRow) error) error {
	var rows []evidence.GateRow
	for _, d := range f.docs(q) {
		rows = append(rows, d.Gates...)
	}
	return each(f.ask("each gate"), rows, row)
}

func (f *fake) EachNote(_ context.Context, q evidence.Filter, row func(evidence.NoteRow) error) error {
	var rows []evidence.NoteRow
	for _, d := range f.docs(q) {
		rows = append(rows, d.Notes...)
	}
	return each(f.ask("each note"), rows, row)
}

func (f *fake) EachReference(_ context.Context, q evidence.Filter, row func(evidence.ReferenceRow) error) error {
	var rows []evidence.ReferenceRow
	for _, d := range f.docs(q) {
		rows = append(rows, d.References...)
	}
	return each(f.ask("each reference"), rows, row)
}

func (f *fake) EachCoverage(context.Context, evidence.Filter, func(evidence.CoverageRow) error) error {
	return nil
}

func (f *fake) EachReaderCoverage(context.Context, evidence.Filter, func(evidence.CoverageRow) error) error {
	return nil
}

func (f *fake) EachRepair(context.Context, evidence.Filter, func(evidence.Repair) error) error {
	return f.ask("each repair")
}

func (f *fake) EachNotLifted(context.Context, evidence.Filter, func(evidence.NotLiftedRow) error) error {
	return f.ask("each not lifted")
}

func (f *fake) EachFinding(_ context.Context, _ evidence.Filter, row func(evidence.FindingRow) error) error {
	var rows []evidence.FindingRow
	for _, a := range f.artifacts {
		for _, x := range a.Findings {
			rows = append(rows, evidence.FindingRow{Finding: x, Artifact: a.Digest})
		}
	}
	return each(f.ask("each finding"), rows, row)
}

// plainAssets serves nothing under addresses that name what was asked for.
type plainAssets struct{}

func (plainAssets) URL(name string) string { return "/assets/0123/" + name }

func (plainAssets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = io.WriteString(w, r.URL.Path)
}

func clock() time.Time { return time.Date(2031, 4, 5, 6, 7, 8, 0, time.UTC) }

var errDisk = errors.New("disk on fire")
