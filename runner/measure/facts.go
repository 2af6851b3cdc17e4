package measure

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay/ingest/artifact"
	"assay/runner/load/pace"
	"assay/runner/workload"
	"assay/store/evidence"
)

// Words of how a value is known.
const (
	bySetting = "setting of this client"
	byUsage   = "the engine's own count (usage)"
)

func decimal[T int | int64 | float64](n T) string { return evidence.FormatDecimal(float64(n)) }

// workloadFacts are what was asked: they are the same for every repeat and every arm.
func workloadFacts(f artifact.Facts, w *workload.Workload, step *workload.Step, spec string) {
	set := func(k evidence.FactKey, v string) { f.Set(k, v, bySetting) }
	set(evidence.KeyWorkloadClass, w.Class)
	set(evidence.KeyContextTarget, decimal(step.Target))
	f.Derive(evidence.KeyPlannedContext, decimal(step.Target), "prompts are made for the target and never cut")
	set(evidence.KeyOutputCap, decimal(most(w)))
	set(evidence.KeyPromptBurst, strconv.FormatBool(w.Prompt.SharedPrefix > 0))
	set(evidence.KeyPromptSet, spec)
	set(evidence.KeyPromptSeed, decimal(w.Seed))
	set(evidence.KeyPromptKind, string(w.Prompt.Kind))
	set(evidence.KeySampling, sampling(w))
	if step.Requests > 0 {
		set(evidence.KeyRequests, decimal(step.Requests))
	} else {
		timed(f, step)
	}
	if step.Ramp > 0 {
		set(evidence.KeyRamp, decimal(step.Ramp.Seconds())+" s")
	}
	offered(f, step)
	if w.Thinking.Effort != "" {
		set(evidence.KeyThinkingEffort, w.Thinking.Effort)
	} else {
		f.Lack(evidence.KeyThinkingEffort, "no effort was sent")
	}
	f.Derive(evidence.KeyReplicas, "1", "one endpoint was asked")
	set(evidence.KeyProtocol, artifact.Protocol)
	set(evidence.KeyPercentileMethod, string(evidence.NearestRank))
	set(evidence.KeyTimingBoundary, "ttfo")
	f.Derive(evidence.KeyAggregation, "run", "figures are formed over the requests of one repeat")
	set(evidence.KeyWindow, "first request due in it to last one ended")
	set(evidence.KeyClient, "assay")
}

func sampling(w *workload.Workload) string {
	text := "temperature=" + decimal(w.Sampling.Temperature) + " top_p=" + decimal(w.Sampling.TopP)
	if s := w.Sampling.Seed; s != nil {
		text += " seed=" + strconv.FormatInt(*s, 10)
	}
	return text
}

// timed is a window that a duration ends: how many requests are due in it is known of an open
// loop only, and there as a mean.
func timed(f artifact.Facts, step *workload.Step) {
	switch {
	case step.Arrivals != nil:
		n := step.Arrivals.PerSecond * step.Duration.Seconds()
		f.Derive(evidence.KeyRequests, strconv.FormatFloat(n, 'f', 0, 64), "the offered rate times the duration")
	case step.Trace != nil:
		f.Derive(evidence.KeyRequests, decimal(len(step.Trace)), "arrivals of the trace")
	default:
		f.Lack(evidence.KeyRequests, fmt.Sprintf("the window ends after %s; how many requests fit into it is an outcome", step.Duration))
	}
}

func offered(f artifact.Facts, step *workload.Step) {
	switch {
	case step.Arrivals != nil:
		a := step.Arrivals
		f.Set(evidence.KeyRequestRate, decimal(a.PerSecond), bySetting)
		f.Set(evidence.KeyLoadProfile, string(a.Process), bySetting)
		switch a.Process {
		case pace.Poisson:
			f.Derive(evidence.KeyBurstiness, "1", "a Poisson process is a gamma process of this shape")
		case pace.Gamma:
			f.Set(evidence.KeyBurstiness, decimal(a.Shape), bySetting)
		}
		f.Lack(evidence.KeyConcurrency, "open loop: requests are sent when they are due, whatever is open")
	case step.Trace != nil:
		f.Set(evidence.KeyLoadProfile, "trace", bySetting)
		if last := step.Trace[len(step.Trace)-1]; last > 0 {
			f.Derive(evidence.KeyRequestRate, strconv.FormatFloat(float64(len(step.Trace))/last.Seconds(), 'f', 6, 64), "arrivals of the trace over its length")
		} else {
			f.Set(evidence.KeyRequestRate, "inf", bySetting)
		}
		f.Lack(evidence.KeyConcurrency, "open loop: requests are sent when they are due, whatever is open")
	default:
		f.Set(evidence.KeyConcurrency, decimal(step.Concurrency), bySetting)
		f.Lack(evidence.KeyRequestRate, "closed loop: no rate is offered")
	}
}

// coldShare is the share of prompt tokens out of a cache up to which a run counts as cold: a
// chat template begins every prompt alike.
const coldShare = 0.01

// observed are what came of it.
func observed(f artifact.Facts, w *workload.Workload, v *seen, asked int64) {
	const none = "no request of the measured window completed"
	lack := func(why string, keys ...evidence.FactKey) {
		for _, k := range keys {
			f.Lack(k, why)
		}
	}
	f.Set(evidence.KeyCompleted, decimal(len(v.completed)), "counted by this client")
	f.Set(evidence.KeyFailed, decimal(len(v.rows)-len(v.completed)), "counted by this client")
	warm(f, asked)
	if len(v.completed) == 0 {
		lack(none, evidence.KeyPromptTokens, evidence.KeyMeanOutput, evidence.KeyShareAtCap, evidence.KeyTokenCount, evidence.KeyCompletionMode, evidence.KeyThinking)
		lack(none, evidence.KeyCachedFraction, evidence.KeyCacheState)
		return
	}
	n := len(v.completed)
	if len(v.prompt) == n {
		sorted := slices.Sorted(slices.Values(v.prompt))
		f.Derive(evidence.KeyPromptTokens, decimal(sorted[(n-1)/2]), "p50 (nearest rank) of "+byUsage)
		f.Derive(evidence.KeyInputTokens, decimal(total(v.prompt)), "sum of "+byUsage)
	} else {
		lack(fmt.Sprintf("the engine counted the prompts of %d of %d completed requests", len(v.prompt), n), evidence.KeyPromptTokens)
	}
	if len(v.output) == n {
		f.Derive(evidence.KeyMeanOutput, decimal(total(v.output)/float64(n)), "mean of "+byUsage)
		f.Derive(evidence.KeyOutputTokens, decimal(total(v.output)), "sum of "+byUsage)
		f.Derive(evidence.KeyShareAtCap, decimal(float64(v.atCap)/float64(n)), "answers as long as the cap, of those that completed")
		f.Set(evidence.KeyTokenCount, "usage", "members tokens_from of the requests")
	} else {
		lack(fmt.Sprintf("the engine counted the answers of %d of %d completed requests", len(v.output), n),
			evidence.KeyMeanOutput, evidence.KeyShareAtCap, evidence.KeyTokenCount)
	}
	completion(f, w, v)
	cache(f, v)
	thought(f, w, v)
}

func warm(f artifact.Facts, asked int64) {
	if asked > 0 {
		f.Derive(evidence.KeyWarmState, "repeat", "the engine had answered requests of this session before the measured ones")
		return
	}
	f.Derive(evidence.KeyWarmState, "first", "the first requests that this session sent to the engine are the measured ones")
}

// completion is forced only when the engine's own counts say so.
func completion(f artifact.Facts, w *workload.Workload, v *seen) {
	if w.Output.Mode != workload.Forced {
		f.Set(evidence.KeyCompletionMode, "natural", bySetting)
		return
	}
	switch g := v.forced(w); g.Status {
	case passed:
		f.Derive(evidence.KeyCompletionMode, "forced", "asked for, and "+g.Detail)
	default:
		f.Derive(evidence.KeyCompletionMode, "natural", "forced was asked for, but "+g.Detail)
	}
}

func cache(f artifact.Facts, v *seen) {
	if v.cachedN < len(v.completed) || v.cachedOf == 0 {
		why := fmt.Sprintf("the engine told the cached tokens of %d of %d completed requests", v.cachedN, len(v.completed))
		f.Lack(evidence.KeyCachedFraction, why)
		if slices.Contains([]string{"false", "disabled", "off"}, f.Get(evidence.KeyPrefixCache)) {
			f.Derive(evidence.KeyCacheState, "cold", "the prefix cache is off")
		} else {
			f.Lack(evidence.KeyCacheState, why)
		}
		return
	}
	share := float64(v.cached) / float64(v.cachedOf)
	f.Derive(evidence.KeyCachedFraction, strconv.FormatFloat(share, 'f', 6, 64), "cached over all prompt tokens by the engine's own count")
	if share <= coldShare {
		f.Derive(evidence.KeyCacheState, "cold", fmt.Sprintf("at most %g of the prompt tokens came out of the cache", coldShare))
	} else {
		f.Derive(evidence.KeyCacheState, "warm", fmt.Sprintf("more than %g of the prompt tokens came out of the cache", coldShare))
	}
}

// thought says what the answers show, not what was asked.
func thought(f artifact.Facts, w *workload.Workload, v *seen) {
	n := len(v.completed)
	switch v.reasoned {
	case 0:
		f.Derive(evidence.KeyThinking, "disabled", fmt.Sprintf("none of %d answers came with reasoning", n))
	case n:
		f.Derive(evidence.KeyThinking, "enabled", fmt.Sprintf("all of %d answers came with reasoning", n))
	default:
		f.Derive(evidence.KeyThinking, "mixed", fmt.Sprintf("%d of %d answers came with reasoning", v.reasoned, n))
	}
	if w.Thinking.Enabled == nil {
		return
	}
	if v.thinking(*w.Thinking.Enabled).Status == passed {
		f.Derive(evidence.KeyThinkProof, "verified", "the answers are as was asked")
	} else {
		f.Derive(evidence.KeyThinkProof, "requested_unverified", "the answers are not as was asked")
	}
}

// facts are the hardware.
func (c *cards) facts(f artifact.Facts) {
	const asked = "asked of the driver"
	keys := []evidence.FactKey{evidence.KeyGPUProduct, evidence.KeyGPUArch, evidence.KeyGPUCount, evidence.KeyLane}
	if c.driver != nil && (c.local || len(c.measured) > 0) {
		f.Set(evidence.KeyHostGPUs, decimal(len(c.all)), asked)
		if v := c.driver.System().Driver; v != "" {
			f.Set(evidence.KeyDriver, v, asked)
		}
	}
	if c.driver == nil || len(c.measured) == 0 {
		why := cmp.Or(c.why, c.how)
		for _, k := range keys {
			f.Lack(k, why)
		}
		return
	}
	var uuids, names, arch []string
	memory, known := int64(0), true
	for _, i := range c.measured {
		x := &c.all[i]
		uuids = append(uuids, x.UUID)
		names = append(names, x.Name)
		if x.Capability != "" {
			arch = append(arch, x.Capability)
		}
		known = known && x.Memory.OK
		memory += x.Memory.V
	}
	same := func(list []string) string { slices.Sort(list); return strings.Join(slices.Compact(list), " + ") }
	f.Set(evidence.KeyGPUProduct, same(names), asked+"; "+c.how)
	if len(arch) == len(c.measured) {
		f.Set(evidence.KeyGPUArch, same(arch), "compute capability "+asked+" ("+c.all[c.measured[0]].Architecture+")")
	} else {
		f.Lack(evidence.KeyGPUArch, "the driver does not tell it")
	}
	f.Derive(evidence.KeyGPUCount, decimal(len(c.measured)), c.how)
	f.Derive(evidence.KeyLane, strings.Join(uuids, "+"), c.how)
	if known {
		f.Set(evidence.KeyGPUMemory, decimal(memory/int64(len(c.measured))), asked+", of one card")
	}
	for _, l := range c.links {
		if len(c.measured) == 2 && slices.Contains(c.measured, l.From) && slices.Contains(c.measured, l.To) {
			f.Set(evidence.KeyTopology, l.Common+", peer to peer "+l.P2P, asked)
		}
	}
}

// declare adds what people state. What the engine or the driver says wins over it; where
// they differ both are told.
func declare(f artifact.Facts, list map[evidence.FactKey]Declared) (differ []string) {
	for _, k := range slices.Sorted(maps.Keys(list)) {
		d := list[k]
		if have := f.Get(k); have == "" {
			f.Declare(k, d.Value, d.How)
		} else if have != d.Value {
			differ = append(differ, fmt.Sprintf("%s was declared as %q (%s), and is %q: %s", k, d.Value, d.How, have, f[k].How))
		}
	}
	return differ
}
