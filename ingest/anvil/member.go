package anvil

import (
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// member is what the name of a member says of its value: "decode_tok_s_p50" is the p50
// of the decode rate in tok/s. The three parts may stand in any order.
type member struct {
	metric evidence.MetricID
	stat   evidence.Stat // "" when the name has none
	unit   string        // as evidence.ToBase knows it, "" when the name has none
	bound  string        // "lower" or "upper" for a bound of an interval
	rest   []string      // parts that are none of these
}

// unitParts are units as member names spell them, longest first.
var unitParts = []struct {
	parts []string
	unit  string
}{
	{[]string{"tokens", "per", "second"}, "tok/s"}, {[]string{"tok", "per", "s"}, "tok/s"},
	{[]string{"requests", "per", "second"}, "requests/s"},
	{[]string{"tok", "s"}, "tok/s"}, {[]string{"tokens", "s"}, "tok/s"}, {[]string{"tok", "sec"}, "tok/s"}, {[]string{"tps"}, "tok/s"},
	{[]string{"req", "s"}, "requests/s"}, {[]string{"requests", "s"}, "requests/s"},
	{[]string{"ms"}, "ms"}, {[]string{"us"}, "us"}, {[]string{"s"}, "s"}, {[]string{"sec"}, "s"}, {[]string{"seconds"}, "s"},
	{[]string{"percent"}, "percent"}, {[]string{"pct"}, "percent"}, {[]string{"fraction"}, "ratio"}, {[]string{"ratio"}, "ratio"},
	{[]string{"mib"}, "MiB"}, {[]string{"gib"}, "GiB"}, {[]string{"mb"}, "MB"}, {[]string{"gb"}, "GB"}, {[]string{"bytes"}, "bytes"},
}

// maxMember bounds the names that are taken apart.
const maxMember = 200

// readMember takes a member name apart.
func readMember(name string) member {
	var m member
	if len(name) > maxMember {
		return member{rest: []string{clip(name)}}
	}
	parts := strings.Split(strings.ToLower(name), "_")
	if n := len(parts); n > 2 && parts[n-1] == "bound" && (parts[n-2] == "lower" || parts[n-2] == "upper") {
		m.bound, parts = parts[n-2], parts[:n-2]
	}
	used := make([]bool, len(parts))
	m.metric = m.readMetric(parts, used)
	m.readUnit(parts, used)
	for i, w := range parts {
		if used[i] {
			continue
		}
		if s, ok := prose.StatWord(w); ok && m.stat == "" {
			m.stat, used[i] = s, true
			continue
		}
		m.rest = append(m.rest, w)
	}
	if m.metric == "" && m.unit == "tok/s" { // output_tok_s, total_tok_s
		switch {
		case m.stat == evidence.Total && len(m.rest) == 0:
			m.metric = evidence.TotalThroughput
		case len(m.rest) == 1 && m.rest[0] == "output":
			m.metric, m.rest = evidence.OutputThroughput, nil
		}
	}
	return m
}

// wholeNames are metric names that hold their unit, or that sentences write otherwise.
var wholeNames = []struct {
	parts  []string
	metric evidence.MetricID
	unit   string
}{
	{[]string{"kv", "pool", "tokens"}, evidence.KVPoolTokens, "tokens"}, {[]string{"kv", "tokens"}, evidence.KVPoolTokens, "tokens"},
	{[]string{"prompt", "tokens"}, evidence.PromptTokens, "tokens"}, {[]string{"output", "tokens"}, evidence.OutputTokens, "tokens"},
	{[]string{"completion", "tokens"}, evidence.OutputTokens, "tokens"}, {[]string{"pass", "rate"}, evidence.PassRate, "ratio"},
	{[]string{"gpu", "memory", "used"}, evidence.GPUMemoryUsed, ""}, {[]string{"gpu", "memory", "free"}, evidence.GPUMemoryFree, ""},
	{[]string{"tpot", "mean", "itl"}, evidence.TPOT, ""}, {[]string{"mean", "itl"}, evidence.TPOT, ""},
}

// readMetric finds the longest metric name in the parts.
func (m *member) readMetric(parts []string, used []bool) evidence.MetricID {
	for _, c := range wholeNames {
		if i := indexOf(parts, c.parts); i >= 0 {
			m.unit = c.unit
			mark(used, i, len(c.parts))
			return c.metric
		}
	}
	if id := acceptance(parts); id != "" {
		if i := indexOf(parts, []string{"length"}); i >= 0 {
			m.unit, used[i] = "tokens", true
		}
		return id // its qualifiers name the model's own parts
	}
	for i := range parts {
		if id, n := prose.MetricWords(parts[i:]); n > 0 {
			mark(used, i, n)
			return id
		}
	}
	return ""
}

// acceptance reads the names of speculative acceptance: accepted_draft_token_fraction,
// acceptance_rate, acceptance_length.
func acceptance(parts []string) evidence.MetricID {
	accepts, draft := false, false
	for _, w := range parts {
		accepts = accepts || strings.HasPrefix(w, "accept")
		draft = draft || w == "draft" || w == "token" || w == "acceptance" || w == "mtp" || w == "spec"
	}
	if !accepts || !draft {
		return ""
	}
	switch parts[len(parts)-1] {
	case "fraction", "ratio", "rate", "percent", "pct":
		return evidence.AcceptRate
	case "length":
		return evidence.AcceptLength
	}
	return ""
}

func (m *member) readUnit(parts []string, used []bool) {
	if m.unit != "" {
		return
	}
	for _, u := range unitParts {
		if i := indexOf(parts, u.parts); i >= 0 && !used[i] {
			mark(used, i, len(u.parts))
			m.unit = u.unit
			return
		}
	}
	if m.metric == evidence.AcceptRate {
		m.unit = "ratio"
	}
}

func mark(used []bool, i, n int) {
	for k := range n {
		used[i+k] = true
	}
}

// indexOf finds a run of parts in a list.
func indexOf(list, run []string) int {
	for i := 0; i+len(run) <= len(list); i++ {
		same := true
		for k, w := range run {
			same = same && list[i+k] == w
		}
		if same {
			return i
		}
	}
	return -1
}

// measures reports whether the name is a metric in a unit of its own and nothing else.
func (m member) measures() bool {
	return m.metric != "" && m.unit != "" && (len(m.rest) == 0 || m.metric == evidence.AcceptRate || m.metric == evidence.AcceptLength)
}

// unitFits reports whether the unit is one of the metric.
func (m member) unitFits() bool {
	info, ok := evidence.LookupMetric(m.metric)
	_, base, err := evidence.ToBase("1", m.unit)
	return ok && err == nil && base == info.Unit
}

// change reports whether the name is that of a published relative change:
// matched_delta_percent, performance_delta_vs_tp1_percent.
func (m member) change() bool {
	if m.unit != "percent" || m.metric == evidence.AcceptRate {
		return false
	}
	for _, w := range m.rest {
		switch w {
		case "delta", "change", "regression", "improvement", "gain", "reduction", "uplift", "difference", "speedup":
			return true
		}
	}
	return false
}
