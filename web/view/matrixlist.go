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

// factorWords are one and several values of a factor.
var factorWords = map[evidence.FactKey][2]string{
	evidence.KeyCheckpoint: {"checkpoint", "checkpoints"}, evidence.KeyServedContext: {"served context", "served contexts"},
	evidence.KeyTP: {"TP degree", "TP degrees"}, evidence.KeyMTPDepth: {"MTP depth", "MTP depths"},
}

// MatrixListRowOf describes a campaign's matrix by its runs, or by the first of them;
// false when it has none.
func MatrixListRowOf(c *evidence.CampaignRow, runs []evidence.RunRow) (MatrixListRow, bool) {
	if !HasMatrix(runs) {
		return MatrixListRow{}, false
	}
	r := MatrixListRow{
		Title: plain(cmp.Or(c.Title, c.ID), maxTitle), Href: CampaignURL(c.ID, c.Artifacts...) + "/matrix",
		Observed: cmp.Or(observed(c.Observed), "not recorded"), Arms: CountFig(int64(c.Arms), CampaignURL(c.ID, c.Artifacts...)+"/arms"),
	}
	var over []string
	for _, k := range append(append([]evidence.FactKey{}, matrixLayout.RowKeys...), matrixLayout.GroupKey, matrixLayout.ColKey) {
		if n := distinct(runs, k); n > 0 {
			words, ok := factorWords[k]
			if !ok {
				words = [2]string{axisName(k), axisName(k)}
			}
			over = append(over, Plural(int64(n), words[0], words[1]))
		}
	}
	if r.Over = strings.Join(over, " × "); len(runs) < c.Runs {
		r.Over = "at least " + r.Over
	}
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
