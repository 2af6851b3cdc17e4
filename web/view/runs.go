package view

import (
	"cmp"

	"assay/store/evidence"
)

// Runs is the list of runs.
type Runs struct {
	Filter  RunsFilter
	Classes []Choice
	Rows    []RunLine
	Total   int
	Pager   Pager
	Exports Exports
}

// RunsFilter is what the list is narrowed to, as it stands in the address.
// Other pages lead here with an arm or an artifact.
type RunsFilter struct{ Campaign, Class, Family, Engine, GPU, Arm, Artifact string }

// Narrowed reports whether anything narrows the list.
func (f RunsFilter) Narrowed() bool { return f != RunsFilter{} }

// Evidence is the filter as the archive takes it.
func (f RunsFilter) Evidence() evidence.Filter {
	return evidence.Filter{Campaign: f.Campaign, Class: f.Class, Family: f.Family, Engine: f.Engine, GPU: f.GPU, Arm: f.Arm, Artifact: f.Artifact}
}

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
	Engine   *Linked
	Card     *Linked
	Figures  Figure
}

// BuildRuns is one page of runs.
func BuildRuns(f RunsFilter, runs []evidence.RunRow, total, page int) Runs {
	at := func(p string) string {
		return Query("/runs", "campaign", f.Campaign, "class", f.Class, "family", f.Family, "engine", f.Engine, "gpu", f.GPU,
			"arm", f.Arm, "artifact", f.Artifact, "page", p)
	}
	v := Runs{
		Filter: f, Total: total, Pager: BuildPager(page, RunsPerPage, total, at),
		Exports: ListExports("runs", at(pageWord(page)), f.Evidence()),
		Classes: []Choice{{Value: "", Label: "any", Chosen: f.Class == ""}},
	}
	known := f.Class == ""
	for _, c := range Classes {
		v.Classes = append(v.Classes, Choice{Value: c, Label: classTitle(c), Chosen: c == f.Class})
		known = known || c == f.Class
	}
	if !known {
		v.Classes = append(v.Classes, Choice{Value: f.Class, Label: plain(f.Class, maxName), Chosen: true})
	}
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
