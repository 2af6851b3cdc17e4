package artifact_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/ingest/artifact"
	"assay/ingest/artifact/artifacttest"
	"assay/store/evidence"
)

func TestRoundTrip(t *testing.T) {
	want := artifacttest.Run()
	data, err := artifact.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := artifact.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a run changed on its way through bytes (-written +read):\n%s", diff)
	}
	again, err := artifact.Encode(got)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("encoding what was decoded gives other bytes (%v)", err)
	}
}

// TestCanonical: neither the order of members nor spaces matter to the bytes.
func TestCanonical(t *testing.T) {
	data, err := artifact.Encode(artifacttest.Run())
	if err != nil {
		t.Fatal(err)
	}
	var loose any
	if err := json.Unmarshal(data, &loose); err != nil {
		t.Fatal(err)
	}
	pretty, err := json.MarshalIndent(loose, "", "   ")
	if err != nil {
		t.Fatal(err)
	}
	r, err := artifact.Decode(pretty)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := artifact.Encode(r); err != nil || !bytes.Equal(data, again) {
		t.Errorf("the same run in another layout has other canonical bytes (%v)", err)
	}
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := artifact.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("run.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("run.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchema: what is written fits the published schema, and what does not fit the format
// does not fit the schema where a schema can tell.
func TestSchema(t *testing.T) {
	s := schema(t)
	data, err := artifact.Encode(artifacttest.Run())
	if err != nil {
		t.Fatal(err)
	}
	check := func(data string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(v)
	}
	if err := check(string(data)); err != nil {
		t.Fatalf("a run does not fit the schema: %v", err)
	}
	for _, edit := range [][2]string{
		{`"status":"measured"`, `"status":"fine"`},
		{`"repeat":1,`, ``},
		{`"repeat":1,`, `"repeat":1,"mood":"good",`},
		{`"concurrency":{"how"`, `"tempo":{"how"`},
	} {
		bad := strings.Replace(string(data), edit[0], edit[1], 1)
		if bad == string(data) {
			t.Fatalf("%s does not stand in the document", edit[0])
		}
		if check(bad) == nil {
			t.Errorf("the schema takes %s", edit[1])
		}
		if _, err := artifact.Decode([]byte(bad)); err == nil {
			t.Errorf("Decode takes %s", edit[1])
		}
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(r *artifact.Run)
		want  string
	}{
		{"no arm", func(r *artifact.Run) { r.Arm = "" }, "/arm: "},
		{"why without a fault", func(r *artifact.Run) { r.Why = "x" }, "/status_reason: "},
		{"a fault without a why", func(r *artifact.Run) { r.Status = artifact.Aborted }, "/status_reason: "},
		{"a key missing", func(r *artifact.Run) { delete(r.Facts, evidence.KeyTP) }, "/facts/tp: missing"},
		{"a key unknown", func(r *artifact.Run) { r.Facts.Set("colour", "red", "seen") }, "/facts/colour: is no fact key"},
		{"no origin", func(r *artifact.Run) { r.Facts.Set(evidence.KeyTP, "1", "") }, "/facts/tp/how"},
		{"an empty value", func(r *artifact.Run) { r.Facts[evidence.KeyTP] = artifact.Fact{State: "recorded", How: "x"} }, "/facts/tp: a value"},
		{"windows out of order", func(r *artifact.Run) { r.Windows[0], r.Windows[1] = r.Windows[1], r.Windows[0] }, "/windows/"},
		{"a gap in the requests", func(r *artifact.Run) { r.Requests[1].Index = 7 }, "/requests/1/index"},
		{"an end before the start", func(r *artifact.Run) { n := int64(-5); r.Requests[0].End = &n }, "/requests/0/end_ns"},
		{"neither ended nor failed", func(r *artifact.Run) { r.Requests[0].End = nil }, "/requests/0: neither"},
		{"counts for other chunks", func(r *artifact.Run) { r.Requests[0].Tokens = []int64{1} }, "/requests/0/chunk_tokens"},
		{"chunks backwards", func(r *artifact.Run) { r.Requests[0].Chunks = []int64{2, 1}; r.Requests[0].Tokens = nil }, "/requests/0/chunk_ns"},
		{"no such metric", func(r *artifact.Run) { r.Summary[0].Metric = "speed" }, "/summary/0/metric"},
		{"another unit", func(r *artifact.Run) { r.Summary[0].Unit = "ms" }, "/summary/0/unit"},
		{"a figure twice", func(r *artifact.Run) { r.Summary = append(r.Summary, r.Summary[0]) }, "stands twice"},
		{"absent without a reason", func(r *artifact.Run) { r.Summary[0].Value = nil }, "/summary/0: a value"},
		{"a sidecar elsewhere", func(r *artifact.Run) {
			r.Sidecars = []artifact.Sidecar{{Name: "../x", SHA256: strings.Repeat("a", 64)}}
		}, "/sidecars/0/name"},
		{"local time", func(r *artifact.Run) { r.Started = "2026-09-04T10:00:00+02:00" }, "/started"},
		{"a seed beyond", func(r *artifact.Run) { r.Workload.Seed = 1 << 60 }, "/workload/seed"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			r := artifacttest.Run()
			tc.spoil(r)
			_, err := artifact.Encode(r)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Encode says %v, want %q", err, tc.want)
			}
		})
	}
}

func TestDecodeSaysWhere(t *testing.T) {
	data, err := artifact.Encode(artifacttest.Run())
	if err != nil {
		t.Fatal(err)
	}
	for edit, want := range map[[2]string]string{
		{`"repeat":1,`, `"repeat":"one",`}:             "/repeat",
		{`"repeat":1,`, `"repeat":1,"repeat":1,`}:      "/repeat",
		{`"due_ns":0`, `"due_ns":0,"dew_ns":0`}:        "/requests/0/dew_ns",
		{`"cpu_count":2`, `"cpu_count":2.5`}:           "cpu_count",
		{`"schema":"assay.run/v1"`, `"schema":"a/v2"`}: "/schema",
	} {
		bad := strings.Replace(string(data), edit[0], edit[1], 1)
		if bad == string(data) {
			t.Fatalf("%s does not stand in the document", edit[0])
		}
		if _, err := artifact.Decode([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want the place %s", edit[1], err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	data, err := artifact.Encode(artifacttest.Run())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":"assay.run/v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := artifact.Decode(data)
		if err != nil {
			return
		}
		first, err := artifact.Encode(r)
		if err != nil {
			t.Fatalf("what was decoded cannot be encoded: %v", err)
		}
		again, err := artifact.Decode(first)
		if err != nil {
			t.Fatalf("what was encoded cannot be decoded: %v", err)
		}
		if second, err := artifact.Encode(again); err != nil || !bytes.Equal(first, second) {
			t.Fatalf("canonical bytes differ (%v)", err)
		}
	})
}
