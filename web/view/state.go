package view

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assay/store/evidence"
)

// gateBadges: square glyphs, our word.
var gateBadges = map[evidence.GateStatus]Badge{
	evidence.GatePassed:     {Kind: "gate-pass", Glyph: "gate-passed", Word: "passed"},
	evidence.GateFailed:     {Kind: "gate-stop", Glyph: "gate-failed", Word: "failed"},
	evidence.GateRejected:   {Kind: "gate-stop", Glyph: "gate-failed", Word: "rejected"},
	evidence.GateMissing:    {Kind: "gate-none", Glyph: "gate-missing", Word: "missing"},
	evidence.GateUnresolved: {Kind: "gate-open", Glyph: "gate-unresolved", Word: "unresolved"},
}

// gateBadge never lets a word it does not know look passed.
func gateBadge(s evidence.GateStatus) Badge {
	if b, ok := gateBadges[s]; ok {
		return b
	}
	return gateBadges[evidence.GateUnresolved]
}

// stopOrder lists gates that stop something before those that do not.
var stopOrder = map[evidence.GateStatus]int{
	evidence.GateRejected: 0, evidence.GateFailed: 1, evidence.GateUnresolved: 2, evidence.GateMissing: 3, evidence.GatePassed: 4,
}

func gateRank(s evidence.GateStatus) int {
	if n, ok := stopOrder[s]; ok {
		return n
	}
	return stopOrder[evidence.GateUnresolved]
}

// gateTally counts gates by our status: "2 of 6 passed, 1 rejected, 2 unresolved".
func gateTally(gates []evidence.GateRow) string {
	var n [5]int64
	for i := range gates {
		n[gateRank(gates[i].Status)]++
	}
	parts := []string{Int(n[4]) + " of " + Int(int64(len(gates))) + " passed"}
	for i, word := range []string{"rejected", "failed", "unresolved", "missing"} {
		if n[i] > 0 {
			parts = append(parts, Int(n[i])+" "+word)
		}
	}
	return strings.Join(parts, ", ")
}

// factBadges: a small dot says where a fact comes from.
var factBadges = map[evidence.State]Badge{
	evidence.Recorded: {Kind: "plain", Glyph: "recorded", Word: "recorded"},
	evidence.Derived:  {Kind: "plain", Glyph: "derived", Word: "derived"},
	evidence.Declared: {Kind: "plain", Glyph: "declared", Word: "declared"},
	evidence.Conflict: {Kind: "unknown", Glyph: "conflict", Word: "conflict"},
	evidence.Absent:   {Kind: "plain", Glyph: "absent", Word: "absent"},
}

func factBadge(s evidence.State) Badge {
	if b, ok := factBadges[s]; ok {
		return b
	}
	return Badge{Kind: "unknown", Glyph: "unknown", Word: plain(string(s), maxUnit)}
}

// endBadges: how an input ended.
var endBadges = map[evidence.EndState]Badge{
	evidence.Accepted:    {Kind: "ok", Glyph: "ok", Word: "accepted"},
	evidence.Duplicate:   {Kind: "plain", Glyph: "recorded", Word: "duplicate"},
	evidence.Archived:    {Kind: "plain", Glyph: "recorded", Word: "archived only"},
	evidence.Quarantined: {Kind: "blocked", Glyph: "blocked", Word: "quarantined"},
	evidence.Pending:     {Kind: "caveat", Glyph: "wait", Word: "not read yet"},
	"lost":               {Kind: "blocked", Glyph: "gate-failed", Word: "lost"}, // of a file that was handed in: there are no bytes
}

func endBadge(s evidence.EndState) Badge {
	if b, ok := endBadges[s]; ok {
		return b
	}
	return Badge{Kind: "unknown", Glyph: "unknown", Word: plain(string(s), maxUnit)}
}

var severityBadges = map[evidence.Severity]Badge{
	evidence.Info:    {Kind: "plain", Glyph: "recorded", Word: "info"},
	evidence.Warning: {Kind: "caveat", Glyph: "caveat", Word: "warning"},
	evidence.Error:   {Kind: "blocked", Glyph: "blocked", Word: "error"},
}

func severityBadge(s evidence.Severity) Badge {
	if b, ok := severityBadges[s]; ok {
		return b
	}
	return Badge{Kind: "unknown", Glyph: "unknown", Word: plain(string(s), maxUnit)}
}

// Moment is a time written out in UTC.
func Moment(us int64) string {
	if us == 0 {
		return "not recorded"
	}
	return time.UnixMicro(us).UTC().Format("2006-01-02 15:04:05 UTC")
}

// observed is a source's own date or time; a time with a zone is written out in UTC.
func observed(s string) string {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	return plain(s, maxName)
}

// classTitles are the workload classes as headings.
var classTitles = map[string]string{
	evidence.ClassShort:      "Short capacity",
	evidence.ClassAggregate:  "Aggregate throughput",
	evidence.ClassLong:       "Long context",
	evidence.ClassFunctional: "Functional",
	evidence.ClassQuality:    "Quality",
	evidence.ClassStartup:    "Start-up",
	evidence.ClassGeneration: "Long generation",
	evidence.ClassMedia:      "Multimodal",
	evidence.ClassSpeech:     "Speech",
}

// Classes are the workload classes in the order choosers list them.
var Classes = []string{
	evidence.ClassShort, evidence.ClassAggregate, evidence.ClassLong, evidence.ClassGeneration,
	evidence.ClassMedia, evidence.ClassSpeech,
	evidence.ClassFunctional, evidence.ClassQuality, evidence.ClassStartup,
}

func classTitle(c string) string {
	if t, ok := classTitles[c]; ok {
		return t
	}
	if c == "" {
		return "No workload class"
	}
	return plain(c, maxName)
}

// human writes a member name as words: "promotion_boundary" is "promotion boundary".
func human(key string) string {
	return plain(strings.TrimSpace(strings.NewReplacer("_", " ", "-", " ").Replace(key)), maxName)
}

// headed is human with a capital, for a heading.
func headed(key string) string { return recased(human(key), unicode.ToUpper) }

// recased changes the case of the first character.
func recased(s string, to func(rune) rune) string {
	r, w := utf8.DecodeRuneInString(s)
	if w == 0 {
		return s
	}
	return string(to(r)) + s[w:]
}
