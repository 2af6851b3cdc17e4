package prose

import (
	"strings"

	"assay/store/evidence"
)

// Change is a relative change that a sentence claims, with the figures it names.
type Change struct {
	Metric evidence.MetricID // "" when the sentence names none
	Stat   evidence.Stat     // "" when the sentence names none
	State  string            // FirstRun, RepeatRun or ""
	// Percent is the figure of the claim; Sign is -1 when the sentence says that the
	// metric went down. Empty when only a pair of figures is given.
	Percent Span
	Sign    int
	// Low and High are the ends of a claim that is an interval ("by 12 to 15 percent"),
	// Percent then spans both.
	Low, High Span
	Bound     Bound // of the percentage
	// From and To are the figures of the pair, in Unit. Unordered says that the sentence
	// only sets them side by side ("41.6 versus 99.9").
	From, To  Span
	Unit      string
	Unordered bool
	Subject   Span // the words before the verb, empty when there are none
	Control   Span // the words behind "versus" or "than", empty when there are none
}

// direction is what a word says about a metric.
type direction int

const (
	noDirection direction = iota
	up
	down
	better
	worse
	faster
	slower
)

var directionWords = map[string]direction{
	"increased": up, "increase": up, "increases": up, "rose": up, "rise": up, "raised": up, "grew": up, "gained": up, "gain": up,
	"higher": up, "more": up, "uplift": up, "above": up, "longer": up, "exceeded": up, "boost": up, "jump": up, "jumped": up,
	"reduced": down, "reduce": down, "reduction": down, "lower": down, "lowered": down, "fell": down, "dropped": down, "drop": down,
	"decreased": down, "decrease": down, "cut": down, "less": down, "below": down, "shorter": down, "shortened": down,
	"loss": down, "lost": down, "decline": down, "declined": down,
	"improved": better, "improvement": better, "better": better,
	"regressed": worse, "regression": worse, "worse": worse, "worsened": worse, "degraded": worse, "degradation": worse,
	"faster": faster, "speedup": faster, "slower": slower, "slowdown": slower,
}

// sign is +1 where the metric goes up. A regression of a latency is a rise; where no
// metric is named the sentence speaks of a rate.
func (d direction) sign(m evidence.MetricID) int {
	info, known := evidence.LookupMetric(m)
	lowerIsBetter := known && info.Better == evidence.Lower
	switch {
	case d == up, (d == better || d == faster) && !lowerIsBetter, (d == worse || d == slower) && lowerIsBetter:
		return 1
	}
	return -1
}

// Changes reads the claims of a sentence. refused are the figures of changes that the
// sentence denies, supposes, or does not give as figures.
func Changes(sentence string) (changes []Change, refused []Span) {
	p := changeParser{text: sentence, tokens: Lex(sentence)}
	for p.i = 0; p.i < len(p.tokens); p.i++ {
		p.step()
	}
	if p.states == 1 { // one state is named, before or behind its figures
		for i := range p.out {
			p.out[i].State = p.onlyState
		}
	}
	return p.out, p.refused
}

// changeParser walks the sentence and remembers what was said last.
type changeParser struct {
	text   string
	tokens []Token
	i      int
	out    []Change

	onlyState string
	states    int // different ones in the sentence

	metric  evidence.MetricID // named since the last break
	stat    evidence.Stat
	state   string
	verb    direction
	start   int  // token index where the clause began
	counted bool // a figure stood in the clause
	subject Span
	control Span // named by the change before, and meant by the next one too
	open    int  // index+1 of the change that a following "from A to B" belongs to
	denied  int  // tokens up to here are denied or supposed
	refused []Span
}

func (p *changeParser) step() {
	t := p.tokens[p.i]
	if m, next := metricAt(p.text, p.tokens, p.i); next > 0 {
		p.metric, p.i = m, next-1
		return
	}
	if s, ok := statAt(p.text, t); ok {
		p.stat = s
		return
	}
	word := strings.ToLower(t.Text(p.text))
	switch {
	case t.Kind == Mark && (word == ";" || word == ":"):
		p.clause(p.i + 1)
	case t.Kind == Word && (word == "while" || word == "but" || word == "whereas"):
		p.metric, p.stat, p.verb, p.open, p.start, p.counted = "", "", noDirection, 0, p.i+1, false
	case unreal(p.text, p.tokens, p.i):
		if p.i >= p.denied {
			p.denied = p.reach()
		}
	case t.Kind == Word:
		p.word(word)
	case t.Counts() && p.i < p.denied:
		p.refused = append(p.refused, Span{t.Start, t.End})
	case t.Kind == Figure && t.Unit == "percent":
		p.percent(t)
	case t.Kind == Figure:
		p.pair(t)
	}
	p.counted = p.counted || t.Counts()
}

// reach is the token at which what is denied or supposed here ends.
func (p *changeParser) reach() int {
	for j := p.i; j < len(p.tokens); j++ {
		switch strings.ToLower(p.tokens[j].Text(p.text)) {
		case ";", ":", "but", "while", "whereas":
			return j
		}
	}
	return len(p.tokens)
}

// clause forgets everything: another statement begins.
func (p *changeParser) clause(at int) {
	p.metric, p.stat, p.state, p.verb, p.open, p.start, p.subject, p.control, p.counted = "", "", "", noDirection, 0, at, Span{}, Span{}, false
}

func (p *changeParser) word(word string) {
	if s, ok := stateWords[word]; ok && (s == FirstRun || s == RepeatRun) {
		if p.state = s; p.onlyState != s {
			p.onlyState, p.states = s, p.states+1
		}
		return
	}
	d, isVerb := directionWords[word]
	if !isVerb && word != "changed" && word != "moved" && word != "went" {
		return
	}
	p.verb = d
	if p.subject.Empty() && p.i > p.start && !p.counted {
		p.subject = Span{p.tokens[p.start].Start, p.tokens[p.i-1].End}
	}
}

// percent reads "12.5 percent lower median TTFT", "8.5 percent throughput regression"
// (direction behind the figure) or "raised median decode by 80.5 percent" (before).
func (p *changeParser) percent(t Token) {
	if !p.isChange(t) {
		return
	}
	c := Change{Percent: Span{t.Start, t.End}, State: p.state, Bound: boundOf(p.text, p.tokens, p.i)}
	if c.Bound == About || !p.interval(&c) {
		p.refused = append(p.refused, c.Percent)
		return
	}
	metric, stat, d, control := p.behind(t.UnitEnd)
	if d != noDirection {
		if c.Metric, c.Stat = metric, stat; metric == "" {
			c.Metric, c.Stat = p.metric, p.stat // "decode is 7 percent faster"
		}
	} else if d = p.verb; d != noDirection {
		c.Metric, c.Stat, c.Subject = p.metric, p.stat, p.subject
		if c.Metric == "" {
			c.Metric, c.Stat = metric, stat
		}
	} else {
		return // a percentage that says nothing of a change
	}
	if control.Empty() && c.Subject.Empty() {
		control = p.control // "lower TTFT than X, but higher E2E"
	}
	p.control = control
	c.Control, c.Sign = control, d.sign(c.Metric)
	if c.Subject.Empty() {
		c.Subject = p.before()
	}
	if n := len(p.out); n > 0 && p.out[n-1].Percent.Empty() && p.out[n-1].Metric == c.Metric && !p.out[n-1].Unordered {
		o := &p.out[n-1] // "dropped from 1.0 to 0.8 s (20 percent)"
		o.Percent, o.Sign, o.Low, o.High, o.Bound = c.Percent, c.Sign, c.Low, c.High, c.Bound
		if !c.Control.Empty() {
			o.Control = c.Control
		}
		return
	}
	p.out = append(p.out, c)
	p.metric, p.stat, p.open = c.Metric, c.Stat, len(p.out)
}

// interval reads the first end of "12 to 15 percent" and "between 12 and 15 percent".
// It is false for a percentage that something went to ("fell to 15 percent"), which is
// a level and no change.
func (p *changeParser) interval(c *Change) bool {
	word := func(i int) string {
		if i < 0 {
			return ""
		}
		return strings.ToLower(p.tokens[i].Text(p.text))
	}
	joint, after := word(p.i-1), p.i+1
	for after < len(p.tokens) && p.tokens[after].Start < p.tokens[p.i].UnitEnd {
		after++
	}
	if after+1 < len(p.tokens) && word(after) == "to" && p.tokens[after+1].Kind == Figure && p.tokens[after+1].Unit == "percent" {
		return false // "12 percent to 15 percent"
	}
	switch {
	case joint == "to" && word(p.i-2) == "up":
		return true
	case joint != "to" && !(joint == "and" && word(p.i-3) == "between"):
		return true
	case p.i < 3 || p.tokens[p.i-2].Kind != Figure || p.tokens[p.i-2].Link != 0 || word(p.i-3) == "from":
		return joint == "and" && p.i >= 2 && !p.tokens[p.i-2].Counts()
	}
	low := p.tokens[p.i-2]
	if boundOf(p.text, p.tokens, p.i-2) != Exact {
		return false
	}
	c.Low, c.High = Span{low.Start, low.End}, c.Percent
	c.Percent.Start = low.Start
	return true
}

// before are the words in front of the figure that the sentence begins with, less the
// verb: "MTP3 was 12 percent slower".
func (p *changeParser) before() Span {
	last := p.i - 1
	for last >= p.start && linkVerbs[strings.ToLower(p.tokens[last].Text(p.text))] {
		last--
	}
	if p.counted || last < p.start || last == p.i-1 {
		return Span{}
	}
	return Span{p.tokens[p.start].Start, p.tokens[last].End}
}

var linkVerbs = map[string]bool{"is": true, "was": true, "were": true, "are": true, "had": true, "has": true, "showed": true, "shows": true, "ran": true, "a": true}

// isChange refuses a range of percentages, a share ("95 percent of all requests") and
// what the sentence denies.
func (p *changeParser) isChange(t Token) bool {
	if t.Link != 0 || p.i+1 < len(p.tokens) && p.tokens[p.i+1].Link != 0 {
		return false
	}
	for j := p.i + 1; j < len(p.tokens) && j < p.i+3; j++ {
		if p.tokens[j].Start >= t.UnitEnd {
			if strings.EqualFold(p.tokens[j].Text(p.text), "of") {
				return false
			}
			break
		}
	}
	for j := max(p.i-3, p.start); j < p.i; j++ {
		if negations[strings.ToLower(p.tokens[j].Text(p.text))] {
			return false
		}
	}
	return true
}

// behind looks at the words after the percentage up to the next one or the end of the
// statement.
func (p *changeParser) behind(unitEnd int) (m evidence.MetricID, s evidence.Stat, d direction, control Span) {
	closed := false // a comma or a named pair ends the direction's reach, not the control's
	for j := p.i + 1; j < len(p.tokens); j++ {
		t := p.tokens[j]
		word := strings.ToLower(t.Text(p.text))
		if t.Start < unitEnd {
			continue
		}
		if t.Kind == Mark && word == ";" || t.Kind == Figure && t.Unit == "percent" || word == "but" || word == "while" {
			return m, s, d, control
		}
		if controlWords[word] {
			return m, s, d, p.phrase(j + 1)
		}
		if (word == "below" || word == "above" || word == "under" || word == "over") && !closed && j+1 < len(p.tokens) && !p.tokens[j+1].Counts() {
			if d == noDirection && p.verb == noDirection {
				d = map[string]direction{"below": down, "under": down, "above": up, "over": up}[word]
			}
			return m, s, d, p.phrase(j + 1)
		}
		if closed = closed || t.Kind == Mark && word == "," || word == "from"; closed {
			continue
		}
		if found, next := metricAt(p.text, p.tokens, j); next > 0 && m == "" {
			m, j = found, next-1
		} else if found, ok := statAt(p.text, t); ok && s == "" {
			s = found
		} else if d == noDirection {
			d = directionWords[word]
		}
	}
	return m, s, d, control
}

// controlWords come before what a change is against.
var controlWords = map[string]bool{"than": true, "versus": true, "vs": true, "against": true}

// phrase is the run of words from token j to the next mark or joining word.
func (p *changeParser) phrase(j int) Span {
	var s Span
	for ; j < len(p.tokens); j++ {
		t := p.tokens[j]
		word := strings.ToLower(t.Text(p.text))
		if t.Kind == Mark && strings.ContainsAny(word, ",;.:()") || word == "plus" || word == "and" || word == "but" || word == "while" {
			break
		}
		if s.Empty() {
			s.Start = t.Start
		}
		s.End = t.End
	}
	return s
}

// pair reads "from A to B UNIT", "(A to B UNIT)" behind a verb, and "A versus B UNIT".
// The unit may stand behind both figures or behind the first.
func (p *changeParser) pair(a Token) {
	j := p.i + 1
	for j < len(p.tokens) && p.tokens[j].Start < a.UnitEnd {
		j++
	}
	if j+1 >= len(p.tokens) || p.tokens[j+1].Kind != Figure {
		return
	}
	b, between := p.tokens[j+1], strings.ToLower(p.tokens[j].Text(p.text))
	before := ""
	if p.i > 0 {
		before = strings.ToLower(p.tokens[p.i-1].Text(p.text))
	}
	ordered := between == "to" && (before == "from" || before == "(" && p.verb != noDirection)
	unordered := between == "versus" || between == "vs" || between == "against"
	unit := b.Unit
	if unit == "" {
		unit = a.Unit
	}
	if !unordered && !ordered || unit == "" || unit == "percent" || a.Unit != "" && a.Unit != unit {
		return
	}
	c := Change{Metric: p.metric, Stat: p.stat, State: p.state, Unit: unit, Unordered: unordered, Subject: p.subject,
		From: Span{a.Start, a.End}, To: Span{b.Start, b.End}}
	if boundOf(p.text, p.tokens, p.i) != Exact || boundOf(p.text, p.tokens, j+1) != Exact {
		p.refused = append(p.refused, c.From, c.To)
		p.i = j + 1
		return
	}
	p.i = j + 1
	if !unordered {
		c.Control = p.against(b.UnitEnd)
	}
	if c.Metric == "" {
		c.Metric, c.Stat = p.named(b.UnitEnd)
	}
	if p.open > 0 && !unordered && p.out[p.open-1].Metric == c.Metric {
		o := &p.out[p.open-1]
		o.From, o.To, o.Unit = c.From, c.To, c.Unit
		p.open = 0
		return
	}
	p.out = append(p.out, c)
}

// against is what stands behind "versus" or the like, up to the next figure.
func (p *changeParser) against(unitEnd int) Span {
	for j := p.i + 1; j < len(p.tokens); j++ {
		t := p.tokens[j]
		word := strings.ToLower(t.Text(p.text))
		switch {
		case t.Start < unitEnd:
		case controlWords[word]:
			return p.phrase(j + 1)
		case t.Counts() || word == ";" || word == "but" || word == "while" || word == "whereas":
			return Span{}
		}
	}
	return Span{}
}

// named reads the statistic and metric right behind a unit: "tok/s median decode".
func (p *changeParser) named(unitEnd int) (m evidence.MetricID, s evidence.Stat) {
	for j := p.i + 1; j < len(p.tokens); j++ {
		t := p.tokens[j]
		if t.Start < unitEnd {
			continue
		}
		found, next := metricAt(p.text, p.tokens, j)
		if next > 0 {
			return found, s
		}
		stat, ok := statAt(p.text, t)
		if !ok {
			break
		}
		s = stat
	}
	return "", ""
}
