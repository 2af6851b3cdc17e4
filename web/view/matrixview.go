package view

import (
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

// MatrixView is one matrix as a table.
type MatrixView struct {
	ID     string
	Title  string
	Unit   string // "tok/s, higher is better"
	Say    []string
	Corner MatrixHead // head of the row labels
	Groups []MatrixHead
	Heads  []MatrixHead
	Bodies []MatrixBody // one for each value of the first row key
	Scales []ShadeScale
	Single bool   // its figures are single observations
	Alone  string // address of the page with this matrix first
	Holes  bool
}

// MatrixHead is one head cell.
type MatrixHead struct {
	Text, Sub string
	Span      int
	Edge      bool
}

// MatrixBody is the rows that share their first key.
type MatrixBody struct{ Rows []MatrixLine }

// MatrixLine is one row, a place for each of the matrix's heads.
type MatrixLine struct {
	Label  Figure
	Subs   []Figure
	Places []MatrixPlace
}

// Cells are the places as the page draws them: a hole of several columns is one cell.
func (l MatrixLine) Cells() []MatrixPlace {
	cells := make([]MatrixPlace, 0, len(l.Places))
	for _, p := range l.Places {
		if n := len(cells); p.Joined && n > 0 {
			cells[n-1].Span++
			continue
		}
		cells = append(cells, p)
	}
	return cells
}

// Kinds of places.
const (
	PlaceValue   = "value"
	PlaceEffect  = "effect"
	PlaceHole    = "hole"
	PlaceStopped = "stopped" // a pair that must not be compared
)

// MatrixPlace is one cell of the table.
type MatrixPlace struct {
	Kind   string
	Label  string // said where the head is not seen
	Span   int    // columns of the cell that the page draws
	Joined bool   // part of the hole that began before it
	Edge   bool
	Step   int // 1 to 5, 0 unshaded
	Value  Figure
	Upper  *Figure
	Sub    string
	One    bool
	Struck bool // the arm was rejected: figures stay, and cannot win
	Badge  *Badge
	Word   string // "better", "1 against 1"
	Note   string
	Link   *NamedLink
	// Number is the point value of a shown figure, for the drawing.
	Number evidence.Opt[float64]
	Row    string
	Column string
}

// ShadeScale is the scale of one shade group.
type ShadeScale struct{ Label, Low, High, Unit string }

// view turns a matrix into a table.
func (b *matrixBuilder) view(m *compare.Matrix, id string) *MatrixView {
	scale := ScaleFor(m.Metric.Unit, matrixValues(m)...)
	t := &tableBuilder{b: b, m: m, scale: scale, v: &MatrixView{ID: id, Title: matrixTitle(m), Unit: unitWords(scale, m.Metric), Single: m.Spec.Stat == evidence.Single}}
	t.heads()
	for i := range m.Rows {
		t.row(&m.Rows[i])
	}
	t.v.Say = matrixSays(m)
	if b.shaded {
		t.scales()
	}
	return t.v
}

func unitWords(s Scale, m evidence.Metric) string {
	parts := []string{}
	if s.Unit != "" {
		parts = append(parts, s.Unit)
	}
	if w := betterWords[m.Better]; w != "" {
		parts = append(parts, w)
	}
	return strings.Join(parts, ", ")
}

func matrixValues(m *compare.Matrix) []float64 {
	var out []float64
	for i := range m.Rows {
		for _, g := range m.Rows[i].Cells {
			for j := range g {
				out = append(out, valuesOf(&g[j].Measurement.Measurement)...)
			}
		}
	}
	return out
}

// matrixSays are the sentences under the title.
func matrixSays(m *compare.Matrix) []string {
	var runs []evidence.RunRow
	for i := range m.Rows {
		for _, g := range m.Rows[i].Cells {
			for j := range g {
				if g[j].Run != nil {
					runs = append(runs, *g[j].Run)
				}
			}
		}
	}
	var out []string
	var shape []string
	for _, l := range sharedShape(runs) {
		if l.Label == evidence.LookupKey(evidence.KeyConcurrencyAll).Title {
			continue // said by the concurrency per replica and the arms
		}
		shape = append(shape, l.Label+" "+l.Value.Text.String())
	}
	if len(shape) > 0 {
		out = append(out, "All arms: "+strings.Join(shape, ", ")+".")
	}
	if s := spread(runs, evidence.KeyPromptTokens); s != "" {
		out = append(out, "Actual prompt tokens: "+s+". Rows are different workloads, so nothing is compared down a column.")
	}
	switch m.Spec.Stat {
	case evidence.Single:
		out = append(out, "One observation each: no shade and no rank, since one observation is neither a distribution nor a ranking.")
	case evidence.P50, evidence.P95, evidence.P99:
		if s := methodWords(runs); s != "" {
			out = append(out, s)
		}
	}
	if len(m.Unplaced) > 0 {
		out = append(out, Plural(int64(len(m.Unplaced)), "run has", "runs have")+" no place here: "+unplacedWords(m)+".")
	}
	return out
}

// spread lists the few values that a fact takes; "" when it takes one or is missing.
func spread(runs []evidence.RunRow, k evidence.FactKey) string {
	var words []string
	seen := map[string]bool{}
	for i := range runs {
		f, ok := runs[i].Fact(k)
		if !ok || f.State == evidence.Absent {
			return ""
		}
		if w := rowKeyText(k, f.Value); !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	if len(words) < 2 || len(words) > 8 {
		return ""
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func unplacedWords(m *compare.Matrix) string {
	var parts []string
	seen := map[evidence.FactKey]int{}
	var order []evidence.FactKey
	for _, u := range m.Unplaced {
		if seen[u.Missing] == 0 {
			order = append(order, u.Missing)
		}
		seen[u.Missing]++
	}
	for _, k := range order {
		parts = append(parts, Int(int64(seen[k]))+" without "+evidence.LookupKey(k).Title)
	}
	return strings.Join(parts, ", ")
}

// tableBuilder lays one matrix out.
type tableBuilder struct {
	b     *matrixBuilder
	m     *compare.Matrix
	v     *MatrixView
	scale Scale
	keys  []string // of the current row
}

func (t *tableBuilder) group(g string) string {
	return axisName(t.m.Spec.GroupKey) + " " + plain(g, 40)
}
func (t *tableBuilder) col(c string) string { return axisName(t.m.Spec.ColKey) + " " + plain(c, 40) }

// heads are the two lines of column heads.
func (t *tableBuilder) heads() {
	m, v := t.m, t.v
	corner := make([]string, 0, len(m.Spec.RowKeys))
	for _, k := range m.Spec.RowKeys {
		corner = append(corner, evidence.LookupKey(k).Title)
	}
	v.Corner = MatrixHead{Text: strings.ToUpper(corner[0][:1]) + corner[0][1:], Sub: strings.Join(corner[1:], ", ") + ", tokens"}
	colAxis, groupAxis := axisName(m.Spec.ColKey), axisName(m.Spec.GroupKey)
	for g, name := range m.Groups {
		v.Groups = append(v.Groups, MatrixHead{Text: t.group(name), Sub: t.cards(g), Span: 2*len(m.Cols) - 1})
		for c, col := range m.Cols {
			v.Heads = append(v.Heads, MatrixHead{Text: t.col(col), Edge: c == 0})
		}
		for _, col := range m.Cols[1:] {
			h := MatrixHead{Text: colAxis + " effect", Sub: "against " + t.col(m.Cols[0])}
			if len(m.Cols) > 2 {
				h.Text = t.col(col) + " effect"
			}
			v.Heads = append(v.Heads, h)
		}
	}
	for _, name := range m.Groups[1:] {
		h := MatrixHead{Text: groupAxis + " effect", Span: len(m.Cols)}
		if len(m.Groups) > 2 {
			h.Text = t.group(name) + " effect"
		}
		v.Groups = append(v.Groups, h)
		for c, col := range m.Cols {
			v.Heads = append(v.Heads, MatrixHead{Text: "at " + t.col(col), Sub: "against " + t.group(m.Groups[0]), Edge: c == 0})
		}
	}
}

var countWords = map[string]string{"1": "one card", "2": "two cards", "4": "four cards", "8": "eight cards"}

// cards says how many cards the arms of a group use, where all record it.
func (t *tableBuilder) cards(g int) string {
	word := ""
	for i := range t.m.Rows {
		for j := range t.m.Rows[i].Cells[g] {
			r := t.m.Rows[i].Cells[g][j].Run
			if r == nil {
				continue
			}
			f, ok := r.Fact(evidence.KeyGPUCount)
			if !ok || word != "" && f.Value != word {
				return ""
			}
			word = f.Value
		}
	}
	if w, ok := countWords[word]; ok {
		return w
	}
	if word == "" {
		return ""
	}
	return plain(word, 20) + " cards"
}

// row lays one row out.
func (t *tableBuilder) row(r *compare.MatrixRow) {
	t.keys = r.Keys
	line := t.rowLabel(r)
	for g := range t.m.Groups {
		line.Places = append(line.Places, t.groupPlaces(r, g)...)
	}
	for g := 1; g < len(t.m.Groups); g++ {
		line.Places = append(line.Places, t.groupEffects(r, g)...)
	}
	n := len(t.v.Bodies)
	if n == 0 || !t.sameBody(r) {
		t.v.Bodies = append(t.v.Bodies, MatrixBody{})
		n++
	}
	t.v.Bodies[n-1].Rows = append(t.v.Bodies[n-1].Rows, line)
}

// sameBody reports whether the row before had the same first key.
func (t *tableBuilder) sameBody(r *compare.MatrixRow) bool {
	for i := range t.m.Rows {
		if &t.m.Rows[i] == r {
			return i > 0 && t.m.Rows[i-1].Keys[0] == r.Keys[0]
		}
	}
	return false
}

// rowLabel names a row; each part opens the fact it was read from.
func (t *tableBuilder) rowLabel(r *compare.MatrixRow) MatrixLine {
	var line MatrixLine
	for i, k := range t.m.Spec.RowKeys {
		f := Figure{Text: rowKeyText(k, r.Keys[i])}
		if row, ok := factOfRow(r, k); ok {
			f = Fig(f.Text, row.Artifact, row.Place)
		}
		if i == 0 {
			line.Label = f
		} else {
			line.Subs = append(line.Subs, f)
		}
	}
	return line
}

func factOfRow(r *compare.MatrixRow, k evidence.FactKey) (evidence.FactRow, bool) {
	for _, g := range r.Cells {
		for i := range g {
			if g[i].Run != nil {
				if f, ok := g[i].Run.Fact(k); ok && f.State != evidence.Absent {
					return f, true
				}
			}
		}
	}
	return evidence.FactRow{}, false
}

// scales are the legends of the shade groups.
func (t *tableBuilder) scales() {
	seen := map[string]bool{}
	for i := range t.m.Rows {
		k := t.m.Rows[i].Keys[0]
		lo, ok := t.m.ShadeLow[k]
		if !ok || seen[k] {
			continue
		}
		seen[k] = true
		hi := t.m.ShadeHi[k]
		if t.m.Metric.Better == evidence.Lower {
			lo, hi = hi, lo
		}
		t.v.Scales = append(t.v.Scales, ShadeScale{
			Label: rowKeyText(t.m.Spec.RowKeys[0], k), Low: t.scale.Format(lo), High: t.scale.Format(hi), Unit: t.scale.Unit,
		})
	}
}
