package signoff

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/store/evidence"
)

var (
	scoreOf  = regexp.MustCompile(`(\d{1,7})\s?(/|of)\s?(\d{1,7})`)
	scoreAll = regexp.MustCompile(`^\s*\d{1,7}\s?(?:/|of)\s?\d{1,7}\s*(?:passed|clean)?\s*$`)
	amountOf = regexp.MustCompile(`(\d+(?:[.,]\d+)*)\s?(KiB|MiB|GiB|kB|MB|GB|bytes)\b`)
	repeatOf = regexp.MustCompile(`(?i)\b(\d{1,4}|two|three|four|five|six|seven|eight|nine|ten) (?:repetitions|repeats|rounds|times|attempts each)\b`)
	tokensOf = regexp.MustCompile(`(\d+(?:,\d{3})*) (?:actual |observed |measured |API-reported )+prompt tokens`)
)

// longDetail bounds the text that is searched for figures, mostFigures how many are read.
const (
	longDetail  = 4000
	mostFigures = 50
)

// fromGates are the answers of gates that sources list.
func (g *Gate) fromGates(j *judging, narrowing []string, asked map[string]bool) []answer {
	if len(g.Names)+len(g.Parts) == 0 {
		return nil
	}
	var out []answer
	parts := make([][]answer, len(g.Parts))
	for i := range j.Documents {
		d := &j.Documents[i]
		about := j.about(d)
		for k := range d.Gates {
			row := &d.Gates[k]
			name := phrase(row.Name)
			if has(name, g.Not) {
				continue
			}
			named := has(name, g.Names)
			part := slices.IndexFunc(g.Parts, func(part []string) bool { return has(name, part) })
			if !named && part < 0 {
				continue
			}
			asked[placeOf(row)] = true
			if !about || !g.Back && j.otherArm(row) {
				continue
			}
			a := g.fromGate(j, d, row, narrowing)
			if named {
				out = append(out, a)
				continue
			}
			for x := range g.Parts {
				if has(name, g.Parts[x]) {
					parts[x] = append(parts[x], a)
				}
			}
		}
	}
	return append(out, g.together(out, parts)...)
}

// together is the answer of gates that are parts of what is asked. Where a source answers
// the whole, parts only stand against it.
func (g *Gate) together(whole []answer, parts [][]answer) []answer {
	var out []answer
	var open []string
	for i, list := range parts {
		if !slices.ContainsFunc(list, func(a answer) bool { return a.state == GatePassed }) {
			open = append(open, g.Parts[i][0])
		}
		for _, a := range list {
			if a.state != GatePassed || len(whole) > 0 {
				a.narrow = a.state != GateFailed && a.state != GateUnresolved
			}
			out = append(out, a)
		}
	}
	switch {
	case len(out) == 0 || len(whole) > 0:
		return out
	case len(open) > 0:
		return append(out, answer{state: GateMissing, says: "no gate of a source passed for " + strings.Join(open, ", ")})
	}
	var all []string
	for _, p := range g.Parts {
		all = append(all, p[0])
	}
	return slices.Insert(out, 0, answer{state: GatePassed, says: strings.Join(all, ", ") + " passed"})
}

func placeOf(row *evidence.GateRow) string {
	return row.Artifact.String() + "#" + string(row.Place.Pointer)
}

// fromGate reads one gate of a source: its word, the score that it speaks of, and the
// quantity in its detail.
func (g *Gate) fromGate(j *judging, d *evidence.DocumentDetail, row *evidence.GateRow, narrowing []string) answer {
	a := answer{told: true, quoted: row.SourceStatus, source: Source{Artifact: row.Artifact, Pointer: row.Place.Pointer, Text: row.SourceStatus}}
	title := clipped(row.Name, longTitle)
	if v, text, ok := g.quantityIn(row.Detail); ok && g.misses(v) {
		a.state, a.quoted = GateFailed, clipped(row.Detail, longQuote)
		a.says = fmt.Sprintf("%s: %s, and %s is asked for; the source's word is %q", title, text, g.bound(), clipped(row.SourceStatus, longTitle))
		if row.Status == evidence.GatePassed && has(phrase(row.Name), g.Scoped) {
			a.says, a.scoped = a.says+", for a narrower bound of its own", true
		}
		return g.ofAnother(j, a, row)
	}
	n, m, scored := score(row.SourceStatus, row.Detail)
	switch row.Status {
	case evidence.GateFailed, evidence.GateRejected:
		a.state, a.says = GateFailed, title+" did not pass"
		if scored {
			a.says = fmt.Sprintf("%s: %d of %d", title, n, m)
		}
		a = g.ofAnother(j, a, row)
	case evidence.GateMissing:
		a.state, a.says, a.narrow = GateMissing, title+" was not run", len(d.Decisions) == 0
	case evidence.GatePassed:
		g.passed(&a, j, row, narrowing)
	default:
		a.state, a.says = GateUnresolved, title+": a word that is no plain pass"
		if scored && n < m {
			a.state, a.says = GateFailed, fmt.Sprintf("%s: %d of %d", title, n, m)
		} else if onlyScore(row.SourceStatus) && scored {
			g.passed(&a, j, row, narrowing) // "20/20" is a plain pass
		}
	}
	a.says += keptWords(d, row)
	return a
}

// ofAnother takes a failure whose words speak of another arm only for what it is: no
// answer about the candidate, and nothing that could be passed over.
func (g *Gate) ofAnother(j *judging, a answer, row *evidence.GateRow) answer {
	if a.state == GateFailed && !g.Back && j.settingOfOthers(phrase(row.Detail[:min(len(row.Detail), longDetail)])) {
		a.state, a.says = GateUnresolved, a.says+"; its words speak of another arm"
	}
	return a
}

// passed holds a pass against what the gate asks beyond it.
func (g *Gate) passed(a *answer, j *judging, row *evidence.GateRow, narrowing []string) {
	title, name, detail := clipped(row.Name, longTitle), phrase(row.Name), phrase(row.Detail[:min(len(row.Detail), longDetail)])
	n, m, scored := score(row.SourceStatus, row.Detail)
	a.state = GateUnresolved
	switch {
	case scored && n < m:
		a.state, a.says = GateFailed, fmt.Sprintf("%s: called passed with %d of %d", title, n, m)
	case has(detail, g.Against) || has(name, g.Against):
		a.says, a.quoted = title+": called passed, and its words speak against it", clipped(row.Detail, longQuote)
	case !g.Back && j.settingOfOthers(detail):
		a.says, a.quoted, a.narrow = title+": passed, and its words speak of another arm", clipped(row.Detail, longQuote), true
	case has(name, g.Scoped) || has(name, narrowing) || has(detail, narrowing):
		a.says, a.narrow = title+": passed, for something narrower than what is asked", true
	case g.Score > 0 && !scored:
		a.says, a.narrow = fmt.Sprintf("%s: passed, and does not say of how many; %d attempts are asked for", title, g.Score), true
	case g.Score > 0 && m < g.Score:
		a.says, a.narrow = fmt.Sprintf("%s: %d of %d, and %d attempts are asked for", title, n, m, g.Score), true
	case g.Repeats > 0 && repetitions(row.Detail) < g.Repeats:
		a.says, a.narrow = fmt.Sprintf("%s: passed, and does not speak of %d repetitions", title, g.Repeats), true
	case g.Tokens > 0 && g.tokens(j, row) < g.Tokens:
		a.says, a.narrow = fmt.Sprintf("%s: passed, and no tool call at %s actual prompt tokens is recorded", title, thousands(g.Tokens)), true
	default:
		a.state, a.says = GatePassed, title
		if scored {
			a.says = fmt.Sprintf("%s: %d of %d", title, n, m)
		}
	}
}

// keptWords says of the file that a gate names whether it is here.
func keptWords(d *evidence.DocumentDetail, row *evidence.GateRow) string {
	if row.Evidence == "" {
		return ""
	}
	here := true // of a name that is no reference nothing is known
	for i := range d.References {
		if x := &d.References[i]; x.Name == row.Evidence {
			here = x.State.Here() || x.State == evidence.RefByName
		}
	}
	if here {
		return ""
	}
	return "; its evidence " + clipped(row.Evidence, longTitle) + " is not kept here"
}

// score finds "17/20" in the word of a gate or in its detail; the worst counts.
func score(word, detail string) (n, m int, ok bool) {
	for _, text := range []string{word, detail} {
		text = text[:min(len(text), longDetail)]
		for _, x := range scoreOf.FindAllStringSubmatchIndex(text, mostFigures) {
			if !alone(text, x[0], x[1]) {
				continue
			}
			a, _ := strconv.Atoi(text[x[2]:x[3]])
			b, _ := strconv.Atoi(text[x[6]:x[7]])
			if b == 0 || a > b {
				continue
			}
			if !ok || a*m < n*b || a*m == n*b && b > m {
				n, m, ok = a, b, true
			}
		}
	}
	return n, m, ok
}

// alone reports whether a figure is no part of a longer one, a date or a path.
func alone(text string, from, to int) bool {
	const joins = ".,/-_:"
	if from > 0 && (isDigit(text[from-1]) || isLetter(text[from-1]) || strings.IndexByte(joins, text[from-1]) >= 0) {
		return false
	}
	if to == len(text) {
		return true
	}
	next := text[to]
	if isLetter(next) || isDigit(next) || next == '/' || next == '-' || next == '_' {
		return false
	}
	return to+1 == len(text) || !strings.ContainsRune(".,", rune(next)) || !isDigit(text[to+1])
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// onlyScore reports whether a word is a score and nothing else.
func onlyScore(word string) bool { return scoreAll.MatchString(word) }

// quantityIn finds the smallest amount of memory that stands before the gate's word:
// "2354 MiB free".
func (g *Gate) quantityIn(detail string) (v float64, text string, ok bool) {
	if g.Text == "" || detail == "" {
		return 0, "", false
	}
	detail = detail[:min(len(detail), longDetail)]
	for _, at := range amountOf.FindAllStringSubmatchIndex(detail, mostFigures) {
		after := phrase(detail[at[1]:min(at[1]+40, len(detail))])
		near := len(after) > 0 && after[0] == g.Text || len(after) > 1 && slices.Contains(linking, after[0]) && after[1] == g.Text
		if !near {
			continue
		}
		number := strings.ReplaceAll(detail[at[2]:at[3]], ",", "")
		x, _, err := evidence.ToBase(number, detail[at[4]:at[5]])
		if err == nil && (!ok || x < v) {
			v, text, ok = x, detail[at[0]:at[1]]+" "+g.Text, true
		}
	}
	return v, text, ok
}

// linking are words that may stand between a quantity and what it is of.
var linking = []string{"is", "are", "was", "were", "left", "stays", "stayed", "remained", "remains"}

var counting = []string{"", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// repetitions are those that a detail speaks of; the fewest where it names several.
func repetitions(detail string) int {
	fewest := 0
	for _, x := range repeatOf.FindAllStringSubmatch(detail[:min(len(detail), longDetail)], mostFigures) {
		n := slices.Index(counting, strings.ToLower(x[1]))
		if n < 0 {
			n, _ = strconv.Atoi(x[1])
		}
		if fewest == 0 || n < fewest {
			fewest = n
		}
	}
	return fewest
}

// tokens are the actual prompt tokens that a gate of a source speaks of, or that a tool
// check of the candidate recorded.
func (g *Gate) tokens(j *judging, row *evidence.GateRow) int64 {
	var most int64
	for _, x := range tokensOf.FindAllStringSubmatch(row.Detail[:min(len(row.Detail), longDetail)], mostFigures) {
		v, err := strconv.ParseInt(strings.ReplaceAll(x[1], ",", ""), 10, 64)
		if err == nil {
			most = max(most, v)
		}
	}
	for _, r := range j.runs {
		if r.Class != evidence.ClassFunctional || r.Status != evidence.Measured || !has(phrase(r.Name), toolWords) {
			continue
		}
		for i := range r.Measurements {
			m := &r.Measurements[i]
			if m.Metric == evidence.PromptTokens && m.Role == evidence.Primary && m.State != evidence.Conflict && m.Value.OK && m.Stat != evidence.Total {
				most = max(most, int64(m.Value.V))
			}
		}
	}
	return most
}

var toolWords = []string{"tool", "tools"}
