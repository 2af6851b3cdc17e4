package view

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

// ComparePage is up to a hundred arms against one control.
type ComparePage struct {
	Title   string
	Intro   string
	Heads   []CompareHead
	Control CompareLine
	Arms    []CompareLine
	Shared  []CaveatLine
	Tally   string // "12 ok or caveat, 3 blocked"
	Drawn   *CompareDrawing
	Facts   []FactDiffRow
	Equal   EqualFacts
	Figures []FigureChoice
	Axes    []AxisChoice
	Hidden  []Hidden // what the form for figures and axes carries along
	Compact bool
	Say     []string
	Exports Exports
	Bench   string
	Explore ExploreNote
	Moved   string // the permalink's digest is not today's: what to make of it
}

// ExploreNote says that waivers could open stopped pairs, or that they do.
type ExploreNote struct {
	On     bool
	Words  string
	Toggle string
}

// CompareHead is one column.
type CompareHead struct{ Title, Stat, Unit, Better string }

// CompareLine is the control or one arm.
type CompareLine struct {
	ID       string // anchor
	Name     Linked
	Run      string // href of the head run
	Sub      string
	Repeats  string // "6 repeats"
	Rejected *Linked
	Cells    []CompareCell
	Stops    []ComparedReason // blocked and unknown
	Caveats  []ComparedReason
	Open     bool
	Count    string // "2 stop, 5 caveats"
	MakeCtl  string // this arm as the control
	Drop     string
	Plan     string // the campaign file that would lift what stops it
}

// CompareCell is an arm in one figure.
type CompareCell struct {
	Label string // column head, repeated where rows turn into cards
	Hole  string // "not recorded", for the control
	// Stopped is set where there is no number.
	Stopped  *Badge
	Why      string
	Value    Figure
	Upper    *Figure
	Sub      string
	One      bool
	Struck   bool
	Change   Figure // "+39.1%"; opens the reasons
	Badge    *Badge
	Word     string // "better"
	Explored *ExploredCell
	Effect   string // "Cliff's delta 1.00, large; p 0.002"
}

// ExploredCell is what a waiver opens: for looking only.
type ExploredCell struct {
	ControlUpper, Upper *Figure // the other bounds of intervals
	Control, Value      Figure
	Change              Figure
	Who                 string // "waiver 3 by NAME"
	Reason              string
	Href                string
}

// ComparedReason is a reason with what it means for which figures.
type ComparedReason struct {
	ReasonLine
	Declare []NamedLink // forms for the fact that a side lacks
	Figures string      // "all figures", "TTFT, E2E"
}

// FigureChoice is a figure that can be shown or hidden.
type FigureChoice struct {
	Value, Label string
	On           bool
}

// AxisChoice is a factor that can be asked about.
type AxisChoice struct {
	Value, Label string
	On           bool
}

// Hidden is a field that a form carries along.
type Hidden struct{ Name, Value string }

// EqualFacts says how many facts are the same on every side.
type EqualFacts struct {
	Count  int
	Toggle string
	Shown  bool
}

// FactDiffRow is one fact over all sides.
type FactDiffRow struct {
	Title string
	Key   string
	Class string
	Badge *Badge
	Note  string
	Sides []FactDiffSide
}

// FactDiffSide is what one side has.
type FactDiffSide struct {
	Value SideValue
	Same  bool
	Gap   bool
}

// CompareQuery is the comparison as the address has it.
type CompareQuery struct {
	Spec  compare.Spec
	Equal bool
	// Explore asks for what waivers open; Waivers is how many hold for these runs.
	Explore bool
	Waivers int
	// MayDeclare offers the forms for facts that a side lacks.
	MayDeclare bool
	View       string // digest of the permalink, "" without
}

// URL is the address of the query; parameters stand in fixed order, defaults are left out.
func (q *CompareQuery) URL(path string) string {
	parts := []string{"c", strings.Join(q.Spec.Control, ".")}
	for _, a := range q.Spec.Arms {
		parts = append(parts, "a", strings.Join(a, "."))
	}
	for _, f := range q.Spec.Figures {
		parts = append(parts, "f", f.String())
	}
	for _, k := range q.Spec.Axes {
		parts = append(parts, "x", string(k))
	}
	if q.Equal {
		parts = append(parts, "equal", "1")
	}
	if q.Explore {
		parts = append(parts, "explore", "1")
	}
	if q.View != "" {
		parts = append(parts, "view", q.View)
	}
	return Query(path, parts...)
}

// compactFrom is the number of arms from which on a row is one line.
const compactFrom = 20

// BuildComparePage is the page of an answered comparison. digest is the digest of its
// downloadable table: the permalink carries it, so that a reader sees when the archive
// answers otherwise than on the day the link was made.
func BuildComparePage(c *compare.Comparison, q CompareQuery, offered []compare.Figure, digest string) ComparePage {
	b := compareBuilder{c: c, q: q, page: ComparePage{Compact: len(c.Arms) >= compactFrom}}
	b.scales()
	b.names = apartNames(b.heads())
	b.head()
	b.page.Control = b.control()
	for i := range c.Arms {
		b.page.Arms = append(b.page.Arms, b.arm(i))
	}
	b.page.Shared = b.shared()
	b.page.Drawn = b.drawing()
	b.facts()
	b.choices(offered)
	b.exploreNote()
	b.links(digest)
	return b.page
}

type compareBuilder struct {
	c      *compare.Comparison
	q      CompareQuery
	page   ComparePage
	scale  []Scale
	names  []string // of the control, then of the arms
	titles []string // of the figures
}

// heads are the runs that stand for the sides.
func (b *compareBuilder) heads() []*evidence.RunRow {
	out := []*evidence.RunRow{b.c.Control.Repeats.Head()}
	for i := range b.c.Arms {
		out = append(out, b.c.Arms[i].Repeats.Head())
	}
	return out
}

// scales fits each column's unit and decimals to the values that it shows.
func (b *compareBuilder) scales() {
	for i := range b.c.Figures {
		values := pointsOf(&b.c.Control.Values[i])
		for j := range b.c.Arms {
			values = append(values, pointsOf(&b.c.Arms[j].Cells[i].Value)...)
		}
		b.scale = append(b.scale, ScaleFor(b.c.Figures[i].Info.Unit, values...))
		b.titles = append(b.titles, b.c.Figures[i].Info.Title)
	}
}

func pointsOf(v *compare.Value) []float64 {
	var out []float64
	for _, o := range []evidence.Opt[float64]{v.Point, v.Lower, v.Upper} {
		if o.OK {
			out = append(out, o.V)
		}
	}
	return out
}

func (b *compareBuilder) head() {
	p := &b.page
	p.Title = Plural(int64(len(b.c.Arms)), "arm", "arms") + " against " + b.names[0]
	for i := range b.c.Figures {
		f := &b.c.Figures[i]
		p.Heads = append(p.Heads, CompareHead{
			Title: f.Info.Title, Stat: statWord(f.Stat), Unit: b.scale[i].Unit, Better: betterWords[f.Info.Better],
		})
	}
	shows, stops := 0, map[compare.Verdict]int{}
	for v, n := range b.c.Counts {
		if v.Shows() {
			shows += n
		} else {
			stops[v] += n
		}
	}
	parts := []string{Plural(int64(shows), "pair may", "pairs may") + " be compared"}
	for _, v := range []compare.Verdict{compare.Blocked, compare.Unknown} {
		if stops[v] > 0 {
			parts = append(parts, Int(int64(stops[v]))+" "+string(v))
		}
	}
	p.Tally = strings.Join(parts, ", ")
	p.Intro = "Each cell carries its own verdict. Where there is no ok or caveat there is no number: the reason stands in its place."
}

func (b *compareBuilder) line(r compare.Repeats, name string) CompareLine {
	h := r.Head()
	l := CompareLine{Name: Quote(name, maxName, h.Artifact, h.ArmPlace), Run: RunURL(h.ID), Sub: subOf(h)}
	if len(r) > 1 {
		l.Repeats = Plural(int64(len(r)), "repeat", "repeats")
	}
	if h.Rejected != "" {
		q := Quote(h.Rejected, maxValue, h.Artifact, h.RejectedPlace)
		l.Rejected = &q
	}
	return l
}

// subOf is the shape of a run in a few words.
func subOf(r *evidence.RunRow) string {
	parts := []string{classTitle(r.Class)}
	for _, k := range []evidence.FactKey{evidence.KeyContextTarget, evidence.KeyConcurrency, evidence.KeyRequests} {
		if f, ok := r.Fact(k); ok && f.Value != "" {
			short := map[evidence.FactKey]string{
				evidence.KeyContextTarget: "context ", evidence.KeyConcurrency: "C", evidence.KeyRequests: "n ",
			}[k]
			parts = append(parts, short+plain(factText(evidence.LookupKey(k), f.Value), 40))
		}
	}
	return strings.Join(parts, ", ")
}

func (b *compareBuilder) control() CompareLine {
	l := b.line(b.c.Control.Repeats, b.names[0])
	for i := range b.c.Figures {
		cell := CompareCell{Label: b.label(i)}
		v := &b.c.Control.Values[i]
		if !v.Recorded {
			cell.Hole = "not recorded"
		} else if b.shownAnywhere(i) {
			b.fill(&cell, v, i)
		} else {
			// Every pair of the column is stopped: the control's value beside the reasons
			// would be the other half of what must not be set side by side.
			cell.Hole = "no pair may be compared"
		}
		l.Cells = append(l.Cells, cell)
	}
	return l
}

func (b *compareBuilder) shownAnywhere(figure int) bool {
	if len(b.c.Arms) == 0 {
		return true
	}
	return slices.ContainsFunc(b.c.Arms, func(a compare.ArmRow) bool { return a.Cells[figure].Verdict.Shows() })
}

func (b *compareBuilder) label(i int) string {
	h := b.page.Heads[i]
	return strings.TrimSuffix(h.Title+", "+h.Stat+", "+h.Unit, ", ")
}

// fill writes a value with its second line.
func (b *compareBuilder) fill(cell *CompareCell, v *compare.Value, i int) {
	s := b.scale[i]
	at := func(n int, text string) Figure {
		if n >= len(v.Sources) {
			n = 0
		}
		f := Fig(text, v.Sources[n].Artifact, v.Sources[n].Place)
		f.Calc = v.Repeats > 1
		return f
	}
	switch {
	case v.Point.OK:
		cell.Value = at(0, s.Format(v.Point.V))
	case v.Lower.OK && v.Upper.OK:
		cell.Value = at(0, s.Format(v.Lower.V))
		u := at(1, s.Format(v.Upper.V))
		cell.Upper, cell.Sub = &u, "bounds, no point value"
		return
	}
	switch {
	case v.Repeats > 1 && v.Summary != nil && v.Summary.Range.OK:
		cell.Sub = "95% " + s.Format(v.Summary.Lo) + " to " + s.Format(v.Summary.Hi) + ", " + Int(int64(v.Repeats)) + " repeats"
	case v.Repeats > 1:
		cell.Sub = "median of " + Int(int64(v.Repeats)) + " repeats"
	case v.N.OK && v.N.V == 1:
		cell.One = true
	case v.N.OK:
		cell.Sub = "n " + Int(v.N.V)
	}
}

func (b *compareBuilder) arm(i int) CompareLine {
	a := &b.c.Arms[i]
	l := b.line(a.Repeats, b.names[i+1])
	l.ID = "arm-" + strconv.Itoa(i+1)
	for j := range a.Cells {
		l.Cells = append(l.Cells, b.cell(a, j, "#"+l.ID))
	}
	b.reasons(&l, a)
	swapped := b.q
	swapped.View = ""
	swapped.Spec.Control = b.q.Spec.Arms[i]
	swapped.Spec.Arms = slices.Clone(b.q.Spec.Arms)
	swapped.Spec.Arms[i] = b.q.Spec.Control
	l.MakeCtl = swapped.URL("/compare")
	if len(b.c.Arms) > 1 {
		less := b.q
		less.View = ""
		less.Spec.Arms = slices.Delete(slices.Clone(b.q.Spec.Arms), i, i+1)
		l.Drop = less.URL("/compare")
	}
	return l
}

func (b *compareBuilder) shared() []CaveatLine {
	var out []CaveatLine
	for i, r := range b.c.Shared {
		out = append(out, CaveatLine{
			ID: caveatID(i), Badge: verdictBadge(r.Verdict), Scope: "every pair", Rule: r.Rule,
			Message: plain(r.Message, maxValue), Remedy: plain(r.Remedy, maxValue),
		})
	}
	return out
}
