package view

import (
	"strconv"

	"assay/store/compare"
)

// CompareDrawing is the first figure as bars on one axis. What may not be compared is not
// drawn and says why.
type CompareDrawing struct {
	Title, Unit string
	Ticks       []string
	Rail        string // x of the control's value
	Rows        []DrawnRow
}

// DrawnRow is one bar.
type DrawnRow struct {
	Name    string
	Control bool
	Struck  bool
	Shape   *DrawnBar
	Text    Figure  // "764.3"
	Upper   *Figure // the other bound of an interval
	Badge   *Badge
	Why     string
}

// DrawnBar is in thousandths of the axis.
type DrawnBar struct {
	X, Width   string // of the filled bar
	Mark       string // x of the point; "" for an interval
	Hollow     bool
	Lo, Hi     string // thin bar of an interval over repeats; "" without
	HasRepeats bool
}

const drawnWidth = 1000

func (b *compareBuilder) drawing() *CompareDrawing {
	if len(b.c.Figures) == 0 || len(b.c.Arms) == 0 || !b.shownAnywhere(0) || !b.c.Control.Values[0].Recorded {
		return nil
	}
	s := b.scale[0]
	top := 0.0
	for _, v := range b.drawnValues() {
		for _, x := range pointsOf(v) {
			if x < 0 {
				return nil // bars from zero would mislead
			}
			top = max(top, x)
		}
		if v.Summary != nil && v.Summary.Range.OK {
			top = max(top, v.Summary.Hi)
		}
	}
	if top == 0 {
		return nil
	}
	step := niceStep(s.Value(top) / 4)
	ticks := 0
	for float64(ticks)*step < s.Value(top) {
		ticks++
	}
	end := float64(ticks) * step
	d := &CompareDrawing{Title: b.c.Figures[0].Info.Title + ", " + statWord(b.c.Figures[0].Stat), Unit: s.Unit}
	for i := range ticks + 1 {
		d.Ticks = append(d.Ticks, group(strconv.FormatFloat(float64(i)*step, 'f', -1, 64)))
	}
	at := func(v float64) float64 { return s.Value(v) / end * drawnWidth }
	control := &b.c.Control.Values[0]
	if control.Point.OK {
		d.Rail = thousandths(at(control.Point.V))
	}
	first := DrawnRow{Name: b.names[0], Control: true, Shape: drawnBar(control, at)}
	first.Text, first.Upper = valueFigures(s, control)
	d.Rows = append(d.Rows, first)
	for i := range b.c.Arms {
		a := &b.c.Arms[i]
		row := DrawnRow{Name: b.names[i+1], Struck: a.Rejected != ""}
		if cell := &a.Cells[0]; cell.Verdict.Shows() {
			row.Shape = drawnBar(&cell.Value, at)
			row.Text, row.Upper = valueFigures(s, &cell.Value)
		} else {
			badge := verdictBadge(cell.Verdict)
			row.Badge, row.Why = &badge, shortWhy(cell.Reasons)
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

func (b *compareBuilder) drawnValues() []*compare.Value {
	out := []*compare.Value{&b.c.Control.Values[0]}
	for i := range b.c.Arms {
		if c := &b.c.Arms[i].Cells[0]; c.Verdict.Shows() {
			out = append(out, &c.Value)
		}
	}
	return out
}

// valueFigures are a value as doors: a point, or both bounds of an interval.
func valueFigures(s Scale, v *compare.Value) (Figure, *Figure) {
	if v.Point.OK {
		f := Fig(s.Format(v.Point.V), v.Sources[0].Artifact, v.Sources[0].Place)
		f.Calc = v.Repeats > 1
		return f, nil
	}
	upper := Fig(s.Format(v.Upper.V), v.Sources[len(v.Sources)-1].Artifact, v.Sources[len(v.Sources)-1].Place)
	if len(v.Sources) > 1 {
		upper = Fig(s.Format(v.Upper.V), v.Sources[1].Artifact, v.Sources[1].Place)
	}
	return Fig(s.Format(v.Lower.V), v.Sources[0].Artifact, v.Sources[0].Place), &upper
}

func drawnBar(v *compare.Value, at func(float64) float64) *DrawnBar {
	if !v.Point.OK {
		if !v.Lower.OK || !v.Upper.OK {
			return nil
		}
		lo, hi := at(v.Lower.V), at(v.Upper.V)
		return &DrawnBar{X: thousandths(lo), Width: thousandths(max(hi-lo, 3))}
	}
	d := &DrawnBar{Mark: thousandths(at(v.Point.V)), Hollow: v.Repeats < 2 && v.N.OK && v.N.V == 1}
	if v.Summary != nil && v.Summary.Range.OK {
		d.Lo, d.Hi, d.HasRepeats = thousandths(at(v.Summary.Lo)), thousandths(at(v.Summary.Hi)), true
	}
	return d
}

func thousandths(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// niceStep is the next of 1, 2, 5 times a power of ten.
func niceStep(v float64) float64 {
	if v <= 0 {
		return 1
	}
	p := 1.0
	for p > v {
		p /= 10
	}
	for p*10 <= v {
		p *= 10
	}
	for _, m := range []float64{1, 2, 5} {
		if m*p >= v {
			return m * p
		}
	}
	return 10 * p
}
