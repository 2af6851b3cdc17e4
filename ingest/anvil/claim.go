package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// A claim is a relative change that the source publishes. Its measurement says in Rule
// which metric and statistic it speaks of, "change(ttft p50)" or
// "prose/change(ttft p50)", and in Also where the two figures stand that it was formed
// from: first the control's, then the subject's. Also is empty when the document does
// not say which figures these are.
type pendingClaim struct {
	subject *run
	index   int // in subject.Measurements
	metric  evidence.MetricID
	stat    evidence.Stat
	control *run   // known already
	settled bool   // the control is known, or known to be none of the arms
	words   string // or to be found by these words
}

func claimRule(rule string, m evidence.MetricID, s evidence.Stat) string {
	if m == "" {
		return rule
	}
	return fmt.Sprintf("%s(%s %s)", rule, m, s)
}

// claim adds a claim to a run; its inputs are looked up when all arms are there.
func (b *builder) claim(c pendingClaim, x evidence.Measurement) {
	if c.stat == "" {
		c.stat, _ = totalOf(c.metric)
	}
	rule := "change"
	if x.State == evidence.Derived {
		rule = "prose/change"
	}
	x.Metric, x.Role, x.Unit, x.SourceUnit, x.Stat = evidence.ClaimedChange, evidence.Claim, evidence.Ratio, "percent", c.stat
	if x.Stat == "" {
		x.Stat = evidence.Total
	}
	x.Rule = claimRule(rule, c.metric, c.stat)
	c.index = len(c.subject.Measurements)
	c.subject.Measurements = append(c.subject.Measurements, x)
	b.claims = append(b.claims, c)
}

// publishedChange reads a member such as matched_delta_percent or
// performance_delta_vs_tp1_percent. "performance" is the aggregate rate, the figure
// that headline rows are about.
func (b *builder) publishedChange(r *run, m member, p evidence.Pointer, n *jsondoc.Node) {
	f, ok := b.figure(p, n, "percent")
	if !ok {
		return
	}
	c := pendingClaim{subject: r, metric: m.metric, stat: m.stat}
	for i, w := range m.rest {
		switch w {
		case "performance":
			c.metric = evidence.OutputThroughput
		case "matched":
			c.control = r.matched
		case "vs", "versus", "over":
			for _, word := range m.rest[i+1:] {
				c.words += " " + word
			}
		}
	}
	if c.metric == "" && c.control != nil && len(c.control.Measurements) == 1 {
		c.metric, c.stat = c.control.Measurements[0].Metric, c.control.Measurements[0].Stat
	}
	b.claim(c, evidence.Measurement{Value: f.value, Lower: f.lower, Upper: f.upper, State: f.state, SourceText: f.text, Place: f.place})
}

// speculationKeys are what a control without speculation does not share.
var speculationKeys = map[evidence.FactKey]bool{
	evidence.KeySpecMethod: true, evidence.KeyMTPDepth: true, evidence.KeyDraftDepth: true, evidence.KeyDraftModel: true,
}

// matchedControl reads matched_no_spec_aggregate_tok_s: the figure of another arm that
// shares everything with the row but what the name says. It stands on the row and the
// document calls it matched, so both stand under one statement of the workload.
func (b *builder) matchedControl(r *run, m member, p evidence.Pointer, n *jsondoc.Node) {
	stat, ok := m.statistic()
	if !ok || !m.unitFits() {
		b.find(evidence.Warning, CodeStat, p, n, "of which statistic and unit is this figure?")
		return
	}
	if r.matched == nil {
		r.matched = b.newControl(r, m, p, n)
	}
	b.lift(r.matched, m, stat, r.matched.observations(), p, n)
}

func (b *builder) newControl(r *run, m member, p evidence.Pointer, n *jsondoc.Node) *run {
	words := ""
	for _, w := range m.rest {
		if w != "matched" {
			words += " " + w
		}
	}
	a := b.newArm(r.arm.Name+", matched"+words+" control", evidence.At(p))
	settings := prose.Config(words)
	if len(settings) == 0 {
		b.find(evidence.Info, CodeUnparsed, p, n, fmt.Sprintf("the control differs in %q, which is no setting we know", clip(words)))
		a.Facts = append(a.Facts, evidence.Fact{Key: keyVariant, Value: strings.TrimSpace(words), State: evidence.Derived, Rule: ruleMember,
			Place: evidence.At(p), SourceText: strings.TrimSpace(words)})
		return matchedRun(a, r, p)
	}
	differs := map[evidence.FactKey]bool{}
	for _, s := range settings {
		differs[s.Key] = true
		a.Facts = append(a.Facts, evidence.Fact{Key: s.Key, Value: s.Value, State: evidence.Derived, Rule: ruleMember,
			Place: evidence.At(p), SourceText: words[1:]})
	}
	for _, f := range r.arm.Facts {
		if !differs[f.Key] && !(differs[evidence.KeySpecMethod] && speculationKeys[f.Key]) {
			f.State, f.Rule = evidence.Derived, ruleMatched
			a.Facts = append(a.Facts, f)
		}
	}
	return matchedRun(a, r, p)
}

// matchedName names the run of a matched control.
const matchedName = "matched control"

// matchedRun is the run of a matched control: the shape of the row's run holds for it
// too, what came out of that run does not.
func matchedRun(a *arm, r *run, p evidence.Pointer) *run {
	matched := a.newRun(matchedName, r.Class, evidence.At(p))
	for _, f := range r.Facts {
		if f, ok := sharedShape(f); ok {
			matched.Facts = append(matched.Facts, f)
		}
	}
	return matched
}

// sharedShape is a fact of a treatment's workload as one of its matched control.
func sharedShape(f evidence.Fact) (evidence.Fact, bool) {
	class := evidence.LookupKey(f.Key).Class
	if class != evidence.Shape && class != evidence.Protocol && f.Key != evidence.KeyPromptKind {
		return f, false
	}
	if f.Rule = ruleLabelMatched; f.State != evidence.Conflict {
		f.State = evidence.Derived
	}
	return f, true
}

// resolveClaims finds the two figures that each claim was formed from.
func (b *builder) resolveClaims() {
	for _, c := range b.claims {
		if c.metric == "" {
			continue
		}
		own := c.subject.primary(c.metric, c.stat)
		if own == nil {
			continue
		}
		control := c.control
		if control == nil && c.words != "" && !c.settled {
			control = b.pick(c.words, c.subject.arm, func(r *run) bool {
				x := r.primary(c.metric, c.stat)
				return x != nil && x.Value.OK && r.state() == c.subject.state() && r.Name == c.subject.Name
			})
		}
		if control == nil {
			continue
		}
		if base := control.primary(c.metric, c.stat); base != nil {
			c.subject.Measurements[c.index].Also = []evidence.Place{base.Place, own.Place}
		}
	}
}

// state is the run's warm state, "" when it has none of its own.
func (r *run) state() string { return valueIn(r.Facts, evidence.KeyWarmState) }
