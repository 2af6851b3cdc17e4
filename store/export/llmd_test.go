package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"assay/store/evidence"
	"assay/store/export"
)

// reported is a run with figures of every kind.
func reported() evidence.RunRow {
	figure := func(m evidence.MetricID, s evidence.Stat, v float64, text, unit string) evidence.MeasurementRow {
		info, _ := evidence.LookupMetric(m)
		return evidence.MeasurementRow{Source: source, Run: "r0", Measurement: evidence.Measurement{Metric: m, Stat: s, Value: evidence.Some(v), Unit: info.Unit,
			State: evidence.Recorded, Role: evidence.Primary, SourceText: text, SourceUnit: unit, Place: evidence.At("/x/" + evidence.Pointer(m) + "/" + evidence.Pointer(s))}}
	}
	fact := func(k evidence.FactKey, v string, s evidence.State) evidence.FactRow {
		return evidence.FactRow{Source: source, Fact: evidence.Fact{Key: k, Value: v, State: s}}
	}
	conflict := figure(evidence.E2E, evidence.Mean, 9, "9", "s")
	conflict.State = evidence.Conflict
	absent := figure(evidence.InputThroughput, evidence.Total, 0, "0.0", "tok/s")
	absent.State, absent.Value = evidence.Absent, evidence.None[float64]()
	restated := figure(evidence.TTFT, evidence.P50, 0.8, "0.8", "s")
	restated.Role = evidence.Restated
	return evidence.RunRow{Source: source, ID: "r0", Campaign: "c", Arm: "a <b>", Status: evidence.Measured, Place: evidence.At("/x"),
		Facts: []evidence.FactRow{fact(evidence.KeyModel, "m", evidence.Recorded), fact(evidence.KeyTP, "2", evidence.Conflict), fact(evidence.KeyClient, "vllm bench serve", evidence.Derived),
			fact(evidence.KeyCompleted, "9", evidence.Recorded), fact(evidence.KeyFailed, "1", evidence.Recorded), fact(evidence.KeyConcurrency, "unlimited", evidence.Derived),
			fact(evidence.KeyTokenizer, "/home/someone/tokenizer", evidence.Recorded), fact("metadata.api_key", "sk-proj-Zm9vYmFy0123456789ab", evidence.Recorded)},
		Measurements: []evidence.MeasurementRow{
			figure(evidence.TTFT, evidence.P50, 0.8477, "847.70", "ms"), figure(evidence.TTFT, evidence.P99, 1.2, "1200", "ms"), restated,
			figure(evidence.TPOT, evidence.Mean, 0.02, "20", "ms"), figure(evidence.TPOT, evidence.P50, 0.019, "0.019", "s"),
			figure(evidence.OutputThroughput, evidence.Total, 1044963, "1,044,963", "tok/s"), figure(evidence.Goodput, evidence.Total, 1.5, "1.5", "requests/s"),
			conflict, absent,
		}}
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	w := export.NewReports(&out, false)
	r := reported()
	if err := w.Run(&r); err != nil || w.Rows() != 1 {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		`"time_to_first_token":{"units":"ms","mean":null,"p50":847.70,"p99":1200}`, // as written, and no mean is made up
		`"time_per_output_token":{"units":"s/token","mean":0.02,"p50":0.019}`,      // two units in the source
		`"output_token_rate":{"units":"tokens/s","mean":1044963}`,                  // no JSON number in the source
		`"request_latency":null`, `"input_token_rate":null`, `"tool":"vllm-benchmark"`, // in conflict, absent
		`"total":10,"failures":1,"incomplete":0`, `"tp":null`, `"concurrency":null`, `"rate_qps":null`,
		`"withheld":[{"metric":"e2e","stat":"mean"`, `"further":[{"metric":"goodput","stat":"total","value":1.5`,
		`"artifact":"` + source.Artifact.String() + `"`, `"p50":"/x/ttft/p50"`, `"label":"a \u003cb\u003e"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in the report\n%s", want, got)
		}
	}
	for _, never := range []string{"someone", "Zm9vYmFy", `"tp":2`, ":0.8,"} {
		if strings.Contains(got, never) {
			t.Errorf("%s is in the report", never)
		}
	}
	if !json.Valid(out.Bytes()) || strings.Count(got, "\n") != 1 {
		t.Errorf("no JSON on one line: %s", got)
	}
}

func TestReportsFilterAndFail(t *testing.T) {
	filter, err := export.ParseFilter(export.Runs, "completed>100")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := export.NewReports(&out, false)
	w.Where(filter)
	r := reported()
	if err := w.Run(&r); err != nil || w.Rows() != 0 || out.Len() > 0 {
		t.Errorf("%d reports, %v", w.Rows(), err)
	}
	w = export.NewReports(&out, false)
	r.Measurements[0].Value = evidence.Some(math.NaN())
	if err := w.Run(&r); !errors.Is(err, evidence.ErrNotFinite) {
		t.Errorf("NaN gave %v", err)
	}
}
