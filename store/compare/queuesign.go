package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/store/evidence"
)

// figuresOf are the figures of a run that can be compared at all.
func figuresOf(r *evidence.RunRow) map[Figure]bool {
	switch r.Status {
	case evidence.Measured, evidence.External:
	default:
		return nil
	}
	var out map[Figure]bool
	for i := range r.Measurements {
		m := &r.Measurements[i]
		info, ok := evidence.LookupMetric(m.Metric)
		if !ok || !info.Comparable || m.Role != evidence.Primary || !m.Value.OK && !(m.Lower.OK && m.Upper.OK) {
			continue
		}
		if out == nil {
			out = map[Figure]bool{}
		}
		out[Figure{Metric: m.Metric, Stat: m.Stat}] = true
	}
	return out
}

// signature is what verdicts about knowledge hang on: the class, the writer, the figures
// and the facts of shape, protocol, hardware and provenance, numbers to two digits. Who
// was under test does not matter: what differs there is a caveat and stops nothing.
func signature(r *evidence.RunRow, figures map[Figure]bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", r.Class, r.Family, r.Status)
	for _, f := range slices.SortedFunc(maps.Keys(figures), compareFigures) {
		b.WriteString(f.String() + "\x00")
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		if !telling(f.Key) {
			continue
		}
		value := f.Means()
		if evidence.LookupKey(f.Key).Unit != "" {
			value = roughly(value)
		}
		state := "known"
		if f.State == evidence.Absent || f.State == evidence.Conflict {
			state = string(f.State)
		}
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", f.Key, value, state)
	}
	tokens, _, known := MeanOutput(r)
	fmt.Fprintf(&b, "%t %t %t", known, tokens < 16, tokens < 64)
	return b.String()
}

// telling reports whether a verdict that is not a caveat may hang on the key.
func telling(k evidence.FactKey) bool {
	switch k {
	case evidence.KeyGPUCount, evidence.KeyReplicas, evidence.KeyDP, evidence.KeyPrefixCache, evidence.KeyMTPDepth:
		return true
	case evidence.KeyObserved, evidence.KeyEvidenceAt, evidence.KeyCampaign, evidence.KeyRunLabel, evidence.KeyFinished,
		evidence.KeyConfigID, evidence.KeyCandidate, evidence.KeyCalibrated:
		return false
	}
	switch evidence.LookupKey(k).Class {
	case evidence.Shape, evidence.Protocol, evidence.Hardware, evidence.Provenance:
		return true
	}
	return false
}

// roughly is a number to two significant digits, so that figures which differ from run
// to run do not make every run a group of its own.
func roughly(value string) string {
	f, err := evidence.ParseDecimal(value)
	if err != nil {
		return value
	}
	return fmt.Sprintf("%.2g", f)
}

func compareFigures(x, y Figure) int {
	return cmp.Or(strings.Compare(string(x.Metric), string(y.Metric)), strings.Compare(string(x.Stat), string(y.Stat)))
}
