package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/signoff"
)

// Preview is the very text that a signer would sign, with all that stands against it.
type Preview struct {
	Statement string
	Digest    string // SHA-256 of the text, in hexadecimal
	Ground    *signoff.Ground
	Draft     signoff.Draft
	Items     []signoff.Item
	Refusals  []Refusal // none: it can be signed
	Moved     bool      // the ground is not the one that the preparer saw last
}

// Preview makes the statement of a draft for a signer and a key of theirs.
func (d *Desk) Preview(ctx context.Context, draft int64, signer string, key account.AccountKey) (*Preview, error) {
	now := d.now().UnixMicro()
	x, s, err := d.surveyDraft(ctx, draft)
	if err != nil {
		return nil, err
	}
	st := signoff.NewStatement(s.ground, &x, signer, key.Kind, key.Fingerprint, now)
	p := &Preview{Statement: st.Text(), Ground: s.ground, Draft: x, Items: s.ground.Items(), Moved: x.Ground != s.ground.Digest()}
	p.Digest = signoff.Digest(p.Statement)
	if p.Refusals, err = d.refusals(ctx, s, &x, signer, now); err != nil {
		return nil, err
	}
	r, err := d.refuseKey(ctx, signer, key.Kind, key.Public, now)
	if r != nil {
		p.Refusals = append(p.Refusals, *r)
	}
	return p, err
}

func (d *Desk) surveyDraft(ctx context.Context, draft int64) (x signoff.Draft, s *survey, err error) {
	err = d.Archive.Snapshot(ctx, func(ctx context.Context) error {
		if x, err = d.Records.Draft(ctx, draft); err != nil {
			return err
		}
		s, err = d.survey(ctx, query(&x), nil)
		return err
	})
	return x, s, err
}

// SignRequest is a signed statement that comes to the desk.
type SignRequest struct {
	Draft     int64
	Signer    string // account name of who is asking; who they are was proven before
	Statement string // the text that Preview gave
	Claim     signoff.Claim
}

const (
	// statementLasts is how old a statement may be when its signature comes in: time to
	// take the text to a machine where the key is.
	statementLasts = 24 * time.Hour
	// clocksDiffer is how far two clocks may be apart.
	clocksDiffer = 2 * time.Minute
	// signTries bounds how often a survey is made again because the archive moved
	// between it and the filing.
	signTries = 4
)

// Sign is the one gatekeeper, whoever asks and by which way. It surveys the archive again
// and files the statement only when that gives the very text that was signed, nothing
// stands against it, and the signature holds. Otherwise it returns a [*Refused] that lists
// everything, and nothing is filed.
func (d *Desk) Sign(ctx context.Context, r SignRequest) (*signoff.SignOff, error) {
	for try := 1; ; try++ {
		s, err := d.sign(ctx, r)
		if errors.Is(err, signoff.ErrMoved) && try < signTries {
			continue
		}
		return s, err
	}
}

func (d *Desk) sign(ctx context.Context, r SignRequest) (*signoff.SignOff, error) {
	x, s, err := d.surveyDraft(ctx, r.Draft)
	if err != nil {
		return nil, err
	}
	now := d.now().UnixMicro()
	against, err := d.refusals(ctx, s, &x, r.Signer, now)
	if err != nil {
		return nil, err
	}
	more, err := d.refuseSigned(ctx, s, &x, &r, now)
	if err != nil {
		return nil, err
	}
	if against = append(against, more...); len(against) > 0 {
		return nil, &Refused{Decision: x.Decision, Refusals: against}
	}
	out := signoff.SignOff{
		Campaign: s.ground.Campaign, Title: s.ground.Title, Candidate: s.ground.Candidate.Name, ArmID: s.ground.Candidate.ArmID,
		Target: x.Target, Decision: x.Decision, Statement: r.Statement, Preparer: x.Preparer, Signer: r.Signer, Claim: r.Claim,
	}
	for _, a := range s.ground.Artifacts {
		out.Artifacts = append(out.Artifacts, a.Digest)
	}
	if out, err = d.Records.AddSignOff(ctx, out, x.ID, s.at); err != nil {
		return nil, err
	}
	return &out, nil
}

// refuseSigned holds the text and its signature against what the draft gives now.
func (d *Desk) refuseSigned(ctx context.Context, s *survey, x *signoff.Draft, r *SignRequest, now int64) ([]Refusal, error) {
	var out []Refusal
	if re := refuseText(s.ground, x, r, now); re != nil {
		out = append(out, *re)
	}
	if err := r.Claim.Verify(r.Statement); err != nil {
		out = append(out, Refusal{Kind: RefuseSignature, Text: err.Error(), Clear: "sign the text of the preview, byte for byte"})
	}
	if r.Claim.Account != r.Signer {
		out = append(out, Refusal{Kind: RefuseSignature, Text: fmt.Sprintf("it is a claim of %.80q", r.Claim.Account), Clear: "a person signs for nobody else"})
	}
	k, err := d.refuseKey(ctx, r.Signer, r.Claim.Kind, r.Claim.Public, now)
	if k != nil {
		out = append(out, *k)
	}
	return out, err
}

func refuseText(g *signoff.Ground, x *signoff.Draft, r *SignRequest, now int64) *Refusal {
	again := "make a new preview and sign that"
	st, err := signoff.ParseStatement(r.Statement)
	if err != nil {
		return &Refusal{Kind: RefuseStatement, Text: err.Error(), Clear: again}
	}
	if at := time.UnixMicro(st.TimeUS); at.Sub(time.UnixMicro(now)) > clocksDiffer || time.UnixMicro(now).Sub(at) > statementLasts {
		return &Refusal{Kind: RefuseStatement, Text: fmt.Sprintf("it was made at %s: more than %s ago, or in the future", at.UTC().Format(time.DateTime), statementLasts), Clear: again}
	}
	if st.GroundDigest != g.Digest() {
		re := moved(st.GroundDigest, g.Digest())
		if what := differences(st, g); len(what) > 0 {
			re.Text += ": " + strings.Join(what[:min(len(what), mostListed)], "; ")
		}
		return &re
	}
	want := signoff.NewStatement(g, x, r.Signer, r.Claim.Kind, r.Claim.Fingerprint, st.TimeUS)
	if st.LogSize >= 0 && st.LogSize <= g.LogSize {
		want.LogSize = st.LogSize // the log grew by records that have no part in this
	}
	if want.Text() != r.Statement {
		return &Refusal{Kind: RefuseStatement, Text: "the text is not the one that this draft gives for this signer and key: " + firstDifference(want.Text(), r.Statement), Clear: again}
	}
	return nil
}

// firstDifference names the first line in which two texts differ.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is %.80q and should be %.80q", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("it has %d lines and should have %d", len(b)-1, len(a)-1)
}

// refuseKey says why a key does not sign for a person now, nil when it does.
func (d *Desk) refuseKey(ctx context.Context, name string, kind signoff.ClaimKind, public string, us int64) (*Refusal, error) {
	a, err := d.People.Account(ctx, name)
	if isNotFound(err) {
		return nil, nil // refused by role already
	}
	if err != nil {
		return nil, err
	}
	for _, k := range a.Keys {
		if k.Kind == kind && k.Public == public && holdsAt(&k, us) {
			return nil, nil
		}
	}
	return &Refusal{Kind: RefuseSignature, ID: name, Text: fmt.Sprintf("the key is none that %s signs with", name), Clear: "\"assay user list --json\" has the keys of a person; \"assay user key add\" adds an SSH key"}, nil
}

func holdsAt(k *account.AccountKey, us int64) bool {
	return k.AddedUS <= us && (k.RevokedUS == 0 || k.RevokedUS > us)
}

// refusals is everything that stands against signing a draft, whatever is signed with.
func (d *Desk) refusals(ctx context.Context, s *survey, x *signoff.Draft, signer string, now int64) ([]Refusal, error) {
	var out []Refusal
	out = append(out, refuseDraft(x, s.ground, signer)...)
	for _, who := range []struct {
		name  string
		right account.Right
	}{{signer, account.MaySign}, {x.Preparer, account.MayPrepare}} {
		r, err := d.refuseRole(ctx, who.name, who.right, now)
		if err != nil {
			return nil, err
		}
		if r != nil {
			out = append(out, *r)
		}
	}
	out = append(out, refuseItems(s.ground.Items(), x.Acks)...)
	if x.Decision == signoff.GoBack && s.back == nil {
		out = append(out, Refusal{Kind: RefuseDraft, Text: "nothing is named to go back to", Clear: "name the rollback target"})
	}
	if x.Decision != signoff.Promote {
		return out, nil
	}
	if s.ground.TwoPeople && x.Preparer == signer {
		out = append(out, Refusal{Kind: RefusePeople, ID: signer, Text: fmt.Sprintf("%s prepared the statement and would sign it: the policy wants two people", signer), Clear: "another promoter signs it"})
	}
	marks, err := d.refuseMarks(ctx, s.ground)
	if err != nil {
		return nil, err
	}
	return append(append(out, refusePromotion(s.ground)...), marks...), nil
}

func refuseDraft(x *signoff.Draft, g *signoff.Ground, signer string) []Refusal {
	var out []Refusal
	say := func(text, remedy string) {
		out = append(out, Refusal{Kind: RefuseDraft, ID: fmt.Sprint(x.ID), Text: text, Clear: remedy})
	}
	if x.ClosedUS != 0 {
		say("the draft is closed: it was signed or given up", "open a new one")
	}
	if !slices.Contains(signoff.Decisions, x.Decision) {
		say("no decision is chosen", "choose promote, reject, hold or rollback")
	}
	if x.Scope == "" {
		say("no scope is given: what the decision is for", "say what the candidate is meant for")
	}
	if x.Reason == "" {
		say("no reason is given", "say why")
	}
	if !x.Ready && signer != x.Preparer {
		say(fmt.Sprintf("%s has not handed it over", x.Preparer), "its preparer marks it as ready")
	}
	if x.Ground != g.Digest() {
		out = append(out, moved(x.Ground, g.Digest()))
	}
	return out
}

func refuseItems(items []signoff.Item, acks []signoff.Ack) []Refusal {
	var out []Refusal
	for _, i := range items {
		k := slices.IndexFunc(acks, func(a signoff.Ack) bool { return a.Item == i.ID })
		switch {
		case k < 0:
			out = append(out, Refusal{Kind: RefuseItem, ID: i.ID, Text: fmt.Sprintf("%s is not acknowledged: %s", i.Kind, i.Text), Clear: "read it and acknowledge it"})
		case i.Reason && strings.TrimSpace(acks[k].Reason) == "":
			out = append(out, Refusal{Kind: RefuseItem, ID: i.ID, Text: fmt.Sprintf("%s is acknowledged without a reason: %s", i.Kind, i.Text), Clear: "give the reason"})
		}
	}
	return out
}

// refusePromotion is what the evidence has against a promotion. No acknowledgement and no
// waiver of a pair lifts any of it.
func refusePromotion(g *signoff.Ground) []Refusal {
	var out []Refusal
	if g.Candidate.Rejected != "" {
		out = append(out, Refusal{Kind: RefuseRejected, ID: g.Candidate.ArmID, Rule: "C-CORRECTNESS", Text: fmt.Sprintf("the source rejects %s: %s", g.Candidate.Name, g.Candidate.Rejected),
			Clear: "leave it out, or fix it and measure it again"})
	}
	if len(g.Gates) == 0 {
		out = append(out, Refusal{Kind: RefuseGate, Rule: "C-GATE-MISSING", Text: fmt.Sprintf("the policy asks for no gate for %s: nothing would stand behind the signature", g.Target), Clear: "put a policy in force that has gates for it"})
	}
	for i := range g.Gates {
		x := &g.Gates[i]
		if !x.Stops() {
			continue
		}
		text := fmt.Sprintf("%s is %s", x.Title, x.State)
		if x.Says != "" {
			text += ": " + x.Says
		}
		out = append(out, Refusal{Kind: RefuseGate, ID: x.ID, Rule: x.Rule, Text: text, Clear: x.Clear})
	}
	for _, id := range g.Waivers {
		out = append(out, Refusal{Kind: RefuseWaiver, ID: fmt.Sprint(id), Text: fmt.Sprintf("waiver %d opens a pair of the comparison for looking; that is never a ground for a sign-off", id),
			Clear: fmt.Sprintf("withdraw it: assay waivers withdraw %d", id)})
	}
	if !g.Comparison.OK {
		return append(out, Refusal{Kind: RefuseComparison, Text: "there is no comparison with a control", Clear: "name a control that has figures in common with the candidate"})
	}
	for i := range g.Comparison.V.Figures {
		f := &g.Comparison.V.Figures[i]
		if f.Verdict != "ok" && f.Verdict != "caveat" {
			out = append(out, Refusal{Kind: RefuseComparison, ID: f.Figure, Rule: first(f.Reasons), Text: fmt.Sprintf("%s against the control is %s", f.Figure, f.Verdict),
				Clear: "measure it under one shape, or decide on the figures that may be compared"})
		}
	}
	return out
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// refuseMarks: evidence that people took back carries no promotion.
func (d *Desk) refuseMarks(ctx context.Context, g *signoff.Ground) ([]Refusal, error) {
	digests := make([]evidence.Digest, len(g.Artifacts))
	for i, a := range g.Artifacts {
		digests[i] = a.Digest
	}
	marks, err := d.Records.Marks(ctx, signoff.MarkFilter{Artifacts: digests, Holds: true})
	var out []Refusal
	for _, m := range marks {
		r := Refusal{Kind: RefuseSource, ID: m.Artifact.String(), Text: fmt.Sprintf("artifact %s was %s by %s: %s", m.Artifact.Short(), m.Kind, m.Author, m.Reason)}
		if m.Kind == signoff.Invalidated {
			r.Rule = "Q-INVALIDATED"
		}
		r.Clear = fmt.Sprintf("decide on evidence that holds, or take mark %d back", m.ID)
		out = append(out, r)
	}
	return out, err
}
