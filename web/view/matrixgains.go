package view

import (
	"fmt"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

// GainsView sets what speculation gains beside what it costs, one line a pair.
type GainsView struct {
	Title   string
	Say     string
	Against string
	Groups  []MatrixHead
	Heads   []MatrixHead
	Bodies  []GainBody
	Missing string // "acceptance, free memory"
}

// GainBody is the lines of one value of the first row key.
type GainBody struct{ Rows []GainRow }

// GainRow is one pair.
type GainRow struct {
	Label, Sub string
	Cells      []GainCell
}

// GainCell is one figure of a pair.
type GainCell struct {
	Label    string
	Edge     bool
	Hole     string // the word where there is no pair
	Stopped  *Badge
	Note     string
	Change   Figure
	Word     string
	One      bool
	Struck   bool
	Bar      *Bar
	From, To Figure
	Badge    Badge
}

// Bar is a drawn change: right of the middle is better, whichever way the metric runs.
type Bar struct {
	X, Width string // in hundredths of the cell
	Hollow   bool   // one observation
	Zero     string // of the line
}

// gains builds the table; nil when the campaign has no pairs.
func (b *matrixBuilder) gains(runs []evidence.RunRow) *GainsView {
	columns := compare.GainColumns(b.choices)
	if len(columns) == 0 {
		return nil
	}
	g := compare.BuildGains(runs, columns, matrixLayout)
	if len(g.Lines) == 0 {
		return nil
	}
	axis := axisName(matrixLayout.ColKey)
	v := &GainsView{Title: "What " + axis + " gains and what it costs", Against: axis + " " + plain(g.Lines[0].ControlOf, 40)}
	if of := g.Lines[0].Of; sameDepth(g.Lines) {
		v.Title = "What " + axis + " " + plain(of, 40) + " gains and what it costs"
	}
	scales := gainScales(&g)
	v.Groups, v.Heads = gainHeads(columns, scales)
	widest := widestChange(&g)
	last := ""
	for i := range g.Lines {
		l := &g.Lines[i]
		row := b.gainRow(&g, l, scales, widest, v.Heads)
		if len(v.Bodies) == 0 || l.Keys[0] != last {
			v.Bodies = append(v.Bodies, GainBody{})
			last = l.Keys[0]
		}
		body := &v.Bodies[len(v.Bodies)-1]
		body.Rows = append(body.Rows, row)
	}
	v.Say = gainWords(&g)
	v.Missing = missingCosts(b.choices)
	return v
}

func sameDepth(lines []compare.GainLine) bool {
	for i := range lines {
		if lines[i].Of != lines[0].Of {
			return false
		}
	}
	return true
}

// gainScales gives each column one unit and one number of decimals.
func gainScales(g *compare.Gains) []Scale {
	out := make([]Scale, len(g.Columns))
	for k, c := range g.Columns {
		var values []float64
		for i := range g.Lines {
			if e := g.Lines[i].Effects[k]; e != nil {
				values = append(values, valuesOf(&e.Left.Measurement)...)
				values = append(values, valuesOf(&e.Right.Measurement)...)
			}
		}
		m, _ := evidence.LookupMetric(c.Metric)
		out[k] = ScaleFor(m.Unit, values...)
	}
	return out
}

// gainGroup is the part of the table that a column belongs to.
func gainGroup(c compare.Choice) string {
	switch {
	case c.Class == evidence.ClassLong:
		return "Long context"
	case c.Class == evidence.ClassStartup || c.Metric == evidence.TTFT:
		return "Cost at start-up and first token"
	}
	return classTitle(c.Class)
}

func gainHeads(columns []compare.Choice, scales []Scale) (groups, heads []MatrixHead) {
	for k, c := range columns {
		title := gainGroup(c)
		edge := len(groups) == 0 || groups[len(groups)-1].Text != title
		if edge {
			groups = append(groups, MatrixHead{Text: title})
		}
		groups[len(groups)-1].Span++
		m, _ := evidence.LookupMetric(c.Metric)
		sub := []string{}
		if c.Stat != evidence.Total {
			sub = append(sub, statWord(c.Stat))
		}
		heads = append(heads, MatrixHead{Text: m.Title, Sub: strings.Join(append(sub, unitWords(scales[k], m)), ", "), Edge: edge})
	}
	return groups, heads
}

// widestChange is the largest change of each column, the length of a full bar.
func widestChange(g *compare.Gains) []float64 {
	out := make([]float64, len(g.Columns))
	for i := range g.Lines {
		for k, e := range g.Lines[i].Effects {
			if e != nil && e.Change.OK {
				out[k] = max(out[k], e.Change.V, -e.Change.V)
			}
		}
	}
	return out
}

func (b *matrixBuilder) gainRow(g *compare.Gains, l *compare.GainLine, scales []Scale, widest []float64, heads []MatrixHead) GainRow {
	group := axisName(matrixLayout.GroupKey) + " " + plain(l.Group, 40)
	keys := make([]string, len(l.Keys))
	for i, k := range l.Keys {
		keys[i] = rowKeyText(matrixLayout.RowKeys[i], k)
	}
	axis := axisName(matrixLayout.ColKey)
	row := GainRow{Label: keys[0] + ", " + group, Sub: strings.Join(keys[1:], ", ")}
	if !sameDepth(g.Lines) {
		row.Label += ", " + axis + " " + plain(l.Of, 40)
	}
	what := strings.Join(keys, ", ") + ": " + axis + " " + plain(l.Of, 40) + " against " + axis + " " + plain(l.ControlOf, 40) + " at " + group
	for k, e := range l.Effects {
		cell := GainCell{Label: heads[k].Text, Edge: heads[k].Edge, Hole: "no pair"}
		if e != nil {
			m := compare.Matrix{Spec: specOf(g.Columns[k])}
			m.Metric, _ = evidence.LookupMetric(g.Columns[k].Metric)
			cell = b.gainCell(cell, e, &m, what, scales[k], widest[k])
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

func (b *matrixBuilder) gainCell(c GainCell, e *compare.Effect, m *compare.Matrix, what string, scale Scale, widest float64) GainCell {
	c.Hole = ""
	href := "#" + b.workOnce(e, m, what, scale)
	c.Badge = verdictBadge(e.Verdict)
	if !e.Verdict.Shows() {
		badge := c.Badge
		badge.Href = href
		c.Stopped, c.Note = &badge, plain(e.Reasons[0].Message, maxName)
		return c
	}
	c.Change = Figure{Text: changeWords(e), Href: href, Calc: true, Title: "the working"}
	c.One, c.Word, c.Struck = e.Single, effectWord(e), e.Arm.Rejected != "" || e.Control.Rejected != ""
	l, r := figureCell(scale, &e.Left), figureCell(scale, &e.Right)
	c.From, c.To = l.Value, r.Value
	if e.Change.OK && widest > 0 {
		better := e.Change.V
		if m.Metric.Better == evidence.Lower {
			better = -better
		}
		c.Bar = bar(better/widest, e.Single)
	}
	return c
}

// workOnce is the working of an effect that may stand in a matrix of the page too.
func (b *matrixBuilder) workOnce(e *compare.Effect, m *compare.Matrix, what string, scale Scale) string {
	title := m.Metric.Title + " " + statWord(m.Spec.Stat) + ", " + what
	for i := range b.workings {
		if b.workings[i].What == title {
			return b.workings[i].ID
		}
	}
	return b.work(e, matrixLayout.ColKey, m, what, scale)
}

// barReach is the length of a full bar on either side of the middle.
const barReach = 48

// bar draws a share from -1 to 1.
func bar(share float64, hollow bool) *Bar {
	length := share * barReach
	x := 50.0
	if length < 0 {
		x, length = 50+length, -length
	}
	return &Bar{X: fmt.Sprintf("%.1f", x), Width: fmt.Sprintf("%.1f", max(length, 0.4)), Hollow: hollow, Zero: "M50 0V8"}
}

// gainWords counts what the columns say: "Decode rate better in 8 of 8 pairs".
func gainWords(g *compare.Gains) string {
	var parts []string
	single := 0
	for k, c := range g.Columns {
		n := map[string]int64{}
		var of int64
		for i := range g.Lines {
			e := g.Lines[i].Effects[k]
			if e == nil || !e.Verdict.Shows() {
				continue
			}
			if e.Single {
				single++
			}
			if e.Better != "" {
				of++
				n[e.Better]++
			}
		}
		if of == 0 {
			continue
		}
		m, _ := evidence.LookupMetric(c.Metric)
		word := "better"
		if n["worse"] > n["better"] {
			word = "worse"
		}
		parts = append(parts, m.Title+" "+word+" in "+Int(n[word])+" of "+Plural(of, "pair", "pairs"))
	}
	s := strings.Join(parts, "; ")
	if s != "" {
		s += ". "
	}
	if single > 0 {
		s += "One observation against one is shown and not judged. "
	}
	return s + "Classes are different workloads: read each column down, not across."
}

// missingCosts names the costs that the campaign does not record.
func missingCosts(have []compare.Choice) string {
	costs := []struct {
		name    string
		metrics []evidence.MetricID
	}{
		{"acceptance", []evidence.MetricID{evidence.AcceptRate, evidence.AcceptLength}},
		{"KV pool", []evidence.MetricID{evidence.KVPoolTokens}},
		{"free memory", []evidence.MetricID{evidence.GPUMemoryFree, evidence.GPUMemoryUsed}},
		{"energy", []evidence.MetricID{evidence.EnergyPerOutputToken}},
	}
	var missing []string
	for _, c := range costs {
		found := false
		for _, h := range have {
			for _, m := range c.metrics {
				found = found || h.Metric == m
			}
		}
		if !found {
			missing = append(missing, c.name)
		}
	}
	return strings.Join(missing, ", ")
}
