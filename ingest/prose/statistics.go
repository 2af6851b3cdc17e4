package prose

import (
	"sort"
	"strings"

	"assay/store/evidence"
)

// Reading is one statistic that a sentence gives.
type Reading struct {
	Metric evidence.MetricID
	Stat   evidence.Stat
	Digits Span
	Unit   string
	Bound  Bound
}

// Line is a sentence of the form "LABEL STATE: METRIC STAT/STAT FIGURE/FIGURE UNIT; ...".
type Line struct {
	Label    Span   // the part of the label that names the arm, empty when none does
	Name     string // the whole name of the arm: "MTP3 (TP2)"; "" when none is named
	Names    []Span // its parts, Label among them
	State    string // FirstRun, RepeatRun or the word that stands there, "" when none
	StateAt  Span
	Settings []Setting // of the workload, where the label states them: "n=7", "at 4K/C8"
	Readings []Reading
	Unparsed []Span // figures that found no metric, statistic or unit, or that are none to work with
	Inexact  []Span // figures that are given as bounds or approximations
}

// Run states that sentences tell apart.
const (
	FirstRun  = "first"
	RepeatRun = "repeat"
)

var stateWords = map[string]string{
	"first": FirstRun, "first-run": FirstRun, "initial": FirstRun,
	"repeat": RepeatRun, "repeated": RepeatRun, "immediate-repeat": RepeatRun, "second": RepeatRun, "repeat-run": RepeatRun,
	"cold": "cold", "warm": "warm", "warmed": "warm",
}

// StatLine reads a statistics sentence. It is one when it gives at least one
// statistic; any other sentence is left to other grammars.
func StatLine(sentence string) (Line, bool) {
	tokens := Lex(sentence)
	body := labelEnd(sentence, tokens)
	p := statParser{text: sentence, tokens: tokens, i: body}
	p.run()
	if len(p.line.Readings) == 0 {
		return Line{}, false
	}
	p.line.label(sentence, tokens[:body])
	return p.line, true
}

// labelEnd is the index of the first token behind the label: behind a colon, or the
// first metric or statistic where no colon stands before it.
func labelEnd(sentence string, tokens []Token) int {
	for i, t := range tokens {
		if t.Kind == Mark && t.Text(sentence) == ":" {
			return i + 1
		}
		if _, next := metricAt(sentence, tokens, i); next > 0 {
			if colon := i + 1; colon < len(tokens) && tokens[colon].Text(sentence) == ":" {
				return i // "TTFT: p50 ..." has no label
			}
			return i
		}
		if _, ok := statAt(sentence, t); ok {
			return i
		}
	}
	return len(tokens)
}

// statParser walks the tokens behind the label. It collects a metric, statistics and
// figures in whatever order they come and closes a group at the figure with the unit.
type statParser struct {
	text   string
	tokens []Token
	i      int
	line   Line
	metric evidence.MetricID
	stats  []evidence.Stat
	values []Token
}

func (p *statParser) run() {
	for p.i < len(p.tokens) {
		t := p.tokens[p.i]
		if m, next := metricAt(p.text, p.tokens, p.i); next > 0 {
			p.drop()
			p.metric, p.i = m, next
			continue
		}
		p.i++
		if s, ok := statAt(p.text, t); ok {
			p.drop()
			p.stats = append(p.stats, s)
			continue
		}
		switch {
		case t.Kind == Mark && t.Text(p.text) == ";":
			p.drop()
			p.metric, p.stats = "", p.stats[:0]
		case t.Kind == Figure:
			p.values = append(p.values, t)
			if p.i < len(p.tokens) && p.tokens[p.i].Link != 0 || t.Unit == "" {
				continue
			}
			p.group(t.Unit)
			p.skip(t.UnitEnd)
		case t.Kind == Nominal || t.Kind == Spelled:
			p.line.Unparsed = append(p.line.Unparsed, Span{t.Start, t.End})
		}
	}
	p.drop()
}

// skip passes the words of a unit: "min" is minutes there, no statistic.
func (p *statParser) skip(end int) {
	for p.i < len(p.tokens) && p.tokens[p.i].Start < end {
		p.i++
	}
}

// drop gives up figures that found no unit.
func (p *statParser) drop() {
	for _, v := range p.values {
		p.line.Unparsed = append(p.line.Unparsed, Span{v.Start, v.End})
	}
	p.values = p.values[:0]
}

// group closes a group at its unit. Metric or statistics may still stand behind it:
// "41.5 tok/s median decode", "312/401 ms (p50/p95)".
func (p *statParser) group(unit string) {
	if p.metric == "" || len(p.stats) == 0 {
		p.lookAhead()
	}
	if len(p.stats) == len(p.values)+1 && p.stats[0] == evidence.Mean && p.metric == evidence.ITLToken {
		p.metric, p.stats = evidence.TPOT, p.stats[1:] // "mean ITL p50": one mean per request
	}
	if len(p.stats) == 0 && len(p.values) == 1 && p.metric == evidence.OutputThroughput {
		p.stats = append(p.stats, evidence.Total)
	}
	bound := p.bound()
	if len(p.stats) != len(p.values) || !fits(p.metric, unit) || bound == About {
		p.drop()
		p.stats = p.stats[:0]
		return
	}
	for k, v := range p.values {
		p.line.Readings = append(p.line.Readings,
			Reading{Metric: p.metric, Stat: p.stats[k], Digits: Span{v.Start, v.End}, Unit: unit, Bound: bound})
	}
	p.values, p.stats = p.values[:0], p.stats[:0]
}

// bound tells how exactly the figures of the group are given. A list in which some are
// bounds does not say which.
func (p *statParser) bound() Bound {
	all := Exact
	for _, v := range p.values {
		i := sort.Search(len(p.tokens), func(i int) bool { return p.tokens[i].Start >= v.Start })
		if b := boundOf(p.text, p.tokens, i); b != Exact {
			all = b
			p.line.Inexact = append(p.line.Inexact, Span{v.Start, v.End})
		}
	}
	if all != Exact && len(p.values) > 1 {
		return About
	}
	return all
}

// lookAhead takes a metric or statistics that stand behind the unit and belong to no
// figure of their own.
func (p *statParser) lookAhead() {
	metric, stats, j := p.metric, p.stats, p.i
	for steps := 0; j < len(p.tokens) && steps < 8; steps++ {
		t := p.tokens[j]
		if m, next := metricAt(p.text, p.tokens, j); next > 0 && metric == "" {
			metric, j = m, next
			continue
		}
		if s, ok := statAt(p.text, t); ok && len(stats) < len(p.values) {
			stats, j = append(stats, s), j+1
			continue
		}
		if t.Start < p.values[len(p.values)-1].UnitEnd || t.Kind == Mark && strings.ContainsAny(t.Text(p.text), "()/-") {
			j++
			continue
		}
		if t.Digits() {
			return // what was seen belongs to that figure
		}
		break
	}
	p.metric, p.stats, p.i = metric, stats, j
}
