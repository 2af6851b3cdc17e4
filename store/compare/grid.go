package compare

import (
	"slices"

	"assay/store/evidence"
)

// GridSpec lays runs of any campaigns out over two factors.
type GridSpec struct {
	Rows, Cols evidence.FactKey
	Figure     Figure
	Class      string // "" takes the class with the most runs that have the figure
}

// Grid is runs over two factors, repeats joined, with effects along both.
type Grid struct {
	Spec       GridSpec
	Held       []Side // the values of the factors that the grids are split by
	Info       evidence.Metric
	RowValues  []string
	ColValues  []string
	Cells      [][]GridCell // [row][col]
	ColEffects [][]GridEffect
	RowEffects [][]GridEffect
	// Crossed says by how much the factors act together: the effect of the column at this
	// row over its effect at the first row, less one. Absent where one of the four figures
	// or one of their pairs is.
	Crossed  [][]evidence.Opt[float64]
	Unplaced []Unplaced
	Classes  []string // classes that have the figure, the fullest first
	Bounded  bool
}

// GridCell is one place.
type GridCell struct {
	State   CellState
	Repeats Repeats // of the one arm that stands here
	Value   Value
	// Apart are the facts in which several arms of one place differ: the place is
	// confounded, and none of them is picked.
	Apart []evidence.FactKey
	Arms  []Repeats // all that stand here
	Shade int       // 1..5, stronger is better; 0 unshaded
}

// CellExternal is a figure that somebody else published.
const CellExternal CellState = "external"

// GridEffect is a cell against the first one of its row or column.
type GridEffect struct {
	PairCell
	Has bool // both cells hold one arm with the figure
	// Confounded are identity facts besides the factor in which the two arms differ: what
	// changed may be theirs.
	Confounded []evidence.FactKey
	// Efficiency is the gain in throughput over the gain in cards, 1 for perfect scaling.
	Efficiency evidence.Opt[float64]
}

// gridMax bounds rows and columns; gridRunsMax the runs laid out.
const (
	gridMax     = 40
	gridRunsMax = 4000
)

// splitMax bounds the grids of one split.
const splitMax = 12

// BuildGrids lays runs out once for every value of the factors in split, in the order of
// their values. A run that does not record one of them goes with the others that do not.
func BuildGrids(runs []evidence.RunRow, spec GridSpec, split []evidence.FactKey) []Grid {
	if len(split) == 0 {
		return []Grid{BuildGrid(runs, spec)}
	}
	if spec.Class == "" {
		if classes := classesWith(runs, spec.Figure); len(classes) > 0 {
			spec.Class = classes[0]
		}
	}
	parts, held, rows := map[string][]evidence.RunRow{}, map[string][]Side{}, map[string][]string{}
	for i := range runs {
		sides := make([]Side, len(split))
		values := make([]string, len(split))
		for j, k := range split {
			sides[j] = side(&runs[i], k)
			values[j] = sides[j].Value
		}
		k := joinKeys(values)
		if parts[k] == nil {
			held[k], rows[k] = sides, values
		}
		parts[k] = append(parts[k], runs[i])
	}
	var out []Grid
	for _, k := range sortedRows(rows) {
		g := BuildGrid(parts[k], spec)
		if len(g.RowValues) == 0 {
			continue
		}
		if len(out) == splitMax {
			out[len(out)-1].Bounded = true
			break
		}
		g.Held = held[k]
		out = append(out, g)
	}
	return out
}

// BuildGrid lays runs out. The first value of a factor (0 before 1, numbers before words)
// is the control of the others.
func BuildGrid(runs []evidence.RunRow, spec GridSpec) Grid {
	g := Grid{Spec: spec}
	g.Info, _ = evidence.LookupMetric(spec.Figure.Metric)
	if len(runs) > gridRunsMax {
		runs, g.Bounded = runs[:gridRunsMax], true
	}
	g.Classes = classesWith(runs, spec.Figure)
	if g.Spec.Class == "" && len(g.Classes) > 0 {
		g.Spec.Class = g.Classes[0]
	}
	at := map[[2]string][]*evidence.RunRow{}
	rows, cols := map[string]bool{}, map[string]bool{}
	for i := range runs {
		r := &runs[i]
		if r.Class != g.Spec.Class {
			continue
		}
		row, col := side(r, spec.Rows), side(r, spec.Cols)
		switch {
		case !row.Known:
			g.Unplaced = append(g.Unplaced, Unplaced{Run: r, Missing: spec.Rows})
			continue
		case !col.Known:
			g.Unplaced = append(g.Unplaced, Unplaced{Run: r, Missing: spec.Cols})
			continue
		}
		rows[row.Value], cols[col.Value] = true, true
		k := [2]string{row.Value, col.Value}
		at[k] = append(at[k], r)
	}
	g.RowValues, g.ColValues = g.bounded(sortedValues(rows)), g.bounded(sortedValues(cols))
	for _, row := range g.RowValues {
		var line []GridCell
		for _, col := range g.ColValues {
			line = append(line, gridCell(at[[2]string{row, col}], spec.Figure))
		}
		g.Cells = append(g.Cells, line)
	}
	g.effects()
	g.cross()
	g.shade()
	return g
}

func (g *Grid) bounded(values []string) []string {
	if len(values) > gridMax {
		g.Bounded = true
		return values[:gridMax]
	}
	return values
}

// classesWith are the workload classes of the runs that have a figure, the fullest first.
func classesWith(runs []evidence.RunRow, f Figure) []string {
	count := map[string]int{}
	var out []string
	for i := range runs {
		if _, ok := runs[i].Primary(f.Metric, f.Stat); !ok {
			continue
		}
		if count[runs[i].Class]++; count[runs[i].Class] == 1 {
			out = append(out, runs[i].Class)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return count[b] - count[a] })
	return out
}

// gridCell is the place of some runs. How a run ended comes first: what it printed before
// it failed is no figure.
func gridCell(runs []*evidence.RunRow, f Figure) GridCell {
	if len(runs) == 0 {
		return GridCell{State: CellNotRun}
	}
	var done []*evidence.RunRow
	worst := CellNotRun
	for _, r := range runs {
		switch r.Status {
		case evidence.RunFailed:
			worst = CellFailed
		case evidence.RunUnresolved:
			if worst != CellFailed {
				worst = CellOpen
			}
		case evidence.NotRun:
		default:
			done = append(done, r)
		}
	}
	if len(done) == 0 {
		return GridCell{State: worst, Arms: GroupRepeats(runs)}
	}
	var have []*evidence.RunRow
	for _, r := range done {
		if _, ok := r.Primary(f.Metric, f.Stat); ok {
			have = append(have, r)
		}
	}
	if len(have) == 0 {
		return GridCell{State: CellNoValue, Arms: GroupRepeats(done)}
	}
	c := GridCell{Arms: GroupRepeats(have)}
	if len(c.Arms) > 1 {
		c.State, c.Apart = CellSeveral, apartIn(c.Arms)
		return c
	}
	c.Repeats = c.Arms[0]
	c.Value = valueOver(c.Repeats, f)
	switch {
	case !c.Value.Recorded:
		c.State = CellNoValue
	case c.Repeats.Head().Status == evidence.External:
		c.State = CellExternal
	case !c.Value.Point.OK:
		c.State = CellInterval
	case c.Value.Repeats < 2 && (f.Stat == evidence.Single || c.Value.N.OK && c.Value.N.V == 1):
		c.State = CellSingle
	default:
		c.State = CellMeasured
	}
	return c
}

// apartIn are the facts in which arms of one place differ.
func apartIn(arms []Repeats) []evidence.FactKey {
	heads := make([]*evidence.RunRow, len(arms))
	for i := range arms {
		heads[i] = arms[i].Head()
	}
	var out []evidence.FactKey
	for _, k := range keysOf(heads) {
		switch evidence.LookupKey(k).Class {
		case evidence.Outcome, evidence.Provenance:
			continue
		}
		if perRun[k] {
			continue
		}
		first := side(heads[0], k)
		if slices.ContainsFunc(heads[1:], func(r *evidence.RunRow) bool { return side(r, k).Value != first.Value }) {
			out = append(out, k)
		}
	}
	return out
}

func (c *GridCell) shows() bool {
	switch c.State {
	case CellMeasured, CellSingle, CellInterval, CellExternal:
		return true
	}
	return false
}

func (g *Grid) effects() {
	for r := range g.Cells {
		var cols, rows []GridEffect
		for c := range g.Cells[r] {
			cols = append(cols, g.effect(&g.Cells[r][0], &g.Cells[r][c], g.Spec.Cols, c > 0))
			rows = append(rows, g.effect(&g.Cells[0][c], &g.Cells[r][c], g.Spec.Rows, r > 0))
		}
		g.ColEffects, g.RowEffects = append(g.ColEffects, cols), append(g.RowEffects, rows)
	}
}

func (g *Grid) effect(control, arm *GridCell, axis evidence.FactKey, apart bool) GridEffect {
	if !apart || !control.shows() || !arm.shows() {
		return GridEffect{}
	}
	axes := []evidence.FactKey{axis}
	e := GridEffect{Has: true, PairCell: comparePair(control.Repeats, arm.Repeats, control.Value, g.Spec.Figure, axes)}
	e.Confounded = confounders(control.Repeats.Head(), arm.Repeats.Head(), axis)
	if e.Verdict.Shows() && e.Change.OK {
		e.Efficiency = g.efficiency(control.Repeats.Head(), arm.Repeats.Head(), e.Change.V)
	}
	return e
}

// confounders are the identity facts besides the factor, and what it moves along with
// itself, in which two arms are known to differ.
func confounders(a, b *evidence.RunRow, axis evidence.FactKey) []evidence.FactKey {
	var out []evidence.FactKey
	for _, k := range keysOf([]*evidence.RunRow{a, b}) {
		if k == axis || slices.Contains(impliedByAxis[axis], k) || evidence.LookupKey(k).Class != evidence.Identity {
			continue
		}
		x, y := side(a, k), side(b, k)
		if x.Known && y.Known && x.Value != y.Value {
			out = append(out, k)
		}
	}
	return out
}

// efficiency is throughput gained over cards gained. A latency does not scale with cards,
// and one more card for the same load is no scaling.
func (g *Grid) efficiency(control, arm *evidence.RunRow, change float64) evidence.Opt[float64] {
	switch g.Info.Unit {
	case evidence.TokensPerSecond, evidence.ChunksPerSecond, evidence.RequestsPerSec:
	default:
		return evidence.None[float64]()
	}
	a, okA := number(control, evidence.KeyGPUCount)
	b, okB := number(arm, evidence.KeyGPUCount)
	if !okA || !okB || a < 1 || b < 1 || a == b {
		return evidence.None[float64]()
	}
	gain := 1 + change
	return evidence.Some(float64(gain*a) / b)
}

// cross forms the interaction of every cell that has all four corners.
func (g *Grid) cross() {
	for r := range g.Cells {
		line := make([]evidence.Opt[float64], len(g.Cells[r]))
		for c := range g.Cells[r] {
			if r == 0 || c == 0 {
				continue
			}
			here, first := &g.ColEffects[r][c], &g.ColEffects[0][c]
			if !shownPoint(here) || !shownPoint(first) || !shownPoint(&g.RowEffects[r][0]) || !shownPoint(&g.RowEffects[r][c]) || first.Change.V == -1 {
				continue
			}
			ratio := float64((1 + here.Change.V) / (1 + first.Change.V))
			line[c] = evidence.Some(ratio - 1)
		}
		g.Crossed = append(g.Crossed, line)
	}
}

func shownPoint(e *GridEffect) bool { return e.Has && e.Verdict.Shows() && e.Change.OK }

// shade gives the measured cells five equal steps when every pair among them may be
// compared.
func (g *Grid) shade() {
	var cells []*GridCell
	for r := range g.Cells {
		for c := range g.Cells[r] {
			if cell := &g.Cells[r][c]; cell.State == CellMeasured && cell.Repeats.Head().Rejected == "" {
				cells = append(cells, cell)
			}
		}
	}
	if len(cells) < 2 || len(cells) > maxShadeGroup || g.Info.Better == evidence.Neither {
		return
	}
	q := Question{Metric: g.Spec.Figure.Metric, Stat: g.Spec.Figure.Stat, Axes: []evidence.FactKey{g.Spec.Rows, g.Spec.Cols}, Rank: true}
	lo, hi := cells[0].Value.Point.V, cells[0].Value.Point.V
	runs := make([]*evidence.RunRow, len(cells))
	for i, a := range cells {
		lo, hi = min(lo, a.Value.Point.V), max(hi, a.Value.Point.V)
		runs[i] = a.Repeats.Head()
	}
	if !allShow(runs, q) {
		return
	}
	for _, c := range cells {
		c.Shade = shadeStep(c.Value.Point.V, lo, hi, g.Info.Better == evidence.Lower)
	}
}
