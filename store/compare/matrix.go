package compare

import (
	"sort"
	"strconv"

	"assay/store/evidence"
)

// MatrixSpec says what a matrix shows. Rows are laid out over RowKeys, columns over
// ColKey inside groups of GroupKey.
type MatrixSpec struct {
	Metric   evidence.MetricID
	Stat     evidence.Stat
	Class    string // workload class of the runs
	RowKeys  []evidence.FactKey
	GroupKey evidence.FactKey
	ColKey   evidence.FactKey
}

// TPxMTP is the layout of a TP x MTP x context campaign.
func TPxMTP(class string, m evidence.MetricID, s evidence.Stat) MatrixSpec {
	return MatrixSpec{
		Metric: m, Stat: s, Class: class,
		RowKeys:  []evidence.FactKey{evidence.KeyCheckpoint, evidence.KeyServedContext},
		GroupKey: evidence.KeyTP, ColKey: evidence.KeyMTPDepth,
	}
}

// CellState says what stands in a cell.
type CellState string

const (
	CellMeasured CellState = "measured"
	CellSingle   CellState = "single"       // one observation
	CellInterval CellState = "interval"     // bounds, no point value
	CellFailed   CellState = "failed"       // the arm ran and did not finish
	CellOpen     CellState = "unresolved"   // the source's status word is not one we know
	CellNoValue  CellState = "not-recorded" // the arm ran; this figure is not recorded
	CellNotRun   CellState = "not-run"      // no run of this arm in the archive
	CellSeveral  CellState = "several"      // several runs answer; none is picked
)

// Cell is one place of the matrix.
type Cell struct {
	State       CellState
	Run         *evidence.RunRow // nil when not run or several
	Measurement evidence.MeasurementRow
	Runs        []*evidence.RunRow // all that answer, for CellSeveral
	Shade       int                // 1..5, stronger is better; 0 unshaded
}

// EffectCell is an effect with the column it stands for. Effect is nil when there is
// no pair; Missing then says which side is not there.
type EffectCell struct {
	Group, Col        string // the arm's factors
	ControlOf         string // the control's value on the axis, "0" or "1"
	Effect            *Effect
	Missing           string // "control", "arm", "both"
	NotApplicableBase bool   // no control value exists on this axis at all
}

// MatrixRow is one row of cells.
type MatrixRow struct {
	Keys  []string // values of RowKeys; "" where not recorded
	Cells [][]Cell // [group][col]
	Col   [][]EffectCell
	Group [][]EffectCell
}

// Matrix is runs laid out over factors.
type Matrix struct {
	Spec   MatrixSpec
	Metric evidence.Metric
	Groups []string // values of GroupKey
	Cols   []string // values of ColKey
	Rows   []MatrixRow
	// Held are facts equal in all placed arms.
	Held []evidence.FactRow
	// Unplaced are runs of the class that lack a factor, with the first one missing.
	Unplaced []Unplaced
	Counts   map[CellState]int
	ShadeLow map[string]float64 // per first row key: the ends of the shade scale
	ShadeHi  map[string]float64
}

// Unplaced is a run that has no place in the matrix.
type Unplaced struct {
	Run     *evidence.RunRow
	Missing evidence.FactKey
}

type place struct{ row, group, col string }

// BuildMatrix lays runs out and forms every effect. The runs must be of one archive
// snapshot; their order does not matter.
func BuildMatrix(runs []evidence.RunRow, spec MatrixSpec) Matrix {
	m := Matrix{Spec: spec, Counts: map[CellState]int{}}
	m.Metric, _ = evidence.LookupMetric(spec.Metric)
	at := map[place][]*evidence.RunRow{}
	rowKeys := map[string][]string{}
	groups, cols := map[string]bool{}, map[string]bool{}
	var placed []*evidence.RunRow
	for i := range runs {
		r := &runs[i]
		keys, missing := factors(r, spec)
		if missing != "" {
			if r.Class == spec.Class {
				m.Unplaced = append(m.Unplaced, Unplaced{Run: r, Missing: missing})
			}
			continue
		}
		// Arms of other classes still open their row and column: a hole is then
		// "not recorded", not "no such arm".
		row := joinKeys(keys.row)
		rowKeys[row] = keys.row
		groups[keys.group], cols[keys.col] = true, true
		p := place{row, keys.group, keys.col}
		if r.Class == spec.Class {
			at[p] = append(at[p], r)
			placed = append(placed, r)
		} else if _, ok := at[p]; !ok {
			at[p] = nil
		}
	}
	m.Groups, m.Cols = sortedValues(groups), sortedValues(cols)
	for _, row := range sortedRows(rowKeys) {
		m.Rows = append(m.Rows, m.buildRow(rowKeys[row], row, at))
	}
	m.shade()
	m.formEffects()
	m.Held = heldEqual(placed, spec)
	return m
}

type factorValues struct {
	row        []string
	group, col string
}

func factors(r *evidence.RunRow, spec MatrixSpec) (factorValues, evidence.FactKey) {
	var v factorValues
	for _, k := range spec.RowKeys {
		v.row = append(v.row, side(r, k).Value)
	}
	g, c := side(r, spec.GroupKey), side(r, spec.ColKey)
	if !g.Known {
		return v, spec.GroupKey
	}
	if !c.Known {
		return v, spec.ColKey
	}
	v.group, v.col = g.Value, c.Value
	return v, ""
}

func (m *Matrix) buildRow(keys []string, row string, at map[place][]*evidence.RunRow) MatrixRow {
	out := MatrixRow{Keys: keys}
	for _, g := range m.Groups {
		var cells []Cell
		for _, c := range m.Cols {
			rs, ran := at[place{row, g, c}]
			cell := m.cell(rs, ran)
			m.Counts[cell.State]++
			cells = append(cells, cell)
		}
		out.Cells = append(out.Cells, cells)
	}
	return out
}

func (m *Matrix) cell(runs []*evidence.RunRow, ran bool) Cell {
	switch {
	case !ran:
		return Cell{State: CellNotRun}
	case len(runs) == 0:
		return Cell{State: CellNoValue}
	case len(runs) > 1:
		return Cell{State: CellSeveral, Runs: runs}
	}
	r := runs[0]
	// What a run printed before it failed is not its result, so the status comes first.
	switch r.Status {
	case evidence.RunFailed:
		return Cell{State: CellFailed, Run: r}
	case evidence.NotRun:
		return Cell{State: CellNotRun, Run: r}
	case evidence.RunUnresolved:
		return Cell{State: CellOpen, Run: r}
	}
	x, ok := r.Primary(m.Spec.Metric, m.Spec.Stat)
	switch {
	case ok && x.Value.OK && (x.Stat == evidence.Single || isOne(x.N)):
		return Cell{State: CellSingle, Run: r, Measurement: x}
	case ok && x.Value.OK:
		return Cell{State: CellMeasured, Run: r, Measurement: x}
	case ok && x.Lower.OK && x.Upper.OK:
		return Cell{State: CellInterval, Run: r, Measurement: x}
	default:
		return Cell{State: CellNoValue, Run: r}
	}
}

func joinKeys(keys []string) string {
	var b []byte
	for _, k := range keys {
		b = strconv.AppendQuote(b, k)
	}
	return string(b)
}

func sortedValues(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for v := range set {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return lessValue(out[i], out[j]) })
	return out
}

// lessValue orders numbers as numbers, before words.
func lessValue(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil && x != y:
		return x < y
	case (errX == nil) != (errY == nil):
		return errX == nil
	default:
		return a < b
	}
}

func sortedRows(rows map[string][]string) []string {
	out := make([]string, 0, len(rows))
	for k := range rows {
		out = append(out, k)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := rows[out[i]], rows[out[j]]
		for k := range a {
			if a[k] != b[k] {
				return lessValue(a[k], b[k])
			}
		}
		return out[i] < out[j]
	})
	return out
}

// heldEqual lists shape, hardware, identity and environment facts that every placed
// run records with one value.
func heldEqual(runs []*evidence.RunRow, spec MatrixSpec) []evidence.FactRow {
	if len(runs) < 2 {
		return nil
	}
	var out []evidence.FactRow
	for _, info := range evidence.Keys {
		switch info.Class {
		case evidence.Provenance, evidence.Outcome:
			continue
		}
		if info.Key == spec.GroupKey || info.Key == spec.ColKey {
			continue
		}
		first, ok := runs[0].Fact(info.Key)
		if !ok || first.State == evidence.Absent || first.State == evidence.Conflict {
			continue
		}
		same := true
		for _, r := range runs[1:] {
			if s := side(r, info.Key); !s.Known || s.Value != first.Value {
				same = false
				break
			}
		}
		if same {
			out = append(out, first)
		}
	}
	return out
}
