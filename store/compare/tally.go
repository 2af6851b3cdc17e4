package compare

import (
	"sort"

	"assay/store/evidence"
)

// RuleTally is how often one rule spoke.
type RuleTally struct {
	Stops   int64 // pairs that it blocks or leaves unknown
	Caveats int64
	// Example is a pair that it stops, else one that it gives a caveat, by run ids.
	Example [2]string
	Figure  Figure
	stops   bool
}

// Tally counts verdicts and rules over the pairs of an archive.
type Tally struct {
	Pairs     int64
	Verdicts  map[Verdict]int64
	Rules     map[string]*RuleTally
	Questions []TallyQuestion
	Bounded   bool // there are more runs than were paired
}

// TallyQuestion is one figure of one class with the runs that were paired.
type TallyQuestion struct {
	Class  string
	Figure Figure
	Runs   int
	Pairs  int64
}

// tallyRuns bounds the runs of one class and figure: their pairs grow with the square.
const tallyRuns = 120

// TallyRules judges every pair of runs of one class in the figure that most of them have.
// Pairs of different classes are left out: they are all blocked, and would drown the rest.
func TallyRules(runs []evidence.RunRow) Tally {
	t := Tally{Verdicts: map[Verdict]int64{}, Rules: map[string]*RuleTally{}}
	classes := map[string][]evidence.RunRow{}
	var order []string
	for i := range runs {
		c := runs[i].Class
		if classes[c] == nil {
			order = append(order, c)
		}
		classes[c] = append(classes[c], runs[i])
	}
	sort.Strings(order)
	for _, c := range order {
		f, have := commonFigure(classes[c])
		if len(have) < 2 || c == "" {
			continue
		}
		if len(have) > tallyRuns {
			have, t.Bounded = spreadOver(have, tallyRuns), true
		}
		t.count(c, f, have)
	}
	return t
}

// commonFigure is the comparable figure that most runs have, and those runs.
func commonFigure(runs []evidence.RunRow) (Figure, []evidence.RunRow) {
	count := map[Figure]int{}
	for i := range runs {
		for j := range runs[i].Measurements {
			m := &runs[i].Measurements[j]
			if info, ok := evidence.LookupMetric(m.Metric); ok && info.Comparable && m.Role == evidence.Primary && m.Value.OK {
				count[Figure{m.Metric, m.Stat}]++
			}
		}
	}
	var best Figure
	for f, n := range count {
		if n > count[best] || n == count[best] && f.String() < best.String() {
			best = f
		}
	}
	var have []evidence.RunRow
	for i := range runs {
		if _, ok := runs[i].Primary(best.Metric, best.Stat); ok {
			have = append(have, runs[i])
		}
	}
	return best, have
}

// spreadOver takes n runs at equal distances, so that no campaign is left out for coming
// late.
func spreadOver(runs []evidence.RunRow, n int) []evidence.RunRow {
	out := make([]evidence.RunRow, n)
	for i := range out {
		out[i] = runs[i*len(runs)/n]
	}
	return out
}

func (t *Tally) count(class string, f Figure, runs []evidence.RunRow) {
	panel := NewPanel(runs, Question{Metric: f.Metric, Stat: f.Stat})
	q := TallyQuestion{Class: class, Figure: f, Runs: len(runs)}
	for i := range runs {
		for j := i + 1; j < len(runs); j++ {
			v := panel.Verdict(i, j)
			t.Verdicts[v]++
			q.Pairs++
			panel.Spoke(func(rule *Rule, v Verdict) { t.spoke(rule.ID, v, f, runs[i].ID, runs[j].ID) })
		}
	}
	t.Pairs += q.Pairs
	t.Questions = append(t.Questions, q)
}

func (t *Tally) spoke(rule string, v Verdict, f Figure, a, b string) {
	x := t.Rules[rule]
	if x == nil {
		x = &RuleTally{}
		t.Rules[rule] = x
	}
	stops := !v.Shows()
	switch {
	case stops:
		x.Stops++
	case v == Caution:
		x.Caveats++
	default:
		return
	}
	if x.Example[0] == "" || stops && !x.stops {
		x.Example, x.Figure, x.stops = [2]string{a, b}, f, stops
	}
}
