package compare

import (
	"sort"

	"assay/store/evidence"
)

// RulesetVersion is raised whenever a rule's verdict on any pair may change.
const RulesetVersion = 3

// Verdict on a pair.
type Verdict string

const (
	OK      Verdict = "ok"
	Caution Verdict = "caveat"
	Unknown Verdict = "unknown"
	Blocked Verdict = "blocked"
	// Noted is the verdict of a reason that changes nothing: something to know.
	Noted Verdict = "note"
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
func (v Verdict) Shows() bool { return v == OK || v == Caution || v == Noted }

// SourceRef is a place in an artifact.
type SourceRef struct {
	Artifact evidence.Digest
	Place    evidence.Place
}

// Side is one side of a reason: what the fact says there and where it stands. Known
// is false when the side records nothing, or two things.
type Side struct {
	Known   bool
	Value   string
	State   evidence.State
	Sources []SourceRef
}

// Reason is what one rule says of a pair.
type Reason struct {
	Rule    string
	Verdict Verdict
	// Ranking is the verdict where a winner is asked for: a rule of rank scope leaves the
	// difference standing and stops the ranking.
	Ranking     Verdict
	Scope       Scope
	Key         evidence.FactKey // "" when the rule is not about one fact
	Left, Right Side
	Message     string
	Remedy      string
}

// Judgement is the verdict on a pair and everything that led to it.
type Judgement struct {
	Verdict Verdict
	// Ranking is the verdict on a winner, at least as strict as Verdict.
	Ranking Verdict
	Ruleset int
	Reasons []Reason // blocking first, then unknown, then caveats; then by rule and key
	Notes   []Reason // what is worth knowing and decides nothing
}

// All are the reasons and then the notes.
func (j *Judgement) All() []Reason {
	out := make([]Reason, 0, len(j.Reasons)+len(j.Notes))
	return append(append(out, j.Reasons...), j.Notes...)
}

// judgementOf puts reasons in order and gives the worst of their verdicts.
func judgementOf(reasons []Reason) Judgement {
	j := Judgement{Verdict: OK, Ranking: OK, Ruleset: RulesetVersion}
	for i := range reasons {
		if r := &reasons[i]; r.Verdict == Noted {
			j.Notes = append(j.Notes, *r)
		} else {
			j.Reasons = append(j.Reasons, *r)
		}
		if v := reasons[i].Ranking; v.rank() > j.Ranking.rank() {
			j.Ranking = v
		}
	}
	inOrder(j.Reasons)
	inOrder(j.Notes)
	if len(j.Reasons) > 0 {
		j.Verdict = j.Reasons[0].Verdict
	}
	if j.Verdict.rank() > j.Ranking.rank() {
		j.Ranking = j.Verdict
	}
	return j
}

func inOrder(reasons []Reason) {
	sort.SliceStable(reasons, func(a, b int) bool {
		x, y := &reasons[a], &reasons[b]
		if x.Verdict.rank() != y.Verdict.rank() {
			return x.Verdict.rank() > y.Verdict.rank()
		}
		if x.Rule != y.Rule {
			return x.Rule < y.Rule
		}
		return x.Key < y.Key
	})
}

// dedupe keeps one reason per rule and key: the gravest.
func dedupe(in []Reason) []Reason {
	type id struct {
		rule string
		key  evidence.FactKey
	}
	at := map[id]int{}
	var out []Reason
	for _, r := range in {
		k := id{rule: r.Rule, key: r.Key}
		if i, ok := at[k]; ok {
			if r.Verdict.rank() > out[i].Verdict.rank() {
				out[i] = r
			}
			continue
		}
		at[k] = len(out)
		out = append(out, r)
	}
	return out
}
