package evidence

// Document is everything one reader lifted from one JSON value of an artifact.
type Document struct {
	Schema        string // the label exactly as it stands, "" when there is none
	Family        string // "F5", "vllm", ... see docs; "" when nothing was recognised
	Reader        string // reader id, for example "anvil/decision-summary"
	ReaderVersion int    // raised whenever the reader's output changes
	ShapeID       string // which of the label's shapes was read, for example "table"
	Root          Pointer
	// Archived says what the document is when it is kept to be found and is no evidence of
	// a run, for example "a configuration input"; "" for evidence. It is of use at intake.
	Archived string `json:",omitempty"`

	Campaign Campaign
	Facts    []Fact // hold for every arm of the document
	Arms     []Arm

	Gates      []Gate
	Notes      []Note
	Decisions  []Decision
	References []Reference
	NotLifted  []NotLifted
	Findings   []Finding
	Covered    []Covered `json:",omitempty"` // what became of its numbers; intake counts, readers leave it alone
}

// ReaderRef is the reader and its version as exports write it: "anvil/decision-summary@1".
func (d *Document) ReaderRef() string { return ReaderRef(d.Reader, d.ReaderVersion) }

// Campaign is what the document says of the campaign it belongs to.
type Campaign struct {
	ID       string // "" when the source names none; intake then derives one from label, date and digest
	Title    string // for people; "" falls back to the id
	Observed string // date or time as it stands
	Place    Place

	// Own is the id without any declaration and OwnPlace where it stands; "" when ID is
	// no declared one either.
	Own      string
	OwnPlace Place
}

// Arm is one configuration under test.
type Arm struct {
	Name  string
	Place Place
	Facts []Fact
	Runs  []Run
	// Rejected is the source's own reason for rejecting the arm, verbatim. A rejected
	// arm keeps its figures and never wins.
	Rejected      string
	RejectedPlace Place
}

// RunStatus says how a run ended as far as the source tells.
type RunStatus string

const (
	Measured  RunStatus = "measured"
	RunFailed RunStatus = "failed"
	NotRun    RunStatus = "not-run"  // the source has the section and did not run it
	External  RunStatus = "external" // a figure somebody else published
	// RunUnresolved is a status word that we do not know: shown, never compared.
	RunUnresolved RunStatus = "unresolved"
)

// Run is one arm under one shape, once.
type Run struct {
	Name         string
	Class        string // workload class: ClassShort, ClassLong, ...
	Status       RunStatus
	Place        Place // the row, block or sentence the run was read from
	Facts        []Fact
	Measurements []Measurement
	Samples      []Sample
}

// Workload classes: figures of different classes never meet.
const (
	ClassShort      = "short-capacity"       // short prompts, low concurrency, per-request latency
	ClassAggregate  = "aggregate-throughput" // many requests at load, aggregate rate
	ClassLong       = "long-context"
	ClassFunctional = "functional"
	ClassQuality    = "quality"
	ClassStartup    = "start-up"
	ClassGeneration = "long-generation" // controlled long answers
	ClassMedia      = "multimodal"
	ClassSpeech     = "speech"
)

// Role separates a run's own figure from repetitions and claims about it.
type Role string

const (
	Primary  Role = "primary"
	Restated Role = "restated" // the same figure again, rounded, elsewhere in the document
	Claim    Role = "claim"    // a derived figure the source publishes (a delta, a percentage)
)

// Measurement is one figure of a run.
type Measurement struct {
	Metric              MetricID
	Stat                Stat
	Method              Method
	Value, Lower, Upper Opt[float64] // base unit; an interval has no Value
	Unit                Unit
	N                   Opt[int64] // observations behind the figure
	State               State
	Role                Role
	SourceText          string // the digits as they stand; "LOW to HIGH" for an interval
	SourceUnit          string // the unit as the source means it: "ms", "tok/s", "MiB"
	Place               Place
	Also                []Place // further places that belong to it: the other bound, the null point value
	Rule                string  // names the rule for State Derived
}

// Sample is one request of a run. Times are seconds from the run's start or
// durations in seconds; absent stays absent.
type Sample struct {
	Index                                int64
	Start, TTFT, TTFO, Generation, E2E   Opt[float64]
	PromptTokens, OutputTokens, CachedTk Opt[int64]
	OK                                   bool
	Failure                              string
	Place                                Place
}

// GateStatus is our reading of a gate's status word.
type GateStatus string

const (
	GatePassed     GateStatus = "passed"
	GateFailed     GateStatus = "failed"
	GateRejected   GateStatus = "rejected"
	GateMissing    GateStatus = "missing"
	GateUnresolved GateStatus = "unresolved" // any word we do not know; never passed
)

var gateWords = map[string]GateStatus{
	"passed": GatePassed, "pass": GatePassed,
	"failed": GateFailed, "fail": GateFailed,
	"rejected": GateRejected,
	"missing":  GateMissing, "not run": GateMissing, "not_run": GateMissing,
}

// ReadGateStatus maps a source's word. Only whole known words count: "passed for
// headline load" is unresolved.
func ReadGateStatus(word string) GateStatus {
	if s, ok := gateWords[word]; ok {
		return s
	}
	return GateUnresolved
}

// Gate is a check the source lists.
type Gate struct {
	Name, SourceStatus, Detail, Evidence string
	Status                               GateStatus
	Place                                Place // the gate's object
}

// NoteKind sorts verbatim sentences.
type NoteKind string

const (
	Limitation NoteKind = "limitation"
	Failure    NoteKind = "failure"
	Caveat     NoteKind = "caveat"
	Headline   NoteKind = "headline"
	Statement  NoteKind = "statement" // protocol and workload sentences
	Restored   NoteKind = "restoration"
)

// Note is a sentence of the source, verbatim.
type Note struct {
	Kind  NoteKind
	Key   string // the member name, where the slot has one
	Text  string
	Place Place
}

// Decision is one line of what the source decides.
type Decision struct {
	Kind  string // DecisionLabel, EvidenceLabel, PromotionFlag, DecisionField
	Key   string
	Value string
	Place Place
}

const (
	DecisionLabel = "decision-label"
	EvidenceLabel = "evidence-label"
	PromotionFlag = "promotion-authorized"
	DecisionField = "field"
)

// Reference is another file that the document names.
type Reference struct {
	Name   string
	SHA256 Opt[Digest]
	Kind   string // "evidence", "recipe"
	Place  Place
}

// NotLifted is a number (or the numbers of a sentence) that no measurement, fact,
// gate, note or decision carries, and why.
type NotLifted struct {
	Place  Place
	Text   string
	Reason string
}

// Reasons for not lifting.
const (
	ReasonIdentifier = "identifier"
	ReasonTimestamp  = "timestamp"
	ReasonEcho       = "configuration"
	ReasonProse      = "prose"
	ReasonLabel      = "label"
	ReasonRecomputed = "recomputed" // follows from lifted figures and was held against them
	ReasonDetail     = "detail"     // a part or a by-product of a lifted figure
	ReasonUnread     = "unread"     // a member the reader does not know

	ReasonDiagnostic = "diagnostic" // a figure about the client or the engine that no metric of ours defines
	ReasonRestated   = "restated"   // repeats a figure that is lifted, in another form or place
	ReasonVoid       = "void"       // written where nothing was measured
	ReasonRow        = "raw-row"    // one of many raw values behind a figure that is lifted
)
