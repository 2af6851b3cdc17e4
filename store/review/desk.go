package review

import (
	"context"
	"sync/atomic"
	"time"

	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
	"assay/store/signoff"
)

// Archive is what the desk reads. *store.Archive satisfies it.
type Archive interface {
	Snapshot(ctx context.Context, read func(ctx context.Context) error) error
	ResolveCampaign(ctx context.Context, ref string) (string, error)
	Campaign(ctx context.Context, id string) (evidence.CampaignDetail, error)
	Runs(ctx context.Context, f evidence.Filter) ([]evidence.RunRow, error)
	Run(ctx context.Context, id string) (evidence.RunRow, error)
	FindArtifact(ctx context.Context, prefix string) (evidence.ArtifactRow, error)
	EachDocument(ctx context.Context, f evidence.Filter, each func(evidence.DocumentDetail) error) error
	Repairs(ctx context.Context, f evidence.RepairFilter) ([]evidence.Repair, int, error)
	Waivers(ctx context.Context, f evidence.WaiverFilter) ([]evidence.Waiver, int, error)
}

// People answers who may sign.
type People interface {
	Account(ctx context.Context, name string) (account.Account, error)
	// RoleAt is the role that a person had at a time, "" for nobody who could sign in.
	RoleAt(ctx context.Context, name string, us int64) (account.Role, error)
}

// Records keeps drafts, statements, standings and what was found when they were checked.
type Records interface {
	SaveDraft(ctx context.Context, d signoff.Draft) (signoff.Draft, error)
	Draft(ctx context.Context, id int64) (signoff.Draft, error)
	Drafts(ctx context.Context, f signoff.Filter) ([]signoff.Draft, error)
	CloseDraft(ctx context.Context, id int64) error

	// AddSignOff files a statement and closes its draft, unless the archive is no longer at
	// the given generation: then it answers signoff.ErrMoved.
	AddSignOff(ctx context.Context, s signoff.SignOff, draft int64, at signoff.Generation) (signoff.SignOff, error)
	SignOff(ctx context.Context, number string) (signoff.SignOff, error)
	SignOffs(ctx context.Context, f signoff.Filter) ([]signoff.SignOff, error)
	WithdrawSignOff(ctx context.Context, number, by, reason string) (signoff.SignOff, error)

	AddMark(ctx context.Context, m signoff.Mark) (signoff.Mark, error)
	WithdrawMark(ctx context.Context, id int64, by, reason string) (signoff.Mark, error)
	Marks(ctx context.Context, f signoff.MarkFilter) ([]signoff.Mark, error)
	// Successors are artifacts that came into a campaign after a time under the file name
	// of one of the given ones.
	Successors(ctx context.Context, campaign string, of []evidence.Digest, afterUS int64) ([]signoff.Successor, error)
	// CheckArtifact reads an artifact's bytes again and holds them against its digest.
	CheckArtifact(ctx context.Context, d evidence.Digest) error

	Generation(ctx context.Context) (signoff.Generation, error)
	LogRecord(ctx context.Context, n int64) (signoff.Proved, error)
	ServerKeys(ctx context.Context) ([]string, error)
	SaveStanding(ctx context.Context, number string, at signoff.Generation, s signoff.Standing) error
	// LastStanding is the standing found last; OK is false when none was.
	LastStanding(ctx context.Context, number string) (evidence.Opt[signoff.Known], error)
}

// Policies gives the gates policy that is in force, and the gates that people set aside.
type Policies interface {
	Policy(ctx context.Context) (*signoff.Policy, error)
	GateWaivers(ctx context.Context, campaign string) ([]signoff.GateWaiver, error)
}

// Desk answers for decisions. All parts are needed but Now, which is time.Now when nil.
type Desk struct {
	Archive  Archive
	People   People
	Records  Records
	Policies Policies
	// Table is a comparison as its page gives it as a file; its CSV is what a statement
	// names by digest.
	Table func(*compare.Comparison) export.Table
	Now   func() time.Time

	rechecked atomic.Pointer[looked]
}

// looked is when every sign-off was looked at last, and at which state of the archive.
type looked struct {
	at   signoff.Generation
	time time.Time
}

// Over is a desk over an archive that has all parts, as *store.Archive does. Table is
// view.CompareTable.
func Over[A interface {
	Archive
	People
	Records
	Policies
}](a A, table func(*compare.Comparison) export.Table, now func() time.Time) *Desk {
	return &Desk{Archive: a, People: a, Records: a, Policies: a, Table: table, Now: now}
}

func (d *Desk) now() time.Time {
	if d.Now != nil {
		return d.Now()
	}
	return time.Now()
}

// Query asks for the ground of one decision. Campaign and Target are needed; without a
// candidate the arm that the source selects, or else the only one that it does not reject,
// is proposed, and without a control the arm that differs from it in one factor.
type Query struct {
	Campaign  string // id, or what ResolveCampaign makes one of
	Candidate string // arm id or name
	Control   string // the same; "" proposes one, "none" takes none
	Back      string // the same, for what is gone back to; may be an arm of another campaign by its id
	Target    signoff.Target
	// Figures of the comparison, "METRIC:STATISTIC"; none takes those that matter first.
	Figures []string
}
