package view

import (
	"slices"
	"strings"

	"assay/store/account"
	"assay/store/review"
	"assay/store/signoff"
)

// DraftInput is what a person has in the form of a draft.
type DraftInput struct {
	Decision signoff.Decision
	Scope    string
	Reason   string
	Acks     map[string]bool   // ticked items
	Reasons  map[string]string // by item, ticked or not
	Ready    bool
}

// InputOf is the form as a draft has it.
func InputOf(d *signoff.Draft) DraftInput {
	in := DraftInput{Decision: d.Decision, Scope: d.Scope, Reason: d.Reason, Ready: d.Ready, Acks: map[string]bool{}, Reasons: map[string]string{}}
	for _, a := range d.Acks {
		in.Acks[a.Item], in.Reasons[a.Item] = true, a.Reason
	}
	return in
}

// DraftPage is the page on which a statement is prepared and signed.
type DraftPage struct {
	ID               string
	Title, Question  string
	Campaign         NamedLink
	Decide           string // the page that shows the whole ground
	Action           string
	Preparer         string
	Changed          string
	Mine             bool // the reader prepares it
	MaySign          bool
	Closed           string // why nothing can be changed any more
	Moved            bool   // the archive gives another ground than the one it was prepared on
	Fault            *DraftFault
	Said             string // what was done just now
	Compared         *FrozenComparison
	Arms             []ArmView
	BackNote         string
	Decisions        []DecisionChoice
	Groups           []AckGroup
	Scope, Reason    string // as they stand in the fields
	ScopeSaid        string // for whoever does not change them
	ReasonSaid       string
	Ready            bool
	Keys             []KeyChoice
	NoKey            string // why the reader cannot sign with anything
	Statement        string
	Unsigned         bool // nobody's name stands in it yet
	Hidden           []Hidden
	PasskeyBegin     string
	PasskeyWhyNot    string
	Left             []StopLine // everything that would refuse the signature now
	LeftWords        string
	SignWord         string
	Covers           []string // what a signature says, in plain words
	TwoPeople        bool
	StatementURL     string
	Policy, GateLine string
	Artifacts        []UsedArtifact
}

// DraftFault is the answer to a form that was not taken as it stands.
type DraftFault struct {
	Title string
	Lines []StopLine
	Kept  string
}

// DecisionChoice is one of the decisions; one that cannot be signed says why.
type DecisionChoice struct {
	Value, Title, Means string
	Chosen, Off         bool
	Stops               []StopLine
	StopWords           string
}

// AckGroup is the items of one kind.
type AckGroup struct {
	ID, Title, Intro, Done string
	Rows                   []AckRow
}

// AckRow is one thing to acknowledge.
type AckRow struct {
	ID       string // of the item
	Badge    *Badge
	Title    string
	Text     Text
	Want     string
	Quoted   Text
	Clear    string
	Rule     string
	Sources  []Figure
	Needs    bool // a reason
	Checked  bool
	Reason   string // as it stands in the field
	Said     string // for whoever does not change it
	At       string // "read 2026-10-01 10:12:00 UTC"
	Missing  bool
	Optional bool // a gate that the target does not need
}

// KeyChoice is a key to sign with.
type KeyChoice struct {
	Value, Kind, Label, Detail string
	Chosen                     bool
}

// DraftShown is what the page is built from.
type DraftShown struct {
	Preview  *review.Preview
	Input    DraftInput
	Stops    []review.Refusal // of a promotion
	Who      string
	Role     account.Role
	Keys     []account.AccountKey
	Key      string // fingerprint of the chosen one
	PasskeyN string // why a passkey cannot be used here, "" when it can
	At       ShownAt
}

// ShownAt ties a form to the very statement that stands beside it.
type ShownAt struct {
	Digest string
	TimeUS int64
	Log    int64
	Ground string
}

// BuildDraft is the page of a draft.
func BuildDraft(d *DraftShown) DraftPage {
	p, x, g := d.Preview, &d.Preview.Draft, d.Preview.Ground
	v := DraftPage{
		ID: Int(x.ID), Action: DraftURL(x.ID), Title: plain(orWord(g.Title, g.Campaign), maxTitle), Question: decisionQuestion(g),
		Campaign: NamedLink{plain(orWord(g.Title, g.Campaign), maxTitle), campaignOf(g)}, Preparer: plain(x.Preparer, maxName), Changed: Moment(x.ChangedUS),
		Mine: x.Preparer == d.Who && x.ClosedUS == 0 && d.Role.May(account.MayPrepare), MaySign: d.Role.May(account.MaySign) && x.ClosedUS == 0,
		Scope: d.Input.Scope, Reason: d.Input.Reason, ScopeSaid: orEmpty(plain(d.Input.Scope, maxSentence), "none given yet"), ReasonSaid: orEmpty(plain(d.Input.Reason, maxSentence), "none given yet"), Ready: d.Input.Ready, Moved: p.Moved, TwoPeople: g.TwoPeople, BackNote: plain(sentenceCase(g.BackNote), maxValue),
		Policy: plain(g.Policy.Name, maxName) + ", version " + Int(int64(g.Policy.Version)), GateLine: policyTally(g.Gates),
	}
	v.Decide = Query(campaignOf(g)+"/decide", "candidate", g.Candidate.ArmID, "control", armID(g.Control), "rollback", armID(g.Back), "target", string(g.Target))
	if x.ClosedUS != 0 {
		v.Closed = "This draft was signed or given up on " + Moment(x.ClosedUS) + "; nothing in it changes any more."
	}
	ground := BuildGround(g)
	v.Compared, v.Arms, v.Artifacts = ground.Compared, ground.Arms, ground.Artifacts
	v.decisions(d)
	v.items(d)
	v.keys(d)
	v.statement(d)
	v.Left = stopLines(against(p.Refusals), draftAnchor)
	v.LeftWords = leftWords(len(v.Left))
	v.Covers = covers(g)
	return v
}

func campaignOf(g *signoff.Ground) string {
	if len(g.Artifacts) > 0 {
		return CampaignURL(g.Campaign, g.Artifacts[0].Digest)
	}
	return CampaignURL(g.Campaign)
}

// against leaves out what no reader can mend: that nobody in particular would sign.
func against(list []review.Refusal) []review.Refusal {
	return slices.DeleteFunc(slices.Clone(list), func(r review.Refusal) bool { return r.Kind == review.RefuseRole && r.ID == "" })
}

func leftWords(n int) string {
	if n == 0 {
		return "Nothing stands against it: it can be signed."
	}
	return Plural(int64(n), "thing stands", "things stand") + " against signing it."
}

func (v *DraftPage) decisions(d *DraftShown) {
	for _, x := range signoff.Decisions {
		w := decisionWords[x]
		c := DecisionChoice{Value: string(x), Title: w.title, Means: w.means, Chosen: d.Input.Decision == x}
		switch {
		case x == signoff.Promote && len(d.Stops) > 0:
			c.Off, c.Stops = true, stopLines(d.Stops, draftAnchor)
			c.StopWords = Plural(int64(len(d.Stops)), "reason", "reasons") + ". An acknowledgement lifts none of them, and an exploratory waiver never does."
		case x == signoff.GoBack && !d.Preview.Ground.Back.OK:
			c.Off, c.StopWords = true, "No rollback target is named, so there is nothing to go back to. Choose one on the page of the decision."
		}
		v.Decisions = append(v.Decisions, c)
	}
	v.SignWord = map[signoff.Decision]string{signoff.Promote: "Sign the promotion", signoff.Reject: "Sign the rejection",
		signoff.Hold: "Sign the hold", signoff.GoBack: "Sign the rollback"}[d.Input.Decision]
	if v.SignWord == "" {
		v.SignWord = "Sign the decision"
	}
}

var ackGroups = []struct {
	kind             signoff.ItemKind
	id, title, intro string
}{
	{signoff.ItemGate, "gates", "Gates that are not passed", "Tick what you have read and say why you go on. A tick is not an approval, and it never turns a gate into a passed one."},
	{signoff.ItemLimitation, "limitations", "Limitations", "Verbatim from the source, one by one. Say for each what it means for this decision."},
	{signoff.ItemFailure, "failures", "Failures", "Verbatim from the source."},
	{signoff.ItemContradiction, "contradictions", "Evidence that disagrees", "Other campaigns measured the same arm and found something else."},
	{signoff.ItemNotTested, "not-tested", "What was not tested", "No gate and no figure speaks of these. The statement says that you saw it."},
}

// items are the rows to acknowledge, in their groups.
func (v *DraftPage) items(d *DraftShown) {
	at := map[string]int64{}
	for _, a := range d.Preview.Draft.Acks {
		at[a.Item] = a.AtUS
	}
	all := d.Preview.Ground.SourcedItems()
	for _, k := range ackGroups {
		g := AckGroup{ID: k.id, Title: k.title, Intro: k.intro}
		done := 0
		for i := range all {
			if all[i].Kind != k.kind {
				continue
			}
			r := ackRow(&all[i], d.Input, at)
			if !r.Missing {
				done++
			}
			g.Rows = append(g.Rows, r)
		}
		g.Done = Int(int64(done)) + " of " + Int(int64(len(g.Rows))) + " acknowledged"
		if len(g.Rows) > 0 {
			v.Groups = append(v.Groups, g)
		}
	}
}

func ackRow(x *signoff.SourcedItem, in DraftInput, at map[string]int64) AckRow {
	r := AckRow{ID: x.ID, Text: Words(x.Text, maxSentence, ""), Sources: sourceFigures(x.Sources), Needs: x.Reason, Checked: in.Acks[x.ID], Reason: in.Reasons[x.ID]}
	if g := x.Gate; g != nil {
		b := policyGate(g.State)
		r.Badge, r.Title, r.Text = &b, plain(g.Title, maxName), Words(sentenceCase(orEmpty(g.Says, "Nothing in the archive answers it.")), maxSentence, "")
		r.Quoted, r.Clear, r.Rule, r.Want, r.Optional = Words(g.Quoted, maxSentence, ""), plain(sentenceCase(g.Clear), maxValue), plain(g.Rule, 40), plain(g.Want, maxValue), !g.Required
	}
	r.Missing = !r.Checked || r.Needs && strings.TrimSpace(r.Reason) == ""
	r.Said = plain(r.Reason, maxSentence)
	r.At = AckState(r.Checked, r.Missing, at[x.ID])
	return r
}

func orEmpty(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// AckState says in words how far an item is.
func AckState(checked, missing bool, us int64) string {
	switch {
	case !checked:
		return "not acknowledged"
	case missing:
		return "needs a reason"
	case us > 0:
		return "read " + Moment(us)
	}
	return "ticked"
}

func (v *DraftPage) keys(d *DraftShown) {
	for _, k := range d.Keys {
		c := KeyChoice{Value: k.Fingerprint, Kind: string(k.Kind), Chosen: k.Fingerprint == d.Key, Detail: plain(k.Fingerprint, 100)}
		switch k.Kind {
		case account.KeyNote:
			c.Label = "Your password opens the key that the server keeps for you"
		case account.KeyPasskey:
			c.Label = "Passkey " + plain(orWord(k.Label, "without a name"), 80)
		case account.KeySSH:
			c.Label = "Your own SSH key, offline"
		}
		v.Keys = append(v.Keys, c)
	}
	v.PasskeyWhyNot = d.PasskeyN
	if len(v.Keys) == 0 {
		v.NoKey = "You have no key to sign with. Setting your password makes one; a passkey is added on the page of your account."
	}
}

// statement is the text with what ties the form to it.
func (v *DraftPage) statement(d *DraftShown) {
	v.Statement = d.Preview.Statement
	if head, _, ok := strings.Cut(v.Statement, "\nsigner: \n"); ok {
		v.Statement, v.Unsigned = head+"\n", true
	}
	at := d.At
	v.Hidden = []Hidden{{"digest", at.Digest}, {"time", decimal(at.TimeUS)}, {"log", decimal(at.Log)}, {"ground", at.Ground}}
	v.PasskeyBegin = Query(v.Action+"/passkey", "key", d.Key, "digest", at.Digest, "time", decimal(at.TimeUS), "log", decimal(at.Log))
	v.StatementURL = Query(v.Action+"/statement.txt", "key", d.Key)
}

// covers says in plain words what a signature under the draft would say and what not.
func covers(g *signoff.Ground) []string {
	name := plain(g.Candidate.Name, maxName)
	out := []string{
		"You say: I looked at this evidence, and my decision on " + name + " as " + targetTitle(g.Target) + " is the one chosen here. Your key signs the text beside this, byte for byte.",
		"It covers " + Plural(int64(len(g.Artifacts)), "artifact", "artifacts") + " by digest, rule set " + Int(int64(g.Ruleset)) + " and policy " + plain(g.Policy.Name, maxName) + " " + Int(int64(g.Policy.Version)) + ", and nothing that is not named in it.",
	}
	out = append(out, "It covers the use that is written under Scope and no other.")
	if n := len(g.NotTested); n > 0 {
		out = append(out, "It does not cover "+Plural(int64(n), "thing that nobody tested", "things that nobody tested")+"; they are listed below.")
	}
	return append(out, "It changes no machine and no route. It goes stale by itself when the evidence, a declared fact, the rules or the policy change, and you or another promoter can withdraw it.")
}

// draftAnchor is where the page of a draft mends what a refusal speaks of.
func draftAnchor(r *review.Refusal) string {
	switch r.Kind {
	case review.RefuseItem:
		return "#i-" + r.ID
	case review.RefuseDraft:
		for _, w := range []struct{ word, at string }{{"decision", "#decision"}, {"scope", "#scope"}, {"reason", "#reason"}, {"handed", "#handover"}, {"go back", "#decision"}} {
			if strings.Contains(r.Text, w.word) {
				return w.at
			}
		}
		return "#main"
	case review.RefuseGate:
		return "#d-promote"
	case review.RefuseRole, review.RefusePeople, review.RefuseSignature:
		return "#sign"
	case review.RefuseComparison:
		return "#comparison"
	case review.RefuseRejected:
		return "#arms"
	case review.RefuseStatement, review.RefuseGround:
		return "#statement"
	}
	return groundAnchor(r)
}

// Refuse puts the answer to a form at the top of the page.
func (v *DraftPage) Refuse(title string, list []review.Refusal, more ...StopLine) {
	v.Fault = &DraftFault{Title: title, Lines: append(more, stopLines(against(list), draftAnchor)...), Kept: "What you ticked and wrote is kept."}
}
