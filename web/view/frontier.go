package view

import (
	"strconv"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

// FrontierPage is throughput against latency, or a figure along a factor: one drawing for
// every group of runs that may meet.
type FrontierPage struct {
	Title   string
	Intro   string
	Query   FrontierQuery
	Y, X    []Choice
	Cards   bool
	Groups  []FrontierView
	Alone   []LeftLine // runs that may meet no other
	Left    []LeftLine
	More    string
	Exports Exports
}

// FrontierQuery is the page's address.
type FrontierQuery struct {
	Campaign string
	Y, X     string // "output_throughput:total"; X may be a factor: "concurrency"
	PerCard  bool
}

// FrontierView is one group.
type FrontierView struct {
	ID       string
	Title    string
	Shape    []Labelled
	YTitle   string
	XTitle   string
	Curve    bool   // along a factor: no Pareto set
	Unranked string // why there is none
	Rows     []FrontierRow
	Drawn    [][]DrawnPoint // by curve
	Pareto   []DrawnPoint   // the frontier, left to right
}

// FrontierRow is a point as the table says it.
type FrontierRow struct {
	Mark   string // "A2": the arm's letter and the step of its ladder
	Name   Linked
	Run    string
	Load   *Figure
	X, Y   Figure
	YSub   string
	One    bool
	Pareto bool
	Badge  *Badge
	Note   string
}

// DrawnPoint is a point in the reading units of its axes.
type DrawnPoint struct {
	X, Y   float64
	Mark   string
	Tip    string
	Hollow bool
	Pareto bool
}

// LeftLine is a run that has no place.
type LeftLine struct {
	Name NamedLink
	Why  string
}

const leftShown = 40

// frontierY are the figures that a frontier's height can be.
var frontierY = []compare.Figure{
	{Metric: evidence.OutputThroughput, Stat: evidence.Total}, {Metric: evidence.TotalThroughput, Stat: evidence.Total},
	{Metric: evidence.RequestThroughput, Stat: evidence.Total}, {Metric: evidence.Goodput, Stat: evidence.Total},
	{Metric: evidence.DecodeRate, Stat: evidence.P50}, {Metric: evidence.TTFT, Stat: evidence.P50}, {Metric: evidence.TTFT, Stat: evidence.Single},
	{Metric: evidence.TPOT, Stat: evidence.P50}, {Metric: evidence.E2E, Stat: evidence.P50}, {Metric: evidence.EffectivePrefillRate, Stat: evidence.P50},
}

// frontierX are latencies, then factors.
var frontierX = []compare.Figure{
	{Metric: evidence.TTFT, Stat: evidence.P50}, {Metric: evidence.TTFT, Stat: evidence.P95}, {Metric: evidence.TTFT, Stat: evidence.Mean},
	{Metric: evidence.TPOT, Stat: evidence.P50}, {Metric: evidence.TPOT, Stat: evidence.Mean},
	{Metric: evidence.E2E, Stat: evidence.P50}, {Metric: evidence.E2E, Stat: evidence.P95},
}

var frontierFactors = []evidence.FactKey{
	evidence.KeyConcurrency, evidence.KeyContextTarget, evidence.KeyPromptTokens, evidence.KeyServedContext, evidence.KeyMTPDepth, evidence.KeyTP, evidence.KeyDraftDepth,
}

// Spec is the query as the comparison takes it.
func (q *FrontierQuery) Spec() (compare.FrontierSpec, error) {
	if q.Y == "" {
		q.Y = frontierY[0].String()
	}
	if q.X == "" {
		q.X = frontierX[0].String()
	}
	s := compare.FrontierSpec{PerCard: q.PerCard}
	var err error
	if s.Y, err = compare.ParseFigure(q.Y); err != nil {
		return s, err
	}
	for _, k := range frontierFactors {
		if string(k) == q.X {
			s.Along = k
			return s, nil
		}
	}
	s.X, err = compare.ParseFigure(q.X)
	return s, err
}

// URL is the page's address, defaults left out.
func (q *FrontierQuery) URL(path string) string {
	y, x, card := q.Y, q.X, ""
	if y == frontierY[0].String() {
		y = ""
	}
	if x == frontierX[0].String() {
		x = ""
	}
	if q.PerCard {
		card = "1"
	}
	return Query(path, "campaign", q.Campaign, "y", y, "x", x, "card", card)
}

// BuildFrontierPage lays a frontier out.
func BuildFrontierPage(f *compare.Frontier, q FrontierQuery) FrontierPage {
	p := FrontierPage{Query: q, Cards: q.PerCard, Title: "Frontier",
		Intro: "Throughput against latency. Runs that may not be compared never share a drawing; each is named by the shape its runs share."}
	if f.Spec.Along != "" {
		p.Title = "Curves"
		p.Intro = "One figure along a factor, arm by arm. A ladder of one arm is a curve, not a change against a control."
	}
	for _, y := range frontierY {
		p.Y = append(p.Y, figureChoice(y, q.Y))
	}
	for _, x := range frontierX {
		p.X = append(p.X, figureChoice(x, q.X))
	}
	for _, k := range frontierFactors {
		p.X = append(p.X, Choice{Value: string(k), Label: "along " + evidence.LookupKey(k).Title, Chosen: q.X == string(k)})
	}
	for i := range f.Groups {
		if g := &f.Groups[i]; len(g.Points) == 1 {
			r := g.Points[0].Run
			p.Alone = append(p.Alone, LeftLine{Name: NamedLink{armName(r), RunURL(r.ID)}, Why: groupTitle(g)})
			continue
		}
		p.Groups = append(p.Groups, frontierView(f, i))
	}
	for i := range f.Left {
		if i == leftShown {
			p.More = Plural(int64(len(f.Left)-leftShown), "more run has", "more runs have") + " no place. "
			break
		}
		r := f.Left[i].Run
		p.Left = append(p.Left, LeftLine{Name: NamedLink{armName(r), RunURL(r.ID)}, Why: f.Left[i].Why})
	}
	if f.Bounded {
		p.More += "Only the first runs are laid out; narrow the page to a campaign for the rest."
	}
	p.Exports = Exports{CSV: q.URL("/frontier.csv"), JSON: q.URL("/frontier.json"), Markdown: q.URL("/frontier.md"), Permalink: q.URL("/frontier")}
	return p
}

func figureChoice(f compare.Figure, chosen string) Choice {
	m, _ := evidence.LookupMetric(f.Metric)
	return Choice{Value: f.String(), Label: m.Title + " " + statWord(f.Stat), Chosen: f.String() == chosen}
}

func frontierView(f *compare.Frontier, i int) FrontierView {
	g := &f.Groups[i]
	v := FrontierView{ID: "g" + strconv.Itoa(i+1), Curve: f.Spec.Along != "", Title: groupTitle(g)}
	ys, xs := make([]float64, len(g.Points)), make([]float64, len(g.Points))
	for j := range g.Points {
		ys[j], xs[j] = g.Points[j].Y, g.Points[j].X
	}
	ym, _ := evidence.LookupMetric(f.Spec.Y.Metric)
	sy := ScaleFor(ym.Unit, ys...)
	per := ""
	if f.Spec.PerCard {
		per = " per card"
	}
	v.YTitle = titled(ym.Title+" "+statWord(f.Spec.Y.Stat)+per, sy.Unit)
	var sx Scale
	if v.Curve {
		info := evidence.LookupKey(f.Spec.Along)
		sx = ScaleFor(info.Unit, xs...)
		v.XTitle = titled(info.Title, sx.Unit)
	} else {
		xm, _ := evidence.LookupMetric(f.Spec.X.Metric)
		sx = ScaleFor(xm.Unit, xs...)
		v.XTitle = titled(xm.Title+" "+statWord(f.Spec.X.Stat), sx.Unit)
	}
	for _, s := range g.Shape {
		if !namesGroup(s.Key) {
			continue
		}
		v.Shape = append(v.Shape, Labelled{Label: evidence.LookupKey(s.Key).Title, Value: Quote(factText(evidence.LookupKey(s.Key), s.Value), maxName, s.Artifact, s.Place)})
	}
	if g.Unranked != nil {
		v.Unranked = g.Unranked.Rule + ": " + plain(g.Unranked.Message, maxName)
	}
	for c, curve := range g.Curves {
		var drawn []DrawnPoint
		for step, at := range curve {
			p := &g.Points[at]
			mark := letter(c)
			if len(curve) > 1 {
				mark += strconv.Itoa(step + 1)
			}
			row := frontierRow(p, mark, sx, sy)
			v.Rows = append(v.Rows, row)
			d := DrawnPoint{X: sx.Value(p.X), Y: sy.Value(p.Y), Mark: mark, Hollow: p.Single, Pareto: p.Pareto}
			d.Tip = mark + " " + armName(p.Run) + "\n" + v.XTitle + ": " + row.X.Text + "\n" + v.YTitle + ": " + row.Y.Text
			drawn = append(drawn, d)
		}
		v.Drawn = append(v.Drawn, drawn)
	}
	for j := range g.Points {
		if p := &g.Points[j]; p.Pareto {
			v.Pareto = append(v.Pareto, DrawnPoint{X: sx.Value(p.X), Y: sy.Value(p.Y)})
		}
	}
	return v
}

func titled(title, unit string) string {
	if unit == "" {
		return title
	}
	return title + ", " + unit
}

// groupTitle names a group by its first words of shape.
func groupTitle(g *compare.FrontierGroup) string {
	parts := []string{classTitle(g.Points[0].Run.Class)}
	for _, f := range g.Shape {
		switch f.Key {
		case evidence.KeyContextTarget, evidence.KeyOutputCap, evidence.KeyThinking, evidence.KeyGPUProduct, evidence.KeySuite:
			parts = append(parts, evidence.LookupKey(f.Key).Title+" "+plain(factText(evidence.LookupKey(f.Key), f.Value), 40))
		}
	}
	return strings.Join(parts, ", ")
}

// namesGroup: digests and lists of checks name nothing to a reader.
func namesGroup(k evidence.FactKey) bool {
	switch k {
	case evidence.KeySuiteDigest, evidence.KeyCorpus, evidence.KeySuiteChecks, evidence.KeyWorkloadClass:
		return false
	}
	return true
}

func frontierRow(p *compare.FrontierPoint, mark string, sx, sy Scale) FrontierRow {
	r := p.Run
	row := FrontierRow{
		Mark: mark, Name: Quote(armName(r), maxName, r.Artifact, r.ArmPlace), Run: RunURL(r.ID), Load: factFig(r, evidence.KeyConcurrency),
		One: p.Single, Pareto: p.Pareto,
	}
	row.Y = Fig(sy.Format(p.Y), p.YOf.Artifact, p.YOf.Place)
	if p.Cards > 1 {
		row.Y.Calc, row.YSub = true, "of "+Plural(p.Cards, "card", "cards")
	}
	if p.XOf.Metric != "" {
		row.X = Fig(sx.Format(p.X), p.XOf.Artifact, p.XOf.Place)
	} else {
		row.X = Fig(sx.Format(p.X), p.XFact.Artifact, p.XFact.Place)
	}
	switch {
	case r.Rejected != "":
		row.Badge, row.Note = &Badge{Kind: "blocked", Glyph: "gate-failed", Word: "rejected"}, "cannot win"
	case p.Single:
		row.Note = "one observation: never on the frontier"
	case len(p.Caveats) > 0:
		badge := verdictBadge(compare.Caution)
		row.Badge, row.Note = &badge, Plural(int64(len(p.Caveats)), "caveat", "caveats")+" against the first run"
	default:
		row.Note = "no caveat"
	}
	return row
}

// letter names an arm: A to Z, then AA.
func letter(i int) string {
	s := string(rune('A' + i%26))
	if i >= 26 {
		return letter(i/26-1) + s
	}
	return s
}

// FrontierTable is the page as a file: a row for every point.
func FrontierTable(f *compare.Frontier) export.Table {
	t := export.Table{Title: "Frontier", Columns: []export.Column{
		{Name: "group", Form: export.Figure, Help: "runs of one group may meet; those of two may not"},
		{Name: "shape", Form: export.Prose, Help: "what the runs of the group share"},
		{Name: "arm", Form: export.Prose, Help: "configuration under test"},
		{Name: "run", Form: export.Code, Help: "run id"},
		{Name: "concurrency", Form: export.Figure, Help: "per replica, as recorded"},
		{Name: "x", Form: export.Code, Help: "figure or factor of the horizontal axis"},
		{Name: "x_value", Form: export.Figure, Help: "in the base unit"},
		{Name: "y", Form: export.Code, Help: "figure of the vertical axis"},
		{Name: "y_value", Form: export.Figure, Help: "in the base unit, divided by cards where that was asked for"},
		{Name: "cards", Form: export.Figure, Help: "what y was divided by; absent when it was not"},
		{Name: "single", Form: export.Code, Help: "true for one observation, which is never ranked"},
		{Name: "pareto", Form: export.Code, Help: "true on the frontier of its group; absent along a factor and where a rule stops the ranking"},
		{Name: "rejected", Form: export.Prose, Help: "the source's reason for rejecting the arm"},
		{Name: "artifact", Form: export.Code, Help: "SHA-256"},
		{Name: "pointer", Form: export.Code, Help: "JSON Pointer of y"},
	}}
	x := f.Spec.X.String()
	if f.Spec.Along != "" {
		x = string(f.Spec.Along)
	}
	for i := range f.Groups {
		g := &f.Groups[i]
		for j := range g.Points {
			p := &g.Points[j]
			cards, pareto := export.Cell{}, export.Cell{}
			if p.Cards > 0 {
				cards = export.Integer(p.Cards)
			}
			if f.Spec.Along == "" && g.Unranked == nil {
				pareto = export.Flag(p.Pareto)
			}
			t.Rows = append(t.Rows, []export.Cell{
				export.Integer(i + 1), export.Text(groupTitle(g)), export.Text(armName(p.Run)), export.Text(p.Run.ID), export.FactValue(p.Load),
				export.Text(x), export.Number(p.X), export.Text(f.Spec.Y.String()), export.Number(p.Y), cards, export.Flag(p.Single), pareto,
				export.Optional(p.Run.Rejected), export.Text(p.YOf.Artifact.String()), export.Text(p.YOf.Place.Pointer),
			})
		}
	}
	return t
}
