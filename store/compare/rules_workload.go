package compare

import (
	"math"

	"assay/store/evidence"
)

// workloadRules are about what was asked of the arm.
var workloadRules = []Rule{
	{ID: "W-PROTO", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Both sides were measured under one protocol label, even where the definition of this metric did not change with it. The first generation has none and is its own.", Source: "capacity harness", Gives: "different: blocked; not known: unknown",
		lines: []keyLine{{key: evidence.KeyProtocol, differ: blocked, oneSided: unknown, neither: unknown, need: anyWork, ofWriter: true}}},
	{ID: "W-CONC", Scopes: []Scope{ScopeDelta}, Remedy: sameShape,
		Text: "The concurrency of the load on one replica is equal. The limit of the engine itself is part of its recipe.", Source: "method review", Gives: "different: blocked; not known: unknown",
		lines: []keyLine{
			{key: evidence.KeyConcurrency, differ: blocked, oneSided: unknown, neither: unknown, need: anyWork, when: closedLoop},
			{key: evidence.KeyRequestRate, differ: blocked, oneSided: unknown},
		}},
	{ID: "W-REQ", Scopes: []Scope{ScopeDelta}, Remedy: sameShape,
		Text: "Both sides ran equally many requests. The number of runs is the size of the sample.", Source: "method review", Gives: "different: blocked; not known: unknown; another number of runs: caveat",
		lines: []keyLine{
			{key: evidence.KeyRequests, differ: blocked, oneSided: unknown, neither: unknown, need: byLoad | suites | media | speech, when: notStartup},
			{key: evidence.KeyRepetitions, differ: caution, oneSided: caution, when: loadRepeats},
		}},
	{ID: "W-CTX", Scopes: []Scope{ScopeDelta}, Remedy: sameShape,
		Text: "The requested context is equal.", Source: "method review", Gives: "different: blocked; not known: unknown",
		lines: []keyLine{{key: evidence.KeyContextTarget, differ: blocked, oneSided: unknown, neither: unknown, need: byLoad}}},
	{ID: "W-CLAMP", Scopes: []Scope{ScopeDelta}, Remedy: measureFact,
		Text: "The planned contexts are equal: a harness may clamp them and still print the target.", Source: "clamped runs", Gives: "different: blocked; on one side: unknown; on neither: caveat",
		lines: []keyLine{{key: evidence.KeyPlannedContext, differ: blocked, oneSided: unknown, neither: caution, need: byLoad}}},
	{ID: "W-PROMPT", Scopes: []Scope{ScopeDelta}, Remedy: measureFact,
		Text: "The prompt tokens that the API counted are equal within 2 %. What was aimed at is no claim.", Source: "a target of 244,480 that became 201,746", Gives: "different: blocked; on one side: unknown; on neither: caveat under one plan, seed and protocol, else unknown; over a suite or corpus: caveat", decide: decidePrompt},
	{ID: "W-CALIB", Scopes: []Scope{ScopeDelta}, Remedy: measureFact,
		Text: "Where usage is absent, the characters a token that prompts were planned with stand in for the prompt tokens.", Source: "context harness", Gives: "different: blocked", decide: decideCalibration},
	{ID: "W-CAP", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "The output cap is equal; an attempt's own budget stands before the file's.", Source: "method review", Gives: "different: blocked; not known: unknown, under one statement caveat",
		lines: []keyLine{{key: evidence.KeyOutputCap, differ: blocked, oneSided: unknown, neither: unknown, statement: caution, need: byLoad | suites | media}}},
	{ID: "W-COMPLETION-DIST", Scopes: []Scope{ScopeDelta}, Remedy: "force equal output lengths",
		Text: "Forced and natural completion never meet for throughput, E2E, generation and latency. Forced is what is recorded or stated so, or at least ten requests that all end at the cap.", Source: "decision summary #/limitations/1",
		Gives: "different: blocked; one side not known: unknown; mean outputs over 10 % apart or shares at the cap over 0.25: caveat", decide: decideLengths},
	{ID: "W-THINK", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Thinking mode and effort are equal.", Source: "reasoning runs", Gives: "different: blocked; not known: unknown",
		lines: []keyLine{
			{key: evidence.KeyThinking, differ: blocked, oneSided: unknown, neither: unknown, need: byLoad | suites | quality | media},
			{key: evidence.KeyThinkingEffort, differ: blocked, oneSided: unknown, when: effortMatters},
		}},
	{ID: "W-BURST", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Both sides sent, or did not send, one burst with a shared prefix.", Source: "capacity harness", Gives: "different: blocked; not known: unknown",
		lines: []keyLine{{key: evidence.KeyPromptBurst, differ: blocked, oneSided: unknown, neither: unknown, need: byLoad}}},
	{ID: "W-CACHE", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "The cached share of the prompt is within 0.05, and cold is not held against warm.", Source: "replayed prefixes", Gives: "different: blocked; on one side: unknown for TTFT, TTFO, prefill and E2E, else caveat; on neither: caveat", decide: decideCache},
	{ID: "W-WARM", Scopes: []Scope{ScopeDelta}, Remedy: sameShape,
		Text: "A first measured run and its repeat are different states, where that is recorded or stated. The order of runs alone is no evidence.", Source: "decision narrative #/measurement/statistics", Gives: "different: blocked; on one side: unknown",
		lines: []keyLine{{key: evidence.KeyWarmState, differ: blocked, oneSided: unknown}}},
	{ID: "W-PROMPTSET", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "The prompts are the same set, with one seed, constructor and template.", Source: "method review", Gives: "different: blocked; on one side: unknown; on neither: caveat",
		lines: []keyLine{
			{key: evidence.KeyPromptSet, differ: blocked, oneSided: unknown, neither: caution, statement: caution, writer: caution, need: byLoad},
			{key: evidence.KeyPromptSeed, differ: blocked, oneSided: unknown},
			{key: evidence.KeyRequestedWords, differ: blocked, oneSided: unknown},
		}},
	{ID: "W-SAMPLING", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Temperature, top-p and seed are equal.", Source: "method review", Gives: "different: blocked; on one side: unknown; on neither: caveat",
		lines: []keyLine{{key: evidence.KeySampling, differ: blocked, oneSided: unknown, neither: caution, statement: caution, writer: caution, need: byLoad | suites | quality | media}}},
	{ID: "W-SERVED", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "The served context is part of the recipe, and often misrecorded.", Source: "recipe review", Gives: "different or not known: caveat",
		lines: []keyLine{{key: evidence.KeyServedContext, differ: caution, oneSided: caution, neither: caution, statement: caution, writer: caution, need: byLoad | suites | quality | media}},
		decide: func(p *pair, r *Rule) {
			if !p.asked(ixServedContext) && p.equalKnown(ixServedContext) && (p.a.byName.has(ixServedContext) || p.b.byName.has(ixServedContext)) {
				p.tell(r, caution, ixServedContext, "the served context is that of a recipe which serves the same name")
			}
		}},
	{ID: "W-REPLICA", Scopes: []Scope{ScopeDelta}, Remedy: "compare the figure per card",
		Text: "Another number of replicas under an equal load each: throughput and latency are read with care, and only throughput per card ranks. Replicas that are addressed directly are no balancer, no route and no fail-over.", Source: "decision summary #/limitations/3", Gives: "different: caveat; no ranking",
		decide: func(p *pair, r *Rule) {
			a, b := p.a.get(ixReplicas), p.b.get(ixReplicas)
			if a == nil || b == nil || equalCells(a, b, 0) || p.asked(ixReplicas) {
				return
			}
			if p.is(perGPU) {
				p.add(r, caution, ixReplicas, sayDiffers)
				return
			}
			p.ranked(r, caution, ixReplicas, sayDiffers)
		}},
	{ID: "W-FILENAME", Scopes: []Scope{ScopeNote}, Text: "Names of files, folders and configurations and served aliases are evidence of nothing.", Source: "misleading names", Gives: "note",
		Inert: "holds by construction: no rule reads a name"},
	{ID: "W-SCALING", Scopes: []Scope{ScopeNote}, Text: "Runs of one arm over concurrency, context or cache are a curve: a scaling view without a delta.", Source: "method review", Gives: "note",
		decide: func(p *pair, r *Rule) {
			for _, ix := range []int{ixConcurrency, ixContext, ixCachedFraction} {
				a, b := p.a.get(ix), p.b.get(ix)
				if a != nil && b != nil && !equalCells(a, b, 0) && p.self() {
					p.tell(r, note, ix, "a ladder of one arm: show it as a curve")
				}
			}
		}},
}

func notStartup(p *pair) bool { return p.kind&startup == 0 }

// closedLoop: where requests are sent at a rate, the rate is the load.
func closedLoop(p *pair) bool {
	if p.kind&startup != 0 {
		return false
	}
	return !(p.a.known.has(ixRequestRate) && p.b.known.has(ixRequestRate) && !p.a.known.has(ixConcurrency) && !p.b.known.has(ixConcurrency))
}

// loadRepeats: runs of a load are sample size; repetitions of a check are its rules' own.
func loadRepeats(p *pair) bool { return p.kind&(suites|quality|media|speech) == 0 }

// effortMatters: with thinking disabled on both sides an effort of none and one that is
// not set mean the same.
func effortMatters(p *pair) bool {
	if x, y := p.a.text(ixEffort), p.b.text(ixEffort); (x == "" || x == "unset") && (y == "" || y == "unset") {
		return false // an effort that is absent is one that was not set
	}
	if p.a.text(ixThinking) != "disabled" || p.b.text(ixThinking) != "disabled" {
		return true
	}
	idle := func(s string) bool { return s == "" || s == "unset" || s == "none" }
	return !idle(p.a.text(ixEffort)) || !idle(p.b.text(ixEffort))
}

const promptWithin = 0.02

func decidePrompt(p *pair, r *Rule) {
	if p.asked(ixPromptTokens) {
		return
	}
	a, okA := p.a.number(ixPromptTokens)
	b, okB := p.b.number(ixPromptTokens)
	switch {
	case p.kind&byLoad == 0:
		// A suite and a corpus are the same prompts by their digest; another tokenizer or
		// template counts them otherwise.
		if okA && okB && relativeDifference(a, b) > promptWithin {
			p.tell(r, caution, ixPromptTokens, "one set of prompts, counted differently")
		}
	case okA && okB:
		if relativeDifference(a, b) > promptWithin {
			p.add(r, blocked, ixPromptTokens, sayDiffers)
		}
	case p.a.known.has(ixPromptTokens) || p.b.known.has(ixPromptTokens) || p.a.doubt.has(ixPromptTokens) || p.b.doubt.has(ixPromptTokens):
		p.add(r, unknown, ixPromptTokens, sayOneSided)
	case p.one || p.samePlan() || p.equalKnown(ixCalibrated):
		p.add(r, caution, ixPromptTokens, sayNeither)
	default:
		p.add(r, unknown, ixPromptTokens, sayNeither)
	}
}

// samePlan reports whether plan, seed and protocol are known and equal.
func (p *pair) samePlan() bool {
	return p.equalKnown(ixPlanned) && p.equalKnown(ixPromptSeed) && p.equalKnown(ixProtocol)
}

func (p *pair) equalKnown(ix int) bool {
	a, b := p.a.get(ix), p.b.get(ix)
	return a != nil && b != nil && equalCells(a, b, 0)
}

func (p *pair) knownApart(ix int) bool {
	a, b := p.a.get(ix), p.b.get(ix)
	return a != nil && b != nil && !equalCells(a, b, 0)
}

func decideCalibration(p *pair, r *Rule) {
	if !p.a.known.has(ixPromptTokens) && !p.b.known.has(ixPromptTokens) && p.knownApart(ixCalibrated) {
		p.add(r, blocked, ixCalibrated, sayDiffers)
	}
}

func decideLengths(p *pair, r *Rule) {
	if p.asked(ixCompletionMode) {
		return
	}
	recorded := p.a.known.has(ixCompletionMode) || p.b.known.has(ixCompletionMode)
	if p.kind&(speech|startup) == 0 && !p.is(ofQuality) {
		switch a, b := p.a.forced, p.b.forced; {
		case a != modeUnknown && b != modeUnknown && a != b && p.is(ofLength):
			p.add(r, blocked, ixCompletionMode, sayModes)
		case a != modeUnknown && b != modeUnknown && a != b && recorded:
			p.add(r, caution, ixCompletionMode, sayModes)
		case !p.is(ofLength):
		case a == modeUnknown && b == modeUnknown:
		case (a == modeForced || b == modeForced || recorded) && a != b:
			p.add(r, unknown, ixCompletionMode, sayModes)
		}
	}
	a, b := p.a.mean, p.b.mean
	if !p.is(ofLengthMild) || p.kind&speech != 0 {
		return
	}
	switch {
	case a.known && b.known && relativeDifference(a.tokens, b.tokens) > 0.10:
		p.add(r, caution, noKey, sayLengths("mean output lengths differ by more than 10 %"))
	case math.Abs(p.a.share-p.b.share) > 0.25:
		p.add(r, caution, noKey, sayLengths("the shares of requests that end at the cap differ by more than 0.25"))
	}
}

func sayModes(p *pair, _ *finding) words {
	w := words{key: evidence.KeyCompletionMode, message: "forced and natural completion never meet"}
	of := func(s *Prepared) Side {
		if side := s.side(ixCompletionMode); side.Known {
			return side
		}
		side := s.side(ixShareAtCap)
		switch s.forced {
		case modeForced:
			side.Known, side.Value, side.State = true, "forced", evidence.Derived
		case modeNatural:
			side.Known, side.Value, side.State = true, "natural", evidence.Derived
		}
		return side
	}
	w.left, w.right = of(p.a), of(p.b)
	if p.a.forced == modeUnknown || p.b.forced == modeUnknown {
		w.message = "whether completion is forced is known of one side only"
	}
	return w
}

const cachedWithin = 0.05

// decideCache reads the cached share, else the state, which is off where the prefix
// cache is.
func decideCache(p *pair, r *Rule) {
	if p.kind&(speech|startup) != 0 || p.is(ofQuality|ofSpeech) || p.asked(ixCacheState) || p.asked(ixCachedFraction) {
		return
	}
	x, okX := p.a.cachedShare()
	y, okY := p.b.cachedShare()
	s, t := p.a.cacheState(), p.b.cacheState()
	key := ixCacheState
	if okX || okY {
		key = ixCachedFraction
	}
	switch {
	case okX && okY && math.Abs(x-y) > cachedWithin, s != "" && t != "" && !sameCache(s, t):
		p.add(r, blocked, key, sayDiffers)
	case okX && okY, s != "" && t != "" && !okX && !okY:
	case okX || okY || s != "" || t != "" || p.a.doubt.has(key) || p.b.doubt.has(key):
		if p.is(ofCache) {
			p.add(r, unknown, key, sayOneSided)
		} else {
			p.add(r, caution, key, sayOneSided)
		}
	default:
		p.add(r, caution, key, sayNeither)
	}
}

// cachedShare is the cached share of the prompts; nothing is cached where the prefix
// cache is off.
func (p *Prepared) cachedShare() (float64, bool) {
	if v, ok := p.number(ixCachedFraction); ok {
		return v, true
	}
	return 0, p.cacheOff()
}

// cacheOff reports whether the prefix cache is known to be off. A recipe that merely
// serves the same name does not say so of this run.
func (p *Prepared) cacheOff() bool {
	return p.text(ixPrefixCache) == "false" && !p.byName.has(ixPrefixCache)
}

// sameCache: with the prefix cache off every prompt is cold.
func sameCache(s, t string) bool {
	return s == t || (s == "off" || s == "cold") && (t == "off" || t == "cold")
}

func (p *Prepared) cacheState() string {
	s := p.text(ixCacheState)
	if s == "" && p.cacheOff() {
		return "off"
	}
	return s
}
