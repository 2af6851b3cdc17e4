package signoff

import (
	"assay/store/account"
	"assay/store/evidence"
)

// Draft is a statement in preparation: who prepares it, on which ground, what they have
// acknowledged so far.
type Draft struct {
	ID        int64
	Campaign  string
	Candidate string   // evidence.ArmID
	Control   string   // evidence.ArmID, "" without one
	Back      string   // evidence.ArmID of what is gone back to, "" without one
	Figures   []string // of the comparison, "METRIC:STATISTIC"; those that matter first when empty
	Target    Target
	Decision  Decision
	Scope     string // what the candidate is meant for, in the preparer's words
	Reason    string
	Acks      []Ack
	Preparer  string // account name
	MadeUS    int64
	ChangedUS int64
	ClosedUS  int64 // signed or given up; 0 while open
	Ready     bool  // handed over to a signer
	// Ground is the digest of the ground that the preparer saw last; a signer whose
	// archive gives another one is told so and starts from the new one.
	Ground string
}

// ClaimKind says how a person signed.
type ClaimKind = account.KeyKind

// Claim is a person's signature of a statement.
type Claim struct {
	Account     string
	Kind        ClaimKind
	Fingerprint string // of the key
	Public      string // the public half, so that the claim can be checked without the archive
	Signature   []byte // a signed note; an armored SSH signature; an authenticator's assertion as JSON
}

// SignOff is a signed statement.
type SignOff struct {
	ID        int64
	Number    string // for people: "S-0007"
	Campaign  string
	Title     string
	Candidate string // arm name
	ArmID     string
	Target    Target
	Decision  Decision
	Statement string // the signed text
	Digest    string // SHA-256 of the text
	Preparer  string
	Signer    string
	SignedUS  int64
	LogIndex  int64 // the record of the statement
	Claim     Claim
	Artifacts []evidence.Digest
	Withdrawn evidence.Opt[Withdrawal]
}

// Withdrawal takes a sign-off back; it is a record of its own.
type Withdrawal struct {
	By, Reason string
	AtUS       int64
	LogIndex   int64
}

// Check is one thing that is held against the archive of today.
type Check struct {
	ID    string // "artifacts-present"
	Title string
	OK    bool
	Stale bool   // failing makes the sign-off stale; else it makes it invalid
	Says  string // what was found
	Href  string // where to look, "" for nowhere
}

// Standing is what a sign-off is worth today.
type Standing struct {
	State   State
	Reasons []string // why it is not current
	Checks  []Check
	AtUS    int64
	LogSize int64
}

// State of a sign-off.
type State string

// States.
const (
	Current   State = "current"
	Stale     State = "stale"     // its ground moved
	Invalid   State = "invalid"   // a signature, proof or digest does not hold
	Withdrawn State = "withdrawn" // taken back by a person
)
