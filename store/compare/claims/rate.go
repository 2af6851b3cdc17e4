package claims

import (
	"fmt"

	"assay/store/evidence"
)

// definition is a metric and the figures of the same observation that define it.
type definition struct {
	metric evidence.MetricID
	inputs [][]evidence.MetricID // of each input the metrics that may stand for it, best first
	formula
}

// firstOutput is the boundary between prefill and decode: the first output where the
// document tells it from the first visible content, else that.
var firstOutput = []evidence.MetricID{evidence.TTFO, evidence.TTFT}

// definitions follow the metric registry.
var definitions = []definition{
	{evidence.EffectivePrefillRate, [][]evidence.MetricID{{evidence.PromptTokens}, firstOutput},
		formula{"prompt_tokens / first_output", func(v []float64) float64 { return v[0] / v[1] }}},
	{evidence.Generation, [][]evidence.MetricID{{evidence.E2E}, firstOutput},
		formula{"e2e - first_output", func(v []float64) float64 { return v[0] - v[1] }}},
	{evidence.DecodeRate, [][]evidence.MetricID{{evidence.OutputTokens}, {evidence.E2E}, firstOutput},
		formula{"(output_tokens - 1) / (e2e - first_output)", func(v []float64) float64 { return (v[0] - 1) / (v[1] - v[2]) }}},
	{evidence.TPOT, [][]evidence.MetricID{{evidence.OutputTokens}, {evidence.E2E}, firstOutput},
		formula{"(e2e - first_output) / (output_tokens - 1)", func(v []float64) float64 { return (v[1] - v[2]) / (v[0] - 1) }}},
}

// rates holds the rates of single observations, and of whole runs, against the figures
// that define them, and states the token counts that times and rates imply.
func (s *sheet) rates() {
	for i := range s.doc.RunRows {
		r := &s.doc.RunRows[i]
		for _, d := range definitions {
			s.rate(r, d)
		}
		s.totals(r)
		s.impliedOutput(r)
		s.impliedPrompt(r)
	}
}

// inputsFor are the figures of one observation that define a metric.
func (s *sheet) inputsFor(r *evidence.RunRow, wanted [][]evidence.MetricID, get func(*evidence.RunRow, evidence.MetricID) (figure, bool)) ([]figure, bool) {
	var out []figure
	for _, names := range wanted {
		found := false
		for _, name := range names {
			if f, ok := get(r, name); ok && !found {
				out, found = append(out, f), true
			}
		}
		if !found {
			return nil, false
		}
	}
	return out, true
}

func (s *sheet) rate(r *evidence.RunRow, d definition) {
	f, ok := s.one(r, d.metric)
	if !ok {
		return
	}
	in, ok := s.inputsFor(r, d.inputs, s.one)
	if !ok {
		return
	}
	at, figures := make([]rounded, len(in)), make([]Figure, len(in))
	for i, x := range in {
		at[i], figures[i] = x.rounded, x.as("input")
	}
	c := s.claim(Rate, r, f.m.Place)
	c.What = title(d.metric) + " of one observation, by its definition"
	s.byDefinition(&c, f, d.formula, at, figures)
	s.hidden(&c, r, d, in)
	s.add(c)
}

// far is the factor from which a rate is not another boundary's but another unit's.
const far = 100

// hidden is the doubt about a rate whose boundary may be a first output that the document
// does not give: it comes no later than the first visible one, so the rate is no lower.
func (s *sheet) hidden(c *Claim, r *evidence.RunRow, d definition, in []figure) {
	boundary, _ := r.Fact(evidence.KeyTimingBoundary)
	last := in[len(in)-1]
	if c.Verdict != Fails || d.metric != evidence.EffectivePrefillRate || last.m.Metric != evidence.TTFT || boundary.Value == "ttft" ||
		c.Published.Point.V < c.Recomputed.Point.V || c.Published.Point.V > far*c.Recomputed.Point.V {
		return
	}
	c.Verdict, c.Candidates = NoBase, nil
	c.Note = join(c.Note, "the first visible output does not give it; one before it would, and the document gives none")
}

// byDefinition recomputes a figure from the numbers that define it.
func (s *sheet) byDefinition(c *Claim, f figure, by formula, in []rounded, figures []Figure) {
	c.Metric, c.Stat, c.Text, c.Unit, c.Formula, c.Inputs = f.m.Metric, f.m.Stat, f.m.SourceText, f.m.SourceUnit, by.text, figures
	one := factor(c.Unit)
	v, got := verdict(f.rounded, by, in...)
	c.Verdict, c.Published, c.Tolerance = v, point(f.value/one), f.half/one
	if finite(got) {
		c.Recomputed = point(got / one)
	}
	if v == HoldsUnrounded {
		lo, hi := span(by.of, in...)
		c.Note = join(c.Note, fmt.Sprintf("the inputs have so few digits that they give anything from %s to %s", short(lo/one), short(hi/one)))
	}
}

// totals holds rates over the whole run against the run's totals.
func (s *sheet) totals(r *evidence.RunRow) {
	wall, took, ok := fact(r, evidence.KeyDuration)
	if !ok || took.value <= 0 {
		return
	}
	for _, d := range [...]struct {
		metric evidence.MetricID
		of     []evidence.FactKey
		text   string
	}{
		{evidence.RequestThroughput, []evidence.FactKey{evidence.KeyCompleted}, "completed / wall time"},
		{evidence.OutputThroughput, []evidence.FactKey{evidence.KeyOutputTokens}, "output tokens / wall time"},
		{evidence.InputThroughput, []evidence.FactKey{evidence.KeyInputTokens}, "input tokens / wall time"},
		{evidence.TotalThroughput, []evidence.FactKey{evidence.KeyInputTokens, evidence.KeyOutputTokens}, "(input + output tokens) / wall time"},
	} {
		f, ok := s.own(r, d.metric, evidence.Total)
		if !ok {
			continue
		}
		took.half = halfOf(digits(wall.SourceText))
		in, figures := []rounded{took}, []Figure{factFigure(wall, took.value, "input")}
		for _, k := range d.of {
			row, v, there := fact(r, k)
			ok = ok && there
			in, figures = append(in, v), append(figures, factFigure(row, v.value, "input"))
		}
		if !ok {
			continue
		}
		c := s.claim(Rate, r, f.m.Place)
		c.What = title(d.metric) + " from the totals of the run"
		by := formula{d.text, func(v []float64) float64 {
			sum := 0.0
			for _, n := range v[1:] {
				sum += n
			}
			return sum / v[0]
		}}
		s.byDefinition(&c, f, by, in, figures)
		s.add(c)
	}
}

// impliedOutput states the output tokens that the times imply where the document does
// not give them: mean times and the mean time per token, or the medians of both.
func (s *sheet) impliedOutput(r *evidence.RunRow) {
	if _, _, known := fact(r, evidence.KeyMeanOutput); known || s.measures(r, evidence.OutputTokens) {
		return
	}
	perToken := formula{"(e2e - first_output) / tpot + 1", func(v []float64) float64 { return (v[0]-v[1])/v[2] + 1 }}
	perSecond := formula{"(e2e - first_output) * decode_rate + 1", func(v []float64) float64 { return float64((v[0]-v[1])*v[2]) + 1 }}
	for _, way := range [...]struct {
		stat  evidence.Stat
		rate  evidence.MetricID
		by    formula
		words string
	}{
		{evidence.Mean, evidence.TPOT, perToken, "mean output tokens that the mean times imply"},
		{evidence.P50, evidence.DecodeRate, perSecond, "output tokens that the medians imply; of medians this is an estimate"},
		{evidence.P50, evidence.TPOT, perToken, "output tokens that the medians imply; of medians this is an estimate"},
	} {
		in, ok := s.inputsFor(r, [][]evidence.MetricID{{evidence.E2E}, firstOutput, {way.rate}},
			func(r *evidence.RunRow, m evidence.MetricID) (figure, bool) { return s.own(r, m, way.stat) })
		if !ok {
			continue
		}
		c := s.implied(r, way.by, in)
		c.What = way.words
		s.ceiling(&c, r, way.by, in)
		s.add(c)
		return
	}
}

func (s *sheet) measures(r *evidence.RunRow, m evidence.MetricID) bool {
	for _, f := range s.primary {
		if f.run == r && f.m.Metric == m {
			return true
		}
	}
	return false
}

// implied starts the statement of a count that nothing publishes.
func (s *sheet) implied(r *evidence.RunRow, by formula, in []figure) Claim {
	var at []evidence.Pointer
	var numbers []rounded
	var figures []Figure
	for _, f := range in {
		at, numbers, figures = append(at, f.m.Place.Pointer), append(numbers, f.rounded), append(figures, f.as("input"))
	}
	c := s.claim(ImpliedCount, r, evidence.At(common(at...)))
	c.Unit, c.Formula, c.Verdict, c.Inputs = string(evidence.Tokens), by.text, NotPublished, figures
	if got := by.of(exact(numbers)); finite(got) {
		c.Recomputed = point(got)
	}
	c.Note = "derived, nothing published"
	return c
}

// ceiling sets an implied number of output tokens beside the output cap.
func (s *sheet) ceiling(c *Claim, r *evidence.RunRow, by formula, in []figure) {
	row, limit, ok := fact(r, evidence.KeyOutputCap)
	if !ok || !c.Recomputed.Point.OK {
		return
	}
	c.Inputs = append(c.Inputs, factFigure(row, limit.value, "input"))
	var at []rounded
	for _, f := range in {
		at = append(at, f.rounded)
	}
	lo, hi := span(by.of, at...)
	const shown = 0.05 // a tenth of a token is as much as a mean is read to
	switch name := short(limit.value); {
	case lo > limit.value+shown:
		c.Note = join(c.Note, "above the "+name+"-token ceiling: the times or the ceiling cannot be right")
	case hi >= limit.value-shown:
		c.Note = join(c.Note, "at the "+name+"-token ceiling, within rounding")
	default:
		c.Note = join(c.Note, "below the "+name+"-token ceiling: requests ended on their own")
		if f, ok := r.Fact(evidence.KeyCompletionMode); ok && f.Value == "forced" {
			c.Note = join(c.Note, "the workload that is called forced is not forced in full")
		}
	}
}

// impliedPrompt states the prompt tokens that a median rate and time imply.
func (s *sheet) impliedPrompt(r *evidence.RunRow) {
	if _, _, known := fact(r, evidence.KeyPromptTokens); known || s.measures(r, evidence.PromptTokens) {
		return
	}
	in, ok := s.inputsFor(r, [][]evidence.MetricID{{evidence.EffectivePrefillRate}, firstOutput},
		func(r *evidence.RunRow, m evidence.MetricID) (figure, bool) { return s.own(r, m, evidence.P50) })
	if !ok {
		return
	}
	c := s.implied(r, formula{"effective_prefill * first_output", func(v []float64) float64 { return v[0] * v[1] }}, in)
	c.What = "prompt tokens that the medians imply; of medians this is an estimate"
	s.add(c)
}
