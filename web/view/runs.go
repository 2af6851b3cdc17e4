package view

import (
	"cmp"

	"assay/store/evidence"
)

// Runs is the list of runs.
type Runs struct {
	Filter   Narrow
	Chips    []FilterChip
	Classes  []Choice
	Statuses []Choice
	Orders   []Choice
	Heads    RunHeads
	More     bool // something narrows the list that stands among the further filters
	Rows     []RunLine
	Total    int
	Pager    Pager
	Exports  Exports
}

// RunHeads are the heads that the list can be ordered by.
type RunHeads struct{ Run, Campaign, Date, Class, Family SortHead }

const runsPath = "/runs"

// Choice is one option of a chooser.
type Choice struct {
	Value, Label string
	Chosen       bool
}

// RunLine is one run of the list.
type RunLine struct {
	ID       string
	Href     string
	Arm      Text
	Name     string
	Rejected bool
	Status   *Badge // how it ended, nil for a run that was measured
	Campaign Linked
	Class    string
	Family   string
	Requests *Figure
	Done     *Figure
	Conc     *Figure
	Date     *Linked
	Model    *Linked
	Engine   *Linked
	Card     *Linked
	Figures  Figure
}

// BuildRuns is one page of runs.
func BuildRuns(f Narrow, runs []evidence.RunRow, total, page int) Runs {
	at := func(p string) string { return f.URL(runsPath, "page", p) }
	v := Runs{
		Filter: f, Chips: f.chips(runsPath), Total: total, Pager: BuildPager(page, RunsPerPage, total, at),
		Exports: ListExports("runs", at(pageWord(page)), f.Evidence()),
		Classes: classChoices(f.Class), Statuses: statusChoices(f.Status), Orders: f.sortChoices(),
		Heads: RunHeads{
			Run: f.sortHead(runsPath, evidence.ByArm), Campaign: f.sortHead(runsPath, evidence.ByCampaign), Date: f.sortHead(runsPath, evidence.ByDate),
			Class: f.sortHead(runsPath, evidence.ByClass), Family: f.sortHead(runsPath, evidence.ByFamily),
		},
	}
	first := f
	first.Words, first.Model, first.Engine, first.GPU = "", "", "", ""
	v.More = first.Narrowed()
	for i := range runs {
		v.Rows = append(v.Rows, runLine(&runs[i]))
	}
	return v
}

func runLine(r *evidence.RunRow) RunLine {
	l := RunLine{
		ID: r.ID, Href: RunURL(r.ID), Arm: Words(cmp.Or(r.Arm, r.Name, r.ID), maxName, RunURL(r.ID)),
		Rejected: r.Rejected != "", Status: unmeasured(r.Status),
		Class: classTitle(r.Class), Family: orWord(r.Family, "not known"),
		Campaign: Linked{Text: Words(r.Campaign, maxTitle, ""), Href: CampaignURL(r.Campaign, r.Artifact)},
		Requests: factFig(r, evidence.KeyRequests), Conc: factFig(r, evidence.KeyConcurrency),
		Done:   cmp.Or(factFig(r, evidence.KeyCompleted), factFig(r, evidence.KeyPassed)),
		Card:   factWords(r, evidence.KeyGPUProduct),
		Date:   dateWords(r),
		Model:  factWords(r, evidence.KeyModel, evidence.KeyServedModel, evidence.KeyCheckpoint, evidence.KeyModelArtifact),
		Engine: factWords(r, evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyImage, evidence.KeyEngineRevision),
	}
	if r.Name != "" && r.Name != r.Arm {
		l.Name = plain(r.Name, maxName)
	}
	primary := 0
	for i := range r.Measurements {
		if r.Measurements[i].Role == evidence.Primary {
			primary++
		}
	}
	l.Figures = CountFig(int64(primary), l.Href)
	return l
}

// factFig is a numeric fact as a door, nil when the run has none.
func factFig(r *evidence.RunRow, k evidence.FactKey) *Figure {
	f, ok := r.Fact(k)
	if !ok || f.State == evidence.Absent {
		return nil
	}
	fig := factFigure(f)
	return &fig
}

func factFigure(f evidence.FactRow) Figure {
	return Fig(plain(factText(evidence.LookupKey(f.Key), f.Value), maxName), f.Artifact, f.Place)
}

// factWords is the first of several facts that the run has, nil when it has none.
func factWords(r *evidence.RunRow, keys ...evidence.FactKey) *Linked {
	for _, k := range keys {
		if f, ok := r.Fact(k); ok && f.State != evidence.Absent && f.Value != "" {
			q := Quote(f.Value, 64, f.Artifact, f.Place)
			return &q
		}
	}
	return nil
}

// dateWords is the day that the source gives, nil when it gives none.
func dateWords(r *evidence.RunRow) *Linked {
	if f, ok := r.Fact(evidence.KeyObserved); ok && f.State != evidence.Absent && f.Value != "" {
		q := Quote(day(f.Value), 32, f.Artifact, f.Place)
		return &q
	}
	if r.Observed == "" {
		return nil
	}
	return &Linked{Text: Words(day(r.Observed), 32, ""), Href: ArtifactURL(r.Artifact)}
}

// day is a time without its hours.
func day(at string) string {
	if len(at) > len("2006-01-02") && at[4] == '-' && at[7] == '-' {
		return at[:len("2006-01-02")]
	}
	return at
}
