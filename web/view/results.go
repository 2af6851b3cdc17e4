package view

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"assay/store/evidence"
)

// Results is one table of figures: runs of one class that one part of a source lists
// together, a row each, with one column for each metric and statistic.
type Results struct {
	ID      string
	Title   string
	Class   string
	Shared  []Labelled // facts that hold for every row
	Method  string     // how percentiles were taken
	Groups  []HeadGroup
	Rows    []ResultRow
	Total   int    // runs that belong here
	Left    string // metrics that stand on the runs' own pages
	Derived int    // figures read out of sentences
	More    string // address of the whole table when rows are left out
	Outcome bool   // rows have an outcome cell
}

// HeadGroup is a metric over its statistics.
type HeadGroup struct {
	Title, Unit, Better string
	Stats               []HeadStat
}

// UnitWords is the unit behind the title, "" when there is none.
func (g HeadGroup) UnitWords() string {
	if g.Unit == "" {
		return ""
	}
	return ", " + g.Unit
}

// HeadStat is one column's head.
type HeadStat struct{ Name, Note string }

// ResultRow is one run.
type ResultRow struct {
	Arm      Linked
	Run      string // address of the run's page
	RunName  string
	Rejected *Linked // the source's reason, verbatim
	Failed   bool
	Facts    []Labelled
	Cells    []Cell
	Outcome  *Outcome
}

// Outcome is "100 of 100", each number with its source.
type Outcome struct{ Done, Of Figure }

// ResultOptions says how much of the runs a table shows.
type ResultOptions struct {
	Rows  int    // most rows a table; 0 is all
	Brief bool   // the statistics people read first; the rest is on the runs' pages
	More  string // address of the whole table
}

// BuildResults groups runs into tables. Runs stand together when one reader found
// them in one part of their documents and they are of one class: figures of different
// workloads do not share a scale or a column.
func BuildResults(runs []evidence.RunRow, opt ResultOptions) []Results {
	groups := groupRuns(runs)
	titles := make(map[string]int)
	for _, g := range groups {
		titles[partTitle(g.key.part, g.key.class)]++
	}
	tables := make([]Results, 0, len(groups))
	for i, g := range groups {
		t := buildTable(g.runs, opt)
		t.ID = "t-" + Int(int64(i+1))
		t.Class = classTitle(g.key.class)
		if t.Title = partTitle(g.key.part, g.key.class); titles[t.Title] > 1 && g.key.name == "" && t.Title != t.Class {
			t.Title += ": " + recased(t.Class, unicode.ToLower)
		}
		if name := plain(g.key.name, maxName); !strings.Contains(strings.ToLower(t.Title), strings.ToLower(name)) {
			t.Title += ": " + name
		}
		tables = append(tables, t)
	}
	return tables
}

// runKey is what runs of one table have in common.
type runKey struct{ reader, part, class, name string }

type runGroup struct {
	key  runKey
	runs []evidence.RunRow
}

// groupRuns splits runs into tables, in source order. Where a part of a source has a
// few kinds of run under names that come back ("first" and "repeat", "headline" and
// "matched control"), each kind is a table: they are different workloads or states.
func groupRuns(runs []evidence.RunRow) []runGroup {
	names := make(map[runKey]map[string]int)
	for i := range runs {
		k := keyOf(&runs[i])
		if names[k] == nil {
			names[k] = make(map[string]int)
		}
		names[k][runs[i].Name]++
	}
	var groups []runGroup
	at := make(map[runKey]int)
	for _, r := range runs {
		k := keyOf(&r)
		if kinds(names[k]) {
			k.name = cmp.Or(r.Name, "unnamed")
		}
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, runGroup{key: k})
		}
		groups[i].runs = append(groups[i].runs, r)
	}
	return groups
}

func keyOf(r *evidence.RunRow) runKey {
	reader, _, _ := strings.Cut(r.Reader, "@")
	return runKey{reader: reader, part: partOf(r.Place.Pointer), class: r.Class}
}

// mostKinds is how many kinds of run a part of a source may have to be split by them.
const mostKinds = 4

// kinds reports whether names sort runs into a few kinds rather than name each one.
func kinds(names map[string]int) bool {
	if len(names) < 2 || len(names) > mostKinds {
		return false
	}
	for _, n := range names {
		if n > 1 {
			return true
		}
	}
	return false
}

// partOf is the first member name of a run's place: which part of its document lists it.
func partOf(p evidence.Pointer) string {
	for _, tok := range p.Tokens() {
		if tok != "" && strings.Trim(tok, "0123456789") != "" {
			return tok
		}
	}
	return ""
}

// plainParts say nothing beside the class.
var plainParts = map[string]bool{"": true, "results": true, "measurement": true, "metrics": true, "runs": true, "summary": true}

func partTitle(part, class string) string {
	if plainParts[part] {
		return classTitle(class)
	}
	return headed(part)
}

// column is one metric and statistic of a table.
type column struct {
	metric evidence.Metric
	stat   evidence.Stat
	scale  Scale
	n      evidence.Opt[int64] // of every figure, when they agree
	agree  bool
	first  bool
	label  string
}

// unit is the unit of the column's head, "" where the title says it.
func (c *column) unit() string {
	if strings.Contains(strings.ToLower(c.metric.Title), c.scale.Unit) {
		return ""
	}
	return c.scale.Unit
}

func buildTable(runs []evidence.RunRow, opt ResultOptions) Results {
	t := Results{Total: len(runs)}
	shown := runs
	if opt.Rows > 0 && len(runs) > opt.Rows {
		shown, t.More = runs[:opt.Rows], opt.More
	}
	cols, left := chooseColumns(shown, opt.Brief)
	t.Left = left
	t.Groups = heads(cols)
	t.Shared = sharedShape(shown)
	t.Method = methodWords(shown)
	keys := differing(shown)
	named := slices.ContainsFunc(shown, func(r evidence.RunRow) bool { return r.Name != shown[0].Name })
	for i := range shown {
		row, derived := buildRow(&shown[i], cols, keys)
		if !named {
			row.RunName = ""
		}
		t.Outcome = t.Outcome || row.Outcome != nil
		t.Derived += derived
		t.Rows = append(t.Rows, row)
	}
	return t
}

// leading metrics stand first: what a table of runs is read for.
var leading = []evidence.MetricID{
	evidence.OutputThroughput, evidence.OutputChunkThroughput, evidence.TotalThroughput, evidence.RequestThroughput, evidence.Goodput,
	evidence.PassRate, evidence.WER, evidence.CER, evidence.RTF, evidence.Latency,
}

// metricRank orders metrics for reading; unknown ones last.
func metricRank(id evidence.MetricID) int {
	if i := slices.Index(leading, id); i >= 0 {
		return i
	}
	for i := range evidence.Metrics {
		if evidence.Metrics[i].ID == id {
			return len(leading) + i
		}
	}
	return len(leading) + len(evidence.Metrics)
}

// briefStats are the statistics of a brief table, by what a run has.
func briefStats(have map[evidence.Stat]bool) []evidence.Stat {
	var stats []evidence.Stat
	for _, s := range []evidence.Stat{evidence.Total, evidence.P50, evidence.P95, evidence.Single} {
		if have[s] {
			stats = append(stats, s)
		}
	}
	if len(stats) > 0 {
		return stats
	}
	for _, s := range evidence.Stats {
		if have[s] {
			return []evidence.Stat{s}
		}
	}
	for s := range have {
		stats = append(stats, s)
	}
	slices.Sort(stats)
	return stats
}

// chooseColumns lists a table's columns and names what it leaves to the runs' pages.
func chooseColumns(runs []evidence.RunRow, brief bool) ([]column, string) {
	have := make(map[evidence.MetricID]map[evidence.Stat]bool)
	rows := make(map[evidence.MetricID]int)
	for i := range runs {
		seen := make(map[evidence.MetricID]bool)
		for j := range runs[i].Measurements {
			m := &runs[i].Measurements[j]
			if m.Role != evidence.Primary {
				continue
			}
			if have[m.Metric] == nil {
				have[m.Metric] = make(map[evidence.Stat]bool)
			}
			have[m.Metric][m.Stat] = true
			if !seen[m.Metric] {
				seen[m.Metric] = true
				rows[m.Metric]++
			}
		}
	}
	ids := make([]evidence.MetricID, 0, len(have))
	for id := range have {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b evidence.MetricID) int {
		return cmp.Or(metricRank(a)-metricRank(b), strings.Compare(string(a), string(b)))
	})
	var cols []column
	var left []string
	for _, id := range ids {
		metric, ok := evidence.LookupMetric(id)
		if !ok {
			metric = evidence.Metric{ID: id, Title: plain(string(id), maxName), Better: evidence.Neither}
		}
		stats := allStats(have[id])
		if brief {
			if saidTwice(id, have, runs) {
				left = leftStats(left, metric.Title, stats, nil)
				continue
			}
			if 2*rows[id] < len(runs) {
				left = append(left, metric.Title+" ("+Int(int64(rows[id]))+" of "+Int(int64(len(runs)))+" runs)")
				continue
			}
			some := briefStats(have[id])
			left = leftStats(left, metric.Title, stats, some)
			stats = some
		}
		for i, s := range stats {
			cols = append(cols, column{metric: metric, stat: s, first: i == 0})
		}
	}
	measure(cols, runs)
	return cols, strings.Join(left, "; ")
}

// saidTwice reports whether a brief table says a metric another way already: the time
// per token by the decode rate, the pass rate of a load by its outcome.
func saidTwice(id evidence.MetricID, have map[evidence.MetricID]map[evidence.Stat]bool, runs []evidence.RunRow) bool {
	switch id {
	case evidence.TPOT:
		return have[evidence.DecodeRate] != nil
	case evidence.PassRate:
		return len(have) > 1 && outcome(&runs[0]) != nil
	}
	return false
}

func allStats(have map[evidence.Stat]bool) []evidence.Stat {
	var stats, other []evidence.Stat
	for _, s := range evidence.Stats {
		if have[s] {
			stats = append(stats, s)
		}
	}
	for s := range have {
		if !slices.Contains(evidence.Stats, s) {
			other = append(other, s)
		}
	}
	slices.Sort(other)
	return append(stats, other...)
}

func leftStats(left []string, title string, all, some []evidence.Stat) []string {
	var names []string
	for _, s := range all {
		if !slices.Contains(some, s) {
			names = append(names, statWord(s))
		}
	}
	if len(names) == 0 {
		return left
	}
	return append(left, title+" "+strings.Join(names, ", "))
}

// measure gives every column its scale: the unit from all statistics of the metric,
// the decimals from the column.
func measure(cols []column, runs []evidence.RunRow) {
	units := make(map[evidence.MetricID]Scale)
	values := make([][]float64, len(cols))
	byMetric := make(map[evidence.MetricID][]float64)
	unitOf := make(map[evidence.MetricID]evidence.Unit)
	for i := range cols {
		c := &cols[i]
		c.agree = true
		for j := range runs {
			m, ok := runs[j].Primary(c.metric.ID, c.stat)
			if !ok {
				continue
			}
			unitOf[c.metric.ID] = m.Unit
			if len(values[i]) == 0 {
				c.n = m.N
			} else if c.n != m.N {
				c.agree = false
			}
			values[i] = append(values[i], valuesOf(&m.Measurement)...)
		}
		byMetric[c.metric.ID] = append(byMetric[c.metric.ID], values[i]...)
	}
	for id, all := range byMetric {
		units[id] = ScaleFor(unitOf[id], all...)
	}
	for i := range cols {
		s := units[cols[i].metric.ID]
		s.decimals = s.decimalsFor(values[i])
		cols[i].scale = s
		cols[i].label = columnLabel(cols[i])
	}
}

func valuesOf(m *evidence.Measurement) []float64 {
	var v []float64
	for _, o := range []evidence.Opt[float64]{m.Value, m.Lower, m.Upper} {
		if o.OK {
			v = append(v, o.V)
		}
	}
	return v
}

func columnLabel(c column) string {
	label := c.metric.Title
	if u := c.unit(); u != "" {
		label += ", " + u
	}
	return label + " " + statWord(c.stat)
}

// statWords say what a statistic is; one observation is no median.
var statWords = map[evidence.Stat]string{
	evidence.Single: "one observation", evidence.Total: "total", evidence.Max: "largest", evidence.Min: "smallest",
}

func statWord(s evidence.Stat) string {
	if w, ok := statWords[s]; ok {
		return w
	}
	return plain(string(s), maxName)
}

var betterWords = map[evidence.Direction]string{evidence.Higher: "higher is better", evidence.Lower: "lower is better"}

func heads(cols []column) []HeadGroup {
	var groups []HeadGroup
	for i := range cols {
		c := &cols[i]
		if c.first {
			groups = append(groups, HeadGroup{Title: c.metric.Title, Unit: c.unit(), Better: betterWords[c.metric.Better]})
		}
		g := &groups[len(groups)-1]
		g.Stats = append(g.Stats, HeadStat{Name: statWord(c.stat), Note: columnNote(c)})
	}
	return groups
}

// columnNote says how many observations stand behind a column, when all its figures
// agree; otherwise each cell says it.
func columnNote(c *column) string {
	switch {
	case c.stat == evidence.Single || c.stat == evidence.Total || !c.agree:
		return ""
	case !c.n.OK:
		return "n not recorded"
	}
	return "n " + Int(c.n.V)
}

func buildRow(r *evidence.RunRow, cols []column, keys []evidence.FactKey) (ResultRow, int) {
	row := ResultRow{
		Arm: Quote(cmp.Or(r.Arm, r.Name, r.ID), maxName, r.Artifact, r.ArmPlace), Run: RunURL(r.ID),
		Failed: r.Status == evidence.RunFailed, Facts: tellingFacts(r, keys),
	}
	if r.Name != "" && r.Name != r.Arm {
		row.RunName = plain(r.Name, maxName)
	}
	if r.Rejected != "" {
		q := Quote(r.Rejected, maxValue, r.Artifact, r.RejectedPlace)
		row.Rejected = &q
	}
	row.Outcome = outcome(r)
	derived := 0
	for i := range cols {
		m, ok := r.Primary(cols[i].metric.ID, cols[i].stat)
		if !ok {
			row.Cells = append(row.Cells, Cell{Column: cols[i].label, Edge: cols[i].first, Absent: "not recorded"})
			continue
		}
		if m.State == evidence.Derived {
			derived++
		}
		row.Cells = append(row.Cells, measureCell(&cols[i], &m))
	}
	return row, derived
}

// outcome is how many of the requests did what was asked.
func outcome(r *evidence.RunRow) *Outcome {
	of, ok := r.Fact(evidence.KeyRequests)
	if !ok || of.State == evidence.Absent {
		return nil
	}
	for _, k := range []evidence.FactKey{evidence.KeyPassed, evidence.KeyCompleted} {
		done, ok := r.Fact(k)
		if ok && done.State != evidence.Absent {
			return &Outcome{Done: factFigure(done), Of: factFigure(of)}
		}
	}
	return nil
}

// measureCell writes one figure of a column.
func measureCell(c *column, m *evidence.MeasurementRow) Cell {
	cell := figureCell(c.scale, m)
	cell.Column, cell.Edge = c.label, c.first
	cell.Strong = slices.Contains(leading, c.metric.ID)
	if cell.Sub == "" && !cell.One && !c.agree && c.stat != evidence.Total {
		cell.Sub = "n not recorded"
		if m.N.OK {
			cell.Sub = "n " + Int(m.N.V)
		}
	}
	return cell
}

// figureCell writes a measurement: a value, bounds, one bound, or the word for none.
func figureCell(s Scale, m *evidence.MeasurementRow) Cell {
	fig := func(o evidence.Opt[float64], p evidence.Place) Figure { return Fig(s.Format(o.V), m.Artifact, p) }
	var c Cell
	switch {
	case m.Value.OK:
		c.Value = fig(m.Value, m.Place)
	case m.Lower.OK && m.Upper.OK:
		c.Value, c.Sub = fig(m.Lower, m.Place), "bounds, no point value"
		upper := fig(m.Upper, upperPlace(m))
		c.Upper = &upper
	case m.Lower.OK:
		c.Value, c.Sub = fig(m.Lower, m.Place), "at least, no upper bound"
	case m.Upper.OK:
		c.Value, c.Sub = fig(m.Upper, m.Place), "at most, no lower bound"
	case m.State == evidence.Absent || m.SourceText == "":
		c.Absent = "not recorded"
		return c
	default:
		c.Value, c.Sub = Fig(plain(m.SourceText, maxName), m.Artifact, m.Place), "not finite"
	}
	c.One = m.Stat == evidence.Single || m.N.OK && m.N.V == 1
	return c
}

// upperPlace is where the upper bound stands: the first further place, else the same.
func upperPlace(m *evidence.MeasurementRow) evidence.Place {
	if len(m.Also) > 0 {
		return m.Also[0]
	}
	return m.Place
}

// sharedShape is the workload that every row of a table has in common.
func sharedShape(runs []evidence.RunRow) []Labelled {
	shared := sharedFacts(runs)
	slices.SortStableFunc(shared, func(a, b evidence.FactRow) int { return keyRank(a.Key) - keyRank(b.Key) })
	var line []Labelled
	for _, f := range shared {
		info := evidence.LookupKey(f.Key)
		if info.Class != evidence.Shape || f.Key == evidence.KeyWorkloadClass || f.State == evidence.Absent || len(f.Value) > maxName {
			continue
		}
		line = append(line, Labelled{Label: info.Title, Value: Quote(factText(info, f.Value), maxName, f.Artifact, f.Place)})
	}
	return line
}

var methodNames = map[evidence.Method]string{
	evidence.NearestRank: "nearest rank", evidence.Linear: "linear interpolation", evidence.RoundedIndex: "rounded index",
}

func methodName(m evidence.Method) string {
	if w, ok := methodNames[m]; ok {
		return w
	}
	return plain(string(m), maxName)
}

// methodWords says how the percentiles of a table were taken.
func methodWords(runs []evidence.RunRow) string {
	methods := make(map[evidence.Method]bool)
	for i := range runs {
		for j := range runs[i].Measurements {
			m := &runs[i].Measurements[j]
			if m.Role == evidence.Primary && (m.Stat == evidence.P50 || m.Stat == evidence.P95 || m.Stat == evidence.P99) {
				methods[m.Method] = true
			}
		}
	}
	switch {
	case len(methods) == 0:
		return ""
	case len(methods) == 1 && methods[""]:
		return "Percentile method not recorded."
	case len(methods) == 1:
		for m := range methods {
			return "Percentiles: " + methodName(m) + "."
		}
	}
	return "Percentile methods differ between runs; each run's page has its own."
}
