package view

import (
	"assay/store/compare"
	"assay/store/evidence"
)

// groupPlaces are the cells of one group and the effects along its columns. A group
// without any arm in the row is drawn as one hole.
func (t *tableBuilder) groupPlaces(r *compare.MatrixRow, g int) []MatrixPlace {
	m := t.m
	label := t.group(m.Groups[g])
	if allNotRun(r.Cells[g]) {
		t.v.Holes = true
		hole := MatrixPlace{Kind: PlaceHole, Label: label, Span: 1, Edge: true, Word: "not run", Note: "No " + label + " arm " + t.here() + "."}
		return joined(hole, 2*len(m.Cols)-1)
	}
	var out []MatrixPlace
	for c := range m.Cols {
		p := t.place(&r.Cells[g][c])
		p.Label, p.Edge = label+", "+t.col(m.Cols[c]), c == 0
		p.Row, p.Column = rowWords(m, r.Keys), label+", "+t.col(m.Cols[c])
		out = append(out, p)
	}
	for i := range r.Col[g] {
		e := &r.Col[g][i]
		p := t.effect(e, m.Spec.ColKey, t.col(e.Col)+" against "+t.col(e.ControlOf)+" at "+label)
		p.Label = label + ", " + axisName(m.Spec.ColKey) + " effect"
		if len(m.Cols) > 2 {
			p.Label = label + ", " + t.col(e.Col) + " effect"
		}
		out = append(out, p)
	}
	return out
}

// joined is one hole over n columns. Where columns are read one by one, as in a
// terminal, every one of them says why it is empty.
func joined(hole MatrixPlace, n int) []MatrixPlace {
	out := make([]MatrixPlace, n)
	for i := range out {
		out[i] = hole
		out[i].Joined, out[i].Edge = i > 0, i == 0
	}
	return out
}

// here says where in the matrix a hole is.
func (t *tableBuilder) here() string {
	if keys := t.m.Spec.RowKeys; len(keys) == 2 && keys[1] == evidence.KeyServedContext {
		return "at this context"
	}
	return "in this row"
}

func allNotRun(cells []compare.Cell) bool {
	for i := range cells {
		if cells[i].State != compare.CellNotRun {
			return false
		}
	}
	return true
}

// place is one cell of figures.
func (t *tableBuilder) place(c *compare.Cell) MatrixPlace {
	p := MatrixPlace{Kind: PlaceHole, Span: 1}
	switch c.State {
	case compare.CellNotRun:
		p.Word, t.v.Holes = "not run", true
		p.Link = runLink(c.Run)
	case compare.CellNoValue:
		p.Word, t.v.Holes = "not recorded", true
		p.Link = runLink(c.Run)
	case compare.CellFailed:
		p.Badge = &Badge{Kind: "blocked", Glyph: "gate-failed", Word: "failed"}
		p.Link = runLink(c.Run)
	case compare.CellOpen:
		p.Badge = &Badge{Kind: "unknown", Glyph: "gate-unresolved", Word: "unresolved"}
		p.Link = runLink(c.Run)
	case compare.CellSeveral:
		p.Word, p.Note = Int(int64(len(c.Runs)))+" runs", "none is picked"
		p.Link = &NamedLink{"See them", Query("/runs", "campaign", c.Runs[0].Campaign, "arm", c.Runs[0].Arm)}
	default:
		return t.figure(c)
	}
	return p
}

func runLink(r *evidence.RunRow) *NamedLink {
	if r == nil {
		return nil
	}
	return &NamedLink{"Its run", RunURL(r.ID)}
}

// figure is a cell with a value or bounds.
func (t *tableBuilder) figure(c *compare.Cell) MatrixPlace {
	x := figureCell(t.scale, &c.Measurement)
	p := MatrixPlace{
		Kind: PlaceValue, Span: 1, Value: x.Value, Upper: x.Upper, Sub: x.Sub, One: c.State == compare.CellSingle,
		Struck: c.Run.Rejected != "", Number: c.Measurement.Value,
	}
	if t.b.shaded {
		p.Step = c.Shade
	}
	switch {
	case p.Struck:
		p.Sub = "rejected, cannot win"
	case p.One || p.Sub != "":
	case c.Measurement.N.OK:
		p.Sub = "n " + Int(c.Measurement.N.V)
	case c.Measurement.Stat != evidence.Total:
		p.Sub = "n not recorded"
	}
	return p
}

// groupEffects are the effects of one group against the first. When the control has
// no arm at all they are one hole.
func (t *tableBuilder) groupEffects(r *compare.MatrixRow, g int) []MatrixPlace {
	m := t.m
	axis := axisName(m.Spec.GroupKey)
	control := t.group(m.Groups[0])
	if allMissing(r.Group[g-1]) {
		note := "no " + control + " control, so no effect"
		if !allNotRun(r.Cells[0]) {
			note = "no pair, so no effect"
		}
		return joined(MatrixPlace{Kind: PlaceHole, Label: axis + " effect", Span: 1, Note: note}, len(m.Cols))
	}
	var out []MatrixPlace
	for i := range r.Group[g-1] {
		e := &r.Group[g-1][i]
		p := t.effect(e, m.Spec.GroupKey, t.group(e.Group)+" against "+t.group(e.ControlOf)+" at "+t.col(e.Col))
		p.Label, p.Edge = axis+" effect, "+t.col(e.Col), i == 0
		out = append(out, p)
	}
	return out
}

func allMissing(cells []compare.EffectCell) bool {
	for i := range cells {
		if cells[i].Effect != nil {
			return false
		}
	}
	return true
}

// effect is a change against the matched control, or the reason why there is none.
func (t *tableBuilder) effect(e *compare.EffectCell, axis evidence.FactKey, what string) MatrixPlace {
	p := MatrixPlace{Kind: PlaceHole, Span: 1}
	switch {
	case e.NotApplicableBase:
		p.Note = "no " + axisName(axis) + " 0 control"
		return p
	case e.Effect == nil:
		base := axisName(axis) + " " + plain(e.ControlOf, 40)
		p.Note = map[string]string{"control": "no " + base + " control", "arm": "no figure", "both": "no pair"}[e.Missing]
		return p
	}
	x := e.Effect
	badge := verdictBadge(x.Verdict)
	p.Kind, p.Badge = PlaceEffect, &badge
	p.Link = &NamedLink{Text: what, Href: "#" + t.b.work(x, axis, t.m, rowWords(t.m, t.keys)+": "+what, t.scale)}
	if !x.Verdict.Shows() {
		p.Kind = PlaceStopped
		p.Note = plain(x.Reasons[0].Message, maxName)
		return p
	}
	p.Value = Figure{Text: changeWords(x), Href: p.Link.Href, Calc: true, Title: "the working: " + what}
	p.One, p.Word = x.Single, effectWord(x)
	p.Struck = x.Arm.Rejected != "" || x.Control.Rejected != ""
	return p
}

var verdictBadges = map[compare.Verdict]Badge{
	compare.OK:      {Kind: "ok", Glyph: "ok", Word: "ok"},
	compare.Caution: {Kind: "caveat", Glyph: "caveat", Word: "caveat"},
	compare.Unknown: {Kind: "unknown", Glyph: "unknown", Word: "unknown"},
	compare.Blocked: {Kind: "blocked", Glyph: "blocked", Word: "blocked"},
}

func verdictBadge(v compare.Verdict) Badge {
	if b, ok := verdictBadges[v]; ok {
		return b
	}
	return verdictBadges[compare.Unknown]
}

// effectWord is what may be said of a change: better and worse only from two
// observations on, and never of a rejected arm.
func effectWord(x *compare.Effect) string {
	switch {
	case x.Arm.Rejected != "" || x.Control.Rejected != "":
		return "rejected, cannot win"
	case x.Single:
		return observations(x.Right.N) + " against " + observations(x.Left.N)
	case x.Better != "":
		return x.Better
	case x.Low.OK:
		return "bounds, no point value"
	}
	return ""
}

// observations is a count of one where a summary says no count.
func observations(n evidence.Opt[int64]) string {
	if !n.OK {
		return "1"
	}
	return Int(n.V)
}

// changeScale writes changes: per cent with one decimal all over a page.
var changeScale = Scale{Unit: "%", num: 100, den: 1, decimals: 1}

// Change writes a relative change with its sign: "+140.3%".
func Change(v float64) string {
	text := changeScale.Format(v)
	if v > 0 && text != "0.0" {
		text = "+" + text
	}
	return text + "%"
}

func changeWords(x *compare.Effect) string {
	switch {
	case x.Change.OK:
		return Change(x.Change.V)
	case x.Low.OK && x.High.OK:
		return Change(x.Low.V) + " to " + Change(x.High.V)
	}
	return "no change can be formed"
}
