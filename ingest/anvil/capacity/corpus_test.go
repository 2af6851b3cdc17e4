package capacity

import (
	"math"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/store/evidence"
)

var reader = Readers()[0]

// TestCorpus reads every real file. The whole family agrees with itself, so a finding
// about a contradiction is a false alarm.
func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, reader, Label)
	for name, d := range docs {
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeMismatch, lift.CodeRow, lift.CodeCount, lift.CodeImplausible, lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers:
				t.Errorf("%s: false alarm %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
	}
}

// awkwardCodes are the findings that a known awkward place must have; kinds that the
// bytes or a name show, and not the document, are missing.
var awkwardCodes = map[string]string{
	"clamped-context": lift.CodeClamped, "false-zero": lift.CodeFalseZero, "incomplete-run": lift.CodeIncomplete,
	"int-as-float": lift.CodeIntAsFloat, "label-shape-drift": lift.CodeLabelAfter, "null-number": lift.CodeNull,
	"ttft-equals-e2e": lift.CodeNoVisible,
}

func TestAwkward(t *testing.T) {
	docs := lifttest.Survey(t, reader, Label)
	n := 0
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		d, ok := docs[a.File]
		code := awkwardCodes[a.Kind]
		if !ok || code == "" {
			continue
		}
		n++
		if !lifttest.Has(&d, code, a.Pointer) {
			t.Errorf("%s: no finding %s at %s (%s)", a.File, code, a.Pointer, a.What)
		}
	}
	if n == 0 {
		t.Error("no awkward place was checked")
	}
}

type statistics struct {
	Mean  *float64 `json:"mean"`
	P50   *float64 `json:"p50"`
	P95   *float64 `json:"p95"`
	Total *float64 `json:"total"`
}

type answer struct {
	File       string      `json:"file"`
	N          int64       `json:"n"`
	Requests   int64       `json:"requests"`
	Protocol   string      `json:"protocol"`
	TTFT       *statistics `json:"ttft"`
	TTFO       *statistics `json:"ttfo"`
	TPOT       *statistics `json:"tpot"`
	Generation *statistics `json:"generation"`
	Decode     *statistics `json:"decode_rate"`
	Prefill    *statistics `json:"effective_prefill_rate"`
	E2E        *statistics `json:"e2e"`
	Prompt     *statistics `json:"prompt_tokens"`
	Output     *statistics `json:"output_tokens"`
	Throughput *statistics `json:"output_throughput"`
}

// TestAnswers holds every known answer against the measurement and against the samples.
func TestAnswers(t *testing.T) {
	docs := lifttest.Survey(t, reader, Label)
	for _, a := range lifttest.Golden[[]answer](t, "answers.shared.json") {
		d, ok := docs[a.File]
		if !ok {
			t.Errorf("%s was not read", a.File)
			continue
		}
		run := &d.Arms[0].Runs[0]
		r := &lift.Run{Run: *run}
		for _, x := range []struct {
			metric evidence.MetricID
			want   *statistics
			value  func(s *evidence.Sample, first float64) float64
		}{
			{evidence.TTFT, a.TTFT, func(s *evidence.Sample, _ float64) float64 { return s.TTFT.V }},
			{evidence.TTFO, a.TTFO, func(s *evidence.Sample, _ float64) float64 { return s.TTFO.V }},
			{evidence.TPOT, a.TPOT, func(s *evidence.Sample, _ float64) float64 { return s.Generation.V / float64(s.OutputTokens.V-1) }},
			{evidence.Generation, a.Generation, func(s *evidence.Sample, _ float64) float64 { return s.Generation.V }},
			{evidence.DecodeRate, a.Decode, func(s *evidence.Sample, _ float64) float64 { return float64(s.OutputTokens.V-1) / s.Generation.V }},
			{evidence.EffectivePrefillRate, a.Prefill, func(s *evidence.Sample, first float64) float64 { return float64(s.PromptTokens.V) / first }},
			{evidence.E2E, a.E2E, func(s *evidence.Sample, _ float64) float64 { return s.E2E.V }},
			{evidence.PromptTokens, a.Prompt, func(s *evidence.Sample, _ float64) float64 { return float64(s.PromptTokens.V) }},
			{evidence.OutputTokens, a.Output, func(s *evidence.Sample, _ float64) float64 { return float64(s.OutputTokens.V) }},
			{evidence.OutputThroughput, a.Throughput, nil},
		} {
			if x.want == nil {
				continue
			}
			checkAnswer(t, a, r, x.metric, x.want, x.value)
		}
	}
}

func checkAnswer(t *testing.T, a answer, r *lift.Run, metric evidence.MetricID, want *statistics, value func(*evidence.Sample, float64) float64) {
	t.Helper()
	same := func(what string, got float64, want *float64) {
		if want != nil && !lift.Near(got, *want, 1e-10, 1e-12) {
			t.Errorf("%s: %s %s is %v, want %v", a.File, metric, what, got, *want)
		}
	}
	for stat, w := range map[evidence.Stat]*float64{evidence.P50: want.P50, evidence.P95: want.P95, evidence.Total: want.Total} {
		if w == nil || metric == evidence.OutputTokens && stat != evidence.Total {
			continue // no file stores percentiles of output tokens
		}
		if a.N == 1 && stat != evidence.Total {
			stat = evidence.Single
		}
		m := r.Primary(metric, stat)
		switch {
		case a.N == 0:
			if m == nil || m.Value.OK || m.State != evidence.Absent {
				t.Errorf("%s: %s %s must be absent", a.File, metric, stat)
			}
		case m == nil || !m.Value.OK:
			t.Errorf("%s: %s %s is missing", a.File, metric, stat)
		default:
			same(string(stat), m.Value.V, w)
		}
	}
	if value == nil {
		return
	}
	var values []float64
	for i := range r.Samples {
		s := &r.Samples[i]
		first := s.TTFT.V
		if s.TTFO.OK {
			first = s.TTFO.V
		}
		if s.OK {
			values = append(values, value(s, first))
		}
	}
	if int64(len(values)) != a.N {
		t.Errorf("%s: %d samples, want %d", a.File, len(values), a.N)
		return
	}
	sorted := lift.Sorted(values)
	same("p50 of samples", lift.Percentile(sorted, 50, evidence.NearestRank), want.P50)
	same("p95 of samples", lift.Percentile(sorted, 95, evidence.NearestRank), want.P95)
	same("mean of samples", lift.Sum(values)/math.Max(1, float64(len(values))), want.Mean)
	same("total of samples", lift.Sum(values), want.Total)
}
