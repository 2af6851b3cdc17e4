package view

// Chrome is what surrounds every page.
type Chrome struct {
	Title   string // of the page, for <title>; the layout adds the product's name
	Section string // the navigation item that is current: one of the Section constants
	Crumbs  []Crumb
	Theme   string // "light", "dark" or "" for the system's
	Here    string // path and query of this page, where the theme form leads back to
	Query   string // what stands in the search box
	Wide    bool   // landscape on paper
	Styles  []string
	Scripts []string
	Nav     []NavItem
	Foot    Foot
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
}

// Navigation lists what exists, with the current section marked.
func Navigation(current string, repairs bool) []NavItem {
	items := []struct{ section, label, href string }{
		{SectionOverview, "Overview", "/"},
		{SectionRuns, "Runs", "/runs"},
		{SectionMatrix, "Matrix", "/matrix"},
		{SectionCompare, "Compare", "/compare"},
		{SectionFrontier, "Frontier", "/frontier"},
		{SectionGuardrails, "Guardrails", "/guardrails"},
		{SectionIntake, "Intake", "/intake"},
		{SectionRepair, "Repair", "/repair"},
		{SectionSearch, "Search", "/search"},
		{SectionMetrics, "Metrics", "/metrics"},
		{SectionWords, "Words", "/words"},
	}
	nav := make([]NavItem, 0, len(items))
	for _, x := range items {
		if x.section == SectionRepair && !repairs {
			continue
		}
		nav = append(nav, NavItem{Label: x.label, Href: x.href, Current: x.section == current})
	}
	return nav
}
