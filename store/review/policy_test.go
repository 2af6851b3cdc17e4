package review_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/assets/example"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

// gatesAsked is a small policy: a required gate for each name, answered by the source's own
// gate of that name.
type gatesAsked struct {
	names   []string
	version int
	two     bool
	days    int
}

func (p *gatesAsked) Policy(context.Context) (*signoff.Policy, error) {
	var b strings.Builder
	two, ids := "", make([]string, len(p.names))
	if p.two {
		two = `"promote"`
	}
	for i, name := range p.names {
		ids[i] = fmt.Sprintf("%q", strings.ReplaceAll(name, " ", "-"))
	}
	fmt.Fprintf(&b, "name = \"test\"\nversion = %d\nmax_age_days = %d\ntwo_people = [%s]\n\n[targets]\n", p.version, p.days, two)
	for _, t := range signoff.Targets {
		fmt.Fprintf(&b, "%s = [%s]\n", t, strings.Join(ids, ", "))
	}
	for i, name := range p.names {
		fmt.Fprintf(&b, "\n[[gate]]\nid = %s\ntitle = %q\nrule = \"C-GATE-MISSING\"\nwant = \"passed\"\nclear = \"run it\"\nnames = [%q]\n", ids[i], name, name)
	}
	return signoff.ParsePolicy([]byte(b.String()))
}

func (p *gatesAsked) GateWaivers(context.Context, string) ([]signoff.GateWaiver, error) {
	return nil, nil
}

func (b *bench) policy(p *gatesAsked) *gatesAsked {
	b.desk.Policies = p
	return p
}

// TestPromote: with gates that pass, two people and a comparison that shows, the example
// is promoted; each of them taken away refuses, and says so by name.
func TestPromote(t *testing.T) {
	b := newBench(t)
	b.complete()
	p := b.policy(&gatesAsked{names: []string{"tools", "quality"}, version: 1, two: true, days: 30})
	try := func(name string, kind review.RefusalKind, id string, who string, q review.Query) {
		t.Helper()
		x, g := b.prepare(q, signoff.Promote)
		r := b.refused(b.request(x.ID, who))
		if len(r.Refusals) == 0 || !slices.ContainsFunc(r.Refusals, func(x review.Refusal) bool { return x.Kind == kind && (id == "" || x.ID == id) }) {
			t.Errorf("%s: %v", name, r)
		}
		if kind != review.RefuseGate && r.Has(review.RefuseGate) {
			t.Errorf("%s: gates %v", name, g.Gates)
		}
		b.ok(b.desk.Discard(b.ctx, x.ID, "ada"))
	}
	p.names = append(p.names, "a gate that nobody ran")
	try("missing gate", review.RefuseGate, "a-gate-that-nobody-ran", "grace", promotion())
	p.names = p.names[:2]
	q := promotion()
	q.Control = "none"
	try("no control", review.RefuseComparison, "", "grace", q)
	q = promotion()
	q.Figures = []string{"output_throughput:total", "wer:mean"}
	try("a figure that may not be shown", review.RefuseComparison, "wer:mean", "grace", q)
	m, err := b.desk.Supersede(b.ctx, b.firstRun().Artifact, b.controlRun().Artifact, "ada", "newer")
	b.ok(err)
	try("superseded evidence", review.RefuseSource, "", "grace", promotion())
	_, err = b.desk.WithdrawMark(b.ctx, m.ID, "ada", "not newer")
	b.ok(err)
	w := b.waive()
	try("a waiver on the pair", review.RefuseWaiver, "", "grace", promotion())
	b.ok(b.archive.WithdrawWaiver(b.ctx, w.ID, "ada", "seen"))

	// A promoter who prepares it signs it with another one's eyes on it, or not at all.
	x, g, err := b.desk.Open(b.ctx, promotion(), "grace")
	b.ok(err)
	for _, i := range g.Items() {
		x.Acks = append(x.Acks, signoff.Ack{Item: i.ID, Reason: "seen"})
	}
	x.Decision, x.Scope, x.Reason, x.Ready = signoff.Promote, "chat", "measured", true
	x, err = b.desk.Save(b.ctx, x, "grace")
	b.ok(err)
	if r := b.refused(b.request(x.ID, "grace")); len(r.Refusals) != 1 || !r.Has(review.RefusePeople) {
		t.Errorf("alone: %v", r)
	}
	s, err := b.desk.Sign(b.ctx, b.request(x.ID, "linus"))
	b.ok(err)
	if st := b.standing(s.Number); st.State != signoff.Current {
		t.Errorf("%s: %v", st.State, st.Reasons)
	}
	st, err := signoff.ParseStatement(s.Statement)
	b.ok(err)
	if st.Decision != signoff.Promote || len(st.Gates) != 2 || st.Policy.Version != 1 || !st.TwoPeople || st.MaxAgeDays != 30 {
		t.Errorf("%+v", st)
	}
	// Where the policy wants one person, one is enough.
	p.two = false
	x, _ = b.prepare(promotion(), signoff.Promote)
	_, err = b.desk.Sign(b.ctx, b.request(x.ID, "grace"))
	b.ok(err)
}

// waive opens a stopped pair of the comparison's runs for looking.
func (b *bench) waive() evidence.Waiver {
	b.t.Helper()
	control, arm := b.controlRun(), b.firstRun()
	w, err := b.archive.AddWaiver(b.ctx, evidence.Waiver{Control: control.ID, Arm: arm.ID, Metric: evidence.TTFT, Stat: evidence.P95, Person: "ada", Reason: "to look",
		Stops: []evidence.WaivedStop{{Rule: "M-N"}}})
	b.ok(err)
	return w
}

// TestStalePolicy: gates that answer otherwise, and age, turn a sign-off stale; another
// version that answers the same does not.
func TestStalePolicy(t *testing.T) {
	b := newBench(t)
	b.complete()
	p := b.policy(&gatesAsked{names: []string{"tools", "quality"}, version: 1, days: 30})
	s := b.signed(signoff.Promote)
	p.version = 2
	if st := b.standing(s.Number); st.State != signoff.Current {
		t.Errorf("another version, the same answer: %s %v", st.State, st.Reasons)
	}
	p.names = append(p.names, "a gate that nobody ran")
	if st := b.standing(s.Number); st.State != signoff.Stale || !slices.Contains(failing(st), "gates") || !slices.Contains(failing(st), "policy") {
		t.Errorf("a gate more: %s %v", st.State, failing(st))
	}
	p.names = p.names[:1]
	if st := b.standing(s.Number); st.State != signoff.Stale || !slices.Contains(failing(st), "gates") {
		t.Errorf("a gate less: %s %v", st.State, failing(st))
	}
	p.names = []string{"tools", "quality"}
	w := b.waive()
	if st := b.standing(s.Number); st.State != signoff.Stale || !slices.Equal(failing(st), []string{"no-waiver"}) {
		t.Errorf("a waiver: %s %v", st.State, failing(st))
	}
	b.ok(b.archive.WithdrawWaiver(b.ctx, w.ID, "ada", "seen"))
	if st, err := b.desk.Known(b.ctx, s); err != nil || st.State != signoff.Current {
		t.Errorf("%s %v %v", st.State, st.Reasons, err)
	}
	b.at = b.at.AddDate(0, 0, 31)
	if st, err := b.desk.Known(b.ctx, s); err != nil || st.State != signoff.Stale || !slices.Equal(failing(st), []string{"age"}) {
		t.Errorf("31 days later: %s %v %v", st.State, failing(st), err)
	}
}

// TestTableIsThePages: the digest in the ground is that of the file that the page of the
// same comparison gives.
func TestTableIsThePages(t *testing.T) {
	b := newBench(t)
	b.complete()
	g, err := b.desk.Survey(b.ctx, promotion())
	b.ok(err)
	spec := compare.Spec{Control: g.Control.V.Runs, Arms: [][]string{g.Candidate.Runs}, Axes: []evidence.FactKey{evidence.KeyCheckpoint}}
	for _, f := range g.Comparison.V.Figures {
		x, err := compare.ParseFigure(f.Figure)
		b.ok(err)
		spec.Figures = append(spec.Figures, x)
	}
	if spec.Digest() != g.Comparison.V.SpecDigest || spec.Text() != g.Comparison.V.Spec {
		t.Errorf("the spec is\n%s\nand its runs and figures give\n%s", g.Comparison.V.Spec, spec.Text())
	}
	if got := b.pageExport(&spec); got != g.Comparison.V.ExportDigest {
		t.Errorf("export %s, the page gives %s", g.Comparison.V.ExportDigest, got)
	}
	if example.Campaign != g.Campaign {
		t.Errorf("campaign %s", g.Campaign)
	}
}
