package vllm

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

// fits checks that latencies, tokens and duration can be those of one run.
func (s *serving) fits(o lift.Obj, run *lift.Run) {
	completed, duration := o.Get("completed").Number(), o.Get("duration").Number()
	if rate, good := run.Primary(evidence.RequestThroughput, evidence.Total), run.Primary(evidence.Goodput, evidence.Total); rate.OK && good.OK && good.V > rate.V*1.001 {
		s.b.Find(evidence.Warning, lift.CodeDisagree, o, "the goodput %v requests/s is more than the request throughput %v", good.V, rate.V)
		run.Dispute(evidence.Goodput, evidence.RequestThroughput)
	}
	if !completed.OK || completed.V <= 0 {
		return
	}
	parts := []evidence.MetricID{evidence.E2E, evidence.TTFC, evidence.TPOT}
	latency := run.Typical(evidence.E2E)
	if out, ok := o.Get("total_output_tokens").Float(); ok {
		latency = run.Fits(o, lift.Parts{Whole: evidence.E2E, First: evidence.TTFC, PerToken: evidence.TPOT, Tokens: out / completed.V})
	}
	run.Within(o, duration)
	limit := o.Get("max_concurrency")
	run.Little(o, latency, limit.Number(), completed, duration.V, parts...)
	if latency.OK && duration.OK && !limit.There() && latency.V*completed.V/duration.V < 1e-3 {
		s.b.Find(evidence.Warning, lift.CodeUnitSuspect, o, "latencies of %v s leave the server idle for all but a thousandth of %v s", latency.V, duration.V)
		run.Dispute(parts...)
	}
	if c := limit.Number(); c.OK && latency.OK && duration.OK && o.Get("request_rate").Str() == "inf" {
		run.Suspect(o, latency.V, c.V*duration.V/completed.V, "the latency", "concurrency * duration / completed", parts...)
	}
	s.chunks(o, run)
}

// chunks tells chunk gaps from token gaps: their ratio is about the tokens per chunk.
func (s *serving) chunks(o lift.Obj, run *lift.Run) {
	accepted := run.Primary(evidence.AcceptLength, evidence.Total)
	ratio, ok := run.Gaps(o, evidence.ITLChunk, evidence.TPOT)
	switch {
	case !ok || ratio > 30 || ratio < 1.0/30:
	case ratio > 1.2 && !accepted.OK:
		s.b.Find(evidence.Info, lift.CodeChunks, o, "gaps between chunks are %.2f times the time per token: about that many tokens came in one chunk, so speculation or token batching was on and is not recorded", ratio)
	case accepted.OK && (ratio > accepted.V*3 || ratio < accepted.V/3):
		s.b.Find(evidence.Warning, lift.CodeDisagree, o, "gaps between chunks are %.2f times the time per token, and the recorded acceptance length is %.3f", ratio, accepted.V)
		run.Dispute(evidence.AcceptLength, evidence.ITLChunk)
	case ratio > 1.2:
		s.b.Find(evidence.Info, lift.CodeChunks, o, "gaps between chunks are %.2f times the time per token; the recorded acceptance length is %.3f", ratio, accepted.V)
	}
}
