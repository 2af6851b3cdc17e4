package anvil

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// Rules of figures in sentences.
const (
	ruleRestated   = "prose/restated"
	ruleStatistics = "prose/statistics"
	ruleResult     = "prose/result"
)

// entry is a primary figure that a sentence may repeat.
type entry struct {
	low, high float64 // equal for a point
	run       *run
	at        int // in run.Measurements
}

func (e entry) figure() *evidence.Measurement { return &e.run.Measurements[e.at] }

// index finds primary figures by unit and value.
type index struct {
	points, ranges map[evidence.Unit][]entry
	passes         map[string][]entry // pass rates by the digits of their fraction
}

func (b *builder) indexFigures() index {
	x := index{points: map[evidence.Unit][]entry{}, ranges: map[evidence.Unit][]entry{}, passes: map[string][]entry{}}
	for _, a := range b.arms {
		for _, r := range a.runs {
			for i, m := range r.Measurements {
				switch {
				case m.Role != evidence.Primary:
				case m.Metric == evidence.PassRate:
					x.passes[m.SourceText] = append(x.passes[m.SourceText], entry{m.Value.V, m.Value.V, r, i})
				case m.Value.OK:
					x.points[m.Unit] = append(x.points[m.Unit], entry{m.Value.V, m.Value.V, r, i})
				case m.Lower.OK && m.Upper.OK:
					x.ranges[m.Unit] = append(x.ranges[m.Unit], entry{m.Lower.V, m.Upper.V, r, i})
				}
			}
		}
	}
	for _, lists := range []map[evidence.Unit][]entry{x.points, x.ranges} {
		for _, list := range lists {
			slices.SortStableFunc(list, func(a, b entry) int {
				switch {
				case a.low < b.low:
					return -1
				case a.low > b.low:
					return 1
				}
				return 0
			})
		}
	}
	return x
}

// near lists the entries whose low end a rounded figure can stand for.
func near(list []entry, r rounded) []entry {
	from := sort.Search(len(list), func(i int) bool { return list[i].low >= r.value-r.half })
	to := from
	for to < len(list) && list[to].low <= r.value+r.half && to-from < 8 {
		to++
	}
	return list[from:to]
}

// rounded is a figure of a sentence in its base unit, with half its last digit.
type rounded struct {
	value, half float64
	unit        evidence.Unit
	digits      int // significant ones
}

func readRounded(decimal, unit string) (rounded, bool) {
	v, base, err := evidence.ToBase(decimal, unit)
	if err != nil {
		return rounded{}, false
	}
	one, _, _ := evidence.ToBase("1", unit)
	half := one / 2 * (1 + 1e-9)
	_, decimals, _ := strings.Cut(decimal, ".")
	for range len(decimals) {
		half /= 10
	}
	return rounded{v, half, base, significant(decimal)}, true
}

// significant counts the digits from the first that is not zero on.
func significant(decimal string) int {
	n := 0
	for _, c := range decimal {
		if c >= '1' && c <= '9' || c == '0' && n > 0 {
			n++
		}
	}
	return n
}

func (r rounded) of(v float64) bool { return v >= r.value-r.half && v <= r.value+r.half }

// minDigits are the digits from which a figure says which one it repeats.
const minDigits = 3

// restate looks through a sentence for figures that repeat a primary figure of exactly
// one run, and puts them there. taken are parts that other grammars have read.
func (b *builder) restate(x index, p evidence.Pointer, text string, taken ...prose.Span) {
	if text == "" || len(text) > prose.MaxSentence {
		return
	}
	tokens, inexact := prose.Lex(text), prose.Inexact(text)
	for i, t := range tokens {
		if t.Kind != prose.Figure || t.Link != 0 || within(t, taken) || within(t, inexact) {
			continue // "over 165" is no rounding of 165.9
		}
		if t.Unit == "" { // "from 75 to 80 tok/s"
			t.Unit = unitOfNext(tokens[i+1:], text)
		}
		linked := i+1 < len(tokens) && tokens[i+1].Link != 0
		switch {
		case linked && tokens[i+1].Link == '-' && !(i+2 < len(tokens) && tokens[i+2].Link != 0):
			b.restateRange(x, p, text, t, tokens[i+1])
		case !linked:
			b.restatePoint(x, p, text, t)
		}
	}
	for _, r := range prose.Results(text) {
		if r.Kind == prose.Fraction && r.Bound == prose.Exact && !overlaps(r.Digits, taken) {
			b.restatePass(x, p, text, r)
		}
	}
}

// unitOfNext is the unit that a figure shares with the one that follows it.
func unitOfNext(rest []prose.Token, text string) string {
	if len(rest) < 2 || rest[1].Kind != prose.Figure {
		return ""
	}
	switch rest[0].Text(text) {
	case "to", "versus", "vs", "and":
		return rest[1].Unit
	}
	return ""
}

func within(t prose.Token, spans []prose.Span) bool {
	return overlaps(prose.Span{Start: t.Start, End: t.End}, spans)
}

func overlaps(s prose.Span, spans []prose.Span) bool {
	for _, o := range spans {
		if s.Start < o.End && o.Start < s.End {
			return true
		}
	}
	return false
}

func (b *builder) restatePoint(x index, p evidence.Pointer, text string, t prose.Token) {
	r, ok := readRounded(t.Decimal(text), t.Unit)
	if !ok || r.digits < minDigits || r.unit == evidence.Ratio {
		return
	}
	found := near(x.points[r.unit], r)
	if len(found) == 1 {
		m := found[0].figure()
		b.repeat(found[0].run, *m, evidence.Measurement{Value: evidence.Some(r.value), SourceText: t.Text(text), SourceUnit: t.Unit,
			Place: evidence.InText(p, t.Start, t.End)})
	}
}

func (b *builder) restateRange(x index, p evidence.Pointer, text string, lo, hi prose.Token) {
	r1, ok1 := readRounded(lo.Decimal(text), lo.Unit)
	r2, ok2 := readRounded(hi.Decimal(text), hi.Unit)
	if !ok1 || !ok2 || r1.digits < minDigits || r2.digits < minDigits {
		return
	}
	var match []entry
	for _, e := range near(x.ranges[r1.unit], r1) {
		if r2.of(e.high) {
			match = append(match, e)
		}
	}
	if len(match) == 1 {
		b.repeat(match[0].run, *match[0].figure(), evidence.Measurement{Lower: evidence.Some(r1.value), Upper: evidence.Some(r2.value),
			SourceText: text[lo.Start:hi.End], SourceUnit: hi.Unit, Place: evidence.InText(p, lo.Start, hi.End)})
	}
}

// restatePass repeats a pass rate on the runs that one gate gave it to.
func (b *builder) restatePass(x index, p evidence.Pointer, text string, r prose.Result) {
	found := x.passes[r.Digits.Text(text)]
	if len(found) == 0 || len(found) > maxPicked {
		return
	}
	for _, e := range found {
		if e.figure().Place != found[0].figure().Place || e.figure().Place.Pointer == p {
			return
		}
	}
	for _, e := range found {
		b.repeat(e.run, *e.figure(), evidence.Measurement{Value: evidence.Some(ratio(r.Num, r.Den)), SourceText: r.Digits.Text(text),
			SourceUnit: "ratio", Place: evidence.InText(p, r.Digits.Start, r.Digits.End)})
	}
}

// repeat adds a figure x that repeats the primary figure m of a run.
func (b *builder) repeat(r *run, m, x evidence.Measurement) {
	x.Metric, x.Stat, x.Method, x.Unit, x.N = m.Metric, m.Stat, m.Method, m.Unit, m.N
	x.State, x.Role, x.Rule = evidence.Derived, evidence.Restated, ruleRestated
	r.Measurements = append(r.Measurements, x)
}

// repeats reports whether a figure of a sentence is a rounding of the figure m. One
// that is not is reported.
func (b *builder) repeats(m *evidence.Measurement, digits prose.Span, unit string, p evidence.Pointer, text string) bool {
	v, ok := readRounded(strings.ReplaceAll(digits.Text(text), "\u2212", "-"), unit)
	if !ok || v.unit != m.Unit {
		return false
	}
	if !m.Value.OK || !v.of(m.Value.V) {
		b.find(evidence.Warning, CodeRestated, p, nil, fmt.Sprintf("%s %s is no rounding of %s %s at %s: it is not taken",
			digits.Text(text), unit, m.SourceText, m.SourceUnit, m.Place.Pointer))
		return false
	}
	return true
}

// restateOn repeats a figure on a run that the sentence names. One that is no rounding
// of the run's own figure is left out.
func (b *builder) restateOn(r *run, m *evidence.Measurement, digits prose.Span, unit string, p evidence.Pointer, text string) {
	if !b.repeats(m, digits, unit, p, text) {
		if len(b.doc.NotLifted) < maxListed {
			b.skip(evidence.InText(p, digits.Start, digits.End), digits.Text(text), evidence.ReasonProse)
		}
		return
	}
	v, _ := readRounded(strings.ReplaceAll(digits.Text(text), "\u2212", "-"), unit)
	b.repeat(r, *m, evidence.Measurement{Value: evidence.Some(v.value), SourceText: digits.Text(text), SourceUnit: unit,
		Place: evidence.InText(p, digits.Start, digits.End)})
}
