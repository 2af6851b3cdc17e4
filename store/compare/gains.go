package compare

import "assay/store/evidence"

// Gains sets what a factor gains beside what it costs: one line per pair, one
// column per figure, each its own effect with its own verdict.
type Gains struct {
	Columns []Choice
	Lines   []GainLine
	// Recorded says which columns have at least one effect that may be shown.
	Recorded []bool
}

// GainLine is one control and arm pair over all columns.
type GainLine struct {
	Keys          []string // row key values
	Group         string
	ControlOf, Of string    // the control's and the arm's value on the axis
	Effects       []*Effect // parallel to Columns; nil where a side is missing
}

// BuildGains forms, for every pair along the layout's column axis, the effects on
// each of the columns. A pair counts as soon as one column has both sides.
func BuildGains(runs []evidence.RunRow, columns []Choice, layout MatrixSpec) Gains {
	g := Gains{Columns: columns, Recorded: make([]bool, len(columns))}
	matrices := make([]Matrix, len(columns))
	for i, c := range columns {
		spec := layout
		spec.Class, spec.Metric, spec.Stat = c.Class, c.Metric, c.Stat
		matrices[i] = BuildMatrix(runs, spec)
	}
	if len(matrices) == 0 {
		return g
	}
	// Every matrix has the same rows, groups and columns: they come from all runs.
	first := &matrices[0]
	for r := range first.Rows {
		for gi := range first.Groups {
			for ci := 0; ci+1 < len(first.Cols); ci++ {
				line := GainLine{Keys: first.Rows[r].Keys, Group: first.Groups[gi], ControlOf: first.Cols[0], Of: first.Cols[ci+1], Effects: make([]*Effect, len(columns))}
				any := false
				for k := range matrices {
					e := matrices[k].Rows[r].Col[gi][ci].Effect
					line.Effects[k] = e
					any = any || e != nil
					if e != nil && e.Verdict.Shows() {
						g.Recorded[k] = true
					}
				}
				if any {
					g.Lines = append(g.Lines, line)
				}
			}
		}
	}
	return g
}

// GainColumns picks, from what a campaign has, the figures that show gain and cost
// of speculation: rates and E2E first, then KV pool and TTFT, then the long rows.
func GainColumns(have []Choice) []Choice {
	want := []struct {
		class  string
		metric evidence.MetricID
	}{
		{evidence.ClassShort, evidence.DecodeRate}, {evidence.ClassShort, evidence.E2E},
		{evidence.ClassAggregate, evidence.OutputThroughput}, {evidence.ClassAggregate, evidence.E2E},
		{evidence.ClassStartup, evidence.KVPoolTokens}, {evidence.ClassShort, evidence.TTFT}, {evidence.ClassAggregate, evidence.TTFT},
		{evidence.ClassLong, evidence.TTFT}, {evidence.ClassLong, evidence.DecodeRate},
	}
	preferred := []evidence.Stat{evidence.P50, evidence.Total, evidence.Single, evidence.Mean}
	var out []Choice
	for _, w := range want {
		for _, s := range preferred {
			if i := indexChoice(have, w.class, w.metric, s); i >= 0 {
				out = append(out, have[i])
				break
			}
		}
	}
	return out
}

func indexChoice(have []Choice, class string, m evidence.MetricID, s evidence.Stat) int {
	for i, c := range have {
		if c.Class == class && c.Metric == m && c.Stat == s {
			return i
		}
	}
	return -1
}
