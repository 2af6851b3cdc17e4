package view

import (
	"slices"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

// facts lists what differs: what stops first, then what is open, then residue.
func (b *compareBuilder) facts() {
	b.page.Equal = EqualFacts{Count: b.c.Equal, Shown: b.q.Equal}
	other := b.q
	other.Equal, other.View = !b.q.Equal, ""
	b.page.Equal.Toggle = other.URL("/compare")
	for i := range b.c.Facts {
		d := &b.c.Facts[i]
		if !d.Differs && !b.q.Equal {
			continue
		}
		b.page.Facts = append(b.page.Facts, factDiffRow(d))
	}
}

func factDiffRow(d *compare.FactDiff) FactDiffRow {
	row := FactDiffRow{Title: d.Info.Title, Key: string(d.Key), Class: string(d.Info.Class)}
	note := map[compare.Verdict]string{
		compare.Blocked: "stops: ", compare.Unknown: "open: ", compare.Caution: "caveat: ",
	}[d.Worst]
	if note != "" {
		badge := verdictBadge(d.Worst)
		row.Badge = &badge
	}
	row.Note = note + string(d.Info.Class)
	control := d.Sides[0]
	for i, s := range d.Sides {
		side := FactDiffSide{Value: factSide(d.Key, s), Gap: s.Value == ""}
		side.Same = i > 0 && s.Known == control.Known && s.Value == control.Value
		row.Sides = append(row.Sides, side)
	}
	return row
}

func factSide(k evidence.FactKey, s compare.Side) SideValue {
	v := sideValue(s)
	if s.Value != "" {
		v.Text = plain(factText(evidence.LookupKey(k), s.Value), maxName)
	}
	if s.Value != "" && !s.Known {
		v.Text += " (in conflict)"
	}
	return v
}

// choices are the figures and factors that the form offers.
func (b *compareBuilder) choices(offered []compare.Figure) {
	for _, f := range offered {
		m, _ := evidence.LookupMetric(f.Metric)
		b.page.Figures = append(b.page.Figures, FigureChoice{
			Value: f.String(), Label: m.Title + " " + statWord(f.Stat), On: slices.Contains(b.q.Spec.Figures, f),
		})
	}
	// A factor is worth asking about when the sides differ in it.
	for i := range b.c.Facts {
		d := &b.c.Facts[i]
		on := slices.Contains(b.q.Spec.Axes, d.Key)
		if on || d.Differs && d.Info.Class == evidence.Identity {
			b.page.Axes = append(b.page.Axes, AxisChoice{Value: string(d.Key), Label: d.Info.Title, On: on})
		}
	}
	b.page.Hidden = append(b.page.Hidden, Hidden{"c", strings.Join(b.q.Spec.Control, ".")})
	for _, a := range b.q.Spec.Arms {
		b.page.Hidden = append(b.page.Hidden, Hidden{"a", strings.Join(a, ".")})
	}
}

func (b *compareBuilder) links(digest string) {
	plainQuery := b.q
	plainQuery.View, plainQuery.Equal = "", false
	permalink := b.q
	permalink.View = digest
	b.page.Exports = Exports{
		CSV: plainQuery.URL("/compare.csv"), JSON: plainQuery.URL("/compare.json"), Markdown: plainQuery.URL("/compare.md"),
		Permalink: permalink.URL("/compare"),
	}
	b.page.Bench = plainQuery.URL("/compare.bench")
	if b.q.View != "" && b.q.View != digest {
		b.page.Moved = "The archive answers otherwise than when this link was made: evidence, declared facts or rules have changed since. What stands here is today's answer."
	}
	if b.q.View == digest {
		b.page.Say = append(b.page.Say, "The answer is the one that this permalink was made for.")
	}
}

// OfferedFigures are the figures that the control and at least one arm have as their own,
// in registry order.
func OfferedFigures(control compare.Repeats, arms []compare.Repeats) []compare.Figure {
	has := func(r compare.Repeats, f compare.Figure) bool {
		return slices.ContainsFunc(r, func(run *evidence.RunRow) bool {
			_, ok := run.Primary(f.Metric, f.Stat)
			return ok
		})
	}
	var out []compare.Figure
	for _, m := range evidence.Metrics {
		if !m.Comparable {
			continue
		}
		for _, s := range evidence.Stats {
			f := compare.Figure{Metric: m.ID, Stat: s}
			if has(control, f) && (len(arms) == 0 || slices.ContainsFunc(arms, func(a compare.Repeats) bool { return has(a, f) })) {
				out = append(out, f)
			}
		}
	}
	return out
}

// firstMetrics are what a reader asks about first.
var firstMetrics = []evidence.MetricID{
	evidence.OutputThroughput, evidence.TTFT, evidence.DecodeRate, evidence.TPOT, evidence.E2E, evidence.RequestThroughput,
	evidence.EffectivePrefillRate, evidence.PassRate, evidence.WER, evidence.Latency, evidence.KVPoolTokens,
}

// DefaultFigures are at most four of the offered ones: of each metric that matters first
// one statistic, totals and medians before tails.
func DefaultFigures(offered []compare.Figure) []compare.Figure {
	var out []compare.Figure
	for _, id := range firstMetrics {
		for _, s := range []evidence.Stat{evidence.Total, evidence.P50, evidence.Mean, evidence.Single} {
			f := compare.Figure{Metric: id, Stat: s}
			if slices.Contains(offered, f) {
				out = append(out, f)
				break
			}
		}
		if len(out) == 4 {
			return out
		}
	}
	for _, f := range offered {
		if len(out) == 4 {
			break
		}
		if !slices.Contains(out, f) && !slices.ContainsFunc(out, func(x compare.Figure) bool { return x.Metric == f.Metric }) {
			out = append(out, f)
		}
	}
	return out
}
