package view

import (
	"slices"
	"strings"

	"assay/store/export"
	"assay/store/signoff"
)

// Policy is the gates policy in force, in words.
type Policy struct {
	Name, Version string
	Note          string
	Digest        string // SHA-256 of the file
	File          string // address of the file
	BuiltIn       bool   // nobody set one
	Author        string
	Reason        string
	At            string
	People        string // which decisions take two people
	Age           string // how long a sign-off lasts
	Others        string // what becomes of gates that only a source has
	Narrowing     string // phrases that make a pass narrower
	Targets       []PolicyTarget
	Gates         []PolicyGate
	Versions      []PolicyVersion
	Waivers       []PolicyWaiver
	Exports       Exports
}

// PolicyTarget is a target with the gates that it needs.
type PolicyTarget struct {
	Name  string
	Says  string
	Gates []NamedLink
}

// PolicyGate is one gate in words.
type PolicyGate struct {
	ID, Title, Want, Clear string
	Rule, RuleHref         string
	Targets                string
	Ways                   []string
	Waivable               bool
}

// PolicyVersion is a policy that was put in force.
type PolicyVersion struct {
	Name, Version, Digest, File string
	At, Author, Reason          string
	InForce                     bool
}

// PolicyWaiver is a gate that a person set aside.
type PolicyWaiver struct {
	Number, Campaign, Href, Gate, Author, Reason, At string
	Withdrawn                                        string // by whom and why, "" while it holds
}

var targetSays = map[signoff.Target]string{
	signoff.Challenger: "may run beside what serves",
	signoff.Rollback:   "may be gone back to",
	signoff.Promotion:  "serves",
}

// PolicyFile is the address of the text of a policy.
func PolicyFile(digest string) string { return "/policy/" + digest }

// BuildPolicy puts a policy in words. set are those that were put in force, the latest
// first; none when the one in force is the program's own.
func BuildPolicy(p *signoff.Policy, set []signoff.SetPolicy, waivers []signoff.GateWaiver) Policy {
	ref := p.Ref()
	v := Policy{Name: plain(ref.Name, maxName), Version: Int(int64(ref.Version)), Note: plain(p.Note, maxValue), Digest: ref.Digest, File: PolicyFile(ref.Digest), BuiltIn: len(set) == 0,
		People: peopleSays(p), Age: "A sign-off does not age.", Others: "A gate that only a source has stops nothing by itself.",
		Exports: Exports{CSV: "/policy.csv", JSON: "/policy.json", Markdown: "/policy.md"}}
	if p.MaxAge > 0 {
		v.Age = "A sign-off is stale " + Plural(int64(p.MaxAge), "day", "days") + " after it was signed."
	}
	if p.Others {
		v.Others = "A gate of a decision document that no gate here asks about, and that did not simply pass, stops as well."
	}
	var narrowing []string
	for _, w := range p.Narrowing {
		narrowing = append(narrowing, "“"+plain(w, maxName)+"”")
	}
	v.Narrowing = strings.Join(narrowing, ", ")
	for _, t := range signoff.Targets {
		x := PolicyTarget{Name: string(t), Says: targetSays[t]}
		for _, id := range p.Required(t) {
			x.Gates = append(x.Gates, NamedLink{p.Gate(id).Title, "#" + id})
		}
		v.Targets = append(v.Targets, x)
	}
	for i := range p.Gates {
		v.Gates = append(v.Gates, gateInWords(p, &p.Gates[i]))
	}
	for i := range set {
		x := &set[i]
		v.Versions = append(v.Versions, PolicyVersion{Name: plain(x.Name, maxName), Version: Int(int64(x.Version)), Digest: x.Digest, File: PolicyFile(x.Digest),
			At: Moment(x.AtUS), Author: plain(x.Author, maxName), Reason: plain(x.Reason, maxValue), InForce: i == 0})
	}
	if len(v.Versions) > 0 {
		v.Author, v.Reason, v.At = v.Versions[0].Author, v.Versions[0].Reason, v.Versions[0].At
	}
	own := signoff.Default().Ref()
	if !slices.ContainsFunc(set, func(x signoff.SetPolicy) bool { return x.Digest == own.Digest }) {
		v.Versions = append(v.Versions, PolicyVersion{Name: own.Name, Version: Int(int64(own.Version)), Digest: own.Digest, File: PolicyFile(own.Digest),
			Reason: "the program brings it", InForce: v.BuiltIn})
	}
	for i := range waivers {
		v.Waivers = append(v.Waivers, policyWaiver(&waivers[i]))
	}
	return v
}

func peopleSays(p *signoff.Policy) string {
	if len(p.TwoPeople) == 0 {
		return "One person may prepare and sign any decision."
	}
	var words []string
	for _, d := range p.TwoPeople {
		words = append(words, string(d))
	}
	return "Preparer and signer are two people for: " + strings.Join(words, ", ") + "."
}

func gateInWords(p *signoff.Policy, g *signoff.Gate) PolicyGate {
	v := PolicyGate{ID: g.ID, Title: plain(g.Title, maxName), Want: plain(g.Want, maxValue), Clear: plain(g.Clear, maxValue), Rule: g.Rule, Waivable: g.Waivable}
	if g.Rule != "" {
		v.RuleHref = "/guardrails#" + strings.ToLower(g.Rule)
	}
	var targets []string
	for _, t := range signoff.Targets {
		if slices.Contains(p.Required(t), g.ID) {
			targets = append(targets, string(t))
		}
	}
	v.Targets = strings.Join(targets, ", ")
	for _, w := range g.Ways() {
		v.Ways = append(v.Ways, plain(w, maxValue))
	}
	return v
}

func policyWaiver(x *signoff.GateWaiver) PolicyWaiver {
	v := PolicyWaiver{Number: Int(x.ID), Campaign: plain(x.Campaign, maxName), Href: CampaignURL(x.Campaign), Gate: plain(x.Gate, maxName),
		Author: plain(x.Author, maxName), Reason: plain(x.Reason, maxValue), At: Moment(x.AtUS)}
	if !x.Holds() {
		v.Withdrawn = "withdrawn by " + plain(x.WithdrawnBy, maxName) + ": " + plain(x.Why, maxValue)
	}
	return v
}

// Table is the gates as a file.
func (v Policy) Table() export.Table {
	t := export.Table{Title: "Gates policy " + v.Name + ", version " + v.Version, Columns: []export.Column{
		{Name: "gate", Form: export.Code, Help: "id of the gate"},
		{Name: "title", Form: export.Prose, Help: "what it is called"},
		{Name: "rule", Form: export.Code, Help: "rule of the catalogue behind it"},
		{Name: "targets", Form: export.Code, Help: "what needs it"},
		{Name: "want", Form: export.Prose, Help: "what counts as passed"},
		{Name: "answered_by", Form: export.Prose, Help: "how evidence answers it"},
		{Name: "to_clear", Form: export.Prose, Help: "what would clear it"},
		{Name: "waivable", Form: export.Code, Help: "whether a person may set it aside"},
		{Name: "policy_sha256", Form: export.Code, Help: "SHA-256 of the policy's file"},
	}}
	for _, g := range v.Gates {
		waivable := "no"
		if g.Waivable {
			waivable = "yes"
		}
		t.Rows = append(t.Rows, []export.Cell{export.Text(g.ID), export.Text(g.Title), export.Optional(g.Rule), export.Optional(g.Targets), export.Text(g.Want),
			export.Text(strings.Join(g.Ways, "; ")), export.Optional(g.Clear), export.Text(waivable), export.Text(v.Digest)})
	}
	return t
}
