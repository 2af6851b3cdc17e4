package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// protocol reads a block or a sentence about how was measured. Its facts hold for every
// run of the sections that its name speaks of.
func (e *engine) protocol(name string, v lift.Val) {
	e.statements = append(e.statements, e.statement(stemOf(name), name, v)...)
}

// stemOf is what is left of a name without the words that make it a protocol: the section
// that it speaks of.
func stemOf(name string) string {
	l := split(name)
	l.takeEach("protocol workload methodology measurement common benchmark test per arm candidate model shared")
	return strings.Join(l.rest(), " ")
}

// statement reads facts and, in a block, further statements about single sections.
func (e *engine) statement(stem, path string, v lift.Val) []statement {
	s := statement{stem: stem}
	var more []statement
	switch {
	case isText(v):
		s.facts = e.sentence(path, v)
	case v.Is(jsondoc.Object):
		for name, c := range v.Members() {
			p := plain(name)
			switch {
			case c.Is(jsondoc.Object):
				more = append(more, e.statement(stemOf(name), path+"."+name, c)...)
			case p == "aggregation" && isText(c):
				e.aggregation(&s.facts, c)
			case isText(c) && strings.Contains(p, " per "):
				more = append(more, statement{stem: stemOf(name), facts: e.sentence(path+"."+name, c)})
			default:
				e.protocolMember(&s.facts, path, name, c)
			}
		}
	default:
		e.foreign(path, v)
	}
	return append([]statement{s}, more...)
}

func (e *engine) protocolMember(facts *[]evidence.Fact, path, name string, c lift.Val) {
	p := plain(name)
	k, ok := workload[p]
	if !ok {
		k, ok = settings[p]
	}
	if p == "context" || p == "context tokens" {
		k = setting{evidence.KeyContextTarget, asCount}
	}
	if ok && scalar(c.N) && !c.Is(jsondoc.Null) {
		from := len(*facts)
		e.set(facts, k, p, c)
		for i := from; i < len(*facts); i++ {
			f := &(*facts)[i]
			if f.State == evidence.Recorded {
				f.State, f.Rule = evidence.Derived, ruleStatement
			}
		}
		return
	}
	if isText(c) {
		if s, isNote := noteSlot(name, c); isNote {
			e.slot(s, nil, path+"."+name, c)
			return
		}
		for _, f := range e.sentence(path+"."+name, c) {
			if factIn(*facts, f.Key) == nil {
				*facts = append(*facts, f)
			}
		}
		return
	}
	e.foreign(path+"."+name, c)
}

// sentence reads the facts of a protocol sentence and keeps it.
func (e *engine) sentence(key string, v lift.Val) []evidence.Fact {
	e.say(evidence.Statement, key, v)
	text := v.Str()
	if len(text) > prose.MaxSentence {
		return nil
	}
	var facts []evidence.Fact
	found, _ := prose.Shape(text)
	for _, s := range found {
		if factIn(facts, s.Key) == nil {
			facts = append(facts, s.Fact(v.P, text, prose.RuleShape))
		}
	}
	e.requestsPerRun(&facts, v)
	if factIn(facts, evidence.KeyAggregation) == nil {
		if agg := aggregationOf(text); agg != "" {
			e.Derive(&facts, evidence.KeyAggregation, agg, "prose/aggregation", v)
		}
	}
	return facts
}

// requestsPerRun reads "five 10-request runs": so many runs of so many requests.
func (e *engine) requestsPerRun(facts *[]evidence.Fact, v lift.Val) {
	text := v.Str()
	tokens := prose.Lex(text)
	for i := 0; i+2 < len(tokens); i++ {
		runs, req := tokens[i], tokens[i+1]
		word := strings.ToLower(tokens[i+2].Text(text))
		if !runs.Counts() || req.Kind != prose.Figure && req.Kind != prose.Spelled || req.Unit != "requests" || word != "runs" || runs.Unit != "" {
			continue
		}
		n, ok1 := runs.Count(text)
		m, ok2 := req.Count(text)
		if !ok1 || !ok2 {
			continue
		}
		put := func(k evidence.FactKey, value int64, t prose.Token) {
			f := evidence.Fact{Key: k, Value: prose.FormatCount(value), State: evidence.Derived, Rule: prose.RuleShape,
				Place: evidence.InText(v.P, t.Start, t.End), SourceText: t.Text(text)}
			replace(facts, f)
		}
		put(evidence.KeyRepetitions, n, runs)
		put(evidence.KeyRequests, m, req)
		return
	}
}

// aggregation reads how runs were brought together.
func (e *engine) aggregation(facts *[]evidence.Fact, v lift.Val) {
	e.say(evidence.Statement, "aggregation", v)
	agg := aggregationOf(v.Str())
	if agg == "" {
		agg = lift.Clip(strings.ToLower(v.Str()))
	}
	if agg != "" {
		e.Derive(facts, evidence.KeyAggregation, agg, "prose/aggregation", v)
	}
}

// aggregationOf reads "mean of run medians", "values are means of each run median".
func aggregationOf(text string) string {
	if len(text) > prose.MaxSentence {
		return ""
	}
	var stats []string
	runs := false
	for _, t := range prose.Lex(text) {
		w := strings.ToLower(t.Text(text))
		switch {
		case w == "mean" || w == "means" || w == "average" || w == "averages":
			stats = append(stats, "mean")
		case w == "median" || w == "medians" || w == "p50" || w == "p50s":
			stats = append(stats, "median")
		case (w == "run" || w == "runs") && len(stats) > 0:
			runs = true
		}
	}
	if !runs || len(stats) != 2 {
		return ""
	}
	return stats[0] + " of run " + stats[1] + "s"
}

// statementsFor are the statements that speak of a section.
func (e *engine) statementsFor(section string) []statement {
	var out []statement
	name := plain(section)
	for _, s := range e.statements {
		if s.stem == "" || name == s.stem || strings.HasPrefix(name, s.stem+" ") {
			out = append(out, s)
		}
	}
	return out
}

// speaksOf reports whether a block of the scope is called matched: one statement for all
// arms under it.
func (sc *scope) matched(name string, v lift.Val) {
	if l := split(name); l.has("matched") {
		sc.shape = append(sc.shape, evidence.Fact{Key: evidence.KeyWorkloadClass, Value: name, State: evidence.Derived, Rule: ruleMatched,
			Place: evidence.At(v.P), SourceText: name})
	}
}
