package review_test

import (
	"slices"
	"testing"

	"assay/store/review"
	"assay/store/signoff"
)

// TestSeedsAreNotPromoted: whichever arm, target and control is chosen, and whatever is
// acknowledged, nothing in the seeds can be promoted. The refusal names exactly the gates
// that stop, and a waiver of a pair or a lone signer only adds to it.
func TestSeedsAreNotPromoted(t *testing.T) {
	b := newBench(t)
	ways := 0
	for _, campaign := range b.seeds() {
		arms, err := b.desk.Arms(b.ctx, campaign)
		b.ok(err)
		if len(arms) == 0 {
			t.Errorf("%s has no arms", campaign)
		}
		for i, arm := range arms {
			targets := []signoff.Target{signoff.Promotion}
			if i < 3 || arm.Rejected != "" {
				targets = signoff.Targets
			}
			for _, target := range targets {
				x, g := b.prepare(review.Query{Campaign: campaign, Candidate: arm.ArmID, Target: target}, signoff.Promote)
				r := b.refused(b.request(x.ID, "grace"))
				ways++
				b.checkGates(r, g)
				if r.Has(review.RefuseItem) || r.Has(review.RefuseRole) || r.Has(review.RefuseSignature) || r.Has(review.RefuseGround) || r.Has(review.RefuseStatement) {
					t.Errorf("%s, %s: refused for more than the evidence: %v", campaign, arm.Name, r)
				}
				if (arm.Rejected != "") != r.Has(review.RefuseRejected) {
					t.Errorf("%s, %s: rejected %q, refused for it: %v", campaign, arm.Name, arm.Rejected, r.Has(review.RefuseRejected))
				}
				preview, err := b.desk.Preview(b.ctx, x.ID, "grace", b.keys["grace"])
				b.ok(err)
				if len(preview.Refusals) != len(r.Refusals) {
					t.Errorf("the preview names %d reasons, the signature was refused for %d", len(preview.Refusals), len(r.Refusals))
				}
				b.ok(b.desk.Discard(b.ctx, x.ID, "ada"))
			}
		}
	}
	if list, err := b.desk.SignOffs(b.ctx, signoff.Filter{}); err != nil || len(list) != 0 || ways < 25 {
		t.Errorf("%d sign-offs, %d ways tried, %v", len(list), ways, err)
	}
}

func (b *bench) checkGates(r *review.Refused, g *signoff.Ground) {
	b.t.Helper()
	var want, got []string
	for i := range g.Gates {
		if g.Gates[i].Stops() {
			want = append(want, g.Gates[i].ID)
		}
	}
	if len(g.Gates) == 0 {
		want = []string{""} // no policy: that is what stops
	}
	for _, x := range r.Refusals {
		if x.Kind == review.RefuseGate {
			got = append(got, x.ID)
			if x.Text == "" || x.Clear == "" || x.Rule == "" {
				b.t.Errorf("%+v", x)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) || len(got) == 0 {
		b.t.Errorf("%s for %s: refused for gates %q, those that stop are %q", g.Candidate.Name, g.Target, got, want)
	}
}

// TestSeedsCanBeRejected: the other decisions on the same evidence are signed.
func TestSeedsCanBeRejected(t *testing.T) {
	b := newBench(t)
	for _, campaign := range b.seeds() {
		for _, decision := range []signoff.Decision{signoff.Reject, signoff.Hold} {
			x, _ := b.prepare(review.Query{Campaign: campaign, Target: signoff.Promotion}, decision)
			s, err := b.desk.Sign(b.ctx, b.request(x.ID, "grace"))
			b.ok(err)
			if st := b.standing(s.Number); st.State != signoff.Current {
				t.Errorf("%s: %s %v", s.Number, st.State, st.Reasons)
			}
		}
	}
}
