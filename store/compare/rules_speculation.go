package compare

import (
	"strings"

	"assay/store/evidence"
)

// controlKeys must be equal for an MTP effect: it is the effect of MTP only against
// a control that differs in nothing else.
var controlKeys = []evidence.FactKey{
	evidence.KeyCheckpoint, evidence.KeyModelRevision, evidence.KeyEngineRevision, evidence.KeyImageDigest, evidence.KeyTP,
	evidence.KeyServedContext, evidence.KeyMaxSequences, evidence.KeyBatchedTokens, evidence.KeyKVDtype, evidence.KeyPrefixCache,
	evidence.KeyMemoryFraction, evidence.KeyPromptSet,
}

// scalingKeys must be equal for a TP effect.
var scalingKeys = []evidence.FactKey{
	evidence.KeyCheckpoint, evidence.KeyModelRevision, evidence.KeyEngineRevision, evidence.KeyImageDigest,
	evidence.KeyServedContext, evidence.KeyMTPDepth, evidence.KeyKVDtype, evidence.KeyMaxSequences,
}

// speculationRules hold only where their axis is the question asked, S-CHUNK aside.
var speculationRules = []Rule{
	{ID: "S-CONTROL", Scopes: []Scope{ScopeAxis}, Axis: evidence.KeyMTPDepth, Remedy: "run the matched control",
		Text: "The effect of speculation is taken against a control with the same checkpoint revision, engine build, TP, served context, memory fraction, sequences, KV dtype, prefix cache and prompts.", Source: "method review", When: "axis mtp_depth", Gives: "known and different: blocked; not known: caveat that names the keys",
		decide: holdEqual(evidence.KeyMTPDepth, controlKeys)},
	{ID: "S-KVPOOL", Scopes: []Scope{ScopeAxis}, Axis: evidence.KeyMTPDepth, Remedy: "show KV pool, free memory and long-context TTFT of both arms",
		Text: "What speculation costs (KV pool, free memory, long-context TTFT) stands beside what it gains.", Source: "method review", When: "axis mtp_depth", Gives: "only the gain: caveat",
		decide: func(p *pair, r *Rule) {
			if p.onAxis(ixMTPDepth) && !p.q.CostShown && p.kind&startup == 0 && !(p.a.showsCost() && p.b.showsCost()) {
				p.tell(r, caution, noKey, "the cost of speculation is not shown beside its gain")
			}
		}},
	{ID: "S-ACCEPT", Scopes: []Scope{ScopeAxis}, Axis: evidence.KeyMTPDepth, Remedy: measureFact, Text: "Acceptance carries its scope and definition.", Source: "method review", When: "axis mtp_depth", Gives: "absent: caveat",
		decide: func(p *pair, r *Rule) {
			if p.onAxis(ixMTPDepth) && p.kind&startup == 0 && !hasAcceptance(p.a.run) && !hasAcceptance(p.b.run) {
				p.tell(r, caution, noKey, "acceptance is not recorded, so the kind of text is unknown")
			}
		}},
	{ID: "S-TEXT", Scopes: []Scope{ScopeAxis}, Axis: evidence.KeyMTPDepth, Remedy: declareFact, Text: "Random or repeated filler inflates acceptance: the class of text is the same.", Source: "public reports: about 3.55 against 2.50 with the chat template", When: "axis mtp_depth",
		Gives: "known and different: blocked; on one side: unknown; on neither: caveat",
		decide: func(p *pair, r *Rule) {
			if !p.onAxis(ixMTPDepth) && !p.is(ofAcceptance) || p.kind&startup != 0 {
				return
			}
			switch a, b := p.a.get(ixPromptKind), p.b.get(ixPromptKind); {
			case a != nil && b != nil:
				if !equalCells(a, b, 0) {
					p.add(r, blocked, ixPromptKind, sayDiffers)
				}
			case a != nil || b != nil:
				p.add(r, unknown, ixPromptKind, sayOneSided)
			default:
				p.add(r, caution, ixPromptKind, sayNeither)
			}
		}},
	{ID: "S-CHUNK", Scopes: []Scope{ScopeDelta}, Remedy: "measure with usage counts",
		Text: "With several tokens in a chunk, gaps and counts of chunks are no token figures. A mean gap well above the mean TPOT shows it.", Source: "public reports: 8.72 ms per step against 3.20 ms per token", When: "figures per token or per chunk", Gives: "blocked", decide: decideChunkGaps},
	{ID: "S-EQUAL", Scopes: []Scope{ScopeAxis}, Axis: evidence.KeyMTPDepth, Text: "Whether greedy output or quality differs from the control's is shown.", Source: "method review", When: "axis mtp_depth", Gives: "absent: note",
		decide: func(p *pair, r *Rule) {
			if p.onAxis(ixMTPDepth) && (!p.a.known.has(ixCorrectness) || !p.b.known.has(ixCorrectness)) {
				p.tell(r, note, ixCorrectness, "nothing says whether the output equals the control's")
			}
		}},
	{ID: "S-TP", Scopes: []Scope{ScopeAxis}, Axis: evidence.KeyTP, Remedy: "run the matched control",
		Text: "Tensor-parallel arms have the same checkpoint, engine, context, MTP and load per replica. One stream over two cards meets two replicas only as throughput per card.", Source: "method review", When: "axis tp", Gives: "known and different: blocked; not known: caveat that names the keys",
		decide: func(p *pair, r *Rule) {
			holdScaling(p, r)
			if p.onAxis(ixTP) && p.is(ofThroughput) && !p.is(perGPU) && p.knownApart(ixReplicas) {
				p.tell(r, blocked, ixReplicas, "one stream over several cards meets replicas only as throughput per card")
			}
		}},
}

var holdScaling = holdEqual(evidence.KeyTP, scalingKeys)

func (p *pair) onAxis(ix int) bool { return p.q.axis.has(ix) }

func hasAcceptance(r *evidence.RunRow) bool {
	for i := range r.Measurements {
		if m := r.Measurements[i].Metric; m == evidence.AcceptRate || m == evidence.AcceptLength {
			return true
		}
	}
	return false
}

func (p *Prepared) showsCost() bool {
	for i := range p.run.Measurements {
		if m := &p.run.Measurements[i]; m.Value.OK && (m.Metric == evidence.KVPoolTokens || m.Metric == evidence.GPUMemoryFree) {
			return true
		}
	}
	return false
}

// holdEqual blocks on every control key that is known and differs, and names those that
// are not known in one caveat.
func holdEqual(axis evidence.FactKey, keys []evidence.FactKey) func(*pair, *Rule) {
	at := make([]int, len(keys))
	for i, k := range keys {
		at[i] = keyIndex[k]
	}
	open := func(p *pair, _ *finding) words {
		var names []string
		for _, ix := range at {
			if !p.asked(ix) && p.openControl(ix) {
				names = append(names, title(ix))
			}
		}
		return words{message: "control keys not recorded: " + strings.Join(names, ", "), remedy: declareFact}
	}
	differs := func(p *pair, f *finding) words { return sayKey(p, f, "%s differs, so this is not a matched control") }
	return func(p *pair, r *Rule) {
		if !p.onAxis(keyIndex[axis]) {
			return
		}
		for _, ix := range at {
			if p.asked(ix) {
				continue
			}
			if p.openControl(ix) {
				p.add(r, caution, noKey, open)
			} else if p.knownApart(ix) {
				p.add(r, blocked, ix, differs)
			}
		}
	}
}

// openControl reports whether a control key is not known on both sides. What one
// statement leaves out of the workload is the same for all arms under it.
func (p *pair) openControl(ix int) bool {
	a, b := p.a.get(ix), p.b.get(ix)
	if a == nil && b == nil && p.one && evidence.Keys[ix].Class == evidence.Shape {
		return false
	}
	return a == nil || b == nil
}

// tokensPerChunk is how many tokens a chunk holds on average, where both gaps are there.
func (p *Prepared) tokensPerChunk() (float64, bool) {
	for _, s := range []evidence.Stat{evidence.Mean, evidence.P50} {
		chunk, token := valueOf(p.run, evidence.ITLChunk, s), valueOf(p.run, evidence.TPOT, s)
		if chunk.OK && token.OK && token.V > 0 {
			return chunk.V / token.V, true
		}
	}
	return 0, false
}

// wellAbove is the ratio from which a chunk holds more than one token.
const wellAbove = 1.2

func decideChunkGaps(p *pair, r *Rule) {
	switch {
	case p.q.Metric == evidence.ITLChunk:
		for _, s := range []*Prepared{p.a, p.b} {
			if n, ok := s.tokensPerChunk(); ok && n > wellAbove {
				p.tell(r, blocked, noKey, "a chunk holds several tokens: its gap is a verification step, not a token")
			}
		}
	case p.is(ofTokens):
		for _, s := range []*Prepared{p.a, p.b} {
			if s.text(ixCounting) == "chunks" && s.figure != nil {
				p.tell(r, blocked, ixCounting, "a figure per token was counted from stream chunks")
			}
		}
	}
}
