package view

import (
	"fmt"
	"slices"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// MatrixQuery is what a matrix page was asked for. Empty fields take the default.
type MatrixQuery struct {
	Metric evidence.MetricID
	Stat   evidence.Stat
	Class  string // a workload class, or its first word: "short", "long"
	Shade  string // "" or "off"
}

// MatrixPage is a campaign laid out over factors.
type MatrixPage struct {
	Head     CampaignHead
	Intro    string
	None     *NoMatrix
	Choosers []Chooser
	Main     *MatrixView
	Beside   *MatrixView // the same metric in the other class
	Gains    *GainsView
	Caveats  []CaveatLine
	Held     []Fact
	HeldIn   int
	Working  []Working
	Exports  Exports
	Shaded   bool
	table    export.Table
}

// NoMatrix says why a campaign has no matrix.
type NoMatrix struct {
	Reason string
	Lacks  []string // "16 runs record no MTP depth"
}

// Chooser is a row of links, one of which is current.
type Chooser struct {
	Label string
	Items []ChooserItem
}

// ChooserItem is one choice.
type ChooserItem struct {
	Text, Href string
	Current    bool
}

// axisNames are factors as column heads write them.
var axisNames = map[evidence.FactKey]string{evidence.KeyTP: "TP", evidence.KeyMTPDepth: "MTP", evidence.KeyServedContext: "served context"}

func axisName(k evidence.FactKey) string {
	if n, ok := axisNames[k]; ok {
		return n
	}
	return evidence.LookupKey(k).Title
}

// matrixLayout is the layout of every matrix page.
var matrixLayout = compare.TPxMTP("", "", "")

// HasMatrix reports whether a campaign's runs can be laid out and have a figure to lay
// out. The tab, the list of matrices and the page itself ask it alone. More runs never
// turn true into false.
func HasMatrix(runs []evidence.RunRow) bool {
	return compare.HasMatrix(runs, matrixLayout) && len(compare.Choices(runs, matrixLayout)) > 0
}

// BuildMatrixPage lays a campaign's runs out. The rows must be of one snapshot.
func BuildMatrixPage(c *evidence.CampaignDetail, runs []evidence.RunRow, q MatrixQuery) (MatrixPage, error) {
	p := MatrixPage{Head: BuildCampaignHead(c, TabMatrix, true), Shaded: q.Shade != "off"}
	if !HasMatrix(runs) {
		p.None = noMatrix(runs)
		return p, nil
	}
	choices := compare.Choices(runs, matrixLayout)
	chosen, err := choose(choices, q)
	if err != nil {
		return p, err
	}
	b := matrixBuilder{base: CampaignURL(c.ID, c.Artifacts...) + "/matrix", choices: choices, chosen: chosen, query: q, shaded: p.Shaded}
	p.Choosers = b.choosers(runs)
	main := compare.BuildMatrix(runs, specOf(chosen))
	p.table = MatrixTable(&main)
	p.Intro = matrixIntro(&main)
	p.Main = b.view(&main, "m1")
	if other, ok := companion(choices, chosen); ok {
		m := compare.BuildMatrix(runs, specOf(other))
		p.Beside = b.view(&m, "m2")
		p.Beside.Alone = b.href(other, q.Shade)
	}
	p.Gains = b.gains(runs)
	p.Caveats, p.Working = b.caveats(), b.workings
	for _, f := range main.Held {
		p.Held = append(p.Held, BuildFact(f))
	}
	p.HeldIn = placed(&main)
	p.Exports = PageExports(b.base, b.href(chosen, q.Shade), b.pairs(chosen, "")...)
	return p, nil
}

// Table is the page's table as a file.
func (p *MatrixPage) Table() *export.Table {
	if len(p.table.Columns) == 0 {
		return nil
	}
	return &p.table
}

func specOf(c compare.Choice) compare.MatrixSpec { return compare.TPxMTP(c.Class, c.Metric, c.Stat) }

// UnknownChoice is an error about a figure that no matrix of the campaign has.
type UnknownChoice struct{ Text string }

func (e *UnknownChoice) Error() string { return e.Text }

// preferred figures come first when the address leaves the choice open.
var preferred = []struct {
	metric evidence.MetricID
	stat   evidence.Stat
}{
	{evidence.DecodeRate, evidence.P50}, {evidence.OutputThroughput, evidence.Total}, {evidence.DecodeRate, evidence.Single},
	{evidence.TTFT, evidence.P50}, {evidence.TTFT, evidence.Single}, {evidence.E2E, evidence.P50},
}

// choose picks the figure that the address names. What it leaves open is filled from
// the preferred figures, then from what there is.
func choose(have []compare.Choice, q MatrixQuery) (compare.Choice, error) {
	var fit []compare.Choice
	for _, c := range have {
		if (q.Metric == "" || c.Metric == q.Metric) && (q.Stat == "" || c.Stat == q.Stat) && (q.Class == "" || c.Class == q.Class || shortClass(c.Class) == q.Class) {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 {
		return compare.Choice{}, &UnknownChoice{fmt.Sprintf("This campaign has no matrix of metric %q, statistic %q, class %q.", plain(string(q.Metric), 60), plain(string(q.Stat), 60), plain(q.Class, 60))}
	}
	// A figure of one arm alone makes no matrix; it is chosen only if nothing else fits.
	for _, least := range []int{2, 1} {
		for _, w := range preferred {
			for _, c := range fit {
				if c.Metric == w.metric && c.Stat == w.stat && c.Runs >= least {
					return c, nil
				}
			}
		}
		for _, c := range fit {
			if c.Runs >= least {
				return c, nil
			}
		}
	}
	return fit[0], nil
}

// companion is the same metric in the other class of prompts.
func companion(have []compare.Choice, c compare.Choice) (compare.Choice, bool) {
	for _, x := range have {
		if x.Metric == c.Metric && x.Class != c.Class && (x.Class == evidence.ClassLong || c.Class == evidence.ClassLong) {
			return x, true
		}
	}
	return compare.Choice{}, false
}

// shortClass is the first word of a class, as addresses write it.
func shortClass(c string) string {
	w, _, _ := strings.Cut(c, "-")
	return w
}

// noMatrix says which factors the runs lack.
func noMatrix(runs []evidence.RunRow) *NoMatrix {
	n := &NoMatrix{}
	if len(runs) == 0 {
		n.Reason = "No run was read from this campaign's artifacts."
		return n
	}
	for _, k := range []evidence.FactKey{matrixLayout.GroupKey, matrixLayout.ColKey} {
		lacking := 0
		values := map[string]bool{}
		for i := range runs {
			if f, ok := runs[i].Fact(k); ok && f.State != evidence.Absent && f.State != evidence.Conflict {
				values[f.Value] = true
			} else {
				lacking++
			}
		}
		title := evidence.LookupKey(k).Title
		switch {
		case lacking > 0:
			n.Lacks = append(n.Lacks, Int(int64(lacking))+" of "+Plural(int64(len(runs)), "run", "runs")+" record no "+title)
		case len(values) == 1:
			n.Lacks = append(n.Lacks, "all "+Plural(int64(len(runs)), "run", "runs")+" have one "+title)
		}
	}
	n.Reason = "A matrix needs at least two arms that record TP and MTP depth and differ in one of them."
	return n
}

// matrixIntro counts places.
func matrixIntro(m *compare.Matrix) string {
	words := []struct {
		state     compare.CellState
		one, many string
	}{
		{compare.CellMeasured, "measured", "measured"}, {compare.CellSingle, "with one observation", "with one observation"},
		{compare.CellInterval, "with bounds", "with bounds"}, {compare.CellFailed, "failed", "failed"}, {compare.CellOpen, "unresolved", "unresolved"},
		{compare.CellSeveral, "with several runs", "with several runs"}, {compare.CellNoValue, "not recorded", "not recorded"},
		{compare.CellNotRun, "not run", "not run"},
	}
	total := 0
	var parts []string
	for _, w := range words {
		n := m.Counts[w.state]
		total += n
		if n > 0 {
			parts = append(parts, Int(int64(n))+" "+w.many)
		}
	}
	return Plural(int64(total), "place", "places") + ": " + strings.Join(parts, ", ") + "."
}

func placed(m *compare.Matrix) int {
	n := 0
	for s, k := range m.Counts {
		if s != compare.CellNotRun {
			n += k
		}
	}
	return n
}

// matrixBuilder builds the parts of one page and numbers its workings.
type matrixBuilder struct {
	base     string
	choices  []compare.Choice
	chosen   compare.Choice
	query    MatrixQuery
	shaded   bool
	workings []Working
	reasons  []seenReason
	effects  []effectTag
}

func (b *matrixBuilder) href(c compare.Choice, shade string) string {
	return Query(b.base, b.pairs(c, shade)...)
}

// pairs are the parameters of a choice; those of the default choice are left out.
func (b *matrixBuilder) pairs(c compare.Choice, shade string) []string {
	first, err := choose(b.choices, MatrixQuery{})
	if err == nil && first == c {
		return []string{"shade", shade}
	}
	return []string{"metric", string(c.Metric), "stat", string(c.Stat), "class", shortClass(c.Class), "shade", shade}
}

// choosers are the figures by class, and the shade.
func (b *matrixBuilder) choosers(runs []evidence.RunRow) []Chooser {
	var out []Chooser
	for _, c := range b.choices {
		label := classTitle(c.Class)
		if i := len(out) - 1; i < 0 || out[i].Label != label {
			out = append(out, Chooser{Label: label})
		}
		metric, _ := evidence.LookupMetric(c.Metric)
		text := metric.Title
		if c.Stat != evidence.Single && c.Stat != evidence.Total {
			text += " " + statWord(c.Stat)
		}
		g := &out[len(out)-1]
		g.Items = append(g.Items, ChooserItem{Text: text, Href: b.href(c, b.query.Shade), Current: c == b.chosen})
	}
	for i := range out {
		if shape := b.shapeOf(runs, out[i].Label); shape != "" {
			out[i].Label += ": " + shape
		}
	}
	return append(out, Chooser{Label: "Shade", Items: []ChooserItem{
		{Text: "Within " + axisName(matrixLayout.RowKeys[0]), Href: b.href(b.chosen, ""), Current: b.shaded},
		{Text: "Off", Href: b.href(b.chosen, "off"), Current: !b.shaded},
	}})
}

// shapeOf is the workload of a class in a few words, where all its runs agree.
func (b *matrixBuilder) shapeOf(runs []evidence.RunRow, label string) string {
	var of []evidence.RunRow
	for i := range runs {
		if classTitle(runs[i].Class) == label {
			of = append(of, runs[i])
		}
	}
	var parts []string
	for _, l := range sharedShape(of) {
		if slices.Contains([]string{"requests", "concurrency per replica", "context target"}, l.Label) {
			parts = append(parts, shapeWords(l))
		}
	}
	return strings.Join(parts, ", ")
}

func shapeWords(l Labelled) string {
	v := l.Value.Text.String()
	switch l.Label {
	case "concurrency per replica":
		return "C" + v
	case "requests":
		return strings.TrimSuffix(v, " requests") + " " + map[bool]string{true: "request", false: "requests"}[v == "1"]
	}
	return v
}

// rowKeyText is a row key's value in its reading unit.
func rowKeyText(k evidence.FactKey, value string) string {
	if value == "" {
		return "not recorded"
	}
	if info := evidence.LookupKey(k); info.Unit != "" {
		if v, err := evidence.ParseDecimal(value); err == nil {
			return ScaleFor(info.Unit, v).Format(v)
		}
	}
	return plain(value, maxName)
}

// rowWords names a row: "bf16, 393,216".
func rowWords(m *compare.Matrix, keys []string) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = rowKeyText(m.Spec.RowKeys[i], k)
	}
	return strings.Join(parts, ", ")
}
