package view

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

// GridPage is runs of any campaigns over two factors.
type GridPage struct {
	Query   GridQuery
	Title   string
	Intro   string
	Rows    []Choice
	Cols    []Choice
	Figures []Choice
	Classes []Choice
	Splits  []AxisChoice
	Grids   []GridView
	More    string
	Exports Exports
}

// GridView is one grid: all runs, or those of one value of the factors it is split by.
type GridView struct {
	ID       string
	Title    string
	Unit     string
	Rows     string // head of the row labels
	Heads    []GridHead
	Lines    []GridLine
	Shaded   bool
	Unplaced []string
	Interact bool
}

// GridQuery is the page's address.
type GridQuery struct {
	Campaign   string
	Rows, Cols string
	Figure     string
	Class      string
	Split      []string
}

// GridHead is one column.
type GridHead struct{ Text, Sub string }

// GridLine is one row.
type GridLine struct {
	Label string
	Cells []GridPlace
}

// GridPlace is one cell with its effects.
type GridPlace struct {
	Label   string // repeated where rows turn into cards
	Kind    string // "value", "hole", "badge"
	Badge   *Badge
	Word    string
	Note    string
	Value   Figure
	Upper   *Figure
	Sub     string
	One     bool
	Step    int
	Struck  bool
	Compare string // address of the comparison with the controls
	Plan    string // address of the campaign file that would fill a hole
	Effects []GridChange
}

// GridChange is an effect as its cell says it.
type GridChange struct {
	Axis   string // "MTP depth 0", "TP 1"
	Change string
	Badge  Badge
	Word   string
	Extra  string // "efficiency 0.60", "confounded by KV dtype"
	Why    string // for a stopped pair
	Struck bool
}

// gridFactors are what runs can be laid out over.
var gridFactors = []evidence.FactKey{
	evidence.KeyTP, evidence.KeyMTPDepth, evidence.KeySpecMethod, evidence.KeyDraftDepth, evidence.KeyServedContext, evidence.KeyContextTarget,
	evidence.KeyConcurrency, evidence.KeyCheckpoint, evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyQuantisation, evidence.KeyEngine,
	evidence.KeyEngineVersion, evidence.KeyKVDtype, evidence.KeyGPUProduct, evidence.KeyGPUCount, evidence.KeyDP, evidence.KeyMaxSequences,
	evidence.KeyBatchedTokens, evidence.KeyChunkTokens, evidence.KeyPrefixCache, evidence.KeyServedModel, evidence.KeyThinking, evidence.KeyOutputCap,
	evidence.KeyBatchSize,
}

// Spec is the query as the comparison takes it; open fields take TP, MTP depth and the
// decode rate.
func (q *GridQuery) Spec() (s compare.GridSpec, fault string) {
	if q.Rows == "" {
		q.Rows = string(evidence.KeyTP)
	}
	if q.Cols == "" {
		q.Cols = string(evidence.KeyMTPDepth)
	}
	if q.Figure == "" {
		q.Figure = compare.Figure{Metric: evidence.DecodeRate, Stat: evidence.P50}.String()
	}
	s = compare.GridSpec{Rows: evidence.FactKey(q.Rows), Cols: evidence.FactKey(q.Cols), Class: q.Class}
	for _, k := range []evidence.FactKey{s.Rows, s.Cols} {
		if !slices.Contains(gridFactors, k) {
			return s, plain(string(k), 40) + " is not a factor that runs are laid out over"
		}
	}
	if s.Rows == s.Cols {
		return s, "rows and columns are the same factor"
	}
	for _, k := range q.Split {
		if !slices.Contains(gridFactors, evidence.FactKey(k)) {
			return s, plain(k, 40) + " is not a factor that runs are split by"
		}
	}
	f, err := compare.ParseFigure(q.Figure)
	if err != nil {
		return s, err.Error()
	}
	s.Figure = f
	return s, ""
}

// SplitBy are the factors that the runs are split by, without those of the axes.
func (q *GridQuery) SplitBy() []evidence.FactKey {
	var out []evidence.FactKey
	for _, k := range q.Split {
		if k != q.Rows && k != q.Cols && !slices.Contains(out, evidence.FactKey(k)) {
			out = append(out, evidence.FactKey(k))
		}
	}
	return out
}

// URL is the page's address.
func (q *GridQuery) URL(path string) string {
	pairs := []string{"campaign", q.Campaign, "rows", q.Rows, "cols", q.Cols, "f", q.Figure, "class", q.Class}
	for _, k := range q.SplitBy() {
		pairs = append(pairs, "split", string(k))
	}
	return Query(path, pairs...)
}

// BuildGridPage lays grids out. There is at least one.
func BuildGridPage(grids []compare.Grid, q GridQuery, have []compare.Figure) GridPage {
	g := &grids[0]
	p := GridPage{Query: q, Title: factorName(g.Spec.Rows) + " by " + factorName(g.Spec.Cols),
		Intro: "Runs over two factors, repeats joined. Each cell stands against the first of its row and of its column; a place where several arms stand picks none of them."}
	split := q.SplitBy()
	for _, k := range gridFactors {
		name := evidence.LookupKey(k).Title
		p.Rows = append(p.Rows, Choice{Value: string(k), Label: name, Chosen: k == g.Spec.Rows})
		p.Cols = append(p.Cols, Choice{Value: string(k), Label: name, Chosen: k == g.Spec.Cols})
		if on := slices.Contains(split, k); on || keepsApart(grids, k) {
			p.Splits = append(p.Splits, AxisChoice{Value: string(k), Label: name, On: on})
		}
	}
	if !slices.Contains(have, g.Spec.Figure) {
		have = append([]compare.Figure{g.Spec.Figure}, have...)
	}
	for _, f := range have {
		p.Figures = append(p.Figures, figureChoice(f, g.Spec.Figure.String()))
	}
	for _, c := range g.Classes {
		p.Classes = append(p.Classes, Choice{Value: c, Label: classTitle(c), Chosen: c == g.Spec.Class})
	}
	for i := range grids {
		p.Grids = append(p.Grids, gridView(&grids[i], split, i))
		if grids[i].Bounded {
			p.More = "There are more runs or values than are laid out; narrow the page to a campaign."
		}
	}
	p.Exports = Exports{CSV: q.URL("/matrix/factors.csv"), JSON: q.URL("/matrix/factors.json"), Markdown: q.URL("/matrix/factors.md"), Permalink: q.URL("/matrix/factors")}
	return p
}

// keepsApart: a fact in which several arms of one place differ is worth splitting by.
func keepsApart(grids []compare.Grid, k evidence.FactKey) bool {
	for i := range grids {
		for r := range grids[i].Cells {
			if slices.ContainsFunc(grids[i].Cells[r], func(c compare.GridCell) bool { return slices.Contains(c.Apart, k) }) {
				return true
			}
		}
	}
	return false
}

func gridView(g *compare.Grid, split []evidence.FactKey, i int) GridView {
	b := gridBuilder{g: g, scale: gridScale(g)}
	v := GridView{ID: "grid-" + strconv.Itoa(i+1), Rows: evidence.LookupKey(g.Spec.Rows).Title, Title: factorName(g.Spec.Rows) + " by " + factorName(g.Spec.Cols)}
	for j, s := range g.Held {
		text := "not recorded"
		if s.Value != "" {
			text = plain(factText(evidence.LookupKey(split[j]), s.Value), maxName)
		}
		v.Title += ", " + evidence.LookupKey(split[j]).Title + " " + text
	}
	v.Unit = g.Info.Title + " " + statWord(g.Spec.Figure.Stat)
	if b.scale.Unit != "" {
		v.Unit += ", " + b.scale.Unit
	}
	if w := betterWords[g.Info.Better]; w != "" {
		v.Unit += ", " + w
	}
	for n, c := range g.ColValues {
		h := GridHead{Text: factorValue(g.Spec.Cols, c)}
		if n == 0 {
			h.Sub = "control of the columns"
		}
		v.Heads = append(v.Heads, h)
	}
	for r := range g.Cells {
		line := GridLine{Label: factorValue(g.Spec.Rows, g.RowValues[r])}
		for c := range g.Cells[r] {
			line.Cells = append(line.Cells, b.place(r, c))
			v.Shaded = v.Shaded || g.Cells[r][c].Shade > 0
			v.Interact = v.Interact || g.Crossed[r][c].OK
		}
		v.Lines = append(v.Lines, line)
	}
	v.Unplaced = gridUnplaced(g)
	return v
}

func factorName(k evidence.FactKey) string { return headed(evidence.LookupKey(k).Title) }

func factorValue(k evidence.FactKey, v string) string {
	info := evidence.LookupKey(k)
	text := plain(factText(info, v), maxName)
	if n, ok := axisNames[k]; ok && k != evidence.KeyServedContext {
		return n + " " + text
	}
	return text
}

func gridScale(g *compare.Grid) Scale {
	var values []float64
	for r := range g.Cells {
		for c := range g.Cells[r] {
			values = append(values, pointsOf(&g.Cells[r][c].Value)...)
		}
	}
	return ScaleFor(g.Info.Unit, values...)
}

func gridUnplaced(g *compare.Grid) []string {
	count := map[evidence.FactKey]int64{}
	var order []evidence.FactKey
	for _, u := range g.Unplaced {
		if count[u.Missing]++; count[u.Missing] == 1 {
			order = append(order, u.Missing)
		}
	}
	var out []string
	for _, k := range order {
		out = append(out, Plural(count[k], "run records", "runs record")+" no "+evidence.LookupKey(k).Title)
	}
	return out
}

type gridBuilder struct {
	g     *compare.Grid
	scale Scale
}

func (b *gridBuilder) place(r, c int) GridPlace {
	cell := &b.g.Cells[r][c]
	p := GridPlace{Kind: "hole", Label: factorValue(b.g.Spec.Cols, b.g.ColValues[c])}
	switch cell.State {
	case compare.CellNotRun:
		p.Word, p.Plan = "not run", b.plan(r, c)
		return p
	case compare.CellNoValue:
		p.Word = "not recorded"
		return p
	case compare.CellFailed:
		p.Kind, p.Badge = "badge", &Badge{Kind: "blocked", Glyph: "gate-failed", Word: "failed", Href: RunURL(cell.Arms[0].Head().ID)}
		return p
	case compare.CellOpen:
		p.Kind, p.Badge = "badge", &Badge{Kind: "unknown", Glyph: "gate-unresolved", Word: "unresolved", Href: RunURL(cell.Arms[0].Head().ID)}
		return p
	case compare.CellSeveral:
		p.Kind, p.Badge = "badge", &Badge{Kind: "unknown", Glyph: "conflict", Word: "several arms"}
		p.Note = "confounded: " + keyTitles(cell.Apart, 4)
		p.Compare = compareArms(cell.Arms, b.g.Spec)
		return p
	}
	head := cell.Repeats.Head()
	p.Kind, p.Step, p.Struck = "value", cell.Shade, head.Rejected != ""
	cb := compareBuilder{scale: []Scale{b.scale}}
	var filled CompareCell
	cb.fill(&filled, &cell.Value, 0)
	p.Value, p.Upper, p.Sub, p.One = filled.Value, filled.Upper, filled.Sub, filled.One
	if cell.State == compare.CellExternal {
		p.Note = "external: published by somebody else"
	}
	if p.Struck {
		p.Note = "rejected, cannot win"
	}
	b.changes(&p, r, c)
	return p
}

// plan is the campaign file that would fill a hole: the nearest arm of the row, or else of
// the column, with the missing value of the factor.
func (b *gridBuilder) plan(r, c int) string {
	g := b.g
	for i := range g.Cells[r] {
		if near := &g.Cells[r][i]; near.Repeats != nil {
			return Query("/compare/plan.toml", "c", near.Repeats.Head().ID, "f", g.Spec.Figure.String(), "set", string(g.Spec.Cols)+":"+g.ColValues[c])
		}
	}
	for i := range g.Cells {
		if near := &g.Cells[i][c]; near.Repeats != nil {
			return Query("/compare/plan.toml", "c", near.Repeats.Head().ID, "f", g.Spec.Figure.String(), "set", string(g.Spec.Rows)+":"+g.RowValues[r])
		}
	}
	return ""
}

func (b *gridBuilder) changes(p *GridPlace, r, c int) {
	g := b.g
	var controls []compare.Repeats
	add := func(e *compare.GridEffect, k evidence.FactKey, control string, at *compare.GridCell) {
		if !e.Has {
			return
		}
		controls = append(controls, at.Repeats)
		p.Effects = append(p.Effects, gridChange(e, "against "+shortFactor(k, control), p.Struck))
	}
	add(&g.ColEffects[r][c], g.Spec.Cols, g.ColValues[0], &g.Cells[r][0])
	add(&g.RowEffects[r][c], g.Spec.Rows, g.RowValues[0], &g.Cells[0][c])
	if x := g.Crossed[r][c]; x.OK {
		p.Effects = append(p.Effects, GridChange{Axis: "interaction", Change: Change(x.V), Badge: verdictBadge(compare.Caution)})
	}
	if len(controls) > 0 {
		p.Compare = compareArms(append(controls[:1], g.Cells[r][c].Repeats), g.Spec)
	}
}

func shortFactor(k evidence.FactKey, v string) string {
	if n, ok := axisNames[k]; ok {
		return n + " " + plain(v, 30)
	}
	return plain(factText(evidence.LookupKey(k), v), 30)
}

func gridChange(e *compare.GridEffect, axis string, struck bool) GridChange {
	x := GridChange{Axis: axis, Badge: verdictBadge(e.Verdict), Struck: struck}
	if !e.Verdict.Shows() {
		x.Why = shortWhy(e.Reasons)
		return x
	}
	switch {
	case e.Change.OK:
		x.Change = Change(e.Change.V)
	case e.Low.OK && e.High.OK:
		x.Change = Change(e.Low.V) + " to " + Change(e.High.V)
	}
	switch {
	case struck:
		x.Word = "cannot win"
	case e.Single:
		x.Word = "one observation"
	default:
		x.Word = e.Better
	}
	var extra []string
	if e.Efficiency.OK {
		extra = append(extra, "efficiency per card "+ScaleFor(evidence.Ratio, e.Efficiency.V).Format(e.Efficiency.V))
	}
	if len(e.Confounded) > 0 {
		extra = append(extra, "confounded by "+keyTitles(e.Confounded, 3))
	}
	x.Extra = strings.Join(extra, "; ")
	return x
}

// keyTitles are the first few titles of keys.
func keyTitles(keys []evidence.FactKey, most int) string {
	var names []string
	for i, k := range keys {
		if i == most {
			names = append(names, Int(int64(len(keys)-most))+" more")
			break
		}
		names = append(names, evidence.LookupKey(k).Title)
	}
	return strings.Join(names, ", ")
}

func compareArms(arms []compare.Repeats, s compare.GridSpec) string {
	q := CompareQuery{Spec: compare.Spec{Figures: []compare.Figure{s.Figure}, Axes: []evidence.FactKey{s.Cols, s.Rows}}}
	for i, a := range arms {
		if i == 0 {
			q.Spec.Control = runIDs(a)
		} else if i <= compare.MaxArms {
			q.Spec.Arms = append(q.Spec.Arms, runIDs(a))
		}
	}
	return q.URL("/compare")
}
