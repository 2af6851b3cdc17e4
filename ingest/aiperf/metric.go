package aiperf

import (
	"strings"

	"assay/ingest/lift"
	"assay/store/evidence"
)

// metrics are the tags that a definition of the registry stands for.
var metrics = map[string]evidence.MetricID{
	"time_to_first_token": evidence.TTFO, "time_to_first_output_token": evidence.TTFT,
	"inter_token_latency": evidence.TPOT, "inter_chunk_latency": evidence.ITLChunk, "request_latency": evidence.E2E,
	"output_token_throughput": evidence.OutputThroughput, "input_token_throughput": evidence.InputThroughput,
	"total_token_throughput": evidence.TotalThroughput, "request_throughput": evidence.RequestThroughput,
	"goodput": evidence.Goodput, "output_token_throughput_per_user": evidence.DecodeRate,
	"prefill_throughput_per_user": evidence.EffectivePrefillRate,
	"output_sequence_length":      evidence.OutputTokens, "input_sequence_length": evidence.PromptTokens,
}

// totals are tags of one figure per run, however they are written.
var totals = map[string]bool{"output_token_throughput": true, "input_token_throughput": true, "total_token_throughput": true,
	"request_throughput": true, "goodput": true}

// facts are tags that describe the run.
var facts = map[string]evidence.FactKey{
	"request_count": evidence.KeyCompleted, "error_request_count": evidence.KeyFailed, "benchmark_duration": evidence.KeyDuration,
	"total_isl": evidence.KeyInputTokens, "total_osl": evidence.KeyOutputTokens, "effective_concurrency": evidence.KeyMeanConc,
	"total_input_sequence_length": evidence.KeyInputTokens, "total_output_sequence_length": evidence.KeyOutputTokens,
}

// units are the tool's spellings in the words of the archive.
var units = map[string]string{
	"ms": "ms", "milliseconds": "ms", "sec": "s", "s": "s", "seconds": "s", "us": "us", "ns": "ns", "nanoseconds": "ns",
	"requests/sec": "requests/s", "requests/s": "requests/s", "tokens/sec": "tok/s", "tokens/s": "tok/s",
	"tokens/sec/user": "tok/s", "tokens/s/user": "tok/s", "tokens/second": "tok/s", "tokens": "tokens", "requests": "requests",
	"count": "count", "%": "percent", "ratio": "ratio",
}

// block lifts one metric block; the unit is the block's own.
func block(b *lift.Builder, run *lift.Run, tag string, o lift.Obj) {
	unit, known := units[strings.ToLower(o.Get("unit").Str())]
	avg := o.Get("avg")
	if metric, ok := metrics[tag]; ok {
		if !known {
			b.Find(evidence.Warning, lift.CodeUnit, o.Get("unit"), "%s: the unit %s is not known, its figures are not lifted", tag, o.Get("unit").Show())
			o.Skip(evidence.ReasonUnread)
			return
		}
		n := o.Get("count").Count()
		if !n.OK && tag != "inter_chunk_latency" {
			n = run.N
		}
		if totals[tag] {
			run.FigureN(avg, metric, evidence.Total, unit, run.N)
		} else {
			run.Distribution(o, metric, unit, n)
			mean(b, o)
		}
		o.SkipMembers(evidence.ReasonRestated, "sum", "count")
		o.Skip(evidence.ReasonDiagnostic)
		return
	}
	if key, ok := facts[tag]; ok {
		if fits(key, unit) {
			avg.FactIn(&run.Facts, key, unit)
		} else {
			b.Find(evidence.Warning, lift.CodeUnit, o.Get("unit"), "%s: the unit %s is none of it, it is not recorded", tag, o.Get("unit").Show())
		}
	}
	reason := evidence.ReasonDiagnostic
	if strings.HasSuffix(tag, "_timestamp") {
		reason = evidence.ReasonTimestamp
	}
	o.SkipWhole(reason)
}

// fits reports whether a property can be given in a unit. A count is one of requests.
func fits(key evidence.FactKey, unit string) bool {
	_, base, err := evidence.ToBase("1", unit)
	want := evidence.LookupKey(key).Unit
	counts := base == evidence.Count || base == evidence.Requests
	return err == nil && (base == want || counts && (want == evidence.Count || want == evidence.Requests))
}

// mean checks sum / count.
func mean(b *lift.Builder, o lift.Obj) {
	sum, count := o.Get("sum"), o.Get("count")
	s, ok1 := sum.Float()
	n, ok2 := count.Float()
	if ok1 && ok2 && n > 0 {
		b.Agree("avg", o.Get("avg"), s/n, 1e-6, "sum / count", sum, count)
	}
}
