// Package compare says what may be compared and forms the few numbers that then may
// be shown. It is pure: runs in, judgements out.
//
// The journey of a pair:
//
//  1. A [Question] (metric, statistic, the axes that is the factors asked about, and
//     whether a winner is asked for) is made ready once.
//  2. Each run is made ready once: its facts by their place in the registry and in the
//     form they are compared in. Spellings of one card become one product, "no_thinking"
//     becomes disabled, a load of all replicas becomes that of one.
//  3. [Judge] goes through [Rules]. A rule has lines, which say what becomes of a pair
//     for one fact key, or looks at the figures itself; keys that no rule speaks of
//     follow the table by class. What it finds is kept as numbers.
//  4. The findings are put into words: a [Reason] for each rule and key, blocking ones
//     first. The pair's verdict is the worst of them: ok, caveat, unknown, blocked. A
//     rule of rank scope leaves the difference standing and stops the ranking only.
//  5. [EffectOf] forms the relative change, only if the verdict is ok or caveat.
//     Intervals stay intervals: their change has bounds and no point.
//  6. [BuildMatrix], [Compare] and [BuildFrontier] lay many runs out; a [Panel] judges
//     every pair of many runs without putting it into words.
//
// For example a TTFT of 9.9 s and one of 2.5 s over the same 52,495 prompt tokens, of
// which nothing and 99.5 % came from the cache, give
//
//	Judgement{Verdict: Blocked, Reasons: []Reason{{Rule: "W-CACHE", Verdict: Blocked,
//	    Key: "cached_fraction", Left: "0", Right: "0.995", ...}, ...}}
//
// The method is projection and residue: keys on an axis may differ, shape, protocol
// and hardware keys must be equal, and every other key that differs is residue and
// at least a caveat. Residue is taken over the union of both sides.
//
// Two runs are under one statement when facts of both were read from the same sentence,
// or from the same block of a document. What it leaves out of the workload is equal for
// both by derivation; between statements it is unknown. What a load generator records
// nowhere is the same for all its runs. The card is never derived from either.
//
// Note: verdicts are not symmetric in wording (control first), but blocking is.
package compare
