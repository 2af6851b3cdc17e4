package view

import "slices"

// Chrome is what surrounds every page.
type Chrome struct {
	Title   string // of the page, for <title>; the layout adds the product's name
	Section string // the navigation item that is current: one of the Section constants
	Crumbs  []Crumb
	Theme   string       // "light", "dark" or "" for the system's
	Here    string       // path and query of this page, where the theme form leads back to
	Query   string       // what stands in the search box
	Wide    bool         // landscape on paper
	Signed  []SignedLine // what was signed about what the page shows
	Styles  []string
	Scripts []string
	Nav     []NavItem
	Who     *Who   // who is signed in; nil where there are no accounts
	CSRF    string // what forms of this page carry
	Foot    Foot
}

// Who is signed in. Name is "" for nobody.
type Who struct {
	Name, FullName, Role string
	Proxy                bool // a proxy signed them in, and signs them out
	Accounts             bool // they may keep accounts
	SignIn               string
}

// Sections of the navigation.
const (
	SectionOverview   = "overview"
	SectionRuns       = "runs"
	SectionMatrix     = "matrix"
	SectionCompare    = "compare"
	SectionFrontier   = "frontier"
	SectionGuardrails = "guardrails"
	SectionIntake     = "intake"
	SectionRepair     = "repair"
	SectionSearch     = "search"
	SectionMetrics    = "metrics"
	SectionWords      = "words"
	SectionLog        = "log"
	SectionSignOff    = "signoff"
	SectionReference  = "reference"
)

// NavItem is one entry of the navigation.
type NavItem struct {
	Label, Href string
	Current     bool
}

// Crumb is one step of the breadcrumbs; the last one has no Href.
type Crumb struct{ Label, Href string }

// Foot is the line at the end of every page.
type Foot struct {
	Holds    string // "3 artifacts, 3 documents, 57 runs, 415 measurements"
	Readers  string // "anvil/decision-summary@1, ..."
	Version  string
	Snapshot string
	Log      string // "log size 12", "" without a log
}

// NavHas is what a server has beside the evidence itself.
type NavHas struct{ Repairs, Decisions, Log bool }

// Navigation lists what exists, with the current section marked.
func Navigation(current string, has NavHas) []NavItem {
	items := []struct {
		section, label, href string
		there                bool
	}{
		{SectionOverview, "Overview", "/", true},
		{SectionRuns, "Runs", "/runs", true},
		{SectionMatrix, "Matrix", "/matrix", true},
		{SectionCompare, "Compare", "/compare", true},
		{SectionFrontier, "Frontier", "/frontier", true},
		{SectionSignOff, "Sign-off", "/signoffs", has.Decisions},
		{SectionIntake, "Intake", "/intake", true},
		{SectionRepair, "Repair", "/repair", has.Repairs},
		{SectionLog, "Log", "/log", has.Log},
		{SectionSearch, "Search", "/search", true},
		{SectionReference, "Reference", "/reference", true},
	}
	if slices.Contains(references, current) {
		current = SectionReference
	}
	nav := make([]NavItem, 0, len(items))
	for _, x := range items {
		if x.there {
			nav = append(nav, NavItem{Label: x.label, Href: x.href, Current: x.section == current})
		}
	}
	return nav
}

// references are the sections that explain and decide nothing; one entry leads to them.
var references = []string{SectionMetrics, SectionWords, SectionGuardrails}

// Explainer is a page that explains something.
type Explainer struct{ Title, Href, Says string }

// BuildExplainers are the pages that the entry leads to.
func BuildExplainers(policy bool) []Explainer {
	list := []Explainer{
		{"Metrics and facts", "/metrics", "What each figure and fact means, in which unit, and which direction is better."},
		{"Guardrails", "/guardrails", "The rules that say when two runs may be compared, and when a number is withheld."},
		{"Words", "/words", "What the words on these pages mean, from arm to waiver."},
	}
	if policy {
		list = append(list, Explainer{"Gates policy", "/policy", "Which gates a challenger, a rollback target and a promotion need, and what counts as passed."})
	}
	return list
}
