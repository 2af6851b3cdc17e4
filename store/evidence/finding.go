package evidence

// Severity of a finding.
type Severity string

const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Error   Severity = "error" // an error quarantines the artifact
)

// Finding is something intake or a reader has to say about an artifact, at a place.
type Finding struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Pointer  Pointer  `json:"pointer"`
	Offset   int64    `json:"offset"` // byte offset in the artifact, -1 when it has none
	Message  string   `json:"message"`
}

// CodeSecret is the finding of a credential. Where an artifact has it, its bytes are
// handed out with a warning.
const CodeSecret = "secret"

// EndState is where every input ends.
type EndState string

const (
	Pending     EndState = "pending" // kept, not yet read; only ever seen after a crash
	Accepted    EndState = "accepted"
	Duplicate   EndState = "duplicate"
	Archived    EndState = "archived-only"
	Quarantined EndState = "quarantined"
)

// Reading is what intake makes of one artifact: an end state, the documents in it
// and the findings about the bytes.
type Reading struct {
	State     EndState // Accepted, Archived or Quarantined
	Schema    string   // the first label seen, also where no reader took it
	Family    string
	Reader    string // ReaderRef of the first document; "" when nothing was recognised
	Encoding  string // "utf-8", "utf-8-bom", "utf-16le", ..., "binary"
	Values    int64  // JSON values in the artifact; 0 when it is not JSON
	Documents []Document
	Findings  []Finding
	Text      string // words for search, bounded
	// Endings are the digests that a text would have with other line endings.
	Endings []Digest
}
