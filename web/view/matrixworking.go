package view

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

// Working is how one effect came about: both sides with their sources, the sum, and
// the rules that had something to say.
type Working struct {
	ID           string
	What         string
	Control, Arm WorkingSide
	Sum          string // "62.0 / 25.8 − 1"
	Change       string
	Verdict      Badge
	Rules        []RuleLink
	Stopped      []ReasonLine // of a pair that must not be compared
}

// WorkingSide is one side of a pair.
type WorkingSide struct {
	Run   NamedLink
	Value Figure
	Upper *Figure
	Shown bool
}

// RuleLink leads to the caveat that a rule raised on this page.
type RuleLink struct{ Rule, Href string }

// ReasonLine is what one rule says of a pair.
type ReasonLine struct {
	Badge       Badge
	Rule        string
	Key         string
	Left, Right SideValue
	Message     string
	Remedy      string
}

// SideValue is one side's fact with its source.
type SideValue struct {
	Text string
	Href string
}

// CaveatLine is a reason that stands once for all the effects that carry it.
type CaveatLine struct {
	ID      string
	Badge   Badge
	Scope   string // "every effect", "every MTP effect", "3 of 12 effects"
	Message string
	Rule    string
	Remedy  string
}

// effectTag says which effects of the page a reason is counted among.
type effectTag struct {
	axis   evidence.FactKey
	class  string
	metric string // title
}

type seenReason struct {
	reason compare.Reason
	in     []int // effects
}

// work takes note of an effect and returns the anchor of its working.
func (b *matrixBuilder) work(x *compare.Effect, axis evidence.FactKey, m *compare.Matrix, what string, scale Scale) string {
	n := len(b.effects)
	b.effects = append(b.effects, effectTag{axis: axis, class: m.Spec.Class, metric: m.Metric.Title})
	title := m.Metric.Title + " " + statWord(m.Spec.Stat)
	if scale.Unit != "" {
		title += ", " + scale.Unit
	}
	w := Working{
		ID: "w" + strconv.Itoa(n+1), What: title + ", " + what, Verdict: verdictBadge(x.Verdict),
		Control: WorkingSide{Run: NamedLink{armName(x.Control), RunURL(x.Control.ID)}},
		Arm:     WorkingSide{Run: NamedLink{armName(x.Arm), RunURL(x.Arm.ID)}},
	}
	if x.Verdict.Shows() {
		l, r := figureCell(scale, &x.Left), figureCell(scale, &x.Right)
		w.Control.Value, w.Control.Upper, w.Control.Shown = l.Value, l.Upper, true
		w.Arm.Value, w.Arm.Upper, w.Arm.Shown = r.Value, r.Upper, true
		w.Change = changeWords(x)
		if l.Upper == nil && r.Upper == nil {
			w.Sum = r.Value.Text + " / " + l.Value.Text + " " + minus + " 1"
		}
	}
	for _, r := range x.Reasons {
		if !x.Verdict.Shows() {
			w.Stopped = append(w.Stopped, reasonLine(r))
			continue
		}
		at := b.note(r, n)
		link := RuleLink{Rule: r.Rule, Href: "#" + caveatID(at)}
		if !slices.ContainsFunc(w.Rules, func(have RuleLink) bool { return have.Rule == link.Rule }) {
			w.Rules = append(w.Rules, link)
		}
	}
	b.workings = append(b.workings, w)
	return w.ID
}

// note counts a reason and returns its number on the page.
func (b *matrixBuilder) note(r compare.Reason, effect int) int {
	for i := range b.reasons {
		if h := &b.reasons[i]; h.reason.Rule == r.Rule && h.reason.Message == r.Message {
			if h.in[len(h.in)-1] != effect {
				h.in = append(h.in, effect)
			}
			return i
		}
	}
	b.reasons = append(b.reasons, seenReason{reason: r, in: []int{effect}})
	return len(b.reasons) - 1
}

func caveatID(i int) string { return "c" + strconv.Itoa(i+1) }

// caveats are the reasons of all shown effects, each once, the widest first.
func (b *matrixBuilder) caveats() []CaveatLine {
	type line struct {
		CaveatLine
		count int
	}
	var lines []line
	for i, r := range b.reasons {
		lines = append(lines, line{CaveatLine{
			ID: caveatID(i), Badge: verdictBadge(r.reason.Verdict), Scope: b.scope(r.in), Message: plain(r.reason.Message, maxValue),
			Rule: r.reason.Rule, Remedy: plain(r.reason.Remedy, maxValue),
		}, len(r.in)})
	}
	slices.SortStableFunc(lines, func(x, y line) int {
		if x.count != y.count {
			return y.count - x.count
		}
		return strings.Compare(x.Rule, y.Rule)
	})
	out := make([]CaveatLine, len(lines))
	for i := range lines {
		out[i] = lines[i].CaveatLine
	}
	return out
}

// scope says which effects carry a reason, in the fewest words that are exact.
func (b *matrixBuilder) scope(in []int) string {
	if len(in) == len(b.effects) {
		return "every effect"
	}
	carries := make([]bool, len(b.effects))
	for _, i := range in {
		carries[i] = true
	}
	exact := func(is func(effectTag) bool) bool {
		for i, e := range b.effects {
			if is(e) != carries[i] {
				return false
			}
		}
		return true
	}
	first := b.effects[in[0]]
	lower := func(class string) string { return strings.ToLower(classTitle(class)) }
	axis, class := axisName(first.axis), lower(first.class)
	for _, c := range []struct {
		words string
		is    func(effectTag) bool
	}{
		{"every " + axis + " effect", func(e effectTag) bool { return e.axis == first.axis }},
		{"every effect in " + class, func(e effectTag) bool { return e.class == first.class }},
		{"every " + axis + " effect in " + class, func(e effectTag) bool { return e.axis == first.axis && e.class == first.class }},
		{"every effect of " + first.metric, func(e effectTag) bool { return e.metric == first.metric }},
		{"every effect of " + first.metric + " in " + class, func(e effectTag) bool { return e.metric == first.metric && e.class == first.class }},
	} {
		if exact(c.is) {
			return c.words
		}
	}
	for _, not := range b.effects {
		if exact(func(e effectTag) bool { return e.class != not.class }) {
			return "every effect except in " + lower(not.class)
		}
		if exact(func(e effectTag) bool { return e.axis == first.axis && e.class != not.class }) {
			return "every " + axis + " effect except in " + lower(not.class)
		}
	}
	return Int(int64(len(in))) + " of " + Plural(int64(len(b.effects)), "effect", "effects")
}

func reasonLine(r compare.Reason) ReasonLine {
	out := ReasonLine{Badge: verdictBadge(r.Verdict), Rule: r.Rule, Message: plain(r.Message, maxValue), Remedy: plain(r.Remedy, maxValue)}
	if r.Key != "" {
		out.Key = evidence.LookupKey(r.Key).Title
		out.Left, out.Right = factSide(r.Key, r.Left), factSide(r.Key, r.Right)
	}
	return out
}

func sideValue(s compare.Side) SideValue {
	out := SideValue{Text: "not recorded"}
	if s.Value != "" {
		out.Text = plain(s.Value, maxName)
	}
	if len(s.Sources) > 0 {
		out.Href = PlaceURL(s.Sources[0].Artifact, s.Sources[0].Place)
	}
	return out
}
