package claims

import (
	"fmt"

	"assay/store/evidence"
)

// counts holds a number of samples against the requests of the runs, and the requests
// of a run against those that completed and failed.
func (s *sheet) counts() {
	for i := range s.doc.RunRows {
		s.parts(&s.doc.RunRows[i])
	}
	for i := range s.doc.Facts {
		if f := &s.doc.Facts[i]; f.Key == evidence.KeySampleCount {
			s.sampleCount(f)
		}
	}
}

// parts adds up completed and failed requests.
func (s *sheet) parts(r *evidence.RunRow) {
	all, requests, ok1 := fact(r, evidence.KeyRequests)
	done, completed, ok2 := fact(r, evidence.KeyCompleted)
	lost, failed, ok3 := fact(r, evidence.KeyFailed)
	if !ok1 || !ok2 || !ok3 {
		return
	}
	// Counts of one object speak of one run; a count of one run and sums over several do not.
	if in := all.Place.Pointer.Parent(); done.Place.Pointer.Parent() != in || lost.Place.Pointer.Parent() != in {
		return
	}
	c := s.claim(Count, r, all.Place)
	c.What, c.Text, c.Unit, c.Formula = "requests of the run", all.SourceText, "requests", "completed + failed"
	c.Published, c.Recomputed, c.Tolerance = point(requests.value), point(completed.value+failed.value), 0.5
	c.Inputs = []Figure{factFigure(done, completed.value, "input"), factFigure(lost, failed.value, "input")}
	if c.Verdict = Holds; requests.value != completed.value+failed.value {
		c.Verdict = Fails
	}
	s.add(c)
}

// group are the runs of one workload class with the requests that each sent.
type group struct {
	class    string
	requests []Figure
	sum      float64
	arms     map[string]int
	even     bool // all runs sent as many, all arms have as many runs
}

func (s *sheet) groups() []group {
	var out []group
	at := map[string]int{}
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		f, n, ok := fact(r, evidence.KeyRequests)
		if !ok || r.Status != evidence.Measured {
			continue
		}
		k, known := at[r.Class]
		if !known {
			k = len(out)
			at[r.Class], out = k, append(out, group{class: r.Class, arms: map[string]int{}, even: true})
		}
		g := &out[k]
		fig := factFigure(f, n.value, "input")
		fig.Run, fig.Arm = r.ID, r.Arm
		g.even = g.even && (len(g.requests) == 0 || g.requests[0].Value.V == n.value)
		g.requests, g.sum = append(g.requests, fig), g.sum+n.value
		g.arms[r.ArmID]++
	}
	for i := range out {
		n := -1
		for _, runs := range out[i].arms {
			out[i].even = out[i].even && (n < 0 || n == runs)
			n = runs
		}
	}
	return out
}

func (g group) formula() string {
	if !g.even || len(g.arms) == 0 {
		return "sum of the requests of every " + g.class + " run"
	}
	return fmt.Sprintf("%s requests * %d arms * %d runs of each", short(g.requests[0].Value.V), len(g.arms), len(g.requests)/len(g.arms))
}

// sampleCount looks for the runs whose requests make up a document's sample count.
func (s *sheet) sampleCount(f *evidence.FactRow) {
	said, err := evidence.ParseDecimal(f.Value)
	groups := s.groups()
	if err != nil || len(groups) == 0 {
		return
	}
	c := s.claim(Count, nil, f.Place)
	c.What, c.Text, c.Unit, c.Published, c.Tolerance, c.Verdict = "sample count of the document", f.SourceText, "requests", point(said), 0.5, NoBase
	all := group{class: "measured", arms: map[string]int{}}
	for _, g := range groups {
		if g.sum == said && c.Verdict == NoBase {
			c.Verdict, c.Recomputed, c.Formula, c.Inputs = Holds, point(g.sum), g.formula(), g.requests
			c.Note = "the requests of the " + g.class + " runs"
		}
		all.sum, all.requests = all.sum+g.sum, append(all.requests, g.requests...)
	}
	if c.Verdict == NoBase && all.sum == said {
		c.Verdict, c.Recomputed, c.Formula, c.Inputs = Holds, point(said), all.formula(), all.requests
	}
	if c.Verdict == NoBase {
		for _, g := range groups {
			c.Note = join(c.Note, fmt.Sprintf("the %s runs sent %s", g.class, short(g.sum)))
		}
	}
	s.add(c)
}

// fits checks that prompt and output cap fit the context that was served, wherever a
// gate or the figure itself speaks of the prompt.
func (s *sheet) fits() {
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		prompt, ok1 := s.one(r, evidence.PromptTokens)
		room, limit, ok2 := fact(r, evidence.KeyOutputCap)
		served, context, ok3 := fact(r, evidence.KeyServedContext)
		if !ok1 || !ok2 || !ok3 {
			continue
		}
		for _, at := range s.spoken(r, prompt) {
			c := s.claim(Fit, r, at.m.Place)
			c.What, c.Text, c.Unit = "prompt and output cap within the served context", at.m.SourceText, string(evidence.Tokens)
			c.Metric, c.Stat, c.Recomputed = prompt.m.Metric, prompt.m.Stat, point(prompt.value+limit.value)
			c.Formula = fmt.Sprintf("%s + %s <= %s", short(prompt.value), short(limit.value), short(context.value))
			c.Inputs = []Figure{prompt.as("input"), factFigure(room, limit.value, "input"), factFigure(served, context.value, "input")}
			if c.Verdict = Holds; prompt.value+limit.value > context.value {
				c.Verdict = Fails
			}
			s.add(c)
		}
	}
}

// spoken is a figure and where gates give it again.
func (s *sheet) spoken(r *evidence.RunRow, f figure) []figure {
	out := []figure{f}
	for j := range r.Measurements {
		m := &r.Measurements[j]
		if m.Role != evidence.Restated || m.Metric != f.m.Metric || m.Stat != f.m.Stat || !m.Value.OK {
			continue
		}
		for k := range s.doc.Gates {
			if m.Place.Pointer.Under(s.doc.Gates[k].Place.Pointer) {
				out = append(out, figure{r, m, rounded{m.Value.V, 0}})
			}
		}
	}
	return out
}
