package review

import (
	"context"
	"fmt"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

// Bounds of what one decision reads.
const (
	mostDocuments = 2000
	mostRuns      = 20_000
)

// world is what a survey reads of the archive: one campaign from one snapshot.
type world struct {
	d        *Desk
	campaign evidence.CampaignDetail
	docs     []evidence.DocumentDetail
	runs     []*evidence.RunRow // of all documents, in their order
	arms     []*arm
	figures  []compare.Figure  // asked for; none takes those that matter first
	past     []signoff.SignOff // of the campaign, the latest first
	names    map[evidence.Digest]evidence.ArtifactRow
}

// load reads a campaign.
func (d *Desk) load(ctx context.Context, ref string) (*world, error) {
	id, err := d.Archive.ResolveCampaign(ctx, ref)
	if err != nil {
		return nil, err
	}
	w := &world{d: d, names: map[evidence.Digest]evidence.ArtifactRow{}}
	if w.campaign, err = d.Archive.Campaign(ctx, id); err != nil {
		return nil, err
	}
	err = d.Archive.EachDocument(ctx, evidence.Filter{Campaign: id}, func(x evidence.DocumentDetail) error {
		w.docs = append(w.docs, x)
		if len(w.docs) > mostDocuments {
			return fmt.Errorf("campaign %s has more than %d documents: too many for one decision", id, mostDocuments)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range w.docs {
		for j := range w.docs[i].RunRows {
			w.runs = append(w.runs, &w.docs[i].RunRows[j])
		}
	}
	if len(w.runs) > mostRuns {
		return nil, fmt.Errorf("campaign %s has %d runs: at most %d for one decision", id, len(w.runs), mostRuns)
	}
	w.arms = armsOf(w.runs)
	w.past, err = d.Records.SignOffs(ctx, signoff.Filter{Campaign: id})
	return w, err
}

// artifact is the row of an artifact, read once.
func (w *world) artifact(ctx context.Context, d evidence.Digest) (evidence.ArtifactRow, error) {
	if r, ok := w.names[d]; ok {
		return r, nil
	}
	r, err := w.d.Archive.FindArtifact(ctx, d.String())
	w.names[d] = r
	return r, err
}
