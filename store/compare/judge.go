package compare

import (
	"strconv"

	"assay/store/evidence"
)

// Judge says whether a metric of the arm may be compared with the control's, and why
// not or with what in mind.
func Judge(control, arm *evidence.RunRow, q Question) Judgement {
	c := newQuery(q)
	p := &pair{a: prepare(control, c), b: prepare(arm, c), q: c, found: make([]finding, 0, 24)}
	p.judge()
	return p.judgement()
}

func (p *pair) judgement() Judgement {
	reasons := make([]Reason, 0, len(p.found))
	ranking := silent
	for i := range p.found {
		f := &p.found[i]
		if l := f.level; l == silent && !p.q.Rank {
			ranking = max(ranking, f.rank) // only a winner would be stopped
			continue
		}
		reasons = append(reasons, p.reason(f))
	}
	j := judgementOf(reasons)
	if v := ranking.verdict(); v.rank() > j.Ranking.rank() {
		j.Ranking = v
	}
	return j
}

// Panel judges many pairs of the same runs under one question: every run is made ready
// once. It is not for use by several goroutines; Fork gives each its own.
type Panel struct {
	q    *query
	runs []*Prepared
	p    pair
}

// NewPanel makes runs ready. They must not change afterwards.
func NewPanel(runs []evidence.RunRow, q Question) *Panel {
	n := &Panel{q: newQuery(q), runs: make([]*Prepared, len(runs))}
	for i := range runs {
		n.runs[i] = prepare(&runs[i], n.q)
	}
	return n.Fork()
}

// allShow reports whether every pair of runs may be shown together.
func allShow(runs []*evidence.RunRow, q Question) bool {
	n := &Panel{q: newQuery(q), runs: make([]*Prepared, len(runs))}
	for i, r := range runs {
		n.runs[i] = prepare(r, n.q)
	}
	n = n.Fork()
	for i := range runs {
		for j := i + 1; j < len(runs); j++ {
			if !n.Verdict(i, j).Shows() {
				return false
			}
		}
	}
	return true
}

// Fork is a panel over the same runs for another goroutine.
func (n *Panel) Fork() *Panel {
	return &Panel{q: n.q, runs: n.runs, p: pair{q: n.q, found: make([]finding, 0, 64)}}
}

// Len is the number of runs.
func (n *Panel) Len() int { return len(n.runs) }

// Verdict judges the pair of runs i and j without putting it into words.
func (n *Panel) Verdict(i, j int) Verdict {
	n.at(i, j)
	return n.worst(n.q.Rank)
}

// Ranking is Verdict where a winner is asked for.
func (n *Panel) Ranking(i, j int) Verdict {
	n.at(i, j)
	return n.worst(true)
}

func (n *Panel) worst(rank bool) Verdict {
	worst := silent
	for k := range n.p.found {
		l := n.p.found[k].level
		if rank {
			l = n.p.found[k].rank
		}
		if l > worst {
			worst = l
		}
	}
	if worst == note {
		return OK
	}
	return worst.verdict()
}

// Spoke calls each with every rule that has something to say of the pair, after Verdict.
func (n *Panel) Spoke(each func(rule *Rule, v Verdict)) {
	for k := range n.p.found {
		each(n.p.found[k].rule, n.p.found[k].level.verdict())
	}
}

// Judge judges the pair of runs i and j in words.
func (n *Panel) Judge(i, j int) Judgement {
	n.at(i, j)
	return n.p.judgement()
}

func (n *Panel) at(i, j int) {
	n.p.a, n.p.b = n.runs[i], n.runs[j]
	n.p.judge()
}

// matchedRule marks facts that a run has because its source calls it the matched
// control of a run under that statement.
const matchedRule = "label/matched"

// side reads one fact of one run. A fact in conflict or absent is not known.
func side(r *evidence.RunRow, k evidence.FactKey) Side {
	f, ok := r.Fact(k)
	if !ok {
		return Side{}
	}
	return factSideOf(&f, f.State != evidence.Conflict)
}

func isOne(n evidence.Opt[int64]) bool { return n.OK && n.V == 1 }

// MeanOutput is the mean output tokens per request of a run and whether it is known:
// recorded, or derived from the medians as decode rate x (E2E - TTFT) + 1.
func MeanOutput(r *evidence.RunRow) (tokens float64, derived, ok bool) {
	if f, has := r.Fact(evidence.KeyMeanOutput); has && f.State != evidence.Conflict && f.State != evidence.Absent {
		if v, err := strconv.ParseFloat(f.Value, 64); err == nil {
			return v, f.State != evidence.Recorded, true
		}
	}
	for _, s := range []evidence.Stat{evidence.Mean, evidence.P50, evidence.Single} {
		if m, has := r.Primary(evidence.OutputTokens, s); has && m.Value.OK {
			return m.Value.V, false, true
		}
	}
	// The mean of TPOT is taken over the same requests as the means of E2E and TTFT.
	if e, t, p := valueOf(r, evidence.E2E, evidence.Mean), valueOf(r, evidence.TTFT, evidence.Mean), valueOf(r, evidence.TPOT, evidence.Mean); e.OK && t.OK && p.OK && p.V > 0 {
		return (e.V-t.V)/p.V + 1, true, true
	}
	if e, t, d := valueOf(r, evidence.E2E, evidence.P50), valueOf(r, evidence.TTFT, evidence.P50), valueOf(r, evidence.DecodeRate, evidence.P50); e.OK && t.OK && d.OK {
		span := e.V - t.V
		return float64(span*d.V) + 1, true, true
	}
	return 0, false, false
}

// valueOf is the primary point value of a metric and statistic.
func valueOf(r *evidence.RunRow, m evidence.MetricID, s evidence.Stat) evidence.Opt[float64] {
	if x, ok := r.Primary(m, s); ok {
		return x.Value
	}
	return evidence.None[float64]()
}

// number is a known fact of a run as a number.
func number(r *evidence.RunRow, k evidence.FactKey) (float64, bool) {
	s := side(r, k)
	if !s.Known {
		return 0, false
	}
	f, err := strconv.ParseFloat(s.Value, 64)
	return f, err == nil
}
