package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// The JSON of a comparison. Values and the delta are null unless the verdict is ok or
// caveat.
type compareJSON struct {
	Verdict compare.Verdict `json:"verdict"`
	Ranking compare.Verdict `json:"ranking"`
	Ruleset int             `json:"ruleset"`
	Metric  string          `json:"metric"`
	Stat    string          `json:"stat"`
	Unit    string          `json:"unit"`
	Reasons []reasonJSON    `json:"reasons"`
	Left    figureJSON      `json:"left"`
	Right   figureJSON      `json:"right"`
	Delta   *deltaJSON      `json:"delta"`
}

type reasonJSON struct {
	Rule    string          `json:"rule"`
	Version int             `json:"version"`
	Verdict compare.Verdict `json:"verdict"`
	Ranking compare.Verdict `json:"ranking"`
	Scope   compare.Scope   `json:"scope"`
	Key     string          `json:"key"`
	Left    *string         `json:"left"`
	Right   *string         `json:"right"`
	Sources []sourceJSON    `json:"sources"`
	Message string          `json:"message"`
	Remedy  string          `json:"remedy"`
}

type sourceJSON struct {
	Artifact string `json:"artifact"`
	Pointer  string `json:"pointer"`
	Start    int    `json:"start,omitempty"`
	End      int    `json:"end,omitempty"`
}

type figureJSON struct {
	Ref    string      `json:"ref"`
	Run    string      `json:"run"`
	Arm    string      `json:"arm"`
	Stat   string      `json:"stat"`
	Value  *float64    `json:"value"`
	Lower  *float64    `json:"lower"`
	Upper  *float64    `json:"upper"`
	N      *int64      `json:"n"`
	Source *sourceJSON `json:"source"`
}

type deltaJSON struct {
	Absolute *float64 `json:"absolute"`
	Relative *float64 `json:"relative"`
	Ratio    *float64 `json:"ratio"`
	Lower    *float64 `json:"lower"` // of the relative change, where a side is an interval
	Upper    *float64 `json:"upper"`
	Better   string   `json:"better"`
}

func writeCompareJSON(w io.Writer, q compare.Question, pairs []compared) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if len(pairs) == 1 {
		return enc.Encode(pairJSON(q, &pairs[0]))
	}
	all := struct {
		Verdict compare.Verdict `json:"verdict"`
		Ruleset int             `json:"ruleset"`
		Pairs   []compareJSON   `json:"pairs"`
	}{worst(pairs), compare.RulesetVersion, nil}
	for i := range pairs {
		all.Pairs = append(all.Pairs, pairJSON(q, &pairs[i]))
	}
	return enc.Encode(all)
}

func pairJSON(q compare.Question, c *compared) compareJSON {
	m, _ := evidence.LookupMetric(q.Metric)
	out := compareJSON{
		Verdict: c.Verdict, Ranking: c.Ranking, Ruleset: c.Ruleset, Metric: string(q.Metric), Stat: string(q.Stat), Unit: string(m.Unit),
		Reasons: []reasonJSON{}, Left: figureOf(c, c.Control, &c.Left, 0), Right: figureOf(c, c.Arm, &c.Right, 1),
	}
	for _, r := range c.All() {
		out.Reasons = append(out.Reasons, reasonOf(&r, c.Ruleset))
	}
	if !c.Verdict.Shows() {
		return out
	}
	out.Delta = &deltaJSON{Relative: optional(c.Change), Lower: optional(c.Low), Upper: optional(c.High), Better: c.Better}
	if c.Change.OK {
		ratio := c.Right.Value.V / c.Left.Value.V
		out.Delta.Ratio = &ratio
	}
	if c.Left.Value.OK && c.Right.Value.OK {
		absolute := c.Right.Value.V - c.Left.Value.V
		out.Delta.Absolute = &absolute
	}
	return out
}

func optional(v evidence.Opt[float64]) *float64 {
	if !v.OK {
		return nil
	}
	return &v.V
}

func figureOf(c *compared, r *evidence.RunRow, m *evidence.MeasurementRow, side int) figureJSON {
	f := figureJSON{Ref: c.refs[side]}
	if r == nil {
		return f
	}
	f.Run, f.Arm = r.ID, r.Arm
	if !c.Verdict.Shows() {
		f.Source = &sourceJSON{Artifact: r.Artifact.String(), Pointer: string(r.Place.Pointer), Start: r.Place.Start, End: r.Place.End}
		return f
	}
	f.Stat, f.Value, f.Lower, f.Upper = string(m.Stat), optional(m.Value), optional(m.Lower), optional(m.Upper)
	if m.N.OK {
		f.N = &m.N.V
	}
	f.Source = &sourceJSON{Artifact: m.Artifact.String(), Pointer: string(m.Place.Pointer), Start: m.Place.Start, End: m.Place.End}
	return f
}

func reasonOf(r *compare.Reason, ruleset int) reasonJSON {
	out := reasonJSON{
		Rule: r.Rule, Version: ruleset, Verdict: r.Verdict, Ranking: r.Ranking, Scope: r.Scope, Key: string(r.Key),
		Message: r.Message, Remedy: r.Remedy, Sources: []sourceJSON{},
	}
	for _, x := range []struct {
		side compare.Side
		to   **string
	}{{r.Left, &out.Left}, {r.Right, &out.Right}} {
		if x.side.Known {
			*x.to = &x.side.Value
		}
		for _, s := range x.side.Sources {
			out.Sources = append(out.Sources, sourceJSON{Artifact: s.Artifact.String(), Pointer: string(s.Place.Pointer), Start: s.Place.Start, End: s.Place.End})
		}
	}
	return out
}

// writeCompareText writes comparisons for a terminal.
func writeCompareText(w io.Writer, q compare.Question, pairs []compared) error {
	var b strings.Builder
	for i := range pairs {
		if i > 0 {
			b.WriteString("\n")
		}
		pairText(&b, q, &pairs[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func pairText(b *strings.Builder, q compare.Question, c *compared) {
	m, _ := evidence.LookupMetric(q.Metric)
	fmt.Fprintf(b, "%s: %s, ruleset %d\n", m.Title, c.Verdict, c.Ruleset)
	for i, x := range []struct {
		run *evidence.RunRow
		fig *evidence.MeasurementRow
	}{{c.Control, &c.Left}, {c.Arm, &c.Right}} {
		name := []string{"control", "arm"}[i]
		if x.run == nil {
			fmt.Fprintf(b, "  %-8s %s\n", name, oneLine(c.refs[i]))
			continue
		}
		fmt.Fprintf(b, "  %-8s %s (%s)", name, oneLine(x.run.Arm), x.run.ID)
		if c.Verdict.Shows() {
			fmt.Fprintf(b, "  %s", figureText(x.fig))
		}
		b.WriteString("\n")
	}
	if c.Verdict.Shows() {
		fmt.Fprintf(b, "  %-8s %s\n", "change", changeText(c))
	}
	for _, r := range c.All() {
		fmt.Fprintf(b, "  %-8s %s: %s%s", r.Verdict, r.Rule, oneLine(r.Message), sidesText(&r))
		if r.Remedy != "" && !r.Verdict.Shows() {
			fmt.Fprintf(b, "; to open it: %s", r.Remedy)
		}
		b.WriteString("\n")
	}
}

func figureText(m *evidence.MeasurementRow) string {
	text := "no point value"
	switch {
	case m.Value.OK:
		text = evidence.FormatDecimal(m.Value.V)
	case m.Lower.OK && m.Upper.OK:
		text = evidence.FormatDecimal(m.Lower.V) + " to " + evidence.FormatDecimal(m.Upper.V)
	}
	text += " " + string(m.Unit) + ", " + string(m.Stat)
	if m.N.OK {
		text += fmt.Sprintf(" of %d", m.N.V)
	}
	return text
}

func changeText(c *compared) string {
	percent := func(v float64) string { return fmt.Sprintf("%+.1f%%", 100*v) }
	text := "none: the control is 0"
	switch {
	case c.Change.OK:
		text = percent(c.Change.V)
	case c.Low.OK && c.High.OK:
		text = percent(c.Low.V) + " to " + percent(c.High.V)
	}
	if c.Better != "" {
		text += ", " + c.Better
	} else if !c.Ranking.Shows() {
		text += ", no winner is named"
	}
	return text
}

// sidesText is what both sides say, where a reason is about one fact.
func sidesText(r *compare.Reason) string {
	if r.Key == "" || !r.Left.Known && !r.Right.Known {
		return ""
	}
	word := func(s compare.Side) string {
		if !s.Known {
			return "not known"
		}
		return export.Text(oneLine(s.Value)).String()
	}
	return fmt.Sprintf(" (%s against %s)", word(r.Left), word(r.Right))
}
