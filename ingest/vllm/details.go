package vllm

import (
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// rawRows are the members that hold one item for each request.
var rawRows = []string{"input_lens", "output_lens", "ttfts", "itls", "start_times", "latencies", "queue_times", "generated_texts", "errors"}

// details reads the raw rows that --save-detailed adds and recomputes the summary.
func details(o lift.Obj, run *lift.Run) {
	outs, ttfts, itls := o.Get("output_lens"), o.Get("ttfts"), o.Get("itls")
	ins, errors, starts := o.Get("input_lens"), o.Get("errors"), o.Get("start_times")
	n := max(outs.Len(), ttfts.Len())
	if !outs.IsArray() && !ttfts.IsArray() {
		n = 0
	}
	d := rows{first: evidence.None[float64]()}
	for i := range starts.Len() {
		if t, ok := starts.Item(i).Float(); ok && (!d.first.OK || t < d.first.V) {
			d.first = evidence.Some(t)
		}
	}
	for i := range n {
		run.Samples = append(run.Samples, d.row(i, ins, outs, ttfts, itls, errors, starts))
	}
	for _, m := range []lift.Obj{ins, outs, ttfts, itls, starts, o.Get("latencies"), o.Get("queue_times")} {
		m.Skip(evidence.ReasonRow)
	}
	if n == 0 || run.Void {
		return
	}
	run.Recompute(evidence.TTFC, ttfts, d.ttft)
	run.Recompute(evidence.TPOT, itls, d.tpot)
	run.Recompute(evidence.ITLChunk, itls, d.gaps)
	run.Recompute(evidence.E2E, itls, d.e2e)
}

// rows are the raw values of the requests that succeeded.
type rows struct {
	first                 evidence.Opt[float64]
	ttft, tpot, gaps, e2e []float64
}

func (d *rows) row(i int, ins, outs, ttfts, itls, errors, starts lift.Obj) evidence.Sample {
	at := ttfts.Item(i)
	if at.Node == nil {
		at = outs.Item(i)
	}
	s := evidence.Sample{Index: int64(i), Place: at.Place(), PromptTokens: ins.Item(i).Count(), OutputTokens: outs.Item(i).Count(),
		Failure: lift.Clip(errors.Item(i).Str())}
	if t, ok := starts.Item(i).Float(); ok && d.first.OK {
		s.Start = evidence.Some(t - d.first.V)
	}
	s.OK = s.Failure == "" && (!s.OutputTokens.OK || s.OutputTokens.V > 0)
	first := ttfts.Item(i).Number()
	if !s.OK || !first.OK {
		return s
	}
	s.TTFT = first
	d.ttft = append(d.ttft, first.V)
	gaps := itls.Item(i)
	if !gaps.IsArray() {
		return s
	}
	sum := 0.0
	for _, g := range gaps.Node.Children {
		if !g.Is(jsondoc.Number) {
			continue
		}
		if v, err := evidence.ParseDecimal(g.Text); err == nil {
			sum += v
			d.gaps = append(d.gaps, v)
		}
	}
	s.Generation, s.E2E = evidence.Some(sum), evidence.Some(first.V+sum)
	d.e2e = append(d.e2e, first.V+sum)
	if s.OutputTokens.OK && s.OutputTokens.V > 1 {
		d.tpot = append(d.tpot, sum/float64(s.OutputTokens.V-1))
	}
	return s
}
