package view

import (
	"strings"

	"assay/store/signoff"
)

// SignedLine is a sign-off as other pages show it: what was decided, by whom, and what it
// is worth today.
type SignedLine struct {
	Number, Href  string
	Decision      Badge
	Target        string
	Candidate     string
	Campaign      NamedLink
	Signer, When  string
	State         Badge
	Current       bool
	Reasons       []string
	MoreReasons   int
	Words         string // one line for lists
	StateWord     string
	DecisionTitle string
}

const mostReasons = 4

// BuildSignedLine is a sign-off with its standing.
func BuildSignedLine(s *signoff.SignOff, st *signoff.Standing) SignedLine {
	l := SignedLine{Number: plain(s.Number, 20), Href: SignOffURL(s.Number), Decision: decisionBadge(s.Decision), Target: targetTitle(s.Target),
		Candidate: plain(s.Candidate, maxName), Campaign: NamedLink{plain(orWord(s.Title, s.Campaign), maxTitle), CampaignURL(s.Campaign, s.Artifacts...)},
		Signer: plain(s.Signer, maxName), When: Moment(s.SignedUS), State: standingBadge(st.State), Current: st.State == signoff.Current}
	l.StateWord, l.DecisionTitle = l.State.Word, decisionWords[s.Decision].title
	for i, r := range st.Reasons {
		if i == mostReasons {
			l.MoreReasons = len(st.Reasons) - i
			break
		}
		l.Reasons = append(l.Reasons, plain(sentenceCase(r), maxValue))
	}
	l.Words = l.Decision.Word + ", " + l.State.Word
	return l
}

// DraftLine is a draft in a list.
type DraftLine struct {
	Number, Href     string
	Campaign         NamedLink
	Decision         Badge
	Target, Preparer string
	Changed          string
	Ready            bool
	State            Badge
}

// BuildDraftLine is a draft for a list.
func BuildDraftLine(d *signoff.Draft) DraftLine {
	l := DraftLine{Number: Int(d.ID), Href: DraftURL(d.ID), Campaign: NamedLink{plain(d.Campaign, maxTitle), CampaignURL(d.Campaign)},
		Decision: decisionBadge(d.Decision), Target: targetTitle(d.Target), Preparer: plain(d.Preparer, maxName), Changed: Moment(d.ChangedUS), Ready: d.Ready}
	if d.Decision == signoff.NoAnswer {
		l.Decision = Badge{Kind: "plain", Glyph: "absent", Word: "not chosen yet"}
	}
	l.State = Badge{Kind: "plain", Glyph: "declared", Word: "in preparation"}
	if d.Ready {
		l.State = Badge{Kind: "caveat", Glyph: "wait", Word: "waits for a signature"}
	}
	return l
}

// Sign adds what was signed, and what waits to be, to the first page.
func (v *Overview) Sign(signed []SignedLine, drafts []DraftLine) {
	v.Signing = true
	var waits []Wait
	for i := range signed {
		l := &signed[i]
		if l.Current || l.StateWord == "withdrawn" {
			continue
		}
		after := l.Decision.Word + " of " + l.Candidate + " is " + l.StateWord
		if len(l.Reasons) > 0 {
			after += ": " + strings.TrimSuffix(l.Reasons[0], ".")
		}
		waits = append(waits, Wait{Badge: l.State, Text: "Sign-off " + l.Number, Href: l.Href, After: after})
	}
	for i := range drafts {
		d := &drafts[i]
		if !d.Ready {
			continue
		}
		waits = append(waits, Wait{Badge: d.State, Text: d.Campaign.Text, Href: d.Href, After: "a statement by " + d.Preparer + " to " + d.Decision.Word + " it as " + d.Target})
	}
	v.Waits = append(waits, v.Waits...)
	v.Signed = signed
	of := map[string][]SignedLine{}
	for _, l := range signed {
		of[l.Campaign.Href] = append(of[l.Campaign.Href], l)
	}
	for i := range v.Campaigns {
		v.Campaigns[i].Signed = of[v.Campaigns[i].Href]
	}
}
