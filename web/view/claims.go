package view

import (
	"strconv"
	"strings"

	"assay/store/compare/claims"
	"assay/store/evidence"
)

// ClaimRow is a relative change that the source publishes. It is shown as it stands
// and is never an input. The same claim in several places is one row.
type ClaimRow struct {
	Arm    string
	Run    string
	Metric string // "Decode rate"; "" when the source does not say of what
	Stat   string // "p50"
	Better string // which way is better
	Sign   string // of the change, where it stands in words and not at the digits
	Value  Figure // "120.4%", opens the digits
	Digits string // as they stand: "120.4 percent"
	Base   *ClaimBase
	Answer *ClaimAnswer
	At     []Linked // every place that says it

	key claimKey
}

// ClaimBase is what a claim is against: the control's figure and the arm's own, as far
// as the source says which they are.
type ClaimBase struct {
	Name       string // of the control's arm, "" when its run is not at hand
	Run        string
	Control    Figure
	Subject    Figure
	HasSubject bool
}

// ClaimAnswer is what recomputing a claim gave.
type ClaimAnswer struct {
	Badge      Badge
	Recomputed string // with the claim's unit, "" when there is nothing to show
	Note       string
}

// answerBadges say how an answer shows.
var answerBadges = map[claims.Verdict]Badge{
	claims.Holds:          {Kind: "ok", Glyph: "ok", Word: "holds"},
	claims.HoldsUnrounded: {Kind: "caveat", Glyph: "caveat", Word: "holds only from unrounded inputs"},
	claims.Fails:          {Kind: "blocked", Glyph: "blocked", Word: "does not hold"},
	claims.NoBase:         {Kind: "unknown", Glyph: "unknown", Word: "base not found"},
}

// claimAnswer writes an answer; nil where nothing was recomputed.
func claimAnswer(c *claims.Claim) *ClaimAnswer {
	badge, ok := answerBadges[c.Verdict]
	if !ok {
		return nil
	}
	a := &ClaimAnswer{Badge: badge, Note: plain(c.Note, maxName)}
	if v := c.Recomputed.Point; v.OK {
		a.Recomputed = realMinus(strconv.FormatFloat(v.V, 'g', 6, 64))
		if c.Unit != "ratio" {
			a.Recomputed += " " + plain(c.Unit, maxName)
		}
	}
	return a
}

// claimKey is what makes two claims the same.
type claimKey struct {
	run          string
	metric       evidence.MetricID
	stat         evidence.Stat
	change, base string
}

// claimOf reads which metric and statistic a claim speaks of from its rule,
// "change(decode_rate p50)" or "prose/change(decode_rate p50)".
func claimOf(rule string) (m evidence.MetricID, s evidence.Stat) {
	_, rest, ok := strings.Cut(rule, "change(")
	if !ok {
		return "", ""
	}
	words := strings.Fields(strings.TrimSuffix(rest, ")"))
	if len(words) > 0 {
		m = evidence.MetricID(words[0])
	}
	if len(words) > 1 {
		s = evidence.Stat(words[1])
	}
	return m, s
}

// buildClaims lists the claims of runs; the figures they were formed from are looked
// for among all the runs at hand.
func buildClaims(runs, all []evidence.RunRow) []ClaimRow {
	var rows []ClaimRow
	at := make(map[claimKey]int)
	figures, names, answers := placedFigures(all), classNames(all), claims.OfRuns(all)
	for i := range runs {
		for j := range runs[i].Measurements {
			m := &runs[i].Measurements[j]
			if m.Role != evidence.Claim {
				continue
			}
			row := claimRow(&runs[i], m, figures, names)
			if c, ok := answers[claims.KeyOf(&runs[i], m)]; ok {
				row.Answer = claimAnswer(&c)
			}
			if n, ok := at[row.key]; ok {
				rows[n].At = append(rows[n].At, row.At...)
				continue
			}
			at[row.key] = len(rows)
			rows = append(rows, row)
		}
	}
	return rows
}

// placedFigure is a measurement and its run.
type placedFigure struct {
	run *evidence.RunRow
	m   *evidence.MeasurementRow
}

type figurePlace struct {
	artifact evidence.Digest
	place    evidence.Place
}

// placedFigures finds the runs' own figures by where they stand.
func placedFigures(runs []evidence.RunRow) map[figurePlace]placedFigure {
	out := make(map[figurePlace]placedFigure)
	for i := range runs {
		for j := range runs[i].Measurements {
			if m := &runs[i].Measurements[j]; m.Role == evidence.Primary {
				out[figurePlace{m.Artifact, m.Place}] = placedFigure{&runs[i], m}
			}
		}
	}
	return out
}

func claimRow(r *evidence.RunRow, m *evidence.MeasurementRow, figures map[figurePlace]placedFigure, names map[string]string) ClaimRow {
	id, stat := claimOf(m.Rule)
	sign, change := claimChange(m)
	row := ClaimRow{
		Arm: names[r.ID], Run: RunURL(r.ID), Sign: sign, Value: Fig(change, m.Artifact, m.Place),
		Digits: claimDigits(m), At: []Linked{placeLink(m.Artifact, m.Place)},
		key: claimKey{run: r.ID, metric: id, stat: stat, change: sign + change},
	}
	if id != "" {
		row.Metric = plain(string(id), maxName)
		if metric, ok := evidence.LookupMetric(id); ok {
			row.Metric, row.Better = metric.Title, betterWords[metric.Better]
		}
	}
	if stat != "" {
		row.Stat = statWord(stat)
	}
	if len(m.Also) > 0 {
		row.Base = claimBase(m, figures, names)
		row.key.base = string(m.Also[0].Pointer)
	}
	return row
}

// claimBase names the control and writes both figures in one unit.
func claimBase(m *evidence.MeasurementRow, figures map[figurePlace]placedFigure, names map[string]string) *ClaimBase {
	// A place without a figure at hand is a door all the same.
	b := &ClaimBase{Control: Fig("its figure", m.Artifact, m.Also[0])}
	control, ok := figures[figurePlace{m.Artifact, m.Also[0]}]
	if !ok {
		return b
	}
	b.Name, b.Run = names[control.run.ID], RunURL(control.run.ID)
	values := valuesOf(&control.m.Measurement)
	var subject placedFigure
	if len(m.Also) > 1 {
		subject, b.HasSubject = figures[figurePlace{m.Artifact, m.Also[1]}]
	}
	if b.HasSubject {
		values = append(values, valuesOf(&subject.m.Measurement)...)
	}
	scale := ScaleFor(control.m.Unit, values...)
	b.Control = claimFigure(scale, control.m)
	if b.HasSubject {
		b.Subject = claimFigure(scale, subject.m)
		b.Subject.Text += " " + scale.Unit
	} else {
		b.Control.Text += " " + scale.Unit
	}
	return b
}

func claimFigure(s Scale, m *evidence.MeasurementRow) Figure {
	cell := figureCell(s, m)
	if cell.Absent != "" {
		return Fig(cell.Absent, m.Artifact, m.Place)
	}
	if cell.Upper != nil {
		cell.Value.Text += " to " + cell.Upper.Text
	}
	return cell.Value
}

// claimChange is a published change with every digit that the source gives; what is no
// number stands as it does in the source. The sign is apart where the digits have none:
// "reduced by 33.7 percent" is a minus that stands in a word.
func claimChange(m *evidence.MeasurementRow) (sign, change string) {
	switch {
	case m.Value.OK && strings.HasPrefix(m.SourceText, "-"):
		return "", percent(m.Value.V)
	case m.Value.OK && m.Value.V < 0:
		return minus, percent(-m.Value.V)
	case m.Value.OK && m.Value.V > 0:
		return "+", percent(m.Value.V)
	case m.Value.OK:
		return "", percent(m.Value.V)
	case m.Lower.OK && m.Upper.OK:
		return "", percent(m.Lower.V) + " to " + percent(m.Upper.V)
	}
	return "", claimDigits(m)
}

func claimDigits(m *evidence.MeasurementRow) string {
	text := realMinus(plain(m.SourceText, maxName))
	if m.SourceUnit != "" {
		text += " " + plain(m.SourceUnit, maxName)
	}
	return text
}

// percent is a ratio per cent with every digit it has.
func percent(v float64) string {
	s := Scale{Unit: "%", num: 100, den: 1}
	if r := s.rat(v); r != nil {
		s.decimals = decimalsOf(r)
	}
	return s.WithUnit(v)
}

// realMinus sets a minus sign where digits start with a hyphen.
func realMinus(s string) string {
	if len(s) > 1 && s[0] == '-' && s[1] >= '0' && s[1] <= '9' {
		return minus + s[1:]
	}
	return s
}
