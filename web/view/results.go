package view

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"assay/store/evidence"
)

// Results is one table of figures: runs of one class that one part of a source lists
// together, a row each, with one column for each metric and statistic.
type Results struct {
	ID      string
	Title   string
	Class   string
	Shared  []Labelled // facts that hold for every row
	Method  string     // how percentiles were taken
	Groups  []HeadGroup
	Rows    []ResultRow
	Total   int    // runs that belong here
	Left    string // metrics that stand on the runs' own pages
	Derived int    // figures read out of sentences
	More    string // address of the whole table when rows are left out
	Exports Exports
	Outcome bool // rows have an outcome cell
}

// HeadGroup is a metric over its statistics.
type HeadGroup struct {
	Title, Unit, Better string
	Stats               []HeadStat
}

// UnitWords is the unit behind the title, "" when there is none.
func (g HeadGroup) UnitWords() string {
	if g.Unit == "" {
		return ""
	}
	return ", " + g.Unit
}

// HeadStat is one column's head.
type HeadStat struct{ Name, Note string }

// ResultRow is one run.
type ResultRow struct {
	Arm      Linked
	Run      string // address of the run's page
	RunName  string
	Rejected *Linked // the source's reason, verbatim
	Status   *Badge  // how it ended, nil for a run that was measured
	Facts    []Labelled
	Cells    []Cell
	Outcome  *Outcome
}

// Outcome is "100 of 100", each number with its source.
type Outcome struct{ Done, Of Figure }

// ResultOptions says how much of the runs a table shows.
type ResultOptions struct {
	Rows  int             // most rows a table; 0 is all
	Brief bool            // the statistics people read first; the rest is on the runs' pages
	More  string          // address of the whole table
	Page  string          // address of the page the tables stand on
	Only  evidence.Filter // what the runs were narrowed to
}

// BuildResults groups runs into tables. Runs stand together when one reader found
// them in one part of their documents and they are of one class: figures of different
// workloads do not share a scale or a column.
func BuildResults(runs []evidence.RunRow, opt ResultOptions) []Results {
	groups := groupRuns(runs)
	titles := make(map[string]int)
	for _, g := range groups {
		titles[partTitle(g.key.part, g.key.class)]++
	}
	tables := make([]Results, 0, len(groups))
	for i, g := range groups {
		t := buildTable(g.runs, opt)
		t.ID = "t-" + Int(int64(i+1))
		t.Class = classTitle(g.key.class)
		if t.Title = partTitle(g.key.part, g.key.class); titles[t.Title] > 1 && g.key.name == "" && t.Title != t.Class {
			t.Title += ": " + recased(t.Class, unicode.ToLower)
		}
		if name := plain(g.key.name, maxName); !strings.Contains(strings.ToLower(t.Title), strings.ToLower(name)) {
			t.Title += ": " + name
		}
		only := opt.Only
		if addressable(g.key.class) {
			only.Class = g.key.class
		}
		t.Exports = ListExports("measurements", opt.Page+"#"+t.ID, only)
		tables = append(tables, t)
	}
	return tables
}

// runKey is what runs of one table have in common.
type runKey struct{ reader, part, class, name string }

type runGroup struct {
	key  runKey
	runs []evidence.RunRow
}

// groupRuns splits runs into tables, in source order. Where a part of a source has a
// few kinds of run under names that come back ("first" and "repeat", "headline" and
// "matched control"), each kind is a table: they are different workloads or states.
func groupRuns(runs []evidence.RunRow) []runGroup {
	names := make(map[runKey]map[string]int)
	for i := range runs {
		k := keyOf(&runs[i])
		if names[k] == nil {
			names[k] = make(map[string]int)
		}
		names[k][runs[i].Name]++
	}
	var groups []runGroup
	at := make(map[runKey]int)
	for _, r := range runs {
		k := keyOf(&r)
		if kinds(names[k]) {
			k.name = cmp.Or(r.Name, "unnamed")
		}
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, runGroup{key: k})
		}
		groups[i].runs = append(groups[i].runs, r)
	}
	return groups
}

func keyOf(r *evidence.RunRow) runKey {
	reader, _, _ := strings.Cut(r.Reader, "@")
	return runKey{reader: reader, part: partOf(r.Place.Pointer), class: r.Class}
}

// mostKinds is how many kinds of run a part of a source may have to be split by them.
const mostKinds = 4

// kinds reports whether names sort runs into a few kinds rather than name each one.
func kinds(names map[string]int) bool {
	if len(names) < 2 || len(names) > mostKinds {
		return false
	}
	for _, n := range names {
		if n > 1 {
			return true
		}
	}
	return false
}

// partOf is the first member name of a run's place: which part of its document lists it.
func partOf(p evidence.Pointer) string {
	for _, tok := range p.Tokens() {
		if tok != "" && strings.Trim(tok, "0123456789") != "" {
			return tok
		}
	}
	return ""
}

// plainParts say nothing beside the class.
var plainParts = map[string]bool{"": true, "results": true, "measurement": true, "metrics": true, "runs": true, "summary": true}

func partTitle(part, class string) string {
	if plainParts[part] {
		return classTitle(class)
	}
	return headed(part)
}

func buildTable(runs []evidence.RunRow, opt ResultOptions) Results {
	t := Results{Total: len(runs)}
	shown := runs
	if opt.Rows > 0 && len(runs) > opt.Rows {
		shown, t.More = runs[:opt.Rows], opt.More
	}
	cols, left := chooseColumns(shown, opt.Brief)
	t.Left = left
	t.Groups = heads(cols)
	t.Shared = sharedShape(shown)
	t.Method = methodWords(shown)
	keys := withinArms(shown, differing(shown))
	named := slices.ContainsFunc(shown, func(r evidence.RunRow) bool { return r.Name != shown[0].Name })
	for i := range shown {
		row, derived := buildRow(&shown[i], cols, keys)
		if !named {
			row.RunName = ""
		}
		t.Outcome = t.Outcome || row.Outcome != nil
		t.Derived += derived
		t.Rows = append(t.Rows, row)
	}
	numberAlike(t.Rows, shown)
	return t
}
