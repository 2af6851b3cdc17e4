package compare

import (
	"slices"

	"assay/store/evidence"
)

// Stops are the reasons that stop a pair, as a waiver has to name them.
func (j *Judgement) Stops() []evidence.WaivedStop {
	var out []evidence.WaivedStop
	for i := range j.Reasons {
		if r := &j.Reasons[i]; !r.Verdict.Shows() {
			out = append(out, stopOf(r))
		}
	}
	return out
}

func stopOf(r *Reason) evidence.WaivedStop {
	return evidence.WaivedStop{Rule: r.Rule, Key: r.Key, Left: r.Left.Value, Right: r.Right.Value}
}

// Waivable says whether a person may open a stopped pair for looking; the rule names what
// forbids it.
func (j *Judgement) Waivable() (rule string, ok bool) {
	for i := range j.Reasons {
		r := &j.Reasons[i]
		if rule, known := LookupRule(r.Rule); !r.Verdict.Shows() && known && rule.NoWaiver {
			return r.Rule, false
		}
	}
	return "", !j.Verdict.Shows()
}

// Waived finds the waiver that opens a stopped pair: it holds, it is for this figure of
// these runs, and it sets every stop aside with what both sides still say. A stop that
// came up after it was given is not covered.
func (j *Judgement) Waived(control, arm string, f Figure, waivers []evidence.Waiver) *evidence.Waiver {
	if _, ok := j.Waivable(); !ok {
		return nil
	}
	for i := range waivers {
		w := &waivers[i]
		if !w.Holds() || w.Control != control || w.Arm != arm || w.Metric != f.Metric || w.Stat != f.Stat {
			continue
		}
		if covers(w, j.Stops()) {
			return w
		}
	}
	return nil
}

func covers(w *evidence.Waiver, stops []evidence.WaivedStop) bool {
	for _, s := range stops {
		if !slices.Contains(w.Stops, s) {
			return false
		}
	}
	return true
}

// Explored is what a waiver opens: figures for looking, marked wherever they show, never
// ranked and never a ground for a sign-off.
type Explored struct {
	Waiver  evidence.Waiver
	Control Value
	Value   Value
	Change  evidence.Opt[float64]
}

// Explore fills in what waivers open. The cells' own verdicts, values and changes stay as
// they are: a page or a file has to ask for Explored by name.
func (c *Comparison) Explore(waivers []evidence.Waiver) {
	control := c.Control.Repeats
	for i := range c.Arms {
		a := &c.Arms[i]
		for j := range a.Cells {
			cell, f := &a.Cells[j], c.Figures[j].Figure
			w := cell.Waived(control.Head().ID, a.Repeats.Head().ID, f, waivers)
			if w == nil {
				continue
			}
			x := Explored{Waiver: *w, Control: valueOver(control, f), Value: valueOver(a.Repeats, f)}
			if !x.Control.Recorded || !x.Value.Recorded {
				continue
			}
			if x.Control.Point.OK && x.Value.Point.OK && x.Control.Point.V != 0 {
				x.Change = evidence.Some(change(x.Control.Point.V, x.Value.Point.V))
			}
			cell.Explored = &x
		}
	}
}
