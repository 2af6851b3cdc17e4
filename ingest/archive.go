package ingest

import (
	"context"
	"io"

	"assay/store/evidence"
)

// Keeper keeps bytes. What it has returned is committed.
type Keeper interface {
	// Keep commits inputs in memory, in order. The second of two equal ones is Known.
	Keep(ctx context.Context, in []evidence.Incoming) ([]evidence.Kept, error)
	// KeepStream commits an input of any size at bounded memory; in.Data is nil.
	KeepStream(ctx context.Context, in evidence.Incoming, r io.Reader) (evidence.Kept, error)
	// OpenArtifact reads kept bytes.
	OpenArtifact(ctx context.Context, artifactID int64) (io.ReadSeekCloser, error)
}

// Readings is what the archive knows of its artifacts.
type Readings interface {
	// Commit replaces everything derived from the artifacts of the results.
	Commit(ctx context.Context, results []evidence.Result) error
	// Pending lists artifacts that are kept and not read as they should be, by id.
	Pending(ctx context.Context, after int64, limit int) ([]evidence.Kept, error)
	// FindArtifact describes the artifact of a digest.
	FindArtifact(ctx context.Context, prefix string) (evidence.ArtifactRow, error)
}

// Archive is where Take puts evidence; *store.Archive is one.
type Archive interface {
	Keeper
	Readings
}

// Rebuilder is an archive whose derived rows can be dropped.
type Rebuilder interface {
	Archive
	All(ctx context.Context, after int64, limit int) ([]evidence.Kept, error)
	ResetDerived(ctx context.Context) error
}
