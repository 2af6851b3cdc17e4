package view

import (
	"cmp"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
)

// MatrixList is the page of campaigns that have a matrix.
type MatrixList struct {
	Count string
	Rows  []MatrixListRow
	More  string
}

// MatrixListRow is one campaign.
type MatrixListRow struct {
	Title, Href, Observed string
	Over, Figures         string
	Arms                  Figure
}

// MatrixListRowOf describes a campaign's matrix; false when it has none.
func MatrixListRowOf(c *evidence.CampaignRow, runs []evidence.RunRow) (MatrixListRow, bool) {
	if !HasMatrix(runs) {
		return MatrixListRow{}, false
	}
	r := MatrixListRow{
		Title: plain(cmp.Or(c.Title, c.ID), maxName), Href: CampaignURL(c.ID, c.Artifacts...) + "/matrix",
		Observed: orWord(c.Observed, "not recorded"), Arms: CountFig(int64(c.Arms), CampaignURL(c.ID, c.Artifacts...)+"/arms"),
	}
	var over []string
	for _, k := range append(append([]evidence.FactKey{}, matrixLayout.RowKeys...), matrixLayout.GroupKey, matrixLayout.ColKey) {
		if n := distinct(runs, k); n > 0 {
			over = append(over, Int(int64(n))+" "+axisName(k))
		}
	}
	r.Over = strings.Join(over, " × ")
	var names []string
	seen := map[string]bool{}
	for _, ch := range compare.Choices(runs, matrixLayout) {
		if m, ok := evidence.LookupMetric(ch.Metric); ok && !seen[m.Title] {
			seen[m.Title] = true
			names = append(names, m.Title)
		}
	}
	r.Figures = strings.Join(names, ", ")
	return r, true
}

// distinct counts the values that a fact takes.
func distinct(runs []evidence.RunRow, k evidence.FactKey) int {
	seen := map[string]bool{}
	for i := range runs {
		if f, ok := runs[i].Fact(k); ok && f.State != evidence.Absent {
			seen[f.Value] = true
		}
	}
	return len(seen)
}
