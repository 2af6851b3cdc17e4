package compare

import (
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// Question is what is asked of a pair.
type Question struct {
	Metric evidence.MetricID
	Stat   evidence.Stat
	// Axes are the factors asked about: they may differ without being residue.
	Axes []evidence.FactKey
}

// pair holds what the rules look at.
type pair struct {
	control, arm *evidence.RunRow
	question     Question
	metric       evidence.Metric
	left, right  evidence.MeasurementRow
	oneStatement bool
}

func (p *pair) onAxis(k evidence.FactKey) bool {
	for _, a := range p.question.Axes {
		if a == k {
			return true
		}
	}
	return false
}

// side reads one fact of one run. A fact in conflict or absent is not known.
func side(r *evidence.RunRow, k evidence.FactKey) Side {
	f, ok := r.Fact(k)
	if !ok || f.State == evidence.Absent {
		return Side{}
	}
	s := Side{
		Known: f.State != evidence.Conflict, Value: f.Value, State: f.State,
		Sources: []SourceRef{{Artifact: f.Artifact, Place: f.Place}},
	}
	return s
}

// shareStatement reports whether both runs have a fact that was read from the same
// sentence, or the same run block.
func shareStatement(a, b *evidence.RunRow) bool {
	if a.Artifact != b.Artifact {
		return false
	}
	seen := map[evidence.Pointer]bool{}
	for i := range a.Facts {
		if f := &a.Facts[i]; isStatement(f) {
			seen[f.Place.Pointer] = true
		}
	}
	for i := range b.Facts {
		if f := &b.Facts[i]; isStatement(f) && seen[f.Place.Pointer] {
			return true
		}
	}
	return false
}

// matchedRule marks facts that a run has because its source calls it the matched
// control of a run under that statement.
const matchedRule = "label/matched"

// isStatement reports whether a fact is a shape or protocol fact lifted from prose.
func isStatement(f *evidence.FactRow) bool {
	if !strings.HasPrefix(f.Rule, "prose/") && f.Rule != matchedRule {
		return false
	}
	c := evidence.LookupKey(f.Key).Class
	return c == evidence.Shape || c == evidence.Protocol
}

// relativeDifference is |a-b| / max(|a|,|b|); two zeros do not differ.
func relativeDifference(a, b float64) float64 {
	m := math.Max(math.Abs(a), math.Abs(b))
	if m == 0 {
		return 0
	}
	return math.Abs(a-b) / m
}

// equalValues compares two canonical fact values: as numbers within a relative
// tolerance when both are numbers, as text otherwise.
func equalValues(a, b string, tolerance float64) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && relativeDifference(x, y) <= tolerance
}

// MeanOutput is the mean output tokens per request of a run and whether it is known:
// recorded, or derived from the medians as decode rate x (E2E - TTFT) + 1.
func MeanOutput(r *evidence.RunRow) (tokens float64, derived, ok bool) {
	if f, has := r.Fact(evidence.KeyMeanOutput); has {
		if v, err := strconv.ParseFloat(f.Value, 64); err == nil {
			return v, f.State != evidence.Recorded, true
		}
	}
	for _, s := range []evidence.Stat{evidence.Mean, evidence.P50, evidence.Single} {
		if m, has := r.Primary(evidence.OutputTokens, s); has && m.Value.OK {
			return m.Value.V, false, true
		}
	}
	// The mean of TPOT is taken over the same requests as the means of E2E and TTFT.
	if e, t, p := valueOf(r, evidence.E2E, evidence.Mean), valueOf(r, evidence.TTFT, evidence.Mean), valueOf(r, evidence.TPOT, evidence.Mean); e.OK && t.OK && p.OK && p.V > 0 {
		return (e.V-t.V)/p.V + 1, true, true
	}
	if e, t, d := valueOf(r, evidence.E2E, evidence.P50), valueOf(r, evidence.TTFT, evidence.P50), valueOf(r, evidence.DecodeRate, evidence.P50); e.OK && t.OK && d.OK {
		span := e.V - t.V
		return float64(span*d.V) + 1, true, true
	}
	return 0, false, false
}

// valueOf is the primary point value of a metric and statistic.
func valueOf(r *evidence.RunRow, m evidence.MetricID, s evidence.Stat) evidence.Opt[float64] {
	if x, ok := r.Primary(m, s); ok {
		return x.Value
	}
	return evidence.None[float64]()
}
