// Package compare says what may be compared and forms the few numbers that then may
// be shown. It is pure: runs in, judgements out.
//
// The journey of a pair:
//
//  1. [Judge] takes two runs (facts already merged), a [Question] (metric, statistic
//     and the axes, that is the factors asked about) and goes through the rules of
//     [Rules]: about the metric, about every fact key, about the arms.
//  2. Each rule that has something to say gives a [Reason] with its [Verdict]; the
//     pair's verdict is the worst of them: ok, caveat, unknown, blocked.
//  3. [EffectOf] forms the relative change, only if the verdict is ok or caveat.
//     Intervals stay intervals: their change has bounds and no point.
//  4. [BuildMatrix] lays runs out over factors, finds every cell's matched control and
//     forms the effects; [BuildGains] sets what a factor gains beside what it costs.
//
// The method is projection and residue: keys on an axis may differ, shape, protocol
// and hardware keys must be equal, and every other key that differs is residue and
// at least a caveat. Residue is taken over the union of both sides.
//
// Two runs are under one statement when facts of both were read from the same
// sentence. What that sentence leaves out is equal for both by derivation; between
// statements it is unknown.
//
// Note: verdicts are not symmetric in wording (control first), but blocking is.
package compare
