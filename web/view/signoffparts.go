package view

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

// SignOffURL is the page of a sign-off, DraftURL that of a draft.
func SignOffURL(number string) string { return "/signoffs/" + number }

// DraftURL is the page on which a statement is prepared and signed.
func DraftURL(id int64) string { return "/signoffs/drafts/" + strconv.FormatInt(id, 10) }

// policyGates: square glyphs and our word, as for the gates of a source.
var policyGates = map[signoff.GateState]Badge{
	signoff.GatePassed:     gateBadges[evidence.GatePassed],
	signoff.GateFailed:     gateBadges[evidence.GateFailed],
	signoff.GateMissing:    gateBadges[evidence.GateMissing],
	signoff.GateUnresolved: gateBadges[evidence.GateUnresolved],
	signoff.GateWaived:     {Kind: "caveat", Glyph: "declared", Word: "waived"},
}

func policyGate(s signoff.GateState) Badge {
	if b, ok := policyGates[s]; ok {
		return b
	}
	return gateBadges[evidence.GateUnresolved]
}

var policyGateOrder = []signoff.GateState{signoff.GateFailed, signoff.GateMissing, signoff.GateUnresolved, signoff.GateWaived, signoff.GatePassed}

// GateAnswer is the policy's answer to one gate.
type GateAnswer struct {
	ID, Title             string
	Badge                 Badge
	Required, First       bool // First: before it stand those that are not passed
	Rule, Want, Says      string
	Clear                 string
	Quoted                Text
	Sources               []Figure
	WaivedBy, WaiveReason string
}

const mostSources = 6

// gateAnswers are the gates, those that stop first.
func gateAnswers(gates []signoff.GateResult) []GateAnswer {
	order := func(g *signoff.GateResult) int {
		n := 2 * slices.Index(policyGateOrder, g.State)
		if !g.Required {
			n++
		}
		return n
	}
	sorted := slices.Clone(gates)
	slices.SortStableFunc(sorted, func(a, b signoff.GateResult) int { return order(&a) - order(&b) })
	var out []GateAnswer
	passed := false
	for i := range sorted {
		g := gateAnswer(&sorted[i])
		if sorted[i].State == signoff.GatePassed && !passed {
			g.First, passed = i > 0, true
		}
		out = append(out, g)
	}
	return out
}

func gateAnswer(g *signoff.GateResult) GateAnswer {
	return GateAnswer{ID: plain(g.ID, maxName), Title: plain(g.Title, maxName), Badge: policyGate(g.State), Required: g.Required, Rule: plain(g.Rule, 40),
		Want: strings.TrimSuffix(plain(g.Want, maxValue), "."), Says: plain(sentenceCase(g.Says), maxValue), Clear: strings.TrimSuffix(plain(g.Clear, maxValue), "."), Quoted: Words(g.Quoted, maxSentence, ""),
		Sources: sourceFigures(g.Sources), WaivedBy: plain(g.By, maxName), WaiveReason: plain(g.Reason, maxValue)}
}

// policyTally is "1 failed, 2 missing, 6 passed".
func policyTally(gates []signoff.GateResult) string {
	var parts []string
	for _, s := range policyGateOrder {
		n := 0
		for i := range gates {
			if gates[i].State == s {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, Int(int64(n))+" "+string(s))
		}
	}
	if len(parts) == 0 {
		return "no gate"
	}
	return strings.Join(parts, ", ")
}

// sourceFigures are links to places, each once.
func sourceFigures(list []signoff.Source) []Figure {
	var out []Figure
	for i := range list {
		f := sourceFigure(&list[i], "source")
		if f.Href == "" || slices.ContainsFunc(out, func(x Figure) bool { return x.Href == f.Href }) {
			continue
		}
		if out = append(out, f); len(out) == mostSources {
			break
		}
	}
	if len(out) > 1 {
		for i := range out {
			out[i].Text += " " + Int(int64(i+1))
		}
	}
	return out
}

// sourceFigure opens the place of a source; without one it has no address.
func sourceFigure(s *signoff.Source, text string) Figure {
	if s.Artifact == (evidence.Digest{}) {
		return Figure{Text: text}
	}
	return Fig(text, s.Artifact, evidence.At(s.Pointer))
}

// remark is a sentence of a source that opens its place.
func remark(r *signoff.Remark) Linked {
	if r.Artifact == (evidence.Digest{}) {
		return Linked{Text: Words(r.Text, maxSentence, "")}
	}
	return Quote(r.Text, maxSentence, r.Artifact, evidence.At(r.Pointer))
}

func remarks(list []signoff.Remark) []Linked {
	out := make([]Linked, 0, len(list))
	for i := range list {
		out = append(out, remark(&list[i]))
	}
	return out
}

// FrozenComparison is a comparison as a decision rests on it.
type FrozenComparison struct {
	Href         string // the page that gives it
	Spec, Export string // digests
	Ruleset      int
	Tally        string
	Rows         []FrozenRow
}

// FrozenRow is one figure. A stopped one has no values.
type FrozenRow struct {
	Figure, Title  string
	Badge          Badge
	Shows          bool
	Left, Right    Figure
	Change, Better string
	Rules          []string
	Why            string
}

// frozen is the comparison of a ground.
func frozen(c *signoff.Comparison) *FrozenComparison {
	out := &FrozenComparison{Href: specURL(c.Spec), Spec: c.SpecDigest, Export: c.ExportDigest, Ruleset: c.Ruleset}
	var parts []string
	for _, v := range []compare.Verdict{compare.OK, compare.Noted, compare.Caution, compare.Unknown, compare.Blocked} {
		if n := c.Counts[string(v)]; n > 0 {
			parts = append(parts, Int(int64(n))+" "+string(v))
		}
	}
	out.Tally = strings.Join(parts, ", ")
	for i := range c.Figures {
		f := &c.Figures[i]
		r := FrozenRow{Figure: plain(f.Figure, 80), Title: plain(f.Title, maxName), Badge: verdictBadge(compare.Verdict(f.Verdict)), Rules: f.Reasons}
		if r.Shows = compare.Verdict(f.Verdict).Shows(); r.Shows {
			r.Left, r.Right = sourceFigure(&f.LeftSrc, plain(f.Left, maxName)), sourceFigure(&f.RightSrc, plain(f.Right, maxName))
			r.Change, r.Better = trueMinus(plain(f.Change, maxName)), f.Better
		} else {
			r.Why = "the pair is " + r.Badge.Word + ": neither value is shown"
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// trueMinus writes a change with the sign that is no hyphen.
func trueMinus(s string) string { return strings.ReplaceAll(s, "-", "\u2212") }

// specURL is the page of a comparison from the text of its spec, "" when it is none.
func specURL(text string) string {
	q := CompareQuery{}
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "control":
			q.Spec.Control = strings.Split(value, "+")
		case "arm":
			q.Spec.Arms = append(q.Spec.Arms, strings.Split(value, "+"))
		case "figure":
			f, err := compare.ParseFigure(value)
			if err != nil {
				return ""
			}
			q.Spec.Figures = append(q.Spec.Figures, f)
		case "axis":
			q.Spec.Axes = append(q.Spec.Axes, evidence.FactKey(value))
		}
	}
	if len(q.Spec.Control) == 0 || len(q.Spec.Arms) == 0 {
		return ""
	}
	return q.URL("/compare")
}

// StopLine is one thing that stands against a signature.
type StopLine struct {
	Rule, Text, Clear, Href string
}

// stopLines are refusals as a page lists them; at says where each is mended.
func stopLines(list []review.Refusal, at func(*review.Refusal) string) []StopLine {
	out := make([]StopLine, 0, len(list))
	for i := range list {
		r := &list[i]
		out = append(out, StopLine{Rule: plain(r.Rule, 40), Text: plain(sentenceCase(r.Text), maxSentence), Clear: plain(sentenceCase(r.Clear), maxValue), Href: at(r)})
	}
	return out
}

// sentenceCase begins a message with a capital, unless it begins with a name.
func sentenceCase(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(first, "-_/.:0123456789\"") {
		return s
	}
	return recased(s, func(r rune) rune { return []rune(strings.ToUpper(string(r)))[0] })
}

// decisionWords say what each decision is and does.
var decisionWords = map[signoff.Decision]struct{ title, means, did string }{
	signoff.Promote: {"Promote", "The candidate meets its target. Every required gate has to be passed, or waived by the policy's rules.", "promoted"},
	signoff.Reject:  {"Reject", "The candidate does not meet its target and will not. The next reader sees who looked, at what, and why it stopped.", "rejected"},
	signoff.Hold:    {"Hold", "Not now: something is still to be measured or answered. Nothing changes until another decision is signed.", "held"},
	signoff.GoBack:  {"Roll back", "What runs is taken back to the rollback target named here.", "rolled back"},
}

// targetWords say what a target means.
var targetWords = map[signoff.Target]struct{ title, means string }{
	signoff.Challenger: {"challenger", "may run beside what serves"},
	signoff.Rollback:   {"rollback target", "may be gone back to"},
	signoff.Promotion:  {"promotion", "serves"},
}

func targetTitle(t signoff.Target) string {
	if w, ok := targetWords[t]; ok {
		return w.title
	}
	return plain(string(t), 40)
}

// decisionBadge is a decision as lists show it. Colour is left to gates and verdicts.
func decisionBadge(d signoff.Decision) Badge {
	b := Badge{Kind: "plain", Glyph: "unknown", Word: plain(string(d), 40)}
	switch d {
	case signoff.Promote:
		b.Glyph = "gate-passed"
	case signoff.Reject:
		b.Glyph = "gate-failed"
	case signoff.Hold:
		b.Glyph = "wait"
	case signoff.GoBack:
		b.Glyph, b.Word = "conflict", "roll back"
	}
	return b
}

// standingBadge says what a sign-off is worth today.
func standingBadge(s signoff.State) Badge {
	switch s {
	case signoff.Current:
		return Badge{Kind: "ok", Glyph: "ok", Word: "current"}
	case signoff.Stale:
		return Badge{Kind: "caveat fill", Glyph: "caveat", Word: "stale"}
	case signoff.Withdrawn:
		return Badge{Kind: "plain fill", Glyph: "remove", Word: "withdrawn"}
	}
	return Badge{Kind: "blocked fill", Glyph: "blocked", Word: "does not hold"}
}

// decimal is a number for a form field.
func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// figureWords is "TTFT p50" for "ttft:p50".
func figureWords(s string) string {
	f, err := compare.ParseFigure(s)
	if err != nil {
		return plain(s, 80)
	}
	m, _ := evidence.LookupMetric(f.Metric)
	return m.Title + " " + statWord(f.Stat)
}

func verdictOf(s string) compare.Verdict { return compare.Verdict(s) }

// trueMinusAfter writes the change in the words of a figure with the sign that is no
// hyphen; dates and ids keep theirs.
func trueMinusAfter(s string) string {
	head, change, ok := strings.Cut(s, ", change ")
	if !ok {
		return s
	}
	return head + ", change " + trueMinus(change)
}
