package anvil

import (
	"assay/ingest/prose"
	"assay/store/evidence"
)

// results lifts figures that stand only in sentences: memory, the length of a prompt
// and how long it took. A figure that a run of the arm has already is a repetition.
func (n *narrator) results(p evidence.Pointer, text, name string, place evidence.Place) []prose.Span {
	found := prose.Results(text)
	a := one(n.armsIn(text))
	if a == nil {
		if len(n.armsIn(text)) > 1 || namesSettings(text) {
			n.unattributed(found, p, text)
		}
		return nil
	}
	var taken []prose.Span
	prompt := false
	for _, x := range found {
		prompt = prompt || x.Kind == prose.PromptLength
	}
	var fresh *run
	for _, x := range found {
		if x.Metric() == "" || x.Kind == prose.Fraction || x.Kind == prose.Duration && !prompt {
			continue
		}
		if x.Unreal || x.Bound == prose.About {
			taken = append(taken, x.Digits)
			n.inexact(p, nil, x.Digits.Text(text))
			continue
		}
		m, ok := n.single(x, p, text)
		if !ok {
			continue
		}
		taken = append(taken, x.Digits)
		if m.Value.OK && m.Value.V < 0 {
			n.negative(p, nil, m.Metric, m.SourceText)
			continue
		}
		if r := n.singles[singleFigure{a, m.Metric, m.Value.V}]; m.Value.OK && r != nil && r != fresh {
			n.restateOn(r, r.primary(m.Metric, m.Stat), x.Digits, x.Unit, p, text)
			continue
		}
		if fresh == nil {
			fresh = a.newRun(resultName(name, m.Metric), evidence.ClassFunctional, place)
		}
		if fresh.primary(m.Metric, m.Stat) == nil {
			fresh.Measurements = append(fresh.Measurements, m)
			if m.Value.OK {
				n.singles[singleFigure{a, m.Metric, m.Value.V}] = fresh
			}
		}
	}
	return append(taken, n.resultFacts(fresh, found, p, text)...)
}

// unattributed says of each result of a sentence that it is nobody's beyond doubt.
func (n *narrator) unattributed(found []prose.Result, p evidence.Pointer, text string) {
	for i, x := range found {
		if x.Metric() != "" && x.Kind != prose.Fraction && x.Kind != prose.Duration && i < maxChanges {
			n.unclear(p, x.Digits.Text(text))
		}
	}
}

func resultName(name string, m evidence.MetricID) string {
	switch {
	case name != "":
		return name
	case m == evidence.GPUMemoryUsed || m == evidence.GPUMemoryFree:
		return "memory"
	}
	return "long request"
}

// single is one observation.
func (n *narrator) single(x prose.Result, p evidence.Pointer, text string) (evidence.Measurement, bool) {
	digits := x.Digits.Text(text)
	v, base, err := evidence.ToBase(digits, x.Unit)
	return bounded(x.Bound, v, evidence.Measurement{Metric: x.Metric(), Stat: evidence.Single, Unit: base, N: evidence.Some[int64](1),
		State: evidence.Derived, Role: evidence.Primary, Rule: ruleResult, SourceText: digits, SourceUnit: x.Unit,
		Place: evidence.InText(p, x.Digits.Start, x.Digits.End)}), err == nil
}

// resultFacts gives a new run the shape that its sentence states, and its class.
func (n *narrator) resultFacts(r *run, found []prose.Result, p evidence.Pointer, text string) []prose.Span {
	if r == nil {
		return nil
	}
	var taken []prose.Span
	fact := func(k evidence.FactKey, x prose.Result) {
		if x.Unreal || x.Bound != prose.Exact {
			return
		}
		if v, err := evidence.ParseDecimal(x.Digits.Text(text)); err == nil {
			n.put(&r.Facts, evidence.Fact{Key: k, Value: evidence.FormatDecimal(v), State: evidence.Derived, Rule: ruleResult,
				Place: evidence.InText(p, x.Digits.Start, x.Digits.End), SourceText: x.Digits.Text(text)})
			taken = append(taken, x.Digits)
		}
	}
	memory := false
	for _, x := range found {
		switch x.Kind {
		case prose.PromptLength:
			fact(evidence.KeyPromptTokens, x)
		case prose.NominalLength:
			fact(evidence.KeyContextTarget, x)
		case prose.OutputCap:
			fact(evidence.KeyOutputCap, x)
		case prose.MemoryUsed, prose.MemoryFree:
			memory = true
		}
	}
	switch {
	case classOf(r.Facts) == evidence.ClassLong:
		r.Class = evidence.ClassLong
	case memory && factIn(r.Facts, evidence.KeyPromptTokens) == nil:
		r.Class = evidence.ClassStartup
	}
	return taken
}
