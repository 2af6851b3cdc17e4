package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

// SignOff is a sign-off by its number, for example "S-0007", or its statement's digest.
func (d *Desk) SignOff(ctx context.Context, ref string) (signoff.SignOff, error) {
	return d.Records.SignOff(ctx, ref)
}

// SignOffs lists sign-offs, the latest first.
func (d *Desk) SignOffs(ctx context.Context, f signoff.Filter) ([]signoff.SignOff, error) {
	return d.Records.SignOffs(ctx, f)
}

// Withdraw takes a sign-off back, which is a record of its own: whoever may sign may do
// so, with a reason.
func (d *Desk) Withdraw(ctx context.Context, ref, by, reason string) (signoff.SignOff, error) {
	if err := d.may(ctx, by, account.MaySign); err != nil {
		return signoff.SignOff{}, err
	}
	return d.Records.WithdrawSignOff(ctx, ref, by, reason)
}

// Supersede says that an artifact took another's place.
func (d *Desk) Supersede(ctx context.Context, old, by evidence.Digest, author, reason string) (signoff.Mark, error) {
	if err := d.may(ctx, author, account.MayRepair); err != nil {
		return signoff.Mark{}, err
	}
	return d.Records.AddMark(ctx, signoff.Mark{Kind: signoff.Superseded, Artifact: old, By: evidence.Some(by), Author: author, Reason: reason})
}

// Invalidate says that an artifact is no evidence of anything.
func (d *Desk) Invalidate(ctx context.Context, a evidence.Digest, author, reason string) (signoff.Mark, error) {
	if err := d.may(ctx, author, account.MayRepair); err != nil {
		return signoff.Mark{}, err
	}
	return d.Records.AddMark(ctx, signoff.Mark{Kind: signoff.Invalidated, Artifact: a, Author: author, Reason: reason})
}

// WithdrawMark takes a mark on an artifact back.
func (d *Desk) WithdrawMark(ctx context.Context, id int64, by, reason string) (signoff.Mark, error) {
	if err := d.may(ctx, by, account.MayRepair); err != nil {
		return signoff.Mark{}, err
	}
	return d.Records.WithdrawMark(ctx, id, by, reason)
}

// Marks lists what people said of artifacts as a whole.
func (d *Desk) Marks(ctx context.Context, f signoff.MarkFilter) ([]signoff.Mark, error) {
	return d.Records.Marks(ctx, f)
}

// Standing holds a sign-off against the archive of today, check by check, and keeps what
// it found.
func (d *Desk) Standing(ctx context.Context, s *signoff.SignOff) (signoff.Standing, error) {
	var out signoff.Standing
	var at signoff.Generation
	err := d.Archive.Snapshot(ctx, func(ctx context.Context) (err error) {
		if at, err = d.generation(ctx); err != nil {
			return err
		}
		out, err = d.stand(ctx, s, at)
		return err
	})
	if err != nil {
		return out, err
	}
	return out, d.Records.SaveStanding(ctx, s.Number, at, out)
}

func (d *Desk) stand(ctx context.Context, s *signoff.SignOff, at signoff.Generation) (signoff.Standing, error) {
	now := d.now()
	out := signoff.Standing{State: signoff.Current, AtUS: now.UnixMicro(), LogSize: at.LogSize}
	c := &checker{d: d, ctx: ctx, s: s, now: now}
	if err := c.run(); err != nil {
		return out, fmt.Errorf("sign-off %s: %w", s.Number, err)
	}
	out.Checks = c.checks
	for i := range c.checks {
		x := &c.checks[i]
		if x.OK {
			continue
		}
		out.Reasons = append(out.Reasons, x.Says)
		switch {
		case !x.Stale:
			out.State = signoff.Invalid
		case out.State == signoff.Current:
			out.State = signoff.Stale
		}
	}
	if w := s.Withdrawn; w.OK && out.State != signoff.Invalid {
		out.State = signoff.Withdrawn
		out.Reasons = append([]string{fmt.Sprintf("%s withdrew it: %s", w.V.By, w.V.Reason)}, out.Reasons...)
	}
	return out, nil
}

// Known is the standing that was found last, or a fresh one when anything that it depends
// on moved since: the log, what people declared, what was read, the rules, or its age.
func (d *Desk) Known(ctx context.Context, s *signoff.SignOff) (signoff.Standing, error) {
	last, err := d.Records.LastStanding(ctx, s.Number)
	if err != nil {
		return signoff.Standing{}, err
	}
	at, err := d.generation(ctx)
	if err != nil {
		return signoff.Standing{}, err
	}
	if last.OK && last.V.At == at && !d.aged(s, last.V.Standing.AtUS) {
		return last.V.Standing, nil
	}
	return d.Standing(ctx, s)
}

// aged reports whether a sign-off passed its age since it was looked at.
func (d *Desk) aged(s *signoff.SignOff, lookedUS int64) bool {
	st, err := signoff.ParseStatement(s.Statement)
	if err != nil || st.MaxAgeDays <= 0 {
		return false
	}
	end := time.UnixMicro(s.SignedUS).AddDate(0, 0, st.MaxAgeDays)
	return d.now().After(end) && !time.UnixMicro(lookedUS).After(end)
}

// agesEvery is how often ages are looked at when nothing else moved.
const agesEvery = time.Hour

// Recheck looks at every sign-off of which something moved since it was looked at last,
// and says how many those were. When nothing moved it reads one row.
func (d *Desk) Recheck(ctx context.Context) (int, error) {
	at, err := d.generation(ctx)
	if err != nil {
		return 0, err
	}
	now := d.now()
	if last := d.rechecked.Load(); last != nil && last.at == at && now.Sub(last.time) < agesEvery {
		return 0, nil
	}
	list, err := d.Records.SignOffs(ctx, signoff.Filter{})
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range list {
		last, err := d.Records.LastStanding(ctx, list[i].Number)
		if err != nil {
			return n, err
		}
		if last.OK && last.V.At == at && !d.aged(&list[i], last.V.Standing.AtUS) {
			continue
		}
		if _, err := d.Standing(ctx, &list[i]); err != nil {
			return n, err
		}
		n++
	}
	d.rechecked.Store(&looked{at, now})
	return n, nil
}

// EachSignOff gives the rows of an export, the first signed first, each with what it is
// worth today.
func (d *Desk) EachSignOff(ctx context.Context, f evidence.Filter, row func(evidence.SignOffRow) error) error {
	list, err := d.Records.SignOffs(ctx, signoff.Filter{Campaign: f.Campaign})
	if err != nil {
		return err
	}
	slices.Reverse(list)
	given, skipped := 0, 0
	for i := range list {
		s := &list[i]
		if f.Label != "" && string(s.Decision) != f.Label || f.Arm != "" && s.Candidate != f.Arm && s.ArmID != f.Arm || !fromArtifact(s, f.Artifact) {
			continue
		}
		standing, err := d.Known(ctx, s)
		if err != nil {
			return err
		}
		if f.State != "" && string(standing.State) != f.State {
			continue
		}
		if skipped++; skipped <= f.Offset {
			continue
		}
		x, err := rowOf(s, &standing)
		if err != nil {
			return err
		}
		if err := row(x); err != nil {
			return err
		}
		if given++; f.Limit > 0 && given == f.Limit {
			return nil
		}
	}
	return nil
}

// fromArtifact reports whether a statement names an artifact whose digest begins so.
func fromArtifact(s *signoff.SignOff, prefix string) bool {
	return prefix == "" || slices.ContainsFunc(s.Artifacts, func(d evidence.Digest) bool {
		text := d.String()
		return len(prefix) <= len(text) && text[:len(prefix)] == prefix
	})
}

func rowOf(s *signoff.SignOff, standing *signoff.Standing) (evidence.SignOffRow, error) {
	x := evidence.SignOffRow{
		Campaign: s.Campaign, Decision: string(s.Decision), Signer: s.Signer, SignedUS: s.SignedUS, State: string(standing.State), Artifacts: s.Artifacts,
		Number: s.Number, Candidate: s.Candidate, Target: string(s.Target), Preparer: s.Preparer, Reasons: standing.Reasons, LogIndex: s.LogIndex,
	}
	var err error
	if x.Statement, err = evidence.ParseDigest(s.Digest); err != nil {
		return x, fmt.Errorf("sign-off %s: %w", s.Number, err)
	}
	if st, err := signoff.ParseStatement(s.Statement); err == nil { // one that cannot be read is invalid, and says so
		x.Ruleset, x.Policy, x.PolicyDigest = st.Ruleset, fmt.Sprintf("%s@%d", st.Policy.Name, st.Policy.Version), st.Policy.Digest
	}
	return x, nil
}

// parseSpec reads the text of a comparison's spec back.
func parseSpec(lines []string) (*compare.Spec, error) {
	s := &compare.Spec{}
	for i, l := range lines {
		if err := specLine(s, l); err != nil {
			return nil, fmt.Errorf("line %d of the comparison: %w", i+1, err)
		}
	}
	return s, nil
}
