package view

import (
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// Guardrails is the catalogue page.
type Guardrails struct {
	Version string
	Counted string // "31,125 pairs of 9 classes"
	Tally   []LabelCount
	Groups  []RuleGroup
}

// LabelCount is a verdict with its number of pairs.
type LabelCount struct {
	Badge Badge
	Count string
}

// RuleGroup is rules of one kind.
type RuleGroup struct {
	ID, Title string
	Rules     []RuleLine
}

// RuleLine is one rule.
type RuleLine struct {
	ID      string // anchor, in lower case
	Rule    string
	Scopes  string
	Text    string
	Source  string
	When    string
	Gives   string
	Remedy  string
	Inert   string
	Waiver  string
	Spoke   string // "stops 1,204 pairs, a caveat of 3 pairs"
	Example string // address of a comparison
	stops   int64
	caveats int64
}

// ruleGroups are the first letters of rule ids as headings.
var ruleGroups = []struct{ prefix, id, title string }{
	{"M-", "metric", "Metric and statistic"}, {"H-", "health", "Measurement health"}, {"W-", "workload", "Workload shape"},
	{"P-", "identity", "Identity and provenance"}, {"S-", "speculation", "Speculation and tensor parallelism"},
	{"Q-", "quality", "Quality"}, {"L-", "context", "Context"}, {"X-", "media", "Media"}, {"A-", "speech", "Speech"},
	{"C-", "decisions", "Decisions, promotion, claims"}, {"T-", "statistics", "Statistics"}, {"", "table", "Keys without a rule of their own"},
}

// BuildGuardrails is the catalogue with what each rule does to the pairs of this archive.
func BuildGuardrails(rules []compare.Rule, t *compare.Tally) Guardrails {
	v := Guardrails{Version: Int(compare.RulesetVersion)}
	v.Counted = Plural(t.Pairs, "pair", "pairs") + " of runs of one class, each class in the figure that most of its runs have"
	if t.Bounded {
		v.Counted += ", the larger classes by a sample of their runs"
	}
	for _, verdict := range []compare.Verdict{compare.OK, compare.Caution, compare.Unknown, compare.Blocked} {
		v.Tally = append(v.Tally, LabelCount{Badge: verdictBadge(verdict), Count: Plural(t.Verdicts[verdict], "pair", "pairs")})
	}
	for _, g := range ruleGroups {
		group := RuleGroup{ID: g.id, Title: g.title}
		for i := range rules {
			if groupOf(rules[i].ID) == g.id {
				group.Rules = append(group.Rules, ruleLine(&rules[i], t.Rules[rules[i].ID]))
			}
		}
		if len(group.Rules) > 0 {
			v.Groups = append(v.Groups, group)
		}
	}
	return v
}

func groupOf(rule string) string {
	for _, g := range ruleGroups {
		if g.prefix != "" && strings.HasPrefix(rule, g.prefix) {
			return g.id
		}
	}
	return "table"
}

// ruleScopeWords say what a rule decides about.
var ruleScopeWords = map[compare.Scope]string{
	compare.ScopeDelta: "the difference", compare.ScopeRank: "naming a winner", compare.ScopeAxis: "one axis",
	compare.ScopeLabel: "a wording", compare.ScopePromote: "a sign-off", compare.ScopeNote: "a note",
}

func ruleLine(r *compare.Rule, t *compare.RuleTally) RuleLine {
	l := RuleLine{
		ID: strings.ToLower(r.ID), Rule: r.ID, Text: r.Text, Source: r.Source, When: r.When, Gives: r.Gives, Remedy: r.Remedy, Inert: r.Inert,
	}
	var scopes []string
	for _, s := range r.Scopes {
		w := ruleScopeWords[s]
		if s == compare.ScopeAxis && r.Axis != "" {
			w = "a question about " + evidence.LookupKey(r.Axis).Title
		}
		scopes = append(scopes, w)
	}
	l.Scopes = strings.Join(scopes, ", ")
	if r.NoWaiver {
		l.Waiver = "No waiver opens it: there is no value to show."
	}
	if t == nil {
		return l
	}
	l.stops, l.caveats = t.Stops, t.Caveats
	var spoke []string
	if t.Stops > 0 {
		spoke = append(spoke, "stops "+Plural(t.Stops, "pair", "pairs"))
	}
	if t.Caveats > 0 {
		spoke = append(spoke, "a caveat of "+Plural(t.Caveats, "pair", "pairs"))
	}
	l.Spoke = strings.Join(spoke, ", ")
	if t.Example[0] != "" {
		q := CompareQuery{Spec: compare.Spec{Control: []string{t.Example[0]}, Arms: [][]string{{t.Example[1]}}, Figures: []compare.Figure{t.Figure}}}
		l.Example = q.URL("/compare")
	}
	return l
}

// Table is the catalogue as a file.
func (v Guardrails) Table() export.Table {
	t := export.Table{Title: "Guardrails", Columns: []export.Column{
		{Name: "rule", Form: export.Code, Help: "id"},
		{Name: "scopes", Form: export.Prose, Help: "what it decides about"},
		{Name: "text", Form: export.Prose, Help: "what it says"},
		{Name: "when", Form: export.Prose, Help: "for what it holds; absent for every pair"},
		{Name: "gives", Form: export.Prose, Help: "missing facts and verdicts"},
		{Name: "source", Form: export.Prose, Help: "where it comes from"},
		{Name: "remedy", Form: export.Prose, Help: "what lifts it"},
		{Name: "inert", Form: export.Prose, Help: "why it never speaks of a pair of this archive; absent when it can"},
		{Name: "stops", Form: export.Figure, Help: "pairs of this archive that it blocks or leaves unknown, of those counted"},
		{Name: "caveats", Form: export.Figure, Help: "pairs that it gives a caveat"},
	}}
	for _, g := range v.Groups {
		for _, r := range g.Rules {
			t.Rows = append(t.Rows, []export.Cell{
				export.Text(r.Rule), export.Optional(r.Scopes), export.Text(r.Text), export.Optional(r.When), export.Optional(r.Gives),
				export.Optional(r.Source), export.Optional(r.Remedy), export.Optional(r.Inert), export.Integer(r.stops), export.Integer(r.caveats),
			})
		}
	}
	return t
}
