package anvil

import (
	"strconv"
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// wordSet is a set of lower-case words.
func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

var (
	// passWords say that what is counted went well, failWords that it did not.
	passWords = wordSet("passed pass passes passing succeeded success successful completed complete correct correctly ok exact exactly valid answered returned accepted solved found retrieved")
	failWords = wordSet("failed fail fails failing failure failures error errors missed lost dropped refused rejected timed wrong incorrect invalid crashed")
	// taskWords are what a gate counts.
	taskWords = wordSet("coding code edit edits editing triage tool tools call calls needle needles retrieval retrievals json structured smoke burst bursts canary canaries " +
		"request requests prompt prompts question questions test tests case cases check checks task tasks answer answers quality accuracy capacity marker markers recall math " +
		"summary translation function functions functional eval evals streaming continuation probe probes sample samples item items correctness schema vision")
	// orderWords number parts: "phase 1/2" passed nothing.
	orderWords = wordSet("phase part step stage version page round attempt trial shard chunk iteration section chapter volume day week rank card gpu node option variant level tier batch")
)

// isPassRate reports whether a fraction counts what passed: it says so, it counts tasks,
// or its denominator is one that the document knows.
func (n *narrator) isPassRate(g evidence.Gate, d *detail, x prose.Result) bool {
	s := d.segment(x)
	if s == nil || numbersParts(g.Detail, x) {
		return false
	}
	clause := s.spans
	if anyOf(clause, failWords) && !anyOf(clause, passWords) {
		return false
	}
	if anyOf(d.spans, passWords) || anyOf(clause, taskWords) || anyOf(d.title, taskWords) || anyOf(d.title, passWords) {
		return true
	}
	for _, o := range d.segments {
		if o.statement == s.statement && anyOf(o.spans, taskWords) {
			return true
		}
	}
	if strings.Contains(g.Name, strconv.FormatInt(x.Den, 10)+"-way") {
		return true
	}
	return countsCapacity(g) && anyRun(n.arms, x.Den, nil)
}

func anyRun(arms []*arm, requests int64, states []string) bool {
	for _, a := range arms {
		if len(a.capacityRuns(requests, states)) > 0 {
			return true
		}
	}
	return false
}

func anyOf(spans map[string]prose.Span, set map[string]bool) bool {
	for w := range spans {
		if set[w] {
			return true
		}
	}
	return false
}

// numbersParts reports whether the word right before a fraction numbers parts.
func numbersParts(text string, x prose.Result) bool {
	before := strings.Fields(x.What.Text(text))
	return len(before) > 0 && orderWords[strings.ToLower(strings.Trim(before[len(before)-1], ".,:"))]
}
