package paired

import (
	"math"
	"strconv"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/sweep"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// medianOfMedians is how the published figure of repeated runs was formed.
const medianOfMedians = "median of run medians"

// repeats reads metrics with the values of every repeat of each arm beside their median.
func (p *pair) repeats() {
	protocol := p.top("protocol")
	p.protocol(&p.Doc.Facts, protocol)
	names := p.repeatArms()
	if len(names) != 2 {
		p.Find(evidence.Warning, lift.CodeShape, p.Top, "%d arms are named by the metrics, two were expected", len(names))
	}
	for _, name := range names {
		s := p.side(name, p.Top.Get(name))
		p.Block(name, p.Top.Get(name), &s.Facts)
	}
	for metric, block := range p.top("metrics").Members() {
		x := sweep.Read(metric)
		if len(x.Rest) > 0 || x.Metric == "" || x.Unit == "" {
			continue
		}
		if sweep.Totals(x.Metric) {
			x.Stat = evidence.Total
		}
		if x.Stat == "" {
			p.Find(evidence.Warning, CodeRate, block, "the name says no statistic of %s: its figures are not taken", x.Metric)
			continue
		}
		for _, s := range p.sides {
			p.repeatsOf(s, x, block)
		}
		p.changes(x, block)
	}
}

// repeatArms are the members at the top that metrics name their arms after.
func (p *pair) repeatArms() []string {
	var out []string
	for name, v := range p.Top.Members() {
		if !v.Is(jsondoc.Object) {
			continue
		}
		for _, block := range p.Top.Get("metrics").Members() {
			if values, _ := armFigures(name, block); values.OK() {
				out = append(out, name)
				break
			}
		}
	}
	return out
}

// armFigures finds the values of the repeats of an arm and their median: beside the arm's
// name ("dspark_values"), or in a block of that name.
func armFigures(arm string, block lift.Val) (values, middle lift.Val) {
	for _, end := range []string{"_values", "_runs", "_run_medians", "_medians"} {
		if v := block.Get(arm + end); v.Is(jsondoc.Array) {
			return v, block.Get(arm + "_median")
		}
	}
	inside := block.Get(arm)
	if inside.Is(jsondoc.Array) {
		return inside, block.Get(arm + "_median")
	}
	for _, name := range []string{"values", "runs", "run_medians", "arm_values"} {
		if v := inside.Get(name); v.Is(jsondoc.Array) {
			for _, m := range []string{"median", "arm_median", "median_of_medians"} {
				if inside.Get(m).OK() {
					return v, inside.Get(m)
				}
			}
			return v, lift.Val{}
		}
	}
	return lift.Val{}, lift.Val{}
}

// class is the workload class of the stated load.
func (p *pair) class() string {
	return lift.LoadClass(of(evidence.KeyContextTarget, p.Doc.Facts), of(evidence.KeyConcurrency, p.Doc.Facts))
}

// repeatsOf lifts one metric of one arm.
func (p *pair) repeatsOf(s *side, x sweep.Figure, block lift.Val) {
	list, middle := armFigures(s.name, block)
	if !list.OK() {
		p.Find(evidence.Warning, lift.CodeMissing, block, "no values of %q", s.name)
		return
	}
	n := of(evidence.KeyRequests, p.Doc.Facts)
	var values []float64
	var repeats []*evidence.Measurement
	for i, v := range list.Items() {
		run := s.run("run "+strconv.Itoa(i+1), p.class(), s.at())
		run.N = n
		if m := p.Lift(run, v, x.Want); m != nil && m.Value.OK {
			values, repeats = append(values, m.Value.V), append(repeats, m)
		}
	}
	p.stray(repeats)
	run := s.run(summaryRun, p.class(), s.at())
	run.N = n
	p.aggregation(run)
	m := p.Lift(run, middle, x.Want)
	if len(values) > 0 {
		sorted := lift.Sorted(values)
		p.Agree(m, (sorted[(len(sorted)-1)/2]+sorted[len(sorted)/2])/2, "median of the repeats", 1e-9, scaled(m), list.P)
	}
}

// scaled is half a unit of the last digit of a figure, in its base unit.
func scaled(m *evidence.Measurement) float64 {
	if m == nil {
		return 0
	}
	one, _, err := evidence.ToBase("1", m.SourceUnit)
	if err != nil { // a count of counts: exact
		return 1e-9
	}
	return halfUnit(m) * math.Abs(one)
}

func (s *side) at() lift.Val { return lift.Val{P: s.Place.Pointer} }

// aggregation puts how the summary of the repeats was formed, in the source's words where
// they are none of ours.
func (p *pair) aggregation(run *lift.Run) {
	v := p.Top.Path("protocol", "aggregation")
	words := strings.ToLower(v.Str())
	switch {
	case words == "" || strings.Contains(words, "median of") && strings.Count(words, "median") > 1:
		p.Derive(&run.Facts, evidence.KeyAggregation, medianOfMedians, "repeats", lift.Val{P: v.P})
	default:
		p.Words(&run.Facts, evidence.KeyAggregation, v)
	}
}

// changes reads the published changes of a metric: "dspark_delta_percent".
func (p *pair) changes(x sweep.Figure, block lift.Val) {
	for _, s := range p.sides {
		other := p.other(s)
		for name, v := range block.Members() {
			words, ok := strings.CutPrefix(name, s.name+"_")
			if !ok || !v.Is(jsondoc.Number) || !strings.HasSuffix(words, "percent") {
				continue
			}
			rest := sweep.Words(strings.TrimSuffix(words, "percent"))
			if rule, left := direction(rest, x.Metric); len(left) == 0 && other != nil {
				p.claim(s.runs[summaryRun], other.runs[summaryRun], x.Metric, x.Stat, rule, v)
			}
		}
	}
}

// other is the other one of two arms.
func (p *pair) other(s *side) *side {
	if len(p.sides) != 2 {
		return nil
	}
	if p.sides[0] == s {
		return p.sides[1]
	}
	return p.sides[0]
}
