package view

import (
	"cmp"
	"strings"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/export"
	"assay/store/review"
	"assay/store/signoff"
)

// DecisionQuery is the question of a decision as the address has it.
type DecisionQuery struct {
	Candidate, Control, Back string
	Target                   signoff.Target
	Figures                  []string
}

// DecisionParams are the parameters of the address, in its order.
var DecisionParams = []string{"candidate", "control", "rollback", "target", "f"}

// Decision is the page on which a decision is looked at before anything is prepared.
type Decision struct {
	Head     CampaignHead
	Pick     DecisionPick
	Ground   GroundView
	Stops    []StopLine
	Prepare  []Hidden // what the form that begins a draft carries
	May      bool     // the reader may prepare
	WhyNot   string
	SignIn   string
	Signed   []SignedLine
	Drafts   []DraftLine
	Exports  Exports
	Question string // the target as a question
	NoArm    string // why there is nothing to decide on; then only Head and Pick are there
}

// DecisionPick lets a reader choose what is decided on.
type DecisionPick struct {
	Action                               string
	Targets, Candidates, Controls, Backs []Choice
	Figures                              []Hidden
}

// GroundView is all that a person decides on.
type GroundView struct {
	Target, TargetMeans string
	Arms                []ArmView
	BackNote            string
	Compared            *FrozenComparison
	Gates               []GateAnswer
	GateTally           string
	Policy              string
	PolicyDigest        string
	Ruleset             string
	LogSize             string
	TwoPeople           bool
	MaxAge              string
	Limitations         []Linked
	Failures            []Linked
	Contradictions      []ContradictionLine
	ClaimWords          string
	BadClaims           []Linked
	NotTested           []string
	Changes             []string
	SourceSays          []Linked
	Artifacts           []UsedArtifact
	Declared            []DeclaredLine
	Waivers             []string
	Files               string
}

// ArmView is one side of a decision.
type ArmView struct {
	Role     string
	Name     Linked
	Rejected *Linked
	Facts    []IdentityFact
	Runs     []NamedLink
	MoreRuns int
	Missing  string // why there is none
	Same     string // it is an arm that stands here already
}

// IdentityFact is a fact that says what an arm is.
type IdentityFact struct {
	Title string
	Value Linked
	State Badge
	Said  bool // recorded: needs no badge
}

// ContradictionLine is other evidence that disagrees.
type ContradictionLine struct {
	Says     string
	Campaign NamedLink
	Sources  []Figure
}

// UsedArtifact is an artifact that the ground rests on.
type UsedArtifact struct {
	Chip               DigestChip
	Name, Uses, Schema string
}

// DeclaredLine is what a person declared and the ground rests on.
type DeclaredLine struct{ Text, By, Href string }

const (
	mostRunLinks = 8
	mostFacts    = 24
)

// BuildGround is a ground for a page.
func BuildGround(g *signoff.Ground) GroundView {
	v := GroundView{
		Target: targetTitle(g.Target), TargetMeans: targetWords[g.Target].means, BackNote: plain(sentenceCase(g.BackNote), maxValue),
		Gates: gateAnswers(g.Gates), GateTally: policyTally(g.Gates),
		Policy: plain(g.Policy.Name, maxName) + ", version " + Int(int64(g.Policy.Version)), PolicyDigest: g.Policy.Digest, Ruleset: Int(int64(g.Ruleset)), LogSize: Int(g.LogSize), TwoPeople: g.TwoPeople,
		Limitations: remarks(g.Limitations), Failures: remarks(g.Failures), SourceSays: remarks(g.SourceSays), BadClaims: remarks(g.Claims.Bad),
		ClaimWords: claimWords(&g.Claims), Files: Int(int64(g.Retained)) + " of " + Plural(int64(g.References), "file", "files") + " that the sources name are kept here",
	}
	if g.MaxAgeDays > 0 {
		v.MaxAge = Plural(int64(g.MaxAgeDays), "day", "days")
	}
	v.Arms = []ArmView{armView("Candidate", &g.Candidate)}
	v.Arms = append(v.Arms, armOr("Control", g.Control, "No control: there is no comparison, and nothing can be promoted."))
	v.Arms = append(v.Arms, armOr("Rollback target", g.Back, "None named: there is nothing to go back to."))
	if g.Back.OK && g.Control.OK && g.Back.V.ArmID == g.Control.V.ArmID {
		v.Arms[2].Same = "The same arm as the control."
	}
	if g.Comparison.OK {
		v.Compared = frozen(&g.Comparison.V)
	}
	for i := range g.Contradictions {
		x := &g.Contradictions[i]
		v.Contradictions = append(v.Contradictions, ContradictionLine{Says: plain(x.Says, maxSentence),
			Campaign: NamedLink{plain(x.Campaign, maxName), CampaignURL(x.Campaign, x.There.Artifact)}, Sources: sourceFigures([]signoff.Source{x.Here, x.There})})
	}
	for _, t := range g.NotTested {
		v.NotTested = append(v.NotTested, plain(t, maxValue))
	}
	for _, c := range g.Changes {
		v.Changes = append(v.Changes, plain(c.Text, maxValue))
	}
	for i := range g.Artifacts {
		v.Artifacts = append(v.Artifacts, usedArtifact(&g.Artifacts[i]))
	}
	for _, r := range g.Repairs {
		v.Declared = append(v.Declared, DeclaredLine{plain(r.Text, maxValue), plain(r.Author, maxName), "/repair/list#r-" + Int(r.ID)})
	}
	for _, id := range g.Waivers {
		v.Waivers = append(v.Waivers, Int(id))
	}
	return v
}

func usedArtifact(a *signoff.ArtifactUse) UsedArtifact {
	return UsedArtifact{Chip(a.Digest), plain(a.Name, maxName), strings.Join(a.Uses, ", "), plain(a.Schema, maxName)}
}

func armOr(role string, a evidence.Opt[signoff.Arm], missing string) ArmView {
	if !a.OK {
		return ArmView{Role: role, Missing: missing}
	}
	return armView(role, &a.V)
}

func armView(role string, a *signoff.Arm) ArmView {
	v := ArmView{Role: role, Name: Linked{Text: Words(a.Name, maxName, "")}}
	if a.Artifact != (evidence.Digest{}) {
		v.Name = Quote(a.Name, maxName, a.Artifact, evidence.At(a.Pointer))
	}
	if a.Rejected != "" {
		v.Rejected = &Linked{Text: Words(a.Rejected, maxSentence, "")}
	}
	for i := range a.Identity {
		f := &a.Identity[i]
		if len(v.Facts) == mostFacts {
			break
		}
		x := IdentityFact{Title: evidence.LookupKey(f.Key).Title, State: factBadge(f.State), Said: f.State == evidence.Recorded || f.State == evidence.Derived, Value: Linked{Text: Words(f.Value, maxName, "")}}
		if f.Artifact != (evidence.Digest{}) {
			x.Value = Quote(f.Value, maxName, f.Artifact, f.Place)
		}
		v.Facts = append(v.Facts, x)
	}
	for i, id := range a.Runs {
		if i == mostRunLinks {
			v.MoreRuns = len(a.Runs) - i
			break
		}
		v.Runs = append(v.Runs, NamedLink{plain(id, 24), RunURL(id)})
	}
	return v
}

func claimWords(c *signoff.ClaimsCheck) string {
	total := c.Holds + c.Unrounded + c.Wrong + c.NoBase
	if total == 0 {
		return "The sources publish no derived figure that could be worked out again."
	}
	parts := []string{Int(int64(c.Holds)) + " of " + Plural(int64(total), "published figure", "published figures") + " hold when worked out again"}
	if c.Unrounded > 0 {
		parts = append(parts, Int(int64(c.Unrounded))+" hold before rounding only")
	}
	if c.Wrong > 0 {
		parts = append(parts, Int(int64(c.Wrong))+" do not hold")
	}
	if c.NoBase > 0 {
		parts = append(parts, Int(int64(c.NoBase))+" have no base in the archive to work them out from")
	}
	return strings.Join(parts, ", ") + "."
}

// BuildDecisionPick is the chooser; arms are those of the campaign.
func BuildDecisionPick(base string, arms []review.Choice, q DecisionQuery, g *signoff.Ground) DecisionPick {
	p := DecisionPick{Action: base + "/decide"}
	candidate, control, back := q.Candidate, q.Control, q.Back
	if g != nil {
		candidate, control, back = g.Candidate.ArmID, "none", "none"
		if g.Control.OK {
			control = g.Control.V.ArmID
		}
		if g.Back.OK {
			back = g.Back.V.ArmID
		}
	}
	for _, t := range signoff.Targets {
		p.Targets = append(p.Targets, Choice{string(t), targetTitle(t) + ": " + targetWords[t].means, t == q.Target})
	}
	for _, a := range arms {
		label := plain(a.Name, maxTitle) + ", " + Plural(int64(a.Runs), "run", "runs")
		if a.Rejected != "" {
			label += " (rejected by the source)"
		}
		p.Candidates = append(p.Candidates, Choice{a.ArmID, label, a.ArmID == candidate || a.Name == candidate})
		p.Controls = append(p.Controls, Choice{a.ArmID, label, a.ArmID == control || a.Name == control})
		p.Backs = append(p.Backs, Choice{a.ArmID, label, a.ArmID == back || a.Name == back})
	}
	p.Controls = append(p.Controls, Choice{"none", "none", control == "none"})
	if g != nil && g.Back.OK && !known(p.Backs) {
		p.Backs = append(p.Backs, Choice{back, plain(g.Back.V.Name, maxTitle) + ", of another campaign", true})
	}
	p.Backs = append(p.Backs, Choice{"none", "none", back == "none"})
	for _, f := range q.Figures {
		p.Figures = append(p.Figures, Hidden{"f", f})
	}
	return p
}

func known(list []Choice) bool {
	for _, c := range list {
		if c.Chosen {
			return true
		}
	}
	return false
}

// BuildDecision is the page of a decision on a ground.
func BuildDecision(head CampaignHead, g *signoff.Ground, stops []review.Refusal, q DecisionQuery) Decision {
	v := Decision{Head: head, Ground: BuildGround(g), Question: decisionQuestion(g)}
	v.Stops = stopLines(stops, groundAnchor)
	v.Prepare = []Hidden{{"campaign", g.Campaign}, {"candidate", g.Candidate.ArmID}, {"target", string(g.Target)}}
	v.Prepare = append(v.Prepare, Hidden{"control", armID(g.Control)}, Hidden{"rollback", armID(g.Back)})
	for _, f := range q.Figures {
		v.Prepare = append(v.Prepare, Hidden{"f", f})
	}
	return v
}

func armID(a evidence.Opt[signoff.Arm]) string {
	if !a.OK {
		return "none"
	}
	return a.V.ArmID
}

func decisionQuestion(g *signoff.Ground) string {
	name := plain(g.Candidate.Name, maxName)
	switch g.Target {
	case signoff.Challenger:
		return "May " + name + " run beside what serves?"
	case signoff.Rollback:
		return "May " + name + " be gone back to?"
	}
	return "May " + name + " serve?"
}

// groundAnchor is where a page of a ground shows what a refusal speaks of.
func groundAnchor(r *review.Refusal) string {
	switch r.Kind {
	case review.RefuseGate:
		if r.ID == "" {
			return "#gates"
		}
		return "#gate-" + r.ID
	case review.RefuseComparison:
		return "#comparison"
	case review.RefuseRejected:
		return "#arms"
	case review.RefuseWaiver:
		return "/waivers#w" + r.ID
	case review.RefuseSource:
		return "/artifact/" + r.ID
	}
	return ""
}

// MayPrepare says whether somebody may begin a draft, and what to do when not.
func (v *Decision) MayPrepare(role account.Role, signedIn bool, signIn string) {
	switch {
	case !signedIn:
		v.WhyNot, v.SignIn = "Preparing and signing take a sign-in.", signIn
	case !role.May(account.MayPrepare):
		v.WhyNot = "You are signed in as " + string(role) + "; a reviewer, promoter or admin prepares a statement."
	default:
		v.May = true
	}
}

// GroundTable is a ground as a file: a row for everything that a decision rests on.
func GroundTable(g *signoff.Ground) export.Table {
	t := export.Table{Title: "Ground of a decision", Columns: []export.Column{
		{Name: "part", Form: export.Code, Help: "what the row is: arm, figure, gate, limitation, failure, contradiction, not-tested, change, source-says, artifact, declared"},
		{Name: "id", Form: export.Code, Help: "of the gate, figure, arm, artifact or repair"},
		{Name: "state", Form: export.Code, Help: "of a gate, or the verdict of a figure"},
		{Name: "required", Form: export.Code, Help: "whether the target needs the gate"},
		{Name: "text", Form: export.Prose, Help: "what was found, or the sentence as it stands"},
		{Name: "quoted", Form: export.Prose, Help: "the source's own words"},
		{Name: "clear", Form: export.Prose, Help: "what would clear it"},
		{Name: "artifact", Form: export.Code, Help: "SHA-256 of where it stands"},
		{Name: "pointer", Form: export.Code, Help: "JSON pointer of the place"},
	}}
	row := func(part, id, state, required, text, quoted, remedy string, s signoff.Source) {
		artifact := ""
		if s.Artifact != (evidence.Digest{}) {
			artifact = s.Artifact.String()
		}
		t.Rows = append(t.Rows, []export.Cell{export.Text(part), export.Optional(id), export.Optional(state), export.Optional(required),
			export.Optional(text), export.Optional(quoted), export.Optional(remedy), export.Optional(artifact), export.Optional(string(s.Pointer))})
	}
	for _, a := range []struct {
		part string
		arm  evidence.Opt[signoff.Arm]
	}{{"candidate", evidence.Some(g.Candidate)}, {"control", g.Control}, {"rollback", g.Back}} {
		if a.arm.OK {
			row(a.part, a.arm.V.ArmID, "", "", a.arm.V.Name, a.arm.V.Rejected, "", a.arm.V.Source)
		}
	}
	for i := range g.Comparison.V.Figures {
		f := &g.Comparison.V.Figures[i]
		row("figure", f.Figure, f.Verdict, "", f.Stated(), "", strings.Join(f.Reasons, " "), f.RightSrc)
	}
	for i := range g.Gates {
		x := &g.Gates[i]
		need := "no"
		if x.Required {
			need = "yes"
		}
		var at signoff.Source
		if len(x.Sources) > 0 {
			at = x.Sources[0]
		}
		row("gate", x.ID, string(x.State), need, cmp.Or(x.Says, x.Want), x.Quoted, x.Clear, at)
	}
	list := func(part string, all []signoff.Remark) {
		for i := range all {
			row(part, "", "", "", all[i].Text, "", "", all[i].Source)
		}
	}
	list("limitation", g.Limitations)
	list("failure", g.Failures)
	for i := range g.Contradictions {
		row("contradiction", g.Contradictions[i].Run, "", "", g.Contradictions[i].Says, "", "", g.Contradictions[i].There)
	}
	for _, text := range g.NotTested {
		row("not-tested", "", "", "", text, "", "", signoff.Source{})
	}
	for _, c := range g.Changes {
		row("change", "", "", "", c.Text, "", "", signoff.Source{})
	}
	list("source-says", g.SourceSays)
	for i := range g.Artifacts {
		a := &g.Artifacts[i]
		row("artifact", "", "", "", strings.TrimSpace(a.Name+" ("+strings.Join(a.Uses, ", ")+")"), "", "", signoff.Source{Artifact: a.Digest})
	}
	for _, r := range g.Repairs {
		row("declared", Int(r.ID), "", "", r.Text, r.Author, "", signoff.Source{})
	}
	return t
}
