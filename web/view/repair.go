package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// Repairs per page and queue items per page.
const (
	RepairsPerPage = 100
	QueuePerPage   = 25
	targetsShown   = 5
)

// repairTabs are the pages of repair.
func repairTabs(current string) []Tab {
	tabs := []Tab{{Label: "What to repair", Href: "/repair"}, {Label: "Spellings", Href: "/repair/spellings"}, {Label: "All repairs", Href: "/repair/list"}}
	for i := range tabs {
		tabs[i].Current = tabs[i].Href == current
	}
	return tabs
}

// Queue is what is unknown or in conflict, what opens most comparisons first.
type Queue struct {
	Tabs    []Tab
	Whole   bool // it is counted to its end
	Bounded string
	Items   []QueueLine
	Pager   Pager
	Exports Exports
	Local   bool // repairs can be made here

	all []evidence.QueueItem
}

// QueueLine is one thing that a person could repair.
type QueueLine struct {
	Title   string
	Key     string
	State   Badge
	Pairs   Figure
	Runs    Figure
	Remedy  string
	Targets []QueueTarget
	More    int
	Example Linked
}

// QueueTarget is a place where a declaration would be made.
type QueueTarget struct {
	Says    string // "campaign night-1", "artifact 0123456789ab at /rows/3"
	Href    string // what it is, "" when it has no page
	Declare string // the form, filled in
}

// BuildQueue is one page of the queue.
func BuildQueue(items []evidence.QueueItem, bounded string, whole bool, page int, local bool) Queue {
	at := func(p string) string { return Query("/repair", "page", p) }
	v := Queue{Tabs: repairTabs("/repair"), Whole: whole, Bounded: bounded, Local: local, all: items,
		Pager: BuildPager(page, QueuePerPage, len(items), at), Exports: PageExports("/repair", at(pageWord(page)))}
	for _, x := range pageOf(items, page, QueuePerPage) {
		info := evidence.LookupKey(x.Key)
		l := QueueLine{
			Title: plain(info.Title, maxName), Key: plain(string(x.Key), maxName), State: factBadge(x.State), Pairs: CountFig(x.Pairs, RunURL(x.Example)), Runs: CountFig(int64(x.Runs), RunURL(x.Example)),
			Remedy: plain(x.Remedy, maxValue), Example: Linked{Text: Words(x.Example, maxName, ""), Href: RunURL(x.Example)},
		}
		for i, t := range x.Targets {
			if i == targetsShown {
				l.More = len(x.Targets) - i
				break
			}
			l.Targets = append(l.Targets, queueTarget(t, x.Key))
		}
		v.Items = append(v.Items, l)
	}
	return v
}

func queueTarget(target string, k evidence.FactKey) QueueTarget {
	says, href := repairTarget(target)
	return QueueTarget{Says: says, Href: href, Declare: DeclareURL(target, k)}
}

// repairTarget say what a target is, with its page.
func repairTarget(target string) (says, href string) {
	s, err := evidence.ParseScope(target)
	switch {
	case err != nil:
		return plain(target, maxName), ""
	case s.Campaign != "":
		return "campaign " + plain(s.Campaign, maxName), CampaignURL(s.Campaign)
	case s.Place.OK:
		return "artifact " + s.Artifact.Short() + " at " + plain(string(s.Place.V), maxName), PlaceURL(s.Artifact, evidence.At(s.Place.V))
	}
	return "artifact " + s.Artifact.Short(), ArtifactURL(s.Artifact)
}

// DeclareURL is the form that declares a fact, filled in.
func DeclareURL(target string, k evidence.FactKey) string {
	return Query("/repair/declare", "target", target, "key", string(k))
}

// MoveURL is the form that moves an artifact, filled in.
func MoveURL(d evidence.Digest) string { return Query("/repair/move", "artifact", d.String()) }

// RepairURL is a repair in the list of all.
func RepairURL(id int64, made string) string {
	n := strconv.FormatInt(id, 10)
	return Query("/repair/list", "made", made) + "#r-" + n
}

// Table is the whole queue as a file.
func (v Queue) Table() export.Table {
	t := export.Table{Title: "Repair queue", Columns: []export.Column{
		{Name: "key", Form: export.Code, Help: "fact key"}, {Name: "state", Form: export.Code, Help: "absent or conflict"},
		{Name: "pairs", Form: export.Figure, Help: "comparisons that wait for it"}, {Name: "runs", Form: export.Figure, Help: "runs that lack it"},
		{Name: "example", Form: export.Code, Help: "one of the runs"}, {Name: "targets", Help: "where a declaration would be made"}, {Name: "remedy", Help: "what to do"},
	}}
	for _, x := range v.all {
		t.Rows = append(t.Rows, []export.Cell{export.Text(x.Key), export.Text(x.State), export.Integer(x.Pairs), export.Integer(x.Runs),
			export.Optional(x.Example), export.Words(x.Targets), export.Optional(x.Remedy)})
	}
	return t
}

// Repairs is the list of what people have said.
type Repairs struct {
	Tabs    []Tab
	Kinds   []Tab
	Made    string // what was just done, "" when nothing was
	Rows    []RepairLine
	Pager   Pager
	Exports Exports
	Local   bool
}

// RepairLine is one repair.
type RepairLine struct {
	ID       string
	Kind     string
	Subject  Linked // what it speaks of
	Says     Text
	Author   string
	Reason   Text
	At       string
	State    Badge
	By, Why  string // who withdrew it
	Until    string
	Withdraw string // the form, "" when it was withdrawn
}

// repairKinds name kinds as people do.
var repairKinds = []struct {
	kind         evidence.RepairKind
	label, title string
}{{evidence.RepairFact, "declared fact", "declared facts"}, {evidence.RepairAlias, "alias", "aliases"}, {evidence.RepairMove, "move", "moves"}}

// BuildRepairs is one page of repairs, the latest first.
func BuildRepairs(kind string, list []evidence.Repair, total, page int, made string, local bool) Repairs {
	at := func(p string) string { return Query("/repair/list", "kind", kind, "page", p) }
	v := Repairs{Tabs: repairTabs("/repair/list"), Local: local, Pager: BuildPager(page, RepairsPerPage, total, at),
		Exports: ListExports("repairs", at(pageWord(page)), evidence.Filter{Class: kind}),
		Kinds:   []Tab{{Label: "all", Href: "/repair/list", Current: kind == ""}}}
	for _, k := range repairKinds {
		v.Kinds = append(v.Kinds, Tab{Label: k.title, Href: Query("/repair/list", "kind", string(k.kind)), Current: kind == string(k.kind)})
	}
	switch made {
	case "withdraw":
		v.Made = "The repair is withdrawn. What it changed is as it was before; it stays listed."
	case "declare", "alias", "move":
		v.Made = "The repair holds. Lists, pages and comparisons go by it from now on; the bytes are as they were."
	}
	for i := range list {
		v.Rows = append(v.Rows, repairLine(&list[i]))
	}
	return v
}

func repairLine(r *evidence.Repair) RepairLine {
	l := RepairLine{
		ID: strconv.FormatInt(r.ID, 10), Author: plain(r.Author, maxName), Reason: Words(r.Reason, maxValue, ""), At: Moment(r.AtUS),
		State: Badge{Kind: "ok", Glyph: "ok", Word: "holds"},
	}
	for _, k := range repairKinds {
		if k.kind == r.Kind {
			l.Kind = k.label
		}
	}
	key := evidence.LookupKey(r.Key)
	switch r.Kind {
	case evidence.RepairAlias:
		l.Subject = Linked{Text: Words(key.Title+" “"+r.Target+"”", maxValue, ""), Href: spelledURL(r.Key, r.Target)}
		l.Says = Words("means “"+r.Value+"”", maxValue, "")
	case evidence.RepairMove:
		if d, err := evidence.ParseDigest(r.Target); err == nil {
			l.Subject = Linked{Text: Words("artifact "+d.Short(), maxName, ""), Href: ArtifactURL(d)}
		}
		l.Says = Words("belongs to campaign “"+r.Value+"”", maxValue, "")
	default:
		says, href := repairTarget(r.Target)
		l.Subject = Linked{Text: Words(says, maxValue, ""), Href: href}
		l.Says = Words(key.Title+" is “"+factText(key, r.Value)+"”", maxValue, "")
	}
	if r.Holds() {
		l.Withdraw = Query("/repair/withdraw", "repair", l.ID)
		return l
	}
	l.State = Badge{Kind: "plain", Glyph: "gate-missing", Word: "withdrawn"}
	l.By, l.Why, l.Until = plain(r.WithdrawnBy, maxName), plain(r.WithdrawnReason, maxValue), Moment(r.WithdrawnUS)
	return l
}

// Spellings is how cards, engines and models are spelled, grouped by what they mean.
type Spellings struct {
	Tabs    []Tab
	Keys    []SpelledKey
	Exports Exports
	Local   bool
}

// SpelledKey is the spellings of one key.
type SpelledKey struct {
	ID, Title string
	Spelled   int
	Groups    []SpellingGroup
}

// SpellingGroup is spellings that mean the same.
type SpellingGroup struct {
	Meaning   string
	Covered   bool // an alias says so, for at least one of them
	Spellings []SpellingLine
	Documents int
}

// SpellingLine is one spelling.
type SpellingLine struct {
	Value     Text
	Href      string // runs that have it
	Documents Figure
	Alias     string // the form, filled in; "" for what no form can carry
	Why       string // why it stands in its group: "alias", "by definition", ""

	row evidence.Spelling
}

// spelledParams are the parameters of the run list that find a spelling.
var spelledParams = map[evidence.FactKey]string{
	evidence.KeyGPUProduct: "gpu", evidence.KeyEngine: "engine", evidence.KeyEngineVersion: "engine", evidence.KeyImage: "engine",
	evidence.KeyModel: "model", evidence.KeyServedModel: "model", evidence.KeyCheckpoint: "model", evidence.KeyModelArtifact: "model",
	evidence.KeyProtocol: "protocol",
}

func spelledURL(k evidence.FactKey, spelling string) string {
	if p, ok := spelledParams[k]; ok && typable(spelling) {
		return Query(runsPath, p, spelling)
	}
	return ""
}

// typable reports whether a text can go through a form and an address as it is.
func typable(s string) bool {
	return s != "" && len(s) <= maxPointer/2 && utf8.ValidString(s) && s == strings.TrimSpace(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// BuildSpellings groups spellings by what aliases and definitions say they mean.
func BuildSpellings(list []evidence.Spelling, local bool) Spellings {
	v := Spellings{Tabs: repairTabs("/repair/spellings"), Exports: PageExports("/repair/spellings", "/repair/spellings"), Local: local}
	for _, s := range list {
		i := slices.IndexFunc(v.Keys, func(k SpelledKey) bool { return k.ID == string(s.Key) })
		if i < 0 {
			i = len(v.Keys)
			v.Keys = append(v.Keys, SpelledKey{ID: string(s.Key), Title: recased(plain(evidence.LookupKey(s.Key).Title, maxName), upper)})
		}
		v.Keys[i].add(s)
	}
	for i := range v.Keys {
		slices.SortStableFunc(v.Keys[i].Groups, func(a, b SpellingGroup) int { return b.Documents - a.Documents })
	}
	return v
}

func (k *SpelledKey) add(s evidence.Spelling) {
	k.Spelled++
	word := s.Value
	if s.Meaning != "" {
		word = s.Meaning
	}
	line := SpellingLine{
		Value: Words(s.Value, maxName, ""), Href: spelledURL(s.Key, s.Value), Documents: CountFig(int64(s.Documents), cmp.Or(spelledURL(s.Key, s.Value), "/repair/spellings")),
		row: s,
	}
	if typable(s.Value) {
		line.Alias = Query("/repair/alias", "key", string(s.Key), "spelling", s.Value)
	}
	if s.Meaning != "" {
		line.Why = "by an alias"
	}
	for i := range k.Groups {
		g := &k.Groups[i]
		same := g.Meaning == word
		if !same && g.allMean(s.Key, word) {
			same = true
			if line.Why == "" {
				line.Why = "by definition"
			}
		}
		if same {
			g.Spellings = append(g.Spellings, line)
			g.Documents += s.Documents
			g.Covered = g.Covered || s.Meaning != ""
			return
		}
	}
	k.Groups = append(k.Groups, SpellingGroup{Meaning: word, Covered: s.Meaning != "", Spellings: []SpellingLine{line}, Documents: s.Documents})
}

// allMean reports whether every spelling of a group means the same as a word. One that
// leaves something open may mean the same as two that do not mean the same as each other.
func (g *SpellingGroup) allMean(k evidence.FactKey, word string) bool {
	for i := range g.Spellings {
		if !compare.SameMeaning(k, cmp.Or(g.Spellings[i].row.Meaning, g.Spellings[i].row.Value), word) {
			return false
		}
	}
	return true
}

// Table is the spellings as a file.
func (v Spellings) Table() export.Table {
	t := export.Table{Title: "Spellings", Columns: []export.Column{
		{Name: "key", Form: export.Code, Help: "fact key"}, {Name: "spelling", Help: "as it stands in evidence"}, {Name: "documents", Form: export.Figure, Help: "that spell it so"},
		{Name: "group", Help: "one spelling that stands for all that mean the same"}, {Name: "alias", Help: "what an alias says it means"},
	}}
	for _, k := range v.Keys {
		for _, g := range k.Groups {
			for _, s := range g.Spellings {
				t.Rows = append(t.Rows, []export.Cell{export.Text(k.ID), export.Text(s.row.Value), export.Integer(s.row.Documents), export.Text(g.Meaning), export.Optional(s.row.Meaning)})
			}
		}
	}
	return t
}

func upper(r rune) rune { return []rune(strings.ToUpper(string(r)))[0] }
