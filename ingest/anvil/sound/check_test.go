package sound_test

import (
	"strings"
	"testing"

	"assay/ingest/anvil/sound"
	"assay/store/evidence"
)

// document builds arms of one run each; a run is written as "metric stat digits unit" lines.
func document(facts map[evidence.FactKey]string, runs ...string) *evidence.Document {
	d := &evidence.Document{}
	for k, v := range facts {
		d.Facts = append(d.Facts, evidence.Fact{Key: k, Value: v, State: evidence.Recorded})
	}
	for i, text := range runs {
		r := evidence.Run{Name: "load", Class: evidence.ClassShort}
		for _, line := range strings.Split(text, ";") {
			w := strings.Fields(line)
			v, unit, err := evidence.ToBase(w[2], w[3])
			if err != nil {
				panic(err)
			}
			m := evidence.Measurement{Metric: evidence.MetricID(w[0]), Stat: evidence.Stat(w[1]), Value: evidence.Some(v), Unit: unit, State: evidence.Recorded,
				Role: evidence.Primary, SourceText: w[2], SourceUnit: w[3], Place: evidence.At(evidence.Pointer("/rows").Index(i).Key(w[0] + w[1]))}
			if len(w) > 4 { // a claim: rule, base, subject
				m.Metric, m.Role, m.Rule, m.Also = evidence.ClaimedChange, evidence.Claim, w[4]+" "+w[5], []evidence.Place{evidence.At(evidence.Pointer(w[6])), evidence.At(evidence.Pointer(w[7]))}
			}
			r.Measurements = append(r.Measurements, m)
		}
		d.Arms = append(d.Arms, evidence.Arm{Name: "arm", Runs: []evidence.Run{r}})
	}
	return d
}

const real = "ttft mean 2415.7 ms; ttft p50 2331.3 ms; ttft p95 5339.1 ms; ttft p99 5513.3 ms; decode_rate mean 201.5 tok/s; decode_rate p50 182.5 tok/s;" +
	"tpot mean 5.494 ms; tpot p50 5.430 ms; e2e mean 5223.2 ms; e2e p50 4856.4 ms; effective_prefill_rate p50 1515.3 tok/s; output_throughput total 764.3 tok/s"

var load = map[evidence.FactKey]string{evidence.KeyConcurrency: "8", evidence.KeyOutputCap: "512", evidence.KeyContextTarget: "4096"}

func TestCheck(t *testing.T) {
	swap := func(old, new string) string { return strings.Replace(real, old, new, 1) }
	for name, tt := range map[string]struct {
		runs []string
		want string // a finding at this member, "" for none
	}{
		"sound":              {[]string{real}, ""},
		"mean in seconds":    {[]string{swap("ttft mean 2415.7 ms", "ttft mean 2.4157 ms")}, "ttftmean"},
		"mean out of range":  {[]string{swap("e2e mean 5223.2 ms", "e2e mean 5223.2 s")}, "tpotmean"},
		"p99 out of range":   {[]string{swap("ttft p99 5513.3", "ttft p99 5513300")}, "ttftp99"},
		"rate out of range":  {[]string{swap("decode_rate p50 182.5", "decode_rate p50 182500")}, "decode_ratep50"},
		"TPOT out of range":  {[]string{swap("tpot mean 5.494 ms", "tpot mean 5.494 s")}, "decode_ratemean"},
		"prefill too slow":   {[]string{swap("effective_prefill_rate p50 1515.3", "effective_prefill_rate p50 1.5153")}, "effective_prefill_ratep50"},
		"end before start":   {[]string{swap("e2e p50 4856.4 ms", "e2e p50 4.8564 ms")}, "ttftp50"},
		"aggregate too high": {[]string{swap("output_throughput total 764.3", "output_throughput total 764300")}, "output_throughputtotal"},
		"outlier":            {[]string{"kv_pool_tokens total 1000000 tokens", "kv_pool_tokens total 1100000 tokens", "kv_pool_tokens total 990 tokens"}, "kv_pool_tokenstotal"},
		"claim holds":        {[]string{"ttft p50 100.0 ms", "ttft p50 80.0 ms", "claim p50 -20.0 percent change(ttft p50) /rows/0/ttftp50 /rows/1/ttftp50"}, ""},
		"claim does not":     {[]string{"ttft p50 100.0 ms", "ttft p50 80.0 ms", "claim p50 -30.0 percent change(ttft p50) /rows/0/ttftp50 /rows/1/ttftp50"}, "claimp50"},
		"claim by rounding":  {[]string{"ttft p50 3 ms", "ttft p50 2 ms", "claim p50 -30.0 percent change(ttft p50) /rows/0/ttftp50 /rows/1/ttftp50"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			found := sound.Check(document(load, tt.runs...))
			if tt.want == "" {
				if len(found) != 0 {
					t.Errorf("false alarm: %v", found)
				}
				return
			}
			for _, f := range found {
				if strings.HasSuffix(string(f.Pointer), "/"+tt.want) {
					return
				}
			}
			t.Errorf("no finding at %s: %v", tt.want, found)
		})
	}
}

// TestConflict: a figure that breaks several relations is out of comparisons, the others
// stay in.
func TestConflict(t *testing.T) {
	d := document(load, strings.Replace(real, "tpot mean 5.494 ms", "tpot mean 5.494 s", 1))
	sound.Check(d)
	for _, m := range d.Arms[0].Runs[0].Measurements {
		if m.Metric == evidence.E2E && m.State == evidence.Conflict {
			t.Errorf("%s %s is in conflict as well", m.Metric, m.Stat)
		}
	}
}
