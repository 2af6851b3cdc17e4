package signoff

import (
	"fmt"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// Ways are the ways in which evidence answers a gate, in words: what a person who reads
// the policy has to know to predict its answer.
func (g *Gate) Ways() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(g.Names) > 0 {
		say("a gate of a source whose name has %s", quoted(g.Names))
	}
	if len(g.Parts) > 0 {
		var parts []string
		for _, p := range g.Parts {
			parts = append(parts, quoted(p))
		}
		say("gates of a source that passed, one for each part: %s", strings.Join(parts, "; "))
	}
	if len(g.Not) > 0 {
		say("never a gate whose name has %s", quoted(g.Not))
	}
	if len(g.Scoped) > 0 {
		say("a pass under a name with %s is narrower than what is asked, and counts for nothing", quoted(g.Scoped))
	}
	if len(g.Against) > 0 {
		say("a pass whose words have %s is unresolved", quoted(g.Against))
	}
	if g.Score > 0 {
		say("a pass speaks of %d attempts or more, all of them passed", g.Score)
	}
	if g.Canaries {
		say("under load, as many canaries came back as requests were sent")
	}
	if m, ok := evidence.LookupMetric(g.Metric); ok {
		say("every figure of %s (%s) is %s", m.ID, m.Title, g.bound())
	}
	if g.Text != "" {
		say("where a gate of a source says how much is %s, it is %s", g.Text, g.bound())
	}
	return append(out, g.waysOfFacts()...)
}

func (g *Gate) waysOfFacts() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch {
	case g.Fact != "" && g.Form == formDigest:
		say("the %s is recorded or declared, and is a SHA-256", evidence.LookupKey(g.Fact).Title)
	case g.Fact != "":
		say("the %s is recorded or declared", evidence.LookupKey(g.Fact).Title)
	}
	if g.StatusFact != "" {
		say("the status word of the %s", evidence.LookupKey(g.StatusFact).Title)
	}
	if g.Class != "" {
		share := "all of their checks"
		if g.PassRate != "" {
			share = g.PassRate + " of their checks"
		}
		say("runs of the class %s passed %s, with %d repetitions or more", g.Class, share, g.Repeats)
	}
	if g.Path != "" {
		say("checks of the candidate took the path %s and passed", g.Path)
	}
	if g.Tokens > 0 {
		say("tool calls at %s actual prompt tokens or more are recorded", thousands(g.Tokens))
	}
	if g.References {
		say("every file that a decision document names is in the archive")
	}
	if len(g.Limitation) > 0 {
		say("a limitation with %s says that it is open", quoted(g.Limitation))
	}
	return out
}

// thousands writes 100000 as 100,000.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func quoted(phrases []string) string {
	var out []string
	for _, p := range phrases {
		out = append(out, "“"+p+"”")
	}
	return strings.Join(out, ", ")
}
