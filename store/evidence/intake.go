package evidence

// Incoming is one input whose bytes are in memory.
type Incoming struct {
	Name     string // the name it came under; never evidence of anything
	Origin   string // "file", "stdin", "http", "example"
	Campaign string // declared with --campaign, "" when nobody declared one
	Data     []byte
}

// Kept says where an input's bytes lie in the archive.
type Kept struct {
	ArtifactID int64
	ArrivalID  int64 // this coming-in; 0 when the artifact is only listed (reindex, resume)
	Digest     Digest
	Size       int64
	Campaign   string   // the declared campaign in force, "" when none
	State      EndState // the artifact's state before this reading; Pending when it has none
	Known      bool     // the same bytes were in the archive before this input
}

// Result is a reading to be committed.
type Result struct {
	Kept    Kept
	Reading *Reading // nil for a duplicate: only the arrival is closed
}

// Taken says where one input ended, as intake reports it to whoever handed it in.
type Taken struct {
	Path     string    `json:"path"` // the name it came under
	SHA256   string    `json:"sha256"`
	State    EndState  `json:"state"`
	Schema   string    `json:"schema"`
	Family   string    `json:"family"`
	Reader   string    `json:"reader"`
	Runs     int       `json:"runs"`
	Findings []Finding `json:"findings"`
}
