package capacity

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// text is a fixture as text, to be changed and read again.
func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func read(t *testing.T, doc string) evidence.Document {
	t.Helper()
	v := jsondoc.Parse([]byte(doc), jsondoc.Limits{}).Root()
	shape, ok := Reader{}.Match(Label, v)
	if !ok {
		t.Fatal("not taken")
	}
	return Reader{}.Read(v, "", shape)
}

// TestRowsCountOtherwise: rows that count by chunks under a summary that counts by usage
// leave no token rate behind.
func TestRowsCountOtherwise(t *testing.T) {
	doc := strings.ReplaceAll(text(t, "v3"), `"output_token_source": "usage"`, `"output_token_source": "content_chunks"`)
	for _, m := range read(t, doc).Arms[0].Runs[0].Measurements {
		switch m.Metric {
		case evidence.OutputThroughput, evidence.DecodeRate, evidence.TPOT, evidence.OutputTokens:
			if m.Value.OK {
				t.Errorf("%s %s = %v at %s", m.Metric, m.Stat, m.Value.V, m.Place.Pointer)
			}
		}
	}
}

// TestNothingCompleted: without one completed request every zero is absent, and each slot
// keeps its metric.
func TestNothingCompleted(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(text(t, "v3")), &doc); err != nil {
		t.Fatal(err)
	}
	doc["completed"], doc["failed"], doc["request_timings"] = 0, doc["requests"], []any{}
	metrics := doc["metrics"].(map[string]any)
	for name, v := range metrics {
		if _, ok := v.(float64); ok {
			metrics[name] = 0
		}
	}
	metrics["output_token_sources"] = map[string]any{}
	zeros, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range read(t, string(zeros)).Arms[0].Runs[0].Measurements {
		if _, ok := evidence.LookupMetric(m.Metric); !ok || m.Value.OK {
			t.Errorf("%q %s = %v (%s) at %s", m.Metric, m.Stat, m.Value, m.State, m.Place.Pointer)
		}
	}
}

// TestUnknownProtocol: figures of a protocol that nobody knows are not read, and the
// reason names it.
func TestUnknownProtocol(t *testing.T) {
	v := jsondoc.Parse([]byte(`{"schema": "anvil-serving.benchmark/v1", "measurement_protocol": "capacity-v9", "metrics": {}}`), jsondoc.Limits{}).Root()
	if _, ok := (Reader{}).Match(Label, v); ok {
		t.Error("taken")
	}
	if why := (Reader{}).Reason(Label, v); !strings.Contains(why, "capacity-v9") {
		t.Errorf("reason %q", why)
	}
}
