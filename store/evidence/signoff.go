package evidence

// SignOffRow is a signed statement as lists and exports read it.
type SignOffRow struct {
	Campaign, Decision, Signer string
	SignedUS                   int64
	State                      string   // what it is worth today: current, stale, invalid or withdrawn
	Statement                  Digest   // of the signed text
	Artifacts                  []Digest // that it names
	Number                     string   // for people
	Candidate, Target          string
	Preparer                   string
	Reasons                    []string // why it is not current
	LogIndex                   int64    // of its record in the transparency log
	Ruleset                    int
	Policy                     string // name and version of the gates policy, "default@3"
	PolicyDigest               string
}
