package compare

import (
	"fmt"
	"sort"
	"strings"

	"assay/store/evidence"
)

// JudgeSeveral judges two places that lead to several runs each. There is a verdict only
// where none of the runs that could be meant may be compared: then whichever was meant,
// the pair is refused, with the reasons that all of them share. ok is false where it
// depends on the run; the caller must then name one.
func JudgeSeveral(left, right []*evidence.RunRow, q Question) (j Judgement, ok bool) {
	if len(left) == 0 || len(right) == 0 || len(left)*len(right) > maxCombined {
		return j, false
	}
	var reasons []Reason
	if len(left) > 1 || len(right) > 1 {
		reasons = append(reasons, severalReason(left, right, q))
	}
	if q.Metric == evidence.PassRate && suiteSets(left) != suiteSets(right) {
		// A pass rate over a whole file of suites is no measurement, and these are not even
		// the same suites.
		return judgementOf(append(reasons, suiteReason(left, right))), true
	}
	shared := map[id]*Reason{}
	count := map[id]int{}
	for _, a := range left {
		for _, b := range right {
			one := Judge(a, b, q)
			if one.Verdict.Shows() {
				return j, false
			}
			for i := range one.Reasons {
				r := &one.Reasons[i]
				k := id{r.Rule, r.Key}
				if count[k]++; shared[k] == nil || r.Verdict.rank() < shared[k].Verdict.rank() {
					shared[k] = r
				}
			}
		}
	}
	for k, n := range count {
		if n == len(left)*len(right) && (k.rule != "M-DEFINED" || len(left)*len(right) == 1) {
			reasons = append(reasons, *shared[k])
		}
	}
	return judgementOf(reasons), true
}

// maxCombined bounds the pairs that two places may stand for.
const maxCombined = 400

type id struct {
	rule string
	key  evidence.FactKey
}

func severalReason(left, right []*evidence.RunRow, q Question) Reason {
	return Reason{Rule: "M-DEFINED", Verdict: Blocked, Ranking: Blocked, Scope: ScopeDelta, Left: runsSide(left), Right: runsSide(right),
		Message: fmt.Sprintf("a place leads to no one value of %s: %d runs on the left, %d on the right", q.Metric, len(left), len(right)),
		Remedy:  "name the place of one run"}
}

func suiteReason(left, right []*evidence.RunRow) Reason {
	return Reason{Rule: "Q-SUITE", Verdict: Blocked, Ranking: Blocked, Scope: ScopeDelta, Key: evidence.KeySuite,
		Left: textSide(suiteSets(left)), Right: textSide(suiteSets(right)),
		Message: "other suites ran, and a pass rate over a whole file is no measurement", Remedy: "name one suite that both sides ran"}
}

func runsSide(runs []*evidence.RunRow) Side {
	s := Side{Known: len(runs) == 1}
	for _, r := range runs[:min(len(runs), maxListed)] {
		s.Sources = append(s.Sources, SourceRef{Artifact: r.Artifact, Place: r.Place})
	}
	return s
}

// suiteSets names the suites that runs are of.
func suiteSets(runs []*evidence.RunRow) string {
	var names []string
	for _, r := range runs {
		if s := side(r, evidence.KeySuite); s.Known {
			names = append(names, s.Value)
		}
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}
