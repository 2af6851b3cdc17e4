package review_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"assay/assets/example"
	"assay/store/account"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

// signed is a sign-off on the example.
func (b *bench) signed(decision signoff.Decision) *signoff.SignOff {
	b.t.Helper()
	x, _ := b.prepare(promotion(), decision)
	s, err := b.desk.Sign(b.ctx, b.request(x.ID, "grace"))
	b.ok(err)
	if st := b.standing(s.Number); st.State != signoff.Current {
		b.t.Fatalf("%s from the beginning: %v", st.State, st.Reasons)
	}
	return s
}

func failing(st signoff.Standing) []string {
	var ids []string
	for _, c := range st.Checks {
		if !c.OK {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestStale: every reason for which a sign-off turns stale, and that it does for no other;
// what can be taken back makes it current again.
func TestStale(t *testing.T) {
	var mark signoff.Mark
	var repair evidence.Repair
	for _, x := range []struct {
		name  string
		move  func(b *bench, s *signoff.SignOff)
		check string
		back  func(b *bench)
	}{
		{"superseded", func(b *bench, s *signoff.SignOff) {
			b.take("elsewhere", b.later())
			var err error
			mark, err = b.desk.Supersede(b.ctx, digestOf(b.later()), s.Artifacts[0], "ada", "the wrong way round")
			b.ok(err)
			if st := b.standing(s.Number); st.State != signoff.Current {
				b.t.Errorf("what it does not name was superseded: %v", st.Reasons)
			}
			mark, err = b.desk.Supersede(b.ctx, s.Artifacts[0], digestOf(b.later()), "ada", "measured again")
			b.ok(err)
		}, "not-superseded", func(b *bench) {
			_, err := b.desk.WithdrawMark(b.ctx, mark.ID, "ada", "mistaken")
			b.ok(err)
		}},
		{"invalidated", func(b *bench, s *signoff.SignOff) {
			var err error
			mark, err = b.desk.Invalidate(b.ctx, b.firstRun().Artifact, "ada", "another card ran beside it")
			b.ok(err)
		}, "not-invalidated", func(b *bench) {
			_, err := b.desk.WithdrawMark(b.ctx, mark.ID, "ada", "mistaken")
			b.ok(err)
		}},
		{"a newer file of the name", func(b *bench, s *signoff.SignOff) {
			docs, err := example.Complete()
			b.ok(err)
			for _, d := range docs {
				if d.Name == "capacity-fp8-r1.json" {
					d.Data = append([]byte("\n"), d.Data...)
					b.take(example.Campaign, d)
				}
			}
		}, "no-newer-file", nil},
		{"a declared fact", func(b *bench, s *signoff.SignOff) {
			var err error
			repair, err = b.archive.AddRepair(b.ctx, evidence.Repair{Kind: evidence.RepairFact, Target: b.firstRun().Scope().String(), Key: evidence.KeyDriver, Value: "580.1", Author: "ada", Reason: "known"})
			b.ok(err)
		}, "declared-facts", func(b *bench) { b.ok(b.archive.WithdrawRepair(b.ctx, repair.ID, "ada", "mistaken")) }},
		{"a declaration that changes a verdict", func(b *bench, s *signoff.SignOff) {
			var err error
			repair, err = b.archive.AddRepair(b.ctx, evidence.Repair{Kind: evidence.RepairFact, Target: b.firstRun().Scope().String(), Key: evidence.KeySampling, Value: "temperature 0.7", Author: "ada", Reason: "known"})
			b.ok(err)
			_, err = b.archive.AddRepair(b.ctx, evidence.Repair{Kind: evidence.RepairFact, Target: b.controlRun().Scope().String(), Key: evidence.KeySampling, Value: "greedy", Author: "ada", Reason: "known"})
			b.ok(err)
		}, "verdicts", nil},
		{"too old", func(b *bench, s *signoff.SignOff) {
			st, err := signoff.ParseStatement(s.Statement)
			b.ok(err)
			if st.MaxAgeDays == 0 {
				b.t.Skip("the policy in force sets no limit")
			}
			b.at = b.at.AddDate(0, 0, st.MaxAgeDays+1)
		}, "age", nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := newBench(t)
			b.complete()
			s := b.signed(signoff.Hold)
			x.move(b, s)
			st, err := b.desk.Known(b.ctx, s) // notices by itself that something moved
			b.ok(err)
			if st.State != signoff.Stale || !slices.Contains(failing(st), x.check) || len(st.Reasons) == 0 || st.Reasons[0] == "" {
				t.Errorf("%s, failing %v: %q", st.State, failing(st), st.Reasons)
			}
			if x.back == nil {
				return
			}
			x.back(b)
			if st, err = b.desk.Known(b.ctx, s); err != nil || st.State != signoff.Current {
				t.Errorf("after it was taken back: %s %v %v", st.State, st.Reasons, err)
			}
		})
	}
}

func digestOf(d example.Document) evidence.Digest { return evidence.DigestOf(d.Data) }

func (b *bench) controlRun() *evidence.RunRow {
	b.t.Helper()
	g, err := b.desk.Survey(b.ctx, promotion())
	b.ok(err)
	r, err := b.archive.Run(b.ctx, g.Control.V.Runs[0])
	b.ok(err)
	return &r
}

// TestInvalidatedIsCompared: the rules know what a person invalidated.
func TestInvalidatedIsCompared(t *testing.T) {
	b := newBench(t)
	b.complete()
	run := b.firstRun()
	m, err := b.desk.Invalidate(b.ctx, run.Artifact, "ada", "another card ran beside it")
	b.ok(err)
	q := promotion()
	blocked := func() bool {
		r, err := b.archive.Run(b.ctx, run.ID)
		b.ok(err)
		f, ok := r.Fact("invalidated")
		return ok && f.Value == "true" && f.State == evidence.Declared
	}
	if !blocked() {
		t.Error("its runs do not say so")
	}
	g, err := b.desk.Survey(b.ctx, q)
	b.ok(err)
	if slices.Contains(g.Candidate.Runs, run.ID) {
		for _, f := range g.Comparison.V.Figures {
			if f.Verdict != "blocked" || !slices.Contains(f.Reasons, "Q-INVALIDATED") {
				t.Errorf("%+v", f)
			}
		}
	}
	_, err = b.desk.WithdrawMark(b.ctx, m.ID, "ada", "mistaken")
	b.ok(err)
	if blocked() {
		t.Error("a withdrawn mark still has an effect")
	}
	if _, err := b.desk.Invalidate(b.ctx, run.Artifact, "vera", "x"); err == nil {
		t.Error("a viewer invalidates evidence")
	}
}

// TestContradicted: another campaign's figures of the same arm that disagree turn a
// sign-off stale; those that agree do not.
func TestContradicted(t *testing.T) {
	docs, err := example.Complete()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		edit func([]byte) []byte
		want signoff.State
	}{{slower, signoff.Stale}, {func(d []byte) []byte { return append([]byte(" "), d...) }, signoff.Current}} {
		b := newBench(t)
		b.complete()
		s := b.signed(signoff.Hold)
		for _, d := range docs {
			if d.Name == "capacity-fp8-r1.json" {
				b.take("another-campaign", example.Document{Name: "other.json", Data: x.edit(slices.Clone(d.Data))})
			}
		}
		st, err := b.desk.Known(b.ctx, s)
		b.ok(err)
		if st.State != x.want || x.want == signoff.Stale && !slices.Contains(failing(st), "not-contradicted") {
			t.Errorf("%s, failing %v: %v", st.State, failing(st), st.Reasons)
		}
	}
}

func TestWithdraw(t *testing.T) {
	b := newBench(t)
	b.complete()
	s := b.signed(signoff.Hold)
	for _, who := range []string{"ada", "vera", "nobody"} {
		if _, err := b.desk.Withdraw(b.ctx, s.Number, who, "x"); err == nil {
			t.Errorf("%s withdraws it", who)
		}
	}
	out, err := b.desk.Withdraw(b.ctx, s.Number, "linus", "found a fault")
	b.ok(err)
	if !out.Withdrawn.OK || out.Withdrawn.V.By != "linus" || out.Withdrawn.V.LogIndex <= s.LogIndex {
		t.Errorf("%+v", out.Withdrawn)
	}
	if _, err := b.desk.Withdraw(b.ctx, s.Number, "linus", "again"); err == nil {
		t.Error("withdrawn twice")
	}
	held, err := b.desk.SignOff(b.ctx, s.Number)
	b.ok(err)
	if held.Statement != s.Statement || !held.Withdrawn.OK {
		t.Error("the statement is not what was signed")
	}
	if st := b.standing(s.Number); st.State != signoff.Withdrawn {
		t.Errorf("%s", st.State)
	}
}

// TestRoleThen: what a person may do later changes nothing of what they did.
func TestRoleThen(t *testing.T) {
	b := newBench(t)
	b.complete()
	s := b.signed(signoff.Hold)
	b.ok(b.archive.SetRole(b.ctx, "grace", account.Viewer))
	if st := b.standing(s.Number); st.State != signoff.Current {
		t.Errorf("%s: %v", st.State, st.Reasons)
	}
	x, _ := b.prepare(promotion(), signoff.Hold)
	if why := b.refused(b.request(x.ID, "grace")); !why.Has(review.RefuseRole) {
		t.Error(why)
	}
	b.ok(b.archive.SetRole(b.ctx, "grace", account.Promoter))
	b.ok(b.archive.DisableAccount(b.ctx, "grace"))
	if why := b.refused(b.request(x.ID, "grace")); !why.Has(review.RefuseRole) {
		t.Error(why)
	}
}

// TestRecheck looks again only when something moved.
func TestRecheck(t *testing.T) {
	b := newBench(t)
	b.complete()
	for _, want := range []int{0, 0} {
		if n, err := b.desk.Recheck(b.ctx); err != nil || n != want {
			t.Errorf("%d %v", n, err)
		}
	}
	s := b.signed(signoff.Hold)
	if n, err := b.desk.Recheck(b.ctx); err != nil || n != 0 {
		t.Errorf("nothing moved, %d looked at, %v", n, err)
	}
	_, err := b.desk.Supersede(b.ctx, s.Artifacts[0], s.Artifacts[1], "ada", "for a test")
	b.ok(err)
	for _, want := range []int{1, 0} {
		if n, err := b.desk.Recheck(b.ctx); err != nil || n != want {
			t.Errorf("%d looked at, want %d, %v", n, want, err)
		}
	}
	kept, err := b.archive.Standings(b.ctx, s.Number, 0)
	b.ok(err)
	if len(kept) != 2 || kept[0].Standing.State != signoff.Stale || kept[1].Standing.State != signoff.Current {
		t.Errorf("%d results are kept", len(kept))
	}
	var rows []evidence.SignOffRow
	b.ok(b.desk.EachSignOff(b.ctx, evidence.Filter{Campaign: example.Campaign, State: "stale"}, func(r evidence.SignOffRow) error {
		rows = append(rows, r)
		return nil
	}))
	if len(rows) != 1 || rows[0].Number != s.Number || rows[0].Statement.String() != s.Digest || len(rows[0].Reasons) == 0 {
		t.Errorf("%+v", rows)
	}
}

// TestSignStopsWhenCancelled: an ended request files nothing.
func TestSignStopsWhenCancelled(t *testing.T) {
	b := newBench(t)
	b.complete()
	x, _ := b.prepare(promotion(), signoff.Hold)
	r := b.request(x.ID, "grace")
	ctx, stop := context.WithTimeout(b.ctx, time.Nanosecond)
	defer stop()
	if _, err := b.desk.Sign(ctx, r); err == nil {
		t.Error("signed")
	}
	if list, err := b.desk.SignOffs(b.ctx, signoff.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("%d %v", len(list), err)
	}
}

// slower is a capacity document whose requests took twice the time on the clock.
func slower(d []byte) []byte {
	d = bytes.Replace(d, []byte("23655.1393"), []byte("47310.2786"), 1)
	return bytes.Replace(d, []byte("259.73214201279296"), []byte("129.86607100639648"), 1)
}
