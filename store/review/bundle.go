package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
	"assay/store/signoff"
)

// Vault is what a bundle is made of beside what the desk reads. *store.Archive satisfies it.
type Vault interface {
	OpenArtifact(ctx context.Context, artifactID int64) (io.ReadSeekCloser, error)
	LogRecord(ctx context.Context, n int64) (signoff.Proved, error)
	LogRecords(ctx context.Context, f signoff.LogFilter) ([]signoff.Entry, int, error)
	ServerKeys(ctx context.Context) ([]string, error)
	Policies(ctx context.Context) ([]signoff.SetPolicy, error)
}

// Bundle gathers all that proves a sign-off away from the archive. Reading it needs the
// archive as long as the bundle is being written.
func (d *Desk) Bundle(ctx context.Context, v Vault, number string) (*signoff.Bundle, error) {
	var b *signoff.Bundle
	err := d.Archive.Snapshot(ctx, func(at context.Context) error {
		s, err := d.Records.SignOff(at, number)
		if err != nil {
			return err
		}
		b = &signoff.Bundle{Number: s.Number, Statement: s.Statement, Claim: s.Claim, Index: s.LogIndex}
		if err := prove(at, v, b); err != nil {
			return fmt.Errorf("bundle of %s: %w", s.Number, err)
		}
		statement, err := signoff.ParseStatement(s.Statement)
		if err != nil {
			return fmt.Errorf("bundle of %s: %w", s.Number, err)
		}
		if b.Policy, err = policyOf(at, v, statement); err != nil {
			return fmt.Errorf("bundle of %s: policy: %w", s.Number, err)
		}
		if b.Comparison, err = d.tableOf(at, statement); err != nil {
			return fmt.Errorf("bundle of %s: comparison: %w", s.Number, err)
		}
		return d.retained(at, ctx, v, b, statement)
	})
	return b, err
}

// WriteBundle writes the bundle of a sign-off as a zip.
func (d *Desk) WriteBundle(ctx context.Context, v Vault, number string, w io.Writer) error {
	b, err := d.Bundle(ctx, v, number)
	if err != nil {
		return err
	}
	return signoff.WriteBundle(w, b)
}

// policyOf is the file of the policy that a statement was made under: one that was set, or
// the one that the program brings.
func policyOf(ctx context.Context, v Vault, s *signoff.Statement) ([]byte, error) {
	if s.Policy.Digest == signoff.Default().Ref().Digest {
		return signoff.DefaultPolicy(), nil
	}
	set, err := v.Policies(ctx)
	if err != nil {
		return nil, err
	}
	for i := range set {
		if set[i].Digest == s.Policy.Digest {
			return set[i].Body, nil
		}
	}
	return nil, fmt.Errorf("%s@%d, SHA-256 %s: %w", s.Policy.Name, s.Policy.Version, s.Policy.Digest, evidence.ErrNotFound)
}

// tableOf is the comparison of a statement as a file, as long as the archive gives the
// very file whose digest was signed; nil when it has moved on.
func (d *Desk) tableOf(ctx context.Context, s *signoff.Statement) ([]byte, error) {
	if !s.Comparison.OK {
		return nil, nil
	}
	spec, err := statedSpec(&s.Comparison.V)
	if err != nil {
		return nil, err
	}
	p, err := (&survey{world: &world{d: d}}).pinned(ctx, &spec)
	if err != nil || len(p.control) == 0 || len(p.arm) == 0 {
		return nil, err
	}
	c := compare.Compare(p.spec(), p.control, []compare.Repeats{p.arm})
	var out bytes.Buffer
	t := d.Table(&c)
	if err := t.Write(export.CSV, &out); err != nil {
		return nil, err
	}
	if signoff.Digest(out.String()) != s.Comparison.V.ExportDigest {
		return nil, nil
	}
	return out.Bytes(), nil
}

// retained adds the artifacts that the statement names. Their bytes never change, so they
// may be read after the snapshot, in the context of the writing.
func (d *Desk) retained(at, ctx context.Context, v Vault, b *signoff.Bundle, s *signoff.Statement) error {
	for _, x := range s.Artifacts {
		row, err := d.Archive.FindArtifact(at, x.Digest.String())
		if err != nil {
			return fmt.Errorf("bundle of %s: %w", b.Number, err)
		}
		b.Artifacts = append(b.Artifacts, signoff.BundleArtifact{Digest: x.Digest, Open: func() (io.ReadCloser, error) {
			return v.OpenArtifact(ctx, row.ID)
		}})
	}
	return nil
}

// prove adds the records of the statement and of the signer's key, with their proofs, and
// the checkpoint that they are proved against, with the keys that signed it.
func prove(ctx context.Context, v Vault, b *signoff.Bundle) error {
	key, err := before(ctx, v, b, signoff.RecordKey, b.Claim.GivenBy)
	if err != nil {
		return fmt.Errorf("key of %s: %w", b.Claim.Account, err)
	}
	role, err := before(ctx, v, b, signoff.RecordAccount, b.Claim.EmpoweredBy)
	if err != nil {
		return fmt.Errorf("role of %s: %w", b.Claim.Account, err)
	}
	for _, n := range []int64{key, role, b.Index} {
		p, err := v.LogRecord(ctx, n)
		if err != nil {
			return err
		}
		if p.Signed.Size <= n {
			return fmt.Errorf("no signed checkpoint covers record %d of the log yet: open the archive once with its keys", n)
		}
		b.Entries = append(b.Entries, signoff.BundleEntry{Index: n, Record: p.Body, Proof: p.Proof})
		b.Checkpoint = p.Signed.Note
	}
	return serverKeys(ctx, v, b)
}

// serverKeys are those of the archive's keys that signed the checkpoint.
func serverKeys(ctx context.Context, v Vault, b *signoff.Bundle) error {
	all, err := v.ServerKeys(ctx)
	if err != nil {
		return err
	}
	for _, key := range all {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			continue // no key that could have signed
		}
		if _, err := note.Open(b.Checkpoint, note.VerifierList(verifier)); err == nil {
			b.ServerKeys = append(b.ServerKeys, key)
		}
	}
	if len(b.ServerKeys) == 0 {
		return errors.New("the checkpoint is signed by no key that the archive knows")
	}
	return nil
}

// before finds the latest record of a kind that stands before the statement's and is one
// that is looked for.
func before(ctx context.Context, v Vault, b *signoff.Bundle, kind signoff.RecordKind, is func([]byte) bool) (int64, error) {
	records, _, err := v.LogRecords(ctx, signoff.LogFilter{Kind: kind})
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(records, func(e signoff.Entry) bool { return e.Index < b.Index && is(e.Body) })
	if i < 0 {
		return 0, fmt.Errorf("no record of the kind %s before %d says so", kind, b.Index)
	}
	return records[i].Index, nil
}

// statedSpec is the question of a statement's comparison. One that this program would no
// longer write in the same words is another question.
func statedSpec(c *signoff.StatedComparison) (spec compare.Spec, err error) {
	for _, line := range c.Spec {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "control":
			spec.Control = strings.Split(value, "+")
		case "arm":
			spec.Arms = append(spec.Arms, strings.Split(value, "+"))
		case "figure":
			f, err := compare.ParseFigure(value)
			if err != nil {
				return spec, err
			}
			spec.Figures = append(spec.Figures, f)
		case "axis":
			spec.Axes = append(spec.Axes, evidence.FactKey(value))
		}
	}
	return spec, nil
}
