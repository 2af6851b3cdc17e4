package view

import (
	"cmp"
	"slices"

	"assay/store/evidence"
)

func buildRow(r *evidence.RunRow, cols []column, keys []evidence.FactKey) (ResultRow, int) {
	row := ResultRow{
		Arm: Quote(cmp.Or(r.Arm, r.Name, r.ID), maxName, r.Artifact, r.ArmPlace), Run: RunURL(r.ID),
		Status: unmeasured(r.Status), Facts: tellingFacts(r, keys),
	}
	if r.Name != "" && r.Name != r.Arm {
		row.RunName = plain(r.Name, maxName)
	}
	if r.Rejected != "" {
		q := Quote(r.Rejected, maxValue, r.Artifact, r.RejectedPlace)
		row.Rejected = &q
	}
	row.Outcome = outcome(r)
	derived := 0
	for i := range cols {
		m, ok := r.Primary(cols[i].metric.ID, cols[i].stat)
		if !ok {
			row.Cells = append(row.Cells, Cell{Column: cols[i].label, Edge: cols[i].first, Absent: "not recorded"})
			continue
		}
		if m.State == evidence.Derived && !m.Place.Whole() {
			derived++
		}
		row.Cells = append(row.Cells, measureCell(&cols[i], &m))
	}
	return row, derived
}

// outcome is how many of the requests did what was asked.
func outcome(r *evidence.RunRow) *Outcome {
	of, ok := r.Fact(evidence.KeyRequests)
	if !ok || of.State == evidence.Absent {
		return nil
	}
	for _, k := range []evidence.FactKey{evidence.KeyPassed, evidence.KeyCompleted} {
		done, ok := r.Fact(k)
		if ok && done.State != evidence.Absent {
			return &Outcome{Done: factFigure(done), Of: factFigure(of)}
		}
	}
	return nil
}

// measureCell writes one figure of a column.
func measureCell(c *column, m *evidence.MeasurementRow) Cell {
	cell := figureCell(c.scale, m)
	cell.Column, cell.Edge = c.label, c.first
	cell.Strong = slices.Contains(leading, c.metric.ID)
	if cell.Sub == "" && !cell.One && !c.agree && c.stat != evidence.Total {
		cell.Sub = "n not recorded"
		if m.N.OK {
			cell.Sub = "n " + Int(m.N.V)
		}
	}
	return cell
}

// figureCell writes a measurement: a value, bounds, one bound, or the word for none.
func figureCell(s Scale, m *evidence.MeasurementRow) Cell {
	fig := func(o evidence.Opt[float64], p evidence.Place) Figure { return Fig(s.Format(o.V), m.Artifact, p) }
	var c Cell
	switch {
	case m.Value.OK:
		c.Value = fig(m.Value, m.Place)
	case m.Lower.OK && m.Upper.OK:
		c.Value, c.Sub = fig(m.Lower, m.Place), "bounds, no point value"
		upper := fig(m.Upper, upperPlace(m))
		c.Upper = &upper
	case m.Lower.OK:
		c.Value, c.Sub = fig(m.Lower, m.Place), "at least, no upper bound"
	case m.Upper.OK:
		c.Value, c.Sub = fig(m.Upper, m.Place), "at most, no lower bound"
	case m.State == evidence.Absent || m.SourceText == "":
		c.Absent = "not recorded"
		return c
	default:
		c.Value, c.Sub = Fig(plain(m.SourceText, maxName), m.Artifact, m.Place), "not finite"
	}
	c.One = m.Stat == evidence.Single || m.N.OK && m.N.V == 1
	return c
}

// upperPlace is where the upper bound stands: the first further place, else the same.
func upperPlace(m *evidence.MeasurementRow) evidence.Place {
	if len(m.Also) > 0 {
		return m.Also[0]
	}
	return m.Place
}

// sharedShape is the workload that every row of a table has in common.
func sharedShape(runs []evidence.RunRow) []Labelled {
	shared := sharedFacts(runs)
	slices.SortStableFunc(shared, func(a, b evidence.FactRow) int { return keyRank(a.Key) - keyRank(b.Key) })
	var line []Labelled
	for _, f := range shared {
		info := evidence.LookupKey(f.Key)
		if info.Class != evidence.Shape || f.Key == evidence.KeyWorkloadClass || f.State == evidence.Absent || len(f.Value) > maxName {
			continue
		}
		line = append(line, Labelled{Label: info.Title, Value: Quote(factText(info, f.Value), maxName, f.Artifact, f.Place)})
	}
	return line
}

var methodNames = map[evidence.Method]string{
	evidence.NearestRank: "nearest rank", evidence.Linear: "linear interpolation", evidence.RoundedIndex: "rounded index",
}

func methodName(m evidence.Method) string {
	if w, ok := methodNames[m]; ok {
		return w
	}
	return plain(string(m), maxName)
}

// methodWords says how the percentiles of a table were taken.
func methodWords(runs []evidence.RunRow) string {
	methods := make(map[evidence.Method]bool)
	for i := range runs {
		for j := range runs[i].Measurements {
			m := &runs[i].Measurements[j]
			if m.Role == evidence.Primary && (m.Stat == evidence.P50 || m.Stat == evidence.P95 || m.Stat == evidence.P99) {
				methods[m.Method] = true
			}
		}
	}
	switch {
	case len(methods) == 0:
		return ""
	case len(methods) == 1 && methods[""]:
		return "Percentile method not recorded."
	case len(methods) == 1:
		for m := range methods {
			return "Percentiles: " + methodName(m) + "."
		}
	}
	return "Percentile methods differ between runs; each run's page has its own."
}
