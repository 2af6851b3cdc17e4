package vllm

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

// fits checks that latencies, tokens and duration can be those of one run.
func (s *serving) fits(o lift.Obj, run *lift.Run) {
	value := func(m evidence.MetricID) evidence.Opt[float64] {
		if v := run.Primary(m, evidence.Mean); v.OK {
			return v
		}
		return run.Primary(m, evidence.P50)
	}
	ttft, tpot, e2e, itl := value(evidence.TTFC), value(evidence.TPOT), value(evidence.E2E), value(evidence.ITLChunk)
	completed, duration := o.Get("completed").Number(), o.Get("duration").Number()
	out, ok := o.Get("total_output_tokens").Float()
	if !completed.OK || completed.V <= 0 || !ok {
		return
	}
	expected := ttft.V + tpot.V*max(out/completed.V-1, 0)
	if ttft.OK && tpot.OK && e2e.OK {
		s.b.Suspect(o, e2e.V, expected, "the latency", "ttft + tpot * (tokens - 1)")
		if e2e.V < ttft.V*0.5 {
			s.b.Find(evidence.Warning, lift.CodeUnitSuspect, o, "the latency %v s is shorter than the time to first token %v s", e2e.V, ttft.V)
		}
	}
	latency := e2e
	if !latency.OK && ttft.OK && tpot.OK {
		latency = evidence.Some(expected)
	}
	run.Within(o, duration)
	run.Little(o, latency, o.Get("max_concurrency").Number(), completed, duration.V)
	if latency.OK && duration.OK && !o.Get("max_concurrency").There() && latency.V*completed.V/duration.V < 1e-3 {
		s.b.Find(evidence.Warning, lift.CodeUnitSuspect, o, "latencies of %v s leave the server idle for all but a thousandth of %v s", latency.V, duration.V)
	}
	if c := o.Get("max_concurrency").Number(); c.OK && latency.OK && duration.OK && o.Get("request_rate").Str() == "inf" {
		s.b.Suspect(o, latency.V, c.V*duration.V/completed.V, "the latency", "concurrency * duration / completed")
	}
	s.chunks(o, itl, tpot, run.Primary(evidence.AcceptLength, evidence.Total))
}

// chunks tells chunk gaps from token gaps: their ratio is about the tokens per chunk.
func (s *serving) chunks(o lift.Obj, itl, tpot, accepted evidence.Opt[float64]) {
	if !itl.OK || !tpot.OK || tpot.V <= 0 {
		return
	}
	ratio := itl.V / tpot.V
	switch {
	case ratio > 60 || ratio < 1.0/30:
		s.b.Suspect(o, itl.V, tpot.V, "the gap between chunks", "the time per output token")
	case ratio > 1.2 && !accepted.OK:
		s.b.Find(evidence.Info, lift.CodeChunks, o, "gaps between chunks are %.2f times the time per token: about that many tokens came in one chunk, so speculation or token batching was on and is not recorded", ratio)
	case accepted.OK && (ratio > accepted.V*3 || ratio < accepted.V/3):
		s.b.Find(evidence.Warning, lift.CodeDisagree, o, "gaps between chunks are %.2f times the time per token, and the recorded acceptance length is %.3f", ratio, accepted.V)
	case ratio > 1.2:
		s.b.Find(evidence.Info, lift.CodeChunks, o, "gaps between chunks are %.2f times the time per token; the recorded acceptance length is %.3f", ratio, accepted.V)
	}
}
