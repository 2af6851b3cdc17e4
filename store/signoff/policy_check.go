package signoff

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/store/evidence"
)

const (
	mostGates   = 200
	mostPhrases = 100
	longPhrase  = 200
	longText    = 2000
	longestAge  = 36500
)

var ruleID = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*$`)

func (p *Policy) check(l *layout) {
	if !plainKey(p.Name) {
		l.fault("name", "%.60q: want lower-case letters, digits and dashes", p.Name)
	}
	if p.Version < 1 {
		l.fault("version", "%d: want 1 or more", p.Version)
	}
	if p.MaxAge < 0 || p.MaxAge > longestAge {
		l.fault("max_age_days", "%d: want 0 to %d", p.MaxAge, longestAge)
	}
	if len(p.Note) > longText {
		l.fault("note", "%d bytes, more than %d", len(p.Note), longText)
	}
	for i, d := range p.TwoPeople {
		if !slices.Contains(Decisions, d) {
			l.fault(fmt.Sprintf("two_people[%d]", i), "%.40q is none of %s", string(d), listOf(Decisions))
		}
	}
	checkPhrases(l, "narrowing", p.Narrowing)
	if len(p.Gates) == 0 || len(p.Gates) > mostGates {
		l.fault("gate", "%d of them, want 1 to %d", len(p.Gates), mostGates)
	}
	ids := map[string]bool{}
	for i := range p.Gates {
		g := &p.Gates[i]
		if ids[g.ID] {
			l.fault(gatePath(i, "id"), "%.40q stands twice", g.ID)
		}
		ids[g.ID] = true
		if i < mostGates {
			g.check(l, func(member string) string { return gatePath(i, member) })
		}
	}
	p.checkTargets(l, ids)
}

func (p *Policy) checkTargets(l *layout, ids map[string]bool) {
	for _, t := range Targets {
		seen := map[string]bool{}
		for i, id := range p.Targets[t] {
			at := fmt.Sprintf("targets.%s[%d]", t, i)
			if !ids[id] {
				l.fault(at, "there is no gate %.60q", id)
			}
			if seen[id] {
				l.fault(at, "%.60q stands twice", id)
			}
			seen[id] = true
		}
	}
	if len(p.Targets[Promotion]) == 0 {
		l.fault("targets.promotion", "needs no gate; a promotion without a gate is none")
	}
}

func listOf[T ~string](list []T) string {
	var words []string
	for _, x := range list {
		words = append(words, string(x))
	}
	return strings.Join(words, ", ")
}

func checkPhrases(l *layout, path string, list []string) {
	if len(list) > mostPhrases {
		l.fault(path, "%d phrases, more than %d", len(list), mostPhrases)
		return
	}
	for i, s := range list {
		if len(phrase(s)) == 0 || len(s) > longPhrase {
			l.fault(fmt.Sprintf("%s[%d]", path, i), "%.60q is no phrase", s)
		}
	}
}

func (g *Gate) check(l *layout, at func(string) string) {
	if !plainKey(g.ID) {
		l.fault(at("id"), "%.60q: want lower-case letters, digits and dashes", g.ID)
	}
	if strings.HasPrefix(g.ID, foreignGate) {
		l.fault(at("id"), "%.60q: %s is the beginning of gates that only a source has", g.ID, foreignGate)
	}
	for member, text := range map[string]string{"title": g.Title, "want": g.Want, "clear": g.Clear} {
		if text == "" && member != "clear" || len(text) > longText {
			l.fault(at(member), "title and want must say what the gate is and what counts as passed, in %d bytes at most", longText)
		}
	}
	if g.Rule != "" && !ruleID.MatchString(g.Rule) {
		l.fault(at("rule"), "%.60q is no id of a rule, for example C-RESERVE", g.Rule)
	}
	for member, list := range map[string][]string{"names": g.Names, "not": g.Not, "scoped": g.Scoped, "against": g.Against, "limitation": g.Limitation} {
		checkPhrases(l, at(member), list)
	}
	if len(g.Parts) > mostPhrases {
		l.fault(at("parts"), "%d of them, more than %d", len(g.Parts), mostPhrases)
	}
	for i, part := range g.Parts[:min(len(g.Parts), mostPhrases)] {
		path := fmt.Sprintf("%s[%d]", at("parts"), i)
		if len(part) == 0 {
			l.fault(path, "a part needs a phrase")
		}
		checkPhrases(l, path, part)
	}
	if len(g.Names) == 0 && len(g.Parts) == 0 && !g.Canaries && g.Metric == "" && g.Fact == "" && g.StatusFact == "" && g.Class == "" && g.Path == "" && !g.References {
		l.fault(at(""), "nothing can answer it: want names, parts, canaries, metric, fact, status_fact, class, path or references")
	}
	g.checkFacts(l, at)
	g.checkRate(l, at)
	g.checkCounts(l, at)
	g.bounds(l, at)
}

var (
	classes = []string{evidence.ClassShort, evidence.ClassAggregate, evidence.ClassLong, evidence.ClassFunctional, evidence.ClassQuality,
		evidence.ClassStartup, evidence.ClassGeneration, evidence.ClassMedia, evidence.ClassSpeech}
	paths = []string{"direct", "routed", "client"}
)

func (g *Gate) checkFacts(l *layout, at func(string) string) {
	for member, key := range map[string]evidence.FactKey{"fact": g.Fact, "status_fact": g.StatusFact} {
		if _, known := evidence.KnownKey(key); key != "" && !known {
			l.fault(at(member), "%.60q is no fact key", string(key))
		}
	}
	if g.Form != "" && (g.Form != formDigest || g.Fact == "") {
		l.fault(at("form"), "%.60q: want %q, beside a fact", g.Form, formDigest)
	}
	if g.Class != "" && !slices.Contains(classes, g.Class) {
		l.fault(at("class"), "%.60q is none of %s", g.Class, strings.Join(classes, ", "))
	}
	if g.Path != "" && !slices.Contains(paths, g.Path) {
		l.fault(at("path"), "%.60q is none of %s", g.Path, strings.Join(paths, ", "))
	}
}

// largest bounds counts, so that arithmetic on them stays exact.
const largest = 1_000_000_000

func (g *Gate) checkCounts(l *layout, at func(string) string) {
	for _, c := range []struct {
		member string
		count  int64
		needs  bool
		other  string
	}{{"score", int64(g.Score), len(g.Names) > 0, "names"}, {"repeats", int64(g.Repeats), g.Class != "", "class"}, {"prompt_tokens", g.Tokens, len(g.Names) > 0, "names"}} {
		if c.count < 0 || c.count > largest {
			l.fault(at(c.member), "%d: want 0 to %d", c.count, largest)
		}
		if c.count > 0 && !c.needs {
			l.fault(at(c.member), "says nothing without %s", c.other)
		}
	}
}

func (g *Gate) checkRate(l *layout, at func(string) string) {
	if g.PassRate == "" {
		return
	}
	v, unit, err := quantity(g.PassRate)
	switch {
	case err != nil:
		l.fault(at("pass_rate"), "%v", err)
	case unit != evidence.Ratio || v <= 0 || v > 1:
		l.fault(at("pass_rate"), "%q: want more than 0 %% and 100 %% at most", g.PassRate)
	case g.Class == "":
		l.fault(at("pass_rate"), "says nothing without class")
	default:
		g.rate = evidence.Some(v)
	}
}

func (g *Gate) bounds(l *layout, at func(string) string) {
	if g.AtLeast == "" && g.AtMost == "" {
		if g.Metric != "" || g.Text != "" {
			l.fault(at("metric"), "metric and text need at_least or at_most")
		}
		return
	}
	if g.Text != "" && len(phrase(g.Text)) != 1 {
		l.fault(at("text"), "%.60q: want one word", g.Text)
	}
	m, known := evidence.LookupMetric(g.Metric)
	if !known {
		l.fault(at("metric"), "%.60q is no metric", string(g.Metric))
		return
	}
	for _, b := range []struct {
		member, text string
		into         *evidence.Opt[float64]
	}{{"at_least", g.AtLeast, &g.least}, {"at_most", g.AtMost, &g.most}} {
		if b.text == "" {
			continue
		}
		v, unit, err := quantity(b.text)
		switch {
		case err != nil:
			l.fault(at(b.member), "%v", err)
		case unit != m.Unit:
			l.fault(at(b.member), "%q is in %s and %s is in %s", b.text, unit, m.ID, m.Unit)
		default:
			*b.into = evidence.Some(v)
		}
	}
	if g.least.OK && g.most.OK && g.least.V > g.most.V {
		l.fault(at("at_most"), "%q is less than at_least, %q", g.AtMost, g.AtLeast)
	}
}

// quantity reads "3 GiB", "100 %", "1,000 tokens".
func quantity(s string) (float64, evidence.Unit, error) {
	number, unit, ok := strings.Cut(strings.TrimSpace(s), " ")
	if unit = strings.TrimSpace(unit); unit == "%" {
		unit = "percent"
	}
	if !ok {
		return 0, "", fmt.Errorf("%.40q: want a number and a unit, for example \"3 GiB\"", s)
	}
	return evidence.ToBase(number, unit)
}
