package lift

import (
	"strconv"
	"strings"

	"assay/store/evidence"
)

// statNames are statistics as sources spell them.
var statNames = map[string]evidence.Stat{
	"mean": evidence.Mean, "avg": evidence.Mean, "average": evidence.Mean,
	"median": evidence.P50, "std": evidence.Std, "stddev": evidence.Std, "std_dev": evidence.Std,
	"min": evidence.Min, "minimum": evidence.Min, "max": evidence.Max, "maximum": evidence.Max,
	"p001": evidence.P0p1, "p0p1": evidence.P0p1, "p999": evidence.P99p9, "p99p9": evidence.P99p9,
	"p01": evidence.P1, "p05": evidence.P5,
}

// StatName reads the name of a statistic: "avg", "p99.9", "P25".
func StatName(name string) (evidence.Stat, bool) {
	name = strings.ToLower(name)
	if s, ok := statNames[name]; ok {
		return s, true
	}
	digits, ok := strings.CutPrefix(name, "p")
	if !ok || len(digits) > 8 || strings.Trim(digits, "0123456789.") != "" {
		return "", false
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f <= 0 || f >= 100 {
		return "", false
	}
	return evidence.Stat("p" + evidence.FormatDecimal(f)), true
}

// StatPrefix splits "p99.9_ttft_ms" into the statistic and "ttft_ms".
func StatPrefix(name string) (evidence.Stat, string, bool) {
	word, rest, ok := strings.Cut(name, "_")
	if !ok {
		return "", "", false
	}
	s, ok := StatName(word)
	return s, rest, ok
}

// IsPercentile reports whether a statistic is a percentile.
func IsPercentile(s evidence.Stat) bool {
	_, ok := percentile(s)
	return ok
}

func percentile(s evidence.Stat) (float64, bool) {
	digits, ok := strings.CutPrefix(string(s), "p")
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(digits, 64)
	return f, err == nil
}

// Class is the workload class of a load, as far as concurrency and prompt length tell.
// Both may be absent; no concurrency means that requests were not held back.
func Class(concurrency, prompt evidence.Opt[float64]) string {
	switch {
	case prompt.OK && prompt.V >= 32768:
		return evidence.ClassLong
	case concurrency.OK && concurrency.V <= 4:
		return evidence.ClassShort
	}
	return evidence.ClassAggregate
}

// Date writes a point in time that a tool gives in digits ("20260527-075026") the way
// that ISO 8601 does. Anything else comes back as it is.
func Date(s string) string {
	if len(s) != 15 || s[8] != '-' || strings.Trim(s[:8]+s[9:], "0123456789") != "" {
		return s
	}
	return s[:4] + "-" + s[4:6] + "-" + s[6:8] + "T" + s[9:11] + ":" + s[11:13] + ":" + s[13:]
}
