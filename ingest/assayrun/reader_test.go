package assayrun_test

import (
	"strings"
	"testing"

	"assay/ingest/artifact"
	"assay/ingest/artifact/artifacttest"
	"assay/ingest/assayrun"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func read(t *testing.T, r *artifact.Run) evidence.Document {
	t.Helper()
	data, err := artifact.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return readBytes(t, data)
}

func readBytes(t *testing.T, data []byte) evidence.Document {
	t.Helper()
	v := jsondoc.Parse(data, jsondoc.Limits{}).Root()
	reader := assayrun.Readers()[0]
	shape, ok := reader.Match(artifact.Label, v)
	if !ok {
		t.Fatal("the reader does not take its own format")
	}
	return reader.Read(v, "", shape)
}

func TestRead(t *testing.T) {
	d := read(t, artifacttest.Run())
	if len(d.Findings) != 0 {
		t.Errorf("findings on a sound run: %+v", d.Findings)
	}
	if d.Campaign.ID != "example-campaign" || len(d.Arms) != 1 || d.Arms[0].Name != "tp1-mtp0" || len(d.Arms[0].Runs) != 1 {
		t.Fatalf("campaign %+v, arms %+v", d.Campaign, d.Arms)
	}
	run := d.Arms[0].Runs[0]
	if len(run.Samples) != 3 || run.Samples[0].Index != 1 {
		t.Errorf("samples %+v: the warm-up is none of the run", run.Samples)
	}
	if s := run.Samples[0]; !s.OK || s.TTFT.V != 0.2 || s.E2E.V != 0.65 || s.OutputTokens.V != 5 {
		t.Errorf("sample %+v", s)
	}
	row := evidence.RunRow{}
	for _, m := range run.Measurements {
		row.Measurements = append(row.Measurements, evidence.MeasurementRow{Measurement: m})
	}
	for metric, want := range map[evidence.MetricID]float64{evidence.TTFT: 0.2, evidence.E2E: 0.65} {
		m, ok := row.Primary(metric, evidence.P50)
		if !ok || m.Value.V != want || m.Method != evidence.NearestRank || m.N.V != 3 || m.State != evidence.Recorded {
			t.Errorf("%s is %+v, want %v", metric, m, want)
		}
	}
	if _, ok := row.Primary(evidence.ITLToken, evidence.P50); ok {
		t.Error("a figure that the run does not have was lifted")
	}
	facts := map[evidence.FactKey]evidence.Fact{}
	for _, f := range append(d.Arms[0].Facts, run.Facts...) {
		facts[f.Key] = f
	}
	if f := facts[evidence.KeyConcurrency]; f.Value != "1" || f.State != evidence.Recorded || f.Place.Pointer != "/facts/concurrency/value" {
		t.Errorf("concurrency is %+v", f)
	}
	if f := facts[evidence.KeyKVDtype]; f.State != evidence.Absent || f.Rule != "not part of the example" {
		t.Errorf("a key without a value is %+v, want absent with the reason", f)
	}
	if len(d.Gates) != 1 || d.Gates[0].Status != evidence.GatePassed || len(d.Notes) != 1 || d.Notes[0].Kind != evidence.Limitation {
		t.Errorf("gates %+v, notes %+v", d.Gates, d.Notes)
	}
}

// TestRecompute: a summary that its own rows contradict is found, and nothing is compared
// with it.
func TestRecompute(t *testing.T) {
	for _, tc := range []struct {
		name, at string
		spoil    func(*artifact.Run)
		metric   evidence.MetricID
	}{
		{"median", "figures-disagree", func(r *artifact.Run) { v := 0.25; r.Summary[0].Value = &v }, evidence.TTFT},
		{"mean", "figures-disagree", func(r *artifact.Run) { v := 0.2; r.Summary[2].Value = &v }, evidence.TPOT},
		{"rate", "figures-disagree", func(r *artifact.Run) { v := 50.0; r.Summary[3].Value = &v }, evidence.OutputThroughput},
		{"a row", "figures-disagree", func(r *artifact.Run) {
			for i := range r.Requests {
				*r.Requests[i].End += 3e6
			}
		}, evidence.E2E},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := artifacttest.Run()
			tc.spoil(r)
			d := read(t, r)
			found := false
			for _, f := range d.Findings {
				found = found || f.Code == tc.at
			}
			if !found {
				t.Errorf("no finding of %s: %+v", tc.at, d.Findings)
			}
			for _, m := range d.Arms[0].Runs[0].Measurements {
				if m.Metric == tc.metric && m.State != evidence.Conflict {
					t.Errorf("%s %s stays %s", m.Metric, m.Stat, m.State)
				}
			}
		})
	}
}

func TestEndings(t *testing.T) {
	r := artifacttest.Run()
	r.Status, r.Why = artifact.Aborted, "stopped by the operator after 2 of 3 requests"
	d := read(t, r)
	if s := d.Arms[0].Runs[0].Status; s != evidence.RunFailed {
		t.Errorf("an aborted run is %s", s)
	}
	r = artifacttest.Run()
	r.Requests[2].Error, r.Requests[2].End = "reset", nil
	d = read(t, r)
	s := d.Arms[0].Runs[0].Samples[1]
	if s.OK || s.Failure != "reset" || s.E2E.OK || s.TTFT.OK {
		t.Errorf("a failed request is %+v", s)
	}
	if !strings.Contains(findings(d), "completed is 3") {
		t.Errorf("3 completed beside 2 rows is not found: %s", findings(d))
	}
	r = artifacttest.Run()
	r.Client.Health.Saturated = true
	if d = read(t, r); !strings.Contains(findings(d), "saturated") {
		t.Error("a saturated client is no finding")
	}
}

func findings(d evidence.Document) string {
	var b strings.Builder
	for _, f := range d.Findings {
		b.WriteString(f.Code + ": " + f.Message + "\n")
	}
	return b.String()
}

// TestHostile: what is no run of ours ends in findings and not in a panic.
func TestHostile(t *testing.T) {
	for _, text := range []string{
		`{"schema":"assay.run/v1","facts":{},"workload":{},"summary":[]}`,
		`{"schema":"assay.run/v1","facts":{"tp":7,"gpu_count":{"value":[1]},"x":{"value":1}},"workload":{"rate_per_second":1},"summary":[1,{"metric":"ttft","stat":"p50","value":"x"},{"metric":"ttft","stat":"p50","value":-1,"unit":"s"}],"requests":[null,{},{"window":"measure","chunk_ns":[1e400,"a",5,2]}],"windows":[{"name":"measure","start_ns":5,"end_ns":1}],"gates":[1],"telemetry":{"cards":[{"measured":true,"memory_free_min_bytes":"none"}]}}`,
	} {
		d := readBytes(t, []byte(text))
		for _, a := range d.Arms {
			for _, r := range a.Runs {
				for _, m := range r.Measurements {
					if m.Value.OK {
						t.Errorf("%s gives a value: %+v", text[:40], m)
					}
				}
			}
		}
	}
}
