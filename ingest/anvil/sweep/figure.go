package sweep

import (
	"slices"
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// Figure is what the name of a member says of the figure under it. The words may stand in
// any order: "c4_aggregate_decode_tokens_per_second" and "decode_tok_s_p50".
type Figure struct {
	lift.Want          // Stat is "" when the name has none
	Concurrency string // "4" of "c4"
	Context     string // "8k" of "8k"
	Run         bool   // it is of runs: "run_medians", "mean_of_runs"
	Rest        []string
}

// unitPhrases are units as names spell them, longest first.
var unitPhrases = []struct{ phrase, unit string }{
	{"tokens per second", "tok/s"}, {"tok per second", "tok/s"}, {"tokens per s", "tok/s"}, {"tokens s", "tok/s"}, {"tok s", "tok/s"}, {"tps", "tok/s"},
	{"requests per second", "requests/s"}, {"milliseconds", "ms"}, {"ms", "ms"}, {"seconds", "s"}, {"sec", "s"}, {"s", "s"},
	{"percent", "percent"}, {"pct", "percent"}, {"fraction", "ratio"}, {"ratio", "ratio"},
}

// definitions are words of names with the definition they name in a base unit; the first
// whose words are all there.
var definitions = []struct {
	unit  evidence.Unit
	words string
	id    evidence.MetricID
}{
	{evidence.TokensPerSecond, "aggregate decode", evidence.OutputThroughput}, {evidence.TokensPerSecond, "aggregate output", evidence.OutputThroughput},
	{evidence.TokensPerSecond, "effective prefill", evidence.EffectivePrefillRate}, {evidence.TokensPerSecond, "decode", evidence.DecodeRate},
	{evidence.TokensPerSecond, "output throughput", evidence.OutputThroughput}, {evidence.TokensPerSecond, "total throughput", evidence.TotalThroughput},
	{evidence.TokensPerSecond, "aggregate throughput", evidence.OutputThroughput}, {evidence.TokensPerSecond, "throughput", evidence.OutputThroughput},
	{evidence.TokensPerSecond, "aggregate", evidence.OutputThroughput},
	{evidence.RequestsPerSec, "throughput", evidence.RequestThroughput}, {evidence.RequestsPerSec, "request", evidence.RequestThroughput},
	{evidence.Seconds, "mean inter token latency", evidence.TPOT}, {evidence.Seconds, "tpot", evidence.TPOT},
	{evidence.Seconds, "time to first output", evidence.TTFO}, {evidence.Seconds, "ttfo", evidence.TTFO},
	{evidence.Seconds, "time to first visible token", evidence.TTFT}, {evidence.Seconds, "time to first token", evidence.TTFT}, {evidence.Seconds, "ttft", evidence.TTFT},
	{evidence.Seconds, "end to end", evidence.E2E}, {evidence.Seconds, "e2e", evidence.E2E}, {evidence.Seconds, "generation", evidence.Generation},
	{evidence.Ratio, "acceptance rate", evidence.AcceptRate}, {evidence.Ratio, "acceptance", evidence.AcceptRate}, {evidence.Ratio, "pass rate", evidence.PassRate},
	{"", "acceptance rate", evidence.AcceptRate}, {"", "acceptance length", evidence.AcceptLength}, {"", "pass rate", evidence.PassRate},
	{"", "kv cache tokens", evidence.KVPoolTokens}, {"", "kv capacity tokens", evidence.KVPoolTokens}, {"", "kv capacity", evidence.KVPoolTokens}, {"", "kv pool tokens", evidence.KVPoolTokens}, {"", "kv tokens", evidence.KVPoolTokens},
	// A claim names the metric without a unit.
	{"", "effective prefill", evidence.EffectivePrefillRate}, {"", "decode", evidence.DecodeRate}, {"", "throughput", evidence.OutputThroughput},
	{"", "ttft", evidence.TTFT}, {"", "ttfo", evidence.TTFO}, {"", "e2e", evidence.E2E}, {"", "generation", evidence.Generation},
	{"", "mean inter token latency", evidence.TPOT}, {"", "tpot", evidence.TPOT},
}

// defaultUnits are the units of definitions that names leave out.
var defaultUnits = map[evidence.MetricID]string{
	evidence.AcceptRate: "ratio", evidence.PassRate: "ratio", evidence.AcceptLength: "tokens", evidence.KVPoolTokens: "tokens",
}

// Read takes a member name apart. The metric is "" when the words name none, and the unit
// is "" when the name gives none that fits.
func Read(name string) Figure {
	w := words(name)
	var f Figure
	for _, u := range unitPhrases {
		if rest, ok := without(w, strings.Fields(u.phrase), true); ok {
			f.Unit, w = u.unit, rest
			break
		}
	}
	_, base, _ := evidence.ToBase("1", f.Unit)
	for _, d := range definitions {
		if d.unit != base {
			continue
		}
		if rest, ok := without(w, strings.Fields(d.words), false); ok {
			f.Metric, w = d.id, rest
			break
		}
	}
	if f.Unit == "" {
		f.Unit = defaultUnits[f.Metric]
	}
	for _, x := range w {
		if f.Metric == evidence.KVPoolTokens && (x == "gpu" || x == "reported") {
			continue // the pool is the engine's on its cards, as it reports it
		}
		f.word(x)
	}
	return f
}

func (f *Figure) word(x string) {
	stat, isStat := prose.StatWord(strings.TrimSuffix(x, "s"))
	switch {
	case isStat && f.Stat == "":
		f.Stat = stat
	case x == "largest" || x == "single":
		f.Stat = evidence.Single
	case x == "run" || x == "runs":
		f.Run = true
	case len(x) > 1 && x[0] == 'c' && dynamic(x[1:]) && f.Concurrency == "":
		f.Concurrency = x[1:]
	case len(x) > 1 && x[len(x)-1] == 'k' && dynamic(x[:len(x)-1]) && f.Context == "":
		f.Context = x
	default:
		f.Rest = append(f.Rest, x)
	}
}

// without takes words away from a name; ok says that all were there, and in a row where
// that is asked for.
func without(w, take []string, inRow bool) ([]string, bool) {
	if inRow {
		for i := 0; i+len(take) <= len(w); i++ {
			if slices.Equal(w[i:i+len(take)], take) {
				return append(slices.Clone(w[:i]), w[i+len(take):]...), true
			}
		}
		return w, false
	}
	rest := slices.Clone(w)
	for _, x := range take {
		i := slices.Index(rest, x)
		if i < 0 {
			return w, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, true
}

// Totals are the metrics that are one figure for a whole run.
func Totals(id evidence.MetricID) bool {
	switch id {
	case evidence.OutputThroughput, evidence.TotalThroughput, evidence.RequestThroughput, evidence.KVPoolTokens:
		return true
	}
	return false
}

// Number is the load that a name tells, as a count.
func Number(nominal string) evidence.Opt[int64] {
	if n, ok := prose.NominalTokens(strings.ToUpper(nominal)); ok && nominal != "" {
		return evidence.Some(n)
	}
	return evidence.None[int64]()
}

// Words cuts a member name into words in small letters.
func Words(name string) []string { return words(name) }
