package compare

import (
	"sort"

	"assay/store/evidence"
)

// RulesetVersion is raised whenever a rule's verdict on any pair may change.
const RulesetVersion = 1

// Verdict on a pair.
type Verdict string

const (
	OK      Verdict = "ok"
	Caution Verdict = "caveat"
	Unknown Verdict = "unknown"
	Blocked Verdict = "blocked"
)

// rank orders verdicts from harmless to stopping.
func (v Verdict) rank() int {
	switch v {
	case Blocked:
		return 3
	case Unknown:
		return 2
	case Caution:
		return 1
	default:
		return 0
	}
}

// Shows reports whether values and a delta may be shown.
func (v Verdict) Shows() bool { return v == OK || v == Caution }

// SourceRef is a place in an artifact.
type SourceRef struct {
	Artifact evidence.Digest
	Place    evidence.Place
}

// Side is one side of a reason: what the fact says there and where it stands. Known
// is false when the side records nothing.
type Side struct {
	Known   bool
	Value   string
	State   evidence.State
	Sources []SourceRef
}

// Reason is what one rule says of a pair.
type Reason struct {
	Rule        string
	Verdict     Verdict
	Key         evidence.FactKey // "" when the rule is not about one fact
	Left, Right Side
	Message     string
	Remedy      string
}

// Judgement is the verdict on a pair and everything that led to it.
type Judgement struct {
	Verdict Verdict
	Ruleset int
	Reasons []Reason // blocking first, then unknown, then caveats; then by rule and key
}

func judgementOf(reasons []Reason) Judgement {
	j := Judgement{Verdict: OK, Ruleset: RulesetVersion, Reasons: reasons}
	sort.SliceStable(j.Reasons, func(a, b int) bool {
		x, y := j.Reasons[a], j.Reasons[b]
		if x.Verdict.rank() != y.Verdict.rank() {
			return x.Verdict.rank() > y.Verdict.rank()
		}
		if x.Rule != y.Rule {
			return x.Rule < y.Rule
		}
		return x.Key < y.Key
	})
	if len(j.Reasons) > 0 {
		j.Verdict = j.Reasons[0].Verdict
	}
	return j
}
