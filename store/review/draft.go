package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/signoff"
)

// Open begins a draft on the ground that a query gives. What the query leaves open is
// settled now and stays: the candidate, its control and what is gone back to.
func (d *Desk) Open(ctx context.Context, q Query, by string) (signoff.Draft, *signoff.Ground, error) {
	if err := d.may(ctx, by, account.MayPrepare); err != nil {
		return signoff.Draft{}, nil, err
	}
	g, err := d.Survey(ctx, q)
	if err != nil {
		return signoff.Draft{}, nil, err
	}
	x := signoff.Draft{Campaign: g.Campaign, Candidate: g.Candidate.ArmID, Figures: q.Figures, Target: g.Target, Preparer: by, Ground: g.Digest()}
	if g.Control.OK {
		x.Control = g.Control.V.ArmID
	}
	if g.Back.OK {
		x.Back = g.Back.V.ArmID
	}
	// What stands in for the query must give the same ground; the words about a proposal
	// are the one thing that differs.
	if g, err = d.Ground(ctx, &x); err != nil {
		return x, nil, err
	}
	x.Ground = g.Digest()
	x, err = d.Records.SaveDraft(ctx, x)
	return x, g, err
}

// query is what a draft asks about.
func query(x *signoff.Draft) Query {
	return Query{Campaign: x.Campaign, Candidate: x.Candidate, Control: orNone(x.Control), Back: orNone(x.Back), Target: x.Target, Figures: x.Figures}
}

func orNone(ref string) string {
	if ref == "" {
		return none
	}
	return ref
}

// Ground surveys what a draft asks about.
func (d *Desk) Ground(ctx context.Context, x *signoff.Draft) (*signoff.Ground, error) {
	return d.Survey(ctx, query(x))
}

// Draft is a draft by its number.
func (d *Desk) Draft(ctx context.Context, id int64) (signoff.Draft, error) {
	return d.Records.Draft(ctx, id)
}

// Drafts lists drafts, the latest changed first.
func (d *Desk) Drafts(ctx context.Context, f signoff.Filter) ([]signoff.Draft, error) {
	return d.Records.Drafts(ctx, f)
}

// Save keeps what its preparer changed in a draft: decision, scope, reason,
// acknowledgements, and whether it is handed over. x.Ground is the digest of the ground
// that the person had before them; when the archive gives another one by now, nothing is
// kept and a [*Refused] says what changed.
func (d *Desk) Save(ctx context.Context, x signoff.Draft, by string) (signoff.Draft, error) {
	held, err := d.mine(ctx, x.ID, by)
	if err != nil {
		return x, err
	}
	held.Decision, held.Scope, held.Reason, held.Ready = x.Decision, strings.TrimSpace(x.Scope), strings.TrimSpace(x.Reason), x.Ready
	g, err := d.Ground(ctx, &held)
	if err != nil {
		return x, err
	}
	if digest := g.Digest(); x.Ground != digest {
		return x, &Refused{Decision: x.Decision, Refusals: []Refusal{moved(x.Ground, digest)}}
	}
	held.Ground = x.Ground
	held.Acks = acksOf(g.Items(), x.Acks, d.now().UnixMicro())
	return d.Records.SaveDraft(ctx, held)
}

func moved(was, is string) Refusal {
	return Refusal{Kind: RefuseGround, Text: fmt.Sprintf("the archive gives another ground (%.12s) than the one that was looked at (%.12s)", is, was),
		Clear: "look at the draft as it is now, acknowledge what is new, and save it again"}
}

// acksOf keeps what speaks of an item that there is, with a time for what is new.
func acksOf(items []signoff.Item, acks []signoff.Ack, us int64) []signoff.Ack {
	var out []signoff.Ack
	for _, i := range items {
		k := slices.IndexFunc(acks, func(a signoff.Ack) bool { return a.Item == i.ID })
		if k < 0 {
			continue
		}
		a := acks[k]
		if a.Reason = strings.TrimSpace(a.Reason); a.AtUS <= 0 || a.AtUS > us {
			a.AtUS = us
		}
		out = append(out, a)
	}
	return out
}

// mine is an open draft that a person may change: their own.
func (d *Desk) mine(ctx context.Context, id int64, by string) (signoff.Draft, error) {
	if err := d.may(ctx, by, account.MayPrepare); err != nil {
		return signoff.Draft{}, err
	}
	x, err := d.Records.Draft(ctx, id)
	switch {
	case err != nil:
		return x, err
	case x.ClosedUS != 0:
		return x, &evidence.RepairError{Field: "draft", Problem: fmt.Sprintf("%d is closed", id)}
	case x.Preparer != by:
		return x, &Refused{Decision: x.Decision, Refusals: []Refusal{{Kind: RefuseRole, ID: by, Text: fmt.Sprintf("draft %d is prepared by %s; nobody else changes it", id, x.Preparer), Clear: "open a draft of your own"}}}
	}
	return x, nil
}

// Acknowledge notes that the preparer read one item, with a reason where it needs one.
func (d *Desk) Acknowledge(ctx context.Context, draft int64, by, item, reason string) (signoff.Draft, error) {
	x, err := d.mine(ctx, draft, by)
	if err != nil {
		return x, err
	}
	g, err := d.Ground(ctx, &x)
	if err != nil {
		return x, err
	}
	items := g.Items()
	at := slices.IndexFunc(items, func(i signoff.Item) bool { return i.ID == item })
	reason = strings.TrimSpace(reason)
	switch {
	case at < 0:
		return x, fmt.Errorf("item %.40q: %w in the ground of draft %d; \"assay signoff survey\" lists them", item, evidence.ErrNotFound, draft)
	case items[at].Reason && reason == "":
		return x, &evidence.RepairError{Field: "reason", Problem: fmt.Sprintf("is missing: the %s %s is acknowledged with a reason", items[at].Kind, item)}
	}
	x.Acks = slices.DeleteFunc(x.Acks, func(a signoff.Ack) bool { return a.Item == item })
	x.Acks = append(x.Acks, signoff.Ack{Item: item, Reason: reason, AtUS: d.now().UnixMicro()})
	return d.Records.SaveDraft(ctx, x)
}

// Unacknowledge takes an acknowledgement back.
func (d *Desk) Unacknowledge(ctx context.Context, draft int64, by, item string) (signoff.Draft, error) {
	x, err := d.mine(ctx, draft, by)
	if err != nil {
		return x, err
	}
	x.Acks = slices.DeleteFunc(x.Acks, func(a signoff.Ack) bool { return a.Item == item })
	return d.Records.SaveDraft(ctx, x)
}

// Discard gives a draft up.
func (d *Desk) Discard(ctx context.Context, draft int64, by string) error {
	if _, err := d.mine(ctx, draft, by); err != nil {
		return err
	}
	return d.Records.CloseDraft(ctx, draft)
}

// may reports whether a person holds a right now.
func (d *Desk) may(ctx context.Context, name string, right account.Right) error {
	r, err := d.refuseRole(ctx, name, right, d.now().UnixMicro())
	if err != nil || r == nil {
		return err
	}
	return &Refused{Refusals: []Refusal{*r}}
}

// refuseRole says why a person may not do something, nil when they may.
func (d *Desk) refuseRole(ctx context.Context, name string, right account.Right, us int64) (*Refusal, error) {
	role, err := d.People.RoleAt(ctx, name, us)
	if err != nil && !isNotFound(err) {
		return nil, err
	}
	switch {
	case role == "":
		return &Refusal{Kind: RefuseRole, ID: name, Text: fmt.Sprintf("%.80q is no account that may sign in", name), Clear: "\"assay user list\" lists the accounts"}, nil
	case !role.May(right):
		return &Refusal{Kind: RefuseRole, ID: name, Text: fmt.Sprintf("%s is %s, which has no right to %s", name, role, right), Clear: "a person with that right has to do it"}, nil
	}
	return nil, nil
}
