package compare

import (
	"math"

	"assay/store/evidence"
)

// Scope says what a rule decides about.
type Scope string

const (
	ScopeDelta   Scope = "delta"   // no delta, ratio, bar or colour for the pair
	ScopeRank    Scope = "rank"    // side by side with a delta, without a winner
	ScopeAxis    Scope = "axis"    // only when the axis is the question asked
	ScopeLabel   Scope = "label"   // a wording is refused
	ScopePromote Scope = "promote" // stops a sign-off
	ScopeNote    Scope = "note"
)

// level is a verdict while a pair is judged.
type level uint8

const (
	silent level = iota
	note
	caution
	unknown
	blocked
)

func (l level) verdict() Verdict {
	switch l {
	case note:
		return Noted
	case caution:
		return Caution
	case unknown:
		return Unknown
	case blocked:
		return Blocked
	}
	return OK
}

// Rule is a line of the catalogue.
type Rule struct {
	ID     string
	Scopes []Scope
	Axis   evidence.FactKey // for ScopeAxis
	Text   string           // what it says
	Source string           // where it comes from
	When   string           // for what it holds, "" for every pair
	Gives  string           // missing facts and verdicts in words
	Remedy string
	// Inert says why the rule never speaks of a pair of this archive; "" when it can.
	Inert string
	// NoWaiver marks rules that no waiver opens, since there is no value to show.
	NoWaiver bool

	lines  []keyLine
	decide func(*pair, *Rule)
}

// keyLine says what becomes of a pair for one fact key. A silent level means that there
// is nothing to say in that case.
type keyLine struct {
	key       evidence.FactKey
	tolerance float64 // relative, for numbers
	differ    level
	oneSided  level
	neither   level // on neither side, between statements
	statement level // on neither side, under one statement
	writer    level // on neither side, both from one load generator that does not have the key
	ofWriter  bool  // no load generator need say it: it is the same for all its runs
	need      workKind
	when      func(*pair) bool

	ix int
}

// pair is two runs under a question while rules look at it.
type pair struct {
	a, b  *Prepared
	q     *query
	one   bool // under one statement
	same  bool // of one load generator
	kind  workKind
	found []finding
}

// finding is what one rule found, without words yet.
type finding struct {
	rule  *Rule
	level level // where a difference is asked for
	rank  level // where a winner is asked for
	key   int16 // place in the registry, or one of the numbers below
	say   func(*pair, *finding) words
	text  string // what sayText says
}

// key numbers that are no place in the registry.
const (
	noKey    = -1
	extraKey = -2 // minus the place among the extra keys of side a, then b
)

// words are a finding in words.
type words struct {
	left, right Side
	message     string
	remedy      string // "" takes the rule's
	key         evidence.FactKey
}

func (p *pair) is(f feature) bool { return p.q.is(f) }

func (p *pair) asked(ix int) bool { return p.q.asked.has(ix) }

// add keeps one finding of a rule and key: the gravest.
func (p *pair) add(r *Rule, l level, key int, say func(*pair, *finding) words) {
	p.both(r, l, l, key, say, "")
}

// tell adds a finding that is one sentence.
func (p *pair) tell(r *Rule, l level, key int, text string) { p.both(r, l, l, key, sayText, text) }

// tellRanked is tell for rank scope.
func (p *pair) tellRanked(r *Rule, l level, key int, text string) {
	p.both(r, l, blocked, key, sayText, text)
}

// tellBoth is tell with a level of its own for the ranking.
func (p *pair) tellBoth(r *Rule, l, rank level, key int, text string) {
	p.both(r, l, rank, key, sayText, text)
}

// ranked adds a finding of rank scope: a caveat of the difference, a stop of the ranking.
func (p *pair) ranked(r *Rule, l level, key int, say func(*pair, *finding) words) {
	p.both(r, l, blocked, key, say, "")
}

func (p *pair) both(r *Rule, l, rank level, key int, say func(*pair, *finding) words, text string) {
	if l == silent && rank == silent {
		return
	}
	for i := len(p.found) - 1; i >= 0 && p.found[i].rule == r; i-- {
		f := &p.found[i]
		if int(f.key) != key {
			continue
		}
		if l > f.level || l == f.level && rank > f.rank {
			f.level, f.rank, f.say, f.text = l, max(f.rank, rank), say, text
		} else {
			f.rank = max(f.rank, rank)
		}
		return
	}
	p.found = append(p.found, finding{rule: r, level: l, rank: rank, key: int16(key), say: say, text: text})
}

// judge goes through the rules. It allocates nothing once found has grown.
func (p *pair) judge() {
	p.found = p.found[:0]
	p.one = oneStatement(p.a, p.b)
	p.same = p.a.writer.harness && p.a.run.Family == p.b.run.Family
	p.kind = p.a.kind | p.b.kind
	for _, r := range deciding {
		for i := range r.lines {
			p.line(r, &r.lines[i])
		}
		if r.decide != nil {
			r.decide(p, r)
		}
	}
	p.classes()
}

// line applies one key line.
func (p *pair) line(r *Rule, l *keyLine) {
	if p.asked(l.ix) || l.when != nil && !l.when(p) {
		return
	}
	a, b := p.a.get(l.ix), p.b.get(l.ix)
	switch {
	case a != nil && b != nil:
		if !equalCells(a, b, l.tolerance) {
			p.add(r, l.differ, l.ix, sayDiffers)
		}
	case a != nil || b != nil || p.a.doubt.has(l.ix) || p.b.doubt.has(l.ix):
		p.add(r, l.oneSided, l.ix, sayOneSided)
	case l.need&p.kind == 0:
	case p.one:
		p.add(r, l.statement, l.ix, sayNeither)
	case p.same && (l.ofWriter || p.a.writer.lacks.has(l.ix)):
		p.add(r, l.writer, l.ix, sayNeither)
	default:
		p.add(r, l.neither, l.ix, sayNeither)
	}
}

// equalCells compares two values: as numbers within a relative tolerance when both are
// numbers, as text otherwise.
func equalCells(a, b *cell, tolerance float64) bool {
	if a.text == b.text {
		return true
	}
	if !a.numeric || !b.numeric {
		return false
	}
	return a.num == b.num || tolerance > 0 && relativeDifference(a.num, b.num) <= tolerance
}

// relativeDifference is |a-b| / max(|a|,|b|); two zeros do not differ.
func relativeDifference(a, b float64) float64 {
	m := math.Max(math.Abs(a), math.Abs(b))
	if m == 0 {
		return 0
	}
	return math.Abs(a-b) / m
}

// classes applies the table by class to every key that no rule has a line for.
func (p *pair) classes() {
	var rest keySet
	for w := range rest {
		rest[w] = (p.a.known[w] | p.b.known[w] | p.a.doubt[w] | p.b.doubt[w]) &^ (ruled[w] | p.q.asked[w])
		for word := rest[w]; word != 0; word &= word - 1 {
			ix := w<<6 + trailing(word)
			if l := &classLines[ix]; l.differ != silent {
				p.line(classRules[ix], l)
			}
		}
	}
	p.extras()
}

// extras judges keys that the registry does not have: they are identity.
func (p *pair) extras() {
	if len(p.a.extra) == 0 && len(p.b.extra) == 0 {
		return
	}
	i, j := 0, 0
	for i < len(p.a.extra) || j < len(p.b.extra) {
		switch {
		case j == len(p.b.extra) || i < len(p.a.extra) && p.a.extra[i].key < p.b.extra[j].key:
			p.extraFinding(p.a.extra[i].key, i, true)
			i++
		case i == len(p.a.extra) || p.b.extra[j].key < p.a.extra[i].key:
			p.extraFinding(p.b.extra[j].key, len(p.a.extra)+j, true)
			j++
		default:
			if x, y := &p.a.extra[i], &p.b.extra[j]; x.known != y.known || x.known && !equalCells(&x.cell, &y.cell, 0) {
				p.extraFinding(x.key, i, false)
			}
			i, j = i+1, j+1
		}
	}
}

func (p *pair) extraFinding(k evidence.FactKey, n int, oneSided bool) {
	if quietExtra[k] {
		return
	}
	for _, a := range p.q.askedExtra {
		if a == k {
			return
		}
	}
	p.add(residueRule, caution, extraKey-n, sayExtra)
}
