package review

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
	"assay/store/signoff"
)

// pair are the runs of two arms that are held against each other, with the figures and
// the factor asked about.
type pair struct {
	control, arm compare.Repeats
	figures      []compare.Figure
	axes         []evidence.FactKey
	shown        int // figures that may be shown
}

func (p *pair) spec() compare.Spec {
	return compare.Spec{Control: runIDs(p.control), Arms: [][]string{runIDs(p.arm)}, Figures: p.figures, Axes: p.axes}
}

func runIDs(r compare.Repeats) []string {
	out := make([]string, len(r))
	for i := range r {
		out[i] = r[i].ID
	}
	return out
}

// mostGroups bounds the shapes of an arm that are tried against those of another.
const mostGroups = 60

// choosePair finds the runs of two arms that are compared: those of one workload class
// with the most figures that may be shown, in the order of the sources where several have
// as many. It is no choice by outcome: what the figures are is not looked at.
func choosePair(control, arm *arm, asked []compare.Figure) (best pair, ok bool) {
	left, right := compare.GroupRepeats(control.runs), compare.GroupRepeats(arm.runs)
	left, right = left[:min(len(left), mostGroups)], right[:min(len(right), mostGroups)]
	for _, r := range right {
		for _, l := range left {
			if l.Head().Class != r.Head().Class {
				continue
			}
			p := pair{control: l, arm: r, figures: asked}
			if len(asked) == 0 {
				p.figures = firstFigures(offered(l, r))
			}
			if len(p.figures) == 0 {
				continue
			}
			if factors := compare.Factors(l.Head(), r.Head()); len(factors) == 1 {
				p.axes = factors
			}
			p.shown = p.count()
			if !ok || p.shown > best.shown || p.shown == best.shown && len(p.figures) > len(best.figures) {
				best, ok = p, true
			}
		}
	}
	return best, ok
}

func (p *pair) count() int {
	n := 0
	for _, f := range p.figures {
		if compare.Judge(p.control.Head(), p.arm.Head(), compare.Question{Metric: f.Metric, Stat: f.Stat, Axes: p.axes}).Verdict.Shows() {
			n++
		}
	}
	return n
}

// offered are the figures that both sides have as their own, in registry order.
func offered(control, arm compare.Repeats) []compare.Figure {
	has := func(r compare.Repeats, f compare.Figure) bool {
		return slices.ContainsFunc(r, func(run *evidence.RunRow) bool {
			_, ok := run.Primary(f.Metric, f.Stat)
			return ok
		})
	}
	var out []compare.Figure
	for _, m := range evidence.Metrics {
		for _, s := range evidence.Stats {
			f := compare.Figure{Metric: m.ID, Stat: s}
			if m.Comparable && has(control, f) && has(arm, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// mostFigures bounds the figures of a frozen comparison.
const mostFigures = 12

// firstFigures are one statistic of each metric that both sides have: totals and medians
// before tails, and metrics in registry order.
func firstFigures(have []compare.Figure) []compare.Figure {
	order := append([]evidence.Stat{evidence.Total, evidence.P50, evidence.Mean, evidence.Single}, evidence.Stats...)
	rank := func(f compare.Figure) int { return slices.Index(order, f.Stat) }
	var out []compare.Figure
	for _, f := range have {
		i := slices.IndexFunc(out, func(x compare.Figure) bool { return x.Metric == f.Metric })
		switch {
		case i < 0 && len(out) < mostFigures:
			out = append(out, f)
		case i >= 0 && rank(f) < rank(out[i]):
			out[i] = f
		}
	}
	return out
}

// parseFigures reads the figures that a person asks for.
func parseFigures(list []string) ([]compare.Figure, error) {
	if len(list) > mostFigures {
		return nil, fmt.Errorf("%d figures; at most %d stand in one comparison", len(list), mostFigures)
	}
	var out []compare.Figure
	for _, s := range list {
		f, err := compare.ParseFigure(s)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out, nil
}

// freeze answers the comparison and ties it down by digests.
func (d *Desk) freeze(p *pair) (signoff.Comparison, compare.Comparison, error) {
	c := compare.Compare(p.spec(), p.control, []compare.Repeats{p.arm})
	out := signoff.Comparison{Spec: c.Spec.Text(), SpecDigest: c.Spec.Digest(), Ruleset: compare.RulesetVersion, Counts: map[string]int{}}
	var err error
	if out.ExportDigest, err = d.exportDigest(&c); err != nil {
		return out, c, err
	}
	for j := range c.Figures {
		cell := &c.Arms[0].Cells[j]
		out.Counts[string(cell.Verdict)]++
		out.Figures = append(out.Figures, figureLine(&c, j))
	}
	return out, c, nil
}

// exportDigest is the SHA-256 of the comparison's CSV file.
func (d *Desk) exportDigest(c *compare.Comparison) (string, error) {
	h := newDigest()
	t := d.Table(c)
	if err := t.Write(export.CSV, h); err != nil {
		return "", fmt.Errorf("comparison as a file: %w", err)
	}
	return h.hex(), nil
}

func figureLine(c *compare.Comparison, j int) signoff.FigureLine {
	head, cell, left := &c.Figures[j], &c.Arms[0].Cells[j], &c.Control.Values[j]
	f := signoff.FigureLine{Figure: head.String(), Title: head.Info.Title, Verdict: string(cell.Verdict)}
	for _, r := range cell.Reasons {
		if !slices.Contains(f.Reasons, r.Rule) {
			f.Reasons = append(f.Reasons, r.Rule)
		}
	}
	if !cell.Verdict.Shows() {
		return f
	}
	f.Left, f.Right = valueText(left, head.Info.Unit), valueText(&cell.Value, head.Info.Unit)
	f.Change, f.Better = changeText(cell), cell.Better
	f.LeftSrc, f.RightSrc = sourceOf(left, f.Left), sourceOf(&cell.Value, f.Right)
	return f
}

func sourceOf(v *compare.Value, text string) signoff.Source {
	if len(v.Sources) == 0 {
		return signoff.Source{}
	}
	return signoff.Source{Artifact: v.Sources[0].Artifact, Pointer: v.Sources[0].Place.Pointer, Text: text}
}

// valueText is a figure with its unit: a point, or an interval as one.
func valueText(v *compare.Value, unit evidence.Unit) string {
	text := ""
	switch {
	case v.Point.OK:
		text = decimal(v.Point.V)
	case v.Lower.OK && v.Upper.OK:
		text = decimal(v.Lower.V) + " to " + decimal(v.Upper.V)
	default:
		return "no value"
	}
	if unit != "" {
		text += " " + string(unit)
	}
	if v.Repeats > 1 {
		text += fmt.Sprintf(" (median of %d runs)", v.Repeats)
	}
	return text
}

func changeText(cell *compare.PairCell) string {
	switch {
	case cell.Change.OK:
		return percent(cell.Change.V)
	case cell.Low.OK && cell.High.OK:
		return percent(cell.Low.V) + " to " + percent(cell.High.V)
	}
	return ""
}

func percent(v float64) string { return fmt.Sprintf("%+.1f %%", 100*v) }

// decimal writes a number with at most six digits, never in powers of ten.
func decimal(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	places := 5 - int(math.Floor(math.Log10(math.Abs(v))))
	places = max(0, min(places, 12))
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', places, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
