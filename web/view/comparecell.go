package view

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

func (b *compareBuilder) cell(a *compare.ArmRow, j int, working string) CompareCell {
	x := &a.Cells[j]
	cell := CompareCell{Label: b.label(j), Struck: a.Rejected != ""}
	badge := verdictBadge(x.Verdict)
	if !x.Verdict.Shows() {
		cell.Stopped, cell.Why = &badge, shortWhy(x.Reasons)
		cell.Explored = b.explored(x.Explored, j)
		return cell
	}
	b.fill(&cell, &x.Value, j)
	cell.Badge = &badge
	cell.Change = Figure{Href: working, Calc: true, Title: "the reasons of this arm"}
	switch {
	case x.Change.OK:
		cell.Change.Text = Change(x.Change.V)
		if x.Low.OK && x.High.OK {
			cell.Effect = "95% " + Change(x.Low.V) + " to " + Change(x.High.V)
		}
	case x.Low.OK && x.High.OK:
		cell.Change.Text = Change(x.Low.V) + " to " + Change(x.High.V)
	default:
		cell.Change.Text = "no change figure"
	}
	switch {
	case x.Single:
		cell.Word = "one observation"
	case a.Rejected != "":
		cell.Word = "cannot win"
	default:
		cell.Word = x.Better
	}
	if x.Stat != nil {
		cell.Effect = joinSentences(cell.Effect, effectWords(x))
	}
	return cell
}

// explored is a cell that a waiver opens.
func (b *compareBuilder) explored(x *compare.Explored, j int) *ExploredCell {
	if x == nil {
		return nil
	}
	s := b.scale[j]
	out := &ExploredCell{Change: Figure{Text: "no change figure"}, Reason: plain(x.Waiver.Reason, maxValue),
		Who: "waiver " + Int(x.Waiver.ID) + " by " + plain(x.Waiver.Person, maxName), Href: "/waivers#w" + strconv.FormatInt(x.Waiver.ID, 10)}
	out.Control, out.ControlUpper = valueFigures(s, &x.Control)
	out.Value, out.Upper = valueFigures(s, &x.Value)
	if x.Change.OK {
		out.Change = Figure{Text: Change(x.Change.V), Href: out.Href, Calc: true}
	}
	return out
}

func joinSentences(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// effectWords says the effect's size, and the test where there are repeats for one.
func effectWords(x *compare.PairCell) string {
	s := "Cliff's delta " + strings.Replace(strconv.FormatFloat(x.Stat.Cliff, 'f', 2, 64), "-", minus, 1)
	if !x.Stat.Test.OK {
		return s + "; " + x.Stat.Test.String()
	}
	return s + "; p " + pWords(x.Stat.Adjusted)
}

func pWords(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// shortWhy is the gravest reason, and how many more there are.
func shortWhy(reasons []compare.Reason) string {
	if len(reasons) == 0 {
		return ""
	}
	s := plain(reasons[0].Message, maxName)
	more := 0
	for i := 1; i < len(reasons); i++ {
		if !reasons[i].Verdict.Shows() {
			more++
		}
	}
	if more > 0 {
		s += "; " + Plural(int64(more), "more reason", "more reasons")
	}
	return s
}

// exploreNote offers the exploratory view where waivers hold, and marks it where it is on.
func (b *compareBuilder) exploreNote() {
	if b.q.Waivers == 0 {
		return
	}
	other := b.q
	other.Explore, other.View = !b.q.Explore, ""
	n := &b.page.Explore
	n.On, n.Toggle = b.q.Explore, other.URL("/compare")
	if n.On {
		n.Words = "Exploratory view. Waivers open pairs that rules stop. Nothing in this view is a ground for a decision or a sign-off, and no arm wins in it."
	} else {
		n.Words = Plural(int64(b.q.Waivers), "waiver holds", "waivers hold") + " for these runs. They are not applied here."
	}
}

// reasons are an arm's own, with the figures they hold for.
func (b *compareBuilder) reasons(l *CompareLine, a *compare.ArmRow) {
	tally := map[compare.Verdict]int64{}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		tally[r.Verdict]++
		line := ComparedReason{ReasonLine: reasonLine(*r), Figures: b.holdsFor(a, r)}
		if r.Verdict == compare.Unknown && b.q.MayDeclare {
			line.Declare = b.declare(a, r)
		}
		if r.Verdict.Shows() {
			l.Caveats = append(l.Caveats, line)
		} else {
			l.Stops = append(l.Stops, line)
		}
	}
	l.Open = len(l.Stops) > 0
	if l.Open {
		l.Plan = b.plan(a)
	}
	var parts []string
	for _, v := range []compare.Verdict{compare.Blocked, compare.Unknown, compare.Caution} {
		if n := tally[v]; n > 0 {
			word := string(v)
			if v == compare.Caution && n > 1 {
				word = "caveats"
			}
			parts = append(parts, Int(n)+" "+word)
		}
	}
	l.Count = strings.Join(parts, ", ")
}

// declare are the forms for a fact that one side or both do not say.
func (b *compareBuilder) declare(a *compare.ArmRow, r *compare.Reason) []NamedLink {
	if r.Key == "" {
		return nil
	}
	title := evidence.LookupKey(r.Key).Title
	var out []NamedLink
	for _, side := range []struct {
		known bool
		run   *evidence.RunRow
		whose string
	}{{r.Left.Known, b.c.Control.Repeats.Head(), "the control"}, {r.Right.Known, a.Repeats.Head(), "this arm"}} {
		if !side.known {
			out = append(out, NamedLink{"Declare " + title + " of " + side.whose, Query("/repair/declare", "target", side.run.ID, "key", string(r.Key))})
		}
	}
	return out
}

// plan is the campaign file for the first figure that is stopped.
func (b *compareBuilder) plan(a *compare.ArmRow) string {
	for j := range a.Cells {
		if !a.Cells[j].Verdict.Shows() {
			return Query("/compare/plan.toml", "c", b.c.Control.Repeats.Head().ID, "a", a.Repeats.Head().ID, "f", b.c.Figures[j].String())
		}
	}
	return ""
}

// holdsFor names the figures of an arm that carry a reason.
func (b *compareBuilder) holdsFor(a *compare.ArmRow, r *compare.Reason) string {
	var names []string
	for j := range a.Cells {
		if slices.ContainsFunc(a.Cells[j].Reasons, func(x compare.Reason) bool {
			return x.Rule == r.Rule && x.Key == r.Key && x.Message == r.Message
		}) {
			names = append(names, b.titles[j])
		}
	}
	if len(names) == len(a.Cells) {
		return "all figures"
	}
	return strings.Join(slices.Compact(names), ", ")
}
