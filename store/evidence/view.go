package evidence

import "slices"

// Rows as lists and pages read them from the archive. Times are Unix microseconds.

// CampaignRow is a line of the campaign list.
type CampaignRow struct {
	ID, Title, Observed     string
	Documents, Arms, Runs   int
	Labels                  []string // decision labels in source order
	Gates                   []GateRow
	References, Retained    int
	Promotion               string // "" when no source speaks of it, else "true" or "false"
	Artifacts               []Digest
	Schemas                 []string
	FirstSeenUS, LastSeenUS int64
}

// CampaignDetail is a campaign as its pages need it.
type CampaignDetail struct {
	CampaignRow
	Docs []DocumentRow
}

// DocumentRow is one document of a campaign with everything but its runs.
type DocumentRow struct {
	Source
	Schema, Family, ShapeID string
	Root                    Pointer
	Campaign                Campaign
	Facts                   []FactRow // document-wide facts only
	Gates                   []GateRow
	Notes                   []NoteRow
	Decisions               []DecisionRow
	References              []ReferenceRow
	Arms, Runs              int
}

// GateRow, NoteRow, DecisionRow, ReferenceRow, NotLiftedRow and FindingRow carry
// their source along.
type GateRow struct {
	Gate
	Source
	Campaign string
}

// NoteRow is a verbatim sentence with its source.
type NoteRow struct {
	Note
	Source
	Campaign string
}

// DecisionRow is a decision line with its source.
type DecisionRow struct {
	Decision
	Source
	Campaign string
}

// RefState says whether a named file is in the archive.
type RefState string

const (
	RefRetained  RefState = "retained"         // the digest that the source gives is in the archive
	RefConverted RefState = "retained-crlf"    // it is the digest of a text here, with the other line endings
	RefRenamed   RefState = "retained-renamed" // the digest is here, and no file of that name is
	RefByName    RefState = "name-only"        // a file came in under that name; no digest proves that it is the one
	RefMismatch  RefState = "mismatch"         // a file of that name is here with another digest
	RefNotStored RefState = "not-retained"     // nothing here
)

// Here reports whether the content that the source means is proven to be in the archive.
func (s RefState) Here() bool {
	return s == RefRetained || s == RefConverted || s == RefRenamed
}

// ReferenceRow is a named file and whether the archive has it.
type ReferenceRow struct {
	Reference
	Source
	Campaign string
	State    RefState
	Found    Opt[Digest] // the artifact that answers
	// FoundAs is the name of an artifact with the very content that is meant, where it
	// is not the file of that name: beside a mismatch it says where the content went.
	FoundAs string
}

// NotLiftedRow is a figure that was not lifted.
type NotLiftedRow struct {
	NotLifted
	Source
}

// FindingRow is a finding with the artifact it speaks of.
type FindingRow struct {
	Finding
	Artifact Digest
	Reader   string
}

// ArtifactRow is an artifact in a list.
type ArtifactRow struct {
	ID       int64
	Digest   Digest
	Size     int64
	StoredUS int64
	State    EndState
	Schema   string
	Family   string
	Reader   string
	Encoding string
	Values   int64
	Campaign string // of its first document; "" when nothing was read
	Runs     int
	Measures int
	Findings int
	Names    []string // every name it came under, first come first
}

// ArrivalRow is one coming-in of an artifact.
type ArrivalRow struct {
	ID       int64
	Digest   Digest
	Size     int64
	Name     string
	Origin   string
	AtUS     int64
	State    EndState // of this arrival: Duplicate when the bytes were known
	Schema   string
	Runs     int
	Findings []Finding
}

// ArtifactDetail is an artifact with what was read from it.
type ArtifactDetail struct {
	ArtifactRow
	Arrivals     []ArrivalRow
	Findings     []Finding
	NotLifted    []NotLiftedRow
	Documents    []DocumentRow
	Facts        []FactRow        // every scope
	Measurements []MeasurementRow // every run
}

// SearchHit is one found place.
type SearchHit struct {
	Kind     string // "campaign", "arm", "gate", "note", "decision", "reference", "fact", "artifact"
	Title    string
	Snippet  string // plain text; the matched words stand between \x02 and \x03
	Campaign string
	Artifact Digest
	Pointer  Pointer
	RunID    string
}

// Filter narrows lists and exports. A zero field does not narrow. Strings match
// exactly; After and Limit page through a total order.
type Filter struct {
	Campaign string
	Arm      string
	Run      string
	Metric   MetricID
	Stat     Stat
	Key      FactKey
	Class    string // workload class for runs and measurements, fact class for facts
	State    string // measurement or fact state, end state for artifacts
	Family   string
	Schema   string
	Artifact string // digest prefix
	Text     string // substring of campaign id or title (campaign list)
	Factored bool   // campaigns with arms over TP and MTP depth (campaign list)
	Label    string // decision label (campaign list)
	Engine   string // substring of the engine or image facts (run list)
	GPU      string // substring of the card fact (run list)
	Model    string // substring of the model, checkpoint, file or served name facts (run list)
	Protocol string // substring of the measurement protocol fact (run list)
	Status   string // how a run ended (run list)
	From, To string // days, both included, of the date that the source gives: 2006-01-02
	Words    string // all occur in the source, its names or what was read of it; the last may be a beginning
	Sort     Sort   // of the run list
	Offset   int
	Limit    int
}

// Sort orders the run list. The zero value is the order of campaigns, documents and runs
// as their sources have them. Equal rows keep a fixed order in every one.
type Sort string

// Orders of the run list. A dash before one turns it round.
const (
	ByCampaign Sort = "campaign"
	ByArm      Sort = "arm"
	ByClass    Sort = "class"
	ByFamily   Sort = "family"
	ByDate     Sort = "date" // of the source; runs without one come last
)

// Sorts are the orders there are.
var Sorts = []Sort{ByCampaign, ByArm, ByClass, ByFamily, ByDate}

// Parts are the order and whether it is turned round.
func (s Sort) Parts() (by Sort, down bool) {
	if len(s) > 0 && s[0] == '-' {
		return s[1:], true
	}
	return s, false
}

// Known reports whether the order exists.
func (s Sort) Known() bool {
	by, _ := s.Parts()
	return s == "" || slices.Contains(Sorts, by)
}

// Counts is what the archive holds.
type Counts struct {
	Artifacts, Arrivals, Campaigns, Documents, Arms, Runs, Samples, Measurements, Facts int64
	Accepted, Archived, Quarantined, Pending, Bytes                                     int64
}

// DocumentDetail is a document with its runs and with what was not lifted from it.
type DocumentDetail struct {
	DocumentRow
	RunRows   []RunRow
	NotLifted []NotLiftedRow
	Samples   bool // requests were kept: intake held the summaries against them
}
