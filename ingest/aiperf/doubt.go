package aiperf

import (
	"fmt"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// measured are the tags whose unit decides what a sample says.
var measured = map[string]evidence.Unit{
	"time_to_first_token": evidence.Seconds, "time_to_first_output_token": evidence.Seconds, "request_latency": evidence.Seconds,
	"inter_token_latency": evidence.Seconds, "inter_chunk_latency": evidence.Seconds,
	"input_sequence_length": evidence.Tokens, "output_sequence_length": evidence.Tokens,
}

// doubts counts what records say that cannot be, with the first place of each.
type doubts struct {
	units map[string]int // tag in a unit that it cannot have
	at    map[string]evidence.Pointer
	spans int // latencies that contradict the record's own clock
	span  evidence.Pointer
	parts int // first tokens that come after the end
	part  evidence.Pointer
	sums  int // latencies that are not their parts
	sum   evidence.Pointer
}

func newDoubts() doubts { return doubts{units: map[string]int{}, at: map[string]evidence.Pointer{}} }

// look examines one record. The latency is held against the clock of the request, which
// is in nanoseconds whatever the unit of the metrics says.
func (d *doubts) look(v *jsondoc.Node, s *evidence.Sample, at evidence.Pointer) {
	metrics := v.Get("metrics")
	for i, tag := range names(metrics) {
		want, ok := measured[tag]
		if !ok {
			continue
		}
		unit := metrics.Children[i].Get("unit").Str()
		if _, base, err := evidence.ToBase("1", units[unit]); err == nil && base == want {
			continue
		}
		if d.units[tag]++; d.units[tag] == 1 {
			d.at[tag] = at.Key("metrics").Key(tag).Key("unit")
		}
	}
	start, ok1 := nanos(v.Get("metadata"), "request_start_ns")
	end, ok2 := nanos(v.Get("metadata"), "request_end_ns")
	if span := float64(end-start) / 1e9; ok1 && ok2 && span > 0 && s.E2E.OK && s.E2E.V > 0 {
		if r := s.E2E.V / span; r > 30 || r < 1.0/30 {
			if d.spans++; d.spans == 1 {
				d.span = at.Key("metrics").Key("request_latency")
			}
		}
	}
	after := func(a, b evidence.Opt[float64]) bool { return a.OK && b.OK && a.V > b.V*1.001 }
	if after(s.TTFO, s.E2E) || after(s.TTFT, s.E2E) || after(s.TTFO, s.TTFT) {
		if d.parts++; d.parts == 1 {
			d.part = at.Key("metrics").Key("time_to_first_token")
		}
	}
	token := seconds(metrics, "inter_token_latency") // (latency - first token) / (tokens - 1)
	if s.E2E.OK && s.TTFO.OK && token.OK && s.OutputTokens.OK && s.OutputTokens.V > 1 &&
		!lift.Close(s.E2E.V, s.TTFO.V+token.V*float64(s.OutputTokens.V-1), 0.02) {
		if d.sums++; d.sums == 1 {
			d.sum = at.Key("metrics").Key("inter_token_latency")
		}
	}
}

func names(n *jsondoc.Node) []string {
	if n == nil {
		return nil
	}
	return n.Names
}

// tell reports the doubts, and puts the figures of the run in conflict that rest on them.
func (d *doubts) tell(b *lift.Builder, run *lift.Run, records int) {
	find := func(code string, at evidence.Pointer, format string, args ...any) {
		b.Doc.Findings = append(b.Doc.Findings, evidence.Finding{Severity: evidence.Warning, Code: code, Pointer: at, Offset: -1, Message: fmt.Sprintf(format, args...)})
	}
	for _, tag := range sampled {
		if n := d.units[tag]; n > 0 {
			find(lift.CodeUnit, d.at[tag], "%s has a unit that it cannot have in %d of %d records: it is not lifted there", tag, n, records)
			run.Dispute(metrics[tag])
		}
	}
	if d.spans > 0 {
		find(lift.CodeUnitSuspect, d.span, "in %d of %d records the latency is more than 30 times as long or as short as the request took by its own clock: one of them is in another unit than it says", d.spans, records)
		run.Dispute(evidence.E2E)
	}
	if d.parts > 0 {
		find(lift.CodeUnitSuspect, d.part, "in %d of %d records the first token comes after the end of the request, or the first output token before it", d.parts, records)
		run.Dispute(evidence.TTFO, evidence.TTFT, evidence.E2E)
	}
	if d.sums > 0 {
		find(lift.CodeDisagree, d.sum, "in %d of %d records the latency is not first token + (tokens - 1) * inter-token latency", d.sums, records)
		run.Dispute(evidence.TTFO, evidence.TPOT, evidence.E2E)
	}
}
