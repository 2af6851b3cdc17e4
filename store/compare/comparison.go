package compare

import (
	"sort"

	"assay/store/evidence"
	"assay/store/stat"
)

// Comparison is up to a hundred arms against one control.
type Comparison struct {
	Spec    Spec
	Figures []FigureHead
	Control ControlRow
	Arms    []ArmRow
	// Shared are the caveats that every pair of the page has, said once.
	Shared []Reason
	Facts  []FactDiff
	Equal  int // facts equal on every side
	Counts map[Verdict]int
}

// FigureHead is a column.
type FigureHead struct {
	Figure
	Info evidence.Metric
}

// ControlRow is what every arm is held against.
type ControlRow struct {
	Repeats Repeats
	Values  []Value // by figure
}

// ArmRow is one arm.
type ArmRow struct {
	Repeats  Repeats
	Cells    []PairCell // by figure
	Reasons  []Reason   // of all cells, without those in Shared; gravest first
	Rejected string
}

// Value is a figure of one side: a point, or an interval without one.
type Value struct {
	Recorded     bool
	Point        evidence.Opt[float64]
	Lower, Upper evidence.Opt[float64]
	N            evidence.Opt[int64] // requests behind it, when all repeats agree
	Repeats      int                 // runs that have the figure; the point is their median
	Summary      *stat.Summary       // from two repeats on
	Sources      []SourceRef
}

// PairCell is one arm in one figure. Value, Change and Stat are empty unless the verdict
// shows them.
type PairCell struct {
	Judgement
	Value     Value
	Change    evidence.Opt[float64]
	Low, High evidence.Opt[float64] // of the change: bounds, or the interval over repeats
	Better    string
	Single    bool
	Stat      *stat.Effect // from two repeats a side on
	// Explored is what a waiver opens of a stopped pair; nil unless Explore was asked.
	Explored *Explored
}

// Compare answers a spec. Repeats must not be empty; the arms keep their order.
func Compare(spec Spec, control Repeats, arms []Repeats) Comparison {
	c := Comparison{Spec: spec, Control: ControlRow{Repeats: control}, Counts: map[Verdict]int{}}
	for _, f := range spec.Figures {
		m, _ := evidence.LookupMetric(f.Metric)
		c.Figures = append(c.Figures, FigureHead{Figure: f, Info: m})
		c.Control.Values = append(c.Control.Values, valueOver(control, f))
	}
	for _, a := range arms {
		row := ArmRow{Repeats: a, Rejected: a.Head().Rejected}
		for i := range c.Figures {
			cell := comparePair(control, a, c.Control.Values[i], c.Figures[i].Figure, spec.Axes)
			c.Counts[cell.Verdict]++
			row.Cells = append(row.Cells, cell)
		}
		c.Arms = append(c.Arms, row)
	}
	c.correct()
	c.Shared = c.sharedCaveats()
	for i := range c.Arms {
		c.Arms[i].Reasons = ownReasons(&c.Arms[i], c.Shared)
	}
	c.Facts, c.Equal = diffFacts(&c)
	return c
}

func comparePair(control, arm Repeats, left Value, f Figure, axes []evidence.FactKey) PairCell {
	q := Question{Metric: f.Metric, Stat: f.Stat, Axes: axes}
	cell := PairCell{Judgement: judgeRepeats(control, arm, q)}
	if !cell.Verdict.Shows() {
		return cell
	}
	e := EffectOf(control.Head(), arm.Head(), q)
	cell.Value = valueOver(arm, f)
	cell.Single = e.Single && cell.Value.Repeats < 2
	if left.Repeats < 2 && cell.Value.Repeats < 2 {
		cell.Change, cell.Low, cell.High, cell.Better = e.Change, e.Low, e.High, e.Better
		return cell
	}
	cell.fromRepeats(f, left, figures(control, f), figures(arm, f), cell.Ranking.Shows())
	return cell
}

// fromRepeats forms the change over the medians of the repeats.
func (cell *PairCell) fromRepeats(f Figure, left Value, control, arm []float64, mayWin bool) {
	e, ok := stat.Compare(control, arm)
	if !ok || !left.Point.OK || left.Point.V == 0 {
		return
	}
	cell.Stat = &e
	cell.Change = evidence.Some(change(e.Control.Median, e.Arm.Median))
	if e.HasInterval {
		cell.Low, cell.High = evidence.Some(e.RatioLo-1), evidence.Some(e.RatioHi-1)
	}
	if mayWin {
		w := Effect{Change: cell.Change}
		cell.Better = w.word(f.Metric)
	}
}

// judgeRepeats holds every repeat of one side against the head of the other, so that one
// odd repeat stops the arm and is named.
func judgeRepeats(control, arm Repeats, q Question) Judgement {
	var reasons []Reason
	ranking := OK
	add := func(a, b *evidence.RunRow) {
		j := Judge(a, b, q)
		reasons = append(reasons, j.All()...)
		if j.Ranking.rank() > ranking.rank() {
			ranking = j.Ranking
		}
	}
	for _, b := range arm {
		add(control.Head(), b)
	}
	for _, a := range control[1:] {
		add(a, arm.Head())
	}
	out := judgementOf(dedupe(reasons))
	out.Ranking = ranking
	return out
}

// figures are the point values of the repeats that have one.
func figures(r Repeats, f Figure) []float64 {
	var out []float64
	for _, run := range r {
		if m, ok := run.Primary(f.Metric, f.Stat); ok && m.Value.OK && m.State != evidence.Conflict {
			out = append(out, m.Value.V)
		}
	}
	return out
}

// valueOver is a figure of one side.
func valueOver(r Repeats, f Figure) Value {
	var v Value
	for _, run := range r {
		m, ok := run.Primary(f.Metric, f.Stat)
		if !ok || m.State == evidence.Conflict {
			continue
		}
		switch {
		case m.Value.OK:
			v.Repeats++
		case m.Lower.OK && m.Upper.OK && !v.Recorded:
			v.Lower, v.Upper = m.Lower, m.Upper
		default:
			continue
		}
		if !v.Recorded {
			v.N = m.N
		} else if v.N != m.N {
			v.N = evidence.None[int64]()
		}
		v.Recorded = true
		v.Sources = append(v.Sources, sourcesOf(m)...)
	}
	points := figures(r, f)
	if median, ok := stat.Median(points); ok {
		v.Point = evidence.Some(median)
	}
	if s, ok := stat.Summarise(points); ok && len(points) > 1 {
		v.Summary = &s
	}
	return v
}

// correct applies Holm over every test of the page.
func (c *Comparison) correct() {
	var all []*stat.Effect
	for i := range c.Arms {
		for j := range c.Arms[i].Cells {
			all = append(all, c.Arms[i].Cells[j].Stat)
		}
	}
	stat.Correct(all)
}

type reasonID struct {
	rule    string
	key     evidence.FactKey
	message string
	verdict Verdict
}

func idOf(r *Reason) reasonID {
	return reasonID{rule: r.Rule, key: r.Key, message: r.Message, verdict: r.Verdict}
}

// sharedCaveats are those that stand in every cell that shows a value. With one arm
// nothing is shared: its reasons stand with it.
func (c *Comparison) sharedCaveats() []Reason {
	if len(c.Arms) < 2 {
		return nil
	}
	count, first := map[reasonID]int{}, map[reasonID]Reason{}
	cells := 0
	for i := range c.Arms {
		for j := range c.Arms[i].Cells {
			cell := &c.Arms[i].Cells[j]
			if !cell.Verdict.Shows() {
				continue
			}
			cells++
			for k := range cell.Reasons {
				id := idOf(&cell.Reasons[k])
				if count[id]++; count[id] == 1 {
					first[id] = cell.Reasons[k]
				}
			}
		}
	}
	var out []Reason
	for id, n := range count {
		if n == cells && cells > 1 {
			out = append(out, first[id])
		}
	}
	return judgementOf(out).Reasons
}

// ownReasons are an arm's reasons over all figures, each once, without the shared ones.
func ownReasons(a *ArmRow, shared []Reason) []Reason {
	seen := map[reasonID]bool{}
	for i := range shared {
		seen[idOf(&shared[i])] = true
	}
	var out []Reason
	for i := range a.Cells {
		for j := range a.Cells[i].Reasons {
			r := &a.Cells[i].Reasons[j]
			if id := idOf(r); !seen[id] {
				seen[id] = true
				out = append(out, *r)
			}
		}
	}
	return judgementOf(out).Reasons
}

// FactDiff is one fact over all sides. Sides[0] is the control's.
type FactDiff struct {
	Key     evidence.FactKey
	Info    evidence.KeyInfo
	Sides   []Side
	Differs bool
	// Worst is the gravest verdict that a rule about this key gave to any pair; OK when
	// none spoke of it.
	Worst Verdict
}

// diffFacts lists the facts of all sides: what stops first, then what is open, then
// residue, then the rest; equal ones are counted.
func diffFacts(c *Comparison) ([]FactDiff, int) {
	sides := []*evidence.RunRow{c.Control.Repeats.Head()}
	for i := range c.Arms {
		sides = append(sides, c.Arms[i].Repeats.Head())
	}
	worst := c.worstByKey()
	var out []FactDiff
	equal := 0
	for _, k := range keysOf(sides) {
		d := FactDiff{Key: k, Info: evidence.LookupKey(k), Worst: OK}
		if v, ok := worst[k]; ok {
			d.Worst = v
		}
		for _, r := range sides {
			d.Sides = append(d.Sides, side(r, k))
		}
		for _, s := range d.Sides[1:] {
			d.Differs = d.Differs || s.Known != d.Sides[0].Known || s.Value != d.Sides[0].Value
		}
		if !d.Differs {
			equal++
		}
		out = append(out, d)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Differs != out[j].Differs {
			return out[i].Differs
		}
		return out[i].Worst.rank() > out[j].Worst.rank()
	})
	return out, equal
}

func (c *Comparison) worstByKey() map[evidence.FactKey]Verdict {
	worst := map[evidence.FactKey]Verdict{}
	for i := range c.Arms {
		for j := range c.Arms[i].Cells {
			for _, r := range c.Arms[i].Cells[j].Reasons {
				if r.Key != "" && r.Verdict.rank() > worst[r.Key].rank() {
					worst[r.Key] = r.Verdict
				}
			}
		}
	}
	return worst
}

// keysOf is the union of the keys of all sides, in registry order, unknown ones last.
func keysOf(runs []*evidence.RunRow) []evidence.FactKey {
	have := map[evidence.FactKey]bool{}
	var extra []evidence.FactKey
	for _, r := range runs {
		for i := range r.Facts {
			k := r.Facts[i].Key
			if !have[k] && evidence.LookupKey(k).Title == string(k) {
				extra = append(extra, k)
			}
			have[k] = true
		}
	}
	var out []evidence.FactKey
	for _, i := range evidence.Keys {
		if have[i.Key] {
			out = append(out, i.Key)
			delete(have, i.Key)
		}
	}
	for _, k := range extra {
		if have[k] {
			out = append(out, k)
			delete(have, k)
		}
	}
	return out
}
