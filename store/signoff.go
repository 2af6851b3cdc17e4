package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"assay/store/evidence"
	"assay/store/signoff"
)

// AddSignOff files a signed statement as a row and as a record of the log, and closes the
// draft that it was made of. Whether it may be signed is for package review to judge; the
// archive only makes sure that nothing moved since that was judged.
func (a *Archive) AddSignOff(ctx context.Context, s signoff.SignOff, draft int64, at signoff.Generation) (signoff.SignOff, error) {
	err := a.write(ctx, "file a statement", func(w *writing) error {
		now, err := generationOf(func(query string, dest ...any) error { return w.scan(query, nil, dest...) }, at.Ruleset)
		if err != nil {
			return err
		}
		if now != at {
			return &callerError{signoff.ErrMoved}
		}
		if err := w.closeDraft(draft); err != nil {
			return err
		}
		return w.addSignOff(&s, draft)
	})
	return s, err
}

func (w *writing) addSignOff(s *signoff.SignOff, draft int64) error {
	sum := evidence.DigestOf([]byte(s.Statement))
	s.Digest, s.SignedUS = sum.String(), w.us
	var err error
	s.ID, err = w.insert(`INSERT INTO signoff (campaign, title, candidate, arm, target, decision, statement, sha256, preparer, signer, signed_us,
		claim_kind, fingerprint, public, signature, draft_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.Campaign, s.Title, s.Candidate, s.ArmID, string(s.Target), string(s.Decision), s.Statement, sum[:], s.Preparer, s.Signer, s.SignedUS,
		string(s.Claim.Kind), s.Claim.Fingerprint, s.Claim.Public, s.Claim.Signature, draft)
	if err != nil {
		return err
	}
	s.Number = signoff.Number(s.ID)
	for _, d := range s.Artifacts {
		if err := w.exec("INSERT INTO signoff_artifact (signoff_id, sha256) VALUES (?, ?)", s.ID, d[:]); err != nil {
			return err
		}
	}
	s.LogIndex, err = w.record(s.ID, recordOfStatement(s, draft))
	return err
}

// recordOfStatement says everything that a row of a statement says: the signature and the
// text in full, so that the log alone proves what was signed.
func recordOfStatement(s *signoff.SignOff, draft int64) signoff.Record {
	r := signoff.NewRecord(signoff.RecordStatement, "number", s.Number, "sha256", s.Digest, "campaign", s.Campaign, "title", s.Title,
		"candidate", s.Candidate, "arm", s.ArmID, "target", string(s.Target), "decision", string(s.Decision), "preparer", s.Preparer, "signer", s.Signer,
		"time", micros(s.SignedUS), "draft", number(draft))
	for _, d := range s.Artifacts {
		r.Fields = append(r.Fields, signoff.Field{Key: "artifact", Value: "sha256:" + d.String()})
	}
	r.Fields = append(r.Fields, signoff.NewRecord("", "key-kind", string(s.Claim.Kind), "fingerprint", s.Claim.Fingerprint, "public", s.Claim.Public,
		"signature", base64.StdEncoding.EncodeToString(s.Claim.Signature), "text", s.Statement).Fields...)
	return r
}

const signoffColumns = `s.id, s.campaign, s.title, s.candidate, s.arm, s.target, s.decision, s.statement, s.sha256, s.preparer, s.signer, s.signed_us,
	s.claim_kind, s.fingerprint, s.public, s.signature, s.draft_id,
	coalesce((SELECT n FROM log_record WHERE kind = 'statement' AND subject = s.id), -1),
	coalesce((SELECT group_concat(lower(hex(sha256)), ' ') FROM (SELECT sha256 FROM signoff_artifact WHERE signoff_id = s.id ORDER BY sha256)), ''),
	coalesce(w.author, ''), coalesce(w.reason, ''), coalesce(w.at_us, 0),
	coalesce((SELECT n FROM log_record WHERE kind = 'statement-withdrawn' AND subject = w.id), -1)`

const signoffTables = " FROM signoff s LEFT JOIN signoff_withdrawal w ON w.signoff_id = s.id"

// signoffLine is a row of a statement with the draft that it was made of.
type signoffLine struct {
	signoff.SignOff
	draft int64
}

func scanSignOffLine(rows *sql.Rows) (signoffLine, error) {
	var x signoffLine
	var withdrawn signoff.Withdrawal
	var sum evidence.Digest
	var digests string
	s := &x.SignOff
	err := rows.Scan(&s.ID, &s.Campaign, &s.Title, &s.Candidate, &s.ArmID, &s.Target, &s.Decision, &s.Statement, digestInto(&sum), &s.Preparer, &s.Signer, &s.SignedUS,
		&s.Claim.Kind, &s.Claim.Fingerprint, &s.Claim.Public, &s.Claim.Signature, &x.draft, &s.LogIndex, &digests,
		&withdrawn.By, &withdrawn.Reason, &withdrawn.AtUS, &withdrawn.LogIndex)
	if err != nil {
		return x, err
	}
	s.Digest, s.Number, s.Claim.Account = sum.String(), signoff.Number(s.ID), s.Signer
	for _, digits := range strings.Fields(digests) {
		d, err := evidence.ParseDigest(digits)
		if err != nil {
			return x, fmt.Errorf("sign-off %s: %w", s.Number, err)
		}
		s.Artifacts = append(s.Artifacts, d)
	}
	if withdrawn.AtUS != 0 {
		s.Withdrawn = evidence.Some(withdrawn)
	}
	return x, nil
}

func scanSignOff(rows *sql.Rows) (signoff.SignOff, error) {
	x, err := scanSignOffLine(rows)
	return x.SignOff, err
}

// SignOff is a sign-off by its number, "S-0007" or "7", or by the digest of its statement.
func (a *Archive) SignOff(ctx context.Context, ref string) (s signoff.SignOff, err error) {
	err = a.read(ctx, "read a sign-off", func(tx *sql.Tx) error {
		query := "SELECT " + signoffColumns + signoffTables + " WHERE s.id = ?"
		var arg any
		if d, err := evidence.ParseDigest(strings.ToLower(ref)); err == nil {
			query, arg = "SELECT "+signoffColumns+signoffTables+" WHERE s.sha256 = ?", d[:]
		} else if arg, err = signoff.ParseNumber(ref); err != nil {
			return fmt.Errorf("sign-off %.80s: %w", ref, evidence.ErrNotFound)
		}
		rows, err := tx.QueryContext(ctx, query, arg)
		if err != nil {
			return err
		}
		list, err := collect(rows, scanSignOff)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("sign-off %.80s: %w", ref, evidence.ErrNotFound)
		}
		s = list[0]
		return nil
	})
	return s, err
}

// SignOffs lists sign-offs, the latest first.
func (a *Archive) SignOffs(ctx context.Context, f signoff.Filter) (list []signoff.SignOff, err error) {
	c := &clauses{}
	if f.Campaign != "" {
		c.add("s.campaign = ?", f.Campaign)
	}
	if f.Decision != "" {
		c.add("s.decision = ?", string(f.Decision))
	}
	if f.Person != "" {
		c.add("? IN (s.preparer, s.signer)", f.Person)
	}
	if f.Artifact.OK {
		c.add("s.id IN (SELECT signoff_id FROM signoff_artifact WHERE sha256 = ?)", f.Artifact.V[:])
	}
	err = a.read(ctx, "list sign-offs", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+signoffColumns+signoffTables+c.sql()+" ORDER BY s.id DESC LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		list, err = collect(rows, scanSignOff)
		return err
	})
	return list, err
}

// WithdrawSignOff takes a sign-off back. It stays listed, with who withdrew it and why.
func (a *Archive) WithdrawSignOff(ctx context.Context, ref, by, reason string) (signoff.SignOff, error) {
	by, err := checkWords("author", by, maxAuthor)
	if err != nil {
		return signoff.SignOff{}, err
	}
	if reason, err = checkWords("reason", reason, maxReason); err != nil {
		return signoff.SignOff{}, err
	}
	s, err := a.SignOff(ctx, ref)
	if err != nil {
		return s, err
	}
	err = a.write(ctx, "withdraw a sign-off", func(w *writing) error {
		var held string
		err := w.scan("SELECT author FROM signoff_withdrawal WHERE signoff_id = ?", []any{s.ID}, &held)
		if err == nil {
			return refuse("sign-off", "%s was withdrawn by %s already", s.Number, held)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		id, err := w.insert("INSERT INTO signoff_withdrawal (signoff_id, author, reason, at_us) VALUES (?, ?, ?, ?)", s.ID, by, reason, w.us)
		if err != nil {
			return err
		}
		x := signoff.Withdrawal{By: by, Reason: reason, AtUS: w.us}
		x.LogIndex, err = w.record(id, recordOfWithdrawal(s.Number, s.Digest, &x))
		s.Withdrawn = evidence.Some(x)
		return err
	})
	return s, err
}

func recordOfWithdrawal(number, digest string, x *signoff.Withdrawal) signoff.Record {
	return signoff.NewRecord(signoff.RecordWithdrawal, "number", number, "sha256", digest, "author", x.By, "reason", x.Reason, "time", micros(x.AtUS))
}

// eachStatementRecord and its likes make the records of the log again (log_rows.go).
func eachStatementRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+signoffColumns+signoffTables+" ORDER BY s.id", scanSignOffLine, func(x signoffLine) error {
		return each(x.ID, recordOfStatement(&x.SignOff, x.draft))
	})
}

type withdrawalLine struct {
	id             int64
	number, digest string
	signoff.Withdrawal
}

func eachWithdrawalRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	scan := func(rows *sql.Rows) (x withdrawalLine, err error) {
		var of int64
		var sum evidence.Digest
		err = rows.Scan(&x.id, &of, digestInto(&sum), &x.By, &x.Reason, &x.AtUS)
		x.number, x.digest = signoff.Number(of), sum.String()
		return x, err
	}
	return eachOf(v, "SELECT w.id, s.id, s.sha256, w.author, w.reason, w.at_us FROM signoff_withdrawal w JOIN signoff s ON s.id = w.signoff_id ORDER BY w.id", scan,
		func(x withdrawalLine) error { return each(x.id, recordOfWithdrawal(x.number, x.digest, &x.Withdrawal)) })
}
