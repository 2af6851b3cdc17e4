package summary

import (
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// Rules of aggregation that names and sentences state.
const (
	meanOfMedians   = "mean of run medians"
	medianOfMedians = "median of run medians"
	meanOfMeans     = "mean of run means"
)

// name is what the name of a member says of its value. The parts may stand in any order:
// "4k_c1_decode_p50_tps" is the p50 of the decode rate in tok/s at a context of 4K and a
// concurrency of 1.
type name struct {
	metric  evidence.MetricID // "" when the name has none
	unit    string            // as evidence.ToBase knows it, "" when the name has none
	stat    evidence.Stat     // "" when the name has none
	agg     string            // how runs were brought together
	twice   bool              // two statistics, and nothing tells which is over which
	context string            // nominal, in tokens
	conc    string
	slice   []string // the part of a corpus that it speaks of
	path    string
	state   string // first or repeat, cold or warm
	scope   []string
	ranged  bool
	bound   string   // "lower" or "upper"
	change  int      // of a published change: -1 where the name says that it went down
	foreign bool     // a target, or somebody else's figure
	rest    []string // words that are none of these
}

// readName takes a name apart.
func readName(key string) name {
	l := split(key)
	var n name
	n.foreign = l.anyOf(foreignWords)
	n.readChange(l)
	n.readUnit(l)
	n.readMetric(l)
	n.readStat(l)
	n.notForeign(l)
	n.readShape(l)
	n.readQualifiers(l)
	l.takeAny(modifiers)
	n.rest = l.rest()
	return n
}

// notForeign: the target of speculative decoding is a model, and no aim.
func (n *name) notForeign(l *list) {
	if !n.foreign || n.metric != evidence.KVPoolTokens {
		return
	}
	for _, w := range l.words {
		if foreignWords[w] && w != "target" {
			return
		}
	}
	n.foreign = false
}

func (n *name) readChange(l *list) {
	for i, w := range l.words {
		if s, ok := changeWords[w]; ok && (l.has("percent", "pct", "fraction", "ratio") || len(l.words) <= 2) && !l.used[i] {
			n.change, l.used[i] = s, true
		}
	}
	if l.take("range") || l.take("interval") {
		n.ranged = true
	}
	switch {
	case l.take("lower", "bound"):
		n.bound = "lower"
	case l.take("upper", "bound"):
		n.bound = "upper"
	}
}

// unitPhrases are units as names spell them, longest first.
var unitPhrases = []struct{ phrase, unit string }{
	{"tokens per second", "tok/s"}, {"token per second", "tok/s"}, {"tok per second", "tok/s"}, {"tok per sec", "tok/s"}, {"tok per s", "tok/s"},
	{"tokens per sec", "tok/s"}, {"tokens per s", "tok/s"}, {"tokens sec", "tok/s"}, {"tokens s", "tok/s"}, {"tok sec", "tok/s"}, {"tok s", "tok/s"},
	{"toks s", "tok/s"}, {"toks", "tok/s"}, {"tps", "tok/s"}, {"requests per second", "requests/s"}, {"requests s", "requests/s"}, {"req s", "requests/s"},
	{"rps", "requests/s"}, {"milliseconds", "ms"}, {"millis", "ms"}, {"ms", "ms"}, {"us", "us"}, {"seconds", "s"}, {"secs", "s"}, {"sec", "s"}, {"s", "s"},
	{"minutes", "min"}, {"percent", "percent"}, {"pct", "percent"}, {"mib", "MiB"}, {"gib", "GiB"}, {"kib", "KiB"}, {"mb", "MB"}, {"gb", "GB"},
	{"bytes", "bytes"}, {"fraction", "ratio"}, {"ratio", "ratio"}, {"tokens", "tokens"}, {"joules", "J"}, {"watts", "W"},
}

var unitWordsOf = func() [][]string {
	out := make([][]string, len(unitPhrases))
	for i, u := range unitPhrases {
		out[i] = strings.Fields(u.phrase)
	}
	return out
}()

func (n *name) readUnit(l *list) {
	for i, phrase := range unitWordsOf {
		if l.take(phrase...) {
			n.unit = unitPhrases[i].unit
			return
		}
	}
}

// readStat reads the statistic. Two of them are one over the runs and one over the
// requests of a run; the word "run" tells which.
func (n *name) readStat(l *list) {
	var stats []evidence.Stat
	runAt, afterRun := -1, -1
	for i, w := range l.words {
		if l.used[i] {
			continue
		}
		if w == "run" || w == "runs" {
			runAt = i
			continue
		}
		if w == "largest" || w == "longest" { // of the one request with the longest prompt
			n.stat, l.used[i] = evidence.Single, true
			n.scope = append(n.scope, w)
			continue
		}
		s, ok := prose.StatWord(strings.TrimSuffix(w, "s"))
		if !ok {
			s, ok = moreStats[w]
		}
		if !ok || s == evidence.Single || s == evidence.Total { // of which metrics there is one figure, the metric says
			continue
		}
		l.used[i] = true
		if runAt >= 0 && afterRun < 0 {
			afterRun = len(stats)
		}
		stats = append(stats, s)
	}
	switch {
	case len(stats) == 1:
		n.stat = stats[0]
	case len(stats) == 2 && runAt >= 0 && l.has("run", "runs"):
		n.bringTogether(stats, afterRun, l)
	case len(stats) > 1:
		n.twice = true
	}
}

// bringTogether reads "p50_run_mean", the mean over runs of each run's p50, and
// "mean_of_run_p50s".
func (n *name) bringTogether(stats []evidence.Stat, afterRun int, l *list) {
	within, over := stats[0], stats[1]
	switch {
	case afterRun == 1 && l.has("of"): // "mean of run medians"
		within, over = stats[1], stats[0]
	case over == evidence.P50 && within == evidence.Mean: // "mean_run_p50"
		within, over = over, within
	}
	n.stat = within
	switch {
	case within == evidence.P50 && over == evidence.Mean:
		n.agg = meanOfMedians
	case within == evidence.P50 && over == evidence.P50:
		n.agg = medianOfMedians
	case within == evidence.Mean && over == evidence.Mean:
		n.agg = meanOfMeans
	default:
		n.agg = string(over) + " of run " + string(within)
	}
}

var moreStats = map[string]evidence.Stat{
	"highest": evidence.Max, "peak": evidence.Max, "worst": evidence.Max,
	"smallest": evidence.Min, "lowest": evidence.Min, "shortest": evidence.Min, "medians": evidence.P50, "averages": evidence.Mean,
}

// readShape reads "4k", "64k" and "c1".
func (n *name) readShape(l *list) {
	for i, w := range l.words {
		if l.used[i] || len(w) < 2 {
			continue
		}
		last := w[len(w)-1]
		switch {
		case (last == 'k' || last == 'm') && isNumber(w[:len(w)-1]) && n.context == "":
			if c, ok := prose.NominalTokens(strings.ToUpper(w)); ok {
				n.context, l.used[i] = prose.FormatCount(c), true
			}
		case w[0] == 'c' && isNumber(w[1:]) && n.conc == "":
			n.conc, l.used[i] = w[1:], true
		}
	}
	if n.context != "" || n.conc != "" {
		l.takeEach("context ctx concurrency")
	}
}

func isNumber(s string) bool {
	return s != "" && len(s) < 10 && strings.Trim(s, "0123456789") == ""
}

func (n *name) readQualifiers(l *list) {
	n.slice = l.takeAny(sliceWords)
	n.scope = append(n.scope, l.takeAny(scopeWords)...)
	for i, w := range l.words {
		if l.used[i] {
			continue
		}
		if p := pathWords[w]; p != "" && n.path == "" {
			n.path, l.used[i] = p, true
		} else if s := stateWords[w]; s != "" && n.state == "" {
			n.state, l.used[i] = s, true
		}
	}
}

// variant tells runs of one block apart: figures that differ in shape or part are not of
// one run.
func (n *name) variant() string {
	return strings.Join([]string{n.context, n.conc, n.path, n.state, strings.Join(n.slice, " "), strings.Join(n.scope, " ")}, "|")
}

// title is the variant for people.
func (n *name) title() string {
	var parts []string
	add := func(before, s string) {
		if s != "" {
			parts = append(parts, before+s)
		}
	}
	add("", n.path)
	add("", n.state)
	add("", strings.Join(n.scope, " "))
	add("", strings.Join(n.slice, " "))
	add("context ", n.context)
	add("C", n.conc)
	return strings.Join(parts, " ")
}
