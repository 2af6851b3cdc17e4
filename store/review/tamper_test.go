package review_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/store"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/view"
)

// TestTamper changes one cell of a copy of the archive at a time, as somebody with the file
// and SQLite could. Every change of a statement, a signature, a person's key or role, a
// mark or a withdrawal is found by the verification of the log, and what the sign-off
// rests on makes it invalid as well.
func TestTamper(t *testing.T) {
	b := newBench(t)
	b.complete()
	s := b.signed(signoff.Hold)
	other := b.signed(signoff.Reject)
	_, err := b.desk.Withdraw(b.ctx, other.Number, "linus", "a fault")
	b.ok(err)
	m, err := b.desk.Invalidate(b.ctx, s.Artifacts[0], "ada", "the wrong card")
	b.ok(err)
	_, err = b.desk.WithdrawMark(b.ctx, m.ID, "ada", "the right card")
	b.ok(err)
	for _, x := range []struct {
		change  string
		invalid bool // the checks of the sign-off find it by themselves
	}{
		{"UPDATE signoff SET statement = replace(statement, 'decision: hold', 'decision: promote') WHERE id = 1", true},
		{"UPDATE signoff SET statement = statement || char(10) WHERE id = 1", true},
		{"UPDATE signoff SET decision = 'promote' WHERE id = 1", true},
		{"UPDATE signoff SET signer = 'linus' WHERE id = 1", true},
		{"UPDATE signoff SET preparer = 'linus' WHERE id = 1", true},
		{"UPDATE signoff SET target = 'rollback' WHERE id = 1", true},
		{"UPDATE signoff SET candidate = 'another' WHERE id = 1", false},
		{"UPDATE signoff SET title = 'another' WHERE id = 1", false},
		{"UPDATE signoff SET signed_us = signed_us + 1 WHERE id = 1", false},
		{"UPDATE signoff SET signature = x'00' WHERE id = 1", true},
		{"UPDATE signoff SET public = (SELECT public FROM account_key k JOIN account a ON a.id = k.account_id WHERE a.name = 'linus') WHERE id = 1", true},
		{"UPDATE signoff SET fingerprint = 'x' WHERE id = 1", true},
		{"UPDATE signoff SET sha256 = randomblob(32) WHERE id = 1", true},
		{"DELETE FROM signoff_artifact WHERE signoff_id = 1 AND sha256 = (SELECT min(sha256) FROM signoff_artifact WHERE signoff_id = 1)", true},
		{"DELETE FROM signoff WHERE id = 2", false},
		{"INSERT INTO signoff (campaign, title, candidate, arm, target, decision, statement, sha256, preparer, signer, signed_us, claim_kind, fingerprint, public, signature, draft_id) " +
			"SELECT campaign, title, candidate, arm, target, 'promote', statement || 'x', randomblob(32), preparer, signer, signed_us, claim_kind, fingerprint, public, signature, draft_id FROM signoff WHERE id = 1", false},
		{"DELETE FROM signoff_withdrawal", false},
		{"UPDATE signoff_withdrawal SET author = 'grace'", false},
		{"UPDATE signoff_withdrawal SET signoff_id = 1", false},
		{"UPDATE artifact_mark SET reason = 'no reason'", false},
		{"UPDATE artifact_mark SET artifact_id = artifact_id + 1", false},
		{"DELETE FROM artifact_mark_withdrawal", false},
		{"UPDATE log_record SET body = CAST(replace(CAST(body AS TEXT), 'decision: hold', 'decision: send') AS BLOB) WHERE kind = 'statement'", true},
		{"DELETE FROM log_record WHERE n = (SELECT max(n) FROM log_record)", false},
		{"UPDATE artifact_chunk SET body = x'28b52ffd' WHERE artifact_id = 1", false},
	} {
		t.Run(x.change[:min(len(x.change), 60)], func(t *testing.T) {
			copied := b.tampered(x.change)
			c, err := store.Open(b.ctx, copied, store.Options{Now: b.now, Same: compare.SameMeaning})
			b.ok(err)
			defer c.Close()
			report, err := c.VerifyLog(b.ctx)
			found := err != nil || len(report.Faults) > 0
			if strings.Contains(x.change, "artifact_chunk") {
				found = c.CheckArtifact(b.ctx, b.firstArtifact(c)) != nil // the bytes are for "assay verify"
			}
			if !found {
				t.Error("the log verifies")
			}
			if !x.invalid {
				return
			}
			desk := review.Over(c, view.CompareTable, b.now)
			held, err := desk.SignOff(b.ctx, "S-0001")
			b.ok(err)
			if st, err := desk.Standing(b.ctx, &held); err != nil || st.State != signoff.Invalid {
				t.Errorf("the sign-off is %s: %v %v", st.State, st.Reasons, err)
			}
		})
	}
}

// tampered is a copy of the archive with a change that no trigger stops.
func (b *bench) tampered(change string) string {
	b.t.Helper()
	to := filepath.Join(b.t.TempDir(), fmt.Sprintf("copy%d.db", b.at.UnixNano()))
	b.now()
	b.ok(b.archive.Backup(b.ctx, to))
	db, err := sql.Open("sqlite", to)
	b.ok(err)
	defer db.Close()
	rows, err := db.QueryContext(b.ctx, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
	b.ok(err)
	var names []string
	for rows.Next() {
		var name string
		b.ok(rows.Scan(&name))
		names = append(names, name)
	}
	b.ok(rows.Err())
	for _, name := range names {
		_, err := db.ExecContext(b.ctx, "DROP TRIGGER "+name)
		b.ok(err)
	}
	res, err := db.ExecContext(b.ctx, change)
	b.ok(err)
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		b.t.Fatalf("%s changed nothing: %v", change, err)
	}
	return to
}

// TestKept: without such force, triggers refuse every change.
func TestKept(t *testing.T) {
	b := newBench(t)
	b.complete()
	s := b.signed(signoff.Hold)
	_, err := b.desk.Withdraw(b.ctx, s.Number, "grace", "a fault")
	b.ok(err)
	m, err := b.desk.Supersede(b.ctx, s.Artifacts[0], s.Artifacts[1], "ada", "newer")
	b.ok(err)
	_, err = b.desk.WithdrawMark(b.ctx, m.ID, "ada", "older")
	b.ok(err)
	db, err := sql.Open("sqlite", b.path)
	b.ok(err)
	defer db.Close()
	for _, table := range []string{"signoff", "signoff_artifact", "signoff_withdrawal", "artifact_mark", "artifact_mark_withdrawal"} {
		for _, change := range []string{"DELETE FROM " + table, "UPDATE " + table + " SET " + map[bool]string{true: "sha256 = sha256", false: "id = id"}[table == "signoff_artifact"]} {
			if _, err := db.ExecContext(b.ctx, change); err == nil {
				t.Errorf("%s: done", change)
			}
		}
	}
	if _, err := db.ExecContext(b.ctx, "UPDATE signoff_draft SET reason = 'x'"); err == nil {
		t.Error("a closed draft was changed")
	}
}

// firstArtifact is the artifact that came in first.
func (b *bench) firstArtifact(a *store.Archive) (d evidence.Digest) {
	b.t.Helper()
	b.ok(a.EachArtifact(b.ctx, evidence.Filter{}, func(r evidence.ArtifactRow) error {
		if r.ID == 1 {
			d = r.Digest
		}
		return nil
	}))
	return d
}
