package prose

import (
	"strings"

	"assay/store/evidence"
)

// metricWords are the names under which sentences and member names speak of a
// definition. Longer names stand before their own beginnings.
var metricWords = []struct {
	words  string
	metric evidence.MetricID
}{
	{"time to first token", evidence.TTFT}, {"ttft", evidence.TTFT},
	{"time to first output", evidence.TTFO}, {"ttfo", evidence.TTFO},
	{"time to first chunk", evidence.TTFC}, {"ttfc", evidence.TTFC},
	{"time per output token", evidence.TPOT}, {"tpot mean itl", evidence.TPOT}, {"tpot", evidence.TPOT},
	{"mean inter token latency", evidence.TPOT}, {"inter token latency", evidence.ITLToken}, {"itl", evidence.ITLToken},
	{"end to end latency", evidence.E2E}, {"end to end", evidence.E2E}, {"e2e latency", evidence.E2E}, {"e2e", evidence.E2E},
	{"effective prefill rate", evidence.EffectivePrefillRate}, {"effective prefill", evidence.EffectivePrefillRate}, {"prefill", evidence.EffectivePrefillRate},
	{"decode rate", evidence.DecodeRate}, {"decode", evidence.DecodeRate},
	{"generation", evidence.Generation},
	{"request throughput", evidence.RequestThroughput}, {"goodput", evidence.Goodput},
	{"total throughput", evidence.TotalThroughput},
	{"aggregate output throughput", evidence.OutputThroughput}, {"aggregate throughput", evidence.OutputThroughput},
	{"output throughput", evidence.OutputThroughput}, {"throughput", evidence.OutputThroughput},
	{"aggregate output", evidence.OutputThroughput}, {"aggregate", evidence.OutputThroughput},
}

// metricByHead groups the names by their first word.
var metricByHead = func() map[string][]int {
	m := make(map[string][]int)
	for i, e := range metricWords {
		head, _, _ := strings.Cut(e.words, " ")
		m[head] = append(m[head], i)
	}
	return m
}()

// MetricWords finds the definition that a list of lower-case words begins with, and
// how many of them name it.
func MetricWords(words []string) (evidence.MetricID, int) {
	if len(words) == 0 {
		return "", 0
	}
	for _, i := range metricByHead[words[0]] {
		n, rest := 0, metricWords[i].words
		for rest != "" {
			var w string
			w, rest, _ = strings.Cut(rest, " ")
			if n == len(words) || words[n] != w {
				n = 0
				break
			}
			n++
		}
		if n > 0 {
			return metricWords[i].metric, n
		}
	}
	return "", 0
}

// metricAt reads a metric name that starts at token i and gives the index behind it.
// "aggregate" alone is no metric in a sentence: "aggregate tok/s" is a unit.
func metricAt(sentence string, tokens []Token, i int) (evidence.MetricID, int) {
	var words [5]string
	var ends [5]int
	n := 0
	for j := i; j < len(tokens) && n < len(words); j++ {
		t := tokens[j]
		if t.Kind != Word && t.Kind != Name {
			break
		}
		for part := range strings.SplitSeq(strings.ToLower(t.Text(sentence)), "-") {
			if n < len(words) {
				words[n], ends[n] = part, j+1
				n++
			}
		}
	}
	m, used := MetricWords(words[:n])
	if used == 1 && words[0] == "aggregate" && ends[0] < len(tokens) && tokens[ends[0]].Kind == Figure {
		return m, ends[0] // "aggregate 100 tok/s"
	}
	if used == 0 || used == 1 && words[0] == "aggregate" || used == 2 && words[1] == "output" {
		return "", 0
	}
	return m, ends[used-1]
}

var statWords = map[string]evidence.Stat{
	"mean": evidence.Mean, "average": evidence.Mean, "avg": evidence.Mean,
	"median": evidence.P50, "p50": evidence.P50, "p95": evidence.P95, "p99": evidence.P99,
	"max": evidence.Max, "maximum": evidence.Max, "min": evidence.Min, "minimum": evidence.Min,
	"total": evidence.Total, "single": evidence.Single,
}

// StatWord reads a lower-case word for a statistic. Any percentile pNN is one, also
// where the registry has no constant for it.
func StatWord(word string) (evidence.Stat, bool) {
	if s, ok := statWords[word]; ok {
		return s, true
	}
	if len(word) == 3 && word[0] == 'p' && isDigit(word[1]) && isDigit(word[2]) {
		return evidence.Stat(word), true
	}
	return "", false
}

func statAt(sentence string, t Token) (evidence.Stat, bool) {
	if t.Kind != Word && t.Kind != Name {
		return "", false
	}
	return StatWord(strings.ToLower(t.Text(sentence)))
}

// fits reports whether a figure in that unit can be one of the metric.
func fits(m evidence.MetricID, unit string) bool {
	info, ok := evidence.LookupMetric(m)
	if !ok || unit == "" {
		return false
	}
	_, base, err := evidence.ToBase("1", unit)
	return err == nil && base == info.Unit
}
