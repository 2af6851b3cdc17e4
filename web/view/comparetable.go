package view

import (
	"slices"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// CompareTable is a comparison as a file: one row for every arm and figure. A pair that
// is blocked or unknown has its reasons and no number of either side.
func CompareTable(c *compare.Comparison) export.Table {
	t := export.Table{Title: "Comparison", Columns: compareColumns()}
	for i := range c.Arms {
		a := &c.Arms[i]
		for j := range c.Figures {
			t.Rows = append(t.Rows, compareRow(c, a, j))
		}
	}
	return t
}

func compareColumns() []export.Column {
	var cols []export.Column
	add := func(form export.Form, name, help string) {
		cols = append(cols, export.Column{Name: name, Form: form, Help: help})
	}
	add(export.Prose, "control", "the arm that the others are held against")
	add(export.Code, "control_runs", "its run ids: repeats of one arm")
	add(export.Prose, "arm", "configuration under test")
	add(export.Code, "runs", "its run ids")
	add(export.Code, "metric", "metric id")
	add(export.Code, "stat", "statistic; single is one observation and no p50")
	add(export.Code, "unit", "base unit")
	add(export.Code, "verdict", "ok, caveat, unknown or blocked")
	add(export.Code, "ruleset", "version of the rules")
	add(export.Code, "rules", "rules that have something to say, gravest first")
	add(export.Prose, "reasons", "what they say, gravest first")
	add(export.Figure, "control_value", "point value, over repeats their median; absent unless the verdict is ok or caveat, as every figure that follows")
	add(export.Figure, "control_lower", "lower bound where the source gives an interval")
	add(export.Figure, "control_upper", "upper bound where the source gives an interval")
	add(export.Figure, "value", "the arm's point value, over repeats their median")
	add(export.Figure, "lower", "the arm's lower bound")
	add(export.Figure, "upper", "the arm's upper bound")
	add(export.Figure, "n", "requests behind the arm's figure, where all its repeats agree")
	add(export.Figure, "repeats", "runs of the arm that have the figure")
	add(export.Figure, "control_repeats", "runs of the control that have the figure")
	add(export.Figure, "change", "value / control_value - 1")
	add(export.Figure, "change_low", "lower end of the change: bounds, or a bootstrap interval over repeats")
	add(export.Figure, "change_high", "upper end of the change")
	add(export.Code, "direction", "better, worse or same; absent for one observation and for a rejected arm")
	add(export.Figure, "cliffs_delta", "effect size, from two repeats a side on")
	add(export.Figure, "p", "Mann-Whitney, two-sided, Holm over the page; from four repeats a side on")
	add(export.Prose, "rejected", "the source's reason for rejecting the arm")
	add(export.Code, "control_source", "artifact and pointer of the control's figure")
	add(export.Code, "source", "artifact and pointer of the arm's figure")
	add(export.Prose, "exploratory", "EXPLORATORY, NOT FOR SIGN-OFF, with the waiver, its person and reason; only in a file that was asked for with explore=1")
	add(export.Figure, "exploratory_control", "the control's figure, opened by the waiver")
	add(export.Figure, "exploratory_value", "the arm's figure, opened by the waiver")
	add(export.Figure, "exploratory_change", "exploratory_value / exploratory_control - 1")
	return cols
}

func compareRow(c *compare.Comparison, a *compare.ArmRow, j int) []export.Cell {
	cell, f := &a.Cells[j], &c.Figures[j]
	rules, says := make([]string, 0, len(cell.Reasons)), make([]string, 0, len(cell.Reasons))
	for _, r := range cell.Reasons {
		if !slices.Contains(rules, r.Rule) {
			rules = append(rules, r.Rule)
		}
		says = append(says, r.Message)
	}
	row := []export.Cell{
		export.Text(armName(c.Control.Repeats.Head())), export.Words(runIDs(c.Control.Repeats)),
		export.Text(armName(a.Repeats.Head())), export.Words(runIDs(a.Repeats)),
		export.Text(f.Metric), export.Text(f.Stat), export.Text(f.Info.Unit),
		export.Text(cell.Verdict), export.Integer(cell.Ruleset), export.Words(rules), export.Words(says),
	}
	if !cell.Verdict.Shows() {
		row = append(row, make([]export.Cell, 15)...)
		row = append(row, export.Optional(a.Rejected), export.Cell{}, export.Cell{})
		return append(row, exploredCells(cell.Explored)...)
	}
	left := &c.Control.Values[j]
	row = append(row,
		export.Value(left.Point), export.Value(left.Lower), export.Value(left.Upper),
		export.Value(cell.Value.Point), export.Value(cell.Value.Lower), export.Value(cell.Value.Upper),
		export.Count(cell.Value.N), export.Integer(cell.Value.Repeats), export.Integer(left.Repeats),
		export.Value(cell.Change), export.Value(cell.Low), export.Value(cell.High), export.Optional(cell.Better))
	if cell.Stat != nil {
		row = append(row, export.Number(cell.Stat.Cliff))
	} else {
		row = append(row, export.Cell{})
	}
	if cell.Stat != nil && cell.Stat.Test.OK {
		row = append(row, export.Number(cell.Stat.Adjusted))
	} else {
		row = append(row, export.Cell{})
	}
	row = append(row, export.Optional(a.Rejected), export.Words(sourceWords(left)), export.Words(sourceWords(&cell.Value)))
	return append(row, exploredCells(nil)...)
}

// exploredCells are what a waiver opens, with the mark in the same row.
func exploredCells(x *compare.Explored) []export.Cell {
	if x == nil {
		return make([]export.Cell, 4)
	}
	return []export.Cell{
		export.Text("EXPLORATORY, NOT FOR SIGN-OFF: waiver " + Int(x.Waiver.ID) + " by " + x.Waiver.Person + ": " + x.Waiver.Reason),
		export.Value(x.Control.Point), export.Value(x.Value.Point), export.Value(x.Change),
	}
}

func runIDs(r compare.Repeats) []string {
	out := make([]string, len(r))
	for i := range r {
		out[i] = r[i].ID
	}
	return out
}

func sourceWords(v *compare.Value) []string {
	var out []string
	for _, s := range v.Sources {
		out = append(out, s.Artifact.String()+"#"+string(s.Place.Pointer))
	}
	return out
}

// ComparedMeasurements are the figures of the pairs that may be shown, for the Go
// benchmark format: the control's once, then each arm's.
func ComparedMeasurements(c *compare.Comparison) (runs []*evidence.RunRow, keep func(*evidence.MeasurementRow) bool) {
	shown := map[string]map[compare.Figure]bool{}
	mark := func(r compare.Repeats, f compare.Figure) {
		for _, run := range r {
			if shown[run.ID] == nil {
				shown[run.ID] = map[compare.Figure]bool{}
				runs = append(runs, run)
			}
			shown[run.ID][f] = true
		}
	}
	for j := range c.Figures {
		for i := range c.Arms {
			if c.Arms[i].Cells[j].Verdict.Shows() {
				mark(c.Control.Repeats, c.Figures[j].Figure)
				mark(c.Arms[i].Repeats, c.Figures[j].Figure)
			}
		}
	}
	return runs, func(m *evidence.MeasurementRow) bool {
		return m.Role == evidence.Primary && shown[m.Run][compare.Figure{Metric: m.Metric, Stat: m.Stat}]
	}
}
