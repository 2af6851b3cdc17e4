package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"assay/store/evidence"
)

// Witness is an archive that can be held against a fresh reading.
type Witness interface {
	Keeper
	All(ctx context.Context, after int64, limit int) ([]evidence.Kept, error)
	Pending(ctx context.Context, after int64, limit int) ([]evidence.Kept, error)
	// DerivedOf writes the derived rows of an artifact as text.
	DerivedOf(ctx context.Context, artifactID int64) ([]byte, error)
}

// VerifyOptions of a verification.
type VerifyOptions struct {
	Options
	// Derive writes the rows that a reading would become as DerivedOf does
	// (store.Derived). Without it only the bytes are checked.
	Derive func(evidence.Kept, *evidence.Reading) ([]byte, error)
}

// VerifyReport says what holds.
type VerifyReport struct {
	Artifacts int         `json:"artifacts"`
	Bytes     int64       `json:"bytes"`
	Pending   int         `json:"pending"` // kept and not read; not a fault, Resume reads them
	Faults    []BadRecord `json:"faults"`
}

// BadRecord is an artifact that does not hold.
type BadRecord struct {
	SHA256 string `json:"sha256"`
	What   string `json:"what"` // "bytes" or "rows"
	Detail string `json:"detail"`
}

// Holds reports whether everything does.
func (r *VerifyReport) Holds() bool { return len(r.Faults) == 0 }

// Verify hashes the bytes of every artifact, reads them again and compares the
// archive's derived rows with the fresh reading. It changes nothing.
func Verify(ctx context.Context, a Witness, opt VerifyOptions) (VerifyReport, error) {
	opt.Options = opt.Options.orDefaults()
	v := &verification{archive: a, opt: opt, interpreter: newInterpreter(opt.Options)}
	v.report.Faults = []BadRecord{}
	files, size := 0, int64(0)
	err := eachArtifact(ctx, a, func(k evidence.Kept) error {
		files, size = files+1, size+k.Size
		return nil
	})
	if err != nil {
		return v.report, err
	}
	m := newMeter(opt.Options, files, size)
	err = eachArtifact(ctx, a, func(k evidence.Kept) error {
		if err := v.artifact(ctx, k); err != nil {
			return err
		}
		m.add(k.Digest.Short(), k.Size)
		return nil
	})
	m.finish()
	return v.report, err
}

type verification struct {
	*interpreter
	archive Witness
	opt     VerifyOptions
	report  VerifyReport
	again   int64 // the artifact that is compared for the second time
}

func (v *verification) artifact(ctx context.Context, k evidence.Kept) error {
	v.report.Artifacts++
	v.report.Bytes += k.Size
	hash := sha256.New()
	reading, err := v.kept(ctx, v.archive, k, hash)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		v.fault(k, "bytes", err.Error())
		return nil
	}
	if got := evidence.Digest(hash.Sum(nil)); got != k.Digest {
		v.fault(k, "bytes", fmt.Sprintf("the bytes hash to %s", got))
		return nil
	}
	if k.State == evidence.Pending {
		v.report.Pending++
		return nil
	}
	if v.opt.Derive == nil {
		return nil
	}
	return v.rows(ctx, k, reading)
}

// rows compares what is stored with what a fresh reading would store.
func (v *verification) rows(ctx context.Context, k evidence.Kept, reading *evidence.Reading) error {
	want, err := v.opt.Derive(k, reading)
	if err != nil { // intake stored the refusal instead
		want, err = v.opt.Derive(k, refused(reading, err))
	}
	if err != nil {
		v.fault(k, "rows", err.Error())
		return nil
	}
	got, err := v.archive.DerivedOf(ctx, k.ArtifactID)
	if err != nil {
		return err
	}
	if bytes.Equal(got, want) {
		return nil
	}
	if moved, err := v.moved(ctx, k); moved || err != nil {
		return err
	}
	v.fault(k, "rows", difference(got, want))
	return nil
}

// moved deals with an artifact whose rows another process is about to write or has
// written since it was listed: it is not read yet, or is looked at once more.
func (v *verification) moved(ctx context.Context, k evidence.Kept) (bool, error) {
	unread, err := v.archive.Pending(ctx, k.ArtifactID-1, 1)
	if err != nil {
		return false, err
	}
	if len(unread) > 0 && unread[0].ArtifactID == k.ArtifactID {
		v.report.Pending++
		return true, nil
	}
	if v.again == k.ArtifactID {
		return false, nil
	}
	now, err := v.archive.All(ctx, k.ArtifactID-1, 1)
	if err != nil || len(now) == 0 {
		return false, err
	}
	v.again = k.ArtifactID
	reading, err := v.kept(ctx, v.archive, now[0], nil)
	if err != nil {
		return false, err
	}
	return true, v.rows(ctx, now[0], reading)
}

func (v *verification) fault(k evidence.Kept, what, detail string) {
	v.report.Faults = append(v.report.Faults, BadRecord{SHA256: k.Digest.String(), What: what, Detail: detail})
}

// difference names the first line in which two dumps differ.
func difference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(g), len(w)) {
		var a, b []byte
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if !bytes.Equal(a, b) {
			return fmt.Sprintf("line %d of its rows: stored %q, read again %q; run 'assay reindex'", i+1, clip(a, 200), clip(b, 200))
		}
	}
	return "the rows differ"
}
