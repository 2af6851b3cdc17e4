package compare

import (
	"sort"
	"strconv"

	"assay/store/evidence"
)

// FrontierSpec asks for throughput against latency, or for a figure along a factor.
type FrontierSpec struct {
	Y Figure
	X Figure
	// Along is a factor in the place of X: a curve over concurrency or context.
	Along evidence.FactKey
	// PerCard divides Y by the cards of an arm. A run whose cards are not known has no
	// place then.
	PerCard bool
}

// Frontier is one drawing for every group of runs that may meet.
type Frontier struct {
	Spec   FrontierSpec
	Groups []FrontierGroup
	// Left are runs that have no place, with the reason.
	Left []LeftOut
	// Bounded is true when more runs came than are laid out.
	Bounded bool
}

// FrontierGroup is runs of which every pair may be compared in both figures, but for the
// factors that a frontier is about.
type FrontierGroup struct {
	Shape  []evidence.FactRow // what names it: shape, protocol and card facts equal in all
	Points []FrontierPoint    // by X, then Y
	Curves [][]int            // points of one arm in order of the ladder, as indices
	// Unranked says why the group has no Pareto set: a rule stops naming a winner among
	// its points. Nil where there is one.
	Unranked *Reason
}

// FrontierPoint is one run.
type FrontierPoint struct {
	Run     *evidence.RunRow
	X, Y    float64
	XOf     evidence.MeasurementRow // zero when the x axis is a factor
	XFact   evidence.FactRow        // zero when it is a figure
	YOf     evidence.MeasurementRow
	Cards   int64 // what Y was divided by; 0 when it was not
	Load    string
	Single  bool
	Pareto  bool
	Caveats []Reason // against the group's first run
}

// LeftOut is a run without a place.
type LeftOut struct {
	Run *evidence.RunRow
	Why string
}

// frontierMax bounds the runs of one frontier: every pair of a group is judged.
const frontierMax = 300

// ladderKeys are what a load ladder changes from step to step. A frontier is drawn over
// them, so they are no reason to keep two runs apart: its line is the trade, not a delta.
var ladderKeys = []evidence.FactKey{
	evidence.KeyConcurrency, evidence.KeyConcurrencyAll, evidence.KeyRequests, evidence.KeyRequestRate, evidence.KeyBatchSize,
}

// contextKeys go along with a ladder over the context.
var contextKeys = []evidence.FactKey{
	evidence.KeyContextTarget, evidence.KeyPlannedContext, evidence.KeyPromptTokens, evidence.KeyFilledContext, evidence.KeyCachedFraction,
}

// ladder is the factors that may differ inside a group.
func (s *FrontierSpec) ladder() []evidence.FactKey {
	keys := append([]evidence.FactKey(nil), ladderKeys...)
	switch s.Along {
	case evidence.KeyContextTarget, evidence.KeyPromptTokens, evidence.KeyFilledContext:
		return append(keys, contextKeys...)
	case "":
		return keys
	}
	return append(keys, s.Along)
}

// BuildFrontier groups runs and finds each group's Pareto set. Failed, external and
// rejected runs are never on it, nor is a single observation.
func BuildFrontier(runs []*evidence.RunRow, spec FrontierSpec) Frontier {
	f := Frontier{Spec: spec}
	var points []FrontierPoint
	for _, r := range runs {
		p, why := spec.place(r)
		if why != "" {
			f.Left = append(f.Left, LeftOut{Run: r, Why: why})
			continue
		}
		if len(points) == frontierMax {
			f.Bounded = true
			break
		}
		points = append(points, p)
	}
	for _, g := range spec.gather(points) {
		g.finish(&spec)
		f.Groups = append(f.Groups, g)
	}
	sort.SliceStable(f.Groups, func(i, j int) bool { return len(f.Groups[i].Points) > len(f.Groups[j].Points) })
	return f
}

// place reads a run's coordinates.
func (s *FrontierSpec) place(r *evidence.RunRow) (FrontierPoint, string) {
	p := FrontierPoint{Run: r}
	switch r.Status {
	case evidence.Measured:
	case evidence.External:
		return p, "published elsewhere"
	default:
		return p, "the run is " + statusWord(r.Status)
	}
	y, ok := r.Primary(s.Y.Metric, s.Y.Stat)
	if !ok || !y.Value.OK || y.State == evidence.Conflict {
		return p, "no point value of " + s.Y.String()
	}
	p.YOf, p.Y = y, y.Value.V
	if s.PerCard {
		cards, known := number(r, evidence.KeyGPUCount)
		if !known || cards < 1 {
			return p, "how many cards it uses is not recorded"
		}
		p.Cards = int64(cards)
		p.Y /= cards
	}
	if s.Along != "" {
		v, known := number(r, s.Along)
		if !known {
			return p, evidence.LookupKey(s.Along).Title + " is not recorded as a number"
		}
		p.X = v
		p.XFact, _ = r.Fact(s.Along)
	} else {
		x, ok := r.Primary(s.X.Metric, s.X.Stat)
		if !ok || !x.Value.OK || x.State == evidence.Conflict {
			return p, "no point value of " + s.X.String()
		}
		p.XOf, p.X = x, x.Value.V
	}
	p.Load = side(r, evidence.KeyConcurrency).Value
	p.Single = s.Y.Stat == evidence.Single || isOne(y.N) || s.Along == "" && isOne(p.XOf.N)
	return p, ""
}

// questions are what a pair of a group must be able to answer.
func (s *FrontierSpec) questions() []Question {
	out := []Question{{Metric: s.Y.Metric, Stat: s.Y.Stat, Axes: s.ladder()}}
	if s.Along == "" {
		out = append(out, Question{Metric: s.X.Metric, Stat: s.X.Stat, Axes: s.ladder()})
	}
	return out
}

// gather puts every point into the first group all of whose members it may meet.
func (s *FrontierSpec) gather(points []FrontierPoint) []FrontierGroup {
	runs := make([]evidence.RunRow, len(points))
	for i := range points {
		runs[i] = *points[i].Run
	}
	var panels []*Panel
	for _, q := range s.questions() {
		panels = append(panels, NewPanel(runs, q))
	}
	meet := func(i, j int) bool {
		for _, n := range panels {
			if !n.Verdict(i, j).Shows() {
				return false
			}
		}
		return true
	}
	var groups []FrontierGroup
	var members [][]int
next:
	for i, p := range points {
	group:
		for g := range groups {
			for _, j := range members[g] {
				if !meet(j, i) {
					continue group
				}
			}
			for _, n := range panels {
				p.Caveats = append(p.Caveats, n.Judge(members[g][0], i).Reasons...)
			}
			p.Caveats = judgementOf(dedupe(p.Caveats)).Reasons
			groups[g].Points, members[g] = append(groups[g].Points, p), append(members[g], i)
			continue next
		}
		groups, members = append(groups, FrontierGroup{Points: []FrontierPoint{p}}), append(members, []int{i})
	}
	if s.Along == "" {
		for g := range groups {
			groups[g].Unranked = unranked(panels, points, members[g])
		}
	}
	return groups
}

// unranked finds a rule that stops a ranking between two points of a group.
func unranked(panels []*Panel, points []FrontierPoint, members []int) *Reason {
	for _, n := range panels {
		for a, i := range members {
			for _, j := range members[a+1:] {
				if !points[i].mayWin() || !points[j].mayWin() || n.Ranking(i, j).Shows() {
					continue
				}
				judged := n.Judge(i, j)
				for k := range judged.Reasons {
					if r := &judged.Reasons[k]; !r.Ranking.Shows() {
						return r
					}
				}
			}
		}
	}
	return nil
}

// mayWin: one observation and a rejected arm are never ranked.
func (p *FrontierPoint) mayWin() bool { return !p.Single && p.Run.Rejected == "" }

func (g *FrontierGroup) finish(spec *FrontierSpec) {
	sort.SliceStable(g.Points, func(i, j int) bool {
		a, b := &g.Points[i], &g.Points[j]
		if a.X != b.X {
			return a.X < b.X
		}
		if a.Y != b.Y {
			return a.Y < b.Y
		}
		return a.Run.ID < b.Run.ID
	})
	if spec.Along == "" && g.Unranked == nil {
		g.pareto(spec)
	}
	g.Shape = g.shape(spec)
	g.Curves = g.curves()
}

// pareto marks the points that no other one beats in both figures.
func (g *FrontierGroup) pareto(spec *FrontierSpec) {
	for i := range g.Points {
		p := &g.Points[i]
		if !p.mayWin() {
			continue
		}
		p.Pareto = true
		for j := range g.Points {
			q := &g.Points[j]
			if i == j || !q.mayWin() {
				continue
			}
			x, y := worth(spec.X, q.X, p.X), worth(spec.Y, q.Y, p.Y)
			if x >= 0 && y >= 0 && x+y > 0 {
				p.Pareto = false
				break
			}
		}
	}
}

// worth is 1 when a is better than b, -1 when it is worse, 0 when they are equal.
func worth(f Figure, a, b float64) int {
	m, _ := evidence.LookupMetric(f.Metric)
	sign := 1
	if m.Better == evidence.Lower {
		sign = -1
	}
	switch {
	case a > b:
		return sign
	case a < b:
		return -sign
	}
	return 0
}

// shape are the shape, protocol and card facts that all points share.
func (g *FrontierGroup) shape(spec *FrontierSpec) []evidence.FactRow {
	moved := map[evidence.FactKey]bool{}
	for _, k := range spec.ladder() {
		moved[k] = true
	}
	var out []evidence.FactRow
	first := g.Points[0].Run
next:
	for i := range first.Facts {
		f := first.Facts[i]
		switch evidence.LookupKey(f.Key).Class {
		case evidence.Shape, evidence.Protocol, evidence.Hardware:
		default:
			continue
		}
		if moved[f.Key] || f.State == evidence.Absent || perRun[f.Key] {
			continue
		}
		for j := range g.Points[1:] {
			if s := side(g.Points[j+1].Run, f.Key); s.Value != f.Value {
				continue next
			}
		}
		out = append(out, f)
	}
	return out
}

// curves join the points of one arm: runs that differ in nothing that describes the arm.
func (g *FrontierGroup) curves() [][]int {
	at := map[string]int{}
	var out [][]int
	for i := range g.Points {
		k := armKey(g.Points[i].Run)
		c, ok := at[k]
		if !ok {
			c = len(out)
			at[k] = c
			out = append(out, nil)
		}
		out[c] = append(out[c], i)
	}
	for _, c := range out {
		sort.SliceStable(c, func(i, j int) bool { return load(&g.Points[c[i]]) < load(&g.Points[c[j]]) })
	}
	return out
}

// load orders the steps of a ladder: by the offered concurrency, else by X.
func load(p *FrontierPoint) float64 {
	if v, err := strconv.ParseFloat(p.Load, 64); err == nil {
		return v
	}
	return p.X
}

// armKey is what describes the arm of a run, without its workload.
func armKey(r *evidence.RunRow) string {
	k := r.Campaign
	if r.ArmPlace.Pointer != "" {
		k += "\x1f" + r.Arm
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		switch evidence.LookupKey(f.Key).Class {
		case evidence.Identity, evidence.Hardware:
			if f.State != evidence.Absent && f.Key != evidence.KeySelectedConc {
				k += "\x1e" + string(f.Key) + "\x1f" + f.Value
			}
		}
	}
	return k
}
