package view

import (
	"slices"
	"strings"

	"assay/store/evidence"
)

// Narrow is what a list of runs is narrowed to and ordered by, as it stands in the
// address. Pages and their downloads share it: a download holds what its page shows.
type Narrow struct {
	Words, Model, Engine, GPU, Protocol, Campaign, Class, Family, Status, From, To, Arm, Artifact string

	Sort evidence.Sort
}

// narrowParam is one parameter of the address that narrows a list.
type narrowParam struct {
	name, label string
	value       func(*Narrow) *string
}

// narrowParams in the order every address keeps.
var narrowParams = []narrowParam{
	{"q", "Words", func(n *Narrow) *string { return &n.Words }},
	{"model", "Model", func(n *Narrow) *string { return &n.Model }},
	{"engine", "Engine", func(n *Narrow) *string { return &n.Engine }},
	{"gpu", "Card", func(n *Narrow) *string { return &n.GPU }},
	{"protocol", "Protocol", func(n *Narrow) *string { return &n.Protocol }},
	{"campaign", "Campaign", func(n *Narrow) *string { return &n.Campaign }},
	{"class", "Class", func(n *Narrow) *string { return &n.Class }},
	{"family", "Family", func(n *Narrow) *string { return &n.Family }},
	{"status", "Ended", func(n *Narrow) *string { return &n.Status }},
	{"from", "From", func(n *Narrow) *string { return &n.From }},
	{"to", "To", func(n *Narrow) *string { return &n.To }},
	{"arm", "Arm", func(n *Narrow) *string { return &n.Arm }},
	{"artifact", "Artifact", func(n *Narrow) *string { return &n.Artifact }},
}

// Params are the values of an address by the names of their parameters, to be filled in.
func (n *Narrow) Params() map[string]*string {
	m := make(map[string]*string, len(narrowParams))
	for _, p := range narrowParams {
		m[p.name] = p.value(n)
	}
	return m
}

// Narrowed reports whether anything narrows the list.
func (n Narrow) Narrowed() bool {
	n.Sort = ""
	return n != Narrow{}
}

// Evidence is the filter as the archive takes it.
func (n Narrow) Evidence() evidence.Filter {
	return evidence.Filter{
		Words: n.Words, Model: n.Model, Engine: n.Engine, GPU: n.GPU, Protocol: n.Protocol, Campaign: n.Campaign, Class: n.Class,
		Family: n.Family, Status: n.Status, From: n.From, To: n.To, Arm: n.Arm, Artifact: n.Artifact, Sort: n.Sort,
	}
}

// pairs are the parameters of the address.
func (n Narrow) pairs(more ...string) []string {
	var list []string
	for _, p := range narrowParams {
		list = append(list, p.name, *p.value(&n))
	}
	return append(append(list, "sort", string(n.Sort)), more...)
}

// URL is the address of a list with this filter, at its first page.
func (n Narrow) URL(path string, more ...string) string { return Query(path, n.pairs(more...)...) }

// FilterChip is one thing that a list is narrowed to, with the address of the list without it.
type FilterChip struct{ Label, Value, Without string }

// chips are what narrows a list, each to be taken away.
func (n Narrow) chips(path string, more ...string) []FilterChip {
	var list []FilterChip
	for _, p := range narrowParams {
		value := *p.value(&n)
		if value == "" {
			continue
		}
		without := n
		*p.value(&without) = ""
		switch p.name {
		case "class":
			value = classTitle(value)
		case "status":
			value = statusWord(value)
		}
		list = append(list, FilterChip{Label: p.label, Value: plain(value, maxName), Without: without.URL(path, more...)})
	}
	return list
}

// statusWord is how a run ended, in few words.
func statusWord(s string) string {
	word, _, _ := strings.Cut(runBadge(evidence.RunStatus(s)).Word, ":")
	return word
}

// RunStatuses are the ends of a run that lists are narrowed to.
var RunStatuses = []evidence.RunStatus{evidence.Measured, evidence.RunFailed, evidence.NotRun, evidence.External, evidence.RunUnresolved}

// statusChoices are the options of the chooser of ends.
func statusChoices(chosen string) []Choice {
	list := []Choice{{Value: "", Label: "any way", Chosen: chosen == ""}}
	for _, s := range RunStatuses {
		list = append(list, Choice{Value: string(s), Label: statusWord(string(s)), Chosen: chosen == string(s)})
	}
	return list
}

// classChoices are the options of the chooser of workload classes.
func classChoices(chosen string) []Choice {
	list := []Choice{{Value: "", Label: "any", Chosen: chosen == ""}}
	for _, c := range Classes {
		list = append(list, Choice{Value: c, Label: classTitle(c), Chosen: c == chosen})
	}
	if chosen != "" && !slices.Contains(Classes, chosen) {
		list = append(list, Choice{Value: chosen, Label: plain(chosen, maxName), Chosen: true})
	}
	return list
}

// SortHead is the head of a column that a list can be ordered by.
type SortHead struct {
	Label string
	Href  string
	Aria  string // "ascending", "descending", or "" where the list has another order
	Says  string // what following the link does
}

// sortWords name the orders and say what comes first, upwards and downwards.
var sortWords = map[evidence.Sort]struct{ label, up, down string }{
	evidence.ByCampaign: {"Campaign", "by campaign, as the sources have them", "by campaign, the last first"},
	evidence.ByArm:      {"Run", "by arm, from A", "by arm, from Z"},
	evidence.ByClass:    {"Class", "by class, from A", "by class, from Z"},
	evidence.ByFamily:   {"family", "by family, the lowest first", "by family, the highest first"},
	evidence.ByDate:     {"Date", "by date, the oldest first", "by date, the newest first"},
}

// sortHead is the head of a column. Following it orders by the column, and again turns
// the order round; dates begin with the newest.
func (n Narrow) sortHead(path string, by evidence.Sort) SortHead {
	w := sortWords[by]
	current, down := n.Sort.Parts()
	if current == "" {
		current = evidence.ByCampaign
	}
	h := SortHead{Label: w.label}
	next := by
	switch {
	case current == by && down:
		h.Aria = "descending"
	case current == by:
		h.Aria, next = "ascending", "-"+by
	case by == evidence.ByDate:
		next = "-" + by
	}
	h.Says = "order " + w.up
	if _, turned := next.Parts(); turned {
		h.Says = "order " + w.down
	}
	n.Sort = next
	if next == evidence.ByCampaign { // as lists are anyway: one address for one view
		n.Sort = ""
	}
	h.Href = n.URL(path)
	return h
}

// sortChoices are all orders, for screens without heads.
func (n Narrow) sortChoices() []Choice {
	list := []Choice{{Value: "", Label: sortWords[evidence.ByCampaign].up, Chosen: n.Sort == "" || n.Sort == evidence.ByCampaign}}
	for _, by := range evidence.Sorts {
		w := sortWords[by]
		if by != evidence.ByCampaign {
			list = append(list, Choice{Value: string(by), Label: w.up, Chosen: n.Sort == by})
		}
		list = append(list, Choice{Value: "-" + string(by), Label: w.down, Chosen: n.Sort == "-"+by})
	}
	return list
}
