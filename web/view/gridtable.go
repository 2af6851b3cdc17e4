package view

import (
	"slices"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// GridTable is grids as a file: one row for every place.
func GridTable(grids []compare.Grid, split []evidence.FactKey) export.Table {
	g := &grids[0]
	t := export.Table{Title: g.Info.Title}
	for _, k := range split {
		t.Columns = append(t.Columns, export.Column{Name: string(k), Form: export.Figure, Help: "factor that the grids are split by"})
	}
	t.Columns = append(t.Columns, gridColumns(g)...)
	for i := range grids {
		gridRows(&t, &grids[i])
	}
	return t
}

func gridColumns(g *compare.Grid) []export.Column {
	return []export.Column{
		{Name: string(g.Spec.Rows), Form: export.Figure, Help: "factor of the rows"},
		{Name: string(g.Spec.Cols), Form: export.Figure, Help: "factor of the columns"},
		{Name: "class", Form: export.Code, Help: "workload class"},
		{Name: "metric", Form: export.Code, Help: "metric id"},
		{Name: "stat", Form: export.Code, Help: "statistic"},
		{Name: "state", Form: export.Code, Help: "measured, single, interval, external, failed, unresolved, not-recorded, not-run or several"},
		{Name: "value", Form: export.Figure, Help: "point value in the base unit, over repeats their median"},
		{Name: "lower", Form: export.Figure, Help: "lower bound of an interval"},
		{Name: "upper", Form: export.Figure, Help: "upper bound of an interval"},
		{Name: "unit", Form: export.Code, Help: "base unit"},
		{Name: "repeats", Form: export.Figure, Help: "runs behind the value"},
		{Name: "runs", Form: export.Code, Help: "run ids"},
		{Name: "apart", Form: export.Code, Help: "facts in which several arms of one place differ"},
		{Name: "col_verdict", Form: export.Code, Help: "against the first column; absent without a pair"},
		{Name: "col_change", Form: export.Figure, Help: "absent unless the verdict is ok or caveat"},
		{Name: "col_rules", Form: export.Code, Help: "rules that have something to say"},
		{Name: "col_confounded", Form: export.Code, Help: "identity facts besides the factor that differ"},
		{Name: "col_efficiency", Form: export.Figure, Help: "throughput gained over cards gained"},
		{Name: "row_verdict", Form: export.Code, Help: "against the first row; absent without a pair"},
		{Name: "row_change", Form: export.Figure, Help: "absent unless the verdict is ok or caveat"},
		{Name: "row_rules", Form: export.Code, Help: "rules that have something to say"},
		{Name: "row_confounded", Form: export.Code, Help: "identity facts besides the factor that differ"},
		{Name: "row_efficiency", Form: export.Figure, Help: "throughput gained over cards gained"},
		{Name: "interaction", Form: export.Figure, Help: "effect of the column here over its effect in the first row, less one"},
	}
}

func gridRows(t *export.Table, g *compare.Grid) {
	for r := range g.Cells {
		for c := range g.Cells[r] {
			cell := &g.Cells[r][c]
			var row []export.Cell
			for _, s := range g.Held {
				row = append(row, export.FactValue(s.Value))
			}
			row = append(row,
				export.FactValue(g.RowValues[r]), export.FactValue(g.ColValues[c]), export.Optional(g.Spec.Class),
				export.Text(g.Spec.Figure.Metric), export.Text(g.Spec.Figure.Stat), export.Text(cell.State),
				export.Value(cell.Value.Point), export.Value(cell.Value.Lower), export.Value(cell.Value.Upper), export.Text(g.Info.Unit))
			if cell.Value.Recorded {
				row = append(row, export.Integer(cell.Value.Repeats))
			} else {
				row = append(row, export.Cell{})
			}
			var ids, apart []string
			for _, a := range cell.Arms {
				ids = append(ids, runIDs(a)...)
			}
			for _, k := range cell.Apart {
				apart = append(apart, string(k))
			}
			row = append(row, export.Words(ids), export.Words(apart))
			row = append(row, gridEffectCells(&g.ColEffects[r][c])...)
			row = append(row, gridEffectCells(&g.RowEffects[r][c])...)
			t.Rows = append(t.Rows, append(row, export.Value(g.Crossed[r][c])))
		}
	}
}

func gridEffectCells(e *compare.GridEffect) []export.Cell {
	if !e.Has {
		return make([]export.Cell, 5)
	}
	var rules, confounded []string
	for _, r := range e.Reasons {
		if !slices.Contains(rules, r.Rule) {
			rules = append(rules, r.Rule)
		}
	}
	for _, k := range e.Confounded {
		confounded = append(confounded, string(k))
	}
	return []export.Cell{export.Text(e.Verdict), export.Value(e.Change), export.Words(rules), export.Words(confounded), export.Value(e.Efficiency)}
}
