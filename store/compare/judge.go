package compare

import (
	"fmt"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// Judge says whether a metric of the arm may be compared with the control's, and why
// not or with what in mind.
func Judge(control, arm *evidence.RunRow, q Question) Judgement {
	p := &pair{control: control, arm: arm, question: q}
	out, ok := p.find()
	p.oneStatement = shareStatement(control, arm)
	if !ok {
		// Without both figures nothing can be shown; say all the same what else stops
		// the pair, so that supplying the figure is not the first of several refusals.
		if p.metric.Comparable {
			out = append(out, ruleClass(p)...)
			out = append(out, p.judgeKeys()...)
		}
		return judgementOf(dedupe(out))
	}
	for _, rule := range metricRules {
		out = append(out, rule(p)...)
	}
	out = append(out, p.judgeKeys()...)
	out = append(out, axisRules(p)...)
	return judgementOf(dedupe(out))
}

// find looks both figures up. Without them there is nothing to judge.
func (p *pair) find() ([]Reason, bool) {
	m, known := evidence.LookupMetric(p.question.Metric)
	p.metric = m
	if !known || !m.Comparable {
		return []Reason{{Rule: "M-DEFINED", Verdict: Blocked, Message: fmt.Sprintf("%s is not a metric that is compared", p.question.Metric)}}, false
	}
	var reasons []Reason
	for i, r := range []*evidence.RunRow{p.control, p.arm} {
		if stop, ok := unfinished(r); ok {
			reasons = append(reasons, stop)
			continue
		}
		x, ok := r.Primary(m.ID, p.question.Stat)
		if !ok || !x.Value.OK && !(x.Lower.OK && x.Upper.OK) {
			rule, msg := "M-DEFINED", fmt.Sprintf("%s %s is not recorded for %s", m.Title, p.question.Stat, r.Arm)
			if _, single := r.Primary(m.ID, evidence.Single); single && !ok {
				rule, msg = "M-STAT", fmt.Sprintf("%s has one observation of %s, not a %s", r.Arm, m.Title, p.question.Stat)
			}
			reasons = append(reasons, Reason{Rule: rule, Verdict: Blocked, Message: msg, Remedy: measureFact})
			continue
		}
		if x.State == evidence.Conflict {
			reasons = append(reasons, Reason{
				Rule: "M-DEFINED", Verdict: Unknown, Message: fmt.Sprintf("%s of %s disagrees with its own raw rows", m.Title, r.Arm), Remedy: declareFact,
			})
			continue
		}
		if i == 0 {
			p.left = x
		} else {
			p.right = x
		}
	}
	return reasons, len(reasons) == 0
}

// unfinished stops a run that its source does not call finished: what such a run
// printed is no latency and no rate.
func unfinished(r *evidence.RunRow) (Reason, bool) {
	switch r.Status {
	case evidence.RunFailed, evidence.NotRun, evidence.RunUnresolved:
		return Reason{
			Rule: "M-FAILED-LATENCY", Verdict: Blocked, Key: evidence.KeyRunStatus,
			Message: fmt.Sprintf("the run of %s is %s in its source", r.Arm, statusWord(r.Status)), Remedy: measureFact,
		}, true
	}
	return Reason{}, false
}

func statusWord(s evidence.RunStatus) string {
	switch s {
	case evidence.RunFailed:
		return "failed"
	case evidence.NotRun:
		return "not run"
	default:
		return "of a status we do not know"
	}
}

// metricRules are the rules about the figures and the arms, not about one fact.
var metricRules = []func(*pair) []Reason{
	ruleExternal, ruleClass, ruleSingle, ruleFewSamples, rulePercentile, ruleShortOutput, ruleTTFTLabel,
	ruleBounds, ruleCompletion, ruleOutputLength, ruleCorrectness, ruleCache, ruleOneVariable,
}

// ruleExternal: a figure that somebody else published never meets one of our own.
func ruleExternal(p *pair) []Reason {
	if (p.control.Status == evidence.External) == (p.arm.Status == evidence.External) {
		return nil
	}
	return []Reason{{
		Rule: "P-EXTERNAL", Verdict: Blocked, Left: textSide(string(p.control.Status)), Right: textSide(string(p.arm.Status)),
		Message: "one figure was published elsewhere, the other was measured here", Remedy: measureFact,
	}}
}

func ruleClass(p *pair) []Reason {
	a, b := p.control.Class, p.arm.Class
	if a == b && a != "" {
		return nil
	}
	return []Reason{{
		Rule: "M-CLASS", Verdict: Blocked, Left: textSide(a), Right: textSide(b),
		Message: "the runs are of different classes", Remedy: sameShape,
	}}
}

func textSide(s string) Side { return Side{Known: s != "", Value: s} }

func ruleSingle(p *pair) []Reason {
	if p.question.Stat != evidence.Single && !isOne(p.left.N) && !isOne(p.right.N) {
		return nil
	}
	return []Reason{{
		Rule: "M-SINGLE", Verdict: Caution, Left: countSide(p.left), Right: countSide(p.right),
		Message: "one observation is neither a distribution nor a ranking", Remedy: "repeat the run; 6 repeats give an interval",
	}}
}

func isOne(n evidence.Opt[int64]) bool { return n.OK && n.V == 1 }

func countSide(m evidence.MeasurementRow) Side {
	if !m.N.OK {
		return Side{}
	}
	return Side{Known: true, Value: strconv.FormatInt(m.N.V, 10), State: m.State, Sources: sourcesOf(m)}
}

func sourcesOf(m evidence.MeasurementRow) []SourceRef {
	out := []SourceRef{{Artifact: m.Artifact, Place: m.Place}}
	if m.Upper.OK {
		for _, a := range m.Also {
			out = append(out, SourceRef{Artifact: m.Artifact, Place: a})
		}
	}
	return out
}

func ruleFewSamples(p *pair) []Reason {
	var least int64
	switch p.question.Stat {
	case evidence.P50:
		least = 6
	case evidence.P95:
		least = 20
	case evidence.P99:
		least = 100
	default:
		return nil
	}
	few := func(n evidence.Opt[int64]) bool { return !n.OK || n.V > 1 && n.V < least }
	if !few(p.left.N) && !few(p.right.N) {
		return nil
	}
	return []Reason{{
		Rule: "M-N", Verdict: Caution, Left: countSide(p.left), Right: countSide(p.right),
		Message: fmt.Sprintf("a %s of fewer than %d requests is about one of them", p.question.Stat, least),
		Remedy:  fmt.Sprintf("run at least %d requests", least),
	}}
}

func rulePercentile(p *pair) []Reason {
	switch p.question.Stat {
	case evidence.P50, evidence.P95, evidence.P99:
	default:
		return nil
	}
	a, b := p.left.Method, p.right.Method
	r := Reason{Rule: "M-PCTL", Key: evidence.KeyPercentileMethod, Left: textSide(string(a)), Right: textSide(string(b)), Remedy: declareFact}
	switch {
	case a != "" && a == b:
		return nil
	case a != "" && b != "":
		r.Verdict, r.Message = Blocked, "percentiles were taken by different methods"
	case p.question.Stat != evidence.P50 && p.control.Family != p.arm.Family:
		r.Verdict, r.Message = Blocked, "the percentile method is not recorded, and the writers differ"
	default:
		r.Verdict, r.Message = Caution, "the percentile method is not recorded"
	}
	return []Reason{r}
}

func ruleShortOutput(p *pair) []Reason {
	switch p.metric.ID {
	case evidence.DecodeRate, evidence.DecodeChunkRate, evidence.OutputThroughput, evidence.OutputChunkThroughput:
	default:
		return nil
	}
	a, derivedA, okA := MeanOutput(p.control)
	b, derivedB, okB := MeanOutput(p.arm)
	r := Reason{Rule: "M-SHORT", Key: evidence.KeyMeanOutput, Verdict: Caution,
		Left: lengthSide(a, derivedA, okA), Right: lengthSide(b, derivedB, okB), Remedy: "ask for longer outputs"}
	switch {
	case okA && a < 16 || okB && b < 16:
		r.Verdict, r.Message = Blocked, "fewer than 16 output tokens per request: a rate over them is noise"
	case !okA || !okB:
		r.Message = "output length is not recorded"
	case a < 64 || b < 64:
		r.Message = "short outputs: fewer than 64 tokens per request"
	default:
		return nil
	}
	return []Reason{r}
}

func lengthSide(tokens float64, derived, ok bool) Side {
	if !ok {
		return Side{}
	}
	state := evidence.Recorded
	if derived {
		state = evidence.Derived
	}
	return Side{Known: true, Value: strconv.FormatFloat(tokens, 'f', 1, 64), State: state}
}

func ruleTTFTLabel(p *pair) []Reason {
	if p.metric.ID != evidence.TTFT && p.metric.ID != evidence.EffectivePrefillRate {
		return nil
	}
	return []Reason{{Rule: "M-TTFT-PREFILL", Verdict: Caution, Message: "this is not prefill speed: queueing and the first decode step are in it"}}
}

func ruleBounds(p *pair) []Reason {
	if p.left.Value.OK && p.right.Value.OK {
		return nil
	}
	return []Reason{{Rule: "M-BOUND", Verdict: Caution, Message: "one side is an interval: the change has bounds and no point"}}
}

func ruleCompletion(p *pair) []Reason {
	share := func(r *evidence.RunRow) (float64, bool) {
		c, ok := number(r, evidence.KeyCompleted)
		n, ok2 := number(r, evidence.KeyRequests)
		if !ok || !ok2 || n == 0 {
			return 0, false
		}
		return c / n, true
	}
	a, okA := share(p.control)
	b, okB := share(p.arm)
	if !okA || !okB || !isServing(p) {
		return nil
	}
	r := Reason{Rule: "M-COMPLETION", Key: evidence.KeyCompleted, Left: side(p.control, evidence.KeyCompleted), Right: side(p.arm, evidence.KeyCompleted)}
	switch {
	case a-b > 0.05 || b-a > 0.05:
		r.Verdict, r.Message, r.Remedy = Blocked, "the share of completed requests differs", sameShape
	case a < 1 || b < 1:
		r.Verdict, r.Message = Caution, "not every request completed"
	default:
		return nil
	}
	return []Reason{r}
}

func number(r *evidence.RunRow, k evidence.FactKey) (float64, bool) {
	s := side(r, k)
	if !s.Known {
		return 0, false
	}
	f, err := strconv.ParseFloat(s.Value, 64)
	return f, err == nil
}

func ruleOutputLength(p *pair) []Reason {
	if !feelsCompletion(p) {
		return nil
	}
	a, derivedA, okA := MeanOutput(p.control)
	b, derivedB, okB := MeanOutput(p.arm)
	if !okA || !okB || relativeDifference(a, b) <= 0.10 {
		return nil
	}
	return []Reason{{
		Rule: "W-COMPLETION-DIST", Key: evidence.KeyMeanOutput, Verdict: Caution,
		Left: lengthSide(a, derivedA, true), Right: lengthSide(b, derivedB, true),
		Message: "mean output lengths differ by more than 10 %", Remedy: "force equal output lengths",
	}}
}

func ruleCorrectness(p *pair) []Reason {
	var out []Reason
	for _, r := range []*evidence.RunRow{p.control, p.arm} {
		if r.Rejected != "" {
			out = append(out, Reason{
				Rule: "C-CORRECTNESS", Verdict: Caution, Key: evidence.KeyCorrectness,
				Message: fmt.Sprintf("%s is rejected by its source and cannot win", r.Arm),
			})
		}
	}
	return out
}

// ruleCache reads the cache state: recorded, or off because the prefix cache is off.
func ruleCache(p *pair) []Reason {
	if !isServing(p) {
		return nil
	}
	state := func(r *evidence.RunRow) Side {
		if s := side(r, evidence.KeyCacheState); s.Known {
			return s
		}
		if s := side(r, evidence.KeyPrefixCache); s.Known && s.Value == "false" {
			s.Value = "off"
			return s
		}
		return Side{}
	}
	a, b := state(p.control), state(p.arm)
	r := Reason{Rule: "W-CACHE", Key: evidence.KeyCacheState, Left: a, Right: b, Remedy: declareFact}
	switch {
	case a.Known && b.Known && a.Value == b.Value:
		return nil
	case a.Known && b.Known:
		r.Verdict, r.Message = Blocked, "the cache state differs"
	case a.Known != b.Known && feelsCache(p.metric.ID):
		r.Verdict, r.Message = Unknown, "the cache state is recorded on one side only"
	default:
		r.Verdict, r.Message = Caution, "the cache state is not recorded on both sides"
	}
	return []Reason{r}
}

func feelsCache(m evidence.MetricID) bool {
	switch m {
	case evidence.TTFT, evidence.TTFO, evidence.EffectivePrefillRate, evidence.E2E:
		return true
	}
	return false
}

// ruleOneVariable: a pair that differs in several factors compares profiles.
func ruleOneVariable(p *pair) []Reason {
	var differ []string
	for _, k := range p.unionKeys() {
		info := evidence.LookupKey(k)
		if info.Class != evidence.Identity || p.isAsked(k) || silentKeys[k] {
			continue
		}
		a, b := side(p.control, k), side(p.arm, k)
		if a.Known && b.Known && a.Value != b.Value {
			differ = append(differ, info.Title)
		}
	}
	if len(differ) == 0 || len(differ) < 2 && len(p.question.Axes) == 0 {
		return nil
	}
	return []Reason{{
		Rule: "P-ONEVAR", Verdict: Caution,
		Message: "a profile comparison: " + strings.Join(differ, ", ") + " differ too",
		Remedy:  "use a control that differs in one factor only",
	}}
}

// dedupe keeps one reason per rule and key: the gravest.
func dedupe(in []Reason) []Reason {
	type id struct {
		rule string
		key  evidence.FactKey
		msg  string
	}
	at := map[id]int{}
	var out []Reason
	for _, r := range in {
		k := id{rule: r.Rule, key: r.Key}
		if r.Key == "" || r.Rule == "C-CORRECTNESS" || r.Rule == "M-FAILED-LATENCY" {
			k.msg = r.Message
		}
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
