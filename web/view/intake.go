package view

import (
	"strings"

	"assay/store/evidence"
	"assay/store/export"
)

// Intake is the page of what came in, newest first.
type Intake struct {
	Upload   *UploadForm // nil where no files are taken in
	State    string      // "" lists arrivals, else artifacts of that state
	States   []StateTab
	Arrivals []Arrival
	Files    []File
	Pager    Pager
	Exports  Exports
}

// StateTab chooses a state.
type StateTab struct {
	Label, Count, Href string
	Current            bool
}

// Arrival is one coming-in.
type Arrival struct {
	Name     Text
	Folder   string // "" when the name has none
	Href     string // the artifact's intake page
	Origin   string
	At       string
	State    Badge
	Found    string
	Size     Figure
	Chip     DigestChip
	Findings []Finding
	More     int // findings left to the artifact's own page

	row *evidence.ArrivalRow
}

// File is one artifact in a list.
type File struct {
	Name     Text
	Folder   string
	Others   int // further names it came under
	Href     string
	At       string
	State    Badge
	Found    string
	Campaign Linked
	HasCamp  bool
	Size     Figure
	Chip     DigestChip
	Findings int
}

// Finding is what intake or a reader has to say, with its place.
type Finding struct {
	Severity Badge
	Code     string
	Message  Text
	Where    string // pointer, "" when it has none
	Offset   string // "byte 1,204", "" when it has none
	Href     string
}

const findingsInList = 3

// ArrivalsPerPage is how many arrivals one page of the intake list shows.
const ArrivalsPerPage = 100

// IntakeURL is the page of one artifact's findings.
func IntakeURL(d evidence.Digest) string { return "/intake/" + d.String() }

// intakeStates in the order of the chooser.
var intakeStates = []evidence.EndState{evidence.Accepted, evidence.Archived, evidence.Quarantined, evidence.Pending}

func stateTabs(current string, c evidence.Counts) []StateTab {
	tabs := []StateTab{{Label: "every arrival", Count: Int(c.Arrivals), Href: "/intake", Current: current == ""}}
	for _, s := range intakeStates {
		n := map[evidence.EndState]int64{
			evidence.Accepted: c.Accepted, evidence.Archived: c.Archived, evidence.Quarantined: c.Quarantined, evidence.Pending: c.Pending,
		}[s]
		if s == evidence.Pending && n == 0 && current != string(s) {
			continue
		}
		tabs = append(tabs, StateTab{Label: endBadge(s).Word, Count: Int(n), Href: Query("/intake", "state", string(s)), Current: current == string(s)})
	}
	return tabs
}

// BuildIntake is one page of arrivals.
func BuildIntake(rows []evidence.ArrivalRow, total, page int, c evidence.Counts) Intake {
	at := func(p string) string { return Query("/intake", "page", p) }
	v := Intake{
		States: stateTabs("", c), Pager: BuildPager(page, ArrivalsPerPage, total, at),
		Exports: PageExports("/intake", at(pageWord(page)), "page", pageWord(page)),
	}
	for i := range rows {
		v.Arrivals = append(v.Arrivals, buildArrival(&rows[i]))
	}
	return v
}

// BuildIntakeFiles is one page of the artifacts of one state.
func BuildIntakeFiles(state string, rows []evidence.ArtifactRow, total, page int, c evidence.Counts) Intake {
	at := func(p string) string { return Query("/intake", "state", state, "page", p) }
	v := Intake{
		State: state, States: stateTabs(state, c), Pager: BuildPager(page, ArrivalsPerPage, total, at),
		Exports: ListExports("artifacts", at(pageWord(page)), evidence.Filter{State: state}),
	}
	for i := range rows {
		v.Files = append(v.Files, buildFile(&rows[i]))
	}
	return v
}

func buildArrival(a *evidence.ArrivalRow) Arrival {
	v := Arrival{
		Href: IntakeURL(a.Digest), Origin: orWord(a.Origin, "not recorded"), At: Moment(a.AtUS), State: endBadge(a.State), Size: sizeFig(a.Size, a.Digest), Chip: Chip(a.Digest), row: a,
	}
	v.Name, v.Folder = splitName(orWord(a.Name, "no name"))
	switch a.State {
	case evidence.Duplicate:
		v.Found = "the same bytes as"
	case evidence.Archived:
		v.Found = "kept; nothing in it can be compared"
	case evidence.Accepted:
		v.Found = orWord(a.Schema, "no label") + ": " + Plural(int64(a.Runs), "run", "runs")
	case evidence.Pending:
		v.Found = "kept; the next intake reads it"
	}
	v.findings(a)
	return v
}

// findings lists what is wrong. Remarks stand on the file's own page; the remark on an
// archived file is the reason why nothing was read from it.
func (v *Arrival) findings(a *evidence.ArrivalRow) {
	for _, f := range a.Findings {
		switch {
		case f.Severity == evidence.Info:
			if a.State == evidence.Archived {
				v.Found = plain(f.Message, maxValue)
			}
		case len(v.Findings) == findingsInList:
			v.More++
		default:
			v.Findings = append(v.Findings, buildFinding(f, a.Digest))
		}
	}
}

// splitName takes the folder off a name: the last part is what people look for.
func splitName(name string) (base Text, folder string) {
	i := strings.LastIndexAny(strings.TrimRight(name, `/\`), `/\`)
	if i < 0 {
		return Words(name, maxName, ""), ""
	}
	return Words(name[i+1:], maxName, ""), plain(name[:i], maxName)
}

func sizeFig(n int64, d evidence.Digest) Figure {
	return Figure{Text: Int(n), Href: ArtifactURL(d), Title: "sha256:" + d.Short(), Calc: true}
}

func buildFile(a *evidence.ArtifactRow) File {
	name := "sha256:" + a.Digest.Short()
	if len(a.Names) > 0 {
		name = orWord(a.Names[0], "no name")
	}
	v := File{
		Others: max(len(a.Names)-1, 0), Href: IntakeURL(a.Digest), At: Moment(a.StoredUS),
		State: endBadge(a.State), Size: sizeFig(a.Size, a.Digest), Chip: Chip(a.Digest), Findings: a.Findings,
		Found: orWord(a.Schema, "no label") + ", " + orWord(a.Encoding, "encoding not known"),
	}
	v.Name, v.Folder = splitName(name)
	if a.Campaign != "" {
		v.HasCamp = true
		v.Campaign = Linked{Text: Words(a.Campaign, maxName, ""), Href: CampaignURL(a.Campaign, a.Digest)}
	}
	return v
}

func buildFinding(f evidence.Finding, d evidence.Digest) Finding {
	v := Finding{
		Severity: severityBadge(f.Severity), Code: plain(f.Code, maxName), Message: Words(f.Message, maxValue, ArtifactURL(d)),
		Where: plain(string(f.Pointer), maxName), Href: ArtifactURL(d),
	}
	if f.Pointer != "" {
		v.Href = PlaceURL(d, evidence.At(f.Pointer))
	}
	if f.Offset >= 0 {
		v.Offset = "byte " + Int(f.Offset)
	}
	return v
}

// IntakeArtifact is how one artifact came in and what was found about it.
type IntakeArtifact struct {
	File      File
	Full      string
	Schema    string
	Reader    string
	Encoding  string
	Values    Figure
	Arrivals  []Arrival
	Findings  []Finding
	Truncated int // findings left to the export
	NotLifted int
	Artifact  string // address of the bytes
	Exports   Exports
}

// FindingsShown bounds one artifact's findings on a page.
const FindingsShown = 500

// BuildIntakeArtifact is the intake page of one artifact.
func BuildIntakeArtifact(a *evidence.ArtifactDetail) IntakeArtifact {
	v := IntakeArtifact{
		File: buildFile(&a.ArtifactRow), Full: a.Digest.String(), Schema: orWord(a.Schema, "no label"), Reader: orWord(a.Reader, "no reader took it"),
		Encoding: orWord(a.Encoding, "not known"), Values: Figure{Text: Int(a.Values), Href: ArtifactURL(a.Digest), Calc: true},
		NotLifted: len(a.NotLifted), Artifact: ArtifactURL(a.Digest),
		Exports: ListExports("findings", IntakeURL(a.Digest), evidence.Filter{Artifact: a.Digest.String()}),
	}
	for i := range a.Arrivals {
		v.Arrivals = append(v.Arrivals, buildArrival(&a.Arrivals[i]))
	}
	for i, f := range a.Findings {
		if i == FindingsShown {
			v.Truncated = len(a.Findings) - i
			break
		}
		v.Findings = append(v.Findings, buildFinding(f, a.Digest))
	}
	return v
}

// Table is the page's arrivals as a file.
func (v Intake) Table() export.Table {
	t := export.Table{Title: "Arrivals", Columns: []export.Column{
		{Name: "at", Form: export.Code, Help: "when it came in, UTC"},
		{Name: "name", Help: "the name it came under"},
		{Name: "origin", Form: export.Code, Help: "file, stdin, http or example"},
		{Name: "state", Form: export.Code, Help: "how this arrival ended"},
		{Name: "schema", Form: export.Code, Help: "label as it stands"},
		{Name: "runs", Form: export.Figure, Help: "runs read from it"},
		{Name: "size", Form: export.Figure, Help: "bytes"},
		{Name: "findings", Help: "severity, code, pointer and byte offset of each"},
		{Name: "artifact", Form: export.Code, Help: "SHA-256 of the bytes"},
	}}
	for i := range v.Arrivals {
		a := v.Arrivals[i].row
		found := make([]string, len(a.Findings))
		for j, f := range a.Findings {
			found[j] = findingWords(f)
		}
		t.Rows = append(t.Rows, []export.Cell{
			export.Text(Moment(a.AtUS)), export.Optional(a.Name), export.Optional(a.Origin), export.Text(a.State), export.Optional(a.Schema),
			export.Integer(a.Runs), export.Integer(a.Size), export.Words(found), export.Text(a.Digest.String()),
		})
	}
	return t
}

func findingWords(f evidence.Finding) string {
	s := string(f.Severity) + " " + f.Code
	if f.Pointer != "" {
		s += " " + string(f.Pointer)
	}
	if f.Offset >= 0 {
		s += " byte " + evidence.FormatDecimal(float64(f.Offset))
	}
	return s + ": " + f.Message
}
