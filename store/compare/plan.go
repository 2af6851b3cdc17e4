package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
	"assay/store/stat"
)

// Plan is the smallest campaign that would make a pair comparable: both arms under one
// shape, the control's, with as many repeats as an interval needs.
type Plan struct {
	Figure  Figure
	Control PlannedArm
	Arm     PlannedArm
	Shape   []PlannedFact // the workload, from the control and where it is silent from the arm
	// Open are facts that a campaign has to state and that neither side records.
	Open    []evidence.KeyInfo
	Repeats int
	// Minutes is GPU time over both arms, estimated from what the sides' own runs took;
	// absent when neither says how long it ran. Starting and warming up are not in it.
	Minutes evidence.Opt[float64]
	Lifts   []Reason // the stops that the campaign would lift
	Keeps   []Reason // what would stay: caveats about what differs between the arms
}

// PlannedArm is one side of a plan.
type PlannedArm struct {
	Name  string
	Run   string // the run it is taken from
	Facts []PlannedFact
}

// PlannedFact is one line of the campaign file.
type PlannedFact struct {
	Key   evidence.FactKey
	Value string
	From  string // run id
}

// plannedShape are the workload facts that a campaign file states.
var plannedShape = []evidence.FactKey{
	evidence.KeyWorkloadClass, evidence.KeyRequests, evidence.KeyConcurrency, evidence.KeyContextTarget, evidence.KeyOutputCap,
	evidence.KeyRequestedWords, evidence.KeyCompletionMode, evidence.KeyThinking, evidence.KeyThinkingEffort, evidence.KeyPromptBurst,
	evidence.KeyPromptSet, evidence.KeyPromptSeed, evidence.KeySampling, evidence.KeyCacheState, evidence.KeyRequestRate,
	evidence.KeySuite, evidence.KeyRepetitions, evidence.KeyMinPassRate, evidence.KeyVisibleTokens, evidence.KeyHeadroomTokens,
	evidence.KeyMaxImages, evidence.KeyMaxVideos, evidence.KeyCorpus, evidence.KeyFilledContext,
}

// plannedMust are those without which two runs cannot be told to be of one shape.
var plannedMust = []evidence.FactKey{
	evidence.KeyRequests, evidence.KeyConcurrency, evidence.KeyContextTarget, evidence.KeyOutputCap, evidence.KeyThinking,
	evidence.KeyPromptBurst, evidence.KeyCompletionMode,
}

// plannedIdentity are what an arm is launched with.
var plannedIdentity = []evidence.FactKey{
	evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyCheckpoint, evidence.KeyQuantisation, evidence.KeyServedModel, evidence.KeyEngine,
	evidence.KeyEngineVersion, evidence.KeyEngineRevision, evidence.KeyImage, evidence.KeyImageDigest, evidence.KeyTP, evidence.KeyDP,
	evidence.KeyReplicas, evidence.KeyMTPDepth, evidence.KeySpecMethod, evidence.KeyDraftDepth, evidence.KeyDraftModel, evidence.KeyKVDtype,
	evidence.KeyServedContext, evidence.KeyMaxSequences, evidence.KeyBatchedTokens, evidence.KeyChunkTokens, evidence.KeyPrefixCache,
	evidence.KeyMemoryFraction, evidence.KeyKVOffload, evidence.KeyGPUProduct, evidence.KeyGPUCount,
}

// PlanFor plans the campaign for a figure of a pair.
func PlanFor(control, arm *evidence.RunRow, f Figure) Plan {
	p := Plan{Figure: f, Repeats: stat.MinRange, Control: plannedArm(control), Arm: plannedArm(arm)}
	for _, k := range plannedShape {
		for _, r := range []*evidence.RunRow{control, arm} {
			if s := side(r, k); s.Known && s.Value != "" {
				p.Shape = append(p.Shape, PlannedFact{Key: k, Value: s.Value, From: r.ID})
				break
			}
		}
	}
	if servingFigure(f.Metric) {
		for _, k := range plannedMust {
			if !p.states(k) {
				p.Open = append(p.Open, evidence.LookupKey(k))
			}
		}
	}
	p.Minutes = p.minutes(control, arm)
	for _, r := range Judge(control, arm, Question{Metric: f.Metric, Stat: f.Stat}).Reasons {
		if r.Verdict.Shows() {
			p.Keeps = append(p.Keeps, r)
		} else {
			p.Lifts = append(p.Lifts, r)
		}
	}
	return p
}

// servingFigure: workload facts have no meaning for start-up accounting and quality.
func servingFigure(m evidence.MetricID) bool {
	switch m {
	case evidence.KVPoolTokens, evidence.GPUMemoryFree, evidence.GPUMemoryUsed, evidence.WER, evidence.CER, evidence.RTF, evidence.PassRate:
		return false
	}
	return true
}

func (p *Plan) states(k evidence.FactKey) bool {
	for _, s := range p.Shape {
		if s.Key == k {
			return true
		}
	}
	return false
}

func plannedArm(r *evidence.RunRow) PlannedArm {
	a := PlannedArm{Name: r.Arm, Run: r.ID}
	if a.Name == "" {
		a.Name = r.ID
	}
	for _, k := range plannedIdentity {
		if s := side(r, k); s.Known && s.Value != "" {
			a.Facts = append(a.Facts, PlannedFact{Key: k, Value: s.Value, From: r.ID})
		}
	}
	return a
}

// minutes is repeats x run time x cards, over both arms. A side that does not say how
// long it ran is taken to run as long as the other.
func (p *Plan) minutes(control, arm *evidence.RunRow) evidence.Opt[float64] {
	a, okA := wallSeconds(control)
	b, okB := wallSeconds(arm)
	switch {
	case !okA && !okB:
		return evidence.None[float64]()
	case !okA:
		a = b
	case !okB:
		b = a
	}
	cards := func(r *evidence.RunRow) float64 {
		if n, ok := number(r, evidence.KeyGPUCount); ok && n >= 1 {
			return n
		}
		return 1
	}
	return evidence.Some(float64(p.Repeats) * (a*cards(control) + b*cards(arm)) / 60)
}

// wallSeconds is how long a run took: as recorded, else requests x E2E / concurrency.
func wallSeconds(r *evidence.RunRow) (float64, bool) {
	if d, ok := number(r, evidence.KeyDuration); ok && d > 0 {
		return d, true
	}
	n, okN := number(r, evidence.KeyRequests)
	c, okC := number(r, evidence.KeyConcurrency)
	for _, s := range []evidence.Stat{evidence.Mean, evidence.P50, evidence.Single} {
		if e := valueOf(r, evidence.E2E, s); e.OK && okN && okC && c >= 1 {
			return math.Ceil(n/c) * e.V, true
		}
	}
	return 0, false
}

// TOML is the campaign file. Values come from evidence, so they are written as quoted
// strings or plain numbers and never as syntax.
func (p *Plan) TOML() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# assay campaign file. It would measure what this pair lacks; nothing here was run.")
	line("version = 1")
	line("question = %s", tomlText(p.Figure.String()+": "+p.Arm.Name+" against "+p.Control.Name))
	line("figures = [%s]", tomlText(p.Figure.String()))
	line("repeats = %d", p.Repeats)
	line("order = \"interleaved\"")
	if p.Minutes.OK {
		line("# estimated from past runs, without start-up and warm-up")
		line("estimated_gpu_minutes = %s", strconv.FormatFloat(math.Ceil(p.Minutes.V), 'f', -1, 64))
	} else {
		line("# no past run of either arm says how long it took, so there is no estimate")
	}
	line("\n[workload.main]")
	for _, f := range p.Shape {
		line("%s = %s", f.Key, tomlValue(f.Value))
	}
	for _, k := range p.Open {
		line("# %s = ...   # neither run records it; state it before you start", k.Key)
	}
	for _, a := range []struct {
		role string
		arm  *PlannedArm
	}{{"control", &p.Control}, {"treatment", &p.Arm}} {
		line("\n[[arm]]")
		line("name = %s", tomlText(a.arm.Name))
		line("role = %s", tomlText(a.role))
		line("workload = \"main\"")
		line("like_run = %s", tomlText(a.arm.Run))
		if len(a.arm.Facts) > 0 {
			line("[arm.expect]")
		}
		for _, f := range a.arm.Facts {
			line("%s = %s", f.Key, tomlValue(f.Value))
		}
	}
	return b.String()
}

// tomlText is a basic string of TOML.
func tomlText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f || r >= 0x80 && r <= 0x9f || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// tomlValue is a number where the text is a plain one, a flag, or else a string.
func tomlValue(s string) string {
	if s == "true" || s == "false" {
		return s
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(n, 10) == s {
		return s
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) && strconv.FormatFloat(f, 'f', -1, 64) == s && strings.Contains(s, ".") {
		return s
	}
	return tomlText(s)
}
