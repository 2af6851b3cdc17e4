package guidellm

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

type slot struct {
	metric   evidence.MetricID
	unit     string
	weighted bool // by tokens: count is no number of requests
}

// distributions are lifted with every statistic.
func (r *report) distributions() map[string]slot {
	tpot := evidence.TPOTInclusive
	if r.shape == shapeV3 {
		tpot = evidence.TPOTAllTokens
	}
	return map[string]slot{
		"request_latency":               {evidence.E2E, "s", false},
		"time_to_first_token_ms":        {evidence.TTFO, "ms", false},
		"time_to_first_output_token_ms": {evidence.TTFT, "ms", false},
		"time_per_output_token_ms":      {tpot, "ms", true},
		"inter_token_latency_ms":        {evidence.TPOTWeighted, "ms", true},
		"prompt_token_count":            {evidence.PromptTokens, "tokens", false},
		"output_token_count":            {evidence.OutputTokens, "tokens", false},
	}
}

// rates are lifted by their mean.
var rates = map[string]slot{
	"requests_per_second":      {evidence.RequestThroughput, "requests/s", false},
	"output_tokens_per_second": {evidence.OutputThroughput, "tok/s", false},
	"prompt_tokens_per_second": {evidence.InputThroughput, "tok/s", false},
	"tokens_per_second":        {evidence.TotalThroughput, "tok/s", false},
}

func (r *report) metrics(o lift.Obj, run *lift.Run) {
	known := r.distributions()
	o.Get("metrics").Members(func(name string, m lift.Obj) {
		ok := m.Get("successful")
		count := ok.Get("count")
		if n, has := count.Float(); has && n == 0 && !run.Void {
			ok.SkipWhole(evidence.ReasonVoid) // zeros of an empty status
		}
		if s, is := known[name]; is {
			r.distribution(run, ok, s)
		}
		if s, is := rates[name]; is && !(name == "tokens_per_second" && r.shape == shapeV3) {
			if n, has := count.Float(); !has || n > 0 || run.Void {
				run.Figure(ok.Get("mean"), s.metric, evidence.Total, s.unit)
			}
		}
		if name == "request_concurrency" && !run.Void {
			ok.Get("mean").Fact(&run.Facts, evidence.KeyMeanConc)
		}
		ok.SkipMembers(evidence.ReasonRestated, "mode", "variance", "total_sum", "count", "pdf", "cumulative_distribution_function")
		for _, status := range []string{"errored", "incomplete", "total"} {
			m.Get(status).SkipWhole(evidence.ReasonDiagnostic)
		}
		m.Skip(evidence.ReasonDiagnostic)
	})
}

// distribution lifts the successful requests of a metric.
func (r *report) distribution(run *lift.Run, o lift.Obj, s slot) {
	n := run.N
	if !s.weighted {
		if c := o.Get("count").Count(); c.OK {
			n = c
		}
	}
	if c, ok := o.Get("count").Float(); ok && c == 0 && !run.Void {
		return
	}
	run.Distribution(o, s.metric, s.unit, n)
	run.Distribution(o.Get("percentiles"), s.metric, s.unit, n)
	sum, okSum := o.Get("total_sum").Float()
	if c, ok := o.Get("count").Float(); ok && okSum && c > 0 && !s.weighted && !run.Void {
		r.b.Agree(string(s.metric)+" mean", o.Get("mean"), sum/c, 1e-3, "total_sum / count", o.Get("total_sum"), o.Get("count"))
	}
}

// samples keeps the requests that the report lists.
func (r *report) samples(o lift.Obj, run *lift.Run) {
	requests := o.Get("requests")
	index := int64(0)
	for _, status := range []string{"successful", "errored", "incomplete"} {
		requests.Get(status).Items(func(_ int, m lift.Obj) {
			ms := func(name string) evidence.Opt[float64] {
				v, ok := m.Get(name).Float()
				return evidence.Opt[float64]{V: v / 1000, OK: ok && v >= 0}
			}
			s := evidence.Sample{Index: index, Place: m.Place(), OK: status == "successful",
				TTFO: ms("time_to_first_token_ms"), TTFT: ms("time_to_first_output_token_ms"), E2E: m.Get("request_latency").Number(),
				PromptTokens: m.Get("prompt_tokens").Count(), OutputTokens: m.Get("output_tokens").Count()}
			if !s.OK {
				s.Failure = status
			}
			run.Samples = append(run.Samples, s)
			index++
		})
	}
	requests.Skip(evidence.ReasonRow)
	o.SkipMembers(evidence.ReasonEcho, "request_samples")
}
