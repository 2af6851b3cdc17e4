package view

import (
	"cmp"
	"slices"
	"strings"

	"assay/store/evidence"
)

var runBadges = map[evidence.RunStatus]Badge{
	evidence.Measured:      {Kind: "plain", Glyph: "recorded", Word: "measured"},
	evidence.RunFailed:     {Kind: "blocked", Glyph: "gate-failed", Word: "failed"},
	evidence.NotRun:        {Kind: "plain", Glyph: "gate-missing", Word: "not run"},
	evidence.RunUnresolved: {Kind: "unknown", Glyph: "gate-unresolved", Word: "unresolved"},
	evidence.External:      {Kind: "caveat", Glyph: "caveat", Word: "external: published by somebody else"},
}

func runBadge(s evidence.RunStatus) Badge {
	if b, ok := runBadges[s]; ok {
		return b
	}
	return Badge{Kind: "unknown", Glyph: "unknown", Word: plain(cmp.Or(string(s), "not recorded"), maxUnit)}
}

// unmeasured is how a run ended that its source does not simply call measured, nil
// otherwise.
func unmeasured(s evidence.RunStatus) *Badge {
	if s == evidence.Measured {
		return nil
	}
	b := runBadge(s)
	return &b
}

// unfinished reports whether what a run printed is no result: nothing of it is drawn.
func unfinished(r *evidence.RunRow) bool {
	return r.Status == evidence.RunFailed || r.Status == evidence.NotRun || r.Status == evidence.RunUnresolved
}

func armName(r *evidence.RunRow) string { return plain(cmp.Or(r.Arm, r.Name, r.ID), maxName) }

// runOrdinal is the part of a run's id that counts the runs of an artifact: "r7".
func runOrdinal(r *evidence.RunRow) string {
	return plain(r.ID[strings.LastIndexByte(r.ID, '-')+1:], maxName)
}

// apartNames names runs by their arms. Runs of one arm are told apart by their own
// names, else by the facts that differ between them, else by their number.
func apartNames(runs []*evidence.RunRow) []string {
	names := make([]string, len(runs))
	of := make(map[string][]int)
	for i, r := range runs {
		names[i] = armName(r)
		of[names[i]] = append(of[names[i]], i)
	}
	for arm, at := range of {
		if len(at) < 2 {
			continue
		}
		same := make([]evidence.RunRow, len(at))
		for k, i := range at {
			same[k] = *runs[i]
		}
		words := apartWords(same)
		for k, i := range at {
			names[i] = arm + ", " + words[k]
		}
	}
	return names
}

// classNames are the names of all runs by id, each told apart from the runs of its arm
// in its class.
func classNames(runs []evidence.RunRow) map[string]string {
	by := make(map[string][]*evidence.RunRow)
	for i := range runs {
		by[runs[i].Class] = append(by[runs[i].Class], &runs[i])
	}
	names := make(map[string]string, len(runs))
	for _, of := range by {
		for i, name := range apartNames(of) {
			names[of[i].ID] = name
		}
	}
	return names
}

// apartWords are the shortest words that tell runs of one arm apart.
func apartWords(runs []evidence.RunRow) []string {
	keys := differing(runs)
	own, facts, both, number := make([]string, len(runs)), make([]string, len(runs)), make([]string, len(runs)), make([]string, len(runs))
	for i := range runs {
		r := &runs[i]
		var parts []string
		for _, l := range tellingFacts(r, keys) {
			parts = append(parts, l.Label+" "+l.Value.Text.String())
		}
		own[i], facts[i], number[i] = plain(cmp.Or(r.Name, "unnamed"), maxName), strings.Join(parts, ", "), "run "+runOrdinal(r)
		both[i] = strings.Trim(own[i]+", "+facts[i], ", ")
	}
	for _, words := range [][]string{own, facts, both} {
		if distinctWords(words) {
			return words
		}
	}
	return number
}

func distinctWords(words []string) bool {
	sorted := slices.Sorted(slices.Values(words))
	return len(slices.Compact(sorted)) == len(words) && !slices.Contains(words, "")
}

// withinArms puts those keys first that tell runs of one arm apart: a row's second line
// has room for a few, and these are what the reader needs.
func withinArms(runs []evidence.RunRow, keys []evidence.FactKey) []evidence.FactKey {
	of := make(map[string][]evidence.RunRow)
	for _, r := range runs {
		of[r.Arm] = append(of[r.Arm], r)
	}
	first := make(map[evidence.FactKey]bool)
	for _, same := range of {
		if len(same) < 2 {
			continue
		}
		for _, k := range differing(same) {
			first[k] = true
		}
	}
	out := slices.Clone(keys)
	slices.SortStableFunc(out, func(a, b evidence.FactKey) int {
		switch {
		case first[a] == first[b]:
			return 0
		case first[a]:
			return -1
		}
		return 1
	})
	return out
}

// numberAlike gives rows that read the same the number of their run.
func numberAlike(rows []ResultRow, runs []evidence.RunRow) {
	type alike struct{ arm, name, facts string }
	key := func(r *ResultRow) alike {
		k := alike{arm: r.Arm.Text.String(), name: r.RunName}
		for _, f := range r.Facts {
			k.facts += f.Label + " " + f.Value.Text.String() + "; "
		}
		return k
	}
	count := make(map[alike]int)
	for i := range rows {
		count[key(&rows[i])]++
	}
	for i := range rows {
		if k := key(&rows[i]); count[k] > 1 {
			rows[i].RunName = strings.TrimPrefix(k.name+", run "+runOrdinal(&runs[i]), ", ")
		}
	}
}
