package load

import (
	"time"

	"assay/store/evidence"
)

// perRequest are the metrics that one request has by itself, each a pure function of its
// record. A request starts when its first byte is sent; what a connection took is not in
// it, and neither is how late the client was: metrics from the due time have both.
var perRequest = []struct {
	id evidence.MetricID
	of func(*Record) evidence.Opt[float64]
}{
	{evidence.TTFT, func(r *Record) evidence.Opt[float64] { return span(r.Sent, r.FirstContent) }},
	{evidence.TTFO, func(r *Record) evidence.Opt[float64] { return span(r.Sent, r.FirstOutput()) }},
	{evidence.TTFC, func(r *Record) evidence.Opt[float64] { return span(r.Sent, r.FirstChunk) }},
	{evidence.TPOT, tpot},
	{evidence.TPOTInclusive, tpotInclusive},
	{evidence.DecodeRate, decodeRate},
	{evidence.EffectivePrefillRate, prefillRate},
	{evidence.Generation, func(r *Record) evidence.Opt[float64] { return span(r.FirstOutput(), r.End) }},
	{evidence.E2E, func(r *Record) evidence.Opt[float64] { return span(r.Sent, r.End) }},
	{evidence.TTFOFromDue, func(r *Record) evidence.Opt[float64] { return span(evidence.Some(r.Due), r.FirstOutput()) }},
	{evidence.E2EFromDue, func(r *Record) evidence.Opt[float64] { return span(evidence.Some(r.Due), r.End) }},
	{evidence.PromptTokens, func(r *Record) evidence.Opt[float64] { return number(r.Usage.Prompt) }},
	{evidence.OutputTokens, func(r *Record) evidence.Opt[float64] { return number(r.OutputTokens()) }},
}

// Value is one metric of one request, absent where it is not defined: of a request that was
// not delivered, of an answer without the moments or the token counts it takes.
func Value(r *Record, id evidence.MetricID) evidence.Opt[float64] {
	if !r.Class.Delivered() {
		return evidence.None[float64]()
	}
	for _, m := range perRequest {
		if m.id == id {
			return m.of(r)
		}
	}
	return evidence.None[float64]()
}

func seconds(d time.Duration) float64 { return float64(d) / 1e9 }

func span(from, to Moment) evidence.Opt[float64] {
	if !from.OK || !to.OK {
		return evidence.None[float64]()
	}
	return evidence.Some(seconds(to.V - from.V))
}

func number(n evidence.Opt[int64]) evidence.Opt[float64] {
	if !n.OK {
		return evidence.None[float64]()
	}
	return evidence.Some(float64(n.V))
}

// decoded is the stretch behind the first output, and how many tokens came in it.
func decoded(r *Record) (duration float64, tokens float64, ok bool) {
	n, d := r.OutputTokens(), span(r.FirstOutput(), r.End)
	if !n.OK || !d.OK || n.V < 2 || d.V <= 0 {
		return 0, 0, false
	}
	return d.V, float64(n.V - 1), true
}

func tpot(r *Record) evidence.Opt[float64] {
	d, n, ok := decoded(r)
	if !ok {
		return evidence.None[float64]()
	}
	return evidence.Some(d / n)
}

func decodeRate(r *Record) evidence.Opt[float64] {
	d, n, ok := decoded(r)
	if !ok {
		return evidence.None[float64]()
	}
	return evidence.Some(n / d)
}

func tpotInclusive(r *Record) evidence.Opt[float64] {
	n, d := r.OutputTokens(), span(r.Sent, r.LastOutput)
	if !n.OK || !d.OK || n.V < 1 {
		return evidence.None[float64]()
	}
	return evidence.Some(d.V / float64(n.V))
}

// prefillRate has the first output as its boundary. Tokens that a prefix cache spared are
// prompt tokens all the same.
func prefillRate(r *Record) evidence.Opt[float64] {
	d := span(r.Sent, r.FirstOutput())
	if !r.Usage.Prompt.OK || r.Usage.Prompt.V < 1 || !d.OK || d.V <= 0 {
		return evidence.None[float64]()
	}
	return evidence.Some(float64(r.Usage.Prompt.V) / d.V)
}

// chunkGaps adds the gaps between chunks that carry output.
func chunkGaps(dst []float64, r *Record) []float64 {
	last := Moment{}
	for _, c := range r.Chunks {
		if c.Kind&Output == 0 {
			continue
		}
		if last.OK {
			dst = append(dst, seconds(c.At-last.V))
		}
		last = evidence.Some(c.At)
	}
	return dst
}

// tokenGaps adds the gaps between tokens. It takes the engine's count of every chunk, and
// that they add up to the count of the answer; else ok is false. Tokens that came in one
// chunk came together: their gaps are 0, nothing is spread out.
func tokenGaps(dst []float64, r *Record) (gaps []float64, ok bool) {
	total, sum := r.OutputTokens(), int64(0)
	for _, c := range r.Chunks {
		sum += c.Tokens().V
	}
	if r.ChunkTokens == NoTokens || !total.OK || sum != total.V {
		return dst, false
	}
	last := Moment{}
	for _, c := range r.Chunks {
		for n := c.Tokens().V; n > 0; n-- {
			if last.OK {
				dst = append(dst, seconds(c.At-last.V))
			}
			last = evidence.Some(c.At)
		}
	}
	return dst, true
}
