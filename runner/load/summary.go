package load

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"assay/store/evidence"
)

// Objective is what a request has to meet to count for goodput. Absent bounds ask nothing;
// a request that lacks the figure of a bound does not meet it.
type Objective struct {
	TTFT, TPOT, E2E evidence.Opt[time.Duration]
}

// SummaryOptions say what is summed up. The zero value takes the measured window.
type SummaryOptions struct {
	Phase     Phase
	Objective *Objective
}

// Figure is one statistic of one metric, in base units.
type Figure struct {
	Metric evidence.MetricID
	Stat   evidence.Stat
	Method evidence.Method
	Value  float64
	N      int
}

// Summary is what the records of one window say. It depends on the set of records alone,
// not on their order.
type Summary struct {
	Requests  int // due in the window
	Delivered int
	Classes   map[Class]int
	Wall      evidence.Opt[float64] // first byte sent to last request ended, seconds
	Figures   []Figure              // a metric that is not defined has none
	Warnings  []Warning
}

// Warning codes of a summary.
const (
	WarnFailed      = "requests_failed"
	WarnNoUsage     = "no_usage"
	WarnFew         = "percentile_of_few"
	WarnChunkTokens = "chunk_tokens_do_not_add_up"
	WarnTokenIDs    = "token_ids_differ_from_usage"
	WarnAttempts    = "requests_tried_again"
)

// sums gathers records.
type sums struct {
	Summary
	o                      SummaryOptions
	values                 map[evidence.MetricID][]float64
	chunkGaps, tokenGaps   []float64
	tokensKnown, tokensNot int
	prompt, output         int64
	counted, promptCounted int
	good, again, differ    int
	first, last            Moment
}

// Summarise computes every figure from records alone.
func Summarise(records iter.Seq[*Record], o SummaryOptions) Summary {
	if o.Phase == "" {
		o.Phase = Measure
	}
	s := &sums{Summary: Summary{Classes: map[Class]int{}}, o: o, values: map[evidence.MetricID][]float64{}}
	for r := range records {
		if r.Phase == o.Phase {
			s.add(r)
		}
	}
	s.distributions()
	s.totals()
	s.warn()
	return s.Summary
}

func (s *sums) add(r *Record) {
	s.Requests++
	s.Classes[r.Class]++
	if len(r.Attempts) > 0 {
		s.again++
	}
	s.first = earliest(s.first, r.Sent)
	end := r.Closed
	if r.Class.Delivered() {
		end = r.End
	}
	if r.Sent.OK && end.OK && (!s.last.OK || end.V > s.last.V) {
		s.last = end
	}
	if !r.Class.Delivered() {
		return
	}
	s.Delivered++
	for _, m := range perRequest {
		if v := m.of(r); v.OK {
			s.values[m.id] = append(s.values[m.id], v.V)
		}
	}
	s.chunkGaps = chunkGaps(s.chunkGaps, r)
	s.addTokens(r)
	if s.o.Objective.met(r) {
		s.good++
	}
}

func (s *sums) addTokens(r *Record) {
	var ok bool
	if s.tokenGaps, ok = tokenGaps(s.tokenGaps, r); ok {
		s.tokensKnown++
	} else {
		s.tokensNot++
	}
	if n := r.OutputTokens(); n.OK {
		s.output += n.V
		s.counted++
	}
	if r.Usage.Prompt.OK {
		s.prompt += r.Usage.Prompt.V
		s.promptCounted++
	}
	if r.TokenIDs.OK && r.Usage.Output.OK && r.TokenIDs.V != r.Usage.Output.V {
		s.differ++
	}
}

// met says whether a delivered request meets every bound.
func (o *Objective) met(r *Record) bool {
	if o == nil {
		return false
	}
	for _, b := range []struct {
		id   evidence.MetricID
		most evidence.Opt[time.Duration]
	}{{evidence.TTFT, o.TTFT}, {evidence.TPOT, o.TPOT}, {evidence.E2E, o.E2E}} {
		if v := Value(r, b.id); b.most.OK && (!v.OK || v.V > seconds(b.most.V)) {
			return false
		}
	}
	return true
}

func (s *sums) distributions() {
	for _, m := range perRequest {
		s.distribution(m.id, s.values[m.id])
	}
	if s.tokensNot == 0 { // a mixture of requests that say and that do not is no distribution
		s.distribution(evidence.ITLToken, s.tokenGaps)
	}
	s.distribution(evidence.ITLChunk, s.chunkGaps)
}

// distribution writes mean, percentiles and range. One observation is neither.
func (s *sums) distribution(id evidence.MetricID, values []float64) {
	n := len(values)
	switch n {
	case 0:
		return
	case 1:
		s.Figures = append(s.Figures, Figure{id, evidence.Single, "", values[0], 1})
		return
	}
	slices.Sort(values) // the sum below is then the same for any order of records
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	s.Figures = append(s.Figures,
		Figure{id, evidence.Mean, "", sum / float64(n), n},
		Figure{id, evidence.P50, evidence.NearestRank, nearestRank(values, 50), n},
		Figure{id, evidence.P95, evidence.NearestRank, nearestRank(values, 95), n},
		Figure{id, evidence.P99, evidence.NearestRank, nearestRank(values, 99), n},
		Figure{id, evidence.Min, "", values[0], n},
		Figure{id, evidence.Max, "", values[n-1], n},
	)
}

// nearestRank is the smallest value that at least percent of all values do not exceed.
func nearestRank(sorted []float64, percent int) float64 {
	rank := (len(sorted)*percent + 99) / 100
	return sorted[max(rank, 1)-1]
}

func (s *sums) totals() {
	wall := span(s.first, s.last)
	if !wall.OK || wall.V <= 0 || s.Delivered == 0 {
		return
	}
	s.Wall = wall
	rate := func(id evidence.MetricID, count float64) {
		s.Figures = append(s.Figures, Figure{id, evidence.Total, "", count / wall.V, s.Delivered})
	}
	if s.counted == s.Delivered {
		rate(evidence.OutputThroughput, float64(s.output))
		if s.promptCounted == s.Delivered {
			rate(evidence.TotalThroughput, float64(s.prompt+s.output))
		}
	}
	rate(evidence.RequestThroughput, float64(s.Delivered))
	if s.o.Objective != nil {
		rate(evidence.Goodput, float64(s.good))
	}
}

func (s *sums) warn() {
	say := func(when bool, code, format string, args ...any) {
		if when {
			s.Warnings = append(s.Warnings, Warning{code, fmt.Sprintf(format, args...)})
		}
	}
	say(s.Requests > s.Delivered, WarnFailed, "%d of %d requests were not delivered", s.Requests-s.Delivered, s.Requests)
	say(s.Classes[NoUsage] > 0, WarnNoUsage, "%d answers came without a token count: token rates are absent", s.Classes[NoUsage])
	say(s.Delivered > 1 && s.Delivered < 100, WarnFew, "p99 of %d requests is among their slowest %d", s.Delivered, s.Delivered-int(math.Ceil(0.99*float64(s.Delivered)))+1)
	say(s.tokensKnown > 0 && s.tokensNot > 0, WarnChunkTokens, "the counts of chunks add up to the answer's in %d of %d requests", s.tokensKnown, s.Delivered)
	say(s.differ > 0, WarnTokenIDs, "usage and token ids differ in %d requests; usage is used", s.differ)
	say(s.again > 0, WarnAttempts, "%d requests met a closed connection and were sent again; their times run from the first try", s.again)
}
