package anvil

import (
	"fmt"
	"strconv"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// Rules of facts that are computed from other facts of the document.
const (
	ruleNumber       = "prose/number"
	ruleReplicas     = "replicas"       // aggregate concurrency parted by, or load times, the number of replicas
	ruleCards        = "cards-tp"       // as many cards as TP needs: one replica
	ruleRevision     = "repo@revision"  // the parts of an identity
	ruleMatched      = "matched-member" // a control that shares everything but the factor it is named after
	ruleLabelMatched = "label/matched"  // the workload of a control that the document calls matched
	ruleMember       = "member-name"    // a member name that states a setting
	ruleCacheOff     = "prefix-cache-off"
	ruleOneInTurn    = "one-request" // one request is one at a time
	ruleWord         = "word"        // a known word of a sentence
)

// load puts concurrency per replica and in total on a run. own is what the row says,
// general what the statement says of all rows; either may be missing.
//
// A bare "C8" on several replicas is ambiguous: it is read only when the statement
// says which of the two it is.
func (b *builder) load(r *run, own, general *evidence.Fact, ownScope, generalScope prose.Scope) {
	replicas := b.replicas(r.arm)
	if f := factIn(r.Facts, evidence.KeyConcurrency); f != nil && own == nil {
		recorded := *f
		own, ownScope = &recorded, prose.PerReplica
	}
	if own != nil {
		b.loadFrom(r, *own, ownScope, replicas, general, generalScope)
	}
	switch {
	case general == nil:
	case own == nil:
		b.loadFrom(r, *general, generalScope, replicas, nil, "")
	case generalScope != prose.Aggregate:
		b.put(&r.Facts, *general) // only to say so where it differs
	}
}

func (b *builder) loadFrom(r *run, f evidence.Fact, scope prose.Scope, replicas int64, general *evidence.Fact, generalScope prose.Scope) {
	n, err := strconv.ParseInt(f.Value, 10, 64)
	if err != nil {
		return
	}
	if scope == "" && replicas > 1 {
		scope = scopeLike(n, replicas, general, generalScope)
	}
	per, total := f, f
	total.Key = evidence.KeyConcurrencyAll
	switch {
	case scope == prose.Aggregate:
		b.put(&r.Facts, total)
		if replicas == 0 || n%replicas != 0 {
			b.find(evidence.Info, CodeUnparsed, f.Place.Pointer, nil, fmt.Sprintf(
				"%q is no whole load per replica (%d replicas): concurrency per replica stays unknown", f.SourceText, replicas))
			return
		}
		per.Value = strconv.FormatInt(n/replicas, 10)
		if replicas > 1 {
			per.Rule = ruleReplicas
		}
		b.put(&r.Facts, per)
	case scope == prose.PerReplica || replicas <= 1:
		b.put(&r.Facts, per)
		if replicas > 0 && n <= 1<<31 && replicas <= 1<<31 {
			total.Value, total.Rule = strconv.FormatInt(n*replicas, 10), ruleReplicas
			b.put(&r.Facts, total)
		}
	default:
		b.find(evidence.Info, CodeUnparsed, f.Place.Pointer, nil, fmt.Sprintf(
			"%q on %d replicas does not say whether it counts each or all: concurrency stays unknown", f.SourceText, replicas))
	}
}

// scopeLike reads a bare count with the help of a statement per replica.
func scopeLike(n, replicas int64, general *evidence.Fact, scope prose.Scope) prose.Scope {
	if general == nil || scope != prose.PerReplica {
		return ""
	}
	g, err := strconv.ParseInt(general.Value, 10, 64)
	switch {
	case err != nil:
		return ""
	case n == g:
		return prose.PerReplica
	case g <= 1<<31 && n == g*replicas:
		return prose.Aggregate
	}
	return ""
}

// replicas is the number of replicas of an arm, 0 when the document does not tell.
// Cards that TP uses up all make one replica.
func (b *builder) replicas(a *arm) int64 {
	for _, k := range []evidence.FactKey{evidence.KeyReplicas, evidence.KeyDP} {
		f := factIn(a.Facts, k)
		if f == nil {
			continue
		}
		if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil && n > 0 && f.State != evidence.Conflict {
			return n
		}
		return 0
	}
	tp, cards := factIn(a.Facts, evidence.KeyTP), factIn(a.Facts, evidence.KeyGPUCount)
	if tp == nil || cards == nil || tp.Value != cards.Value || tp.State == evidence.Conflict || cards.State == evidence.Conflict {
		return 0
	}
	one := *cards
	one.Key, one.Value, one.State, one.Rule = evidence.KeyReplicas, "1", evidence.Derived, ruleCards
	b.put(&a.Facts, one)
	return 1
}

// longContext is the prompt length from which a workload is a long-context one.
const longContext = 1 << 16

// classOf tells the workload class by load and prompt length: prompts from 65,536
// tokens on are long-context; of the rest, one request at a time is short capacity and
// several at once are aggregate throughput. "" when the load is not known.
func classOf(facts ...[]evidence.Fact) string {
	number := func(keys ...evidence.FactKey) (int64, bool) {
		for _, k := range keys {
			for _, list := range facts {
				if n, err := strconv.ParseInt(valueIn(list, k), 10, 64); err == nil {
					return n, true
				}
			}
		}
		return 0, false
	}
	if n, ok := number(evidence.KeyPromptTokens, evidence.KeyContextTarget); ok && n >= longContext {
		return evidence.ClassLong
	}
	n, ok := number(evidence.KeyConcurrencyAll, evidence.KeyConcurrency)
	switch {
	case !ok:
		return ""
	case n > 1:
		return evidence.ClassAggregate
	}
	return evidence.ClassShort
}
