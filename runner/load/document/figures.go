package document

import (
	"slices"

	"assay/ingest/artifact"
	"assay/store/evidence"
)

// distributions are the metrics that every request, or every gap, has by itself.
var distributions = []evidence.MetricID{
	evidence.TTFT, evidence.TTFO, evidence.TTFC, evidence.TPOT, evidence.DecodeRate, evidence.EffectivePrefillRate,
	evidence.Generation, evidence.E2E, evidence.TTFOFromDue, evidence.E2EFromDue, evidence.ITLToken, evidence.ITLChunk,
}

// Figures are the summary of the rows of the window "measure". A metric that is not defined
// for them stands there without a value and with the reason.
func Figures(rows []artifact.Request, windows []artifact.Window) []artifact.Figure {
	t := tally{values: map[evidence.MetricID][]float64{}, inKnown: true, outKnown: true}
	for i := range rows {
		if rows[i].Window == measured {
			t.add(&rows[i])
		}
	}
	out := []artifact.Figure{}
	for _, m := range distributions {
		out = append(out, spread(m, t.values[m], t.why(m))...)
	}
	return append(out, t.rates(windows)...)
}

// tally gathers the values of completed requests.
type tally struct {
	n, completed      int
	values            map[evidence.MetricID][]float64
	in, out           float64
	inKnown, outKnown bool
}

func (t *tally) add(r *artifact.Request) {
	t.n++
	if r.Error != "" || r.End == nil {
		return
	}
	t.completed++
	first := earlier(r.Reasoning, r.Visible)
	t.between(evidence.TTFT, r.Sent, r.Visible)
	t.between(evidence.TTFO, r.Sent, first)
	t.between(evidence.TTFC, r.Sent, r.Chunk)
	t.between(evidence.E2E, r.Sent, r.End)
	t.between(evidence.Generation, first, r.End)
	t.between(evidence.E2EFromDue, &r.Due, r.End)
	t.between(evidence.TTFOFromDue, &r.Due, first)
	t.tokens(r, first)
	t.gaps(r)
}

func (t *tally) put(m evidence.MetricID, v float64) { t.values[m] = append(t.values[m], v) }

func (t *tally) between(m evidence.MetricID, from, to *int64) {
	if v, ok := since(from, to); ok {
		t.put(m, v)
	}
}

// tokens makes what needs counts. An answer of one token has no rate.
func (t *tally) tokens(r *artifact.Request, first *int64) {
	in, out := r.PromptTokens, r.OutputTokens
	if r.TokensFrom == fromNone {
		out = nil
	}
	t.inKnown, t.outKnown = t.inKnown && in != nil, t.outKnown && out != nil
	if in != nil {
		t.in += float64(*in)
		if v, ok := since(r.Sent, first); ok && v > 0 {
			t.put(evidence.EffectivePrefillRate, float64(*in)/v)
		}
	}
	if out == nil {
		return
	}
	t.out += float64(*out)
	if v, ok := since(first, r.End); ok && v > 0 && *out > 1 {
		t.put(evidence.TPOT, v/float64(*out-1))
		t.put(evidence.DecodeRate, float64(*out-1)/v)
	}
}

// gaps between chunks are gaps between tokens where each chunk has one by the engine's count.
func (t *tally) gaps(r *artifact.Request) {
	single := r.Tokens != nil && !slices.ContainsFunc(r.Tokens, func(n int64) bool { return n != 1 })
	for i := 1; i < len(r.Chunks); i++ {
		v, ok := since(&r.Chunks[i-1], &r.Chunks[i])
		if !ok {
			continue
		}
		t.put(evidence.ITLChunk, v)
		if single {
			t.put(evidence.ITLToken, v)
		}
	}
}

func (t *tally) why(m evidence.MetricID) string {
	switch {
	case t.n == 0:
		return "no request was due in the measured window"
	case t.completed == 0:
		return "no request of the measured window completed"
	}
	switch m {
	case evidence.ITLToken:
		return "no answer has one token in every chunk by the engine's own count"
	case evidence.ITLChunk:
		return "no answer came in more than one chunk"
	case evidence.TPOT, evidence.DecodeRate:
		return "no answer has more than one token by the engine's own count"
	case evidence.EffectivePrefillRate:
		return "the engine does not count the tokens of prompts"
	}
	return "no completed request has the events that it takes"
}

// spread is one value, or mean, percentiles and range of several.
func spread(m evidence.MetricID, values []float64, why string) []artifact.Figure {
	switch len(values) {
	case 0:
		return []artifact.Figure{absent(m, evidence.Mean, why)}
	case 1:
		return []artifact.Figure{figure(m, evidence.Single, "", values[0], 1)}
	}
	sum := 0.0
	for _, v := range values { // in the order of the rows, as the reader does
		sum += v
	}
	n := len(values)
	sorted := slices.Sorted(slices.Values(values))
	return []artifact.Figure{
		figure(m, evidence.Mean, "", sum/float64(n), n),
		figure(m, evidence.P50, evidence.NearestRank, rank(sorted, 50), n),
		figure(m, evidence.P95, evidence.NearestRank, rank(sorted, 95), n),
		figure(m, evidence.P99, evidence.NearestRank, rank(sorted, 99), n),
		figure(m, evidence.Min, "", sorted[0], n),
		figure(m, evidence.Max, "", sorted[n-1], n),
	}
}

// rank is the smallest value that at least percent of all do not exceed.
func rank(sorted []float64, percent int) float64 {
	return sorted[max((len(sorted)*percent+99)/100, 1)-1]
}

func (t *tally) rates(windows []artifact.Window) []artifact.Figure {
	wall, ok := 0.0, false
	for _, w := range windows {
		if w.Name == measured {
			wall, ok = since(&w.Start, &w.End)
		}
	}
	why := ""
	switch {
	case t.completed == 0:
		why = t.why("")
	case !ok || wall <= 0:
		why = "the measured window has no length"
	}
	rate := func(m evidence.MetricID, total float64, known bool, of string) artifact.Figure {
		switch {
		case why != "":
			return absent(m, evidence.Total, why)
		case !known:
			return absent(m, evidence.Total, "the engine did not count the "+of+" tokens of every completed request")
		}
		return figure(m, evidence.Total, "", total/wall, t.completed)
	}
	return []artifact.Figure{
		rate(evidence.RequestThroughput, float64(t.completed), true, ""),
		rate(evidence.OutputThroughput, t.out, t.outKnown, "output"),
		rate(evidence.InputThroughput, t.in, t.inKnown && t.outKnown, "prompt or output"),
		rate(evidence.TotalThroughput, t.in+t.out, t.inKnown && t.outKnown, "prompt or output"),
	}
}

func figure(m evidence.MetricID, s evidence.Stat, how evidence.Method, v float64, n int) artifact.Figure {
	f := absent(m, s, "")
	f.Method, f.Value, f.N = string(how), &v, int64(n)
	return f
}

func absent(m evidence.MetricID, s evidence.Stat, why string) artifact.Figure {
	info, _ := evidence.LookupMetric(m)
	return artifact.Figure{Metric: string(m), Stat: string(s), Unit: string(info.Unit), Why: why}
}

// since is the time from one event to another in seconds.
func since(from, to *int64) (float64, bool) {
	if from == nil || to == nil || *to < *from {
		return 0, false
	}
	return float64(*to-*from) / 1e9, true
}

func earlier(a, b *int64) *int64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}
