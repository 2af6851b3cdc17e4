package ingest

import (
	"context"

	"assay/store/evidence"
)

// pageSize is how many artifacts are listed at a time.
const pageSize = 512

// Reindex drops everything derived and reads every artifact again. Interrupted, it
// leaves artifacts pending, and Resume or the next Take completes it.
func Reindex(ctx context.Context, a Rebuilder, opt Options) error {
	opt = opt.orDefaults()
	files, bytes := 0, int64(0)
	err := eachArtifact(ctx, a, func(k evidence.Kept) error {
		files, bytes = files+1, bytes+k.Size
		return nil
	})
	if err != nil {
		return err
	}
	if err := a.ResetDerived(ctx); err != nil {
		return err
	}
	m := newMeter(opt, files, bytes)
	_, err = readPending(ctx, a, opt, m)
	m.finish()
	return err
}

// lister lists artifacts by id.
type lister interface {
	All(ctx context.Context, after int64, limit int) ([]evidence.Kept, error)
}

func eachArtifact(ctx context.Context, a lister, f func(evidence.Kept) error) error {
	for after := int64(0); ; {
		page, err := a.All(ctx, after, pageSize)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, k := range page {
			if err := f(k); err != nil {
				return err
			}
		}
		after = page[len(page)-1].ArtifactID
	}
}
