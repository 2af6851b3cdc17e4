package view

import (
	"slices"
	"strings"

	"assay/store/export"
	"assay/store/signoff"
)

// SignOffPage is the page of one sign-off: what was signed and what it is worth today.
type SignOffPage struct {
	Line              SignedLine
	Title             string
	Means             string
	Scope, Reason     string
	Preparer, Signer  string
	Prepared, Signed  string
	Arms              []StatedArmView
	BackNote          string
	Compare           string
	Figures           []StatedFigureRow
	Gates             []StatedGateRow
	GateTally         string
	Acks              []AckSaid
	Says              []string
	Declared          []DeclaredLine
	Artifacts         []UsedArtifact
	Terms             []NamedLink // rule set, policy, two people, age
	Statement, Digest string
	Unreadable        string // the statement is none that this program can read
	Person, Server    SignatureView
	Checkpoint        string
	Record            NamedLink
	StandingAt        string
	Reasons           []string
	Checks            []CheckLine
	ChecksPassed      string
	Withdrawn         string
	MayWithdraw       bool
	MayCheck          bool
	Fault, Typed      string // of the withdrawal form
	Said              string
	Bundle            string
	Sheet, Letter     string
	Printed           *PrintedView
	Decide            string
	Exports           Exports
}

// StatedArmView is an arm as the statement names it.
type StatedArmView struct {
	Role, Name string
	Runs       []NamedLink
	MoreRuns   int
}

// StatedFigureRow is a figure as the statement has it.
type StatedFigureRow struct {
	Figure      string
	Badge       Badge
	Text        string
	Left, Right Figure // with their places, where today's archive still gives the signed ground
}

// StatedGateRow is a gate as the statement has it.
type StatedGateRow struct {
	ID, Title string
	Badge     Badge
	Required  bool
	Says      string
	Waived    string
	First     bool
}

// AckSaid is an acknowledgement as it was signed.
type AckSaid struct{ Kind, Text, Reason, At string }

// SignatureView is one of the two claims.
type SignatureView struct {
	Who, Key, Means string
	Badge           Badge
	Why             string // it does not hold
	Text            string
}

// CheckLine is one check of the standing.
type CheckLine struct {
	ID, Title, Says, Href string
	Badge                 Badge
}

// PrintedView says whether a checkpoint of a printed sheet still fits the log.
type PrintedView struct {
	Badge Badge
	Words string
}

// SignOffShown is what the page is built from.
type SignOffShown struct {
	SignOff   *signoff.SignOff
	Statement *signoff.Statement // nil when it cannot be read
	Standing  *signoff.Standing
	Claim     error // what does not hold of the person's signature
	Proof     error // of the record's place in the log
	Record    signoff.Proved
}

// BuildSignOff is the page of a sign-off.
func BuildSignOff(d *SignOffShown) SignOffPage {
	s := d.SignOff
	line := BuildSignedLine(s, d.Standing)
	w := decisionWords[s.Decision]
	v := SignOffPage{
		Line: line, Title: w.title + ": " + line.Candidate, Means: w.means, Preparer: plain(s.Preparer, maxName), Signer: plain(s.Signer, maxName), Signed: Moment(s.SignedUS),
		Statement: s.Statement, Digest: s.Digest, Record: NamedLink{"record " + Int(s.LogIndex), RecordURL(s.LogIndex)}, Checkpoint: string(d.Record.Signed.Note),
		StandingAt: Moment(d.Standing.AtUS) + ", log size " + Int(d.Standing.LogSize), Bundle: line.Href + "/bundle.zip", Sheet: line.Href + "/sheet", Letter: line.Href + "/sheet?paper=letter",
		Exports: PageExports(line.Href, line.Href),
	}
	for _, r := range d.Standing.Reasons {
		v.Reasons = append(v.Reasons, plain(sentenceCase(r), maxValue))
	}
	v.checks(d.Standing)
	if x := s.Withdrawn; x.OK {
		v.Withdrawn = "Withdrawn by " + plain(x.V.By, maxName) + " on " + Moment(x.V.AtUS) + ": " + plain(x.V.Reason, maxValue)
	}
	v.signatures(d)
	if d.Statement == nil {
		v.Unreadable = "The signed text is none that this program can read. It stands below as it was signed."
		return v
	}
	v.stated(d.Statement)
	return v
}

func (v *SignOffPage) checks(st *signoff.Standing) {
	ok := 0
	for i := range st.Checks {
		c := &st.Checks[i]
		l := CheckLine{ID: plain(c.ID, 60), Title: plain(c.Title, maxName), Says: plain(sentenceCase(c.Says), maxValue), Href: ownPath(c.Href), Badge: Badge{Kind: "ok", Glyph: "ok", Word: "holds"}}
		switch {
		case c.OK:
			ok++
		case c.Stale:
			l.Badge = Badge{Kind: "caveat", Glyph: "caveat", Word: "moved"}
		default:
			l.Badge = Badge{Kind: "blocked", Glyph: "blocked", Word: "does not hold"}
		}
		v.Checks = append(v.Checks, l)
	}
	slices.SortStableFunc(v.Checks, func(a, b CheckLine) int { return checkRank(a.Badge.Kind) - checkRank(b.Badge.Kind) })
	v.ChecksPassed = Int(int64(ok)) + " of " + Plural(int64(len(st.Checks)), "check holds", "checks hold")
}

func checkRank(kind string) int { return slices.Index([]string{"blocked", "caveat", "ok"}, kind) }

// ownPath lets only addresses of these pages through.
func ownPath(s string) string {
	if !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") {
		return ""
	}
	return s
}

func (v *SignOffPage) signatures(d *SignOffShown) {
	c := &d.SignOff.Claim
	v.Person = SignatureView{Who: plain(c.Account, maxName), Key: string(c.Kind) + " key " + plain(c.Fingerprint, 120), Means: "says: I judged this",
		Badge: Badge{Kind: "ok", Glyph: "ok", Word: "holds"}, Text: strings.ToValidUTF8(lastLines(string(c.Signature)), "\uFFFD")}
	if d.Claim != nil {
		v.Person.Badge, v.Person.Why = Badge{Kind: "blocked", Glyph: "blocked", Word: "does not hold"}, plain(d.Claim.Error(), maxValue)
	}
	v.Server = SignatureView{Who: "this archive", Key: "its key signs the checkpoint below", Means: "says: this stands in the log at place " + Int(d.SignOff.LogIndex),
		Badge: Badge{Kind: "ok", Glyph: "ok", Word: "holds"}}
	if d.Proof != nil {
		v.Server.Badge, v.Server.Why = Badge{Kind: "blocked", Glyph: "blocked", Word: "does not hold"}, plain(d.Proof.Error(), maxValue)
	}
}

// lastLines is a signature without the text that a signed note repeats before it.
func lastLines(note string) string {
	if _, sigs, ok := strings.Cut(note, "\n\n\u2014 "); ok {
		return "\u2014 " + strings.TrimSuffix(sigs, "\n")
	}
	return plain(note, maxSentence)
}

func (v *SignOffPage) stated(st *signoff.Statement) {
	v.Scope, v.Reason, v.Prepared, v.BackNote = plain(st.Scope, maxSentence), plain(st.Reason, maxSentence), Moment(st.PreparedUS), plain(sentenceCase(st.BackNote), maxValue)
	v.Arms = append(v.Arms, statedArm("Candidate", &st.Candidate))
	if st.Control.OK {
		v.Arms = append(v.Arms, statedArm("Control", &st.Control.V))
	}
	if st.Back.OK {
		v.Arms = append(v.Arms, statedArm("Rollback target", &st.Back.V))
	}
	if st.Comparison.OK {
		c := &st.Comparison.V
		v.Compare = specURL(c.SpecText())
		for _, f := range c.Figures {
			v.Figures = append(v.Figures, statedFigure(&f))
		}
	}
	v.Gates, v.GateTally = statedGates(st.Gates)
	for _, a := range st.Acknowledged {
		v.Acks = append(v.Acks, AckSaid{ackKind(a.Kind), plain(a.Text, maxSentence), plain(a.Reason, maxValue), Moment(a.AtUS)})
	}
	for _, s := range st.SourceSays {
		v.Says = append(v.Says, plain(s, maxSentence))
	}
	for _, r := range st.Declared {
		v.Declared = append(v.Declared, DeclaredLine{plain(r.Text, maxValue), plain(r.Author, maxName), "/repair/list#r-" + Int(r.ID)})
	}
	for _, a := range st.Artifacts {
		v.Artifacts = append(v.Artifacts, UsedArtifact{Chip(a.Digest), plain(a.Name, maxName), strings.Join(a.Uses, ", "), ""})
	}
	v.Terms = []NamedLink{
		{"rule set " + Int(int64(st.Ruleset)), "/guardrails"},
		{"policy " + plain(st.Policy.Name, maxName) + ", version " + Int(int64(st.Policy.Version)), "/policy"},
	}
	if st.TwoPeople {
		v.Terms = append(v.Terms, NamedLink{"preparer and signer had to differ", ""})
	}
	if st.MaxAgeDays > 0 {
		v.Terms = append(v.Terms, NamedLink{"stale after " + Plural(int64(st.MaxAgeDays), "day", "days"), ""})
	}
	v.Decide = Query(v.Line.Campaign.Href+"/decide", "candidate", st.Candidate.ArmID, "target", string(st.Target))
}

func statedArm(role string, a *signoff.StatedArm) StatedArmView {
	v := StatedArmView{Role: role, Name: plain(a.Name, maxName)}
	for i, id := range a.Runs {
		if i == mostRunLinks {
			v.MoreRuns = len(a.Runs) - i
			break
		}
		v.Runs = append(v.Runs, NamedLink{plain(id, 24), RunURL(id)})
	}
	return v
}

func statedFigure(f *signoff.StatedFigure) StatedFigureRow {
	r := StatedFigureRow{Figure: figureWords(f.Figure), Badge: verdictBadge(verdictOf(f.Verdict)), Text: trueMinusAfter(plain(f.Text, maxValue))}
	if r.Text == "" {
		r.Text = "neither value is shown"
	}
	return r
}

// statedGates are the gates of a statement, those that stop first.
func statedGates(list []signoff.StatedGate) ([]StatedGateRow, string) {
	var out []StatedGateRow
	var tally []signoff.GateResult
	for i := range list {
		g := &list[i]
		tally = append(tally, signoff.GateResult{State: g.State})
		r := StatedGateRow{ID: plain(g.ID, maxName), Title: headed(g.ID), Badge: policyGate(g.State), Required: g.Required, Says: plain(g.Says, maxValue)}
		if g.By != "" {
			r.Waived = "waived by " + plain(g.By, maxName) + ": " + plain(g.Reason, maxValue)
		}
		out = append(out, r)
	}
	order := func(r *StatedGateRow) int {
		return slices.IndexFunc(policyGateOrder, func(s signoff.GateState) bool { return policyGates[s] == r.Badge })
	}
	slices.SortStableFunc(out, func(a, b StatedGateRow) int { return order(&a) - order(&b) })
	for i := range out {
		if out[i].Badge == policyGates[signoff.GatePassed] {
			out[i].First = i > 0
			break
		}
	}
	return out, policyTally(tally)
}

func ackKind(k signoff.ItemKind) string {
	if k == signoff.ItemNotTested {
		return "not tested"
	}
	return plain(string(k), 40)
}

// StatementTable is the sign-off as a file: its statement line by line.
func StatementTable(s *signoff.SignOff) export.Table {
	t := export.Table{Title: "Sign-off " + s.Number, Columns: []export.Column{
		{Name: "line", Form: export.Figure, Help: "of the signed text, from 1"},
		{Name: "key", Form: export.Code, Help: "what the line says"},
		{Name: "value", Form: export.Prose, Help: "as it was signed"},
	}}
	for i, line := range strings.Split(strings.TrimSuffix(s.Statement, "\n"), "\n") {
		key, value, _ := strings.Cut(line, ": ")
		t.Rows = append(t.Rows, []export.Cell{export.Integer(i + 1), export.Text(key), export.Optional(value)})
	}
	return t
}
