package review_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"assay/assets/example"
	"assay/store/account"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

// TestSurveySame: the same archive gives the same ground, byte for byte, and another
// archive with the same evidence too.
func TestSurveySame(t *testing.T) {
	var want []byte
	for range 2 {
		b := newBench(t)
		b.complete()
		for range 2 {
			g, err := b.desk.Survey(b.ctx, promotion())
			b.ok(err)
			g.LogSize = 0
			got, err := json.Marshal(g)
			b.ok(err)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("another ground:\n%s\n%s", got, want)
			}
		}
	}
}

func TestSurveyExample(t *testing.T) {
	b := newBench(t)
	b.complete()
	g, err := b.desk.Survey(b.ctx, promotion())
	b.ok(err)
	if g.Candidate.Name != "qwen38-27b-fp8" || !g.Control.OK || g.Control.V.Name != "qwen38-27b-bf16" || !g.Back.OK || g.Back.V.Name != "qwen38-27b-bf16" {
		t.Errorf("candidate %q, control %q, rollback %q", g.Candidate.Name, g.Control.V.Name, g.Back.V.Name)
	}
	c := g.Comparison.V
	if !g.Comparison.OK || len(c.Figures) < 5 || !strings.Contains(c.Spec, "\naxis checkpoint\n") || len(g.Candidate.Runs) != 6 || len(g.Control.V.Runs) != 6 {
		t.Errorf("%+v", c)
	}
	for _, f := range c.Figures {
		if f.Verdict != "ok" && f.Verdict != "caveat" || f.Left == "" || f.Right == "" || f.Change == "" {
			t.Errorf("%+v", f)
		}
	}
	if !slices.ContainsFunc(g.SourceSays, func(r signoff.Remark) bool { return r.Text == "promotion_authorized: true" }) {
		t.Errorf("what the source says of promotion is not shown: %v", g.SourceSays)
	}
	// What may not be shown has no value anywhere in the ground.
	q := promotion()
	q.Control, q.Figures = "qwen38-27b-bf16", []string{"ttft:p50", "wer:mean"}
	g, err = b.desk.Survey(b.ctx, q)
	b.ok(err)
	if f := g.Comparison.V.Figures[1]; f.Verdict != "blocked" || f.Left+f.Right+f.Change != "" || len(f.Reasons) == 0 {
		t.Errorf("%+v", f)
	}
	for _, bad := range []review.Query{
		{Campaign: "none such", Target: signoff.Promotion}, {Campaign: example.Campaign, Target: "all"}, {Campaign: example.Campaign, Target: signoff.Promotion, Candidate: "no arm"},
		{Campaign: example.Campaign, Target: signoff.Promotion, Figures: []string{"speed"}}, {Campaign: example.Campaign, Target: signoff.Promotion, Candidate: "qwen38-27b-fp8", Control: "qwen38-27b-fp8"},
	} {
		if _, err := b.desk.Survey(b.ctx, bad); err == nil {
			t.Errorf("surveyed: %+v", bad)
		}
	}
}

// TestSign: the whole way, with each kind of key at hand, and what stands in the archive
// after it.
func TestSign(t *testing.T) {
	b := newBench(t)
	b.complete()
	x, g := b.prepare(promotion(), signoff.Hold)
	s, err := b.desk.Sign(b.ctx, b.request(x.ID, "grace"))
	b.ok(err)
	if s.Number != "S-0001" || s.Decision != signoff.Hold || s.Signer != "grace" || s.Preparer != "ada" || len(s.Artifacts) != len(g.Artifacts) {
		t.Errorf("%+v", s)
	}
	st := b.standing(s.Number)
	if st.State != signoff.Current || len(st.Checks) < 15 {
		t.Errorf("%s, %d checks: %v", st.State, len(st.Checks), st.Reasons)
	}
	ids := map[string]bool{}
	for _, c := range st.Checks {
		if ids[c.ID] || c.Title == "" || c.Says == "" {
			t.Errorf("%+v", c)
		}
		ids[c.ID] = true
	}
	report, err := b.archive.VerifyLog(b.ctx)
	b.ok(err)
	if len(report.Faults) > 0 {
		t.Errorf("%+v", report.Faults)
	}
	// A draft is signed once.
	if r := b.refused(review.SignRequest{Draft: x.ID, Signer: "grace", Statement: s.Statement, Claim: s.Claim}); !r.Has(review.RefuseDraft) {
		t.Error(r)
	}
	// The person's own SSH key.
	_, secret, err := ed25519.GenerateKey(rand.Reader)
	b.ok(err)
	signer, err := ssh.NewSignerFromKey(secret)
	b.ok(err)
	public, err := signoff.NormalSSH(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
	b.ok(err)
	key := account.AccountKey{Kind: account.KeySSH, Public: public, Fingerprint: ssh.FingerprintSHA256(signer.PublicKey())}
	x, _ = b.prepare(promotion(), signoff.Reject)
	sign := func() (*signoff.SignOff, error) {
		p, err := b.desk.Preview(b.ctx, x.ID, "grace", key)
		b.ok(err)
		claim, err := signoff.SignSSH("grace", signer, p.Statement, rand.Reader)
		b.ok(err)
		return b.desk.Sign(b.ctx, review.SignRequest{Draft: x.ID, Signer: "grace", Statement: p.Statement, Claim: claim})
	}
	var refused *review.Refused
	if _, err := sign(); !errors.As(err, &refused) || !refused.Has(review.RefuseSignature) {
		t.Errorf("a key that is nobody's signs: %v", err)
	}
	b.ok(b.archive.AddKey(b.ctx, "grace", key))
	s, err = sign()
	b.ok(err)
	if st := b.standing(s.Number); st.State != signoff.Current {
		t.Errorf("%s: %v", st.State, st.Reasons)
	}
	// A key that is revoked later signed all the same.
	b.ok(b.archive.RevokeKey(b.ctx, "grace", key.Fingerprint))
	if st := b.standing(s.Number); st.State != signoff.Current {
		t.Errorf("%s: %v", st.State, st.Reasons)
	}
}

func (b *bench) standing(number string) signoff.Standing {
	b.t.Helper()
	s, err := b.desk.SignOff(b.ctx, number)
	b.ok(err)
	st, err := b.desk.Standing(b.ctx, &s)
	b.ok(err)
	return st
}

// TestSignOneMissing: with any one acknowledgement left out, or its reason, nothing is
// signed, whatever the decision; and the refusal names that item and no other.
func TestSignOneMissing(t *testing.T) {
	b := newBench(t)
	b.complete()
	for _, decision := range []signoff.Decision{signoff.Reject, signoff.Promote} {
		x, g := b.prepare(promotion(), decision)
		all := x.Acks
		for i, item := range g.Items() {
			for _, blank := range []bool{false, true} {
				if blank && (!item.Reason || decision != signoff.Promote) {
					continue
				}
				x.Acks = slices.Clone(all)
				if blank {
					x.Acks[i].Reason = "  "
				} else {
					x.Acks = slices.Delete(x.Acks, i, i+1)
				}
				var err error
				x, err = b.desk.Save(b.ctx, x, "ada")
				b.ok(err)
				r := b.refused(b.request(x.ID, "grace"))
				var items []string
				for _, why := range r.Refusals {
					if why.Kind == review.RefuseItem {
						items = append(items, why.ID)
					}
				}
				if len(items) != 1 || items[0] != item.ID {
					t.Errorf("%s: item %s (%s) is missing, refused for %v", decision, item.ID, item.Text, items)
				}
			}
		}
	}
}

// TestSignText: no other text than that of the preview is taken, whichever byte is another.
func TestSignText(t *testing.T) {
	b := newBench(t)
	b.complete()
	x, _ := b.prepare(promotion(), signoff.Hold)
	good := b.request(x.ID, "grace")
	for i := 0; i < len(good.Statement); i += 701 {
		r := good
		r.Statement = good.Statement[:i] + string(good.Statement[i]^1) + good.Statement[i+1:]
		var err error
		if r.Claim, err = signoff.SignNote("grace", b.signers["grace"], b.keys["grace"].Public, r.Statement); err != nil {
			continue // a note of that text cannot even be made
		}
		if why := b.refused(r); !why.Has(review.RefuseStatement) && !why.Has(review.RefuseGround) {
			t.Errorf("byte %d: %v", i, why)
		}
	}
	for name, change := range map[string]struct {
		edit func(r *review.SignRequest)
		kind review.RefusalKind
	}{
		"another decision": {func(r *review.SignRequest) {
			r.Statement = strings.Replace(r.Statement, "decision: hold", "decision: promote", 1)
			r.Claim, _ = signoff.SignNote("grace", b.signers["grace"], b.keys["grace"].Public, r.Statement)
		}, review.RefuseStatement},
		"another's signature": {func(r *review.SignRequest) {
			r.Claim, _ = signoff.SignNote("grace", b.signers["linus"], b.keys["linus"].Public, r.Statement)
		}, review.RefuseSignature},
		"in another's name":   {func(r *review.SignRequest) { r.Signer = "linus" }, review.RefuseSignature},
		"by a reviewer":       {func(r *review.SignRequest) { *r = b.request(x.ID, "ada") }, review.RefuseRole},
		"by an admin":         {func(r *review.SignRequest) { *r = b.request(x.ID, "root") }, review.RefuseRole},
		"by nobody":           {func(r *review.SignRequest) { r.Signer, r.Claim.Account = "nobody", "nobody" }, review.RefuseRole},
		"without a signature": {func(r *review.SignRequest) { r.Claim.Signature = nil }, review.RefuseSignature},
		"no text":             {func(r *review.SignRequest) { r.Statement = "" }, review.RefuseStatement},
	} {
		r := good
		change.edit(&r)
		if why := b.refused(r); !why.Has(change.kind) {
			t.Errorf("%s: %v", name, why)
		}
	}
	b.at = b.at.Add(25 * time.Hour)
	if why := b.refused(good); !why.Has(review.RefuseStatement) {
		t.Errorf("a day old: %v", why)
	}
	b.at = b.at.Add(-50 * time.Hour)
	if why := b.refused(good); !why.Has(review.RefuseStatement) {
		t.Errorf("from the future: %v", why)
	}
}

// TestSignGround: when anything in the ground moves between preview and signature, the
// statement is refused, and it says what moved.
func TestSignGround(t *testing.T) {
	for name, move := range map[string]func(b *bench){
		"a fact is declared": func(b *bench) {
			r := b.firstRun()
			_, err := b.archive.AddRepair(b.ctx, evidence.Repair{Kind: evidence.RepairFact, Target: r.Scope().String(), Key: evidence.KeyDriver, Value: "580.1", Author: "ada", Reason: "known"})
			b.ok(err)
		},
		"an artifact is invalidated": func(b *bench) {
			_, err := b.desk.Invalidate(b.ctx, b.firstRun().Artifact, "ada", "wrong card")
			b.ok(err)
		},
		"a file comes in": func(b *bench) { b.take(example.Campaign, b.later()) },
		"the preparer changes the reason": func(b *bench) {
			list, err := b.desk.Drafts(b.ctx, signoff.Filter{Open: true})
			b.ok(err)
			list[0].Reason = "another"
			_, err = b.desk.Save(b.ctx, list[0], "ada")
			b.ok(err)
		},
	} {
		b := newBench(t)
		b.complete()
		x, _ := b.prepare(promotion(), signoff.Hold)
		r := b.request(x.ID, "grace")
		move(b)
		if why := b.refused(r); !why.Has(review.RefuseGround) && !why.Has(review.RefuseStatement) {
			t.Errorf("%s: %v", name, why)
		}
	}
	// What has no part in the ground may move: the log grows meanwhile.
	b := newBench(t)
	b.complete()
	x, _ := b.prepare(promotion(), signoff.Hold)
	r := b.request(x.ID, "grace")
	_, err := b.archive.AddAccount(b.ctx, "late", "late", account.Viewer)
	b.ok(err)
	if _, err := b.desk.Sign(b.ctx, r); err != nil {
		t.Error(err)
	}
}

func (b *bench) firstRun() *evidence.RunRow {
	b.t.Helper()
	g, err := b.desk.Survey(b.ctx, promotion())
	b.ok(err)
	r, err := b.archive.Run(b.ctx, g.Candidate.Runs[0])
	b.ok(err)
	return &r
}

func TestDraftIsItsPreparers(t *testing.T) {
	b := newBench(t)
	b.complete()
	var refused *review.Refused
	for _, who := range []string{"vera", "nobody", ""} {
		if _, _, err := b.desk.Open(b.ctx, promotion(), who); !errors.As(err, &refused) || !refused.Has(review.RefuseRole) {
			t.Errorf("%q opens a draft: %v", who, err)
		}
	}
	x, g := b.prepare(promotion(), signoff.Hold)
	if _, err := b.desk.Save(b.ctx, x, "grace"); !errors.As(err, &refused) {
		t.Errorf("another changes it: %v", err)
	}
	if _, err := b.desk.Acknowledge(b.ctx, x.ID, "grace", g.Items()[0].ID, "x"); !errors.As(err, &refused) {
		t.Errorf("another acknowledges: %v", err)
	}
	if _, err := b.desk.Acknowledge(b.ctx, x.ID, "ada", "0123", "x"); !errors.Is(err, evidence.ErrNotFound) {
		t.Errorf("an item that is none: %v", err)
	}
	if _, err := b.desk.Acknowledge(b.ctx, x.ID, "ada", g.Items()[0].ID, " "); err == nil && g.Items()[0].Reason {
		t.Error("acknowledged without a reason")
	}
	x.Ready = false
	x, err := b.desk.Save(b.ctx, x, "ada")
	b.ok(err)
	if why := b.refused(b.request(x.ID, "grace")); !why.Has(review.RefuseDraft) {
		t.Error(why)
	}
	b.ok(b.desk.Discard(b.ctx, x.ID, "ada"))
	if _, err := b.desk.Save(b.ctx, x, "ada"); err == nil {
		t.Error("a closed draft is changed")
	}
}
