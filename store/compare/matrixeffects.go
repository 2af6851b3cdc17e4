package compare

import (
	"sort"

	"assay/store/evidence"
)

// formEffects finds every cell's matched control: along ColKey the lowest column
// value when that is 0 (no speculation), along GroupKey the lowest group value.
func (m *Matrix) formEffects() {
	for i := range m.Rows {
		row := &m.Rows[i]
		for g := range m.Groups {
			var line []EffectCell
			for c := 1; c < len(m.Cols); c++ {
				line = append(line, m.effect(&row.Cells[g][0], &row.Cells[g][c], m.Spec.ColKey, g, c, m.Cols[0]))
			}
			row.Col = append(row.Col, line)
		}
		for g := 1; g < len(m.Groups); g++ {
			var line []EffectCell
			for c := range m.Cols {
				line = append(line, m.effect(&row.Cells[0][c], &row.Cells[g][c], m.Spec.GroupKey, g, c, m.Groups[0]))
			}
			row.Group = append(row.Group, line)
		}
	}
}

func (m *Matrix) effect(control, arm *Cell, axis evidence.FactKey, g, c int, base string) EffectCell {
	e := EffectCell{Group: m.Groups[g], Col: m.Cols[c], ControlOf: base}
	if axis == m.Spec.ColKey && base != "0" {
		// A depth-3 arm is no control of a depth-5 arm: MTP is measured against none.
		e.NotApplicableBase = true
		return e
	}
	haveControl, haveArm := hasFigure(control), hasFigure(arm)
	switch {
	case !haveControl && !haveArm:
		e.Missing = "both"
	case !haveControl:
		e.Missing = "control"
	case !haveArm:
		e.Missing = "arm"
	default:
		x := EffectOf(control.Run, arm.Run, Question{Metric: m.Spec.Metric, Stat: m.Spec.Stat, Axes: []evidence.FactKey{axis}, CostShown: true})
		e.Effect = &x
	}
	return e
}

func hasFigure(c *Cell) bool {
	switch c.State {
	case CellMeasured, CellSingle, CellInterval:
		return true
	}
	return false
}

// maxShadeGroup bounds the pairs judged for one shade group.
const maxShadeGroup = 64

// shade gives the cells of one first row key five equal steps, if every pair among
// them may be compared. Single observations, intervals and rejected arms stay unshaded.
func (m *Matrix) shade() {
	m.ShadeLow, m.ShadeHi = map[string]float64{}, map[string]float64{}
	groups := map[string][]*Cell{}
	var order []string
	for i := range m.Rows {
		for g := range m.Rows[i].Cells {
			for c := range m.Rows[i].Cells[g] {
				cell := &m.Rows[i].Cells[g][c]
				if cell.State != CellMeasured || cell.Run.Rejected != "" {
					continue
				}
				k := m.Rows[i].Keys[0]
				if groups[k] == nil {
					order = append(order, k)
				}
				groups[k] = append(groups[k], cell)
			}
		}
	}
	sort.Strings(order)
	for _, k := range order {
		if cells := groups[k]; len(cells) >= 2 && len(cells) <= maxShadeGroup && m.mayShade(cells) {
			m.ShadeLow[k], m.ShadeHi[k] = m.shadeGroup(cells)
		}
	}
}

func (m *Matrix) mayShade(cells []*Cell) bool {
	if m.Metric.Better == evidence.Neither {
		return false
	}
	q := Question{Metric: m.Spec.Metric, Stat: m.Spec.Stat, Axes: append([]evidence.FactKey{m.Spec.GroupKey, m.Spec.ColKey}, m.Spec.RowKeys[1:]...)}
	runs := make([]*evidence.RunRow, len(cells))
	for i, c := range cells {
		runs[i] = c.Run
	}
	q.Rank = true // a stronger colour is a better place
	return allShow(runs, q)
}

// ShadeSteps is the number of steps of the heat scale.
const ShadeSteps = 5

func (m *Matrix) shadeGroup(cells []*Cell) (lo, hi float64) {
	lo, hi = cells[0].Measurement.Value.V, cells[0].Measurement.Value.V
	for _, c := range cells {
		lo, hi = min(lo, c.Measurement.Value.V), max(hi, c.Measurement.Value.V)
	}
	for _, c := range cells {
		c.Shade = shadeStep(c.Measurement.Value.V, lo, hi, m.Metric.Better == evidence.Lower)
	}
	return lo, hi
}

// shadeStep is 1..5, 5 the best. One value gives the middle step.
func shadeStep(v, lo, hi float64, lowerIsBetter bool) int {
	if hi == lo {
		return (ShadeSteps + 1) / 2
	}
	t := (v - lo) / (hi - lo)
	if lowerIsBetter {
		t = 1 - t
	}
	return min(int(t*ShadeSteps), ShadeSteps-1) + 1
}
