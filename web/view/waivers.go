package view

import (
	"strconv"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// Waivers is the list of pairs that people opened for looking.
type Waivers struct {
	Count string
	Rows  []WaiverLine
	Pager Pager
	list  []evidence.Waiver
}

// WaiverLine is one waiver.
type WaiverLine struct {
	ID           string // anchor
	State        Badge
	Title        string
	Control, Arm NamedLink
	View         string
	Who, Reason  string
	Withdrawn    string
	Stops        []WaivedLine
}

// WaivedLine is one rule that was set aside.
type WaivedLine struct{ Rule, Text string }

// WaiversPerPage is the length of one page.
const WaiversPerPage = 50

// BuildWaivers is one page of waivers.
func BuildWaivers(list []evidence.Waiver, total, page int) Waivers {
	v := Waivers{Count: Plural(int64(total), "waiver", "waivers"), list: list,
		Pager: BuildPager(page, WaiversPerPage, total, func(p string) string { return Query("/waivers", "page", p) })}
	for i := range list {
		v.Rows = append(v.Rows, waiverLine(&list[i]))
	}
	return v
}

func waiverLine(w *evidence.Waiver) WaiverLine {
	m, _ := evidence.LookupMetric(w.Metric)
	l := WaiverLine{
		ID: "w" + strconv.FormatInt(w.ID, 10), Title: "Waiver " + Int(w.ID) + ", " + m.Title + " " + statWord(w.Stat),
		State:   Badge{Kind: "unknown", Glyph: "unknown", Word: "holds"},
		Control: NamedLink{plain(w.Control, maxName), RunURL(w.Control)}, Arm: NamedLink{plain(w.Arm, maxName), RunURL(w.Arm)},
		Who: plain(w.Person, maxName) + ", " + Moment(w.AtUS), Reason: plain(w.Reason, maxValue),
	}
	if !w.Holds() {
		l.State = Badge{Kind: "plain", Glyph: "absent", Word: "withdrawn"}
		l.Withdrawn = "Withdrawn by " + plain(w.WithdrawnBy, maxName) + ", " + Moment(w.WithdrawnUS) + ": " + plain(w.WithdrawnReason, maxValue)
	}
	q := CompareQuery{Explore: true, Spec: compare.Spec{Control: []string{w.Control}, Arms: [][]string{{w.Arm}}, Figures: []compare.Figure{{Metric: w.Metric, Stat: w.Stat}}}}
	l.View = q.URL("/compare")
	for _, s := range w.Stops {
		text := ""
		if s.Key != "" {
			text = evidence.LookupKey(s.Key).Title + ": " + orWord(plain(s.Left, maxName), "not recorded") + " against " + orWord(plain(s.Right, maxName), "not recorded")
		}
		l.Stops = append(l.Stops, WaivedLine{Rule: plain(s.Rule, 60), Text: text})
	}
	return l
}

// Table is the list as a file.
func (v Waivers) Table() export.Table { return export.WaiverTable(v.list) }
