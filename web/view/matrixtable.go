package view

import (
	"cmp"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// MatrixTable is a matrix as a file: one row for every place, with the figure that
// stands there and its effects along both axes. An effect that may not be shown has
// its verdict and reasons and no number.
func MatrixTable(m *compare.Matrix) export.Table {
	t := export.Table{Title: matrixTitle(m), Columns: matrixColumns(m)}
	for r := range m.Rows {
		row := &m.Rows[r]
		for g := range m.Groups {
			for c := range m.Cols {
				cell := &row.Cells[g][c]
				line := placeCells(m, row, g, c)
				line = append(line, figureCells(m, cell)...)
				line = append(line, effectCells(effectAt(row.Col, g, c-1))...)
				line = append(line, effectCells(effectAt(row.Group, g-1, c))...)
				t.Rows = append(t.Rows, line)
			}
		}
	}
	return t
}

func effectAt(lines [][]compare.EffectCell, i, j int) *compare.EffectCell {
	if i < 0 || j < 0 || i >= len(lines) || j >= len(lines[i]) {
		return nil
	}
	return &lines[i][j]
}

func matrixTitle(m *compare.Matrix) string {
	s := m.Metric.Title + ", " + statWord(m.Spec.Stat)
	if m.Spec.Class != "" {
		s += ", " + strings.ToLower(classTitle(m.Spec.Class))
	}
	return s
}

func matrixColumns(m *compare.Matrix) []export.Column {
	var cols []export.Column
	add := func(form export.Form, name, help string) {
		cols = append(cols, export.Column{Name: name, Form: form, Help: help})
	}
	for _, k := range m.Spec.RowKeys {
		add(export.Code, string(k), evidence.LookupKey(k).Title+", as recorded; absent when no run records it")
	}
	add(export.Figure, string(m.Spec.GroupKey), evidence.LookupKey(m.Spec.GroupKey).Title)
	add(export.Figure, string(m.Spec.ColKey), evidence.LookupKey(m.Spec.ColKey).Title)
	add(export.Code, "class", "workload class")
	add(export.Code, "metric", "metric id")
	add(export.Code, "stat", "statistic; single is one observation and no p50")
	add(export.Code, "state", "measured, single, interval, failed, not-recorded, not-run or several")
	add(export.Figure, "value", "point value in the base unit")
	add(export.Figure, "lower", "lower bound of an interval")
	add(export.Figure, "upper", "upper bound of an interval")
	add(export.Code, "unit", "base unit")
	add(export.Figure, "n", "observations behind the figure")
	add(export.Code, "fact_state", "recorded, derived, declared or conflict")
	add(export.Code, "source_text", "the digits as they stand in the artifact")
	add(export.Code, "source_unit", "the unit the source means")
	add(export.Prose, "arm", "configuration under test")
	add(export.Code, "run", "run id")
	add(export.Prose, "rejected", "the source's reason for rejecting the arm")
	add(export.Code, "artifact", "SHA-256 of the artifact")
	add(export.Code, "pointer", "JSON Pointer of the figure")
	add(export.Code, "reader", "reader and its version")
	for _, k := range []evidence.FactKey{m.Spec.ColKey, m.Spec.GroupKey} {
		axis := string(k)
		add(export.Figure, axis+"_control", "value of "+axis+" in the matched control; absent at the control itself")
		add(export.Code, axis+"_control_run", "run id of the matched control")
		add(export.Code, axis+"_verdict", "ok, caveat, unknown or blocked; absent without a pair")
		add(export.Figure, axis+"_change", "figure / control - 1; absent unless the verdict is ok or caveat")
		add(export.Figure, axis+"_change_low", "lower bound of the change, where a side is an interval")
		add(export.Figure, axis+"_change_high", "upper bound of the change")
		add(export.Code, axis+"_direction", "better, worse or same; absent for one observation")
		add(export.Code, axis+"_rules", "rules that have something to say")
		add(export.Prose, axis+"_missing", "what is missing for a pair")
	}
	return cols
}

func placeCells(m *compare.Matrix, row *compare.MatrixRow, g, c int) []export.Cell {
	var out []export.Cell
	for _, k := range row.Keys {
		out = append(out, export.Optional(k))
	}
	return append(out, export.FactValue(m.Groups[g]), export.FactValue(m.Cols[c]),
		export.Optional(m.Spec.Class), export.Text(m.Spec.Metric), export.Text(m.Spec.Stat))
}

func figureCells(m *compare.Matrix, cell *compare.Cell) []export.Cell {
	x, r := &cell.Measurement, cell.Run
	out := []export.Cell{export.Text(cell.State)}
	switch cell.State {
	case compare.CellMeasured, compare.CellSingle, compare.CellInterval:
		out = append(out, export.Value(x.Value), export.Value(x.Lower), export.Value(x.Upper), export.Text(x.Unit), export.Count(x.N),
			export.Text(x.State), export.Text(x.SourceText), export.Optional(x.SourceUnit))
	default:
		out = append(out, make([]export.Cell, 3)...)
		out = append(out, export.Text(m.Metric.Unit))
		out = append(out, make([]export.Cell, 4)...)
	}
	if r == nil {
		return append(out, make([]export.Cell, 6)...)
	}
	out = append(out, export.Optional(cmp.Or(r.Arm, r.Name)), export.Text(r.ID), export.Optional(r.Rejected), export.Text(r.Artifact.String()))
	if x.SourceText == "" && !x.Value.OK && !x.Lower.OK {
		return append(out, export.Text(r.Place.Pointer), export.Optional(r.Reader))
	}
	return append(out, export.Text(x.Place.Pointer), export.Optional(x.Reader))
}

// effectColumns is how many columns one axis has.
const effectColumns = 9

func effectCells(e *compare.EffectCell) []export.Cell {
	if e == nil {
		return make([]export.Cell, effectColumns)
	}
	if e.Effect == nil {
		out := make([]export.Cell, effectColumns)
		if !e.NotApplicableBase {
			out[0] = export.FactValue(e.ControlOf)
		}
		out[effectColumns-1] = export.Text(missingWord(e))
		return out
	}
	x := e.Effect
	rules := make([]string, 0, len(x.Reasons))
	for _, r := range x.Reasons {
		if len(rules) == 0 || rules[len(rules)-1] != r.Rule {
			rules = append(rules, r.Rule)
		}
	}
	return []export.Cell{
		export.FactValue(e.ControlOf), export.Text(x.Control.ID), export.Text(x.Verdict), export.Value(x.Change), export.Value(x.Low),
		export.Value(x.High), export.Optional(x.Better), export.Words(rules), {},
	}
}

// missingWord says in a file what is missing for an effect.
func missingWord(e *compare.EffectCell) string {
	switch {
	case e.NotApplicableBase:
		return "no control on this axis"
	case e.Missing == "arm":
		return "no figure for this arm"
	case e.Missing == "control":
		return "no figure for the control"
	}
	return "no figure for either side"
}
