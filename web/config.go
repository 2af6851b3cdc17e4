package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"assay/store/evidence"
	"assay/store/export"
	"assay/store/review"
)

// CampaignReader answers for campaigns.
type CampaignReader interface {
	Campaigns(ctx context.Context, f evidence.Filter) ([]evidence.CampaignRow, int, error)
	Campaign(ctx context.Context, id string) (evidence.CampaignDetail, error)
	ResolveCampaign(ctx context.Context, ref string) (string, error)
}

// RunReader answers for runs.
type RunReader interface {
	Runs(ctx context.Context, f evidence.Filter) ([]evidence.RunRow, error)
	CountRuns(ctx context.Context, f evidence.Filter) (int, error)
	Run(ctx context.Context, id string) (evidence.RunRow, error)
	Samples(ctx context.Context, runID string, offset, limit int) ([]evidence.Sample, error)
}

// ArtifactReader answers for artifacts.
type ArtifactReader interface {
	FindArtifact(ctx context.Context, prefix string) (evidence.ArtifactRow, error)
	Artifact(ctx context.Context, digest evidence.Digest) (evidence.ArtifactDetail, error)
	Artifacts(ctx context.Context, f evidence.Filter) ([]evidence.ArtifactRow, int, error)
	OpenArtifact(ctx context.Context, artifactID int64) (io.ReadSeekCloser, error)
}

// IntakeReader answers for what came in and what is there.
type IntakeReader interface {
	Counts(ctx context.Context) (evidence.Counts, error)
	Arrivals(ctx context.Context, offset, limit int) ([]evidence.ArrivalRow, int, error)
	SearchIn(ctx context.Context, q string, f evidence.Filter) ([]evidence.SearchHit, int, error)
}

// Snapshots answers several questions from one read snapshot.
type Snapshots interface {
	Snapshot(ctx context.Context, read func(ctx context.Context) error) error
}

// Archive is all that the pages read. The store satisfies it.
type Archive interface {
	Snapshots
	CampaignReader
	RunReader
	ArtifactReader
	IntakeReader
	export.Lists
}

// Assets serves style sheets and scripts under addresses that change with their
// content, so that a browser may keep them for good.
type Assets interface {
	// URL is the address of an asset by its plain name, for example "assay.css".
	URL(name string) string
	http.Handler
}

// Intake takes a file in. What it returns without a state did not reach the intake; an
// error says why the archive cannot go on, or that the sender is gone.
type Intake interface {
	Take(ctx context.Context, u Upload) (evidence.Taken, error)
}

// Tokens says whose secret a token is.
type Tokens interface {
	CheckToken(ctx context.Context, secret string) (name string, ok bool, err error)
}

// WaiverReader lists the pairs that people opened for looking.
type WaiverReader interface {
	Waivers(ctx context.Context, f evidence.WaiverFilter) ([]evidence.Waiver, int, error)
}

// Config is what a server needs.
type Config struct {
	Archive Archive
	Assets  Assets
	// Listen is the address the server answers at. On a loopback address only
	// localhost, 127.0.0.1, [::1] and Hosts are accepted as Host.
	Listen string
	// Hosts are further names the server answers to. On any other address a
	// non-empty list is the whole list.
	Hosts []string
	// Intake takes files in; without one the server only shows. Tokens let scripts
	// and other machines hand in; MaxUpload bounds one file, 512 MiB when 0.
	Intake    Intake
	Tokens    Tokens
	MaxUpload int64
	// Repairs are what people say about evidence; without them there are no such pages.
	Repairs RepairArchive
	// Waivers open stopped pairs for looking; without them there are no such views.
	Waivers WaiverReader
	// SignOffs are the rows of /export/signoffs; without them nobody can sign, and the
	// list is empty.
	SignOffs export.SignOffs
	// Decisions is the desk of decisions: without it there are no such pages. Writing at it
	// takes Accounts, signing with a password PersonKeys; Vault is what a bundle is made of.
	Decisions  Decisions
	PersonKeys PersonKeys
	Vault      review.Vault
	// TransparencyLog shows the log; without it there are no such pages.
	TransparencyLog LogReader
	// Policies show the gates policy; without them there is no such page.
	Policies PolicyReader
	// Accounts are the people who may sign in. With them reading takes a sign-in unless
	// PublicRead is set, and writing always does. Without them reading is free, and
	// LocalWrites says who writes.
	Accounts   People
	PublicRead bool
	// Proxy is in front and may sign people in; nil for none.
	Proxy *Proxy
	// LocalWrites lets browsers on this machine write without a token, as long as
	// Listen is a loopback address.
	LocalWrites bool

	Version string
	Readers []string         // reader references, for the footer
	Log     *slog.Logger     // nil discards
	Now     func() time.Time // nil is time.Now
}

func (c *Config) check() error {
	var faults []error
	if c.Archive == nil {
		faults = append(faults, errors.New("web: no archive given"))
	}
	if c.Assets == nil {
		faults = append(faults, errors.New("web: no assets given"))
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.MaxUpload <= 0 {
		c.MaxUpload = defaultMaxUpload
	}
	return errors.Join(faults...)
}
